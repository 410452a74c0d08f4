"""The library's own source, to read in a notebook."""

import inspect
import re
import textwrap
from collections.abc import Callable

from IPython.display import display


def show_source(*functions: Callable) -> None:
    """Show the source of these functions or classes as it stands in their files, in the colours of the notebook.

    Only long lines of their docstrings are folded, so that they fit in a narrow window.
    """
    for function in functions:
        try:
            source = textwrap.dedent(inspect.getsource(function)).rstrip()
        except (TypeError, OSError):
            raise ValueError(f"show_source shows functions and classes written in Python, not {function!r}") from None
        source = re.sub(r'"""(?:.|\n)*?"""', _folded, source)
        display({"text/plain": source, "text/html": _in_colours(source)}, raw=True)


def _in_colours(source):
    """The source as HTML with the classes of Pygments, to which JupyterLab, Notebook 7 and nbconvert give colours.

    A line that is too long for the window goes on below where it begins, and one of code four columns to the right.
    """
    from pygments import highlight  # these take as long to import as all of our searches
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    marked = highlight(source, PythonLexer(), HtmlFormatter(nowrap=True))
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
