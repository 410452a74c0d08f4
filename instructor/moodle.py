"""Questions for Moodle's question bank, in its XML format: the concept inventory, and trees to work through.

https://docs.moodle.org/en/Moodle_XML_format; a quiz that draws at random from a category gives each student a tree.
"""

import argparse
import secrets
from pathlib import Path
from typing import NamedTuple

from course_lib.explore.picture import worksheet_picture
from course_lib.explore.practice import random_exercise
from course_lib.games.walking import leaf_paths
from course_lib.language import N_, gettext
from instructor.course import environment
from instructor.exam import path_text, printed, told, with_trees
from instructor.inventory import FORMS, QUESTIONS

TASKS = {
    2: ("minimax", N_("Triangles that point up are Max’s nodes. What is the minimax value of the root, for Max?")),
    3: ("alpha-beta", N_("Alpha-beta searches this tree from left to right; a node stops at v ≤ α or v ≥ β. How many "
                         "leaves does it visit?")),
    5: ("expectiminimax", N_("Triangles that point up are Max’s nodes, round ones are chance nodes. What is the value "
                             "of the root, for Max?")),
    6: ("ucb1", N_("{above} Selection goes down from the root by UCB1 with C = {c:g} and the natural logarithm. At "
                   "which node does it end?")),
    7: ("puct", N_("P and W/N are printed above each node; W counts for the player who moved into it. Selection goes "
                   "down from the root by PUCT with C = {c:g}. At which node does it end?")),
}  # fmt: skip
"""Notebook → its kind of `practice`, and the question about its trees."""


class Question(NamedTuple):
    """A question with its right answer: a number, or one of several options. `picture` is (PNG file, description)."""

    name: str
    task: str
    right: str
    wrong: list[str] = []
    picture: tuple[bytes, str] | None = None


def quiz(categories: dict[str, list[Question]]) -> str:
    """The file of these questions, in categories of the course's question bank."""
    return environment().get_template("moodle.xml").render(categories=categories)


def inventory(form: str) -> list[Question]:
    """A form of the concept inventory."""
    return [
        Question(f"{form}{number} {gettext(each['concept'])}", gettext(each[form]["text"]),
                 gettext(each[form]["right"]), [gettext(text) for text, _ in each[form]["wrong"]])
        for number, each in QUESTIONS.items()
    ]  # fmt: skip


def tree(name: str, notebook: int, level: int, seed: int) -> Question:
    """A question about the tree of this level and seed."""
    kind, words = TASKS[notebook]
    game, steps, _, counts = random_exercise(kind, level, seed)
    given = printed(counts)
    task = told(words, kind, given)
    drawn = worksheet_picture(game, {}, given)
    picture = drawn.png(100), drawn.alt
    answers = {step.path: step.answer for step in steps if step.answer}
    if counts:
        selected: tuple[str, ...] = ()
        while selected in answers:
            selected = (*selected, answers[selected])
        wrong = [path_text(path) for path in leaf_paths(game) if path != selected]
        return Question(name, task, path_text(selected), wrong, picture)
    if kind == "alpha-beta":
        return Question(name, task, str(len(leaf_paths(game)) - len(answers)), [], picture)
    return Question(name, task, answers[()].translate(str.maketrans("−,", "-.")), [], picture)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--form", choices=FORMS, help="with this form of the concept inventory")
    add("--notebook", type=int, nargs="+", default=[], choices=with_trees(), help="with trees of these notebooks")
    add("--trees", type=int, default=10, metavar="N", help="the number of trees for each notebook (default: 10)")
    add("--level", type=int, choices=(1, 2, 3), default=2, help="the level of the trees (default: 2)")
    add("--out", default="moodle.xml", metavar="FILE", help="the file to write (default: moodle.xml)")


def run(options: argparse.Namespace) -> None:
    if not options.form and not options.notebook:
        raise ValueError("expected --form for the concept inventory, --notebook for trees, or both, got neither")
    form = options.form
    categories = {gettext("Concept inventory {form}", form=form): inventory(form)} if form else {}
    for notebook in options.notebook:
        category = gettext("{kind}, level {level}", kind=TASKS[notebook][0], level=options.level)
        names = [gettext("{kind}, tree {number}", kind=category, number=n + 1) for n in range(options.trees)]
        categories[category] = [tree(name, notebook, options.level, secrets.randbelow(10**9)) for name in names]
    Path(options.out).write_text(quiz(categories), encoding="utf-8")
    count = sum(map(len, categories.values()))
    print(f"{options.out}: {count} questions; in Moodle, import them into the question bank as Moodle XML")
