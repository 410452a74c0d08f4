"""The verdicts of the checks of one notebook: `python verdicts.py NOTEBOOK`, in CPython as in the browser's Python.

A right answer is that of the solutions; wrong ones are the first of `check/wrong_answers`, and one that never ends.
"""

import sys
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from json import dumps, loads
from math import inf
from pathlib import Path
from types import ModuleType

from course_lib.check import examine, notebook
from course_lib.check.question import questions_of, read

TESTS = Path(__file__).parents[1]
LONG, SHORT = 300, 1
"""Seconds for an answer that ends, and for one that does not: a busy machine is no other verdict."""
CHECKED = "check(", "score("


def endless(*arguments, **options):
    while True:
        pass


def solution(name):
    """The names that the solutions of a notebook define."""
    names = {"__name__": "solution"}
    for cell in loads((TESTS.parent / "solutions" / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and not source.startswith(CHECKED) and "picture(" not in source:
            exec(source, names)
    return names


def answers(question, names, module):
    """(what it is, the answer) of a question: a right one and three wrong ones."""
    wrong = [wrong.answer for wrong in module.WRONG[question.identifier]]
    right = names[question.name]
    yield "right", right
    yield from zip(("wrong", "another", "a third"), wrong[: 3 if question.ask is read else 2])
    if question.ask is not read:
        yield "endless", endless


@contextmanager
def limited(seconds):
    """Checks have so much time, whatever their questions say."""
    time_limit = notebook.time_limit  # a name of this function's: while `endless` is checked, the module's are hidden
    notebook.time_limit = lambda *limits: time_limit(seconds)
    yield
    notebook.time_limit = time_limit


def verdict(identifier, answer, seconds):
    try:
        with limited(seconds), redirect_stdout(StringIO()):
            notebook.check(identifier, answer)
    except AssertionError as told:
        return f"{type(told).__name__}: {told}"
    return "passed"


def module_of(name):
    """The module with wrong answers; NumPy, which one right answer needs, may be missing."""
    with_numpy = find_spec("numpy") is not None
    if not with_numpy:
        sys.modules["numpy"] = ModuleType("numpy")
    module = import_module(f"check.wrong_answers.{name[3:]}")
    if not with_numpy:
        del sys.modules["numpy"]
    return module


def verdicts(name):
    """Prints a line for each answer: its question, what it is, and the verdict, as JSON."""
    examine.PATIENCE = inf
    notebook.display = lambda report: None
    names, module = solution(name), module_of(name)
    vars(module).update(told=names.get("told"))  # the notebook's own, which checks do not hide
    for question in questions_of(name):
        for kind, answer in answers(question, names, module):
            said = verdict(question.identifier, answer, SHORT if answer is endless else LONG)
            print(dumps([question.identifier, kind, said]), flush=True)


if __name__ == "__main__":
    sys.path.insert(0, str(TESTS))
    verdicts(sys.argv[1])
