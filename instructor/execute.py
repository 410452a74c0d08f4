"""Freezes notebooks: runs them from top to bottom, and stores them so that they read well where no kernel runs."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from course_lib.saving import WIDGET_VIEW, shown, write_whole

KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
LANGUAGE = {"name": "python", "file_extension": ".py", "mimetype": "text/x-python", "pygments_lexer": "ipython3"}


def freeze(path, cell_timeout=300):
    """Run the notebook in its own folder and store it with its outputs, as the same file on every machine.

    What only a live kernel can show (widget views, their state) is left out, as is what tells when and where it ran.
    A cell that fails or takes longer than `cell_timeout` seconds raises `ValueError`. Then the file stays as it was.
    """
    path = Path(path)
    notebook = nbformat.read(path, as_version=4)
    run_cells(notebook, path.parent, cell_timeout)
    clean(notebook)
    write_whole(path, nbformat.writes(notebook).rstrip("\n") + "\n")


def run_cells(notebook, folder, cell_timeout):
    """Run the code cells in one new kernel, in `folder`. If a cell fails, `ValueError` names it."""
    client = NotebookClient(
        notebook,
        kernel_name=KERNEL["name"],
        timeout=cell_timeout,
        coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    )
    code_cells = 0
    with client.setup_kernel():
        for index, cell in enumerate(notebook.cells):
            code_cells += cell.cell_type == "code"
            try:
                client.execute_cell(cell, index)
            except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
                first_line = cell.source.strip().splitlines()[0]
                raise ValueError(f"code cell {code_cells} ({first_line!r}) failed:\n{error}") from error


def clean(notebook):
    """Take out what only a live kernel can show, and what differs from machine to machine."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata.update(kernelspec=KERNEL, language_info=LANGUAGE)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    for data in shown(notebook):
        # Without its kernel a view reads "model not found"; what stands beside it (a picture, or text) does not.
        data.pop(WIDGET_VIEW, None)


def add_arguments(parser):
    parser.add_argument("notebooks", nargs="+", metavar="NOTEBOOK")


def run(options):
    for notebook in options.notebooks:
        try:
            freeze(notebook)
        except ValueError as error:
            raise ValueError(f"{notebook} was left as it was: {error}") from error
        print(f"{notebook}: frozen")
