"""The results of a class as files: a table, a record, a page for each student, and a page of plots."""

import csv
import hashlib
import io
import json
import os
import re
import unicodedata
from collections import Counter, defaultdict
from html import escape

from course_lib.check.question import NOTEBOOKS, questions_of

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
table { border-collapse: collapse } td, th { padding: .2rem .8rem; border-bottom: 1px solid #ccc; text-align: left }
td.number { text-align: right; white-space: nowrap } caption { text-align: left }
section { border-top: 1px solid #ccc; margin-top: 1.5rem } p { white-space: pre-wrap }
img { max-width: 100%; height: auto } .bar { display: flex; height: 1.1rem; width: 14rem; background: #eee }
b { display: inline-block; margin-top: .6rem } .notes td { overflow-wrap: anywhere }
.right { background: #4a7 } .wrong { background: #c54 } .none { background: #bbb }
.count { background: #57a; height: 1.1rem }
"""


def write_results(out, submissions, marks_of, about):
    """Write `grades.csv`, `canvas.csv`, `grades.json`, `marks.html` and `feedback/`.

    `marks_of(submission)` gives the stored marks; those of one student at a time are held with their pictures.
    """
    notebooks = [name for name in NOTEBOOKS if any(s.notebook == name for s in submissions)]
    by_student = defaultdict(list)
    for submission in submissions:
        by_student[submission.student].append(submission)
    page_names, students, times = _page_names(by_student), {}, {}
    (out / "feedback").mkdir(exist_ok=True)
    for student, handed_in in by_student.items():
        marked = [(s, None if s.problem or not s.notebook else marks_of(s)) for s in handed_in]
        write(out / "feedback" / page_names[student], feedback_page(student, marked))
        students[student] = _record(marked)
        times[student] = {s.file: round(marks["seconds"], 3) for s, marks in marked if marks}
    for stale in set((out / "feedback").glob("*.html")) - {out / "feedback" / name for name in page_names.values()}:
        stale.unlink()
    write(out / "grades.csv", grades_csv(students, notebooks))
    write(out / "canvas.csv", canvas_csv(students, notebooks, by_student))
    write(out / "marks.html", marks_page(students, notebooks))
    record = {**about, "points": {n: {q.identifier: q.points for q in questions_of(n)} for n in notebooks},
              "students": students, "times": times}  # fmt: skip
    write(out / "grades.json", json.dumps(record, indent=1, ensure_ascii=False))


def write(path, text):
    """Write a file whole: a reader sees the old one or the new one, even if the machine stops now."""
    temporary = path.with_name(f"{path.name}.new")
    temporary.write_bytes(text.encode(errors="backslashreplace"))
    os.replace(temporary, path)


def _page_names(students):
    """A file name for each student, whatever characters their name has, no two the same on any file system."""
    names = {}
    for student in students:
        name = re.sub(r"[^\w.@ -]", "_", student).strip(". ")[:80]
        if name != student or name.casefold() in {taken.casefold() for taken in names.values()}:
            name = f"{name}-{hashlib.sha256(student.encode()).hexdigest()[:8]}"
        names[student] = name
    return {student: f"{name}.html" for student, name in names.items()}


def _record(marked):
    """What is known of one student, without pictures."""
    submissions = [
        {
            "file": submission.file,
            "notebook": submission.notebook,
            "notes": _notes(submission, marks),
            "questions": {
                identifier: {"points": mark["points"], "of": mark["of"], "kind": mark["kind"]}
                for identifier, mark in (marks["questions"] if marks else {}).items()
            },
        }
        for submission, marks in marked
    ]
    return {"total": sum(_points(submissions).values()), "submissions": submissions}


def _notes(submission, marks):
    """What is to be said of a submission, each on one line, without what moves the cursor or turns writing round."""
    notes = [*filter(None, [submission.problem]), *submission.notes, *(marks["notes"] if marks else ())]
    return [" ".join("".join(letter if letter.isprintable() else " " for letter in note).split()) for note in notes]


def _points(submissions):
    return {name: mark["points"] for s in submissions for name, mark in s["questions"].items()}


def grades_csv(students, notebooks):
    """A row for each student: the points of each question, empty where no notebook was handed in, and the total."""
    questions = [question.identifier for notebook in notebooks for question in questions_of(notebook)]
    rows = [["student", *questions, "total"]]
    for student, record in students.items():
        points = _points(record["submissions"])
        rows.append([_harmless(student), *(points.get(name, "") for name in questions), record["total"]])
    return _csv(rows)


def canvas_csv(students, notebooks, by_student):
    """The form that Canvas imports: a column for each notebook, and students by the number in their files' names."""
    rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *notebooks]]
    for student, record in students.items():
        sums = Counter()
        for submission in record["submissions"]:
            sums[submission["notebook"]] += sum(mark["points"] for mark in submission["questions"].values())
        handed_in = {submission["notebook"] for submission in record["submissions"] if submission["questions"]}
        number = by_student[student][0].number
        login = "" if number else _harmless(student)
        rows.append(
            [_harmless(student), number, "", login, "", *(sums[n] if n in handed_in else "" for n in notebooks)]
        )
    return _csv(rows)


def _harmless(text):
    """A name on one line; a spreadsheet takes a cell that begins with one of these, narrow or wide, for a formula."""
    text = " ".join(text.splitlines())
    begins = unicodedata.normalize("NFKC", text.lstrip())[:1]
    return f"'{text}" if begins and begins in "=+-@" else text


def _csv(rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def page(title, body):
    """A page of HTML that needs no other file."""
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
            f"<style>{STYLE}</style></head><body><main>\n<h1>{escape(title)}</h1>\n{body}\n"
            "</main></body></html>\n")  # fmt: skip


def feedback_page(student, marked):
    """A student's page: the points, and for each question what failed and on which case."""
    return page(f"Feedback for {student}", "\n".join(_of_submission(*pair) for pair in marked))


def _of_submission(submission, marks):
    said = "".join(f"<li>{escape(note)}</li>" for note in _notes(submission, marks))
    head = f"<h2>{escape(submission.notebook or submission.file)}</h2><p>{escape(submission.file)}</p><ul>{said}</ul>"
    if not marks:
        return head
    titles = {question.identifier: question.title for question in questions_of(submission.notebook)}
    points = sum(mark["points"] for mark in marks["questions"].values())
    most = sum(mark["of"] for mark in marks["questions"].values())
    sections = "\n".join(_of_question(name, titles[name], mark) for name, mark in marks["questions"].items())
    return f"{head}<p><b>{points} of {most} points</b></p>\n{sections}"


def _of_question(identifier, title, mark):
    told = mark["feedback"] or ("" if mark["kind"] else "<p>All cases are answered as expected.</p>")
    kind = f" · {escape(mark['kind'])}" if mark["kind"] else ""
    return (f"<section><h3>{escape(title)} ({escape(identifier)}): {mark['points']} of {mark['of']}{kind}</h3>"
            f"{told}</section>")  # fmt: skip


def marks_page(students, notebooks):
    """The class at a glance: totals, how each question went, and the commonest mistakes by name."""
    marks = defaultdict(list)
    for record in students.values():
        for submission in record["submissions"]:
            for identifier, mark in submission["questions"].items():
                marks[identifier].append(mark)
    body = [f"<p>{len(students)} students.</p>", _histogram(students), _questions_table(marks, notebooks)]
    return page("Marks", "\n".join([*body, _mistakes_table(marks), _notes_table(students)]))


def _histogram(students):
    """How many students have how many points in all, in at most 20 bars."""
    totals = [record["total"] for record in students.values()]
    step = max(1, -(-(max(totals, default=0) + 1) // 20))
    bars = Counter(total // step for total in totals)
    most = max(bars.values(), default=1)
    rows = [
        f"<tr><td class=number>{bar * step}{f' to {bar * step + step - 1}' if step > 1 else ''}</td>"
        f'<td><div class=count style="width: {24 * bars[bar] / most:.2f}rem"></div></td><td>{bars[bar]}</td></tr>'
        for bar in range(max(bars, default=0) + 1)
    ]
    return f"<h2>Totals</h2><table><tr><th>points<td><th>students</tr>{''.join(rows)}</table>"


def _questions_table(marks, notebooks):
    rows = []
    for notebook in notebooks:
        for question in questions_of(notebook):
            given = marks[question.identifier]
            right = sum(mark["points"] == mark["of"] for mark in given)
            none = sum(mark["kind"] in ("not answered", "unreadable") for mark in given)
            rows.append(_question_row(question, right, len(given) - right - none, none))
    legend = "green: right, red: wrong, grey: not answered"
    return f"<h2>Questions</h2><p>{legend}</p><table>{''.join(rows)}</table>"


def _question_row(question, right, wrong, none):
    parts = (("right", right), ("wrong", wrong), ("none", none))
    bar = "".join(f'<div class={name} style="flex: {count}"></div>' for name, count in parts if count)
    return (f"<tr><td>{escape(question.identifier)}<td>{escape(question.title)}<td><div class=bar>{bar}</div>"
            f"<td class=number>{right} / {wrong} / {none}</tr>")  # fmt: skip


def _mistakes_table(marks):
    kinds = Counter((name, mark["kind"]) for name, given in marks.items() for mark in given if mark["kind"])
    rows = [
        f"<tr><td class=number>{count}<td>{escape(kind)}<td>{escape(name)}</tr>"
        for (name, kind), count in sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    ]
    return f"<h2>Commonest mistakes</h2><table><tr><th>students<th>mistake<th>question</tr>{''.join(rows)}</table>"


def _notes_table(students):
    """What to look at before the marks are returned."""
    rows = [
        f"<tr><td>{escape(student)}<td>{escape(submission['file'])}<td>{escape(note)}</tr>"
        for student, record in students.items()
        for submission in record["submissions"]
        for note in submission["notes"]
    ]
    table = (
        f"<table class=notes><tr><th>student<th>file<th>note</tr>{''.join(rows)}</table>"
        if rows
        else "<p>There are none.</p>"
    )
    return f"<h2>Notes</h2>{table}"
