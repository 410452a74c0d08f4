"""The live tree in the browser, its controls, and what is sent between the two."""

import anywidget
import ipywidgets as widgets
import traitlets

from course_lib.explore.page import save
from course_lib.explore.rerun import close_on_rerun
from course_lib.explore.scripts import script
from course_lib.explore.still import with_still
from course_lib.games import ConnectFour

PREDICT = "", "value", "next", "next leaf"
"""What an explorer can ask for before it shows it."""


class Tree(anywidget.AnyWidget):
    """The drawn tree (see tree.js); `step` counts the events shown, `selected` is a node's number.

    For practice, `targets` are the nodes that take an answer, `mark` is the answer that a click gives (empty: it is
    typed), `answers` has the reader's by node, and `marks` says which are "right" or "wrong";
    `windows` leaves room for answers such as [3, +∞].
    """

    page_name = "tree"
    positions = None, ()
    """The game, and the states of the nodes that have been sent."""
    _esm = script("tree.js")
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
    """What `explore` returns: `tree`, the drawn tree, below its `controls`.

    `still()` makes the picture that readers without a kernel see.
    """

    def __init__(self, tree, controls, still):
        self.tree, self._still = tree, still
        super().__init__([*controls, tree])
        self.add_class("course-ui")
        close_on_rerun(self)

    def __repr__(self):
        return f"Explorer({self.tree.name})"

    def save(self, path):
        """Write a page with this explorer: one file, which needs no Python. Its path is returned."""
        return save(self, path)

    def _repr_mimebundle_(self, **options):
        return with_still(self, super()._repr_mimebundle_(**options), self._still)


def dropdown(name, options, value, width="170px"):
    """A choice among `options` (text → value) with its name in front."""
    return widgets.Dropdown(options=list(options.items()), value=value, description=name, tooltip=name,
                            style={"description_width": "initial"},
                            layout={"width": width, "max_width": "98%"})  # fmt: skip


def button_row(actions):
    """A button for each of these functions without arguments, under its name."""
    row = [widgets.Button(description=name, layout={"width": "auto"}) for name in actions]
    for button, act in zip(row, actions.values()):
        button.on_click(lambda _, act=act: act())
    return row


def board_traits(game, state, wanted, count):
    """The traits of a `Tree` that say whether its nodes show boards: as `wanted`, or where they fit."""
    rows = game.grid(state)
    fits = rows is not None and max(len(rows), len(rows[0])) <= 4 and count <= 40
    shown = rows is not None and (fits if wanted is None else wanted)
    return {"has_boards": rows is not None, "boards": shown, "discs": isinstance(game, ConnectFour)}


def send_boards(tree, message):
    """Send the positions that the browser asks for, by the numbers of their nodes."""
    if message.get("type") == "boards":
        game, states = tree.positions
        wanted = [index for index in message["nodes"] if 0 <= index < len(states)]
        boards = [(index, game.grid(states[index]), game.render(states[index])) for index in wanted]
        tree.send({"type": "boards", "boards": boards})


def wire(sent, run=0):
    """Columns as bytes, which travel to the browser as they are; `run` tells the trees of one explorer apart."""
    columns = {name: bytes(column) for name, column in sent["columns"].items()}
    return sent | {"texts": list(sent["texts"]), "columns": columns, "run": run}
