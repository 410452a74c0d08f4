"""What questions about searches have in common: cases, best actions, parts of wrong searches, values found by hand."""

from math import inf

from hypothesis import strategies as st

from course_lib.check.cases import Lookup, small_trees
from course_lib.check.compare import is_number, same, shown
from course_lib.explore import picture
from course_lib.games import MAX, MIN
from course_lib.search import depth_limited_minimax_search, minimax_value
from course_lib.watch.paths import inner_paths, leaf_paths, moves_of
from course_lib.watch.texts import number_text


def at_the_root(game):
    """The case (game, initial state)."""
    return game, game.initial_state()


def small_roots():
    return list(map(at_the_root, small_trees()))


def first_of_pair(answer):
    """The value of a (value, action) pair."""
    return answer[0]


def best_actions(game, state):
    """The actions that keep the value of the state."""
    if game.is_terminal(state):
        return []
    value = minimax_value(game, state)
    return [action for action in game.actions(state) if minimax_value(game, game.result(state, action)) == value]


# Parts of a search, right and wrong: what a leaf is worth to Max, and the value that is chosen from those below.


def for_max(game, state):
    return game.utility(state, MAX)


def for_the_mover(game, state):
    return game.utility(state, game.to_move(state))


def for_min(game, state):
    return game.utility(state, MIN)


def best(player, values):
    return max(values) if player == MAX else min(values)


def worst(player, values):
    return best(1 - player, values)


def largest(player, values):
    return max(values)


def last(player, values):
    return values[-1]


def from_zero(player, values):
    return best(player, [0, *values])


def from_the_wrong_end(player, values):
    return best(player, [inf if player == MAX else -inf, *values])


def anew_after_zero(player, values):
    """`if not found`: where the best so far is 0, whatever comes next replaces it."""
    found = None
    for value in values:
        found = best(player, [found, value]) if found else value
    return found


COUNTED = "turns counted instead of asked"
MISTAKES = {row[0]: row for row in (
    ("utility from the wrong side", "a leaf is worth game.utility(state, MAX), whoever would be to move there.",
     {"worth": for_the_mover}),
    ("max and min exchanged", "where MAX is to move the largest value counts, where MIN is, the smallest.",
     {"choose": worst}),
    ("everybody maximises", "where MIN is to move the smallest value counts.", {"choose": largest}),
    ("the last value overwrites the best", "keep the best of all values, not the last.", {"choose": last}),
    ("the best value starts at 0", "all values may be below 0, or above: begin with −∞ for Max and +∞ for Min.",
     {"choose": from_zero}),
    ("the best value starts at the wrong end", "begin with −∞ for Max, who looks for more, and with +∞ for Min.",
     {"choose": from_the_wrong_end}),
    ("0 is taken for nothing", "a value of 0 is false to Python: ask whether it `is None`.",
     {"choose": anew_after_zero}),
    (COUNTED, "ask game.to_move(state) at every node: Min may begin, and a player may move twice in a row.",
     {"turn": MAX}),
)}  # fmt: skip
"""Name → the name, the sentence to the student, and the parts that make the mistake."""
MINS_UTILITY = (*MISTAKES["utility from the wrong side"][:2], {"worth": for_min})


# Depth-limited minimax: a case is (game, state, depth, evaluate).


def limited(game, depth, estimates):
    """The case in which states are estimated at these numbers, in turn; no leaf's estimate is what it is worth."""
    return game, (), depth, Lookup(zip([*inner_paths(game), *leaf_paths(game)], estimates))


def small_limited():
    games = [game for game in small_trees(turns=False) if len(leaf_paths(game)) < 4]
    return [limited(game, depth, (5, -4, 3, -6, 7, -8, 4)) for game in games for depth in range(4)]


@st.composite
def limited_cases(draw, games, depths=(0, 1, 1, 2, 2, 3)):
    """Random cases on these games, with one of these depths."""
    game = draw(games)
    nodes = len(inner_paths(game)) + len(leaf_paths(game))
    return limited(game, draw(st.sampled_from(depths)), [draw(st.integers(-9, 9)) for _ in range(nodes)])


def limited_value(game, state, depth, evaluate):
    return depth_limited_minimax_search(game, state, depth, evaluate)[0]


def value_at_depth(value, case, node, plies):
    """`value(game, state, depth, evaluate)` at a watched node so many plies below the root; None beyond the horizon."""
    game, _, depth, evaluate = case
    return value(game, node.state, depth - plies, evaluate) if depth >= plies else None


def told_with(name, table):
    """Tell: the call of the student's function `name`, whose last argument is a table of this name."""

    def tell(case):
        *others, entries = (shown(argument, 300) for argument in (*case[:-1], dict(case[-1])))
        return f"{name}({', '.join(others)}, {table}), where {table} gives {entries}"

    return tell


def best_limited_actions(game, state, depth, evaluate):
    if depth == 0 or game.is_terminal(state):
        return []
    value = limited_value(game, state, depth, evaluate)
    below = [(action, game.result(state, action)) for action in game.actions(state)]
    return [action for action, after in below if limited_value(game, after, depth - 1, evaluate) == value]


def always(player):
    return 1


def opposite_for_min(player):
    return 1 if player == MAX else -1


def only_for_min(player):
    return 1 if player == MIN else 0


def wrong_limited(game, state, depth, evaluate, horizon=0, terminal_first=True, step=always, sign=always, choose=best,
                  worth=for_max, turn=None):  # fmt: skip
    """Depth-limited minimax with parts to be replaced: it cuts off where `depth` has come down to `horizon`.

    With `turn` players are taken to alternate from there.
    """
    if terminal_first and game.is_terminal(state):
        return worth(game, state), None
    player, following = (game.to_move(state), None) if turn is None else (turn, 1 - turn)
    if depth <= horizon:
        return sign(player) * evaluate(state), None
    if game.is_terminal(state):
        return worth(game, state), None
    rest = (horizon, terminal_first, step, sign, choose, worth, following)
    actions = game.actions(state)
    left = depth - step(player)
    values = [wrong_limited(game, game.result(state, action), left, evaluate, *rest)[0] for action in actions]
    value = choose(player, values)
    return value, actions[values.index(value)]


# The values of a tree's inner nodes by hand: a dictionary from paths to values.


def values_below(tree, path, values):
    """What the nodes below this one are worth: inner ones are in `values`."""
    below = [(*path, action) for action, _ in moves_of(tree, path)]
    return [values[node] if node in values else tree.utility(node, MAX) for node in below]


def chooses_among(tree, path, values, given):
    below = ", ".join(map(number_text, values_below(tree, path, values)))
    mover = "Max" if tree.to_move(path) == MAX else "Min"
    return f"The first wrong value is at the node {path}. {mover} moves there and chooses among {below}."


def first_wrong_node(case, expected, given, words=chooses_among):
    """Compare: the first node without a value or with a wrong one; `words(tree, path, right values, value)` tell it."""
    tree, *_ = case
    if not isinstance(given, dict):
        return f"A dictionary from paths to values was expected, not {shown(given)}."
    for path, value in expected.items():
        if path not in given:
            return f"There is no value for the node {path}."
        if not is_number(given[path]):
            return f"The value of the node {path} is a number, not {shown(given[path])}."
        if not same(value, given[path]):
            return words(tree, path, expected, given[path])
    return None


def filled_in(case, given):
    """The tree with the student's values in it."""
    tree, *_ = case
    inner = inner_paths(tree)
    given = given if isinstance(given, dict) else {}
    answers = {path: number_text(given[path]) for path in inner if path in given and is_number(given[path])}
    return [("your values", picture(tree, answers=answers))]
