"""HTML pages that need no Python: explorers, in one file or as elements of a site, and the start page."""

import gzip
import json
import re
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from course_lib.explore.bundle import script, style
from course_lib.explore.score_card import ROWS
from course_lib.games import THREAD_POSITION, ConnectFour
from course_lib.language import IN_TEMPLATES, gettext

MAX_BOARDS = 2_000
"""A page has the boards of at most this many nodes."""
TABLE_ROW = re.compile(
    r"^\| \d \[(?P<title>[^]]+)\]\(notebooks/(?P<name>\w+)\.ipynb\) \| (?P<minutes>\d+) \+ (?P<exercises>\d+) \| "
    r"(?P<before>[^|]+) \| (?P<after>[^|]+) \|", re.MULTILINE,
)  # fmt: skip
SHEETS = "page.css", "controls.css", "start.css"
"""The style sheets of a start page; its script is start.js."""


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


# The start page: a game against alpha-beta, and the notebooks as a path. The site and the launcher show it.


def notebooks_in(course: Path) -> list[dict]:
    """The notebooks in the table of README: their number, name, title, minutes, and what one can do afterwards."""
    found = TABLE_ROW.finditer((course / "README.md").read_text(encoding="utf-8"))
    return [row.groupdict() | {"number": int(row["name"][:2])} for row in found]


def name_of(course: Path) -> str:
    """The name of the course: the heading of README."""
    return (course / "README.md").read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")


def start(notebooks: list[dict], name: str) -> str:
    """The HTML of the start page's content, of notebooks with their `links`, which are pairs (text, address)."""
    game, found = ConnectFour(), {}
    grid = game.grid(game.after(*THREAD_POSITION))
    tops = [40 * [row[column] for row in grid].count(".") for column in range(game.columns)]  # of the discs
    for number, (method, column, why) in ROWS.items():
        found[number] = {"method": gettext(method), "column": column, "why": gettext(why), "top": tops[column] - 16}
        tops[column] -= 30
    return render("start.html", name=name, notebooks=notebooks, found=found, grid=grid)
