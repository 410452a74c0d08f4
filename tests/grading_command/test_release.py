"""The students' zip: all that they need, no solution, nothing of the instructor's."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from instructor.questions import MARK, notebooks, plain_source
from instructor.release import FILES, release

ROOT = Path(__file__).parents[2]
NAME, NOTEBOOK = next(iter(notebooks().items()))
ANSWERED = (ROOT / "exercises" / f"{NAME}.ipynb").read_text().replace("raise NotImplementedError()", "return 1", 1)


@pytest.fixture
def course(tmp_path):
    """A course with the checkout's library and one exercise."""
    course = tmp_path / "checkout"
    shutil.copytree(ROOT / "course_lib", course / "course_lib")
    for name in ("pyproject.toml", "README.md", "LICENSE", "requirements.txt", f"solutions/{NAME}.ipynb",
                 f"solutions/{NAME}.py", f"exercises/{NAME}.ipynb", f"exercises/{NAME}.cases.gz",
                 f"notebooks/{NAME}.ipynb"):  # fmt: skip
        (course / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, course / name)
    (course / ".grading").mkdir()
    (course / ".grading" / "seed.json").write_text("5")
    return course


def test_there_are_no_solutions_and_what_is_left_works(course, tmp_path):
    names = release(course, tmp_path / "course.zip")
    assert {f"exercises/{NAME}.cases.gz", "course_lib/check/session.py", "pyproject.toml"} <= {*names}  # the version
    with zipfile.ZipFile(tmp_path / "course.zip") as archive:
        assert {entry.compress_type for entry in archive.infolist()} == {zipfile.ZIP_DEFLATED}
    assert not [n for n in names if n.startswith(("solutions", "instructor", "tests", ".")) or "seed" in n]
    subprocess.run(["unzip", "-q", tmp_path / "course.zip", "-d", tmp_path], check=True)
    unpacked = tmp_path / "course"
    assert sorted(p.relative_to(unpacked).as_posix() for p in unpacked.rglob("*") if p.is_file()) == sorted(names)
    assert oct((unpacked / "README.md").stat().st_mode)[-3:] == "644"
    links = re.findall(r"\]\(([\w./]+)\)", (unpacked / "README.md").read_text())
    assert {link for link in links if not link.startswith(("notebooks/", "exercises/"))} <= {*FILES}
    explained = next(question.identifier for question in NOTEBOOK.questions if question.kind == "explain")
    check = f"import course_lib.check as c, course_lib; print(course_lib.__file__); c.check({explained!r}, ...)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run = subprocess.run([sys.executable, "-c", check], cwd=unpacked, env=environment, capture_output=True, text=True)
    assert str(tmp_path) in run.stdout and "not answered yet" in run.stderr
    release(course, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == (tmp_path / "course.zip").read_bytes()


def test_a_weekly_release_has_only_its_notebook_in_the_folders_and_in_readme(tmp_path):
    names = release(ROOT, tmp_path / "week.zip", only=["03_alpha_beta"])
    made = {name for name in names if name.startswith(("notebooks", "exercises"))}
    assert {name.partition("/")[2].partition(".")[0] for name in made} == {"03_alpha_beta"} and len(made) == 3
    with zipfile.ZipFile(tmp_path / "week.zip") as archive:
        rows = re.findall(r"^\|.*notebooks/.*", archive.read("course/README.md").decode(), re.M)
    assert ["03_alpha_beta" in row for row in rows] == [True]


def test_a_release_in_french_has_the_texts_of_its_folder(course, tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_LANGUAGE", "fr")
    with pytest.raises(ValueError, match="run `python -m instructor translate fr` first"):
        release(course, tmp_path / "course.zip")
    (course / "fr" / "notebooks").mkdir(parents=True)
    (course / "fr" / "README.md").write_text("# Titre\n\n## Un\n\n[a](../LICENSE)\n\n## Deux\n\n[b](../GRADING.md)\n")
    (course / "fr" / "notebooks" / f"{NAME}.ipynb").write_text("en français")
    (course / "fr" / "course.toml").write_text('language = "fr"\n')
    shutil.copy(ROOT / "course.toml", course)
    release(course, tmp_path / "course.zip")
    with zipfile.ZipFile(tmp_path / "course.zip") as archive:
        assert archive.read("course/README.md").decode() == "# Titre\n\n## Un\n\n[a](LICENSE)\n\n"
        assert archive.read(f"course/notebooks/{NAME}.ipynb").decode() == "en français"
        assert archive.read("course/course.toml").decode() == 'language = "fr"\n'


@pytest.mark.slow
def test_no_line_of_a_solution_or_a_known_mistake_is_in_it(tmp_path):
    names = release(ROOT, tmp_path / "course.zip")
    with zipfile.ZipFile(tmp_path / "course.zip") as archive:
        files = {name: archive.read(f"course/{name}") for name in names
                 if not name.startswith(("course_lib/search", "course_lib/alphazero", "notebooks"))}  # fmt: skip
    texts = {name: (gzip.decompress(content) if name.endswith(".gz") else content).decode(errors="replace")
             for name, content in files.items()}  # fmt: skip
    lines, given = set(), set()
    for notebook in notebooks().values():
        exercise = json.loads(files[f"exercises/{notebook.name}.ipynb"])
        given |= {line.strip() for cell in exercise["cells"] for line in cell["source"]}
        for cell in notebook.cells:
            marks = [mark["code"] or "" for mark in map(MARK.match, cell["source"].splitlines()) if mark]
            parts = re.findall("### BEGIN SOLUTION(.*?)### END SOLUTION", plain_source(cell["source"]), re.S)
            parts += [*marks, cell["source"].partition("\n")[2] if cell["cell_type"] == "raw" else ""]
            lines |= {line.strip() for part in parts for line in part.splitlines()}
    long = [line for line in lines - given if len(line) > 52]  # shorter ones are also the library's
    assert len(long) > 100
    assert [(name, line) for line in long for name, text in texts.items() if line in text] == []


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [("exercises/marks.csv", "", r"do not belong .*: exercises/marks\.csv"),
     ("exercises/99_old.ipynb", "{}", r"do not belong .*: exercises/99_old\.ipynb"),
     ("notebooks/notes.txt", "", r"do not belong .*: notebooks/notes\.txt"),
     (f"exercises/{NAME}.ipynb", ANSWERED, "has answers; make the exercises again"),
     ("solutions/99_go.ipynb", "{}", r"exercises has no 99_go\.ipynb, 99_go\.cases\.gz")],
)  # fmt: skip
def test_what_does_not_belong_or_is_missing_stops_it(course, tmp_path, name, content, told):
    (course / name).write_text(content)
    with pytest.raises(ValueError, match=told):
        release(course, tmp_path / "course.zip")
    assert not (tmp_path / "course.zip").exists()
