"""`python -m course_lib`: JupyterLab opens at a notebook, with the course's settings."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from importlib.metadata import version
from pathlib import Path

import pytest

from course_lib import __main__, launcher
from instructor import __main__ as instructor
from lab import REPOSITORY, lab_environment


@pytest.fixture
def course(tmp_path):
    """The folder of a course with notebooks 2 and 10 and the exercises of 2."""
    for name in ("notebooks/02_minimax", "notebooks/10_go", "notebooks/.hidden", "exercises/02_minimax", "own"):
        path = tmp_path / f"{name}.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return tmp_path


def test_a_notebook_is_found_by_number_name_or_path(course):
    for wanted in (None, "2", "02", "minimax"):
        assert launcher.find_notebook(wanted, course) == "notebooks/02_minimax.ipynb"
    for wanted in ("10", "10_go", "notebooks\\10_go.ipynb"):
        assert launcher.find_notebook(wanted, course) == "notebooks/10_go.ipynb"
    assert launcher.find_notebook("exercises/2", course) == "exercises/02_minimax.ipynb"
    assert launcher.find_notebook("own.ipynb", course) == "own.ipynb"


def test_what_is_not_there_is_refused(course):
    for wanted in ("3", "exercises/10", "", "missing.ipynb", "../own"):
        with pytest.raises(ValueError, match=r"number or name \(02_minimax, 10_go\), got"):
            launcher.find_notebook(wanted, course)
    for path in (course / "notebooks").iterdir():
        path.unlink()
    assert launcher.find_notebook(course=course) == "exercises/02_minimax.ipynb"
    with pytest.raises(ValueError, match="run this command in the course's folder"):
        launcher.find_notebook(course=course / "notebooks")


@pytest.mark.parametrize(
    ("program", "command", "told"),
    [
        (__main__, "open --port 80", "unrecognized arguments: --port"),
        (__main__, "measure missing.py", "missing.py: No such file or directory; check this path"),
        (instructor, "grade . --out RESULTS -j x", "must be a whole number of at least 1, not x"),
        (instructor, "tournament . --out RESULTS --move-time 0", "must be a number above 0, not 0"),
        (instructor, "grade . --out own.txt", "own.txt is a file: name a folder for the results with --out"),
        (instructor, "grade notebooks --out RESULTS --roster missing.csv", "missing.csv: No such file"),
    ],
)
def test_a_wrong_command_says_what_was_expected(course, monkeypatch, capsys, program, command, told):
    monkeypatch.chdir(course)
    (course / "own.txt").touch()
    with pytest.raises(SystemExit) as ended:
        program.main(command.split())
    assert re.search(told, f"{ended.value.code}\n{capsys.readouterr().err}")


@pytest.mark.parametrize(
    ("arguments", "place", "shown"),
    [
        (["open", "10"], "/lab/tree/notebooks/10_go.ipynb", b"JupyterLab"),
        ([], f"/static/{launcher.START}", b"../lab/tree/"),
    ],
)
def test_the_printed_address_works_until_ctrl_c(course, arguments, place, shown):
    shutil.copy(REPOSITORY / "README.md", course)
    command = [sys.executable, "-m", "course_lib", *arguments, "--no-browser"]
    environment = lab_environment(course / "home") | {"PYTHONPATH": str(Path(launcher.__file__).parents[1])}
    terminal, typed = os.openpty()  # in a terminal JupyterLab would ask for a confirmation of Ctrl-C
    with subprocess.Popen(command, cwd=course, env=environment, stdin=typed, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:  # fmt: skip
        try:
            address, _ = server.stdout.readline().split()[-1], server.stdout.readline()
            with urllib.request.urlopen(address, timeout=60) as page:
                assert page.status == 200 and shown in page.read()
            server.send_signal(signal.SIGINT)
            said, wrong = server.communicate(timeout=60)
        finally:
            server.kill()
    assert f"{place}?token=" in address
    assert (server.returncode, said) == (0, "") and "Shutting down" in wrong.strip().splitlines()[-1]
    os.close(terminal), os.close(typed)


def test_without_jupyterlab_the_error_says_what_to_install(course, monkeypatch):
    monkeypatch.chdir(course)
    monkeypatch.setitem(sys.modules, "jupyterlab", None)
    with pytest.raises(SystemExit, match="error: jupyterlab is not installed; run `pip install"):
        __main__.main([])


def test_other_commands_do_not_load_jupyterlab(capfd):
    for program in ("course_lib", "instructor"):
        subprocess.run([sys.executable, "-m", program, "--version"], check=True)
        assert capfd.readouterr().out.split() == [program, version("course-lib")]
    subprocess.run([sys.executable, "-X", "importtime", "-m", "course_lib", "measure", "--help"], check=True)
    assert "jupyter" not in capfd.readouterr().err
