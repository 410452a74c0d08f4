"""The students' zip: all that they need, no solution, nothing of the instructor's."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from instructor.questions import notebooks, plain_source
from instructor.release import FILES, release

ROOT = Path(__file__).parents[2]


@pytest.fixture
def course(tmp_path):
    """A course with the checkout's library and one exercise."""
    course = tmp_path / "checkout"
    shutil.copytree(ROOT / "course_lib", course / "course_lib")
    for name in ("pyproject.toml", "README.md", "LICENSE", "requirements.txt", "solutions/02_minimax.ipynb",
                 "solutions/02_minimax.py", "exercises/02_minimax.ipynb", "exercises/02_minimax.cases.gz",
                 "notebooks/02_minimax.ipynb"):  # fmt: skip
        (course / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, course / name)
    (course / ".grading").mkdir()
    (course / ".grading" / "seed.json").write_text("5")
    return course


def test_there_are_no_solutions_and_what_is_left_works(course, tmp_path):
    names = release(course, tmp_path / "course.zip")
    assert "exercises/02_minimax.cases.gz" in names and "course_lib/check/notebook.py" in names
    assert not [n for n in names if n.startswith(("solutions", "instructor", "tests", ".")) or "seed" in n]
    subprocess.run(["unzip", "-q", tmp_path / "course.zip", "-d", tmp_path], check=True)
    unpacked = tmp_path / "course"
    assert sorted(p.relative_to(unpacked).as_posix() for p in unpacked.rglob("*") if p.is_file()) == sorted(names)
    assert oct((unpacked / "README.md").stat().st_mode)[-3:] == "644"
    links = re.findall(r"\]\(([\w./]+)\)", (unpacked / "README.md").read_text())
    assert {link for link in links if not link.startswith("notebooks/")} <= {*FILES}
    check = "import course_lib.check as c, course_lib; print(course_lib.__file__); c.check('minimax.memory', ...)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run = subprocess.run([sys.executable, "-c", check], cwd=unpacked, env=environment, capture_output=True, text=True)
    assert str(tmp_path) in run.stdout and "not answered yet" in run.stderr
    release(course, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == (tmp_path / "course.zip").read_bytes()


def test_no_line_of_a_solution_or_a_known_mistake_is_in_it(course, tmp_path):
    names = release(course, tmp_path / "course.zip")
    with zipfile.ZipFile(tmp_path / "course.zip") as archive:
        own = {name: archive.read(f"course/{name}").decode(errors="replace") for name in names
               if not name.startswith(("course_lib/search", "course_lib/alphazero", "notebooks"))}  # fmt: skip
    lines = set()
    for cell in notebooks()["02_minimax"].cells:
        solution = re.findall("### BEGIN SOLUTION(.*?)### END SOLUTION", cell["source"], re.S)
        lines |= {line.strip() for part in solution for line in plain_source(part).splitlines()}
    long = [line for line in lines if len(line) > 45]
    assert len(long) > 5
    assert [(name, line) for line in long for name, text in own.items() if line in text] == []


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [("exercises/marks.csv", "", r"do not belong .*: exercises/marks\.csv"),
     ("exercises/05_old.ipynb", "{}", r"do not belong .*: exercises/05_old\.ipynb"),
     ("notebooks/notes.txt", "", r"do not belong .*: notebooks/notes\.txt"),
     ("exercises/02_minimax.ipynb", "### BEGIN SOLUTION", "holds a solution"),
     ("solutions/03_alpha_beta.ipynb", "{}", "exercises has no 03_alpha_beta")],
)  # fmt: skip
def test_what_does_not_belong_or_is_missing_stops_it(course, tmp_path, name, content, told):
    (course / name).write_text(content)
    with pytest.raises(ValueError, match=told):
        release(course, tmp_path / "course.zip")
    assert not (tmp_path / "course.zip").exists()
