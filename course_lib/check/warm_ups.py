"""Questions on earlier notebooks, new each day, from their tables. Nothing is stored."""

from collections.abc import Callable
from datetime import date
from importlib.util import find_spec
from random import Random
from typing import Any

import ipywidgets as widgets

from course_lib.check.report import Note
from course_lib.check.tables import find_files, from_json, header
from course_lib.explore import picture, predict
from course_lib.explore.predict import Prediction
from course_lib.language import N_, gettext, numbers_in, translated

MOST = 3
"""How many questions a warm-up has."""
OPTIONS = N_("Yes"), N_("No"), N_("take {count}")
"""Options in words; they are stored in English, as all questions."""


def warm_up(notebook: str | int) -> "WarmUp":
    """A few questions, new each day, on the notebooks before this one (6 or "06_mcts_ucb1")."""
    number = str(notebook).partition("_")[0]
    if not number.isdigit():
        raise ValueError(f"Expected a notebook's number, or its name as in '02_minimax', got {notebook!r}")
    return WarmUp(questions(int(number), date.today()))


def questions(notebook: int, day: date) -> list[list]:
    """[text, options, right option, reason, tree or None] of each question: of different kinds, the same for a day."""
    rng, kinds = Random(f"{day} {notebook}"), {}
    for path in find_files("[0-9][0-9]_*.cases.gz"):
        if int(path.name[:2]) < notebook:
            kinds.setdefault(path.name, header(path)["warm_up"])
    drawn = [(name, at) for name, rows in sorted(kinds.items()) for at in range(len(rows))]
    chosen = rng.sample(drawn, min(MOST, len(drawn)))
    return [from_json(rng.choice(kinds[name][at])) for name, at in chosen]


class WarmUp(widgets.VBox):
    """What `warm_up` returns: the questions, and how many first answers were right after the last of them."""

    def __init__(self, asked: list[list]):
        nothing = gettext(
            "There are no questions: put the files *.cases.gz of earlier notebooks, from exercises/, beside this one."
        )
        self.predictions, self.notes, self.result = [], [], widgets.HTML("" if asked else nothing)
        for number, (text, options, right, because, tree) in enumerate(asked, 1):
            words = gettext("Question {number} of {count}", number=number, count=len(asked))
            note = Note(words, [(N_("tree"), repr(tree))] if tree else [])
            note.pictures = [("", picture(tree))] if tree and find_spec("matplotlib") else []
            text, because, *shown = (numbers_in(translated(each)) for each in (text, because, *options))
            question = predict(text, *shown, right=options.index(right) + 1, because=because)
            question.observe(self._count, "tried")
            self.predictions.append(question)
            self.notes.append(note.html())
        parts = [part for pair in zip(map(widgets.HTML, self.notes), self.predictions) for part in pair]
        super().__init__([*parts, self.result])

    def _count(self, _: Any) -> None:
        if all(question.tried for question in self.predictions):
            right = sum(question.tried[0] == question.right for question in self.predictions)
            words = gettext("{right} of {count} first answers were right.", right=right, count=len(self.predictions))
            self.result.value = f'<b role="status">{words}</b>'

    def html(self, shown: Callable[[Any], str] = Prediction._repr_html_) -> str:
        """The questions where no kernel runs; `shown` returns the HTML of a prediction."""
        questions = (note + shown(question) for note, question in zip(self.notes, self.predictions))
        return f'<div class="warm-up"><p>{self!r}</p>{"".join(questions)}</div>'

    def _repr_mimebundle_(self, **options):
        return super()._repr_mimebundle_(**options) | {"text/html": self.html()}

    def __repr__(self):
        return gettext("Questions on earlier notebooks. Run this cell for those of the day.")
