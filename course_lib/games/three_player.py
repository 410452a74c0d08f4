"""A duel of three."""

from collections.abc import Sequence

from course_lib.games.game import CHANCE, MAX, Action, Chances, Game, State

AIR = "air"
"""The action of throwing into the air."""


class Truel(Game):
    """Three throw snowballs in turn; whoever is hit is out, and those still in at the end share a prize of 1.

    The class attributes `accuracies`, the probabilities with which players 0, 1 and 2 hit what they aim at, and
    `throws`, the number of throws in all, can be changed in a subclass. An action is the player aimed at, or "air", to
    miss on purpose. The game ends when one is left, or after `throws` throws. A state is (player to move, players still
    in, throws left, player aimed at while the ball flies, else None). Kilgour, The sequential truel (1975), shows when
    the weakest does best to aim at nobody.
    """

    players = 3
    accuracies = 1 / 3, 2 / 3, 1
    throws = 6

    def initial_state(self) -> State:
        return MAX, (0, 1, 2), self.throws, None

    def to_move(self, state: State) -> int:
        player, _, _, aimed_at = state
        return player if aimed_at is None else CHANCE

    def actions(self, state: State) -> Sequence[Action]:
        player, still_in, _, aimed_at = state
        if aimed_at is not None:
            raise self._no_choice(state)
        return () if self.is_terminal(state) else (AIR, *(other for other in still_in if other != player))

    def result(self, state: State, action: Action) -> State:
        player, still_in, throws, aimed_at = state
        if action not in (self.actions(state) if aimed_at is None else ("hit", "miss")):
            raise self._illegal(state, action)
        if aimed_at is None and action != AIR:
            return player, still_in, throws, action
        if action == "hit":
            still_in = tuple(other for other in still_in if other != aimed_at)
        following = next(p % 3 for p in range(player + 1, player + 4) if p % 3 in still_in)
        return following, still_in, throws - 1, None

    def is_terminal(self, state: State) -> bool:
        _, still_in, throws, _ = state
        return len(still_in) == 1 or throws == 0

    def utility(self, state: State, player: int) -> float:
        self._check_end(state, player)
        return (player in state[1]) / len(state[1])

    def chances(self, state: State) -> Chances:
        player, _, _, aimed_at = state
        hit = self.accuracies[player]
        return super().chances(state) if aimed_at is None else (("hit", hit), ("miss", 1 - hit))

    def render(self, state: State) -> str:
        player, still_in, throws, aimed_at = state
        aim = "" if aimed_at is None else f", aimed at {aimed_at}"
        left = f"{throws} throws left, players {', '.join(map(str, still_in))} still in"
        return left if self.is_terminal(state) else f"{left}; player {player} throws{aim}"
