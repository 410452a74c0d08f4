"""In which order tests run, and fixtures for tests in a real JupyterLab; tests/lab.py tells how to use these."""

import itertools
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import expect, sync_playwright

from lab import CHROMIUM_FLAGS, find_chromium, reset_settings, running_lab, shut_down_kernels, write_notebook
from needs import skip_for_want_of

ROOT = Path(__file__).parents[1]
settings.register_profile("course", deadline=None, max_examples=50)  # a slow machine is no failure
settings.register_profile("thorough", deadline=None, max_examples=200)
settings.load_profile("thorough" if os.environ.get("CI") == "true" else "course")
FOLDERS = ("notebooks", "solutions", "exercises")
PATIENCE = 30_000
"""Milliseconds until a page that does not become as expected fails its test: a busy machine is slow, not wrong."""

expect.set_options(timeout=PATIENCE)


FIRST = (
    "tests/browser/test_notebooks.py",
    "notebooks/06",
    "notebooks/07",
    "tests/browser",
    "notebooks",
    "tests/check",
    "tests/grading_command",
)
"""What takes longest, and so begins first: the workers end together. All else follows in pytest's own order."""


def pytest_collection_modifyitems(items):
    """Put the longest first: xdist hands out whole files in this order, to the worker that is free."""
    items.sort(key=turn)


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
    with sync_playwright() as playwright:
        path = find_chromium(playwright)
        if path is None:
            skip_for_want_of("Chromium", "chromium")
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def visit(browser, lab):
    """Signed in to JupyterLab, for many pages: its scripts are loaded and compiled with the first of them only."""
    context = browser.new_context(base_url=lab.url, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE)
    context.request.get(f"/api/status?token={lab.token}")  # the answer's cookie signs pages in
    yield context
    context.close()


@pytest.fixture
def page(visit, lab):
    """A new page in the browser, signed in to JupyterLab; an error on its console fails the test."""
    reset_settings(lab)
    page = visit.new_page()
    page.console_errors = []
    page.on("console", lambda said: page.console_errors.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: page.console_errors.append(str(error)))
    yield page
    errors = list(page.console_errors)
    shut_down_kernels(page)
    page.close()
    assert errors == [], "the browser's console showed errors"


@pytest.fixture
def scratch_notebook(lab):
    """A function that writes a notebook of the given code cells and returns its path for `open_notebook`."""
    numbers = itertools.count(1)

    def write(cells):
        path = next(path for n in numbers if not (path := lab.root / "scratch" / f"{n}.ipynb").exists())
        write_notebook(path, cells)
        return path.relative_to(lab.root).as_posix()

    return write
