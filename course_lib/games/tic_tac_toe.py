"""Tic-tac-toe on bitboards: bit i of a 9-bit number is cell i, counted from the top left."""

from collections.abc import Sequence

from course_lib.games.game import MAX, MIN, Action, PlayerFirst, State
from course_lib.games.validation import check_state

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
"""The eight rows, columns and diagonals, as cells."""

BIT = [1 << cell for cell in range(9)]
LINE_BITS = [sum(BIT[cell] for cell in line) for line in LINES]
WON = [any(board & bits == bits for bits in LINE_BITS) for board in range(512)]
EMPTY = [tuple(cell for cell in range(9) if not board & BIT[cell]) for board in range(512)]
"""Worked out once for each of the 512 sets of cells: whether it wins, and which cells it leaves."""


class TicTacToe(PlayerFirst):
    """Three in a row wins (+1 for the winner, −1 for the loser, a draw is 0). Max plays X and begins.

    An action is a cell, 0 to 8 from the top left. A state is (player to move, their cells, the other's cells, the
    actions); a set of cells is a number, whose bit i is 1 if cell i is in the set.
    """

    trusted = True
    player_marks = "X", "O"
    line_length = 3

    def initial_state(self) -> State:
        return MAX, 0, 0, EMPTY[0]

    def actions(self, state: State) -> Sequence[Action]:
        return state[3]

    def result(self, state: State, action: Action) -> State:
        player, mine, theirs, cells = state
        if action not in cells:
            raise self._illegal(state, action)
        mine |= BIT[action]
        return 1 - player, theirs, mine, () if WON[mine] else EMPTY[mine | theirs]

    def is_terminal(self, state: State) -> bool:
        return not state[3]

    def utility(self, state: State, player: int) -> float:
        mover, _, theirs, cells = state
        if cells or (player != MAX and player != MIN):
            self._check_end(state, player)
        if WON[theirs]:
            return -1 if player == mover else 1
        return 0

    def grid(self, state: State) -> Sequence[str]:
        check_state(self, state)
        player, mine, theirs, _ = state
        x, o = (mine, theirs) if player == MAX else (theirs, mine)
        cells = "".join("X" if x & BIT[cell] else "O" if o & BIT[cell] else "." for cell in range(9))
        return [cells[0:3], cells[3:6], cells[6:9]]

    def action_at(self, state: State, row: int, column: int) -> Action:
        cell = 3 * row + column
        return cell if cell in self.actions(state) else None

    def render(self, state: State) -> str:
        return "\n".join(" ".join(row) for row in self.grid(state))

    def parse(self, text: str) -> State:
        """The state drawn by nine characters X, O and "." (blanks and line ends are skipped).

        X begins, so X is to move when the counts are equal; other counts, or two winners, raise `ValueError`.
        """
        cells = "".join(str(text).split())
        x, o = (sum(1 << i for i, cell in enumerate(cells) if cell == mark) for mark in "XO")
        extra = x.bit_count() - o.bit_count()
        if len(cells) != 9 or set(cells) - set("XO.") or extra not in (0, 1) or WON[o if extra else x]:
            raise ValueError(f"no game of tic-tac-toe leads to {text!r}: nine of X, O and '.'; X begins, a win ends it")
        actions = () if WON[x] or WON[o] else EMPTY[x | o]
        return (MIN, o, x, actions) if extra else (MAX, x, o, actions)
