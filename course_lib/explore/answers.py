"""What a reader types as an answer: a number, several numbers, or a word."""

import re
from math import inf

UNSIGNED = r"(?:\d+[.,]?\d*|[.,]\d+)(?:e[+-]?\d+)?"
NUMBER = re.compile(rf"([+-]?)(?:(∞|oo|\\?inf(?:ini)?ty|inf)|({UNSIGNED})(?:\s*/\s*({UNSIGNED}))?)", re.ASCII)
"""A sign, and then infinity, a number, or a fraction."""


def read_number(text):
    """The number that this text is as a float, or None if it is no number.

    A minus may be a dash, a comma may stand for the decimal point, infinity is ∞, inf, infty or oo, and 1/2 is 0.5.
    tests/explore/numbers.json lists examples; the explorers in the browser read numbers in the same way.
    """
    found = NUMBER.fullmatch(re.sub("[−–]", "-", text).strip().lower())
    if found is None:
        return None
    sign, infinite, top, bottom = found.groups()
    size = inf if infinite else _decimal(top)
    divisor = 1 if bottom is None else _decimal(bottom)
    if divisor == 0:
        return None
    return -size / divisor if sign == "-" else size / divisor


def _decimal(digits):
    return float(digits.replace(",", "."))


def read_numbers(text):
    """The numbers of a window or of a vector, such as [3, +∞], as a list; None if one of them is no number.

    Brackets may be left out. Here a comma stands between two numbers, and never for the decimal point.
    """
    numbers = [read_number(word) for word in _words(text)]
    return None if None in numbers else numbers


def same(given, answer):
    """True when two answers mean the same: numbers count as numbers, and letters may be small or large.

    An answer such as 3/5 is a sum and a count, and 6/10 is another one.
    """
    if "/" in answer:
        return [read_number(part) for part in given.split("/")] == [read_number(part) for part in answer.split("/")]
    read = read_numbers if answer.startswith(("[", "(")) else read_number
    right = read(answer)
    return _words(given.lower()) == _words(answer.lower()) if right is None else read(given) == right


def _words(text):
    return re.sub(r"[][(),;]", " ", text).split()
