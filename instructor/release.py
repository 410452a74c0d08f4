"""Makes the zip for students: the course without solutions, and without what only an instructor needs."""

import zipfile
from pathlib import Path

FILES = ("README.md", "SOURCES.md", "LICENSE", "CITATION.cff", ".github/explorer.gif", "pyproject.toml",
         "requirements.txt", "runtime.txt", "jupyter_server_config.py")  # fmt: skip
FOLDERS = ("notebooks", "exercises", "course_lib")
KINDS = {".ipynb", ".py", ".js", ".css", ".html", ".md", ".txt", ".npz", ".json", ".csv", ".png", ".svg", ".toml"}
DATE = (2020, 1, 1, 0, 0, 0)
"""Every file in the zip has this date, so that the same course makes the same zip."""


def release(course, target):
    """Write the zip `target` from the checkout `course`, and return the names of the files in it.

    A checkout without exercises, or with solutions that have none, raises `ValueError`, and no zip is written.
    """
    course, target = Path(course), Path(target)
    made = {path.name for path in (course / "exercises").glob("*.ipynb")}
    missing = {path.name for path in (course / "solutions").glob("*.ipynb")} - made
    if not made or missing:
        lacking = ", ".join(sorted(missing)) or "notebooks"
        raise ValueError(f"{course}/exercises has no {lacking}: run this in the course's folder, after "
                         f"`python -m instructor exercises`")  # fmt: skip
    paths = sorted(_files(course))
    for path in paths:
        if "### BEGIN SOLUTION" in (path.read_text() if path.suffix == ".ipynb" else ""):
            raise ValueError(f"{path} holds a solution; make the exercises again with `python -m instructor exercises`")
    unfinished = target.with_name(f"{target.name}.new")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in paths:
            archive.writestr(zipfile.ZipInfo(f"course/{path.relative_to(course).as_posix()}", DATE), path.read_bytes())
    unfinished.replace(target)
    return [path.relative_to(course).as_posix() for path in paths]


def _files(course):
    yield from (course / name for name in FILES if (course / name).is_file())
    for folder in FOLDERS:
        yield from (path for path in (course / folder).rglob("*") if _is_for_students(path.relative_to(course)))


def _is_for_students(path):
    """Whether students get the file at this path, which begins in the checkout with one of `FOLDERS`."""
    hidden = any(part.startswith((".", "__pycache__")) for part in path.parts)
    return not hidden and path.suffix in KINDS


def add_arguments(parser):
    parser.add_argument("zip", nargs="?", default="course.zip", help="the file to make (default: course.zip)")


def run(options):
    files = release(".", options.zip)
    print(f"{options.zip}: {len(files)} files")
