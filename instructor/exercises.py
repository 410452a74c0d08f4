"""Makes the exercises from their solutions, with the preprocessors of nbgrader. Students do not need nbgrader."""

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

import nbformat

from instructor.execute import run_cells, store

CODE_STUB = "# YOUR CODE HERE\nraise NotImplementedError()"
ABOVE_STUB = "# Change what stands above."
"""What replaces a solution inside a function, and elsewhere, where an exception would end the run."""

STEPS = ("LockCells", "ClearOutput", "CheckCellMetadata", "ClearHiddenTests", "ClearMarkScheme", "ComputeChecksums",
         "CheckCellMetadata")  # fmt: skip
"""The preprocessors that run after the solutions are cleared: those of `nbgrader generate_assignment`, no database."""


def build(solutions: str | Path, exercises: str | Path, names: Sequence[str] = ()) -> list[Path]:
    """Make an exercise of each notebook in the folder `solutions`, or of those named, and run it unanswered.

    Return the paths of the exercises, in the folder `exercises`. A name that no solution has raises `ValueError`.
    """
    solved = {path.stem: path for path in sorted(Path(solutions).glob("*.ipynb"))}
    unknown = set(names) - set(solved)
    if unknown or not solved:
        raise ValueError(f"in {solutions}/ are the solutions {', '.join(solved) or '(none)'}, not {', '.join(unknown)}")
    return [make(solved[name], Path(exercises) / f"{name}.ipynb") for name in names or solved]


def make(solution: Path, target: Path) -> Path:
    """Write the exercise of one solution to the path `target`, and return this path."""
    exercise = exercise_of(nbformat.read(solution, as_version=4))
    target.parent.mkdir(exist_ok=True)
    run_cells(exercise, target.parent, cell_timeout=120)
    store(exercise, target)
    return target


def exercise_of(solution: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return the exercise of a solved notebook, not run yet. The notebook `solution` itself is changed."""
    from nbgrader import preprocessors as steps
    from traitlets.config import Config

    resources = {"language": "python"}
    for cell in solution.cells:
        stub = CODE_STUB if re.search(r"^\s+### BEGIN SOLUTION", cell.source, re.MULTILINE) else ABOVE_STUB
        clear = steps.ClearSolutions(config=Config(ClearSolutions={"code_stub": {"python": stub}}))
        cell, resources = clear.preprocess_cell(cell, resources, 0)
    for name in STEPS:
        solution, resources = getattr(steps, name)().preprocess(solution, resources)
    return solution


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="such as 02_minimax (default: all)")


def run(options: argparse.Namespace) -> None:
    for path in build("solutions", "exercises", options.names):
        print(f"{path}: made")
