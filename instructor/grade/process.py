"""The process that runs one student's code, the pipe to it, and the time that it may take."""

import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from inspect import signature
from pathlib import Path
from typing import NamedTuple

import course_lib.games as games
from course_lib.check.graded import Lookup
from course_lib.check.tables import Row, Table
from course_lib.games import TreeGame
from instructor.grade.inside.protocol import AS_JSON, LARGEST, Broken, Peer, encode, pack, unpack
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


def block_of(rows: list[Row], sent: dict[int, int] = {}) -> Block:
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
