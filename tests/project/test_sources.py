"""SOURCES.md names headings and questions that exist; notebooks cite by authors, and end with their literature."""

import re
from functools import cache
from pathlib import Path

import nbformat
import pytest
from course_lib.check.question import NOTEBOOKS

ROOT = Path(__file__).parents[2]
SOURCES = (ROOT / "SOURCES.md").read_text()
FILES = ["000", "001", "002", "003", "004"]
TABLES = re.split(r"^## ", SOURCES, flags=re.M)[1:]
"""One section a document, each with its table."""

OF_A_NOTEBOOK = re.compile(r"(?<![\w.])(\d) ((?:“[^”]+”(?:, )?)+)")
OF_AN_EXERCISE = re.compile(r"exercise (\d)\.(\d) “([^”]+)”")
AIMA = "*Artificial Intelligence: A Modern Approach*"


@cache
def cells_of(folder, name):
    return nbformat.read(ROOT / folder / f"{name}.ipynb", as_version=4).cells


def markdown(folder, name):
    """The text of a notebook, from its first markdown cell to its last."""
    return "\n\n".join(cell.source for cell in cells_of(folder, name) if cell.cell_type == "markdown")


def headings(folder, number):
    """The headings of the notebook with this number, without their emphasis."""
    lines = re.findall(r"^#+ (.+)$", markdown(folder, NOTEBOOKS[int(number) - 1]), re.M)
    return [line.replace("*", "") for line in lines]


def rows(section):
    """(there, here) of each row of a section's table."""
    cells = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return [(there, here) for there, here in cells if there != "there"]


def test_each_document_is_cited_and_has_a_table():
    cited = re.findall(r"^\| `(\d+)` \| ", SOURCES, re.M)
    assert cited == [section[1:4] for section in TABLES] == FILES
    assert all(len(rows(section)) >= 8 for section in TABLES)


@pytest.mark.parametrize(("there", "here"), [row for section in TABLES for row in rows(section)])
def test_what_a_row_names_exists(there, here):
    rest = OF_AN_EXERCISE.sub("", here)
    named = [(number, title) for number, group in OF_A_NOTEBOOK.findall(rest) for title in re.findall("“(.+?)”", group)]
    assert named
    assert [pair for pair in named if pair[1] not in headings("notebooks", pair[0])] == []
    assert re.sub("[;, ]", "", OF_A_NOTEBOOK.sub("", rest)) == ""
    for number, question, title in OF_AN_EXERCISE.findall(here):
        titles = [re.sub(r" \(\d+ points?\)$", "", heading) for heading in headings("solutions", number)]
        assert f"{question}. {title}" in titles


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_ends_with_its_literature_and_what_comes_next(name):
    *_, literature, last = re.findall(r"^## (.+)$", markdown("notebooks", name), re.M)
    assert literature == "Literature"
    assert last in ("Next", "What comes next")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_textbook_is_spelt_out_where_it_is_first_named(name):
    text = markdown("notebooks", name)
    assert "AIMA" not in text or AIMA in text[: text.index("AIMA")]
    assert set(re.findall(r"AIMA\S*,? (\d)\w\w edition", text)) <= {"4"}


@pytest.mark.parametrize("folder", ["notebooks", "solutions"])
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_no_document_goes_by_its_number(folder, name):
    assert [
        cell.id for cell in cells_of(folder, name) if re.search(r"(`|[a-z]_|[Ss]ources? )00[0-4]\b", cell.source)
    ] == []


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_links_of_a_notebook_lead_somewhere(name):
    links = re.findall(r"\]\(([^)\s]+)\)", markdown("notebooks", name))
    here = [link for link in links if "://" not in link]
    assert "../SOURCES.md" in here
    assert [link for link in here if not (ROOT / "notebooks" / link).is_file()] == []


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_link_of_a_doi_is_that_doi(name):
    links = re.findall(r"\[doi:(10\.\S+?)\]\(https://doi\.org/(\S+)\)", markdown("notebooks", name))
    assert len(links) == markdown("notebooks", name).count("doi:")
    unquoted = [(shown, link.replace("%28", "(").replace("%29", ")")) for shown, link in links]
    assert [pair for pair in unquoted if pair[0] != pair[1]] == []
