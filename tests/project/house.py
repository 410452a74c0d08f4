"""The map of the house, `.github/house.svg`, drawn from the imports: `python tests/project/house.py` draws it anew."""

import ast
from pathlib import Path
from textwrap import wrap

ROOT = Path(__file__).parents[2]
MAP = ROOT / ".github" / "house.svg"
FLOORS = (("grade",), ("check",), ("explore",), ("watch", "alphazero"), ("search",), ("games",))
"""The rooms as they are drawn, from the top; imports run downward only."""
PURPOSES = {
    "games": "what a game is, and the games",
    "search": "the algorithms, as their pseudo-code",
    "alphazero": "a network that learns by self-play",
    "watch": "recording a search: no widget, no picture",
    "explore": "widgets and pictures; their scripts in js/",
    "check": "what an exercise imports: questions and checks",
    "grade": "what an instructor runs; not in the students' bundle",
}
WIDTH, LINE, HEAD, GAP, MARGIN = 860, 17, 44, 34, 12
STYLE = """text { font: 13px ui-monospace, monospace; fill: #222 }
.room { font: bold 16px system-ui, sans-serif } .what { font: 14px system-ui, sans-serif; fill: #555 }
rect { fill: #f6f8fa; stroke: #8b98a5 }
path { fill: none; stroke: #0072b2; stroke-width: 1.6; marker-end: url(#tip) }
#tip path { fill: #0072b2; stroke: none; marker-end: none }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .what { fill: #9da7b3 } rect { fill: #161b22; stroke: #57606a }
  path { stroke: #58a6ff } #tip path { fill: #58a6ff }
}"""


def modules(room):
    """The modules of a room, those of a folder inside it as folder/name."""
    folder = ROOT / "course_lib" / room
    files = [path.relative_to(folder) for kind in ("py", "js") for path in folder.rglob(f"*.{kind}")]
    return sorted((path.with_suffix("").as_posix() for path in files if path.stem != "__init__"), key=in_order)


def in_order(name):
    """Files of the room itself first, then folder by folder."""
    return name.count("/"), name


def imported(room):
    """The rooms that a room imports from."""
    found = set()
    for path in (ROOT / "course_lib" / room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom | ast.Import):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [name.name for name in node.names]
                found |= {name.split(".")[1] for name in names if name.startswith("course_lib.")}
    return found & PURPOSES.keys() - {room}


def arrows():
    """The pairs of rooms of which one imports from the other, but for those that a longer way joins too."""
    uses = {room: imported(room) for room in PURPOSES}
    below = {room: set() for room in PURPOSES}
    for floor in reversed(FLOORS):
        for room in floor:
            below[room] = uses[room].union(*(below[used] for used in uses[room]))
    return [(room, used) for room in PURPOSES for used in sorted(uses[room])
            if not any(used in below[other] for other in uses[room])]  # fmt: skip


def draw():
    """The map as the text of an SVG file."""
    parts, places, top = [], {}, MARGIN
    for floor in FLOORS:
        width = (WIDTH - MARGIN * (len(floor) + 1)) / len(floor)
        texts = {room: wrap("  ".join(modules(room)), int(width / 8.1), break_on_hyphens=False) for room in floor}
        height = HEAD + LINE * max(map(len, texts.values())) + 8
        for column, room in enumerate(floor):
            left = MARGIN + column * (width + MARGIN)
            places[room] = width, left + width / 2, top, top + height
            parts += box(room, left, top, width, height, texts[room])
        top += height + GAP
    lines = [arrow(places[user], places[used]) for user, used in arrows()]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top - GAP + MARGIN}" role="img" '
        'aria-label="The rooms of course_lib with their modules; arrows run from a room to those that it imports">',
        f"<style>{STYLE}</style>",
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z"/></marker>', *parts, *lines, "</svg>", ""])  # fmt: skip


def box(room, left, top, width, height, lines):
    yield f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="6"/>'
    yield f'<text x="{left + 14:g}" y="{top + 25:g}"><tspan class="room">{room}</tspan><tspan class="what" dx="12">'
    yield f"{PURPOSES[room]}</tspan></text>"
    for number, line in enumerate(lines):
        yield f'<text x="{left + 14:g}" y="{top + HEAD + LINE * number + 6:g}" xml:space="preserve">{line}</text>'


def arrow(user, used):
    """From the lower edge of a room to the upper edge of one that it imports, at the middle of the narrower one."""
    (_, x), start, end = min(user[:2], used[:2]), user[3], used[2]
    return f'<path d="M{x:g} {start:g}L{x:g} {end - 1:g}"/>'


if __name__ == "__main__":
    MAP.write_text(draw(), encoding="utf-8")
