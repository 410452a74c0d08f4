"""Plain data: what an answer may be made of, so that nothing of a student's own making is ever compared."""

from operator import index
from typing import Any

DEEPEST, MOST_ITEMS, MOST_BITS, MOST_CHARACTERS = 30, 11_000, 1_024, 1_000_000
"""How deep an answer may be nested, how many items it may hold in all, how long its numbers and texts may be."""


def plain(value: Any) -> Any:
    """The same value rebuilt from exact None, bool, int, float, str, tuple, list, dict and set, and nothing else.

    Subclasses lose what they add, NumPy's numbers become Python's, its arrays lists, and fractions floats. Anything
    else, and what is nested too deep or too large, raises a `ValueError` that says so; `...`, wherever it is,
    `NotImplementedError`.
    """
    return _rebuilt(value, DEEPEST, [MOST_ITEMS])


def _rebuilt(value, depth, left):
    left[0] -= 1
    if depth < 0 or left[0] < 0:
        raise ValueError(f"an answer has at most {MOST_ITEMS:,} items, nested at most {DEEPEST} deep; yours has more")
    if value is ...:
        raise NotImplementedError("the answer contains '...', which stands for what is still to be typed")
    if value is None or value is True or value is False:
        return value
    if isinstance(value, int):
        return _short(index(value))
    if isinstance(value, float):
        return float.__pos__(value)
    if isinstance(value, str):
        if len(value) > MOST_CHARACTERS:
            raise ValueError(f"a string has at most {MOST_CHARACTERS:,} characters; yours has {len(value):,}")
        return str.__str__(value)
    if isinstance(value, dict):
        return {_rebuilt(k, depth - 1, left): _rebuilt(v, depth - 1, left) for k, v in value.items()}
    for kind in (tuple, list, set, frozenset):
        if isinstance(value, kind):
            return (set if kind is frozenset else kind)([_rebuilt(item, depth - 1, left) for item in value])
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return _rebuilt(value.tolist(), depth, left)
    if type(value).__module__ == "fractions" and hasattr(value, "numerator"):
        return _short(index(value.numerator)) / _short(index(value.denominator))
    raise ValueError(f"an answer consists of numbers, strings, tuples, lists, dictionaries and sets, "
                     f"and yours contains something of type {type(value).__name__}")  # fmt: skip


def _short(number):
    if number.bit_length() > MOST_BITS:
        raise ValueError(f"a whole number in an answer has at most {MOST_BITS:,} binary digits; yours has more")
    return int.__pos__(number)
