"""A limit on the time that student code may take, on any system: Windows has no alarm signal."""

import ctypes
import threading
from contextlib import contextmanager

EVERY = 0.05
"""Code that catches the exception is interrupted again after so many seconds."""


class TooLong(BaseException):
    """Raised in the code that takes too long; no `Exception`, so that `except Exception` does not stop it."""


@contextmanager
def time_limit(seconds):
    """Raise `TooLong` in what this thread does after so many seconds, and again until the block is left."""
    thread, over, sending = threading.get_ident(), threading.Event(), threading.Lock()

    def watch():
        ended = over.wait(seconds)
        while not ended:
            with sending:
                if not over.is_set():
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TooLong))
            ended = over.wait(EVERY)

    threading.Thread(target=watch, daemon=True, name="time limit").start()
    try:
        yield
    finally:
        while not _called_off(over, sending):
            pass


def _called_off(over, sending):
    """True when the watch has ended; False if an exception that was on its way has arrived meanwhile.

    To take it back, by sending None, would leave Python 3.11 and 3.12 with a signal that they never clear, and profiled
    code, which `watch` needs, waits for that for ever.
    """
    try:
        with sending:
            over.set()
        for _ in range(100):  # enough for what is on its way to arrive
            pass
    except TooLong:
        return False
    return True
