"""Validation of the arguments of `explore` and `picture`."""

from typing import Any

from course_lib.games import Game
from course_lib.games.game import State
from course_lib.games.validation import as_game
from course_lib.watch import MCTSTrace, SearchTrace

Trace = SearchTrace | MCTSTrace


def trace_or_game(given: Any, for_games: dict, for_searches: dict) -> Trace | Game:
    """This trace or game; `ValueError` if it is neither, or if an option that is not None is for the other kind."""
    found: Trace | Game
    if isinstance(given, Trace):
        found, others, whose = given, for_games, "games"
    elif callable(given) and not isinstance(given, type):
        name = getattr(given, "__name__", repr(given))
        raise ValueError(f"{name} is a function: pass watch({name}, game) or watch_mcts({name}, game)")
    else:
        try:
            found, others, whose = as_game(given), for_searches, "recorded searches"
        except ValueError as error:
            raise ValueError(f"Expected what watch() returned, or a game. {error}") from None
    names = [name for name, value in others.items() if value is not None]
    if names:
        raise ValueError(f"{' and '.join(names)}: only for {whose}, not for {given!r}")
    return found


def draws_boards(game: Game, state: State, wanted: bool | None) -> bool:
    """Whether boards are drawn in the nodes: as `wanted`, or else if they are small."""
    rows = game.grid(state)
    return rows is not None and (max(len(rows), len(rows[0])) <= 4 if wanted is None else wanted)
