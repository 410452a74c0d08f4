"""Checks in a notebook: what failed, on the smallest case, drawn; and how many points there are so far."""

import io
import sys
from contextlib import redirect_stdout
from typing import Any

from IPython.display import display

from course_lib.check import hints
from course_lib.check.asking import Direct
from course_lib.check.examine import examine
from course_lib.check.failures import COLUMNS, CheckFailed, NotAnswered, NotPossible, place
from course_lib.check.judging import Failure
from course_lib.check.report import Note, Report, case_text
from course_lib.check.rules import as_graded, is_found_by_library
from course_lib.check.tables import Table, find_table, tables_of
from course_lib.explore import explore
from course_lib.watchdog import TooLong, time_limit

SECONDS, LIMIT = 3, 30
"""Seconds of CPU time, unless a question has its own, and of wall time, after which a check ends code that goes on."""
PLACEHOLDER = "your name or number"
"""What the first cell of an exercise holds before a student has filled it in."""
_student_id = ""
_points = {}  # by identifier, of the last check of each question
_last: Report | None = None  # of the last check that failed


def student(identifier: str) -> None:
    """Give the name or number under which your instructor knows you; it determines your personal trees.

    Raises `NotPossible`, a `ValueError`, unless it is a text and not empty.
    """
    global _student_id
    if not isinstance(identifier, str) or not identifier.strip():
        raise NotPossible(f"expected your name or number, in quotation marks, got {identifier!r}")
    if identifier == PLACEHOLDER:
        print("Replace these words with your own name or\nnumber, and run this cell again.")
    else:
        print(f"Your personal questions are those of {identifier}.")
    _student_id = identifier


def personal_tree(identifier: str) -> Any:
    """Your personal version of a question: a `TreeGame`, or the position, table or numbers that the question describes.

    The same student gets the same version everywhere. Raises `ValueError` if everybody has the same cases, and before
    `student()`.
    """
    table = find_table(identifier)
    if not table.personal:
        raise NotPossible(f"{identifier} has no personal tree: everybody has the same cases")
    return table.own_row(_who()).case[0]


def _who():
    if not _student_id:
        raise NotPossible('say who you are first: fill in student("…") in the first cell and run it')
    return _student_id


def check(identifier: str, answer: Any) -> None:
    """Check your answer to a question, a function or a value, and show the smallest case found that it gets wrong.

    If all cases pass, it prints how many. Otherwise it raises `CheckFailed`, or `NotAnswered` if there is no answer
    yet; both are an `AssertionError`. As in grading, an answer may use only the games of course_lib. Code that does not
    end is stopped, and the check fails, after 3 seconds of CPU time, or 30 of wall time; in a slow browser it has
    longer. For an unknown question, or before `student()` if it is needed, it raises `NotPossible`, a `ValueError`.
    """
    global _last
    table, printed = find_table(identifier), Printed()
    student_id = _who() if table.personal else ""
    _points[identifier], _last, seconds = 0, None, table.options.get("seconds", SECONDS)
    is_read = table.ask == "asking.read"
    asked = Direct(answer, is_read and is_found_by_library(table.name, sys._getframe(1).f_globals))
    try:
        with as_graded(answer) as asked.answer, redirect_stdout(printed):
            with time_limit(LIMIT, seconds):
                outcome = examine(table, asked, student_id)
            with time_limit(LIMIT, seconds):
                report = _report(outcome.failure, answer, printed)
    except TooLong as stopped:
        _stopped(table, asked, stopped, min(LIMIT, seconds))
    if outcome.failure is not None:
        _show(outcome.failure, report, printed)
    _points[identifier] = table.points
    hints.passed(table)
    cases = f"{outcome.tried} {'case' if outcome.tried == 1 else 'cases'}"
    cases = cases if outcome.complete else f"{outcome.tried} cases; there was no time for the others"
    space = " " if len(identifier) + len(" visible checks passed (1234 cases)") < COLUMNS else "\n"
    print(f"{printed.summary()}{identifier}:{space}visible checks passed ({cases})")


def _report(failure: Failure | None, answer: Any, printed: "Printed") -> Report | None:
    """The `Report` of a failure, or None if there is no answer yet, or no failure."""
    if failure is None or failure.unanswered:
        return None
    if failure.error is None and failure.given is None and failure.row.right[0] is not None and printed.count:
        words = "The function prints its answer and returns None: pass the answer to `return` instead."
        failure = failure._replace(wrong=failure.wrong._replace(words=words))
    return Report(failure, answer)


def _stopped(table: Table, asked: Direct, stopped: TooLong, seconds: float) -> None:
    """Show where the code was stopped, and raise `CheckFailed`."""
    seconds = stopped.args[0] if stopped.args else seconds
    words = f"code was stopped after {round(seconds, 1):g} seconds"
    notes = getattr(stopped, "__notes__", ["A loop or a recursion never ends, or the code is too slow."])
    rows = ("where", place(stopped)), ("case", case_text(table, asked.case) if asked.case else "")
    display(Note(f"Your {words}. {' '.join(notes)}", [row for row in rows if row[1]]))
    print(hints.failed(table), end="")
    raise CheckFailed(f"{table.identifier}: your {words}") from None


def _show(failure: Failure, report: Report | None, printed: "Printed") -> None:
    """Show what is wrong, and raise `CheckFailed`, or `NotAnswered` if there is no answer yet."""
    global _last
    identifier = failure.table.identifier
    if report is None:
        raise NotAnswered(f"{identifier}: not answered yet")
    _last = report
    print(printed.summary(), end="")
    display(report)
    if failure.untouched:
        raise NotAnswered(f"{identifier}: not answered yet: the code does what it did when it was handed out", failure)
    print(hints.failed(failure.table, failure), end="")
    raise CheckFailed(f"{identifier}: {report.headline}", failure)


class Printed(io.TextIOBase):
    """The output of student code during a check: its beginning and its length."""

    def __init__(self):
        self.start, self.count = "", 0

    def write(self, text: str) -> int:
        self.count += len(text)
        self.start = (self.start + text)[:300]
        return len(text)

    def summary(self) -> str:
        """In a few lines, or nothing if nothing was printed."""
        shown = "\n".join(self.start.splitlines()[:5])
        more = f"\n… {self.count:,} characters in all" if self.count > len(shown) + 1 else ""
        return f"During the check, your code printed:\n{shown}{more}\n" if self.count else ""


def explore_my_code(**options: Any) -> Any:
    """Open your own search in the explorer, on the case that the last failed check showed.

    It takes the options of `explore`. Without such a case it raises `NotPossible`, a `ValueError`.
    """
    if _last is None:
        raise NotPossible("there is nothing to explore: the last check has passed, was stopped, or had no answer yet")
    if _last.trace is None:
        raise NotPossible(f"{_last.table.identifier}: the answer that was checked has no search to watch")
    options.setdefault("step", getattr(_last.trace, "last_step", None))
    return explore(_last.trace, **options)


def score(notebook: str | int) -> None:
    """Print the points so far, question by question, of a notebook such as "02_minimax": those of passed checks.

    Only the last check of each question since the kernel started counts: if a check has not run since then, a line says
    so. `ValueError` for an unknown notebook.
    """
    tables = tables_of(notebook).values()
    for table in tables:
        print(f"{_points.get(table.identifier, 0):3} of {table.points}   {table.title}")
    reached, total = sum(_points.get(table.identifier, 0) for table in tables), sum(table.points for table in tables)
    print(f"{reached:3} of {total}   in total")
    missing = sum(table.identifier not in _points for table in tables)
    if missing:
        print(f"Checks that have not run since Python started: {missing}.\nRun them to count their points.")
