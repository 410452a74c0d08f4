"""The processes that do the work, and what the commands that run students' code share."""

import argparse
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from math import inf
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait


@contextmanager
def executor(jobs: int | None = None) -> Iterator[Executor]:
    """An executor with a process for each job, as far as there are cores; at the end, unfinished work is dropped."""
    cores = os.cpu_count() or 1
    pool = ProcessPoolExecutor(min(jobs or cores, cores), get_context("fork"), _begin_worker)
    try:
        yield pool
    finally:
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()


def _begin_worker() -> None:
    """A worker leaves Ctrl-C to the grader, and ends when the grader does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def end_with_parent():
        wait([parent_process().sentinel])
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()


@contextmanager
def interruptible(words: str) -> Iterator[None]:
    """End the command with these words on Ctrl-C, and on a shutdown (SIGTERM), so that it leaves no temporary files."""

    def stop(*_):  # for SIGTERM, too: Python ends by SIGINT after a `KeyboardInterrupt` in an import that uses `exec`
        sys.exit(f"\ninterrupted; {words}")

    signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except KeyboardInterrupt:
        stop()


def progress(done: int, total: int) -> None:
    """Print a line for each tenth of the work."""
    if done * 10 // total > (done - 1) * 10 // total:
        with suppress(OSError):  # nobody reads it
            print(f"{done}/{total}", file=sys.stderr, flush=True)


def warn(text: str) -> None:
    """Print a warning."""
    with suppress(OSError):  # nobody reads it
        print(f"warning: {text}", file=sys.stderr, flush=True)


def number(text: str, largest: float = inf) -> float:
    """A number above 0 that was typed on the command line."""
    if not re.fullmatch(r"\d{1,9}(\.\d{1,9})?", text, re.ASCII) or not 0 < float(text) <= largest:
        most = "" if largest == inf else f" and at most {largest:g}"
        raise argparse.ArgumentTypeError(f"must be a number above 0{most}, not {text}")
    return float(text)


def positive(text: str) -> int:
    """A number of rounds, jobs or seconds that was typed on the command line."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, not {text}")
    return int(text)


def add_shared_arguments(parser: argparse.ArgumentParser, submissions: str) -> None:
    """The arguments of every command that runs students' code; `submissions` says what these may be."""
    add = parser.add_argument
    add("submissions", help=submissions)
    add("--out", required=True, metavar="RESULTS", help="the folder for the results")
    add("-j", dest="jobs", type=positive, metavar="N",
        help="the number of parallel jobs (default, and at most: one for each core)")  # fmt: skip
    add("--roster", metavar="CSV", help="the students with all their names; see GRADING.md")
    add("--no-sandbox", dest="sandboxed", action="store_false",
        help="run students' code unprotected, if bubblewrap is missing")  # fmt: skip
