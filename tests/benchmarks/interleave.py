"""Measuring contenders side by side: every one once in each round, so that a slow moment hits them all."""

import gc
from collections.abc import Callable
from time import process_time
from typing import NamedTuple


def milliseconds(seconds):
    return f"{seconds * 1e3:.1f} ms"


def a_second(count, of):
    """How to show a time in which so many were done: as a rate."""
    return lambda seconds: f"{count / seconds:,.0f} {of} a second"


class Row(NamedTuple):
    """One line of CONTRIBUTING.md's table: what was done, what it is compared with, and both seconds by round."""

    what: str
    other: str
    ours: list
    theirs: list
    show: Callable = milliseconds


def rows_of(what, times, show=milliseconds):
    """A row for each contender but the first, which is ours."""
    (_, ours), *others = times.items()
    return [Row(what, other, ours, theirs, show) for other, theirs in others]


def interleave(contenders, rounds):
    """The CPU seconds of each contender in each round, by name; one more round before them warms up."""
    times = {name: [] for name in contenders}
    for _ in range(rounds + 1):
        for name, run in contenders.items():
            gc.collect()
            start = process_time()
            run()
            times[name].append(process_time() - start)
    return {name: seconds[1:] for name, seconds in times.items()}
