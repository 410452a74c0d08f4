"""The serial of the course: one position of Connect Four, and what each notebook's method plays in it."""

from typing import TYPE_CHECKING, NamedTuple

from course_lib.explore.picture import draw_position
from course_lib.games import THREAD_POSITION, ConnectFour
from course_lib.games.validation import check_whole

if TYPE_CHECKING:
    from course_lib.explore.drawing import Picture


class Row(NamedTuple):
    """What a method plays in `THREAD_POSITION`, and what that is based on; column 5 wins."""

    notebook: int
    method: str
    column: int
    why: str


ROWS = (
    Row(2, "minimax, five plies", 4, "15,516 nodes, nothing proved: the win is too far away"),
    Row(3, "alpha-beta, thirteen plies", 5, "21,202,259 nodes: proved"),
    Row(4, "alpha-beta and an evaluation, twelve plies", 4, "the same at all twelve depths: fooled"),
    Row(5, "expectimax, five plies", 4, "98 percent, if Min moves at random"),
    Row(6, "MCTS, 30,000 iterations", 4, "first column 5; then more and more certain, and wrong"),
    Row(7, "a network that learned by itself, with PUCT", 5, "fewer than 10,000 positions: proved"),
)
"""One row for each notebook, which computes it."""


def score_card(notebook: int, filled: bool = False) -> "Picture":
    """The position of all notebooks, and the rows of those before this `notebook`; its own has a question mark.

    At the end of the notebook its own row is `filled`.
    """
    from course_lib.explore.drawing import Picture  # Matplotlib takes half a second

    check_whole(ROWS[0].notebook, ROWS[-1].notebook, notebook=notebook)
    game = ConnectFour()
    figure = Picture(figsize=(7.6, 2.6), dpi=100)
    board = figure.add_axes((0.01, 0.1, 0.31, 0.78))
    draw_position(board, game, game.after(*THREAD_POSITION), "Max (filled discs) to move")
    card = figure.add_axes((0.36, 0.0, 0.62, 1.0), xlim=(0, 1), ylim=(2.4 * len(ROWS), -1.0))
    card.set_axis_off()
    lines: list[str] = []
    for place, row in enumerate(row for row in ROWS if row.notebook <= notebook):
        is_open = row.notebook == notebook and not filled
        method = row.method.partition(",")[0] if is_open else row.method
        plays, why = ("plays ?", "") if is_open else (f"column {row.column}", row.why)
        top, colour = 2.4 * place, "#555" if is_open else "#0072b2" if row.column == 5 else "#c44e00"
        card.text(0.0, top, f"{row.notebook}", weight="bold", fontsize=11, color="#555")
        card.text(0.05, top, method, fontsize=10.5)
        card.text(1.0, top, plays, weight="bold", fontsize=10.5, color=colour, ha="right")
        card.text(0.05, top + 0.95, why, fontsize=9, color="#444")
        lines.append(f"Notebook {row.notebook}: {method}; {plays}; {why or 'open'}.")
    rows = " / ".join(game.grid(game.after(*THREAD_POSITION)))
    figure.alt = f"The position of all notebooks, X (Max) to move: {rows}. The score card. {' '.join(lines)}"
    return figure
