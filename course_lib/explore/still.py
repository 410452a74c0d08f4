"""The picture that stands beside a widget, for readers of a notebook who have no kernel."""

import sys
from base64 import b64encode


def with_still(widget, live, draw, alt=None):
    """The MIME bundle of a widget: its live view, and beside it the figure that `draw()` returns, described by `alt`.

    In a browser's Python there is no figure: Matplotlib takes long to load there, and nobody reads without a kernel.
    """
    live = live[0] if isinstance(live, tuple) else live
    view = {kind: content for kind, content in (live or {}).items() if "widget-view" in kind}
    if sys.platform == "emscripten":
        return {"text/plain": repr(widget)} | view, {}
    figure = draw()
    still = {"text/plain": repr(widget), "image/png": b64encode(figure.png()).decode()}
    return still | view, {"image/png": figure.png_size() | {"alt": alt or f"Game tree: {widget!r}"}}
