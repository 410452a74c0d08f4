"""After a cut, documents are brought up to date, and texts that speak of what is gone are named."""

import shutil
import subprocess

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
    told = list(documents.dangling(course))
    assert not told, "correct by hand:\n" + "\n".join(told)


def test_a_removed_notebook_leaves_the_table_and_what_names_it_is_told(course):
    for path in course.glob("*s/05_expectimax.*"):
        path.unlink()
    documents.agree(course)
    readme, guide = ((course / name).read_text(encoding="utf-8") for name in ("README.md", "docs/teaching.md"))
    assert "05_expectimax" not in readme and "\nSix Jupyter notebooks" in readme
    assert documents.re.findall(r"^\| (\d) \| [\d, ]+ \| \d+ of", guide, documents.re.M) == list("123467")
    named = "\n".join(documents.dangling(course))
    assert "docs/teaching.md still names " in named and max(map(len, named.splitlines())) <= 100
    assert "README.md still" not in named  # it says "by hand", which is also the title of a section that is gone
    assert "ex. 5: 1 to 3" in named and "notebook 5" in named and "mistake “the model ignored”" in named


def test_a_removed_section_shortens_the_minutes_and_what_promises_it_is_told(course):
    path = course / "notebooks" / "02_minimax.ipynb"
    notebook = documents.nbformat.read(path, as_version=4)
    before = documents.minutes(notebook.cells)
    starts = [n for n, cell in enumerate(notebook.cells) if cell.source.startswith("## ")] + [len(notebook.cells)]
    first = next(n for n in starts if notebook.cells[n].source.startswith("## Which column wins?"))
    del notebook.cells[first : starts[starts.index(first) + 1]]
    documents.nbformat.write(notebook, path)
    documents.agree(course)
    after = documents.minutes(notebook.cells)
    assert after["further"] == before["further"] and after["core"] < before["core"]
    assert f"**Time**: about {after['core']} minutes" in path.read_text(encoding="utf-8")
    assert f"(notebooks/{path.name}) | {sum(after.values())} +" in (course / "README.md").read_text(encoding="utf-8")
    [told] = [sentence for sentence in documents.dangling(course) if "teaching" in sentence]
    assert "section “Which column wins?”" in told
