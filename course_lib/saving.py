"""How notebooks and other files are saved."""

import atexit
import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
STILLS = {"image/png", "image/svg+xml", "text/html"}
FOLDER = "COURSE_STILLS"
"""The environment variable with the folder in which a server finds the pictures that its kernels have drawn."""


def outputs(notebook: dict) -> list[dict]:
    """Each output that a notebook stores."""
    return [output for cell in notebook.get("cells", []) for output in cell.get("outputs", [])]


def shown(notebook: dict) -> list[dict]:
    """What each output shows: its content by MIME type."""
    return [output.get("data", {}) for output in outputs(notebook)]


def before_saving(model: dict, **_: Any) -> None:
    """A `pre_save_hook` of Jupyter Server: what is saved shows its pictures where no kernel runs.

    Only the file changes, not the open notebook; a widget with nothing but text beside it keeps its view.
    """
    if model["type"] == "notebook":
        for output in outputs(model["content"]):
            data = output.get("data", {})
            _add_still(output, data.get(WIDGET_VIEW, {}).get("model_id"))
            if not STILLS.isdisjoint(data):
                data.pop(WIDGET_VIEW, None)


def _add_still(output, widget):
    """Put the picture of a widget, by the widget's number, beside its view, if a kernel has drawn it."""
    file = Path(os.environ.get(FOLDER, ""), f"{widget}.json")
    if widget and file.is_file():
        still, metadata = json.loads(file.read_bytes())
        output["data"] |= still
        output["metadata"] = output.get("metadata", {}) | metadata


def take_stills() -> None:
    """Make the folder for this server: its kernels then draw pictures after a widget is shown, and not before."""
    home = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    folder = Path(home, str(os.getpid()))
    folder.mkdir()
    os.environ[FOLDER] = str(folder)


def stills_folder() -> Path | None:
    """Where this kernel puts pictures; None where it was not started by a server that looks there for them."""
    folder = Path(os.environ.get(FOLDER, ""))
    return folder if folder.name and folder.name == os.environ.get("JPY_PARENT_PID") else None


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write text (in UTF-8) or bytes to a file that nobody ever sees half written: a stop halfway leaves the old file.

    The folder must exist. A file that is replaced keeps its permissions, and a link stays a link.
    """
    path = Path(os.path.realpath(path))
    unfinished = path.with_name(f".{path.name[:40]}.{os.getpid()}")
    try:
        with open(unfinished, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, unfinished)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
