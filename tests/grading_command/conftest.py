"""The sandbox, for tests that need one."""

import pytest

from instructor.grade.sandbox import check_sandbox
from needs import skip_for_want_of


@pytest.fixture(scope="session")
def bubblewrap():
    """Student code can be run in bubblewrap; where a machine forbids that, the tests say why they are skipped."""
    try:
        check_sandbox()
    except ValueError as why_not:
        if "is missing" in str(why_not):
            skip_for_want_of("bubblewrap", "bubblewrap libseccomp2")
        pytest.skip(str(why_not))
