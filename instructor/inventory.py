"""The concept inventory: multiple-choice questions in two parallel forms."""

import argparse
import re
import tomllib
from pathlib import Path
from random import Random

from course_lib.language import gettext
from instructor.course import environment
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--form", required=True, choices=FORMS, help="the form to write")
    add("--key", action="store_true", help="with the right answers, and the misconceptions behind the others")
    add("--out", default="inventory.html", metavar="FILE", help="the page of the form (default: inventory.html)")


def run(options: argparse.Namespace) -> None:
    Path(options.out).write_text(form_page(options.form, options.key), encoding="utf-8")
    print(f"{options.out}: form {options.form}, {len(QUESTIONS)} questions")
