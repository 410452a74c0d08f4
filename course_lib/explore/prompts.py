"""Questions to commit to before reading on."""

from html import escape

import ipywidgets

from course_lib.explore.answers import read_number, same
from course_lib.explore.rerun import close_on_rerun
from course_lib.games.checks import check_whole

# Options are as long as they need to be, one below the other. (Radio buttons would need the arrow keys, which
# JupyterLab takes for itself.)
STYLE = """<style>
.course-predict .widget-toggle-buttons > div { display: flex; flex-direction: column; gap: 3px; width: fit-content }
.course-predict .widget-toggle-button { width: auto; height: auto; margin: 0; padding: 3px 10px; line-height: 20px;
  white-space: normal; text-align: left; border: 2px solid transparent }
.course-predict .widget-button:disabled { opacity: 1; color: var(--jp-ui-font-color1, #212121); cursor: default;
  background: var(--jp-layout-color2, #eee) }
.course-predict .widget-toggle-button.mod-active { border-color: var(--jp-brand-color1, #1976d2) }
.course-predict [role="status"] { line-height: 20px; max-width: 80ch }</style>"""


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
    """What `predict` returns. Without a kernel it is the question, with the answer folded below it.

    Without options a number is typed. `is_right` says whether the last answer checked is; None without one.
    """

    def __init__(self, question, options, answer, because):
        self.question, self.options, self.answer, self.because = question, options, answer, because
        self.is_right = None
        if options:
            self.choice = ipywidgets.ToggleButtons(options=options, index=None, layout={"width": "auto"})
        else:
            self.choice = ipywidgets.Text(placeholder="a number", tooltip="your answer, a number")
        self.check = ipywidgets.Button(description="Check", button_style="primary", disabled=True)
        self.verdict = ipywidgets.HTML()
        self.choice.observe(self._picked, "value")
        self.check.on_click(self._judge)
        asked = ipywidgets.HTML(f"{STYLE}<b>{escape(question)}</b>")
        super().__init__([asked, self.choice, self.check, self.verdict])
        self.add_class("course-predict")
        close_on_rerun(self)

    def _picked(self, _):
        self.check.disabled, self.verdict.value = not self.choice.value, ""

    def _judge(self, _):
        given = self.choice.value
        if not self.options and read_number(given) is None:
            self.verdict.value = (
                f'<div role="status">{escape(given)} is no number: type one such as −3, 0.5 or 1/2.</div>'
            )
            return
        self.is_right = given == self.answer if self.options else same(given, self.answer)
        verdict = "Right." if self.is_right else f"Not so. The answer: {self.answer}."
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
