"""What `explore` and `picture` check at the door: a tree to show, a state of it, and options that fit."""

from course_lib.games import Game
from course_lib.watch import Watched, WatchedMCTS
from course_lib.watch.paths import moves_of


def check_tree(shows, watched):
    """`ValueError` unless this is a recorded search or a game, which the function `shows` can show."""
    if isinstance(watched, type):
        raise ValueError(f"{shows} takes what watch() returned, or a game, not a class: give {watched.__name__}(), "
                         "with parentheses")  # fmt: skip
    if not isinstance(watched, Game | Watched | WatchedMCTS):
        raise ValueError(f"{shows} takes what watch() returned, or a game of a class based on Game, not {watched!r}")


def root_state(game, state):
    """The given state, or the initial one if none is given; `ValueError` if the game does not know it."""
    if state is None:
        return game.initial_state()
    try:
        moves_of(game, state)
    except Exception as error:
        raise ValueError(f"{state!r} is not a state of {game!r}: {error}") from error
    return state


def only_for(whose, watched, **options):
    """`ValueError` if one of these options is given: it means something only for another kind of tree."""
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise ValueError(f"{' and '.join(given)}: only for {whose}, {watched!r}; leave that out, or give the other")


def draws_boards(game, state, wanted):
    """Whether positions are drawn in the nodes: as `wanted`, or where boards are small; never without boards."""
    rows = game.grid(state)
    return rows is not None and (max(len(rows), len(rows[0])) <= 4 if wanted is None else wanted)
