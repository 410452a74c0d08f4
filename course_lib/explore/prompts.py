"""Questions to commit to before reading on."""

from html import escape

import ipywidgets

from course_lib.explore.rerun import close_on_rerun
from course_lib.explore.scripts import style
from course_lib.games.checks import check_whole

# (Radio buttons would need the arrow keys, which JupyterLab takes for itself.)
STYLE = f"<style>{style('controls.css')}</style>"


def predict(question, *options, right, because):
    """A `Prediction`: a question whose reader picks an answer, presses Check, and is told whether it is right, and why.

    `right` is the number of the right option, counted from 1; `because` is the reason.
    """
    for text in (question, *options, because):
        if not isinstance(text, str) or not text.strip():
            raise ValueError(f"the question, the options and the reason are texts, not {text!r}")
    if len(set(options)) < max(2, len(options)):
        raise ValueError(f"after the question come two or more options, all different, not {options!r}")
    check_whole(1, len(options), right=right)
    return Prediction(question, options, options[right - 1], because)


class Prediction(ipywidgets.VBox):
    """What `predict` returns. Without a kernel it is the question, with the answer folded below it."""

    def __init__(self, question, options, answer, because):
        self.question, self.options, self.answer, self.because = question, options, answer, because
        self.choice = ipywidgets.ToggleButtons(options=options, index=None, layout={"width": "auto"})
        self.check = ipywidgets.Button(description="Check", button_style="primary", disabled=True)
        self.verdict = ipywidgets.HTML()
        self.choice.observe(self._picked, "index")
        self.check.on_click(self._judge)
        asked = ipywidgets.HTML(f"{STYLE}<b>{escape(question)}</b>")
        super().__init__([asked, self.choice, self.check, self.verdict])
        self.add_class("course-predict").add_class("course-ui")
        close_on_rerun(self)

    def _picked(self, _):
        self.check.disabled, self.verdict.value = self.choice.index is None, ""

    def _judge(self, _):
        right = self.choice.value == self.answer
        verdict = "Right." if right else f"Not so. The answer: {self.answer}."
        self.verdict.value = f'<div role="status"><b>{escape(verdict)}</b> {escape(self.because)}</div>'

    def close(self):
        """End the widget, and what it is made of."""
        for child in self.children:
            child.close()
        super().close()

    def __repr__(self):
        return "\n".join([self.question, *(f"{number}. {option}" for number, option in enumerate(self.options, 1))])

    def _repr_mimebundle_(self, **kwargs):
        data = super()._repr_mimebundle_(**kwargs)
        listed = "".join(f"<li>{escape(option)}</li>" for option in self.options)
        answer = f"<details><summary>Answer</summary><b>{escape(self.answer)}</b>. {escape(self.because)}</details>"
        data["text/html"] = f"<p><b>{escape(self.question)}</b></p><ol>{listed}</ol>{answer}"
        return data
