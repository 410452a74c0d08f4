"""The checks of an exercise notebook in a terminal: `python -m course_lib check exercises/02_minimax.ipynb`."""

import argparse
import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from course_lib.language import N_, gettext
from course_lib.launcher import find_notebook

CHECK = re.compile(r"""^check\(\s*["']([\w.]+)["']""", re.M)
VERDICTS = {"": N_("passed"), "NotAnswered": N_("not answered"), "CheckFailed": N_("failed")}
"""By the name of the error that a check raises."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `python -m course_lib check`."""
    parser.add_argument("notebook", help="an exercise notebook, such as 02_minimax.ipynb or exercises/2")
    parser.add_argument("--only", metavar="QUESTION", help="run only the check of this question, such as minimax.value")
    parser.add_argument("--unanswered-ok", action="store_true", help="succeed if no check failed")


def run(options: argparse.Namespace) -> None:
    """Run the cells in a kernel, and print what checks and failed cells show; exit with 0 if all checks passed."""
    path = Path(options.notebook if options.notebook.endswith(".ipynb") else find_notebook(options.notebook))
    notebook, verdicts = nbformat.read(path, as_version=4), {}
    cells = [(cell, CHECK.search(cell.source)) for cell in notebook.cells if cell.cell_type == "code"]
    cells = [(cell, check) for cell, check in cells if check is None or options.only in (None, check[1])]
    notebook.cells = [cell for cell, _ in cells]
    NotebookClient(notebook, allow_errors=True, resources={"metadata": {"path": path.parent}}).execute()
    for cell, check in cells:
        error = next((output.ename for output in cell.outputs if output.output_type == "error"), "")
        if check:
            verdicts[check[1]] = VERDICTS.get(error, N_("error"))
        if check or error or (options.only is None and cell.source.startswith("score(")):
            print(*(o.get("text") or "\n".join(o.get("traceback") or [o.data["text/plain"]]) for o in cell.outputs))
    accepted = {"passed", "not answered"} if options.unanswered_ok else {"passed"}
    others = [f"{question} ({gettext(verdict)})" for question, verdict in verdicts.items() if verdict not in accepted]
    passed = list(verdicts.values()).count("passed")
    print(gettext("{passed} of {count} checks passed.", passed=passed, count=len(verdicts)))
    words = gettext("{count} did not: {checks}", count=len(others), checks=", ".join(others))
    sys.exit(words if others or not verdicts else 0)
