"""The files of a class, from folders and zips, and whose they are by the names that learning platforms give them."""

import os
import re
import shutil
import zipfile
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from functools import cache, partial
from itertools import count, pairwise
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from course_lib.language import N_
from instructor.grade.rosters import decoded, key_of

MAX_OF_STUDENT, MAX_UNPACKED = 300, 256 << 20
"""Files of one student, and bytes that a student's zips may fill when they are unpacked."""
MAX_ENTRIES = 50_000
"""Entries of a student's zip: each takes a kilobyte of memory when the zip is opened."""
MAX_DEPTH = 2
"""A zip in a student's zip is opened, and a zip in that one is not."""
WANTED = re.compile(r"\.ipynb(\.(json|txt))?$|my_player[^/]*\.py$|\.zip$", re.I)
"""What is unpacked; browsers add `.json` and `.txt`."""
LEFT_OUT = re.compile(r"(^|/)(__MACOSX|\.[_~][^/]*|\.DS_Store|\.ipynb_checkpoints|\.git|timestamp\.txt|desktop\.ini|"
                      r"Thumbs\.db)(/|$)", re.I)  # fmt: skip
NBGRADER = {"submitted", "source", "release", "autograded", "feedback"}
"""The folders of a course of nbgrader's, of which the first holds the students'."""
UNKNOWN, EMPTY = "(unknown)", N_("no file")
TYPED = "text.html", "link.html"
"""How Canvas calls what was handed in without a file."""
LATE, WORK = "(?:LATE_)?", rf"(?:[0-9]+_|(?=(?:{'|'.join(TYPED)})$))"
UPLOAD = r"(?P<file>[^/]+(?:(?<=\.zip)/.+)?)"
"""A file that is in no folder, or something in a zip."""
SUBMITTED = "_(?P<number>[0-9]+)_assignsubmission_[a-z]+(?:_/?|/)(?P<file>.+)"
PARTICIPANT = (
    "Participant[eo]?|Partecipante|Teilnehmer(?:in)?|Deelnemer|Delta(?:gare|ger|ker)|Osallistuja|Osaleja|"
    "Uczestnik|Účastník|Résztvevő|Sudionik|Polaznik|Udeleženec|Dalībnieks|Dalyvis|Katılımcı|Peserta|Partaidea|"
    "Partehartzailea|Þátttakandi|Участник|Учасник|Учесник|Συμμετέχων|משתתף|مشارك|参与者|参加者|參與者|參加者|참가자|참여자"
)
"""Moodle's word for somebody whose name is hidden, in many languages."""


class Form(NamedTuple):
    """How a platform names the files of a class.

    `pattern` is that of a whole path: the platform's part comes first, and `file` is all that a student can choose.
    `number` says what the number counts: a student, a student's work for one assignment, or an anonymous student.
    """

    platform: str
    number: str
    pattern: str
    example: str


FORMS = [
    Form("Brightspace", "student",
         "(?P<number>[0-9]+)-[0-9]+ - (?P<name>[^/]+?) ?- [^/-]+ [0-9]{3,4} [AP]M(?: - |/)(?P<file>.+)",
         "12345-678 - Ada Lovelace - Nov 28, 2026 105 PM/02_minimax.ipynb"),
    Form("Moodle", "anonymous", f"(?:[^/_]*-)?(?P<name>{PARTICIPANT}){SUBMITTED}",
         "Team 1-Participant_101_assignsubmission_file_/02_minimax.ipynb"),
    Form("Moodle", "work", f"-?(?P<name>[^/_]+){SUBMITTED}",
         "Ada Lovelace_1234_assignsubmission_file_/02_minimax.ipynb"),
    Form("Canvas", "anonymous", f"(?P<name>anon)_{LATE}(?P<number>[^_/]+)_{LATE}{WORK}{UPLOAD}",
         "anon_LATE_Xy3fQ_7654_02_minimax.ipynb"),
    Form("Canvas", "student", f"(?P<name>[^_/]+)_{LATE}(?P<number>[0-9]+)_{WORK}{UPLOAD}",
         "lovelaceada_LATE_98_7654_02_minimax-1.ipynb"),
    Form("Sakai", "student", r"(?P<name>[^_/()]+)\((?P<number>[^/()]+)\)[/_]"
         r"(?:Submission attachment\(s\)[/_]|(?=[^/]*submissionText\.html$))(?P<file>.+)",
         "Lovelace, Ada(ada)/Submission attachment(s)/02_minimax.ipynb"),
    Form("Blackboard", "", r"(?:[^_/]*_)?(?P<name>[^/]+?)(?P<number>)_attempt_[0-9-]+(?:_|(?=\.txt))" + UPLOAD,
         "Exercise 2_ada_attempt_2026-11-28-13-05-09_02_minimax.ipynb"),
    Form("Gradescope", "anonymous", "(?P<name>submission)_(?P<number>[0-9]+)/(?P<file>.+)",
         "submission_987654/02_minimax.ipynb"),
    Form("Teams", "", "(?:Submitted|Working) files/(?P<name>[^/]+)/(?P<number>)(?P<file>.+)",
         "Submitted files/Ada Lovelace/Exercise 2/Version 1/02_minimax.ipynb"),
    Form("nbgrader's exchange", "", r"(?P<name>[^+/]+)\+[^+/]+\+[^/]+/(?P<number>)(?P<file>.+)",
         "ada+ps2+2026-11-28 13:05:09 UTC+x1/02_minimax.ipynb"),
]  # fmt: skip
"""The first that fits counts."""
ANYWHERE = Form("a folder", "", r"(?P<name>[^/]+?)(?:\.zip)?/(?P<number>)(?P<file>.+)", "ada/02_minimax.ipynb")
PATTERNS = [(form, re.compile(form.pattern, re.I | re.S)) for form in (*FORMS, ANYWHERE)]


class Place(NamedTuple):
    """Whose a file is, by the form of its path: the platform's `prefix`, and the `file` as the student named it."""

    form: Form
    name: str
    number: str
    file: str
    prefix: str


@cache
def place_of(path: str) -> Place:
    """The place of a file of the class; nothing in a path without a folder names its student."""
    for form, pattern in PATTERNS:
        if found := pattern.fullmatch(path):
            return Place(form, *found.group("name", "number", "file"), path[: found.start("file")])
    return Place(ANYWHERE, UNKNOWN, path, path, "")


class File(NamedTuple):
    """A file found: the folders and the name that lead to it, where to read it, or why it is not read."""

    parts: tuple[str, ...]
    path: Path | None
    problem: str = ""

    @property
    def place(self) -> Place:
        return place_of("/".join(self.parts))

    @property
    def is_notebook(self) -> bool:
        return bool(re.search(r"\.ipynb(\.(json|txt))?$", self.parts[-1], re.I))


class Download:
    """The files in a folder or a zip. Zips are unpacked into `scratch`, within the limits for each student."""

    def __init__(self, scratch: Path):
        self.scratch, self.numbers = scratch, count(1)
        self.unpacked: dict[tuple, Counter] = defaultdict(Counter)

    def files(self, source: Path, roster: Collection[str] = ()) -> list[File]:
        """All files, without folders around those of the class, none of which has a name in the `roster`."""
        if source.is_dir():
            files = list(self._of_folder(source))
        elif source.is_file():
            files = list(self._of_zip(source, (), 0))
            if len(files) == 1 and not files[0].parts:
                raise ValueError(f"{source}: {files[0].problem}; download it again, or give an unpacked folder")
        else:
            raise ValueError(f"{source} is not a folder or a zip; give the folder that holds the submissions")
        return _refuse_inner_downloads(_without_folder_around(files, source.stem, roster))

    def _of_folder(self, folder: Path) -> Iterator[File]:
        unread: list[OSError] = []
        for here, folders, names in os.walk(folder, onerror=unread.append):
            parts = tuple(_parts(str(Path(here).relative_to(folder))))
            folders[:] = sorted(name for name in folders if not LEFT_OUT.search(name))
            names = sorted(name for name in names if not LEFT_OUT.search(name))
            if parts and not names and not folders:
                yield File((*parts, "."), None, EMPTY)
            for name in names:
                path, inside = Path(here, name), (*parts, *_parts(name))
                if path.is_symlink() or not path.is_file():
                    yield File(inside, None, N_("not an ordinary file"))
                else:
                    yield from self._of_file(path, inside, 0)
        for error in unread:
            where = _parts(str(Path(error.filename).relative_to(folder)))
            yield File((*where, "."), None, N_(f"a folder that cannot be read ({reason(error)})"))

    def _of_file(self, path: Path, parts: tuple[str, ...], depth: int) -> Iterator[File]:
        """The file, or those in it if it is a zip; `depth` is the number of zips of a student's around it."""
        if path.suffix.lower() == ".zip" and depth < MAX_DEPTH:
            yield from self._of_zip(path, parts, depth + 1)
        else:
            yield File(parts, path)

    def _of_zip(self, path: Path, parts: tuple[str, ...], depth: int) -> Iterator[File]:
        """The files in a zip, of which only the wanted ones are unpacked; a zip that cannot be read is one bad file."""
        try:
            if parts and _count_entries(path) > MAX_ENTRIES:
                raise ValueError(N_(f"it has more than {MAX_ENTRIES:,} entries"))
            with zipfile.ZipFile(path) as archive:
                entries = archive.infolist()
                named = [(name, entry) for name, entry in zip(_names(entries), entries)
                         if _parts(name) and not LEFT_OUT.search(name)]  # fmt: skip
                wanted = {name: entry for name, entry in named if WANTED.search(name)}
                if parts:  # a student's zip, of which only this matters
                    self._allow(parts, wanted)
                    named = [*wanted.items()] or [pair for pair in named if not pair[0].endswith("/")][:1]
                if not named:
                    yield File(parts, None, EMPTY)
                filled = {name for name, after in pairwise(sorted(dict(named))) if after.startswith(name)}
                for name, entry in dict(named).items():
                    inside = (*parts, *_parts(name))
                    if name.endswith("/"):
                        yield from [] if name in filled else [File((*inside, "."), None, EMPTY)]
                    elif name not in wanted:
                        yield File(inside, None)
                    else:
                        yield from self._unpack(archive, entry, inside, depth)
        except Exception as error:  # a damaged zip raises many kinds
            yield File(parts, None, N_(f"a zip that cannot be read ({reason(error)})"))

    def _allow(self, parts: tuple[str, ...], wanted: dict[str, zipfile.ZipInfo]) -> None:
        """Count what a student's zip will fill; raise `ValueError` before it is too much."""
        place = File((*parts, "."), None).place
        unpacked = self.unpacked[place.name, place.number]
        unpacked.update(files=len(wanted), bytes=sum(entry.file_size for entry in wanted.values()))
        if unpacked["files"] > MAX_OF_STUDENT or unpacked["bytes"] > MAX_UNPACKED:
            files, size = unpacked["files"], unpacked["bytes"]
            raise ValueError(N_(f"too large: {files:,} files of {size:,} bytes with this zip"))

    def _unpack(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, parts: tuple[str, ...], depth: int
                ) -> Iterator[File]:  # fmt: skip
        target = self.scratch / f"{next(self.numbers)}{Path(parts[-1]).suffix}"
        try:
            if entry.flag_bits & 1:
                raise ValueError(N_("it has a password"))
            if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise ValueError(N_("expected a zip with the usual compression"))
            with archive.open(entry) as packed, open(target, "wb") as file:
                shutil.copyfileobj(packed, file)
        except Exception as error:  # a damaged zip raises errors of each compression, and others
            yield File(parts, None, N_(f"cannot be unpacked ({reason(error)})"))
        else:
            yield from self._of_file(target, parts, depth)


def _count_entries(path: Path) -> int:
    """How many entries a zip has, at most."""
    with open(path, "rb") as file:
        return sum(chunk.count(b"PK\1\2") for chunk in iter(partial(file.read, 1 << 20), b""))


def _parts(name: str) -> list[str]:
    """The folders and the name in a path, none of which leads out of its folder; Windows separates with `\\`."""
    name = name if name.isascii() else decoded(os.fsencode(name))
    return [part for part in normalize("NFC", name).replace("\\", "/").split("/") if part.strip(".")]


def _names(entries: list[zipfile.ZipInfo]) -> list[str]:
    """The names in a zip. Those without the mark of UTF-8 are in the encoding of whoever made the zip."""
    unmarked = [entry.filename for entry in entries if not entry.flag_bits & 0x800]
    read = dict(zip(unmarked, decoded("\0".join(unmarked).encode("cp437")).split("\0")))
    return [read.get(entry.filename, entry.filename).replace("\\", "/") for entry in entries]


def _without_folder_around(files: list[File], stem: str, roster: Collection[str]) -> list[File]:
    """The files without a folder around those of the class: nbgrader's, one named after the zip, or a single one."""
    top = {file.parts[0] for file in files if len(file.parts) > 1}
    notebooks = [file for file in files if file.is_notebook]
    around = "submitted" if "submitted" in top and top <= NBGRADER else min(top) if len(top) == 1 else None
    if around is None or key_of(around) in roster:
        return files
    if around != "submitted" and any(file.parts[0] != around or file.place.form is not ANYWHERE for file in notebooks):
        return files
    inside = [file._replace(parts=file.parts[1:]) for file in files if file.parts[0] == around and file.parts[1:]]
    if around == "submitted":
        return inside
    if around == stem or (_is_class(inside, bool(roster)) and not around.lower().endswith(".zip")):
        return _without_folder_around(inside, stem, roster)
    return files


def _is_class(files: list[File], has_roster: bool) -> bool:
    """Whether these are a class's: the same notebook in several folders, or a platform's names of several students."""
    folders = {(file.place.name, file.parts[-1]) for file in files if file.is_notebook}
    names = [name for _, name in folders]
    has_same = UNKNOWN not in dict(folders) and len(names) > len(set(names))
    enough = 0 if has_roster else 1  # by the roster, the folder around is not a student's, who could choose one name
    return len(_students_of_platforms(files)) > enough or has_same


def _students_of_platforms(files: list[File]) -> set[tuple[str, str]]:
    places = [file.place for file in files if file.is_notebook]
    return {(place.name, place.number) for place in places if place.form is not ANYWHERE}


def _refuse_inner_downloads(files: list[File]) -> list[File]:
    """The files, with one bad file for a download of a class that lies in a folder as if a student had handed it in."""
    inside = defaultdict(list)
    for file in files:
        if file.place.form is ANYWHERE and len(file.parts) > 1:
            inside[file.parts[0]].append(file._replace(parts=file.parts[1:]))
    classes = {top for top, theirs in inside.items() if len(_students_of_platforms(theirs)) > 1}
    words = N_("the work of several students: move it up, beside that of the others")
    return [file for file in files if file.parts[0] not in classes] + [File((top, "."), None, words) for top in classes]


def reason(error: Exception) -> str:
    """Why a file cannot be read, without the path in the system's own errors: students read this."""
    damaged = N_("not a zip, or damaged") if isinstance(error, zipfile.BadZipFile) else str(error)
    return getattr(error, "strerror", None) or damaged
