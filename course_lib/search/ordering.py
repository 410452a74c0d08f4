"""The order of the actions: putting good ones first."""

from collections.abc import Sequence

from course_lib.games.game import MAX, MIN, Action, Game, Order, Search
from course_lib.games.validation import as_game, check_function, check_kind
from course_lib.search.validation import mover


def put_first(favourite: Action, actions: Sequence[Action]) -> Sequence[Action]:
    """These actions with `favourite` in front, if it is one of them; the others stay in order."""
    return actions if favourite is None else sorted(actions, key=lambda action: action != favourite)


def best_first(game: Game, search: Search) -> Order:
    """An `order` of the actions, for a search: those that lead to the best values for the player to move come first.

    `search(game, state) → (value, action)` finds the values, which are Max's: with `minimax_search` the order is
    perfect, with a search of few plies it is a good guess.
    """
    game = as_game(game)
    check_function("search(game, state) → (value, action)", search)

    def order(state):
        def value(action):
            found = search(game, game.result(state, action))
            check_kind(tuple, **{"the (value, action) of search(game, state)": found})
            return found[0]

        return sorted(game.actions(state), key=value, reverse=mover(game, state, (MAX, MIN)) == MAX)

    return order
