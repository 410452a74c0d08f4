"""What a reader's own saving stores: the pictures of live widgets, for when no kernel runs.

tests/browser/test_widgets_robust.py saves a notebook and opens it again.
"""

import ast
import asyncio
import json
import subprocess
import sys

from nbformat.v4 import new_code_cell, new_notebook, new_output

from course_lib.explore import explore, still
from course_lib.games import TreeGame
from course_lib.saving import WIDGET_VIEW, before_saving
from lab import REPOSITORY


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


def test_a_still_is_drawn_when_the_cell_has_run_and_stored_with_the_notebook(tmp_path, monkeypatch):
    folder = tmp_path / "4711"
    folder.mkdir()
    monkeypatch.setenv("COURSE_STILLS", str(folder))
    tree = TreeGame([[3, 5], [2, 9]])
    assert "image/png" in explore(tree)._repr_mimebundle_()[0]  # this kernel was started by no such server

    async def run_cell():
        shown = explore(tree)._repr_mimebundle_(), [*folder.iterdir()]
        while not any(folder.glob("*.json")):
            await asyncio.sleep(0.01)
        return shown

    monkeypatch.setenv("JPY_PARENT_PID", "4711")
    monkeypatch.setattr(still, "LATER", 0)
    (data, metadata), before = asyncio.run(run_cell())
    assert (data.keys(), metadata, before) == ({"text/plain", WIDGET_VIEW}, {}, [])
    notebook = new_notebook(cells=[new_code_cell(outputs=[new_output("execute_result", data, metadata=metadata)])])
    before_saving(model={"type": "notebook", "content": notebook})
    (output,) = notebook.cells[0].outputs
    assert output.data.keys() == {"text/plain", "image/png"}
    assert output.metadata["image/png"]["alt"] == f"Game tree: {explore(tree)!r}"


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
