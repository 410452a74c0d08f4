"""The pages that grading writes: the class at a glance for the instructor, and a page for each student.

The templates in `pages/` escape all that they are given.
"""

from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean, median

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from instructor.grade.marking import Verdict, tables_of
from instructor.grade.students import Student

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
TEMPLATES.globals |= {"outcomes": (RIGHT, WRONG, NONE), "tables_of": tables_of}


def feedback_page(student: Student) -> str:
    """A student's page: the points, and for each question its counterexample."""
    return TEMPLATES.get_template("feedback.html").render(student=student)


def marks_page(students: list[Student], notebooks: list[str]) -> str:
    """The class at a glance, for the instructor."""
    given = defaultdict(list)  # the marks of each question
    for student in students:
        for identifier, mark in student.marks().items():
            given[identifier].append(mark)
    questions = [table for notebook in notebooks for table in tables_of(notebook).values()]
    notes = [(note.kind, student, each.submission.file, note.text) for student in students for each in student.graded
             for note in each.notes()]  # fmt: skip
    totals = [student.total() for student in students if student.marks()]
    return TEMPLATES.get_template("marks.html").render(
        students=students,
        notebooks=notebooks,
        handed_in=len(totals),
        mean=mean(totals or [0]),
        median=median(totals or [0]),
        questions=[_row_of_question(question, given[question.identifier]) for question in questions],
        mistakes=_common_mistakes(questions, given),
        notes=notes,
    )


def _row_of_question(question, given: list[dict]) -> dict:
    points = [mark["points"] for mark in given] or [0]
    counts = {became[0]: sum(outcome(mark) == became for mark in given) for became in (RIGHT, WRONG, NONE)}
    most_common = ", ".join(f"{count} × {kind}" for kind, count in _mistakes(given)[:1])
    return {"question": question, "mean": mean(points), "median": median(points), "most_common": most_common,
            "share": counts["right"] / max(1, len(given)), **counts}  # fmt: skip


def _mistakes(given: list[dict]) -> list[tuple[str, int]]:
    """(name of a mistake or a verdict, how many) pairs of those who tried and failed, with the most common first."""
    failed = (mark for mark in given if outcome(mark) == WRONG)
    return Counter(mark["mistake"] or str(mark["verdict"]) for mark in failed).most_common()


def _common_mistakes(questions: list, given: dict[str, list[dict]]) -> list[dict]:
    """The mistakes that two students or more made, with the most common first."""
    rows = [{"count": count, "kind": kind, "question": question} for question in questions
            for kind, count in _mistakes(given[question.identifier]) if count > 1]  # fmt: skip
    return sorted(rows, key=lambda row: -row["count"])
