"""The examples in the reference run, and each package has some, but for that of the checks."""

import doctest
import sys
from importlib import import_module

import pytest

from instructor.site.build import PACKAGES

pytest.importorskip("numpy")
WITHOUT = {"course_lib.check"}  # checks are asked in notebooks


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
    assert tried or name in WITHOUT
