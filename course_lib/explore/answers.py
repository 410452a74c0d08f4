"""Reading an answer: a number or a word."""

import re
from math import isnan


def read_number(text: str) -> float | None:
    """The number that this text stands for, or None: "−3", "–3", "0,5", "1/2", "1e5" and "∞" are numbers.

    tests/explore/numbers.json lists examples; the explorers in the browser parse numbers in the same way.
    """
    plain = re.sub("[−–]", "-", text).lower().replace(",", ".")
    top, slash, bottom = re.sub("∞|oo", "inf", plain).partition("/")
    try:
        number = float(top) / float(bottom if slash else 1)
    except (ValueError, ZeroDivisionError):
        return None
    return None if isnan(number) else number


def same_answer(given: str, answer: str) -> bool:
    """True if two answers are equal: as numbers, or as words in lower or upper case.

    An answer such as 3/5 is a sum and a count, so 6/10 is a different answer.
    """
    if "/" in answer:
        return [read_number(part) for part in given.split("/")] == [read_number(part) for part in answer.split("/")]
    correct = read_number(answer)
    return given.strip().lower() == answer.lower() if correct is None else read_number(given) == correct
