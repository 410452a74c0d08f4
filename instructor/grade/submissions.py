"""The author of each notebook: submissions from a folder or a zip, in the forms that learning platforms make."""

import argparse
import csv
import json
import os
import re
import tempfile
import unicodedata
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from instructor.grade.remote import one_line
from instructor.questions import ROOT

LARGEST = 8 << 20
"""Bytes in the largest notebook."""
MAX_OF_STUDENT, MAX_UNPACKED = 300, 64 << 20
"""Files of one student, and bytes in a student's zip."""
NOTEBOOKS = tuple(path.stem for path in sorted((ROOT / "solutions").glob("[0-9]*.ipynb")))
MISNAMED = "not marked: no notebook of the course; expected a name such as {}.ipynb: rename it, and grade again"
MAX_DEPTH, MAX_INNER = 2, 3
"""A zip in a zip is opened, and a zip in that one is not; of a student's zip, at most three inner ones."""
MOODLE = re.compile(r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_[a-z]+_?(?P<file>.*)")
CANVAS = re.compile(r"(?P<name>[^_]+)_(?P<late>LATE_)?(?P<number>\d+)_\d+_(?P<file>.+)")
NBGRADER = {"submitted", "source", "release", "autograded", "feedback"}
"""The folders of a course of nbgrader's, of which the first holds the students'."""
UNKNOWN = "(unknown)"
NOTHING = "nothing was handed in"
EMPTY = "no file"
LEFT_OUT = re.compile(r"__MACOSX|\..*|timestamp\.txt|desktop\.ini|Thumbs\.db", re.I)


class Note(NamedTuple):
    """A note on a submission: its kind in a few words, and the note itself.

    `for_student` is its text on the feedback page; if it is empty, the page omits the note.
    """

    kind: str
    text: str
    for_student: str = ""


@dataclass(eq=False)
class Submission:
    """A student's file for one notebook, and its marks; with a `problem` there is no `path` to read.

    `student` is the name that the student was asked to write in the notebook. In the results two students of one name
    differ in their `display_name`. `number` is the platform's number of the student. `notebook` is None if the
    file's name is none of the exercises'. `questions` is empty if it was not marked.
    """

    student: str
    display_name: str
    number: str
    notebook: str | None
    file: str
    path: Path | None = None
    problem: str = ""
    notes: list[Note] = field(default_factory=list)
    questions: dict[str, dict] = field(default_factory=dict)

    def add(self, questions: dict[str, dict], notes: list[Note]) -> None:
        """Take the marks of each question, and further notes."""
        self.questions = questions
        self.notes += notes

    def all_notes(self) -> list[Note]:
        """All notes, each on one line: first why it was not marked, if it was not."""
        notes = [*self.notes]
        if self.late:
            notes.insert(0, Note("work that was handed in late", "handed in late, according to the file name"))
        if self.problem:
            kind = "students who handed in nothing" if self.problem == NOTHING else "files that were not marked"
            notes.insert(0, Note(kind, self.problem, self.problem))
        return [Note(note.kind, one_line(note.text), one_line(note.for_student)) for note in notes]

    @property
    def late(self) -> bool:
        """Whether the file name that the platform gave marks a late submission, as in Canvas."""
        canvas = CANVAS.fullmatch(self.file.partition("/")[0])
        return bool(canvas and canvas["late"])


class File(NamedTuple):
    """A file found: the folders and the name that lead to it, where to read it, or why it is not read."""

    parts: tuple[str, ...]
    path: Path | None
    problem: str = ""


def collect(source: Path, scratch: Path, roster: dict[str, str] | None = None) -> list[Submission]:
    """Every submission in a folder or a zip, sorted: one for each student and notebook, and one for each bad file.

    GRADING.md lists the known forms. Zips are unpacked into `scratch`. `roster` comes from `read_roster`; a student
    in it who handed in nothing has one submission, with the problem `NOTHING`.
    """
    roster, submissions = roster or {}, []
    for (student, number), display_name, files in _by_student(source, scratch, roster):
        notes = []
        if roster and student not in {*roster.values(), UNKNOWN}:
            notes = [Note("students who are not on the roster", f"{student} is not on the roster")]
        submissions += _of_student(student, display_name, number, files, notes)
    missing = set(roster.values()) - {submission.student for submission in submissions}
    submissions += [Submission(student, student, "", None, "", problem=NOTHING) for student in missing]
    return sorted(submissions, key=lambda s: (s.display_name, s.notebook or "", s.file))


def collect_players(source: Path, scratch: Path, roster: dict[str, str] | None = None) -> list[tuple[str, str]]:
    """The player of each student: (student, source of their `my_player.py`) pairs."""
    players = {}
    for _, display_name, files in _by_student(source, scratch, roster or {}):
        for name, file in files:
            if "my_player" in name and name.endswith(".py") and not file.problem:
                players[display_name] = read_bounded(file.path).decode("utf-8-sig", errors="replace")
    return sorted(players.items())


def _by_student(source: Path, scratch: Path, roster: dict[str, str]) -> Iterator[tuple]:
    """((student, number), name in the results, (name of a file, file) pairs) for each student.

    Canvas has one number for each student, Moodle one for each student and assignment. So a name that comes under
    several of Moodle's numbers is one student, unless two of them have handed in the same notebook.
    """
    found, by_student = defaultdict(lambda: defaultdict(list)), defaultdict(list)
    for file in _files(Path(source), scratch):
        student, number, platform, name = identity(file.parts)
        student = unicodedata.normalize("NFC", student)  # macOS takes letters apart
        student = roster.get(student.casefold(), student)
        if number.casefold() in roster:
            student, platform = roster[number.casefold()], "roster"
        found[student, platform][number].append((name, file))
    for (student, platform), numbers in found.items():
        notebooks = [n for files in numbers.values() for n in {notebook_of(name) for name, _ in files} - {None}]
        if platform == "roster" or (platform == "Moodle" and len(set(notebooks)) == len(notebooks)):
            numbers = {min(numbers): list(chain.from_iterable(numbers.values()))}
        by_student[student] += numbers.items()
    for student, numbered in by_student.items():
        for number, files in numbered:
            yield (student, number), student if len(numbered) == 1 else f"{student} ({number})", files


def identity(parts: tuple[str, ...]) -> tuple[str, str, str, str]:
    """(student, the platform's number of them or "", the platform, name of the file), by the folders and names."""
    flat = len(parts) == 1 or parts[0].lower().endswith(".zip")
    canvas, moodle = CANVAS.fullmatch(parts[0]) if flat else None, MOODLE.fullmatch(parts[0])
    if canvas or moodle:
        name, number, file = (canvas or moodle).group("name", "number", "file")
        return name, number, "Canvas" if canvas else "Moodle", parts[-1] if len(parts) > 1 else file
    return parts[0].removesuffix(".zip") if len(parts) > 1 else UNKNOWN, "", "name", parts[-1]


def notebook_called(text: str) -> str:
    """The exercise of a name or a number, such as "02_minimax" or "2"."""
    for name in NOTEBOOKS:
        if text == name or (text.isdecimal() and int(text) == int(name[:2])):
            return name
    raise argparse.ArgumentTypeError(f"expected a number or a name such as {NOTEBOOKS[-1]}, got {text}")


def notebook_of(name: str) -> str | None:
    """The exercise in a file's name, whatever a platform or a browser added."""
    return next((notebook for notebook in NOTEBOOKS if notebook in name.lower()), None)


def _of_student(student: str, display_name: str, number: str, files: list, notes: list) -> Iterator[Submission]:
    """The student's submissions: the notebooks among the files, and what cannot be read."""
    theirs, chosen = (student, display_name, number), defaultdict(list)
    files = [(name, file) for name, file in files if file.problem != EMPTY] or files[:1]
    notebooks = [(name, file) for name, file in files if file.problem or name.lower().endswith(".ipynb")]
    if not notebooks and student != UNKNOWN:
        yield Submission(*theirs, None, "/".join(files[0][1].parts), None, "no notebook was handed in", [*notes])
    for name, file in notebooks[:MAX_OF_STUDENT]:
        path, notebook = "/".join(file.parts), notebook_of(name)
        if file.problem or notebook is None:
            likely = get_close_matches(name.lower(), NOTEBOOKS, n=1, cutoff=0)
            yield Submission(*theirs, None, path, None, file.problem or MISNAMED.format(*likely), [*notes])
        else:
            chosen[notebook].append((_copy(name), path, file))
    for notebook, copies in chosen.items():
        _, path, file = max(copies, key=lambda copy: copy[:2])
        several = f"{len(copies)} files for this notebook; {path} was graded"
        own = [Note("several files for one notebook", several, several)] if len(copies) > 1 else []
        yield Submission(*theirs, notebook, path, file.path, "", notes + own)


def _copy(name: str) -> int:
    """The number of a copy, as in `02_minimax-1.ipynb` (Canvas) and `02_minimax (1).ipynb` (browsers)."""
    number = re.search(r"[-(](\d{1,6})\)?\.ipynb$", name, re.I)
    return int(number[1]) if number else 0


def _files(source: Path, scratch: Path) -> list[File]:
    """All files, without folders around those of the class: nbgrader's, and the one that a zip is named after."""
    if source.is_dir():
        files = list(_of_folder(source, (), scratch))
    elif source.is_file():
        files = list(_of_zip(source, (), scratch))
        if len(files) == 1 and not files[0].parts:
            raise ValueError(f"{source.name}: {files[0].problem}")
    else:
        raise ValueError(f"{source} is not a folder or a zip; give the folder that holds the submissions")
    return _without_folder_around(files, source.stem)


def _without_folder_around(files: list[File], stem: str) -> list[File]:
    top = {file.parts[0] for file in files if len(file.parts) > 1}
    around = "submitted" if "submitted" in top and top <= NBGRADER else stem if top == {stem} else None
    inside = [file._replace(parts=file.parts[1:]) for file in files if file.parts[0] == around]
    return _without_folder_around(inside, stem) if around else files


def _of_folder(folder: Path, above: tuple[str, ...], scratch: Path, depth: int = 0) -> Iterator[File]:
    unread, inner = [], count(1)
    for here, folders, names in os.walk(folder, onerror=unread.append):
        parts = (*above, *Path(here).relative_to(folder).parts)
        folders[:] = sorted(name for name in folders if not LEFT_OUT.fullmatch(name))
        names = sorted(name for name in names if not LEFT_OUT.fullmatch(name))
        if parts and not names and not folders:
            yield File((*parts, "."), None, EMPTY)
        for name in names:
            path = Path(here, name)
            if path.is_symlink() or not path.is_file():
                yield File((*parts, name), None, "not an ordinary file")
            elif name.lower().endswith(".zip") and depth < MAX_DEPTH:
                if above and next(inner) > MAX_INNER:
                    yield File((*parts, name), None, f"not opened: more than {MAX_INNER} zips in a zip")
                    continue
                yield from _of_zip(path, (*parts, name), scratch, depth + 1)
            else:
                yield File((*parts, name), path)
    for error in unread:
        where = Path(error.filename).relative_to(folder).parts
        yield File((*above, *where, "."), None, f"a folder that cannot be read ({reason(error)})")


def _of_zip(path: Path, parts: tuple[str, ...], scratch: Path, depth: int = 1) -> Iterator[File]:
    """The files in a zip, unpacked into the folder `scratch`; a zip that cannot be read is one bad file."""
    target = Path(tempfile.mkdtemp(dir=scratch))
    try:
        with _opened(path) as archive:
            entries = archive.infolist()
            size = sum(entry.file_size for entry in entries)
            if parts and (len(entries) > MAX_OF_STUDENT or size > MAX_UNPACKED):
                raise ValueError(f"{len(entries):,} files of {size:,} bytes")
            for name, times in Counter(entry.filename for entry in entries).items():
                if times > 1:
                    yield File((*parts, *name.split("/")), None, f"{times} entries of this name; the last was taken")
            for entry in entries:
                try:
                    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                        raise ValueError("expected a zip with the usual compression")
                    with archive.open(entry) as file:  # its sizes may be wrong, and no half a file may be left
                        while file.read(1 << 16):
                            pass
                    archive.extract(entry, target)
                except Exception as error:  # a damaged zip raises errors of each compression, and others
                    where = (part for part in entry.filename.split("/") if part.strip("."))
                    yield File((*parts, *where), None, f"cannot be unpacked ({reason(error)})")
    except Exception as error:
        yield File(parts, None, f"a zip that cannot be read ({reason(error)})")
        return
    yield from _of_folder(target, parts, scratch, depth)


def _opened(path: Path) -> zipfile.ZipFile:
    """The zip. Zips made on Linux have names in UTF-8, but do not declare it."""
    try:
        return zipfile.ZipFile(path, metadata_encoding="utf-8")
    except UnicodeDecodeError:
        return zipfile.ZipFile(path)


def reason(error: Exception) -> str:
    """Why a file cannot be read, without the path in the system's own errors: students read this."""
    return getattr(error, "strerror", None) or str(error)


def read_bounded(path: Path) -> bytes:
    """What is in the file; one that is too large raises `ValueError`."""
    if path.stat().st_size > LARGEST:
        raise ValueError(f"more than {LARGEST:,} bytes")
    return path.read_bytes()


def read_roster(path: str) -> dict[str, str]:
    """The student, as named in the column `student` of a CSV, by each of their names in its columns."""
    _, rows = read_csv(path)
    if not rows or not all((row.get("student") or "").strip() for row in rows):
        raise ValueError(f"{path}: expected a CSV with a column `student`, filled in each row")
    roster = {}
    for row in rows:
        student = row["student"].strip()
        for name in filter(None, (str(cell or "").strip().casefold() for cell in row.values())):
            if roster.setdefault(name, student) != student:
                raise ValueError(f"{path}: {name!r} is a name of two students")
    return roster


def read_csv(path: str | Path) -> tuple[list[str], list[dict]]:
    """The columns and the rows of a CSV."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            return list(reader.fieldnames or ()), list(reader)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: expected a CSV in UTF-8: {error}") from error


def code_cells(path: Path) -> list[str]:
    """The sources of the code cells in a notebook; nothing else of it is read. `ValueError` if it is not a notebook."""
    content = read_bounded(path)
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        words = f"malformed or cut short: {str(error)[:100]}" if content.strip() else "an empty file"
        raise ValueError(words) from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError("not a notebook: it has no list of cells")
    return [_source(cell) for cell in cells if isinstance(cell, dict) and cell.get("cell_type") == "code"]


def _source(cell: dict) -> str:
    source = cell.get("source", "")
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))
