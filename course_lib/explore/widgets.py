"""What a widget shows to readers of a notebook without a kernel."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from ipywidgets import Widget

from course_lib.saving import WIDGET_VIEW

if TYPE_CHECKING:
    from course_lib.explore.drawing import Picture


class StillWidget(Widget):
    """A widget with a `_picture()` of it.

    If Python runs in the browser, there is no picture: Matplotlib loads slowly, and a kernel is always there.
    """

    _picture: "Callable[[], Picture]"

    def _still(self) -> tuple[dict, dict]:
        """(data, metadata) of what is shown without a kernel."""
        return ({}, {}) if sys.platform == "emscripten" else self._picture()._repr_mimebundle_()

    def _repr_mimebundle_(self, **options):
        live = super()._repr_mimebundle_(**options)
        live = live[0] if isinstance(live, tuple) else live or {}
        still, metadata = self._still()
        view = {kind: content for kind, content in live.items() if kind == WIDGET_VIEW}
        return still | {"text/plain": repr(self)} | view, metadata
