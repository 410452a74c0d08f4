"""The picture that stands beside a widget, for readers of a notebook who have no kernel."""

from base64 import b64encode


def with_still(widget, live, figure, alt=None):
    """The MIME bundle of a widget: its live view, and beside it this figure, described by `alt`."""
    live = live[0] if isinstance(live, tuple) else live
    view = {kind: content for kind, content in (live or {}).items() if "widget-view" in kind}
    still = {"text/plain": repr(widget), "image/png": b64encode(figure.png()).decode()}
    return still | view, {"image/png": figure.png_size() | {"alt": alt or f"Game tree: {widget!r}"}}
