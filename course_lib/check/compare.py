"""Comparing answers, in words. All that comes in is plain data, of whatever kind the student chose."""

from math import inf

TOLERANCE = 1e-9
"""How far a number may be off, in proportion to its size if that is above 1."""


def is_number(value):
    """True for an int or a float that is no NaN; False for a bool."""
    return type(value) in (int, float) and value == value


def same(one, other, tolerance=TOLERANCE):
    """True when two plain answers mean the same: numbers up to rounding, lists for tuples; never bools for numbers."""
    if is_number(one) and is_number(other):
        return one == other or _close(one, other, tolerance)
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(same(*pair, tolerance) for pair in zip(one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key], tolerance) for key in one)
    return type(one) is type(other) and one == other


def _close(one, other, tolerance):
    try:
        return abs(one - other) <= tolerance * max(1, abs(one), abs(other)) < inf
    except OverflowError:  # a whole number too large for a float
        return False


def misfit(expected, given):
    """What is wrong with the kind of an answer, as a sentence, or None if it is of the kind of the expected one."""
    if given is None and expected is not None:
        return "The function returns None. Is there a return at the end of every way through it?"
    if is_number(expected):
        return None if is_number(given) else f"A number was expected, not {shown(given)}."
    if isinstance(expected, tuple | list):
        return _misfit_of_sequence(expected, given)
    if expected is not None and type(expected) is not type(given):
        return f"{_a(expected)} was expected, not {shown(given)}."
    return None


def _misfit_of_sequence(expected, given):
    kind = {2: "a pair"}.get(len(expected), f"a {type(expected).__name__} of {len(expected)}")
    if not isinstance(given, tuple | list):
        return f"{kind.capitalize()} was expected, not {shown(given)}."
    if isinstance(expected, tuple) and len(given) != len(expected):
        return f"{kind.capitalize()} was expected, and {shown(given)} has {len(given)}."
    return None


def _a(value):
    return {bool: "True or False", str: "A text", dict: "A dictionary", set: "A set"}.get(type(value), "Another kind")


def shown(value, most=60):
    """A value as text, cut short if it is long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a whole number of thousands of digits
        text = f"a {type(value).__name__}"
    return text if len(text) <= most else text[: most - 1] + "…"


def equal(case, expected, given, tolerance=TOLERANCE):
    """Compare: the expected answer and no other, numbers up to rounding."""
    if same(expected, given, tolerance):
        return None
    return misfit(expected, given) or "That is not the expected answer."


def value_and_action(best_actions):
    """Compare (value, action) pairs: the expected value, and any of `best_actions(*case)`, None where there is none."""

    def compare(case, expected, given):
        wrong = misfit(expected, given) or misfit(expected[0], given[0])
        if wrong:
            return wrong
        if not same(expected[0], given[0]):
            return "That is not the expected value."
        best = list(best_actions(*case)) or [None]
        if not any(same(given[1], action) for action in best):
            return f"The value is right, but action {shown(given[1])} does not lead to it."
        return None

    return compare
