"""Validation of the arguments of `explore` and `picture`."""

from typing import Any

from course_lib.games import Game
from course_lib.games.game import State
from course_lib.games.validation import as_game
from course_lib.watch import MCTSTrace, SearchTrace

Trace = SearchTrace | MCTSTrace


def trace_or_game(given: Any, for_games: dict, for_searches: dict) -> Trace | Game:
    """This trace or game; `ValueError` if it is neither, or if an option that is not None is for the other kind."""
    if callable(given) and not isinstance(given, type):
        name = getattr(given, "__name__", repr(given))
        raise ValueError(f"{name} is a function: pass watch({name}, game) or watch_mcts({name}, game)")
    is_trace = isinstance(given, Trace)
    names = [name for name, value in (for_games if is_trace else for_searches).items() if value is not None]
    if names:
        whose = "games" if is_trace else "recorded searches"
        raise ValueError(f"{' and '.join(names)}: only for {whose}, not for {given!r}")
    try:
        return given if is_trace else as_game(given)
    except ValueError as error:
        raise ValueError(f"Expected what watch() returned, or a game. {error}") from None


def draws_boards(game: Game, state: State, wanted: bool | None) -> bool:
    """Whether boards are drawn in the nodes: as `wanted`, or else if they are small."""
    rows = game.grid(state)
    return rows is not None and (max(len(rows), len(rows[0])) <= 4 if wanted is None else wanted)
