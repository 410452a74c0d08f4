"""What texts say of the notebooks and questions of the course: brought up to date, or named, after a change."""

import builtins
import json
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from shutil import which
from symtable import SymbolTable, symtable
from textwrap import fill

import nbformat

from course_lib.explore.score_card import ROWS
from course_lib.saving import write_whole
from instructor.course import face
from instructor.questions import notebooks

NUMBERS = "No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"
PER_QUESTION = 10
"""Minutes for each question of the exercises."""
APART = re.compile(r"^## (?:Literature|Glossary)$.*", re.DOTALL | re.MULTILINE)
"""What a reader looks things up in."""
LONGER = {r"\b(warm_up|board|practice)\(": 4, r"\bpredict\(": 1.5}
"""Minutes for code cells with which a reader does something; other cells take one."""
HEADING = re.compile(r'"##+ (?:Further: |\d+\. )?([^"\\:(]*[^"\\:(? ])')
"""A heading in the text of a notebook: what is between its number and a colon, its points or a question mark."""
LISTED = re.compile(r"\b[Nn]otebooks? (\d+(?:(?:, | and | to )\d+)*)")
"""Numbers of notebooks, such as "notebooks 2, 3 and 5"."""
MISCONCEPTION = re.compile(r"^\| “([^”]+)” \|", re.MULTILINE)
"""A known mistake in a table of the teaching guide."""
PLANNED = re.compile(r"(?<!discussion of )\bex\. (\d): (?:core and )?(\d+(?:(?:, | and | to )\d+)*)")
"""Questions in the plans of the teaching guide, such as "ex. 3: 1 to 3 and 7"."""
ADDED = re.compile(r"^\| (\d+) \| [\d, ]+ \| \d+ of \d+ \|[^|]*\d")
"""A row of its table of core questions that names others, in addition."""


def minutes(cells: list[nbformat.NotebookNode]) -> dict[str, int]:
    """The minutes of the core and of the *Further* sections of a notebook, to the next five: 90 words a minute."""
    spent, part = {"core": 0.0, "further": 0.0}, "core"
    for cell in cells:
        if cell.cell_type == "markdown":
            if heading := re.match(r"## (.*)", cell.source):
                part = "further" if heading[1].startswith("Further") else "core"
            spent[part] += len(APART.sub("", cell.source).split()) / 90
        else:
            spent[part] += next((time for name, time in LONGER.items() if re.search(name, cell.source)), 1)
    return {part: 5 * round(time / 5) for part, time in spent.items()}


def agree(course: Path) -> None:
    """Write what is computed into the documents.

    These are the name of the course and who gives it, the minutes of notebooks and exercises, the core questions in
    the teaching guide, and the numbers of questions in SOURCES. The rows of removed notebooks are removed.
    """
    readme, guide, sources, citation = "README.md", "docs/teaching.md", "SOURCES.md", "CITATION.cff"
    shown = face(course)
    about = " · ".join(filter(None, (shown.institution, shown.contact)))
    head = f"# {shown.name}\n" + (f"\n*{about}*\n" if about else "")
    changes: dict[str, dict[str, str]] = {
        readme: {r"\A# .*\n(\n\*[^*].*\*\n)?": head.replace("\\", r"\\")},
        guide: {},
        sources: {},
        citation: {"^title: .*": f"title: {json.dumps(shown.name, ensure_ascii=False)}"},
    }
    for path in course.glob("notebooks/*.ipynb"):
        changes[readme][rf"(/{path.name}\) \|) \d+ "] = rf"\1 {sum(_write_minutes(path).values())} "
    names = [path.stem for path in course.glob("notebooks/*.ipynb")]
    changes[readme][rf"^\|.*\(notebooks/(?!{'|'.join(names)})\w+\.ipynb\) \|.*\n"] = ""
    changes[readme][r"^\w+ (?=Jupyter notebooks)"] = f"{NUMBERS[len(names)]} "
    changes[citation][r"\bin \w+ (?=Jupyter notebooks)"] = f"in {NUMBERS[len(names)].lower()} "
    changes[guide][rf"^\| (?!{'|'.join(str(int(name[:2])) for name in names)})\d+ \| [\d, ]+ \| \d+ of \d+ \|.*\n"] = ""
    for file, notebook in notebooks(course / "solutions").items():
        number, points = int(file[:2]), sum(question.points for question in notebook.questions)
        core = {at: question.points for at, question in enumerate(notebook.questions, 1) if question.level == "core"}
        row = f"| {number} | {', '.join(map(str, core))} | {sum(core.values())} of {points} |"
        changes[readme][rf"(/{file}\.ipynb\) \| \d+ \+) \d+"] = rf"\1 {PER_QUESTION * len(notebook.questions)}"
        changes[guide][rf"^\| {number} \| [\d, ]+ \| \d+ of \d+ \|"] = row
        for at, question in enumerate(notebook.questions, 1):
            changes[sources][rf"{number}\.\d+ “{re.escape(question.title)}”"] = f"{number}.{at} “{question.title}”"
    for path in (course / name for name in changes if (course / name).exists()):
        text = path.read_text(encoding="utf-8")
        for pattern, becomes in changes[path.relative_to(course).as_posix()].items():
            text = re.sub(pattern, becomes, text, flags=re.MULTILINE)
        write_whole(path, text)


def _write_minutes(path: Path) -> dict[str, int]:
    """Write its minutes into the first cell of a notebook; return them."""
    text = path.read_text(encoding="utf-8")
    spent = minutes(nbformat.reads(text, as_version=4).cells)
    told = re.sub(r"(\*\*Time\*\*: about )\d+", rf"\g<1>{spent['core']}", text, count=1)
    told = re.sub(r"(\*\*Time\*\*: .*about )\d+( more)", rf"\g<1>{spent['further']}\2", told, count=1)
    if told != text:
        write_whole(path, told)
    return spent


def dangling(course: Path) -> Iterator[str]:
    """A few lines about each text that names a notebook, a section or a question which is not in the course any more.

    Sections are compared with those of the last commit, if the course is a clone.
    """
    known = {path.stem for folder in ("notebooks", "solutions") for path in (course / folder).glob("*.ipynb")}
    numbers = {int(name[:2]) for name in known}
    found = notebooks(course / "solutions")
    exercises = {(str(int(name[:2])), question.title) for name in found for question in found[name].questions}
    count = {int(name[:2]): len(found[name].questions) for name in found}
    mistakes = {known.name for each in found.values() for question in each.questions for known in question.known}
    before = (titles for name, titles in _headings(course, "HEAD").items() if name.startswith("notebooks/"))
    removed = set(chain(*before)) - set(chain(*_headings(course).values()))
    titles = "|".join(map(re.escape, removed)) or "(?!)"
    section = re.compile(rf"""(?<!  )["“*[](?:Further: )?({titles})(?!\w)|(?i:\b({titles}),? \d)""")
    documents = {*course.glob("*.md"), *course.glob("docs/*.md")} - {course / "CHANGELOG.md"}
    for path in (*sorted(documents), *sorted(course.glob("*s/*.ipynb"))):
        text = path.read_text(encoding="utf-8")
        named = {name for name in re.findall(r"(?:notebooks|exercises)/(\d\d_\w+)\.ipynb", text) if name not in known}
        listed = " ".join(LISTED.findall(text))
        named |= {f"notebook {n}" for n in re.findall(r"\d+", listed) if int(n) not in numbers}
        cited = set(re.findall(r"exercise (\d)\.\d+ “([^”]+)”", text))
        named |= {f"exercise “{title}” of notebook {number}" for number, title in cited - exercises}
        for number, asked in PLANNED.findall(text):
            if max(map(int, re.findall(r"\d+", asked))) > count.get(int(number), 0):
                named.add(f"ex. {number}: {asked}")
        named |= {f"mistake “{name}”" for name in MISCONCEPTION.findall(text) if name not in mistakes}
        named |= {f"section “{quoted or planned}”" for quoted, planned in section.findall(text)}
        if named:
            yield _filled(f"{path.relative_to(course)} still names what is not in the course", sorted(named))


def promised(course: Path) -> Iterator[str]:
    """A few lines about each notebook that has lost something since the last commit, and what may still promise it."""
    now, guide = _headings(course), (course / "docs" / "teaching.md").read_text(encoding="utf-8").splitlines()
    for name, titles in _headings(course, "HEAD").items():
        number, left = str(int(Path(name).name[:2])), now.get(name, [])
        if lost := {*titles} - {*left}:
            yield _filled(f"{name} has lost this; README (its table, and above), CITATION and docs/teaching.md may "
                          f"still promise it", sorted(lost) if left else ["the whole notebook"])  # fmt: skip
        if name.startswith("solutions/") and left and left[: len(titles)] != titles:
            numbered = [number in [*ADDED.findall(line), *(of for of, _ in PLANNED.findall(line))] for line in guide]
            lines = [f"line {at}" for at, is_numbered in enumerate(numbered, 1) if is_numbered]
            yield _filled(f"{name} has other questions, or another order; docs/teaching.md gives their numbers", lines)
    if rows := ROWS.keys() - {int(path.name[:2]) for path in course.glob("notebooks/*.ipynb")}:
        yield _filled("These rows are of removed notebooks; delete them in course_lib/explore/score_card.py, "
                      "and execute the others", map(str, sorted(rows)))  # fmt: skip


def undefined(course: Path) -> Iterator[str]:
    """A few lines about each notebook with names that a cell uses, and neither it nor an earlier one defines.

    A function may use what a later cell defines.
    """
    for path in sorted({*course.glob("notebooks/*.ipynb"), *course.glob("solutions/*.ipynb")}):
        cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
        tables, defined, lacking = {}, {*dir(builtins), "display", "get_ipython"}, {}
        for number, cell in enumerate(cells, 1):
            with suppress(SyntaxError):  # a magic command
                tables[number] = symtable(cell.source, path.name, "exec")
        everywhere = defined.union(*(_names(table)[0] for table in tables.values()))
        for number, table in tables.items():
            own, used = _names(table)
            defined |= own
            used = (used - defined).union(*(_names(inner)[1] - everywhere for inner in _inner(table)))
            lacking |= dict.fromkeys(sorted(used - lacking.keys()), f"code cell {number}")
        if lacking:
            told = f"{path.relative_to(course)} uses what no earlier cell defines"
            yield _filled(told, map(" in ".join, lacking.items()))


def _names(table: SymbolTable) -> tuple[set[str], set[str]]:
    """The names that this code defines, and the global ones that it uses."""
    symbols = table.get_symbols()
    defined = {symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported()}
    return defined, {symbol.get_name() for symbol in symbols if symbol.is_global() and symbol.is_referenced()}


def _inner(table: SymbolTable) -> Iterator[SymbolTable]:
    """The functions and classes in a cell, and those in them."""
    for child in table.get_children():
        yield child
        yield from _inner(child)


def _headings(course: Path, *commit: str) -> dict[str, list[str]]:
    """Notebook → its headings now, or in a commit; nothing if the course is not a clone."""
    which_texts = *(commit or ["--untracked"]), "--", "notebooks", "solutions"
    command = ["git", "-C", str(course), "grep", "-e", '"##', *which_texts]
    lines = subprocess.run(command, capture_output=True, encoding="utf-8").stdout.splitlines() if which("git") else []
    found = defaultdict(list)
    for line in lines:
        name, text = re.sub("^HEAD:", "", line).split(":", 1)
        found[name] += HEADING.findall(text)
    return found


def _filled(told: str, names: Iterable[str]) -> str:
    lines = fill("; ".join(names), 100, initial_indent="    ", subsequent_indent="    ")
    return f"{fill(told, 100)}:\n{lines}"
