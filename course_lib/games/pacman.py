"""A small Pac-Man, turn by turn: Max is Pac-Man, and Min moves the ghosts, one after the other."""

from collections.abc import Sequence

from course_lib.games.game import MAX, MIN, Action, Game, State
from course_lib.games.validation import check_whole

LAYOUT = """
###########
#.B..o..A.#
#.##.#o##.#
#oP...ooo.#
###########
"""
DIRECTIONS = {"up": (-1, 0), "left": (0, -1), "right": (0, 1), "down": (1, 0)}
PELLET, STEP, CLEARED, CAUGHT = 10, -1, 50, -100
"""What Max scores: for a pellet, for each step of Pac-Man, for eating the last pellet, for being caught."""


class Pacman(Game):
    """Pac-Man (Max) eats pellets and keeps away from the ghosts. Min moves the ghosts, A before B.

    `layout` is a drawing with walls all around: "#" is a wall, "P" Pac-Man, "A" and "B" are the ghosts (B may be
    missing), "o" is a pellet, "." a free cell. An action is a step to a free neighbouring cell: "up", "left", "right"
    or "down"; nobody can wait. The game ends when a ghost and Pac-Man meet, when all pellets are eaten, or after
    `plies` plies. Max's utility is the `score` in points, Min's is minus the score. A state is (whose turn: 0 for
    Pac-Man, 1 or 2 for a ghost; the cell of Pac-Man; the cells of the ghosts; the pellets as bits; plies left).
    """

    trusted, board_style = True, "maze"
    player_marks = "Pac-Man", "the ghosts"

    def __init__(self, layout: str = LAYOUT, plies: int = 90):
        rows = str(layout).split()
        check_whole(1, plies=plies)
        gaps = "".join([*rows[:1], *rows[-1:], *(row[0] + row[-1] for row in rows)]).strip("#")
        if gaps or len({*map(len, rows)}) != 1 or [*map(layout.count, "PA")] != [1, 1] or "o" not in layout:
            raise ValueError(f"a layout is rows of equal length in walls '#', with one 'P', one 'A', 'o', not {rows}")
        self.layout, self.plies, self.columns = "\n".join(rows), plies, len(rows[0])
        self._cells = cells = "".join(rows)
        self._exits = {cell: self._exits_from(cell) for cell in range(len(cells)) if cells[cell] != "#"}
        pellets = sum(1 << cell for cell, mark in enumerate(cells) if mark == "o")
        self._start = 0, cells.index("P"), tuple(cells.index(g) for g in "AB" if g in cells), pellets, plies
        self._steps = {cell: self._steps_from(cell) for cell in self._exits}

    def _exits_from(self, cell):
        """The free neighbours of a cell by direction."""
        neighbours = {name: cell + down * self.columns + right for name, (down, right) in DIRECTIONS.items()}
        return {name: other for name, other in neighbours.items() if self._cells[other] != "#"}

    def _steps_from(self, start):
        """How many steps it takes from here to each cell that can be reached."""
        steps, unread = {start: 0}, [start]
        for cell in unread:
            for other in self._exits[cell].values():
                if other not in steps:
                    steps[other] = steps[cell] + 1
                    unread.append(other)
        return steps

    def initial_state(self) -> State:
        return self._start

    def to_move(self, state: State) -> int:
        return MIN if state[0] else MAX

    def _mover(self, state):
        """The cell of the one whose turn it is."""
        turn, pacman, ghosts, _, _ = state
        return ghosts[turn - 1] if turn else pacman

    def actions(self, state: State) -> Sequence[Action]:
        return () if self.is_terminal(state) else tuple(self._exits[self._mover(state)])

    def result(self, state: State, action: Action) -> State:
        if action not in self.actions(state):
            raise self._illegal(state, action)
        turn, pacman, ghosts, pellets, left = state
        to = self._exits[self._mover(state)][action]
        following = (turn + 1) % (len(ghosts) + 1)
        if turn:
            return following, pacman, (*ghosts[: turn - 1], to, *ghosts[turn:]), pellets, left - 1
        return following, to, ghosts, pellets & ~(1 << to), left - 1

    def is_terminal(self, state: State) -> bool:
        _, pacman, ghosts, pellets, left = state
        return pacman in ghosts or not pellets or not left

    def score(self, state: State) -> int:
        """Max's points so far: the utility for Max when the game is over, an evaluation before."""
        _, pacman, ghosts, pellets, left = state
        eaten = self._start[3].bit_count() - pellets.bit_count()
        steps = -(-(self.plies - left) // (len(ghosts) + 1))
        ending = CAUGHT if pacman in ghosts else 0 if pellets else CLEARED
        return PELLET * eaten + STEP * steps + ending

    def estimate(self, state: State) -> int:
        """An evaluation: the score, less the steps to the nearest pellet."""
        score, steps = self.score(state), self._steps[state[1]]
        return score - min((n for cell, n in steps.items() if state[3] >> cell & 1), default=0)

    def utility(self, state: State, player: int) -> float:
        self._check_end(state, player)
        return self.score(state) if player == MAX else -self.score(state)

    def grid(self, state: State) -> Sequence[str]:
        """Marks as in the layout; a ghost on a pellet is a small letter, a ghost on Pac-Man an "X"."""
        _, pacman, ghosts, pellets, _ = state
        cells = ["o" if pellets >> cell & 1 else "#" if mark == "#" else "." for cell, mark in enumerate(self._cells)]
        for ghost, cell in reversed(list(zip("AB", ghosts))):
            cells[cell] = ghost.lower() if pellets >> cell & 1 else ghost
        cells[pacman] = "X" if pacman in ghosts else "P"
        return ["".join(cells[i : i + self.columns]) for i in range(0, len(cells), self.columns)]

    def action_at(self, state: State, row: int, column: int) -> Action:
        """A click on a neighbouring cell is a step there."""
        to = row * self.columns + column
        return next((a for a in self.actions(state) if self._exits[self._mover(state)][a] == to), None)

    def render(self, state: State) -> str:
        rows, turn, left = self.grid(state), state[0], state[4]
        whose = "the end" if self.is_terminal(state) else f"{('Pac-Man', 'ghost A', 'ghost B')[turn]} to move"
        return "\n".join([*rows, f"{whose}, {self.score(state)} points, {left} plies left"])

    def __repr__(self) -> str:
        return f"Pacman({self.layout!r}, plies={self.plies})"
