"""The rules for many *positions* at once, each seen by the player to move, be that Max or Min.

`vectorize(game)` returns a board. For `TicTacToe` and `ConnectFour` it works on bits; for any other game it is a
`TabularGame`, which asks the game: slower, and enough for a small game. A board has, beside what `VectorGame` has,

- `shape` and `cells`, of what the network sees, and `planes_count`;
- `after(positions, actions)`: the positions after one action each; `outcome(positions, actions)`: (the value of the
  game for the player who moves, 1, 0 or −1, and 0 where it goes on, whether it is over); both for legal actions, and
  arrays broadcast;
- `legal(positions)`: bool [n, actions]; `planes(positions)`: float32 [n, planes, cells], from the side of the player to
  move, so that what is learned for one player holds for the other;
- `symmetries` [k, cells] and `action_symmetries` [k, actions]: which cell and action comes to each place;
- `positions_of(states)` and `state_of(position)`. A position is two int64, (0, 0) at the beginning of the game.

Players must move in turn: where a player has to pass, make passing an action. `FAST` is the place to enter your own.
"""

from collections.abc import Callable, Sequence

import numpy as np

from course_lib.games import MAX, MIN, ConnectFour, Game, TicTacToe, play, random_agent
from course_lib.games.checks import check_two_players
from course_lib.games.game import Action, State
from course_lib.games.tic_tac_toe import EMPTY, WON

Array = np.ndarray
Player = Callable[[Array], Array]
Evaluation = Callable[[Array], tuple[Array, Array]]

GAMES = {"tic_tac_toe": TicTacToe, "connect_four": ConnectFour}
"""The games for which there are trained networks, by name."""


class VectorGame:
    """What all boards have, as the text above says."""

    game: Game
    actions: int

    @property
    def all_actions(self) -> Sequence[Action]:
        """The actions of the game, each at its place."""
        return range(self.actions)

    def initial(self, count: int) -> Array:
        """`count` games at their beginning: positions [count, 2]."""
        return np.zeros((count, 2), np.int64)

    def play(self, positions: Array, actions: Array) -> tuple[Array, Array, Array]:
        """(The positions after one action each, the value for who moved, whether the game is over)."""
        return self.after(positions, actions), *self.outcome(positions, actions)

    def play_all(self, positions: Array) -> tuple[Array, Array, Array]:
        """What `play` returns for each action in each of the positions [n, 2]."""
        return self.play(positions[:, None], np.arange(self.actions))


class BitboardGame(VectorGame):
    """A board of two bitboards: a subclass says where a mark lands, what wins, and which bitboards the network sees."""

    def legal(self, positions: Array) -> Array:
        return self.landing(positions[..., :1] | positions[..., 1:], np.arange(self.actions)) != 0

    def after(self, positions: Array, actions: Array) -> Array:
        own, other = positions[..., 0], positions[..., 1]
        own = own | self.landing(own | other, actions)
        return np.stack(np.broadcast_arrays(other, own), axis=-1)

    def outcome(self, positions: Array, actions: Array) -> tuple[Array, Array]:
        taken = positions[..., 0] | positions[..., 1]
        landing = self.landing(taken, actions)
        won = landing & self.completing(positions[..., 0]) != 0
        return won, won | (taken | landing == self.full)

    def bitboards(self, positions: Array) -> Array:
        """What the network sees: the marks of the player to move, and of the other."""
        return positions

    def planes(self, positions: Array) -> Array:
        octets = self.bitboards(positions)[..., None].view(np.uint8)
        return np.unpackbits(octets, axis=-1, bitorder="little").take(self.bits, axis=-1).astype(np.float32)


class VectorTicTacToe(BitboardGame):
    """The rules of tic-tac-toe for batches: an action is a cell, 0 to 8 from the top left."""

    shape = 3, 3
    actions = cells = 9
    planes_count = 2
    full = 511

    def __init__(self, game: TicTacToe):
        self.game = game
        self.bits = np.arange(9)
        self._completing = np.array([sum(1 << cell for cell in range(9) if WON[own | 1 << cell]) for own in range(512)])
        grid = self.bits.reshape(3, 3)
        turned = [np.rot90(mirrored, quarter).ravel() for mirrored in (grid, grid[:, ::-1]) for quarter in range(4)]
        self.symmetries = self.action_symmetries = np.array(turned)

    def landing(self, taken: Array, actions: Array) -> Array:
        return 1 << actions & ~taken

    def completing(self, marks: Array) -> Array:
        return self._completing[marks]

    def positions_of(self, states: Sequence[State]) -> Array:
        return np.array([state[1:3] for state in states], np.int64).reshape(-1, 2)

    def state_of(self, position: Array) -> State:
        player, own, other = marks_of(position)
        return player, own, other, () if WON[other] else EMPTY[own | other]


class VectorConnectFour(BitboardGame):
    """The rules of Connect Four for batches: an action is a column; bits are laid out as in `ConnectFour`."""

    planes_count = 4

    def __init__(self, game: ConnectFour):
        if game.columns * (game.rows + 1) > 63:
            raise ValueError(f"{game!r} needs more than 63 bits; give a board with columns × (rows + 1) ≤ 63")
        self.game, self.shape = game, (game.rows, game.columns)
        self.cells, self.actions = game.rows * game.columns, game.columns
        columns, height = np.arange(game.columns), game.rows + 1
        self._shifts = np.array([1, height, height - 1, height + 1])
        self._bottom = 1 << height * columns
        self._column = self._bottom * ((1 << game.rows) - 1)
        self.full = self._column.sum()
        self.bits = (np.arange(game.rows)[:, None] + height * columns).ravel()
        grid = np.arange(self.cells).reshape(self.shape)
        self.symmetries = np.array([grid.ravel(), grid[:, ::-1].ravel()])
        self.action_symmetries = np.array([columns, columns[::-1]])

    def landing(self, taken: Array, actions: Array) -> Array:
        return taken + self._bottom[actions] & self._column[actions]

    def completing(self, discs: Array) -> Array:
        """The cells that would complete a four of these discs, as bitboards; some have a disc already."""
        shift = self._shifts.reshape(-1, *[1] * discs.ndim)
        after, before = discs >> shift, discs << shift
        two_after, two_before = after & after >> shift, before & before << shift
        cells = two_after & (before | two_after >> shift) | two_before & (after | two_before << shift)
        return np.bitwise_or.reduce(cells, axis=0)

    def bitboards(self, positions: Array) -> Array:
        """The discs of the player to move and of the other, and the empty cells that would complete a four of each."""
        empty = self.full & ~(positions[:, :1] | positions[:, 1:])
        return np.concatenate([positions, self.completing(positions) & empty], axis=-1)

    def positions_of(self, states: Sequence[State]) -> Array:
        return np.array([(own, own ^ taken) for _, own, taken, _ in states], np.int64).reshape(-1, 2)

    def state_of(self, position: Array) -> State:
        player, own, other = marks_of(position)
        return player, own, own | other, bool(self.completing(position[1:]) & position[1])


def marks_of(position: Array) -> tuple[int, int, int]:
    """(who is to move, the own marks, the other's): Max began, so that both have as many where Max is to move."""
    own, other = position.tolist()
    return MAX if own.bit_count() == other.bit_count() else MIN, own, other


class TabularGame(VectorGame):
    """The rules of any `Game` of two players who move in turn, without chance, for batches: it asks the game.

    It remembers every state that it meets; a position is (the number of the state, 0). It looks at 200 random games
    first. A game has a fixed set of actions: its `all_actions`, if it has that attribute, or those that were met. The
    planes come from `grid`, one for each character but ".", or from the text of a state where there is no grid; X and O
    change places when Min is to move, and the last plane is 1 then. Who wins counts, not by how much.
    """

    all_actions = ()  # an attribute here

    def __init__(self, game: Game):
        check_two_players(game, "AlphaZero")
        self.game = game
        met = [state for seed in range(200) for state in play(game, [random_agent(seed)] * 2).states[:-1]]
        actions = dict.fromkeys(action for state in met for action in game.actions(state))
        self.all_actions = tuple(getattr(game, "all_actions", actions))
        self.actions = len(self.all_actions)
        grids = [self.rows_of(state) for state in met]
        self.shape = max(map(len, grids)), max(len(row) for rows in grids for row in rows)
        self.cells = self.shape[0] * self.shape[1]
        drawn = {character for rows in grids for row in rows for character in row} - {*". "}
        self._marks = sorted(drawn, key=lambda mark: (mark not in "XO", mark != "X", mark))
        self.planes_count = len(self._marks) + 1
        self.symmetries, self.action_symmetries = np.arange(self.cells)[None], np.arange(self.actions)[None]
        self._numbers, self._states = {}, []
        of_actions = ("legal", bool), ("over", bool), ("value", np.float32), ("after", np.int64)
        fields = [*((*field, self.actions) for field in of_actions), ("planes", bool, (self.planes_count, self.cells))]
        self._known = np.zeros(0, fields)  # a row for each state
        self.number_of(game.initial_state())

    def number_of(self, state: State) -> int:
        """The number of a state; a new one is looked at."""
        if state not in self._numbers:
            number = self._numbers[state] = len(self._states)
            self._states.append(state)
            if number == len(self._known):
                self._known = np.concatenate([self._known, np.zeros(number + 1000, self._known.dtype)])
            if not self.game.is_terminal(state):
                self._look(self._known[number], state)
        return self._numbers[state]

    def _look(self, row, state):
        """Keep in its row what a new state's actions lead to, and what the network sees there."""
        game, mover = self.game, self.game.to_move(state)
        for action in game.actions(state):
            if action not in self.all_actions:
                raise ValueError(f"{action!r} is not among the actions of {game!r}; give it an attribute all_actions")
            index, after = self.all_actions.index(action), game.result(state, action)
            row["legal"][index], row["over"][index] = True, game.is_terminal(after)
            if row["over"][index]:
                row["value"][index] = np.sign(game.utility(after, mover) - game.utility(after, 1 - mover))
            elif game.to_move(after) != 1 - mover:
                raise ValueError(f"players of {game!r} must move in turn, without chance; make passing an action")
        text = "".join(drawn.ljust(self.shape[1], ".") for drawn in self.rows_of(state)).ljust(self.cells, ".")
        if mover == MIN and self._marks[:2] == ["X", "O"]:
            text = text.translate(str.maketrans("XO", "OX"))
        row["planes"] = [[cell == mark for cell in text] for mark in self._marks] + [[mover == MIN] * self.cells]

    def rows_of(self, state: State) -> Sequence[str]:
        """The rows of the grid, or of the text of a state without one."""
        return self.game.grid(state) or self.game.render(state).splitlines()

    def legal(self, positions: Array) -> Array:
        return self._known["legal"][positions[..., 0]]

    def after(self, positions: Array, actions: Array) -> Array:
        numbers, actions = np.broadcast_arrays(positions[..., 0], actions)
        unknown = self._known["legal"][numbers, actions] & (self._known["after"][numbers, actions] == 0)
        for number, action in zip(numbers[unknown].tolist(), actions[unknown].tolist()):
            after = self.number_of(self.game.result(self._states[number], self.all_actions[action]))
            self._known["after"][number, action] = after  # in two steps: the one before may make a larger array
        after = self._known["after"][numbers, actions]
        return np.stack([after, np.zeros_like(after)], axis=-1)

    def outcome(self, positions: Array, actions: Array) -> tuple[Array, Array]:
        numbers = positions[..., 0]
        return self._known["value"][numbers, actions], self._known["over"][numbers, actions]

    def planes(self, positions: Array) -> Array:
        return self._known["planes"][positions[..., 0]].astype(np.float32)

    def positions_of(self, states: Sequence[State]) -> Array:
        return np.array([(self.number_of(state), 0) for state in states], np.int64).reshape(-1, 2)

    def state_of(self, position: Array) -> State:
        return self._states[int(position[0])]


FAST = {TicTacToe: VectorTicTacToe, ConnectFour: VectorConnectFour}
_boards: dict[int, TabularGame] = {}
"""The `TabularGame` of each game that has one, by the game's id, which is no other's while the board keeps the game."""


def vectorize(game: Game) -> VectorGame:
    """The board for batches of a game of two players who move in turn; see the text above for what a board has.

    `TicTacToe` and `ConnectFour` have fast ones. Any other game, and any subclass, whose rules may differ, has a
    `TabularGame`. One game object has one board, since positions of two are not the same. Other games raise
    `ValueError`.
    """
    if type(game) in FAST:
        return FAST[type(game)](game)
    if id(game) not in _boards:
        _boards[id(game)] = TabularGame(game)
    return _boards[id(game)]
