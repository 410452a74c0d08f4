"""Connect Four on bitboards: each column takes rows + 1 bits, bottom first, and its top bit stays empty."""

from collections.abc import Sequence

from course_lib.games.game import MAX, MIN, Action, PlayerFirst, State
from course_lib.games.validation import check_state, check_whole

THREAD_POSITION = (4, 6, 4, 2, 6, 5, 1, 2, 2, 0, 3, 4, 3, 5, 2, 3, 3, 2)
"""The columns played to the position that every notebook from the second on looks at; Max, with X, is to move.

Max wins, by column 5 alone and in 13 plies; columns 4 and 6 draw, 0 to 3 lose.
"""


class ConnectFour(PlayerFirst):
    """Four in a row, in a column or on a diagonal wins (+1, the loser −1, a draw is 0). Max plays X and begins.

    An action is a column, counted from 0 at the left. A state is (player to move, their discs, all discs,
    whether the move before won): a win is detected once, when the disc falls.

    >>> game = ConnectFour()
    >>> game.actions(game.after(3, 3, 3, 3, 3, 3))
    (0, 1, 2, 4, 5, 6)
    """

    trusted, board_style = True, "discs"
    player_marks = "X, the filled discs", "O, the rings"
    line_length = 4

    def __init__(self, columns: int = 7, rows: int = 6):
        check_whole(1, 16, columns=columns, rows=rows)
        self.columns, self.rows = columns, rows
        height = rows + 1
        self._shifts = 1, height, height - 1, height + 1
        self._bottom = [1 << height * column for column in range(columns)]
        self._column = [((1 << rows) - 1) << height * column for column in range(columns)]
        self._full = sum(self._column)
        self._bits = [1 << height * column + row for row in reversed(range(rows)) for column in range(columns)]
        self._tops = sum(self._bits[:columns])
        self._open: dict[int, tuple[int, ...]] = {}

    def initial_state(self) -> State:
        return MAX, 0, 0, False

    def actions(self, state: State) -> Sequence[Action]:
        _, _, taken, won = state
        full = taken & self._tops
        if full not in self._open:
            self._open[full] = tuple(column for column, cells in enumerate(self._column) if not full & cells)
        return () if won else self._open[full]

    def result(self, state: State, action: Action) -> State:
        player, mine, taken, won = state
        try:
            landed = taken + self._bottom[action] & self._column[action]
        except (IndexError, TypeError):
            raise self._illegal(state, action) from None
        if won or not landed or action < 0:
            raise self._illegal(state, action)
        return 1 - player, mine ^ taken, taken | landed, self._four_in_a_row(mine | landed)

    def _four_in_a_row(self, discs):
        up, across, falling, rising = self._shifts
        v, h, d, u = discs & discs >> up, discs & discs >> across, discs & discs >> falling, discs & discs >> rising
        return (v & v >> 2 * up | h & h >> 2 * across | d & d >> 2 * falling | u & u >> 2 * rising) != 0

    def is_terminal(self, state: State) -> bool:
        return state[3] or state[2] == self._full

    def utility(self, state: State, player: int) -> float:
        mover, _, taken, won = state
        if not (won or taken == self._full) or (player != MAX and player != MIN):
            self._check_end(state, player)
        if won:
            return -1 if player == mover else 1
        return 0

    def grid(self, state: State) -> Sequence[str]:
        check_state(self, state)
        player, mine, taken, _ = state
        x = mine if player == MAX else mine ^ taken
        cells = "".join("." if not taken & bit else "X" if x & bit else "O" for bit in self._bits)
        return [cells[start : start + self.columns] for start in range(0, len(cells), self.columns)]

    def action_at(self, state: State, row: int, column: int) -> Action:
        return column if column in self.actions(state) else None

    def render(self, state: State) -> str:
        rows = [" ".join(row) for row in self.grid(state)]
        return "\n".join([*rows, " ".join(str(column % 10) for column in range(self.columns))])

    def parse(self, text: str) -> State:
        """The state drawn by rows of X, O and ".", the top row first, as `render` draws them.

        Blanks, line ends and the numbers of the columns below are skipped. X begins, so X is to move when the counts
        are equal. Other counts, discs that float, and wins by both or before the last move raise `ValueError`.
        """
        cells = "".join(str(text).split()).rstrip("0123456789")
        x, o = (sum(bit for bit, cell in zip(self._bits, cells) if cell == mark) for mark in "XO")
        extra = x.bit_count() - o.bit_count()
        last, mine, taken = (x, o, x | o) if extra else (o, x, x | o)
        won, tops = self._four_in_a_row(last), taken & ~(taken >> 1)
        held_up = not taken & ~(taken << 1 | sum(self._bottom))
        by_last_move = not all(self._four_in_a_row(last & ~(tops & column)) for column in self._column)
        if (len(cells) != len(self._bits) or set(cells) - set("XO.") or extra not in (0, 1) or not held_up
                or self._four_in_a_row(mine) or (won and not by_last_move)):  # fmt: skip
            raise ValueError(f"no game of {self!r} leads to {text!r}: rows of X, O and '.'; X begins, a win ends it")
        return MIN if extra else MAX, mine, taken, won

    def __repr__(self) -> str:
        return f"ConnectFour({self.columns}, {self.rows})"
