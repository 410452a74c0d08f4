"""A class's marks as tables, and the points that the instructor sets."""

import csv
import hashlib
import io
import re
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from course_lib.check.failures import Verdict, capital
from course_lib.check.tables import Mistake, as_compared
from course_lib.language import N_, gettext
from instructor.grade.marking import course, tables_of, unmarked, whole
from instructor.grade.rosters import FORMULA, read_csv
from instructor.grade.state import read_record
from instructor.grade.submissions import NOTHING, Note, Submission

NOT_MARKED = Verdict.UNREADABLE, Verdict.NOT_GRADED
"""The verdicts on what nobody has looked at: no points are given, and none are taken."""
COLUMNS = ["student", "question", "points", "comment", "mistake"]
"""The columns of `overrides.csv`; a row with the student `*` is for all who made the `mistake`."""


QUOTES = " \"'“”„«»‹›‘’"
"""What may be around the name of a mistake that was copied from a page."""


class Student(NamedTuple):
    """A student in the results: the name there, the file of the feedback page, and all submissions."""

    name: str
    page: str
    submissions: list[Submission]

    def marks(self) -> dict[str, dict]:
        """The mark of each question, but for those that could not be marked, unless the instructor set points."""
        return {name: mark for each in self.submissions for name, mark in each.questions.items()
                if mark["verdict"] not in NOT_MARKED or "comment" in mark}  # fmt: skip

    def total(self) -> float | None:
        """The points; None if something was handed in, but none of it could be marked."""
        if not self.marks() and any(each.questions or each.problem not in ("", NOTHING) for each in self.submissions):
            return None
        return whole(sum(mark["points"] for mark in self.marks().values()))

    def canvas_id(self) -> str:
        """The number that Canvas gave in the names of the files; empty if there is none."""
        places = (each.place for each in self.submissions)
        canvas = (place for place in places if place.form.platform == "Canvas" and place.form.number == "student")
        return next((place.number for place in canvas), "")

    def late(self) -> str:
        """The notebooks that were handed in late."""
        return " ".join(each.notebook for each in self.submissions if each.late and each.notebook)

    def points(self, notebook: str) -> float | None:
        """The points in a notebook; None if it was not marked."""
        marked = [mark["points"] for name, mark in self.marks().items() if name in tables_of(notebook)]
        return whole(sum(marked)) if marked else None

    def imported(self, notebook: str) -> float | None:
        """The points to import: as in the total, 0 if nothing was handed in that may be this notebook."""
        is_missing = all(each.problem == NOTHING or each.notebook not in (None, notebook) for each in self.submissions)
        return 0 if is_missing else self.points(notebook)


def page_names(students: list[str]) -> dict[str, str]:
    """A file name for the page of each student, no two the same on any file system.

    Characters not allowed in a file name become "_". A name that was changed, or differs from an earlier one in
    capitals only, gets a hash at its end.
    """
    pages = {}
    for student in students:
        page = re.sub(r"[^\w.@() -]", "_", student)[:50].strip(". ")
        if page != student or f"{page}.html".casefold() in map(str.casefold, pages.values()):
            page += f"-{hashlib.sha256(student.encode(errors='backslashreplace')).hexdigest()[:12]}"
        pages[student] = f"{page}.html"
    return pages


def grades_csv(students: list[Student], notebooks: list[str]) -> str:
    """A row for each student: the points of each question, empty where no notebook was marked, and the total.

    If some were late, the last column lists these notebooks.
    """
    questions = [name for notebook in notebooks for name in tables_of(notebook)]
    some_late = any(student.late() for student in students)
    rows = [["student", *questions, "total", *["late"] * some_late]]
    for student in students:
        marks = student.marks()
        points = (marks[name]["points"] if name in marks else "" for name in questions)
        rows.append([harmless(student.name), *points, student.total(), *[student.late()] * some_late])
    return _csv(rows)


def canvas_csv(students: list[Student], notebooks: list[str]) -> str:
    """The form that Canvas imports: a column for each notebook, and students by the number in their files' names."""
    rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *notebooks]]
    for student in students:
        rows.append([harmless(student.name), student.canvas_id(), "", "", "", *map(student.imported, notebooks)])
    return _csv(rows)


def moodle_csv(students: list[Student], notebooks: list[str]) -> str:
    """What Moodle imports: the student, the name in its files or in the results, each notebook's points, the total.

    No two rows have the same student: if the class has several of one name, it is the name in the results.
    """
    rows = [["student", "name", *notebooks, "total"]]
    for student in students:
        first = student.submissions[0]
        name = first.place.name if first.place.form.number == "work" else student.name
        rows.append([harmless(student.name), harmless(name), *map(student.imported, notebooks), student.total()])
    return _csv(rows)


def harmless(text: str) -> str:
    """A name on one line that no spreadsheet takes for a formula: an apostrophe precedes what may begin one."""
    text = "".join(letter for letter in " ".join(text.split()) if letter.isprintable())
    return f"'{text}" if FORMULA.match(text) else text


def _csv(rows: list[list]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def read_overrides(path: Path, found: list[Submission]) -> list[dict]:
    """The rows, each with a student of these submissions; `ValueError` if another, or no question, is named."""
    columns, read = read_csv(path)
    if not set(COLUMNS[:3]) <= set(columns):
        got = ", ".join(columns) or "none"
        raise ValueError(f"{path}, line 1: expected the columns {', '.join(COLUMNS)}, got {got}")
    shown = {harmless(each.display_name): each.display_name for each in found} | {"*": "*"}
    worth = {question.identifier: question.points for each in course().values() for question in each.questions}
    rows: dict[tuple, dict] = {}
    for line, cells in read:
        row = {name: cells.get(name, "") for name in COLUMNS}
        student, most = shown.get(harmless(row["student"])), worth.get(row["question"])
        if student is None or most is None:
            raise ValueError(f"{path}, line {line}: expected a student of these submissions and a question of the "
                             f"course, got {row['student']!r} and {row['question']!r} (for another class, pass another "
                             f"file to --overrides)")  # fmt: skip
        row |= {"line": line, "student": student, "points": row["points"].replace(",", "."),
                "mistake": as_compared(row["mistake"].strip(QUOTES))}  # fmt: skip
        if bool(row["mistake"]) != (row["student"] == "*"):
            raise ValueError(f"{path}, line {line}: expected the name of a mistake if the student is *, and only then, "
                             f"got {row['mistake'] or 'none'!r}")  # fmt: skip
        if not row["points"].replace(".", "", 1).isdecimal() or float(row["points"]) > most:
            raise ValueError(f"{path}, line {line}: expected 0 to {most} points, got {row['points']!r}")
        key = row["student"], row["question"], row["mistake"]
        if key in rows:
            raise ValueError(f"{path}, line {line}: line {rows[key]['line']} has points for this, too; remove one of "
                             f"the two")  # fmt: skip
        rows[key] = row
    return list(rows.values())


def override(found: list[Submission], overrides: list[dict], out: Path) -> list[str]:
    """Put the instructor's points into the marks, each with its `comment` and a note; return warnings.

    A notebook that was not handed in, but has points, is added to those `found`. The warnings name the rows for work
    that is not marked yet, mistakes that nobody made or that have two rows, of which the later counts, and rows that
    were applied in an earlier run and have vanished.
    A student's own row counts more than one for all who made a mistake.
    """
    found += _by_hand(found, overrides)
    marks = {(each.display_name, name): each for each in found for name in each.questions}
    own = {(row["student"], row["question"]): row for row in overrides if row["student"] != "*"}
    rules = [row for row in overrides if row["student"] == "*"]
    made = {key: _names_of(each.questions[key[1]]["mistake"]) for key, each in marks.items()}
    fits = [(key, rule) for rule in rules for key, names in made.items()
            if key[1] == rule["question"] and rule["mistake"] in names]  # fmt: skip
    fitting = dict(fits)
    rows = fitting | own
    for (student, name), row in rows.items():
        if each := marks.get((student, name)):
            points, comment = whole(float(row["points"])), row["comment"]
            text = f"{name}: {points} points, not {each.questions[name]['points']}: {comment}"
            each.questions[name] |= {"points": points, "comment": comment}
            each.notes.append(Note("points that overrides.csv sets", text))
    earlier = {(name, question) for name, student in read_record(out).items() for each in student["submissions"]
               for question, mark in each["questions"].items() if "comment" in mark}  # fmt: skip
    used = [rule for _, rule in fits]
    unused = {("*", f"{rule['mistake']} in {rule['question']}{_nearest(rule, made)}")
              for rule in rules if rule not in used}  # fmt: skip
    doubled = {(f"line {rule['line']}", f"line {fitting[key]['line']}") for key, rule in fits if rule != fitting[key]}
    odd = {"overrides for work that is not marked yet": own.keys() - marks,
           "overrides for a mistake that nobody made": unused,
           "two overrides for one mistake, of which the one in brackets counts": doubled,
           "overrides of an earlier run that are not applied any more": earlier - rows.keys()}  # fmt: skip
    return [f"{text}: {', '.join(f'{student} ({name})' for student, name in sorted(some))}"
            for text, some in odd.items() if some]  # fmt: skip


def _names_of(mistake: str) -> set[str]:
    """What a row may call a known mistake, in English or the language of the course; one name of several will do."""
    shown = Mistake(mistake, "").shown_name
    return {as_compared(name) for name in (mistake, shown, *mistake.split(" or "), *shown.split(gettext(" or ")))}


def _nearest(rule: dict, made: dict[tuple, set[str]]) -> str:
    """What a rule for a mistake that nobody made may mean: the name most like its own of one that somebody `made`."""
    names = {name for (_, question), names in made.items() if question == rule["question"] for name in names}
    nearest = get_close_matches(rule["mistake"], sorted(names), n=1)
    return f": did you mean {nearest[0]}?" if nearest else ""


def _by_hand(found: list[Submission], overrides: list[dict]) -> list[Submission]:
    """The notebooks that a student did not hand in, such as for a text or a link, and for which there are points."""
    of_student = {each.display_name: each for each in reversed(found)}
    notebook_of = {question.identifier: notebook for notebook, each in course().items() for question in each.questions}
    rows = {(row["student"], notebook_of[row["question"]]) for row in overrides if row["student"] != "*"}
    added, note = [], Note("work with points of overrides.csv only", "marked by hand", gettext("Marked by hand."))
    for student, notebook in sorted(rows - {(each.display_name, each.notebook) for each in found}):
        marks = unmarked(notebook, Verdict.NOT_GRADED, note)
        first = of_student[student]
        added.append(replace(first, notebook=notebook, file="", path=None, problem="", is_late=first.late, **marks))
    return added


def penalise(found: list[Submission], percent: float) -> None:
    """Take this share of the points off what was handed in late, with a note for the student."""
    for each in found:
        if each.late and each.questions and percent:
            for mark in each.questions.values():
                mark["points"] = whole(round(mark["points"] * (100 - percent) / 100, 2))
            words = N_("{percent:g} % of the points are taken off, because this was handed in late")
            text = gettext(words, percent=percent)
            each.notes.append(Note("points taken off for late work", text, capital(text)))
