"""The bundle for students: all that they need, no solution, nothing of the grader."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from instructor.release import release

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    """A release of a course with the checkout's library and one exercise, unpacked."""
    folder = tmp_path_factory.mktemp("release")
    course = folder / "checkout"
    shutil.copytree(ROOT / "course_lib", course / "course_lib")
    for name in ("pyproject.toml", "README.md", "LICENSE", "requirements.txt"):
        shutil.copy(ROOT / name, course / name)
    for name, text in (("solutions/02_minimax.ipynb", "### BEGIN SOLUTION"), ("exercises/02_minimax.ipynb", "{}"),
                       ("exercises/my notes.docx", "x"), (".grading/seed.json", "5")):  # fmt: skip
        (course / name).parent.mkdir(exist_ok=True)
        (course / name).write_text(text)
    names = release(course, folder / "course.zip")
    zipfile.ZipFile(folder / "course.zip").extractall(folder / "unpacked")
    return course, folder, names


def test_no_solutions_and_no_grader(bundle):
    _, folder, names = bundle
    assert "exercises/02_minimax.ipynb" in names and "course_lib/check/notebook.py" in names
    assert "course_lib/check/report.html" in names
    assert not [n for n in names if n.startswith(("solutions", "tests", ".")) or "seed" in n or "docx" in n]
    assert not [n for n in names if n.endswith(("sandbox.py", "marking.py", "grade.py"))]
    unpacked = folder / "unpacked" / "course"
    assert sorted(p.relative_to(unpacked).as_posix() for p in unpacked.rglob("*") if p.is_file()) == sorted(names)


def test_what_is_left_works(bundle):
    _, folder, _ = bundle
    tried = "import course_lib.check as g, course_lib, sys; print(course_lib.__file__); g.check('minimax.memory', ...)"
    run = subprocess.run(
        [sys.executable, "-c", tried], cwd=folder / "unpacked" / "course", capture_output=True, text=True
    )
    assert str(folder) in run.stdout
    assert "not answered yet" in run.stderr


def test_the_same_course_makes_the_same_zip(bundle):
    course, folder, _ = bundle
    release(course, folder / "again.zip")
    assert (folder / "again.zip").read_bytes() == (folder / "course.zip").read_bytes()


def test_a_solution_among_the_exercises_stops_it(bundle, tmp_path):
    course, _, _ = bundle
    exercise = course / "exercises" / "02_minimax.ipynb"
    exercise.write_text("### BEGIN SOLUTION")
    with pytest.raises(ValueError, match="holds a solution"):
        release(course, tmp_path / "course.zip")
    exercise.unlink()
    with pytest.raises(ValueError, match=r"exercises has no 02_minimax\.ipynb"):
        release(course, tmp_path / "course.zip")
    assert list(tmp_path.iterdir()) == []
