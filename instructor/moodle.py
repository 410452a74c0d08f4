"""Questions for Moodle's question bank, in its XML format: the concept inventory, and trees to work through.

https://docs.moodle.org/en/Moodle_XML_format; a quiz that draws at random from a category gives each student a tree.
"""

import argparse
import secrets
from base64 import b64encode
from html import escape
from pathlib import Path
from xml.etree import ElementTree as XML

from course_lib.explore.picture import worksheet_picture
from course_lib.explore.practice import PUCT_C, UCB1_C, random_exercise
from course_lib.games.walking import leaf_paths
from instructor.exam import ABOVE, path_text, printed
from instructor.inventory import FORMS, QUESTIONS

MAX_NODES = "Triangles that point up are Max’s nodes"
TASKS = {
    2: ("minimax", f"{MAX_NODES}. What is the minimax value of the root, for Max?"),
    3: ("alpha-beta", "Alpha-beta searches this tree from left to right; a node stops at v ≤ α or v ≥ β. How many "
        "leaves does it visit?"),
    5: ("expectiminimax", f"{MAX_NODES}, round ones are chance nodes. What is the value of the root, for Max?"),
    6: ("ucb1", f"{ABOVE} Selection goes down from the root by UCB1 with C = {UCB1_C} and the natural logarithm. At "
        "which node does it end?"),
    7: ("puct", "P and W/N are printed above each node; W counts for the player who moved into it. Selection goes down "
        f"from the root by PUCT with C = {PUCT_C}. At which node does it end?"),
}  # fmt: skip
"""Notebook → its kind of `practice`, and the question about its trees."""


def quiz() -> XML.Element:
    """An empty file of questions."""
    return XML.Element("quiz")


def add_category(quiz: XML.Element, name: str) -> None:
    """The questions that follow go into this category of the course's question bank."""
    _add(XML.SubElement(quiz, "question", type="category"), "category", f"$course$/top/{name}")


def add_multiple_choice(
    quiz: XML.Element, name: str, task: str, right: str, wrong: list[str], picture: tuple[bytes, str] | None = None
) -> None:
    """A question with one right answer, in an order that Moodle draws."""
    question = _question(quiz, "multichoice", name, task, picture)
    for tag, text in {"single": "true", "shuffleanswers": "true", "answernumbering": "abc"}.items():
        XML.SubElement(question, tag).text = text
    for text in (right, *wrong):
        _add(question, "answer", escape(text), fraction="100" if text == right else "0", format="html")


def add_numerical(
    quiz: XML.Element, name: str, task: str, right: float, picture: tuple[bytes, str] | None = None
) -> None:
    """A question whose answer is a number; differences up to 0.005 do not count."""
    question = _question(quiz, "numerical", name, task, picture)
    answer = _add(question, "answer", f"{right:.10g}", fraction="100", format="moodle_auto_format")
    XML.SubElement(answer, "tolerance").text = "0.005"


def _question(quiz, kind, name, task, picture):
    """A question without answers; `picture` is a PNG file and its description."""
    question = XML.SubElement(quiz, "question", type=kind)
    _add(question, "name", name)
    html = f"<p>{escape(task)}</p>"
    if picture:
        html += f'<p><img src="@@PLUGINFILE@@/tree.png" alt="{escape(picture[1])}"></p>'
    text = _add(question, "questiontext", html, format="html")
    if picture:
        file = XML.SubElement(text, "file", name="tree.png", path="/", encoding="base64")
        file.text = b64encode(picture[0]).decode()
    XML.SubElement(question, "defaultgrade").text = "1"
    return question


def _add(parent, tag, text, **attributes):
    element = XML.SubElement(parent, tag, attributes)
    XML.SubElement(element, "text").text = text
    return element


def add_inventory(quiz: XML.Element, form: str) -> None:
    """A form of the concept inventory."""
    add_category(quiz, f"Concept inventory {form}")
    for number, question in enumerate(QUESTIONS, 1):
        right, wrong = question[form]["right"], [text for text, _ in question[form]["wrong"]]
        add_multiple_choice(quiz, f"{form}{number} {question['concept']}", question[form]["text"], right, wrong)


def add_tree(quiz: XML.Element, name: str, notebook: int, level: int, seed: int) -> None:
    """A question about the tree of this level and seed."""
    kind, task = TASKS[notebook]
    game, steps, _, counts = random_exercise(kind, level, seed)
    given = printed(counts)
    drawn = worksheet_picture(game, {}, given)
    picture = drawn.png(100), drawn.alt
    answers = {step.path: step.answer for step in steps if step.answer}
    if counts:
        selected: tuple[str, ...] = ()
        while selected in answers:
            selected = (*selected, answers[selected])
        wrong = [path_text(path) for path in leaf_paths(game) if path != selected]
        root = f" The root has {given[()]}."
        add_multiple_choice(quiz, name, task + root, path_text(selected), wrong, picture)
    elif kind == "alpha-beta":
        add_numerical(quiz, name, task, len(leaf_paths(game)) - len(answers), picture)
    else:
        add_numerical(quiz, name, task, float(answers[()].replace("−", "-")), picture)


def add_trees(quiz: XML.Element, notebook: int, level: int, count: int) -> None:
    """New trees of one kind, in a category of their own."""
    category = f"{TASKS[notebook][0]}, level {level}"
    add_category(quiz, category)
    for number in range(1, count + 1):
        add_tree(quiz, f"{category}, tree {number}", notebook, level, secrets.randbelow(10**9))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--form", choices=FORMS, help="with this form of the concept inventory")
    add("--notebook", type=int, nargs="+", default=[], choices=list(TASKS), help="with trees of these notebooks")
    add("--trees", type=int, default=10, metavar="N", help="the number of trees for each notebook (default: 10)")
    add("--level", type=int, choices=(1, 2, 3), default=2, help="the level of the trees (default: 2)")
    add("--out", default="moodle.xml", metavar="FILE", help="the file to write (default: moodle.xml)")


def run(options: argparse.Namespace) -> None:
    if not options.form and not options.notebook:
        raise ValueError("expected --form for the concept inventory, --notebook for trees, or both, got neither")
    questions = quiz()
    if options.form:
        add_inventory(questions, options.form)
    for notebook in options.notebook:
        add_trees(questions, notebook, options.level, options.trees)
    XML.indent(questions)
    Path(options.out).write_bytes(XML.tostring(questions, encoding="utf-8", xml_declaration=True))
    count = len(questions.findall("question")) - len(questions.findall("question[@type='category']"))
    print(f"{options.out}: {count} questions; in Moodle, import them into the question bank as Moodle XML")
