"""Checks in a notebook: what failed, on the smallest case, drawn; and how many points there are so far."""

import io
import sys
from contextlib import redirect_stdout

from IPython.display import display

from course_lib.check import rungs
from course_lib.check.examine import examine
from course_lib.check.failures import COLUMNS, CheckFailed, NotAnswered, NotPossible, not_there, place
from course_lib.check.personal import as_compared
from course_lib.check.question import Bug, Direct, find_question, questions_of, read
from course_lib.check.report import Note, Report, watched_search
from course_lib.check.rules import anew, as_graded, is_found_by_library, kept
from course_lib.check.search_trees import last_step
from course_lib.check.watchdog import TooLong, time_limit
from course_lib.explore import explore
from course_lib.watch import WatchedMCTS

LIMIT = 10
"""Seconds after which a check ends code that does not end by itself."""
PLACEHOLDER = "your name or number"
"""What the first cell of an exercise holds before a student has filled it in."""
_student_id = ""
_results = {}  # identifier → points
_last = None  # (failure, answer) of the last check that failed


def student(identifier):
    """Say who you are, as your instructor knows you: the trees that are yours alone are drawn from it.

    Returns nothing. Raises `NotPossible`, a `ValueError`, unless it is text and not empty.
    """
    global _student_id
    if not isinstance(identifier, str) or not identifier.strip():
        raise NotPossible(f"give the name or number by which your instructor knows you, as text, not {identifier!r}")
    if identifier == PLACEHOLDER:
        print("Put your own name or number in the place\nof these words, and run this cell again.")
    _student_id = identifier


def personal_tree(identifier):
    """What this question is about for you alone: a `TreeGame`, or a position, a table or numbers where it says so.

    The same student gets the same everywhere. Raises `ValueError` where everybody has the same, and before `student()`.
    """
    question = find_question(identifier)
    if question.personal is None:
        raise NotPossible(f"{identifier} has no tree of one's own")
    return question.own_case(_who())[0]


def _who():
    if not _student_id:
        raise NotPossible('say who you are first: fill in student("…") in the first cell and run it')
    return _student_id


def reader():
    """The identifier that `student` was given, as identifiers are compared; empty without one."""
    return "" if _student_id == PLACEHOLDER else as_compared(_student_id)


def check(identifier, answer):
    """Check your answer to a question, a function or a value, and show the smallest case found that it gets wrong.

    It returns nothing. If all cases pass, it prints how many. Else it raises `CheckFailed`, or `NotAnswered` if there
    is no answer yet; both are an `AssertionError`. As in grading, an answer may use only the games of course_lib. Code
    that does not end is stopped and has failed: after 3 seconds of the processor's time, or 10 by the clock. For an
    unknown question, or before `student()` where it is needed, it raises `NotPossible`, a `ValueError`.
    """
    global _last
    question, printed = find_question(identifier), Printed()
    student_id = _who() if question.personal is not None else ""
    _results[identifier], _last = 0, None
    question.prepare()
    by_library = question.ask is read and is_found_by_library(question.name, sys._getframe(1).f_globals)
    asked = (FoundByLibrary if by_library else Direct)(answer)
    try:
        with as_graded(answer) as asked.answer, redirect_stdout(printed):
            with time_limit(LIMIT, question.seconds):
                outcome = examine(question, asked, student_id)
            with time_limit(LIMIT, question.seconds):
                report = reported(outcome.failure, answer, asked, printed)
    except TooLong as stopped:
        after = f"code was stopped after {min(LIMIT, question.seconds):g} seconds"
        told = " ".join(getattr(stopped, "__notes__", ["Either a loop or a recursion never ends, or it is too slow."]))
        rows = ("where", place(stopped)), ("case", question.as_text(asked.about) if asked.about else "")
        display(Note(f"Your {after}. {told}", [row for row in rows if row[1]]))
        print(rungs.failed(question), end="")
        raise CheckFailed(f"{identifier}: your {after}") from None
    if outcome.failure is not None:
        _tell(question, report, answer, printed)
    _results[identifier] = question.points
    cases = f"{outcome.tried} {'case' if outcome.tried == 1 else 'cases'}"
    cases = cases if outcome.complete else f"{outcome.tried} cases; for the others there was no time"
    space = " " if len(identifier) + len(" visible checks passed (1234 cases)") < COLUMNS else "\n"
    print(f"{printed.summary()}{identifier}:{space}visible checks passed ({cases})")


class FoundByLibrary(Direct):
    """A value that would not be there in a graded run, since the library's searches are not."""

    def read(self, name):
        raise not_there()


def _still_open(answer):
    """How many values of an answer that was begun are still dots; its parts may be lists and dictionaries."""
    values, parts = [], [answer]
    while parts:
        part = parts.pop()
        inner = part.values() if isinstance(part, dict) else part if isinstance(part, list | tuple) else None
        parts += [] if inner is None else inner
        values += [part] if inner is None else []
    dots = sum(value is ... for value in values)
    return f", {dots} of {len(values)} values are to be typed" if 0 < dots < len(values) else ""


def _tell(question, report, answer, printed):
    """Show what is wrong, and raise `CheckFailed`, or `NotAnswered` where there is no answer yet."""
    global _last
    if report is None:
        raise NotAnswered(f"{question.identifier}: not answered yet{_still_open(answer)}")
    _last = report.failure, answer
    print(printed.summary(), end="")
    display(report)
    if report.failure.untouched:
        raise NotAnswered(f"{question.identifier}: not answered yet, it does what it did when it was handed out")
    print(rungs.failed(question, report.failure), end="")
    raise CheckFailed(f"{question.identifier}: {report.headline}")


def reported(failure, answer, asked, printed):
    """The `Report` of a failure, or None where there is no answer yet, or no failure."""
    if failure is None or failure.unanswered:
        return None
    left = what_is_left(failure, answer, asked)
    if left is not None:
        return Report(failure._replace(bug=left))
    if failure.error is None and failure.given is None and failure.expected is not None and printed.count:
        failure = failure._replace(words="The function prints its answer and returns None: `return` hands it over.")
    return Report(failure, answer)


def what_is_left(failure, answer, asked):
    """The `Bug` of a function that is right on this case in a fresh run of the notebook, and wrong now; or None."""
    question, case, expected, *_ = failure
    if question.kind == "beat" or question.ask is read:  # luck may decide, or there is no function
        return None
    fresh = anew(answer)
    if not callable(fresh) or question.judge(asked, case, expected) is None:
        return None
    with as_graded(fresh) as graded:
        if question.judge(Direct(graded), case, expected) is not None:
            return None
    found = kept(answer, fresh)[:2]
    where = f" Look at {' and '.join(found)}." if found else ""
    return Bug(
        "something is left from an earlier call",
        f"asked for this case alone, your code is right: something that an earlier call changed is still there.{where} "
        "Make it anew in each call from outside, and hand it down.",
    )


class Printed(io.TextIOBase):
    """What student code prints during a check: the beginning of it, and how much it is."""

    LINES, CHARACTERS = 5, 300

    def __init__(self):
        self.start, self.count = "", 0

    def write(self, text):
        self.count += len(text)
        self.start += text[: max(0, self.CHARACTERS - len(self.start))]
        return len(text)

    def summary(self):
        """In a few lines, or nothing if nothing was printed."""
        if not self.count:
            return ""
        shown = "\n".join(self.start.splitlines()[: self.LINES])
        more = f"\n… {self.count:,} characters in all" if self.count > len(shown) + 1 else ""
        return f"Your code printed, during the check:\n{shown}{more}\n"


def explore_my_code(**options):
    """Open your own search in the explorer, on the case that the last failed check showed.

    It takes the options of `explore`. Without such a case it raises `NotPossible`, a `ValueError`.
    """
    if _last is None:
        raise NotPossible("there is nothing to explore: the last check has passed, was stopped, or had no answer yet")
    try:
        with redirect_stdout(Printed()), time_limit(LIMIT):
            failure, answer = _last
            show = failure.question.explored if callable(answer) else None
            watched = show(answer, failure) if show else watched_search(failure, answer)
    except TooLong:
        raise NotPossible(f"your code was stopped after {LIMIT} seconds, and cannot be shown") from None
    except ValueError as error:
        raise NotPossible(str(error)) from None
    if watched is None:
        raise NotPossible(f"{failure.question.identifier}: there is no search to watch in what was checked")
    return explore(watched, **({"step": last_step(watched)} if isinstance(watched, WatchedMCTS) else {}) | options)


def score(notebook):
    """Print the points so far, question by question, of a notebook such as "02_minimax": those of passed checks.

    Returns nothing. Only the last check of each question since the kernel started counts. `ValueError` for an unknown
    notebook.
    """
    questions = questions_of(notebook)
    for question in questions:
        print(f"{_results.get(question.identifier, 0):3} of {question.points}   {question.title}")
    print(f"{sum(_results.get(q.identifier, 0) for q in questions):3} of {sum(q.points for q in questions)}   in all")
