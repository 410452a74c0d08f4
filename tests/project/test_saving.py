"""What a reader's own saving stores: the pictures of live widgets, for when no kernel runs.

tests/browser/test_widgets_robust.py saves a notebook and opens it again.
"""

import json

from nbformat.v4 import new_code_cell, new_notebook, new_output

from course_lib.saving import WIDGET_VIEW, before_saving


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
