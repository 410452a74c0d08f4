"""The program that runs one student's notebook, in a sandbox of its own: cells in, plain answers out.

It is started as a script, with the folder that holds course_lib and those of the installed packages as arguments. Of
course_lib only the games are there; what draws or checks is silent, and the searches say that they are not there. The
student's code shares this process, and can do with it what it likes: nothing here is worth having.
"""

import contextlib
import os
import re
import signal
import sys
from copy import deepcopy
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from opcode import opmap

HERE = os.path.dirname(os.path.abspath(__file__))
# In the sandbox plain.py lies beside this file.
sys.path[:0] = [
    HERE,
    os.path.join(HERE, "..", "..", "..", "course_lib", "check"),
]
from plain import plain  # noqa: E402
from protocol import GAME_FUNCTIONS, NotPlain, Peer, pack, unpack  # noqa: E402

del sys.path[:2]

SILENT = ("matplotlib", "IPython", "ipywidgets", "anywidget",
          "course_lib.watch", "course_lib.explore", "course_lib.check", "instructor")  # fmt: skip
ABSENT = ("course_lib.search", "course_lib.alphazero")
RUN_THE_CELL = ("time", "timeit", "capture", "prun")
"""Cell magics of which the body is Python; the others are skipped."""
LEFT = 77
"""The exit code of a copy of the program that the grader told to leave."""
PROCESSES = 6
"""The most processes and threads in the sandbox, besides its own first process."""
SIGNALS = 64
"""The most signals that wait: the kernel counts them with those of all the user's programs."""
TEMPORARY = "/tmp"
TOP_LEVEL_AWAIT, IS_COROUTINE, FUTURE_ANNOTATIONS = 0x2000, 0x80, 0x1000000
"""Flags of the compiler and of code objects; the modules `ast` and `inspect`, which name them, take time to load."""


class Silent:
    """Takes every call, attribute and item, and does nothing."""

    def __call__(self, *arguments, **keywords):
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key):
        return self

    def __setitem__(self, key, value):
        pass

    def __iter__(self):
        """As many as are unpacked, `fig, (one, two, three) = plt.subplots(1, 3)`, and two elsewhere."""
        frame = sys._getframe(1)
        what, many = frame.f_code.co_code[frame.f_lasti : frame.f_lasti + 2]
        return iter((self,) * (many if what == opmap["UNPACK_SEQUENCE"] else 2))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __repr__(self):
        return ""

    def __format__(self, form):
        return ""

    def __len__(self):
        return 0

    def __bool__(self):
        return True


for operation in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "neg", "lt", "le", "gt", "ge"):
    for side in ("", "r"):
        setattr(Silent, f"__{side}{operation}__", Silent.__call__)
CHECKS = ["check", "explore_my_code", "hint", "personal_tree", "review", "score", "student", "warm_up"]
"""All names of course_lib.check, for `import *`."""
SILENCE = Silent()
TOLD = {}
"""What of course_lib.check the grader answers: who the student claims to be, and trees of one's own."""


def absent(name):
    """What stands in for a name that is not there in a graded run: an exception, or a function that says so."""
    if name == "TimeUp":
        return type(name, (Exception,), {})

    def missing(*arguments, **keywords):
        raise NotThere(f"{name} is not there when an exercise is graded: of course_lib only the games are")

    return missing


class Stubs:
    """Finds the modules that are stubs, ahead of all that is installed."""

    def find_spec(self, name, path=None, target=None):
        if any(name == stub or name.startswith(stub + ".") for stub in SILENT + ABSENT):
            return ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        name = module.__name__
        module.__path__ = []
        if name == "course_lib.check":
            module.__all__ = CHECKS

        def attribute(wanted):
            if wanted.startswith("__"):
                raise AttributeError(wanted)
            found = absent(wanted) if name.startswith(ABSENT) else TOLD.get(wanted, SILENCE)
            setattr(module, wanted, found)
            return found

        module.__getattr__ = attribute


class Shell:
    """What `get_ipython()` returns: magics and shell commands do nothing, except that those that time Python run it."""

    def __init__(self, run):
        self.run = run

    def run_cell_magic(self, name, line, body):
        if name in RUN_THE_CELL:
            self.run(body, aside=name == "timeit")  # of which nothing stays

    def run_line_magic(self, name, line, *more):
        self.run_cell_magic(name, "", re.sub(r"^(-[nrp] ?\d+\s+|-\w+\s+)*", "", line))

    def __getattr__(self, name):
        return SILENCE


class Runner(Peer):
    """The student's end: runs cells in one namespace, calls its functions, reads its variables."""

    def __init__(self, send, receive):
        super().__init__(send, receive)
        sys.modules["__main__"] = type(sys)("__main__")  # as in Jupyter: where pickle looks for the student's classes
        self.namespace = vars(sys.modules["__main__"])
        self.namespace["__builtins__"] = __builtins__
        shell = Shell(lambda source, aside: self.execute(source, "<magic>", aside))
        self.namespace["get_ipython"] = lambda: shell
        self.namespace["display"] = SILENCE
        self.sources, self.ours, self.kept, self.loop = set(), {}, [], None
        self.flags, self.calls = TOP_LEVEL_AWAIT, 0

    def find(self, target):
        return {"run": self.run, "call": self.call_function, "read": self.read}[target]

    def run(self, number, source):
        """Run a cell; what it raises goes to the grader, and the next cell runs all the same."""
        name = f"cell {number}"
        self.sources.add(name)
        self.execute(source, name)

    def execute(self, source, name, aside=False):
        """Run code in the student's namespace, as Jupyter does: with magics, and with `await` outside functions.

        All cells have one event loop, and what one imports from `__future__` holds for those after it. What is run
        `aside` leaves no name.
        """
        try:
            code = compile(source, name, "exec", self.flags)
        except SyntaxError:
            code = compile(without_magics(source), name, "exec", self.flags)
        self.flags |= code.co_flags & FUTURE_ANNOTATIONS
        awaiting = eval(code, self.namespace.copy() if aside else self.namespace)
        if code.co_flags & IS_COROUTINE:
            import asyncio

            self.loop = self.loop or asyncio.Runner()
            self.loop.run(awaiting)

    def call_function(self, name, *arguments):
        """What the student's function answers, as plain data."""
        function = self.lookup(name)
        before = [deepcopy(a) if isinstance(a, (list, dict, set)) else None for a in arguments]
        self.calls += 1
        reseed(self.calls)
        answer = function(*arguments)
        for given, was in zip(arguments, before):
            if was is not None and given != was:
                raise Changed(f"{was!r} has become {given!r}")
        return answered(answer)

    def read(self, name):
        return answered(self.lookup(name))

    def lookup(self, name):
        if name not in self.namespace:
            raise Undefined(name)
        return self.namespace[name]

    def passes(self, error):
        return False

    def describe(self, error):
        """The kind and message of an exception, and the place in the student's cells that it comes from."""
        kind, message, _ = super().describe(error)
        return kind, message, self.place_of(error)

    def place_of(self, error):
        """A place such as "cell 1, line 5", or nothing."""
        if isinstance(error, SyntaxError) and error.filename in self.sources:
            return f"{error.filename}, line {error.lineno}"
        place, trace = (), error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename in self.sources:
                place = trace.tb_frame.f_code.co_filename, trace.tb_lineno
            trace = trace.tb_next
        return "{}, line {}".format(*place) if place else ""

    def error_of(self, kind, message, line):
        """The exception that a function of the grader's raised, for the student's code to catch."""
        import builtins

        found = getattr(builtins, kind, None)
        if isinstance(found, type) and issubclass(found, Exception):
            with contextlib.suppress(TypeError):
                return found(message)
        stub = getattr(sys.modules.get("course_lib.search"), kind, None)
        return stub(message) if isinstance(stub, type) else RuntimeError(f"{kind}: {message}")

    def refer(self, value):
        try:
            return {"yours": self.ours[id(value)]}
        except KeyError:
            raise NotPlain(f"something of type {type(value).__name__}") from None

    def resolve(self, kind, content):
        if kind in MADE:
            return MADE[kind](content)
        number, description = content
        value = STAND_INS[kind](self, number, description)
        self.ours[id(value)] = number
        self.kept.append(value)  # or its id may come back as another object's
        return value


def array(content):
    import numpy as np

    return np.array(content)


def named(content):
    """A named tuple of the games, such as a state of Pig."""
    module, name, items = content
    return getattr(import_module(module), name)(*items)


def luck(state):
    import random

    generator = random.Random()
    generator.setstate(state)
    return generator


MADE = {"array": array, "named": named, "random": luck}


def answered(value):
    """The answer as plain data."""
    if value is ...:
        raise NotImplementedError
    try:
        return plain(value)
    except ValueError as error:
        raise NotPlain(error) from None


class Undefined(Exception):
    """The student's notebook does not define a name that a question asks for."""


class NotThere(RuntimeError):
    """The student's code called a part of course_lib that a graded run does without."""


class Changed(Exception):
    """The student's function changed an argument."""


def function(peer, number, _):
    """A function of which the grader answers the calls."""
    return lambda *arguments, **keywords: peer.call(number, *arguments, **keywords)


def whole(peer, number, description):
    """A game that is played in here."""
    module, call = description
    return eval(call, vars(import_module(module)).copy())


def proxy(peer, number, players):
    """A game of which the grader answers the functions, so that it knows what was asked."""
    from course_lib.games import Game

    def asking(name):
        return lambda self, *arguments: peer.call([number, name], *arguments)

    functions = {name: asking(name) for name in GAME_FUNCTIONS}
    return type("Proxy", (Game,), functions | {"players": players, "__repr__": lambda self: "Game()"})()


def tree(peer, number, description):
    """A `TreeGame` from its nodes; what leaves are worth that were sent without it, the grader is asked."""
    from course_lib.games.tree import TreeNode

    players, rows = description
    nodes, paths = [], [()]
    for player, actions, utilities, probabilities in rows:
        path = paths.pop()
        nodes.append(TreeNode(path, player, tuple(actions), utilities, tuple(probabilities)))
        paths += [(*path, action) for action in actions]
    game = stand_in_of_trees().of_nodes(nodes, players)
    if all(utilities is None for _, _, utilities, _ in rows):
        game.ask = lambda state, player: peer.call([number, "utility"], state, player)
    return game


@cache
def stand_in_of_trees():
    from course_lib.games import TreeGame

    class Tree(TreeGame):
        ask = None

        def utility(self, state, player):
            return self.ask(state, player) if self.ask else super().utility(state, player)

        def __repr__(self):
            return "TreeGame(…)"

    return Tree


STAND_INS = {"function": function, "whole": whole, "game": proxy, "tree": tree}


def without_magics(source):
    """The cell as plain Python: what IPython makes of magics, shell commands and question marks."""
    for package in ("IPython", "IPython.core", "IPython.utils"):  # without what their own __init__ would load
        sys.modules[package] = module = type(sys)(package)
        module.__path__ = [os.path.join(folder, *package.split(".")) for folder in sys.path]
    try:
        sys.meta_path.remove(STUBS)
        from IPython.core.inputtransformer2 import TransformerManager
    finally:
        sys.meta_path.insert(0, STUBS)
        for name in [name for name in sys.modules if name.split(".")[0] == "IPython"]:
            del sys.modules[name]
    return TransformerManager().transform_cell(source)


def reseed(call):
    """Other luck for each call, and the same each time that a notebook is graded."""
    for name in ("random", "numpy.random"):
        if name in sys.modules:
            sys.modules[name].seed(call)


def limit():
    """Limit the processes, threads and waiting signals of this sandbox; its other limits were set before it was made.

    Its first process gets the limit too. It is the hard limit, which nobody in here can raise.
    """
    import resource

    for process in (0, 1):
        resource.prlimit(process, resource.RLIMIT_NPROC, (PROCESSES, PROCESSES))
        resource.prlimit(process, resource.RLIMIT_SIGPENDING, (SIGNALS, SIGNALS))


def frames():
    """Take the pipe to the grader away from standard input and output, and return how to send and receive on it."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    os.closerange(outgoing + 1, 256)
    if os.name == "nt":
        import msvcrt

        for end in (incoming, outgoing):
            msvcrt.setmode(end, os.O_BINARY)

    def wait_for(act, end, what):
        while True:
            try:
                return act(end, what)
            except BlockingIOError:  # student code has told the pipe not to wait
                os.set_blocking(end, True)

    def exactly(size):
        chunks = b""
        while len(chunks) < size:
            chunk = wait_for(os.read, incoming, size - len(chunks))
            if not chunk:
                os._exit(0)
            chunks += chunk
        return chunks

    def send(frame):
        while frame:
            frame = frame[wait_for(os.write, outgoing, frame) :]

    return send, lambda: exactly(int.from_bytes(exactly(4), "big"))


STUBS = Stubs()


def empty(folder):
    """Remove all that lies in a folder. What lies deep is first moved to the top: so no path is too long to name."""
    left, number = os.listdir(folder), 0
    while left:
        path = os.path.join(folder, left.pop())
        with contextlib.suppress(OSError):
            if not os.path.isdir(path) or os.path.islink(path):
                os.unlink(path)
                continue
            os.chmod(path, 0o700)
            for name in os.listdir(path):
                inner, number = os.path.join(path, name), number + 1
                if not os.path.islink(inner):
                    os.chmod(inner, 0o700)  # a folder that is moved must be open
                left.append(f"{os.urandom(8).hex()} {number}")
                os.rename(inner, os.path.join(folder, left[-1]))
            os.rmdir(path)


def branch():
    """Go on in a copy of the program; the original waits until the copy was told to leave, and returns True then.

    So a question finds the program as the cells left it, whatever the one before did to it: what that one started, and
    left to read or write on the pipe, is ended with it.
    """
    try:
        copy = os.fork()
    except OSError:  # too many processes were left running
        return False
    if copy:
        if os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1]) != LEFT:
            os._exit(1)
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)  # all in the sandbox but this program and the sandbox's own
    return copy != 0


def main(sandboxed, course, *packages):
    """Serve the grader until it goes away."""
    send, receive = frames()
    if sandboxed == "sandboxed":
        limit()
    sys.path[:0] = [course]
    sys.path += packages
    sys.meta_path.insert(0, STUBS)
    sys.setrecursionlimit(3000)
    runner = Runner(send, receive)
    for name in ("student", "personal_tree"):
        TOLD[name] = lambda text="", name=name: runner.call(name, str(text))
    while True:
        kind, *parts = unpack(receive())
        if kind == "call":
            runner.serve(*parts)
        elif sandboxed == "sandboxed":  # not every system can copy a program
            if kind == "leave":
                os._exit(LEFT)
            with contextlib.suppress(OSError):  # the cells may have left no descriptor to list it with
                empty(TEMPORARY)
            if kind == "branch" and branch():
                send(pack(["left"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
