"""The order of the actions: putting good ones first, and how few or many leaves alpha-beta looks at by it alone."""

from collections.abc import Callable, Sequence
from functools import cache
from math import inf, prod

from course_lib.games import MAX, Game
from course_lib.games.game import Action, State
from course_lib.search.checks import Answer, Order, max_to_move
from course_lib.search.minimax import minimax_value


def put_first(favourite: Action, actions: Sequence[Action]) -> Sequence[Action]:
    """These actions with `favourite` in front, if it is one of them; the others stay in order."""
    return actions if favourite is None else sorted(actions, key=lambda action: action != favourite)


def best_first(game: Game, search: Callable[[Game, State], Answer]) -> Order:
    """An `order` of the actions, for a search: those that lead to the best values for the player to move come first.

    `search(game, state) → (value, action)` finds the values, which are Max's: with `minimax_search` the order is
    perfect, with a search of few plies it is a good guess.
    """

    def order(state):
        def value(action):
            return search(game, game.result(state, action))[0]

        return sorted(game.actions(state), key=value, reverse=max_to_move(game, state))

    return order


def leaves_with_best_order(branching: Sequence[int]) -> int:
    """How many leaves of a uniform tree alpha-beta looks at if the best action always comes first: it cannot do with
    fewer (Knuth and Moore, 1975).

    `branching` gives the number of actions at each ply, from the root down; b actions at each of m plies make
    b^⌈m/2⌉ + b^⌊m/2⌋ − 1 leaves.
    """
    return prod(branching[0::2]) + prod(branching[1::2]) - 1


def possible_leaves(game: Game, state: State) -> tuple[int, int]:
    """The (fewest, most) leaves that alpha-beta can look at below `state`, over all orders of all actions.

    Exact, and for small trees: every set of actions already tried is considered at every node and window.
    """
    value = cache(lambda state: minimax_value(game, state))

    @cache
    def leaves(state, alpha, beta, best):
        """The leaves below a node that is searched with this window."""
        if game.is_terminal(state):
            return 1
        maximizing = game.to_move(state) == MAX
        children = tuple(game.result(state, action) for action in game.actions(state))

        @cache
        def rest(untried, alpha, beta):
            return best((after_child(child, untried, alpha, beta) for child in untried), default=0)

        def after_child(child, untried, alpha, beta):
            looked_at = leaves(children[child], alpha, beta, best)
            found = value(children[child])
            alpha, beta = (max(alpha, found), beta) if maximizing else (alpha, min(beta, found))
            return looked_at if alpha >= beta else looked_at + rest(untried - {child}, alpha, beta)

        return rest(frozenset(range(len(children))), alpha, beta)

    return leaves(state, -inf, inf, min), leaves(state, -inf, inf, max)
