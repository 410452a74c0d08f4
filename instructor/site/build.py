"""The command `site`: the course as a folder of plain files, to be put on any web host and opened from there."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from babel import Locale
from jinja2 import Environment, Template

from course_lib.explore.bundle import script, style
from course_lib.explore.page import SHEETS, notebooks_in, start
from course_lib.language import N_, gettext, language
from instructor.course import environment, face
from instructor.documents import undefined
from instructor.grade.executors import warn
from instructor.translate import translate

NEEDS = """The site needs Node with npm (on Debian and Ubuntu: `apt install nodejs npm`), packages from npm and PyPI,
and the extra `site`: `pip install -e ".[site]"`"""


def site(course: Path, target: Path, pyodide: str | None = None, run_too: bool = True) -> None:
    """Write the site of the checkout `course` into the folder `target`, which must be new or empty.

    `pyodide` is the archive of a release of Pyodide; then the site loads nothing from another host. Without `run_too`
    only the pages to read are made. `ValueError` says what is missing; then nothing is left in `target`.
    """
    if target.is_file() or (target.exists() and any(target.iterdir())):
        raise ValueError(f"{target} is not an empty folder: name a folder that is new, or remove it first")
    if not (course / "notebooks").is_dir():
        raise ValueError("there is no folder notebooks/ here: run this in the folder of the course")
    check_notebooks(course, run_too)
    for told in undefined(course):
        warn(told)
    for name in languages(course)[1:]:
        print(f"{Locale(name).english_name} …", flush=True)
        list(translate(course, name))
    target.resolve().parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.resolve().parent, prefix=".site-") as folder:
        made = Path(folder, "site")
        made.mkdir()
        if run_too:
            build_run(course, made / "run", Path(folder, "work"), pyodide)
        for name in languages(course):
            os.environ["COURSE_LANGUAGE"] = name  # also that of the kernels
            build_read(course, made, run_too)
        if target.exists():
            target.rmdir()
        made.replace(target)
    target.chmod(0o755)


def languages(course: Path) -> list[str]:
    """English, whose pages are at the top of the site, and the languages with a catalogue: theirs are in a folder."""
    return ["en", *sorted(path.name for path in course.glob("locale/*"))]


def check_notebooks(course: Path, run_too: bool) -> None:
    """Raise `ValueError` unless README's table has the notebooks that are there, and each has its exercises."""
    listed = {row["name"] for row in notebooks_in(course)}
    for folder in ("notebooks", "exercises") if run_too else ("notebooks",):
        there = {path.stem for path in (course / folder).glob("*.ipynb")}
        if there != listed:
            names = ", ".join(sorted(there ^ listed))
            raise ValueError(f"{names}: not both in {folder}/ and in README's table of notebooks. After a change of "
                             "notebooks, run `python -m instructor exercises`; write a row for a new one")  # fmt: skip


def build_run(course: Path, target: Path, work: Path, archive: str | None) -> None:
    """Make JupyterLite with the course and a Python that starts fast, in the folder `target`."""
    from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL

    from instructor.site import pyodide, running

    lite, wheels = work / "lite", work / "wheels"
    shutil.copytree(Path(__file__).parent / "lite", lite)
    settings = json.loads((lite / "jupyter-lite.json").read_text())
    settings["jupyter-config-data"]["appName"] = face(course).name
    (lite / "jupyter-lite.json").write_text(json.dumps(settings))
    wheels.mkdir()
    print("Python for the browser …", flush=True)
    source = pyodide.unpack(archive, work / "pyodide")
    offered = json.loads((source / pyodide.LOCK).read_text())["packages"]
    kernel = Path(sys.prefix, "share", "jupyter", f"lab{running.KERNEL_EXTENSION}", "pypi")
    compiled = pyodide.download(course.resolve(), kernel, offered, wheels)
    pyodide.assemble(source, wheels, compiled, lite / "static" / "pyodide", PYODIDE_CDN_URL)
    print("JupyterLite …", flush=True)
    bar, courses = "", []
    for name in languages(course):
        os.environ["COURSE_LANGUAGE"] = name
        courses.append(course / folder())
        bar += templates(course).get_template("bar.html").render(notebooks=listed(courses[-1], run_too=True))
    running.build(courses, lite, target, bar)


def folder() -> str:
    """The folder for pages in the language of the course, such as "fr/"; those in English are at the top."""
    return "" if language() == "en" else f"{language()}/"


def build_read(course: Path, target: Path, run_too: bool) -> None:
    """Write the front page, and a page for each notebook, in the language of the course."""
    from instructor.site import reading

    pages, course, target = templates(course), course / folder(), target / folder()
    assets, read = target / "assets", target / "read"
    assets.mkdir(parents=True), read.mkdir()
    own = (Path(__file__).parent / "pages" / "site.css").read_text(encoding="utf-8")
    (assets / "site.css").write_text(style(*SHEETS) + own + colours(), encoding="utf-8")
    for name in ("page.js", "start.js"):
        (assets / name).write_text(script(name), encoding="utf-8")
    for name in ("read.js", "search.js", "slides.js"):
        shutil.copy(Path(__file__).parent / "pages" / name, assets)
    notebooks = listed(course, run_too)
    first_page = start(notebooks, gettext(pages.globals["course"].name))
    write(target / "index.html", pages.get_template("index.html"), start=first_page, notebooks=notebooks, root="")
    page, index = pages.get_template("read.html"), []
    with ThreadPoolExecutor(2) as pool:  # each runs a notebook in a kernel
        ran = pool.map(reading.run, [course / "notebooks" / f"{row['name']}.ipynb" for row in notebooks])
        for before, row, after in zip([None, *notebooks], notebooks, [*notebooks[1:], None]):
            print(f"reading page {row['number']} …", flush=True)
            body = reading.body(next(ran), pages.get_template("needs_python.html").render(row=row, root="../"))
            index += [section | {"page": row["read"]} for section in reading.sections(body)]
            around = {"before": before, "after": after, "contents": reading.contents(body)}
            write(read / row["read"], page, body=body, row=row, **around)
    (assets / "sections.js").write_text(f"window.courseSections = {json.dumps(index)};", encoding="utf-8")
    body = reading.markdown((course / "SOURCES.md").read_text(encoding="utf-8"))
    write(read / "sources.html", page, body=body, title=gettext("Sources"))
    for path in (course / "exercises").glob("*.ipynb") if run_too else ():
        title = gettext("Exercises {number}", number=int(path.name[:2]))
        write(read / f"exercises_{path.stem}.html", page, body=reading.unrun(path), title=title)
    for path in course.glob("LICENSE*"):
        shutil.copy(path, target)


def listed(course: Path, run_too: bool) -> list[dict]:
    """The notebooks in README's table, with the addresses of their pages, seen from the front page of the language."""
    up = "../" * bool(folder())
    notebooks = notebooks_in(course)
    for row in notebooks:
        row["read"] = f"{row['name']}.html"
        for kind, place in (("run", "notebooks"), ("do", "exercises")):
            row[kind] = run_too and f"{up}run/notebooks/index.html?path={folder()}{place}/{row['name']}.ipynb"
        links = (N_("Read"), f"read/{row['read']}"), (N_("Run"), row["run"]), (N_("Exercises"), row["do"])
        row["links"] = [link for link in links if link[1]]
    return notebooks


def write(path: Path, template: Template, **what: Any) -> None:
    """Write a page; a screen reader would announce empty table headers, so they become plain cells."""
    page = path.name if path.name == "index.html" else f"{path.parent.name}/{path.name}"
    text = re.sub(r"<th([^>]*)></th>", r"<td\1></td>", template.render(what | {"page": page}))
    path.write_text(text, encoding="utf-8")


def templates(course: Path) -> Environment:
    """The templates of pages in the language of the course, most of which are in a folder of the site.

    `up` leads from the front page of the language to the top of the site, and `others` to the other front pages.
    """
    found = environment(Path(__file__).parent / "pages", course)
    up, names = "../" * bool(folder()), [name for name in languages(course) if name != language()]
    others = [(name, Locale(name).display_name.capitalize(), up if name == "en" else f"{up}{name}/") for name in names]
    found.globals |= {"root": "../", "up": up, "folder": folder(), "others": others}
    return found


def colours() -> str:
    """The style sheet for source code, for light and for dark."""
    from pygments.formatters import HtmlFormatter

    light, dark = (HtmlFormatter(style=name).get_style_defs(".highlight") for name in ("default", "github-dark"))
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"


def add_arguments(parser):
    parser.add_argument("out", metavar="OUT", help="the folder to make")
    parser.add_argument("--pyodide", metavar="ARCHIVE",
                        help="a release of Pyodide, so that the site loads nothing from another host")  # fmt: skip
    parser.add_argument("--read-only", action="store_true", help="make the pages to read, and none that run")


def run(options):
    if not options.read_only and not (shutil.which("node") and (options.pyodide or shutil.which("npm"))):
        raise ValueError(f"node or npm is not installed. {NEEDS}")
    try:
        site(Path(), Path(options.out), options.pyodide, not options.read_only)
    except subprocess.CalledProcessError as error:
        raise ValueError(f"{error}\n{NEEDS}") from error
    size = sum(path.stat().st_size for path in Path(options.out).rglob("*") if path.is_file())
    print(f"{options.out}: made, {size / 1e6:.0f} MB")
