"""The committed notebooks as static HTML, `jupyter nbconvert --to html`: they read well without kernel and network."""

import re
import subprocess
import sys

import nbformat
import pytest
from playwright.sync_api import expect

from lab import REPOSITORY, lab_environment

pytestmark = pytest.mark.slow
NOTEBOOKS = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))
WITH_A_PICTURE = re.compile(r"\b(explore|practice|board|picture)\(")
SIGNS_OF_A_DEAD_WIDGET = ("model not found", "Loading widget", "Error displaying")
NARROW = {"width": 850, "height": 900}


def documented_options():
    """Those of the command in docs/site.md: they leave out the code of predictions, which contains the answers."""
    command = re.search(r"jupyter nbconvert (.+) notebooks/\*\.ipynb", (REPOSITORY / "docs/site.md").read_text())
    return command[1].split()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The folder of the notebooks' HTML pages."""
    folder = tmp_path_factory.mktemp("html")
    command = [sys.executable, "-m", "nbconvert", *documented_options(), "--output-dir", folder, *NOTEBOOKS]
    subprocess.run(command, cwd=REPOSITORY, env=lab_environment(folder), check=True, capture_output=True)
    return folder


@pytest.fixture
def offline(browser):
    """A page without network, in a narrow window."""
    context = browser.new_context(viewport=NARROW)
    context.route(re.compile("^http"), lambda route: route.abort())
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_static_replacements_of_widgets(offline, pages, path):
    page = offline
    page.goto((pages / path.with_suffix(".html").name).as_uri())
    for sign in SIGNS_OF_A_DEAD_WIDGET:
        expect(page.get_by_text(sign)).to_have_count(0)
    assert page.evaluate("Promise.all([...document.images].map(image => image.decode())).then(() => true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    for cell in nbformat.read(path, as_version=4).cells:
        shown = page.locator(f"[id='cell-id={cell.id}'] .jp-OutputArea-output")
        if cell.get("outputs"):
            assert shown.locator("img").count() or re.search(r"\w", shown.first.inner_text()), cell.source
        if cell.cell_type == "code" and WITH_A_PICTURE.search(cell.source):
            expect(shown.locator("img")).not_to_have_count(0)
        if cell.cell_type == "code" and "predict(" in cell.source:
            expect(shown.locator("li")).not_to_have_count(0)
            expect(shown.locator("details")).to_have_count(1)
            expect(page.get_by_text("because=")).to_have_count(0)
