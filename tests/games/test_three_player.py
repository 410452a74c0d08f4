from functools import cache

import pytest

from course_lib.games import Truel
from course_lib.search import max_n_search

TRUEL = Truel()
START = TRUEL.initial_state()


@cache
def true_value(accuracies, player, still_in, throws):
    """The definition: what each player can expect, and the first action that is best for who throws."""
    if throws == 0 or len(still_in) == 1:
        return tuple((p in still_in) / len(still_in) for p in range(3)), None

    def after(left):
        following = next(p % 3 for p in range(player + 1, player + 4) if p % 3 in left)
        return true_value(accuracies, following, left, throws - 1)[0]

    hit, best = accuracies[player], None
    for target in ("air", *(p for p in still_in if p != player)):
        missed, struck = after(still_in), after(tuple(p for p in still_in if p != target))
        values = missed if target == "air" else tuple(hit * s + (1 - hit) * m for s, m in zip(struck, missed))
        if best is None or values[player] > best[0][player] + 1e-12:
            best = values, target
    return best


@pytest.mark.parametrize("accuracies", [(1 / 3, 2 / 3, 1), (0.8, 0.5, 0.9), (1, 1, 1), (0, 0.5, 0.25)])
@pytest.mark.parametrize("first", range(3))
def test_max_n_finds_what_the_definition_says(accuracies, first):
    game = Truel()
    game.accuracies, game.throws = accuracies, 4
    for still_in in [(0, 1, 2), *((first, other) for other in range(3) if other != first)]:
        still_in = tuple(sorted(still_in))
        utilities, _ = max_n_search(game, (first, still_in, 4, None))
        assert utilities == pytest.approx(true_value(accuracies, first, still_in, 4)[0])
        assert sum(utilities) == pytest.approx(1)


def test_the_weakest_does_best_to_hit_nobody():
    utilities, action = max_n_search(TRUEL, START)
    assert action == "air"
    long, aim = true_value((1 / 3, 2 / 3, 1), 0, (0, 1, 2), 90)
    assert aim == "air"
    assert long == pytest.approx((25 / 63, 8 / 21, 2 / 9), abs=1e-6)  # the exact answer of the truel without end
    assert utilities[0] > utilities[2]
