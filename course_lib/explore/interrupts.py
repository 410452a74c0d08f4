"""A cell that the reader interrupts shows one line, instead of the traceback of what was running."""

from IPython import get_ipython
from IPython.core.interactiveshell import InteractiveShell

WORDS = "KeyboardInterrupt: you have interrupted this cell. To start over, run it again."


def show_one_line(shell: InteractiveShell, kind: type, error: BaseException, *_: object, **__: object) -> None:
    """Show `WORDS` in place of a traceback."""
    shell._showtraceback(kind, error, [WORDS])


def register(shell: InteractiveShell | None) -> None:
    """Show interrupts this way from now on, unless the shell already has handlers."""
    if shell is not None and not shell.custom_exceptions:
        shell.set_custom_exc((KeyboardInterrupt,), show_one_line)


register(get_ipython())
