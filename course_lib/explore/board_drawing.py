"""Boards and mazes, drawn as on the board to play on."""

from math import cos, pi, sin

from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Polygon, Rectangle, Wedge
from matplotlib.text import Text

COLOURS = {"max": "#0072b2", "min": "#d55e00", "chance": "#009e73", "leaf": "#5a5a5a"}
FIGURES = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟"))
"""The pieces of chess by their letters."""


def draw_board(axes, rows, left, top, size, discs=False):
    """Draw a grid of marks in a square of `size` pixels; `discs` draws X and O full and hollow, as in Connect Four."""
    cell = size / max(len(rows), len(rows[0]))
    left += (size - cell * len(rows[0])) / 2
    chess = len(rows) == 8 and set("".join(rows)) <= {".", *FIGURES}
    width = max(1.6, cell / 12)
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            x, y, d = left + (c + 0.5) * cell, top + (r + 0.5) * cell, cell * 0.28
            square, paper = (left + c * cell, top + r * cell), "#ddd" if chess and (r + c) % 2 else "white"
            axes.add_artist(Rectangle(square, cell, cell, facecolor=paper, edgecolor="#bbb", linewidth=0.6, zorder=3))
            if mark == "X" and not discs:
                for sign in (1, -1):
                    axes.plot(
                        (x - d, x + d), (y - sign * d, y + sign * d), color=COLOURS["max"], linewidth=width, zorder=5
                    )
            elif mark in "Xo":
                axes.add_artist(Circle((x, y), d * 1.3, color=COLOURS["max"] if mark == "X" else "#333", zorder=5))
            elif mark == "O":
                axes.add_artist(
                    Circle((x, y), d * 1.1, edgecolor=COLOURS["min"], fill=False, linewidth=width, zorder=5)
                )
            elif mark != ".":
                shown = FIGURES[mark] if chess else mark
                axes.text(x, y, shown, fontsize=cell * 0.5, ha="center", va="center", zorder=5)


def draw_maze(axes, rows, cell):
    """Draw a maze of `Pacman`, as the board does, with `cell` pixels to a cell and its top left corner at (0, 0)."""
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            wall = {"facecolor": "#44546f", "edgecolor": "#44546f"}
            free = {"facecolor": "white", "edgecolor": "#ddd"}
            square = (c * cell, r * cell)
            axes.add_artist(Rectangle(square, cell, cell, linewidth=0.8, zorder=3, **(wall if mark == "#" else free)))
            for shape in _maze_mark(mark, (c + 0.5) * cell, (r + 0.5) * cell, cell / 40):
                axes.add_artist(shape)


def _maze_mark(mark, x, y, unit):
    """The shapes of a mark around (x, y), in units of a fortieth of a cell."""
    outline = {"edgecolor": "#333", "linewidth": 1, "zorder": 5}

    def dot(right, down, radius, colour, zorder):
        return Circle((x + right * unit, y + down * unit), radius * unit, color=colour, linewidth=0, zorder=zorder)

    if mark in "PX":
        yield Wedge((x, y), 14.5 * unit, 34, -34, facecolor="#f0c800", **outline)
        yield dot(1, -8.5, 2, "#111", 6)
    if mark == "X":
        for sign in (1, -1):
            ends = ((x - 11 * unit, x + 11 * unit), (y - sign * 11 * unit, y + sign * 11 * unit))
            yield Line2D(*ends, color="#111", linewidth=4 * unit, zorder=7)
    if mark in "ABab":
        arc = [(14 * cos(pi * i / 20), -1 - 14 * sin(pi * i / 20)) for i in range(21)]
        hem = [(-14, 15), (-9.4, 11), (-4.7, 15), (0, 11), (4.7, 15), (9.4, 11), (14, 15)]
        body = [(x + a * unit, y + b * unit) for a, b in arc + hem]
        yield Polygon(body, facecolor="#d55e00" if mark in "Aa" else "#0072b2", **outline)
        for side in (-5, 5):
            yield dot(side, -5, 3.6, "white", 6)
            yield dot(side, -5, 1.7, "#111", 7)
        name = Text(x, y + 6.5 * unit, mark.upper(), color="white", fontsize=9 * unit, weight="bold", zorder=7)
        name.set(ha="center", va="center_baseline")
        yield name
    if mark in "oab":
        yield dot(*((0, 0) if mark == "o" else (15, 15)), 4.5, "#222", 8)
