"""Connect Four played perfectly: how fast a position is won."""

from course_lib.games import MAX, ConnectFour
from course_lib.games.game import State
from course_lib.search.transposition import table_search


def solve(game: ConnectFour, state: State) -> int:
    """The exact score of a `ConnectFour` state under perfect play, for the *player to move*.

    A draw is 0. A win is 1 and the stones that the winner has left to play when it wins, so a faster win scores
    more: on the usual board, 22 minus the stones the winner has played. A loss is minus the opponent's score.
    The time grows fast with the empty cells: milliseconds with 14 of them, a second or two with 27.
    """
    if not isinstance(game, ConnectFour):
        raise ValueError(f"solve is for Connect Four, not for {game!r}; use table_search")
    scored = _Scored(game.columns, game.rows)
    value, _ = table_search(scored, state, scored.left(state), order=scored.wins_first)
    return value if game.to_move(state) == MAX else -value


class _Scored(ConnectFour):
    """Connect Four with the score for its utility."""

    def left(self, state):
        return (self._full ^ state[2]).bit_count()

    def utility(self, state, player):
        return super().utility(state, player) * (self.left(state) // 2 + 1)

    def wins_first(self, state):
        """The columns from the middle outwards; a win alone, as no other action scores more."""
        columns = sorted(self.actions(state), key=lambda column: abs(2 * column - self.columns + 1))
        return next(([column] for column in columns if self.is_terminal(self.result(state, column))), columns)
