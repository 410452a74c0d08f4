"""Questions that the reader answers before reading on."""

import random
from html import escape

import anywidget
import traitlets

from course_lib.explore.bundle import StillWidget, script
from course_lib.games.validation import check_kind, check_whole
from course_lib.language import gettext


def predict(question: str, *options: str | tuple[str, str], right: int, because: str) -> "Prediction":
    """A `Prediction`: the reader picks an option and presses Check, and reads whether it is correct, and why.

    `right` is the number of the correct option, counted from 1; `because` is the reason. A wrong option is a text, or a
    pair (text, why it is wrong). After the first wrong answer the reader chooses again; after the second one the
    correct answer is shown. The options are shuffled, in the same order for the same question. `ValueError` for fewer
    than two options, equal ones, or a `right` that is not the number of an option.
    """
    check_kind(str, question=question, because=because)
    pairs = [option if isinstance(option, tuple) else (option, "") for option in options]
    texts = [text for text, *_ in pairs]
    if any(len(pair) != 2 for pair in pairs) or len(set(texts)) < max(2, len(texts)):
        raise ValueError(f"expected two or more different options after the question, got {options!r}")
    check_whole(1, len(options), right=right)
    pairs[right - 1] = texts[right - 1], because
    order = random.Random(question).sample(range(len(options)), len(options))
    return Prediction(question, [pairs[number] for number in order], order.index(right - 1))


class Prediction(StillWidget, anywidget.AnyWidget):
    """What `predict` returns. predict.js checks the answer in the browser, without a kernel.

    `options` and `reasons` are in the order in which they are shown, `right` is the index of the correct one, `picked`
    the index of the option that the reader has picked, and `tried` lists those checked so far. Without scripts, the
    question is shown with the answer folded below it.
    """

    page_name = "predict"
    _esm = property(lambda _: script("predict.js"))
    question = traitlets.Unicode().tag(sync=True)
    options = traitlets.List().tag(sync=True)
    reasons = traitlets.List().tag(sync=True)
    right = traitlets.Int().tag(sync=True)
    picked = traitlets.Int(-1).tag(sync=True)
    tried = traitlets.List().tag(sync=True)

    def __init__(self, question: str, pairs: list[tuple[str, str]], right: int) -> None:
        options, reasons = map(list, zip(*pairs))
        super().__init__(question=question, options=options, reasons=reasons, right=right)

    def __repr__(self) -> str:
        return "\n".join([self.question, *(f"{number}. {option}" for number, option in enumerate(self.options, 1))])

    def _repr_html_(self) -> str:
        """The question with the answer folded below it, for readers without scripts."""
        listed = "".join(f"<li>{escape(option)}</li>" for option in self.options)
        reasons = dict(zip(self.options, self.reasons))
        order = sorted((o for o in self.options if reasons[o]), key=lambda o: o != self.options[self.right])
        answer = " ".join(f"<p><b>{escape(option)}</b>: {escape(reasons[option])}</p>" for option in order)
        folded = f"<details><summary>{gettext('Answer')}</summary>{answer}</details>"
        return f"<p><b>{escape(self.question)}</b></p><ol>{listed}</ol>{folded}"

    def _still(self):
        return {"text/html": self._repr_html_()}, {}
