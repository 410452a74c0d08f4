"""A tree as a Matplotlib figure: the same tree as in the explorer."""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from course_lib.explore.game_tree import GameTree, Trace, draws_boards, trace_or_game
from course_lib.games import Game, TreeGame
from course_lib.games.game import State
from course_lib.games.validation import as_game, check_kind, check_number, check_whole, first_state
from course_lib.watch.record import CUT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from course_lib.explore.drawing import Picture

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

    check_kind(str, alt=alt)
    check_number(0.1, width=width, height=height)
    check_whole(1, panels=panels, rows=rows)
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
        draw_position(panel, game, state, title)
    return figure


def draw_position(panel: "Axes", game: Any, state: State, title: str) -> None:
    """Draw the board of a position in these axes, or its text if it has none."""
    from course_lib.explore.drawing import draw_board

    game = as_game(game)
    rows = game.grid(state)
    if rows is None:
        panel.text(0, 1, game.render(state), va="top", family="monospace", fontsize=9)
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
