"""Looking for the smallest case that an answer gets wrong, and for the name of the mistake."""

import time
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from course_lib.check.asking import Student, answer_or_error
from course_lib.check.judging import Failure, judge
from course_lib.check.naming import named, telling_rows
from course_lib.check.tables import Table

TRY, NAME = 0.8, 0.3
"""Seconds of CPU time to look for a wrong answer among the small cases, and again among those drawn at random; and to
ask for more answers that a name can be found from."""
PATIENCE = 6
"""Seconds of wall time after which no further case is tried, as code that sleeps uses no CPU time. On a computer with
much else to do, code still has the CPU time above if it gets a seventh of a processor."""


class Outcome(NamedTuple):
    """The `Failure` or None, how many cases were tried, and whether that was all of them."""

    failure: Failure | None
    tried: int
    complete: bool


def limit(seconds: float) -> Callable[[], bool]:
    """A function that says whether this much CPU time, or `PATIENCE`, has passed since the call."""
    cpu_time = getattr(time, "thread_time", time.process_time)  # of the process in a browser, which has no threads
    cpu, wall = cpu_time() + seconds, time.perf_counter() + PATIENCE
    return lambda: cpu_time() > cpu or time.perf_counter() > wall


def examine(table: Table, student: Student, student_id: str = "") -> Outcome:
    """Try the rows in their order, smallest first, as far as there is time: first the small ones, then those drawn."""
    if table.personal:
        return Outcome(judge(table, student, table.own_row(student_id)), 1, True)
    tried, complete = 0, True
    for numbers in (range(table.drawn), range(table.drawn, len(table))):
        is_over = limit(TRY)
        for number in numbers:
            if is_over():
                complete = False
                break
            tried += 1
            failure = judge(table, student, table.row(number))
            if failure is not None:
                return Outcome(with_name(failure, student, number), tried, True)
    return Outcome(None, tried, complete)


def with_name(failure: Failure, student: Student, first: int, is_over: Callable[[], bool] | None = None) -> Failure:
    """The failure with the known mistake that explains the answers to the row `first`, and to others.

    First come the rows that tell known mistakes apart, then others at random, until `is_over()`; by default this is
    after the seconds of `NAME`.
    """
    table = failure.table
    if failure.unanswered or (not table.mistakes and failure.mistake is None):
        return failure
    is_over, answers = is_over or limit(NAME), []
    others = Random(table.identifier).sample(range(len(table)), len(table))
    for number in dict.fromkeys([first, *telling_rows(table), *others]):
        if is_over():
            break
        known = failure.error is None and table.row(number) is failure.row
        given = failure.given if known else answer_or_error(table, student, table.row(number).case)
        answers.append((number, given))
    return named(failure, answers)
