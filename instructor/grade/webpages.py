"""The pages that grading writes: the class at a glance for the instructor, and a page for each student.

The templates in `pages/` escape all that they are given.
"""

import re
from collections import Counter, defaultdict
from functools import partial
from pathlib import Path
from statistics import mean, median

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from course_lib.check.question import questions_of
from instructor.grade.marking import RAISED
from instructor.grade.marking import WRONG as WRONG_ANSWER

MOVES_THE_CURSOR = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""Control characters, for a terminal that prints a page, and those that turn the direction of writing."""
del MOVES_THE_CURSOR[ord("\t")], MOVES_THE_CURSOR[ord("\n")]
TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent / "pages"), autoescape=True,
                        finalize=lambda given: given.translate(MOVES_THE_CURSOR) if isinstance(given, str) else given,
                        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
                        keep_trailing_newline=True)  # fmt: skip
TEMPLATES.filters["by_backticks"] = partial(re.split, "`([^`]+)`")
RIGHT, WRONG, NONE = ("right", "✓"), ("wrong", "✗"), ("none", "–")
"""The name and the sign of what became of a question."""
MOST_BARS = 12
NUMBERS = re.compile(r"[-−]?\d+(?:[.,/]? ?[-−]?\d+)*")
"""A number in a sentence, or a list of some."""
NOT_TRIED = "not answered", "unreadable", "not graded"
"""Kinds of marks that say nothing of what a student believed."""


def outcome(mark):
    """What became of a question: `RIGHT`, `WRONG` or `NONE`."""
    return NONE if mark["kind"] in NOT_TRIED else WRONG if mark["kind"] else RIGHT


def feedback_page(name, marked):
    """A student's page: the points, and for each question what failed and on which case.

    `marked` holds (entry, notes, feedback) of each submission.
    """
    submissions = [_of_submission(*each) for each in marked]
    return TEMPLATES.get_template("feedback.html").render(name=name, submissions=submissions)


def _of_submission(entry, notes, feedback):
    questions = []
    if entry.is_marked:
        titles = {question.identifier: question.title for question in questions_of(entry.notebook)}
        for identifier, mark in entry.questions.items():
            told, report = feedback[identifier]
            questions.append({**mark, "identifier": identifier, "title": titles[identifier], "told": told,
                              "report": report, "outcome": outcome(mark)})  # fmt: skip
    counts = Counter(question["outcome"] for question in questions)
    return {
        "file": entry.file,
        "notebook": entry.notebook,
        "told": [note.told for note in notes if note.told],
        "questions": questions,
        "points": sum(question["points"] for question in questions),
        "most": sum(question["of"] for question in questions),
        "counts": [(*became, counts[became]) for became in (RIGHT, WRONG, NONE)],
    }


def marks_page(students, notebooks, limited_by):
    """The class at a glance, for the instructor. `students` are the records of `gradebook`, by name.

    `limited_by` says what limited the sandboxes of the last run.
    """
    submissions = [submission for record in students.values() for submission in record["submissions"]]
    given = defaultdict(list)  # the marks of each question
    for submission in submissions:
        for identifier, mark in submission["questions"].items():
            given[identifier].append(mark)
    questions = [question for notebook in notebooks for question in questions_of(notebook)]
    totals = [record["total"] for record in students.values() if any(s["questions"] for s in record["submissions"])]
    return TEMPLATES.get_template("marks.html").render(
        students=list(_rows_of_students(students, notebooks)),
        notebooks=notebooks,
        handed_in=len(totals),
        most=sum(question.points for question in questions),
        mean=mean(totals or [0]),
        median=median(totals or [0]),
        bars=bars(totals),
        questions=[_row_of_question(question, given[question.identifier]) for question in questions],
        mistakes=_common_mistakes(questions, given),
        notes=_notes_by_kind(students),
        limited_by=limited_by,
    )


def _rows_of_students(students, notebooks):
    """Each student's points by notebook, None where none was handed in."""
    for name, record in students.items():
        marked = {s["notebook"]: s["questions"].values() for s in record["submissions"] if s["questions"]}
        points = [sum(mark["points"] for mark in marked[n]) if n in marked else None for n in notebooks]
        yield {"name": name, "page": record["page"], "points": points, "total": record["total"]}


def bars(totals):
    """(lowest total, highest total, number of students, share of the longest bar) of each bar of a histogram.

    All bars but the last are equally wide, and those without students are left out.
    """
    if not totals:
        return []
    low, high = min(totals), max(totals)
    step = -(-(high - low + 1) // MOST_BARS)
    counts = Counter(low + (total - low) // step * step for total in totals)
    most = max(counts.values())
    return [(start, min(start + step - 1, high), count, count / most) for start, count in sorted(counts.items())]


def _row_of_question(question, given):
    points = [mark["points"] for mark in given] or [0]
    counts = {became[0]: sum(outcome(mark) == became for mark in given) for became in (RIGHT, WRONG, NONE)}
    return {"question": question, "mean": mean(points), "median": median(points), "believed": believed(given),
            "share": counts["right"] / max(1, len(given)), **counts}  # fmt: skip


def believed(given):
    """In one line, the mistake that most of those made who tried a question and failed."""
    mistakes = _mistakes(given)
    if not mistakes:
        return ""
    ((kind, said), count), failed = mistakes[0], sum(count for _, count in mistakes)
    if count == 1 and failed > 1:
        return f"{failed} failed, no two of them alike"
    tells_all = kind in (WRONG_ANSWER, said) or kind.startswith(RAISED)
    return f"{count} of {failed}: {(said if tells_all else f'{kind} – {said}') if said else kind}"


def _mistakes(given):
    """((kind, what is said of it), how many) pairs of those who tried and failed, the commonest first.

    Two mistakes are one if what is said of them differs in numbers only, as it does where each has a tree of their own.
    Errors are one if they are of one kind.
    """
    alike = defaultdict(list)
    for mark in given:
        if outcome(mark) == WRONG:
            words = "" if mark["kind"].startswith(RAISED) else NUMBERS.sub("…", mark["said"]).replace("….", "…")
            alike[mark["kind"], words].append(mark["said"])
    pairs = (((kind, said[0] if len(set(said)) == 1 else words), len(said)) for (kind, words), said in alike.items())
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))


def _common_mistakes(questions, given):
    """The mistakes that two students or more made, the commonest first."""
    rows = [
        {"count": count, "kind": kind, "said": said, "question": question}
        for question in questions
        for (kind, said), count in _mistakes(given[question.identifier])
        if count > 1
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
