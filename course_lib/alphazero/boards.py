"""The rules for many *positions* at once, each seen by the player to move, be that Max or Min."""

import numpy as np

from course_lib.games import MAX, MIN, ConnectFour, TicTacToe
from course_lib.games.tic_tac_toe import EMPTY, WON

GAMES = {"tic_tac_toe": TicTacToe, "connect_four": ConnectFour}
"""The games that are learned, by name."""
ONE = np.int64(1)


class Board:
    """What both boards have: a subclass says where a mark lands, what wins, and which bitboards the network sees."""

    def play(self, positions, actions):
        """(positions after one action each, whether it won, whether the game is over), for legal actions only."""
        own, other = positions[..., 0], positions[..., 1]
        own = own | self.landing(own | other, actions)
        won = self.won(own)
        return np.stack(np.broadcast_arrays(other, own), axis=-1), won, won | (own | other == self.full)

    def over(self, positions):
        """Whether the game is over: bool [n]."""
        return self.won(positions[..., 1]) | (positions[..., 0] | positions[..., 1] == self.full)

    def planes(self, positions):
        """What the network sees, as float32 [n, planes, cells]: the bits of `bitboards`."""
        return (self.bitboards(positions)[..., None] >> self.bits & 1).astype(np.float32)


class TicTacToeBoard(Board):
    """The rules of tic-tac-toe for batches: an action is a cell, 0 to 8 from the top left."""

    shape = 3, 3
    actions = cells = longest = 9
    planes_count = 2
    full = 511

    def __init__(self, game=None):
        self.game = game or TicTacToe()
        self.bits = np.arange(9)
        self._won = np.array(WON)
        grid = np.arange(9).reshape(3, 3)
        turned = [np.rot90(mirrored, quarter).ravel() for mirrored in (grid, grid[:, ::-1]) for quarter in range(4)]
        self.symmetries = self.action_symmetries = np.array(turned)

    def legal(self, positions):
        """Which actions are legal: bool [n, actions]."""
        taken = positions[..., 0] | positions[..., 1]
        return taken[..., None] >> self.bits & 1 == 0

    def landing(self, taken, actions):
        return ONE << actions

    def won(self, marks):
        return self._won[marks]

    def bitboards(self, positions):
        """The marks of the player to move, and of the other."""
        return positions

    def positions_of(self, states):
        """The positions of `TicTacToe` states."""
        return np.array([state[1:3] for state in states], np.int64).reshape(-1, 2)

    def state_of(self, position):
        """The `TicTacToe` state of one position."""
        own, other = (int(bits) for bits in position)
        player = MAX if own.bit_count() == other.bit_count() else MIN
        return player, own, other, () if WON[other] else EMPTY[own | other]


class ConnectFourBoard(Board):
    """The rules of Connect Four for batches: an action is a column; bits are laid out as in `ConnectFour`."""

    planes_count = 4

    def __init__(self, game=None):
        self.game = game = game or ConnectFour()
        if game.columns * (game.rows + 1) > 63:
            raise ValueError(f"{game!r} needs more than 63 bits; give a board with columns × (rows + 1) ≤ 63")
        self.shape = game.rows, game.columns
        self.cells = self.longest = game.rows * game.columns
        self.actions = columns = game.columns
        height = game.rows + 1
        self._shifts = 1, height, height - 1, height + 1
        self._bottom = ONE << height * np.arange(columns)
        self._column = self._bottom * ((1 << game.rows) - 1)
        self._top = self._bottom << game.rows - 1
        self.full = self._column.sum()
        grid = np.arange(self.cells).reshape(self.shape)
        self.bits = np.array([height * column + row for row in range(game.rows) for column in range(columns)])
        self.symmetries = np.array([grid.ravel(), grid[:, ::-1].ravel()])
        self.action_symmetries = np.array([np.arange(columns), np.arange(columns)[::-1]])

    def legal(self, positions):
        """Which columns have room: bool [n, columns]."""
        taken = positions[..., 0] | positions[..., 1]
        return taken[..., None] & self._top == 0

    def landing(self, taken, actions):
        return taken + self._bottom[actions] & self._column[actions]

    def won(self, discs):
        fours = 0
        for shift in self._shifts:
            pairs = discs & discs >> shift
            fours |= pairs & pairs >> 2 * shift
        return fours != 0

    def winning_cells(self, positions):
        """The cells that would complete a four, as bitboards: [n, 2], the player to move's and the other's."""
        cells = 0
        for shift in self._shifts:
            after, before = positions >> shift, positions << shift
            around = after & before
            cells |= (around & (after >> shift | before << shift)
                      | after & after >> shift & after >> 2 * shift
                      | before & before << shift & before << 2 * shift)  # fmt: skip
        return cells & (self.full & ~(positions[..., :1] | positions[..., 1:]))

    def bitboards(self, positions):
        """The discs of the player to move and of the other, and the empty cells that would complete a four of each."""
        return np.concatenate([positions, self.winning_cells(positions)], axis=-1)

    def positions_of(self, states):
        """The positions of `ConnectFour` states."""
        return np.array([(own, own ^ taken) for _, own, taken, _ in states], np.int64).reshape(-1, 2)

    def state_of(self, position):
        """The `ConnectFour` state of one position."""
        own, other = (int(bits) for bits in position)
        player = MAX if own.bit_count() == other.bit_count() else MIN
        return player, own, own | other, bool(self.won(other))


def board_of(game):
    """The board for batches of a `TicTacToe` or a `ConnectFour` game; another game raises `ValueError`.

    Its `positions_of(states)` makes *positions*, and `state_of(position)` makes a state again.
    """
    if isinstance(game, TicTacToe):
        return TicTacToeBoard(game)
    if isinstance(game, ConnectFour):
        return ConnectFourBoard(game)
    raise ValueError(f"AlphaZero plays TicTacToe and ConnectFour here, not {game!r}")
