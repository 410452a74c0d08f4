"""Looking for the smallest case that a student's answer gets wrong, and for a name for the mistake."""

from contextlib import suppress
from itertools import takewhile
from random import Random
from time import perf_counter, thread_time
from typing import NamedTuple

from course_lib.check.bugs import asked, named_bug
from course_lib.check.compare import NOT_EXPECTED
from course_lib.check.question import PUBLIC_SEED, Failure, drawn_solved, small_solved

TRY, SHRINK, NAME = 1, 0.5, 0.4
"""Seconds of work to look for a wrong answer, to make its case smaller, and to find a name for the mistake."""
PATIENCE = 2.5
"""Seconds by the clock after which no further case is tried: code that sleeps does no work."""


class Outcome(NamedTuple):
    """What came of a check: the `Failure` or None, how many cases were tried, and whether that was all of them."""

    failure: Failure | None
    tried: int
    complete: bool


def examine(question, student, student_id=""):
    """Try the small cases, then those drawn with the public seed; the `Failure` found is on the smallest case found.

    Slow code is asked about fewer cases, and the outcome says so.
    """
    if question.personal is not None:
        case = question.own_case(student_id)
        return Outcome(question.judge(student, case, question.expected(case)), 1, True)
    tried = 0
    for is_drawn in (False, True):
        if is_drawn and question.cases is None and tried:
            continue  # the small cases are all there are
        cases = drawn_solved(question, PUBLIC_SEED) if is_drawn else small_solved(question)
        budget = _Budget(TRY)
        for case, expected in cases:
            if budget.is_spent():
                return Outcome(None, tried, False)
            tried += 1
            failure = question.judge(student, case, expected)
            if failure is not None:
                if is_drawn and question.cases is not None and failure.error is None:
                    failure = _shrunk(question, student) or failure
                return Outcome(_with_name(failure, student), tried, True)
    return Outcome(None, tried, True)


class _Budget:
    """So many seconds of work."""

    def __init__(self, seconds):
        self._work, self._clock = thread_time() + seconds, perf_counter() + PATIENCE

    def is_spent(self):
        return thread_time() > self._work or perf_counter() > self._clock


class _Wrong(Exception):
    """For Hypothesis: this case is answered wrongly."""


class _Enough(BaseException):
    """Ends Hypothesis at once."""


def _shrunk(question, student):
    """The failure on the smallest case that Hypothesis finds in time."""
    import hypothesis  # late: it takes long to load
    from hypothesis import HealthCheck, Phase, Verbosity, settings

    budget, smallest = _Budget(SHRINK), None

    @hypothesis.seed(PUBLIC_SEED)
    @settings(
        max_examples=question.visible,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        deadline=None,
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(question.cases)
    def answered(case):
        nonlocal smallest
        if budget.is_spent():
            raise _Enough
        failure = question.judge(student, case, question.expected(case))
        if failure is not None:
            smallest = failure
            raise _Wrong

    with suppress(_Wrong, _Enough, hypothesis.errors.Flaky):  # flaky: what is kept between calls changes the answer
        answered()
    return smallest


def _with_name(failure, student):
    """The failure with the known mistake that explains this and other cases, if there is one."""
    question = failure.question
    if failure.unanswered or (question.cases is None and not question.bugs):
        return failure
    others = [*small_solved(question), *drawn_solved(question, PUBLIC_SEED)]
    Random(PUBLIC_SEED).shuffle(others)  # so that large and small ones come, if there is no time for all
    budget = _Budget(NAME)
    answers = takewhile(lambda _: not budget.is_spent(), asked(question, student, others))
    tried = [(failure.case, failure.expected, failure.error or failure.given), *answers]
    bug, told = named_bug(question, tried), failure.bug
    if told is None or (bug is not None and bug.name == told.name):
        return failure._replace(bug=told or bug)
    return failure._replace(bug=bug, words=NOT_EXPECTED)  # the comparison spoke of this case alone
