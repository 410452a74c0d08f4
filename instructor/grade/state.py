"""The marks so far, on disk: a file for each submission, and who each of them is by."""

import hashlib
import json
import os
import platform
import secrets
import shutil
from collections import defaultdict
from contextlib import suppress
from importlib.metadata import version
from typing import NamedTuple

from instructor.grade.sandbox import COURSE_LIB, INSIDE
from instructor.grade.submissions import NOTHING, Note, told_apart

STATE, NEXT, OLD = ".grading", ".grading.new", ".grading.old"
"""The folders in the results that hold the marks; those of a run with --replace, until it is done; what it replaces."""
DIFFERENT = {"secret_seed": "another secret seed", "time_limit": "another time limit", "python": "another Python",
             "sandboxed": "the sandbox on or off", "code": "another version of the course"}  # fmt: skip
KEPT, SETTINGS, NAMESAKES = "work that is kept from an earlier run", "marks made with other settings", "namesakes"


class Entry(NamedTuple):
    """What is stored of one submission. `who` is the (name, number) that stands for the student in these results.

    `about` says with which settings it was marked, `fingerprint` what it was marked from. Its feedback is stored beside
    it, and read when a page is made.
    """

    who: tuple
    student: str
    number: str
    known_by: str
    notebook: str | None
    file: str
    problem: str
    notes: tuple
    fingerprint: str = ""
    about: dict = {}
    questions: dict = {}
    found: tuple = ()
    seconds: float = 0

    @property
    def is_marked(self):
        return self.notebook is not None and not self.problem

    @property
    def handed_in_nothing(self):
        return self.problem == NOTHING


class State:
    """The marks so far. Each file is written whole or not at all, so a run can be killed at any moment.

    Results of one class merge: what was marked in earlier runs stays, unless this run replaces it.
    """

    def __init__(self, out, seed, limit, sandboxed, replace=False):
        self.out, self.replace, self.held = out, replace, only_one(out)
        self.folder = out / (NEXT if replace else STATE)
        if not (out / STATE).exists() and (out / NEXT).exists() and not replace:
            (out / NEXT).rename(out / STATE)  # a replacement was stopped within its last step
        self.folder.mkdir(parents=True, exist_ok=True)
        self.seed = self._seed() if seed is None else seed
        write(self.folder / "seed.json", json.dumps(self.seed))
        code = _hash(*(path.read_bytes() for path in sorted([*COURSE_LIB.rglob("*.py"), *INSIDE.parent.rglob("*.py")])))
        self.about = {"course_lib": version("course-lib"), "code": code, "python": platform.python_version(),
                      "secret_seed": self.seed, "time_limit": limit, "sandboxed": sandboxed}  # fmt: skip
        paths = (path for path in self.folder.glob("*.json") if path.name != "seed.json")
        self.entries = {path.name: entry for path in paths if (entry := _read(path)) is not None}
        self.who = {}

    def _seed(self):
        """The seed of the run that this one goes on with, or a new one that nobody knows."""
        try:
            return json.loads((self.folder / "seed.json").read_text())
        except (FileNotFoundError, ValueError):
            return secrets.randbelow(2**63)

    def take(self, submissions):
        """Find out who these submissions are by; all others of this run's methods need that."""
        self.who |= recognised(submissions, self.entries.values())

    def key(self, submission):
        """The name of the file that holds this submission's marks."""
        return _key(self._entry(submission))

    def fingerprint(self, submission, content):
        return _hash(repr(sorted(self.about.items())).encode(), submission.student.encode(), content)

    def has(self, submission, content):
        """Whether this content was marked with these settings; the notes on the submission are brought up to date."""
        key = self.key(submission)
        entry = self.entries.get(key)
        if entry is None or entry.fingerprint != self.fingerprint(submission, content):
            return False
        found = self._entry(submission)
        now = entry._replace(file=found.file, number=found.number, known_by=found.known_by, notes=found.notes)
        if now != entry:
            self._write(now, self.feedback(entry))
        return True

    def keep(self, submission, why):
        """Keep what an earlier run has marked, with a note that says why; return False if there is nothing."""
        entry, found = self.entries.get(self.key(submission)), self._entry(submission)
        if entry is None or entry.fingerprint in ("", "none"):
            return False
        note = Note(KEPT, f"kept from an earlier run: {found.file} {why}")
        self._write(entry._replace(notes=(*found.notes, note)), self.feedback(entry))
        return True

    def store(self, submission, content, marks):
        """Store what `mark` came to; with content None, what cannot be marked."""
        questions = {name: {part: mark[part] for part in ("points", "of", "kind", "said")}
                     for name, mark in marks["questions"].items()}  # fmt: skip
        feedback = {name: [mark["told"], mark["report"]] for name, mark in marks["questions"].items()}
        fingerprint = "none" if content is None else self.fingerprint(submission, content)
        entry = self._entry(submission)._replace(
            fingerprint=fingerprint, about=self.about, questions=questions, found=tuple(marks["notes"]),
            seconds=marks["seconds"])  # fmt: skip
        self._write(entry, feedback)

    def _entry(self, submission):
        student, notebook, file, _, problem, notes, number, known_by = submission
        return Entry(self.who[submission], student, number, known_by, notebook, file, problem, notes)

    def _write(self, entry, feedback):
        self.entries[_key(entry)] = entry
        write(self.folder / _key(entry), f"{json.dumps(entry._asdict())}\n{json.dumps(feedback)}\n")

    def feedback(self, entry):
        """[what the student is told, the report as HTML] by question."""
        return json.loads((self.folder / _key(entry)).read_text(encoding="utf-8").split("\n", 1)[1])

    def settle(self, submissions):
        """Once all is marked: store the problems that this run found, and drop those that are over.

        A problem is over when its student was seen again without it, and "nothing was handed in" when something was.
        """
        here = {self.key(submission) for submission in submissions}
        seen = {self.who[s] for s in submissions if s.problem != NOTHING}
        for submission in submissions:
            if submission.problem and self.entries.get(self.key(submission)) != self._entry(submission):
                self._write(self._entry(submission), {})
        busy = {entry.student for entry in self.entries.values() if not entry.handed_in_nothing}
        for key, entry in list(self.entries.items()):
            over = key not in here and (self.replace or (not entry.is_marked and entry.who in seen))
            if over or (entry.handed_in_nothing and entry.student in busy):
                (self.folder / key).unlink()
                del self.entries[key]

    def students(self, submissions, marked_now):
        """(what to call them, (entry, notes) pairs) of each student, sorted.

        `submissions` are all that were found, `marked_now` those of them that this run was to mark.
        """
        here, now = ({self.key(submission) for submission in group} for group in (submissions, marked_now))
        seen = {self.who[s] for s in submissions if s.problem != NOTHING}
        by_student = defaultdict(list)
        for key, entry in self.entries.items():
            notes = [*entry.notes, *entry.found, *self._of_keeping(key, entry, here, now, seen)]
            by_student[entry.who].append((entry, notes))
        names = told_apart(list(by_student))
        for who, pairs in by_student.items():
            pairs.sort(key=lambda pair: (pair[0].notebook or "", pair[0].file))
            same = sum(name == who[0] for name, _ in by_student)
            if same > 1:
                pairs[0][1].append(_of_namesakes(who[0], same))
        return sorted((names[who], pairs) for who, pairs in by_student.items())

    def _of_keeping(self, key, entry, here, now, seen):
        """The notes on marks that an earlier run has left."""
        if entry.handed_in_nothing or key in now:
            return
        if key not in here:
            missing = f"{entry.file} is" if entry.who in seen else "the student is"
            yield Note(KEPT, f"kept from an earlier run: {missing} not among these submissions")
        settings = [words for name, words in DIFFERENT.items() if entry.about and entry.about[name] != self.about[name]]
        if settings:
            yield Note(SETTINGS, f"{entry.notebook} was marked in an earlier run, with {', '.join(settings)}")

    def finish(self):
        """Put a replacement in the place of what it replaces, once its results are written."""
        if self.replace:
            shutil.rmtree(self.out / OLD, ignore_errors=True)
            if (self.out / STATE).exists():
                (self.out / STATE).rename(self.out / OLD)
            self.folder.rename(self.out / STATE)
            shutil.rmtree(self.out / OLD, ignore_errors=True)


def only_one(out):
    """A file that this run holds until its process ends; another run that holds it raises `ValueError`."""
    out.mkdir(parents=True, exist_ok=True)
    file = open(out / ".lock", "w")  # noqa: SIM115 – it is held until then
    with suppress(ImportError):  # Windows
        import fcntl

        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ValueError(f"another run is writing its results into {out}; wait until it ends") from None
    return file


def _read(path):
    """The entry in a file, or None; a file that the machine's end left in pieces holds none."""
    try:
        head, rest = path.read_text(encoding="utf-8").split("\n", 1)
        fields = json.loads(head)
        if not rest.endswith("}\n"):
            return None
        for name in ("notes", "found"):
            fields[name] = tuple(Note(*note) for note in fields[name])
        return Entry(**{**fields, "who": tuple(fields["who"])})
    except (FileNotFoundError, ValueError, TypeError, KeyError):
        return None


def _key(entry):
    what = entry.notebook if entry.is_marked else entry.file
    return f"{_hash(repr((entry.who, what)).encode())}.json"


def _of_namesakes(name, count):
    text = f"{count} students are called {name}: they are told apart by their numbers, and share the trees by hand"
    return Note(NAMESAKES, f"{text} that are drawn from this name")


def recognised(submissions, entries):
    """Who each submission is by: the `who` of an entry of the same student, or a new one.

    Canvas has one number for each student. Moodle has another for each assignment: there a student without namesakes
    is the same under another number, if the work is for another notebook.
    """
    known, found = defaultdict(list), defaultdict(list)
    for entry in entries:
        known[entry.student].append(entry)
    for submission in submissions:
        found[submission.student].append(submission)
    return {s: _who(s, found[s.student], known[s.student]) for s in submissions}


def _who(submission, found, known):
    same = [entry.who for entry in known if _number(entry) == _number(submission)]
    others = {entry.who for entry in known}
    if same:
        return same[0]
    if len(others) == 1 and len({_number(other) for other in found}) == 1 and _may_be(found, known):
        return others.pop()
    return submission.student, _number(submission)


def _number(submission):
    """What tells a student from namesakes; a name or the roster needs no number for that."""
    return submission.number if submission.known_by in ("Canvas", "Moodle") else ""


def _may_be(found, known):
    """Whether one student may have handed in all of this: see `recognised`."""
    if not all(map(_number, known)) or not all(map(_number, found)):
        return True
    of_moodle = all(s.known_by == "Moodle" for s in [*found, *known])
    return of_moodle and not {s.notebook for s in found} & {entry.notebook for entry in known if entry.is_marked}


def _hash(*parts):
    digest = hashlib.sha256()
    for part in parts:
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()[:32]


def write(path, text):
    """Write a file whole: a reader sees the old one or the new one, even if the machine stops now."""
    temporary = path.with_name(f"{path.name}.new")
    try:
        temporary.write_bytes(text.encode(errors="backslashreplace"))
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
