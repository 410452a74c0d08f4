"""Judges of answers that are worked out by hand: the first wrong entry is pointed out, not its right value."""

from typing import Any

from course_lib.check.comparing import expected_but_got, is_number, same, shown
from course_lib.check.tables import Row
from course_lib.games import CHANCE, MAX, player_name
from course_lib.games.texts import number_text
from course_lib.games.walking import moves_of
from course_lib.language import N_, gettext

ROUNDED = 0.011
"""How far a number may be off that was worked out by hand, to two decimals."""


def entries(row: Row, given: Any, *, hints: dict[str, str], slips: dict[str, str] | None = None) -> str | None:
    """A dictionary with the right entries; `hints` has a sentence for each that may be wrong.

    The row's second answer has the entries of a slip, which would pass as rounded: `slips` has the sentences for them.
    """
    right, *known = row.right
    if not isinstance(given, dict) or right.keys() - given.keys():
        keys = ", ".join(map(repr, right))
        return expected_but_got(gettext("a dictionary with the entries {entries}", entries=keys), given)
    found = ((first_other(right[key], given[key], f"by_hand[{key!r}]"), hint) for key, hint in hints.items())
    words = next((_is_not(wrong, hint) for wrong, hint in found if wrong), None)
    if words or not slips:
        return words
    slipped = (key for slip in known for key in slip if same(slip[key], [round(number, 2) for number in given[key]]))
    return next((gettext(slips[key]) for key in slipped), None)


def _is_not(wrong, hint):
    return gettext("{place} should not be {given}. {hint}", place=wrong[0], given=wrong[1], hint=gettext(hint))


def items(row: Row, given: Any, *, hint: str) -> str | None:
    """A list with the right items; `hint` helps with any that is wrong."""
    right = row.right[0]
    if not isinstance(given, list | tuple) or len(given) != len(right):
        return expected_but_got(gettext("a list of {count} items", count=len(right)), given)
    wrong = first_other(right, given, gettext("item "))
    return wrong and _is_not(wrong, hint)


def first_other(right: Any, given: Any, place: str) -> tuple[str, str] | None:
    """(place, what is there) of the first part of an answer that is wrong, or None.

    Fractions may be rounded. A list will do for a set, and for a tuple in it.
    """
    if isinstance(right, set) and isinstance(given, list | tuple | set):
        given = {tuple(path) if isinstance(path, list) else path for path in given}
    parts, typed = (dict(enumerate(part)) if isinstance(part, list | tuple) else part for part in (right, given))
    if isinstance(parts, dict) and isinstance(typed, dict):
        found = (first_other(part, typed[key], f"{place}[{key!r}]") for key, part in parts.items() if key in typed)
        wrong = next(filter(None, found), None)
        return wrong or (None if parts.keys() == typed.keys() else (place, shown(given)))
    near = type(right) is float and is_number(given) and abs(right - given) <= ROUNDED
    return None if near or same(right, given) else (place, shown(given))


# The values of a tree's inner nodes: a dictionary from paths to values.


def values_of_nodes(row: Row, given: Any) -> str | None:
    """A dictionary from the path of each inner node to its value; the first wrong one, from below, is reported."""
    (tree,), right = row.case, row.right[0]
    if not isinstance(given, dict):
        return expected_but_got(gettext("a dictionary from paths to values"), given)
    for path, value in right.items():
        if path not in given:
            return gettext("There is no value for the node {path}.", path=path)
        if not is_number(given[path]):
            return expected_but_got(gettext("a number as the value of the node {path}", path=path), given[path])
        if not same(value, given[path]):
            return _wrong_value(tree, path, right)
    return None


def _wrong_value(tree, path, right):
    children = [(*path, action) for action, _ in moves_of(tree, path)]
    below = [number_text(right[child] if child in right else tree.utility(child, MAX)) for child in children]
    where = gettext("The first wrong value is at the node {path}.", path=path)
    if tree.to_move(path) != CHANCE:
        words = N_("{where} {player} moves there and chooses among {values}.")
        mover, values = player_name(tree.to_move(path)), gettext(" and ").join(below)
        return gettext(words, where=where, player=mover, values=values)
    words = N_("{where} Nobody chooses there: give the weighted mean, not rounded, of {outcomes}.")
    outcome = N_("{value} with probability {probability:g}")
    outcomes = (gettext(outcome, value=value, probability=p) for value, (_, p) in zip(below, tree.chances(path)))
    return gettext(words, where=where, outcomes=gettext(" and ").join(outcomes))
