"""Runs unit tests where there is no NumPy, no process and no thread, and skips those that need one of them."""

import re

import pytest
from hypothesis import settings

ROOMS = ["games", "search", "watch", "explore", "check"]
WANTING = (
    "No module named '(numpy|matplotlib|autograd|nbformat|nbclient|nbgrader|playwright|pyspiel|open_spiel|easyAI)",
    "does not support processes",
    "can't start new thread",
    "'image/png'",  # a still picture, which Matplotlib draws
)
"""What is told where a test needs what is not there."""


class Skips:
    """A plugin of pytest's: what fails for want of one of `WANTING` is skipped, in a test and where a file begins."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        return without_what_is_wanting((yield))

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector):
        return without_what_is_wanting((yield))


def without_what_is_wanting(report):
    told = str(report.longrepr) if report.failed else ""
    wanting = next(filter(None, (re.search(text, told) for text in WANTING)), None)
    if wanting:
        report.outcome, report.longrepr = "skipped", ("", 0, wanting[0])
    return report


def run(tests):
    """pytest's exit code; it lists what was skipped and why, and how many tests passed in each file."""
    settings.register_profile("here", deadline=None, max_examples=20, database=None)
    settings.load_profile("here")
    options = ["-o", "addopts=--import-mode=importlib", "-p", "no:cacheprovider", "--noconftest", "-m", "not slow"]
    return int(pytest.main([*options, "-rs", *(tests or [f"tests/{room}" for room in ROOMS])], plugins=[Skips()]))
