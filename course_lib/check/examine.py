"""Looking for the smallest case that an answer gets wrong, and for the name of the mistake.

The notebook and the grader find and name a failure with the same two functions, `first_failure` and `named`; each gives
them its rows, and a clock.
"""

import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from course_lib.check.comparing import NO_RETURN, Wrong, differing, either, same, same_part, value_part
from course_lib.check.failures import StudentError, Verdict, no_answer
from course_lib.check.students import Direct, Student
from course_lib.check.tables import Mistake, Raised, Row, Table
from course_lib.language import N_, gettext

TRY, NAME = 0.8, 0.3
"""Seconds of CPU time to look for a wrong answer among the small cases, and again among those drawn at random; and to
ask for more answers that a name can be found from."""
PATIENCE = 6
"""Seconds of wall time after which no further case is tried, as code that sleeps uses no CPU time. On a computer with
much else to do, code still has the CPU time above if it gets a seventh of a processor."""
FEW = 8
"""How many answers there must be for a mistake to be named by them, unless the table has fewer rows."""
PARTS_TO_NAME = {
    "value": [value_part],
    "value and leaves": [lambda answer: (value_part(answer), answer[1]), value_part],
    "first two": [lambda answer: answer[:2]],
    "probes": [lambda answer: answer["probes"]],
    "roughly": [lambda number: round(9.9 * number)],
    "rounded": [lambda numbers: [round(number, 2) for number in numbers]],
}
"""The parts of answers in which a mistake and a student must agree, for a name to be given; the first that do."""


class Failure(NamedTuple):
    """A row that was not answered as expected. `error` is the `StudentError` if no answer came, else None."""

    table: Table
    row: Row
    given: Any
    wrong: Wrong
    error: StudentError | None = None
    mistake: Mistake | None = None

    @property
    def verdict(self) -> Verdict:
        """`UNANSWERED` also if code that was to be fixed answers as it did when it was handed out."""
        if self.mistake is not None and self.mistake.name == self.table.handed_out:
            return Verdict.UNANSWERED
        return Verdict.WRONG if self.error is None else self.error.verdict


class Outcome(NamedTuple):
    """The `Failure` or None, how many cases were tried, and whether there was time for all of them."""

    failure: Failure | None
    tried: int
    complete: bool = True


def limit(seconds: float) -> Callable[[], bool]:
    """A function that says whether this much CPU time, or `PATIENCE`, has passed since the call."""
    cpu_time = getattr(time, "thread_time", time.process_time)  # of the process in a browser, which has no threads
    cpu, wall = cpu_time() + seconds, time.perf_counter() + PATIENCE
    return lambda: cpu_time() > cpu or time.perf_counter() > wall


def examine(table: Table, student: Direct, student_id: str = "") -> Outcome:
    """Try the rows in their order, smallest first, as far as there is time: first the small ones, then those drawn."""
    if table.personal:
        return first_failure(table, student, [table.own_row(student_id)])
    tried, complete = 0, True
    for numbers in (range(table.drawn), range(table.drawn, len(table))):
        found = first_failure(table, student, map(table.row, numbers), limit(TRY))
        tried, complete = tried + found.tried, complete and found.complete
        if found.failure:
            remembers = answers_otherwise_later(found.failure, student)
            return Outcome(remembers or named(found.failure, student, limit(NAME)), tried)
    return Outcome(None, tried, complete)


def first_failure(
    table: Table, student: Student, rows: Iterable[Row], is_over: Callable[[], bool] = lambda: False
) -> Outcome:
    """The outcome of asking these rows in their order, until one is not answered as expected, or time is over."""
    tried = 0
    for row in rows:
        if is_over():
            return Outcome(None, tried, False)
        tried += 1
        if failure := judge(table, student, row):
            return Outcome(failure, tried)
    return Outcome(None, tried)


def judge(table: Table, student: Student, row: Row) -> Failure | None:
    """The `Failure` of this student on this row, or None."""
    try:
        given = answer(table, student, row.case, row.seed)
    except StudentError as error:
        given = error
    return failed(table, row, given)


def failed(table: Table, row: Row, given: Any) -> Failure | None:
    """The `Failure` of this answer to the row, or of the `StudentError` in its place; None if it is right."""
    if isinstance(given, StudentError):
        return Failure(table, row, None, Wrong(given.words), given)
    wrong = judged(table, row, given)
    return None if wrong is None else Failure(table, row, given, wrong, mistake=wrong.mistake)


def answer(table: Table, student: Student, case: tuple, seed: int = 0) -> Any:
    """The student's answer to this case; raises `StudentError` if there is none."""
    student.case, student.seed = case, seed
    try:
        return table.ask(student, table.name, case)
    except StudentError:
        raise
    except Exception as error:  # what the student returns has a type that the ask cannot read
        raise no_answer("not plain", f"{type(error).__name__}: {error}") from error


def answer_or_error(table: Table, student: Student, row: Row) -> Any:
    """The student's answer to this row, or a `Raised` for an error."""
    try:
        return answer(table, student, row.case, row.seed)
    except StudentError as error:
        return Raised(error.reason)


def judged(table: Table, row: Row, given: Any) -> Wrong | None:
    """What is wrong with this answer, or None if it is right."""
    try:
        wrong = table.judge(row, given)
    except Exception:  # what the student returns has a type that the judge cannot read
        wrong = NO_RETURN if given is None else N_("The answer does not have the type that was asked for.")
    return Wrong(wrong) if isinstance(wrong, str) else wrong


# The name of a mistake. One is found by asking again.

REMEMBERS = N_("something is kept between calls")
TWICE = N_("Called twice, your function first returns {} and then {} for the same case.")
LATER = N_("Called first of all, your function returns {}; called after other cases, it returns {} for the same case.")
KEPT = N_(
    "Look for a list, dictionary or set that stays from call to call: in a default argument such as `seen=set()`, in a "
    "variable outside the function, or in `self`."
)


def answers_otherwise_later(failure: Failure, student: Direct) -> Failure | None:
    """The failure of a function that answers the same call otherwise when it was called before, or None.

    Nothing is asked again of a question that has a single case, which takes long.
    """
    table, row = failure.table, failure.row
    if len(table) == 1 or failure.verdict is Verdict.UNANSWERED:
        return None
    given = Raised(failure.error.reason) if failure.error else failure.given
    student.forget()
    first, second = (answer_or_error(table, student, row) for _ in range(2))
    for other, differs in ((second, TWICE), (given, LATER)):
        if not same(first, other) and repr(first) != repr(other):
            words = gettext(differs, *differing(first, other))
            return failure._replace(wrong=Wrong(words), mistake=Mistake(REMEMBERS, KEPT))
    return None


# Others are known: their stored answers equal the student's in every row that was tried.


def named(failure: Failure, student: Student, is_over: Callable[[], bool]) -> Failure:
    """The failure on a row of its table, with the known mistake that explains the answers to this row and to others.

    First come the rows that tell known mistakes apart, then others at random, until `is_over()`. A mistake that the
    judge names from the failed row alone is kept only if it explains every wrong answer.
    """
    table = failure.table
    if failure.verdict is Verdict.UNANSWERED or (not table.mistakes and failure.mistake is None):
        return failure
    answers = []
    others = Random(table.identifier).sample(range(len(table)), len(table))
    for number in dict.fromkeys([failure.row.number, *telling_rows(table), *others]):
        if is_over():
            break
        row = table.row(number)
        known = failure.error is None and row is failure.row
        answers.append((row, failure.given if known else answer_or_error(table, student, row)))
    return failure._replace(mistake=_from_columns(table, answers) or _from_judge(failure, answers))


@lru_cache
def telling_rows(table: Table) -> list[int]:
    """Rows, small ones first, that tell known mistakes apart, and each of them from a right answer."""
    columns = {(0,) * len(table), *(mistake.column for mistake in table.mistakes)}
    groups: list = [()] * len(columns)  # of those that answer alike to the rows
    rows = []
    for number, answers in enumerate(zip(*columns)):
        if len(set(groups)) == len(columns):
            break
        smaller = list(zip(groups, answers))
        if len(set(smaller)) > len(set(groups)):
            groups = smaller
            rows.append(number)
    return rows


def _from_columns(table: Table, answers: list[tuple[Row, Any]]) -> Mistake | None:
    """The mistakes that answer as the student did: in all of each answer, or else in the part that matters."""
    if len(answers) < min(FEW, len(table)):  # slow code answers few rows in the time, which fit many a mistake
        return None
    for compared in (lambda answer: answer, *PARTS_TO_NAME.get(table.part, ())):
        left, shows = table.mistakes, set()
        for row, given in answers:
            fits = {at for at, known in enumerate(row.answers) if same_part(compared, known, given)}
            left = [mistake for mistake in left if mistake.column[row.number] in fits]
            if 0 not in fits:
                shows |= {mistake[:2] for mistake in left}
        if found := either(mistake for mistake in left if mistake[:2] in shows):
            return found  # several, if no row tells them apart
    return None


def _from_judge(failure: Failure, answers: list[tuple[Row, Any]]) -> Mistake | None:
    """The mistake that the judge finds in every wrong answer, or None."""
    returned = ((row, given) for row, given in answers if not isinstance(given, Raised))
    wrong = [failure.wrong, *(judged(failure.table, row, given) for row, given in returned)]
    found = [_each(each.mistake) for each in wrong if each is not None]
    return either(Mistake(name, found[0][name]) for name in found[0] if all(name in others for others in found))


def _each(mistake):
    """Name → sentence of each of the mistakes that this may be."""
    return dict(zip(mistake.name.split(" or "), mistake.sentence.split(" Or: "))) if mistake else {}
