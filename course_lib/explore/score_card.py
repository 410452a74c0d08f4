"""The serial of the course: one position of Connect Four, and what each notebook's method plays in it."""

from html import escape

from course_lib.games import THREAD_POSITION, ConnectFour
from course_lib.games.validation import check_whole
from course_lib.language import N_, gettext

ROWS = {
    2: (N_("minimax, five plies"), 4, N_("15,516 nodes, nothing proved: the win is too far away")),
    3: (N_("alpha-beta, thirteen plies"), 5, N_("21,202,259 nodes: proved")),
    4: (N_("alpha-beta and an evaluation, twelve plies"), 4, N_("the same at all twelve depths: fooled")),
    5: (N_("expectimax, five plies"), 4, N_("98 percent, if Min moves at random")),
    6: (N_("MCTS, 30,000 iterations"), 4, N_("first column 5; then more and more certain, and wrong")),
    7: (N_("a network that learned by itself, with PUCT"), 5, N_("fewer than 10,000 positions: proved")),
}
"""Notebook → its method, the column that this plays in `THREAD_POSITION`, where column 5 wins, and what that is based
on. The notebook computes it."""
CAPTION = N_("Max (●) to move")
DISCS = {"●": "#0072b2", "○": "#d55e00", " ": "inherit"}
"""The colours of the discs, as on the playable board."""


class ScoreCard:
    """The position of all notebooks beside a table, whose `lines` are (notebook, method, column, why) in words.

    It is text and HTML, without Matplotlib: a notebook's first cell shows it, and in a browser should not wait.
    """

    def __init__(self, lines: list[tuple[str, str, str, str]]) -> None:
        game = ConnectFour()
        grid = game.grid(game.after(*THREAD_POSITION))
        self.board = [row.replace("X", "●").replace("O", "○").replace(".", " ") for row in grid]
        self.lines = lines

    def __repr__(self) -> str:
        board = [*(" ".join(row) for row in self.board), "0 1 2 3 4 5 6"]
        return "\n".join([gettext(CAPTION), *board, *(" | ".join(filter(None, line)) for line in self.lines)])

    def _repr_html_(self) -> str:
        cell = '<td style="border: 1px solid #999; width: 26px; height: 26px; padding: 0; text-align: center">'
        discs = {disc: f'<span style="color: {colour}">{disc}</span>' for disc, colour in DISCS.items()}
        board = "".join(f"<tr>{''.join(f'{cell}{discs[disc]}</td>' for disc in row)}</tr>" for row in self.board)
        columns = "".join(f'<th style="text-align: center">{column}</th>' for column in range(7))
        left = 'style="text-align: left; padding: 4px 10px; vertical-align: top"'
        rows = "".join(
            f"<tr><th {left}>{notebook}</th><td {left}>{escape(method)}<br><small>{escape(why)}</small></td>"
            f"<td {left}><b style='white-space: nowrap'>{column}</b></td></tr>"
            for notebook, method, column, why in self.lines
        )
        return (
            '<div style="display: flex; flex-wrap: wrap; gap: 24px; align-items: flex-start">'
            '<table style="margin: 0; font-size: 17px">'
            f"<caption>{gettext(CAPTION)}</caption>{board}<tr>{columns}</tr></table>"
            f'<table style="margin: 0">{rows}</table></div>'
        )


def score_card(notebook: int, filled: bool = False) -> ScoreCard:
    """The position of all notebooks, and the rows of those before this `notebook`; its own has a question mark.

    At the end of the notebook its own row is `filled`.
    """
    check_whole(min(ROWS), max(ROWS), notebook=notebook)
    rows = {number: row for number, row in ROWS.items() if number <= notebook}
    lines = [
        (str(number), gettext(method), gettext("column {column}", column=column), gettext(why))
        for number, (method, column, why) in rows.items()
    ]
    if not filled:
        lines[-1] = str(notebook), lines[-1][1].partition(",")[0], "?", ""
    return ScoreCard(lines)
