"""Cells mean in a graded run what they mean in a notebook: the same questions are passed in a real kernel."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from grading_command.hostile import NOTEBOOK, VALUE, notebook, solution_cells
from instructor.grade.marking import mark
from sections import sections

CELLS = sections(Path(__file__).with_name("cells.txt"))
RIGHT = dict(solution_cells())[VALUE].replace("my_minimax_value", "right")
SETUP = f"""from math import inf
from course_lib.check import check, student
from course_lib.games import MAX
student("ada")
{RIGHT}"""
CHECKS = {VALUE: f"check('{VALUE}', my_minimax_value)", "minimax.memory": "check('minimax.memory', memory)"}


def sources(name):
    """The cells of the small notebook of this name: the import of the course, its own, and the checks."""
    return [SETUP, *CELLS[name].replace(r"\r", "\r").split("\n----\n"), *CHECKS.values()]


def passed_in_a_kernel(cells, folder):
    made = nbformat.reads(notebook(cells), as_version=4)
    client = NotebookClient(made, allow_errors=True, timeout=120, resources={"metadata": {"path": str(folder)}})
    client.execute()
    outputs = [cell.outputs for cell in made.cells[-len(CHECKS) :]]
    return {name for name, shown in zip(CHECKS, outputs) if not [one for one in shown if one.output_type == "error"]}


@pytest.mark.slow
@pytest.mark.parametrize("name", CELLS)
def test_a_kernel_and_the_grader_accept_the_same_answers(bubblewrap, tmp_path, name):
    marks = mark(sources(name), NOTEBOOK, "ada", 1)["questions"]
    passed = {question for question in CHECKS if marks[question]["points"]}
    assert passed == passed_in_a_kernel(sources(name), tmp_path)
