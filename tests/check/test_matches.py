"""Evaluations in matches of Connect Four, and searches by a fake clock."""

from course_lib.check.judges.iterative_deepening import searches_begun
from course_lib.check.judges.matches import bounded
from course_lib.check.students import Direct


def test_an_evaluation_keeps_its_order_between_a_loss_and_a_win():
    values = [bounded(float)(value) for value in (-1e9, -2, 0, 0.5, 40, 1e6)]
    assert values == sorted({*values}) and -1 < values[0] < values[-1] < 1


def test_the_fake_clock_cuts_a_search_short_at_its_deadline():
    def all_searches(search, clock, seconds, deepest):
        return [(*search(depth, clock() + 2), clock()) for depth in (1, 2, 3)]

    case = [[2, 0, 1], [1, 3, 4], [3, 5, 6]], 10, 2
    assert searches_begun(Direct(all_searches), "", case) == [
        [(0, True, 12), (3, True, 13), (6, False, 15)],
        [(1, 12), (2, 14), (3, 15)],
    ]
