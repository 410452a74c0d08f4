"""The checks of an exercise notebook in a terminal: `python -m course_lib check exercises/02_minimax.ipynb`."""

import argparse
import json
import os
import re
import sys
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any, NamedTuple

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from course_lib.check.failures import CheckFailed, NotAnswered
from course_lib.launcher import find_notebook

CHECK = re.compile(r"""^check\(\s*["']([\w.]+)["']""", re.M)
SCORE = re.compile(r"^score\(", re.M)
VERDICTS: dict[type, str] = {type(None): "passed", NotAnswered: "not answered", CheckFailed: "failed"}


class Shell(InteractiveShell):
    """IPython without a terminal or a window."""

    def enable_gui(self, gui: str | None = None) -> None:
        """`%matplotlib inline` has nothing to do."""


class Checked(NamedTuple):
    """A question, the verdict on its answer (passed, not answered, failed or error), and what its check printed."""

    identifier: str
    verdict: str
    output: str


def check_notebook(path: Path, only: str | None = None) -> list[Checked]:
    """Run all code cells in the notebook's folder, and print what the checks print, of one question or of all.

    A cell that raises an error does not stop the others. Raises `ValueError` if there is no such check.
    """
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]  # importing nbformat takes seconds
        sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"expected a notebook, got {path.name}, which is malformed") from None
    if not any(only in (None, question[1]) for question in filter(None, map(CHECK.search, sources))):
        raise ValueError(f"expected a notebook with a cell check({only or '…'!r}, …), got {path.name} without one")
    checked = []
    with tempfile.TemporaryDirectory() as settings, chdir(path.parent):
        config = Config({"HistoryManager": {"enabled": False}, "InteractiveShell": {"colors": "nocolor"}})
        shell = Shell.instance(config=config, ipython_dir=settings)
        sys.path.insert(0, os.getcwd())
        try:
            for number, source in enumerate(sources, 1):
                question = CHECK.search(source)
                if question and only not in (None, question[1]):
                    continue
                ran, output = _run_cell(shell, source)
                if question:
                    verdict = VERDICTS.get(type(ran.error_in_exec or ran.error_before_exec), "error")
                    checked.append(Checked(question[1], verdict, output))
                elif not ran.success:
                    output = f"cell {number}: {(output.strip().splitlines() or ['stopped'])[-1]}\n"
                if question or not ran.success or (only is None and SCORE.search(source)):
                    print(output)
        finally:
            sys.path.remove(os.getcwd())
            Shell.clear_instance()
    return checked


def _run_cell(shell: InteractiveShell, source: str) -> tuple[Any, str]:
    """The result of a cell, and what it printed: output and displays as text."""
    with capture_output(display=False) as captured:
        ran = shell.run_cell(source, store_history=True)
    return ran, captured.stdout


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `python -m course_lib check`."""
    add = parser.add_argument
    add("notebook", help="an exercise notebook, such as 02_minimax.ipynb or exercises/2")
    add("--only", metavar="QUESTION", help="run only the check of this question, such as minimax.value")
    add("--unanswered-ok", action="store_true", help="succeed if no check failed, even if answers are missing")


def run(options: argparse.Namespace) -> None:
    """Run the command `python -m course_lib check`; the exit code is 0 if all checks passed, otherwise 1."""
    os.environ.setdefault("MPLBACKEND", "agg")
    wanted = options.notebook if options.notebook.endswith(".ipynb") else find_notebook(options.notebook)
    checked = check_notebook(Path(wanted).resolve(), options.only)
    accepted = {"passed", "not answered"} if options.unanswered_ok else {"passed"}
    others = [each for each in checked if each.verdict not in accepted]
    print(f"{sum(each.verdict == 'passed' for each in checked)} of {len(checked)} checks passed.")
    sys.exit(f"{len(others)} did not: {', '.join(f'{e.identifier} ({e.verdict})' for e in others)}" if others else 0)
