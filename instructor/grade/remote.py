"""A student whose code runs in a process of its own, for questions to ask: see `RemoteStudent`."""

import re
import time
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules
from weakref import WeakKeyDictionary

import course_lib.games as games
from course_lib.check import failures
from course_lib.check.plain import plain
from course_lib.games import TreeGame
from instructor.grade.inside.protocol import Broken, NotPlain, Peer, RemoteError, encode, pack, unpack
from instructor.grade.redaction import LIMITS, Fault, answer_error, fault_of
from instructor.grade.sandbox import OutOfTime, Process, patience

ATTEMPTS = 2
"""How often a program that does not answer before a question is started again."""
RESTARTS = 4
"""How often a program is started again because one of its cells ended it; then the other cells are not run."""
CELLS = 3
"""All cells together may take so many times as long as one question."""
IN_ALL, AT_ONCE = 6, 1 / 4
"""A submission runs for at most so many times as long as one question may take, and a question for a part of what is
left: right answers take a hundredth of their time, so they are not touched when others have wasted theirs."""
MOST_CLAIM = 100


class Grader(Peer):
    """The grader's end of the pipe: while a question lasts it answers for the games and functions of its case."""

    def __init__(self, process, named):
        super().__init__(process.send, process.receive)
        self.named, self.open_trees = named, False

    def find(self, target):
        return self.named[target] if type(target) is str and target in self.named else super().find(target)

    def refer(self, value):
        number, game = self.offer(value), getattr(value, "_game", value)
        if not hasattr(game, "to_move"):
            return {"function": [number, None]}
        if isinstance(game, TreeGame):
            return {"tree": [number, [game.players, _nodes(game, self.open_trees)]]}
        if _runs_inside(game):
            return {"whole": [number, [type(game).__module__, repr(game)]]}
        return {"game": [number, getattr(game, "players", 2)]}

    def functions_of(self, thing):
        """None of a whole game's: asked for the moves of a heap of billions, they would fill the grader's memory."""
        return () if _runs_inside(getattr(thing, "_game", thing)) else super().functions_of(thing)

    def describe(self, error):
        """The kind alone: a message may show what is the grader's, such as a whole tree with its leaves."""
        kind, *_ = super().describe(error)
        return kind, "the game or function cannot answer this call", ""

    def resolve(self, kind, content):
        if kind == "yours" and type(content) is int and content in self.offered:
            return self.offered[content]
        if kind == "named":
            module, name, items = content
            return _named_tuples()[module, name](*items)
        raise Broken("a value of no known kind")


def _runs_inside(game):
    """Whether a game is made again in the sandbox, and played there."""
    return type(game).__module__.startswith("course_lib.games.") and not isinstance(game, TreeGame)


_encoded = WeakKeyDictionary(), WeakKeyDictionary()


def _nodes(tree, is_open):
    """A tree as it is sent: [player, actions, utilities, probabilities] of each node, in the order of `nodes`.

    That is the order of a stack, in which a node's last child is next, so no paths are needed. The utilities are left
    out of a tree that is not open, so that each look at a leaf is asked for.
    """
    known = _encoded[is_open]
    if tree not in known:
        rows = [[node.player, [*node.actions], [*node.utilities] if is_open and node.utilities else None,
                 [*node.probabilities]] for node in tree.nodes()]  # fmt: skip
        known[tree] = encode(rows, None)
    return known[tree]


@lru_cache
def _named_tuples():
    """The named tuples of the games, such as the states of Pig, by module and name."""
    modules = [import_module(f"{games.__name__}.{m.name}") for m in iter_modules(games.__path__) if m.name != "chess"]
    return {(cls.__module__, cls.__name__): cls for m in modules for cls in vars(m).values() if hasattr(cls, "_fields")}


class RemoteStudent:
    """Runs the cells of one notebook, and answers a question's `call` and `read`; every failure is a `StudentError`.

    `begin(seconds)` is said before each question: it starts the program again if the last question, or a cell, ended
    it. What a question asked `apart` does to the program is not there for the next one. `personal_tree(identifier)` is
    what the notebook's function of that name returns. `faults` holds a `Fault` by the number of each cell that failed,
    and `claims` holds who the notebook says its student is. `in_all` is how many seconds the program may run, cells
    and questions together; None stands for `IN_ALL` times `seconds`.
    """

    def __init__(self, cells, seconds, personal_tree=None, sandboxed=True, in_all=None):
        self.cells, self.seconds, self.sandboxed = cells, seconds, sandboxed
        self.named, self.tree_of = {"student": self._claim, "personal_tree": self._tree}, lru_cache(personal_tree)
        self.faults, self.claims, self.running = {}, [], False
        self.process = self.peer = None
        self.ended, self.branched = None, False
        self.fatal, self.cell_time = set(), CELLS * seconds
        self.left, self.began = IN_ALL * seconds if in_all is None else in_all, None
        self.times = patience()  # now: later the load could be this program's own

    def begin(self, seconds, open_trees=False, apart=False):
        """Have the cells run, and give the next question so many seconds, or less if much of `in_all` is gone.

        `open_trees` shows the leaves of its trees, for a question that does not look at which of them were asked for.
        `apart` has it asked of a copy of the program, which the next one does not find.
        """
        self.rest()
        self.ended = None
        for _ in range(ATTEMPTS):
            if self.process is not None and self.process.has_ended():
                self.close()
            while self.process is None:
                self._start()
            self.process.thaw()
            self.peer.open_trees = open_trees
            self.limit = min(seconds, self.left * AT_ONCE)
            self._allow(self.limit)
            if self._ready(apart):
                return
        self.ended = failures.silent()

    def _allow(self, seconds):
        """Start the clock: the program has so many seconds, more on a busy machine, as far as they are left."""
        self.rest()
        self.began = time.monotonic()
        self.process.allow(min(seconds * self.times, self.left * AT_ONCE))

    def rest(self):
        """The question is answered: no time runs until the next one begins. Return how long it took."""
        if self.process is not None:
            self.process.relax()
        took = 0 if self.began is None else time.monotonic() - self.began
        self.left, self.began = max(0, self.left - took), None
        return took

    def pause(self):
        """Stop the clock and the program with all its processes, until the next question begins; whether it stopped."""
        self.rest()
        return self.process is None or self.process.freeze()

    def _ready(self, apart):
        """Have the temporary folder emptied, and, `apart`, the program go on in a copy of itself.

        Return False if the program was broken, and then it is ended.
        """
        try:
            if self.branched:
                self.process.send(pack(["leave"]))
                if unpack(self.process.receive()) != ["left"]:  # as the original says, once all others have ended
                    raise Broken("another program than the original goes on")
            self.process.send(pack(["branch" if apart else "empty"]))
            self.branched = apart and self.sandboxed  # without one the program serves on as it is
            self.peer.call("run", 0, "")
        except (Broken, RemoteError, ValueError):
            self.close()
        return self.process is not None

    def _start(self):
        """Start the program and run its cells, but for those that ended it before."""
        self.process = Process(self.sandboxed)
        self.peer = Grader(self.process, self.named)
        self.process.allow(60 * self.times)
        try:
            self.peer.call("run", 0, "")
        except Broken as broken:
            self.close()
            raise OSError(f"the sandbox did not start: {broken}") from None
        for number, source in enumerate(self.cells, start=1):
            if number not in self.fatal:
                self._run(number, source)
            if self.process is None:
                return

    def _run(self, number, source):
        """Run one cell. A cell that ends the program is left out when the cells are run again."""
        if self.cell_time <= 0 or len(self.fatal) > RESTARTS:
            self._fault(number, "not run: the cells before took too long or ended the program too often")
            return
        self._allow(min(self.seconds, self.cell_time))
        self.running = True
        try:
            self.peer.call("run", number, source)
        except RemoteError as error:
            self.faults[number] = fault_of(error, self.cells)
        except NotPlain as error:
            self._fault(number, f"not run: {error}")
        except Broken as broken:
            late = isinstance(broken, OutOfTime)
            self._fault(number, "stopped: it took too long" if late else f"it ended the program ({broken})")
            self.fatal.add(number)
            self.close()
        finally:
            self.running = False
            self.cell_time -= self.rest()

    def _fault(self, number, words):
        """Note words of the grader's own, which the student may see too."""
        self.faults[number] = Fault("", words, words)

    def call(self, name, *arguments):
        """What the student's function answers for these arguments, as plain data."""
        if self.peer is not None:
            self.peer.offered.clear()  # what an earlier case offered, nobody can ask any more
        return self._ask("call", name, *arguments)

    def read(self, name):
        """The value of the student's variable, as plain data."""
        return self._ask("read", name)

    def _ask(self, way, name, *arguments):
        if self.ended:
            raise self.ended
        try:
            return plain(self.peer.call(way, name, *arguments))
        except RemoteError as error:
            raise self._meaning(error, name) from error
        except OutOfTime:
            self.ended = failures.out_of_time(self.limit)
        except (Broken, RecursionError) as broken:
            self.ended = failures.ended(broken)
        except ValueError as error:
            self.ended = failures.not_plain(LIMITS)
            self.ended.__cause__ = error
        self.close()
        raise self.ended

    def _meaning(self, error, name):
        """What the exception in the student's code says about the answer, in words that their page may show."""
        if error.kind in ("NotImplementedError", "Undefined"):
            return failures.unanswered(self._why_undefined(error.kind, name))
        return answer_error(error, self.cells)

    def _why_undefined(self, kind, name):
        """Not answered; and if a cell failed, that may be why."""
        if kind == "Undefined" and self.faults:
            begins = re.compile(rf"^(?:def |class |){re.escape(name)}\b", re.M)
            number = next((n for n in self.faults if begins.search(self.cells[n - 1])), min(self.faults))
            fault = self.faults[number]
            return f"not answered: {name} is not defined. Code cell {number} failed: {fault.shown}"
        return "not answered yet"

    def _claim(self, identifier=""):
        """Who the notebook says it is by; while a question is asked, this would be a way to tell of its cases."""
        claim = str(identifier)[:MOST_CLAIM]
        if self.running and len(self.claims) < 10 and claim not in self.claims:
            self.claims.append(claim)

    def _tree(self, identifier):
        """The notebook's tree by hand; while a question is asked, nothing of it is there to be looked at."""
        if not self.running:
            raise ValueError("personal_tree draws a tree while cells run, not while a question is asked")
        return self.tree_of(identifier)

    def close(self):
        """End the program."""
        self.rest()
        if self.process is not None:
            self.process.close()
        self.process, self.peer, self.branched = None, None, False
