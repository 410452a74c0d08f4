"""A duel of three."""

from course_lib.games.checks import check_share, check_whole
from course_lib.games.game import CHANCE, MAX, Game

AIR = "air"
"""The action of throwing where nobody stands."""


class Truel(Game):
    """Three throw snowballs in turn; whoever is hit is out, and those still in at the end share a prize of 1.

    `accuracies` are the probabilities with which players 0, 1 and 2 hit what they aim at. An action is the player aimed
    at, or "air", to miss on purpose. The game ends when one is left, or after `throws` throws in all. A state is
    (player to move, players still in, throws left, player aimed at while the ball flies, else None). Kilgour, The
    sequential truel (1975), shows when the weakest does best to aim at nobody.
    """

    players = 3

    def __init__(self, accuracies=(1 / 3, 2 / 3, 1), throws=6):
        if not isinstance(accuracies, tuple | list) or len(accuracies) != 3:
            raise ValueError(f"accuracies must be three probabilities, one for each player, not {accuracies!r}")
        for accuracy in accuracies:
            check_share(accuracy=accuracy)
        check_whole(0, throws=throws)
        self.accuracies, self.throws = tuple(accuracies), throws

    def initial_state(self):
        return MAX, (0, 1, 2), self.throws, None

    def to_move(self, state):
        player, _, _, aimed_at = state
        return player if aimed_at is None else CHANCE

    def actions(self, state):
        player, still_in, _, aimed_at = state
        if aimed_at is not None:
            raise ValueError("the ball flies: ask chances(), and search with a search made for games of chance")
        return () if self.is_terminal(state) else (AIR, *(other for other in still_in if other != player))

    def result(self, state, action):
        player, still_in, throws, aimed_at = state
        if aimed_at is not None:
            if action not in ("hit", "miss"):
                raise ValueError(f'a ball that flies is a "hit" or a "miss", not {action!r}\n{self.render(state)}')
            still_in = tuple(other for other in still_in if action == "miss" or other != aimed_at)
        elif action not in self.actions(state):
            raise self._illegal(state, action)
        elif action != AIR:
            return player, still_in, throws, action
        following = next(p % 3 for p in range(player + 1, player + 4) if p % 3 in still_in)
        return following, still_in, throws - 1, None

    def is_terminal(self, state):
        _, still_in, throws, _ = state
        return len(still_in) == 1 or throws == 0

    def utility(self, state, player):
        self._check_player(player)
        if not self.is_terminal(state):
            raise self._not_over(state)
        return (player in state[1]) / len(state[1])

    def chances(self, state):
        player, _, _, aimed_at = state
        if aimed_at is None:
            raise ValueError(f"no ball flies here; chances() is for after a player has aimed\n{self.render(state)}")
        hit = self.accuracies[player]
        return ("hit", hit), ("miss", 1 - hit)

    def render(self, state):
        player, still_in, throws, aimed_at = state
        aim = "" if aimed_at is None else f", aimed at {aimed_at}"
        left = f"{throws} throws left, players {', '.join(map(str, still_in))} still in"
        return left if self.is_terminal(state) else f"{left}; player {player} throws{aim}"

    def __repr__(self):
        return f"Truel({self.accuracies}, throws={self.throws})"
