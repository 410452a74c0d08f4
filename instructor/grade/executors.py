"""Where grading is done: in processes of this machine or on a Dask cluster; and a bar that shows how far it is."""

import argparse
import os
import signal
import sys
import threading
import time
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import active_children, get_all_start_methods, get_context, parent_process
from multiprocessing.connection import wait

ANSWER, BACK = 10, 20
"""Seconds that a scheduler has to answer at first, and that a lost connection to it has to come back."""


class Pool:
    """Worker processes of this machine, by default one for each core. If one dies, the next task starts new ones."""

    def __init__(self, workers=None):
        self.workers, self._others = workers or os.cpu_count() or 1, active_children()
        self._pool = self._new()

    def _new(self):
        context = get_context("fork" if "fork" in get_all_start_methods() else None)
        return ProcessPoolExecutor(self.workers, context, _begin_worker)

    def submit(self, *task):
        """The future of a task; it raises `BrokenExecutor` if any of the workers dies."""
        try:
            return self._pool.submit(*task)
        except BrokenExecutor:
            self._pool = self._new()
            return self._pool.submit(*task)

    def ask(self, function):
        """What `function()` returns on a machine that does the work."""
        return function()

    def check(self):
        """Raise `OSError` if no task will be done any more: never, here."""

    def end(self):
        """End the workers at once, whatever they do."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for child in set(active_children()) - set(self._others):
            child.kill()


def end_in_order_when_told():
    """A shutdown (SIGTERM) ends the command as Ctrl-C does, so that it leaves no temporary files."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def _begin_worker():
    """A worker leaves Ctrl-C to the grader, and ends when the grader does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def end_with_parent():
        wait([parent_process().sentinel])
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()


class Cluster:
    """The workers of the Dask scheduler at `address`, used like a `Pool`; the cluster replaces those that die.

    If no scheduler answers, `ValueError` says so; if it goes away later, its tasks are cancelled, and `check` raises
    `OSError`.
    """

    def __init__(self, address):
        try:
            from distributed import Client
        except ImportError:
            raise ValueError('--scheduler needs Dask: run `pip install -e ".[cluster]"`') from None
        try:
            self.client = Client(address, timeout=ANSWER, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ValueError(f"no Dask scheduler answers at {address}: {error}") from None
        self.address, self.executor = address, self.client.get_executor(pure=False)
        self.workers = max(1, sum(self.client.nthreads().values()))

    def submit(self, *task):
        try:
            return self.executor.submit(*task)
        except Exception:
            self.check()  # the better message, if the scheduler is the reason
            raise

    def ask(self, function):
        return self.submit(function).result()

    def check(self):
        """Raise `OSError` if the scheduler is gone, and does not come back soon."""
        until = time.monotonic() + BACK
        while self.client.status == "connecting" and time.monotonic() < until:
            time.sleep(0.1)
        if self.client.status != "running":
            raise OSError(f"the Dask scheduler at {self.address} is gone. What was marked is kept: start the "
                          f"scheduler again, or leave out --scheduler, and give the same command")  # fmt: skip

    def end(self):
        """Leave the cluster; what its workers still do is dropped."""
        with suppress(OSError):
            self.client.close(timeout=2)


def show_progress(done, total, begun, marked):
    """A bar with the time left on a terminal; elsewhere a line for each tenth, if somebody reads it."""
    if sys.stderr is not None:
        with suppress(OSError):
            _show_progress(done, total, begun, marked)


def _show_progress(done, total, begun, marked):
    left = int((time.monotonic() - begun) / marked * (total - done))
    text = f"[{'█' * (30 * done // total):30}] {done}/{total}, {left // 60}:{left % 60:02} left"
    if sys.stderr.isatty():
        print(f"\r{text} ", end="\n" if done == total else "", file=sys.stderr, flush=True)
    elif done * 10 // total > (done - 1) * 10 // total:
        print(text, file=sys.stderr, flush=True)


def positive(text):
    """A number of rounds, jobs or seconds that was typed on the command line."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, not {text}")
    return number


def add_shared_arguments(parser, submissions):
    """The arguments of every command that runs students' code; `submissions` says what these may be."""
    add = parser.add_argument
    add("submissions", help=submissions)
    add("--out", required=True, metavar="RESULTS", help="the folder for the results")
    add("-j", dest="jobs", type=positive, metavar="N", help="so many at a time (default: one for each core)")
    add("--roster", metavar="CSV", help="the students by the names that files may have; see GRADING.md")
    add("--no-sandbox", dest="sandboxed", action="store_false",
        help="run students' code unprotected, where bubblewrap is missing")  # fmt: skip
