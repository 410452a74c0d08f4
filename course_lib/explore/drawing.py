"""Layout and drawing of a tree as a Matplotlib figure."""

import io
from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse, Polygon

from course_lib.explore.board_drawing import COLOURS, draw_board
from course_lib.explore.snapshot import Node
from course_lib.language import N_, gettext, translated
from course_lib.watch.record import CUT, GENERATED, VISITED

OTHER = "#b5588f"
"""The colour of the nodes of a third and later players."""
Grid = Callable[[int], Sequence[str] | None]
"""The number of a node → the rows of its board."""
ROW, BOARD, DPI = 86, 58, 100
KIND_NAMES = N_("leaf"), N_("chance")
STYLES = {"new": "--", GENERATED: "--", CUT: ":"}
"""The line styles of nodes that were not searched, and of the edges to them."""
MAX_WIDTH = 1_150
"""The maximum width of a picture, in pixels; nodes that do not fit are closed."""
MAX_DEPTH = 12
"""The maximum number of plies in a picture."""
MAX_SEARCH_NODES = 60
"""The maximum number of nodes in a picture of a Monte Carlo tree search."""


class Picture(Figure):
    """A Matplotlib `Figure` at its own size in a notebook; `alt` is its description for screen readers."""

    alt = "Picture"

    def png(self, dpi: float = 1.6 * DPI) -> bytes:
        """The figure as a PNG file on white; in a dark theme, controls.css inverts it."""
        file = io.BytesIO()
        # zlib's levels above 3 take twice the time for a hundredth of the size
        self.savefig(file, format="png", dpi=dpi, facecolor="white", metadata={"Software": None},
                     pil_kwargs={"compress_level": 3})  # fmt: skip
        return file.getvalue()

    def png_size(self) -> dict:
        """Width and height in a notebook, in pixels."""
        width, height = self.get_size_inches() * DPI
        return {"width": int(width), "height": int(height)}

    def _repr_mimebundle_(self, **_):
        metadata = {"image/png": self.png_size() | {"alt": self.alt}, "needs_background": "light"}
        return {"image/png": self.png(), "text/plain": repr(self)}, metadata

    def __repr__(self) -> str:
        return "Picture"


def open_to_fit(root: Node, grid: Grid | None) -> None:
    """Open the drawn tree as far as it fits: level by level, or the most visited node first."""
    root.rows = grid(root.number) if grid else None
    waiting, max_nodes = [root], inf if root.visits is None else MAX_SEARCH_NODES
    while waiting:
        batch = waiting if root.visits is None else [max(waiting, key=lambda node: node.visits)]
        waiting = [node for node in waiting if node not in batch]
        for node in batch:
            node.drawn = node.children
            for child in node.drawn:
                child.depth, child.rows = node.depth + 1, grid(child.number) if grid else None
        children = [child for node in batch for child in node.drawn]
        too_deep = any(child.depth > MAX_DEPTH for child in children)
        if too_deep or len(all_nodes(root)) > max_nodes or layout(root) > MAX_WIDTH:
            for node in batch:
                node.drawn = []
        else:
            waiting += children


def layout(root: Node) -> float:
    """Place every node and return the width: a tidy tree (Reingold and Tilford, 1981) with parents centred."""
    order = all_nodes(root)
    row = ROW + (BOARD + 4 if any(node.rows for node in order) else 0)
    left, right = {}, {}  # contours: the extent of a subtree to either side of its root, row by row
    for node in reversed(order):
        left_contour, right_contour = [], []
        for child in node.drawn:
            child.x = max((reach - mine for reach, mine in zip(right_contour, left[child])), default=0)
            left_contour += (mine + child.x for mine in left[child][len(left_contour) :])
            right_contour[: len(right[child])] = (mine + child.x for mine in right[child])
        middle = (node.drawn[0].x + node.drawn[-1].x) / 2 if node.drawn else 0
        for child in node.drawn:
            child.x -= middle
        own = _half_width(node)
        left[node] = [-own, *(reach - middle for reach in left_contour)]
        right[node] = [own, *(reach - middle for reach in right_contour)]
    root.x, root.y = -min(left[root]), 34
    for node in order:
        for child in node.drawn:
            child.x, child.y = child.x + node.x, node.y + row
    return root.x + max(right[root])


def all_nodes(root: Node) -> list[Node]:
    """Every node of a drawn tree, parents first."""
    nodes = [root]
    for node in nodes:
        nodes += node.drawn
    return nodes


def _half_width(node):
    """Half the width of a node with its labels."""
    return max(_width(node), _text_width(node.edge), _text_width(node.below), BOARD if node.rows else 0) / 2 + 5


def _width(node):
    """The width of the shape; a triangle needs more for the same text."""
    text = _text_width(node.value)
    return max(34, 1.35 * text + 16 if node.kind in ("max", "min") else text + 12)


def _text_width(text):
    return 6.6 * len(text)


def tree_picture(root: Node, grid: Grid | None = None, board_style: str = "squares") -> Picture:
    """The `Picture` of the tree below this node of a snapshot, as much of it as fits.

    `grid(number)` is the board of a node, if boards are drawn, in the style of its game.
    """
    open_to_fit(root, grid)
    width, nodes = layout(root), all_nodes(root)
    board = BOARD + 4 if grid else 0
    left, height = min(0, width - 120) / 2 - 4, max(node.y for node in nodes) + 40 + board
    right = width - left
    figure = Picture(figsize=((right - left) / DPI, height / DPI), dpi=DPI, facecolor="white")
    below = ", ".join(f"{child.edge}: {translated(child.kind)} {child.value}".strip() for child in root.drawn)
    figure.alt = gettext(
        "Game tree of {count} nodes. Root: {root}. Below it: {below}", count=len(nodes),
        root=f"{translated(root.kind)} {root.value}".strip(), below=below or gettext("nothing"),
    )  # fmt: skip
    axes = figure.add_axes((0, 0, 1, 1), xlim=(left, right), ylim=(height, 0))
    axes.set_axis_off()
    _draw_edges(axes, nodes, board)
    for node in nodes:
        _draw_node(axes, node, board_style)
    return figure


def _draw_edges(axes, nodes, board):
    """Draw each edge from below the labels of a node to its child."""
    edges = [(node, child) for node in nodes for child in node.drawn]
    paths = []
    for node, child in edges:
        bottom = node.y + 12 + (board if node.rows else 0)
        start = bottom + 18 if node.below else bottom
        paths.append(((node.x, start), (node.x, bottom + 19), (child.x, child.y - 29)))
    styles = [STYLES.get(child.status, "-") for _, child in edges]
    faint = ["#aaa" if style in STYLES.values() else "#444" for style in styles]
    colours = ["#222" if child.chosen else colour for (_, child), colour in zip(edges, faint)]
    widths = [2.6 if child.chosen else 1 for _, child in edges]
    axes.add_artist(LineCollection(paths, colors=colours, linewidths=widths, linestyles=styles, zorder=1))


def _draw_node(axes, node, board_style):
    x, y = node.x, node.y
    _draw_shape(axes, node)
    rise = {"max": 6, "min": -5}.get(node.kind, 0)
    _write(axes, x, y + rise, node.value, "#888" if node.status == CUT else "#111", 8.6, weight="bold")
    _write(axes, x, y - 21, node.edge)
    if node.rows:
        draw_board(axes, node.rows, x - BOARD / 2, y + 17, BOARD, board_style)
    _write(axes, x, y + 24 + (BOARD + 4 if node.rows else 0), node.below)


def _draw_shape(axes, node):
    """Draw the shape of a node, filled if it was searched, and with a halo while it is on the stack."""
    colour = COLOURS.get(node.kind, OTHER)

    def shape(**style: Any) -> None:
        if node.kind == "chance":
            axes.add_artist(Ellipse((node.x, node.y), _width(node), 30, **style))
        else:
            axes.add_artist(Polygon([(node.x + a, node.y + b) for a, b in _outline(node)], **style))

    if node.status == "stack":
        shape(edgecolor=colour, alpha=0.35, linewidth=7, fill=False, joinstyle="round", zorder=2)
    edge = "#888" if node.status == CUT else colour
    paper = [0.75 + 0.25 * part for part in to_rgb(colour)] if node.status == VISITED else "white"
    shape(edgecolor=edge, facecolor=paper, linewidth=1.3, linestyle=STYLES.get(node.status, "-"), zorder=3)


def _outline(node):
    """The corners relative to the centre: triangles for Max and Min, a square leaf, a hexagon for other players."""
    w, h = _width(node) / 2, 13
    corners = {
        "max": ((-w, h), (0, -h), (w, h)),
        "min": ((-w, -h), (0, h), (w, -h)),
        "leaf": ((-w, -11), (w, -11), (w, 11), (-w, 11)),
    }
    hexagon = ((-w, 0), (5 - w, -h), (w - 5, -h), (w, 0), (w - 5, h), (5 - w, h))
    return corners.get(node.kind, hexagon)


def _write(axes, x, y, text, colour="#556", size=7.9, weight="normal"):
    if text:
        axes.text(x, y, text, color=colour, fontsize=size, ha="center", va="center", weight=weight, zorder=6)
