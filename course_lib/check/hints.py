"""Help for students who are stuck: first the name of the mistake, then the place to look at."""

from collections import Counter

from course_lib.check.failures import capital
from course_lib.check.judging import Failure
from course_lib.check.report import Note, Report, answer_text, case_text
from course_lib.check.tables import Table

ATTEMPTS = 3
"""After this many failed attempts at a question there is a hint."""
STUCK = "Stuck? Type hint() in a new cell, again for more.\n"
_failed, _shown = Counter(), Counter()  # of this session, by identifier
_last: tuple[Table, Failure | None] | None = None  # of the last failed check


def failed(table: Table, failure: Failure | None = None) -> str:
    """Count a failed attempt, and return the text to print: nothing, or a line about `hint()`."""
    global _last
    if table.kind not in ("write", "fix"):
        return ""
    _last = table, failure
    _failed[table.identifier] += 1
    return STUCK if _failed[table.identifier] >= ATTEMPTS else ""


def passed(table: Table) -> None:
    """Forget the failed attempts at a question."""
    global _last
    del _failed[table.identifier], _shown[table.identifier]
    if _last and _last[0] is table:
        _last = None


def hint() -> Note:
    """Help with the question that failed last, from the third attempt on: the mistake, and at the next call the place.

    The first hint is the known mistake that explains your answers, if there is one; the second one is the smallest
    case with its correct answer, drawn with your search.
    """
    if _last is None or _failed[_last[0].identifier] < ATTEMPTS:
        return Note(f"After {ATTEMPTS} failed attempts there is a hint, if many cases check a function of yours.")
    table, failure = _last
    _shown[table.identifier] += 1
    if failure and failure.mistake and _shown[table.identifier] == 1:
        return Note(f"Look for this mistake: {failure.mistake.name}.", [], [capital(failure.mistake.sentence)])
    row = failure.row if failure else table.row(0)
    rows = ("case", case_text(table, row.case)), ("answer", answer_text(table, row.right[0]))
    note = Note("The correct answer:", rows[: 2 - table.in_words])
    note.pictures = Report(failure).pictures if failure else []
    return note
