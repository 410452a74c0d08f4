"""The course in Notebook 7, the smaller of the two applications that Jupyter has for notebooks."""

import shutil

import pytest
from playwright.sync_api import expect

from lab import (
    REPOSITORY,
    cell_errors,
    cells,
    listened_to,
    open_notebook,
    run_cell,
    running_lab,
    scroll_through,
    signed_in,
)
from live import live_cells, with_what_they_need

NOTEBOOK = "02_minimax.ipynb"
KNOWN = "Cannot read properties of undefined (reading 'schema')"
"""Said on loading any notebook, an empty one too, and without our package: github.com/jupyter/notebook/issues/7862."""


@pytest.mark.slow
def test_the_explorers_and_boards_of_a_notebook_work(browser, tmp_path_factory):
    root = tmp_path_factory.mktemp("course")
    shutil.copy(REPOSITORY / "notebooks" / NOTEBOOK, root)
    with running_lab(root, tmp_path_factory.mktemp("notebook"), "notebook") as lab, signed_in(browser, lab) as context:
        page = listened_to(context.new_page())
        open_notebook(page, NOTEBOOK, at="notebooks")
        for index in with_what_they_need(cells(page), live_cells(cells(page))):
            run_cell(page, index)
        assert cell_errors(page) == []
        scroll_through(page)
        for sign_of_a_dead_widget in ("model not found", "Loading widget"):
            expect(page.get_by_text(sign_of_a_dead_widget)).to_have_count(0)
        assert set(page.console_errors) <= {KNOWN}
