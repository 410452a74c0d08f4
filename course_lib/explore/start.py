"""The start page: a game against alpha-beta, and the notebooks as a path. The site and the launcher show it."""

import re
from pathlib import Path

from course_lib.explore.page import render
from course_lib.explore.score_card import ROWS
from course_lib.games import THREAD_POSITION, ConnectFour
from course_lib.language import gettext

TABLE_ROW = re.compile(
    r"^\| \d \[(?P<title>[^]]+)\]\(notebooks/(?P<name>\w+)\.ipynb\) \| (?P<minutes>\d+) \+ (?P<exercises>\d+) \| "
    r"(?P<before>[^|]+) \| (?P<after>[^|]+) \|", re.MULTILINE,
)  # fmt: skip
SHEETS = "page.css", "controls.css", "start.css"
"""The style sheets of a start page; its script is start.js."""


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
