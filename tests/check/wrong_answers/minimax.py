"""Answers to the questions of notebook 2."""

from fractions import Fraction
from functools import cache
from math import inf

from answers import Wrong, mistyped
from course_lib.games import MAX, MIN

# MINIMAX(s)


def recursive(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    values = [recursive(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def iterative(game, state):
    """Post-order with a list of open nodes."""
    values, unread = {}, [state]
    while unread:
        state = unread[-1]
        below = [] if game.is_terminal(state) else [game.result(state, action) for action in game.actions(state)]
        waiting = [after for after in below if after not in values]
        if waiting:
            unread += waiting
            continue
        pick = max if below and game.to_move(state) == MAX else min
        values[state] = pick(values[after] for after in below) if below else -game.utility(state, MIN)
        unread.pop()
    return values[state]


def memoised(game, state):
    @cache
    def value(state):
        if game.is_terminal(state):
            return float(game.utility(state, MAX))
        values = map(value, [game.result(state, action) for action in game.actions(state)])
        return max(values) if game.to_move(state) == MAX else min(values)

    return value(state)


def in_numpy(game, state):
    import numpy as np  # late: the other answers are tried where there is none

    if game.is_terminal(state):
        return np.float64(game.utility(state, MAX))
    below = np.array([in_numpy(game, game.result(state, action)) for action in game.actions(state)])
    return below.max() if game.to_move(state) == MAX else below.min()


def in_fractions(game, state):
    return Fraction(recursive(game, state))


def alternates_from_the_root(game, state, player=None):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    player = game.to_move(state) if player is None else player
    values = [alternates_from_the_root(game, game.result(state, a), 1 - player) for a in game.actions(state)]
    return max(values) if player == MAX else min(values)


def remembers_too_much(game, state, seen={}):  # noqa: B006
    """Looks states up that were valued in another game."""
    if state not in seen:
        seen[state] = recursive(game, state)
    return seen[state]


# MINIMAX-SEARCH


def with_action(value, first=True):
    """A search that chooses among the actions by this value function; of equals the first or the last."""

    def search(game, state):
        if game.is_terminal(state):
            return value(game, state), None
        actions = game.actions(state) if first else list(reversed(game.actions(state)))
        pick = max if game.to_move(state) == MAX else min
        move = pick(actions, key=lambda action: value(game, game.result(state, action)))
        return value(game, game.result(state, move)), move

    return search


def pairs(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    v, move = (-inf, None) if game.to_move(state) == MAX else (inf, None)
    for action in game.actions(state):
        v2, _ = pairs(game, game.result(state, action))
        if v2 > v if game.to_move(state) == MAX else v2 < v:
            v, move = v2, action
    return v, move


def a_list(game, state):
    """The pair as a list, the last of equally good actions."""
    return list(with_action(iterative, first=False)(game, state))


def max_at_the_root(game, state):
    """The sources' MINIMAX-SEARCH for games in which Max begins."""
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    move = max(game.actions(state), key=lambda action: recursive(game, game.result(state, action)))
    return recursive(game, game.result(state, move)), move


# Depth-limited minimax


def limited(game, state, depth, evaluate):
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    if depth == 0:
        return evaluate(state), None
    found = [(limited(game, game.result(state, a), depth - 1, evaluate)[0], a) for a in game.actions(state)]
    pick = max if game.to_move(state) == MAX else min
    return pick(found, key=lambda pair: pair[0])


def limited_memoised(game, state, depth, evaluate):
    @cache
    def value(state, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if depth == 0:
            return evaluate(state), None
        pick = max if game.to_move(state) == MAX else min
        return pick((value(game.result(state, a), depth - 1)[0], a) for a in game.actions(state))

    return value(state, depth)


def limited_by_levels(game, state, depth, evaluate):
    """Iterative: all states ply by ply, then their values from the last ply upwards."""
    plies = [[state]]
    for _ in range(depth):
        below = [game.result(s, a) for s in plies[-1] if not game.is_terminal(s) for a in game.actions(s)]
        plies.append(below)
    found = {}
    for remaining, ply in enumerate(reversed(plies)):
        for s in ply:
            if game.is_terminal(s):
                found[s] = game.utility(s, MAX), None
            elif remaining == 0:
                found[s] = evaluate(s), None
            else:
                pick = max if game.to_move(s) == MAX else min
                found[s] = pick([(found[game.result(s, a)][0], a) for a in game.actions(s)], key=lambda pair: pair[0])
    return found[state]


# max^n


def max_n(game, state):
    if game.is_terminal(state):
        return tuple(game.utility(state, player) for player in range(game.players)), None
    mover = game.to_move(state)
    found = [(max_n(game, game.result(state, action))[0], action) for action in game.actions(state)]
    return max(found, key=lambda pair: pair[0][mover])


def max_n_backwards(game, state):
    """The actions in the other order, the utilities as a list."""
    if game.is_terminal(state):
        return [game.utility(state, player) for player in (0, 1, 2)], None
    best = move = None
    for action in reversed(game.actions(state)):
        utilities, _ = max_n_backwards(game, game.result(state, action))
        if best is None or utilities[game.to_move(state)] >= best[game.to_move(state)]:
            best, move = utilities, action
    return best, move


def own_utility_only(game, state):
    vector, action = max_n(game, state)
    return (vector[0] if game.is_terminal(state) else vector[game.to_move(state)]), action


# The decision to be mended


def decision(game, state):
    return pairs(game, state)[1]


def last_best_decision(game, state):
    return with_action(memoised, first=False)(game, state)[1]


def sorted_decision(game, state):
    ranked = sorted((iterative(game, game.result(state, action)), action) for action in game.actions(state))
    return ranked[-1 if game.to_move(state) == MAX else 0][1]


def handed_out(game, state):
    def max_value(state):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        return max(min_value(game.result(state, a)) for a in game.actions(state))

    def min_value(state):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        return min(max_value(game.result(state, a)) for a in game.actions(state))

    return max(game.actions(state), key=lambda a: min_value(game.result(state, a)))


def below_mended_only(game, state):
    return max(game.actions(state), key=lambda a: recursive(game, game.result(state, a)))


average = mistyped(
    recursive, {"max(values) if game.to_move(state) == MAX else min(values)": "sum(values) / len(values)"}
)
WRONG = {
    "minimax.value": [
        Wrong(mistyped(recursive, {"MAX)": "MIN)"}), 1, "utility from the wrong side"),
        Wrong(mistyped(recursive, {"(state)]": "(state)[:-1] or game.actions(state)]"}), 2),
        Wrong(average, 2),
        Wrong(mistyped(recursive, {" else min(values)": " else None"}), 1),
        Wrong(mistyped(recursive, {"recursive(game, game.result(state, action))":
                                   "game.utility(game.result(state, action), MAX)"}), 1),
        Wrong(mistyped(recursive, {"game.result(state, action)": "state"}), 1),
        Wrong(remembers_too_much, 1),
        Wrong(pairs, 1),
        Wrong(lambda game, state: None, 1),
        Wrong(lambda game, state: True, 1),
        Wrong(lambda game, state: float("nan"), 1),
        Wrong(lambda game, state: str(recursive(game, state)), 1),
    ],
    "minimax.search": [
        Wrong(mistyped(pairs, {"v2 > v if": "v2 < v if", "else v2 < v": "else v2 > v",
                               "(-inf, None) if": "(inf, None) if",
                               "else (inf, None)": "else (-inf, None)"}), 2, "max and min exchanged"),
        Wrong(mistyped(pairs, {"v2, action": "v2, action if game.to_move(state) == MAX else move"}), 1),
        Wrong(recursive, 1),
        Wrong(lambda game, state: pairs(game, state)[::-1], 1),
        Wrong(mistyped(pairs, {"v2, action": "v2, game.result(state, action)"}), 1),
        Wrong(mistyped(pairs, {"v2, action": "v2, game.actions(state)[0]"}), 2),
        Wrong(max_at_the_root, 2),
        Wrong(mistyped(with_action, {"pick = max if": "pick = min if", "else min": "else max"})(recursive), 2),
        Wrong(mistyped(pairs, {"MAX), None": "MAX), 0"}), 1),
        Wrong(mistyped(pairs, {"v2, action": "v2, game.to_move(state)"}), 1),
        Wrong(with_action(average), 2),
    ],
    "minimax.depth_limited": [
        Wrong(mistyped(limited, {"depth == 0": "depth < 0"}), 1, "depth off by one"),
        Wrong(mistyped(limited, {"evaluate(state), None": "0, None"}), 1),
        Wrong(mistyped(limited, {"evaluate(state), None": "game.utility(state, MAX), None"}), 1),
        Wrong(mistyped(limited, {"depth - 1": "0"}), 1),
        Wrong(mistyped(limited, {"evaluate(state), None": "evaluate(state), game.actions(state)[0]"}), 1),
    ],
    "minimax.max_n": [
        Wrong(mistyped(max_n, {"max(found, key=lambda pair: pair[0][mover])":
                               "(max if mover == 0 else min)(found, key=lambda pair: pair[0][0])"}), 2,
              "everybody plays against player 0"),
        Wrong(mistyped(max_n, {"range(game.players)": "range(2)", "[mover]": "[mover % 2]"}), 1),
        Wrong(own_utility_only, 1),
        Wrong(mistyped(max_n, {"pair[0][mover]": "pair[0]"}), 2),
        Wrong(mistyped(max_n, {"return max(found": "return tuple(map(max, zip(*(u for u, _ in found)))), max(found",
                               "[mover])": "[mover])[1]"}), 2),
        Wrong(lambda game, state: max_n(game, state)[0], 1),
    ],
    "minimax.mend": [
        Wrong(handed_out, 2, "not mended yet"),
        Wrong(mistyped(below_mended_only, {"return max(": "return min("}), 2),
        Wrong(recursive, 1),
        Wrong(pairs, 1),
    ],
    "minimax.trace": [
        Wrong({}, 99),
        Wrong([], 99),
        Wrong({(): 1, (0,): 2}, 99),
        Wrong({(0, 0): True, (0, 1): True, (0,): True, (1, 0): True, (1, 1): True, (1,): True, (): True}, 99),
        Wrong({(0, 0): 1e999, (0, 1): 0, (0,): 0, (1, 0): 0, (1, 1): 0, (1,): 0, (): 0}, 99),
    ],
    "minimax.memory": [Wrong(letter, 0) for letter in ("a", "c", "d", "bb", 2, ["b"])],
    "minimax.opponent": [Wrong(letter, 0) for letter in ("a", "b", "d", "", {"c"})],
}  # fmt: skip

RIGHT = {
    "minimax.value": [recursive, iterative, memoised, in_numpy, in_fractions],
    "minimax.search": [pairs, a_list, with_action(memoised, first=False)],
    "minimax.depth_limited": [limited, limited_memoised, limited_by_levels],
    "minimax.max_n": [max_n, max_n_backwards, lambda game, state: list(max_n(game, state))],
    "minimax.mend": [decision, last_best_decision, sorted_decision],
    "minimax.memory": ["b"],
    "minimax.opponent": ["c"],
}
