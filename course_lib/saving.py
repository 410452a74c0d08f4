"""How notebooks and other files are saved."""

import os
import shutil
import tempfile

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
STILLS = {"image/png", "image/svg+xml", "text/html"}


def shown(notebook):
    """What each output shows: its content by MIME type."""
    for cell in notebook.get("cells", []):
        for output in cell.get("outputs", []):
            yield output.get("data", {})


def before_saving(model, **_):
    """A `pre_save_hook` of Jupyter Server: what is saved shows its pictures where no kernel runs.

    Only the file changes, not the open notebook; a widget with nothing but text beside it keeps its view.
    """
    if model["type"] == "notebook":
        for data in shown(model["content"]):
            if not STILLS.isdisjoint(data):
                data.pop(WIDGET_VIEW, None)


def replace_file(path, text):
    """Write the file in one step, so that a stop halfway leaves the old one whole."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="utf-8", newline="\n", delete=False) as new:
        new.write(text)
    shutil.copymode(path, new.name)
    os.replace(new.name, path)
