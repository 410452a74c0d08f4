"""What an interrupted cell shows, and one that lacks a name."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from course_lib.explore.notebook import MISSING, WORDS, register


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


def test_a_missing_name_may_be_defined_in_a_cell_above(shell):
    register(shell)
    shell.run_cell("rules")
    shell.run_cell("def f():\n    x += 1\nf()")
    (kind, lines), (_, others) = shell.shown
    assert kind is NameError and MISSING in lines[-1] and MISSING not in "".join(others)
    assert "name 'rules' is not defined" in lines[-2]


def test_the_errors_of_the_library_are_shown_in_the_language_of_the_course(shell, monkeypatch):
    monkeypatch.setenv("COURSE_LANGUAGE", "fr")
    register(shell)
    shell.run_cell("from course_lib.explore import explore\ntry:\n    explore(len)\nexcept ValueError as error:\n"
                   "    try:\n        1 / 0\n    except ZeroDivisionError as other:\n"
                   "        raise error from other  # which came after it, too")  # fmt: skip
    ((_, lines),) = shell.shown
    assert "len est une fonction" in lines[-1]


def test_handlers_of_the_reader_are_kept(shell):
    shell.set_custom_exc((ValueError,), lambda shell, *error, tb_offset=None: None)
    register(shell)
    assert shell.custom_exceptions == (ValueError,)
