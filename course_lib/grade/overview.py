"""A class at a glance: what an instructor wants to know before the next lecture, as numbers and sentences."""

from collections import Counter, defaultdict
from statistics import mean, median

from course_lib.check.question import questions_of
from course_lib.grade.marking import RAISED, WRONG

MOST_BARS = 12
NOT_TRIED = "not answered", "unreadable", "not graded"
"""Kinds of marks that say nothing of what a student believed."""


def overview(students, notebooks):
    """What the page of marks shows, as a dictionary. `students` are the records of `gradebook`, by name."""
    marks = _marks_by_question(students)
    handed_in = [record for record in students.values() if any(s["questions"] for s in record["submissions"])]
    totals = [record["total"] for record in handed_in]
    questions = [question for notebook in notebooks for question in questions_of(notebook)]
    return {
        "students": _rows_of_students(students, notebooks),
        "notebooks": notebooks,
        "handed_in": len(handed_in),
        "most": sum(question.points for question in questions),
        "mean": mean(totals) if totals else 0,
        "median": median(totals) if totals else 0,
        "bars": bars(totals),
        "questions": [_row_of_question(question, marks[question.identifier]) for question in questions],
        "mistakes": _common_mistakes(questions, marks),
        "notes": _notes_by_kind(students),
    }


def _marks_by_question(students):
    marks = defaultdict(list)
    for record in students.values():
        for submission in record["submissions"]:
            for identifier, mark in submission["questions"].items():
                marks[identifier].append(mark)
    return marks


def _rows_of_students(students, notebooks):
    """Each student's points by notebook, None where none was handed in."""
    rows = []
    for name, record in students.items():
        marked = {s["notebook"]: s["questions"].values() for s in record["submissions"] if s["questions"]}
        points = [sum(mark["points"] for mark in marked[n]) if n in marked else None for n in notebooks]
        rows.append({"name": name, "page": record["page"], "points": points, "total": record["total"]})
    return rows


def bars(totals):
    """(lowest total, highest total, number of students, share of the longest bar) of each bar of a histogram.

    All bars are equally wide, and those without students are left out.
    """
    if not totals:
        return []
    step = -(-(max(totals) - min(totals) + 1) // MOST_BARS)
    counts = Counter((total - min(totals)) // step for total in totals)
    lows = {bar: min(totals) + bar * step for bar in counts}
    most = max(counts.values())
    return [(lows[bar], lows[bar] + step - 1, counts[bar], counts[bar] / most) for bar in sorted(counts)]


def _row_of_question(question, given):
    points = [mark["points"] for mark in given]
    right = sum(mark["points"] == mark["of"] for mark in given)
    none = sum(mark["kind"] in NOT_TRIED for mark in given)
    return {
        "identifier": question.identifier,
        "title": question.title,
        "points": question.points,
        "mean": mean(points) if points else 0,
        "median": median(points) if points else 0,
        "right": right,
        "wrong": len(given) - right - none,
        "none": none,
        "share": right / len(given) if given else 0,
        "believed": believed(given),
    }


def believed(given):
    """In one line, the mistake that most of those made who tried a question and failed."""
    failed = [mark for mark in given if mark["kind"] and mark["kind"] not in NOT_TRIED]
    if not failed:
        return ""
    ((kind, said), count), *others = _mistakes(failed)
    if count == 1 and others:
        return f"{len(failed)} failed, no two of them alike"
    return f"{count} of {len(failed)}: {_sentence(kind, said)}"


def _mistakes(failed):
    """((kind, what is said of it), how many) pairs, the commonest first.

    What code raised differs from one student to the next, and is left out.
    """
    mistakes = Counter((m["kind"], "" if m["kind"].startswith(RAISED) else m["said"]) for m in failed)
    return sorted(mistakes.items(), key=lambda item: (-item[1], item[0]))


def _sentence(kind, said):
    if kind == WRONG:
        return said or kind
    return f"{kind} – {said}" if said and said != kind else kind


def _common_mistakes(questions, marks):
    """The mistakes that two students or more made, the commonest first."""
    rows = [
        {"count": count, "kind": kind, "said": said, "question": question}
        for question in questions
        for (kind, said), count in _mistakes([m for m in marks[question.identifier] if m["kind"]])
        if count > 1 and kind not in NOT_TRIED
    ]
    return sorted(rows, key=lambda row: -row["count"])


def _notes_by_kind(students):
    """(kind, notes) pairs, the kind with most notes first; a note is (student, page, file, text)."""
    kinds = defaultdict(list)
    for name, record in students.items():
        for submission in record["submissions"]:
            for note in submission["notes"]:
                kinds[note.kind].append((name, record["page"], submission["file"], note.text))
    return sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0]))
