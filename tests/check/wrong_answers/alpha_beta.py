"""Answers to the questions of notebook 3 as students write them: wrong ones, each with its mistake, and right ones."""

from functools import lru_cache
from itertools import takewhile
from math import inf

from answers import Wrong, leaves
from course_lib.games import MAX, MIN, ConnectFour, TreeGame


def size(case):
    """The leaves of a case's tree; for searching by the clock, how many depths there are; for an order, positions."""
    return len(case[0]) if case and not isinstance(case[0], TreeGame) else leaves(case)


# alpha_beta.search


def never_raised(game, state, alpha=-inf, beta=inf):
    """α and β are handed down but never moved."""
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    maximizing = game.to_move(state) == MAX
    v, move = (-inf if maximizing else inf), None
    for action in game.actions(state):
        v2, _ = never_raised(game, game.result(state, action), alpha, beta)
        if (v2 > v) if maximizing else (v2 < v):
            v, move = v2, action
        if (v >= beta) if maximizing else (v <= alpha):
            break
    return v, move


def strict(game, state, alpha=-inf, beta=inf):
    """Cuts at alpha > beta."""
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    best, move = None, None
    for action in game.actions(state):
        v, _ = strict(game, game.result(state, action), alpha, beta)
        if game.to_move(state) == MAX:
            if best is None or v > best:
                best, move = v, action
            alpha = max(alpha, v)
        else:
            if best is None or v < best:
                best, move = v, action
            beta = min(beta, v)
        if alpha > beta:
            break
    return best, move


def swapped_arguments(game, state):
    """Hands (beta, alpha) down."""

    def value(state, alpha, beta):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        maximizing = game.to_move(state) == MAX
        v, move = (-inf, None) if maximizing else (inf, None)
        for action in game.actions(state):
            v2, _ = value(game.result(state, action), beta, alpha)
            if maximizing and v2 > v:
                v, move, alpha = v2, action, max(alpha, v2)
            if not maximizing and v2 < v:
                v, move, beta = v2, action, min(beta, v2)
            if v >= beta if maximizing else v <= alpha:
                return v, move
        return v, move

    return value(state, -inf, inf)


def own_bound(game, state):
    """Max stops at v ≥ α, Min at v ≤ β."""

    def max_value(state, alpha, beta):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if game.to_move(state) == MIN:
            return min_value(state, alpha, beta)
        v, move = -inf, None
        for action in game.actions(state):
            v2, _ = max_value(game.result(state, action), alpha, beta)
            if v2 > v:
                v, move = v2, action
            if v >= alpha:
                return v, move
            alpha = max(alpha, v)
        return v, move

    def min_value(state, alpha, beta):
        v, move = inf, None
        for action in game.actions(state):
            v2, _ = max_value(game.result(state, action), alpha, beta)
            if v2 < v:
                v, move = v2, action
            if v <= beta:
                return v, move
            beta = min(beta, v)
        return v, move

    return max_value(state, -inf, inf)


def replaced_bound(game, state, alpha=-inf, beta=inf):
    """alpha = v, which may be less than α was."""
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    maximizing = game.to_move(state) == MAX
    v, move = (-inf if maximizing else inf), None
    for action in game.actions(state):
        v2, _ = replaced_bound(game, game.result(state, action), alpha, beta)
        if v2 > v if maximizing else v2 < v:
            v, move = v2, action
        if v >= beta if maximizing else v <= alpha:
            break
        if maximizing:
            alpha = v
        else:
            beta = v
    return v, move


def cuts_turned_round(game, state, alpha=-inf, beta=inf):
    """Max stops at v ≤ α, Min at v ≥ β."""
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    maximizing = game.to_move(state) == MAX
    v, move = (-inf if maximizing else inf), None
    for action in game.actions(state):
        v2, _ = cuts_turned_round(game, game.result(state, action), alpha, beta)
        if v2 > v if maximizing else v2 < v:
            v, move = v2, action
        if v <= alpha if maximizing else v >= beta:
            break
        alpha, beta = (max(alpha, v), beta) if maximizing else (alpha, min(beta, v))
    return v, move


def leaf_for_min(game, state, alpha=-inf, beta=inf):
    if game.is_terminal(state):
        return game.utility(state, MIN), None
    maximizing = game.to_move(state) == MAX
    v, move = (-inf if maximizing else inf), None
    for action in game.actions(state):
        v2, _ = leaf_for_min(game, game.result(state, action), alpha, beta)
        if v2 > v if maximizing else v2 < v:
            v, move = v2, action
        alpha, beta = (max(alpha, v), beta) if maximizing else (alpha, min(beta, v))
        if alpha >= beta:
            break
    return v, move


def last_first(game, state, alpha=-inf, beta=inf):
    """Another order than that of game.actions."""
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    maximizing = game.to_move(state) == MAX
    v, move = (-inf if maximizing else inf), None
    for action in reversed(game.actions(state)):
        v2, _ = last_first(game, game.result(state, action), alpha, beta)
        if v2 > v if maximizing else v2 < v:
            v, move = v2, action
        alpha, beta = (max(alpha, v), beta) if maximizing else (alpha, min(beta, v))
        if alpha >= beta:
            break
    return v, move


def shared_window(game, state):
    """α and β kept for the whole search, not for the path."""
    alpha, beta = -inf, inf

    def value(state):
        nonlocal alpha, beta
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        maximizing = game.to_move(state) == MAX
        v, move = (-inf if maximizing else inf), None
        for action in game.actions(state):
            v2, _ = value(game.result(state, action))
            if maximizing and v2 > v:
                v, move, alpha = v2, action, max(alpha, v2)
            elif not maximizing and v2 < v:
                v, move, beta = v2, action, min(beta, v2)
            if alpha >= beta:
                break
        return v, move

    return value(state)


def ties_taken(game, state, alpha=-inf, beta=inf):
    """The last of the equally good actions, though a cut one only looks equally good."""
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    maximizing = game.to_move(state) == MAX
    v, move = (-inf if maximizing else inf), None
    for action in game.actions(state):
        v2, _ = ties_taken(game, game.result(state, action), alpha, beta)
        if v2 >= v if maximizing else v2 <= v:
            v, move = v2, action
        if maximizing:
            alpha = max(alpha, v)
        else:
            beta = min(beta, v)
        if alpha >= beta:
            break
    return v, move


def returns_the_bound(game, state, alpha=-inf, beta=inf):
    """A cut node returns α or β and a node without improvement too (fail-hard), but the root's window is (0, inf)."""
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    if alpha == -inf and beta == inf:
        alpha = 0
    move = None
    for action in game.actions(state):
        v, _ = returns_the_bound(game, game.result(state, action), alpha, beta)
        if game.to_move(state) == MAX and v > alpha:
            alpha, move = v, action
        elif game.to_move(state) == MIN and v < beta:
            beta, move = v, action
        if alpha >= beta:
            break
    return (alpha if game.to_move(state) == MAX else beta), move


def minimax_only(game, state):
    """No α, no β."""
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    choose = max if game.to_move(state) == MAX else min
    found = [(minimax_only(game, game.result(state, action))[0], -action) for action in game.actions(state)]
    best = choose(v for v, _ in found)
    return best, next(-a for v, a in found if v == best)


# right ones


def two_functions(game, state):
    def max_value(state, alpha, beta):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if game.to_move(state) == MIN:
            return min_value(state, alpha, beta)
        v, move = -inf, None
        for action in game.actions(state):
            v2, _ = max_value(game.result(state, action), alpha, beta)
            if v2 > v:
                v, move = v2, action
            if v >= beta:
                return v, move
            alpha = max(alpha, v)
        return v, move

    def min_value(state, alpha, beta):
        v, move = inf, None
        for action in game.actions(state):
            v2, _ = max_value(game.result(state, action), alpha, beta)
            if v2 < v:
                v, move = v2, action
            if v <= alpha:
                return v, move
            beta = min(beta, v)
        return v, move

    return max_value(state, -inf, inf)


def negamax_style(game, state, low=-inf, high=inf):
    """Values are the mover's inside, Max's at the root."""

    def search(state, low, high):
        mover = game.to_move(state)
        if game.is_terminal(state):
            return game.utility(state, mover), None
        best, move = -inf, None
        for action in game.actions(state):
            after = game.result(state, action)
            v = search(after, low, high)[0] if game.to_move(after) == mover else -search(after, -high, -low)[0]
            if v > best:
                best, move = v, action
            low = max(low, v)
            if low >= high:
                break
        return best, move

    value, move = search(state, low, high)
    return (value if game.to_move(state) == MAX else -value), move


def fail_hard(game, state, alpha=-inf, beta=inf):
    """The window's edge is returned where the value lies outside."""
    if game.is_terminal(state):
        return min(max(game.utility(state, MAX), alpha), beta), None
    move = None
    for action in game.actions(state):
        v, _ = fail_hard(game, game.result(state, action), alpha, beta)
        if game.to_move(state) == MAX:
            if v > alpha:
                alpha, move = v, action
        elif v < beta:
            beta, move = v, action
        if alpha >= beta:
            break
    return (alpha if game.to_move(state) == MAX else beta), move


def with_a_stack(game, state):
    """Iterative: a list of open nodes, each [state, actions left, v, move, alpha, beta, action that led to it]."""
    if game.is_terminal(state):
        return game.utility(state, MAX), None

    def opened(state, alpha, beta, action):
        v = -inf if game.to_move(state) == MAX else inf
        return [state, list(game.actions(state)), v, None, alpha, beta, action]

    stack = [opened(state, -inf, inf, None)]
    while True:
        node = stack[-1]
        here, left, v, move, alpha, beta, action = node
        if left and alpha < beta:
            chosen = left.pop(0)
            after = game.result(here, chosen)
            if game.is_terminal(after):
                returned, by = game.utility(after, MAX), chosen
            else:
                stack.append(opened(after, alpha, beta, chosen))
                continue
        else:
            stack.pop()
            if not stack:
                return v, move
            returned, by, node = v, action, stack[-1]
        if game.to_move(node[0]) == MAX:
            if returned > node[2]:
                node[2], node[3] = returned, by
            node[4] = max(node[4], node[2])
        else:
            if returned < node[2]:
                node[2], node[3] = returned, by
            node[5] = min(node[5], node[2])


def value_then_action(game, state):
    """A value-only alpha-beta with a memory, and the action by comparing at the root."""

    @lru_cache(None)
    def value(state, alpha, beta):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        for action in game.actions(state):
            v = value(game.result(state, action), alpha, beta)
            if game.to_move(state) == MAX:
                alpha = max(alpha, v)
            else:
                beta = min(beta, v)
            if beta <= alpha:
                break
        return alpha if game.to_move(state) == MAX else beta

    if game.is_terminal(state):
        return game.utility(state, MAX), None
    maximizing, best, move = game.to_move(state) == MAX, None, None
    for action in game.actions(state):
        window = (-inf if best is None else best, inf) if maximizing else (-inf, inf if best is None else best)
        v = value(game.result(state, action), *window)
        if best is None or (v > best if maximizing else v < best):
            best, move = v, action
    return best, move


# alpha_beta.cut


def still_broken(game, state, alpha=-inf, beta=inf):
    """As printed in the exercise."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    if game.to_move(state) == MAX:
        v = -inf
        for action in game.actions(state):
            v = max(v, still_broken(game, game.result(state, action), alpha, beta))
            if v > beta:
                return v
            alpha = max(alpha, v)
        return v
    v = inf
    for action in game.actions(state):
        v = min(v, still_broken(game, game.result(state, action), alpha, beta))
        if v >= alpha:
            return v
        beta = min(beta, v)
    return v


def half_mended(game, state, alpha=-inf, beta=inf):
    """Min's cut is right, Max's still at v > β."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    maximizing = game.to_move(state) == MAX
    v = -inf if maximizing else inf
    for action in game.actions(state):
        v2 = half_mended(game, game.result(state, action), alpha, beta)
        v = max(v, v2) if maximizing else min(v, v2)
        if v > beta if maximizing else v <= alpha:
            return v
        alpha, beta = (max(alpha, v), beta) if maximizing else (alpha, min(beta, v))
    return v


def both_strict(game, state, alpha=-inf, beta=inf):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    maximizing = game.to_move(state) == MAX
    v = -inf if maximizing else inf
    for action in game.actions(state):
        v2 = both_strict(game, game.result(state, action), alpha, beta)
        v = max(v, v2) if maximizing else min(v, v2)
        if v > beta if maximizing else v < alpha:
            return v
        alpha, beta = (max(alpha, v), beta) if maximizing else (alpha, min(beta, v))
    return v


def min_against_beta(game, state, alpha=-inf, beta=inf):
    """Min's cut compares with its own bound."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    maximizing = game.to_move(state) == MAX
    v = -inf if maximizing else inf
    for action in game.actions(state):
        v2 = min_against_beta(game, game.result(state, action), alpha, beta)
        v = max(v, v2) if maximizing else min(v, v2)
        if v >= beta if maximizing else v <= beta:
            return v
        alpha, beta = (max(alpha, v), beta) if maximizing else (alpha, min(beta, v))
    return v


def no_cut_for_min(game, state, alpha=-inf, beta=inf):
    """The wrong cut is taken out, and none put in its place."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    maximizing = game.to_move(state) == MAX
    v = -inf if maximizing else inf
    for action in game.actions(state):
        v2 = no_cut_for_min(game, game.result(state, action), alpha, beta)
        v = max(v, v2) if maximizing else min(v, v2)
        if maximizing and v >= beta:
            return v
        alpha, beta = (max(alpha, v), beta) if maximizing else (alpha, min(beta, v))
    return v


def no_cut_at_all(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    choose = max if game.to_move(state) == MAX else min
    return choose([no_cut_at_all(game, game.result(state, action)) for action in game.actions(state)])


def value_of(search):
    """The same search without its action."""

    def value(game, state):
        return search(game, state)[0]

    value.__name__ = f"value_of_{search.__name__}"
    return value


# alpha_beta.mend_negamax


def negamax_000(game, state, alpha, beta, player):
    """As printed in the exercise."""
    if game.is_terminal(state):
        return player * game.utility(state, MAX)
    for action in game.actions(state):
        best = -negamax_000(game, game.result(state, action), -alpha, -beta, -player)
        if best >= beta:
            return best
        if best >= alpha:
            alpha = best
    return best


def negamax_window_only(game, state, alpha, beta, player):
    """The window is mended; the best value is still overwritten."""
    if game.is_terminal(state):
        return player * game.utility(state, MAX)
    for action in game.actions(state):
        best = -negamax_window_only(game, game.result(state, action), -beta, -alpha, -player)
        if best >= beta:
            return best
        if best >= alpha:
            alpha = best
    return best


def negamax_best_only(game, state, alpha, beta, player):
    """The best value is kept; the window is still turned round the wrong way."""
    if game.is_terminal(state):
        return player * game.utility(state, MAX)
    best = -inf
    for action in game.actions(state):
        best = max(best, -negamax_best_only(game, game.result(state, action), -alpha, -beta, -player))
        if best >= beta:
            return best
        alpha = max(alpha, best)
    return best


def negamax_same_window(game, state, alpha, beta, player):
    if game.is_terminal(state):
        return player * game.utility(state, MAX)
    best = -inf
    for action in game.actions(state):
        best = max(best, -negamax_same_window(game, game.result(state, action), alpha, beta, -player))
        if best >= beta:
            return best
        alpha = max(alpha, best)
    return best


def negamax_half_a_window(game, state, alpha, beta, player):
    """β is not handed on."""
    if game.is_terminal(state):
        return player * game.utility(state, MAX)
    best = -inf
    for action in game.actions(state):
        best = max(best, -negamax_half_a_window(game, game.result(state, action), -inf, -alpha, -player))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def negamax_from_zero(game, state, alpha, beta, player):
    if game.is_terminal(state):
        return player * game.utility(state, MAX)
    best = 0
    for action in game.actions(state):
        best = max(best, -negamax_from_zero(game, game.result(state, action), -beta, -alpha, -player))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def negamax_for_max(game, state, alpha, beta, player):
    """Right, but the value is turned back into Max's."""

    def value(state, alpha, beta, player):
        if game.is_terminal(state):
            return player * game.utility(state, MAX)
        best = -inf
        for action in game.actions(state):
            best = max(best, -value(game.result(state, action), -beta, -alpha, -player))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    return player * value(state, alpha, beta, player)


def negamax_stops_at_alpha(game, state, alpha, beta, player):
    """Stops as soon as α is raised."""
    if game.is_terminal(state):
        return player * game.utility(state, MAX)
    best = -inf
    for action in game.actions(state):
        best = max(best, -negamax_stops_at_alpha(game, game.result(state, action), -beta, -alpha, -player))
        if best > alpha:
            return best
    return best


def negamax_kept(game, state, alpha, beta, player):
    if game.is_terminal(state):
        return player * game.utility(state, MAX)
    best = -inf
    for action in game.actions(state):
        value = -negamax_kept(game, game.result(state, action), -beta, -alpha, -player)
        if value > best:
            best = value
        if best >= beta:
            return best
        if best >= alpha:
            alpha = best
    return best


def negamax_hard(game, state, alpha, beta, player):
    if game.is_terminal(state):
        return player * game.utility(state, MAX)
    for action in game.actions(state):
        alpha = max(alpha, -negamax_hard(game, game.result(state, action), -beta, -alpha, -player))
        if alpha >= beta:
            return beta
    return alpha


def negamax_by_two(game, state, alpha, beta, player):
    """Plain alpha-beta, its value turned to the player's side at the end."""
    value, _ = two_functions(game, state)
    return player * value


# alpha_beta.negamax


def limited_negamax(game, state, depth, evaluate):
    def search(state, depth, alpha, beta, sign):
        if game.is_terminal(state):
            return sign * game.utility(state, MAX), None
        if depth == 0:
            return sign * evaluate(state), None
        best, move = -inf, None
        for action in game.actions(state):
            value = -search(game.result(state, action), depth - 1, -beta, -alpha, -sign)[0]
            if value > best:
                best, move = value, action
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best, move

    return search(state, depth, -inf, inf, 1 if game.to_move(state) == MAX else -1)


def limited_by_mover(game, state, depth, evaluate, alpha=-inf, beta=inf):
    mover = game.to_move(state)
    if game.is_terminal(state):
        return game.utility(state, mover), None
    if depth < 1:
        return evaluate(state) * (1, -1)[mover], None
    best = (-inf, None)
    for action in game.actions(state):
        v, _ = limited_by_mover(game, game.result(state, action), depth - 1, evaluate, -beta, -max(alpha, best[0]))
        best = max(best, (-v, action), key=lambda found: found[0])
        if best[0] >= beta:
            break
    return best


def limited_by_max(game, state, depth, evaluate):
    """An alpha-beta for Max and Min, turned to the mover's side at the end."""

    def value(state, depth, alpha, beta):
        if game.is_terminal(state) or depth == 0:
            return game.utility(state, MAX) if game.is_terminal(state) else evaluate(state)
        v = None
        for action in game.actions(state):
            w = value(game.result(state, action), depth - 1, alpha, beta)
            if game.to_move(state) == MAX:
                v = w if v is None else max(v, w)
                alpha = max(alpha, v)
            else:
                v = w if v is None else min(v, w)
                beta = min(beta, v)
            if beta <= alpha:
                return v
        return v

    sign = 1 if game.to_move(state) == MAX else -1
    if game.is_terminal(state) or depth == 0:
        return sign * value(state, depth, -inf, inf), None
    best, move = None, None
    for action in game.actions(state):
        window = (-inf, inf) if best is None else (best, inf) if sign == 1 else (-inf, -best)
        v = sign * value(game.result(state, action), depth - 1, *window)
        if best is None or v > best:
            best, move = v, action
    return best, move


def limited_for_max(game, state, depth, evaluate):
    """The value is Max's, also where Min is to move at the root."""
    value, move = limited_negamax(game, state, depth, evaluate)
    return (value if game.to_move(state) == MAX else -value), move


def limited_evaluates_for_max(game, state, depth, evaluate, alpha=-inf, beta=inf, sign=None):
    """evaluate(state) is taken for the player's to move."""
    sign = sign or (1 if game.to_move(state) == MAX else -1)
    if game.is_terminal(state):
        return sign * game.utility(state, MAX), None
    if depth == 0:
        return evaluate(state), None
    best, move = -inf, None
    for action in game.actions(state):
        after = game.result(state, action)
        value = -limited_evaluates_for_max(game, after, depth - 1, evaluate, -beta, -alpha, -sign)[0]
        if value > best:
            best, move = value, action
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, move


def limited_utility_for_max(game, state, depth, evaluate, alpha=-inf, beta=inf):
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    if depth == 0:
        return (1 if game.to_move(state) == MAX else -1) * evaluate(state), None
    best, move = -inf, None
    for action in game.actions(state):
        value = -limited_utility_for_max(game, game.result(state, action), depth - 1, evaluate, -beta, -alpha)[0]
        if value > best:
            best, move = value, action
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, move


def limited_evaluates_the_end(game, state, depth, evaluate, alpha=-inf, beta=inf):
    """Asks for the depth first."""
    sign = 1 if game.to_move(state) == MAX else -1
    if depth == 0:
        return sign * evaluate(state), None
    if game.is_terminal(state):
        return sign * game.utility(state, MAX), None
    best, move = -inf, None
    for action in game.actions(state):
        value = -limited_evaluates_the_end(game, game.result(state, action), depth - 1, evaluate, -beta, -alpha)[0]
        if value > best:
            best, move = value, action
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, move


def limited_one_short(game, state, depth, evaluate):
    """Stops a ply too early, but at the root."""
    sign = 1 if game.to_move(state) == MAX else -1
    if game.is_terminal(state):
        return sign * game.utility(state, MAX), None
    if depth <= 1:
        return sign * evaluate(state), None
    best, move = -inf, None
    for action in game.actions(state):
        value = -limited_one_short(game, game.result(state, action), depth - 1, evaluate)[0]
        if value > best:
            best, move = value, action
    return best, move


def limited_ties_taken(game, state, depth, evaluate, alpha=-inf, beta=inf):
    """The last of the equally good actions."""
    sign = 1 if game.to_move(state) == MAX else -1
    if game.is_terminal(state):
        return sign * game.utility(state, MAX), None
    if depth == 0:
        return sign * evaluate(state), None
    best, move = -inf, None
    for action in game.actions(state):
        value = -limited_ties_taken(game, game.result(state, action), depth - 1, evaluate, -beta, -alpha)[0]
        if value >= best:
            best, move = value, action
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, move


def limited_all_for_max(game, state, depth, evaluate, alpha=-inf, beta=inf):
    """Neither utilities nor estimates are turned round."""
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    if depth == 0:
        return evaluate(state), None
    best, move = -inf, None
    for action in game.actions(state):
        value = -limited_all_for_max(game, game.result(state, action), depth - 1, evaluate, -beta, -alpha)[0]
        if value > best:
            best, move = value, action
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, move


def limited_without_window(game, state, depth, evaluate):
    """Negamax without α and β."""
    sign = 1 if game.to_move(state) == MAX else -1
    if game.is_terminal(state):
        return sign * game.utility(state, MAX), None
    if depth == 0:
        return sign * evaluate(state), None
    best, move = -inf, None
    for action in game.actions(state):
        value = -limited_without_window(game, game.result(state, action), depth - 1, evaluate)[0]
        if value > best:
            best, move = value, action
    return best, move


def limited_depth_kept(game, state, depth, evaluate):
    """The depth is never taken down."""
    sign = 1 if game.to_move(state) == MAX else -1
    if game.is_terminal(state):
        return sign * game.utility(state, MAX), None
    if depth == 0:
        return sign * evaluate(state), None
    best, move = -inf, None
    for action in game.actions(state):
        value = -limited_depth_kept(game, game.result(state, action), depth, evaluate)[0]
        if value > best:
            best, move = value, action
    return best, move


# alpha_beta.timed


def timed_loop(search, clock, seconds, deepest):
    deadline = clock() + seconds
    best = None
    for depth in range(1, deepest + 1):
        action, finished = search(depth, deadline)
        if not finished:
            return action if best is None else best
        best = action
    return best


def timed_while(search, clock, seconds, deepest):
    end = clock() + seconds
    depth = 1
    action, finished = search(1, end)
    while finished and depth < deepest and clock() < end:
        depth += 1
        deeper, finished = search(depth, end)
        if finished:
            action = deeper
    return action


def timed_generator(search, clock, seconds, deepest):
    deadline = clock() + seconds
    found = (search(depth, deadline) for depth in range(1, deepest + 1))
    first, done = next(found)
    rest = takewhile(lambda pair: pair[1], found) if done else ()
    return [first, *(action for action, _ in rest)][-1]


def timed_recursive(search, clock, seconds, deepest):
    deadline = clock() + seconds

    def deeper(depth, so_far):
        if depth > deepest:
            return so_far
        action, finished = search(depth, deadline)
        if not finished:
            return so_far or action
        return deeper(depth + 1, action)

    return deeper(1, None)


def timed_believes(search, clock, seconds, deepest):
    """The last search counts, finished or not."""
    deadline = clock() + seconds
    for depth in range(1, deepest + 1):
        action, finished = search(depth, deadline)
        if not finished:
            break
    return action


def timed_from_zero(search, clock, seconds, deepest):
    """Takes the clock to begin at 0."""
    best = None
    for depth in range(1, deepest + 1):
        action, finished = search(depth, seconds)
        if finished or best is None:
            best = action
        if not finished:
            break
    return best


def timed_anew(search, clock, seconds, deepest):
    best = None
    for depth in range(1, deepest + 1):
        action, finished = search(depth, clock() + seconds)
        if not finished and best is not None:
            break
        best = action
        if not finished:
            break
    return best


def timed_one_short(search, clock, seconds, deepest):
    deadline, best = clock() + seconds, None
    for depth in range(1, deepest):
        action, finished = search(depth, deadline)
        if finished or best is None:
            best = action
        if not finished:
            break
    return best


def timed_on_and_on(search, clock, seconds, deepest):
    """Goes through all depths, whatever the time."""
    deadline, best = clock() + seconds, None
    for depth in range(1, deepest + 1):
        action, finished = search(depth, deadline)
        if finished or best is None:
            best = action
    return best


def timed_nothing(search, clock, seconds, deepest):
    """None if not even the first search is finished."""
    deadline, best = clock() + seconds, None
    for depth in range(1, deepest + 1):
        action, finished = search(depth, deadline)
        if not finished:
            break
        best = action
    return best


def timed_deepest_only(search, clock, seconds, deepest):
    """No deepening at all."""
    return search(deepest, clock() + seconds)[0]


def timed_from_the_top(search, clock, seconds, deepest):
    deadline = clock() + seconds
    for depth in range(deepest, 0, -1):
        action, finished = search(depth, deadline)
        if finished:
            break
    return action


def timed_by_range(search, clock, seconds, deepest):
    """range(deepest) for the depths."""
    deadline, best = clock() + seconds, None
    for depth in range(deepest):
        action, finished = search(depth, deadline)
        if finished or best is None:
            best = action
        if not finished:
            break
    return best


def timed_pair(search, clock, seconds, deepest):
    """Returns what a search returns, the pair."""
    deadline = clock() + seconds
    found = search(1, deadline)
    for depth in range(2, deepest + 1):
        if not found[1]:
            break
        deeper = search(depth, deadline)
        if not deeper[1]:
            break
        found = deeper
    return found


# alpha_beta.order

game = ConnectFour()


def wins(state, column):
    return game.is_terminal(game.result(state, column))


def winning_first(state):
    return sorted(game.actions(state), key=lambda column: (not wins(state, column), abs(column - 3)))


def winning_from_the_left(state):
    first = [column for column in game.actions(state) if wins(state, column)]
    return first + [column for column in game.actions(state) if column not in first]


def looking_two_ahead(state):
    def worth(column):
        after = game.result(state, column)
        if game.is_terminal(after):
            return 2
        return -1 if any(wins(after, reply) for reply in game.actions(after)) else 0

    return tuple(sorted((c for c in (3, 2, 4, 1, 5, 0, 6) if c in game.actions(state)), key=worth, reverse=True))


def left_to_right(state):
    return game.actions(state)


def right_to_left(state):
    return list(game.actions(state))[::-1]


def from_the_centre(state):
    return sorted(game.actions(state), key=lambda column: abs(column - 3))


def from_the_edges(state):
    return sorted(game.actions(state), key=lambda column: -abs(column - 3))


def only_the_wins(state):
    """Leaves actions out."""
    return [column for column in game.actions(state) if wins(state, column)] or list(game.actions(state))


def full_columns_too(state):
    return [3, 2, 4, 1, 5, 0, 6]


def one_column(state):
    return game.actions(state)[0]


WRONG = {
    "alpha_beta.search": [
        Wrong(never_raised, 3, "right value but nothing pruned"),
        Wrong(minimax_only, 3, "right value but nothing pruned"),
        Wrong(strict, 3, "pruning with < where ≤ is right"),
        Wrong(swapped_arguments, 2, "α and β swapped"),
        Wrong(own_bound, 2, "α and β swapped"),
        Wrong(replaced_bound, 4, "a bound is taken back"),
        Wrong(cuts_turned_round, 3, "pruned but wrong"),
        Wrong(leaf_for_min, 1, "utility from the wrong side"),
        Wrong(last_first, 3),
        Wrong(shared_window, 4),
        Wrong(ties_taken, 3, "an equal action is taken"),
        Wrong(returns_the_bound, 1),
    ],
    "alpha_beta.cut": [
        Wrong(still_broken, 2, "not mended yet"),
        Wrong(half_mended, 3, "pruning with < where ≤ is right"),
        Wrong(both_strict, 3, "pruning with < where ≤ is right"),
        Wrong(min_against_beta, 2, "α and β swapped"),
        Wrong(no_cut_for_min, 3, "only one player prunes"),
        Wrong(no_cut_at_all, 3, "right value but nothing pruned"),
        Wrong(value_of(replaced_bound), 4, "a bound is taken back"),
        Wrong(value_of(cuts_turned_round), 3, "pruned but wrong"),
    ],
    "alpha_beta.mend_negamax": [
        Wrong(negamax_000, 2, "not mended yet"),
        Wrong(negamax_window_only, 2, "the last value overwrites the best"),
        Wrong(negamax_best_only, 2, "α and β swapped"),
        Wrong(negamax_same_window, 3, "right value but nothing pruned"),
        Wrong(negamax_half_a_window, 3, "the window does not come from above"),
        Wrong(negamax_from_zero, 1, "the best value starts at 0"),
        Wrong(negamax_for_max, 1, "Max's value"),
        Wrong(negamax_stops_at_alpha, 2),
    ],
    "alpha_beta.negamax": [
        Wrong(limited_for_max, 1, "Max's value"),
        Wrong(limited_evaluates_for_max, 1, "estimate from the wrong side"),
        Wrong(limited_utility_for_max, 1, "utility from the wrong side"),
        Wrong(limited_evaluates_the_end, 1, "terminal states are evaluated"),
        Wrong(limited_one_short, 1, "depth off by one"),
        Wrong(limited_ties_taken, 3, "an equal action is taken"),
        Wrong(limited_all_for_max, 1, "utility from the wrong side"),
        Wrong(limited_without_window, 3, "right value but nothing pruned"),
        Wrong(limited_depth_kept, 1, "the depth never gets less"),
    ],
    "alpha_beta.timed": [
        Wrong(timed_believes, 2, "the unfinished search is believed"),
        Wrong(timed_from_zero, 1, "the deadline forgets the start"),
        Wrong(timed_anew, 2, "every search gets all the time"),
        Wrong(timed_one_short, 1, "depth off by one"),
        Wrong(timed_on_and_on, 2, "it goes on after the time"),
        Wrong(timed_nothing, 1, "no answer when time is short"),
        Wrong(timed_deepest_only, 2),
        Wrong(timed_pair, 1),
        Wrong(timed_from_the_top, 2),
        Wrong(timed_by_range, 1, "depth off by one"),
    ],
    "alpha_beta.order": [
        Wrong(left_to_right, 5, "nothing ordered yet"),
        Wrong(right_to_left, 5),
        Wrong(from_the_centre, 5, "the centre first is not enough"),
        Wrong(from_the_edges, 5, "the worst first"),
        Wrong(only_the_wins, 5),
        Wrong(full_columns_too, 5),
        Wrong(one_column, 5),
    ],
    "alpha_beta.trace": [
        Wrong({}, 99),
        Wrong([3, 12, 8], 99),
        Wrong({"leaves": [], "alpha cuts": [], "beta cuts": []}, 99),
        Wrong({"leaves": list(range(31)), "alpha cuts": [()], "beta cuts": [()]}, 99),
        Wrong({"leaves": [True, None, "3"], "alpha cuts": {}, "beta cuts": None}, 99),
        Wrong({"leaves": [[]], "alpha cuts": [[[]]], "beta cuts": [{}]}, 99),
    ],
    "alpha_beta.depth": [Wrong(letter, 0) for letter in ("a", "b", "d", "cc", 12, ["c"])],
}

RIGHT = {
    "alpha_beta.search": [two_functions, negamax_style, fail_hard, with_a_stack, value_then_action],
    "alpha_beta.cut": list(map(value_of, (two_functions, negamax_style, fail_hard, with_a_stack))),
    "alpha_beta.mend_negamax": [negamax_kept, negamax_hard, negamax_by_two],
    "alpha_beta.negamax": [limited_negamax, limited_by_mover, limited_by_max],
    "alpha_beta.timed": [timed_loop, timed_while, timed_generator, timed_recursive],
    "alpha_beta.order": [winning_first, winning_from_the_left, looking_two_ahead],
}
