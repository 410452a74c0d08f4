"""What checks say of answers that people wrote who knew only the exercises: `python bench_answers.py corpus.json …`.

A corpus is a list of {"exercise", "question", "kind", "code", "truth"}: the exercise ("02_minimax", or 2), the question
(its identifier, its number, or the name of its function), "wrong" or "right", what stands in the answer's cell, and in
words what is wrong with it. The table has a row for each question; with `-v`, each answer's name and message stand
beside the truth, to be judged by a reader. `--only minimax` takes the questions whose identifiers begin so.
"""

import argparse
import contextlib
import io
import json
import re
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from course_lib.check import check, notebook, student
from course_lib.check.notebook import CheckFailed
from course_lib.check.question import NOTEBOOKS, questions_of

SOLUTIONS = Path(__file__).parents[2] / "solutions"


class Tried(NamedTuple):
    """One answer: whether it passed, the known mistake that was named or "", all that was shown, and CPU seconds."""

    identifier: str
    kind: str
    code: str
    truth: str
    passed: bool
    name: str
    shown: str
    seconds: float


def question_of(entry):
    """(notebook, question) of a corpus's entry."""
    exercise, wanted = str(entry["exercise"]), str(entry["question"])
    number = int(re.search(r"\d+", exercise)[0]) if re.search(r"\d", exercise) else None
    names = [name for name in NOTEBOOKS if name[3:] == exercise or int(name[:2]) == number]
    questions = questions_of(names[0])
    for at, question in enumerate(questions, 1):
        known = question.identifier, question.name, question.identifier.partition(".")[2], str(at), f"Q{at}"
        if wanted in known or wanted.startswith(f"{at}."):
            return names[0], question
    return names[0], None  # a question that has given way to another


def cells_with(name, question, code):
    """The code cells of an exercise: this code in the answer's place, the solutions elsewhere, and no checks.

    A question with a second cell for its answer, such as `alpha_beta-cut-min`, has all of it in the first.
    """
    own = question.identifier.replace(".", "-")
    cells = json.loads((SOLUTIONS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    for cell in cells:
        source, made = "".join(cell["source"]), cell["metadata"].get("nbgrader", {})
        if cell["cell_type"] != "code" or made.get("grade") or source.startswith("score("):
            continue
        if made.get("solution") and made["grade_id"].startswith(f"{own}-"):
            continue
        if made.get("solution") and made["grade_id"] == own:
            yield source.partition(f"def {question.name}")[0].partition("### BEGIN")[0]  # such as game = ConnectFour()
            yield code
        else:
            yield source


def namespace_after(cells):
    """What a notebook's names are after these cells; a cell that fails leaves the others to be run."""
    names = {"__name__": "__main__", "In": [""]}
    for source in cells:
        names["In"].append(source)
        with contextlib.suppress(Exception):
            exec(compile(source, f"<cell {len(names['In'])}>", "exec"), names)
    return names


def tried(entry):
    """The check of one answer, as a notebook runs it."""
    name, question = question_of(entry)
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        names = namespace_after(cells_with(name, question, entry["code"]))
        student("corpus")
        began, passed = time.process_time(), True
        try:
            if question.name not in names:
                raise CheckFailed(f"{question.name} is not defined")
            check(question.identifier, names[question.name])
        except CheckFailed as failed:
            passed = False
            print(failed)
        seconds = time.process_time() - began
    last = None if passed else vars(notebook)["_last"]
    bug = last[0].bug.name if last and last[0].bug else ""
    return Tried(question.identifier, entry["kind"], entry["code"], entry["truth"], passed, bug,
                 shown.getvalue(), seconds)  # fmt: skip


def row(name, answers):
    wrong = [one for one in answers if one.kind == "wrong"]
    right = [one for one in answers if one.kind != "wrong"]
    rejected = [one for one in wrong if not one.passed]
    named = [one for one in rejected if one.name]
    failed = [one for one in right if not one.passed]
    slowest = max((one.seconds for one in answers), default=0)
    return (f"{name:36} {len(wrong):5} {len(rejected):8} {len(named):5}   {len(right):5} {len(failed):6}   "
            f"{slowest:7.1f} {sum(one.seconds > 1 for one in answers):4}")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--only", default="", help="the beginning of a question's identifier")
    parser.add_argument("-v", action="store_true", help="show each answer's name and message beside its truth")
    options = parser.parse_args()
    entries = [entry for path in options.corpora for entry in json.loads(path.read_text(encoding="utf-8"))]
    asked = [(entry, question_of(entry)[1]) for entry in entries]
    chosen = [entry for entry, question in asked if question and question.identifier.startswith(options.only)]
    by_question = defaultdict(list)
    for entry in chosen:
        one = tried(entry)
        by_question[one.identifier].append(one)
        if options.v or one.passed == (one.kind == "wrong"):
            verdict = "passed" if one.passed else f"rejected, named {one.name!r}" if one.name else "rejected"
            print(f"\n=== {one.identifier}, {one.kind}: {verdict}, {one.seconds:.1f} s\n--- truth: {one.truth}")
            print(f"{one.code}\n--- shown:\n{one.shown}")
    print(f"{'':36} wrong rejected named   right failed   slowest  > 1 s")
    for name, answers in by_question.items():
        print(row(name, answers))
    print(row("all", [one for answers in by_question.values() for one in answers]))


if __name__ == "__main__":
    main()
