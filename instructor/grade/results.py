"""The results of a class as files."""

import json
import re
import zipfile
from collections import defaultdict
from pathlib import Path

from instructor.grade.executors import warn
from instructor.grade.gradebook import Student, canvas_csv, grades_csv, gradescope_json, page_names
from instructor.grade.marking import tables_of
from instructor.grade.state import write, write_table
from instructor.grade.submissions import NOTEBOOKS, Submission
from instructor.grade.webpages import feedback_page, marks_page


def write_results(out: Path, found: list[Submission], about: dict) -> None:
    """Write `grades.csv`, `canvas.csv`, `grades.json`, then `feedback/`, its zips and `marks.html`, into `out`."""
    by_student = defaultdict(list)
    for each in found:
        by_student[each.display_name].append(each)
    pages = page_names(list(by_student))
    students = [Student(name, pages[name], theirs) for name, theirs in by_student.items()]
    notebooks = [name for name in NOTEBOOKS if any(student.points(name) is not None for student in students)]
    points = {notebook: {name: table.points for name, table in tables_of(notebook).items()} for notebook in notebooks}
    write_table(out, grades_csv(students, notebooks))
    (out / "canvas.csv").unlink(missing_ok=True)
    if with_id := [student for student in students if student.canvas_id()]:
        write(out / "canvas.csv", canvas_csv(with_id, notebooks))
        if left_out := len(students) - len(with_id):
            warn(f"canvas.csv leaves out {left_out} students whose ID in Canvas is not known")
    record = {**about, "points": points, "students": {student.name: _record(student) for student in students}}
    write(out / "grades.json", json.dumps(record, indent=1) + "\n")
    (out / "feedback").mkdir(exist_ok=True)
    for student in students:
        page = out / "feedback" / student.page
        write(page, feedback_page(student))
        write(page.with_suffix(".json"), gradescope_json(student))
    for platform in ("moodle", "canvas"):
        _pack_feedback(out, students, platform)
    for page in set((out / "feedback").glob("*.html")) - {out / "feedback" / page for page in pages.values()}:
        page.unlink()
        page.with_suffix(".json").unlink(missing_ok=True)
    write(out / "marks.html", marks_page(students, notebooks))


def _pack_feedback(out: Path, students: list[Student], platform: str) -> None:
    """A zip to upload: each student's page in the folder, or under the beginning of a name, that the platform gave."""
    packed: dict[str, str] = {}
    left_out = []
    for student in students:
        for place in (each.place for each in student.submissions):
            if place.form.feedback == platform:
                packed[re.sub(r"(?<!_)/$", "_/", place.prefix) + "feedback.html"] = student.page
            elif place.form.platform.lower().startswith(platform):
                left_out.append(student.name)
    target = out / f"feedback_{platform}.zip"
    target.unlink(missing_ok=True)
    if left_out:
        warn(f"{target.name} cannot return a page for a text or a link: send theirs to {', '.join(left_out)}")
    if packed:
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, page in packed.items():
                archive.write(out / "feedback" / page, name)


def _record(student: Student) -> dict:
    """What `grades.json` has of a student."""
    submissions = []
    for each in student.submissions:
        questions = {name: {key: mark[key] for key in mark if key != "report"} for name, mark in each.questions.items()}
        submissions.append({"file": each.file, "notebook": each.notebook, "questions": questions,
                            "notes": [note.text for note in each.all_notes()]})  # fmt: skip
    first = student.submissions[0]
    return {"student": first.student, "number": first.number, "total": student.total(), "page": student.page,
            "submissions": submissions}  # fmt: skip
