"""Answers to the questions of notebook 5."""

from functools import cache
from math import inf

from answers import Wrong, leaves, mistyped
from course_lib.games import CHANCE, MAX, MIN


def size(case):
    """Leaves of a tree; a target of Pig has none."""
    return leaves(case) if case and not isinstance(case[0], int) else 0


# Expectiminimax


def recursive(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    if game.to_move(state) == CHANCE:
        return sum(p * recursive(game, game.result(state, r))[0] for r, p in game.chances(state)), None
    v, move = None, None
    for action in game.actions(state):
        v2, _ = recursive(game, game.result(state, action))
        if v is None or (v2 > v if game.to_move(state) == MAX else v2 < v):
            v, move = v2, action
    return v, move


def negamax_style(game, state):
    """Values are those of the player whose sign it is; of equals the last action."""

    def search(state, sign):
        if game.is_terminal(state):
            return sign * game.utility(state, MAX), None
        player = game.to_move(state)
        if player == CHANCE:
            return sum(p * search(game.result(state, r), sign)[0] for r, p in game.chances(state)), None
        own = 1 if player == MAX else -1
        found = [(search(game.result(state, a), own)[0], a) for a in reversed(game.actions(state))]
        value, action = max(found, key=lambda pair: pair[0])
        return value * own * sign, action

    return search(state, 1)


def memoised(game, state):
    """A value function that is remembered, and an action chosen by it; the pair as a list."""

    @cache
    def value(state):
        if game.is_terminal(state):
            return -game.utility(state, MIN)
        if game.to_move(state) == CHANCE:
            mean = 0.0
            for outcome, p in reversed(game.chances(state)):
                mean += value(game.result(state, outcome)) * p
            return mean
        pick = min if game.to_move(state) == MIN else max
        return pick(value(game.result(state, a)) for a in game.actions(state))

    if game.is_terminal(state) or game.to_move(state) == CHANCE:
        return [value(state), None]
    pick = max if game.to_move(state) == MAX else min
    return [value(state), pick(game.actions(state), key=lambda a: value(game.result(state, a)))]


def asks_actions_first(game, state):
    """There are no actions where chance moves."""
    actions = game.actions(state)
    return recursive(game, state) if actions else (game.utility(state, MAX), None)


def by_position(game, state):
    value, action = recursive(game, state)
    return value, action if action is None else game.actions(state).index(action)


# Expectimax


def with_model(game, state, model):
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    if game.to_move(state) == MIN:
        return sum(p * with_model(game, game.result(state, a), model)[0] for a, p in model(state)), None
    v, move = -inf, None
    for action in game.actions(state):
        v2, _ = with_model(game, game.result(state, action), model)
        if v2 > v:
            v, move = v2, action
    return v, move


def model_as_a_table(game, state, model):
    """Each action's probability looked up; of equals the last action."""

    def value(state):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        actions = game.actions(state)
        values = {action: value(game.result(state, action)) for action in actions}
        if game.to_move(state) == MAX:
            return max(values.values())
        likely = dict(model(state))
        return sum(likely[action] * values[action] for action in actions)

    if game.is_terminal(state) or game.to_move(state) == MIN:
        return value(state), None
    return value(state), max(reversed(game.actions(state)), key=lambda a: value(game.result(state, a)))


def two_functions(game, state, model):
    def max_value(state):
        found = [(value(game.result(state, a))[0], a) for a in game.actions(state)]
        return max(found, key=lambda pair: pair[0])

    def mean_value(state):
        mean = 0
        for action, p in model(state):
            if p > 0:
                mean += p * value(game.result(state, action))[0]
        return mean, None

    def value(state):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        return max_value(state) if game.to_move(state) == MAX else mean_value(state)

    return value(state)


# Mend the chance node


def mended(game, state, depth, evaluate):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    if depth == 0:
        return evaluate(state)
    if game.to_move(state) == CHANCE:
        return sum(p * mended(game, game.result(state, r), depth, evaluate) for r, p in game.chances(state))
    values = [mended(game, game.result(state, a), depth - 1, evaluate) for a in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def one_expression(game, state, depth, evaluate):
    if game.is_terminal(state) or depth == 0:
        return game.utility(state, MAX) if game.is_terminal(state) else evaluate(state)
    pick = {MAX: max, MIN: min, CHANCE: sum}[game.to_move(state)]
    chance = pick is sum
    moves = game.chances(state) if chance else [(a, 1) for a in game.actions(state)]
    return pick(p * one_expression(game, game.result(state, a), depth - (not chance), evaluate) for a, p in moves)


def remembering(game, state, depth, evaluate):
    @cache
    def value(state, depth):
        if game.is_terminal(state):
            return float(game.utility(state, MAX))
        if depth == 0:
            return evaluate(state)
        if game.to_move(state) == CHANCE:
            outcomes, odds = zip(*game.chances(state))
            values = [value(game.result(state, r), depth) for r in outcomes]
            return sum(map(lambda p, v: p * v, odds, values))
        values = [value(game.result(state, a), depth - 1) for a in game.actions(state)]
        return max(values) if game.to_move(state) == MAX else min(values)

    return value(state, depth)


# Pig to 50 against hold-at-20


def safe_when_ahead(mine, theirs):
    return 50 if theirs >= 29 else 24 if mine > theirs else 23


def finish_when_both_are_near(mine, theirs):
    return 50 - mine if max(mine, theirs) >= 30 else 22


def a_large_number(mine, theirs):
    return 1000.0 if theirs >= 30 else 20


def finishes_alone(mine, theirs):
    """Rolls on where it could win itself, which hold-at-20 does as well."""
    return 50 if mine >= 30 else 20


# Values to type. The tree of s1234567 is not needed: dots and maxima are wrong on every tree.

PATHS = (0, 0), (0, 1), (0,), (1, 0), (1, 1), (1,), ()


MEAN = "sum(p * mended(game, game.result(state, r), depth, evaluate) for r, p in game.chances(state))"
LIKELIEST = "mended(game, game.result(state, max(game.chances(state), key=lambda pair: pair[1])[0]), depth, evaluate)"
BY_PLACE = {"for r, p in game.chances(state)": "for r, (_, p) in enumerate(game.chances(state))"}
WRONG = {
    "expectimax.trace": [
        Wrong({path: 0.25 for path in PATHS}, 8),
        Wrong({path: "12" for path in PATHS}, 8),
        Wrong([18.3, 7.4], 8),
    ],
    "expectimax.expectiminimax": [
        Wrong(mistyped(recursive, {"sum(p * ": "max("}), 2, "chance node that maximises"),
        Wrong(lambda game, state: recursive(game, state)[0], 1),
        Wrong(mistyped(recursive, {"return sum(": "return max("}), 2),
        Wrong(mistyped(recursive, {"return sum(": "return next("}), 2),
        Wrong(mistyped(recursive, {"(state)), None": "(state)) / len(game.chances(state)), None"}), 2),
        Wrong(asks_actions_first, 2),
        Wrong(by_position, 2),
        Wrong(lambda game, state: [round(recursive(game, state)[0]), recursive(game, state)[1]], 2),
    ],
    "expectimax.model": [
        Wrong(lambda game, state, model: recursive(game, state), 2, "the model is ignored"),
        Wrong(mistyped(with_model, {"p * with_model": "p * recursive", "a), model)": "a))"}), 3),
        Wrong(mistyped(with_model, {"MAX), None": "MIN), None"}), 1),
        Wrong(mistyped(with_model, {"sum(p * ": "sum(0.5 * "}), 2),
    ],
    "expectimax.mend": [
        Wrong(mistyped(mended, {"r), depth, ": "r), depth - 1, "}), 3, "depth off by one"),
        Wrong(mistyped(mended, {"depth == 0": "depth <= 0 and game.to_move(state) != CHANCE"}), 2),
        Wrong(mistyped(mended, {MEAN: LIKELIEST}), 2),
        Wrong(mistyped(mended, BY_PLACE), 16, "a position in the list for the outcome"),
    ],
    "expectimax.pig": [
        Wrong(finishes_alone, 0, "the same policy"),
        Wrong(lambda mine, theirs: 25, 0),
        Wrong(lambda mine, theirs: 0, 0),
        Wrong(lambda mine, theirs: 25 if theirs > mine else 15, 0),
        Wrong(lambda mine, theirs: "roll" if theirs >= 20 else "hold", 0),
    ],
    "expectimax.scale": [Wrong("a", 0), Wrong("d", 0)],
    "expectimax.belief": [Wrong("a", 0), Wrong("b", 0)],
}  # fmt: skip

RIGHT = {
    "expectimax.expectiminimax": [recursive, negamax_style, memoised],
    "expectimax.model": [with_model, model_as_a_table, two_functions],
    "expectimax.mend": [mended, one_expression, remembering],
    "expectimax.pig": [safe_when_ahead, finish_when_both_are_near, a_large_number],
}
