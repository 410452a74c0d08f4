"""Looking for the smallest case that a student's answer gets wrong, and for a name for the mistake."""

import time
from itertools import takewhile
from random import Random
from typing import NamedTuple

from course_lib.check.mistakes import asked, named_bug, with_bug
from course_lib.check.question import PUBLIC_SEED, Failure, drawn_solved, small_solved

TRY, SHRINK, NAME = 0.8, 0.4, 0.3
"""Seconds of work to look for a wrong answer among the small cases and again among the drawn ones, to find a smaller
case, and to find a name for the mistake."""
MOST = 5000
"""So many cases are drawn to find a smaller one."""
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
    for is_drawn in (False, True) if question.cases is not None else (True,):
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
                    failure = _smallest(question, student, failure)
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


def _smallest(question, student, failure):
    """The failure on the case of the shortest text, of those that can be drawn in time and are answered wrongly."""
    budget, least = _Budget(SHRINK), _length(failure.case)
    for number in takewhile(lambda _: not budget.is_spent(), range(MOST)):
        case = question.drawn_at(PUBLIC_SEED, number)
        if _length(case) < least:
            failure = question.judge(student, case, question.expected(case)) or failure
            least = _length(failure.case)
    return failure


def _length(case):
    text = repr(case)
    return len(text), text


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
