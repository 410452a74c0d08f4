"""Known mistakes, each handed in as a student's answer: the feedback names them as the notebook does."""

from contextlib import closing
from html import unescape
from pathlib import Path

import pytest

from course_lib.check import examine
from course_lib.check.examine import Direct
from course_lib.check.failures import Verdict
from grading_command.hostile import solution_cells
from instructor.grade.authorship import claims, notes_on_names
from instructor.grade.marking import (
    SECRET_WORDS,
    drawn_rows,
    explained,
    mark,
    overwritten,
    public_cases,
    public_outcome,
    tables_of,
)
from instructor.grade.remote import RemoteStudent
from instructor.grade.state import State, _questions
from instructor.questions import _changed, notebooks
from sections import sections

PROGRAMS = sections(Path(__file__).with_name("programs.txt"))
QUESTIONS = [(n.name, q.identifier) for n in notebooks().values() for q in n.questions if q.known]
IMPORTS = "from math import inf\nfrom course_lib.games import MAX"
VALUE = dict(solution_cells())["minimax.value"]
NOT_TOLD_APART = [
    {"only the first action tried", "α and β swapped", "only the first action tried or α and β swapped"},
    {
        "a bound stored as a value",
        "a cached value of another depth",
        "a bound stored as a value or a cached value of another depth",
    },
    {
        "the old position searched",
        "the action not compared",
        "the old position searched or the action not compared",
        "the action not compared or the old position searched",
    },
]
"""Mistakes that do the same in every case, and the name of both."""


def cells_with(question, known):
    """The cells before the question's check, with this mistake made in them."""
    cells = enumerate(question.notebook.cells[: question.check_cell])
    return [_changed(cell["source"], known.changes.get(number, {})) for number, cell in cells
            if cell["cell_type"] == "code"] + [known.code]  # fmt: skip


def failures(question, known):
    """What the notebook says of a mistake, a `Failure`, and what the grader does, a mark."""
    table = tables_of(question.notebook.name)[question.identifier]
    cells, public = cells_with(question, known), public_cases(question.notebook.name)
    with closing(RemoteStudent(cells, 60, sandboxed=False, public=public)) as remote:
        found = explained(public_outcome(table, remote, "ada", 60, 1).failure, remote)
    return examine.examine(table, Direct(question.answer(known)), "ada").failure, found


@pytest.mark.slow
@pytest.mark.parametrize(("notebook", "identifier"), QUESTIONS, ids=lambda name: name)
def test_the_grader_names_the_mistake_that_the_notebook_names(notebook, identifier, monkeypatch):
    monkeypatch.setattr(examine, "TRY", 60)  # the time is not the subject here, and a machine may pause
    monkeypatch.setattr(examine, "PATIENCE", 600)
    (question,) = [q for q in notebooks()[notebook].questions if q.identifier == identifier]
    for known in question.known:
        failure, found = failures(question, known)
        in_notebook = failure.mistake.name if failure.mistake else failure.wrong.words
        assert (found["mistake"] or found["message"]) == in_notebook, known.changes or known.code
        told_apart = in_notebook in (known.name, known.sentence)
        assert told_apart or any({known.name, in_notebook} <= names for names in NOT_TOLD_APART), (
            known.changes or known.code
        )


def test_the_grader_shows_the_smallest_case_that_the_notebook_shows():
    (question,) = [q for q in notebooks()["02_minimax"].questions if q.identifier == "minimax.value"]
    known = next(known for known in question.known if known.name == "turns assumed to alternate")
    failure, found = failures(question, known)
    assert (found["mistake"], found["verdict"]) == ("turns assumed to alternate", Verdict.WRONG)
    assert f"my_minimax_value({failure.row.case[0]!r}, ())" in unescape(found["report"])


def marked(program, monkeypatch):
    """(whether the notebook accepts this answer to the first question, the grader's mark)."""
    monkeypatch.setattr(examine, "TRY", 60)
    cells = [IMPORTS, VALUE.replace("my_minimax_value", "value"), PROGRAMS[program]]
    names = {}
    exec("\n".join(cells), names)
    table = tables_of("02_minimax")["minimax.value"]
    outcome = examine.examine(table, Direct(names["my_minimax_value"]), "ada")
    return outcome.failure is None, mark(cells, "02_minimax", "ada", 1, sandboxed=False)["questions"]["minimax.value"]


@pytest.mark.parametrize("program", [
    "stops after two zeros",  # wrong in 20 of 1,939 cases
    "wrong once",  # in its 1,900th call only, so that later ones do not notice it
    "wrong for one in ten random numbers", "wrong for one in ten random numbers of NumPy",
])  # fmt: skip
def test_what_the_notebook_rejects_the_grader_rejects(program, monkeypatch):
    accepted, found = marked(program, monkeypatch)
    assert not accepted and found["points"] == 0 and found["verdict"] == Verdict.WRONG and "TreeGame" in found["report"]


def test_nobody_knows_the_seeds_of_random_numbers_in_secret_cases(monkeypatch):
    accepted, found = marked("right for the seeds of the notebook", monkeypatch)
    assert accepted and (found["points"], found["message"]) == (0, SECRET_WORDS)


SLOW = """
import time
calls = []
def my_minimax_value(game, state):
    calls.append(1)
    began = time.process_time()
    while time.process_time() < began + (1.1 if len(calls) < 3 else 0.001): pass
    return value(game, state) + (repr((game, state)) not in FORESEEN if FORESEEN else 0)
"""
"""Slow, most of all in its first call in the small cases, and in that in those drawn."""


def test_a_slow_answer_is_asked_what_nobody_foresees():
    """Another seed draws other cases of all sizes, and with them all kinds; and the rest in another order."""
    table = tables_of("02_minimax")["minimax.value"]
    (some, others), *drawn = ([[row.number for row in rows] for rows in drawn_rows(table, seed)] for seed in (1, 2))
    assert sorted(some + others) == [*range(len(table))] and {*some} > {*range(len(table) - table.of_kinds, len(table))}
    assert len({*some} & {*drawn[0][0]}) < len(some) / 2 and others[:9] != drawn[0][1][:9]


@pytest.mark.parametrize("foreseen", [False, True])
def test_a_slow_answer_is_asked_more_and_a_note_says_that_it_was_not_all(monkeypatch, foreseen):
    monkeypatch.setattr("instructor.grade.marking.LOOK", 0)
    table = tables_of("02_minimax")["minimax.value"]
    known = [repr(row.case) for row in (table.row(0), table.row(table.drawn), *drawn_rows(table, 1)[0])]
    cells = [IMPORTS, VALUE.replace("my_minimax_value", "value"), f"FORESEEN = {known if foreseen else []}", SLOW]
    marks = mark(cells, "02_minimax", "ada", 1, sandboxed=False)
    found, said = marks["questions"]["minimax.value"], [note.for_student for note in marks["notes"]]
    assert ("TreeGame" in found["report"]) == foreseen == (found["points"] == 0)
    assert any("my_minimax_value is slow" in text for text in said) != foreseen, said


def test_a_name_that_a_later_cell_overwrites_is_noted_with_its_cells():
    cells = ["def f(): pass\nx = 1", "max = 3\nx = 2\nf == 3", "f = 2\nf = 3", "class A: pass\n    min = 2"]
    assert [sentence.partition(":")[0] for sentence in overwritten(cells)] == [
        "f is defined in code cells 1 and 3", "max is defined in code cell 2"]  # fmt: skip


def test_a_name_as_long_as_a_notebook_is_none():
    assert claims([f'student("{"ﷺ" * 999}")', "student('Ada')"]) == ["Ada"]


@pytest.mark.parametrize(("name", "noted"), [("ADA  lovelace", False), ("bob", True)])
def test_a_name_is_the_students_whatever_its_capitals(name, noted):
    assert bool(notes_on_names([name], "Ada Lovelace")) == noted


def test_marks_are_made_again_when_a_question_has_changed(tmp_path, monkeypatch):
    monkeypatch.setattr("instructor.grade.state.ROOT", tmp_path)
    state, found = State(tmp_path / "out", 1, 10, False), []
    for name in ("exercises/a.cases.gz", "solutions/a.ipynb", "solutions/a.py", "solutions/shared.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    for name in (None, "exercises/a.cases.gz", "solutions/a.ipynb", "solutions/a.py", "solutions/shared.py"):
        if name:
            (tmp_path / name).write_bytes(b"changed")
        _questions.cache_clear()
        found.append(state.fingerprint("ada", "a", []))
    assert len({*found}) == 5
