"""Test data: answers that students could have given. A module in `wrong_answers/` has those to a notebook's questions.

It defines `WRONG` and `RIGHT`, by the question's identifier: lists of `Wrong`, and of right functions (or values). If
its cases are not trees it defines `size(case)` too.
"""

from typing import Any, NamedTuple

from course_lib.check.mistakes import Mistyped
from course_lib.watch.paths import leaf_paths


class Wrong(NamedTuple):
    """A wrong answer, the size of the smallest case that shows it to be wrong, and the name that its bug must get."""

    answer: Any
    size: int
    bug: str | None = None


def mistyped(right, changes):
    """The right answer with these changes to its text, as in `course_lib.check.mistakes`."""
    return Mistyped(right if isinstance(right, tuple) else (right,), changes).function


def leaves(case):
    """The size of a case that begins with a tree."""
    return len(leaf_paths(case[0])) if case else 0
