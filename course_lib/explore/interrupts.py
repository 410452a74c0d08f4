"""A cell that the reader interrupts shows one line, not a traceback; one that lacks a name, where it may come from."""

from types import TracebackType
from typing import Any

from IPython import get_ipython
from IPython.core.interactiveshell import InteractiveShell

from course_lib.language import N_, gettext

WORDS = N_("KeyboardInterrupt: you have interrupted this cell. To start over, run it again.")
MISSING = N_("Is it defined in a cell above? Run that cell first, or all: Run → Run All Above Selected Cell.")


def show(shell: InteractiveShell, kind: type, error: BaseException, trace: TracebackType, **options: Any) -> None:
    """Show `WORDS` in place of an interrupt's traceback, and `MISSING` below that of a name that is not defined."""
    if kind is KeyboardInterrupt:
        shell._showtraceback(kind, error, [gettext(WORDS)])
    else:
        lines = shell.InteractiveTB.structured_traceback(kind, error, trace, **options)
        shell._showtraceback(kind, error, lines + [gettext(MISSING)] * (kind is NameError))  # not of UnboundLocalError


def register(shell: InteractiveShell | None) -> None:
    """Show them this way from now on, unless the shell already has handlers."""
    if shell is not None and not shell.custom_exceptions:
        shell.set_custom_exc((KeyboardInterrupt, NameError), show)


register(get_ipython())
