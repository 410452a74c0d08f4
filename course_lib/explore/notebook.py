"""What a notebook shows: the source of code; one line for an interrupt; errors in the language of the course."""

import inspect
import re
import textwrap
from collections.abc import Callable
from types import TracebackType
from typing import Any

from IPython import get_ipython
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import display

from course_lib.language import N_, gettext, translated

STYLE = (
    # nbconvert has no fixed width for <pre> in outputs, and JupyterLab breaks it within words.
    "margin-bottom: 1em; white-space: pre-wrap; word-break: normal; font-family: var(--jp-code-font-family, monospace)"
)

EXAMPLES = re.compile(r'\n\n +>>> .*?(?=\n +""")', re.S)
"""Examples at the end of a docstring, which are for the reference."""
WORDS = N_("KeyboardInterrupt: you have interrupted this cell. To start over, run it again.")
SHOWN = KeyboardInterrupt, NameError, ValueError, NotImplementedError, RecursionError, FileNotFoundError
MISSING = N_("Is it defined in a cell above? Run that cell first, or all: Run → Run All Above Selected Cell.")


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


def show(shell: InteractiveShell, kind: type, error: BaseException, trace: TracebackType, **options: Any) -> None:
    """Show `WORDS` in place of an interrupt's traceback, and `MISSING` below that of a name that is not defined.

    The library's own errors are raised in English, and shown in the language of the course.
    """
    if kind is KeyboardInterrupt:
        shell._showtraceback(kind, error, [gettext(WORDS)])
        return
    if kind is NameError:  # not UnboundLocalError
        error.add_note(gettext(MISSING))
    errors: list = [error]
    for each in errors:  # grows by those before
        if isinstance(each, SHOWN) and len(each.args) == 1:
            each.args = (translated(str(each.args[0])),)
        errors += {each.__cause__, each.__context__} - {None, *errors}
    shell.showtraceback((kind, error, trace), **options)


def register(shell: InteractiveShell | None) -> None:
    """Show it from now on, unless the shell already has handlers."""
    if shell is not None and not shell.custom_exceptions:
        shell.set_custom_exc(SHOWN, show)


register(get_ipython())
