"""What judges are made of: comparing plain data, showing it, and saying what is wrong.

What comes from a student may be plain data of any kind.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from math import inf
from typing import Any, NamedTuple

from course_lib.check.tables import Mistake
from course_lib.games import CHANCE
from course_lib.language import N_, gettext

TOLERANCE = 1e-9
"""How far a number may be off, in proportion to its size if that is above 1."""
ODD_ANSWER = TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError
"""Errors of a judge that mean: the answer has the wrong type."""


class Wrong(NamedTuple):
    """What is wrong with an answer: words to the student, and the mistake if it is known.

    The report adds the two answers, or their values, if it is `about` the "answer" or the "value". It ends with what
    the judge would `ask`, unless the mistake is known.
    """

    words: str = ""
    about: str = ""
    mistake: Mistake | None = None
    ask: str = ""


def either(mistakes: Iterable[Mistake]) -> Mistake | None:
    """One for all of these, if it is not known which of them was made; None if there are none."""
    found = dict.fromkeys(mistake[:2] for mistake in mistakes)
    names, sentences = map(dict.fromkeys, zip(*found)) if found else ((), ())
    return Mistake(" or ".join(names), " Or: ".join(sentences)) if found else None


def is_number(value: Any) -> bool:
    """True for an int or a float that is not NaN; False for a bool."""
    return type(value) in (int, float) and value == value


def same(a: Any, b: Any, tolerance: float = TOLERANCE) -> bool:
    """True when two plain answers mean the same: numbers up to rounding, lists for tuples; never bools for numbers."""
    if type(a) is type(b) is int:
        return a == b
    if is_number(a) and is_number(b):
        with suppress(OverflowError):  # a whole number too large for a float
            return a == b or abs(a - b) <= tolerance * max(1, abs(a), abs(b)) < inf
        return False
    if isinstance(a, tuple | list) and isinstance(b, tuple | list):
        return len(a) == len(b) and all(same(*pair, tolerance) for pair in zip(a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key], tolerance) for key in a)
    return type(a) is type(b) and a == b


def same_part(part: Callable, a: Any, b: Any) -> bool:
    """True when two plain answers mean the same, or at least this part of them."""
    with suppress(*ODD_ANSWER):
        return same(a, b) or same(part(a), part(b))
    return False


NO_RETURN = N_("The function returns None. Does it end without `return`, or return a variable that is still None?")
KINDS = {bool: N_("True or False"), str: N_("a text"), dict: N_("a dictionary"), set: N_("a set")}


def is_no_return(words: str) -> bool:
    """Whether these words to the student say `NO_RETURN`, in either language."""
    return gettext(NO_RETURN) in gettext(words)


def misfit(expected: Any, given: Any) -> str | None:
    """A sentence that says why an answer has the wrong type or length, or None if both are right."""
    if given is None and expected is not None:
        return NO_RETURN
    if is_number(expected):
        return None if is_number(given) else expected_but_got(gettext("a number"), given)
    if isinstance(expected, tuple | list):
        if not isinstance(given, tuple | list):
            kind = gettext("a {type} of the length {count}", type=type(expected).__name__, count=len(expected))
            return expected_but_got(gettext("a pair") if len(expected) == 2 else kind, given)
        words = N_("Expected a list or tuple of the length {length}, got {given}, which has the length {count}.")
        fits = len(given) == len(expected)
        return None if fits else gettext(words, length=len(expected), given=shown(given), count=len(given))
    if expected is not None and type(expected) is not type(given):
        return expected_but_got(gettext(KINDS.get(type(expected), N_("another type"))), given)
    return None


def expected_but_got(kind: str, given: Any) -> str:
    """The sentence for an answer of another kind; `kind` is in the language of the course."""
    return gettext("Expected {kind}, got {given}.", kind=kind, given=shown(given))


def shown(value: Any, width: int = 60) -> str:
    """A value as text, cut short if it is long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a whole number of thousands of digits
        text = f"a {type(value).__name__}"
    return text if len(text) <= width else text[: width - 1] + "…"


def differing(a: Any, b: Any, width: int = 60) -> tuple[str, str]:
    """Two values as texts that show where they differ: of dictionaries only the entries that do."""
    if isinstance(a, dict) and isinstance(b, dict):
        others = [key for key in (a | b) if key not in a or key not in b or not same(a[key], b[key])]
        a, b = ({key: part[key] for key in others if key in part} for part in (a, b))
    return apart(repr(a), repr(b), width)


def apart(one: str, other: str, width: int) -> tuple[str, str]:
    """Two texts, or of long ones the parts of this width in which they first differ."""
    if max(len(one), len(other)) <= width:
        return one, other
    agree = next((n for n, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    start = max(0, agree - width // 3)
    one, other = (text[start : start + width] + "…" * (len(text) > start + width) for text in (one, other))
    return (f"…{one}", f"…{other}") if start else (one, other)


def value_part(answer: Any) -> Any:
    """The value in an answer, which is a value or a pair (value, action), with or without the leaves visited."""
    while isinstance(answer, tuple | list) and len(answer) == 2 and isinstance(answer[0], tuple | list):
        answer = answer[0]
    return answer[0] if isinstance(answer, tuple | list) and len(answer) == 2 else answer


def legal_actions(game: Any, state: Any) -> list:
    """The actions of a state, [None] if the game is over or chance moves."""
    return [None] if game.is_terminal(state) or game.to_move(state) == CHANCE else list(game.actions(state))
