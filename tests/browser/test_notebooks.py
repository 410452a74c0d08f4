"""Every committed notebook: what its file holds, and that its widgets work in a real JupyterLab.

nbval runs them whole and compares the stored outputs; a notebook that was never run passes there, and fails here.
"""

import json
import re
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from playwright.sync_api import expect

from course_lib.saving import WIDGET_VIEW
from instructor.execute import KERNEL
from lab import cell_errors, cells, open_in_place, run_all, run_cell, run_code, scroll_through
from live import WIDGETS, called, live_cells, with_what_they_need
from operate import operate, shows_a_widget

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("notebooks", "solutions", "exercises")
    for path in (ROOT / folder).glob("*.ipynb")
)
PICTURED = (WIDGETS - {"predict", "warm_up"}) | {"picture"}
"""Functions whose cells store a picture of what they show."""
OPERATED_DAILY = "notebooks/02_minimax.ipynb"
"""What it does not show is among `SOUND`; the other notebooks are opened in the second suite."""
MOST_LINES = 30
MOST_LINES_OF_AN_EXERCISE = 60
"""A question's cell may hold a whole game: nbgrader wants an answer in one cell."""
FOLDERS = r"(?<![\w.~])/(home|Users|root|tmp|usr|opt|var|mnt|private)/|\b[A-Z]:\\+Users|File ~"
MACHINE_PATH = re.compile("|".join([re.escape(str(ROOT)), re.escape(sys.prefix), FOLDERS]))


def faults(notebook, most_lines=MOST_LINES):
    """What keeps a notebook from being committed, as a list of sentences."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    of_cells = [fault for number, cell in enumerate(code, 1) for fault in cell_faults(number, cell, most_lines)]
    return of_cells + list(file_faults(notebook)) + ([] if code else ["no code cell"])


def cell_faults(number, cell, most_lines):
    if cell.execution_count != number:
        yield f"code cell {number} was not run in its turn"
    if len(cell.source.splitlines()) > most_lines:
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
    if notebook.metadata.get("kernelspec", {}).get("name") != KERNEL["name"]:
        yield f"the kernel is not {KERNEL['name']}"


@pytest.mark.parametrize("path", NOTEBOOKS)
def test_the_file_is_frozen(path):
    most_lines = MOST_LINES if path.startswith("notebooks/") else MOST_LINES_OF_AN_EXERCISE
    assert faults(nbformat.read(ROOT / path, as_version=4), most_lines) == []


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.slow] * (path != OPERATED_DAILY))
        for path in NOTEBOOKS
        if path.startswith("notebooks/")
    ],
)
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
    assert showing_widgets(page) == live
    scroll_through(page)
    expect(page.get_by_text("Loading widget")).to_have_count(0)  # what is closed before that is an error on the console
    operate(page)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS)
def test_it_runs_to_its_end_in_jupyterlab(page, path):
    open_in_place(page, path)
    run_all(page)
    assert cell_errors(page) == []
    assert [cell["execution_count"] for cell in cells(page) if cell["cell_type"] == "code"].count(None) == 0
    if path.startswith("notebooks/"):
        assert showing_widgets(page) == live_cells(cells(page))
    scroll_through(page)


def showing_widgets(page):
    return [index for index, cell in enumerate(cells(page)) if shows_a_widget(cell)]


def test_cells_with_widgets_and_what_they_need_are_found():
    sources = [
        "from course_lib.explore import board, predict as ask",
        "game, n = 1, 2",
        "def guess(*_):\n    return 0",
        "def agent(state, n):\n    return [guess(game, state) for game in n]",
        "n += 1",
        "print(n)",
        "board(game, agent)",
    ]
    cells = [new_code_cell(source) for source in sources]
    assert live_cells(cells) == [6]
    assert with_what_they_need(cells, [6]) == [0, 1, 2, 3, 6]
    assert with_what_they_need([*cells, new_code_cell("agent(n)")], [7]) == [2, 3, 4, 7]


SOUND = [
    "import sys\nimport ipywidgets\nfrom course_lib.explore import *\nfrom course_lib.games import *\n"
    "from course_lib.search import monte_carlo_tree_search",
    "explore(watch_mcts(monte_carlo_tree_search, TicTacToe(), iterations=9, seed=1), boards=True)",
    "what_if(TreeGame([Chance([(0.5, 20), (0.5, 30)]), 24]))",
]
"""The kinds of widgets that the notebooks of every day do not show."""
TROUBLE = [
    ("b = ipywidgets.Button(description='b')\nb.on_click(lambda _: 1 / 0)\nb", "ZeroDivisionError: division by zero"),
    ("s = ipywidgets.IntSlider()\ns.observe(lambda _: {}['x'], 'value')\ns", "KeyError: 'x'"),
    ("e = explore(TicTacToe())\ne.tree.observe(lambda _: [][3], 'selected')\ne", "IndexError: list index out of range"),
    ("d = ipywidgets.Dropdown(options='ab')\nd.observe(lambda _: print('!', file=sys.stderr), 'value')\nd", "!"),
]
"""Widgets that fail when they are operated, and how the kernel says so."""


def test_what_operating_widgets_raises_is_seen_and_what_they_tell_of_trouble(page, scratch_notebook):
    failing = "board(TicTacToe(), lambda game, state: 1 / 0)"
    open_in_place(page, scratch_notebook([*SOUND, *(cell for cell, _ in TROUBLE), failing]))
    run_all(page)
    with pytest.raises(AssertionError, match="The opponent failed with ZeroDivisionError"):
        operate(page)
    seen = [error.removeprefix("in the kernel: ").strip() for error in page.console_errors]
    assert list(dict.fromkeys(seen)) == [message for _, message in TROUBLE]
    page.console_errors.clear()


def sample(source="1 + 1", count=1, **cell):
    """A notebook of one cell that has no fault but those asked for."""
    cell = new_code_cell(source, execution_count=count, **cell)
    return new_notebook(cells=[cell], metadata={"kernelspec": dict(KERNEL)})


def shown(kind, content):
    return [new_output("display_data", {"text/plain": "x", kind: content})]


FAILED = [new_output("error", ename="ValueError", evalue="", traceback=[])]


def test_a_sound_notebook_has_no_fault():
    assert faults(sample(outputs=shown("image/png", "aaa/opt/aaa/home/aaa"))) == []
    assert faults(sample(outputs=FAILED, metadata={"tags": ["raises-exception"]})) == []
    assert faults(sample("\n".join(["x = 1"] * 29 + ["# https://example.org/home/page, and/or ./home/x"]))) == []


@pytest.mark.parametrize(
    ("notebook", "fault"),
    [
        (sample(count=None), "code cell 1 was not run in its turn"),
        (sample(count=2), "code cell 1 was not run in its turn"),
        (sample(outputs=FAILED), "code cell 1 failed with ValueError"),
        (sample(outputs=shown(WIDGET_VIEW, {})), "code cell 1 shows a widget that is dead without its kernel"),
        (sample("board(game)"), "code cell 1 has no picture to show without its kernel"),
        (sample("\n".join(["x = 1"] * 31)), "code cell 1 is longer than 30 lines"),
        (sample("open('/home/ada/x')"), "the path of a machine: /home/"),
        (sample(outputs=shown("text/html", f"<b>{ROOT}</b>")), f"the path of a machine: {ROOT}"),
        (sample(r"open(r'C:\Users\ada')"), r"the path of a machine: C:\\Users"),
        (new_notebook(metadata={"kernelspec": KERNEL}), "no code cell"),
        (sample() | {"metadata": {"kernelspec": KERNEL, "widgets": {}}}, "stored widget state"),
        (sample() | {"metadata": {"kernelspec": {"name": "venv"}}}, "the kernel is not python3"),
    ],
)
def test_each_fault_is_found(notebook, fault):
    assert faults(nbformat.from_dict(notebook)) == [fault]
