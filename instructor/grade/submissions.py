"""Whose notebook is whose: submissions from a folder or a zip, in the forms that learning platforms hand them out."""

import csv
import json
import os
import re
import stat
import unicodedata
import zipfile
from collections import Counter, defaultdict
from contextlib import contextmanager, nullcontext, suppress
from io import BufferedReader, BytesIO
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from course_lib.check.question import NOTEBOOKS

LARGEST = 8 << 20
"""Bytes in the largest notebook, and in the largest zip in a zip."""
MOST_FILES, MOST_OF_ONE = 50_000, 300
"""Files in the zip of a class, and of one student; also in a zip that a student handed in."""
LONGEST_PATH = 1_000
"""Letters in a path in a zip, which has no limit of its own: it stands in the results."""
LONGEST_LIST = MOST_OF_ONE * LONGEST_PATH
"""Bytes in the list of the files in a student's zip, which is read at once, and so in any other piece."""
UTF_8 = 1 << 11
"""The flag of a zip's entry whose name is in UTF-8."""
WINDOWS = 0
"""What a zip says of a file that was packed on Windows."""
MOST_PLAYERS = 10
"""Files of one student in which a player is looked for."""
MOST_ZIPS = 10
"""Zips in a zip that a student handed in."""
DEEPEST_ZIP = 2
"""A zip of zips is opened, and a zip in one of those is not."""
MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_[a-z]+_?(?P<file>.*)")
MOODLE_FOLDER = re.compile(MOODLE.pattern.replace("+?", "+"))
CANVAS = re.compile(r"(?P<name>[^_]+)_(?:LATE_)?(?P<number>\d+)_\d+_(?P<file>.+)")
NBGRADER = {"submitted", "source", "release", "autograded", "feedback"}
"""The folders of a course of nbgrader's, of which the first holds the students'."""
UNKNOWN = "(unknown)"
NOTHING = "nothing was handed in"
MISNAMED = (
    f"not marked: its name is none of the exercises', such as {NOTEBOOKS[1]}.ipynb; hand it in under the right one"
)
EMPTY = "nothing to read: no file, or only hidden ones"
HIDDEN = "a folder whose name begins with a dot is not read; rename it if it is a student's, and grade again"
LEFT_OUT = re.compile(r"__MACOSX|\..*|timestamp\.txt|desktop\.ini|Thumbs\.db", re.I)
OF_PROGRAMS = re.compile(
    r"\.(ipynb_checkpoints|git|svn|hg|cache|venv|Trash.*|local|config|ipython|jupyter|vscode|idea)"
)
"""Folders that begin with a dot and are no student's: programs make them, and nothing needs to be said of them."""


class Note(NamedTuple):
    """Something to be said of a submission: its kind in a few words, and the note itself.

    `told` is what the student reads of it, on the feedback page; with "" they read nothing.
    """

    kind: str
    text: str
    told: str = ""


class Submission(NamedTuple):
    """A student's file for one notebook. `read()` gives its bytes; with a `problem` there is nothing to read.

    `student` is the name that the student was told to write in the notebook. Two students may share it. `number` is
    what the platform calls the student. `known_by` says what tells two students of one name apart: "Canvas" and
    "Moodle" give numbers, "roster" and "name" do not. `notebook` is None where the file's name is none of the
    exercises'.
    """

    student: str
    notebook: str | None
    file: str
    read: object = None
    problem: str = ""
    notes: tuple = ()
    number: str = ""
    known_by: str = "name"


class _File(NamedTuple):
    """A file found: the folders and the name that lead to it, how to read it, or why it is not read."""

    parts: tuple
    read: object
    problem: str = ""


def collect(source, roster=None):
    """Every submission in a folder or a zip, sorted: one for each student and notebook, and one for each bad file.

    Known forms: `student/NN_name.ipynb`, nbgrader's `submitted/student/assignment/NN_name.ipynb`, the folders and flat
    files of Moodle and Canvas, and a zip of any of these, or in them. `roster`: see `read_roster`. A student of the
    roster who handed in nothing has one submission, with the problem `NOTHING`.
    """
    roster, submissions, found = roster or {}, [], _found(source)
    around = _of_a_folder_around(found)
    for (student, number, known_by), files in _by_student(found, roster).items():
        notes = around
        if roster and student not in {*roster.values(), UNKNOWN}:
            notes = (*around, Note("students who are not in the roster", f"{student} is not in the roster"))
        theirs = _of_student(student, _notebooks_of(student, files), notes)
        submissions += [submission._replace(number=number, known_by=known_by) for submission in theirs]
    missing = set(roster.values()) - {submission.student for submission in submissions}
    submissions += [Submission(student, None, "", problem=NOTHING, known_by="roster") for student in missing]
    return sorted(submissions, key=lambda s: (s.student, s.number, s.notebook or "", s.file))


def _of_a_folder_around(found):
    """A note if the only student may be a folder around the platform's; what is in it could also be the student's."""
    names = {file.parts[1] for files in found.values() for _, file in files if len(file.parts) > 1}
    if len(found) > 1 or not any(MOODLE.fullmatch(name) or CANVAS.fullmatch(name) for name in names):
        return ()
    return (Note("one folder too many", "the only student has files with names that Moodle and Canvas make: if this is "
                 "the folder of the class, give it itself, with --replace"),)  # fmt: skip


def collect_players(source, roster=None):
    """The player of each student: (student, sources of its cells) pairs, from `my_player.py` or a notebook with one.

    A notebook has one if a cell of it defines `my_player`. A student's own `my_player.py` goes first, and of all that
    may hold a player no more than `MOST_PLAYERS` are read.
    """
    players = {}
    found = _by_student(_found(source), roster or {})
    names = told_apart([(student, number) for student, number, _ in found])
    for (student, number, _), files in found.items():
        files = sorted(files, key=lambda pair: (not pair[0].endswith(".py"), pair[0]))
        read = (_player(*pair) for pair in list(filter(_may_hold_a_player, files))[:MOST_PLAYERS])
        if cells := next(filter(None, read), None):
            players[names[student, number]] = cells
    return sorted(players.items())


def _may_hold_a_player(pair):
    name, file = pair
    return not file.problem and (_ends(name, ".ipynb") or ("my_player" in name and name.endswith(".py")))


def _player(name, file):
    """The cells of a file with a player, or None; what cannot be read has none."""
    try:
        content = file.read()
        if b"def my_player(" not in content and _ends(name, ".ipynb"):
            return None
        cells = code_cells(content) if _ends(name, ".ipynb") else [content.decode("utf-8-sig")]
    except BAD:
        return None
    return cells if any("def my_player(" in cell for cell in cells) or name.endswith(".py") else None


def _notebooks_of(student, files):
    """The notebooks among a student's files, and what cannot be read; if there is none, one file that says so."""
    files = [(name, file) for name, file in files if file.problem != EMPTY] or files[:1]
    notebooks = [(name, file) for name, file in files if file.problem or _ends(name, ".ipynb")]
    if len(notebooks) > MOST_OF_ONE and student != UNKNOWN:
        name, file = notebooks[MOST_OF_ONE]
        problem = f"more than {MOST_OF_ONE:,} files, with those in zips; {MOST_OF_ONE:,} were read"
        notebooks[MOST_OF_ONE:] = [(name, file._replace(problem=problem))]
    if notebooks or student == UNKNOWN:
        return notebooks
    (name, file), *_ = files
    return [(name, file._replace(problem=f"no notebook was handed in, but {name}"))]


def told_apart(students):
    """What to call each of these (name, number) pairs: by the name, and by the number too where a name comes twice.

    No two are called the same, even if one's name is "Jan (7)".
    """
    often = Counter(name for name, _ in students)
    called = {(name, number): name for name, number in students if often[name] == 1 or not number}
    for name, number in sorted(set(students) - set(called)):
        shown = f"{name} ({number})"
        while shown in often or shown in called.values():
            shown += f" ({number})"
        called[name, number] = shown
    return called


def _found(source):
    """The (name, file) pairs by (student, the platform's number of them, the platform)."""
    source = Path(source)
    files = _files_of_class_zip(source) if source.is_file() else list(_files_of_folder(source))
    top = {file.parts[0] for file in files if len(file.parts) > 1 or notebook_of(file.parts[0])}
    if "submitted" in top and top <= NBGRADER:
        files = [file._replace(parts=file.parts[1:]) for file in files if file.parts[0] == "submitted"]
        files = [file for file in files if file.parts != (".",)]
    found = defaultdict(list)
    for file in files:
        student, number, platform, name = identity(file.parts)
        student = unicodedata.normalize("NFC", student)  # macOS takes letters apart
        found[student, number, platform].append((name, file))
    return found


def identity(parts):
    """(student, the platform's number of them or "", the platform or "name", name of the file).

    The folders and the file's name say it.
    """
    made_up = len(parts) == 1 or _ends(parts[0], ".zip")  # by the student, from where the platform's part ends
    moodle = (MOODLE if made_up else MOODLE_FOLDER).fullmatch(parts[0])
    canvas = CANVAS.fullmatch(parts[0]) if made_up else None
    if moodle or canvas:
        first, platform = (canvas, "Canvas") if canvas else (moodle, "Moodle")  # whose part ends first
        return first["name"], first["number"], platform, parts[-1] if len(parts) > 1 else first["file"]
    if len(parts) > 1:
        return parts[0].removesuffix(".zip"), "", "name", parts[-1]
    before = re.split("|".join(NOTEBOOKS), parts[0])[0].strip(" _-")
    return (before if before and before != parts[0] else UNKNOWN), "", "name", parts[0]


def notebook_of(name):
    """The exercise that a file's name says, whatever a platform or a browser added, or None."""
    return next((notebook for notebook in NOTEBOOKS if notebook in name.lower()), None)


def _ends(name, ending):
    return name.lower().endswith(ending)


def _files_of_folder(folder):
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder and no zip; give the folder that holds the submissions")
    unread = [folder]
    while unread:
        here = unread.pop()
        try:
            paths = sorted(here.iterdir())
        except OSError as error:
            yield _File((*_parts(here, folder), "."), None, f"a folder that cannot be read ({reason(error)})")
            continue
        paths, above = [path for path in paths if not _is_left_out(path)], _parts(here, folder)
        if above and not paths and not any(map(_is_hidden, above)):
            yield _File((*above, "."), None, EMPTY)
        for path in paths:
            parts, mode = _parts(path, folder), _mode(path)
            if stat.S_ISDIR(mode):
                unread.append(path)
            elif any(map(_is_hidden, parts[:-1])):
                if _ends(path.name, ".ipynb"):
                    yield _File(parts, None, HIDDEN)
            elif not mode:
                yield _File(parts, None, "a file that cannot be read: its folder is closed, or its path is too long")
            elif stat.S_ISLNK(mode):
                yield _File(parts, None, "a symbolic link, which is not followed")
            elif not stat.S_ISREG(mode):
                yield _File(parts, None, "no ordinary file")
            elif _ends(path.name, ".zip"):
                yield from _files_of_zip(lambda path=path: _students_zip(path.open("rb", buffering=0)), parts, 1)
            else:
                yield _File(parts, lambda path=path: _bounded(path.open("rb")))


def _is_left_out(path):
    return LEFT_OUT.fullmatch(path.name) and not (stat.S_ISDIR(_mode(path)) and _is_hidden(path.name))


def _mode(path):
    """What kind of file it is, as `stat` reads it; 0 where the system does not tell."""
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def _parts(path, folder):
    return tuple(map(_readable, path.relative_to(folder).parts))


def _is_hidden(name):
    """Whether a folder's name begins with a dot, and the folder may be a student's all the same."""
    return name.startswith(".") and not name.startswith("._") and not OF_PROGRAMS.fullmatch(name)


def _readable(name):
    """A file's name that can be written down; where it is in no UTF-8, an old program has written it in Latin-1."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return os.fsencode(name).decode("latin-1")
    return name


def _files_of_class_zip(path):
    """The files in the zip of a class, which stays open; the folder's name may be on top, and it is no student's."""
    try:
        archive = zipfile.ZipFile(path)
    except BAD as error:
        raise ValueError(f"{path.name} is no zip that can be read: {error}") from None
    if (count := len(archive.infolist())) > MOST_FILES:
        raise ValueError(f"{path.name} holds {count:,} files, and {MOST_FILES:,} are the most: unpack it, and give the "
                         f"folder")  # fmt: skip
    files = (file for file in _files_of_zip(lambda: nullcontext(archive), (), 1) if file.parts != (path.stem, "."))
    return [file._replace(parts=file.parts[len(file.parts) > 2 and file.parts[0] == path.stem :]) for file in files]


class _InPieces(BufferedReader):
    """A file of which no long piece is read at once."""

    def read(self, size=-1):
        if size > LONGEST_LIST:
            raise ValueError("its list of files is too long")
        return super().read(size)


@contextmanager
def _students_zip(file):
    """The zip in a file that is closed after it."""
    with _InPieces(file) as pieces, zipfile.ZipFile(pieces) as archive:
        yield archive


def _files_of_zip(opened, parts, depth):
    """The files in a zip, as if it were a folder; a zip that cannot be read, or should not be, is one bad file.

    `opened()` opens it, each time anew: students' zips are neither kept open nor kept in memory.
    """
    try:
        with opened() as archive:
            entries = archive.infolist()
    except BAD as error:
        yield _File(parts, None, f"a zip that cannot be read ({reason(error)})")
        return
    if parts and not entries:
        yield _File(parts, None, EMPTY)
    zips = sum(_ends(entry.filename, ".zip") for entry in entries) if parts else 0
    for count, what, limit in (len(entries), "files", MOST_OF_ONE), (zips, "zips", MOST_ZIPS):
        if parts and count > limit:
            yield _File(parts, None, f"a zip of {count:,} {what}; {limit:,} are the most")
            return
    for entry in entries:
        yield from _files_of_entry(opened, entry, parts, depth)


def _name_of(entry):
    """Its path. Zips made on Linux have UTF-8 in them and may not say so; then it was read as an old PC's letters."""
    if not entry.flag_bits & UTF_8:
        with suppress(UnicodeError):
            return entry.filename.encode("cp437").decode()
    return entry.filename


def _files_of_entry(opened, entry, above, depth):
    path = _name_of(entry)
    if len(path) > LONGEST_PATH:
        problem = f"a path of {len(path):,} letters; {LONGEST_PATH:,} are the most"
        yield _File((*(above or (UNKNOWN,)), f"{path[:50]}…"), None, problem)
        return
    by_folder = above or entry.create_system == WINDOWS  # elsewhere a "\\" is a letter, which a student may have chosen
    inside = tuple(path.replace("\\", "/" if by_folder else "_").split("/"))
    left_out = [part for part in inside if LEFT_OUT.fullmatch(part) and part not in (".", "..")]
    hidden = left_out and left_out[0] in inside[:-1] and _is_hidden(left_out[0]) and _ends(path, ".ipynb")
    if (path.endswith("/") or left_out) and not hidden:
        folders = (*above, *takewhile(lambda part: part not in left_out, inside[:-1]))
        if folders:
            yield _File((*folders, "."), None, EMPTY)
        return
    climbs = ".." in inside or inside[0] == "" or ":" in inside[0]
    parts = (*(above or (UNKNOWN,)), inside[-1]) if climbs else (*above, *inside)
    problem = HIDDEN if hidden else _problem_of(entry, climbs, depth)

    def read():
        with opened() as archive:
            return _bounded(archive.open(entry))

    if problem or not _ends(entry.filename, ".zip"):
        yield _File(parts, read, problem)
    else:
        yield from _files_of_zip(lambda: _students_zip(BytesIO(read())), parts, depth + 1)


def _problem_of(entry, climbs, depth):
    """Why an entry of a zip is not read, or ""."""
    if climbs:
        return f"a path that climbs out of its zip: {entry.filename[:200]}"
    if entry.flag_bits & 1:
        return "encrypted"
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "packed in a way that no system uses by itself; zip it again"
    if _ends(entry.filename, ".zip"):
        return "a zip in a zip in a zip" if depth == DEEPEST_ZIP else ""
    if entry.file_size > LARGEST and _ends(entry.filename, ".ipynb"):
        return f"{entry.file_size:,} bytes; {LARGEST:,} are the most"
    return ""


BAD = Exception
"""What opening and reading a file can raise: a damaged zip raises errors of each way to compress, and others."""


def reason(error):
    """Why a file cannot be read, without the path that the system's own errors name: students read this."""
    return getattr(error, "strerror", None) or str(error)


def _bounded(file):
    """What is in the file, of which no more is read than may be there, whatever its zip says of its size."""
    content = bytearray()
    with file:
        while piece := file.read(1 << 16):
            content += piece
            if len(content) > LARGEST:
                raise ValueError(f"more than {LARGEST:,} bytes")
    return bytes(content)


def _by_student(found, roster):
    """The files by (student, number, what the student is known by), with the names of the roster where it has them.

    The roster joins what came under several numbers if it has these numbers. If it has only the name, two numbers are
    two students.
    """
    students, first = defaultdict(list), {}
    often = Counter(name for name, _, _ in found)
    for (name, number, platform), files in sorted(found.items(), key=lambda item: item[0]):
        by_number, by_name = roster.get(number.casefold()), roster.get(name.casefold())
        if by_number or (by_name and often[name] == 1):
            name = by_number or by_name
            number, platform = first.setdefault(name, number), "roster"
        students[name, number, platform] += files
    return students


def _of_student(student, files, notes):
    chosen = defaultdict(list)
    for name, file in files:
        path, notebook = "/".join(file.parts), notebook_of(name)
        if file.problem or notebook is None:
            yield Submission(student, None, path, None, file.problem or MISNAMED, notes)
        else:
            chosen[notebook].append((_copy(name), path, file))
    for notebook, copies in chosen.items():
        _, path, file = max(copies, key=lambda copy: copy[:2])
        yield Submission(student, notebook, path, file.read, "", (*notes, *_of_several(copies, path)))


def _of_several(copies, path):
    """The note that several files were handed in for a notebook, if there were."""
    if len(copies) > 1:
        text = f"{len(copies)} files for this notebook; {path} was graded"
        yield Note("several files for one notebook", text, text)


def _copy(name):
    """The number of a copy, as in `02_minimax-1.ipynb` (Canvas) and `02_minimax (1).ipynb` (browsers)."""
    number = re.search(r"[-(](\d{1,6})\)?\.ipynb$", name, re.I)
    return int(number[1]) if number else 0


def read_roster(path):
    """The student by each name of theirs in a CSV.

    Its column `student` holds how students are called, here and in `student("…")`; other columns may hold a platform's
    number, the name in a file or folder, an e-mail address.
    """
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    if not rows or "student" not in rows[0]:
        raise ValueError(f"{path}: a roster is a CSV with a column `student`, and other columns with other names")
    roster = {}
    for row in rows:
        student = (row["student"] or "").strip()
        if not student:
            raise ValueError(f"{path}: a row has no student: {', '.join(map(str, filter(None, row.values())))}")
        for name in filter(None, (str(cell or "").strip().casefold() for cell in row.values())):
            if roster.setdefault(name, student) != student:
                raise ValueError(f"{path}: {name!r} is a name of two students")
    return roster


class Unreadable(ValueError):
    """A notebook from which no cells can be read."""


def code_cells(content):
    """The sources of the code cells in a notebook's bytes, formats 3 and 4; nothing else in it is looked at.

    `Unreadable` says what is wrong with it, in one line.
    """
    notebook = _json(content)
    is_old = notebook.get("nbformat") in (2, 3) or "cells" not in notebook
    cells = _joined(notebook.get("worksheets")) if is_old else notebook["cells"]  # those that Jupyter shows
    if not isinstance(cells, list):
        raise Unreadable("no notebook: it has no list of cells")
    return [_source(cell) for cell in cells if isinstance(cell, dict) and cell.get("cell_type") == "code"]


def _json(content):
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Unreadable("not a notebook: the file is not in UTF-8") from None
    except RecursionError:
        raise Unreadable("malformed: it is nested too deep") from None
    except ValueError as error:
        words = f"malformed or cut short: {str(error)[:100]}" if content.strip() else "an empty file"
        raise Unreadable(words) from None
    if not isinstance(notebook, dict):
        raise Unreadable(f"no notebook: it holds a {type(notebook).__name__}")
    return notebook


def _joined(sheets):
    """The cells of a notebook in format 3, or None."""
    if not isinstance(sheets, list):
        return None
    found = (sheet.get("cells") for sheet in sheets if isinstance(sheet, dict))
    return [cell for cells in found if isinstance(cells, list) for cell in cells]


def _source(cell):
    source = cell.get("source", cell.get("input", ""))
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))
