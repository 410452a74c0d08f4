"""Exercises are made from their solutions; nbgrader can take both as they are."""

import os
import re
import sys
from pathlib import Path

import nbformat
import pytest

from course_lib.check.examine import examine
from course_lib.check.question import NOTEBOOKS, Direct, find_question, questions_of
from instructor.exercises import build, exercise_of

ROOT = Path(__file__).parents[2]
SOLVED = [name for name in NOTEBOOKS if (ROOT / "solutions" / f"{name}.ipynb").exists()]


def notebook(folder, name):
    return nbformat.read(ROOT / folder / f"{name}.ipynb", as_version=4)


def unrun(notebook):
    """What a notebook holds but for its outputs: (kind of cell, id, source, metadata) of each cell."""
    return [(cell.cell_type, cell.id, cell.source, cell.metadata) for cell in notebook.cells]


def test_every_exercise_has_its_solution():
    folders = [{path.name for path in (ROOT / folder).glob("*.ipynb")} for folder in ("solutions", "exercises")]
    assert folders[0] == folders[1] == {f"{name}.ipynb" for name in SOLVED} != set()


@pytest.mark.parametrize("name", SOLVED)
def test_an_exercise_is_as_a_fresh_build_makes_it(name):
    assert unrun(exercise_of(notebook("solutions", name))) == unrun(notebook("exercises", name))


@pytest.mark.parametrize("name", SOLVED)
def test_an_exercise_gives_nothing_away(name):
    exercise = notebook("exercises", name)
    assert "SOLUTION" not in str(unrun(exercise))
    stubs = [cell for cell in exercise.cells if cell.metadata.get("nbgrader", {}).get("solution")]
    assert all(re.search("# YOUR CODE HERE|# Change what stands above", cell.source) for cell in stubs)
    passed = [output for cell in exercise.cells for output in cell.get("outputs", []) if "passed" in str(output)]
    assert passed == []


def checks(notebook):
    """(identifier, name, points, tags) of each check cell."""
    found = []
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            identifier, name = re.fullmatch(r'check\("([\w.]+)", (\w+)\)', cell.source).groups()
            found.append((identifier, name, cell.metadata.nbgrader.points, cell.metadata.get("tags")))
    return found


@pytest.mark.parametrize("name", SOLVED)
def test_each_question_has_one_check_worth_its_points(name):
    expected = [(q.identifier, q.name, q.points, ["raises-exception"]) for q in questions_of(name)]
    for folder in ("solutions", "exercises"):
        assert checks(notebook(folder, name)) == expected
    assert 5 <= len(expected) <= 8
    assert sum(points for _, _, points, _ in expected) >= 10


@pytest.mark.parametrize("name", SOLVED)
def test_the_solved_notebook_has_all_points(name):
    *_, last = notebook("solutions", name).cells
    assert last.source == f'score("{name}")'
    total = sum(question.points for question in questions_of(name))
    assert last.outputs[0].text.splitlines()[-1].split() == [str(total), "of", str(total), "in", "all"]


def test_only_known_notebooks_are_built(tmp_path):
    with pytest.raises(ValueError, match="not 02_minimaxx"):
        build(ROOT / "solutions", tmp_path, ["02_minimaxx"])
    with pytest.raises(ValueError, match=r"are the solutions \(none\)"):
        build(tmp_path, tmp_path / "exercises")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A site that runs nbgrader, with the solved notebook 2 as the source of an assignment."""
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)  # nbgrader calls alembic
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import Config

    source = tmp_path / "source" / "minimax" / "02_minimax.ipynb"
    source.parent.mkdir(parents=True)
    source.write_bytes((ROOT / "solutions" / "02_minimax.ipynb").read_bytes())
    return NbGraderAPI(config=Config(CourseDirectory={"root": str(tmp_path)}))


def half_answered():
    """The exercise with the answers of its first four questions."""
    exercise, solution = notebook("exercises", "02_minimax"), notebook("solutions", "02_minimax")
    answers = [index for index, cell in enumerate(exercise.cells) if cell.metadata.get("nbgrader", {}).get("solution")]
    for index in answers[:4]:
        exercise.cells[index].source = solution.cells[index].source
    return exercise


def test_nbgrader_generates_autogrades_and_scores(site):
    """That all answers together have all points, the solved notebook shows itself."""
    assert site.generate_assignment("minimax")["success"]
    handed_in = Path(site.coursedir.root) / "submitted" / "half" / "minimax" / "02_minimax.ipynb"
    handed_in.parent.mkdir(parents=True)
    nbformat.write(half_answered(), handed_in)
    assert site.autograde("minimax", "half")["success"]
    points = [question.points for question in questions_of("02_minimax")]
    with site.gradebook as gradebook:
        graded = gradebook.find_submission("minimax", "half")
        found = graded.score, graded.max_score, graded.needs_manual_grade
    assert found == (sum(points[:4]), sum(points), False)


def test_a_selection_without_its_return_is_told_so():
    """In exercise 6 it is `selected`, which is given, that calls the student's `select`."""
    given = [cell.source for cell in notebook("exercises", "06_mcts_ucb1").cells if cell.cell_type == "code"]
    names = {"select": lambda root, c: None}
    for source in (next(source for source in given if line in source) for line in ("class Node:", "def selected(")):
        exec(re.split(r"\n\n\nroot = ", source)[0], names)
    failure = examine(find_question("mcts_ucb1.select"), Direct(names["selected"])).failure
    assert failure.words.startswith("The function returns None. Is there a return ")
    assert failure.error is None
