"""What an interrupted cell shows."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from course_lib.explore.interrupts import WORDS, register


@pytest.fixture
def shell(monkeypatch):
    shell = InteractiveShell()
    shell.shown = []
    monkeypatch.setattr(shell, "_showtraceback", lambda kind, error, lines: shell.shown.append((kind, lines)))
    return shell


def test_an_interrupt_shows_one_line_and_an_error_its_traceback(shell):
    register(shell)
    shell.run_cell("def search(depth):\n    if depth == 0: raise KeyboardInterrupt\n    search(depth - 1)\nsearch(50)")
    shell.run_cell("1 / 0")
    (kind, lines), (other, traceback) = shell.shown
    assert (kind, lines, other) == (KeyboardInterrupt, [WORDS], ZeroDivisionError)
    assert len(traceback) > 1


def test_handlers_of_the_reader_are_kept(shell):
    shell.set_custom_exc((ValueError,), lambda shell, *error, tb_offset=None: None)
    register(shell)
    assert shell.custom_exceptions == (ValueError,)
