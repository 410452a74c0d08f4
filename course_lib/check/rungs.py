"""The ladder for who is stuck: a case with its right values; lines of a right answer in another order; with gaps."""

import ast
import math
import random
from collections import Counter
from html import escape

import ipywidgets as widgets

from course_lib.check.examine import examine
from course_lib.check.mistakes import Mistyped, source_of
from course_lib.check.question import Direct, small_solved
from course_lib.check.report import Note
from course_lib.check.watchdog import TooLong, time_limit
from course_lib.explore import picture, watch
from course_lib.explore.rerun import close_on_rerun
from course_lib.explore.tree import button_row
from course_lib.games import Game

ATTEMPTS = 3
"""After so many failed attempts at a question the ladder is there."""
STUCK = "Stuck? Type hint() in a new cell, again for more.\n"
GAPS = "①②③"
STYLE = """<style>
.course-rung select { font: 12px var(--jp-code-font-family, monospace); overflow-x: auto }
.course-rung option { width: max-content; min-width: 100% }</style>"""
_tried, _shown = Counter(), Counter()  # of this session, by identifier
_last = []  # the question that was failed last, its case and the right answer


def failed(question, failure=None):
    """Count a failed attempt, and return what is printed of it: nothing, or that there is a `hint()`."""
    if question.kind != "write":
        _last.clear()
        return ""
    _tried[question.identifier] += 1
    _last[:] = question, *((failure.case, failure.expected) if failure else small_solved(question)[0])
    return STUCK if _tried[question.identifier] >= ATTEMPTS else ""


def hint():
    """What helps with the `write` question that was failed last, from the third attempt on: each call shows more.

    First the smallest case that was found, with the right values; then the lines of a right answer in another order,
    with two that do not belong; then the same lines with gaps. A few questions have the first only.
    """
    if not _last or _tried[_last[0].identifier] < ATTEMPTS:
        return Note(f'A hint is there after {ATTEMPTS} failed attempts at a question of the kind "write".', [])
    question, case, expected = _last
    _shown[question.identifier] += 1
    if _shown[question.identifier] == 1 or not has_lines(question):
        return right_case(question, case, expected)
    return Lines(question, gaps=_shown[question.identifier] > 2)


def right_case(question, case, expected):
    """A `Note` of a case with what is right for it, drawn where it is a tree."""
    note = Note("This is right:", [("case", question.as_text(case)), ("answer", question.show(expected))])
    searched = question.searched(case)
    if question.draw is not None:
        note.pictures = list(question.draw(case, expected))
    elif searched and isinstance(searched[0], Game):
        note.pictures = [("the values at its nodes", picture(watch(question.reference, *searched)))]
    return note


def parts_of(question):
    """The known mistakes that are changes of the text of the right answer, and the functions of which it is made."""
    mistakes = [bug.wrong for bug in question.bugs if isinstance(bug.wrong, Mistyped)]
    mistakes = [wrong for wrong in mistakes if wrong.parts[-1] is question.reference]
    return mistakes, mistakes[0].parts if mistakes else (question.reference,)


def has_lines(question):
    """Whether the lines of a right answer can be asked for: known mistakes must have others in their place.

    Where none has, the question judges what the reader's function leaves behind, and its reference is another function.
    """
    return len(lines_of(question)[1]) > 1


def lines_of(question):
    """The lines of a right answer, those that known mistakes have in their place, and what may become gaps."""
    mistakes, parts = parts_of(question)
    right = _plain_lines("\n".join(map(source_of, parts)))
    others = dict.fromkeys(line for wrong in mistakes for line in _plain_lines(wrong.text()) if line not in right)
    changed = (old for wrong in mistakes for old in wrong.changes)
    return right, list(others), [old for old in dict.fromkeys(changed) if isinstance(old, str) and len(old) < 30]


def _plain_lines(source):
    """The lines of code, each statement on one, without docstrings and comments."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return [line for line in ast.unparse(tree).splitlines() if line]


class Lines(widgets.VBox):
    """Lines to put in order, two of which do not belong; with `gaps` up to three places are to be filled in too.

    `order` has the numbers of the lines as they stand, `out` those of the lines that are left out.
    """

    def __init__(self, question, gaps=False):
        self.question, luck = question, random.Random(f"{question.identifier} {gaps}")
        right, others, fragments = lines_of(question)
        self.lines, self.gaps = [*right, *random.Random(question.identifier).sample(others, 2)], {}
        for fragment in fragments if gaps else ():
            hits = [number for number, line in enumerate(right) if fragment in self.lines[number] == line]
            if hits and len(self.gaps) < len(GAPS):
                mark = GAPS[len(self.gaps)]
                self.lines[hits[0]] = right[hits[0]].replace(fragment, mark, 1)
                self.gaps[mark] = widgets.Text(description=mark, tooltip=f"what stands at {mark}")
        self.order, self.out = luck.sample(range(len(self.lines)), len(self.lines)), set()
        wide = {"width": "100%", "height": "auto"}
        self.list = widgets.Select(rows=len(self.lines), layout=wide, tooltip="the lines")
        self.verdict = widgets.HTML()
        moves = {"Up": lambda: self.move(-1), "Down": lambda: self.move(1), "Leave out, or take back": self.drop}
        words = f"<b>{escape(question.title)}.</b> Put the lines in order, and leave out two that do not belong."
        buttons = widgets.HBox(button_row(moves | {"Check": self.check}), layout={"flex_flow": "row wrap"})
        super().__init__([widgets.HTML(STYLE + words), self.list, buttons, *self.gaps.values(), self.verdict])
        self.add_class("course-rung")
        self._show(self.order[0])
        close_on_rerun(self)

    def move(self, by):
        """Move the chosen line by so many places."""
        at = self.order.index(self.list.value)
        self.order.insert(max(0, at + by), self.order.pop(at))
        self._show(self.list.value)

    def drop(self):
        """Leave the chosen line out, or take it back."""
        self.out ^= {self.list.value}
        self._show(self.list.value)

    def _show(self, chosen):
        texts = (f"{'✗ ' if number in self.out else ''}{self.lines[number]}" for number in self.order)
        self.list.options = [(text.replace(" ", "\xa0"), number) for text, number in zip(texts, self.order)]
        self.list.value = chosen

    def text(self):
        """The code as it stands."""
        text = "\n".join(self.lines[number] for number in self.order if number not in self.out)
        for mark, field in self.gaps.items():
            text = text.replace(mark, field.value)
        return text

    def check(self):
        """Run the code as it stands, as a check of the question does: whatever passes is right."""
        question, words = self.question, "Right: this passes. Now write your own answer without looking."
        names = vars(math) | question.reference.__globals__
        for part in parts_of(question)[1]:  # these must come from the lines
            names.pop(part.__name__, None)
        question.prepare()
        try:
            with time_limit(10, question.seconds):
                exec(compile(self.text(), "<lines>", "exec"), names)
                failure = examine(question, Direct(names.get(question.reference.__name__))).failure
            if failure is not None:
                words = f"Not yet. {failure.words}"
        except TooLong:
            words = "Not yet. It was stopped: either a loop or a recursion never ends."
        except Exception as error:  # whatever these lines in this order raise
            words = f"Not yet. {type(error).__name__}: {error}"
        self.verdict.value = f'<div role="status">{escape(words)}</div>'
