"""Pages with live explorers that need no Python: one file for slides or a course platform, and the parts of a site."""

import gzip
import json
from base64 import b64encode
from pathlib import Path
from typing import Any

from course_lib.explore.scripts import script, style
from course_lib.saving import write_whole

MAX_BOARDS = 2_000
"""Boards of so many nodes are put into a page; in the live explorer they are asked for."""


def save(explorer: Any, path: str | Path) -> str | Path:
    """Write a page with this explorer to the file `path`, and return its path.

    The file holds all that it shows: it opens from disk in any browser of these years, without Python and network.
    """
    write_whole(path, page(repr(explorer), tree_element(explorer.tree)))
    return path


def page(title: str, body: str) -> str:
    """The text of a page with these elements."""
    from jinja2 import Environment, PackageLoader

    templates = Environment(loader=PackageLoader("course_lib.explore", ""), autoescape=True)
    return templates.get_template("page.html").render(title=title, body=body, style=style("page.css"),
                                                      script=script("page.js").replace("</", "<\\/"))  # fmt: skip


def tree_element(tree: Any) -> str:
    """The HTML of a drawn tree, with the boards of its nodes; its moves cannot be reordered, which needs a search."""
    _, states = tree.positions
    boards = tree.boards_of(range(min(len(states), MAX_BOARDS))) if tree.has_boards else []
    return element(tree, boards, reorder=False)


def element(widget: Any, boards: list = (), **overrides: Any) -> str:
    """The HTML of a widget: `page.js` draws it from the state that stands in it, with these values `overrides`."""
    own = [name for name in widget.keys if not name.startswith("_") and name not in ("layout", "tabbable", "tooltip")]
    sent = {"state": {name: getattr(widget, name) for name in own} | overrides, "known": {"boards": boards}}
    return (f'<div class="course-live" data-widget="{widget.page_name}"><div class="widget"></div>'
            f'<script type="application/octet-stream">{_compressed(sent)}</script></div>')  # fmt: skip


def _compressed(sent):
    text = json.dumps(sent, default=lambda value: {"base64": b64encode(value).decode()})
    return b64encode(gzip.compress(text.encode(), mtime=0)).decode()
