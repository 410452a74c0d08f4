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
                    _raise_in(thread, ctypes.py_object(TooLong))
            ended = over.wait(EVERY)

    threading.Thread(target=watch, daemon=True, name="time limit").start()
    try:
        yield
    finally:
        _end(thread, over, sending)


def _end(thread, over, sending):
    """Call the watch off, and take back an exception that is on its way."""
    while True:
        try:
            with sending:
                over.set()
            return _raise_in(thread, None)
        except TooLong:
            continue


def _raise_in(thread, exception):
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), exception)
