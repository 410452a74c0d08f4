"""What a test does where a program or a notebook that it needs is missing."""

import os

import pytest

from instructor.questions import ROOT


def skip_for_want_of(program, debian_package):
    """Skip the test and name the package; where CI=true the test fails instead, for CI has to install everything."""
    reason = f"{program} is missing: on Debian and Ubuntu, `apt install {debian_package}`"
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def skip_module_without(notebook):
    """Skip all tests of a module whose examples are answers to a notebook that a lecturer has removed."""
    if not (ROOT / "solutions" / f"{notebook}.ipynb").exists():
        pytest.skip(f"the course has no exercises {notebook}", allow_module_level=True)
