"""Every committed notebook: what its file holds, and that it works in a real JupyterLab.

nbval runs them whole and compares the stored outputs; a notebook that was never run passes there, and fails here. In
JupyterLab only the cells with widgets are run, with what they need, and whole exercises, as a student begins.
"""

import json
import re
import sys
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect

from course_lib.saving import WIDGET_VIEW
from instructor.questions import plain_source
from lab import cell_errors, cells, open_in_place, run_all, run_cell, run_code, scroll_through
from live import WIDGETS, called, live_cells, with_what_they_need
from operate import operate, shows_a_widget

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("notebooks", "solutions", "exercises")
    for path in (ROOT / folder).glob("*.ipynb")
)
PICTURED = (WIDGETS - {"predict", "warm_up", "interact"}) | {"picture"}
"""Functions whose cells store a picture of what they show."""
MOST_LINES = 30
MOST_LINES_OF_AN_EXERCISE = 60
"""A question's cell may hold a whole game: nbgrader wants an answer in one cell."""
FOLDERS = r"(?<![\w.~])/(home|Users|root|tmp|usr|opt|var|mnt|private)/|\b[A-Z]:\\+Users|File ~"
MACHINE_PATH = re.compile("|".join([re.escape(str(ROOT)), re.escape(sys.prefix), FOLDERS]))


def faults(notebook, most_lines=MOST_LINES):
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    of_cells = [fault for number, cell in enumerate(code, 1) for fault in cell_faults(number, cell, most_lines)]
    return of_cells + list(file_faults(notebook)) + ([] if code else ["no code cell"])


def cell_faults(number, cell, most_lines):
    if cell.execution_count != number:
        yield f"code cell {number} was not run in its turn"
    if len(plain_source(cell.source).splitlines()) > most_lines:  # without the marks of known mistakes
        yield f"code cell {number} is longer than {most_lines} lines"
    for output in cell.outputs:
        if output.output_type == "error" and "raises-exception" not in cell.metadata.get("tags", []):
            yield f"code cell {number} failed with {output.ename}"
        if WIDGET_VIEW in output.get("data", {}):
            yield f"code cell {number} shows a widget that is dead without its kernel"
    stored = {kind for output in cell.outputs for kind in output.get("data", {})}
    if PICTURED & called(cell.source) and "image/png" not in stored:
        yield f"code cell {number} has no picture to show without its kernel"


def file_faults(notebook):
    without_pictures = re.sub(r'"image/\w+": "[^"]*"', "", json.dumps(notebook, ensure_ascii=False))
    for match in MACHINE_PATH.finditer(without_pictures):
        yield f"the path of a machine: {match[0]}"
    if "widgets" in notebook.metadata:
        yield "stored widget state"
    if notebook.metadata.get("kernelspec", {}).get("name") != "python3":
        yield "the kernel is not python3"


@pytest.mark.parametrize("path", NOTEBOOKS)
def test_the_file_is_frozen(path):
    most_lines = MOST_LINES if path.startswith("notebooks/") else MOST_LINES_OF_AN_EXERCISE
    assert faults(nbformat.read(ROOT / path, as_version=4), most_lines) == []


@pytest.mark.slow
@pytest.mark.parametrize("path", [path for path in NOTEBOOKS if path.startswith("notebooks/")])
def test_its_widgets_work_in_jupyterlab(page, path):
    open_in_place(page, path)
    code = cells(page)
    live = live_cells(code)
    for index in with_what_they_need(code, live):
        if index in live:
            run_cell(page, index)
        else:
            run_code(page, code[index]["source"])  # its outputs need not be drawn
    assert cell_errors(page) == []
    assert [index for index, cell in enumerate(cells(page)) if shows_a_widget(cell)] == live
    scroll_through(page)
    expect(page.get_by_text("Loading widget")).to_have_count(0)  # what is closed before that is an error on the console
    operate(page)


@pytest.mark.slow
@pytest.mark.parametrize("path", [path for path in NOTEBOOKS if path.startswith("exercises/")])
def test_it_runs_to_its_end_in_jupyterlab(page, path):
    open_in_place(page, path)
    run_all(page)
    assert cell_errors(page) == []
    assert [cell["execution_count"] for cell in cells(page) if cell["cell_type"] == "code"].count(None) == 0
    scroll_through(page)
