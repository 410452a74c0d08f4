"""After a cut, documents are brought up to date, and texts that speak of what is gone are named."""

import re
import shutil
import subprocess

import nbformat
import pytest

from instructor import documents
from instructor.questions import ROOT


@pytest.fixture
def course(tmp_path):
    """A copy of the course's texts, committed."""
    for name in ("notebooks", "solutions", "docs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (*ROOT.glob("*.md"), ROOT / "CITATION.cff", ROOT / "course.toml"):
        shutil.copy(path, tmp_path)
    commit = ["-c", "user.name=A", "-c", "user.email=a@localhost", "commit", "-qm", "All"]
    for arguments in (["init", "-q"], ["add", "."], commit):
        subprocess.run(["git", "-C", tmp_path, *arguments], check=True)
    return tmp_path


def test_documents_that_agree_stay_as_they_are(course):
    documents.agree(course)
    assert subprocess.run(["git", "-C", course, "diff", "--exit-code"]).returncode == 0


def test_no_text_names_what_is_not_in_the_course(course):
    told = [*documents.undefined(course), *documents.dangling(course), *documents.promised(course)]
    assert not told, "correct by hand:\n" + "\n".join(told)


def test_a_removed_notebook_leaves_the_table_and_what_names_it_is_told(course):
    for path in course.glob("*s/05_expectimax.*"):
        path.unlink()
    documents.agree(course)
    readme, guide = ((course / name).read_text(encoding="utf-8") for name in ("README.md", "docs/teaching.md"))
    assert "05_expectimax" not in readme and "\nSix Jupyter notebooks" in readme
    assert re.findall(r"^\| (\d) \| [\d, ]+ \| \d+ of", guide, re.M) == list("123467")
    assert "in six Jupyter notebooks" in (course / "CITATION.cff").read_text(encoding="utf-8")
    named = "\n".join(documents.dangling(course))
    assert "docs/teaching.md still names " in named and max(map(len, named.splitlines())) <= 100
    assert "README.md still" not in named and "1. By hand" in (course / "solutions/02_minimax.ipynb").read_text()
    assert "section “By hand”" not in named and "The running example" not in named  # others have sections of this name
    assert "section “Move a probability”" in named and "section “the scale matters”" in named
    promised = "\n".join(documents.promised(course))
    assert "notebooks/05_expectimax.ipynb has lost this" in promised and "score_card.py" in promised
    assert "ex. 5: 1 to 3" in named and "notebook 5" in named and "mistake “the model ignored”" in named


def test_a_removed_notebook_is_found_in_a_list_of_numbers(course):
    for path in course.glob("*s/07_alphazero_lite.*"):
        path.unlink()
    [told] = [told for told in documents.dangling(course) if told.startswith("README.md")]
    assert "notebook 7" in told  # of "notebooks 2 to 7"


def removed_section(path, title):
    """The notebook without the cells of this section, stored again."""
    notebook = nbformat.read(path, as_version=4)
    starts = [n for n, cell in enumerate(notebook.cells) if cell.source.startswith("## ")] + [len(notebook.cells)]
    first = next(n for n in starts if notebook.cells[n].source.startswith(f"## {title}"))
    del notebook.cells[first : starts[starts.index(first) + 1]]
    nbformat.write(notebook, path)
    return notebook


def test_a_removed_section_shortens_the_minutes_and_what_promises_it_is_told(course):
    path = course / "notebooks" / "02_minimax.ipynb"
    before = documents.minutes(nbformat.read(path, as_version=4).cells)
    after = documents.minutes(removed_section(path, "Which column wins?").cells)
    documents.agree(course)
    assert after["further"] == before["further"] and after["core"] < before["core"]
    assert f"**Time**: about {after['core']} minutes" in path.read_text(encoding="utf-8")
    assert f"(notebooks/{path.name}) | {sum(after.values())} +" in (course / "README.md").read_text(encoding="utf-8")
    [told] = [sentence for sentence in documents.dangling(course) if "teaching" in sentence]
    assert "section “Which column wins”; section “which column wins”" in told
    [told] = documents.promised(course)
    assert told.startswith("notebooks/02_minimax.ipynb has lost this") and told.endswith("    Which column wins")


def test_lines_that_give_numbers_of_questions_are_told_if_these_have_changed(course):
    removed_section(course / "solutions" / "01_game_formalism.ipynb", "2. ")
    told = "\n".join(documents.promised(course))
    lines = (course / "docs" / "teaching.md").read_text(encoding="utf-8").splitlines()
    found = {lines[int(number) - 1] for number in re.findall(r"line (\d+)", told)}
    assert found == {line for line in lines if "ex. 1: 1" in line or re.match(r"\| 1 \| .* of 20 \|", line)}


@pytest.mark.parametrize(("cells", "told"), [
    (["import os.path as at", "def f(x):\n    return g(x, at)", "def g(x, y):\n    return x", "f(1)"], ""),
    (["%pip list", "print(n)", "print([n for n in range(3)], n)"], "n in code cell 2"),
    (["[a for a in b if c]", "class A:\n    d = e", "c = 1", "A().d"], "b in code cell 1; e in code cell 2"),
    (["with open('x') as f, f: pass", "for n in f:\n    n, *m = n", "m += n", "display(Max)"], "Max in code cell 4"),
])  # fmt: skip
def test_a_name_that_no_earlier_cell_defines_is_told(tmp_path, cells, told):
    (tmp_path / "notebooks").mkdir()
    new = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    nbformat.write(new, tmp_path / "notebooks" / "01_new.ipynb")
    found = list(documents.undefined(tmp_path))
    assert found == ([f"notebooks/01_new.ipynb uses what no earlier cell defines:\n    {told}"] if told else [])
