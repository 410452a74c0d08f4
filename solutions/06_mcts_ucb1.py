"""The questions of notebook 6, Monte Carlo tree search and UCB1.

A search tree is a table, {path: (U, N)}, of a `TreeGame`; U counts for the player who moved into the node.
"""

import random
from functools import lru_cache
from itertools import islice, product
from math import sqrt

from course_lib.check.graded import Lookup
from course_lib.check.judges import search_trees, tracing
from course_lib.check.judges.search_trees import C
from course_lib.games import MAX, MIN, TreeGame
from course_lib.search import monte_carlo_tree_search
from course_lib.search.mcts import root_node, ucb1
from solutions.rows import asks, by_hand, explains
from solutions.trees import in_turn, inner_nodes, leaves_of, random_tree, shapes, tree_game, with_names

UTILITIES = -1, 0, 1


def random_game(rng):
    return random_tree(rng, UTILITIES)


@lru_cache
def small_games(max_leaves=3, turns=False):
    """Trees of up to `max_leaves` leaves, worth −1, 0 or 1; with `turns` any player may move at any node."""
    forms = [shape for leaves in range(1, max_leaves + 1)
             for shape in sorted(shapes(leaves, 2, leaves < 3), key=inner_nodes) if shape]  # fmt: skip
    return [
        tree_game(shape, utilities, movers)
        for shape in forms
        for utilities in product(UTILITIES, repeat=leaves_of(shape))
        for movers in (product((MAX, MIN), repeat=inner_nodes(shape)) if turns else map(in_turn, [shape] * 2, range(2)))
    ]


NAMED = [with_names(TreeGame(tree)) for tree in ([[1.0, -1.0], [0.0]], [[-1, 1, 0], 1])]
"""Two games whose actions are not 0, 1, 2 …; in the first the utilities are floats."""


def grown(game, iterations, seed):
    """The case (game, table): the tree of MCTS after `iterations` iterations."""
    root = root_node(game, ())
    for _ in islice(monte_carlo_tree_search(game, (), c=C, root=root, seed=seed), iterations):
        pass
    return game, table_of(root)


def table_of(node):
    table = {node.state: (node.utility, node.visits)}
    for child in node.children:
        table |= table_of(child)
    return table


def random_table(rng, low, high):
    return grown(random_game(rng), rng.randint(low, high), rng.randrange(1000))


def tried(game, counts, state):
    """The actions of a state that are in the table, and those that are untried."""
    actions = () if game.is_terminal(state) else game.actions(state)
    return [a for a in actions if (*state, a) in counts], [a for a in actions if (*state, a) not in counts]


def by_ucb1(counts, child, c):
    return ucb1(*counts[child], counts[child[:-1]][1], c)


# UCB1: a case is (U, N, N of the parent, C).


def small_numbers():
    return [(U, N, parent, c) for parent in range(1, 5) for N in range(parent + 1) for U in range(N + 1)
            for c in (0, 1, 2)]  # fmt: skip


def random_numbers(rng):
    N = rng.randint(1, 200)
    return rng.randint(0, N), N, rng.randint(N, 4 * N), rng.choice([0.5, 1, 1.4, 2, 3])


# Selection: a case is (game, table, C).

NEAR = {(): (3, 7), (0,): (4, 5), (1,): (0, 2)}
"""A table in which UCB1 and PUCT lead to different choices."""
WIDE = {(): (46, 100), (0,): (1, 5), (1,): (47, 95), (0, 0): (3, 3), (0, 1): (0, 1)}
"""A table in which ln N of the root and of its first child lead to different choices."""


def small_selections():
    return [(*grown(TreeGame([[[1]]]), 5, 1), C), (TreeGame([1, 0]), NEAR, 2),
            *((*grown(game, n, n), c) for game in small_games() for n, c in ((1, 2), (3, 0.5), (3, 2), (7, 0.5))),
            *((*grown(TreeGame(utilities), 4, 4), 3) for utilities in ([-1, 1], [1, -1])),
            (TreeGame([[1, 0], 0]), WIDE, C), *((*grown(game, 9, 9), C) for game in NAMED)]  # fmt: skip


def random_selection(rng):
    return *random_table(rng, 2, 40), rng.choice([0.5, 1.4, 3])


def close_selection(rng):
    """A choice between two children that another visit of the parent would change."""
    while True:
        N, more = rng.randint(2, 9), rng.randint(10, 40)
        counts = {(0,): (rng.randint(0, N), N), (1,): (rng.randint(0, more), more)}
        scores = [[ucb1(*pair, N + more + extra, C) for pair in counts.values()] for extra in (1, 2)]
        (a, b), (c, d) = scores
        if abs(a - b) > 1e-6 and abs(c - d) > 1e-6 and (a > b) != (c > d):
            return TreeGame([1, 0]), {(): (N, N + more + 1)} | counts, C


def selections(game, counts, c, path=((),)):
    """All paths that selection may take, with any of several tied children."""
    actions, untried = tried(game, counts, path[-1])
    if untried or not actions:
        return [list(path)]
    scores = {(*path[-1], action): by_ucb1(counts, (*path[-1], action), c) for action in actions}
    best = (child for child, score in scores.items() if score > max(scores.values()) - 1e-9)
    return [longer for child in best for longer in selections(game, counts, c, (*path, child))]


# Expansion: a case is (game, table, the path of the node).


def small_expansions():
    tables = (grown(game, n, n) for game in [*small_games(2, turns=True), *NAMED] for n in (0, 1, 3))
    return [(TreeGame(1), {(): (0, 1)}, ()), *((*table, path) for table in tables for path in table[1])]


def random_expansion(rng):
    game, counts = random_table(rng, 0, 9)
    return game, counts, rng.choice(list(counts))


# Simulation: a case is (game, state, policy).


def with_policy(game, state, number=0):
    """The case with a policy that looks random."""
    rng = random.Random(number)
    inner = [path for path in game.nodes if not game.is_terminal(path)]
    return game, state, Lookup({path: rng.choice(game.actions(path)) for path in inner})


def small_playouts():
    games = [*small_games(), *NAMED]
    short = [with_policy(game, state, n) for game in games for n in (0, 1) for state in game.nodes]
    return [*short, *(long_playout(random.Random(plies), plies) for plies in (5, 9))]


def random_playout(rng):
    game = random_game(rng)
    return with_policy(game, rng.choice(list(game.nodes)), rng.randrange(1000))


def long_playout(rng, plies=0):
    """A playout of 26 to 31 plies, or of this number, whose end is decided by the last action."""
    tree = rng.sample([1, -1], 2)
    for _ in range(plies - 1 if plies else rng.randint(25, 30)):
        tree = [tree]
    return with_policy(TreeGame(tree, first=rng.choice((MAX, MIN))), (), rng.randrange(1000))


# Back-propagation: a case is (game, table, the last node of the path, Max's reward).


def small_paths():
    tables = (grown(game, n, n) for game in [*small_games(2, turns=True), *NAMED] for n in (1, 3))
    paths = ((*table, state) for table in tables for state in table[1])
    return [(*path, (1, 0, 0.5)[number % 3]) for number, path in enumerate(paths)]


def random_path(rng):
    game, counts = random_table(rng, 2, 30)
    return game, counts, rng.choice(list(counts)), rng.choice([1, 0, 0.5])


# The whole search: a case is (game, iterations, first seed, last seed).


def decided(plies, result, path=()):
    """A tree with three actions at each of some plies, and the `result` of their numbers at the end."""
    if len(path) == plies:
        return result(path)
    return {name: decided(plies, result, (*path, n)) for n, name in enumerate(("left", "ahead", "right"))}


def decided_by_ply(ply, first):
    """A game of three plies, decided by the action at one of them: it shows which actions playouts take."""
    return TreeGame(decided(3, lambda path: UTILITIES[path[ply]]), first=first), 1, 1, 150


RESULTS = ((1, -1, -1), (1, 1, 0), (0, -1, 0))
"""By the actions at the second ply and at the third: results for Max, which come equally often only if both actions are
independent and uniform; and if no end is chosen for itself: below −1 there are nine, below 0 three."""
ENDS = {1: 1, 0: decided(1, lambda path: 0), -1: decided(2, lambda path: -1)}
BY_ACTIONS = TreeGame(decided(3, lambda path: ENDS[RESULTS[path[1]][path[2]]]))


def random_playouts(rng):
    """Three iterations from each of many seeds, whose playouts begin in three states, two of them at the same ply.

    The results come equally often, unless actions further to the left, or to the right, are taken more often.
    """
    order = sorted(product(range(3), repeat=4), key=sum)
    tree, seed = decided(4, lambda path: order.index(path) // 27 - 1), rng.randrange(1000)
    return TreeGame([[tree, tree]], first=rng.choice((MAX, MIN))), 3, seed, seed + 69


DEEP = TreeGame([[[[[[[1, -1]]]]]]])
"""Each node but the last has one action, so the tree grows by a ply in each iteration."""


def small_searches():
    forms = [None] * 2, [[None] * 2, None], [[None] * 2] * 2
    flat = [tree_game(shape, utilities, in_turn(shape, first)) for shape in forms
            for utilities in product(UTILITIES, repeat=leaves_of(shape)) for first in (MAX, MIN)]  # fmt: skip
    twice = [tree_game([[None] * 2] * 2, utilities, (mover,) * 3) for mover in (MAX, MIN)
             for utilities in ((1, -1, 0, 1), (-1, 1, 1, 0))]  # fmt: skip
    games = [*flat[:18:2], *flat[1:18:6], *flat[18::9], *twice]
    long = [TreeGame([1, -1]), TreeGame([[1, -1], 0, [0, -1]], first=MIN)]
    return [*((game, 12, seed, seed) for seed, game in enumerate(games)), (DEEP, 12, 1, 1),
            decided_by_ply(1, MAX), decided_by_ply(2, MIN), (BY_ACTIONS, 1, 1, 150),
            *((game, 30, 7, 7) for game in long)]  # fmt: skip


def random_search(rng):
    seed = rng.randrange(1000)
    return random_game(rng), rng.choice([10, 15, 20]), seed, seed


WAYS = [
    ["Min helps Max", {"counts_for": "Max"}],
    ["the wrong point of view", {"counts_for": "who does not"}],
    ["turns assumed to alternate", {"counts_for": "in turns"}],
    ["the player to move at the root gets every reward", {"counts_for": "who moves at the root"}],
    ["Min takes the smallest", {"score": "UCB1, but for Min the smallest"}],
    ["the mean negated where Min moves", {"score": "UCB1, but for Min −U"}],
    ["the child's visits in place of the parent's", {"score": "UCB1, but with N of the child"}],
    ["the most visits", {"score": "N"}],
    ["untried actions passed over", {"passes_over": True}],
    *(["the playout begins too early", {"begins": plies}] for plies in (-1, 0)),
    ["the playout ends too early", {"short": True}],
    ["a draw counted as a loss", {"draw": 0}],
    ["U set instead of added", {"replaces": True}],
    ["exploration left out", {"c": 0}],
    ["half the exploration", {"c": C / 2}],
    ["half the exploration", {"signed": True}],
    *(["another C", {"c": c}] for c in (0.5, 1, 1.7, 2, 3)),
    ["a tree of one ply", {"plies": 1}],
    ["playouts without a tree", {"plies": 1, "c": 10**6, "close": 2}],
]
"""Wrong searches, as `search_trees` follows them: the mistake's name, and the `Way` in which it differs from MCTS."""


# A personal table, by hand.

SHAPE = (3, 2)
"""The root has three children, and each of them two."""
BOARD = TreeGame([[[0, 0]] * SHAPE[1]] * SHAPE[0])
"""The game of a table: only its shape matters."""
WRONG_RULES = (
    lambda counts: lambda node: counts[node][0] / counts[node][1],
    lambda counts: lambda node: -counts[node][1],
    lambda counts: lambda node: ucb1(*counts[node], counts[()][1], C),
    lambda counts: lambda node: by_ucb1(counts, node, C) if len(node) == 1 else -by_ucb1(counts, node, -C),
)
"""The largest average, the fewest visits, the root's N everywhere, and Min taking the smallest U/N − C √…"""


def own_table(rng):
    """(U, N) of nodes on three levels, with a clear choice by UCB1 that differs from those of wrong rules."""
    while True:
        counts = random_counts(rng)
        path = selections(BOARD, counts, C)[0]
        first, second = [(a,) for a in range(SHAPE[0])], [(*path[1], b) for b in range(SHAPE[1])]
        others = [[max(first, key=rule(counts)), max(second, key=rule(counts))] for rule in WRONG_RULES]
        right, slip = iteration_by_hand(counts)["ucb1"], with_root_of_2(counts)["ucb1"]
        differ = sum(a != b for a, b in zip(right, slip)) > 1
        if clear(counts, first) and clear(counts, second) and path[1:] not in others and differ:
            return (counts,)


def random_counts(rng, path=()):
    """The table of a possible search in which players alternate; each node but the root has a playout of its own."""
    if len(path) == len(SHAPE):
        N = rng.randint(1, 9)
        return {path: (rng.randint(0, N), N)}
    below = [random_counts(rng, (*path, action)) for action in range(SHAPE[len(path)])]
    children = [part[*path, action] for action, part in enumerate(below)]
    N = sum(N for _, N in children)
    U, own = N - sum(U for U, _ in children), 1 if path else 0
    counts = {path: (U + own * rng.randrange(2), N + own)}
    return counts | {node: pair for part in below for node, pair in part.items()}


def clear(counts, children):
    *_, second, first = sorted(by_ucb1(counts, child, C) for child in children)
    return first - second > 0.03


def iteration_by_hand(counts):
    end = selections(BOARD, counts, C)[0][-1]
    gains = {end[:length]: length % 2 for length in range(len(end) + 1)}
    return {
        "ucb1": [round(by_ucb1(counts, (action,), C), 2) for action in range(SHAPE[0])],
        "selected": end,
        "after": {node: (counts[node][0] + gain, counts[node][1] + 1) for node, gain in gains.items()},
    }


def with_root_of_2(counts):
    """The entry with C = √2 for 1.4."""
    return {"ucb1": [round(by_ucb1(counts, (action,), sqrt(2)), 2) for action in range(SHAPE[0])]}


SLIPS = {"ucb1": "These are the values for C = √2, about 1.41; here C = 1.4."}
HINTS = {
    "ucb1": f"UCB1 is U/N + C √(ln N(parent)/N), with C = {C} and the natural logarithm.",
    "selected": "Each step goes to the child with the largest UCB1, whoever moves; N(parent) is its parent's N.",
    "after": "Each node from the root to the selected one gets one more visit; U is for the player who moved into it.",
}
EXPANSION = {
    "child": "Your function should return None if, and only if, no action of the node is untried.",
    "children": "Afterwards the length of node.children is {}, and should be {}.",
    "untried": "Afterwards the length of node.untried is {}, and should be {}.",
    "action of the child was untried": "The action of the Node that you return was not in node.untried before: "
    "return the Node itself that you put into node.children.",
    "action of the child still untried": "The action of the new child is still in node.untried.",
    "state after it": "The state of the Node that you return should be the one after its own action.",
    "player": "The player of the Node that you return is {}, but {} moves into it.",
    "(U, N)": "The new child has the (U, N) {}; it should begin with {}.",
    "times in children": "The Node that you return is in node.children {} times, not {}.",
    "(U, N) of the node": "The expanded node has the (U, N) {} afterwards, and should keep {}.",
}

QUESTIONS = {
    "mcts_ucb1.trace": by_hand(own_table, iteration_by_hand, tracing.entries, slip=with_root_of_2, hints=HINTS,
                               slips=SLIPS),
    "mcts_ucb1.ucb1": asks(small_numbers, random_numbers, worked="ucb1"),
    "mcts_ucb1.select": asks(small_selections, random_selection, right=lambda select, case, path: selections(*case),
                             kinds=[close_selection], view="selection", worked="selection"),
    "mcts_ucb1.expand": asks(small_expansions, random_expansion, judge=search_trees.expansion, view="selection",
                             in_words=True, hints=EXPANSION),
    "mcts_ucb1.simulate": asks(small_playouts, random_playout, kinds=[long_playout], worked="playout"),
    "mcts_ucb1.backpropagate": asks(small_paths, random_path, view="selection", worked="gains"),
    "mcts_ucb1.mcts": asks(small_searches, random_search, kind="beat", ask=search_trees.follow,
                           judge=search_trees.followed, ways=WAYS, count=15, kinds=[random_playouts],
                           case="searched({0}, n, seed) for n from 1 to {1}, seeds {2} to {3}",
                           view="selection"),
    "mcts_ucb1.regret": explains(),
}  # fmt: skip
