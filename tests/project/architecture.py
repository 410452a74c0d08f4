"""The folders of the code and their imports as a picture: `python tests/project/architecture.py` draws it again."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / ".github" / "architecture.svg"
LAYERS = (("instructor",), ("check",), ("explore",), ("watch", "alphazero"), ("search",), ("games",))
"""The folders as they are drawn, from the top; imports run downward only."""
PURPOSES = {
    "games": "what a game is, and the games",
    "search": "the algorithms, as their pseudo-code",
    "alphazero": "a network that learns by self-play",
    "watch": "recording a search: no widget, no picture",
    "explore": "widgets and pictures; their scripts in js/",
    "check": "the client of the questions: load, ask, judge, name, show",
    "instructor": "grading, tournaments, exercises, release, site; not in the students' zip",
}
WIDTH, HEIGHT, GAP, MARGIN = 760, 58, 34, 12
STYLE = """.folder { font: bold 16px system-ui, sans-serif; fill: #222 }
.what { font: 14px system-ui, sans-serif; fill: #555 }
rect { fill: #f6f8fa; stroke: #8b98a5 }
path { fill: none; stroke: #0072b2; stroke-width: 1.6; marker-end: url(#tip) }
#tip path { fill: #0072b2; stroke: none; marker-end: none }
@media (prefers-color-scheme: dark) {
  .folder { fill: #e6edf3 } .what { fill: #9da7b3 } rect { fill: #161b22; stroke: #57606a }
  path { stroke: #58a6ff } #tip path { fill: #58a6ff }
}"""


def imported(folder):
    """The folders that a folder imports from."""
    found = set()
    for path in (ROOT / ("instructor" if folder == "instructor" else f"course_lib/{folder}")).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom | ast.Import):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [name.name for name in node.names]
                parts = [name.split(".") for name in names]
                found |= {name[1] for name in parts if name[0] == "course_lib" and len(name) > 1} | {
                    n[0] for n in parts
                }
    return found & PURPOSES.keys() - {folder}


def arrows():
    """The pairs of folders of which one imports from the other, but for those that a longer way joins too."""
    uses = {folder: imported(folder) for folder in PURPOSES}
    below = {folder: set() for folder in PURPOSES}
    for layer in reversed(LAYERS):
        for folder in layer:
            below[folder] = uses[folder].union(*(below[used] for used in uses[folder]))
    return [(folder, used) for folder in PURPOSES for used in sorted(uses[folder])
            if not any(used in below[other] for other in uses[folder])]  # fmt: skip


def draw():
    """The picture as the text of an SVG file."""
    boxes, places = [], {}
    for number, layer in enumerate(LAYERS):
        width, top = (WIDTH - MARGIN * (len(layer) + 1)) / len(layer), MARGIN + number * (HEIGHT + GAP)
        for column, folder in enumerate(layer):
            left = MARGIN + column * (width + MARGIN)
            places[folder] = width, left + width / 2, top
            boxes.append(f'<rect x="{left:g}" y="{top}" width="{width:g}" height="{HEIGHT}" rx="6"/>'
                         f'<text class="folder" x="{left + 14:g}" y="{top + 24}">{folder}</text>'
                         f'<text class="what" x="{left + 14:g}" y="{top + 45}">{PURPOSES[folder]}</text>')  # fmt: skip
    lines = []
    for user, used in arrows():
        (_, x), start, end = min(places[user][:2], places[used][:2]), places[user][2] + HEIGHT, places[used][2]
        lines.append(f'<path d="M{x:g} {start}L{x:g} {end - 1}"/>')
    height = 2 * MARGIN + len(LAYERS) * (HEIGHT + GAP) - GAP
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'aria-label="The folders of course_lib and instructor; arrows run from a folder to those that it imports">',
        f"<style>{STYLE}</style>",
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z"/></marker>', *boxes, *lines, "</svg>", ""])  # fmt: skip


if __name__ == "__main__":
    PICTURE.write_text(draw(), encoding="utf-8")
