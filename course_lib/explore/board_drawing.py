"""Boards in Matplotlib, drawn as on the playable board."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Rectangle, Wedge

COLOURS = {"max": "#0072b2", "min": "#d55e00", "chance": "#009e73", "leaf": "#5a5a5a"}
PIECES = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟"))
"""The pieces of chess by their letters."""
WALL = "#44546f"


def draw_board(axes: Axes, rows: Sequence[str], left: float, top: float, size: float, style: str = "squares") -> None:
    """Draw a grid of marks in a square of `size` pixels; `style` is a game's `board_style`."""
    cell = size / max(len(rows), len(rows[0]))
    left += (size - cell * len(rows[0])) / 2
    chess = len(rows) == 8 and set("".join(rows)) <= {".", *PIECES}
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            x, y = left + c * cell, top + r * cell
            paper = WALL if mark == "#" else "#ddd" if chess and (r + c) % 2 else "white"
            axes.add_artist(Rectangle((x, y), cell, cell, facecolor=paper, edgecolor="#bbb", linewidth=0.6, zorder=3))
            draw = _draw_actor if style == "maze" else _draw_mark
            draw(axes, PIECES[mark] if chess and mark != "." else mark, x + cell / 2, y + cell / 2, cell, style)


def _draw_mark(axes, mark, x, y, cell, style):
    d, width = cell * 0.28, max(1.6, cell / 12)
    if mark == "X" and style != "discs":
        for sign in (1, -1):
            ends = (x - d, x + d), (y - sign * d, y + sign * d)
            axes.add_artist(Line2D(*ends, color=COLOURS["max"], linewidth=width, zorder=5))
    elif mark in "Xo":
        axes.add_artist(Circle((x, y), d * 1.3, color=COLOURS["max"] if mark == "X" else "#333", zorder=5))
    elif mark == "O":
        axes.add_artist(Circle((x, y), d * 1.1, edgecolor=COLOURS["min"], fill=False, linewidth=width, zorder=5))
    elif mark != ".":
        axes.text(x, y, mark, fontsize=cell * 0.5, ha="center", va="center", zorder=5)


def _draw_actor(axes, mark, x, y, cell, _):
    """A pellet, Pac-Man (with a cross when he is caught), or a ghost with its letter, small on a pellet."""
    if mark == "o":
        axes.add_artist(Circle((x, y), cell * 0.11, color="#222", zorder=5))
    elif mark in "PX":
        axes.add_artist(Wedge((x, y), cell * 0.36, 34, -34, facecolor="#f0c800", edgecolor="#333", zorder=5))
    elif mark in "ABab":
        colour = COLOURS["min" if mark in "Aa" else "max"]
        axes.add_artist(Circle((x, y), cell * 0.36, facecolor=colour, edgecolor="#333", zorder=5))
    if mark in "XABab":
        text, colour = ("✕", "#111") if mark == "X" else (mark, "white")
        axes.text(x, y, text, color=colour, fontsize=cell * 0.3, weight="bold", ha="center", va="center", zorder=6)
