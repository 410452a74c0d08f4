"""Alpha-beta: minimax that leaves out what cannot matter. Values are Max's everywhere but in negamax."""

from math import inf

from course_lib.games import MAX
from course_lib.search.minimax import _check_depth, _check_two_players, _first_action, _max_to_move
from course_lib.search.ordering import put_first


def alpha_beta_search(game, state):
    """ALPHA-BETA-SEARCH: the (value, action) that minimax finds; the value is Max's, the action None at the end.

    α is what Max has for certain on the path to a node, β what Min has. A Min node stops at v ≤ α (the α-cut), a
    Max node at v ≥ β (the β-cut). Among equally good actions the first is chosen. Shaped like the pseudo-code of
    sources `000` and `003`, but for the lines about whose turn it is and about infinite values, as in `minimax_search`.
    """
    _check_two_players(game)

    def max_value(state, alpha, beta):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if game.to_move(state) != MAX:
            return min_value(state, alpha, beta)
        v, move = -inf, None
        for action in game.actions(state):
            v2, _ = min_value(game.result(state, action), alpha, beta)
            if v2 > v:
                v, move = v2, action
                if v > alpha:
                    alpha = v
            if v >= beta:
                return v, move
        if v == -inf:
            move = _first_action(game.actions(state), state)
        return v, move

    def min_value(state, alpha, beta):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if _max_to_move(game, state):
            return max_value(state, alpha, beta)
        v, move = inf, None
        for action in game.actions(state):
            v2, _ = max_value(game.result(state, action), alpha, beta)
            if v2 < v:
                v, move = v2, action
                if v < beta:
                    beta = v
            if v <= alpha:
                return v, move
        if v == inf:
            move = _first_action(game.actions(state), state)
        return v, move

    return max_value(state, -inf, inf)


def depth_limited_alpha_beta_search(game, state, depth, evaluate=lambda state: 0, order=None):
    """Alpha-beta that looks `depth` plies ahead: the (value, action) of `depth_limited_minimax_search`.

    `evaluate(state)` estimates the utility for Max where the search is cut off, as a finite number.
    `order(state)` gives the legal actions in the order to try them; the value is the same in any order, and among
    equally good actions the first is chosen. At depth 0, as in a terminal state, the action is None.
    """
    _check_two_players(game)
    _check_depth(depth)
    order = order or game.actions

    def max_value(state, alpha, beta, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if depth == 0:
            return evaluate(state), None
        if game.to_move(state) != MAX:
            return min_value(state, alpha, beta, depth)
        v, move = -inf, None
        for action in order(state):
            v2, _ = min_value(game.result(state, action), alpha, beta, depth - 1)
            if v2 > v:
                v, move = v2, action
                if v > alpha:
                    alpha = v
            if v >= beta:
                return v, move
        if v == -inf:
            move = _first_action(order(state), state)
        return v, move

    def min_value(state, alpha, beta, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if depth == 0:
            return evaluate(state), None
        if _max_to_move(game, state):
            return max_value(state, alpha, beta, depth)
        v, move = inf, None
        for action in order(state):
            v2, _ = max_value(game.result(state, action), alpha, beta, depth - 1)
            if v2 < v:
                v, move = v2, action
                if v < beta:
                    beta = v
            if v <= alpha:
                return v, move
        if v == inf:
            move = _first_action(order(state), state)
        return v, move

    return max_value(state, -inf, inf, depth)


def negamax_search(game, state, depth=inf, evaluate=lambda state: 0):
    """Negamax with α and β: the (value, action), and the value is for the *player to move* in `state`.

    One function does for both players, since what one wins the other loses; so is each window turned round. It is
    the negamax of source `000`, mended: that one forgets the best value when it looks at the next action. `sign` is
    +1 for Max and −1 for Min; `evaluate(state)`, as everywhere, estimates the utility for Max.
    """
    _check_two_players(game)
    _check_depth(depth)

    def turn(state):
        return 1 if _max_to_move(game, state) else -1

    def value(state, alpha, beta, depth, sign):
        if game.is_terminal(state):
            return sign * game.utility(state, MAX), None
        if depth == 0:
            return sign * evaluate(state), None
        if turn(state) != sign:
            v, move = value(state, -beta, -alpha, depth, -sign)
            return -v, move
        v, move = -inf, None
        for action in game.actions(state):
            v2, _ = value(game.result(state, action), -beta, -alpha, depth - 1, -sign)
            if -v2 > v:
                v, move = -v2, action
                if v > alpha:
                    alpha = v
            if v >= beta:
                return v, move
        if v == -inf:
            move = _first_action(game.actions(state), state)
        return v, move

    return value(state, -inf, inf, depth, turn(state))


def killer_search(game, state, depth, evaluate=lambda state: 0, order=None):
    """Depth-limited alpha-beta with killer moves: the (value, action), Max's value.

    What cut a node tends to cut its cousins: the action that last cut at this distance from the horizon, the killer,
    is tried before those of `order(state)`. One function for both players: `alpha >= beta` is either cut.
    """
    _check_two_players(game)
    _check_depth(depth)
    order = order or game.actions
    killers = {}

    def value(state, alpha, beta, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if depth == 0:
            return evaluate(state), None
        maximizing = _max_to_move(game, state)
        v = worst = -inf if maximizing else inf
        for action in put_first(killers.get(depth), order(state)):
            v2, _ = value(game.result(state, action), alpha, beta, depth - 1)
            if maximizing and v2 > v:
                v, move = v2, action
                alpha = max(alpha, v)
            elif not maximizing and v2 < v:
                v, move = v2, action
                beta = min(beta, v)
            if alpha >= beta:
                killers[depth] = action
                break
        if v == worst:
            move = _first_action(order(state), state)
        return v, move

    return value(state, -inf, inf, depth)


def alpha_beta_agent(depth, evaluate=lambda state: 0, order=None):
    """An agent that plays the action of `depth_limited_alpha_beta_search`, at least one ply deep."""
    _check_depth(depth, least=1)

    def agent(game, state):
        return depth_limited_alpha_beta_search(game, state, depth, evaluate, order)[1]

    return agent
