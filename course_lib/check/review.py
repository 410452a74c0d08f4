"""Questions on earlier notebooks, drawn anew for each reader and each day; what was wrong is asked again later."""

from html import escape

import ipywidgets as widgets

from course_lib.check.memory import Memory, next_kind
from course_lib.check.notebook import reader
from course_lib.check.recall import KINDS
from course_lib.check.report import Note
from course_lib.explore import explore
from course_lib.explore.answers import read_number, same
from course_lib.explore.prompts import Prediction
from course_lib.explore.rerun import close_on_rerun, replace_children
from course_lib.games.checks import check_whole
from course_lib.watch import WatchedMCTS

KEPT = ("What you get wrong is asked again, with other numbers: tomorrow, three days later and a week after that. For "
        "this, how you answered is kept in the file {}, beside the notebooks, and nowhere else.")  # fmt: skip


def warm_up(notebook):
    """Four questions, three for 2, on the notebooks before this one, a number from 2 to 7: a `Review`.

    For 5, to which one may go from 2, these are 1 and 2.
    """
    check_whole(2, 7, notebook=notebook)
    return Review(2 if notebook == 5 else notebook - 1, Memory(reader()), 3 if notebook == 2 else 4)


def review(notebook=7):
    """Questions on the notebooks up to this one, as many as you like: a `Review`.

    What you get wrong is asked again after three others, and on later days.
    """
    check_whole(1, 7, notebook=notebook)
    return Review(notebook, Memory(reader()))


class Review(widgets.VBox):
    """What `warm_up` and `review` return: one question after another, at most `most`; a first answer counts."""

    def __init__(self, notebook, memory, most=None):
        self.kinds = [kind for kind, (taught, _) in KINDS.items() if taught <= notebook]
        self.memory, self.most, self.answered = memory, most, []
        self.box, self.kept = widgets.VBox(), widgets.HTML()
        self.next = widgets.Button(description="Next question")
        self.next.on_click(lambda _: self.ask())
        super().__init__([self.box, self.next, self.kept])
        self.ask()
        close_on_rerun(self)

    def ask(self):
        """Ask the next question, or say how it went."""
        self.next.disabled = True
        self.kept.value = f"<small>{escape(f'{KEPT.format(self.memory.file.name)} {self.memory.notice}')}</small>"
        number = len(self.answered)
        if number == self.most:
            right = sum(right for _, right in self.answered)
            return replace_children(self.box, [widgets.HTML(f'<b role="status">{right} of {number} right.</b>')])
        luck = self.memory.luck(number)
        self.kind = next_kind(self.kinds, self.answered, self.memory.due(), luck)
        taught, draw = KINDS[self.kind]
        self.asked = draw(luck)
        of = f" of {self.most}" if self.most else ""
        note = Note(f"Question {number + 1}{of}, from notebook {taught}", self.asked.rows)
        note.pictures = [("", self.asked.view())] if self.asked.view else ()
        self.question = posed(self.asked, self._judged)
        replace_children(self.box, [widgets.HTML(note.html()), self.question])

    def _judged(self, is_right):
        """Keep the first answer, and open the search that shows why."""
        if not self.next.disabled:
            return
        self.answered.append((self.kind, is_right))
        self.memory.note(self.kind, is_right)
        self.next.disabled = False
        shown = self.asked.shown
        if shown is not None:
            step = 1 if isinstance(shown, WatchedMCTS) else shown.steps
            self.box.children = (*self.box.children, explore(shown, step=step, height=320))

    def __repr__(self):
        many = f"{self.most} questions" if self.most else "Questions"
        return f"{many} on earlier notebooks, drawn for you and for today: run this cell to answer them."

    def _repr_mimebundle_(self, **options):
        return super()._repr_mimebundle_(**options) | {"text/html": f"<p>{self!r}</p>"}


def posed(asked, heard):
    """The widget that asks this question; `heard(is_right)` is called for each answer that the reader checks."""
    if not asked.options:
        return TypedAnswer(asked, heard)
    right = asked.options.index(asked.answer)
    reasons = [asked.because if option == asked.answer else "" for option in asked.options]
    question = Prediction(asked.text, list(zip(asked.options, reasons)), right)
    question.observe(lambda change: heard(change.new[-1] == right), "tried")
    return question


class TypedAnswer(widgets.VBox):
    """A question whose answer is a number that the reader types."""

    def __init__(self, asked, heard):
        self.asked, self.heard = asked, heard
        self.given = widgets.Text(placeholder="a number", tooltip="your answer, a number")
        self.check = widgets.Button(description="Check", button_style="primary")
        self.verdict = widgets.HTML()
        self.check.on_click(self._judge)
        super().__init__([widgets.HTML(f"<b>{escape(asked.text)}</b>"), self.given, self.check, self.verdict])
        self.add_class("course-ui")

    def _judge(self, _):
        if read_number(self.given.value) is None:
            return self._say("", f"{self.given.value or 'Nothing'} is no number: type one such as −3, 0.5 or 1/2.")
        is_right = same(self.given.value, self.asked.answer)
        self._say("Right." if is_right else f"Not quite. The answer: {self.asked.answer}.", self.asked.because)
        self.heard(is_right)

    def _say(self, verdict, words):
        self.verdict.value = f'<div role="status"><b>{escape(verdict)}</b> {escape(words)}</div>'
