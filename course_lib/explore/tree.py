"""The live tree explorer: a watched search to step through, or a game's own tree to walk."""

from base64 import b64encode
from contextlib import contextmanager

import anywidget
import ipywidgets as widgets
import traitlets

from course_lib.explore.picture import check_step, check_tree, picture, refuse, root_state
from course_lib.explore.reorder import Reorder
from course_lib.explore.rerun import close_on_rerun
from course_lib.explore.scripts import script, style
from course_lib.games import ConnectFour
from course_lib.watch import Watched, WatchedMCTS
from course_lib.watch.columns import action_text, columns_of, columns_of_rows, kind_number, leaf_text
from course_lib.watch.paths import moves_of

PREDICT = {"nothing": "", "values": "value", "the next node": "next", "the next leaf": "next leaf"}
FIRST_NODES = 9
"""Of a game's own tree, levels are opened at the start until more nodes than this are shown."""
SLIDER = {"flex": "1 1 160px", "margin": "2px 10px"}
"""Its handle is wider than its line, at both ends."""
COUNT_LIMIT = 20_000
"""Subtree sizes are shown where at most this many different states have to be counted."""


class Tree(anywidget.AnyWidget):
    """The drawn tree (see tree.js); `step` counts the events shown, `selected` is a node's number.

    For practice, `targets` are the nodes that take an answer, `mark` is the answer that a click gives (empty: it is
    typed), `answers` has the reader's by node, and `marks` says which are "right" or "wrong";
    `windows` leaves room for answers such as [3, +∞].
    """

    _esm = script("tree.js")
    _css = style("tree.css")
    name = traitlets.Unicode().tag(sync=True)
    tree = traitlets.Dict().tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    selected = traitlets.Int(-1).tag(sync=True)
    open_depth = traitlets.Int(-1).tag(sync=True)
    height = traitlets.Int(460).tag(sync=True)
    predict = traitlets.Unicode().tag(sync=True)
    reorder = traitlets.Bool(False).tag(sync=True)
    score = traitlets.List([0, 0]).tag(sync=True)
    boards = traitlets.Bool(False).tag(sync=True)
    has_boards = traitlets.Bool(False).tag(sync=True)
    discs = traitlets.Bool(False).tag(sync=True)
    windows = traitlets.Bool(False).tag(sync=True)
    plain = traitlets.Bool(False).tag(sync=True)
    zoom = traitlets.Float(1.2).tag(sync=True)
    targets = traitlets.List().tag(sync=True)
    mark = traitlets.Unicode().tag(sync=True)
    answers = traitlets.Dict().tag(sync=True)
    marks = traitlets.Dict().tag(sync=True)


class Explorer(widgets.VBox):
    """What `explore` returns: the controls and `tree`, the drawn tree; without a kernel a picture stands in for it."""

    def __init__(self, tree, controls, links, fallback):
        self.tree = tree
        self.links = links
        self._fallback = fallback
        super().__init__([*controls, tree])
        close_on_rerun(self)

    def __repr__(self):
        return f"Explorer({self.tree.name})"

    def _repr_mimebundle_(self, **options):
        return self.bundle(self, super()._repr_mimebundle_(**options), self._fallback())

    @staticmethod
    def bundle(widget, live, figure):
        """The MIME bundle of a widget: its live view, and beside it a picture for readers without a kernel."""
        live = live[0] if isinstance(live, tuple) else live
        view = {kind: content for kind, content in (live or {}).items() if "widget-view" in kind}
        still = {"text/plain": repr(widget), "image/png": b64encode(figure.png()).decode()}
        return still | view, {"image/png": figure.png_size() | {"alt": f"Game tree: {widget!r}"}}


def explore(watched, state=None, *, step=0, predict="", reorder=False, boards=None, open_depth=None, height=460):
    """A live explorer of a `Watched` or `WatchedMCTS` search, or of a game's tree from `state`, opened as you walk it.

    Step with the arrow keys, the slider or the play button; click a node to open or close it and to see its board,
    arguments, value and path. `predict` makes the explorer ask before it shows: "value" (of each node), "next"
    (node) or "next leaf". `reorder` lets you drag nodes among their siblings, or shuffle all, and searches again in
    the new order, counting the leaves. `boards` draws the positions in the nodes (by default where they fit),
    `open_depth` opens that many levels at the start (by default as many as fit), `height` is in pixels.
    Keys: ← → step, ↑ ↓ and shift ← → select, alt ← → reorder, Enter opens, Home and End jump, + − zoom, f fits.
    """
    if predict not in PREDICT.values():
        raise ValueError(f"predict is 'value', 'next', 'next leaf' or '' for no questions, not {predict!r}")
    look = {"open_depth": -1 if open_depth is None else open_depth, "height": height, "predict": predict}
    for name, value, least in (("step", step, 0), ("height", height, 100), ("open_depth", open_depth, 0)):
        if value is not None and (not isinstance(value, int) or value < least):
            raise ValueError(f"{name} is a whole number from {least} up, not {value!r}")
    for name, value, kinds in (("reorder", reorder, bool), ("boards", boards, bool | None)):
        if not isinstance(value, kinds):
            raise ValueError(f"{name} is True or False, not {value!r}")
    recorded = isinstance(watched, Watched | WatchedMCTS)
    check_tree("explore", watched, recorded)
    refuse(
        watched,
        recorded,
        {"state": state},
        {"step": step or None, "predict": predict or None, "reorder": reorder or None},
    )
    if isinstance(watched, WatchedMCTS):
        from course_lib.explore.mcts_tree import explore_mcts

        return explore_mcts(watched, step=step, reorder=reorder, boards=boards, **look)
    if isinstance(watched, Watched):
        return _explore_search(watched, step, reorder, boards, look)
    return _explore_game(watched, state, boards, look)


def _explore_search(watched, step, reorder, boards, look):
    check_step(step, len(watched.events), "the events shown")
    sent, nodes = columns_of(watched)
    step = len(watched.events) if watched.error is not None and not step else step
    tree = Tree(name=f"{watched.name} on {watched.game!r}", tree=wire(sent), step=step, reorder=reorder,
                **_board_traits(watched.game, watched.root.state, boards, len(nodes)), **look)  # fmt: skip
    controls, links, spanning = _controls(tree, len(watched.events))
    run = 0

    def show(again):
        nonlocal nodes, run
        sent, nodes = columns_of(again)
        run += 1
        with spanning(len(again.events)), tree.hold_sync():
            tree.tree, tree.step = wire(sent, run), len(again.events)

    above = [widgets.HTML(f"<b>{watched.notice}</b>")] if watched.notice else []
    above += [Reorder(watched, show)] if reorder else []

    def answer(_, message, __):
        if message.get("run") == run:  # else its numbers are those of a tree that is gone
            _send_boards(tree, watched.game, [node.state for node in nodes], message)
        if message.get("type") == "move":
            above[-1].move(message["path"], message["by"])

    tree.on_msg(answer)
    return Explorer(tree, [*above, controls], links, lambda: _still(watched, step, boards, look["predict"]))


def _still(watched, step, boards, predict):
    """The picture that stands in for an explorer: at its step, or of the finished search if it begins at step 0."""
    return picture(watched, step if step or predict else None, boards=boards)


def _controls(tree, steps):
    """Play, step, speed and prediction, in a row; what links them to the tree; what fits them to other steps.

    What the browser can do alone is linked there, without the kernel.
    """
    play = widgets.Play(value=tree.step, min=0, max=steps, interval=600, show_repeat=False)
    slider = widgets.IntSlider(value=tree.step, min=0, max=steps, readout=False, layout=SLIDER)
    short = {"style": {"description_width": "initial"}, "layout": {"width": "170px"}}
    speeds = [("slow", 1500), ("normal", 600), ("fast", 150), ("very fast", 30)]
    speed = widgets.Dropdown(options=speeds, value=600, description="speed", **short)
    predict = widgets.Dropdown(options=list(PREDICT.items()), value=tree.predict, description="predict", **short)
    links = [widgets.jslink((control, "value"), (tree, "step")) for control in (play, slider)]
    widgets.dlink((speed, "value"), (play, "interval"))
    widgets.dlink((predict, "value"), (tree, "predict"))
    for control, tip in ((play, "play the steps"), (slider, "step"), (speed, "speed"), (predict, "predict")):
        control.tooltip = tip
    row = widgets.HBox([play, slider, speed, predict], layout={"flex_flow": "row wrap", "width": "100%"})

    @contextmanager
    def spanning(steps):
        """No step may lie outside the range: it is widened before the steps change, and narrowed after."""
        for control in (play, slider):
            control.max = max(control.max, steps)
        yield
        for control in (play, slider):
            control.max = steps

    return row, links, spanning


def _explore_game(game, state, boards, look):
    """The explorer of a game's own tree: the first levels are sent at once, the others when they are asked for."""
    sizes, levels = _Sizes(game), look["open_depth"]
    state = root_state(game, state)
    rows, states = game_rows(
        game, state, lambda rows, depth: depth >= levels if levels >= 0 else rows > FIRST_NODES, sizes
    )
    tree = Tree(name=repr(game), tree=wire(columns_of_rows(rows)), **look,
                **_board_traits(game, state, True if boards is None else boards, 1))  # fmt: skip

    def answer(_, message, __):
        _send_boards(tree, game, states, message)
        if message.get("type") == "children":
            children, below = _children(game, states[message["node"]], sizes)
            states.extend(children)
            tree.send({"type": "children", "node": message["node"], "children": below})

    tree.on_msg(answer)
    return Explorer(tree, [], [], lambda: picture(game, state=state))


def game_rows(game, state, enough=lambda rows, depth: False, sizes=None):
    """The nodes of a game's tree level by level until there are `enough`: a row for each, and its state."""
    states, rows = [state], [{"parent": -1} | _row(game, None, None, state, sizes)]
    level, depth = [0], 0
    while level and not enough(len(rows), depth):
        first = len(rows)
        for above in level:
            children, below = _children(game, states[above], sizes)
            states += children
            rows += [{"parent": above} | row for row in below]
        level, depth = range(first, len(rows)), depth + 1
    return rows, states


def _children(game, state, sizes):
    """The states below this one, and what the explorer needs to know of each."""
    moves = moves_of(game, state)
    children = [game.result(state, action) for action, _ in moves]
    return children, [_row(game, *move, child, sizes) for move, child in zip(moves, children)]


def _row(game, action, probability, state, sizes):
    size = "" if sizes is None else sizes.text(state)
    return {"kind": kind_number(game, state), "action": action_text(action), "edge": action_text(action, probability),
            "leaf": leaf_text(game, state), "more": len(moves_of(game, state)), "size": size}  # fmt: skip


class _Sizes(dict):
    """Nodes in the tree below a state, itself counted; each state is counted once, and too many are not counted."""

    def __init__(self, game):
        super().__init__()
        self.game = game
        self.left = COUNT_LIMIT

    def __missing__(self, state):
        self.left -= 1
        if self.left < 0:
            raise OverflowError
        self[state] = 1 + sum(self[self.game.result(state, action)] for action, _ in moves_of(self.game, state))
        return self[state]

    def text(self, state):
        self.left = COUNT_LIMIT
        try:
            return "" if self[state] == 1 else f"{self[state]:,} nodes"
        except Exception:  # too many, or an error of the game's: nobody may ever walk to where it happens
            return ""


def _board_traits(game, state, wanted, count):
    rows = game.grid(state) if hasattr(game, "grid") else None
    fits = rows is not None and max(len(rows), len(rows[0])) <= 4 and count <= 40
    shown = rows is not None and (fits if wanted is None else wanted)
    return {"has_boards": rows is not None, "boards": shown, "discs": isinstance(game, ConnectFour)}


def _send_boards(tree, game, states, message):
    if message.get("type") == "boards":
        wanted = [index for index in message["nodes"] if 0 <= index < len(states)]
        boards = [(index, _grid(game, states[index]), _text(game, states[index])) for index in wanted]
        tree.send({"type": "boards", "boards": boards})


def _grid(game, state):
    return game.grid(state) if hasattr(game, "grid") else None


def _text(game, state):
    return game.render(state) if hasattr(game, "render") else str(state)


def wire(tree, run=0):
    """The columns as bytes, which travel to the browser as they are; `run` tells the trees of one explorer apart."""
    columns = {name: bytes(column) for name, column in tree["columns"].items()}
    return {"texts": list(tree["texts"]), "columns": columns, "run": run}
