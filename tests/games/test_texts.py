"""Numbers as texts, and trees read in order."""

from fractions import Fraction
from math import inf

import pytest

from course_lib.games import Chance, TreeGame
from course_lib.games.texts import action_text, number_text
from course_lib.games.validation import check_number, check_whole, distribution
from course_lib.games.walking import depth_first, inner_paths, kind_of, leaf_paths, moves_of

GAME = TreeGame([[1, 2], Chance([(0.25, 3), (0.75, [4])])])


@pytest.mark.parametrize("value, text", [
    (-1, "−1"), (0.25, "0.25"), (-1 / 9, "−1/9"), (0.1234567, "0.1235"), (99_999.0, "99999"), (1e9, "1e+09"),
    (inf, "+∞"), (-inf, "−∞"), (Fraction(-1, 3), "−1/3"), ((1, -2.0), "(1, −2)"), ("x" * 30, "x" * 23 + "…"),
    (1 / 3 + 1e-6, "0.3333"), (-12345.5, "−12346"), (12345.5, "12346"),
])  # fmt: skip
def test_a_number_as_text(value, text):
    assert number_text(value) == text


def test_the_paths_of_a_tree():
    assert leaf_paths(GAME) == [(0, 0), (0, 1), (1, 0), (1, 1, 0)]
    assert inner_paths(GAME) == [(0,), (1, 1), (1,), ()]
    assert depth_first(GAME, (0,)) == [(0, 0), (0, 1), (0,)]
    assert [kind_of(GAME, path) for path in ((), (0,), (1,), (0, 0))] == ["max", "min", "chance", "leaf"]
    assert moves_of(GAME, (1,)) == [(0, 0.25), (1, 0.75)] and moves_of(GAME, (0, 0)) == []
    assert action_text(1, 0.75) == "1: 0.75" and action_text((0, -1)) == "(0, −1)"


def test_numbers_on_the_edge():
    check_whole(1, 3, a=1, b=3)
    check_number(0, 1, a=0, b=1.0)
    for wrong in 0, 4, True, 2.0:
        with pytest.raises(ValueError, match=r"a must be a whole number from 1 to 3, not"):
            check_whole(1, 3, a=wrong)
    assert distribution([("a", 0), ("b", 1)], ()) == [("b", 1)]
