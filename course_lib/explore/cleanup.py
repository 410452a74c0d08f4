"""Closing the old widgets of a cell when the cell runs again, in the kernel and in the browser."""

from IPython import get_ipython
from ipywidgets import Widget

_shown: dict[str, tuple[str, list[Widget]]] = {}  # cell → (the id of its last run, the widgets of that run)


def close_on_rerun(widget: Widget) -> None:
    """Register this widget with the running cell; close the widgets of an earlier run of the cell."""
    shell = get_ipython()
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    cell, run = parent.get("metadata", {}).get("cellId"), parent.get("header", {}).get("msg_id")
    if cell is None:
        return
    last, widgets = _shown.get(cell, (run, []))
    if last != run:
        for old in widgets:
            close(old)
        widgets = []
    _shown[cell] = run, [*widgets, widget]


def close(widget: Widget) -> None:
    """Close a widget with its children, layout and style."""
    for child in getattr(widget, "children", ()):
        close(child)
    for name in ("layout", "style"):
        if getattr(widget, name, None) is not None:
            getattr(widget, name).close()
    widget.close()
