"""A limit on the time that student code may take, on any system: Windows has no alarm signal."""

import contextlib
import ctypes
import signal
import sys
import threading
from contextlib import contextmanager
from math import inf
from pathlib import Path
from time import perf_counter, process_time

EVERY = 0.05
"""So many seconds are between two looks at the time, and until code that catches the exception is interrupted again."""


class TooLong(BaseException):
    """Raised in the code that takes too long; no `Exception`, so that `except Exception` does not stop it."""


def time_limit(seconds, work=inf):
    """Raise `TooLong` in what this thread does after so many seconds, and again until the block is left.

    It is raised after so many seconds of `work` too, which a busy machine needs more time for.
    That ends Python code anywhere, and in the main thread calls that wait, such as `time.sleep`. One call of C code
    that works without end, such as `sum(itertools.count())`, lets no other thread run: nothing here can stop it.
    In a browser, where there are no threads, calls that wait are not ended either.
    """
    return (ByLooking if sys.platform == "emscripten" else by_thread)(seconds, work)


class ByLooking:
    """Looks at the clock wherever code jumps and wherever a function begins (Python 3.12 or newer).

    It does not look in installed packages: they end, what ends the block must not be stopped, and they stay fast.
    """

    TOOLS = 5, 4, 3
    """Those of Python's six numbers for tools of monitoring that are nobody's: one for each limit inside another."""
    INSTALLED = str(Path(contextlib.__file__).parent), str(Path(__file__).parents[1])

    def __init__(self, seconds, work):
        self.seconds, self.sent = min(seconds, work), False  # there is one clock only

    def __enter__(self):
        from sys import monitoring

        self.end = perf_counter() + self.seconds
        self.tool = next(tool for tool in self.TOOLS if monitoring.get_tool(tool) is None)
        monitoring.use_tool_id(self.tool, "time limit")
        for event in (monitoring.events.JUMP, monitoring.events.PY_START):
            monitoring.register_callback(self.tool, event, self.look)
        monitoring.set_events(self.tool, monitoring.events.JUMP | monitoring.events.PY_START)

    def look(self, code, *_):
        if code.co_filename.startswith(self.INSTALLED):
            return sys.monitoring.DISABLE
        if perf_counter() > self.end:
            self.sent = True
            raise TooLong

    def __exit__(self, kind, error, trace):
        sys.monitoring.set_events(self.tool, 0)
        sys.monitoring.free_tool_id(self.tool)
        if self.sent and isinstance(error, Exception):  # it may come of being stopped, as below
            raise TooLong from error


@contextmanager
def by_thread(seconds, work):
    """`time_limit` with a second thread that waits."""
    over, sending = threading.Event(), threading.Lock()
    clock, worked = perf_counter() + seconds, process_time() + work

    def watch():
        ended = False
        while not ended and perf_counter() < clock and process_time() < worked:
            ended = over.wait(EVERY)
        while not ended:
            with sending:
                if not over.is_set():
                    stop.send()
            ended = over.wait(EVERY)

    with _stop() as stop:
        try:
            threading.Thread(target=watch, daemon=True, name="time limit").start()
            yield
        except Exception as error:  # it may come of being stopped, in code that expects no such exception
            if stop.sent:
                raise TooLong from error
            raise
        finally:
            while not _called_off(over, sending, stop):
                pass


def _called_off(over, sending, stop):
    """True when the watch has ended; False while something that it sent is on its way, or if it has just arrived."""
    try:
        with sending:
            over.set()
        for _ in range(100):  # enough for what is on its way to arrive
            pass
        return not stop.under_way
    except TooLong:
        return False


@contextmanager
def _stop():
    """A way to stop what this thread does: only the main thread can have a handler for interrupts."""
    if threading.current_thread() is not threading.main_thread():
        yield _ByException()
        return
    stop = _BySignal()
    before = signal.signal(signal.SIGINT, stop.arrived)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)


class _BySignal:
    """Sends interrupts, which also wake what waits. The next one is sent when the last has arrived."""

    under_way = sent = False

    def send(self):
        if not self.under_way:
            self.under_way = self.sent = True
            if hasattr(signal, "pthread_kill"):
                signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            else:
                signal.raise_signal(signal.SIGINT)  # on Windows this wakes the main thread

    def arrived(self, number, frame):
        if not self.under_way:
            raise KeyboardInterrupt  # it was the user
        self.under_way = False
        raise TooLong


class _ByException:
    """Raises the exception from outside, where Python code runs.

    It is never taken back: to do so, by sending None, would leave Python 3.11 and 3.12 with a signal that they never
    clear, and profiled code, which `watch` needs, waits for that for ever.
    """

    under_way = sent = False

    def __init__(self):
        self.thread = threading.get_ident()

    def send(self):
        self.sent = True
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), ctypes.py_object(TooLong))
