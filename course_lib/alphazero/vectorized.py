"""The rules for many *positions* at once, each seen by the player to move, be that Max or Min.

Players must move in turn: if a player has to pass, make passing an action. `VECTOR_GAMES` is the place for your own
subclass of `VectorGame`.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from course_lib.games import CHANCE, MAX, MIN, ConnectFour, Game, TicTacToe, play, random_agent
from course_lib.games.game import Action, State
from course_lib.games.tic_tac_toe import EMPTY, WON
from course_lib.games.validation import check_kind, check_two_players

Array = np.ndarray
FLOAT = np.float32
"""The type of planes, p, v, and the statistics of a batched search."""
BatchPlayer = Callable[[Array], Array]
BatchEvaluator = Callable[[Array], tuple[Array, Array]]
"""A *player* and an *evaluator*: see `course_lib.alphazero`."""


def largest(rows: Array) -> Array:
    """The largest number of each row: `rows.max(axis=1)`, but three times as fast for short rows."""
    return rows.ravel()[np.arange(0, rows.size, rows.shape[1]) + rows.argmax(axis=1)]


class VectorGame:
    """The rules of `game`, with a number of `actions`, for batches: the base class.

    A position is two int64, (0, 0) at the beginning of the game; arrays of positions and actions broadcast.
    `legal(positions)` is bool [n, actions]. `after(positions, actions)` is the positions after legal actions, and
    `outcome(positions, actions)` is (the value for the player who moves: 1, 0 or −1, and 0 if the game goes on; whether
    it is over). `planes(positions)`, float32 [n, planes_count, cells], is what the network sees of the grid of this
    `shape`, for the player to move. `symmetries` [k, cells] and `action_symmetries` [k, actions] are permutations.
    """

    game: Game
    actions: int
    shape: tuple[int, int]
    cells: int
    planes_count: int
    symmetries: Array
    action_symmetries: Array
    legal: Callable[[Array], Array]
    after: Callable[[Array, Array], Array]
    outcome: Callable[[Array, Array], tuple[Array, Array]]
    planes: Callable[[Array], Array]
    positions_of: Callable[[Sequence[State]], Array]
    state_of: Callable[[Array], State]

    @property
    def all_actions(self) -> Sequence[Action]:
        """The actions of the game, each at its index."""
        return range(self.actions)

    def initial(self, count: int) -> Array:
        """`count` games at their beginning: positions [count, 2]."""
        return np.zeros((count, 2), np.int64)

    def play(self, positions: Array, actions: Array) -> tuple[Array, Array, Array]:
        """(The positions after one action each, the value for the player who moved, whether the game is over)."""
        return self.after(positions, actions), *self.outcome(positions, actions)

    def play_all(self, positions: Array) -> tuple[Array, Array, Array]:
        """What `play` returns for every action in each of the positions [n, 2]."""
        return self.play(positions[:, None], np.arange(self.actions))


class BitboardGame(VectorGame):
    """Positions as two bitboards. A subclass defines which bits an action lands on and which complete a line."""

    full: int
    bits: Array
    landing: Callable[[Array, Array], Array]
    completing: Callable[[Array], Array]

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
        """The bitboards that the network sees: the marks of the player to move, and of the other."""
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

    def __init__(self, game: TicTacToe) -> None:
        self.game = game
        self.bits = np.arange(9)
        self._completing = np.array([sum(1 << cell for cell in range(9) if WON[own | 1 << cell]) for own in range(512)])
        grid = self.bits.reshape(3, 3)
        grids = [np.rot90(mirrored, quarter).ravel() for mirrored in (grid, grid[:, ::-1]) for quarter in range(4)]
        self.symmetries = self.action_symmetries = np.array(grids)

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

    def __init__(self, game: ConnectFour) -> None:
        if game.columns * (game.rows + 1) > 63:
            raise ValueError(f"{game!r} needs more than 63 bits: choose columns × (rows + 1) ≤ 63")
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


def check_made_for(vector_game: Any, function: Any) -> None:
    """`vector_game` must be a `VectorGame`, and a network or its player must be for the same game."""
    check_kind(VectorGame, vector_game=vector_game)
    made_for = getattr(function, "vector_game", vector_game).game
    if repr(made_for) != repr(vector_game.game):
        raise ValueError(f"this network was made for {made_for!r}, not for {vector_game.game!r}")


def marks_of(position: Array) -> tuple[int, int, int]:
    """(the player to move, its marks, the other's): Max moved first, so both have equally many if Max is to move."""
    own, other = position.tolist()
    return MAX if own.bit_count() == other.bit_count() else MIN, own, other


class TabularGame(VectorGame):
    """The rules of any `Game` of two players who move in turn, without chance, for batches.

    It keeps a table of the states that it reaches; a position is (the number of its state, 0). The actions are those
    of the attribute `all_actions`, or else of 200 random games. There is one plane for each character but "." of
    `grid`, or of `render`; if Min is to move, X and O are exchanged and the last plane is 1. Only the utility's sign
    counts.
    """

    all_actions = ()  # an attribute here

    def __init__(self, game: Any) -> None:
        game = self.game = check_two_players(game, "AlphaZero")
        found = [state for seed in range(200) for state in play(game, [random_agent(seed)] * 2).states[:-1]]
        if any(game.to_move(state) == CHANCE for state in found):
            raise ValueError(f"AlphaZero needs a game without chance, and in {game!r} chance moves")
        shown = dict.fromkeys(action for state in found for action in game.actions(state))
        self.all_actions = tuple(getattr(game, "all_actions", None) or shown)
        self.actions = len(self.all_actions)
        grids = [self.rows_of(state) for state in found]
        self.shape = max(map(len, grids)), max(len(row) for rows in grids for row in rows)
        self.cells = self.shape[0] * self.shape[1]
        characters = {character for rows in grids for row in rows for character in row} - {*". "}
        self._marks = sorted(characters, key=lambda mark: (mark not in "XO", mark != "X", mark))
        self.planes_count = len(self._marks) + 1
        self.symmetries, self.action_symmetries = np.arange(self.cells)[None], np.arange(self.actions)[None]
        self._numbers, self._states = {}, []
        of_actions = ("legal", bool), ("over", bool), ("value", np.float32), ("after", np.int64)
        fields = [*((*field, self.actions) for field in of_actions), ("planes", bool, (self.planes_count, self.cells))]
        self._table = np.zeros(0, fields)  # a row for each state
        self.number_of(game.initial_state())

    def number_of(self, state: State) -> int:
        """The number of a state; a new state is added to the table."""
        if state not in self._numbers:
            number = self._numbers[state] = len(self._states)
            self._states.append(state)
            if number == len(self._table):
                self._table = np.concatenate([self._table, np.zeros(number + 1000, self._table.dtype)])
            if not self.game.is_terminal(state):
                self._tabulate(self._table[number], state)
        return self._numbers[state]

    def _tabulate(self, row: Any, state: State) -> None:
        """Write the results of a new state's actions and its planes into its row."""
        game, mover = self.game, self.game.to_move(state)
        for action in game.actions(state):
            if action not in self.all_actions:
                raise ValueError(f"{action!r} is not among the actions of {game!r}: list it in all_actions")
            index, after = self.all_actions.index(action), game.result(state, action)
            row["legal"][index], row["over"][index] = True, game.is_terminal(after)
            if row["over"][index]:
                row["value"][index] = np.sign(game.utility(after, mover) - game.utility(after, 1 - mover))
            elif game.to_move(after) != 1 - mover:
                raise ValueError(f"players of {game!r} must move in turn, without chance; make passing an action")
        text = "".join(line.ljust(self.shape[1], ".") for line in self.rows_of(state)).ljust(self.cells, ".")
        if mover == MIN and self._marks[:2] == ["X", "O"]:
            text = text.translate(str.maketrans("XO", "OX"))
        row["planes"] = [[cell == mark for cell in text] for mark in self._marks] + [[mover == MIN] * self.cells]

    def rows_of(self, state: State) -> Sequence[str]:
        """The rows of the grid, or of the text of a state without one."""
        return self.game.grid(state) or self.game.render(state).splitlines()

    def legal(self, positions: Array) -> Array:
        return self._table["legal"][positions[..., 0]]

    def after(self, positions: Array, actions: Array) -> Array:
        numbers, actions = np.broadcast_arrays(positions[..., 0], actions)
        unknown = self._table["legal"][numbers, actions] & (self._table["after"][numbers, actions] == 0)
        for number, action in zip(numbers[unknown].tolist(), actions[unknown].tolist()):
            after = self.number_of(self.game.result(self._states[number], self.all_actions[action]))
            self._table["after"][number, action] = after  # in two steps: the one before may make a larger array
        after = self._table["after"][numbers, actions]
        return np.stack([after, np.zeros_like(after)], axis=-1)

    def outcome(self, positions: Array, actions: Array) -> tuple[Array, Array]:
        numbers = positions[..., 0]
        return self._table["value"][numbers, actions], self._table["over"][numbers, actions]

    def planes(self, positions: Array) -> Array:
        return self._table["planes"][positions[..., 0]].astype(np.float32)

    def positions_of(self, states: Sequence[State]) -> Array:
        return np.array([(self.number_of(state), 0) for state in states], np.int64).reshape(-1, 2)

    def state_of(self, position: Array) -> State:
        return self._states[int(position[0])]


VECTOR_GAMES: dict[type[Game], Callable[..., VectorGame]] = {TicTacToe: VectorTicTacToe, ConnectFour: VectorConnectFour}
_tabular_games: dict[int, TabularGame] = {}
"""By the game's id, which stays unique because the `TabularGame` keeps the game."""


def vectorize(game: Any) -> VectorGame:
    """The `VectorGame` of a game of two players who move in turn; another game raises `ValueError`.

    `TicTacToe` and `ConnectFour` have fast ones, on bits. Any other game, even a subclass of these two, has a
    `TabularGame`, which calls the methods of the game: slower, but fast enough for a small game. Each game object has
    its own, because positions of two of them cannot be mixed. A `VectorGame` is returned as it is.
    """
    if isinstance(game, VectorGame):
        return game
    if type(game) in VECTOR_GAMES:
        return VECTOR_GAMES[type(game)](game)
    if id(game) not in _tabular_games:
        _tabular_games[id(game)] = TabularGame(game)
    return _tabular_games[id(game)]
