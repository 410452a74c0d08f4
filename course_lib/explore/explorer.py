"""The explorers of traces and of games: the interactive tree in the browser, and its messages."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets

from course_lib.explore.bundle import StillWidget, script
from course_lib.explore.page import page, tree_element
from course_lib.explore.picture import GameTree, Trace, draws_boards, picture, trace_or_game
from course_lib.games import Game
from course_lib.games.game import State
from course_lib.games.validation import check_whole, first_state
from course_lib.games.walking import moves_of
from course_lib.language import gettext, translated
from course_lib.saving import write_whole
from course_lib.watch import MCTSTrace
from course_lib.watch.mcts import PHASES

PREDICT_MODES = "", "value", "next", "next leaf"
"""What an explorer can ask about before it shows it."""
MAX_BOARDS = 40
"""In trees of more nodes, boards are not drawn by default."""
FIRST_NODES = 9
"""Levels are open at first until more nodes than this are shown."""
COUNT_LIMIT = 20_000
"""The size of a subtree is shown if it has at most this many distinct states."""


def explore(
    trace: Any,
    state: State = None,
    *,
    step: int | None = None,
    predict: str = "",
    boards: bool | None = None,
    open_depth: int | None = None,
    height: int = 460,
) -> "Explorer":
    """An interactive explorer of a trace, or of the tree of any game below `state`: click a node to open it.

    Step with the arrow keys, the slider or the play button. Click a node to open or close it and to see its board,
    arguments, value and path. `predict` asks before each step for the "value", the "next" node or the "next leaf".
    A trace is shown at `step`; the default is step 0, and the end in the static image. `state` is for games alone.
    `boards` draws the positions in the nodes (None: if they are small). `open_depth` is the number of levels that are
    open at first (None: as many as fit). `height` is in pixels, at least 100. Other arguments raise `ValueError`.
    Keys: ← → step, ↑ ↓ and shift ← → select, Enter opens, Home and End jump, + − zoom, f fits.

    >>> from course_lib.games import Nim
    >>> explore(Nim((1, 2)))
    Explorer(Nim([1, 2]))
    """
    if predict not in PREDICT_MODES:
        raise ValueError(f"predict must be 'value', 'next' or 'next leaf', or '' for no questions, not {predict!r}")
    check_whole(0, step=step or 0, open_depth=open_depth or 0)
    check_whole(100, height=height)
    traits: dict[str, Any] = {"open_depth": -1 if open_depth is None else open_depth, "height": height}
    trace = trace_or_game(trace)
    if not isinstance(trace, Trace):
        return _explore_game(trace, state, boards, traits)
    if isinstance(trace, MCTSTrace) and predict:
        raise ValueError("predict is only for recursive searches, and this is a Monte Carlo tree search")
    check_whole(0, trace.steps, step=step or 0)
    first = trace.steps if trace.error is not None and step is None else step or 0
    name = gettext("{name} on {game!r}", name=trace.name, game=trace.game)
    traits |= {"name": name, "tree": encode_columns(trace.columns()), "step": first}
    if isinstance(trace, MCTSTrace):
        stride = 1 if first % len(PHASES) or trace.captions else len(PHASES)
        tree = SearchTree(trace.game, trace.states(), boards, stride=stride, c=trace.c, **traits)
    else:
        tree = Tree(trace.game, trace.states(), boards, predict=predict, **traits)
    image_step = first if first or predict else step
    return Explorer(tree, lambda: picture(trace, image_step, boards=boards), trace.notice)


def _explore_game(game, state, boards, traits):
    """The explorer of a game: the first levels are sent at once, the others on request."""
    size, levels, state = _size_texts(game), traits["open_depth"], first_state(game, state)
    sent = GameTree(game, state, lambda nodes, depth: depth >= levels if levels >= 0 else nodes > FIRST_NODES)
    states, columns = sent.states, encode_columns(sent.columns(size))
    tree = Tree(game, states, boards is not False, name=repr(game), tree=columns, **traits)

    def answer(_, message, __):
        if message["type"] == "children":
            below = GameTree(game, states[message["node"]], lambda _, depth: depth == 1)
            states.extend(below.states[1:])
            tree.send({"type": "children", "node": message["node"], "children": below.children(size)})

    tree.on_msg(answer)
    return Explorer(tree, lambda: picture(game, state=state))


def _size_texts(game):
    """A function from states to texts: the number of nodes of the tree below a state, "" for a leaf or a large tree."""
    sizes: dict[State, int] = {}

    def size(state, limit):
        if state not in sizes:
            sizes[state] = 1 + sum(size(game.result(state, action), limit) for action, _ in moves_of(game, state))
            if len(sizes) > limit:
                raise OverflowError
        return sizes[state]

    def size_text(state: State) -> str:
        try:
            nodes = size(state, len(sizes) + COUNT_LIMIT)
        except Exception:  # too many nodes, or an error of the game in a node that may never be opened
            return ""
        return "" if nodes == 1 else gettext("{count:,} nodes", count=nodes)

    return size_text


class Tree(anywidget.AnyWidget):
    """The drawn tree (see tree.js); `step` is the number of events shown, `selected` the number of a node.

    For practice, `targets` are the nodes with an answer, `mark` is the answer that a click gives (empty: it is typed),
    `answers` are the reader's by node, and `marks` are "right" or "wrong" by node.
    """

    page_name = "tree"
    _esm = property(lambda _: script("tree.js"))
    name = traitlets.Unicode().tag(sync=True)
    tree = traitlets.Dict().tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    selected = traitlets.Int(-1).tag(sync=True)
    open_depth = traitlets.Int(-1).tag(sync=True)
    height = traitlets.Int(460).tag(sync=True)
    predict = traitlets.Unicode().tag(sync=True)
    score = traitlets.List([0, 0]).tag(sync=True)
    boards = traitlets.Bool(False).tag(sync=True)
    has_boards = traitlets.Bool(False).tag(sync=True)
    board_style = traitlets.Unicode("squares").tag(sync=True)
    targets = traitlets.List().tag(sync=True)
    mark = traitlets.Unicode().tag(sync=True)
    answers = traitlets.Dict().tag(sync=True)
    marks = traitlets.Dict().tag(sync=True)

    def __init__(
        self, game: Game | None = None, states: Sequence[State] = (), boards: bool | None = None, **traits: Any
    ) -> None:
        """`states` are those of the nodes that have been sent; `boards` is as in `explore`."""
        self.positions: tuple[Any, Sequence[State]] = game, states
        if game is not None and states and game.grid(states[0]) is not None:
            shown = draws_boards(game, states[0], boards) and (boards is not None or len(states) <= MAX_BOARDS)
            traits |= {"has_boards": True, "boards": shown, "board_style": game.board_style}
        super().__init__(**traits)
        self.on_msg(self._send_boards)

    def _send_boards(self, _, message, __):
        """Send the boards that the browser requests, by the numbers of the nodes."""
        if message["type"] == "boards":
            wanted = [index for index in message["nodes"] if 0 <= index < len(self.positions[1])]
            self.send({"type": "boards", "boards": self.boards_of(wanted)})

    def boards_of(self, nodes: Iterable[int]) -> list[tuple]:
        """(number, grid, text) for each of these nodes, by their numbers."""
        game, states = self.positions
        return [(index, game.grid(states[index]), translated(game.render(states[index]))) for index in nodes]


class SearchTree(Tree):
    """The tree of a Monte Carlo tree search (see mcts.js); `step` counts phases; a click advances by `stride` of them.

    `c` is the value on the slider.
    """

    page_name = "mcts"
    _esm = property(lambda _: script("mcts.js"))
    c = traitlets.Float().tag(sync=True)
    stride = traitlets.Int(len(PHASES)).tag(sync=True)


class Explorer(StillWidget, widgets.VBox):
    """What `explore` returns: `tree`, the drawn tree, below a `notice`. `draw()` returns the static `Picture`."""

    def __init__(self, tree: Tree, draw: Callable[[], Any], notice: str = "") -> None:
        self.tree, self._picture = tree, draw
        super().__init__([widgets.HTML(f"<b>{notice}</b>"), tree] if notice else [tree])
        self.add_class("course-ui")

    def __repr__(self) -> str:
        return f"Explorer({self.tree.name})"

    def save(self, path: str | Path) -> str | Path:
        """Write an HTML page with this explorer; return its path. Any browser opens it, without Python or a network."""
        write_whole(path, page(repr(self), tree_element(self.tree)))
        return path


def encode_columns(sent: dict) -> dict:
    """Columns as bytes, which need no encoding for the browser."""
    columns = {name: bytes(column) for name, column in sent["columns"].items()}
    return sent | {"texts": list(sent["texts"]), "columns": columns}
