"""The picture that stands beside a widget, for readers of a notebook who have no kernel."""

import asyncio
import json
import sys
from base64 import b64encode
from collections.abc import Callable
from typing import Any

from ipywidgets import Widget

from course_lib.saving import WIDGET_VIEW, stills_folder, write_whole

LATER = 0.5
"""Seconds after a widget is shown."""


def with_still(widget: Widget, live: Any, draw: Callable, alt: str | None = None) -> tuple[dict, dict]:
    """The MIME bundle of a widget: its live view, and beside it the figure that `draw()` returns, described by `alt`.

    To draw it takes longer than all else. Where the server adds it to the notebook that it stores, it is drawn `LATER`,
    when the page has what it needs. In a browser's Python there is no figure: Matplotlib takes long to load there, and
    nobody reads without a kernel.
    """
    live = live[0] if isinstance(live, tuple) else live
    view = {kind: content for kind, content in (live or {}).items() if "widget-view" in kind}
    bundle, folder = {"text/plain": repr(widget)} | view, stills_folder()

    def still():
        figure = draw()
        described = figure.png_size() | {"alt": alt or f"Game tree: {widget!r}"}
        return {"image/png": b64encode(figure.png()).decode()}, {"image/png": described}

    if sys.platform == "emscripten":
        return bundle, {}
    if folder and view:
        file = folder / f"{view[WIDGET_VIEW]['model_id']}.json"
        asyncio.get_running_loop().call_later(LATER, lambda: write_whole(file, json.dumps(still())))
        return bundle, {}
    data, metadata = still()
    return bundle | data, metadata
