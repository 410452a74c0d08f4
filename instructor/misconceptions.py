"""A page with the known mistakes of each question: what each one is, and the smallest case that shows it, drawn."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from course_lib.check.failures import capital
from course_lib.check.report import answer_text, case_text
from course_lib.check.tables import Mistake, Table, tables_of
from course_lib.explore import picture
from course_lib.games import TreeGame
from course_lib.language import N_
from instructor.course import environment
from instructor.questions import notebooks


def catalogue(table: Table) -> Iterator[dict]:
    """For each known mistake its name and sentence, and the case with the correct answer and the mistake's answer.

    Of several ways to make a mistake, it is the one with the smallest case.
    """
    cases = len(table)

    def smallest_case(mistake: Mistake) -> int:
        return next((number for number, answer in enumerate(mistake.column) if answer and table.reveals), cases)

    for name in dict.fromkeys(mistake.name for mistake in table.mistakes):
        mistake = min((each for each in table.mistakes if each.name == name), key=smallest_case)
        sentence = capital(mistake.shown_sentence)
        entry = {"name": mistake.shown_name, "sentence": sentence, "rows": [], "tree": None}
        if (number := smallest_case(mistake)) < cases:
            row = table.row(number)
            answers = (answer_text(table, answer) for answer in (row.right[0], mistake.answer(row)))
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
