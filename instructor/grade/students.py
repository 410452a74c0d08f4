"""The students who handed in, and the points that the instructor sets (`overrides.csv`)."""

import csv
from pathlib import Path
from typing import NamedTuple

from instructor.grade.marking import tables_of
from instructor.grade.submissions import NOTHING, Note, Submission

COLUMNS = ["student", "question", "points", "comment"]
"""The columns of `overrides.csv`."""


class Student(NamedTuple):
    """A student in the results: the name there, the file of the feedback page, and all submissions."""

    name: str
    page: str
    submissions: list[Submission]

    def marks(self) -> dict[str, dict]:
        """The mark of each question."""
        return {name: mark for each in self.submissions for name, mark in each.questions.items()}

    def total(self) -> int | None:
        """The points; None if something was handed in, and nothing of it could be marked."""
        if not self.marks() and any(each.problem not in ("", NOTHING) for each in self.submissions):
            return None
        return sum(mark["points"] for mark in self.marks().values())

    def late(self) -> str:
        """The notebooks that were handed in late."""
        return " ".join(each.notebook or "" for each in self.submissions if each.late)

    def points(self, notebook: str) -> int | None:
        """The points in a notebook; None if it was not marked."""
        marked = [each.questions.values() for each in self.submissions if each.notebook == notebook]
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


def override(each: Submission, overrides: list[dict]) -> None:
    """Put the instructor's points into the marks of a submission, each with its `comment` and a note."""
    for row in overrides:
        name = row["question"]
        if row["student"] == each.display_name and name in each.questions:
            points, comment = float(row["points"]), row["comment"]
            points = int(points) if points.is_integer() else points
            text = f"{name}: {points} points, not {each.questions[name]['points']}: {comment}"
            each.questions[name] |= {"points": points, "comment": comment}
            each.notes.append(Note("points that overrides.csv sets", text))
