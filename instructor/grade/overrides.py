"""Points that the instructor sets: rows of `overrides.csv`, applied at each run."""

from pathlib import Path

from instructor.grade.marking import course
from instructor.grade.students import Graded
from instructor.grade.submissions import Note, Submission, read_csv

COLUMNS = ["student", "question", "points", "comment"]


def read_overrides(path: Path, found: list[Submission]) -> list[tuple]:
    """The (student, question, points, comment) of each row; `ValueError` if these submissions have none such."""
    columns, rows = read_csv(path)
    if not set(COLUMNS[:3]) <= set(columns):
        raise ValueError(f"{path}: expected the columns {', '.join(COLUMNS)}, got {', '.join(columns) or 'none'}")
    notebooks = {q.identifier: name for name, notebook in course().items() for q in notebook.questions}
    handed_in = {(submission.display_name, submission.notebook) for submission in found}
    overrides = []
    for line, row in enumerate(rows, start=2):
        student, question, points, comment = ((row.get(column) or "").strip() for column in COLUMNS)
        if question not in notebooks or (student, notebooks[question]) not in handed_in:
            raise ValueError(f"{path}, line {line}: expected a student and a question of the submissions, got "
                             f"{student!r} and {question!r}")  # fmt: skip
        if not points.replace(".", "", 1).isdecimal():
            raise ValueError(f"{path}, line {line}: expected a number of points, got {points!r}")
        number = float(points)
        overrides.append((student, question, int(number) if number.is_integer() else number, comment))
    return overrides


def overridden(graded: list[Graded], overrides: list[tuple]) -> list[Graded]:
    """The marks with the instructor's points, each with its `comment` and a note."""
    changed = []
    for each in graded:
        questions, found = dict(each.questions), [*each.found]
        for student, name, points, comment in overrides:
            if student == each.submission.display_name and name in questions:
                text = f"{name}: {points} points, not {questions[name]['points']}: {comment}"
                questions[name] = questions[name] | {"points": points, "comment": comment}
                found.append(Note("points that overrides.csv sets", text))
        changed.append(each._replace(questions=questions, found=found))
    return changed
