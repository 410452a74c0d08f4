"""Closing a cell's old widgets when the cell is run again, so that none pile up in kernel and browser."""

from collections.abc import Sequence

from IPython import get_ipython
from ipywidgets import Box, Widget

_shown = {}  # cell → (the run that made them, its widgets)


def close_on_rerun(widget: Widget) -> None:
    """Remember that this widget belongs to the running cell; those of an earlier run of the cell are closed."""
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


def replace_children(box: Box, children: Sequence[Widget] = ()) -> None:
    """Put these widgets into the box; those that were in it are closed."""
    old, box.children = box.children, children
    for child in old:
        close(child)


def close(widget: Widget) -> None:
    """Close a widget with all that was made for it: children, layout and style."""
    for part in getattr(widget, "children", ()):
        close(part)
    for name in ("layout", "style"):
        if getattr(widget, name, None) is not None:
            getattr(widget, name).close()
    widget.close()
