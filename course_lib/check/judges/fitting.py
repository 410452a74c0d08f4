"""Notebook 4: weights that are fitted to positions, and the interval of a match's result."""

from math import exp, isfinite, log1p
from typing import Any

from course_lib.check.comparing import Wrong, is_number, misfit, same, shown
from course_lib.check.judges.listed import one_of
from course_lib.check.tables import Row

NEAR = 0.001
"""How far a loss may be above the smallest."""


def nearly_least(row: Row, given: Any) -> str | None:
    """Any two weights whose loss is nearly that of the right ones."""
    wrong = misfit(row.right[0], given)
    if wrong or not all(is_number(weight) and isfinite(weight) for weight in given):
        return wrong or f"Expected two finite numbers, got {shown(given)}."
    mine, least, of_zeros = (loss(weights, *row.case) for weights in (given, row.right[0], (0, 0)))
    words = f"The loss of your weights is {mine:.4f}; the least is {least:.4f}; zero weights give {of_zeros:.4f}."
    return None if mine <= least + NEAR else f"{words} Does the loss fall from step to step?"  # it may be no number


def interval(row: Row, given: Any) -> str | Wrong | None:
    """(low, high, whether ½ lies outside): the middle, the width or the last part is named if it is wrong."""
    wrong = one_of(row, given)
    if not isinstance(wrong, Wrong) or not all(map(is_number, given[:2])):
        return wrong
    (low, high, outside), (mine, other, _) = row.right[0], given
    if not same((low + high) / 2, (mine + other) / 2):
        middles = f"The middle of your interval is {(mine + other) / 2:.4g}; the share of the points is"
        return wrong._replace(words=f"{middles} {(low + high) / 2:.4g}.")
    if not same([low, high], [mine, other]):
        widths = f"The middle is right, but your interval reaches {(other - mine) / 2:.4g} to each side of it, not"
        return wrong._replace(words=f"{widths} {(high - low) / 2:.4g}.")
    where = "lies" if outside else "does not lie"
    return wrong._replace(words=f"Both ends are right, the last part is not: ½ {where} outside.")


def loss(weights: tuple, positions: list) -> float:
    """The mean of −z log p − (1 − z) log(1 − p) for points z and p = 1/(1 + e^−sum), without an overflow."""
    sums = [(weights[0] * features[0] + weights[1] * features[1], points) for features, points in positions]
    return sum(max(x, 0) + log1p(exp(-abs(x))) - points * x for x, points in sums) / len(positions)
