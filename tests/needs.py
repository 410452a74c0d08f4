"""What a test does where a program that it needs is not installed."""

import os

import pytest


def skip_for_want_of(program, debian_package):
    """Skip the test and name the package; where CI=true the test fails instead, for CI has to install everything."""
    reason = f"{program} is missing: on Debian and Ubuntu, `apt install {debian_package}`"
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)
