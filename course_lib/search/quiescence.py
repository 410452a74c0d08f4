"""Quiescence: a position is evaluated only when nothing is about to happen in it."""

from math import inf

from course_lib.games import MAX, Game
from course_lib.games.game import State
from course_lib.search.checks import Answer, Evaluate, Order, for_max_and_min


@for_max_and_min
def quiescence_search(game: Game, state: State, depth: float, evaluate: Evaluate, noisy: Order) -> Answer:
    """Alpha-beta that looks `depth` plies ahead, and further as long as a position is noisy: the (value, action).

    `noisy(state)` gives the actions that may upset the evaluation, such as captures. Beyond `depth` the search looks at
    nothing else, and every series of them must end. Nobody has to play a noisy action: the player to move may stop and
    take `evaluate(state)` ("stand pat"), and then the action is None. Source: Shannon (1950); AIMA, 4th edition, 5.3.
    """

    def value(state, alpha, beta, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        maximizing = game.to_move(state) == MAX
        if depth > 0:
            v, move, actions = None, None, game.actions(state)
        else:
            v, move, actions = evaluate(state), None, noisy(state)
            alpha, beta = (max(alpha, v), beta) if maximizing else (alpha, min(beta, v))
        for action in actions:
            if alpha >= beta:
                break
            v2, _ = value(game.result(state, action), alpha, beta, depth - 1)
            if v is None or (v2 > v if maximizing else v2 < v):
                v, move = v2, action
                alpha, beta = (max(alpha, v), beta) if maximizing else (alpha, min(beta, v))
        return v, move

    return value(state, -inf, inf, depth)
