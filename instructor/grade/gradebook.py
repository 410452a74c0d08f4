"""The results of a class as files: tables, a record, a page for each student, and a page for the instructor."""

import csv
import hashlib
import io
import json
import re
from collections import Counter
from contextlib import suppress

from course_lib.check.question import NOTEBOOKS, questions_of
from instructor.grade.redaction import MOST_SAID, one_line
from instructor.grade.state import write
from instructor.grade.submissions import Note

LONGEST = 200
"""Bytes of the longest name of a page: file systems allow 255, and some with encryption fewer."""
MARKED = re.compile(r"-[0-9a-f]{16}$", re.I)
"""How the name of a page ends that has a mark, so that it is nobody else's."""
UNWRITTEN = "feedback pages that cannot be written"
FORMULA = re.compile(r"[\s\"']*[=+\-@＝＋－＠﹦﹢﹣﹫]")
"""How a cell begins that a spreadsheet takes for a formula."""
NEXT_CELL = re.compile(rf"([;,|\t])(?={FORMULA.pattern})")
"""What separates cells in some country, before what would be a formula there."""


def write_results(out, students, about, feedback_of):
    """Write `grades.csv`, `canvas.csv`, `grades.json`, then `feedback/` and `marks.html`, into the folder `out`.

    `students` holds (what to call them, (entry, notes) pairs), and `feedback_of(entry)` reads an entry's feedback, of
    which one student's at a time is held in memory. A page that cannot be written costs that page and a note.
    """
    from instructor.grade.webpages import feedback_page, marks_page  # late: marking does not wait for them

    students = [(name, [(entry, all_notes(entry, notes)) for entry, notes in pairs]) for name, pairs in students]
    notebooks = [name for name in NOTEBOOKS if any(e.notebook == name for _, pairs in students for e, _ in pairs)]
    names = page_names([name for name, _ in students])
    before = _pages_of(out / "grades.json")
    records = _write_tables(out, students, notebooks, names, about)
    (out / "feedback").mkdir(exist_ok=True)
    failed = 0
    for name, pairs in students:
        try:
            page = feedback_page(name, [(entry, notes, feedback_of(entry)) for entry, notes in pairs])
            write(out / "feedback" / names[name], page)
        except OSError as error:
            pairs[0][1].append(Note(UNWRITTEN, f"feedback/{names[name]} cannot be written: {error.strerror or error}"))
            failed += 1
    if failed:
        records = _write_tables(out, students, notebooks, names, about)
    write(out / "marks.html", marks_page(records, notebooks, about["limited_by"]))
    for stale in before - set(names.values()):
        with suppress(OSError):
            (out / "feedback" / stale).unlink()


def all_notes(entry, notes):
    """All that is to be said of a submission, each note on one line: first why it was not marked, if it was not."""
    if entry.problem:
        kind = "students who handed in nothing" if entry.handed_in_nothing else "files that were not marked"
        notes = [Note(kind, entry.problem, entry.problem), *notes]
    return [Note(note.kind, one_line(note.text, MOST_SAID), one_line(note.told, MOST_SAID)) for note in notes]


def _write_tables(out, students, notebooks, names, about):
    """Write all but the pages; return what is known of each student, without feedback, by what to call them."""
    records = {name: _record(pairs, names[name]) for name, pairs in students}
    write(out / "grades.csv", grades_csv(records, notebooks))
    write(out / "canvas.csv", canvas_csv(records, notebooks))
    record = {
        **about,
        "points": {n: {q.identifier: q.points for q in questions_of(n)} for n in notebooks},
        "students": {name: _with_texts_of_notes(record) for name, record in records.items()},
        "times": {name: {e.file: round(e.seconds, 3) for e, _ in pairs if e.is_marked} for name, pairs in students},
    }
    write(out / "grades.json", json.dumps(record, indent=1) + "\n")
    return records


def _record(pairs, page):
    submissions = [
        {"file": entry.file, "notebook": entry.notebook, "notes": notes, "questions": entry.questions}
        for entry, notes in pairs
    ]
    number = next((entry.number for entry, _ in pairs if entry.number), "")
    return {"total": sum(_points(submissions).values()), "page": page, "number": number, "submissions": submissions}


def _with_texts_of_notes(record):
    """A student's record as `grades.json` has it: each note is one line of text."""
    submissions = [{**s, "notes": [note.text for note in s["notes"]]} for s in record["submissions"]]
    return {**record, "submissions": submissions}


def page_names(students):
    """A file name for the page of each student, by what to call them, no two the same on any file system.

    Letters that a file's name may not have become "_". A name that was changed or cut, is another's but for capitals,
    or looks as if it had a mark, ends with a mark of its own.
    """
    plain = {student: _cut(re.sub(r"[^\w.@() -]", "_", student).strip(". ")) for student in students}
    often = Counter(name.casefold() for name in plain.values())
    own = {name for name in plain.values() if often[name.casefold()] == 1 and not MARKED.search(name)}
    return {student: f"{name if name == student and name in own else _marked(name, student)}.html"
            for student, name in plain.items()}  # fmt: skip


def _cut(name):
    """As much of a name as fits into a file's name with its mark and its ending, no letter cut in two."""
    return name[:80].encode()[: LONGEST - len("-0123456789abcdef.html")].decode(errors="ignore").strip(". ")


def _marked(name, student):
    return f"{name}-{hashlib.sha256(student.encode(errors='backslashreplace')).hexdigest()[:16]}"


def _pages_of(path):
    """The names of the feedback pages that the last results had."""
    try:
        students = json.loads(path.read_text(encoding="utf-8"))["students"].values()
        return {student["page"] for student in students if "/" not in student["page"]}
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def _points(submissions):
    return {name: mark["points"] for s in submissions for name, mark in s["questions"].items()}


def grades_csv(students, notebooks):
    """A row for each student: the points of each question, empty where no notebook was handed in, and the total."""
    questions = [question.identifier for notebook in notebooks for question in questions_of(notebook)]
    rows, called = [["student", *questions, "total"]], row_names(students)
    for student, record in students.items():
        points = _points(record["submissions"])
        rows.append([called[student], *(points.get(name, "") for name in questions), record["total"]])
    return _csv(rows)


def canvas_csv(students, notebooks):
    """The form that Canvas imports: a column for each notebook, and students by the number in their files' names."""
    rows, called = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *notebooks]], row_names(students)
    for student, record in students.items():
        marked = [submission for submission in record["submissions"] if submission["questions"]]
        sums = {s["notebook"]: sum(mark["points"] for mark in s["questions"].values()) for s in marked}
        login = "" if record["number"] else called[student]
        rows.append([called[student], record["number"], "", login, "", *(sums.get(n, "") for n in notebooks)])
    return _csv(rows)


def row_names(students):
    """What each student is called in a table: by the name of a page if only letters that nobody sees tell two apart."""
    plain = {student: harmless(student) for student in students}
    often = Counter(plain.values())
    return {student: name if often[name] == 1 or name == student else harmless(students[student]["page"])
            for student, name in plain.items()}  # fmt: skip


def harmless(text):
    """A name on one line in which no spreadsheet finds a formula: before what may begin one stands an apostrophe."""
    text = "".join(letter for letter in " ".join(text.splitlines()) if letter.isprintable() or letter == "\t")
    rest = NEXT_CELL.sub(r"\1'", text.lstrip())
    text = text[: len(text) - len(text.lstrip())] + rest
    return f"'{text}" if FORMULA.match(rest) else text


def _csv(rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
