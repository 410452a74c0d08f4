"""Pig, the dice game of knowing when to stop."""

from typing import NamedTuple

from course_lib.games.checks import check_whole
from course_lib.games.game import CHANCE, MAX, MIN, Game

ROLLS = tuple((face, 1 / 6) for face in range(1, 7))
"""What a die shows, with the probabilities."""


class PigState(NamedTuple):
    """`player` has gathered `total` points in this turn; `rolling` is True while the die is in the air."""

    player: int
    scores: tuple = (0, 0)
    total: int = 0
    rolling: bool = False


class Pig(Game):
    """Whoever first has `target` points wins: +1, and −1 for the other. Max begins.

    The player to move chooses "roll" or "hold". A roll of 2 to 6 adds to the total of the turn; a 1 loses that total
    and the turn. "hold" adds the total to the player's score and ends the turn; it is the only action once the target
    is reached, and is legal, if never wise, before the first roll. A game can go on for ever, so a search needs a
    depth. Rules: Neller and Presser, Optimal Play of the Dice Game Pig (2004).
    """

    def __init__(self, target=100):
        check_whole(1, target=target)
        self.target = target

    def initial_state(self):
        return PigState(MAX)

    def to_move(self, state):
        return CHANCE if state.rolling else state.player

    def actions(self, state):
        if state.rolling:
            raise ValueError("the die is in the air: ask chances(), and search with a search made for games of chance")
        if self.is_terminal(state):
            return ()
        return ("hold",) if state.scores[state.player] + state.total >= self.target else ("roll", "hold")

    def result(self, state, action):
        if state.rolling:
            return self._after_roll(state, action)
        if action not in self.actions(state):
            raise self._illegal(state, action)
        if action == "roll":
            return state._replace(rolling=True)
        gained = [state.total if player == state.player else 0 for player in (MAX, MIN)]
        return PigState(1 - state.player, tuple(map(sum, zip(state.scores, gained))))

    def _after_roll(self, state, face):
        if face not in range(1, 7):
            raise ValueError(f"a die shows a whole number from 1 to 6, not {face!r}\n{self.render(state)}")
        if face == 1:
            return PigState(1 - state.player, state.scores)
        return state._replace(total=state.total + int(face), rolling=False)

    def is_terminal(self, state):
        return max(state.scores) >= self.target

    def utility(self, state, player):
        self._check_player(player)
        if not self.is_terminal(state):
            raise self._not_over(state)
        return 1 if state.scores[player] >= self.target else -1

    def chances(self, state):
        if not state.rolling:
            raise ValueError(f"no die is rolled here: Max or Min moves; chances() is for after a roll\n"
                             f"{self.render(state)}")  # fmt: skip
        return ROLLS

    def render(self, state):
        ours, theirs = state.scores
        player = ("Max", "Min")[state.player]
        turn = f"{player} has {state.total} in this turn{' and rolls' if state.rolling else ''}"
        return f"Max {ours}, Min {theirs} of {self.target}" + ("" if self.is_terminal(state) else f"\n{turn}")

    def __repr__(self):
        return f"Pig({self.target})"
