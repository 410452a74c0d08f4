"""How notebooks and other files are saved."""

import os
import shutil
from pathlib import Path
from typing import Any

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
STILLS = {"image/png", "image/svg+xml", "text/html"}


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
            if not STILLS.isdisjoint(data):
                data.pop(WIDGET_VIEW, None)


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write text (in UTF-8) or bytes to a file that nobody sees half written: if the program stops, the old file stays.

    The folder must exist.
    """
    path = Path(path).absolute()
    if not path.parent.is_dir() or path.is_dir():
        raise FileNotFoundError(f"{path} is a folder: name a file in it" if path.is_dir() else
                                f"{path} needs the folder {path.parent}: create it first")  # fmt: skip
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
