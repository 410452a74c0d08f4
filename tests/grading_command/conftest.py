"""The sandbox, for tests that need one."""

import os

import pytest

from instructor.grade.sandbox import why_no_sandbox
from needs import skip_for_want_of


@pytest.fixture(scope="session")
def bubblewrap():
    """Student code can be run in bubblewrap; where a machine forbids that, the tests say why they are skipped."""
    why_not = why_no_sandbox()
    if "is missing" in why_not or os.name != "posix":
        skip_for_want_of("bubblewrap", "bubblewrap")
    if why_not:
        pytest.skip(why_not)
