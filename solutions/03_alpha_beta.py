"""The questions of notebook 3, alpha-beta. Most are judged by the leaves visited and by the returned value."""

from functools import lru_cache
from itertools import permutations
from math import inf

from course_lib.check.comparing import same
from course_lib.check.judges import evaluations, listed, tracing
from course_lib.check.judges.listed import FAR
from course_lib.games import MAX, MIN, Same, TreeGame
from course_lib.games.walking import inner_paths, leaf_paths
from course_lib.search import minimax_value
from solutions import connect_four, trees
from solutions.rows import asks, by_hand, explains
from solutions.trees import FOUR_UTILITIES, UTILITIES, at_the_root, in_turn, random_tree, shapes, tree_game

# The cases: small trees, a few of four plies for deep cuts, and random ones.

REUNIONS = [
    TreeGame([[sign, [2 * sign, 5 * sign]], [Same((0, 1))]], first=first) for sign, first in ((1, MAX), (-1, MIN))
]
"""A state is reached by two paths: first with a window that cuts it, then with one for which its value matters."""


@lru_cache
def small_cuts(turns=True):
    """Trees of up to four leaves, with every kind of cut; with `turns`, any player may move at any node in some.

    The deep ones test a bound that comes from two plies above, and the deeper ones a bound that changes on the way.
    """
    deep = [([None, below], UTILITIES) for below in shapes(2, 3) if height(below) == 3]
    deeper = [([None, [[None, [None, None]]]], FOUR_UTILITIES), ([None, [None, [None, None]]], (0, 0, 1, 2))]
    games = [tree_game(shape, order, in_turn(shape, first)) for shape, utilities in deep + deeper
             for order in permutations(utilities) for first in (MAX, MIN)]  # fmt: skip
    far = [TreeGame([sign * FAR, sign * (FAR + 1)], first=first) for sign, first in ((1, MAX), (-1, MIN))]
    ends = [trees.tree_of(*end) for end in trees.ends_of_games()]
    return sorted([*trees.small_trees(turns), *games, *far, *ends], key=lambda game: len(leaf_paths(game)))


def height(shape):
    return 0 if shape is None else 1 + max(map(height, shape))


def in_turns(rng):
    """A random tree in which players take turns."""
    return random_tree(rng, turns=False)


def with_player(game, state=()):
    """The case (game, state, alpha, beta, player)."""
    return game, state, -inf, inf, 1 if game.to_move(state) == MAX else -1


def small_depths():
    games = [game for game in small_cuts(turns=False) if len(leaf_paths(game)) < 4 or plies(game) in (1, 4)]
    estimates = 5, -4, 3, -6, 7, -8, 4, 2, -1
    cases = [trees.limited(game, depth, estimates) for game in games for depth in range(plies(game) + 1)]
    return trees.soon(cases, [*(trees.limited(game, 3, estimates) for game in REUNIONS), *trees.small_heaps()])


def plies(game):
    return max(map(len, leaf_paths(game)))


# The values that a search with α and β must find: at other nodes a bound is enough.


def values_inside(game, state):
    windows = windows_of(game)
    values = {path: minimax_value(game, path) for path in windows}
    return {path: value for path, value in values.items() if windows[path][0] < value < windows[path][1]}


@lru_cache(64)
def windows_of(game):
    """Path → the window (α, β) with which alpha-beta enters this node, for each node that it visits."""
    found = {}

    def value(path, alpha, beta):
        found[path] = alpha, beta
        if game.is_terminal(path):
            return game.utility(path, MAX)
        maximizing = game.to_move(path) == MAX
        values = []
        for action in game.actions(path):
            values.append(value(game.result(path, action), alpha, beta))
            alpha, beta = (max(alpha, values[-1]), beta) if maximizing else (alpha, min(beta, values[-1]))
            if alpha >= beta:
                break
        return max(values) if maximizing else min(values)

    value((), -inf, inf)
    return found


def best_for_mover(search, case, answer):
    """All right (value, action) pairs of negamax, whose values change their sign with each ply."""
    game, state, depth, evaluate = case
    value, action = answer
    if action is None:
        return [answer]
    below = {a: search(game, game.result(state, a), depth - 1, evaluate)[0] for a in game.actions(state)}
    return [(value, a) for a, found in below.items() if same(-found, value)]


# By hand.


def own_tree(rng):
    """A tree of three plies and up to 14 leaves, with one or two cuts of either kind."""
    while True:
        tree = trees.tree_by_hand(rng, ((2, 3), (2, 3), (2, 3)), high=30)
        right = leaves_and_cuts(tree)
        if len(leaf_paths(tree)) <= 14 and all(1 <= len(right[key]) <= 2 for key in ("alpha cuts", "beta cuts")):
            return (tree,)


def leaves_and_cuts(tree):
    """The leaves that alpha-beta visits, in order, and the paths of the nodes with an α-cut and with a β-cut."""
    visited = windows_of(tree)
    cut = [path for path in inner_paths(tree) if path in visited and (*path, tree.actions(path)[-1]) not in visited]
    return {
        "leaves": [tree.utility(path, MAX) for path in visited if tree.is_terminal(path)],
        "alpha cuts": {path for path in cut if tree.to_move(path) == MIN},
        "beta cuts": {path for path in cut if tree.to_move(path) == MAX},
    }


BY_HAND = {
    "leaves": "The search begins at the left: what are v, α and β when it comes to each leaf?",
    "alpha cuts": "Write a list of paths. In an α-cut Min moves, and the search stops before the last child.",
    "beta cuts": "Write a list of paths. In a β-cut Max moves, and the search stops before the last child.",
}
LEAVES = dict(ask=listed.call_and_leaves, judge=listed.with_leaves, part="value and leaves")

QUESTIONS = {
    "alpha_beta.trace": by_hand(own_tree, leaves_and_cuts, tracing.entries, hints=BY_HAND),
    "alpha_beta.search": asks(lambda: [*map(at_the_root, trees.soon(small_cuts(), REUNIONS))], trees.random_root,
                              right=trees.best_pairs, values=values_inside, kinds=trees.ROOTS, **LEAVES),
    "alpha_beta.cut": asks(lambda: list(map(at_the_root, small_cuts())), trees.random_root, values=values_inside,
                           kinds=trees.ROOTS, **LEAVES),
    "alpha_beta.fix_negamax": asks(lambda: list(map(with_player, small_cuts(turns=False))),
                                    lambda rng: with_player(in_turns(rng)), **LEAVES,
                                    kinds=[lambda rng, draw=draw: with_player(*draw(rng)) for draw in trees.ROOTS]),
    "alpha_beta.negamax": asks(small_depths, lambda rng: trees.random_limited(rng, in_turns, (0, 1, 2, 2, 3, 4)),
                               right=best_for_mover, kinds=trees.LIMITED, **LEAVES),
    "alpha_beta.order": asks(
        connect_four.orders, kind="beat", ask=evaluations.share_of_states, judge=evaluations.few_states, mark=0.6,
        plies=connect_four.ORDER_PLIES, case="positions of Connect Four, each searched 4 plies deep"),
    "alpha_beta.depth": explains(),
}  # fmt: skip
