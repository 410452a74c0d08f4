"""Questions to commit to before reading on, and the library's own source to read."""

import inspect
import re
import textwrap
from html import escape

import ipywidgets
from IPython.display import Code, display

from course_lib.explore.rerun import close_on_rerun

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
    if not isinstance(right, int) or isinstance(right, bool) or not 1 <= right <= len(options):
        raise ValueError(f"right is the number of the right option, from 1 to {len(options)}, not {right!r}")
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
        self.add_class("course-predict")
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


def show_source(*functions):
    """Show the source of these functions or classes as it stands in their files, in the colours of the notebook.

    Only long lines of their docstrings are folded, so that they fit in a narrow window.
    """
    for function in functions:
        try:
            source = textwrap.dedent(inspect.getsource(function)).rstrip()
        except (TypeError, OSError):
            raise ValueError(f"show_source shows functions written in Python, and {function!r} is none") from None
        source = re.sub(r'"""(?:.|\n)*?"""', _folded, source)
        display({"text/plain": source, "text/html": _in_colours(source)}, raw=True)


def _in_colours(source):
    """The source as HTML with the classes of Pygments, to which JupyterLab, Notebook 7 and nbconvert give colours.

    A line that is too long for the window goes on below where it begins, and one of code four columns to the right.
    """
    marked = re.search("<pre>(.*)</pre>", Code(source, language="python")._repr_html_(), re.DOTALL)[1]
    lines = []
    for line, plain in zip(marked.splitlines(), source.splitlines()):
        columns = len(plain) - len(plain.lstrip()) + (0 if 'class="sd"' in line else 4)
        hang = f"{0.6 * columns:.1f}em"  # not in ch, which JupyterLab takes out where a notebook is not trusted
        lines.append(f'<span style="display: block; padding-left: {hang}; text-indent: -{hang}">{line}\n</span>')
    # nbconvert has no fixed width for <pre> in outputs, and JupyterLab breaks it within words.
    font = "font-family: var(--jp-code-font-family, monospace)"
    style = f"margin-bottom: 1em; white-space: pre-wrap; word-break: normal; {font}"
    return f'<div class="highlight"><pre style="{style}">{"".join(lines)}</pre></div>'


def _folded(docstring, width=64):
    """A docstring whose paragraphs are filled anew if a line is too long; the first line stands at the indentation."""
    text = docstring.group()
    lines = text.split("\n")[1:]
    if max(map(len, text.split("\n"))) <= width:
        return text
    margin = " " * min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=4)
    filled = [
        textwrap.fill(" ".join(paragraph.split()), width, initial_indent=margin, subsequent_indent=margin,
                      break_on_hyphens=False)
        for paragraph in text.removesuffix('"""').split("\n\n")
    ]  # fmt: skip
    end = f"\n{margin}" if len(lines) else ""
    return "\n\n".join(filled).lstrip() + end + '"""'
