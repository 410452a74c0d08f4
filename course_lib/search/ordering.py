"""The order of the actions: putting good ones first, and how few or many leaves alpha-beta looks at by it alone."""

from collections.abc import Sequence
from math import prod

from course_lib.games import Game, Search
from course_lib.games.checks import check_function, check_game
from course_lib.games.game import Action, Order
from course_lib.search.checks import max_to_move


def put_first(favourite: Action, actions: Sequence[Action]) -> Sequence[Action]:
    """These actions with `favourite` in front, if it is one of them; the others stay in order."""
    return actions if favourite is None else sorted(actions, key=lambda action: action != favourite)


def best_first(game: Game, search: Search) -> Order:
    """An `order` of the actions, for a search: those that lead to the best values for the player to move come first.

    `search(game, state) → (value, action)` finds the values, which are Max's: with `minimax_search` the order is
    perfect, with a search of few plies it is a good guess.
    """
    check_game(game)
    check_function("search(game, state) → (value, action)", search)

    def order(state):
        def value(action):
            return search(game, game.result(state, action))[0]

        return sorted(game.actions(state), key=value, reverse=max_to_move(game, state))

    return order


def leaves_with_best_order(branching: Sequence[int]) -> int:
    """The number of leaves of a uniform tree that alpha-beta visits if the best action always comes first: the smallest
    possible number (Knuth and Moore, 1975).

    `branching` gives the number of actions at each ply, from the root down; b actions at each of m plies make
    b^⌈m/2⌉ + b^⌊m/2⌋ − 1 leaves.
    """
    return prod(branching[0::2]) + prod(branching[1::2]) - 1
