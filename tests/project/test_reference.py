"""The examples in docstrings run, and each package has some; checks are asked in notebooks."""

import doctest
import sys
from importlib import import_module

import pytest

pytest.importorskip("numpy")
PACKAGES = [f"course_lib.{name}" for name in ("games", "search", "alphazero", "watch", "explore")]


@pytest.mark.parametrize("name", PACKAGES)
def test_examples_run(name):
    package, tried = import_module(name), 0
    for offered in map(vars(package).get, package.__all__):
        if getattr(offered, "__module__", "").startswith(name):
            names = vars(sys.modules[offered.__module__])
            for test in doctest.DocTestFinder(recurse=False).find(offered, globs=names):
                result = doctest.DocTestRunner().run(test)
                assert result.failed == 0, test.name
                tried += result.attempted
    assert tried
