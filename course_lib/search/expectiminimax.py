"""Search where chance plays a part, each function as its pseudo-code. Values are Max's everywhere."""

from math import inf
from numbers import Real

from course_lib.games import CHANCE, MAX, MIN
from course_lib.games.game import distribution
from course_lib.search.alpha_beta import _check_depth
from course_lib.search.minimax import _check_two_players, _first_action, _max_to_move


def expectimax_search(game, state, model, depth=inf, evaluate=lambda state: 0, player=MAX):
    """EXPECTIMAX: the (value, action) of what is best on average, against an opponent who plays as `model` says.

    `model(state)` gives (action, probability) pairs for a state in which the opponent of `player` moves; chance nodes
    have their own. It is what `player` believes: the opponent need not roll a die. The value is Max's, and Min as
    `player` wants it small; the action is None where the opponent or chance moves, at the end, and at depth 0.
    Players' actions count as plies, chance does not. `evaluate(state)` estimates the utility for Max at the horizon.
    Probabilities below 0, or with a sum other than 1, raise `ValueError`.
    """
    _check_two_players(game)
    _check_depth(depth)
    if player not in (MAX, MIN):
        raise ValueError(f"player is who decides, MAX or MIN, not {player!r}")
    sign = 1 if player == MAX else -1

    def value(state, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if depth == 0:
            return evaluate(state), None
        mover = game.to_move(state)
        if mover == CHANCE:
            return expectation(game.chances(state), state, depth), None
        if mover != player:
            return expectation(model(state), state, depth - 1), None
        v, move = -sign * inf, None
        for action in game.actions(state):
            v2, _ = value(game.result(state, action), depth - 1)
            if sign * v2 > sign * v:
                v, move = v2, action
        if v == -sign * inf:
            move = _first_action(game.actions(state), state)
        return v, move

    def expectation(chances, state, depth):
        pairs = distribution(chances, state)
        return sum(p * value(game.result(state, action), depth)[0] for action, p in pairs if p > 0)

    return value(state, depth)


def expectiminimax_search(game, state, depth=inf, evaluate=lambda state: 0):
    """EXPECTIMINIMAX: the (value, action) of best play where Max, Min and chance move; the value is Max's.

    At a chance node the value is the mean of what may follow, weighted by probability, and the action None, as it is
    at the end and at depth 0. Players' actions count as plies, chance does not. `evaluate(state)` estimates the
    utility for Max at the horizon, and has to be on the scale of the utilities, since averages are taken. Of equally
    good actions the first is chosen. Source: AIMA, 4th edition, 5.5.
    """
    _check_two_players(game)
    _check_depth(depth)

    def value(state, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if depth == 0:
            return evaluate(state), None
        if game.to_move(state) == CHANCE:
            return chance_value(state, depth), None
        if _max_to_move(game, state):
            return max_value(state, depth)
        return min_value(state, depth)

    def max_value(state, depth):
        v, move = -inf, None
        for action in game.actions(state):
            v2, _ = value(game.result(state, action), depth - 1)
            if v2 > v:
                v, move = v2, action
        if v == -inf:
            move = _first_action(game.actions(state), state)
        return v, move

    def min_value(state, depth):
        v, move = inf, None
        for action in game.actions(state):
            v2, _ = value(game.result(state, action), depth - 1)
            if v2 < v:
                v, move = v2, action
        if v == inf:
            move = _first_action(game.actions(state), state)
        return v, move

    def chance_value(state, depth):
        chances = distribution(game.chances(state), state)
        return sum(p * value(game.result(state, action), depth)[0] for action, p in chances if p > 0)

    return value(state, depth)


def star1_search(game, state, low=-1, high=1, depth=inf, evaluate=lambda state: 0):
    """Expectiminimax with alpha-beta and the Star1 cut at chance nodes: its (value, action), from fewer leaves.

    No utility and no estimate is below `low` or above `high` (another raises `ValueError`). So, at a chance node, the
    outcomes not yet seen can add no less and no more than their probability times these: once the mean is certain to be
    at most α or at least β, the rest is left out. Other parameters are those of `expectiminimax_search`. With
    fractions as probabilities the values are the same; with floats they may differ by rounding, and of actions that
    are equally good up to rounding another may be chosen.
    Source: Ballard, The *-minimax search procedure for trees containing chance nodes (1983).
    """
    _check_two_players(game)
    _check_depth(depth)
    if not (isinstance(low, Real) and isinstance(high, Real) and -inf < low <= high < inf):
        raise ValueError(f"low and high are finite bounds of the utilities, low at most high, not {low!r} and {high!r}")

    def bounded(value):
        if low <= value <= high:
            return value
        raise ValueError(f"{value!r} lies outside the bounds {low} and {high}: give bounds that hold for all utilities")

    def value(state, alpha, beta, depth):
        if game.is_terminal(state):
            return bounded(game.utility(state, MAX)), None
        if depth == 0:
            return bounded(evaluate(state)), None
        if game.to_move(state) == CHANCE:
            return chance_value(state, alpha, beta, depth), None
        if _max_to_move(game, state):
            return max_value(state, alpha, beta, depth)
        return min_value(state, alpha, beta, depth)

    def max_value(state, alpha, beta, depth):
        v, move = -inf, None
        for action in game.actions(state):
            v2, _ = value(game.result(state, action), alpha, beta, depth - 1)
            if v2 > v:
                v, move = v2, action
                alpha = max(alpha, v)
            if v >= beta:
                return v, move
        if v == -inf:
            move = _first_action(game.actions(state), state)
        return v, move

    def min_value(state, alpha, beta, depth):
        v, move = inf, None
        for action in game.actions(state):
            v2, _ = value(game.result(state, action), alpha, beta, depth - 1)
            if v2 < v:
                v, move = v2, action
                beta = min(beta, v)
            if v <= alpha:
                return v, move
        if v == inf:
            move = _first_action(game.actions(state), state)
        return v, move

    def chance_value(state, alpha, beta, depth):
        seen, unseen = 0, 1  # the part of the mean that is known, and the probability of the rest
        for action, p in distribution(game.chances(state), state):
            unseen -= p
            if p == 0:
                continue
            at_most, at_least = (alpha - seen - unseen * high) / p, (beta - seen - unseen * low) / p
            v, _ = value(game.result(state, action), max(low, at_most), min(high, at_least), depth)
            seen += p * v
            if v <= at_most:
                return min(alpha, seen + unseen * high)  # rounded, the bound may come out above α
            if v >= at_least:
                return max(beta, seen + unseen * low)
        return seen

    return value(state, low, high, depth)


def uniform_model(game):
    """A model for `expectimax_search`: the opponent takes each legal action with equal probability."""

    def model(state):
        actions = list(game.actions(state))
        return [(action, 1 / len(actions)) for action in actions]

    return model


def expectimax_agent(model, depth=inf, evaluate=lambda state: 0):
    """An agent, for either player, that plays the action of `expectimax_search`, at least one ply deep."""

    def agent(game, state):
        return expectimax_search(game, state, model, depth, evaluate, game.to_move(state))[1]

    _check_depth(depth, least=1)
    return agent


def expectiminimax_agent(depth=inf, evaluate=lambda state: 0):
    """An agent, for either player, that plays the action of `expectiminimax_search`, at least one ply deep."""

    def agent(game, state):
        return expectiminimax_search(game, state, depth, evaluate)[1]

    _check_depth(depth, least=1)
    return agent
