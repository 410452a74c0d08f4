"""A student whose code runs in a process of its own, for questions to ask: see `RemoteStudent`."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from math import inf
from typing import Any

from course_lib.check.failures import StudentError, no_answer, student_error
from course_lib.check.graded import plain
from course_lib.check.tables import Table
from instructor.grade.inside.protocol import Broken, NotPlain, RemoteError
from instructor.grade.process import Block, Grader, OutOfTime, PublicCases

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


class RemoteStudent:
    """Runs the cells of one notebook, and answers a question's `call` and `read`; every failure is a `StudentError`.

    `begin(seconds)` comes before each question: it starts the program again if the last question, or a cell, ended it.
    `personal` holds what the notebook's `personal_tree` returns, by question. `faults` explains each failed cell, by
    number.
    """

    case: tuple

    def __init__(self, cells: list[str], seconds: float, personal: Mapping[str, Any] = {}, sandboxed: bool = True,
                 public: PublicCases | None = None):  # fmt: skip
        self.cells, self.seconds, self.personal, self.sandboxed = cells, seconds, personal, sandboxed
        self.public, self.calls, self.can_go_on = public, 0, False
        self.faults, self.ignored, self.process, self.ended = {}, {}, None, None
        self.fatal, self.cell_time = set(), CELLS * seconds

    def begin(self, seconds: float, apart: bool = True, fresh: bool = True) -> None:
        """Run the cells, if the program is not running, and give the next question this many seconds of CPU time.

        With `apart`, the question runs in a copy of the program, whose changes no later question sees. Unless it must
        be `fresh`, that may be the copy of earlier questions if these were asked in blocks only.
        """
        self.ended, self.limit, self.calls = None, seconds, 0
        for _ in range(2):  # once more if the program does not answer
            if self.process is not None and self.process.process.poll() is not None:
                self.close()
            while self.process is None:
                self._start()
            self.process.allow(seconds)
            try:
                if apart and (fresh or not self.can_go_on):
                    self.process.branch()
                self.can_go_on = True
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
            for games in self.public.games if self.public else ():
                self.process.call_with("keep", games)
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
            self.faults[number] = "not run: earlier cells took too long or ended the program too often"
            return
        process, used = self.process, self.process.used
        process.allow_more(min(self.seconds, self.cell_time))
        try:
            ignored = process.call("run", number, source)
            if isinstance(ignored, list):
                self.ignored |= dict.fromkeys(filter(None, map(self._own_line, map(str, ignored[:MAX_IGNORED]))))
        except RemoteError as error:
            line = self._own_line(error.line).removeprefix(f"cell {number}, ")  # a message names the cell already
            self.faults[number] = one_line(f"{error} ({line})" if line else str(error))
        except NotPlain as error:
            self.faults[number] = f"not run: {error}"
        except Broken as broken:
            late = isinstance(broken, OutOfTime)
            self.faults[number] = "stopped: it took too long" if late else f"it ended the program ({broken})"
            self.fatal.add(number)
            self.close()
        self.cell_time -= process.used - used

    def _own_line(self, place: str) -> str:
        """A place such as "cell 1, line 5" with that line of the notebook; "" if there is no such line."""
        found = re.fullmatch(r"cell (\d{1,6}), line (\d{1,6})", place, re.ASCII)
        cell, line = map(int, found.groups()) if found else (0, 0)
        lines = _lines(self.cells[cell - 1]) if 0 < cell <= len(self.cells) else []
        return f"cell {cell}, line {line}: {one_line(lines[line - 1])}" if 0 < line <= len(lines) else ""

    def call(self, name: str, *arguments) -> Any:
        """What the student's function returns for these arguments, as plain data."""
        if self.process is not None:
            self.process.forget()  # nobody can call any more what an earlier case offered
        self.calls, self.can_go_on = self.calls + 1, False
        return self._explained(name, lambda: self.process.call("call", self.calls, name, *arguments))

    def read(self, name: str) -> Any:
        """The value of the student's variable, as plain data."""
        return self._explained(name, lambda: self.process.call("read", name))

    def call_each(self, table: Table, block: Block) -> list:
        """For each case of the block [what the table's ask returns] or an error, as far as there is time.

        `Broken` or `RemoteError` if the program does not answer as it should.
        """
        if self.process is None:
            raise Broken("the program has ended")
        arguments = f'[{self.calls + 1},"{table.name}",{block.text},"{table.asked_by}"]'
        given = self.process.call_with("call_each", arguments)
        if not isinstance(given, list):
            raise Broken("an answer that is no list")
        self.calls += len(block.rows)
        return given

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
            return f"not answered: {name} is not defined. Code cell {number} failed: {self.faults[number]}"
        return f"not answered yet: there is no {name}"

    def close(self) -> None:
        """End the program."""
        if self.process is not None:
            self.process.close()
        self.process, self.can_go_on = None, False


_lines = lru_cache(maxsize=9)(str.splitlines)


def one_line(text: str, longest: int = 600) -> str:
    """Text on one line, cut short, without characters that move a terminal's cursor or reverse the text's direction."""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in text[: 9 * longest]).split())
    return text if len(text) <= longest else text[: longest - 1] + "…"
