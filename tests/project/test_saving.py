"""What a reader's own saving stores: the pictures of live widgets, for when no kernel runs."""

import ast
import json
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from playwright.sync_api import expect

from course_lib.saving import WIDGET_VIEW, before_saving
from lab import (
    CONFIG,
    REPOSITORY,
    cell_errors,
    command,
    open_notebook,
    output,
    run_all,
    scroll_through,
    shut_down_kernels,
)

CELLS = [
    "from course_lib.explore import board, explore, predict\nfrom course_lib.games import TicTacToe, TreeGame",
    "explore(TreeGame([[3, 5], [2, 9]]))",
    "board(TicTacToe())",
    "predict('Who moves first?', 'Max', 'Min', right=1, because='It is so agreed')",
]
EXPLORER, BOARD, PREDICT = 1, 2, 3
DEAD = "model not found"


@pytest.fixture
def saved(page, lab, scratch_notebook):
    """The path of a notebook that was run and saved; it is still open, and its kernel runs."""
    path = scratch_notebook(CELLS)
    open_notebook(page, path)
    run_all(page)
    assert cell_errors(page) == []
    scroll_through(page)
    command(page, "docmanager:save")
    return path


def test_a_saved_notebook_shows_its_pictures_without_a_kernel(page, saved):
    shut_down_kernels(page)
    open_notebook(page, saved, kernel=False)
    scroll_through(page)
    for index in (EXPLORER, BOARD):
        picture = output(page, index).locator("img")
        expect(picture).to_be_visible()
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    expect(output(page, PREDICT)).to_contain_text("Who moves first?")
    output(page, PREDICT).locator("summary").click()
    expect(output(page, PREDICT)).to_contain_text("It is so agreed")
    assert DEAD not in page.locator("body").text_content()


def test_saving_leaves_the_open_notebook_its_live_widgets(page, lab, saved):
    cells = nbformat.read(lab.root / saved, as_version=4).cells
    assert all(WIDGET_VIEW not in cell.outputs[0].data for cell in cells[EXPLORER:])
    board = output(page, BOARD)
    board.get_by_role("button", name="row 2, column 2, empty").click()
    expect(board.get_by_role("button", name="row 2, column 2, X")).to_be_visible()
    expect(output(page, EXPLORER).locator("img")).to_have_count(0)


def test_nobody_is_asked_about_news(page, lab, scratch_notebook):
    open_notebook(page, scratch_notebook([]))
    assert page.evaluate("JSON.parse(document.getElementById('jupyter-config-data').textContent).news.disabled")
    settings = page.request.get("/lab/api/settings/@jupyterlab/apputils-extension:notification").json()
    asked = settings["schema"]["properties"]
    assert (asked["fetchNews"]["default"], asked["checkForUpdates"]["default"]) == ("false", False)
    expect(page.get_by_text("Jupyter news")).to_have_count(0)


def test_only_views_with_a_picture_or_html_beside_them_go():
    view = {"model_id": "1", "version_major": 2, "version_minor": 0}
    data = [
        {WIDGET_VIEW: view, "text/plain": "IntSlider()"},
        {WIDGET_VIEW: view, "text/plain": "Board", "image/png": "x"},
        {WIDGET_VIEW: view, "text/html": "<p>"},
        {"text/plain": "5"},
    ]
    outputs = [new_output("display_data", kinds) for kinds in data] + [new_output("stream", text="said")]
    cell = new_code_cell("x", outputs=outputs, metadata={"execution": {"shell.execute_reply": "now"}})
    notebook = json.loads(json.dumps(new_notebook(cells=[cell], metadata={"widgets": {"state": {}}, "mine": 1})))
    expected = json.loads(json.dumps(notebook))
    for index in (1, 2):
        del expected["cells"][0]["outputs"][index]["data"][WIDGET_VIEW]
    before_saving(model={"type": "notebook", "content": notebook}, path="a.ipynb", contents_manager=None)
    assert notebook == expected


def test_files_and_old_notebooks_are_saved_as_they_are():
    for model in (
        {"type": "file", "format": "text", "content": "text"},
        {"type": "directory"},
        {"type": "notebook", "content": {"nbformat": 3, "worksheets": []}},
    ):
        before = json.dumps(model)
        before_saving(model=model, path="a", contents_manager=None)
        assert json.dumps(model) == before


def test_readers_start_jupyterlab_with_the_settings_that_are_tested():
    command = next(line for line in (REPOSITORY / "README.md").read_text().splitlines() if "/jupyter lab" in line)
    assert CONFIG in command.split()


def test_jupyterlab_starts_where_course_lib_is_missing():
    config = REPOSITORY / "jupyter_server_config.py"
    code = (
        "import sys; sys.modules['course_lib'] = None\n"
        "from traitlets.config import PyFileConfigLoader\n"
        f"config = PyFileConfigLoader({str(config)!r}).load_config()\n"
        "print(config)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    first = {"default_url": "/lab/tree/notebooks/01_game_formalism.ipynb"}
    assert run.stdout, run.stderr
    assert ast.literal_eval(run.stdout) == {"LabApp": first | {"news_url": None}, "JupyterNotebookApp": first}
