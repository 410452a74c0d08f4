"""Validation of the arguments of `explore`, `picture` and `board`."""

from collections.abc import Callable
from typing import Any

from course_lib.games import Game
from course_lib.games.game import Action, State
from course_lib.watch import MCTSTrace, SearchTrace

Search = Callable[..., tuple[Any, Action]]
"""(game, state) → (value, action)."""


def check_tree(trace: Any, for_games: dict, for_searches: dict) -> None:
    """Raise `ValueError` unless this is a trace or a game, and the options that are not None are for its kind."""
    if isinstance(trace, type):
        raise ValueError(f"expected a trace or a game, got a class: pass {trace.__name__}(), with parentheses")
    if not isinstance(trace, Game | SearchTrace | MCTSTrace):
        if callable(trace):
            name = getattr(trace, "__name__", repr(trace))
            raise ValueError(f"{name} is a function: pass watch({name}, game) or watch_mcts({name}, game)")
        raise ValueError(f"expected what watch() returned, or a game of a class based on Game, got {trace!r}")
    others, whose = (for_searches, "recorded searches") if isinstance(trace, Game) else (for_games, "games")
    given = [name for name, value in others.items() if value is not None]
    if given:
        raise ValueError(f"{' and '.join(given)}: only for {whose}, not for {trace!r}")


def draws_boards(game: Game, state: State, wanted: bool | None) -> bool:
    """Whether boards are drawn in the nodes: as `wanted`, or else if they are small."""
    rows = game.grid(state)
    return rows is not None and (max(len(rows), len(rows[0])) <= 4 if wanted is None else wanted)
