"""Comparing answers, in words. All that comes in is plain data, of whatever kind the student chose."""

from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import NamedTuple

TOLERANCE = 1e-9
"""How far a number may be off, in proportion to its size if that is above 1."""
ROUNDED = 0.011
"""How far a number may be off that was worked out by hand, to two decimals."""
NOT_EXPECTED = "That is not the expected answer."
NOT_VALUE = "That is not the expected value."
"""All that there is to say where only the two answers differ: a report begins with them instead."""
ODD_ANSWER = TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError
"""Errors of a question's functions that mean: the answer is of another kind than was asked for."""
FAR = 10**6
"""What a leaf may be worth, for searches that begin with a number in the place of infinity."""


class Bug(NamedTuple):
    """A known mistake: its name, a sentence to the student, and an answer that makes it (None: told by a comparison).

    `wrong` has the signature of the question's `reference`. What a comparison tells of one case may be so by chance,
    and other answers show another mistake: then `here` is said instead of it; without `here`, the sentence alone.
    """

    name: str
    sentence: str
    wrong: Callable | None = None
    here: str = ""


def is_number(value):
    """True for an int or a float that is no NaN; False for a bool."""
    return type(value) in (int, float) and value == value


def same(one, other, tolerance=TOLERANCE):
    """True when two plain answers mean the same: numbers up to rounding, lists for tuples; never bools for numbers."""
    if is_number(one) and is_number(other):
        with suppress(OverflowError):  # a whole number too large for a float
            return one == other or abs(one - other) <= tolerance * max(1, abs(one), abs(other)) < inf
        return False
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(same(*pair, tolerance) for pair in zip(one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key], tolerance) for key in one)
    return type(one) is type(other) and one == other


def misfit(expected, given):
    """What is wrong with the kind of an answer, as a sentence, or None if it is of the kind of the expected one."""
    if given is None and expected is not None:
        return "The function returns None. Is there a return at the end of every way through it?"
    if is_number(expected):
        return None if is_number(given) else f"A number was expected, not {shown(given)}."
    if isinstance(expected, tuple | list):
        kind = {2: "a pair"}.get(len(expected), f"a {type(expected).__name__} of {len(expected)}").capitalize()
        if not isinstance(given, tuple | list):
            return f"{kind} was expected, not {shown(given)}."
        differ = isinstance(expected, tuple) and len(given) != len(expected)
        return f"{kind} was expected, and {shown(given)} has {len(given)}." if differ else None
    if expected is not None and type(expected) is not type(given):
        kinds = {bool: "True or False", str: "A text", dict: "A dictionary", set: "A set"}
        return f"{kinds.get(type(expected), 'Another kind')} was expected, not {shown(given)}."
    return None


def shown(value, most=60):
    """A value as text, cut short if it is long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a whole number of thousands of digits
        text = f"a {type(value).__name__}"
    return text if len(text) <= most else text[: most - 1] + "…"


def as_call(name, case, parameters=()):
    """The call of the student's function, or for a case without arguments its name.

    A function that is given by its table has the name of its parameter in the call, and its table behind it.
    """
    if not case:
        return name
    tables = {word: shown(dict(given), 300) for word, given in zip(parameters, case) if callable(given)}
    others = [shown(argument, 300) for argument in case if not callable(argument)]
    where = " and ".join(f"{word} gives {table}" for word, table in tables.items())
    return f"{name}({', '.join([*others, *tables])})" + (f", where {where}" if where else "")


def equal(case, expected, given, tolerance=TOLERANCE):
    """Compare: the expected answer and no other, numbers up to rounding."""
    if same(expected, given, tolerance):
        return None
    return misfit(expected, given) or (BEGUN_TOO_NEAR if is_between(expected, given) else NOT_EXPECTED)


def by_entries(hints):
    """Compare: a dictionary written by hand. The first wrong place is told, with the hint for its entry."""

    def compare(case, expected, given):
        if not isinstance(given, dict) or expected.keys() - given.keys():
            return f"A dictionary with the entries {', '.join(map(repr, expected))} was expected, not {shown(given)}."
        found = ((first_other(expected[key], given[key], f"by_hand[{key!r}]"), hint) for key, hint in hints.items())
        return next((f"{wrong[0]} is not {wrong[1]}. {hint}" for wrong, hint in found if wrong), None)

    return compare


def first_other(right, given, place):
    """(place, what stands there) of the first part of an answer that is wrong, or None. Fractions may be rounded."""
    if isinstance(right, set) and isinstance(given, list | tuple | set):
        given = {tuple(path) if isinstance(path, list) else path for path in given}
    parts, typed = (dict(enumerate(one)) if isinstance(one, list | tuple) else one for one in (right, given))
    if isinstance(parts, dict) and isinstance(typed, dict) and parts.keys() == typed.keys():
        found = (first_other(part, typed[key], f"{place}[{key!r}]") for key, part in parts.items())
        return next(filter(None, found), None)
    near = type(right) is float and is_number(given) and abs(right - given) <= ROUNDED
    return None if near or same(right, given) else (place, shown(given))


BEGUN_TOO_NEAR = Bug(
    "a number for infinity",
    "A leaf may be worth less, or more, than any number with which the best value begins: take −inf and inf.",
    here=NOT_VALUE,
)


def is_between(expected, given):
    """Whether a number came that is larger than those of other leaves, and not as far away as the leaf that counts."""
    return is_number(expected) and is_number(given) and abs(expected) == FAR and 20 / FAR < given / expected < 1


EXCHANGED_PAIR = Bug(
    "value and action exchanged",
    "The pair is (value, action), in this order; yours are the other way round.",
    here=NOT_EXPECTED,
)


def value_and_action(best_actions):
    """Compare (value, action) pairs: the expected value, and any of `best_actions(*case)`, None where there is none.

    They are found for an action only that is not the expected one.
    """

    def compare(case, expected, given):
        if exchanged(case, expected, given):
            return EXCHANGED_PAIR
        wrong = misfit(expected, given) or misfit(expected[0], given[0])
        if wrong:
            return wrong
        if not same(expected[0], given[0]):
            return BEGUN_TOO_NEAR if is_between(expected[0], given[0]) else NOT_VALUE
        if same(expected[1], given[1]):
            return None
        wrong = wrong_action(case, list(best_actions(*case)), given[1])
        return f"The value is right, the action is not. {wrong}" if isinstance(wrong, str) else wrong

    return compare


def value_part(answer):
    """The value in an answer of a value, a pair (value, action), or either with the leaves looked at."""
    while isinstance(answer, tuple | list) and answer and isinstance(answer[0], tuple | list) and len(answer) == 2:
        answer = answer[0]
    return answer[0] if isinstance(answer, tuple | list) and len(answer) == 2 else answer


def exchanged(case, expected, given):
    """Whether a (value, action) pair came as (action, value)."""
    if not isinstance(given, tuple | list) or len(given) != 2 or same(expected[0], given[0]):
        return False
    return same(expected[0], given[1]) and any(same(given[0], action) for action in legal_actions(*case[:2]))


def legal_actions(game, state):
    """The actions of a state, [None] where the game is over or chance moves."""
    if game.is_terminal(state) or game.to_move(state) < 0:
        return [None]
    return list(game.actions(state))


POSITION = "a position in the list for the action"


def wrong_action(case, best, given):
    """What is wrong with an action of which only the `best` are right, or None."""
    if any(same(given, action) for action in best or [None]):
        return None
    game, state, *_ = case
    legal = legal_actions(game, state)
    if not best:
        return f"Here the action is None, and yours is {shown(given)}."
    if any(same(given, action) for action in legal):
        return f"Action {shown(given)} is not best here."
    if given is None:
        return "Yours is None, as if the game were over. Does the function return an action on every way through it?"
    words = f"{shown(given)} is no action of this state: they are {', '.join(map(shown, legal))}."
    if given in range(len(legal)):
        return Bug(POSITION, f"{words} Return the action itself, not its number in the list.")
    return words
