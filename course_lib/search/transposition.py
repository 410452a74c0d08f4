"""A transposition table, and alpha-beta with it: a state that was reached before is not searched again."""

from math import inf

from course_lib.games import MAX, ConnectFour, Evaluate, Game
from course_lib.games.game import Action, Answer, Order, State
from course_lib.games.validation import check_state
from course_lib.search.ordering import put_first
from course_lib.search.validation import for_max_and_min

EXACT, LOWER, UPPER = "exact", "lower", "upper"
"""Bounds: the stored value is the true one; the true one is no lower; the true one is no higher."""

NOTHING = None, None, None, ()
Line = tuple[Action, ...]


class TranspositionTable:
    """What a search has found out about each state: its value for Max, how the true value compares, depth, best line.

    A value is used only for the depth that it was searched to, so a search with a table finds exactly what it would
    find without. Use a table for one game and one evaluation only; windows and depths may differ.
    """

    def __init__(self):
        self._entries, self._shallower = {}, {}

    def look_up(self, state: State, alpha: float, beta: float, depth: float) -> tuple[float, Line] | None:
        """The stored (value, line) of `state` if it settles a search of this window and depth, else None."""
        searched, value, bound, line = self._entries.get(state, NOTHING)
        if searched != depth:
            return None
        settled = bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
        return (value, line) if settled else None

    def store(self, state: State, alpha: float, beta: float, depth: float, value: float, line: Line) -> None:
        """Store what a search of `state` with this window, as it was on entry, has returned.

        At or outside the window's edge the value is a bound: a search that was cut knows no better.
        """
        bound = UPPER if value <= alpha else LOWER if value >= beta else EXACT
        self._entries[state] = depth, value, bound, line

    def best_action(self, state: State) -> Action:
        """The action found best in `state`, at whatever depth it was searched last, or None if it never was."""
        *_, line = self._entries.get(state) or self._shallower.get(state, NOTHING)
        return line[0] if line else None

    def deepen(self) -> None:
        """Prepare for a deeper search: the values are not used there, but the best actions are tried first."""
        self._entries, self._shallower = {}, self._entries


def transposition_table_search(
    game: Game, state: State, depth: float = inf, evaluate: Evaluate | None = None, *,
    order: Order | None = None, table: TranspositionTable | None = None,
) -> Answer:  # fmt: skip
    """Alpha-beta with a transposition table and killer moves: the (value, action), Max's value.

    Parameters and value are those of `depth_limited_alpha_beta_search`; without a depth it searches to the end of
    the game. The action is one of the best, not always the first. A `table` that you give is used and filled.
    """
    v, line = best_line(game, state, depth, evaluate, order=order, table=table)
    return v, line[0] if line else None


@for_max_and_min
def best_line(game: Game, state: State, depth: float = inf, evaluate: Evaluate | None = None, *,
              order: Order | None = None, table: TranspositionTable | None = None) -> tuple[float, Line]:  # fmt: skip
    """What `transposition_table_search` finds, with its principal variation: (value, line), the line a tuple of
    actions.

    The line leads to the state that the value comes from. Source: Knuth and Moore's alpha-beta (1975), with the table
    of Greenblatt's chess program (1967).
    """
    order = order or game.actions
    table = TranspositionTable() if table is None else table
    if not isinstance(table, TranspositionTable):
        raise ValueError(f"Expected table to be a TranspositionTable, got {table!r}")
    killers = {}

    def value(state, alpha, beta, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX), ()
        if depth == 0:
            return evaluate(state), ()
        known = table.look_up(state, alpha, beta, depth)
        if known is not None:
            return known
        window = alpha, beta
        maximizing = game.to_move(state) == MAX
        v, line = None, ()
        for action in put_first(table.best_action(state), put_first(killers.get(depth), order(state))):
            v2, line2 = value(game.result(state, action), alpha, beta, depth - 1)
            if not line or (v2 > v if maximizing else v2 < v):
                v, line = v2, (action, *line2)
                alpha, beta = (max(alpha, v), beta) if maximizing else (alpha, min(beta, v))
            if alpha >= beta:
                killers[depth] = action
                break
        table.store(state, *window, depth, v, line)
        return v, line

    return value(state, -inf, inf, depth)


def solve(game: ConnectFour, state: State) -> int:
    """The exact score of a `ConnectFour` state under perfect play, for the *player to move*.

    A draw is 0. A win is 1 plus the number of stones that the winner has left when it wins, so a faster win scores
    more: on the usual board, 22 minus the stones the winner has played. A loss is minus the opponent's score.
    The time grows fast with the empty cells: milliseconds with 14 of them, a second or two with 27.

    >>> from course_lib.games import THREAD_POSITION, ConnectFour
    >>> solve(ConnectFour(), ConnectFour().after(*THREAD_POSITION))
    6
    """
    if not isinstance(game, ConnectFour):
        raise ValueError(f"solve is for Connect Four, not for {game!r}; use transposition_table_search")
    check_state(game, state)
    scored = _Scored(game.columns, game.rows)
    value, _ = transposition_table_search(scored, state, scored.left(state), order=scored.wins_first)
    return int(value if game.to_move(state) == MAX else -value)


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
