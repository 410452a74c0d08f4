"""Classes that hand in, and what is read of their results."""

import csv
import json
import subprocess
import sys

from grading_command.hostile import NOTEBOOK, TABLES, notebook
from instructor.grade.state import CACHE

POINTS = sum(table.points for table in TABLES.values())
EMPTY = notebook(["x = 1"])
WRONG = "def my_minimax_value(game, state):\n    return 7"


def hand_in(folder, students, name=NOTEBOOK):
    """Write the notebook of each student into a folder of their own, and return the folder of them all."""
    for student, content in students.items():
        (folder / student).mkdir(parents=True, exist_ok=True)
        (folder / student / f"{name}.ipynb").write_bytes(content)
    return folder


def command(folder, out, *options, **how):
    """The grading of this folder, begun as a program of its own."""
    arguments = [sys.executable, "-m", "instructor", "grade", folder, "--out", out, *options]
    return subprocess.Popen(list(map(str, arguments)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            start_new_session=True, **how)  # fmt: skip


def rows(out):
    """The rows of `grades.csv`, by student."""
    return {row["student"]: row for row in csv.DictReader((out / "grades.csv").open(encoding="utf-8"))}


def totals(out):
    return {student: int(row["total"]) for student, row in rows(out).items()}


def students_of(out):
    """What `grades.json` has of each student."""
    return json.loads((out / "grades.json").read_text(encoding="utf-8"))["students"]


def questions_in(out, student):
    """The marks of the student's only notebook, by question."""
    (submission,) = students_of(out)[student]["submissions"]
    return submission["questions"]


def notes(out):
    """The notes on each student, as one text."""
    return {name: "\n".join(note for submission in record["submissions"] for note in submission["notes"])
            for name, record in students_of(out).items()}  # fmt: skip


def pages(out):
    return {path.name for path in (out / "feedback").glob("*.html")}


def page(out, student):
    return (out / "feedback" / f"{student}.html").read_text(encoding="utf-8")


def everything(out):
    """All that was written but the state, by name."""
    return {path.relative_to(out).as_posix(): path.read_text(encoding="utf-8") for path in out.rglob("*")
            if path.is_file() and CACHE not in path.as_posix()}  # fmt: skip


def stored(out):
    """When each submission was marked, by the file of its marks; each of them must be whole."""
    files = [path for path in (out / CACHE).glob("*.json") if path.name != "seed.json"]
    for path in files:
        assert json.loads(path.read_text(encoding="utf-8"))["questions"]
    return {path.name: path.stat().st_mtime_ns for path in files}
