"""HTML pages with interactive explorers that need no Python: one file for slides, or elements of a site."""

import gzip
import json
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from course_lib.explore.bundle import script, style
from course_lib.language import IN_TEMPLATES

MAX_BOARDS = 2_000
"""A page has the boards of at most this many nodes."""


def page(title: str, body: str, sheets: Sequence[str] = ("page.css",), entry: str = "page.js") -> str:
    """The HTML of a page with this body, these style sheets, and the script `entry`."""
    scripts = script(entry).replace("</", "<\\/")
    return render("page.html", title=title, body=body, style=style(*sheets), script=scripts)


def render(template: str, **values: Any) -> str:
    """The HTML of a template in this folder."""
    from jinja2 import Environment, PackageLoader

    templates = Environment(loader=PackageLoader("course_lib.explore", ""), autoescape=True, trim_blocks=True)
    templates.globals |= IN_TEMPLATES
    return templates.get_template(template).render(**values)


def tree_element(tree: Any) -> str:
    """The HTML of a drawn tree, with its boards."""
    _, states = tree.positions
    boards = tree.boards_of(range(min(len(states), MAX_BOARDS))) if tree.has_boards else []
    return element(tree, boards)


def element(widget: Any, boards: Sequence = ()) -> str:
    """The HTML of a widget: `page.js` draws it from the state in the element."""
    own = [name for name in widget.keys if not name.startswith("_") and name not in ("layout", "tabbable", "tooltip")]
    sent = {"state": {name: getattr(widget, name) for name in own}, "known": {"boards": boards}}
    text = json.dumps(sent, default=lambda value: {"base64": b64encode(value).decode()})
    compressed = b64encode(gzip.compress(text.encode(), mtime=0)).decode()
    return (f'<div class="course-live" data-widget="{widget.page_name}"><div class="widget"></div>'
            f'<script type="application/octet-stream">{compressed}</script></div>')  # fmt: skip
