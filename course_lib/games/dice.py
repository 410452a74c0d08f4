"""A duel with dice, small enough to draw its whole tree."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf

from course_lib.games.game import CHANCE, MAX, MIN, Action, Chances, Game, State
from course_lib.games.validation import check_kind, check_number

DICE = {"steady": (3, 4, 4), "wild": (1, 6, 6)}


class DiceDuel(Game):
    """Max chooses a die and rolls it; Min sees the roll, chooses a die and rolls. The higher roll wins: +1, −1, or 0.

    `dice` is a dictionary: the faces of each die by its name. A state is what has happened so far: the die of Max, its
    roll, the die of Min, its roll. With the two default dice, the tree has 31 nodes, 16 of them leaves.
    """

    trusted = True

    def __init__(self, dice: Mapping[str, Sequence[float]] = DICE):
        check_kind(Mapping, dice=dice)
        self.dice = {name: tuple(faces) for name, faces in dice.items()}
        for name, faces in self.dice.items():
            check_number(-inf, **{f"face {i} of {name!r}": face for i, face in enumerate(faces)})

    def initial_state(self) -> State:
        return ()

    def to_move(self, state: State) -> int:
        return CHANCE if len(state) % 2 else MAX if len(state) < 2 else MIN

    def actions(self, state: State) -> Sequence[Action]:
        if self.is_terminal(state):
            return ()
        if len(state) % 2:
            raise self._no_choice(state)
        return tuple(self.dice)

    def result(self, state: State, action: Action) -> State:
        if action not in (self.dice[state[-1]] if len(state) % 2 else self.actions(state)):
            raise self._illegal(state, action)
        return *state, action

    def is_terminal(self, state: State) -> bool:
        return len(state) == 4

    def utility(self, state: State, player: int) -> float:
        self._check_end(state, player)
        _, ours, _, theirs = state
        won = (ours > theirs) - (ours < theirs)
        return won if player == MAX else -won

    def chances(self, state: State) -> Chances:
        if self.to_move(state) != CHANCE:
            return super().chances(state)
        faces = self.dice[state[-1]]
        return tuple((face, count / len(faces)) for face, count in Counter(faces).items())

    def render(self, state: State) -> str:
        said = [f"{('Max', 'Min')[i // 2]} {'rolls' if i % 2 else 'chooses'} {made}" for i, made in enumerate(state)]
        return ", ".join(said) or f"Max chooses one of {self.dice}"

    def __repr__(self) -> str:
        return "DiceDuel()" if self.dice == DICE else f"DiceDuel({self.dice})"
