"""Answers to the questions of notebook 2."""

from fractions import Fraction
from functools import cache
from math import inf

import numpy as np

from answers import Wrong
from course_lib.games import MAX, MIN

# MINIMAX(s)


def recursive(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    values = [recursive(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def generator_expressions(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    pick = {MAX: max, MIN: min}[game.to_move(state)]
    return pick(generator_expressions(game, game.result(state, action)) for action in reversed(game.actions(state)))


def negamax_style(game, state):
    def value(state, sign):
        """For the player whose sign it is."""
        if game.is_terminal(state):
            return sign * game.utility(state, MAX)
        own = 1 if game.to_move(state) == MAX else -1
        best = max(-value(game.result(state, action), -own) for action in game.actions(state))
        return best if own == sign else -best

    return value(state, 1)


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
        values[state] = pick(values[after] for after in below) if below else game.utility(state, MAX)
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


def two_functions(game, state):
    def max_value(state):
        v = -inf
        for action in game.actions(state):
            v = max(v, value(game.result(state, action)))
        return v

    def min_value(state):
        v = inf
        for action in game.actions(state):
            v = min(v, value(game.result(state, action)))
        return v

    def value(state):
        if game.is_terminal(state):
            return -game.utility(state, MIN)
        return max_value(state) if game.to_move(state) == MAX else min_value(state)

    return value(state)


class Solver:
    """Values in a dictionary of its own."""

    def __init__(self, game):
        self.game, self.values = game, {}

    def value(self, state):
        if state not in self.values:
            self.values[state] = self.computed(state)
        return self.values[state]

    def computed(self, state):
        if self.game.is_terminal(state):
            return self.game.utility(state, MAX)
        below = [self.value(self.game.result(state, action)) for action in self.game.actions(state)]
        return max(below) if self.game.to_move(state) == MAX else min(below)


def by_a_class(game, state):
    return Solver(game).value(state)


def in_numpy(game, state):
    if game.is_terminal(state):
        return np.float64(game.utility(state, MAX))
    below = np.array([in_numpy(game, game.result(state, action)) for action in game.actions(state)])
    return below.max() if game.to_move(state) == MAX else below.min()


def in_fractions(game, state):
    return Fraction(recursive(game, state))


def if_not_best(game, state):
    """Takes a best value of 0 for none."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    best = None
    for action in game.actions(state):
        value = if_not_best(game, game.result(state, action))
        if not best or (value > best if game.to_move(state) == MAX else value < best):
            best = value
    return best


def infinities_exchanged(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    v = inf if game.to_move(state) == MAX else -inf
    for action in game.actions(state):
        value = infinities_exchanged(game, game.result(state, action))
        v = max(v, value) if game.to_move(state) == MAX else min(v, value)
    return v


def without_the_last(game, state):
    """range(len(actions) - 1), but for single children."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    actions = game.actions(state)
    values = [without_the_last(game, game.result(state, action)) for action in actions[:-1] or actions]
    return max(values) if game.to_move(state) == MAX else min(values)


def leaf_for_min(game, state):
    if game.is_terminal(state):
        return game.utility(state, MIN)
    values = [leaf_for_min(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def average(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    values = [average(game, game.result(state, action)) for action in game.actions(state)]
    return sum(values) / len(values)


def no_return_for_min(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    values = [no_return_for_min(game, game.result(state, action)) for action in game.actions(state)]
    if game.to_move(state) == MAX:
        return max(values)


def one_ply_only(game, state):
    """Takes every child for a leaf."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    values = [game.utility(game.result(state, action), MAX) for action in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def returns_in_the_loop(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    best = -inf if game.to_move(state) == MAX else inf
    for action in game.actions(state):
        value = returns_in_the_loop(game, game.result(state, action))
        best = max(best, value) if game.to_move(state) == MAX else min(best, value)
        return best


def alternates_from_the_root(game, state, player=None):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    player = game.to_move(state) if player is None else player
    values = [alternates_from_the_root(game, game.result(state, a), 1 - player) for a in game.actions(state)]
    return max(values) if player == MAX else min(values)


def forgets_result(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    return max(forgets_result(game, state) for _ in game.actions(state))


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


def move_for_max_only(game, state):
    """Min's moves are not noted."""
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    v, move = (-inf, None) if game.to_move(state) == MAX else (inf, None)
    for action in game.actions(state):
        v2, _ = move_for_max_only(game, game.result(state, action))
        if game.to_move(state) == MAX and v2 > v:
            v, move = v2, action
        elif game.to_move(state) == MIN:
            v = min(v, v2)
    return v, move


def value_alone(game, state):
    return recursive(game, state)


def the_wrong_way_round(game, state):
    value, action = pairs(game, state)
    return action, value


def state_for_action(game, state):
    value, action = pairs(game, state)
    return value, state if action is None else game.result(state, action)


def first_action_always(game, state):
    return recursive(game, state), None if game.is_terminal(state) else game.actions(state)[0]


def max_at_the_root(game, state):
    """The sources' MINIMAX-SEARCH for games in which Max begins."""
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    move = max(game.actions(state), key=lambda action: recursive(game, game.result(state, action)))
    return recursive(game, game.result(state, move)), move


def action_of_the_worst(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    pick = min if game.to_move(state) == MAX else max
    return recursive(game, state), pick(game.actions(state), key=lambda a: recursive(game, game.result(state, a)))


def action_in_terminal_states(game, state):
    return (recursive(game, state), 0) if game.is_terminal(state) else pairs(game, state)


def returns_the_player(game, state):
    return recursive(game, state), game.to_move(state)


# Depth-limited minimax


def limited(game, state, depth, evaluate):
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    if depth == 0:
        return evaluate(state), None
    found = [(limited(game, game.result(state, a), depth - 1, evaluate)[0], a) for a in game.actions(state)]
    pick = max if game.to_move(state) == MAX else min
    return pick(found, key=lambda pair: pair[0])


def limited_negamax(game, state, depth, evaluate):
    def turn(state):
        return 1 if game.to_move(state) == MAX else -1

    def value(state, depth):
        """Max's value."""
        if game.is_terminal(state):
            return game.utility(state, MAX)
        if not depth:
            return evaluate(state)
        return turn(state) * max(turn(state) * value(game.result(state, a), depth - 1) for a in game.actions(state))

    if depth == 0 or game.is_terminal(state):
        return value(state, depth), None
    best = max(game.actions(state), key=lambda a: turn(state) * value(game.result(state, a), depth - 1))
    return value(game.result(state, best), depth - 1), best


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


def counts_up(game, state, depth, evaluate, ply=0):
    """Stops after the horizon, not at it."""
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    if ply > depth:
        return evaluate(state), None
    pick = max if game.to_move(state) == MAX else min
    found = [(counts_up(game, game.result(state, a), depth, evaluate, ply + 1)[0], a) for a in game.actions(state)]
    return pick(found, key=lambda pair: pair[0])


def cuts_off_at_one(game, state, depth, evaluate):
    """A search that begins with depth 0 never comes to 1."""
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    if depth == 1:
        return evaluate(state), None
    pick = max if game.to_move(state) == MAX else min
    found = [(cuts_off_at_one(game, game.result(state, a), depth - 1, evaluate)[0], a) for a in game.actions(state)]
    return pick(found, key=lambda pair: pair[0])


def limited_by_turns(game, state, depth, evaluate, player=None):
    """Who moves is asked at the root only."""
    player = game.to_move(state) if player is None else player
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    if depth == 0:
        return evaluate(state), None
    below = [(game.result(state, a), a) for a in game.actions(state)]
    found = [(limited_by_turns(game, after, depth - 1, evaluate, 1 - player)[0], a) for after, a in below]
    return (max if player == MAX else min)(found, key=lambda pair: pair[0])


def limited_leaf_for_the_mover(game, state, depth, evaluate):
    if game.is_terminal(state):
        return game.utility(state, game.to_move(state)), None
    if depth == 0:
        return evaluate(state), None
    pick = max if game.to_move(state) == MAX else min
    below = [(game.result(state, a), a) for a in game.actions(state)]
    found = [(limited_leaf_for_the_mover(game, after, depth - 1, evaluate)[0], a) for after, a in below]
    return pick(found, key=lambda pair: pair[0])


def zero_at_the_horizon(game, state, depth, evaluate):
    return limited(game, state, depth, lambda state: 0)


def utility_at_the_horizon(game, state, depth, evaluate):
    return limited(game, state, depth, lambda state: game.utility(state, MAX))


def evaluates_the_children_only(game, state, depth, evaluate):
    """Takes depth 1 whatever was asked for."""
    return limited(game, state, min(depth, 1), evaluate)


def changes_depth_in_the_loop(game, state, depth, evaluate):
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    if depth <= 0:
        return evaluate(state), None
    found = []
    for action in game.actions(state):
        depth -= 1
        found.append((changes_depth_in_the_loop(game, game.result(state, action), depth, evaluate)[0], action))
    return (max if game.to_move(state) == MAX else min)(found, key=lambda pair: pair[0])


def evaluates_everywhere(game, state, depth, evaluate):
    if depth == 0 or game.is_terminal(state):
        return evaluate(state), None
    pick = max if game.to_move(state) == MAX else min
    found = [
        (evaluates_everywhere(game, game.result(state, a), depth - 1, evaluate)[0], a) for a in game.actions(state)
    ]
    return pick(found, key=lambda pair: pair[0])


def action_at_the_horizon(game, state, depth, evaluate):
    value, action = limited(game, state, depth, evaluate)
    return value, game.actions(state)[0] if depth == 0 and not game.is_terminal(state) else action


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


def max_n_closure(game, state):
    @cache
    def utilities(state):
        if game.is_terminal(state):
            return tuple(map(lambda player: game.utility(state, player), range(3)))
        return max(
            (utilities(game.result(state, a)) for a in game.actions(state)), key=lambda u: u[game.to_move(state)]
        )

    for action in () if game.is_terminal(state) else game.actions(state):
        if utilities(game.result(state, action)) == utilities(state):
            return utilities(state), action
    return utilities(state), None


def two_players_only(game, state):
    if game.is_terminal(state):
        return (game.utility(state, 0), game.utility(state, 1)), None
    found = [(two_players_only(game, game.result(state, a))[0], a) for a in game.actions(state)]
    return max(found, key=lambda pair: pair[0][game.to_move(state) % 2])


def own_utility_only(game, state):
    vector, action = max_n(game, state)
    return (vector[0] if game.is_terminal(state) else vector[game.to_move(state)]), action


def compares_whole_vectors(game, state):
    if game.is_terminal(state):
        return tuple(game.utility(state, player) for player in range(3)), None
    return max((compares_whole_vectors(game, game.result(state, a))[0], a) for a in game.actions(state))


def each_their_best(game, state):
    """Mixes the best of each vector."""
    if game.is_terminal(state):
        return tuple(game.utility(state, player) for player in range(3)), None
    found = [each_their_best(game, game.result(state, a))[0] for a in game.actions(state)]
    best = tuple(map(max, zip(*found)))
    return best, max_n(game, state)[1]


def minimax_for_three(game, state):
    if game.is_terminal(state):
        return tuple(game.utility(state, player) for player in range(3)), None
    found = [(minimax_for_three(game, game.result(state, a))[0], a) for a in game.actions(state)]
    return (max if game.to_move(state) == 0 else min)(found, key=lambda pair: pair[0][0])


def vectors_without_actions(game, state):
    return max_n(game, state)[0]


# The decision to be mended


def decision(game, state):
    return pairs(game, state)[1]


def last_best_decision(game, state):
    return with_action(generator_expressions, first=False)(game, state)[1]


def signed_decision(game, state):
    sign = 1 if game.to_move(state) == MAX else -1
    return max(game.actions(state), key=lambda action: sign * memoised(game, game.result(state, action)))


def sorted_decision(game, state):
    ranked = sorted((two_functions(game, game.result(state, action)), action) for action in game.actions(state))
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


def root_mended_only(game, state):
    pick = max if game.to_move(state) == MAX else min
    return pick(
        game.actions(state),
        key=lambda a: alternates_from_the_root(game, game.result(state, a), 1 - game.to_move(state)),
    )


def below_mended_only(game, state):
    return max(game.actions(state), key=lambda a: recursive(game, game.result(state, a)))


def decides_for_the_mover(game, state):
    """Both are mended, and leaves are asked for the player to move."""

    def value(state):
        if game.is_terminal(state):
            return game.utility(state, game.to_move(state))
        below = [value(game.result(state, a)) for a in game.actions(state)]
        return max(below) if game.to_move(state) == MAX else min(below)

    best = max if game.to_move(state) == MAX else min
    return best(game.actions(state), key=lambda a: value(game.result(state, a)))


def min_everywhere(game, state):
    return min(game.actions(state), key=lambda a: recursive(game, game.result(state, a)))


def returns_the_value(game, state):
    return recursive(game, state)


def returns_the_pair(game, state):
    return pairs(game, state)


RIGHT = {
    "minimax.value": [
        recursive,
        generator_expressions,
        negamax_style,
        iterative,
        memoised,
        two_functions,
        by_a_class,
        in_numpy,
        in_fractions,
    ],
    "minimax.search": [pairs, a_list, with_action(negamax_style), with_action(memoised, first=False)],
    "minimax.depth_limited": [limited, limited_negamax, limited_memoised, limited_by_levels],
    "minimax.max_n": [max_n, max_n_backwards, max_n_closure],
    "minimax.mend": [decision, last_best_decision, signed_decision, sorted_decision],
    "minimax.memory": ["b"],
    "minimax.opponent": ["c"],
}

WRONG = {
    "minimax.value": [
        Wrong(leaf_for_min, 1, "utility from the wrong side"),
        Wrong(if_not_best, 2, "0 is taken for nothing"),
        Wrong(infinities_exchanged, 1, "the best value starts at the wrong end"),
        Wrong(without_the_last, 2),
        Wrong(average, 2),
        Wrong(no_return_for_min, 1),
        Wrong(one_ply_only, 1),
        Wrong(returns_in_the_loop, 2),
        Wrong(alternates_from_the_root, 2, "turns counted instead of asked"),
        Wrong(forgets_result, 1),
        Wrong(remembers_too_much, 1),
        Wrong(pairs, 1),
        Wrong(lambda game, state: None, 1),
        Wrong(lambda game, state: True, 1),
        Wrong(lambda game, state: float("nan"), 1),
        Wrong(lambda game, state: str(recursive(game, state)), 1),
    ],
    "minimax.search": [
        Wrong(move_for_max_only, 1),
        Wrong(value_alone, 1),
        Wrong(the_wrong_way_round, 1),
        Wrong(state_for_action, 1),
        Wrong(first_action_always, 2),
        Wrong(max_at_the_root, 2),
        Wrong(action_of_the_worst, 2),
        Wrong(action_in_terminal_states, 1),
        Wrong(returns_the_player, 1),
        Wrong(with_action(average), 2),
    ],
    "minimax.depth_limited": [
        Wrong(counts_up, 1, "depth off by one"),
        Wrong(cuts_off_at_one, 1, "depth off by one"),
        Wrong(limited_by_turns, 2, "turns counted instead of asked"),
        Wrong(limited_leaf_for_the_mover, 1, "utility from the wrong side"),
        Wrong(zero_at_the_horizon, 1),
        Wrong(utility_at_the_horizon, 1),
        Wrong(evaluates_the_children_only, 1),
        Wrong(changes_depth_in_the_loop, 2, "the depth gets less with each action"),
        Wrong(evaluates_everywhere, 1, "terminal states are evaluated"),
        Wrong(action_at_the_horizon, 1),
        Wrong(lambda game, state, depth, evaluate: pairs(game, state), 1, "the depth is ignored"),
    ],
    "minimax.max_n": [
        Wrong(two_players_only, 1),
        Wrong(own_utility_only, 1),
        Wrong(compares_whole_vectors, 2),
        Wrong(each_their_best, 2),
        Wrong(minimax_for_three, 2, "everybody plays against player 0"),
        Wrong(vectors_without_actions, 1),
    ],
    "minimax.mend": [
        Wrong(handed_out, 2, "not mended yet"),
        Wrong(root_mended_only, 3, "turns counted instead of asked"),
        Wrong(below_mended_only, 2, "Max is taken to move at the root"),
        Wrong(decides_for_the_mover, 2, "utility from the wrong side"),
        Wrong(min_everywhere, 2),
        Wrong(returns_the_value, 1),
        Wrong(returns_the_pair, 1),
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
}
