"""What README, CONTRIBUTING and the guides say holds: links, minutes, and examples."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from course_lib.check.tables import load
from instructor.documents import minutes
from instructor.questions import notebooks

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
GUIDES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
LINKS = {(path.relative_to(ROOT).as_posix(), link) for path in GUIDES
         for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text()) if "://" not in link}  # fmt: skip
NOTEBOOKS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


def heading_links(path):
    """The names by which GitHub links to the headings of a page."""
    titles = re.findall(r"^#+ (.+)$", path.read_text(), re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize(("page", "link"), sorted(LINKS))
def test_a_link_leads_to_a_file_and_a_heading(page, link):
    name, _, heading = link.partition("#")
    target = (ROOT / page).parent / (name or Path(page).name)
    assert target.is_file() and (not heading or heading in heading_links(target))


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_minutes_of_a_notebook_are_those_of_its_words_cells_and_questions(name):
    cells = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4).cells
    told = re.search(rf"\(notebooks/{name}\.ipynb\) \| (\d+) \+ (\d+) \|", README)
    assert int(told[1]) == sum(minutes(cells).values())
    assert int(told[2]) == 10 * len(notebooks()[name].questions)
    head, *rest = [cell.source for cell in cells if cell.cell_type == "markdown"]
    core, further = re.search(r"\*\*Time\*\*: about (\d+) minutes.*about (\d+) more", head).groups()
    assert {"core": int(core), "further": int(further)} == minutes(cells)
    assert int(core) <= 90 and sum("**A good place to stop.**" in text for text in rest) == 1


@pytest.mark.slow
def test_the_numbers_of_the_paper_are_those_of_the_files():
    paper = " ".join((ROOT / "paper.md").read_text().split())
    tables = [table for name in NOTEBOOKS for table in load(ROOT / "exercises" / f"{name}.cases.gz").values()]
    known = {(table.identifier, mistake.name) for table in tables for mistake in table.mistakes}
    solved = sum(len(path.read_text().splitlines()) for path in ROOT.glob("course_lib/search/positions/*.txt"))
    own = sorted(len({*map(repr, table.content["cases"])}) for table in tables if table.personal)
    assert own == [150, *[300] * 6]
    for said in (f"have {len(tables)} questions", f"produced by {len(known)} mistakes", f"in {solved:,} positions",
                 f"from {own[1]} for each question ({own[0]} in notebook 4)"):  # fmt: skip
        assert said in paper
    assert f"{solved:,} positions" in README


@pytest.mark.parametrize("page", ["docs/using-the-parts.md", "docs/training.md", "CONTRIBUTING.md"])
def test_the_examples_run(page, tmp_path):
    code = re.search(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)[1]
    code = code.replace("game=Nim()", "game=Nim(), iterations=1")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "MPLBACKEND": "agg"})
    assert done.returncode == 0
    assert "parts" not in page or (tmp_path / "tree.html").stat().st_size > 1000
