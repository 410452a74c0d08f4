"""The pages that grading writes, from the templates in `pages/`, which escape all that they are given."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from course_lib.check.question import questions_of
from course_lib.grade.gradebook import all_notes
from course_lib.grade.overview import NOT_TRIED, overview

TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent / "pages"), autoescape=True,
                        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
                        keep_trailing_newline=True)  # fmt: skip
RIGHT, WRONG, NONE = ("right", "✓"), ("wrong", "✗"), ("none", "–")
"""The name and the sign of what became of a question."""


def page(title, body):
    """A page around a body of HTML; it needs no other file."""
    return TEMPLATES.get_template("plain.html").render(title=title, body=body)


def marks_page(students, notebooks, limited_by):
    """The class at a glance, for the instructor. `students` are the records of `gradebook`, by name.

    `limited_by` says what limited the sandboxes of the last run.
    """
    return TEMPLATES.get_template("marks.html").render(overview(students, notebooks), limited_by=limited_by)


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
        questions = [_of_question(n, titles[n], mark, *feedback[n]) for n, mark in entry.questions.items()]
    return {
        "file": entry.file,
        "notebook": entry.notebook,
        "told": [note.told for note in all_notes(entry, notes) if note.told],
        "questions": questions,
        "points": sum(question["points"] for question in questions),
        "most": sum(question["of"] for question in questions),
        "counts": [(*outcome, sum(q["outcome"] == outcome for q in questions)) for outcome in (RIGHT, WRONG, NONE)],
    }


def _of_question(identifier, title, mark, told, report):
    outcome = NONE if mark["kind"] in NOT_TRIED else WRONG if mark["kind"] else RIGHT
    return {**mark, "identifier": identifier, "title": title, "outcome": outcome, "told": told, "report": report}
