"""Known mistakes, each handed in as a student's answer: the feedback names them as the notebook does."""

from contextlib import closing

import pytest

from course_lib.check import examine
from course_lib.check.students import Direct
from instructor.grade.marking import explained, first_rows, tables_of
from instructor.grade.remote import RemoteStudent
from instructor.questions import _changed, notebooks

QUESTIONS = [(n.name, q.identifier) for n in notebooks().values() for q in n.questions if q.known]
NOT_TOLD_APART = {"only the first action tried", "α and β swapped", "only the first action tried or α and β swapped"}
"""Mistakes that do the same in every case, and the name of both."""


def cells_with(question, known):
    """The cells before the question's check, with this mistake made in them."""
    cells = enumerate(question.notebook.cells[: question.check_cell])
    return [_changed(cell["source"], known.changes.get(number, {})) for number, cell in cells
            if cell["cell_type"] == "code"] + [known.code]  # fmt: skip


def names(question, known):
    """The names that the notebook and the grader give to a mistake; if they give none, their sentences."""
    table = tables_of(question.notebook.name)[question.identifier]
    failure = examine.examine(table, Direct(question.answer(known)), "ada").failure
    in_notebook = failure.mistake.name if failure.mistake else failure.wrong.words
    with closing(RemoteStudent(cells_with(question, known), 60, sandboxed=False)) as remote:
        remote.begin(60)
        mark = explained(examine.first_failure(table, remote, first_rows(table)).failure, remote)
    return in_notebook, mark["mistake"] or mark["message"]


@pytest.mark.slow
@pytest.mark.parametrize(("notebook", "identifier"), QUESTIONS, ids=lambda name: name)
def test_the_grader_names_the_mistake_that_the_notebook_names(notebook, identifier, monkeypatch):
    monkeypatch.setattr(examine, "TRY", 60)  # the time is not the subject here, and a machine may pause
    monkeypatch.setattr(examine, "PATIENCE", 600)
    (question,) = [q for q in notebooks()[notebook].questions if q.identifier == identifier]
    for known in question.known:
        in_notebook, in_feedback = names(question, known)
        assert in_feedback == in_notebook, known.changes or known.code
        told_apart = in_notebook in (known.name, known.sentence)
        assert told_apart or {known.name, in_notebook} <= NOT_TOLD_APART, known.changes or known.code
