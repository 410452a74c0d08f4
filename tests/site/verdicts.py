"""The verdicts of the checks of one notebook: `python verdicts.py NOTEBOOK`, in CPython as in the browser's Python.

A right answer is that of the solutions; wrong ones are the first of `check/wrong_answers`, and one that never ends.
"""

import sys
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from json import dumps, loads
from math import inf
from pathlib import Path

from course_lib.check.question import questions_of, read

from course_lib.check import examine, notebook

TESTS = Path(__file__).parents[1]
LONG, SHORT = 300, 1  # seconds
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


def verdict(identifier, answer):
    """What the check says. Answers that end have all the time they need: a busy machine is no other verdict."""
    limit, time_limit = SHORT if answer is endless else LONG, notebook.time_limit
    notebook.time_limit = lambda *limits: time_limit(limit)
    try:
        with redirect_stdout(StringIO()):
            notebook.check(identifier, answer)
    except AssertionError as told:
        return f"{type(told).__name__}: {told}"
    finally:
        notebook.time_limit = time_limit
    return "passed"


def verdicts(name):
    """Prints a line for each answer: its question, what it is, and the verdict, as JSON."""
    examine.PATIENCE = inf
    notebook.display = lambda report: None
    names, module = solution(name), import_module(f"check.wrong_answers.{name[3:]}")
    vars(module).update(told=names.get("told"))  # the notebook's own, which checks do not hide
    for question in questions_of(name):
        for kind, answer in answers(question, names, module):
            print(dumps([question.identifier, kind, verdict(question.identifier, answer)]))


if __name__ == "__main__":
    sys.path.insert(0, str(TESTS))
    verdicts(sys.argv[1])
