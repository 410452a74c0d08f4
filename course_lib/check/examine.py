"""Looking for the smallest case that a student's answer gets wrong, and for a name for the mistake."""

import time
from contextlib import suppress
from itertools import takewhile
from random import Random
from typing import NamedTuple

from course_lib.check.mistakes import asked, named_bug, with_bug
from course_lib.check.question import PUBLIC_SEED, Failure, drawn_solved, small_solved, with_hypothesis

TRY, SHRINK, NAME = 0.8, 0.4, 0.3
"""Seconds of work to look for a wrong answer among the small cases and again among the drawn ones, to make its case
smaller, and to find a name for the mistake."""
PATIENCE = 1.5
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
    tried, complete = 0, True
    for is_drawn in (False, True):
        if is_drawn and question.cases is None and tried:
            continue  # the small cases are all there are
        cases = drawn_solved(question, PUBLIC_SEED) if is_drawn else small_solved(question)
        budget = _Budget(TRY)
        for case, expected in cases:
            if budget.is_spent():
                complete = False
                break
            tried += 1
            failure = question.judge(student, case, expected)
            if failure is not None:
                if is_drawn and question.cases is not None and failure.error is None:
                    failure = _shrunk(question, student) or failure
                return Outcome(_with_name(failure, student), tried, True)
    return Outcome(None, tried, complete)


def _clock_of_work():
    """The clock that counts this thread's work; where there are no threads, as in a browser, that of the process."""
    return getattr(time, "thread_time", time.process_time)()


class _Budget:
    """So many seconds of work."""

    def __init__(self, seconds):
        self._work, self._clock = _clock_of_work() + seconds, time.perf_counter() + PATIENCE

    def is_spent(self):
        return _clock_of_work() > self._work or time.perf_counter() > self._clock


class _Wrong(Exception):
    """For Hypothesis: this case is answered wrongly."""


class _Enough(BaseException):
    """Ends Hypothesis at once."""


def _shrunk(question, student):
    """The failure on the smallest case that Hypothesis finds in time."""
    from hypothesis import Phase, errors  # late: it takes long to load

    budget, smallest = _Budget(SHRINK), None

    def answered(case):
        nonlocal smallest
        if budget.is_spent():
            raise _Enough
        failure = question.judge(student, case, question.expected(case))
        if failure is not None:
            smallest = failure
            raise _Wrong

    with suppress(_Wrong, _Enough, errors.Flaky):  # flaky: what is kept between calls changes the answer
        with_hypothesis(question.cases, answered, PUBLIC_SEED, question.visible, Phase.generate, Phase.shrink)
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
    return with_bug(failure, named_bug(question, tried))
