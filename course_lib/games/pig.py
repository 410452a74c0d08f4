"""Pig, the dice game of knowing when to stop."""

from collections.abc import Sequence
from typing import NamedTuple

from course_lib.games.game import CHANCE, MAX, Action, Chances, Game
from course_lib.games.validation import check_whole

ROLLS = tuple((face, 1 / 6) for face in range(1, 7))
"""What a die shows, with the probabilities."""


class PigState(NamedTuple):
    """`player` has gathered `total` points in this turn; `rolling` is True while the die is in the air."""

    player: int
    scores: tuple[int, int] = (0, 0)
    total: int = 0
    rolling: bool = False


class Pig(Game):
    """Whoever first has `target` points wins: +1, and −1 for the other. Max begins.

    The player to move chooses "roll" or "hold". A roll of 2 to 6 adds to the total of the turn; a 1 loses that total
    and the turn. "hold" adds the total to the player's score and ends the turn; it is the only action once the target
    is reached, and is legal, if never wise, before the first roll. A game can go on for ever, so a search needs a
    depth. Rules: Neller and Presser, Optimal Play of the Dice Game Pig (2004).
    """

    trusted = True

    def __init__(self, target: int = 100):
        check_whole(1, target=target)
        self.target = target

    def initial_state(self) -> PigState:
        return PigState(MAX)

    def to_move(self, state: PigState) -> int:
        return CHANCE if state.rolling else state.player

    def actions(self, state: PigState) -> Sequence[str]:
        if self.is_terminal(state):
            return ()
        if state.rolling:
            raise self._no_choice(state)
        return ("hold",) if state.scores[state.player] + state.total >= self.target else ("roll", "hold")

    def result(self, state: PigState, action: Action) -> PigState:
        if action not in (range(1, 7) if state.rolling else self.actions(state)):
            raise self._illegal(state, action)
        if action == "roll":
            return state._replace(rolling=True)
        if action == 1:
            return PigState(1 - state.player, state.scores)
        if state.rolling:
            return state._replace(total=state.total + int(action), rolling=False)
        ours, theirs = state.scores
        scores = (ours + state.total, theirs) if state.player == MAX else (ours, theirs + state.total)
        return PigState(1 - state.player, scores)

    def is_terminal(self, state: PigState) -> bool:
        return max(state.scores) >= self.target

    def utility(self, state: PigState, player: int) -> float:
        self._check_end(state, player)
        return 1 if state.scores[player] >= self.target else -1

    def chances(self, state: PigState) -> Chances:
        return ROLLS if self.to_move(state) == CHANCE else super().chances(state)

    def render(self, state: PigState) -> str:
        ours, theirs = state.scores
        player = ("Max", "Min")[state.player]
        turn = f"{player} has {state.total} in this turn"
        turn = f"{player} has {state.total} in this turn and rolls" if state.rolling else turn
        return f"Max {ours}, Min {theirs} of {self.target}" + ("" if self.is_terminal(state) else f"\n{turn}")

    def __repr__(self) -> str:
        return f"Pig({self.target})"
