"""Notebook 4: iterative deepening with a time limit, by a fake clock."""

from typing import Any

from course_lib.check.comparing import NO_RETURN, Wrong, same
from course_lib.check.judges.listed import one_of
from course_lib.check.students import Student
from course_lib.check.tables import Row


def searches_begun(student: Student, name: str, case: tuple) -> list:
    """[the action, (depth, deadline) of each search], by a fake clock.

    The case is (searches of depth 1, 2 …, the start time, the seconds available). For each search it contains the
    seconds that the search takes, the column that it finds, and its column when it is cut short.
    """
    searches, now, seconds = case
    begun = []

    def search(depth, deadline):
        nonlocal now
        if len(begun) <= len(searches):  # one too many is enough to see
            begun.append((depth, deadline))
        cost, found, seen = searches[min(max(depth, 1), len(searches)) - 1]
        ready = now + cost
        finished, now = ready <= deadline, max(now, min(ready, deadline))
        return found if finished else seen, finished

    return [student.call(name, search, lambda: now, seconds, len(searches)), begun]


def as_begun(row: Row, given: Any) -> str | Wrong | None:
    """What `searches_begun` returns: one of the right answers; if none, the first search that is wrong is named."""
    if (wrong := one_of(row, given)) is None:
        return None
    (action, right), (returned, begun) = row.right[0], given
    at = next((n for n, pair in enumerate(zip(right, begun)) if not same(*pair)), min(len(right), len(begun)))
    pairs = "The list has (depth, deadline) of each search that your code begins"
    if returned is None and action is not None:
        wrong = NO_RETURN
    elif at < min(len(right), len(begun)):
        wrong = f"{pairs}: instead of {tuple(right[at])} yours has {tuple(begun[at])}."
    elif at < len(begun):
        wrong = f"{pairs}: the search {tuple(begun[at])} is one too many."
    elif at < len(right) and action not in [found for _, found, _ in row.case[0][:at]]:
        wrong = f"{pairs}: the search {tuple(right[at])} is missing."
    else:
        wrong = f"{pairs}, and these are right: the action before it is not."
    return Wrong(wrong, "answer")
