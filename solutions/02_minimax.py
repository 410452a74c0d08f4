"""The questions of notebook 2, minimax."""

from itertools import permutations, product

from course_lib.check.judges import listed, tracing
from course_lib.check.judges.listed import FAR
from course_lib.games import MAX, MIN
from course_lib.games.walking import inner_paths
from course_lib.search import depth_limited_minimax_search, max_n_search, minimax_value
from solutions import trees
from solutions.rows import asks, by_hand, explains
from solutions.trees import at_the_root, in_turn, inner_nodes, leaves_of, named_or_not, shapes, tree_game, with_names


def not_over():
    """Roots and late positions, and trees of three plies in which any player may move at any node."""
    orders = product(permutations(trees.UTILITIES), product((MAX, MIN), repeat=3))
    turns = [at_the_root(tree_game([None, [[None] * 2]], *order)) for order in orders]
    return trees.soon([case for case in trees.roots_and_ends() if not case[0].is_terminal(case[1])], turns)


def best_decisions(search, case, action):
    """All best actions, by the values of the states that they lead to."""
    game, state = case
    values = {a: minimax_value(game, game.result(state, a)) for a in game.actions(state)}
    return [a for a, value in values.items() if value == values[action]]


# max^n, on trees in which no player has the same utility at two leaves: there are no ties to break.


def vector_game(shape, orders, movers):
    """Three players' tree; the nth leaf is worth the nth number of each player's order."""
    return tree_game(shape, zip(*orders), movers, players=3)


def small_vectors():
    games = []
    for leaves in (1, 2, 3):
        up = tuple(range(leaves))
        orders = list(product({up: 0, up[::-1]: 0, (*up[1:], 0): 0}, repeat=3))
        for shape in sorted(shapes(leaves, 2), key=inner_nodes):
            movers = {in_turn(shape, first, players=3) for first in range(3)}
            games += [vector_game(shape, order, turns) for order in orders for turns in sorted(movers)]
            if leaves == 2:
                lost = [vector_game(shape, [[-FAR, 1 - FAR]] * 3, turns) for turns in sorted(movers)]
                games += lost + [with_names(game) for game in lost]
                own = [[[0, 1] if player == mover else [FAR, 0] for player in range(3)] for mover in range(3)]
                games += [vector_game(shape, orders, turns) for orders in own for turns in sorted(movers)]
    games += [vector_game([None] * 4, [range(4)] * 3, (player,)) for player in range(3)]
    return list(map(at_the_root, games))


def random_vectors(rng):
    shape = trees.random_shape(rng)
    scale = rng.choice((1, 0.25))
    orders = [[scale * n for n in rng.sample(range(leaves_of(shape)), leaves_of(shape))] for _ in range(3)]
    movers = rng.choices(range(3), k=inner_nodes(shape))
    return at_the_root(named_or_not(rng, vector_game(shape, orders, movers)))


def own_tree(rng):
    return (trees.tree_by_hand(rng, ((2,), (2,), (2, 3)), first=rng.choice((MAX, MIN))),)


def values_by_hand(tree):
    """Path → minimax value of every inner node, in the order in which the search returns from them."""
    return {path: minimax_value(tree, path) for path in inner_paths(tree)}


minimax_values = trees.node_values(minimax_value)

QUESTIONS = {
    "minimax.trace": by_hand(own_tree, values_by_hand, tracing.values_of_nodes),
    "minimax.value": asks(trees.roots_and_ends, trees.random_root, values=minimax_values, kinds=trees.ROOTS),
    "minimax.search": asks(trees.roots_and_ends, trees.random_root, judge=listed.value_and_action,
                           right=trees.best_pairs, values=minimax_values, part="value", kinds=trees.ROOTS),
    "minimax.fix": asks(not_over, trees.random_root, judge=listed.best_action, right=best_decisions,
                        values=minimax_values, kinds=[
                            *(trees.recurring(trees.nim, *flaws, decision=True) for flaws in trees.BOUNDS),
                            trees.ROOTS[-1]]),
    "minimax.depth_limited": asks(
        trees.small_limited, trees.random_limited, judge=listed.value_and_action, right=trees.best_pairs,
        part="value", values=trees.limited_values(lambda *case: depth_limited_minimax_search(*case)[0]),
        kinds=trees.LIMITED),
    "minimax.max_n": asks(small_vectors, random_vectors, part="value",
                          values=trees.node_values(lambda game, state: max_n_search(game, state)[0])),
    "minimax.memory": explains(),
    "minimax.opponent": explains(),
}  # fmt: skip
