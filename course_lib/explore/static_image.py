"""The static image of a widget, for readers of a notebook without a kernel."""

import sys
from collections.abc import Callable
from typing import Any

from ipywidgets import Widget

from course_lib.saving import WIDGET_VIEW


def with_static_image(widget: Widget, live: Any, draw: Callable[[], Any]) -> tuple[dict, dict]:
    """The MIME bundle of a widget: its `live` view, and the `Picture` that `draw()` returns.

    If Python runs in the browser, there is no picture: Matplotlib loads slowly, and a kernel is always there.
    """
    live = live[0] if isinstance(live, tuple) else live or {}
    view = {kind: content for kind, content in live.items() if kind == WIDGET_VIEW}
    image, metadata = ({}, {}) if sys.platform == "emscripten" else draw()._repr_mimebundle_()
    return image | {"text/plain": repr(widget)} | view, metadata
