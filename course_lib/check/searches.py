"""What questions about searches have in common: cases, best actions, parts of wrong searches, values found by hand."""

from math import inf

from hypothesis import strategies as st

from course_lib.check.cases import Lookup, ends_of_games, small_trees
from course_lib.check.compare import is_number, same, shown
from course_lib.explore import picture
from course_lib.games import MAX, MIN, Nim
from course_lib.search import minimax_value
from course_lib.watch.paths import inner_paths, leaf_paths, moves_of
from course_lib.watch.texts import number_text


def at_the_root(game):
    """The case (game, initial state)."""
    return game, game.initial_state()


def roots_and_ends():
    """The roots of all small trees, and a few ends of games."""
    return [*map(at_the_root, small_trees()), *ends_of_games()]


def first_of_pair(answer):
    """The value of a (value, action) pair."""
    return answer[0]


def best_actions(game, state):
    """The actions that keep the value of the state."""
    if game.is_terminal(state):
        return []
    value = minimax_value(game, state)
    return [action for action in game.actions(state) if minimax_value(game, game.result(state, action)) == value]


# Known mistakes of searches in which a node keeps the best value so far, `v`, and begins with −∞ for Max and ∞ for Min.

PLAYER, START = "player = game.to_move(state)", "-inf if player == MAX else inf"
BETTER = "v2 > v if player == MAX else v2 < v"
"""Lines that such searches have in common."""
UTILITY_SIDE, EXCHANGED, EVERYBODY = "utility from the wrong side", "max and min exchanged", "everybody maximises"
OVERWRITTEN, FROM_ZERO = "the last value overwrites the best", "the best value starts at 0"
WRONG_END, NOTHING = "the best value starts at the wrong end", "0 is taken for nothing"
COUNTED, FIRST_ONLY = "turns counted instead of asked", "only the first action is looked at"
BELOW_ALL, SAME_TEST = "the best value starts at −∞ for both", "the same comparison for both"
SENTENCES = {
    UTILITY_SIDE: "a leaf is worth game.utility(state, MAX), whoever would be to move there.",
    EXCHANGED: "where MAX is to move the largest value counts, where MIN is, the smallest.",
    EVERYBODY: "where MIN is to move the smallest value counts.",
    OVERWRITTEN: "keep the best of all values, not the last.",
    FROM_ZERO: "all values may be below 0, or above: begin with −∞ for Max and +∞ for Min.",
    WRONG_END: "begin with −∞ for Max, who looks for more, and with +∞ for Min.",
    FIRST_ONLY: "is there a `return` or a `break` inside the loop? Then the other actions are never tried.",
    SAME_TEST: "Max looks for more, v2 > v, and Min for less, v2 < v.",
    BELOW_ALL: "nothing is below −∞: Min, who looks for less, begins with +∞.",
    NOTHING: "a value of 0 is false to Python: ask whether it `is None`.",
    COUNTED: "ask game.to_move(state) at every node: Min may begin, and a player may move twice in a row.",
}


def said(name, changes):
    """The row of a known mistake that has the same sentence in every search."""
    return name, SENTENCES[name], changes


OF_UTILITY = (
    said(UTILITY_SIDE, {"utility(state, MAX)": "utility(state, game.to_move(state))"}),
    said(UTILITY_SIDE, {"game.utility(state, MAX)": "-game.utility(state, MAX)"}),
)
OF_CHOICE = (
    said(EXCHANGED, {START: "inf if player == MAX else -inf", BETTER: "v2 < v if player == MAX else v2 > v"}),
    said(EVERYBODY, {START: "-inf", BETTER: "v2 > v"}),
    said(OVERWRITTEN, {BETTER: "True"}),
    said(FIRST_ONLY, {BETTER: "abs(v) == inf"}),
    said(FROM_ZERO, {START: "0"}),
    said(WRONG_END, {START: "inf if player == MAX else -inf"}),
    said(NOTHING, {START: "None", BETTER: f"not v or ({BETTER})"}),
)  # fmt: skip
OF_MIN = said(SAME_TEST, {BETTER: "v2 > v"}), said(BELOW_ALL, {START: "-inf"})


def of_turns(head, call):
    """Rows for a search with this line `def …:` and this call of itself, which hands the player down to its children.

    The first takes Max to begin, the second asks who begins.
    """
    down = {call: f"{call[:-1]}, 1 - player)"}
    return (
        said(COUNTED, {head: f"{head[:-2]}, player=MAX):", f"    {PLAYER}\n": "", **down}),
        said(COUNTED, {head: f"{head[:-2]}, player=None):", PLAYER: f"{PLAYER} if player is None else player", **down}),
    )


# Depth-limited minimax: a case is (game, state, depth, evaluate).


def limited(game, depth, estimates):
    """The case in which states are estimated at these numbers, in turn; no leaf's estimate is what it is worth."""
    return game, (), depth, Lookup(zip([*inner_paths(game), *leaf_paths(game)], estimates))


HEAPS = Nim([5]), Nim([6])
ESTIMATES = Lookup({(player, (left,)): 7 * left % 5 - 3 * player for player in (MAX, MIN) for left in range(7)})
"""Games in which a state is reached at several depths, and an estimate of each state."""
SMALLEST = 300
"""So many trees are tried before those games."""


def small_limited():
    games = [game for game in small_trees(turns=False) if len(leaf_paths(game)) < 4]
    trees = [limited(game, depth, (5, -4, 3, -6, 7, -8, 4)) for game in games for depth in range(4)]
    heaps = [(game, game.initial_state(), depth, ESTIMATES) for game in HEAPS for depth in (2, 3, 4)]
    return [*trees[:SMALLEST], *heaps, *trees[SMALLEST:]]


@st.composite
def limited_cases(draw, games, depths=(0, 1, 1, 2, 2, 3)):
    """Random cases on these games, with one of these depths."""
    game = draw(games)
    nodes = len(inner_paths(game)) + len(leaf_paths(game))
    return limited(game, draw(st.sampled_from(depths)), [draw(st.integers(-9, 9)) for _ in range(nodes)])


def limited_value(game, state, depth, evaluate):
    return limited_minimax(game, state, depth, evaluate)[0]


def value_at_depth(value, case, node, plies):
    """`value(game, state, depth, evaluate)` at a watched node so many plies below the root; None beyond the horizon."""
    game, _, depth, evaluate = case
    return value(game, node.state, depth - plies, evaluate) if depth >= plies else None


def told_with(name, *tables):
    """Tell: the call of the student's function `name`, whose last arguments are tables of these names."""

    def tell(case):
        others = [shown(argument, 300) for argument in case[: -len(tables)]]
        entries = [f"{table} gives {shown(dict(given), 300)}" for table, given in zip(tables, case[-len(tables) :])]
        return f"{name}({', '.join([*others, *tables])}), where {' and '.join(entries)}"

    return tell


def best_limited_actions(game, state, depth, evaluate):
    if depth == 0 or game.is_terminal(state):
        return []
    value = limited_value(game, state, depth, evaluate)
    below = [(action, game.result(state, action)) for action in game.actions(state)]
    return [action for action, after in below if limited_value(game, after, depth - 1, evaluate) == value]


def limited_minimax(game, state, depth, evaluate):
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    if depth == 0:
        return evaluate(state), None
    player = game.to_move(state)
    v, move = (-inf if player == MAX else inf), None
    for action in game.actions(state):
        v2, _ = limited_minimax(game, game.result(state, action), depth - 1, evaluate)
        if v2 > v if player == MAX else v2 < v:
            v, move = v2, action
    return v, move


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
