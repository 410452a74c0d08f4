"""How many leaves alpha-beta looks at in the best order."""

import pytest

from course_lib.games import MAX, MIN, TreeGame
from course_lib.search import alpha_beta_search, best_first, expectiminimax_search


@pytest.mark.parametrize("b", [2, 3])
@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("first", [MAX, MIN])
def test_in_the_best_order_alpha_beta_looks_at_the_leaves_of_knuth_and_moore(b, m, first):
    def tree(depth, values):
        return next(values) if depth == 0 else [tree(depth - 1, values) for _ in range(b)]

    game, looked_at = TreeGame(tree(m, iter(range(b**m))), first=first), []
    ordered = TreeGame(game.tree, first=first)
    ordered.actions = best_first(game, expectiminimax_search)
    ordered.utility = lambda state, player: looked_at.append(state) or game.utility(state, player)
    alpha_beta_search(ordered, ())
    assert len(looked_at) == b ** -(-m // 2) + b ** (m // 2) - 1
