"""What the README and CONTRIBUTING say holds: links, minutes, and the example; a recipe is followed in a copy."""

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest

from instructor.questions import notebooks

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
LINKS = re.findall(r"\]\(([^)\s]+)\)", README + CONTRIBUTING)
NOTEBOOKS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
APART = re.compile(r"^## (?:Literature|Glossary)$.*", re.S | re.M)
"""What a reader looks things up in."""
LONGER = {r"\b(warm_up|board|practice)\(": 4, r"\bpredict\(": 1.5}
"""Minutes for code cells with which a reader does something."""


def block(title, language=""):
    """The first block of code under a heading."""
    section = re.search(rf"^#+ {title}\n(.*?)(?=^#+ |\Z)", f"{README}\n{CONTRIBUTING}", re.M | re.S)[1]
    return re.search(rf"^```{language}\n(.*?)^```", section, re.M | re.S)[1]


@pytest.mark.parametrize("link", sorted({link for link in LINKS if not re.search("://|^#", link)}))
def test_a_link_to_a_file_finds_it(link):
    assert (ROOT / link).is_file()


def test_binder_opens_each_notebook_and_each_exercise_in_jupyterlab():
    opened = [parse_qs(urlsplit(link).query)["urlpath"][0] for link in LINKS if "mybinder.org/v2/gh/" in link]
    paths = [f"{folder}/{name}.ipynb" for name in NOTEBOOKS for folder in ("notebooks", "exercises")]
    assert opened == [f"lab/tree/{path}" for path in [paths[0], *paths]]  # the first is the button at the top
    assert all((ROOT / path).is_file() for path in paths)


def minutes(cells):
    """The minutes of the core and of the sections *Further* by the README's rule, to the next five."""
    spent, part = {"core": 0.0, "further": 0.0}, "core"
    for cell in cells:
        if cell.cell_type == "markdown":
            if heading := re.match(r"## (.*)", cell.source):
                part = "further" if heading[1].startswith("Further") else "core"
            spent[part] += len(APART.sub("", cell.source).split()) / 90
        else:
            spent[part] += next((time for name, time in LONGER.items() if re.search(name, cell.source)), 1)
    return {part: 5 * round(time / 5) for part, time in spent.items()}


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


def test_the_example_runs(tmp_path):
    code = block("For teachers and engineers: use its parts", "python")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "MPLBACKEND": "agg"})
    assert done.returncode == 0
    assert (tmp_path / "sheet.pdf").stat().st_size > 1000
