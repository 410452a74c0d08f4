"""The program that runs one student's notebook, in a sandbox of its own: cells in, plain answers out.

It is started as a script, with the folder that holds course_lib and those of the installed packages as arguments. Of
course_lib only the games are there; what draws or checks does nothing, and calls to the searches raise `NotThere`. The
student's code shares this process and can change all of it, so the process contains no secrets.
"""

import builtins
import contextlib
import gc
import os
import pickle
import signal
import sys
import time
from _sitebuiltins import _Helper
from functools import partial
from importlib.machinery import ModuleSpec
from types import SimpleNamespace

HERE = os.path.dirname(os.path.abspath(__file__))
# In the sandbox graded.py lies beside this file.
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "..", "course_lib", "check")]
import graded  # noqa: E402
from graded import ABSENT, CHECK, SILENCE, SILENT, StandIn, is_of  # noqa: E402
from protocol import AS_JSON, LARGEST, RemoteError, encode  # noqa: E402

del sys.path[:2]
sys.modules["course_lib.check.graded"] = graded  # where pickles look for its classes

PLATFORMS = "google", "js", "micropip", "piplite", "pyodide"
"""Packages of platforms on which a notebook may have been written, of which nothing can be had in a sandbox."""
REPLACED = ("instructor", *SILENT, *ABSENT, *PLATFORMS)
"""The packages in whose place a student's code imports a `StandIn`."""
LEFT = 77
"""The exit code of a copy of the program that the grader ended."""
SHARE = 1
"""Seconds of CPU time after which the answers so far are sent, if many were asked for at once."""
WALL_SHARE = 4
"""The same in wall-clock time, for answers that sleep. On a busy machine it may come first, which loses nothing."""
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


class Unused(type(sys)):
    """The module `random` until somebody uses it: only then is it seeded, as this takes longer than many a case."""

    latest = None

    def __getattribute__(self, name):
        self.__class__, graded.random = type(sys), self
        if Unused.latest is not None:
            self.seed(Unused.latest)
        return getattr(self, name)


class Runner:
    """The student's end: runs cells in one namespace, calls its functions, reads its variables."""

    def __init__(self):
        # The pipe to the grader is taken away from standard input and output.
        self.incoming, self.outgoing = open(os.dup(0), "rb"), open(os.dup(1), "wb")  # noqa: SIM115
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(nothing, standard)
        sys.modules["__main__"] = type(sys)("__main__")  # as in Jupyter: where pickle looks for the student's classes
        self.namespace = vars(sys.modules["__main__"])
        self.namespace["__builtins__"], builtins.help = __builtins__, _Helper()
        self.cases, self.jupyter, self.ignored, self.in_cell = {}, None, [], False

    def send(self, message):
        line = AS_JSON(message).encode()
        if len(line) > LARGEST:
            raise graded.NotPlain(f"{len(line):,} bytes; the most that can be sent is {LARGEST:,}")
        self.outgoing.write(line + b"\n")
        self.outgoing.flush()

    def receive(self):
        """The next message of the grader's: "branch", or a call's ticket, the name of a method, and its arguments."""
        try:
            return pickle.load(self.incoming)
        except EOFError:
            os._exit(0)

    def serve(self, ticket, method, arguments):
        """Run a method, and send its ticket with what it returns or raises."""
        try:
            answer = encode(getattr(self, method)(*arguments))
            self.send([ticket, answer])
        except BaseException as error:
            self.send([ticket, *self.describe(error)])

    def begin(self, personal, needs_ipython):
        """Have `personal_tree` return these games and other things, by question; with or without IPython."""
        self.personal = personal
        if needs_ipython:
            self.begin_ipython()

    def keep(self, cases):
        """Keep lists of (seed, case) pairs, pickled in a dictionary, to be asked for by their keys."""
        gc.disable()  # among many games that arrive it would look for garbage that is not there
        self.cases |= pickle.loads(cases)
        gc.freeze()  # nor do copies of the program spend time on them
        gc.enable()

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

    def ask(self, way, name, arguments, seed):
        """What this way of `graded` to call the student's function returns; random numbers begin with the seed."""
        call = getattr(graded, way) if self.jupyter is None else partial(self.jupyter.call, getattr(graded, way))
        return call(self.lookup(name), arguments, seed)

    def ask_each(self, way, name, key, begin, end):
        """[answer] or an error for each of these kept cases, until some time has passed."""
        outcomes, until, at_last = [], time.process_time() + SHARE, time.monotonic() + WALL_SHARE
        for seed, case in self.cases[key][begin:end]:
            try:
                outcomes.append([self.ask(way, name, case, seed)])
            except BaseException as error:
                outcomes.append([*self.describe(error)])
            if time.process_time() > until or time.monotonic() > at_last:
                break
        return outcomes

    def read(self, name):
        """The value of a variable."""
        value = self.lookup(name)
        if value is SILENCE:
            raise graded.NotThere("the value was found by the library")
        return graded.plain(value)

    def lookup(self, name):
        if name not in self.namespace:
            raise RemoteError("Undefined", name)
        return self.namespace[name]

    def describe(self, error):
        """The kind and message of an exception, and its place in the student's cells, such as "cell 1, line 5"."""
        kind, place = error.kind if isinstance(error, RemoteError) else type(error).__name__, ""
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename.startswith("cell "):
                place = f"{trace.tb_frame.f_code.co_filename}, line {trace.tb_lineno}"
            trace = trace.tb_next
        return kind[:100], str(error)[:500], place


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
    import course_lib.games  # noqa: F401 (it uses `random`, which is unused from now on)

    graded.random.__class__ = Unused
    graded.random = SimpleNamespace(seed=partial(setattr, Unused, "latest"))
    sys.meta_path.insert(0, StandIns(runner))
    sys.setrecursionlimit(3000)
    while True:
        message = runner.receive()
        if message != "branch":
            runner.serve(*message)
        elif is_copy:
            os._exit(LEFT)
        else:
            is_copy = True
            branch(sandboxed == "sandboxed")
            runner.send(["branched"])


if __name__ == "__main__":
    main(*sys.argv[1:])
