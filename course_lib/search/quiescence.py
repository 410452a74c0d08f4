"""Quiescence: a position is evaluated only when nothing is about to happen in it."""

from math import inf

from course_lib.games import MAX
from course_lib.search.minimax import _check_depth, _check_two_players, _first_action, _max_to_move


def quiescence_search(game, state, depth, evaluate, noisy, order=None):
    """Depth-limited alpha-beta that goes on beyond the horizon while it is noisy there: the (value, action).

    `noisy(state)` gives the legal actions that may upset the evaluation (captures, say); from `depth` plies on only
    these are looked at, until none is left, so they must run out. Nobody has to play one: the player to move may
    also stop at `evaluate(state)` ("stand pat"). Values are Max's. At depth 0 the action is the noisy one that pays,
    or None. Source: Shannon (1950); AIMA, 4th edition, 6.3.
    """
    _check_two_players(game)
    _check_depth(depth)
    order = order or game.actions

    def value(state, alpha, beta, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        maximizing = _max_to_move(game, state)
        worst = -inf if maximizing else inf
        if depth > 0:
            v, move, actions = worst, None, order(state)
        else:
            v, move, actions = evaluate(state), None, noisy(state)
            alpha, beta = (max(alpha, v), beta) if maximizing else (alpha, min(beta, v))
        for action in actions:
            if alpha >= beta:
                break
            v2, _ = value(game.result(state, action), alpha, beta, depth - 1)
            if maximizing and v2 > v:
                v, move = v2, action
                alpha = max(alpha, v)
            elif not maximizing and v2 < v:
                v, move = v2, action
                beta = min(beta, v)
        if depth > 0 and v == worst:
            move = _first_action(order(state), state)
        return v, move

    return value(state, -inf, inf, depth)
