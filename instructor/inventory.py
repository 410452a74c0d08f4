"""The concept inventory: multiple-choice questions in two parallel forms, and the gains of a class by concept."""

import argparse
import re
import tomllib
from collections import Counter
from pathlib import Path
from random import Random
from statistics import mean

from course_lib.language import gettext
from instructor.course import environment
from instructor.grade.rosters import read_students
from instructor.questions import ROOT

ALL = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["questions"]
FORMS = "A", "B"


def questions(notebooks: set[str]) -> dict[int, dict]:
    """Number → question, without those that have a misconception of another notebook than those with these names."""
    return {number: question for number, question in enumerate(ALL, 1)
            if notebooks.issuperset(re.split("[.:]", name)[0] for _, name in question["A"]["wrong"])}  # fmt: skip


QUESTIONS = questions({part for path in ROOT.glob("solutions/*.ipynb") for part in (path.stem[:2], path.stem[3:])})
"""The questions about the notebooks of the course; the numbers and the names of its notebooks are in their files'."""


def options(form: str, number: int) -> dict[str, tuple[str, str]]:
    """Letter → (text, misconception) of each option of a question, in an order of its own; the right one has none."""
    question = ALL[number - 1][form]
    found = [(gettext(text), wrong) for text, wrong in ((question["right"], ""), *question["wrong"])]
    return dict(zip("abcd", Random(f"46 {form} {number}").sample(found, len(found))))  # 46 balances the key


def key(form: str) -> dict[int, str]:
    """Number → right letter of a form."""
    return {number: letter for number in QUESTIONS for letter, (_, wrong) in options(form, number).items() if not wrong}


def form_page(form: str, with_key: bool = False) -> str:
    """A form as HTML, to print or to copy; with its key, each wrong option has its misconception."""
    questions = {number: (gettext(each[form]["text"]), options(form, number)) for number, each in QUESTIONS.items()}
    letters = key(form) if with_key else {}
    return environment().get_template("inventory.html").render(form=form, questions=questions, key=letters)


def read_answers(path: str) -> dict[str, dict[int, str | None]]:
    """Student → number → the misconception, "" if right, or None; from a CSV: student, form, 1, 2, …."""
    answers, names = {}, list(map(str, QUESTIONS))
    for line, row in read_students(path):
        form = row.get("form", "").upper()
        if form not in FORMS or not row.keys() >= {*names} or row["student"] in answers:
            raise ValueError(f"{path}, line {line}: expected columns student, form and {', '.join(names)}, form A "
                             "or B, and one row for each student")  # fmt: skip
        answers[row["student"]] = {
            number: next((wrong for letter, (text, wrong) in options(form, number).items()
                          if row[str(number)].lower() in (letter, text.lower())), None)
            for number in QUESTIONS
        }  # fmt: skip
    return answers


def gains(before: dict[str, dict], after: dict[str, dict]) -> dict[str, tuple[float, float, float | None]]:
    """Concept, or "all" → the shares of right answers before and after, and the normalised gain (Hake, 1998).

    Only students with both forms count. The gain is (after − before)/(1 − before), and None if all was right before.
    """
    both = before.keys() & after.keys()
    if not both:
        raise ValueError("expected students who are in both files, got none")
    found = {}
    for concept in [*dict.fromkeys(each["concept"] for each in QUESTIONS.values()), "all"]:
        numbers = [number for number, each in QUESTIONS.items() if concept in (each["concept"], "all")]
        first, last = (mean(answers[student][number] == "" for student in both for number in numbers)
                       for answers in (before, after))  # fmt: skip
        found[concept] = first, last, (last - first) / (1 - first) if first < 1 else None
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--form", choices=FORMS, help="write this form")
    what.add_argument("--score", nargs=2, metavar=("BEFORE", "AFTER"), help="score two CSV files of answers")
    add("--key", action="store_true", help="with the right answers, and the misconceptions behind the others")
    add("--out", default="inventory.html", metavar="FILE", help="the page of the form (default: inventory.html)")


def run(options: argparse.Namespace) -> None:
    if options.form:
        Path(options.out).write_text(form_page(options.form, options.key), encoding="utf-8")
        print(f"{options.out}: form {options.form}, {len(QUESTIONS)} questions")
        return
    before, after = map(read_answers, options.score)
    print(f"{len(before.keys() & after.keys())} students in both files\n{'concept':20} before  after   gain")
    for concept, (first, last, gain) in gains(before, after).items():
        print(f"{concept:20} {first:6.0%} {last:6.0%} {'–' if gain is None else f'{gain:.2f}':>6}")
    chosen = [wrong for student in before.keys() & after.keys() for wrong in after[student].values() if wrong]
    for misconception, count in Counter(chosen).most_common(5):
        print(f"{count:4} times afterwards: {misconception}")
