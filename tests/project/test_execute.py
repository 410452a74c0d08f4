"""`python -m instructor execute`: what a stored notebook keeps, what it loses, and what a failing one leaves behind."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from instructor.execute import execute

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
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


def test_a_stored_notebook_has_its_outputs_and_no_live_widget_and_is_the_same_next_time(tmp_path):
    (tmp_path / "beside.txt").write_text("found")
    streams = "import sys\nprint('one')\nsys.stdout.flush()\nprint('two')"
    path = write_notebook(tmp_path / "a.ipynb", "open('beside.txt').read()", SLIDER, PICTURE, streams)
    os.chmod(path, 0o640)
    execute(path)
    first = path.read_bytes()
    notebook = nbformat.read(path, as_version=4)
    assert [cell.execution_count for cell in notebook.cells] == [1, 2, 3, 4]
    assert notebook.cells[0].outputs[0].data["text/plain"] == "'found'"
    assert notebook.cells[1].outputs[0].data == {"text/plain": "IntSlider(value=3)"}
    assert "image/png" in notebook.cells[2].outputs[0].data
    assert notebook.cells[3].outputs[0].text == "one\ntwo\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert sorted(tmp_path.iterdir()) == [path, tmp_path / "beside.txt"]
    execute(path)
    assert path.read_bytes() == first


@pytest.mark.parametrize(
    ("source", "error"),
    [("y = 0\nx / y", "ZeroDivisionError"), ("import time\ntime.sleep(60)", ""), ("import os\nos._exit(1)", "")],
)
def test_a_cell_that_fails_hangs_or_kills_its_kernel_is_named_and_the_file_is_left_as_it_was(tmp_path, source, error):
    path = tmp_path / "a.ipynb"
    cells = [new_code_cell("x = 1"), new_markdown_cell("Now."), new_code_cell(source)]
    nbformat.write(new_notebook(cells=cells), path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=rf"code cell 2 \('{source.splitlines()[0]}'\) failed:(?s:.)*{error}"):
        execute(path, cell_timeout=2)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_no_check_may_fail_in_a_notebook_with_solutions(tmp_path):
    check = new_code_cell("assert answer == 1", metadata={"tags": ["raises-exception"]})
    for answer in ("answer = 2", "### BEGIN SOLUTION\nanswer = 1\n### END SOLUTION"):
        nbformat.write(new_notebook(cells=[new_code_cell(answer), check]), tmp_path / "a.ipynb")
        execute(tmp_path / "a.ipynb")
    nbformat.write(new_notebook(cells=[new_code_cell(answer.replace("1", "2")), check]), tmp_path / "a.ipynb")
    with pytest.raises(ValueError, match=r"code cell 2 \('assert answer == 1'\) failed"):
        execute(tmp_path / "a.ipynb")


def run_command(*arguments):
    command = [sys.executable, "-m", "instructor", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


def test_the_command_names_the_notebook_that_failed_and_those_that_were_executed(tmp_path):
    good = write_notebook(tmp_path / "good.ipynb", "'fine'")
    bad = write_notebook(tmp_path / "bad.ipynb", "import no_such_module_here")
    run = run_command("execute", good, bad)
    assert run.returncode == 1
    assert run.stdout == f"{good}: executed\n"
    assert f"{bad} was left as it was: code cell 1" in run.stderr
    assert "Traceback (most recent call last):\n  File" not in run.stderr
    missing = run_command("execute", tmp_path / "nowhere.ipynb")
    assert missing.returncode == 1
    assert "nowhere.ipynb" in missing.stderr and "Traceback" not in missing.stderr
    assert "COMMAND" in run_command().stderr and "execute" in run_command("--help").stdout
