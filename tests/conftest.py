"""In which order tests run, and fixtures for tests in a real JupyterLab; tests/lab.py tells how to use these."""

import os
import shutil
import tempfile
import uuid
from pathlib import Path

import nbval.kernel
import pytest
from hypothesis import settings
from nbval.kernel import KernelManager
from playwright.sync_api import expect

from lab import (
    PATIENCE,
    running_chromium,
    running_lab,
)

ROOT = Path(__file__).parents[1]
# No test sets how many examples it has; a slow machine is no failure.
settings.register_profile("course", deadline=None, max_examples=25)
settings.register_profile("thorough", deadline=None, max_examples=200)
FOLDERS = ("notebooks", "solutions", "exercises")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded: the workers share the cores
expect.set_options(timeout=PATIENCE)
SOCKETS = tempfile.TemporaryDirectory(prefix="kernels-")  # of nbval's kernels


FIRST = (
    "tests/site/test_run",
    "tests/check/test_recorded_answers",
    "tests/browser/test_notebooks",
    "tests/project/test_faults",
    "tests/grading_command",
    "tests/browser",
    "tests/check",
    "notebooks",
)
"""What takes longest, and so begins first: the workers end together. All else follows in pytest's own order.

The tests of the browser come one after the other, since they share a page.
"""


SLOW = ("exercises", "notebooks/03", "notebooks/04", "notebooks/05", "notebooks/06", "notebooks/07")


def pytest_configure(config):
    """In the second suite property tests try more examples. nbval's kernels are reached through files."""
    settings.load_profile("thorough" if config.option.markexpr == "slow" else "course")
    nbval.kernel.KernelManager = manager_of_files


def manager_of_files(**options):
    """A manager for a kernel with files as sockets: workers that look for free ports at once can find the same."""
    return KernelManager(transport="ipc", ip=f"{SOCKETS.name}/{uuid.uuid4().hex}", **options)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Put the longest first: xdist hands out whole files in this order, to the worker that is free.

    The second suite has the property tests, too, and it alone has the exercises without answers, as the solutions are
    run every day, and the notebooks that train a network or play long matches.
    """
    items.sort(key=turn)
    for item in items:
        is_property = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
        name = item.path.relative_to(ROOT).as_posix()
        if name.startswith(SLOW) or (is_property and config.option.markexpr == "slow"):
            item.add_marker("slow")


def turn(item):
    """The place in `FIRST` of the first entry that a test's path begins with."""
    path = item.path.relative_to(ROOT).as_posix()
    return next((place for place, begin in enumerate(FIRST) if path.startswith(begin)), len(FIRST))


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """A JupyterLab over copies of the course's notebooks: `lab.url`, and `lab.root`, the folder that it shows."""
    root = tmp_path_factory.mktemp("course")
    for folder in FOLDERS:
        if (ROOT / folder).is_dir():
            shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns(".*"))
    with running_lab(root, tmp_path_factory.mktemp("lab")) as lab:
        yield lab


# Not for the whole session: while playwright runs, this thread cannot use asyncio, and kernels are run with it.
@pytest.fixture(scope="module")
def browser():
    """A headless Chromium."""
    with running_chromium() as browser:
        yield browser
