"""The notebook's check and the grader say the same of an answer: of each question, and of answers of every kind."""

import json
from contextlib import suppress
from pathlib import Path

import pytest

from course_lib.check import student
from course_lib.check.failures import ONLY_GAMES
from course_lib.check.notebook import CheckFailed
from course_lib.check.question import NOTEBOOKS, questions_of, read
from instructor.grade.marking import first_cases, first_failure, is_secret, secret_cases
from instructor.grade.remote import RemoteStudent

ROOT = Path(__file__).parents[2]
WHO, SEED, LIMIT = "your name or number", 5, 10
KINDS = {
    "right": ("", ""),
    "wrong": ("def {0}(*arguments):\n    return 'wrong'", "{0} = 'wrong'"),
    "raising": ("def {0}(*arguments):\n    return 1 / 0", "del {0}\n{0} = 1 / 0"),
    "library": ("right = {0}\ndef {0}(*arguments, right=right):\n    from course_lib.search import minimax_value\n"
                "    return minimax_value(TreeGame(7), ()) and right(*arguments)",
                "right = {0}\ndel {0}\nfrom course_lib.search import minimax_value\n"
                "{0} = minimax_value(TreeGame(7), ()) and right"),
    "unanswered": ("", ""),
}  # fmt: skip
"""What comes after the solved cells, for a question that asks for a function and for one that asks for a value."""


def cells_of(name, kind, questions):
    """The code cells of a notebook, the answers to these questions of this kind, without checks."""
    folder = "exercises" if kind == "unanswered" else "solutions"
    cells = json.loads((ROOT / folder / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    more = [KINDS[kind][question.ask is read].format(question.name) for question in questions]
    kept = [source for source in sources if not source.startswith(("check(", "score("))]
    return ["from course_lib.games import TreeGame", *kept, *more]


def graded(questions, cells, seed=SEED):
    """Identifier → the `Failure` in a graded run, or None."""
    trees = {question.identifier: question for question in questions}
    remote = RemoteStudent(cells, LIMIT, lambda identifier: trees[identifier].own_case(WHO)[0], sandboxed=False)
    try:
        cases = {q: (*first_cases(q), *secret_cases(q, seed)) if is_secret(q) else q.graded_cases(seed, WHO)
                 for q in questions}  # fmt: skip
        return {question.identifier: first_failure(question, remote, cases[question], LIMIT) for question in questions}
    finally:
        remote.close()


def checked(question, names):
    """What the check raises, or None."""
    try:
        exec(f"from course_lib.check import check\ncheck('{question.identifier}', {question.name})", names)
    except (CheckFailed, NameError) as error:
        return error
    return None


DAILY = [(name, kind) for name in NOTEBOOKS for kind in KINDS if kind in ("right", "library") or name == NOTEBOOKS[1]]
ONE = [pytest.param(name, [next(q for q in questions_of(name) if q.kind == "write")], kind, id=f"{name}-{kind}")
       for name, kind in DAILY]  # fmt: skip
ALL = [pytest.param(name, questions_of(name), kind, marks=pytest.mark.slow, id=f"{name}-whole-{kind}")
       for name in NOTEBOOKS for kind in KINDS]  # fmt: skip


@pytest.mark.parametrize(("name", "questions", "kind"), ONE + ALL)
def test_the_notebook_and_the_grader_say_the_same(capsys, name, questions, kind):
    cells = cells_of(name, kind, questions)
    names = {"__name__": "__main__", "In": ["", *cells]}
    for cell in cells:
        with suppress(Exception):  # as in the notebook, a cell that fails leaves the next ones to be run
            exec(cell, names)
    student(WHO)
    failures = graded(questions, cells)
    for question in questions:
        capsys.readouterr()
        error = checked(question, names)
        failure, shown = failures[question.identifier], capsys.readouterr().out
        assert (error is None) == (failure is None) == (kind == "right"), (question.identifier, failure, error)
        if kind == "library":
            assert ONLY_GAMES in failure.words and ONLY_GAMES in shown
