"""What questions about searches have in common: cases, best actions, parts of wrong searches, values found by hand."""

from math import inf

from course_lib.check.cases import Lookup, ends_of_games, random_tree, small_trees
from course_lib.check.compare import BEGUN_TOO_NEAR, POSITION, is_number, same, shown, value_and_action, value_part
from course_lib.check.mistakes import possible
from course_lib.explore import picture
from course_lib.games import MAX, MIN, Nim
from course_lib.watch.paths import inner_paths, leaf_paths, moves_of
from course_lib.watch.texts import number_text


def at_the_root(game):
    """The case (game, initial state)."""
    return game, game.initial_state()


def random_root(luck):
    """The root of a random tree."""
    return at_the_root(random_tree(luck))


def roots_and_ends():
    """The roots of all small trees, and a few ends of games."""
    return [*map(at_the_root, small_trees()), *ends_of_games()]


def best_actions(search, below=lambda *rest: rest):
    """A function of a case: the actions that keep the value of its state, by this search.

    `below` is what becomes of the rest of the case, after game and state, one ply below.
    """

    def best_ones(game, state, *rest):
        value, action = search(game, state, *rest)
        if action is None:
            return []
        rest = below(*rest)
        return [a for a in game.actions(state) if same(search(game, game.result(state, a), *rest)[0], value)]

    return best_ones


def value_and_move(search):
    """The parts of a question whose right answers are the (value, action) pairs of this search."""
    return {
        "reference": search,
        "compare": value_and_action(best_actions(search)),
        "gist": value_part,
        "value_of": lambda case, node: search(case[0], node.state, *case[2:])[0],
    }


# Known mistakes of searches in which a node keeps the best value so far, `v`, and begins with −∞ for Max and ∞ for Min.

PLAYER, START = "player = game.to_move(state)", "-inf if player == MAX else inf"
BETTER = "v2 > v if player == MAX else v2 < v"
"""Lines that such searches have in common."""
COUNTED, NEXT = "turns counted instead of asked", "(player + 1) % game.players"
ENDS = (("(game, state):", "action))"), ("evaluate):", "1, evaluate)"), ("noisy):", "action), evaluate, noisy)"),
        ("beta=inf):", "action), alpha, beta)"))  # fmt: skip
"""How the first line of a search ends, and how its call of itself does."""
OF_SEARCHES = (
    ("utility from the wrong side", "a leaf is worth game.utility(state, MAX), whoever would be to move there.",
        {"utility(state, MAX)": "utility(state, game.to_move(state))"},
        {"game.utility(state, MAX)": "-game.utility(state, MAX)"}),
    ("max and min exchanged", "where MAX is to move the largest value counts, where MIN is, the smallest.",
        {START: "inf if player == MAX else -inf", BETTER: "v2 < v if player == MAX else v2 > v"}),
    ("everybody maximises", "where MIN is to move the smallest value counts.", {START: "-inf", BETTER: "v2 > v"}),
    ("the last value overwrites the best", "keep the best of all values, not the last.", {BETTER: "True"}),
    ("only the first action is looked at", "is there a `return` or a `break` inside the loop? Then the other actions "
        "are never tried.", {BETTER: "abs(v) == inf"}),
    ("only the first three actions are looked at", "go through all of `game.actions(state)`, however many there are.",
        {"in game.actions(state)": "in list(game.actions(state))[:3]"}),
    ("the best value starts at 0", "all values may be below 0, or above: begin with −∞ for Max and +∞ for Min.",
        {START: "0"}),
    (BEGUN_TOO_NEAR.name, BEGUN_TOO_NEAR.sentence, {START: "-1000 if player == MAX else inf"},
        {START: "-inf if player == MAX else 1000"},
        {"max(values)": "max(-1000, *values)", "min(values)": "min(1000, *values)"}),
    ("the best value starts at the wrong end", "begin with −∞ for Max, who looks for more, and with +∞ for Min.",
        {START: "inf if player == MAX else -inf"}),
    ("0 is taken for nothing", "a value of 0 is false to Python: ask whether it `is None`.",
        {START: "None", BETTER: f"not v or ({BETTER})"}),
    ("the same comparison for both", "Max looks for more, v2 > v, and Min for less, v2 < v.", {BETTER: "v2 > v"}),
    ("the best value starts at −∞ for both", "nothing is below −∞: Min, who looks for less, begins with +∞.",
        {START: "-inf"}),
    (POSITION, "return the action itself, as `game.actions(state)` gives it.",
        {"v, move = v2, action": "v, move = v2, list(game.actions(state)).index(action)"}),
    ("the action comes from below", "return the action of this node, not one that was best further down.",
        {"v2, _ =": "v2, below =", "v, move = v2, action": "v, move = v2, action if below is None else below"},
        {"v2, _ =": "v2, below =", "v, move = v2, action": "v, move = v2, below"}),
    ("depth off by one", "your search stops one ply too early.", {"depth == 0": "depth <= 1"}),
    ("depth off by one", "your search goes one ply too deep.", {"depth == 0": "depth < 0"}),
    ("the depth never gets less", "hand depth − 1 down to the children.", {"depth - 1": "depth"}),
    ("terminal states are evaluated", "where the game is over the utility counts, also at depth 0: ask that first.",
        {"if game.is_terminal(state)": "if depth > 0 and game.is_terminal(state)", "depth == 0": "depth == 0"}),
    (COUNTED, "ask game.to_move(state) at every node: anybody may begin, and a player may move twice in a row.",
        *({head: f"{head[:-2]}, player=MAX):", f"    {PLAYER}\n": "", call: f"{call[:-1]}, {NEXT})"}
          for head, call in ENDS),
        *({head: f"{head[:-2]}, player=None):", PLAYER: f"{PLAYER} if player is None else player",
           call: f"{call[:-1]}, {NEXT})"} for head, call in ENDS)),
)  # fmt: skip
"""The known mistakes of all searches, said once: a search has those whose texts stand in it, changed or not."""


def said(name, *changes):
    """The row of a mistake of all searches, with changes of its own."""
    return name, dict(row[:2] for row in OF_SEARCHES)[name], *changes


def of_searches(search, without=()):
    """The rows of the mistakes of all searches that can be made in this one, but those of these names."""
    return possible(search, [row for row in OF_SEARCHES if row[0] not in without])


# Depth-limited minimax: a case is (game, state, depth, evaluate).


def limited(game, depth, estimates):
    """The case in which states are estimated at these numbers, in turn; no leaf's estimate is what it is worth."""
    return game, (), depth, Lookup(zip([*inner_paths(game), *leaf_paths(game)], estimates))


def of_objects(estimate, most):
    """An estimate of each state of a game with up to so many objects."""
    return Lookup({(player, (left,)): estimate(player, left) for player in (MAX, MIN) for left in range(most + 1)})


SIX, SEVEN = of_objects(lambda player, left: 7 * left % 5 - 3 * player, 6), of_objects(lambda _, left: left - 3, 7)
HEAPS = [*((Nim([objects]), depth, SIX) for objects in (5, 6) for depth in (2, 3, 4)), (Nim([7], most=3), 4, SEVEN)]
"""Games in which a state is reached at several depths, with the depth to search to and an estimate of each state."""
SMALLEST = 300
"""So many trees are tried before those games."""


def small_limited():
    games = [game for game in small_trees(turns=False) if len(leaf_paths(game)) < 4]
    trees = [limited(game, depth, (5, -4, 3, -6, 7, -8, 4)) for game in games for depth in range(4)]
    heaps = [(game, game.initial_state(), *rest) for game, *rest in HEAPS]
    return [*trees[:SMALLEST], *heaps, *trees[SMALLEST:]]


def random_limited(luck, game=random_tree, depths=(0, 1, 1, 2, 2, 3)):
    """A random case on a `game(luck)`, with one of these depths."""
    tree = game(luck)
    nodes = len(inner_paths(tree)) + len(leaf_paths(tree))
    return limited(tree, luck.choice(depths), [luck.randint(-9, 9) for _ in range(nodes)])


def limited_value(game, state, depth, evaluate):
    return limited_minimax(game, state, depth, evaluate)[0]


def value_at_depth(value, case, node, plies):
    """`value(game, state, depth, evaluate)` at a watched node so many plies below the root; None beyond the horizon."""
    game, _, depth, evaluate = case
    return value(game, node.state, depth - plies, evaluate) if depth >= plies else None


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


best_limited_actions = best_actions(limited_minimax, lambda depth, evaluate: (depth - 1, evaluate))


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
