"""Makes `exercises/` from `solutions/`: the tables of cases, and the notebooks without solutions, run unanswered.

First it makes the texts about the questions (numbers, points, totals and levels) agree with the notebook's cells; at
the end, the documents and the minutes at the top of notebooks. It names the texts that speak of what is gone.
"""

import argparse
import re
from collections.abc import Iterable
from itertools import chain, groupby
from pathlib import Path

import nbformat

from course_lib.check.failures import PLACEHOLDER
from course_lib.saving import write_whole
from instructor import documents, tables
from instructor.execute import execute
from instructor.grade.submissions import notebook_called
from instructor.questions import HEADING, Notebook, Question, counted, notebooks, plain_source

CODE_STUB = "# YOUR CODE HERE\nraise NotImplementedError()"
ABOVE_STUB = "# Edit the code above."
"""What replaces a solution inside a function, and elsewhere, where an exception would end the run."""
STEPS = "LockCells", "CheckCellMetadata", "ComputeChecksums"
"""The preprocessors of `nbgrader generate_assignment` that run after the solutions are cleared."""
NAME = re.compile(r'^student\(".*"\)$', re.MULTILINE)
"""The name in a solution: its personal question is that of the placeholder, for which an answer cannot be checked."""
LEVELS = {
    "core": "- **Core**, for everybody: {}.",
    "stretch": "- **Stretch**, for most: {}.",
    "challenge": "- **Challenge**: {}.",
}


def build(course: Path, names: Iterable[str] = ()) -> list[Path]:
    """Make the exercises of the notebooks in `course/solutions`, or of those named; return their paths.

    Exercises of notebooks that are no longer there are removed. `ValueError` for a name that no solution has.
    """
    known = notebooks(course / "solutions")
    unknown = set(names) - set(known)
    if unknown or not known:
        raise ValueError(f"solutions/ has {', '.join(known) or 'no notebooks'}, and not {', '.join(unknown)}")
    for path in (course / "exercises").glob("[0-9]*"):
        if path.name.partition(".")[0] not in known:
            path.unlink()
    return [make(known[name], course / "exercises" / f"{name}.ipynb") for name in names or known]


def make(notebook: Notebook, target: Path) -> Path:
    """Write the tables and the exercise of one notebook to the folder of the path `target`; return this path."""
    agree(notebook)
    target.parent.mkdir(exist_ok=True)
    tables.write(notebook, target.with_suffix(".cases.gz"))
    execute(target, cell_timeout=120, notebook=exercise_of(nbformat.read(notebook.path, as_version=4)))
    return target


def exercise_of(solution: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The exercise of a solved notebook, not run yet. The notebook `solution` itself is changed."""
    from nbgrader import preprocessors as steps

    resources = {"language": "python"}
    solution.cells = [cell for cell in solution.cells if cell.cell_type != "raw"]
    for cell in solution.cells:
        cell.source = plain_source(cell.source) if cell.cell_type == "code" else cell.source
        cell.source = NAME.sub(f'student("{PLACEHOLDER}")', cell.source)
        stub = CODE_STUB if re.search(r"^\s+### BEGIN SOLUTION", cell.source, re.MULTILINE) else ABOVE_STUB
        steps.ClearSolutions(code_stub={"python": stub}).preprocess_cell(cell, resources, 0)
    for name in STEPS:
        solution, resources = getattr(steps, name)().preprocess(solution, resources)
    return solution


def agree(notebook: Notebook) -> None:
    """Make the headings and the counts of a notebook in `solutions/` agree with its questions, and store it."""
    texts = {number: cell for number, cell in enumerate(notebook.cells) if cell["cell_type"] == "markdown"}
    for at, question in enumerate(notebook.questions, 1):
        if question.level not in LEVELS:
            raise ValueError(f"{question.identifier}: expected a level ({', '.join(LEVELS)}), got {question.level!r}")
        before = (cell for number, cell in texts.items() if number < question.check_cell)
        *_, cell = (cell for cell in before if HEADING.search(cell["source"]))
        heading = f"## {at}. {question.title} ({counted(question.points, 'point')})"
        cell["source"] = HEADING.sub(heading, cell["source"])
    for cell in texts.values():
        cell["source"] = _counts(cell["source"], notebook.questions)
    write_whole(notebook.path, nbformat.writes(nbformat.from_dict(notebook.content)).rstrip("\n") + "\n")


def _counts(text: str, questions: list[Question]) -> str:
    many = f"{documents.NUMBERS[len(questions)]} question{'s'[: len(questions) != 1]}"
    total = counted(sum(question.points for question in questions), "point")
    text = re.sub(r"^\w+ questions?, \d+ points?", f"{many}, {total}", text, flags=re.M)
    lines = []
    for level, words in LEVELS.items():
        numbers = [number for number, question in enumerate(questions, 1) if question.level == level]
        lines += [words.format(f"question{'s'[: len(numbers) != 1]} {_listed(numbers)}")] if numbers else []
    level = r"^- \*\*(?:Core|Stretch|Challenge)\*\*.*"
    return re.sub(rf"{level}(?:\n{level})*", "\n".join(lines), text, flags=re.M)


def _listed(numbers: list[int]) -> str:
    """Numbers in words of a list: "1 to 3, 7 and 8"."""
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])]
    parts = [part for run in runs for part in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("names", nargs="*", type=notebook_called, metavar="NAME", help="such as 02_minimax, or 2 (default: all)")


def run(options: argparse.Namespace) -> None:
    for path in build(Path(), options.names):
        print(f"{path}: made")
    documents.agree(Path())
    for told in chain(*(find(Path()) for find in (documents.undefined, documents.dangling, documents.promised))):
        print(told)
