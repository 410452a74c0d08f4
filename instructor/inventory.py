"""The concept inventory: multiple-choice questions in two parallel forms, and the gains of a class by concept."""

import argparse
import csv
import re
import tomllib
from collections import Counter
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any, NamedTuple

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


class Option(NamedTuple):
    """An option of a question; `misconception` is empty for the right one."""

    text: str
    misconception: str


def options(form: str, number: int) -> dict[str, Option]:
    """Letter → option of question `number` of a form, in an order of its own."""
    question = ALL[number - 1][form]
    found = [Option(question["right"], ""), *(Option(*wrong) for wrong in question["wrong"])]
    return dict(zip("abcd", Random(f"46 {form} {number}").sample(found, len(found))))  # 46 balances the key


def key(form: str) -> dict[int, str]:
    """Number → right letter of a form."""
    return {
        number: next(letter for letter, option in options(form, number).items() if not option.misconception)
        for number in QUESTIONS
    }


def form_page(form: str, with_key: bool = False) -> str:
    """A form as HTML, to print or to copy; with its key, each wrong option has its misconception."""
    questions = {number: (each[form]["text"], options(form, number)) for number, each in QUESTIONS.items()}
    letters = key(form) if with_key else {}
    return environment().get_template("inventory.html").render(form=form, questions=questions, key=letters)


def read_answers(path: str) -> dict[str, dict[int, Option | None]]:
    """Student → number → the chosen option, or None; from a CSV: student, form, 1, 2, … (letters or texts)."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    names = list(map(str, QUESTIONS))
    missing = {"student", "form", *names} - set(rows[0] if rows else ())
    if missing:
        got = ", ".join(rows[0]) if rows else "no rows"
        raise ValueError(f"{path}: expected the columns student, form, {', '.join(names)}, got {got}")
    answers = {}
    for row in rows:
        form = row["form"].strip().upper()
        if form not in FORMS or row["student"] in answers:
            raise ValueError(f"{path}: expected one row for each student, with form A or B, got {row}")
        answers[row["student"]] = {
            n: next((option for letter, option in options(form, n).items()
                     if (row[str(n)] or "").strip().lower() in (letter, option.text.lower())), None)
            for n in QUESTIONS
        }  # fmt: skip
    return answers


def gains(before: dict[str, dict], after: dict[str, dict]) -> list[dict[str, Any]]:
    """For each concept and in all: the shares of right answers, and the normalised gain (Hake, 1998).

    Only students with both forms count. The gain is (after − before)/(1 − before), and None if all was right before.
    """
    both = before.keys() & after.keys()
    if not both:
        raise ValueError("expected students who are in both files, got none")
    rows = []
    for concept in [*dict.fromkeys(each["concept"] for each in QUESTIONS.values()), "all"]:
        numbers = [n for n, each in QUESTIONS.items() if concept in (each["concept"], "all")]
        first, last = (mean(_is_right(answers[student][n]) for student in both for n in numbers)
                       for answers in (before, after))  # fmt: skip
        gain = (last - first) / (1 - first) if first < 1 else None
        rows.append({"concept": concept, "before": first, "after": last, "gain": gain})
    return rows


def _is_right(option: Option | None) -> bool:
    return option is not None and not option.misconception


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
    for row in gains(before, after):
        gain = "–" if row["gain"] is None else f"{row['gain']:.2f}"
        print(f"{row['concept']:20} {row['before']:6.0%} {row['after']:6.0%} {gain:>6}")
    chosen = (
        each.misconception for student in before.keys() & after.keys() for each in after[student].values() if each
    )
    for misconception, count in Counter(filter(None, chosen)).most_common(5):
        print(f"{count:4} times afterwards: {misconception}")
