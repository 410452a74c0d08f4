"""The process that runs one student's code, and the pipe to it."""

import os
import select
import signal
import subprocess
import tempfile
import time
from contextlib import suppress

from instructor.grade.inside.protocol import LARGEST, Broken
from instructor.grade.sandbox import start_runner

MAX_SENT = 16 << 20
"""Bytes that the program may send for one question or cell; the busiest of the right answers need a tenth."""
PIECE = 4096
"""Bytes that a pipe on Linux takes at once when it is ready (PIPE_BUF)."""


class OutOfTime(Broken):
    """The student's code did not answer within its time; its process has been ended."""


def load_factor() -> float:
    """How many times slower than alone a program runs now, from 1 to 5: tasks that want to run for each core."""
    return min(5.0, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))


class Process:
    """A student's program; without a sandbox it has a temporary folder of its own."""

    def __init__(self, sandboxed: bool = True):
        self.folder = None if sandboxed else tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = start_runner(
            self.folder and self.folder.name, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, bufsize=0, start_new_session=True,
        )  # fmt: skip
        self.unread = bytearray()

    def allow(self, seconds: float) -> None:
        """Give it this many seconds from now, after which a wait for it ends it."""
        self.left, self.until = MAX_SENT, time.monotonic() + seconds

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def send(self, frame: bytes) -> None:
        pipe = self.process.stdin.fileno()
        try:
            while frame:
                self._wait([], [pipe])
                frame = frame[os.write(pipe, frame[:PIECE]) :]
        except OSError:
            raise Broken("the program has ended") from None

    def receive(self) -> bytes:
        size = int.from_bytes(self._read(4), "big")
        if size > LARGEST:
            raise Broken(f"a frame of more than {LARGEST:,} bytes")
        self.left -= size
        if self.left < 0:
            raise Broken(f"it sent more than {MAX_SENT:,} bytes")
        return self._read(size)

    def _read(self, size: int) -> bytes:
        """The next `size` bytes. What comes with them is kept for the next time."""
        pipe = self.process.stdout.fileno()
        while len(self.unread) < size:
            self._wait([pipe], [])
            chunk = os.read(pipe, 1 << 16)
            if not chunk:
                raise Broken("the program has ended")
            self.unread += chunk
        wanted = bytes(self.unread[:size])
        del self.unread[:size]
        return wanted

    def _wait(self, reading: list[int], writing: list[int]) -> None:
        """Wait until a pipe is ready; end the program if its time is over."""
        if not any(select.select(reading, writing, [], max(0, self.until - time.monotonic()))):
            self._kill()
            raise OutOfTime("no answer in time")

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the process and all that it started, and reap it."""
        self._kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        if self.folder is not None:
            self.folder.cleanup()
