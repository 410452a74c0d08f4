"""Graded submissions, the students who handed them in, and the points that the instructor sets (`overrides.csv`)."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from instructor.grade.marking import MAX_TEXT, tables_of
from instructor.grade.remote import one_line
from instructor.grade.submissions import NOTHING, Note, Submission

COLUMNS = ["student", "question", "points", "comment"]
"""The columns of `overrides.csv`."""


class Graded(NamedTuple):
    """A submission and its marks: `questions` is empty if it was not marked."""

    submission: Submission
    questions: dict[str, dict] = {}
    found: Sequence[Note] = ()
    seconds: float = 0

    def notes(self) -> list[Note]:
        """All notes, each on one line: first why it was not marked, if it was not."""
        notes, problem = [*self.submission.notes, *self.found], self.submission.problem
        if self.submission.late:
            notes = [Note("work that was handed in late", "handed in late, as the file's name says"), *notes]
        if problem:
            kind = "students who handed in nothing" if problem == NOTHING else "files that were not marked"
            notes = [Note(kind, problem, problem), *notes]
        return [Note(note.kind, one_line(note.text, MAX_TEXT), one_line(note.for_student, MAX_TEXT)) for note in notes]


class Student(NamedTuple):
    """A student in the results: the name there, the file of the feedback page, and all submissions."""

    name: str
    page: str
    graded: list[Graded]

    def marks(self) -> dict[str, dict]:
        """The mark of each question."""
        return {name: mark for each in self.graded for name, mark in each.questions.items()}

    def total(self) -> int | None:
        """The points; None if something was handed in, and nothing of it could be marked."""
        if not self.marks() and any(each.submission.problem not in ("", NOTHING) for each in self.graded):
            return None
        return sum(mark["points"] for mark in self.marks().values())

    def late(self) -> str:
        """The notebooks that were handed in late."""
        return " ".join(each.submission.notebook or "" for each in self.graded if each.submission.late)

    def points(self, notebook: str) -> int | None:
        """The points in a notebook; None if it was not marked."""
        marked = [each.questions.values() for each in self.graded if each.submission.notebook == notebook]
        return sum(mark["points"] for marks in marked for mark in marks) if any(marked) else None


def read_overrides(path: Path, found: list[Submission]) -> list[dict]:
    """The rows with a student and a question of these submissions; `ValueError` if another is named."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = [{key: (row.get(key) or "").strip() for key in COLUMNS} for row in csv.DictReader(file)]
    handed_in = {(each.display_name, name) for each in found if each.notebook for name in tables_of(each.notebook)}
    for line, row in enumerate(rows, start=2):
        if (row["student"], row["question"]) not in handed_in:
            raise ValueError(f"{path}, line {line}: expected a student and a question of the submissions, below "
                             f"{','.join(COLUMNS)}, got {row['student']!r} and {row['question']!r}")  # fmt: skip
        if not row["points"].replace(".", "", 1).isdecimal():
            raise ValueError(f"{path}, line {line}: expected a number of points, got {row['points']!r}")
    return rows


def overridden(each: Graded, overrides: list[dict]) -> Graded:
    """A graded submission with the instructor's points, each with its `comment` and a note."""
    questions, found = dict(each.questions), [*each.found]
    for row in overrides:
        name = row["question"]
        if row["student"] == each.submission.display_name and name in questions:
            points, comment = float(row["points"]), row["comment"]
            points = int(points) if points.is_integer() else points
            text = f"{name}: {points} points, not {questions[name]['points']}: {comment}"
            questions[name] = questions[name] | {"points": points, "comment": comment}
            found.append(Note("points that overrides.csv sets", text))
    return each._replace(questions=questions, found=found)
