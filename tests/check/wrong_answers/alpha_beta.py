"""Answers to the questions of notebook 3 as students write them: wrong ones, each with its mistake, and right ones."""

from math import inf

from answers import Wrong, leaves, mistyped
from course_lib.games import MAX, MIN, ConnectFour, TreeGame


def size(case):
    """The leaves of a case's tree; for an order, positions."""
    return len(case[0]) if case and not isinstance(case[0], TreeGame) else leaves(case)


# alpha_beta.search


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


# alpha_beta.cut


def value_of(search):
    """The same search without its action."""

    def value(game, state):
        return search(game, state)[0]

    return value


# alpha_beta.mend_negamax


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


LAST_FIRST = {("in game.actions(state)", 2): "in reversed(game.actions(state))"}
BOUNDS_FORGOTTEN = {"            alpha = max(alpha, v)\n": "", "            beta = min(beta, v)\n": ""}
WRONG = {
    "alpha_beta.search": [
        Wrong(mistyped(two_functions, BOUNDS_FORGOTTEN), 3, "right value but nothing pruned"),
        Wrong(mistyped(two_functions, {"v >= beta": "v <= alpha", "v <= alpha": "v >= beta"}), 3),
        Wrong(mistyped(two_functions, LAST_FIRST), 3),
        Wrong(shared_window, 4),
        Wrong(mistyped(fail_hard, {"alpha=-inf": "alpha=0"}), 1),
    ],
    "alpha_beta.cut": [
        Wrong(value_of(mistyped(two_functions, {"v >= beta": "v > beta", "v <= alpha": "v >= alpha"})), 2,
              "not mended yet"),
        Wrong(value_of(mistyped(two_functions, {"v >= beta": "v > beta"})), 3, "pruning with < where ≤ is right"),
        Wrong(value_of(mistyped(two_functions, {"v <= alpha": "False"})), 3, "only one player prunes"),
        Wrong(value_of(mistyped(two_functions, LAST_FIRST)), 3),
    ],
    "alpha_beta.mend_negamax": [
        Wrong(mistyped(negamax_kept, {"-beta, -alpha": "-alpha, -beta"}), 3),
        Wrong(mistyped(negamax_kept, {"best >= beta": "False"}), 3, "right value but nothing pruned"),
        Wrong(lambda game, state, alpha, beta, player: two_functions(game, state)[0], 1, "Max's value"),
        Wrong(mistyped(negamax_kept, {"best >= beta": "best > alpha"}), 2),
    ],
    "alpha_beta.negamax": [
        Wrong(mistyped(limited_negamax, {"sign * evaluate": "evaluate"}), 1, "estimate from the wrong side"),
        Wrong(mistyped(limited_negamax, {"value > best": "value >= best"}), 3, "an equal action is taken"),
        Wrong(mistyped(limited_negamax, {"alpha >= beta": "False"}), 3, "right value but nothing pruned"),
        Wrong(mistyped(limited_negamax, {"sign * evaluate(state)": "0"}), 1),
    ],
    "alpha_beta.order": [
        Wrong(lambda state: sorted(game.actions(state)), 5, "nothing ordered yet"),
        Wrong(lambda state: list(game.actions(state))[::-1], 5),
        Wrong(lambda state: [c for c in game.actions(state) if wins(state, c)] or list(game.actions(state)), 5),
        Wrong(lambda state: [3, 2, 4, 1, 5, 0, 6], 5),
        Wrong(lambda state: game.actions(state)[0], 5),
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
}  # fmt: skip

RIGHT = {
    "alpha_beta.search": [two_functions, negamax_style, fail_hard],
    "alpha_beta.cut": list(map(value_of, (two_functions, negamax_style, fail_hard))),
    "alpha_beta.mend_negamax": [negamax_kept, negamax_hard, negamax_by_two],
    "alpha_beta.negamax": [limited_negamax, limited_by_mover, lambda *case: list(limited_by_mover(*case))],
    "alpha_beta.order": [winning_first, winning_from_the_left, looking_two_ahead],
}
