"""The pages that grading writes: the class at a glance for the instructor, and a page for each student.

The templates in `pages/` escape all that they are given.
"""

from collections import Counter
from pathlib import Path
from statistics import mean, median

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from course_lib.check.failures import Verdict
from course_lib.check.tables import Table
from instructor.course import face
from instructor.grade.gradebook import Student
from instructor.grade.marking import tables_of

CONTROL = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""Control characters, for a terminal that prints a page, and those that turn the direction of writing."""
del CONTROL[ord("\t")], CONTROL[ord("\n")]
TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent / "pages"), autoescape=True,
                        finalize=lambda given: given.translate(CONTROL) if isinstance(given, str) else given,
                        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
                        keep_trailing_newline=True)  # fmt: skip
RIGHT, WRONG, NONE = ("right", "✓"), ("wrong", "✗"), ("none", "–")
"""The name and the sign of the outcome of a question."""
NOT_TRIED = {Verdict.UNANSWERED, Verdict.UNREADABLE, Verdict.NOT_GRADED}


def outcome(mark: dict) -> tuple[str, str]:
    return RIGHT if not mark["verdict"] else NONE if mark["verdict"] in NOT_TRIED else WRONG


TEMPLATES.filters["outcome"] = outcome
TEMPLATES.globals |= {"outcomes": (RIGHT, WRONG, NONE), "tables_of": tables_of, "course": face()}


def feedback_page(student: Student) -> str:
    """A student's page: the points, and for each question its counterexample."""
    return TEMPLATES.get_template("feedback.html").render(student=student)


def marks_page(students: list[Student], notebooks: list[str]) -> str:
    """The class at a glance, for the instructor."""
    questions = [table for notebook in notebooks for table in tables_of(notebook).values()]
    rows = [_row_of_question(question, [s.marks()[question.identifier] for s in students
                                        if question.identifier in s.marks()]) for question in questions]  # fmt: skip
    notes = [(note.kind, student, each.file, note.text) for student in students for each in student.submissions
             for note in each.all_notes()]  # fmt: skip
    common = [{"count": count, "kind": kind, **row} for row in rows for kind, count in row["mistakes"] if count > 1]
    totals = [student.total() for student in students if student.marks()]
    return TEMPLATES.get_template("marks.html").render(
        students=students,
        notebooks=notebooks,
        handed_in=len(totals),
        mean=mean(totals or [0]),
        median=median(totals or [0]),
        questions=rows,
        mistakes=sorted(common, key=lambda mistake: -mistake["count"]),
        notes=notes,
    )


def _row_of_question(question: Table, given: list[dict]) -> dict:
    """The statistics of a question; `mistakes` has (name or verdict, how many) pairs, the most common first.

    Of equally common ones, a named mistake comes before a verdict.
    """
    points = [mark["points"] for mark in given] or [0]
    counts = {became[0]: sum(outcome(mark) == became for mark in given) for became in (RIGHT, WRONG, NONE)}
    wrong = sorted((mark for mark in given if outcome(mark) == WRONG), key=lambda mark: not mark["mistake"])
    failed = Counter(mark["mistake"] or str(mark["verdict"]) for mark in wrong)
    return {"question": question, "mean": mean(points), "median": median(points), "mistakes": failed.most_common(),
            "share": counts["right"] / max(1, len(given)), **counts}  # fmt: skip
