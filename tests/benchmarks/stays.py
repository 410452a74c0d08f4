"""How far a reader must jump: `python tests/benchmarks/stays.py` follows a wrong answer and a submission.

A profiler notes the first call of each function. Consecutive functions of a module are one stay; a stay in a module
that was left before is a return. A check is followed until the recorder of searches replaces the profiler.
"""

import contextlib
import io
import sys
import tempfile
from concurrent.futures import Executor, Future
from itertools import groupby
from pathlib import Path

from bench_grading import NOTEBOOK, submission

from course_lib.check import check
from course_lib.games import MAX
from instructor.grade import command


def wrong(game, state):
    """A minimax search that takes turns for granted."""
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    values = [(wrong(game, game.result(state, action))[0], action) for action in game.actions(state)]
    return max(values) if len(state) % 2 == 0 else min(values)


class Here(Executor):
    def submit(self, function, *arguments):
        done = Future()
        done.set_result(function(*arguments))
        return done


def graded(folder):
    """Grade one submission of notebook 2 with wrong answers."""
    (folder / "in" / "s0001").mkdir(parents=True)
    (folder / "in" / "s0001" / f"{NOTEBOOK}.ipynb").write_text(submission("off by one", "s0001"), encoding="utf-8")
    command.executor = lambda *_: contextlib.nullcontext(Here())
    command.grade(str(folder / "in"), str(folder / "out"), secret_seed=1, sandboxed=False)


def followed(run):
    """(functions, stays, modules, returns) of what `run()` calls."""
    modules, seen = [], set()

    def profile(frame, event, argument):
        name = frame.f_globals.get("__name__") or ""
        is_named = not frame.f_code.co_name.startswith("<")
        if event == "call" and is_named and frame.f_code not in seen and name.startswith(("course_lib", "instructor")):
            seen.add(frame.f_code)
            modules.append(name)

    sys.setprofile(profile)
    with contextlib.suppress(AssertionError), contextlib.redirect_stdout(io.StringIO()):
        run()
    sys.setprofile(None)
    stays = [module for module, _ in groupby(modules)]
    return len(modules), len(stays), len(set(stays)), len(stays) - len(set(stays))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        for run in (lambda: check("minimax.search", wrong), lambda: graded(Path(temporary))):
            print("{} functions, {} stays, {} modules, {} returns".format(*followed(run)))
