"""The interactive tree in the browser, and its messages."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as widgets
import traitlets

from course_lib.explore.bundle import script
from course_lib.explore.cleanup import close_on_rerun
from course_lib.explore.page import page, tree_element
from course_lib.explore.static_image import with_static_image
from course_lib.explore.validation import draws_boards
from course_lib.games import Game
from course_lib.games.game import State
from course_lib.saving import write_whole
from course_lib.watch.mcts_record import PHASES

PREDICT_MODES = "", "value", "next", "next leaf"
"""What an explorer can ask about before it shows it."""
MAX_BOARDS = 40
"""In trees of more nodes, boards are not drawn by default."""


class Tree(anywidget.AnyWidget):
    """The drawn tree (see tree.js); `step` is the number of events shown, `selected` the number of a node.

    For practice, `targets` are the nodes with an answer, `mark` is the answer that a click gives (empty: it is typed),
    `answers` are the reader's by node, and `marks` are "right" or "wrong" by node.
    """

    page_name = "tree"
    _esm = script("tree.js")
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
        return [(index, game.grid(states[index]), game.render(states[index])) for index in nodes]


class SearchTree(Tree):
    """The tree of a Monte Carlo tree search (see mcts.js); `step` counts phases; a click advances by `stride` of them.

    `c` is the value on the slider.
    """

    page_name = "mcts"
    _esm = script("mcts.js")
    c = traitlets.Float().tag(sync=True)
    stride = traitlets.Int(len(PHASES)).tag(sync=True)


class Explorer(widgets.VBox):
    """What `explore` returns: `tree`, the drawn tree, below a `notice`. `draw()` returns the static `Picture`."""

    def __init__(self, tree: Tree, draw: Callable[[], Any], notice: str = "") -> None:
        self.tree, self._draw_static_image = tree, draw
        super().__init__([widgets.HTML(f"<b>{notice}</b>"), tree] if notice else [tree])
        self.add_class("course-ui")
        close_on_rerun(self)

    def __repr__(self) -> str:
        return f"Explorer({self.tree.name})"

    def save(self, path: str | Path) -> str | Path:
        """Write an HTML page with this explorer; return its path. Any browser opens it, without Python or a network."""
        write_whole(path, page(repr(self), tree_element(self.tree)))
        return path

    def _repr_mimebundle_(self, **options):
        return with_static_image(self, super()._repr_mimebundle_(**options), self._draw_static_image)


def encode_columns(sent: dict) -> dict:
    """Columns as bytes, which need no encoding for the browser."""
    columns = {name: bytes(column) for name, column in sent["columns"].items()}
    return sent | {"texts": list(sent["texts"]), "columns": columns}
