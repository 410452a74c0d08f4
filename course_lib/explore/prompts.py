"""Questions to commit to before reading on."""

import random
from html import escape

import anywidget
import traitlets

from course_lib.explore.rerun import close_on_rerun
from course_lib.explore.scripts import script
from course_lib.games.checks import check_whole


def predict(question, *options, right, because):
    """A `Prediction`: a question whose reader picks an answer, presses Check, and is told whether it is right, and why.

    `right` is the number of the right option, counted from 1; `because` is the reason. A wrong option is a text, or a
    pair: (text, why it is wrong). After the first wrong answer the reader chooses again; after the second one the right
    answer is shown. The options are shuffled, always alike for one question. `ValueError` for fewer than two options,
    equal ones, or a `right` that is none of them.
    """
    pairs = [option if isinstance(option, tuple) else (option, "") for option in options]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError(f"an option is a text or a pair (text, why it is wrong), not {options!r}")
    reasons = [reason for pair, (_, reason) in zip(options, pairs) if isinstance(pair, tuple)]
    texts = [text for text, _ in pairs]
    for text in (question, *texts, *reasons, because):
        if not isinstance(text, str) or not text.strip():
            raise ValueError(f"the question, the options and the reasons are texts, not {text!r}")
    if len(set(texts)) < max(2, len(texts)):
        raise ValueError(f"after the question come two or more options, all different, not {options!r}")
    check_whole(1, len(options), right=right)
    if pairs[right - 1][1]:
        raise ValueError(f"option {right} is right: its reason is `because`, not {pairs[right - 1][1]!r}")
    pairs[right - 1] = texts[right - 1], because
    order = random.Random(question).sample(range(len(options)), len(options))
    return Prediction(question, [pairs[number] for number in order], order.index(right - 1))


class Prediction(anywidget.AnyWidget):
    """What `predict` returns. It judges in the browser (see predict.js), and needs no kernel.

    `options` and `reasons` are in the order in which they are shown, `right` is the place of the right one; `picked` is
    the option that the reader has picked, and `tried` lists those checked so far. Where no script runs, it is the
    question with the answer folded below it.
    """

    page_name = "predict"
    _esm = script("predict.js")
    question = traitlets.Unicode().tag(sync=True)
    options = traitlets.List().tag(sync=True)
    reasons = traitlets.List().tag(sync=True)
    right = traitlets.Int().tag(sync=True)
    picked = traitlets.Int(-1).tag(sync=True)
    tried = traitlets.List().tag(sync=True)

    def __init__(self, question, pairs, right):
        options, reasons = map(list, zip(*pairs))
        super().__init__(question=question, options=options, reasons=reasons, right=right)
        close_on_rerun(self)

    def __repr__(self):
        return "\n".join([self.question, *(f"{number}. {option}" for number, option in enumerate(self.options, 1))])

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs)
        listed = "".join(f"<li>{escape(option)}</li>" for option in self.options)
        told = [(option, reason) for option, reason in zip(self.options, self.reasons) if reason]
        told.insert(0, told.pop([option for option, _ in told].index(self.options[self.right])))
        answer = " ".join(f"<p><b>{escape(option)}</b>: {escape(reason)}</p>" for option, reason in told)
        folded = f"<details><summary>Answer</summary>{answer}</details>"
        data["text/html"] = f"<p><b>{escape(self.question)}</b></p><ol>{listed}</ol>{folded}"
        return data | {"text/plain": repr(self)}, metadata
