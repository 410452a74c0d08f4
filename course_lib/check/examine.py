"""Looking for the smallest case that a student's answer gets wrong, and for a name for the mistake."""

from contextlib import suppress
from time import perf_counter, thread_time
from typing import NamedTuple

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity, settings

from course_lib.check.bugs import named_bug
from course_lib.check.question import PUBLIC_SEED, Failure, StudentError, solved

TRY, SHRINK, NAME = 1.2, 0.6, 0.4
"""Seconds of work to look for a wrong answer, to make its case smaller, and to find a name for the mistake."""
PATIENCE = 2.5
"""Seconds by the clock after which no further case is tried: code that sleeps does no work."""
TRIED_FOR_A_NAME = 50


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
    for source in ("small", ("drawn", PUBLIC_SEED)):
        if source != "small" and question.cases is None and tried:
            continue  # the small cases are all there are
        cases, budget = solved(question, source), _Budget(TRY)
        for case, expected in cases:
            if budget.is_spent():
                return Outcome(None, tried, False)
            tried += 1
            failure = question.judge(student, case, expected)
            if failure is not None:
                if source != "small" and question.cases is not None and failure.error is None:
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

    with suppress(_Wrong, _Enough):
        answered()
    return smallest


def _with_name(failure, student):
    """The failure with its bug, if the student's answers are those of a known one; else that of the comparison."""
    question = failure.question
    if not question.bugs or failure.unanswered:
        return failure
    others = solved(question, ("graded", PUBLIC_SEED)) + solved(question, ("drawn", PUBLIC_SEED))
    budget, tried = _Budget(NAME), [(failure.case, failure.expected, failure.error or failure.given)]
    for case, expected in others[:TRIED_FOR_A_NAME]:
        if budget.is_spent():
            break
        try:
            tried.append((case, expected, question.ask(student, question.name, case)))
        except StudentError as error:
            tried.append((case, expected, error))
    return failure._replace(bug=named_bug(question, tried) or failure.bug)
