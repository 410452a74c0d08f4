"""Makes the zip for students: the course without solutions, and without what only an instructor needs."""

import argparse
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat
from nbgrader.utils import compute_checksum

from course_lib.language import language
from course_lib.saving import write_whole
from instructor import documents
from instructor.grade.executors import warn
from instructor.grade.submissions import notebook_called

FILES = ("README.md", "SOURCES.md", "course.toml", "CHANGELOG.md", "LICENSE", "LICENSE-CC-BY-4.0", "CITATION.cff",
         ".github/explorer.gif", ".github/start.png", "pyproject.toml", "setup.py", "requirements.txt",
         "runtime.txt")  # fmt: skip
LINKED = {name.encode() for name in FILES}
KINDS = {".py", ".js", ".css", ".html", ".md", ".txt", ".npz", ".json", ".csv", ".png", ".svg", ".mo"}
"""Kinds of files in course_lib."""
DATE = (2020, 1, 1, 0, 0, 0)
"""Every file in the zip has this date, so that the same course makes the same zip."""
SECTION = re.compile(rb"^## .*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)
LINK = re.compile(rb"\]\((?!notebooks/|exercises/|https?:)([^)#]+)")
"""A link in README to another file of the course."""
ROW = re.compile(rb"^\|.*\((notebooks/\w+\.ipynb)\) \|.*\n", re.MULTILINE)
"""The row of a notebook in README's table."""


def release(course: str | Path, target: str | Path, only: Sequence[str] = ()) -> list[str]:
    """Write the zip `target` from the checkout `course`, and return the names of the files in it.

    With `only`, such as ["03_alpha_beta"], it has no other notebooks and exercises. In another language than English,
    texts are those that `translate` has written. A folder with files that do not belong there, or without the exercise
    of a solution, raises `ValueError`.
    """
    course, target = Path(course), Path(target)
    spoken = course / language()
    if language() != "en" and not spoken.exists():
        raise ValueError(f"there is no folder {spoken}: run `python -m instructor translate {language()}` first")
    notebooks = [path for path in _notebooks(course) if not only or path.name.partition(".")[0] in only]
    paths = sorted([*_own_files(course), *notebooks])
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path in paths:
            entry = zipfile.ZipInfo(f"course/{path.relative_to(course).as_posix()}", DATE)
            entry.external_attr = 0o644 << 16
            own = spoken / path.relative_to(course)
            text = (own if own.exists() else path).read_bytes()
            if path == course / "README.md":
                text = text.replace(b"](../", b"](")  # it was a folder below
                text = SECTION.sub(lambda part: part[0] if {*LINK.findall(part[0])} <= LINKED else b"", text)
                text = ROW.sub(lambda row: row[0] if course / row[1].decode() in paths else b"", text)
            archive.writestr(entry, text, zipfile.ZIP_DEFLATED)
    write_whole(target, content.getvalue())
    return [path.relative_to(course).as_posix() for path in paths]


def _own_files(course: Path) -> Iterator[Path]:
    yield from (course / name for name in FILES if (course / name).is_file())
    for path in (course / "course_lib").rglob("*"):
        if path.suffix in KINDS and "__pycache__" not in path.parts:
            yield path


def _notebooks(course: Path) -> list[Path]:
    """The notebooks, and the exercises with their tables of cases; other files there raise `ValueError`."""
    solved = [path.stem for path in sorted((course / "solutions").glob("*.ipynb"))]
    made = [course / "exercises" / f"{stem}{ending}" for stem in solved for ending in (".ipynb", ".cases.gz")]
    lacking = [path.name for path in made if not path.exists()]
    if lacking or not made:
        raise ValueError(f"{course}/exercises has no {', '.join(lacking) or 'notebooks'}: run this in the course's "
                         f"folder, after `python -m instructor exercises`")  # fmt: skip
    found = [path for folder in ("notebooks", "exercises") for path in (course / folder).glob("[!.]*")]
    stray = [path.relative_to(course).as_posix() for path in found
             if path not in made and (path.parent.name, path.suffix) != ("notebooks", ".ipynb")]  # fmt: skip
    if stray:
        raise ValueError(f"these files do not belong in the students' zip; move them elsewhere: {', '.join(stray)}")
    for path in made[::2]:
        if any(_is_answered(cell) for cell in nbformat.read(path, as_version=4).cells):
            raise ValueError(f"{path} has answers; make the exercises again with `python -m instructor exercises`")
    return found


def _is_answered(cell: nbformat.NotebookNode) -> bool:
    """Whether a cell of an exercise is not as it was made, by nbgrader's checksum."""
    checksum = cell.metadata.get("nbgrader", {}).get("checksum")
    return checksum is not None and checksum != compute_checksum(cell)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("zip", nargs="?", default="course.zip", help="the file to make (default: course.zip)")
    parser.add_argument("--only", nargs="+", type=notebook_called, default=[], metavar="N", help="only these notebooks")


def run(options: argparse.Namespace) -> None:
    files = release(".", options.zip, options.only)
    print(f"{options.zip}: {len(files)} files")
    for told in documents.undefined(Path()):
        warn(told)
