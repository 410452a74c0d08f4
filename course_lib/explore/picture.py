"""The same tree as the explorer's, as a matplotlib figure."""

import io
from math import cos, pi, sin
from numbers import Integral

from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Ellipse, FancyBboxPatch, Polygon, Rectangle, Wedge
from matplotlib.text import Text

from course_lib.games import ConnectFour
from course_lib.watch import Watched, WatchedMCTS
from course_lib.watch.calls import ASK, ASKED, CUT, ENTER, EXIT, VISITED
from course_lib.watch.columns import action_text, leaf_text, number_text
from course_lib.watch.paths import kind_of, moves_of

COLOURS = {"max": "#0072b2", "min": "#d55e00", "chance": "#009e73", "leaf": "#5a5a5a"}
OTHER = "#b5588f"
WIDEST = 1_150
"""Levels are drawn as long as the picture stays narrower than this many pixels."""
DEEPEST = 12
"""So many plies are drawn."""
ROW, BOARD, DPI = 86, 58, 100
STYLES = {"new": "--", "made": "--", "cut": ":"}
"""The outlines of nodes that were not searched, and the edges to them."""


class Picture(Figure):
    """A matplotlib `Figure` that shows itself at its own size in a notebook; `alt` tells a screen reader what it is."""

    alt = "Picture"

    def png(self, dpi=1.6 * DPI):
        """The figure as a PNG file: on a light card with round corners, which stands well in a dark theme, too."""
        file, card = io.BytesIO(), self.add_artist(self._card())
        # zlib's levels above 3 take twice the time for a hundredth of the size
        small = {"metadata": {"Software": None}, "pil_kwargs": {"compress_level": 3}}
        self.savefig(file, format="png", dpi=dpi, facecolor="none", **small)
        card.remove()
        return file.getvalue()

    def _card(self):
        width, height = self.get_size_inches() * DPI
        look = {"facecolor": "white", "edgecolor": "#ccc", "linewidth": 0.7, "zorder": -1}
        corners = {"boxstyle": f"round,pad=0,rounding_size={6 / width}", "mutation_aspect": width / height}
        edge = 0.5 / width, 0.5 / height
        sides = 1 - 2 * edge[0], 1 - 2 * edge[1]
        return FancyBboxPatch(edge, *sides, transform=self.transFigure, **corners, **look)

    def png_size(self):
        """Width and height at which a notebook shows it, in pixels."""
        width, height = self.get_size_inches() * DPI
        return {"width": int(width), "height": int(height)}

    def frame(self, left, right, below):
        """Set a margin around the picture, with two texts above it and one under these, as for printing."""
        (axes,), (width, height) = self.axes, self.get_size_inches()
        wide, high = max(width, 7) + 1, height + 1.8
        self.set_size_inches(wide, high)
        axes.set_position(((wide - width) / 2 / wide, 0.4 / high, width / wide, height / high))
        self.text(0.5 / wide, 1 - 0.5 / high, left, fontsize=12, weight="bold")
        self.text(1 - 0.5 / wide, 1 - 0.5 / high, right, fontsize=12, ha="right")
        self.text(0.5 / wide, 1 - 0.85 / high, below, fontsize=10)

    def _repr_mimebundle_(self, **_):
        return {"image/png": self.png(), "text/plain": repr(self)}, {"image/png": self.png_size() | {"alt": self.alt}}

    def __repr__(self):
        return "Picture"


class _Drawn:
    """A node as it is drawn: what is written at it, its state at this step, its place in pixels from the top left."""

    def __init__(self, kind, edge="", value="", state="done", interval="", rows=None):
        self.kind, self.edge, self.value, self.state, self.interval, self.rows = (
            kind,
            edge,
            value,
            state,
            interval,
            rows,
        )
        self.children, self.note, self.chosen = [], "", False
        self.x = self.y = 0  # in pixels; while the layout is made, x counts from the parent


def picture(watched, step=None, *, state=None, boards=None, answers=None):
    """A `Picture` (a matplotlib `Figure`) of a watched search after `step` events, or of a game's tree below `state`.

    By default all steps are taken. Max nodes point up, Min nodes down, chance nodes are round, leaves square; dashed
    is not visited yet, thick on the stack, filled visited, dotted cut off. Levels that would make the picture too
    wide or too high are left out, and what is below a node is counted. `boards` draws the positions in the nodes.
    `answers` (path → text) fills in the tree of a `TreeGame`: a value, a window such as "[3, +∞]", or "cut".
    """
    recorded = isinstance(watched, Watched | WatchedMCTS)
    check_tree("picture", watched, recorded)
    refuse(watched, recorded, {"state": state, "answers": answers}, {"step": step})
    if isinstance(watched, WatchedMCTS):
        from course_lib.explore.mcts_tree import picture_mcts

        return picture_mcts(watched, step, boards)
    if isinstance(watched, Watched):
        game, first, draw, below = watched.game, watched.root, *_search_reader(watched, step)
    else:
        game, first = watched, (None, None, root_state(watched, state))
        draw, below = _game_reader(game) if answers is None else _sheet_reader(game, answers)
    root, width = _levels(first, draw, below, _boards_wanted(game, first, boards))
    return _figure(root, width, isinstance(game, ConnectFour))


def check_tree(shows, watched, recorded):
    """Raise ValueError for what is neither a recorded search nor a game: the function `shows` has no tree to show."""
    if isinstance(watched, type):
        raise ValueError(f"{shows} takes what watch() returned, or a game, not a class: give {watched.__name__}(), "
                         "with parentheses")  # fmt: skip
    if not recorded and not hasattr(watched, "result"):
        raise ValueError(f"{shows} takes what watch() returned, or a game, not {watched!r}")


def check_state(game, state):
    """Raise ValueError for a state that the game does not know."""
    try:
        moves_of(game, state)
    except Exception as error:
        raise ValueError(f"{state!r} is not a state of {game!r}: {error}") from error


def root_state(game, state):
    """The given state, once it is known to be one, or without any the initial one."""
    if state is None:
        return game.initial_state()
    check_state(game, state)
    return state


def refuse(watched, recorded, of_games, of_searches):
    """Raise ValueError for options that are given (not None) but mean nothing here: those of games, or of searches."""
    wrong = [name for name, value in (of_games if recorded else of_searches).items() if value is not None]
    if wrong:
        whose = "a game, and this is a search" if recorded else "a watched search, and this is a game"
        raise ValueError(f"{' and '.join(wrong)}: only for {whose}, {watched!r}; leave that out, or give the other")


def check_step(step, steps, counted):
    """Raise ValueError for a step that is not one of those that were recorded."""
    if step is not None and not (isinstance(step, Integral) and 0 <= step <= steps):
        raise ValueError(f"step counts {counted}, from 0 to {steps}, not {step!r}")


def _search_reader(watched, step):
    """How to draw a node of a watched search at a step, and how to find its children."""
    check_step(step, len(watched.events), "the events shown")
    finished = step is None and watched.error is None
    replayed = {} if finished else _replay(watched.events[:step])

    def draw(node, with_board):
        if finished:
            now = {VISITED: "done", ASKED: "made", CUT: "cut"}[node.status]
            value, bounds = node.value if node.status == VISITED else None, node.arguments
        else:
            now, value, bounds = replayed.get(node, ("new", None, {}))
            if node.status == CUT and replayed.get(node.parent, ("",))[0] == "done":
                now = "cut"
        known = leaf_text(watched.game, node.state) if value is None else number_text(value)
        edge = _edge(watched.game, node.parent.state if node.parent else None, node.action)
        rows = watched.game.grid(node.state) if with_board else None
        drawn = _Drawn(kind_of(watched.game, node.state), edge, known, now, _interval(node, bounds), rows)
        drawn.note = "…" if node in watched.partial else ""
        drawn.chosen = node.parent is not None and node.parent.move == node.action
        drawn.chosen = drawn.chosen and (finished or replayed.get(node.parent, ("",))[0] == "done")
        return drawn

    return draw, lambda node: list(node.children.values())


def _replay(events):
    """Node → (state, value, arguments) after these events."""
    replayed = {}
    for event, node, detail in events:
        _, value, arguments = replayed.get(node, (None, None, {}))
        if event == ASK:
            replayed[node] = "made", value, arguments
        elif event == EXIT:
            replayed[node] = "done", detail, arguments
        else:
            replayed[node] = "stack", None if event == ENTER else value, detail
    return replayed


def _interval(node, arguments):
    if not node.children or "alpha" not in arguments or "beta" not in arguments:
        return ""
    return f"[{number_text(arguments['alpha'])}, {number_text(arguments['beta'])}]"


def _game_reader(game):
    """How to draw a node of a game's own tree, given as (state above, action, state), and how to find its children."""

    def draw(place, with_board):
        above, action, state = place
        rows = game.grid(state) if with_board else None
        return _Drawn(kind_of(game, state), _edge(game, above, action), leaf_text(game, state), rows=rows)

    def below(place):
        state = place[2]
        return [(state, action, game.result(state, action)) for action, _ in moves_of(game, state)]

    return draw, below


def _sheet_reader(game, answers):
    """The same for a sheet to fill in by hand, with these answers filled in."""
    if not isinstance(answers, dict) or not all(isinstance(text, str) for text in answers.values()):
        raise ValueError(f"answers is a dictionary from paths to texts, such as {{(0,): '3'}}, not {answers!r}")
    for path in answers:
        check_state(game, path)
    plain, below = _game_reader(game)

    def draw(place, with_board):
        node, answer = plain(place, with_board), answers.get(place[2], "")
        node.state = "cut" if answer == "cut" else "blank"
        if answer.startswith("["):
            node.interval = answer
        elif answer and answer != "cut":
            node.value = answer
        return node

    return draw, below


def _edge(game, above, action):
    return "" if above is None else action_text(action, dict(moves_of(game, above)).get(action))


def _boards_wanted(game, first, wanted):
    state = first[2] if isinstance(first, tuple) else first.state
    rows = game.grid(state) if hasattr(game, "grid") else None
    return rows is not None and (max(len(rows), len(rows[0])) <= 4 if wanted is None else wanted)


def _levels(first, draw, below, with_boards):
    """Draw level by level while there is room; return the drawn root, laid out, and the width of the whole."""
    root = draw(first, with_boards)
    row = ROW + (BOARD + 4 if with_boards else 0)
    level = [(first, root)]
    for depth in range(DEEPEST + 1):
        for place, drawn in level:
            drawn.children = [draw(child, with_boards) for child in below(place)]
        if _layout(root, row) > WIDEST or depth == DEEPEST:
            for place, drawn in level:
                drawn.children, drawn.note = [], f"+{len(below(place))}" if below(place) else drawn.note
            break
        level = [(child, low) for place, drawn in level for child, low in zip(below(place), drawn.children)]
    return root, _layout(root, row)


def _layout(root, row):
    """Place every node and return the width: a tidy tree, subtrees as close as their labels allow, parents centred."""
    order = [root]
    for node in order:
        order += node.children
    left, right = {}, {}  # contours: how far a subtree reaches to either side of its root, row by row
    for node in reversed(order):
        labels = (_width(node.edge), _width(node.interval), _width(node.note), BOARD if node.rows else 0)
        own = max(_shape_width(node), *labels) / 2 + 5
        low, high = [], []
        for child in node.children:
            child.x = max((reach - mine for reach, mine in zip(high, left[child])), default=0)
            low += (mine + child.x for mine in left[child][len(low) :])
            high[: len(right[child])] = (mine + child.x for mine in right[child])
        middle = (node.children[0].x + node.children[-1].x) / 2 if node.children else 0
        for child in node.children:
            child.x -= middle
        left[node] = [-own, *(reach - middle for reach in low)]
        right[node] = [own, *(reach - middle for reach in high)]
    root.x, root.y = -min(left[root]), 34
    for node in order:
        for child in node.children:
            child.x, child.y = child.x + node.x, node.y + row
    return root.x + max(right[root])


def _width(text):
    return 6.6 * len(text)


def _shape_width(node):
    triangle = node.kind in ("max", "min")  # narrower where its text stands
    return max(34, 1.35 * _width(node.value) + 16 if triangle else _width(node.value) + 12)


def _figure(root, width, discs):
    nodes = [root]
    for node in nodes:
        nodes += node.children
    board = BOARD + 4 if any(node.rows for node in nodes) else 0
    spare = max(0, 120 - width) / 2
    width, height = max(width, 120) + 8, max(node.y for node in nodes) + 40 + board
    figure = Picture(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor="white")
    figure.alt = _in_words(root, len(nodes))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(-4 - spare, width - 4 - spare), ylim=(height, 0))
    axes.set_axis_off()
    _draw_edges(axes, nodes, board)
    for node in nodes:
        _draw_node(axes, node, discs)
    return figure


def _in_words(root, count):
    """The size of a drawn tree, its root and the root's children."""
    below = ", ".join(f"{child.edge}: {_node_in_words(child)}" for child in root.children)
    nodes = "1 node" if count == 1 else f"{count} nodes"
    return f"Game tree of {nodes}. Root: {_node_in_words(root)}" + (f"; below it {below}" if below else "")


def _node_in_words(node):
    kind = node.kind if node.kind == "leaf" else f"{node.kind} node"
    return " ".join(filter(None, (kind, node.value, "cut" if node.state == "cut" else "")))


def _draw_edges(axes, nodes, board):
    """From below a node's labels down a little, then across to the child."""
    lines = {"-": [], "--": [], ":": [], "chosen": []}
    for node in nodes:
        low = node.y + 12 + (board if node.rows else 0)
        top = low + 18 if node.interval or node.note else low
        for child in node.children:
            style = "chosen" if child.chosen else STYLES.get(child.state, "-")
            lines[style].append(((node.x, top), (node.x, low + 19), (child.x, child.y - 29)))
    for style, paths in lines.items():
        if style == "chosen":
            look = {"linewidths": 2.6, "colors": "#222"}
        else:
            look = {"linewidths": 1, "colors": "#444" if style == "-" else "#aaa", "linestyles": style}
        axes.add_collection(LineCollection(paths, zorder=1, **look))


def _draw_node(axes, node, discs):
    colour, w = COLOURS.get(node.kind, OTHER), _shape_width(node) / 2
    x, y, h = node.x, node.y, 13
    corners = {
        "max": ((-w, h), (0, -h), (w, h)),
        "min": ((-w, -h), (0, h), (w, -h)),
        "leaf": ((-w, -11), (w, -11), (w, 11), (-w, 11)),
    }
    hexagon = ((-w, 0), (5 - w, -h), (w - 5, -h), (w, 0), (w - 5, h), (5 - w, h))
    outline = [(x + a, y + b) for a, b in corners.get(node.kind, hexagon)]

    def shape(**look):
        axes.add_artist(Ellipse((x, y), 2 * w, 30, **look) if node.kind == "chance" else Polygon(outline, **look))

    edge = "#888" if node.state == "cut" else colour
    if node.state == "stack":
        shape(edgecolor=colour, alpha=0.35, linewidth=7, fill=False, joinstyle="round", zorder=2)
    paper = [0.75 + 0.25 * part for part in to_rgb(colour)] if node.state == "done" else "white"
    shape(edgecolor=edge, facecolor=paper, linewidth=1.3, linestyle=STYLES.get(node.state, "-"), zorder=3)
    value = "" if node.state in STYLES and node.kind != "leaf" else node.value
    rise = {"max": 6, "min": -5}.get(node.kind, 0)
    _write(axes, x, y + rise, value, "#888" if node.state == "cut" else "#111", 8.6, weight="bold")
    _write(axes, x, y - 21, node.edge)
    if node.rows:
        draw_board(axes, node.rows, x - BOARD / 2, y + 17, BOARD, discs)
    _write(axes, x, y + 24 + (BOARD + 4 if node.rows else 0), node.note or node.interval)


def _write(axes, x, y, text, colour="#556", size=7.9, weight="normal"):
    if text:
        axes.text(x, y, text, color=colour, fontsize=size, ha="center", va="center", weight=weight, zorder=6)


def draw_board(axes, rows, left, top, size, discs=False):
    """Draw a grid of marks in a square of `size` pixels; `discs` draws X and O full and hollow, as in Connect Four."""
    cell = size / max(len(rows), len(rows[0]))
    width = max(1.6, cell / 12)
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            x, y, d = left + (c + 0.5) * cell, top + (r + 0.5) * cell, cell * 0.28
            square = (left + c * cell, top + r * cell)
            axes.add_artist(Rectangle(square, cell, cell, facecolor="white", edgecolor="#bbb", linewidth=0.6, zorder=3))
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
                axes.text(x, y, mark, fontsize=cell * 0.5, ha="center", va="center", zorder=5)


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
