"""Numbers and actions as texts: the same in the explorer, in pictures and in feedback."""

import math
import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from numbers import Rational
from typing import Any

from course_lib.games.game import Action
from course_lib.language import gettext, numbers_in


def number_text(value: Any) -> str:
    """A value as text, in the language of the course: −1, 0.25, −1/9, +∞, (1, 2, 3)."""
    if isinstance(value, Rational):
        text = str(value).replace("-", "−")
    elif isinstance(value, float):
        text = f"{value:.0f}" if 1e4 <= abs(value) < 1e9 else f"{value:.4g}"
        if abs(value) < 100 and abs(float(text) - value) > 1e-9:
            text = _ratio(value) or text
        text = ("+∞" if value > 0 else "−∞") if math.isinf(value) else numbers_in(text.replace("-", "−"))
    elif isinstance(value, tuple):
        text = f"({listed_numbers(value)})"
    else:
        text = str(value)
    return text if len(text) <= 24 else text[:23] + "…"


def listed_numbers(values: Iterable) -> str:
    """Values as text: 1, 0.5; with commas in the numbers, 1 ; 0,5."""
    texts = list(map(number_text, values))
    return (gettext("; ") if re.search(r"\d,\d", "".join(texts)) else ", ").join(texts)


@lru_cache(10_000)
def _ratio(value):
    """ "-1/9" for a float that equals this fraction up to rounding, with a denominator below 100; else None."""
    near = Fraction(value).limit_denominator(99)
    return str(near) if abs(near - value) < 1e-9 and near.denominator > 1 else None


def action_text(action: Action, probability: float | None = None) -> str:
    """The label of an edge: an action, with its probability if it is an outcome of chance."""
    text = number_text(action)
    return text if probability is None else f"{text}: {number_text(probability)}"
