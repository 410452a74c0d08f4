"""Graded submissions, and the students who handed them in."""

from collections.abc import Sequence
from typing import NamedTuple

from instructor.grade.marking import MAX_TEXT
from instructor.grade.remote import one_line
from instructor.grade.submissions import NOTHING, Note, Submission


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

    def total(self) -> int:
        return sum(mark["points"] for mark in self.marks().values())

    def unmarked(self) -> bool:
        """Whether something was handed in, and nothing of it could be marked: then there is no total."""
        return not self.marks() and any(each.submission.problem not in ("", NOTHING) for each in self.graded)

    def late(self) -> str:
        """The notebooks that were handed in late."""
        return " ".join(each.submission.notebook or "" for each in self.graded if each.submission.late)

    def points(self, notebook: str) -> int | None:
        """The points in a notebook; None if it was not marked."""
        marked = [each.questions.values() for each in self.graded if each.submission.notebook == notebook]
        return sum(mark["points"] for marks in marked for mark in marks) if any(marked) else None
