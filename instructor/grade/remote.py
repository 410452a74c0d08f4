"""A student whose code runs in a process of its own: the pipe to it, the time that it may take, and what it answers."""

import os
import pickle
import re
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Any

from course_lib.check.examine import Student
from course_lib.check.failures import StudentError, no_answer, student_error
from course_lib.check.graded import plain
from course_lib.check.tables import Row
from course_lib.language import N_, gettext, translated
from instructor.grade.inside.protocol import LARGEST, Broken, RemoteError, decode
from instructor.grade.sandbox import start_runner

MAX_SENT = 16 << 20
"""Bytes that the program may send for one question or cell; the busiest of the right answers need a tenth."""
TICK = 0.1
"""Seconds between two looks at the CPU time."""
WALL = 10
"""The limit of wall-clock time, as a multiple of the limit of CPU time: only a program that sleeps needs it. A pause
between two looks counts as one `TICK`, so a machine that is too busy to look, or asleep, does not use it up."""
NEEDS_IPYTHON = re.compile(
    r"^[ \t]*[%!]|\A\s*^[ \t]"  # a magic or a shell command; a cell that is indented
    r"|\b(?:asyncio|display|exit|get_ipython|inspect|In|IPython|ipywidgets|matplotlib|Out|pylab|quit|__future__)\b"
    r"|(?<!\w)_(?:\w?h|i*\d*|_*)(?!\w)(?!\s*(?:[,:)]|=[^=]|in\b))",  # `_`, `_2`, `_i3` …, unless they are assigned
    re.M,
)
"""What only IPython has, or does otherwise, in a cell that is plain Python. Other cells need it too."""
RESTARTS = 4
"""How often a program is started again because one of its cells ended it; then the other cells are not run."""
MAX_IGNORED = 10
"""The most lines of a cell that are noted because they did nothing."""
CELLS = 3
"""All cells together may take this many times as long as one question."""


class OutOfTime(Broken):
    """The student's code did not answer within its time; its process has been ended."""


def cpu_seconds(pid: int) -> float:
    """The CPU time of a process, of all below it, and of those that these waited for; 0 where there is no /proc."""
    ticks, pids = 0, [pid]
    for below in pids:  # which grows
        with suppress(OSError):  # it has just ended
            ticks += sum(map(int, Path(f"/proc/{below}/stat").read_bytes().rpartition(b")")[2].split()[11:15]))
            pids += [
                int(n) for path in Path(f"/proc/{below}/task").glob("*/children") for n in path.read_text().split()
            ]
    return ticks / os.sysconf("SC_CLK_TCK")


def pickled(rows: Mapping[str, Iterable[Row]]) -> bytes:
    """The cases of these rows, by key, as the program keeps them to be asked."""
    return pickle.dumps({key: [(abs(row.number) + 1, row.case) for row in some] for key, some in rows.items()})


class Grader:
    """The grader's end of the pipe to a student's program.

    Without a sandbox the program has a temporary folder of its own.
    """

    def __init__(self, sandboxed: bool = True):
        self.folder = None if sandboxed else tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = start_runner(
            self.folder and self.folder.name, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, bufsize=0, start_new_session=True,
        )  # fmt: skip
        os.set_blocking(self.process.stdin.fileno(), False)
        self.unread = b""

    def call(self, method: str, *arguments: Any) -> Any:
        """The answer of the program's method; what it raises arrives as `RemoteError`.

        A ticket cannot be predicted, and only an answer with it is accepted: one that student code writes to the pipe
        never passes for the answer to a later call.
        """
        ticket = os.urandom(8).hex()
        self.send((ticket, method, arguments))
        match decode(self.receive()):
            case [given, answer] if given == ticket:
                return answer
            case [given, str(kind), str(message), str(line)] if given == ticket:
                raise RemoteError(kind[:500], message[:500], line[:500])
        raise Broken("a line that does not answer the call")

    def allow(self, seconds: float) -> None:
        """Allow the program and all that it starts this much CPU time, in seconds; then the next wait ends it."""
        self.left, self.seconds, self.used, self.before = MAX_SENT, seconds, 0.0, None
        self.looks, self.looked = 0, time.monotonic()

    def allow_more(self, seconds: float) -> None:
        """Give the program this many seconds beyond what it has used, so that the time of many short calls adds up."""
        self.left, self.seconds = MAX_SENT, self.used + seconds

    def send(self, message: Any) -> None:
        pipe, content = self.process.stdin.fileno(), memoryview(pickle.dumps(message))
        while content:
            try:
                content = content[os.write(pipe, content) :]
            except BlockingIOError:
                self._wait([], [pipe])
            except OSError:
                raise Broken("the program has ended") from None

    def receive(self) -> bytes:
        pipe = self.process.stdout.fileno()
        while b"\n" not in self.unread:
            self._wait([pipe], [])
            chunk = os.read(pipe, 1 << 16)
            self.unread, self.left = self.unread + chunk, self.left - len(chunk)
            if not chunk:
                raise Broken("the program has ended")
            if len(self.unread) > LARGEST + 1:
                raise Broken(f"a line of more than {LARGEST:,} bytes")
            if self.left < 0:
                raise Broken(f"it sent more than {MAX_SENT:,} bytes")
        line, _, self.unread = self.unread.partition(b"\n")
        return line

    def _wait(self, reading: list[int], writing: list[int]) -> None:
        """Wait until a pipe is ready; end the program if its time is over.

        The CPU time is first read when the program has run for a moment; the time that it used before does not count.
        """
        ready = False
        while not ready:
            ready = any(select.select(reading, writing, [], TICK))
            now = time.monotonic()
            if now - self.looked >= TICK:
                self.looks, self.looked, cpu = self.looks + 1, now, cpu_seconds(self.process.pid)
                self.before = cpu if self.before is None else self.before
                self.used = max(self.used, cpu - self.before, self.looks * TICK / WALL)
            if self.used > self.seconds:
                self._kill()
                raise OutOfTime("no answer in time")

    def branch(self) -> None:
        """Have the program continue in a copy of what it was after the cells; `Broken` if it does not."""
        self.send("branch")
        if decode(self.receive()) != ["branched"]:
            raise Broken("a program other than the copy answers")

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


class RemoteStudent(Student):
    """Runs the cells of one notebook, and answers a question's `ask` and `read`; every failure is a `StudentError`.

    `begin(seconds)` comes before each question: it starts the program again if the last question, or a cell, ended it.
    `personal` holds what the notebook's `personal_tree` returns, by question, and `public` the `pickled` cases that the
    program keeps. `faults` explains each failed cell, by number.
    """

    def __init__(self, cells: list[str], seconds: float, personal: Mapping[str, Any] = {}, sandboxed: bool = True,
                 public: bytes = b""):  # fmt: skip
        self.cells, self.seconds, self.personal, self.sandboxed = cells, seconds, personal, sandboxed
        self.public, self.seed, self.case = public, 0, ()
        self.faults, self.ignored, self.process, self.ended = {}, {}, None, None
        self.fatal, self.cell_time = set(), CELLS * seconds

    def begin(self, seconds: float, apart: bool = True) -> None:
        """Run the cells, if the program is not running, and give the next question this many seconds of CPU time.

        With `apart`, the question runs in a copy of the program, whose changes no later question sees.
        """
        self.ended, self.limit = None, seconds
        for _ in range(2):  # once more if the program does not answer
            while self.process is None:
                self._start()
            self.process.allow(seconds)
            try:
                if apart:
                    self.process.branch()
                return
            except Broken:
                self.close()
        self.ended = no_answer("silent")

    @property
    def used(self) -> float:
        """Seconds of CPU time since the question began; without end if the program has ended."""
        return inf if self.process is None else self.process.used

    def _start(self) -> None:
        """Start the program and run its cells, but for those that ended it before."""
        self.process = Grader(self.sandboxed)
        self.process.allow(60)
        try:
            self.process.call("begin", self.personal, any(map(NEEDS_IPYTHON.search, self.cells)))
            if self.public:
                self.process.call("keep", self.public)
        except Broken as broken:
            self.close()
            raise OSError(f"the sandbox did not start: {broken}") from None
        for number, source in enumerate(self.cells, start=1):
            if number not in self.fatal:
                self._run(number, source)
            if self.process is None:
                return

    def _run(self, number: int, source: str) -> None:
        """Run one cell. A cell that ends the program is left out when the cells are run again."""
        if self.cell_time <= 0 or len(self.fatal) > RESTARTS:
            self.faults[number] = gettext("not run: earlier cells took too long or ended the program too often")
            return
        process, used = self.process, self.process.used
        process.allow_more(min(self.seconds, self.cell_time))
        try:
            ignored = process.call("run", number, source)
            if isinstance(ignored, list):
                self.ignored |= dict.fromkeys(filter(None, map(self._own_line, map(str, ignored[:MAX_IGNORED]))))
        except RemoteError as error:
            line = self._own_line(error.line, number)
            said = f"{error.kind}: {translated(error.message)}".removesuffix(": ")
            self.faults[number] = one_line(f"{said} ({line})" if line else said)
        except Broken as broken:
            late = isinstance(broken, OutOfTime)
            words = N_("stopped: it took too long") if late else N_("it ended the program ({broken})")
            self.faults[number] = gettext(words, broken=translated(str(broken)))
            self.fatal.add(number)
            self.close()
        self.cell_time -= process.used - used

    def _own_line(self, place: str, named: int = 0) -> str:
        """A place such as "cell 1, line 5" with that line of the notebook, without a cell that is `named` already.

        It is "" if there is no such line. Results never quote the name of a student, who may be anonymous.
        """
        found = re.fullmatch(r"cell (\d{1,6}), line (\d{1,6})", place, re.ASCII)
        cell, line = map(int, found.groups()) if found else (0, 0)
        lines = _lines(self.cells[cell - 1]) if 0 < cell <= len(self.cells) else []
        if not 0 < line <= len(lines):
            return ""
        words = N_("line {line}: {code}") if cell == named else N_("cell {cell}, line {line}: {code}")
        code = re.sub(r"\bstudent\(.*", "student(…)", one_line(lines[line - 1]))
        return gettext(words, cell=cell, line=line, code=code)

    def ask(self, way: str, name: str, *arguments: Any) -> Any:
        self.seed += 1
        return self._explained(name, lambda: self.process.call("ask", way, name, arguments, self.seed))

    def read(self, name: str) -> Any:
        return self._explained(name, lambda: self.process.call("read", name))

    def keep(self, cases: bytes) -> None:
        """Have the program keep more `pickled` cases, until this question ends. `Broken` if it does not."""
        self.process.call("keep", cases)

    def ask_each(self, way: str, name: str, key: str, begin: int, end: int) -> list:
        """What the function returns for these kept cases, or a `StudentError`, as far as there is time.

        `Broken` or `RemoteError` if the program does not answer as it should.
        """
        outcomes = self.process.call("ask_each", way, name, key, begin, end)
        if not isinstance(outcomes, list) or not outcomes:
            raise Broken("a line without outcomes")
        return [self._outcome(outcome, name) for outcome in outcomes]

    def _outcome(self, outcome: Any, name: str) -> Any:
        match outcome:
            case [answer]:
                return plain(answer)
            case [str(kind), str(message), str(line)]:
                return self._student_error(RemoteError(kind, message, line), name)
        raise Broken("an outcome that is none")

    def _explained(self, name: str, get: Callable) -> Any:
        """What `get()` returns, as plain data; an exception as a `StudentError`."""
        if self.ended:
            raise self.ended
        try:
            return plain(get())
        except RemoteError as error:
            raise self._student_error(error, name) from error
        except OutOfTime:
            self.ended = no_answer("time", self.limit)
        except Broken as broken:
            self.ended = no_answer("ended", broken)
        except ValueError as error:
            self.ended = no_answer("not plain", error)
        self.close()
        raise self.ended

    def _student_error(self, error: RemoteError, name: str) -> StudentError:
        """What the exception in the student's code says about the answer."""
        if error.kind == "Undefined":
            return no_answer("unanswered", self._why_undefined(name))
        return student_error(one_line(error.kind), one_line(error.message), self._own_line(error.line))

    def _why_undefined(self, name: str) -> str:
        """Not answered; and if a cell failed, that may be why."""
        begins = re.compile(rf"^(?:def |class |){re.escape(name)}\b", re.M)
        for number in sorted(self.faults, key=lambda n: not begins.search(self.cells[n - 1])):
            words = N_("not answered: {name} is not defined. Code cell {number} failed: {fault}")
            return gettext(words, name=name, number=number, fault=self.faults[number])
        return gettext("not answered yet: there is no {name}", name=name)

    def close(self) -> None:
        """End the program."""
        if self.process is not None:
            self.process.close()
        self.process = None


_lines = lru_cache(maxsize=9)(str.splitlines)


def one_line(text: str, longest: int = 600) -> str:
    """Text on one line, cut short, without characters that move a terminal's cursor or reverse the text's direction."""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in text[: 9 * longest]).split())
    return text if len(text) <= longest else text[: longest - 1] + "…"
