"""What widgets share: a picture for readers without a kernel, and an end when their cell runs again."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from IPython import get_ipython
from ipywidgets import Widget

from course_lib.saving import WIDGET_VIEW

if TYPE_CHECKING:
    from course_lib.explore.drawing import Picture

_shown: dict[str, tuple[str, list[Widget]]] = {}  # cell → (the id of its last run, the widgets of that run)


class CellWidget(Widget):
    """A widget with a `_picture()`, which is closed when its cell runs again, in the kernel and in the browser."""

    _picture: "Callable[[], Picture]"

    def __init__(self, *arguments: Any, **traits: Any) -> None:
        super().__init__(*arguments, **traits)
        close_on_rerun(self)

    def _still(self) -> tuple[dict, dict]:
        """(data, metadata) of what is shown without a kernel. If Python runs in the browser, there is no picture:
        Matplotlib loads slowly, and a kernel is always there."""
        return ({}, {}) if sys.platform == "emscripten" else self._picture()._repr_mimebundle_()

    def _repr_mimebundle_(self, **options):
        live = super()._repr_mimebundle_(**options)
        live = live[0] if isinstance(live, tuple) else live or {}
        still, metadata = self._still()
        view = {kind: content for kind, content in live.items() if kind == WIDGET_VIEW}
        return still | {"text/plain": repr(self)} | view, metadata


def close_on_rerun(widget: Widget) -> None:
    """Register this widget with the running cell; close the widgets of an earlier run of the cell."""
    parent = getattr(get_ipython(), "get_parent", dict)()
    cell, run = parent.get("metadata", {}).get("cellId"), parent.get("header", {}).get("msg_id")
    if cell is not None:
        last, widgets = _shown.get(cell, (run, []))
        for old in widgets if last != run else ():
            close(old)
        _shown[cell] = run, [*(widgets if last == run else ()), widget]


def close(widget: Widget) -> None:
    """Close a widget with its children, layout and style."""
    for part in (*getattr(widget, "children", ()), getattr(widget, "layout", None), getattr(widget, "style", None)):
        if part is not None:
            close(part)
    widget.close()
