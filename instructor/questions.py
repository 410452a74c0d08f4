"""The questions of the course, stored in `solutions/`: cells in a notebook, and a row for each in the module beside it.

A solution cell has known mistakes as comments under the lines that they replace:

    if v >= beta:
        #~ if v > beta:  ## pruning too late: a Max node stops at v ≥ β already
        break

`#~ CODE` replaces the line above it, and `#~| CODE` below it is one more line of the replacement. Without `## name:
sentence` it is another way to make the mistake above. A name alone takes its sentence from the
mark above that has this name, or from `solutions/mistakes.py`. `## name (1 point): sentence` is worth a point.
`#~& CODE  ## name` changes one more line for the mistake of this name; if several versions of a mistake change more
than one line, number them, as in `name [2]`. A mark right below `### BEGIN SOLUTION`
stands for the code that is handed out to be fixed. A raw cell that begins with `#~ ## name: sentence` is a mistake
that is written out as a whole.
"""

import ast
import json
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from course_lib.check.graded import SILENCE, SILENT, is_of

ROOT = Path(__file__).parents[1]
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
MARK = re.compile(r"^ *#~(?P<kind>[&|]?)(?: (?P<code>.*?))?\s*"
                  r"(?:## (?P<name>.+?)(?: \((?P<points>[\d.]+) points?\))?(?:: (?P<sentence>.+))?)?$")  # fmt: skip
CHECK = re.compile(r'^check\("([\w.]+)", (\w+)\)', re.M)
HEADING = re.compile(r"^## (?:\d+\. )?(.+?) \((\d+) points?\)$", re.M)
DEFINITIONS = ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.AugAssign


@dataclass
class Known:
    """A known mistake: the lines that it changes, or code that defines the answer once more."""

    name: str
    sentence: str
    changes: dict[int, dict[int, list[str]]] = field(default_factory=dict)  # cell → line → lines in its place
    code: str = ""
    handed_out: bool = False
    points: float = 0


@dataclass(eq=False)
class Question:
    """A question of a notebook, from its cells: `name` is the function or variable that its check is given."""

    notebook: "Notebook"
    identifier: str
    name: str
    title: str
    points: int
    level: str
    solution_cells: list[int]
    check_cell: int

    @property
    def asks(self) -> Any:
        """The question's row, an `Asks` of `solutions/rows.py`."""
        path = self.notebook.path.with_suffix(".py")
        if row := _module(path).QUESTIONS.get(self.identifier):
            return row
        raise ValueError(f"{path.name}: expected a row {self.identifier!r} in QUESTIONS, got none: add it")

    @cached_property
    def known(self) -> list[Known]:
        """The known mistakes, read from the marks in the question's cells."""
        found: list[Known] = []
        place = f"{self.notebook.path.name}, {self.identifier}"
        unsolved = ""  # the lines outside the solution: code that is handed out to be fixed
        for number in self.solution_cells:
            source = self.notebook.cells[number]["source"]
            if self.notebook.cells[number]["cell_type"] != "raw":
                _read_marks(number, source, found)
                unsolved += re.sub(rf"^ *{BEGIN}.*?{END}$", "", plain_source(source), flags=re.M | re.S) + "\n"
                continue
            head, _, code = source.partition("\n")
            mark = MARK.match(head)
            if mark is None or not mark["name"]:
                raise ValueError(f"{place}: expected '#~ ## name: sentence' at the start of a raw cell, got {head!r}")
            points = float(mark["points"] or 0)
            found.append(Known(mark["name"], mark["sentence"] or "", code=code, points=points))
        sentences = dict(self.notebook.shared("mistakes", "SENTENCES"))
        for known in found:
            known.name = re.sub(r" \[\d+\]$", "", known.name)
            known.sentence = sentences[known.name] = known.sentence or sentences.get(known.name, "")
            if not known.sentence:
                raise ValueError(f"{place}: the mistake {known.name!r} needs a sentence after a colon")
            if known.points >= self.points:
                raise ValueError(f"{place}: expected less than the question's {counted(self.points, 'point')} for the "
                                 f"mistake {known.name!r}, got {known.points:g}: change one of them")  # fmt: skip
            if known.handed_out:
                known.code = unsolved
        return found

    @property
    def handed_out(self) -> str:
        """The name of the mistake with which code to be fixed is handed out, or an empty text."""
        return next((known.name for known in self.known if known.handed_out), "")

    @property
    def kind(self) -> str:
        return "fix" if self.handed_out else self.asks.kind

    @cached_property
    def small(self) -> list[tuple]:
        """The cases to try first, smallest first."""
        return list(self.asks.small())

    @cached_property
    def solution(self) -> Any:
        """The function or the value that solves the question."""
        return self.answer(Known("", ""))

    def answer(self, known: Known) -> Any:
        """The function or value of the solution with this mistake made in it."""
        names = self.notebook.names(self.check_cell, known.changes)
        _run(known.code, names)
        return names[self.name]


def _read_marks(cell: int, source: str, found: list[Known]) -> None:
    """Add the mistakes that are marked in this cell to those found before it."""
    lines: list[str] = []
    known = None
    for line in source.splitlines():
        mark = MARK.match(line)
        if mark is None:
            lines.append(line)
            continue
        (kind, code, name, points, sentence), at = mark.groups(""), len(lines) - 1
        if kind == "|":
            known.changes[cell][at].append(code)
            continue
        if kind == "&":
            known = next(earlier for earlier in reversed(found) if name in (earlier.name, ""))
        else:
            known = Known(name, sentence) if name else Known(found[-1].name, found[-1].sentence)
            known.handed_out, known.points = lines[-1].strip() == BEGIN, float(points or 0)
            found.append(known)
        if not known.handed_out:
            known.changes.setdefault(cell, {})[at] = [code] if code else []


def _changed(source: str, changes: Mapping[int, list[str]]) -> str:
    """The source of a cell without marks, with other lines in the place of some; they get the indent of the first."""
    changed = []
    for at, line in enumerate(plain_source(source).splitlines()):
        indent = line[: len(line) - len(line.lstrip())]
        changed += [indent + code for code in changes[at]] if at in changes else [line]
    return "\n".join(changed)


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def plain_source(source: str) -> str:
    """The source of a cell without the marks of known mistakes."""
    return "\n".join(line for line in source.splitlines() if not MARK.match(line))


@lru_cache
def _module(path: Path) -> ModuleType:
    """A module of `solutions/`. Those that several notebooks share are imported by it as `solutions.NAME`."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    spec = spec_from_file_location(f"solutions.{path.stem}", path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Notebook:
    """A notebook of `solutions/` with its questions, in order. `name` is its file's, such as "02_minimax"."""

    def __init__(self, path: Path):
        self.path, self.name = path, path.stem
        self.content = json.loads(path.read_text(encoding="utf-8"))  # importing nbformat takes seconds
        self.cells = self.content["cells"]
        for cell in self.cells:
            cell["source"] = "".join(cell["source"])

    def shared(self, module: str, name: str) -> dict:
        """A dictionary in a module that the notebooks of the folder share; an empty one if there is no such module."""
        path = self.path.parent / f"{module}.py"
        return getattr(_module(path), name) if path.exists() else {}

    @cached_property
    def questions(self) -> list[Question]:
        found, solutions, heading, ids = [], [], None, {}
        for number, cell in enumerate(self.cells):
            about = cell["metadata"].get("nbgrader", {})
            own, place = about.get("grade_id", number), f"cell {number} (id {cell.get('id')})"
            if own in ids:
                cells = f"two cells, {ids[own]} and {place}"
                raise ValueError(f"{self.path.name}: the grade_id {own!r} is used by {cells}: change the copy's")
            ids[own] = place
            heading = HEADING.search(cell["source"]) or heading if cell["cell_type"] == "markdown" else heading
            if about.get("solution") or cell["cell_type"] == "raw":
                solutions.append(number)
            if about.get("grade"):
                check = CHECK.match(cell["source"])
                if check and any(question.identifier == check[1] for question in found):
                    raise ValueError(f"{self.path.name}: {check[1]!r} is checked in two cells; the second is {place}")
                if check is None or heading is None:
                    wanted = "expected check(\"identifier\", name) below a heading '## Title (2 points)'"
                    raise ValueError(f"{self.path.name}, {place}: {wanted}, got {cell['source']!r}")
                if "points" not in about:
                    raise ValueError(f'{self.path.name}, {place}: expected "points" in the cell\'s metadata, got none')
                level = cell["metadata"].get("level", "core")
                found.append(Question(self, *check.groups(), heading[1], about["points"], level, solutions, number))
                solutions, heading = [], None
            elif cell["cell_type"] == "code" and CHECK.match(cell["source"]):
                raise ValueError(f"{self.path.name}, {place}: expected a check's metadata, as in other questions")
        return found

    def names(self, before: int, changes: Mapping[int, Mapping[int, list[str]]]) -> dict:
        """The names that the cells before this one define, with these changes: cell → line → lines in its place."""
        names: dict = {"__name__": "__main__"}
        for number, cell in enumerate(self.cells[:before]):
            if cell["cell_type"] == "code" and not cell["metadata"].get("nbgrader", {}).get("grade"):
                _run(_changed(cell["source"], changes.get(number, {})), names)
        return names


def _run(source: str, names: dict) -> None:
    """Run what defines something in a cell. What would show or check something is left out."""
    with suppress(SyntaxError):  # a magic command
        for node in ast.parse(source).body:
            if isinstance(node, ast.ImportFrom) and is_of(SILENT, str(node.module)):
                names.update((alias.asname or alias.name, SILENCE) for alias in node.names)
            elif isinstance(node, DEFINITIONS):
                exec(compile(ast.Module([node], []), "<solution>", "exec"), names)


def notebooks(folder: Path = ROOT / "solutions") -> dict[str, Notebook]:
    """Name → `Notebook` of each notebook in `solutions/`."""
    return {path.stem: Notebook(path) for path in sorted(folder.glob("*.ipynb"))}
