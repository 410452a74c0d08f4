"""The library's own source, to read in a notebook."""

import inspect
import textwrap
from collections.abc import Callable

from IPython.display import display

STYLE = (
    # nbconvert has no fixed width for <pre> in outputs, and JupyterLab breaks it within words.
    "margin-bottom: 1em; white-space: pre-wrap; word-break: normal; font-family: var(--jp-code-font-family, monospace)"
)


def show_source(*functions: Callable) -> None:
    """Show the source of these functions or classes as it stands in their files, in the colours of the notebook."""
    from pygments import highlight  # these take as long to import as all of our searches
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    for function in functions:
        try:
            source = textwrap.dedent(inspect.getsource(function)).rstrip()
        except (TypeError, OSError):
            raise ValueError(f"show_source shows functions and classes written in Python, not {function!r}") from None
        # JupyterLab, Notebook 7 and nbconvert give colours to the classes of Pygments.
        marked = highlight(source, PythonLexer(), HtmlFormatter(nowrap=True))
        html = f'<div class="highlight"><pre style="{STYLE}">{marked}</pre></div>'
        display({"text/plain": source, "text/html": html}, raw=True)
