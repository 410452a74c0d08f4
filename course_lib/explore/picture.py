"""A tree as a matplotlib figure: the same tree that the explorer shows."""

from course_lib.explore.door import check_tree, draws_boards, only_for, root_state
from course_lib.games import ConnectFour, Game
from course_lib.games.checks import check_whole
from course_lib.watch.view import GameView, SheetView


def picture(watched, step=None, *, state=None, boards=None, answers=None):
    """A `Picture` (a matplotlib `Figure`) of a recorded search after `step` steps, or of a game's tree below `state`.

    Without `step` the search is finished. Max nodes point up, Min nodes point down, chance nodes are round, leaves are
    square. A dashed node is not visited yet, a thick one is on the stack, a filled one is visited, and a dotted one is
    cut off. What would make the picture too wide or too high is left out, and +3 stands for three children that are
    not drawn. `boards` draws the positions in the nodes; without it they are drawn where they are small.
    `answers` (path → text) fills in the tree of a `TreeGame`: a value, a window such as "[3, +∞]", or "cut".
    """
    check_tree("picture", watched)
    if isinstance(watched, Game):
        only_for("a recorded search, and this is a game", watched, step=step)
        view = _game_view(watched, root_state(watched, state), answers)
    else:
        only_for("a game, and this is a recorded search", watched, state=state, answers=answers)
        check_whole(0, watched.steps, step=step or 0)
        view = watched.view(step)
    return picture_of(view, boards)


def chart(alt, width=6.5, height=3.2, panels=1):
    """(a `Picture` to plot in, its axes), of this size in inches; `alt` says in words what it shows.

    With several `panels`, side by side, the axes are an array. End the cell with the picture: then it is shown.
    """
    from course_lib.explore.drawing import Picture

    figure = Picture(figsize=(width, height), layout="constrained")
    figure.alt = alt
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.1)
    return figure, figure.subplots(1, panels)


def side_by_side(game, positions):
    """A `Picture` of the boards of these positions, {title: state}; Connect Four has its columns, chess its squares."""
    alt = "; ".join(f"{title}: {' / '.join(game.grid(state))}" for title, state in positions.items())
    figure, axes = chart(alt, min(2.8 * len(positions), 8.4), 2.5 if len(positions) > 3 else 3, len(positions))
    for panel, (title, state) in zip([axes] if len(positions) == 1 else axes, positions.items()):
        draw_position(panel, game, state, title)
    return figure


def draw_position(panel, game, state, title):
    """The board of a position in these axes."""
    from course_lib.explore.drawing import draw_board

    rows = game.grid(state)
    high, wide = len(rows), len(rows[0])
    draw_board(panel, rows, 0, 0, 36 * max(high, wide), isinstance(game, ConnectFour))
    left = 18 * (max(high, wide) - wide)
    panel.set(xlim=(left - 2, left + 36 * wide + 2), ylim=(36 * high + 2, -2), aspect="equal", title=title)
    below = {7: range(7), 8: "abcdefgh"}.get(wide, [""] * wide)
    panel.set_xticks([left + 36 * column + 18 for column in range(wide)], below)
    panel.set_yticks([36 * row + 18 for row in range(high)], range(8, 0, -1) if high == 8 else [""] * high)
    panel.tick_params(length=0)


def picture_of(view, boards=None):
    """The `Picture` of any view of a tree."""
    from course_lib.explore.drawing import figure_of, opened, write_below  # Matplotlib takes half a second

    root = opened(view, draws_boards(view.game, view.state(view.root), boards))
    figure = figure_of(root, isinstance(view.game, ConnectFour))
    if view.caption:
        write_below(figure, view.caption)
    return figure


def _game_view(game, state, answers):
    if answers is None:
        return GameView(game, state)
    if not isinstance(answers, dict) or not all(isinstance(text, str) for text in answers.values()):
        raise ValueError(f"answers must be a dictionary from paths to texts, such as {{(0,): '3'}}, not {answers!r}")
    for path in answers:
        root_state(game, path)
    return SheetView(game, state, answers)
