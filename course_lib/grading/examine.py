"""Looking for the smallest case that a student's answer gets wrong, and for a name for the mistake."""

from contextlib import suppress
from itertools import chain, islice
from time import perf_counter
from typing import NamedTuple

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity, settings

from course_lib.grading.bugs import named_bug
from course_lib.grading.question import PUBLIC_SEED, Failure, StudentError

TRY, SHRINK, NAME = 1.2, 0.6, 0.4
"""Seconds to look for a wrong answer, to make its case smaller, and to find a name for the mistake."""
TRIED_FOR_A_NAME = 150


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
    end, tried = perf_counter() + TRY, 0
    drawn = (
        () if question.cases is None and question.small is not tuple else question.drawn(PUBLIC_SEED, question.visible)
    )
    for source in (question.small(), drawn):
        for case in source:
            if perf_counter() > end:
                return Outcome(None, tried, False)
            failure = question.judge(student, case, question.expected(case))
            tried += 1
            if failure is not None:
                if source is drawn and question.cases is not None and failure.error is None:
                    failure = _shrunk(question, student) or failure
                return Outcome(_with_name(failure, student), tried, True)
    return Outcome(None, tried, True)


class _Wrong(Exception):
    """For Hypothesis: this case is answered wrongly."""


class _Enough(BaseException):
    """Ends Hypothesis at once."""


def _shrunk(question, student):
    """The failure on the smallest case that Hypothesis finds in time."""
    end, smallest = perf_counter() + SHRINK, None

    @hypothesis.seed(PUBLIC_SEED)
    @settings(max_examples=question.visible, database=None, phases=[Phase.generate, Phase.shrink], deadline=None,
              verbosity=Verbosity.quiet, report_multiple_bugs=False, suppress_health_check=list(HealthCheck))  # fmt: skip
    @hypothesis.given(question.cases)
    def answered(case):
        nonlocal smallest
        if perf_counter() > end:
            raise _Enough
        failure = question.judge(student, case, question.expected(case))
        if failure is not None:
            smallest = failure
            raise _Wrong

    with suppress(_Wrong, _Enough):
        answered()
    return smallest


def _with_name(failure, student):
    """The failure with its bug, if the student's answers are those of a known one."""
    question = failure.question
    if failure.bug is not None or not question.bugs or _is_unanswered(failure):
        return failure
    end = perf_counter() + NAME
    tried = [(failure.case, failure.expected, failure.error or failure.given)]
    others = chain(*zip(question.small()[:TRIED_FOR_A_NAME], question.drawn(PUBLIC_SEED, TRIED_FOR_A_NAME)))
    for case in islice(others, TRIED_FOR_A_NAME):
        if perf_counter() > end:
            break
        try:
            tried.append((case, question.expected(case), question.ask(student, question.name, case)))
        except StudentError as error:
            tried.append((case, question.expected(case), error))
    return failure._replace(bug=named_bug(question, tried))


def _is_unanswered(failure):
    return failure.error is not None and failure.error.kind == StudentError.UNANSWERED
