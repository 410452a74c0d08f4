"""The questions of notebook 3, alpha-beta. Most are judged by the leaves looked at, beside what is returned."""

import random
from functools import lru_cache, partial
from itertools import permutations, product, takewhile
from math import inf
from operator import ge, gt

from hypothesis import strategies as st

from course_lib.check.boards import board_picture
from course_lib.check.cases import FOUR_WORTHS, WORTHS, in_turn, random_trees, shapes, small_trees, tree_game
from course_lib.check.compare import is_number, misfit, same, shown, value_and_action
from course_lib.check.personal import tree_from
from course_lib.check.question import Bug, Question, Recorded, call_and_leaves, choice, mistakes, read
from course_lib.check.searches import (
    COUNTED,
    MINS_UTILITY,
    at_the_root,
    best_actions,
    best_limited_actions,
    for_max,
    limited,
    limited_cases,
    told_with,
)
from course_lib.check.searches import MISTAKES as OF_MINIMAX
from course_lib.explore import picture
from course_lib.games import MAX, MIN, ConnectFour
from course_lib.search import alpha_beta_search, depth_limited_alpha_beta_search, minimax_value, negamax_search
from course_lib.watch.paths import inner_paths, leaf_paths

# The cases: small trees, a few of four plies for deep cuts, and random ones.


@lru_cache
def small_cuts(turns=True):
    """Trees of up to four leaves, in which every cut can be seen; with `turns` anybody may move anywhere in some.

    The deep ones are needed where a bound comes from two plies above, and the deeper where one is lowered on the way.
    """
    deep = [([None, below], WORTHS) for below in shapes(2, 3) if height(below) == 3]
    deeper = [([None, [[None, [None, None]]]], FOUR_WORTHS)]
    games = [tree_game(shape, order, in_turn(shape, first)) for shape, worths in deep + deeper
             for order in permutations(worths) for first in (MAX, MIN)]  # fmt: skip
    return sorted([*small_trees(turns), *games], key=lambda game: len(leaf_paths(game)))


def height(shape):
    return 0 if shape is None else 1 + max(map(height, shape))


# Judging: what is returned, and the leaves looked at.


def not_needed(right, what="leaf"):
    """Compare (what is returned, leaves looked at): `right` judges the first, and no leaf may be one too many."""

    def compare(case, expected, given):
        wrong = right(case, expected[0], given[0])
        missing = [leaf for leaf in expected[1] if leaf not in given[1]]
        if wrong and missing:
            words = f"{wrong} The {what} {missing[0]}, which matters, was not looked at."
            return Bug("pruned but wrong", f"Pruned but wrong. {words}")
        more = [leaf for leaf in given[1] if leaf not in expected[1]]
        if wrong or not more:
            return wrong
        return f"The value is right, but the {what} {more[0]} is looked at, which α and β make unnecessary."

    return compare


def right_value(case, expected, given):
    return misfit(expected, given) or (None if same(expected, given) else "The value is another one.")


def value_of_answer(answer):
    """The value in ((value, action), leaves) or (value, leaves)."""
    return answer[0][0] if isinstance(answer[0], tuple | list) else answer[0]


def as_text(answer):
    returned, leaves = answer
    return f"{shown(returned)}, after the leaves {' '.join(map(str, leaves))}"


def exact_value(case, node):
    """The minimax value of a node, if a search with α and β has to find it: elsewhere a bound will do."""
    game, path = case[0], node.state
    alpha, beta = windows(game).get(path, (inf, -inf))
    value = minimax_value(game, path)
    return value if alpha < value < beta else None


@lru_cache(64)
def windows(game):
    """Path → the (α, β) with which alpha-beta comes to this node; without those that it never comes to."""
    found = {}

    def value(path, alpha, beta):
        found[path] = alpha, beta
        if game.is_terminal(path):
            return game.utility(path, MAX)
        maximizing = game.to_move(path) == MAX
        values = []
        for action in game.actions(path):
            values.append(value(game.result(path, action), alpha, beta))
            alpha, beta = (max(alpha, values[-1]), beta) if maximizing else (alpha, min(beta, values[-1]))
            if alpha >= beta:
                break
        return max(values) if maximizing else min(values)

    value((), -inf, inf)
    return found


# Alpha-beta with parts to be replaced by wrong ones. Here `low` is what the player to move has for certain (α for Max,
# −β for Min), `high` what the other allows (β, −α), and values are those of the player to move.


def stops(player, v, low, high):
    return v >= high


def as_they_are(low, high):
    return low, high


def wrong_alpha_beta(game, state, low=-inf, high=inf, turn=None, *, stop=stops, hand=as_they_are, better=gt,
                     raised=max, worth=for_max, sides=1, floor=-inf):  # fmt: skip
    """Alpha-beta's (value, action), the value for the player to move; with `turn` players alternate from there.

    `hand` is the window for the children, `sides` −1 exchanges Max and Min, and v begins at `floor`.
    """
    player = game.to_move(state) if turn is None else turn
    if game.is_terminal(state):
        return (sides if player == MAX else -sides) * worth(game, state), None
    v, move = floor, None
    for action in game.actions(state):
        after, (below, above) = game.result(state, action), hand(low, high)
        sign = 1 if turn is None and game.to_move(after) == player else -1
        window = (below, above) if sign == 1 else (-above, -below)
        v2, _ = wrong_alpha_beta(game, after, *window, None if turn is None else 1 - turn, stop=stop, hand=hand,
                                 better=better, raised=raised, worth=worth, sides=sides, floor=floor)  # fmt: skip
        if better(sign * v2, v):
            v, move = sign * v2, action
        if stop(player, v, low, high):
            break
        low = raised(low, v)
    return v, move


def wrong_search(game, state, turn=None, sides=1, **parts):
    """The (value, action), the value Max's."""
    player = game.to_move(state) if turn is None else turn
    v, move = wrong_alpha_beta(game, state, turn=turn, sides=sides, **parts)
    return (sides if player == MAX else -sides) * v, move


def alternating_search(game, state):
    return wrong_search(game, state, turn=game.to_move(state))


def wrong_value(game, state, **parts):
    return wrong_search(game, state, **parts)[0]


def alternating_value(game, state):
    return alternating_search(game, state)[0]


OF_TIES = "what was cut at v = α may be worth less: only a better action replaces the best."
SPARES = "the value comes out right, and leaves are looked at for nothing: "
MISTAKES = (
    ("right value but nothing pruned", "v is never held against the other player's bound, or the bounds never move.",
        {"stop": lambda player, v, low, high: False}),
    ("pruning with < where ≤ is right", f"{SPARES}a Min node may stop at v = α already, and a Max node at v = β.",
        {"stop": lambda player, v, low, high: v > high}),
    ("pruning with < where ≤ is right", f"{SPARES}a Max node may stop at v = β already.",
        {"stop": lambda player, v, low, high: v > high if player == MAX else v >= high}),
    ("pruning with < where ≤ is right", f"{SPARES}a Min node may stop at v = α already.",
        {"stop": lambda player, v, low, high: v > high if player == MIN else v >= high}),
    ("only one player prunes", f"{SPARES}a Min node stops at v ≤ α, and a Max node at v ≥ β.",
        {"stop": lambda player, v, low, high: player == MAX and v >= high}),
    ("only one player prunes", f"{SPARES}a Min node stops at v ≤ α, and a Max node at v ≥ β.",
        {"stop": lambda player, v, low, high: player == MIN and v >= high}),
    ("the window does not come from above", f"{SPARES}hand both α and β to each child.",
        {"hand": lambda low, high: (low, inf)}),
    ("a bound is taken back", f"{SPARES}α never falls and β never rises: take max(α, v), and min(β, v).",
        {"raised": lambda low, v: v}),
    ("α and β swapped", "a Max node stops at v ≥ β and raises α, a Min node stops at v ≤ α and lowers β.",
        {"stop": lambda player, v, low, high: v >= low}),
    ("α and β swapped", "hand them to the children in the order in which their parameters stand.",
        {"hand": lambda low, high: (high, low)}),
    ("pruned but wrong", "the comparison is turned round: a Min node stops at v ≤ α, a Max node at v ≥ β.",
        {"stop": lambda player, v, low, high: v <= high < inf}),
    ("pruned but wrong", "something better is no reason to stop: v must reach the other player's bound.",
        {"stop": lambda player, v, low, high: v > low > -inf}),
    ("an equal action is taken", OF_TIES, {"better": ge}),
    ("the last value overwrites the best", "keep the best of all values, not the last.",
        {"better": lambda v2, v: True}),
    OF_MINIMAX["utility from the wrong side"],
    MINS_UTILITY,
    ("max and min exchanged", OF_MINIMAX["max and min exchanged"][1], {"sides": -1}),
    ("the best value starts at 0", OF_MINIMAX["the best value starts at 0"][1], {"floor": 0}),
    OF_MINIMAX[COUNTED],
)  # fmt: skip


SEARCH = Question(
    identifier="alpha_beta.search",
    title="ALPHA-BETA-SEARCH",
    kind="write",
    points=3,
    name="my_alpha_beta",
    small=lambda: list(map(at_the_root, small_cuts())),
    cases=random_trees().map(at_the_root),
    reference=alpha_beta_search,
    ask=call_and_leaves,
    compare=not_needed(value_and_action(best_actions)),
    gist=value_of_answer,
    show=as_text,
    value_of=exact_value,
    bugs=(*mistakes(wrong_search, *MISTAKES), Bug(COUNTED, OF_MINIMAX[COUNTED][1], alternating_search)),
)


# The cut with the wrong comparisons, to be mended. The answer is a value.


def alpha_beta_value(game, state, alpha=-inf, beta=inf):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    maximizing = game.to_move(state) == MAX
    v = -inf if maximizing else inf
    for action in game.actions(state):
        v2 = alpha_beta_value(game, game.result(state, action), alpha, beta)
        if maximizing:
            v = max(v, v2)
            alpha = max(alpha, v)
        else:
            v = min(v, v2)
            beta = min(beta, v)
        if alpha >= beta:
            break
    return v


def nothing_mended(player, v, low, high):
    """A Max node cuts at v > β, a Min node at v ≥ α."""
    return v > high if player == MAX else v <= high


CUT = Question(
    identifier="alpha_beta.cut",
    title="Mend two comparisons",
    kind="mend",
    points=2,
    name="mended_alpha_beta",
    small=lambda: list(map(at_the_root, small_cuts())),
    cases=random_trees().map(at_the_root),
    reference=alpha_beta_value,
    ask=call_and_leaves,
    compare=not_needed(right_value),
    show=as_text,
    value_of=exact_value,
    bugs=(
        Bug("not mended yet", "one of the two cuts leaves out what matters, the other looks at leaves for nothing.",
            partial(wrong_value, stop=nothing_mended)),
        Bug("α and β swapped", "one cut is right now; in the other v is held against the node's own bound.",
            partial(wrong_value, stop=lambda player, v, low, high: v >= high if player == MAX else v >= low)),
        *mistakes(wrong_value, *(row for row in MISTAKES if row[0] != "an equal action is taken")),
        Bug(COUNTED, OF_MINIMAX[COUNTED][1], alternating_value),
    ),
)  # fmt: skip


# The printed negamax, to be mended, and negamax with a depth limit. Values are those of the player to move.


def with_player(game):
    """The case (game, state, alpha, beta, player)."""
    return game, (), -inf, inf, 1 if game.first == MAX else -1


def mended_negamax(game, state, alpha, beta, player):
    if game.is_terminal(state):
        return player * game.utility(state, MAX)
    best = -inf
    for action in game.actions(state):
        best = max(best, -mended_negamax(game, game.result(state, action), -beta, -alpha, -player))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def turned(alpha, beta):
    return -beta, -alpha


def for_player(player, value):
    return player * value


def wrong_negamax_search(game, state, alpha, beta, player, depth=inf, evaluate=None, *, better=gt, hand=turned, stop=ge,
                         sign=-1, worth=for_player, estimate=for_player, horizon=0, step=1,
                         terminal_first=True, floor=-inf, raised=max):  # fmt: skip
    """Negamax with parts to be replaced; it cuts off where `depth` has come down to `horizon`."""
    if game.is_terminal(state) and (terminal_first or depth > horizon):
        return worth(player, game.utility(state, MAX)), None
    if depth <= horizon:
        return estimate(player, evaluate(state)), None
    best, move = floor, None
    for action in game.actions(state):
        after, window = game.result(state, action), hand(alpha, beta)
        value, _ = wrong_negamax_search(game, after, *window, -player, depth - step, evaluate, better=better,
                                        hand=hand, stop=stop, sign=sign, worth=worth, estimate=estimate,
                                        horizon=horizon, step=step, terminal_first=terminal_first,
                                        floor=floor, raised=raised)  # fmt: skip
        if better(sign * value, best):
            best, move = sign * value, action
        alpha = raised(alpha, best)
        if stop(alpha, beta):
            break
    return best, move


def wrong_negamax(game, state, alpha, beta, player, for_max=False, **parts):
    value, _ = wrong_negamax_search(game, state, alpha, beta, player, **parts)
    return player * value if for_max else value


def wrong_limited_negamax(game, state, depth, evaluate, for_max=False, at_one=False, **parts):
    player = 1 if game.to_move(state) == MAX else -1
    if at_one:
        depth, parts = depth or inf, {"horizon": 1}
    value, move = wrong_negamax_search(game, state, -inf, inf, player, depth, evaluate, **parts)
    return (player * value if for_max else value), move


def any_value(value, best):
    return True


def not_exchanged(alpha, beta):
    return -alpha, -beta


OF_NEGAMAX = (
    ("right value but nothing pruned", "a node may stop when alpha >= beta; and its children's window is [−β, −α].",
        {"stop": lambda alpha, beta: False}),
    ("pruning with < where ≤ is right", f"{SPARES}a node may stop at alpha = beta already.", {"stop": gt}),
    ("the window does not come from above", f"{SPARES}turned round, the window [α, β] is [−β, −α]: hand both on.",
        {"hand": lambda alpha, beta: (-inf, -alpha)}),
    ("a bound is taken back", f"{SPARES}α never falls: take max(α, v).", {"raised": lambda alpha, v: v}),
    ("α and β swapped", "turned round, the window [α, β] is [−β, −α]: −β comes first.", {"hand": not_exchanged}),
    ("the last value overwrites the best", "a node keeps the best of its children's values, not the last.",
        {"better": any_value}),
    ("the sign is forgotten", "what is worth v to the one player is worth −v to the other.", {"sign": 1}),
    ("utility from the wrong side", "where Min is to move, a leaf is worth −utility(state, MAX) to the player to move.",
        {"worth": lambda player, utility: utility}),
    ("utility from the wrong side", "where Max is to move, a leaf is worth utility(state, MAX) to the player to move.",
        {"worth": lambda player, utility: -player * utility}),
    ("the best value starts at 0", "all values may be below 0: begin with −∞.", {"floor": 0}),
    ("Max's value", "in negamax a value is for the player to move, here at the root: Min's where Min is to move.",
        {"for_max": True}),
    ("the smallest is kept", "negamax has no minimum: each player takes the largest of the values that are their own.",
        {"better": lambda value, best: best == -inf or value < best}),
)  # fmt: skip


MEND_NEGAMAX = Question(
    identifier="alpha_beta.mend_negamax",
    title="Mend the printed negamax",
    kind="mend",
    points=2,
    name="mended_negamax",
    small=lambda: list(map(with_player, small_cuts(turns=False))),
    cases=random_trees(turns=False).map(with_player),
    reference=mended_negamax,
    ask=call_and_leaves,
    compare=not_needed(right_value),
    gist=value_of_answer,
    show=as_text,
    bugs=(
        Bug("not mended yet", "there are two mistakes: one in what a node keeps, one in what it hands down.",
            partial(wrong_negamax, better=any_value, hand=not_exchanged)),
        *mistakes(wrong_negamax, *OF_NEGAMAX),
    ),
)  # fmt: skip


def small_depths():
    games = [game for game in small_cuts(turns=False) if len(leaf_paths(game)) < 4 or plies(game) == 4]
    return [limited(game, depth, (5, -4, 3, -6, 7, -8, 4, 2, -1)) for game in games for depth in range(plies(game) + 1)]


def plies(game):
    return max(map(len, leaf_paths(game)))


def call_and_looked_at(student, name, case):
    """Ask: what the function returns, and the states whose utility or estimate it asked for."""
    game, state, depth, evaluate = case
    tree = Recorded(game)

    def noted(state):
        tree.leaves.append(state)
        return evaluate(state)

    return student.call(name, tree, state, depth, noted), tuple(tree.leaves)


def at_depth(case, expected, given):
    """Compare: as `not_needed`, and where the search stops too early or goes too deep it says so."""
    game, _, depth, _ = case
    wrong = not_needed(value_and_action(best_limited_actions), "state")(case, expected, given)
    for path in given[1] if wrong else ():
        if len(path) > depth or (len(path) < depth and not game.is_terminal(path)):
            value = "The value is right, but" if same(expected[0][0], value_of_answer(given)) else "The value is wrong:"
            return f"{value} the state {path} is looked at, {len(path)} plies deep, and the depth is {depth}."
    return wrong


NEGAMAX = Question(
    identifier="alpha_beta.negamax",
    title="Negamax with a depth limit",
    kind="write",
    points=3,
    name="my_negamax",
    small=small_depths,
    cases=limited_cases(random_trees(turns=False), (0, 1, 2, 2, 3, 4)),
    reference=negamax_search,
    ask=call_and_looked_at,
    compare=at_depth,
    gist=value_of_answer,
    show=as_text,
    tell=told_with("my_negamax", "evaluate"),
    bugs=mistakes(
        wrong_limited_negamax,
        ("estimate from the wrong side", "evaluate(state) estimates for Max: turn it round where Min is to move.",
            {"estimate": lambda player, value: value}),
        ("estimate from the wrong side", "where Max is to move, evaluate(state) counts as it is.",
            {"estimate": lambda player, value: -player * value}),
        ("utility from the wrong side", "utilities and estimates are Max's: turn both round where Min is to move.",
            {"worth": lambda player, utility: utility, "estimate": lambda player, value: value}),
        ("an equal action is taken", OF_TIES, {"better": ge}),
        ("depth off by one", "your search stops one ply too early.", {"horizon": 1}),
        ("depth off by one", "your search goes one ply too deep.", {"horizon": -1}),
        ("depth off by one", "cut off at depth 0: yours does at 1, and a search that begins at 0 never ends.",
            {"at_one": True}),
        ("the depth never gets less", "hand depth − 1 down.", {"step": 0}),
        ("terminal states are evaluated", "where the game is over its utility counts, also at depth 0.",
            {"terminal_first": False}),
        *OF_NEGAMAX,
    ),
)  # fmt: skip


# Searching by the clock. A case is (the seconds that a search of each depth takes, the time at the start, the seconds
# that there are). An answer is (the action, the (depth, deadline) of each search that was begun).


def ask_timed(student, name, case):
    costs, now, seconds = case
    begun = []

    def search(depth, deadline):
        nonlocal now
        begun.append((depth, deadline))
        ready = now + costs[min(max(depth, 1), len(costs)) - 1]
        finished, now = ready <= deadline, max(now, min(ready, deadline))
        return f"best of depth {depth}" if finished else f"first seen at depth {depth}", finished

    return student.call(name, search, lambda: now, seconds, len(costs)), tuple(begun)


def timed_search(search, clock, seconds, deepest):
    deadline = clock() + seconds
    best, finished = search(1, deadline)
    for depth in range(2, deepest + 1):
        if finished:
            action, finished = search(depth, deadline)
            best = action if finished else best
    return best


def from_the_start(start, now, seconds):
    return start + seconds


def wrong_timed_search(search, clock, seconds, deepest, end=from_the_start, first=1, last=0, believe=False, go_on=False,
                       keep_first=False, give_up=False):  # fmt: skip
    """Iterative deepening with parts to be replaced; `end` is the deadline."""
    start, best = clock(), None
    for depth in range(first, deepest + 1 + last):
        action, finished = search(depth, end(start, clock(), seconds))
        if believe or (finished and not keep_first) or (best is None and not give_up):
            best = action
        if not finished and not go_on:
            break
    return best


def not_in_time(case, expected, given):
    (action, begun), (given_action, given_begun) = expected, given
    deadline = case[1] + case[2]
    for depth, (asked, until) in enumerate(given_begun, 1):
        if not is_number(until) or not same(until, deadline):
            return f"Search {depth} was given the deadline {shown(until)}; by the clock, time is up at {deadline}."
        if asked != depth:
            return f"The depths are 1, 2, 3 … in turn; your search {depth} was of depth {shown(asked)}."
        if depth > len(case[0]):
            return f"A search of depth {depth} was begun, and the game lasts {len(case[0])} plies at most."
        if depth > len(begun):
            return f"Time was up in the search of depth {depth - 1}, and yet another one was begun."
    return misfit(action, given_action) or (None if same(action, given_action) else "The action is another one.")


def timed_words(case):
    costs, start, seconds = case
    takes = ", ".join(f"depth {depth} takes {cost} s" for depth, cost in enumerate(costs, 1))
    return f"my_timed_search(search, clock, {seconds}, {len(costs)}), where {takes}, and clock() is {start} at first"


def timed_answer(answer):
    action, begun = answer
    return f"{shown(action)}, after searches of depth {', '.join(str(depth) for depth, _ in begun) or 'none'}"


TIMED = Question(
    identifier="alpha_beta.timed",
    title="Search by the clock",
    kind="write",
    points=3,
    name="my_timed_search",
    small=lambda: [(costs, start, seconds) for deepest in (1, 2, 3) for costs in product((1, 2, 3), repeat=deepest)
                   for start in (0, 10) for seconds in range(6)],
    cases=st.tuples(st.lists(st.integers(1, 9), min_size=1, max_size=8).map(tuple),
                    st.integers(0, 99), st.integers(0, 40)),
    ask=ask_timed,
    reference=timed_search,
    compare=not_in_time,
    tell=timed_words,
    show=timed_answer,
    bugs=(
        Bug("the unfinished search is believed", "what was cut short has not seen all replies: play the action of the "
            "last search that was finished.", partial(wrong_timed_search, believe=True)),
        Bug("the deadline forgets the start", "the clock need not begin at 0: time is up at clock() + seconds, "
            "asked at the start.", partial(wrong_timed_search, end=lambda start, now, seconds: seconds)),
        Bug("every search gets all the time", "the seconds are for all searches together: ask the clock once.",
            partial(wrong_timed_search, end=lambda start, now, seconds: now + seconds)),
        Bug("depth off by one", "the last depth is `deepest`; yours stops one earlier.",
            partial(wrong_timed_search, last=-1)),
        Bug("depth off by one", "the last depth is `deepest`; yours goes one further.",
            partial(wrong_timed_search, last=1)),
        Bug("depth off by one", "begin with depth 1: at depth 0 there is no action.",
            partial(wrong_timed_search, first=0)),
        Bug("depth off by one", "depths go from 1 to `deepest`; range(deepest) goes from 0 and leaves the end out.",
            partial(wrong_timed_search, first=0, last=-1)),
        Bug("the first search is played", "each deeper search that is finished replaces the action.",
            partial(wrong_timed_search, keep_first=True)),
        Bug("no answer when time is short", "if not even the first search is finished, its action is all there is.",
            partial(wrong_timed_search, give_up=True)),
        Bug("it goes on after the time", "when a search was not finished, time is up: stop.",
            partial(wrong_timed_search, go_on=True)),
    ),
)  # fmt: skip


# An order of moves for Connect Four that must save work. The case is a tuple of positions, the same for all; an answer
# is the share of states that is left of those from left to right, or the first order that is none.

CONNECT_FOUR, PLIES, MARK = ConnectFour(), 4, 0.6
"""The game, how deep alpha-beta looks, and the share to be reached."""


@lru_cache
def positions(seed=30, count=5, plies=8):
    """So many positions after so many random moves, none of them the end of a game."""
    luck, found = random.Random(seed), []
    while len(found) < count:
        state = CONNECT_FOUR.initial_state()
        for _ in range(plies):
            if not CONNECT_FOUR.is_terminal(state):
                state = CONNECT_FOUR.result(state, luck.choice(CONNECT_FOUR.actions(state)))
        if not CONNECT_FOUR.is_terminal(state):
            found.append(state)
    return tuple(found)


class NoOrder(Exception):
    """An order that leaves actions out, or has others."""


def states_searched(order, states):
    """How many states alpha-beta asks an order for."""
    asked = []

    def checked(state):
        asked.append(state)
        actions = order(state)
        legal = sorted(map(repr, CONNECT_FOUR.actions(state)))
        if not isinstance(actions, tuple | list) or sorted(map(repr, actions)) != legal:
            raise NoOrder(state, actions)
        return actions

    for state in states:
        depth_limited_alpha_beta_search(CONNECT_FOUR, state, PLIES, order=checked)
    return len(asked)


@lru_cache
def from_left_to_right(states):
    return states_searched(CONNECT_FOUR.actions, states)


def ask_order(student, name, case):
    try:
        return states_searched(lambda state: student.call(name, state), *case) / from_left_to_right(*case)
    except NoOrder as no:
        return no.args


def wins_first(state):
    """An order: what wins at once, then what does not let the other win at once; from the centre outwards."""

    def key(column):
        after = CONNECT_FOUR.result(state, column)
        replies = CONNECT_FOUR.actions(after)
        lets_win = any(CONNECT_FOUR.is_terminal(CONNECT_FOUR.result(after, reply)) for reply in replies)
        return not CONNECT_FOUR.is_terminal(after), lets_win, abs(column - 3)

    return sorted(CONNECT_FOUR.actions(state), key=key)


def share_words(answer):
    if is_number(answer):
        return f"at most {MARK:.0%} of the states" if answer <= MARK else f"{answer:.0%} of the states"
    return "no order of the actions"


def too_many_states(case, expected, given):
    if is_number(given):
        words = f"With your order alpha-beta looks at {given:.0%} of the states; the mark is {MARK:.0%}."
        return None if given <= MARK else words
    state, actions = given
    legal = CONNECT_FOUR.actions(tuple(state))
    return f"An order has each legal action once. In the position that is drawn they are {legal}, not {shown(actions)}."


def position_drawn(case, given):
    """The position in which an order is none."""
    return [] if is_number(given) else [("the position", board_picture(CONNECT_FOUR.grid(tuple(given[0])), discs=True))]


ORDER = Question(
    identifier="alpha_beta.order",
    title="Beat the order from left to right",
    kind="beat",
    points=2,
    name="my_order",
    small=lambda: [(positions(),)],
    ask=ask_order,
    reference=wins_first,
    compare=too_many_states,
    show=share_words,
    draw=position_drawn,
    tell=lambda case: f"{len(case[0])} positions of Connect Four, each searched {PLIES} plies deep",
    bugs=(
        Bug("the worst first", "the edges are on the fewest lines; put the centre in front.",
            lambda state: sorted(CONNECT_FOUR.actions(state), key=lambda column: -abs(column - 3))),
        Bug("nothing ordered yet", "this is the order from left to right.", CONNECT_FOUR.actions),
        Bug("the centre first is not enough", "a move that wins at once cuts at once: look at what follows.",
            lambda state: sorted(CONNECT_FOUR.actions(state), key=lambda column: abs(column - 3))),
    ),
)  # fmt: skip


# A tree of one's own, by hand.


def own_tree(numbers):
    """A tree of three plies and up to 14 leaves, with one or two cuts of either kind."""
    while True:
        tree = tree_from(numbers, ((2, 3), (2, 3), (2, 3)), high=30)
        _, alpha_cuts, beta_cuts = traced(tree)
        if len(leaf_paths(tree)) <= 14 and 1 <= len(alpha_cuts) <= 2 and 1 <= len(beta_cuts) <= 2:
            return (tree,)


def traced(tree):
    """The leaves that alpha-beta looks at, in order, and the paths of the nodes with an α-cut and with a β-cut."""
    visited = windows(tree)
    leaves = [path for path in visited if tree.is_terminal(path)]
    cut = [path for path in inner_paths(tree) if path in visited and (*path, tree.actions(path)[-1]) not in visited]
    return leaves, *([path for path in cut if tree.to_move(path) == player] for player in (MIN, MAX))


def by_hand(tree):
    leaves, alpha_cuts, beta_cuts = traced(tree)
    return {"leaves": [tree.utility(path, MAX) for path in leaves], "alpha cuts": alpha_cuts, "beta cuts": beta_cuts}


CUTS = "alpha cuts", "beta cuts"


def first_wrong_step(case, expected, given):
    tree, *_ = case
    if not isinstance(given, dict) or expected.keys() - given.keys() or not isinstance(given["leaves"], list | tuple):
        return f"A dictionary with lists for {', '.join(map(repr, expected))} was expected, not {shown(given)}."
    wrong = wrong_leaf(tree, expected["leaves"], list(given["leaves"]))
    return wrong or next(filter(None, (no_paths(key, given[key]) for key in CUTS)), None) or wrong_cut(expected, given)


def no_paths(key, given):
    """What is wrong with how a list of paths is written; a set will do, too."""
    if isinstance(given, tuple) and given and all(map(is_number, given)):
        return f"A list of one path is written [{shown(given)}], with brackets around it, not {shown(given)}."
    for path in given if isinstance(given, list | tuple | set) else [given]:
        if is_number(path):
            return f"The path of one action is written ({path},), with a comma: ({path}) is only the number {path}."
        if not isinstance(path, list | tuple):
            return f"{key!r} is a list of paths, written like (0, 1), and {shown(path)} is none."
    return None


def wrong_leaf(tree, right, given):
    """What is wrong with the list of leaves, up to the first step that is."""
    worths = [tree.utility(path, MAX) for path in leaf_paths(tree)]
    known = len(list(takewhile(lambda pair: same(*pair), zip(right, given))))
    if known == len(right) == len(given):
        return None
    if known == 0 and given and given[0] in worths:
        return f"The search does not begin with the leaf {given[0]}: it goes down to the left first."
    so_far = f"Your leaves are right up to {right[known - 1]}" if known else "Your first leaf is not the right one"
    if known == len(given):
        return f"{so_far}, and then the search goes on."
    if given[known] not in worths:
        return f"{so_far}. There is no leaf {shown(given[known])}."
    if given[known] in given[:known]:
        return f"{so_far}. The leaf {given[known]} comes twice."
    if given[known] not in right:
        return f"{so_far}. Then comes {given[known]}, which is cut: what are v, α and β when the search is there?"
    return f"{so_far}. Then you leave out a leaf that is looked at: what are v, α and β when the search is there?"


def wrong_cut(expected, given):
    """What is wrong with the lists of cuts."""
    for key, other in (CUTS, CUTS[::-1]):
        paths = set(map(tuple, given[key]))
        for path in sorted(paths, key=repr):
            if path in expected[other]:
                return f"There is a cut in the node {path}. Who moves there: is it an α-cut or a β-cut?"
            if path not in expected[key]:
                return f"There is no cut in the node {shown(path)}. A node with a cut stops before its last child."
        if len(paths) < len(expected[key]):
            return f"The list of {key} is not complete: at which other node does the search stop before the last child?"
    return None


def numbered(case, given):
    """The tree, with the place of each leaf in the student's list beside it."""
    tree, *_ = case
    leaves = given.get("leaves") if isinstance(given, dict) else None
    worths = {path: tree.utility(path, MAX) for path in leaf_paths(tree)}
    listed = leaves if isinstance(leaves, list | tuple) else []
    answers = {path: f"{worth} ({listed.index(worth) + 1})" for path, worth in worths.items() if worth in listed}
    return [("your order", picture(tree, answers=answers))]


TRACE = Question(
    identifier="alpha_beta.trace",
    title="Alpha-beta by hand",
    kind="trace",
    points=3,
    name="by_hand",
    personal=own_tree,
    ask=read,
    reference=by_hand,
    compare=first_wrong_step,
    draw=numbered,
)

DEPTH = choice(
    identifier="alpha_beta.depth",
    title="What a good order is worth",
    name="depth",
    right="c",
    reasons={
        "a": "That would be so if nothing were cut, as in the worst order. Here the order is the best.",
        "b": "The best order saves more: write down the leaves of both for m plies, and set them equal.",
        "d": "What is left to look at still grows by a constant factor with every two plies.",
    },
)

QUESTIONS = (TRACE, SEARCH, CUT, MEND_NEGAMAX, NEGAMAX, TIMED, ORDER, DEPTH)
