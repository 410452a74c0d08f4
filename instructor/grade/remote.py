"""A student whose code runs in a process of its own: the pipe to it, the time that it may take, and what it answers."""

import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from inspect import signature
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import course_lib.games as games
from course_lib.check.failures import StudentError, no_answer, student_error
from course_lib.check.graded import Lookup, plain
from course_lib.check.tables import Row, Table
from course_lib.games import TreeGame
from course_lib.language import N_, gettext, translated
from instructor.grade.inside.protocol import (
    AS_JSON,
    LARGEST,
    Broken,
    NotPlain,
    Peer,
    RemoteError,
    encode,
    pack,
    unpack,
)
from instructor.grade.sandbox import start_runner

TOGETHER = 200
"""How many cases are asked at once, or games sent at once."""
OF_GAMES, OF_CASES = 1 << 40, 1 << 41
"""The first numbers of the games and the functions in texts that are made once for all students."""
ASKED_IN_BLOCKS = "listed.call", "listed.call_and_leaves", "listed.read"
"""The asks whose cases can be asked many at once."""
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


class Offers(Peer):
    """What the grader's end of the pipe sends: games and functions by their numbers, each once, until `forget()`."""

    def __init__(self, first: int = 0):
        super().__init__(first)
        self.sent = {}

    def forget(self) -> None:
        """What was offered so far cannot be called any more."""
        self.offered.clear()
        self.sent.clear()

    def refer(self, value):
        if id(value) in self.sent:
            return {"again": self.sent[id(value)]}
        number, game = self.offer(value), getattr(value, "_game", value)
        self.sent[id(value)] = number
        if isinstance(value, Lookup):
            return {"lookup": [number, encode([[list(pair) for pair in value.items()], value.other], None)]}
        if not hasattr(game, "to_move"):
            parameters = []
            with suppress(ValueError):  # built-in functions have no signature
                parameters = [*signature(value).parameters]
            return {"function": [number, parameters]}
        if isinstance(game, TreeGame):
            return {"tree": [number, [game.players, _nodes(game, type(value) is TreeGame), self.offer(value.utility)]]}
        return {"whole": [number, [type(game).__module__, repr(game)]]}

    def describe(self, error):
        """The kind alone: a message may reveal the grader's data, such as a whole tree with its leaves."""
        kind, *_ = super().describe(error)
        return kind, "the game or function cannot answer this call", ""

    def resolve(self, kind, content):
        if kind == "yours" and type(content) is int and content in self.offered:
            return self.offered[content]
        if kind == "named":
            module, name, items = content
            return _named_tuple(module, name)(*items)
        raise Broken("a value of no known kind")


class Block(NamedTuple):
    """Rows whose cases are asked at once, and these as JSON, which is made once for all students."""

    rows: list[Row]
    text: str


class PublicCases:
    """The public cases of a notebook's questions, in blocks.

    A program gets all `games` before its cells run; then every copy of it has them, and cases hold their numbers.
    """

    def __init__(self, tables: Iterable[Table]):
        cases = [table.row(number).case for table in tables if table.asked_by in ASKED_IN_BLOCKS
                 for number in range(len(table))]  # fmt: skip
        games = [*{id(case[0]): case[0] for case in cases if case and hasattr(case[0], "to_move")}.values()]
        offers = Offers(OF_GAMES)
        self.games = [AS_JSON(encode(games[at : at + TOGETHER], offers.refer))
                      for at in range(0, len(games), TOGETHER)]  # fmt: skip
        self.sent, self._blocks = offers.sent, {}

    def blocks(self, table: Table, numbers: range) -> Iterator[Block]:
        """These rows of the table."""
        for at in range(0, len(numbers), TOGETHER):
            part = numbers[at : at + TOGETHER]
            if (table, part) not in self._blocks:
                self._blocks[table, part] = block_of([*map(table.row, part)], self.sent)
            yield self._blocks[table, part]


def block_of(rows: list[Row], sent: dict[int, int]) -> Block:
    """A block of these rows; `sent` has the numbers of games that the program has already, by their id."""
    offers = Offers(OF_CASES)
    offers.sent |= sent
    return Block(rows, AS_JSON(encode([[*row.case] for row in rows], offers.refer)))


class Grader(Offers):
    """The grader's end of the pipe to a student's program, whose calls on its cases the grader answers.

    Without a sandbox the program has a temporary folder of its own.
    """

    def __init__(self, sandboxed: bool = True):
        super().__init__()
        self.folder = None if sandboxed else tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = start_runner(
            self.folder and self.folder.name, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, bufsize=0, start_new_session=True,
        )  # fmt: skip
        os.set_blocking(self.process.stdin.fileno(), False)
        self.unread = b""

    def allow(self, seconds: float) -> None:
        """Allow the program and all that it starts this much CPU time, in seconds; then the next wait ends it."""
        self.left, self.seconds, self.used, self.before = MAX_SENT, seconds, 0.0, None
        self.looks, self.looked = 0, time.monotonic()

    def allow_more(self, seconds: float) -> None:
        """Give the program this many seconds beyond what it has used, so that the time of many short calls adds up."""
        self.left, self.seconds = MAX_SENT, self.used + seconds

    def send(self, line: bytes) -> None:
        pipe = self.process.stdin.fileno()
        while line:
            try:
                line = line[os.write(pipe, line) :]
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
        self.send(pack(["branch"]))
        if unpack(self.receive(), self.resolve) != ["branched"]:
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


@lru_cache(maxsize=10_000)
def _nodes(tree: TreeGame, is_open: bool) -> list:
    """A tree as it is sent: [player, actions, utilities, probabilities] of each node, in the order of `nodes`.

    That is the order of a stack, in which a node's last child is next, so no paths are needed. The utilities are left
    out of a tree that is not open, as its question records which leaves are visited. If several paths lead to one
    state, each node's state comes last.
    """
    rows = [[node.player, [*node.actions], [*node.utilities] if is_open and node.utilities else None,
             [*node.probabilities], *[[*node.path]] * tree.transposes] for node in tree.nodes.values()]  # fmt: skip
    return encode(rows, None)


def _named_tuple(module: str, name: str) -> type:
    """The class of a game's named tuples, such as the states of Pig; its module is loaded."""
    found = vars(sys.modules[module])[name]
    if not module.startswith(f"{games.__name__}.") or not hasattr(found, "_fields"):
        raise Broken("a value of no known kind")
    return found


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
        self.public, self.calls = public, 0
        self.faults, self.ignored, self.process, self.ended = {}, {}, None, None
        self.fatal, self.cell_time = set(), CELLS * seconds

    def begin(self, seconds: float, apart: bool = True) -> None:
        """Run the cells, if the program is not running, and give the next question this many seconds of CPU time.

        With `apart`, the question runs in a copy of the program, whose changes no later question sees.
        """
        self.ended, self.limit, self.calls = None, seconds, 0
        for _ in range(2):  # once more if the program does not answer
            if self.process is not None and self.process.process.poll() is not None:
                self.close()
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
            self.faults[number] = one_line(f"{error} ({line})" if line else str(error))
        except NotPlain as error:
            self.faults[number] = gettext("not run: {error}", error=translated(str(error)))
        except Broken as broken:
            late = isinstance(broken, OutOfTime)
            words = N_("stopped: it took too long") if late else N_("it ended the program ({broken})")
            self.faults[number] = gettext(words, broken=translated(str(broken)))
            self.fatal.add(number)
            self.close()
        self.cell_time -= process.used - used

    def _own_line(self, place: str, named: int = 0) -> str:
        """A place such as "cell 1, line 5" with that line of the notebook, without a cell that is `named` already.

        It is "" if there is no such line.
        """
        found = re.fullmatch(r"cell (\d{1,6}), line (\d{1,6})", place, re.ASCII)
        cell, line = map(int, found.groups()) if found else (0, 0)
        lines = _lines(self.cells[cell - 1]) if 0 < cell <= len(self.cells) else []
        if not 0 < line <= len(lines):
            return ""
        words = N_("line {line}: {code}") if cell == named else N_("cell {cell}, line {line}: {code}")
        return gettext(words, cell=cell, line=line, code=one_line(lines[line - 1]))

    def call(self, name: str, *arguments) -> Any:
        """What the student's function returns for these arguments, as plain data."""
        if self.process is not None:
            self.process.forget()  # nobody can call any more what an earlier case offered
        self.calls += 1
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
        given = self.process.call_with("call_each", f'["{table.name}",{block.text},"{table.asked_by}"]')
        if not isinstance(given, list) or not all(type(outcome) is list for outcome in given):
            raise Broken("an answer that is no list of lists")
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
