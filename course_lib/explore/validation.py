"""What `explore` and `picture` check first: a tree to show, a state of it, and options that fit."""

from typing import Any

from course_lib.games import Game
from course_lib.games.game import State
from course_lib.watch import MCTSTrace, SearchTrace
from course_lib.watch.paths import moves_of


def check_tree(trace: Any, for_games: dict, for_searches: dict) -> None:
    """`ValueError` unless this is a recorded search or a game, and the given options are for one like it."""
    if isinstance(trace, type):
        raise ValueError(f"pass a game or what watch() returned, not a class: {trace.__name__}(), with parentheses")
    if not isinstance(trace, Game | SearchTrace | MCTSTrace):
        raise ValueError(f"pass what watch() returned, or a game of a class based on Game, not {trace!r}")
    others, whose = (for_searches, "recorded searches") if isinstance(trace, Game) else (for_games, "games")
    given = [name for name, value in others.items() if value is not None]
    if given:
        raise ValueError(f"{' and '.join(given)}: only for {whose}, not for {trace!r}")


def root_state(game: Game, state: State) -> State:
    """The given state, or the initial one if none is given; `ValueError` if the game does not know it."""
    if state is None:
        return game.initial_state()
    try:
        moves_of(game, state), game.render(state)
    except Exception as error:
        raise ValueError(f"{state!r} is not a state of {game!r}: {error}") from error
    return state


def draws_boards(game: Game, state: State, wanted: bool | None) -> bool:
    """Whether positions are drawn in the nodes: as `wanted`, or where boards are small; never without boards."""
    rows = game.grid(state)
    return rows is not None and (max(len(rows), len(rows[0])) <= 4 if wanted is None else wanted)
