"""`python -m instructor execute`: what a frozen notebook keeps, what it loses, and what a failing one leaves behind."""

import os
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_lib.saving import WIDGET_VIEW
from instructor.execute import clean, freeze

SLIDER = """
import ipywidgets
from IPython.display import display
display(ipywidgets.IntSlider(value=3))
"""
PICTURE = """
import matplotlib.pyplot as plt
_ = plt.plot([1, 4, 9])
"""


def write_notebook(path, *sources):
    nbformat.write(new_notebook(cells=[new_code_cell(source) for source in sources]), path)
    return path


def test_a_frozen_notebook_has_its_outputs_and_no_live_widget(tmp_path):
    (tmp_path / "beside.txt").write_text("found")
    path = write_notebook(tmp_path / "a.ipynb", "open('beside.txt').read()", SLIDER, PICTURE)
    os.chmod(path, 0o640)
    freeze(path)
    notebook = nbformat.read(path, as_version=4)
    assert [cell.execution_count for cell in notebook.cells] == [1, 2, 3]
    assert notebook.cells[0].outputs[0].data["text/plain"] == "'found'"
    assert notebook.cells[1].outputs[0].data == {"text/plain": "IntSlider(value=3)"}
    assert "image/png" in notebook.cells[2].outputs[0].data
    assert "widgets" not in notebook.metadata
    assert all("execution" not in cell.metadata for cell in notebook.cells)
    assert path.stat().st_mode & 0o777 == 0o640
    assert sorted(tmp_path.iterdir()) == [path, tmp_path / "beside.txt"]
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    assert notebook.metadata["kernelspec"] == kernel
    assert "version" not in notebook.metadata["language_info"]


def test_freezing_twice_gives_the_same_file(tmp_path):
    path = write_notebook(tmp_path / "a.ipynb", "import sys\nprint('one')\nsys.stdout.flush()\nprint('two')", "6 * 7")
    freeze(path)
    first = path.read_bytes()
    freeze(path)
    assert path.read_bytes() == first
    assert nbformat.read(path, as_version=4).cells[0].outputs[0].text == "one\ntwo\n"


def test_a_failing_cell_is_named_and_the_file_is_left_as_it_was(tmp_path):
    path = tmp_path / "a.ipynb"
    cells = [new_code_cell("x = 1"), new_markdown_cell("Now divide."), new_code_cell("y = 0\nx / y")]
    nbformat.write(new_notebook(cells=cells), path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"code cell 2 \('y = 0'\) failed:(?s:.)*ZeroDivisionError"):
        freeze(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_cell_that_hangs_or_kills_its_kernel_is_named_too(tmp_path):
    slow = write_notebook(tmp_path / "slow.ipynb", "import time", "time.sleep(60)")
    with pytest.raises(ValueError, match=r"code cell 2 \('time.sleep\(60\)'\) failed"):
        freeze(slow, cell_timeout=1)
    dead = write_notebook(tmp_path / "dead.ipynb", "import os", "os._exit(1)")
    with pytest.raises(ValueError, match=r"code cell 2 \('os._exit\(1\)'\) failed"):
        freeze(dead)


def test_a_cell_that_is_meant_to_fail_may_fail(tmp_path):
    path = write_notebook(tmp_path / "a.ipynb", "1 / 0", "'after'")
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[0].metadata["tags"] = ["raises-exception"]
    nbformat.write(notebook, path)
    freeze(path)
    notebook = nbformat.read(path, as_version=4)
    assert notebook.cells[0].outputs[0].ename == "ZeroDivisionError"
    assert notebook.cells[1].execution_count == 2


def test_what_jupyterlab_stored_is_cleaned_away():
    view = nbformat.v4.new_output("display_data", {WIDGET_VIEW: {"model_id": "1"}, "image/png": "", "text/plain": "x"})
    cell = new_code_cell("x", outputs=[view], metadata={"execution": {"iopub.execute_input": "now"}, "tags": ["kept"]})
    notebook = new_notebook(cells=[cell], metadata={"widgets": {"state": {}}, "title": "kept"})
    clean(notebook)
    assert set(cell.outputs[0].data) == {"image/png", "text/plain"}
    assert cell.metadata == {"tags": ["kept"]}
    assert set(notebook.metadata) == {"kernelspec", "language_info", "title"}


def run_command(*arguments):
    return subprocess.run([sys.executable, "-m", "course_lib", *map(str, arguments)], capture_output=True, text=True)


def test_the_command_tells_which_notebook_failed_and_which_are_frozen(tmp_path):
    good = write_notebook(tmp_path / "good.ipynb", "'fine'")
    bad = write_notebook(tmp_path / "bad.ipynb", "import no_such_module_here")
    run = run_command("freeze", good, bad)
    assert run.returncode == 1
    assert run.stdout == f"{good}: frozen\n"
    assert f"{bad} was left as it was: code cell 1" in run.stderr
    assert "Traceback (most recent call last):\n  File" not in run.stderr
    assert nbformat.read(good, as_version=4).cells[0].execution_count == 1


def test_the_command_explains_a_missing_file_and_missing_arguments(tmp_path):
    missing = run_command("freeze", tmp_path / "nowhere.ipynb")
    assert missing.returncode == 1
    assert "nowhere.ipynb" in missing.stderr and "Traceback" not in missing.stderr
    nothing = run_command()
    assert nothing.returncode == 2 and "COMMAND" in nothing.stderr
    assert "  freeze " in run_command("--help").stdout
