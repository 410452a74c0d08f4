"""The source code of the library, shown in a notebook."""

import inspect
import re
import textwrap
from collections.abc import Callable

from IPython.display import display

STYLE = (
    # nbconvert has no fixed width for <pre> in outputs, and JupyterLab breaks it within words.
    "margin-bottom: 1em; white-space: pre-wrap; word-break: normal; font-family: var(--jp-code-font-family, monospace)"
)

EXAMPLES = re.compile(r'\n\n +>>> .*?(?=\n +""")', re.S)
"""Examples at the end of a docstring, which are for the reference."""


def show_source(*functions: Callable) -> None:
    """Show the source code of these functions or classes, with syntax highlighting, without docstrings' examples."""
    from pygments import highlight  # slow imports
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    for function in functions:
        try:
            source = EXAMPLES.sub("", textwrap.dedent(inspect.getsource(function)).rstrip())
        except (TypeError, OSError):
            raise ValueError(f"expected functions or classes written in Python, got {function!r}") from None
        # JupyterLab, Notebook 7 and nbconvert have styles for the classes of Pygments.
        marked = highlight(source, PythonLexer(), HtmlFormatter(nowrap=True))
        html = f'<div class="highlight"><pre style="{STYLE}">{marked}</pre></div>'
        display({"text/plain": source, "text/html": html}, raw=True)
