"""The program that runs one student's notebook, in a sandbox of its own: cells in, plain answers out.

It is started as a script, with the folder that holds course_lib and those of the installed packages as arguments. Of
course_lib only the games are there; what draws or checks does nothing, and calls to the searches raise `NotThere`. The
student's code shares this process and can change all of it, so the process contains no secrets.
"""

import builtins
import contextlib
import gc
import os
import signal
import sys
import time
from _sitebuiltins import _Helper
from functools import partial
from importlib import import_module
from importlib.machinery import ModuleSpec
from itertools import repeat

HERE = os.path.dirname(os.path.abspath(__file__))
# In the sandbox graded.py lies beside this file.
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "..", "course_lib", "check")]
from graded import ABSENT, CHECK, SILENCE, SILENT, Lookup, NotThere, StandIn, called, is_of, plain  # noqa: E402
from protocol import Broken, NotPlain, Peer, RemoteError, pack, unpack  # noqa: E402

del sys.path[:2]

PLATFORMS = "google", "js", "micropip", "piplite", "pyodide"
"""Packages of platforms on which a notebook may have been written, of which nothing can be had in a sandbox."""
REPLACED = ("instructor", *SILENT, *ABSENT, *PLATFORMS)
"""The packages in whose place a student's code imports a `StandIn`."""
LEFT = 77
"""The exit code of a copy of the program that the grader ended."""
SHARE = 1
"""Seconds of CPU time after which the answers so far are sent, if many were asked for at once."""
MAX_PROCESSES = 6
"""The most processes and threads in the sandbox, besides its own first process."""
MAX_SIGNALS = 64
"""The most signals that wait: the kernel counts them with those of all the user's programs."""


class StandIns:
    """Finds the modules that are replaced, ahead of all that is installed."""

    def __init__(self, runner):
        self.runner = runner

    def find_spec(self, name, path=None, target=None):
        return ModuleSpec(name, self, is_package=True) if is_of(REPLACED, name) else None

    def create_module(self, spec):
        return Absent(spec.name, self.runner) if is_of(ABSENT, spec.name) else StandIn(spec.name)

    def exec_module(self, module):
        if module.__name__ == "course_lib.check":
            module.__all__ = CHECK
            module.personal_tree = self.runner.personal.__getitem__
        if is_of(PLATFORMS, module.__name__):
            self.runner.ignore()


class Absent(StandIn):
    """A module whose functions do nothing for a cell that only shows something; in an answer they raise an error."""

    def __init__(self, name, runner):
        super().__init__(name)
        self.__runner__ = runner

    def __getattr__(self, name):
        missing = super().__getattr__(name)
        if isinstance(missing, type):
            return missing
        setattr(self, name, lambda *given, **named: SILENCE if self.__runner__.in_cell else missing(*given, **named))
        return getattr(self, name)


class Runner(Peer):
    """The student's end: runs cells in one namespace, calls its functions, reads its variables."""

    def __init__(self):
        super().__init__()
        # The pipe to the grader is taken away from standard input and output.
        self.incoming, self.outgoing = open(os.dup(0), "rb"), open(os.dup(1), "wb")  # noqa: SIM115
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nothing, standard)
        sys.modules["__main__"] = type(sys)("__main__")  # as in Jupyter: where pickle looks for the student's classes
        self.namespace = vars(sys.modules["__main__"])
        self.namespace["__builtins__"], builtins.help = __builtins__, _Helper()
        self.references, self.kept = {}, {}
        self.jupyter, self.ignored, self.uses_random, self.in_cell = None, [], False, False

    def send(self, line):
        self.outgoing.write(line)
        self.outgoing.flush()

    def receive(self):
        return self.incoming.readline() or os._exit(0)

    def message(self):
        return unpack(self.receive(), self.resolve, repeat(0))  # the grader's dictionaries may be large

    def find(self, target):
        return {"begin": self.begin, "keep": self.keep, "run": self.run, "call": self.call_function,
                "call_each": self.call_each, "read": self.read}[target]  # fmt: skip

    def begin(self, personal, needs_ipython):
        """Have `personal_tree` return these games and other things, by question; with or without IPython."""
        self.personal = personal
        if needs_ipython:
            self.begin_ipython()

    def keep(self, *games):
        """Keep the games, to which later messages refer; no copy of the program spends time on looking for garbage."""
        gc.freeze()

    def begin_ipython(self):
        from shell import Jupyter  # late: most notebooks do without

        self.jupyter = Jupyter(self.ignore)

    def ignore(self):
        """Note that the current line of a cell asks for what cannot be had in a sandbox."""
        frame = sys._getframe()
        while frame and not frame.f_code.co_filename.startswith("cell "):
            frame = frame.f_back
        self.ignored.append(f"{frame.f_code.co_filename}, line {frame.f_lineno}" if frame else "")

    def run(self, number, source):
        """Run a cell, and return the lines in it that did nothing; what it raises goes to the grader."""
        name, self.ignored = f"cell {number}", []
        self.uses_random = self.uses_random or "random" in source
        if "pip" in source:
            without_pip(self.ignore)
        if self.jupyter is None:
            try:
                code = compile(source, name, "exec")
            except SyntaxError:
                self.begin_ipython()
        self.in_cell = True
        try:
            if self.jupyter is None:
                exec(code, self.namespace)
            else:
                self.jupyter.run(name, source)
        finally:
            self.in_cell = False
        return self.ignored

    def call_function(self, number, name, *arguments):
        """What the student's function returns, as plain data; the number of the call is the seed of random numbers."""
        call = called if self.jupyter is None else partial(self.jupyter.call, called)
        return call(self.lookup(name), arguments, number if self.uses_random else 0)

    def call_and_leaves(self, number, name, *arguments):
        """[answer, the states whose utility or estimate it asked for], as the grader notes them too."""
        from course_lib.games import TreeGame

        seen, given = [], list(arguments)
        if not isinstance(given[0], TreeGame) or given[0].transposes:  # states may come again, and be remembered
            return [self.call_function(number, name, *given), seen]
        for place, argument in enumerate(given):
            if isinstance(argument, TreeGame):
                argument.utility = noting(seen, partial(TreeGame.utility, argument))
            elif isinstance(argument, Lookup):
                given[place] = noting(seen, argument)
        return [self.call_function(number, name, *given), seen]

    def call_each(self, name, cases, way):
        """[answer] or an error for each of these cases, each as a first call, until some time has passed."""
        call = {"listed.call": self.call_function, "listed.call_and_leaves": self.call_and_leaves,
                "listed.read": lambda number, name, *case: self.read(name)}[way]  # fmt: skip
        outcomes, end = [], time.process_time() + SHARE
        while len(outcomes) < len(cases) and time.process_time() < end:
            try:
                outcomes.append([call(1, name, *cases[len(outcomes)])])
            except Broken:
                raise
            except BaseException as error:
                outcomes.append([*self.describe(error)])
        return outcomes

    def read(self, name):
        value = self.lookup(name)
        if value is SILENCE:
            raise NotThere("the value was found by the library")
        return plain(value)

    def lookup(self, name):
        if name not in self.namespace:
            raise RemoteError("Undefined", name)
        return self.namespace[name]

    def describe(self, error):
        """The kind and message of an exception, and its place in the student's cells, such as "cell 1, line 5"."""
        kind, message, place = super().describe(error)
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename.startswith("cell "):
                place = f"{trace.tb_frame.f_code.co_filename}, line {trace.tb_lineno}"
            trace = trace.tb_next
        return kind, message, place

    def error_of(self, kind, message, line):
        """The exception that a function of the grader's raised, for the student's code to catch."""
        for home in (builtins, sys.modules.get("course_lib.search")):
            found = getattr(home, kind, None)
            if isinstance(found, type) and issubclass(found, Exception):
                return found(message)
        return RuntimeError(f"{kind}: {message}")

    def refer(self, value):
        try:
            return {"yours": self.references[id(value)]}
        except KeyError:
            raise NotPlain(f"something of type {type(value).__name__}") from None

    def resolve(self, kind, content):
        if kind == "array":
            return import_module("numpy").array(content)
        if kind == "named":
            module, name, items = content
            return getattr(import_module(module), name)(*items)
        if kind == "again":
            return self.kept[content]
        number, description = content
        value = {"function": function, "lookup": lookup, "whole": whole, "tree": tree}[kind](self, number, description)
        self.references[id(value)] = number
        self.kept[number] = value  # or its id may come back as another object's
        return value


def without_pip(ignore):
    """Whoever starts pip from now on starts a program that does nothing, and `ignore()` is called."""
    import subprocess  # late, like all that few notebooks need

    class Popen(subprocess.Popen):
        def __init__(self, args, *more, **options):
            if "pip" in (args.split() if isinstance(args, str) else map(str, args)):
                ignore()
                args, options = [sys.executable, "-S", "-c", ""], options | {"shell": False}
            super().__init__(args, *more, **options)

    subprocess.Popen = Popen


def function(peer, number, parameters):
    """A function of which the grader answers the calls; its parameters can be passed by name too."""

    def call(*arguments, **keywords):
        wanted = parameters[len(arguments) :][: len(keywords)]
        if set(wanted) != set(keywords):
            raise TypeError(f"expected the parameters {', '.join(parameters)}, got {', '.join(keywords)}")
        return peer.call(number, *arguments, *map(keywords.get, wanted))

    return call


def noting(seen, function):
    """The same function of a state, which is noted in `seen`; immediate repetitions count once."""

    def noted(state, *player):
        value = function(state, *player)
        if seen[-1:] != [state]:
            seen.append(state)
        return value

    return noted


def lookup(peer, number, description):
    """A function that is given by its table."""
    return Lookup(*description)


def whole(peer, number, description):
    """A game that is played in this process."""
    module, call = description
    return eval(call, vars(import_module(module)).copy())


def tree(peer, number, description):
    """A `TreeGame` from its nodes; utilities that were not sent are asked of the grader."""
    from course_lib.games import TreeGame
    from course_lib.games.tree import TreeNode

    players, rows, utility = description
    game, paths = TreeGame(0), [()]
    game.tree, game.players = f"… {number}", players  # the tree is for its repr, which differs from other trees'
    for player, actions, utilities, probabilities, *state in rows:
        path = paths.pop()
        same = tuple(state[0]) if state else path
        game.nodes[path] = TreeNode(same, player, tuple(actions), utilities, tuple(probabilities))
        game.transposes = game.transposes or bool(state)
        paths += [(*path, action) for action in reversed(actions)]
    if all(utilities is None for _, _, utilities, *_ in rows):
        game.utility = function(peer, utility, ["state", "player"])
    return game


def limit():
    """Limit the processes, threads and waiting signals of this sandbox; its other limits were set before it was made.

    Its first process gets the limit too. It is the hard limit, which no process in the sandbox can raise.
    """
    import resource

    for process in (0, 1):
        resource.prlimit(process, resource.RLIMIT_NPROC, (MAX_PROCESSES, MAX_PROCESSES))
        resource.prlimit(process, resource.RLIMIT_SIGPENDING, (MAX_SIGNALS, MAX_SIGNALS))


def branch(sandboxed):
    """Continue in a copy of the program; the original waits, and makes another one whenever a copy ends.

    Each question finds the program as the cells left it, whatever the previous question did: processes that it started,
    and that could still use the pipe, are ended with its copy. If too many processes were left running
    for a copy to be made, the original itself continues.
    """
    with contextlib.suppress(OSError):
        while copy := os.fork():
            if os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1]) != LEFT:
                os._exit(1)
            if sandboxed:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(-1, signal.SIGKILL)  # all in the sandbox but this program and the sandbox's own


def main(sandboxed, course, *packages):
    """Serve the grader until it ends."""
    runner, is_copy = Runner(), False
    if sandboxed == "sandboxed":
        limit()
    sys.path[:0] = ["", course]
    sys.path += packages
    sys.meta_path.insert(0, StandIns(runner))
    sys.setrecursionlimit(3000)
    while True:
        gc.disable()  # among many games that arrive it would look for garbage that is not there
        kind, *parts = runner.message()
        gc.enable()
        if kind == "call":
            runner.serve(*parts)
        elif is_copy:
            os._exit(LEFT)
        else:
            is_copy = True
            branch(sandboxed == "sandboxed")
            runner.send(pack(["branched"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
