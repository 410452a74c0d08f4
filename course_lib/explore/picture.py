"""What is shown of a trace or a game: its tree, level by level; this tree, or positions, as Matplotlib figures."""

from array import array
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from course_lib.games import Game, TreeGame
from course_lib.games.game import State
from course_lib.games.validation import as_game, check_kind, check_whole, first_state
from course_lib.games.walking import moves_of
from course_lib.language import translated
from course_lib.watch import MCTSTrace, SearchTrace
from course_lib.watch.record import CUT, ErrorsAsLeaves, TextTable, node_columns

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from course_lib.explore.drawing import Picture

Trace = SearchTrace | MCTSTrace
LABELS = "action", "edge", "leaf", "size", "state"
"""The columns that hold texts."""
MAX_NODES, MAX_PLIES = 300, 12
"""The tree of a game is generated up to these limits."""


def picture(
    trace: Any,
    step: int | None = None,
    *,
    state: State = None,
    boards: bool | None = None,
    answers: dict[tuple, str] | None = None,
) -> Any:
    """A `Picture` (a Matplotlib `Figure`) of a trace after `step` steps, or of the tree of any game below `state`.

    Without `step` it shows the end of the search. Max nodes point up, Min nodes point down, chance nodes are round,
    leaves are square. A dashed node is not visited yet, a thick one is on the stack, a filled one is visited, and a
    dotted one is cut. In a picture that would be too wide or too high, +3 stands for three children that are not drawn.
    `boards` draws the positions in the nodes (None: if they are small).
    `answers` (path → text) fills in the tree of a `TreeGame`: a value, a window such as "[3, +∞]", or "cut".
    In a browser that has no Matplotlib, this is an explorer without the answers.
    """
    trace = trace_or_game(trace)
    if not find_spec("matplotlib"):  # a browser may not have it
        from course_lib.explore.explorer import explore  # it imports this module

        return explore(trace, **({"step": step} if isinstance(trace, Trace) else {"state": state}))
    if not isinstance(trace, Trace):
        if answers is not None:
            return worksheet_picture(trace, answers)
        state = first_state(trace, state)
        tree = GameTree(trace, state, lambda nodes, depth: nodes > MAX_NODES or depth > MAX_PLIES)
        return _draw_tree(tree.columns(), trace, tree.states, boards)
    check_whole(0, trace.steps, step=step or 0)
    return _draw_tree(trace.columns(), trace.game, trace.states(), boards, step)


def worksheet_picture(game: Game, answers: dict[tuple, str], given: Mapping[tuple, str] = {}) -> "Picture":
    """A `Picture` of a `TreeGame` to fill in by hand, with some `answers` filled in and `given` beside the actions."""
    check_kind(TreeGame, game=game)
    whole = GameTree(game, ())
    return _draw_tree(whole.columns(given=given), game, whole.states, None, answers=answers)


def _draw_tree(columns, game, states, boards, step=None, answers=None):
    from course_lib.explore.drawing import snapshot, tree_picture  # Matplotlib takes half a second

    nodes = snapshot(columns, step)
    for node, path in zip(nodes, states) if answers is not None else ():
        answer = answers.get(path, "")
        node.status = CUT if answer == "cut" else "blank"
        if answer.startswith("["):
            node.window = answer
        elif answer != "cut":
            node.value = answer or node.value
    grid = (lambda number: game.grid(states[number])) if draws_boards(game, states[0], boards) else None
    return tree_picture(nodes[0], grid, game.board_style)


def chart(
    alt: str, width: float = 6.5, height: float = 3.2, panels: int = 1, rows: int = 1
) -> tuple["Picture", "Axes"]:
    """(a `Picture` to plot in, its axes), of this size in inches; `alt` is its description in words.

    With several `panels` in each of the `rows`, the axes are an array. End a cell with the picture to show it.
    """
    from course_lib.explore.drawing import Picture

    figure = Picture(figsize=(width, height), layout="constrained")
    figure.alt = alt
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.1)
    return figure, figure.subplots(rows, panels)


def side_by_side(game: Any, positions: dict[str, State]) -> "Picture":
    """A `Picture` of the boards of these positions, {title: state}."""
    game = as_game(game)
    if not isinstance(positions, dict) or not positions:
        raise ValueError(f"positions must be a dictionary {{title: state}}, not {positions!r}")
    alt = "; ".join(
        f"{title}: {' / '.join(game.grid(state) or [game.render(state)])}" for title, state in positions.items()
    )
    width, height = max(4.4, min(2.8 * len(positions), 8.4)), 2.5 if len(positions) > 3 else 3
    figure, _ = chart(alt, width, height, len(positions))
    for panel, (title, state) in zip(figure.axes, positions.items()):
        _draw_position(panel, game, state, title)
    return figure


def _draw_position(panel, game, state, title):
    """Draw the board of a position in these axes, or its text if it has none."""
    from course_lib.explore.drawing import draw_board

    rows = game.grid(state)
    if rows is None:
        panel.text(0, 1, translated(game.render(state)), va="top", family="monospace", fontsize=9)
        panel.set_axis_off()
        panel.set_title(title)
        return
    height, width = len(rows), len(rows[0])
    draw_board(panel, rows, 0, 0, 36 * max(height, width), game.board_style)
    left = 18 * (max(height, width) - width)
    panel.set(xlim=(left - 2, left + 36 * width + 2), ylim=(36 * height + 2, -2), aspect="equal", title=title)
    below = {7: range(7), 8: "abcdefgh"}.get(width, [""] * width)
    panel.set_xticks([left + 36 * column + 18 for column in range(width)], below)
    panel.set_yticks([36 * row + 18 for row in range(height)], range(8, 0, -1) if height == 8 else [""] * height)
    panel.tick_params(length=0)


class GameTree:
    """The tree of a game below `state`, level by level until `stop(nodes, depth)`.

    By number of a node: its `parents`, `actions` and `states`. An error of the game at the root is raised; where it
    raises one below the root, there is a leaf.
    """

    def __init__(self, game: Game, state: State, stop: Callable[[int, int], bool] = lambda nodes, depth: False):
        for action, _ in moves_of(game, state):
            game.result(state, action)
        self.game, self.parents, self.actions, self.states = ErrorsAsLeaves(game), [-1], [None], [state]
        level, depth = range(1), 0
        while level and not stop(len(self.states), depth):
            first = len(self.states)
            for above in level:
                for action, _ in moves_of(self.game, self.states[above]):
                    self.parents.append(above)
                    self.actions.append(action)
                    self.states.append(game.result(self.states[above], action))
            level, depth = range(first, len(self.states)), depth + 1

    def columns(self, size: Callable[[State], str] | None = None, given: Mapping[tuple, str] = {}) -> dict:
        """The columns of the nodes, with the text `size(state)`, and the texts `given` beside their actions, by path.

        `more` is the number of children of a node.
        """
        texts = TextTable()
        columns = node_columns(self.game, self.parents, self.states, self.actions, texts)
        more = [len(moves_of(self.game, state)) for state in self.states]
        columns |= {"more": array("i", more), "status": bytes(len(more))}
        if size:
            columns["size"] = array("i", [texts[size(state)] for state in self.states])
        if given:
            written = list(texts)
            edges = [f"{written[edge]} {given.get(path, '')}" for edge, path in zip(columns["action"], self.states)]
            columns["edge"] = array("i", [texts[edge.strip()] for edge in edges])
        return {"texts": texts, "columns": columns, "players": self.game.players}

    def children(self, size: Callable[[State], str]) -> list[dict]:
        """A row for each node below the root, as the browser appends them: texts by their `LABELS`, and numbers."""
        sent = self.columns(size)
        texts, columns = list(sent["texts"]), {"edge": sent["columns"]["action"]} | sent["columns"]
        return [
            {name: texts[column[i]] if name in LABELS else column[i] for name, column in columns.items()}
            for i in range(1, len(self.states))
        ]


def trace_or_game(given: Any) -> Trace | Game:
    """This trace or game; `ValueError` if it is neither."""
    if callable(given) and not isinstance(given, type):
        name = getattr(given, "__name__", repr(given))
        raise ValueError(f"{name} is a function: pass watch({name}, game) or watch_mcts({name}, game)")
    try:
        return given if isinstance(given, Trace) else as_game(given)
    except ValueError as error:
        raise ValueError(f"Expected what watch() returned, or a game. {error}") from None


def draws_boards(game: Game, state: State, wanted: bool | None) -> bool:
    """Whether boards are drawn in the nodes: as `wanted`, or else if they are small."""
    rows = game.grid(state)
    return rows is not None and (max(len(rows), len(rows[0])) <= 4 if wanted is None else wanted)
