"""A student's session in a notebook: the checks and what failed last, drawn; points so far, and hints."""

import sys
from collections import Counter
from contextlib import redirect_stdout
from io import StringIO
from itertools import islice
from typing import Any

from IPython.display import display

from course_lib.check.comparing import same
from course_lib.check.examine import as_graded, examine, is_found_by_library
from course_lib.check.failures import (
    COLUMNS,
    PLACEHOLDER,
    CheckFailed,
    NotAnswered,
    NotPossible,
    Verdict,
    capital,
    place,
)
from course_lib.check.report import Note, Report, case_text, report_of
from course_lib.check.tables import Table, find_table, tables_of
from course_lib.explore import explore
from course_lib.language import N_, gettext, in_all_languages, ngettext
from course_lib.watchdog import TooLong, time_limit

SECONDS, LIMIT = 3, 30
"""Seconds of CPU time, unless a question has its own, and of wall time, after which a check ends code that goes on."""
ATTEMPTS = 3
"""After this many failed attempts at a question there is a hint."""
DEBUG = N_(
    "Print the arguments at the beginning of your function, and call it in a new cell with the case of the check: "
    "which call goes wrong first, and what was different before it?"
)
NO_HINT = N_(
    "There is no other hint. Go through the case of the check by hand, line by line, or ask somebody to look on."
)
STUCK = N_("Stuck? Type hint() in a new cell. If you run it again, it says more.\n")


class Session:
    """What has happened since Python started: who the student is, their points, their attempts, the last failure."""

    def __init__(self) -> None:
        self.student_id = ""
        self.points: dict[str, int] = {}  # by identifier, of the last check of each question
        self.attempts: Counter = Counter()  # that failed since the question was last passed, by identifier
        self.hints_shown: Counter = Counter()
        self.last: tuple = None, None  # table and report of the last check, if it failed; no report if stopped

    def student(self, identifier: str) -> None:
        """Give the name or number under which your instructor knows you; it determines your personal trees.

        Raises `NotPossible`, a `ValueError`, unless it is a text and not empty.
        """
        if not isinstance(identifier, str) or not identifier.strip():
            raise NotPossible(f"expected your name or number, in quotation marks, got {identifier!r}")
        if identifier in in_all_languages(PLACEHOLDER):
            print(gettext("Replace these words with your own name or\nnumber, and run this cell again."))
        else:
            print(gettext("Your personal questions are those of {student}.", student=identifier))
        self.student_id = identifier

    def personal_tree(self, identifier: str) -> Any:
        """Your personal version of a question: a `TreeGame`, or the position, table or numbers that it describes.

        The same student gets the same version everywhere. Raises `ValueError` if everybody has the same cases, and
        before `student()`.
        """
        table = find_table(identifier)
        if not table.personal:
            raise NotPossible(f"{identifier} has no personal tree: everybody has the same cases")
        return table.own_row(self._who()).case[0]

    def _who(self) -> str:
        if not self.student_id:
            raise NotPossible('say who you are first: fill in student("…") in the first cell and run it')
        return self.student_id

    def check(self, identifier: str, answer: Any) -> None:
        """Check your answer to a question, a function or a value, and show the smallest case found that it gets wrong.

        If all cases pass, it prints how many. Otherwise it raises `CheckFailed`, or `NotAnswered` if there is no answer
        yet; both are an `AssertionError`. As in grading, an answer may use only the games of course_lib. Code that does
        not end is stopped, and the check fails, after 3 seconds of CPU time, or 30 of wall time; in a slow browser it
        has longer. For an unknown question, or if `student()` does not have your name and it is needed, it raises
        `NotPossible`, a `ValueError`.
        """
        printed, table = StringIO(), find_table(identifier)
        student_id = self._who() if table.personal else ""
        self.points[identifier] = 0
        self.last = None, None
        seconds = table.seconds or SECONDS
        is_read = table.asked_by == "listed.read"
        by_library = is_read and is_found_by_library(table.name, sys._getframe(1).f_globals)
        try:
            with as_graded(answer, by_library) as asked, redirect_stdout(printed):
                with time_limit(LIMIT, seconds):
                    outcome = examine(table, asked, student_id)
                with time_limit(LIMIT, seconds):
                    report = report_of(outcome.failure, answer, printed.tell())
        except TooLong as stopped:
            words = gettext("your code was stopped after {seconds:g} seconds", seconds=min(LIMIT, seconds))
            because = gettext("A loop or a recursion never ends, or the code is too slow.")
            rows = (N_("where"), place(stopped)), (N_("case"), case_text(table, asked.case) if asked.case else "")
            self._fail(table, words, Note(f"{capital(words)}. {because}", [row for row in rows if row[1]]))
        failure = outcome.failure
        is_answered = failure is None or failure.verdict is not Verdict.UNANSWERED
        if student_id and is_answered and student_id in in_all_languages(PLACEHOLDER):
            raise NotPossible(
                'replace the words in student("…") in the first cell with your own name or number, and run that cell. '
                "It chooses your version of this question: run its cells again, too"
            )
        if report is not None:
            print(_beginning(printed.getvalue()), end="")
            self._fail(table, report.headline, report, is_answered)
        if failure is not None:
            raise NotAnswered(f"{identifier}: {gettext('not answered yet')}")
        self.points[identifier] = table.points
        del self.attempts[identifier], self.hints_shown[identifier]
        cases = ngettext("1 case", "{count} cases", outcome.tried)
        if not outcome.complete:
            cases = gettext("{count:,} cases; there was no time for the others", count=outcome.tried)
        words = N_("visible checks passed ({cases})")
        space = " " if len(identifier) + len(gettext(words)) + 4 < COLUMNS else "\n"
        print(f"{_beginning(printed.getvalue())}{identifier}:{space}{gettext(words, cases=cases)}")

    def _fail(self, table: Table, words: str, shown: Note, is_answered: bool = True) -> None:
        """Show what is wrong, announce hints after several attempts, and raise `CheckFailed`; or `NotAnswered`."""
        report = shown if isinstance(shown, Report) else None
        self.last = table, report
        failure = report.failure if report else None
        self.attempts[table.identifier] += is_answered
        display(shown)
        if not is_answered:
            words = gettext("not answered yet: the code does what it did when it was handed out")
            raise NotAnswered(f"{table.identifier}: {words}", failure)
        if self.attempts[table.identifier] >= ATTEMPTS and _hints(table, report):
            print(gettext(STUCK), end="")
        raise CheckFailed(f"{table.identifier}: {words}", failure) from None

    def explore_my_code(self, **options: Any) -> Any:
        """Open your own search in the explorer, on the case that the last failed check showed.

        It takes the options of `explore`. Without such a case it raises `NotPossible`, a `ValueError`.
        """
        table, report = self.last
        if table is None or report is None:
            raise NotPossible("there is nothing to explore: the last check passed, was stopped, or had no answer yet")
        if report.trace is None:
            raise NotPossible(f"{table.identifier}: the answer that was checked has no search to watch")
        options.setdefault("step", getattr(report.trace, "last_step", None))
        return explore(report.trace, **options)

    def hint(self) -> Note:
        """Help with the question that failed last, from the third attempt on, a little more with each call."""
        table, report = self.last
        if table is None or self.attempts[table.identifier] < ATTEMPTS:
            return Note(gettext("After {count} failed attempts at a question there may be a hint.", count=ATTEMPTS))
        hints = _hints(table, report)
        number = self.hints_shown[table.identifier]
        self.hints_shown[table.identifier] += 1
        return hints[number] if number < len(hints) else Note(NO_HINT)

    def score(self, notebook: str | int) -> None:
        """Print the points so far, question by question, of a notebook such as "02_minimax": those of passed checks.

        Only the last check of each question since the kernel started counts: if a check has not run since then, a line
        says so. `ValueError` for an unknown notebook.
        """
        tables = tables_of(notebook).values()
        for table in tables:
            print(_points(self.points.get(table.identifier, 0), table.points, table.title))
        reached = sum(self.points.get(table.identifier, 0) for table in tables)
        print(_points(reached, sum(table.points for table in tables), N_("in total")))
        missing = sum(table.identifier not in self.points for table in tables)
        if missing:
            words = N_("Checks that have not run since Python started: {count}.\nRun them to count their points.")
            print(gettext(words, count=missing))


def _points(reached: int, points: int, title: str) -> str:
    return gettext("{reached:3} of {points}   {title}", reached=reached, points=points, title=gettext(title))


def _hints(table: Table, report: Report | None) -> list[Note]:
    """What the report does not say yet: another case of the known mistake, or the usual mistakes, likely ones first."""
    if not table.reveals:
        return []
    if report is None or report.failure.error is not None:
        return [Note(DEBUG)]
    failure = report.failure
    row, name = failure.row, failure.mistake and failure.mistake.name
    if named := next((known for known in table.mistakes if known.name == name), None):
        cases = (table.row(number).case for number in range(row.number + 1, len(table)) if named.column[number])
        others = (text for case in cases if (text := case_text(table, case)) != case_text(table, row.case))
        words = N_("Your code gets this case wrong, too:")
        return [Note(words, [(N_("case"), text)]) for text in dict.fromkeys(islice(others, 2))]
    likely = sorted(table.mistakes, key=lambda known: not same(known.answer(row), failure.given))
    usual = {known.name: known.sentence for known in likely} or table.options.get("sentences", {})
    words = N_("A usual mistake here: {name}. Is it yours?")
    shown = {gettext(words, name=gettext(other)): gettext(usual[other]) for other in usual
             if other not in (name, "not fixed yet")}  # fmt: skip
    return [Note(words, [], [capital(sentence)]) for words, sentence in shown.items()] or [Note(DEBUG)]


def _beginning(printed: str) -> str:
    """A few lines of what the student's code printed, or nothing if it printed nothing."""
    shown = "\n".join(printed[:300].splitlines()[:5])
    more = "\n" + gettext("… {count:,} characters in all", count=len(printed)) if len(printed) > len(shown) + 1 else ""
    return gettext("During the check, your code printed:\n{shown}\n", shown=shown + more) if printed else ""


SESSION = Session()
