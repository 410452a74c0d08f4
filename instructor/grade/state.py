"""The marks on disk: a file for each submission that was marked, by a fingerprint of all that they depend on."""

import csv
import hashlib
import json
import platform
import secrets
from collections import Counter
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import course_lib
import instructor
from course_lib.check.failures import Verdict
from course_lib.language import language
from instructor.grade.authorship import some_of
from instructor.grade.submissions import Note, Submission
from instructor.questions import ROOT

CACHE = ".grading"
"""The folder in the results that holds the seed and the marks."""
TABLE = "grades.csv"


class State:
    """The marks so far. Each file is written whole or not at all, so a run can be killed at any moment."""

    def __init__(self, out: Path, seed: int | None, limit: float, sandboxed: bool):
        import fcntl  # late: Windows has none, and other commands do without

        self.folder = out / CACHE
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lock = open(out / ".lock", "w")  # noqa: SIM115 (held until this process ends)
        try:
            fcntl.lockf(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ValueError(f"another run is writing its results into {out}; wait until it ends") from None
        kept = self.folder / "seed.json"
        if seed is None and kept.exists() and not (seed := kept.read_text()).isdecimal():
            raise ValueError(f"{kept} is damaged: give --secret-seed the number that grades.json has as secret_seed")
        seed = secrets.randbelow(2**63) if seed is None else int(seed)
        write(kept, str(seed))
        self.about = {"course_lib": version("course-lib"), "code": _code(), "python": platform.python_version(),
                      "secret_seed": seed, "time_limit": limit, "sandboxed": sandboxed,
                      "language": language()}  # fmt: skip

    def fingerprint(self, student: str, notebook: str, cells: list[str]) -> str:
        return _hash(json.dumps([self.about, student, notebook, _questions(notebook), cells]).encode())

    def marks(self, fingerprint: str) -> dict | None:
        """The marks; None if there are none, or the file is incomplete."""
        try:
            marks = json.loads((self.folder / f"{fingerprint}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return marks | {"notes": [Note(*note) for note in marks["notes"]]}

    def store(self, fingerprint: str, marks: dict) -> None:
        """Keep the marks, unless the grader failed on the submission; then the next run marks it again."""
        if all(mark["verdict"] != Verdict.NOT_GRADED for mark in marks["questions"].values()):
            write(self.folder / f"{fingerprint}.json", json.dumps(marks))


def _code() -> str:
    """A hash of the code that marks are made with."""
    folders = (Path(package.__file__).parent for package in (course_lib, instructor))
    return _hash(*(path.read_bytes() for folder in folders for path in sorted(folder.rglob("*.py"))))


@lru_cache
def _questions(notebook: str) -> str:
    """A hash of what the cases of a notebook come from: their file, and `solutions/`, which draws the secret ones."""
    modules = sorted((ROOT / "solutions").glob("*.py"))
    files = ROOT / "exercises" / f"{notebook}.cases.gz", ROOT / "solutions" / f"{notebook}.ipynb", *modules
    return _hash(*(path.read_bytes() for path in files))


def _hash(*parts: bytes) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def write(path: Path, text: str) -> None:
    """Write a file whole: a reader sees the old one or the new one, even if the machine stops now."""
    temporary = path.with_name(f"{path.name}.new")
    temporary.write_bytes(text.encode(errors="backslashreplace"))
    temporary.replace(path)


def refuse_to_drop(source: Path, out: Path, found: list[Submission]) -> None:
    """Raise `ValueError` if a student has marks in the results for a notebook that is not in the folder any more."""
    before = [(student["student"], s["notebook"]) for student in read_record(out).values()
              for s in student["submissions"] if s["questions"] and s["file"]]  # fmt: skip
    dropped = Counter(before) - Counter((submission.student, submission.notebook) for submission in found)
    if dropped:
        names = some_of([f"{student} ({notebook})" for student, notebook in dropped])
        raise ValueError(f"{out} has marks of {names}, whose work is not in {source}: put all work into one "
                         f"folder, or give another folder with --out")  # fmt: skip


def read_record(out: Path) -> dict[str, dict]:
    """What `grades.json` of an earlier run has of each student; nothing if there was none."""
    path = out / "grades.json"
    try:
        return dict(json.loads(path.read_text(encoding="utf-8"))["students"]) if path.exists() else {}
    except (TypeError, ValueError, KeyError):
        raise ValueError(f"{path} is damaged: remove it; the next run writes it again") from None


def refuse_edited(out: Path) -> None:
    """Raise `ValueError` if `grades.csv` is not as a run wrote it: the next one would overwrite what was typed in."""
    table, copy = out / TABLE, out / CACHE / TABLE
    if table.exists() and copy.exists() and _rows(table) != _rows(copy):
        raise ValueError(f"{table} was changed by hand: put the points into overrides.csv, and remove {table.name}")


def _rows(table: Path) -> list[list[str]]:
    return list(csv.reader(table.read_text(encoding="utf-8-sig", errors="replace").splitlines()))


def write_table(out: Path, text: str) -> None:
    """Write `grades.csv`, and a copy of it, by which changes by hand are noticed; never one that disagrees with it."""
    (out / CACHE / TABLE).unlink(missing_ok=True)
    write(out / TABLE, text)
    write(out / CACHE / TABLE, text)
