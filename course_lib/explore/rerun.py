"""Closing a cell's old widgets when the cell is run again, so that none pile up in kernel and browser."""

from IPython import get_ipython

_shown = {}  # cell → (the run that made them, its widgets)


def close_on_rerun(widget):
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


def replace_children(box, children=()):
    """Put these widgets into the box; those that were in it are closed."""
    old, box.children = box.children, children
    for child in old:
        close(child)


def close(widget):
    """Close a widget with all that was made for it: children, layout and style."""
    for part in getattr(widget, "children", ()):
        close(part)
    for name in ("layout", "style"):
        if getattr(widget, name, None) is not None:
            getattr(widget, name).close()
    widget.close()
