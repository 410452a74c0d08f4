"""A duel with dice, small enough to draw its whole tree."""

from collections import Counter
from numbers import Real

from course_lib.games.game import CHANCE, MAX, MIN, Game

DICE = {"steady": (3, 4, 4), "wild": (1, 6, 6)}


def _is_die(faces):
    return isinstance(faces, tuple | list) and bool(faces) and all(isinstance(face, Real) for face in faces)


class DiceDuel(Game):
    """Max chooses a die and rolls it; Min sees the roll, chooses a die and rolls. The higher roll wins: +1, −1, or 0.

    `dice` is a dictionary: the faces of each die by its name. A state is what has happened so far: the die of Max, its
    roll, the die of Min, its roll. With the two dice given the tree has 31 nodes, 16 of them leaves.
    """

    def __init__(self, dice=None):
        dice = DICE if dice is None else dice
        if not isinstance(dice, dict) or not dice or not all(map(_is_die, dice.values())):
            raise ValueError(f"dice are the faces of each die by its name, at least one number each, not {dice!r}")
        self.dice = {name: tuple(faces) for name, faces in dice.items()}

    def initial_state(self):
        return ()

    def to_move(self, state):
        return CHANCE if len(state) % 2 else MAX if len(state) < 2 else MIN

    def actions(self, state):
        if len(state) % 2:
            raise ValueError(f"the die {state[-1]!r} is rolled: ask chances(), and search with a search for chance")
        return () if self.is_terminal(state) else tuple(self.dice)

    def result(self, state, action):
        if len(state) % 2:
            if action not in self.dice[state[-1]]:
                raise ValueError(f"the die {state[-1]!r} has no face {action!r}; they are {self.dice[state[-1]]}")
        elif action not in self.actions(state):
            raise self._illegal(state, action)
        return (*state, action)

    def is_terminal(self, state):
        return len(state) == 4

    def utility(self, state, player):
        self._check_player(player)
        if not self.is_terminal(state):
            raise self._not_over(state)
        _, ours, _, theirs = state
        won = (ours > theirs) - (ours < theirs)
        return won if player == MAX else -won

    def chances(self, state):
        if len(state) % 2 == 0:
            raise ValueError(f"no die is rolled here; chances() is for after the choice of a die\n{self.render(state)}")
        faces = self.dice[state[-1]]
        return tuple((face, count / len(faces)) for face, count in Counter(faces).items())

    def render(self, state):
        said = [f"{('Max', 'Min')[i // 2]} {'rolls' if i % 2 else 'chooses'} {made}" for i, made in enumerate(state)]
        return ", ".join(said) or f"Max chooses one of {self.dice}"

    def __repr__(self):
        return "DiceDuel()" if self.dice == DICE else f"DiceDuel({self.dice})"
