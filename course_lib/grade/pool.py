"""Worker processes, and a bar that shows how far they are."""

import argparse
import os
import signal
import sys
import threading
import time
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from multiprocessing import active_children, get_all_start_methods, get_context, parent_process
from multiprocessing.connection import wait


class Pool:
    """Worker processes that are started again when one dies. `prepare()` is done first, once for all of them."""

    def __init__(self, workers, prepare=lambda: None):
        self.workers, self._prepare, self._pool, self.begun = workers, prepare, None, time.monotonic()

    def submit(self, *task):
        if self._pool is None:
            self._prepare()
            self._others = active_children()
            context = get_context("fork" if "fork" in get_all_start_methods() else None)
            self._pool = ProcessPoolExecutor(self.workers, context, _begin_worker)
        try:
            return self._pool.submit(*task)
        except BrokenExecutor as error:
            failed = Future()
            failed.set_exception(error)
            return failed

    def renew(self):
        """Forget a pool of which a worker died."""
        self._pool = None

    def end(self):
        """End the workers at once, whatever they do."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            for child in set(active_children()) - set(self._others):
                child.kill()


def _begin_worker():
    """A worker leaves Ctrl-C to the grader, and ends when the grader does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end_with_parent():
        wait([parent_process().sentinel])
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()


def show_progress(done, total, begun, marked):
    """A bar with the time left on a terminal; elsewhere a line for each tenth."""
    left = (time.monotonic() - begun) / marked * (total - done)
    bar = "█" * (30 * done // total)
    text = f"[{bar:30}] {done}/{total}, {int(left) // 60}:{int(left) % 60:02} left"
    if sys.stderr.isatty():
        print(f"\r{text} ", end="\n" if done == total else "", file=sys.stderr, flush=True)
    elif done == total or done * 10 // total > (done - 1) * 10 // total:
        print(text, file=sys.stderr, flush=True)


def positive(text):
    """A number of rounds, jobs or seconds that was typed on the command line."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, not {text}")
    return number


def add_jobs(parser):
    """The option that says how many workers there are."""
    parser.add_argument(
        "-j", dest="jobs", type=positive, metavar="N", help="so many at a time (default: one for each core)"
    )
