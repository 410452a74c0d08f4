"""The questions of notebook 2, minimax."""

from functools import partial
from math import inf

from course_lib.games import MAX, MIN
from course_lib.grading.cases import small_trees, tree_games
from course_lib.grading.compare import equal
from course_lib.grading.question import Bug, Question
from course_lib.search import minimax_value


def from_the_root(games):
    """Cases (game, initial state)."""
    return [(game, game.initial_state()) for game in games]


def value(game, state, worth=lambda game, state: game.utility(state, MAX), best={MAX: max, MIN: min}, turn=None):
    """MINIMAX(s), with parts to be replaced by wrong ones."""
    if game.is_terminal(state):
        return worth(game, state)
    player = game.to_move(state) if turn is None else turn
    below = None if turn is None else 1 - turn
    return best[player]([value(game, game.result(state, a), worth, best, below) for a in game.actions(state)])


def of_the_mover(game, state):
    return game.utility(state, game.to_move(state))


def first_only(values):
    return values[0]


VALUE = Question(
    identifier="minimax.value",
    title="MINIMAX(s)",
    kind="write",
    points=2,
    name="minimax_value",
    small=lambda: from_the_root(small_trees()),
    cases=tree_games().map(lambda game: (game, game.initial_state())),
    reference=minimax_value,
    compare=equal,
    bugs=(
        Bug(
            "utility from the wrong side",
            "A leaf is worth utility(state, MAX), whoever is to move.",
            partial(value, worth=of_the_mover),
        ),
        Bug(
            "max and min exchanged",
            "Where MAX is to move the largest value counts, where MIN is the smallest.",
            partial(value, best={MAX: min, MIN: max}),
        ),
        Bug("everybody maximises", "Min takes the smallest of the values.", partial(value, best={MAX: max, MIN: max})),
        Bug(
            "turns counted instead of asked",
            "Ask game.to_move(state): Min may begin, and a player may move twice.",
            partial(value, turn=MAX),
        ),
    ),
)

QUESTIONS = (VALUE,)
