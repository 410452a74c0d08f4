"""A limit on the time that student code may take, on any system: Windows has no alarm signal."""

import contextlib
import os
import signal
import sys
import threading
import time
from math import inf
from pathlib import Path
from traceback import walk_stack
from typing import Any

EVERY = 0.05
"""Seconds between two looks at the time, and until code that catches the exception is interrupted again."""
SLOWER = 3
"""How many seconds of wall time a browser, which does not tell the CPU time, gives for one of CPU time."""
LIBRARIES = str(Path(contextlib.__file__).parent), str(Path(__file__).with_name("check"))
NEVER_IN = "<frozen importlib._bootstrap>", __file__
"""Files in which nothing is interrupted: an import would leave half a module, this one a limit that never ends."""


class TooLong(BaseException):
    """Raised in the code that takes too long; not an `Exception`, so that `except Exception` does not stop it."""


def time_limit(seconds: float, cpu: float = inf) -> Any:
    """A context manager that raises `TooLong` in its block after `seconds` of wall time, or `cpu` of CPU time.

    `TooLong` is raised again until the block is left; in the main thread it also ends calls like `time.sleep`. An
    import is never stopped half way. One call of C code that never ends, such as `sum(itertools.count())`, cannot be
    stopped. In other threads than the main one there is no limit; in a browser, which has no threads, calls that wait
    are not ended either.
    """
    if sys.platform == "emscripten":
        return _ByMonitoring(min(seconds, SLOWER * cpu), inf)
    if threading.current_thread() is not threading.main_thread():
        return contextlib.nullcontext()
    return _BySignal(seconds, cpu)


class _Limit:
    def __init__(self, seconds, cpu):
        self.seconds, self.cpu, self.stopped = seconds, cpu, False

    def __enter__(self):
        self.wall_end, self.cpu_end = time.perf_counter() + self.seconds, time.process_time() + self.cpu

    def is_over(self):
        return time.perf_counter() > self.wall_end or time.process_time() > self.cpu_end

    def stop(self, frame):
        """Raise `TooLong`, unless this frame, or one that has called it, is one in which nothing is interrupted."""
        if not any(caller.f_code.co_filename in NEVER_IN for caller, _ in walk_stack(frame)):
            self.stopped = True
            raise TooLong

    def __exit__(self, kind, error, trace):
        if self.stopped and isinstance(error, Exception):  # it may come of being stopped, in code that expects no such
            raise TooLong from error


class _BySignal(_Limit):
    """A second thread sends interrupts, which also wake what waits."""

    def __enter__(self):
        super().__enter__()
        self.over, self.sending, self.sent = threading.Event(), threading.Lock(), False
        self.before = signal.signal(signal.SIGINT, self._arrived)
        threading.Thread(target=self._watch, daemon=True, name="time limit").start()

    def _watch(self):
        while not self.over.wait(EVERY):
            with self.sending:
                if self.is_over() and not self.over.is_set():
                    self.sent = True
                    _interrupt()

    def _arrived(self, number, frame):
        if not self.sent:
            raise KeyboardInterrupt  # it was the user
        self.sent = False
        if not self.over.is_set():
            self.stop(frame)

    def __exit__(self, kind, error, trace):
        with self.sending:
            self.over.set()
        for _ in range(100):  # enough for an interrupt that is on its way to arrive
            pass
        signal.signal(signal.SIGINT, self.before or signal.SIG_DFL)
        super().__exit__(kind, error, trace)


def _interrupt():
    if os.name == "nt":
        signal.raise_signal(signal.SIGINT)  # on Windows this wakes the main thread
    else:
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)


class _ByMonitoring(_Limit):
    """Looks at the clock when code jumps and when a function begins (Python 3.12 or newer); not inside libraries."""

    TOOLS = 5, 4, 3
    """Those of Python's six tool numbers that nobody uses: one for each limit inside another."""

    def __enter__(self):
        super().__enter__()
        monitoring = sys.monitoring
        self.tool = next(tool for tool in self.TOOLS if monitoring.get_tool(tool) is None)
        monitoring.use_tool_id(self.tool, "time limit")
        for event in (monitoring.events.JUMP, monitoring.events.PY_START):
            monitoring.register_callback(self.tool, event, self._look)
        monitoring.set_events(self.tool, monitoring.events.JUMP | monitoring.events.PY_START)

    def _look(self, code, *_):
        if code.co_filename.startswith(LIBRARIES):
            return sys.monitoring.DISABLE
        if self.is_over():
            self.stop(sys._getframe(1))

    def __exit__(self, kind, error, trace):
        sys.monitoring.set_events(self.tool, 0)
        sys.monitoring.free_tool_id(self.tool)
        super().__exit__(kind, error, trace)
