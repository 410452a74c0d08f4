"""SOURCES.md names headings that exist; notebooks cite by authors, and end with their literature."""

import re
from functools import cache
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
TABLES = re.split(r"^## ", (ROOT / "SOURCES.md").read_text(), flags=re.M)[1:]
"""One section a document, each with its table."""
OF_A_NOTEBOOK = re.compile(r"(?<![\w.])(\d) ((?:“[^”]+”(?:, )?)+)")
OF_AN_EXERCISE = re.compile(r"exercise (\d)\.\d “([^”]+)”")
AIMA = "*Artificial Intelligence: A Modern Approach*"
pytestmark = pytest.mark.slow


@cache
def markdown(folder, name):
    """The text of a notebook, from its first markdown cell to its last."""
    cells = nbformat.read(ROOT / folder / f"{name}.ipynb", as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def headings(folder, number):
    """The headings of the notebook with this number, without their emphasis, number and points."""
    (name,) = [name for name in NOTEBOOKS if int(name[:2]) == int(number)]
    lines = re.findall(r"^#+ (.+)$", markdown(folder, name), re.M)
    return [re.sub(r"^\d\. | \(\d+ points?\)$", "", line.replace("*", "")) for line in lines]


def rows(section):
    """(there, here) of each row of a section's table."""
    cells = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return [(there, here) for there, here in cells if there != "there"]


@pytest.mark.parametrize(("there", "here"), [row for section in TABLES for row in rows(section)])
def test_what_a_row_names_exists(there, here):
    rest = OF_AN_EXERCISE.sub("", here)
    named = [(number, title) for number, group in OF_A_NOTEBOOK.findall(rest) for title in re.findall("“(.+?)”", group)]
    assert named
    assert [pair for pair in named if pair[1] not in headings("notebooks", pair[0])] == []
    assert all(title in headings("solutions", number) for number, title in OF_AN_EXERCISE.findall(here))


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_ends_with_its_literature_and_cites_by_authors(name):
    text = markdown("notebooks", name)
    *_, literature, last = re.findall(r"^## (.+)$", text, re.M)
    assert literature == "Literature" and last in ("Next", "What comes next")
    assert "AIMA" not in text or AIMA in text[: text.index("AIMA")]
    for folder in ("notebooks", "solutions"):
        assert not re.search(r"(`|[a-z]_|[Ss]ources? )00[0-4]\b", markdown(folder, name))


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_links_of_a_notebook_lead_somewhere(name):
    text = markdown("notebooks", name)
    here = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    assert "../SOURCES.md" in here
    assert [link for link in here if not (ROOT / "notebooks" / link).is_file()] == []
    links = re.findall(r"\[doi:(10\.\S+?)\]\(https://doi\.org/(\S+)\)", text)
    assert len(links) == text.count("doi:")
    assert all(shown == link.replace("%28", "(").replace("%29", ")") for shown, link in links)
