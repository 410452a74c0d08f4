"""Runs notebooks from top to bottom, and stores them so that they read well where no kernel runs."""

import argparse
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from course_lib.saving import WIDGET_VIEW, shown, write_whole
from instructor.questions import BEGIN

KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
LANGUAGE = {"name": "python", "file_extension": ".py", "mimetype": "text/x-python", "pygments_lexer": "ipython3"}


def execute(path: str | Path, cell_timeout: float = 300, notebook: nbformat.NotebookNode | None = None) -> None:
    """Run the notebook, or another in its place, in its own folder and store it, as the same file on every machine.

    Widget views and their state, which need a live kernel, are left out, as are execution times. A cell that
    fails or takes longer than `cell_timeout` seconds raises `ValueError`; then the file stays as it was.
    """
    path = Path(path)
    notebook = notebook or nbformat.read(path, as_version=4)
    run_cells(notebook, path, cell_timeout)
    clean(notebook)
    write_whole(path, nbformat.writes(notebook).rstrip("\n") + "\n")


def run_cells(notebook: nbformat.NotebookNode, path: Path, cell_timeout: float) -> None:
    """Run the code cells in one new kernel, in the folder of `path`. If a cell fails, `ValueError` names both.

    In a notebook with solutions no cell may fail, and no check; elsewhere those with the tag `raises-exception` may.
    """
    begun = []
    client = NotebookClient(
        notebook,
        kernel_name=KERNEL["name"],
        timeout=cell_timeout,
        coalesce_streams=True,
        extra_arguments=["--Application.log_level=ERROR"],  # it warns, in 300 characters, of TCP on this machine
        force_raise_errors=any(BEGIN in cell.source for cell in notebook.cells),
        resources={"metadata": {"path": str(path.parent)}},
        on_cell_execute=lambda cell, cell_index: begun.append(cell),
    )
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        first_line = begun[-1].source.strip().splitlines()[0]
        told = f"{path} was left as it was: code cell {len(begun)} ({first_line!r}) failed"
        raise ValueError(f"{told}:\n{error}") from error


def clean(notebook: nbformat.NotebookNode) -> None:
    """Take out what only a live kernel can show, and what differs from machine to machine."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata.update(kernelspec=KERNEL, language_info=LANGUAGE)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    for data in shown(notebook):
        # Without its kernel a view reads "model not found"; the picture or text beside it does not.
        data.pop(WIDGET_VIEW, None)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("notebooks", nargs="+", metavar="NOTEBOOK")


def run(options: argparse.Namespace) -> None:
    for notebook in options.notebooks:
        execute(notebook)
        print(f"{notebook}: executed")
