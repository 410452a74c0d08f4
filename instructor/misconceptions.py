"""A page with the known mistakes of each question: what each one is, and the smallest case that shows it, drawn."""

import argparse
from collections.abc import Iterator
from math import inf
from pathlib import Path

from course_lib.check.failures import capital
from course_lib.check.report import answer_text, case_text
from course_lib.check.tables import Mistake, Table, tables_of
from course_lib.explore import picture
from course_lib.games import TreeGame
from course_lib.language import N_
from instructor.course import environment
from instructor.questions import notebooks


def smallest_case(table: Table, mistake: Mistake) -> int | None:
    """The number of the smallest case at which this mistake gives a wrong answer; None if no case shows it alone."""
    return next((number for number, answer in enumerate(mistake.column) if answer), None)


def catalogue(table: Table) -> Iterator[dict]:
    """For each known mistake its name and sentence, and the case with the correct answer and the mistake's answer.

    Of several ways to make a mistake, it is the one with the smallest case.
    """
    shown: dict[str, tuple[float, Mistake]] = {}
    for mistake in table.mistakes:
        number = smallest_case(table, mistake) if table.reveals else None
        found = inf if number is None else number, mistake
        shown[mistake.name] = min(shown.get(mistake.name, found), found, key=lambda each: each[0])
    for number, mistake in shown.values():
        sentence = capital(mistake.shown_sentence)
        entry = {"name": mistake.shown_name, "sentence": sentence, "rows": [], "tree": None}
        if number < inf:
            row = table.row(int(number))
            given = mistake.answer(row)
            answers = (answer_text(table, answer) for answer in (row.right[0], given))
            labels = N_("case"), N_("correct"), N_("with the mistake")
            entry["rows"] = [*zip(labels, (case_text(table, row.case), *answers))]
            if row.case and isinstance(row.case[0], TreeGame) and len(row.case[0].nodes) > 1:
                figure = picture(row.case[0])
                entry["tree"] = figure.png(), figure.png_size(), figure.alt
        yield entry


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--notebook", type=int, metavar="N", help="only this notebook (default: all)")
    add("--out", default="misconceptions.html", metavar="FILE", help="the page (default: misconceptions.html)")


def run(options: argparse.Namespace) -> None:
    names = [name for name in notebooks() if options.notebook in (None, int(name[:2]))]
    parts = [(name, [(table, list(catalogue(table))) for table in tables_of(name).values()]) for name in names]
    page = environment().get_template("misconceptions.html").render(parts=parts)
    Path(options.out).write_text(page, encoding="utf-8")
    print(f"{options.out}: {sum(len(known) for _, tables in parts for _, known in tables)} known mistakes")
