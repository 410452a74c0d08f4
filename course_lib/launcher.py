"""Starts JupyterLab with the course's settings, at one of its notebooks."""

import argparse
import secrets
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

from course_lib.language import N_, gettext

FOLDERS = "notebooks", "exercises"
START = "planning_in_games.html"
CONFIG = Path(__file__).parent / "settings" / "jupyter_server_config.py"


def find_notebook(wanted: str | None = None, course: Path = Path()) -> str:
    """The path of a notebook in the folder `course`, by its number, name or path; by default the first.

    A folder before the number or the name chooses between the notebook and its exercises: `exercises/2`.
    """
    paths = [path.relative_to(course) for name in FOLDERS for path in sorted((course / name).glob("[!.]*.ipynb"))]
    if not paths:
        raise ValueError("There are no notebooks here: run this command in the course's folder, which has notebooks/.")
    if wanted is None:
        return paths[0].as_posix()
    if wanted.endswith(".ipynb") and (course / wanted).is_file():
        return Path(wanted).as_posix()
    folder, _, name = wanted.replace("\\", "/").removesuffix(".ipynb").rpartition("/")
    for path in paths:
        number, _, title = path.stem.partition("_")
        if folder in ("", path.parts[0]) and name in (path.stem, title, number, number.lstrip("0")):
            return path.as_posix()
    known = ", ".join(path.stem for path in paths if path.parts[0] == paths[0].parts[0])
    raise ValueError(f"Expected a notebook's number or name ({known}), got {wanted!r}.")


def write_start(folder: Path, course: Path = Path()) -> None:
    """Write the start page of the notebooks in `course` into `folder`: a game, and the way to each notebook."""
    from course_lib.explore.page import SHEETS, name_of, notebooks_in, page, start

    notebooks = notebooks_in(course)
    for row in notebooks:
        places = {N_("Notebook"): "notebooks", N_("Exercises"): "exercises"}
        row["links"] = [(name, f"../lab/tree/{place}/{row['name']}.ipynb") for name, place in places.items()]
    name = name_of(course)
    text = page(name, start(notebooks, name), SHEETS, "start.js")
    (folder / START).write_text(text, encoding="utf-8")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `python -m course_lib open`."""
    which = "a notebook's number or name, such as 2 or exercises/2 (default: a start page)"
    parser.add_argument("notebook", nargs="?", help=which)
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def run(options: argparse.Namespace) -> None:
    """Run JupyterLab until Ctrl-C over the current folder, and print its address at the notebook or a start page."""
    notebook = find_notebook(options.notebook)
    with TemporaryDirectory() as folder:
        page = f"lab/tree/{notebook}"
        if options.notebook is None and Path("README.md").is_file():
            write_start(Path(folder))
            page = f"static/{START}"
        _serve(page, folder, not options.no_browser)


def _serve(page: str, static: str, browser: bool) -> None:
    from jupyterlab.labapp import LabApp

    token = secrets.token_hex(24)
    settings = {
        "LabApp.default_url": f"/{page}",
        "ServerApp.extra_static_paths": static,
        "IdentityProvider.token": token,
        "ServerApp.open_browser": browser,
        "ServerApp.answer_yes": True,  # Ctrl-C needs no confirmation
        "ServerApp.allow_root": True,  # containers often run as root
        "Application.log_level": "ERROR",
    }
    warnings.filterwarnings("ignore", "Overriding existing pre_save_hook")  # JupyterLab reads its settings twice
    flags = [f"--{name}={value}" for name, value in settings.items()]
    server = LabApp.initialize_server([f"--config={CONFIG}", *flags])
    address = f"{server.connection_url}{page}?token={token}"
    words = gettext("JupyterLab: {address}\nStop it with Ctrl-C.", address=address)
    server.io_loop.add_callback(print, words, flush=True)  # when it listens
    server.start()
