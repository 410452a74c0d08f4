"""How many leaves alpha-beta looks at, over all orders of the actions."""

from itertools import islice, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.games import MAX, MIN, TreeGame
from course_lib.search import alpha_beta_search, leaves_with_best_order, possible_leaves

LEAVES = st.integers(0, 4)
SMALL_TREES = st.lists(LEAVES | st.lists(LEAVES | st.lists(LEAVES, min_size=1, max_size=2), min_size=1, max_size=3),
                       min_size=1, max_size=3)  # fmt: skip


def leaves_looked_at(tree, first):
    game, looked_at = TreeGame(tree, first=first), []
    utility = game.utility
    game.utility = lambda state, player: looked_at.append(state) or utility(state, player)
    alpha_beta_search(game, ())
    return len(looked_at)


def reordered(tree):
    """The tree in every order of its children, at every node."""
    if not isinstance(tree, list):
        yield tree
        return
    for children in product(*(list(reordered(child)) for child in tree)):
        yield from map(list, permutations(children))


@given(SMALL_TREES, st.sampled_from([MAX, MIN]))
def test_fewest_and_most_are_those_of_trying_every_order(tree, first):
    orders = list(islice(reordered(tree), 1_000))
    if len(orders) < 1_000:
        counts = [leaves_looked_at(order, first) for order in orders]
        assert possible_leaves(TreeGame(tree, first=first), ()) == (min(counts), max(counts))


@pytest.mark.parametrize("b", [2, 3])
@pytest.mark.parametrize("m", [1, 2, 3])
def test_knuth_and_moore_bound_the_fewest_of_uniform_trees(b, m):
    def tree(depth, values):
        return next(values) if depth == 0 else [tree(depth - 1, values) for _ in range(b)]

    bound = b ** -(-m // 2) + b ** (m // 2) - 1
    assert leaves_with_best_order([b] * m) == bound
    assert possible_leaves(TreeGame(tree(m, iter(range(b**m)))), ())[0] == bound
