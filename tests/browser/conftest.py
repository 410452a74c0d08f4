"""One browser and one page of JupyterLab for the tests of this folder: to load JupyterLab takes longer than a test."""

import pytest

from lab import (
    SHEET,
    VIEWPORT,
    fill_and_run,
    listened_to,
    open_notebook,
    output,
    reset_settings,
    running_chromium,
    set_theme,
    signed_in,
    write_notebook,
)


@pytest.fixture(scope="package")
def browser():
    """A headless Chromium."""
    with running_chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def visit(browser, lab):
    """Signed in to JupyterLab."""
    with signed_in(browser, lab) as context:
        yield context


@pytest.fixture(scope="package")
def shared_page(visit, lab):
    """The page that `page` hands out, with its notebook open."""
    reset_settings(lab)
    write_notebook(lab.root / SHEET, [])
    page = listened_to(visit.new_page())
    open_notebook(page, SHEET)
    yield page
    page.close()


@pytest.fixture
def page(shared_page):
    """One page of JupyterLab for all tests of this folder, in its light theme; an error on its console fails the test.

    `fill_and_run` makes its notebook one of other cells, `open_in_place` shows another notebook. What would leave the
    page another one takes `visit.new_page()`.
    """
    shared_page.set_viewport_size(VIEWPORT)
    shared_page.emulate_media(media="null", color_scheme="null", reduced_motion="null", forced_colors="null")
    set_theme(shared_page, dark=False)
    shared_page.console_errors.clear()
    yield shared_page
    assert shared_page.console_errors == [], "the browser's console showed errors"


SETUP = """from course_lib.explore import *
from course_lib.games import *
from course_lib.search import *
tree = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])"""


@pytest.fixture
def shown(page):
    """A function that runs these cells after the set-up and returns what the last one shows."""

    def show(*cells):
        fill_and_run(page, [SETUP, *cells])
        return output(page, len(cells))

    return show
