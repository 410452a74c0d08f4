"""What a cell shows that lacks a name."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from course_lib.explore.notebook import MISSING, register


@pytest.fixture
def shell(monkeypatch):
    shell = InteractiveShell()
    shell.shown = []
    monkeypatch.setattr(shell, "_showtraceback", lambda kind, error, lines: shell.shown.append((kind, lines)))
    return shell


def test_a_missing_name_may_be_defined_in_a_cell_above(shell):
    register(shell)
    shell.run_cell("rules")
    shell.run_cell("def f():\n    x += 1\nf()")
    (kind, lines), (_, others) = shell.shown
    assert kind is NameError and lines[-1] == MISSING and MISSING not in others
    assert "name 'rules' is not defined" in lines[-2]


def test_handlers_of_the_reader_are_kept(shell):
    shell.set_custom_exc((ValueError,), lambda shell, *error, tb_offset=None: None)
    register(shell)
    assert shell.custom_exceptions == (ValueError,)
