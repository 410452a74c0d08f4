"""The rules for many *positions* at once, each seen by the player to move, be that Max or Min.

`board_of(game)` returns a board. For `TicTacToe` and `ConnectFour` it works on bits. For any other game it is a
`GameBoard`, which asks the game: slower, and enough for a small game. To write a fast board of your own, derive a class
from `Board` and give it

- `game`, the game; `actions`, how many different actions the game has; `all_actions`, these in order, if they are not
  0, 1, 2 …; `index_of(action)`, the place of an action among them. Batches hold places, agents return actions;
- `shape`, (rows, columns) of what the network sees; `cells`, rows · columns; `planes_count`; `longest`, the plies of
  the longest game;
- `start`, the position in which the game begins, (0, 0) if it says nothing. A position is two int64, so that equal
  positions are equal numbers. What they mean is the board's own business;
- `legal(positions)`: which actions are legal, bool [n, actions];
- `play(positions, actions)`: (the positions after one action each, what the game was worth to the player who just moved
  (1, 0 or −1, and 0 where it goes on), whether it is over), for legal actions. It takes arrays that broadcast;
- `over(positions)`: whether the game is over, bool [n];
- `planes(positions)`: what the network sees, float32 [n, planes, cells]. Show the board from the side of the player to
  move, so that what is learned for one player holds for the other;
- `symmetries` [k, cells] and `action_symmetries` [k, actions]: for each turn of the board, which cell and which action
  comes to each place. A board without symmetry has one row each, 0, 1, 2 …;
- `positions_of(states)` and `state_of(position)`: between the states of the game and positions.

Players must move in turn: where a player has to pass, make passing an action. `tests/alphazero/test_boards.py` compares
a board with its game; add yours to its list.
"""

import random
from functools import cached_property

import numpy as np

from course_lib.games import CHANCE, MAX, MIN, ConnectFour, TicTacToe
from course_lib.games.checks import check_two_players
from course_lib.games.tic_tac_toe import EMPTY, WON

GAMES = {"tic_tac_toe": TicTacToe, "connect_four": ConnectFour}
"""The games for which there are trained networks, by name."""


class Board:
    """What all boards have, as the text above says."""

    start = 0, 0
    lasting = True
    """Whether a position means the same in another process."""

    @cached_property
    def all_actions(self):
        return range(self.actions)

    def index_of(self, action):
        return action

    def initial(self, count):
        """So many games at their beginning: positions [count, 2]."""
        return np.tile(np.array(self.start, np.int64), (count, 1))

    def ends(self, positions):
        """(worth, over), both [n, actions]: what `play` says of each action."""
        _, worth, over = self.play(positions[:, None], np.arange(self.actions))
        return worth, over

    def after(self, positions, actions):
        """The positions after one action each."""
        return self.play(positions, actions)[0]


class BitBoard(Board):
    """A board of two bitboards: a subclass says where a mark lands, what wins, and which bitboards the network sees."""

    def play(self, positions, actions):
        """(positions after one action each, whether it won, whether the game is over): who moves cannot lose."""
        after = self.after(positions, actions)
        won = self.won(after[..., 1])
        return after, won, won | (after[..., 0] | after[..., 1] == self.full)

    def after(self, positions, actions):
        own, other = positions[..., 0], positions[..., 1]
        own = own | self.landing(own | other, actions)
        return np.stack(np.broadcast_arrays(other, own), axis=-1)

    def over(self, positions):
        return self.won(positions[..., 1]) | (positions[..., 0] | positions[..., 1] == self.full)

    def bitboards(self, positions):
        """What the network sees: the marks of the player to move, and of the other."""
        return positions

    def planes(self, positions):
        octets = self.bitboards(positions).astype("<i8", copy=False)[..., None].view(np.uint8)
        return np.unpackbits(octets, axis=-1, bitorder="little").take(self.bits, axis=-1).astype(np.float32)


class TicTacToeBoard(BitBoard):
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
        taken = positions[..., 0] | positions[..., 1]
        return taken[..., None] >> self.bits & 1 == 0

    def landing(self, taken, actions):
        return 1 << actions

    def won(self, marks):
        return self._won[marks]

    def positions_of(self, states):
        return np.array([state[1:3] for state in states], np.int64).reshape(-1, 2)

    def state_of(self, position):
        player, own, other = marks_of(position)
        return player, own, other, () if WON[other] else EMPTY[own | other]


class ConnectFourBoard(BitBoard):
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
        self._shifts = np.array([1, height, height - 1, height + 1])
        self._bottom = 1 << height * np.arange(columns)
        self._column = self._bottom * ((1 << game.rows) - 1)
        self._top = self._bottom << game.rows - 1
        self.full = self._column.sum()
        grid = np.arange(self.cells).reshape(self.shape)
        self.bits = np.array([height * column + row for row in range(game.rows) for column in range(columns)])
        self.symmetries = np.array([grid.ravel(), grid[:, ::-1].ravel()])
        self.action_symmetries = np.array([np.arange(columns), np.arange(columns)[::-1]])

    def legal(self, positions):
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

    def ends(self, positions):
        """What `play` says of each action: it wins where it lands on a cell that completes a four."""
        taken = positions[:, :1] | positions[:, 1:]
        landing = self.landing(taken, np.arange(self.actions))
        won = landing & self.completing(positions[:, :1]) != 0
        return won, won | (taken | landing == self.full)

    def completing(self, discs):
        """The cells that would complete a four of these discs [n, k], as bitboards; some have a disc already."""
        shift = self._shifts[:, None, None]
        after, before = discs >> shift, discs << shift
        two_after, two_before = after & after >> shift, before & before << shift
        cells = two_after & (before | two_after >> shift) | two_before & (after | two_before << shift)
        return np.bitwise_or.reduce(cells, axis=0)

    def bitboards(self, positions):
        """The discs of the player to move and of the other, and the empty cells that would complete a four of each."""
        empty = self.full & ~(positions[:, :1] | positions[:, 1:])
        return np.concatenate([positions, self.completing(positions) & empty], axis=-1)

    def positions_of(self, states):
        return np.array([(own, own ^ taken) for _, own, taken, _ in states], np.int64).reshape(-1, 2)

    def state_of(self, position):
        player, own, other = marks_of(position)
        return player, own, own | other, bool(self.won(other))


def marks_of(position):
    """(who is to move, the own marks, the other's): Max began, so that both have as many where Max is to move."""
    own, other = position.tolist()
    return MAX if own.bit_count() == other.bit_count() else MIN, own, other


class GameBoard(Board):
    """The rules of any `Game` of two players who move in turn, without chance, for batches: it asks the game.

    It remembers every state that it meets; a position is (the number of the state, 0). It looks at 200 random games
    first. A game has a fixed set of actions: its `all_actions`, if it has that attribute, or those that were met. The
    planes come from `grid`, one for each character but ".", or from the text of a state where there is no grid; X and O
    change places when Min is to move, and the last plane is 1 then. Who wins counts, not by how much.
    """

    lasting = False

    def __init__(self, game):
        check_two_players(game, "AlphaZero")
        self.game = game
        games = [random_game(game, seed) for seed in range(200)]
        self.longest, met = max(map(len, games)), [state for states in games for state in states]
        actions = dict.fromkeys(action for state in met for action in game.actions(state))
        self.all_actions = tuple(getattr(game, "all_actions", actions))
        self._index = {action: index for index, action in enumerate(self.all_actions)}
        self.actions = len(self._index)
        self._frame([self.text_of(state) for state in met], 0 if game.grid(met[0]) else 2)
        self.symmetries, self.action_symmetries = np.arange(self.cells)[None], np.arange(self.actions)[None]
        self._numbers, self._states = {}, []
        of_actions = ("legal", bool), ("over", bool), ("worth", np.float32), ("after", np.int64)
        fields = [*((*field, self.actions) for field in of_actions), ("planes", bool, (self.planes_count, self.cells))]
        self._known = np.zeros(0, fields)  # a row for each state
        self.number_of(game.initial_state())

    def _frame(self, drawn, slack):
        """The size and the planes, of drawn states; a text of no fixed size has some slack for numbers that grow."""
        self.shape = max(map(len, drawn)), max(len(row) for rows in drawn for row in rows) + slack
        self.cells = self.shape[0] * self.shape[1]
        found = {mark for rows in drawn for row in rows for mark in row} | set("-0123456789" if slack else "")
        self._marks = sorted(found - set(". "), key=lambda mark: (mark not in "XO", mark != "X", mark))
        self.planes_count = len(self._marks) + 1

    def index_of(self, action):
        try:
            return self._index[action]
        except (KeyError, TypeError):
            raise ValueError(f"{action!r} is not among the actions of {self.game!r}, which are {self.all_actions}; "
                             "if it is legal, give the game an attribute all_actions with all") from None  # fmt: skip

    def number_of(self, state):
        """The number of a state; one that is new is looked at."""
        if state not in self._numbers:
            number = self._numbers[state] = len(self._states)
            self._states.append(state)
            if number == len(self._known):
                self._known = np.concatenate([self._known, np.zeros(number + 1000, self._known.dtype)])
            if not self.game.is_terminal(state):
                self._look(self._known[number], state)
        return self._numbers[state]

    def _look(self, row, state):
        """Keep in its row what a new state's actions are worth, and what the network sees there."""
        mover = self.game.to_move(state)
        for action in self.game.actions(state):
            index, after = self.index_of(action), self.game.result(state, action)
            row["legal"][index], row["over"][index] = True, self.game.is_terminal(after)
            row["worth"][index] = self._worth(after, mover)
        drawn = self.text_of(state)
        text = "".join(row.ljust(self.shape[1], ".") for row in drawn).ljust(self.cells, ".")
        if len(text) > self.cells or not set(text) <= {".", " ", *self._marks}:
            raise ValueError(f"the network cannot see a state of {self.game!r}: it is larger than in 200 random games, "
                             f"or has other characters; give the game a grid() of fixed size: {text}")  # fmt: skip
        if mover == MIN and self._marks[:2] == ["X", "O"]:
            text = text.translate(str.maketrans("XO", "OX"))
        row["planes"] = [[cell == mark for cell in text] for mark in self._marks] + [[mover == MIN] * self.cells]

    def _worth(self, after, mover):
        """What this state is worth to the player who moved to it: 1, 0 or −1, and 0 where the game goes on."""
        if self.game.is_terminal(after):
            mine, other = self.game.utility(after, mover), self.game.utility(after, 1 - mover)
            return (mine > other) - (mine < other)
        if self.game.to_move(after) != 1 - mover:
            raise ValueError(f"in {self.game!r} players must move in turn, without chance; make passing an action. "
                             f"Here the next is not the other player:\n{self.game.render(after)}")  # fmt: skip
        return 0

    def text_of(self, state):
        """The rows of the grid, or of the text of a state without one."""
        return self.game.grid(state) or self.game.render(state).splitlines()

    def legal(self, positions):
        return self._known["legal"][positions[..., 0]]

    def ends(self, positions):
        return self._known["worth"][positions[..., 0]], self._known["over"][positions[..., 0]]

    def play(self, positions, actions):
        numbers, actions = np.broadcast_arrays(positions[..., 0], actions)
        unknown = self._known["legal"][numbers, actions] & (self._known["after"][numbers, actions] == 0)
        for number, action in zip(numbers[unknown].tolist(), actions[unknown].tolist()):
            after = self.number_of(self.game.result(self._states[number], self.all_actions[action]))
            self._known["after"][number, action] = after  # in two steps: the one before may make a larger array
        after, worth, over = (self._known[name][numbers, actions] for name in ("after", "worth", "over"))
        return np.stack([after, np.zeros_like(after)], axis=-1), worth, over

    def over(self, positions):
        return ~self.legal(positions).any(axis=-1)

    def planes(self, positions):
        return self._known["planes"][positions[..., 0]].astype(np.float32)

    def positions_of(self, states):
        return np.array([(self.number_of(state), 0) for state in states], np.int64).reshape(-1, 2)

    def state_of(self, position):
        return self._states[int(position[0])]


def random_game(game, seed):
    """The states of a random game before its end."""
    luck, state, states = random.Random(seed), game.initial_state(), []
    while not game.is_terminal(state):
        if game.to_move(state) == CHANCE:
            raise ValueError(f"AlphaZero needs a game without chance, and in {game!r} chance moves")
        states.append(state)
        state = game.result(state, luck.choice(game.actions(state)))
    return states


FAST = {TicTacToe: TicTacToeBoard, ConnectFour: ConnectFourBoard}
_asking = {}
"""The `GameBoard` of each game that has one, by the game's id, which is no other's while the board keeps the game."""


def board_of(game):
    """The board for batches of a game of two players who move in turn; see the text above for what a board has.

    `TicTacToe` and `ConnectFour` have fast ones. Any other game, and any subclass, whose rules may differ, has a
    `GameBoard`. One game object has one board, since positions of two are not the same. Other games raise `ValueError`.
    """
    if type(game) in FAST:
        return FAST[type(game)](game)
    if id(game) not in _asking:
        _asking[id(game)] = GameBoard(game)
    return _asking[id(game)]
