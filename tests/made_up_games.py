"""Games to test searches on: one that keeps a record, and random ones whose exact values are known."""

from functools import cache
from itertools import product
from zlib import crc32

from hypothesis import strategies as st

from course_lib.games import MAX, MIN, Game, TicTacToe
from course_lib.games.game import GameWrapper
from strategies import FIRST

SALTS = st.integers(0, 1000)
"""For `estimate`."""


class Recording(GameWrapper):
    """A game that keeps the states made by `result`, and the leaves whose utility was asked, in order."""

    def __init__(self, game):
        super().__init__(game)
        self.game, self.made, self.leaves = game, [], []

    def result(self, state, action):
        self.made.append(self.game.result(state, action))
        return self.made[-1]

    def utility(self, state, player):
        self.leaves.append(state)
        return self.game.utility(state, player)


class GraphGame(Game):
    """A game on numbered states with many ways to each, of different lengths; anybody may move anywhere."""

    def __init__(self, successors, players, true_values):
        self.successors, self.players_to_move, self.true_values = successors, players, true_values

    def to_move(self, state):
        return self.players_to_move[state]

    def actions(self, state):
        return self.successors[state]

    def result(self, state, action):
        return action

    def is_terminal(self, state):
        return not self.successors[state]

    def utility(self, state, player):
        return self.true_values[state] if player == MAX else -self.true_values[state]

    def evaluate(self, state):
        return -self.true_values[state]

    def noise(self, state):
        return [action for action in self.successors[state] if action % 2]

    def best(self, state, values):
        return (max if self.players_to_move[state] == MAX else min)(values)

    def value(self, state, depth):
        """The exact value of a search of this depth."""

        @cache
        def value(state, depth):
            if not self.successors[state]:
                return self.true_values[state]
            if depth == 0:
                return self.evaluate(state)
            return self.best(state, [value(after, depth - 1) for after in self.successors[state]])

        return value(state, depth)

    def quiet_value(self, state, depth):
        """The exact value of a search of this depth that goes on along noisy actions."""
        if not self.successors[state]:
            return self.true_values[state]
        if depth > 0:
            return self.best(state, [self.quiet_value(after, depth - 1) for after in self.successors[state]])
        return self.best(state, [self.evaluate(state), *(self.quiet_value(after, 0) for after in self.noise(state))])


@st.composite
def graphs(draw, most=11):
    n = draw(st.integers(1, most))
    later = [st.lists(st.integers(i + 1, n - 1), max_size=4, unique=True) for i in range(n - 1)]
    successors = [tuple(draw(choice)) for choice in later] + [()]
    players = draw(st.lists(FIRST, min_size=n, max_size=n))
    return GraphGame(successors, players, draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n)))


def estimate(salt, path):
    """A number from −3 to 3 that looks random."""
    return crc32(repr((salt, path)).encode()) % 7 - 3


class SmallOthello(Game):
    """Othello on 4 × 4 cells: an action is a cell, or "pass" where no cell turns a disc over."""

    all_actions = (*range(16), "pass")

    def initial_state(self):
        return MAX, ".....OX..XO....."

    def to_move(self, state):
        return state[0]

    def actions(self, state):
        return tuple(cell for cell in range(16) if self._turned(*state, cell)) or ("pass",)

    def result(self, state, action):
        player, board = state
        for cell in [] if action == "pass" else [action, *self._turned(player, board, action)]:
            board = board[:cell] + "XO"[player] + board[cell + 1 :]
        return 1 - player, board

    def is_terminal(self, state):
        return all(self.actions((player, state[1])) == ("pass",) for player in (MAX, MIN))

    def utility(self, state, player):
        mine, other = (state[1].count("XO"[who]) for who in (player, 1 - player))
        return (mine > other) - (mine < other)

    def grid(self, state):
        return [state[1][row : row + 4] for row in range(0, 16, 4)]

    def _turned(self, player, board, cell):
        """The discs that a disc of the player's on this cell turns over."""
        turned, (row, column) = [], divmod(cell, 4)
        for down, across in product((-1, 0, 1), repeat=2) if board[cell] == "." else ():
            line, (r, c) = [], (row + down, column + across)
            while 0 <= r < 4 and 0 <= c < 4 and board[4 * r + c] == "OX"[player]:
                line, r, c = [*line, 4 * r + c], r + down, c + across
            if 0 <= r < 4 and 0 <= c < 4 and board[4 * r + c] == "XO"[player]:
                turned += line
        return turned


class Misere(TicTacToe):
    """Three in a row loses."""

    def utility(self, state, player):
        return -super().utility(state, player)


class Countdown:
    """Take 1 or 2 of 4 coins; whoever takes the last one wins. A game without a board, as a student writes it."""

    def initial_state(self):
        return MAX, 4

    def to_move(self, state):
        return state[0]

    def actions(self, state):
        return tuple(range(1, min(2, state[1]) + 1))

    def result(self, state, action):
        if action not in self.actions(state):
            raise ValueError("illegal")
        return 1 - state[0], state[1] - action

    def is_terminal(self, state):
        return state[1] == 0

    def utility(self, state, player):
        return -1 if player == state[0] else 1
