"""A tree at some step, laid out and drawn as a Matplotlib figure; and boards, drawn as on the playable board."""

import io
from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Ellipse, Polygon, Rectangle, Wedge

from course_lib.language import N_, gettext, translated
from course_lib.watch.mcts import PHASES, fraction
from course_lib.watch.record import CUT, ENTER, EVENTS, EXIT, GENERATE, GENERATED, KINDS, STATUSES, VISITED

COLOURS = {"max": "#0072b2", "min": "#d55e00", "chance": "#009e73", "leaf": "#5a5a5a"}
PIECES = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟"))
"""The pieces of chess by their letters."""
WALL = "#44546f"
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


class Node:
    """A node at some step: its texts, its `status` (`VISITED`, `GENERATED`, `CUT`, "new", "stack") and its `children`.

    `more` is the number of children without a node; `visits` are those of a Monte Carlo tree search, or None. In a
    picture, `drawn` are the children that fit, and x and y are in pixels from the top left.
    """

    def __init__(self, number: int, kind: str, edge: str, value: str, more: int) -> None:
        self.number, self.kind, self.edge, self.value, self.more = number, kind, edge, value, more
        self.status, self.window, self.chosen, self.visits = VISITED, "", False, None
        self.children: list[Node] = []
        self.drawn: list[Node] = []
        self.rows: Sequence[str] | None = None  # its board
        self.depth = 0
        self.x = self.y = 0.0

    @property
    def below(self) -> str:
        """The text below the node: its window, and the number of children that are not drawn."""
        hidden = 0 if self.drawn else len(self.children) or self.more
        return "  ".join(filter(None, (self.window if self.children else "", f"+{hidden}" if hidden else "")))


def snapshot(record: dict, step: int | None = None) -> list[Node]:
    """The nodes of a trace (of what `columns()` returns) after `step` steps, by number; without `step`, after all.

    Nodes that are not in the tree yet are not among any node's children.
    """
    columns, texts, kinds = record["columns"], list(record["texts"]), list(KINDS)

    def text(name, at):
        """The text that a column has for a node or a step; "" without one."""
        column = columns.get(name)
        return "" if column is None or column[at] < 0 else texts[column[at]]

    edge, more = "edge" if "edge" in columns else "action", columns.get("more")
    nodes = []
    for i, kind in enumerate(columns["kind"]):
        name = kinds[kind] if kind < len(kinds) else f"player {kind - 2}"
        nodes.append(Node(i, name, text(edge, i) if i else "", text("leaf", i), more[i] if more else 0))
    if "op" in columns:
        steps = len(columns["op"]) if step is None else step
        if "created" in columns:
            _replay_mcts(nodes, columns, steps)
        else:
            _replay(nodes, columns, steps, text)
    for i in sorted(range(1, len(nodes)), key=columns.get("rank", range(len(nodes))).__getitem__):
        if "created" not in columns or columns["created"][i] <= steps:
            nodes[columns["parent"][i]].children.append(nodes[i])
    return nodes


def _replay(nodes, columns, steps, text):
    """Replay a recursive search, event by event."""
    for node in nodes:
        node.status = "new"
    for e in range(steps):
        node, op = nodes[columns["at"][e]], columns["op"][e]
        node.status = {EVENTS[EXIT]: VISITED, EVENTS[GENERATE]: GENERATED}.get(op, "stack")
        if op in (EVENTS[ENTER], EVENTS[GENERATE]):
            node.value = text("leaf", node.number)
        elif op == EVENTS[EXIT]:
            node.value = text("value", e)
        if text("alpha", e):
            node.window = f"[{text('alpha', e)}, {text('beta', e)}]"
    for node, status, move in zip(nodes, columns["status"], columns["move"]):
        if status == STATUSES[CUT] and nodes[columns["parent"][node.number]].status in (VISITED, CUT):
            node.status = CUT
        if move >= 0 and node.status == VISITED:
            nodes[move].chosen = True


def _replay_mcts(nodes, columns, steps):
    """Replay a Monte Carlo tree search, iteration by iteration."""
    visits, sums = [*columns["start_n"]], [*columns["start_u"]]
    for e in range(columns["changed_from"][steps // len(PHASES)]):
        i = columns["changed"][e]
        visits[i], sums[i] = columns["n"][e], columns["u"][e]
    for node, n, u in zip(nodes, visits, sums):
        node.value, node.visits = fraction(u, n), n


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
