"""The results of a class as files: tables, a page for each student, and the class at a glance for the instructor.

The templates in `pages/` escape all that they are given.
"""

import json
import re
import zipfile
from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean, median

from jinja2 import StrictUndefined

from course_lib.check.failures import Verdict
from course_lib.check.tables import Mistake, Table
from course_lib.language import translated
from instructor.course import environment
from instructor.grade.authorship import some_of
from instructor.grade.downloads import TYPED
from instructor.grade.executors import warn
from instructor.grade.gradebook import Student, canvas_csv, grades_csv, moodle_csv, page_names
from instructor.grade.marking import tables_of
from instructor.grade.state import write, write_table
from instructor.grade.submissions import NOTEBOOKS, Submission

CONTROL = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""Control characters, for a terminal that prints a page, and those that turn the direction of writing."""
del CONTROL[ord("\t")], CONTROL[ord("\n")]
TEMPLATES = environment(Path(__file__).parent / "pages", undefined=StrictUndefined, keep_trailing_newline=True,
                        finalize=lambda given: given.translate(CONTROL) if isinstance(given, str) else given,
                        )  # fmt: skip
RIGHT, WRONG, NONE = ("right", "✓"), ("wrong", "✗"), ("none", "–")
"""The name and the sign of the outcome of a question."""
NOT_TRIED = {Verdict.UNANSWERED, Verdict.UNREADABLE, Verdict.NOT_GRADED}


def outcome(mark: dict) -> tuple[str, str]:
    return RIGHT if not mark["verdict"] else NONE if mark["verdict"] in NOT_TRIED else WRONG


TEMPLATES.filters |= {"outcome": outcome, "translated": translated}
TEMPLATES.filters["name_of_mistake"] = lambda name: Mistake(name, "").shown_name
TEMPLATES.globals |= {"outcomes": (RIGHT, WRONG, NONE), "tables_of": tables_of}


def write_results(out: Path, found: list[Submission], about: dict) -> None:
    """Write `grades.csv`, one for each platform, `grades.json`, `feedback/`, its zips and `marks.html`, into `out`."""
    by_student = defaultdict(list)
    for each in found:
        by_student[each.display_name].append(each)
    pages = page_names(list(by_student))
    students = [Student(name, pages[name], theirs) for name, theirs in by_student.items()]
    notebooks = [name for name in NOTEBOOKS if any(student.points(name) is not None for student in students)]
    points = {notebook: {name: table.points for name, table in tables_of(notebook).items()} for notebook in notebooks}
    write_table(out, grades_csv(students, notebooks))
    write(out / "moodle.csv", moodle_csv(students, notebooks))
    if namesakes := [student.name for student in students
                     if student.name != student.submissions[0].student and not student.canvas_id()]:  # fmt: skip
        warn(f"moodle.csv has several rows for one name: {some_of(namesakes)}; give a --roster with a row and the "
             "number of each student, or put the files of one student into the same folder")  # fmt: skip
    (out / "canvas.csv").unlink(missing_ok=True)
    if with_id := [student for student in students if student.canvas_id()]:
        write(out / "canvas.csv", canvas_csv(with_id, notebooks))
        if left_out := [student.name for student in students if not student.canvas_id()]:
            warn(f"canvas.csv leaves out who has no known ID in Canvas: {some_of(left_out)}")
    record = {**about, "points": points, "students": {student.name: _record(student) for student in students}}
    write(out / "grades.json", json.dumps(record, indent=1) + "\n")
    (out / "feedback").mkdir(exist_ok=True)
    for student in students:
        write(out / "feedback" / student.page, feedback_page(student))
    packed = {page for platform in ("Moodle", "Canvas") for page in _pack_feedback(out, students, platform)}
    left_out = {student.name for student in students for each in student.submissions
                if student.page not in packed and (each.file or each.questions)}  # fmt: skip
    if packed and left_out:
        warn(f"no zip can return the pages of {', '.join(sorted(left_out))}: in Canvas, attach them to comments in "
             "SpeedGrader, and elsewhere, return them where you type in the marks")  # fmt: skip
    for page in set((out / "feedback").glob("*.html")) - {out / "feedback" / page for page in pages.values()}:
        page.unlink()
    write(out / "marks.html", marks_page(students, notebooks))


def _pack_feedback(out: Path, students: list[Student], platform: str) -> list[str]:
    """Write a zip to upload, and return the pages in it.

    Each student's page is in the folder, or under the beginning of a name, that the platform gave.
    """
    packed: dict[str, str] = {}
    for student in students:
        for place in (each.place for each in student.submissions):
            if place.form.platform == platform and place.file not in TYPED:
                packed[re.sub(r"(?<!_)/$", "_/", place.prefix) + "feedback.html"] = student.page
    target = out / f"feedback_{platform.lower()}.zip"
    target.unlink(missing_ok=True)
    if packed:
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, page in packed.items():
                archive.write(out / "feedback" / page, name)
    return [*packed.values()]


def _record(student: Student) -> dict:
    """What `grades.json` has of a student."""
    submissions = []
    for each in student.submissions:
        questions = {name: {key: mark[key] for key in mark if key != "report"} for name, mark in each.questions.items()}
        submissions.append({"file": each.file, "notebook": each.notebook, "questions": questions,
                            "notes": [note.text for note in each.all_notes()]})  # fmt: skip
    first = student.submissions[0]
    return {"student": first.student, "number": first.place.number, "total": student.total(), "page": student.page,
            "submissions": submissions}  # fmt: skip


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
    """The statistics of a question; `mistakes` has (name of a known mistake, how many) pairs, most common first."""
    points = [mark["points"] for mark in given] or [0]
    counts = {became[0]: sum(outcome(mark) == became for mark in given) for became in (RIGHT, WRONG, NONE)}
    failed = Counter(mark["mistake"] for mark in given if mark["mistake"] and outcome(mark) == WRONG)
    return {"question": question, "mean": mean(points), "median": median(points), "mistakes": failed.most_common(),
            "share": counts["right"] / max(1, len(given)), **counts}  # fmt: skip
