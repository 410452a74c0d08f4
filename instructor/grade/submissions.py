"""The work of each student in the files of a class."""

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, NamedTuple
from unicodedata import normalize

from course_lib.language import N_, gettext, translated
from instructor.grade.downloads import ANYWHERE, EMPTY, MAX_OF_STUDENT, UNKNOWN, Download, File, Place, place_of, reason
from instructor.grade.executors import warn
from instructor.grade.remote import one_line
from instructor.grade.rosters import ANON, key_of
from instructor.questions import ROOT

LARGEST = 8 << 20
"""Bytes in the largest notebook, without what `UNREAD` holds, and in the largest player."""
UNREAD = re.compile(rb'"(outputs|attachments|metadata)"\s*:\s*$')
"""The keys of a notebook whose lists and tables are never read."""
NOTEBOOKS = tuple(path.stem for path in sorted((ROOT / "solutions").glob("[0-9]*.ipynb")))
MISNAMED = N_("not marked: no notebook of the course; expected a name such as {}.ipynb")
NOTHING = N_("nothing was handed in")


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
    differ in their `display_name`. `notebook` is None if the file's name is none of the exercises'. `questions` is
    empty if it was not marked.
    """

    student: str
    display_name: str
    notebook: str | None
    file: str
    path: Path | None = None
    problem: str = ""
    notes: list[Note] = field(default_factory=list)
    questions: dict[str, dict] = field(default_factory=dict)
    anonymous: bool = False
    is_late: bool = False

    def add(self, questions: dict[str, dict], notes: list[Note]) -> None:
        """Take the marks of each question, and further notes."""
        self.questions = questions
        self.notes += notes

    def all_notes(self) -> list[Note]:
        """All notes, each on one line: first why it was not marked, if it was not."""
        notes = [*self.notes]
        if self.late and self.file:
            notes.insert(0, Note("work that was handed in late", "handed in late"))
        if self.problem:
            kind = "students who handed in nothing" if self.problem == NOTHING else "files that were not marked"
            notes.insert(0, Note(kind, self.problem, translated(self.problem)))
        return [Note(note.kind, one_line(note.text), one_line(note.for_student)) for note in notes]

    @property
    def place(self) -> Place:
        """What the platform's name of the file says."""
        return place_of(self.file)

    @property
    def late(self) -> bool:
        """Whether it came after the deadline, or a file name of Canvas says so."""
        return self.is_late or (self.place.form.platform == "Canvas" and "_LATE_" in self.place.prefix)


def collect(source: Path, scratch: Path, roster: dict[str, str] | None = None) -> list[Submission]:
    """Every submission in a folder or a zip, sorted: one for each student and notebook, and one for each bad file.

    GRADING.md lists the known forms. Zips are unpacked into `scratch`. `roster` comes from `read_roster`; a student
    in it who handed in nothing has one submission, with the problem `NOTHING`, unless it lacks some anonymous ones.
    """
    roster, submissions = roster or {}, []
    all_files = Download(scratch).files(Path(source), roster)
    expected = [name for name in NOTEBOOKS if any(notebook_of(file.parts[-1]) == name for file in all_files)]
    usual = Counter(file.place.form.platform for file in all_files if file.place.form is not ANYWHERE).most_common(1)
    platforms = {ANYWHERE.platform, *dict(usual)}
    works = Counter(number for _, number in {file.place[1:3] for file in all_files if file.place.form.number == "work"})
    authors, known = list(_by_author(all_files, roster)), {*roster.values(), UNKNOWN}
    has_codes = any(author.anonymous and author.student in known for author, _, _ in authors)
    for author, display_name, files in authors:
        notes, places = [], [file.place for file in files if not author.anonymous]
        if roster and author.student not in known and (places or has_codes):
            notes = [Note("students who are not on the roster", f"{author.student} is not on the roster")]
        if author.number_of == "work" and works[author.number] > 1:
            words = f"the number {author.number} came under another name, too: if this is one student in two groups, "
            notes.append(Note("students with the same number", f"{words}remove one of the two"))
        names = sorted({place.name for place in places})
        is_odd = any(roster.get(key_of(name), author.student) != author.student for name in names)
        if is_odd or len(names) > 1 or any(place.form.platform not in platforms for place in places):
            words = f"is all of this the work of {author.student}? The files came under odd names: {', '.join(names)}"
            notes.append(Note("files under odd names", words))
        submissions += _of_student(author, display_name, files, notes, expected or NOTEBOOKS)
    if not any(submission.anonymous and submission.student not in roster.values() for submission in submissions):
        missing = set(roster.values()) - {submission.student for submission in submissions}
        submissions += [Submission(student, student, None, "", problem=NOTHING) for student in missing]
    return sorted(submissions, key=lambda s: (s.display_name, s.notebook or "", s.file))


def collect_players(source: Path, scratch: Path, roster: dict[str, str] | None = None) -> list[tuple[str, str]]:
    """(student, source of their `my_player.py`) pairs; a warning names each player that cannot be read."""
    players = []
    for _, display_name, files in _by_author(Download(scratch).files(Path(source), roster or {}), roster or {}):
        theirs = [file for file in files if re.search(r"my_player[^/]*\.py$", file.parts[-1]) and not file.problem]
        try:
            for file in sorted(theirs, key=lambda file: _newer(file, "my_player"))[-1:]:
                players.append((display_name, read_bounded(file.path).decode("utf-8-sig", errors="replace")))
            if bad := next((file.problem for file in files if file.problem not in ("", EMPTY)), ""):
                warn(one_line(f"{display_name}: {bad}"))
        except (OSError, ValueError) as error:
            warn(one_line(f"{display_name} does not play: {'/'.join(file.parts)} cannot be read ({reason(error)})"))
    return sorted(players)


class Author(NamedTuple):
    """A student, as named in the results and in the notebook, and the platform's number of them.

    `number_of` says what has this number: see `Form`; or the roster knows the student by it. If the roster has a number
    of work, it is "" here, whatever the assignment. Of an `anonymous` student the platform hides the name.
    """

    student: str
    number: str
    number_of: str
    anonymous: bool


def _by_author(files: list[File], roster: dict[str, str]) -> Iterator[tuple[Author, str, list[File]]]:
    """The author, the name in the results, and the files of each student.

    A platform has one number for each student, or, as Moodle, one for each student and assignment. So a name that comes
    under several numbers of this kind is one student, if each has notebooks that the others have not.
    """
    places = [file.place for file in files]
    in_moodle = {(place.name.rpartition("-")[2], place.number) for place in places if place.form.number == "work"}
    hidden = len(in_moodle) > 2 and len({name for name, _ in in_moodle}) == 1
    authors = [_author(place, roster, hidden and place.form.number == "work") for place in places]
    anonymous = {author.student for author in authors if author.anonymous}
    found, by_student = defaultdict(lambda: defaultdict(list)), defaultdict(list)
    for author, file in zip(authors, files):
        by_mail = in_moodle and file.place.form is ANYWHERE and author.number_of == "roster"
        found[author.student, "work" if by_mail else author.number_of][author.number].append(file)
    for (student, number_of), numbers in found.items():
        handed_in = [{notebook_of(file.parts[-1]) for file in files if file.is_notebook} for files in numbers.values()]
        notebooks = Counter(name for names in handed_in for name in names)
        is_one = all(handed_in) and max(notebooks.values(), default=0) == 1
        if number_of == "roster" or (number_of == "work" and is_one):
            numbers = {min(numbers): [file for files in numbers.values() for file in files]}
        by_student[student] += [(Author(student, number, number_of, student in anonymous), files)
                                for number, files in numbers.items()]  # fmt: skip
    for student, authors in by_student.items():
        several = len({author.number_of for author, _ in authors}) > 1
        for author, files in authors:
            name = f"{student} ({' '.join(filter(None, [several * author.number_of, author.number])) or 'folder'})"
            yield author, student if len(authors) == 1 else name, files


def _author(place: Place, roster: dict[str, str], hidden: bool) -> Author:
    """The author of a file, by the roster if that has the number or, first for an anonymous student, the name.

    With Moodle, the name of a group and a hyphen may come first; `hidden` says that its names are all the same word.
    """
    name, number_of = normalize("NFC", place.name), "anonymous" if hidden else place.form.number
    if anonymous := number_of == "anonymous":
        name = f"{name.rpartition('-')[2]}{'_' if name == 'anon' else ' '}{place.number}"
    by_number = roster.get(key_of(place.number)) if place.number and not name.startswith(ANON) else None
    names = [name] if number_of != "work" else [name, *(name[hyphen.end() :] for hyphen in re.finditer("-", name))]
    by_name = next((roster[key_of(each)] for each in names if key_of(each) in roster), None)
    if by_number and number_of == "work":
        return Author(by_number, "", number_of, anonymous)
    if by_number or (by_name and number_of in ("", "anonymous")):
        number_of = "roster"
    student = (by_name or by_number) if anonymous else (by_number or by_name)
    return Author(student or name, place.number, number_of, anonymous)


def notebook_called(text: str) -> str:
    """The exercise of a name or a number, such as "02_minimax" or "2"."""
    for name in NOTEBOOKS:
        if text == name or (text.isdecimal() and int(text) == int(name[:2])):
            return name
    raise argparse.ArgumentTypeError(f"expected a number or a name such as {NOTEBOOKS[-1]}, got {text}")


def notebook_of(name: str) -> str | None:
    """The exercise in a file's name, whatever a platform or a browser added."""
    return next((notebook for notebook in NOTEBOOKS if notebook in name.lower()), None)


def _of_student(author: Author, display_name: str, files: list[File], notes: list[Note],
                expected: Sequence[str]) -> Iterator[Submission]:  # fmt: skip
    """The submissions of a student of a class that hands in the `expected` notebooks, and what cannot be read."""

    def submission(notebook: str | None, file: File, problem: str, own: Iterable[Note] = ()) -> Submission:
        path = "/".join(file.parts)
        readable = None if problem else file.path
        return Submission(author.student, display_name, notebook, path, readable, problem, [*notes, *own],
                          anonymous=author.anonymous)  # fmt: skip

    files, chosen = [file for file in files if file.problem != EMPTY] or files[:1], defaultdict(list)
    notebooks = [file for file in files if file.problem or file.is_notebook]
    if not notebooks and author.student != UNKNOWN:
        name = files[0].place.file
        likely = _likely(name, expected)
        words = N_("no notebook was handed in, but {name}: expected a file with a name such as {likely}.ipynb")
        yield submission(None, files[0], gettext(words, name=name, likely=likely))
    for file in notebooks[:MAX_OF_STUDENT]:
        notebook = notebook_of(file.parts[-1])
        if file.problem or notebook is None:
            yield submission(None, file, file.problem or gettext(MISNAMED, _likely(file.parts[-1], expected)))
        else:
            chosen[notebook].append(file)
    for notebook, copies in chosen.items():
        ranks = [_answered(file, notebook) for file in copies] if len(copies) > 1 else [0]
        file = max(zip(ranks, copies), key=lambda pair: (pair[0], _newer(pair[1], notebook)))[1]
        words = N_("{count} files for this notebook; {file} was graded")
        several = gettext(words, count=len(copies), file="/".join(file.parts))
        own = [Note("several files for one notebook", several, several)] if len(copies) > 1 else []
        if any(part.startswith(".") for part in file.parts):
            own.append(Note("files in hidden folders", f"{'/'.join(file.parts)} is hidden: a name begins with a dot"))
        yield submission(notebook, file, "", own)


def _likely(name: str, expected: Sequence[str]) -> str:
    return get_close_matches(name.lower(), expected, n=1, cutoff=0)[0]


def _newer(file: File, name: str) -> tuple:
    """What a later copy has more of: it lies in fewer folders, has a higher number of a copy, or the later name.

    Copies are called `02_minimax-1`, `02_minimax (1)`, `02_minimax-Copy1`, `02_minimax copy` or `Copy of 02_minimax`.
    """
    number = 0
    for part in file.place.file.split("/"):
        around = part.lower().replace(name, "").partition(".")[0]
        of_notebook = name in part.lower()
        digits = re.findall(r"[0-9]{1,6}", around) if of_notebook else re.findall(r"[-( ]([0-9]{1,6})\)?\.", part)
        number = max(number, int(digits[-1]) if digits else of_notebook and around != "")
    path = [(letters, int(digits or 0)) for letters, digits in re.findall(r"(\D*)(\d{0,18})", "/".join(file.parts))]
    return -len(file.parts), number, path


def _answered(file: File, notebook: str) -> int:
    """2 if a notebook has code that its exercise does not have, 0 if it has none, 1 if it cannot be read."""
    try:
        return 2 if {*map(_without_name, code_cells(file.path))} - _handed_out(notebook) else 0
    except (OSError, ValueError):
        return 1


@lru_cache
def _handed_out(notebook: str) -> set[str]:
    return {"", *map(_without_name, code_cells(ROOT / "exercises" / f"{notebook}.ipynb"))}


def _without_name(cell: str) -> str:
    return re.sub(r"^student\(.*\)$", "", cell, flags=re.M).strip()


def read_bounded(path: Path) -> bytes:
    """What is in the file; one that is too large raises `ValueError`."""
    if path.stat().st_size > LARGEST:
        raise ValueError(N_(f"more than {LARGEST:,} bytes"))
    return path.read_bytes()


def code_cells(path: Path) -> list[str]:
    """The sources of the code cells in a notebook; nothing else of it is read. `ValueError` if it is not a notebook."""
    with open(path, "rb") as file:
        content = _without_outputs(file)
    try:
        notebook = json.loads(content)
    except (ValueError, RecursionError) as error:
        words = N_(f"malformed or cut short: {str(error)[:100]}") if content.strip() else N_("an empty file")
        raise ValueError(words) from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError(N_("not a notebook: it has no list of cells"))
    return [_source(cell) for cell in cells if isinstance(cell, dict) and cell.get("cell_type") == "code"]


PIECE = re.compile(rb'["\[\]{}]|(?:[^"\\\[\]{}]++|\\.)++', re.S)
"""A part of a JSON text: a quote, a bracket, or anything between them."""


def _without_outputs(file: BinaryIO) -> bytes:
    """The notebook without what is never read: it may be larger than the memory."""
    kept, depth, in_string = bytearray(), 0, False
    while chunk := file.read(1 << 16):
        if (len(chunk) - len(chunk.rstrip(b"\\"))) % 2:
            chunk += file.read(1)  # which the last backslash escapes
        for piece in PIECE.findall(chunk):
            if piece == b'"':
                in_string = not in_string
            elif piece in (b"[", b"{") and not in_string and (depth or UNREAD.search(kept[-99:])):
                depth += 1
            if not depth:
                kept += piece
            elif piece in (b"]", b"}") and not in_string:
                depth -= 1
                kept += b"" if depth else b"0"
        if len(kept) > LARGEST:
            raise ValueError(N_(f"more than {LARGEST:,} bytes without its outputs"))
    return bytes(kept)


def _source(cell: dict) -> str:
    source = cell.get("source", "")
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))
