"""Judges of answers that are worked out by hand: the first wrong entry is pointed out, not its right value."""

from itertools import takewhile
from typing import Any

from course_lib.check.comparing import is_number, same, shown
from course_lib.check.tables import Row
from course_lib.games import CHANCE, MAX, player_name
from course_lib.games.texts import number_text
from course_lib.games.walking import leaf_paths, moves_of

ROUNDED = 0.011
"""How far a number may be off that was worked out by hand, to two decimals."""


def entries(row: Row, given: Any, *, hints: dict[str, str], slips: dict[str, str] | None = None) -> str | None:
    """A dictionary with the right entries; `hints` has a sentence for each that may be wrong.

    The row's second answer has the entries of a slip, which would pass as rounded: `slips` has the sentences for them.
    """
    right, *known = row.right
    if not isinstance(given, dict) or right.keys() - given.keys():
        return f"Expected a dictionary with the entries {', '.join(map(repr, right))}, got {shown(given)}."
    found = ((first_other(right[key], given[key], f"by_hand[{key!r}]"), hint) for key, hint in hints.items())
    words = next((f"{wrong[0]} is not {wrong[1]}. {hint}" for wrong, hint in found if wrong), None)
    if words or not slips:
        return words
    slipped = (key for slip in known for key in slip if same(slip[key], [round(number, 2) for number in given[key]]))
    return next((slips[key] for key in slipped), None)


def items(row: Row, given: Any, *, hint: str) -> str | None:
    """A list with the right items; `hint` helps with any that is wrong."""
    right = row.right[0]
    if not isinstance(given, list | tuple) or len(given) != len(right):
        return f"Expected a list of {len(right)} items, got {shown(given)}."
    wrong = first_other(right, given, "item ")
    return wrong and f"{wrong[0]} is not {wrong[1]}. {hint}"


def first_other(right: Any, given: Any, place: str) -> tuple[str, str] | None:
    """(place, what is there) of the first part of an answer that is wrong, or None. Fractions may be rounded."""
    if isinstance(right, set) and isinstance(given, list | tuple | set):
        given = {tuple(path) if isinstance(path, list) else path for path in given}
    parts, typed = (dict(enumerate(part)) if isinstance(part, list | tuple) else part for part in (right, given))
    if isinstance(parts, dict) and isinstance(typed, dict) and parts.keys() == typed.keys():
        found = (first_other(part, typed[key], f"{place}[{key!r}]") for key, part in parts.items())
        return next(filter(None, found), None)
    near = type(right) is float and is_number(given) and abs(right - given) <= ROUNDED
    return None if near or same(right, given) else (place, shown(given))


# The values of a tree's inner nodes: a dictionary from paths to values.


def values_of_nodes(row: Row, given: Any) -> str | None:
    """A dictionary from the path of each inner node to its value; the first wrong one, from below, is reported."""
    (tree,), right = row.case, row.right[0]
    if not isinstance(given, dict):
        return f"Expected a dictionary from paths to values, got {shown(given)}."
    for path, value in right.items():
        if path not in given:
            return f"There is no value for the node {path}."
        if not is_number(given[path]):
            return f"Expected a number as the value of the node {path}, got {shown(given[path])}."
        if not same(value, given[path]):
            return _wrong_value(tree, path, right)
    return None


def _wrong_value(tree, path, right):
    children = [(*path, action) for action, _ in moves_of(tree, path)]
    below = [number_text(right[child] if child in right else tree.utility(child, MAX)) for child in children]
    where = f"The first wrong value is at the node {path}."
    if tree.to_move(path) != CHANCE:
        return f"{where} {player_name(tree.to_move(path))} moves there and chooses among {', '.join(below)}."
    outcomes = " and ".join(f"{value} with probability {p:g}" for value, (_, p) in zip(below, tree.chances(path)))
    return f"{where} Nobody chooses there: give the weighted mean, not rounded, of {outcomes}."


# Alpha-beta: the leaves that it looks at, in order, and the nodes with a cut.

CUTS = "alpha cuts", "beta cuts"


def leaves_and_cuts(row: Row, given: Any) -> str | None:
    """{"leaves": numbers in the order of the search, "alpha cuts": paths, "beta cuts": paths}."""
    (tree,), right = row.case, row.right[0]
    if not isinstance(given, dict) or right.keys() - given.keys() or not isinstance(given["leaves"], list | tuple):
        return f"Expected a dictionary with lists for {', '.join(map(repr, right))}, got {shown(given)}."
    wrong = _wrong_leaf(tree, right["leaves"], list(given["leaves"]))
    return wrong or next(filter(None, (_no_paths(key, given[key]) for key in CUTS)), None) or _wrong_cut(right, given)


def _no_paths(key, given):
    """What is wrong with how a list of paths is written; a set will do, too."""
    for path in given if isinstance(given, list | tuple | set) else [given]:
        if not isinstance(path, list | tuple):
            return f"Expected a list of paths for {key!r}, written [(0, 1)] or [(0,)], got {shown(given)}."
    return None


def _wrong_leaf(tree, right, given):
    """What is wrong with the list of leaves, up to the first step that is."""
    known = len(list(takewhile(lambda pair: same(*pair), zip(right, given))))
    if known == len(right) == len(given):
        return None
    if known == 0:
        return "The search does not begin with this leaf: it goes down to the left first."
    so_far = f"Your leaves are right up to {right[known - 1]}"
    if known == len(given):
        return f"{so_far}, and then the search goes on."
    ask = "what are v, α and β when the search is there?"
    if given[known] in right[known:]:
        return f"{so_far}. Then your list lacks a leaf that is visited: {ask}"
    if given[known] in right or given[known] not in [tree.utility(path, MAX) for path in leaf_paths(tree)]:
        return f"{so_far}. The leaf {shown(given[known])} comes twice, or there is no such leaf."
    return f"{so_far}. Then your list has {given[known]}, which is cut: {ask}"


def _wrong_cut(right, given):
    for key, other in (CUTS, CUTS[::-1]):
        paths = set(map(tuple, given[key]))
        for path in sorted(paths - {*right[key]}, key=repr):
            if path in right[other]:
                return f"There is a cut in the node {path}. Who moves there: is it an α-cut or a β-cut?"
            return f"There is no cut in the node {shown(path)}. A node with a cut stops before its last child."
        if len(paths) < len(right[key]):
            return f"The list of {key} is not complete: at which other node does the search stop before the last child?"
    return None
