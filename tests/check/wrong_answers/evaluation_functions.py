"""Answers to the questions of notebook 4."""

from fractions import Fraction
from functools import cache
from itertools import product, takewhile
from math import exp, inf, log, nan, sqrt
from statistics import mean, pstdev

import numpy as np

from answers import Wrong, leaves, mistyped
from course_lib.games import MAX, ConnectFour, Game


def size(case):
    """Leaves of a tree, positions to fit to, games of a match, depths of a clock; a match to be won has none."""
    if case and isinstance(case[0], Game):
        return leaves(case)
    if len(case) == 3:
        return sum(case) if isinstance(case[0], int) else len(case[0])
    return len(case[0]) if case and isinstance(case[0], list) else 0


# Mend the horizon


def mended(game, state, depth, evaluate):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    if depth == 0:
        return evaluate(state) if game.to_move(state) == MAX else -evaluate(state)
    values = [mended(game, game.result(state, a), depth - 1, evaluate) for a in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def memoised(game, state, depth, evaluate):
    @cache
    def value(state, left):
        if game.is_terminal(state):
            return float(game.utility(state, MAX))
        sign = {MAX: 1}.get(game.to_move(state), -1)
        if not left:
            return sign * evaluate(state)
        return sign * max(sign * value(game.result(state, a), left - 1) for a in reversed(game.actions(state)))

    return value(state, depth)


# Until it is quiet


def quiet(game, state, evaluate, noisy):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    pick = max if game.to_move(state) == MAX else min
    return pick([evaluate(state)] + [quiet(game, game.result(state, a), evaluate, noisy) for a in noisy(state)])


def quiet_negamax(game, state, evaluate, noisy):
    sign = 1 if game.to_move(state) == MAX else -1
    if game.is_terminal(state):
        return float(game.utility(state, MAX))
    best = sign * evaluate(state)
    for action in reversed(noisy(state)):
        best = max(best, sign * quiet_negamax(game, game.result(state, action), evaluate, noisy))
    return sign * best


def quiet_alpha_beta(game, state, evaluate, noisy, alpha=-inf, beta=inf):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    v, is_max = evaluate(state), game.to_move(state) == MAX
    for action in noisy(state):
        alpha, beta = (max(alpha, v), beta) if is_max else (alpha, min(beta, v))
        if alpha >= beta:
            break
        v = (max if is_max else min)(
            v, quiet_alpha_beta(game, game.result(state, action), evaluate, noisy, alpha, beta)
        )
    return v


STAND_PAT = "[evaluate(state)] + "


# Fitting


def expects(weights, features):
    return 1 / (1 + exp(-sum(w * f for w, f in zip(weights, features))))


def downhill(positions):
    weights = [0.0, 0.0]
    for _ in range(400):
        slopes = [sum((expects(weights, f) - z) * f[i] for f, z in positions) / len(positions) for i in (0, 1)]
        weights = [w - slope for w, slope in zip(weights, slopes)]
    return weights


def one_by_one(positions):
    """A search along each weight in turn, with steps that get smaller."""

    def loss(weights):
        return -sum(z * log(expects(weights, f)) + (1 - z) * log(1 - expects(weights, f)) for f, z in positions)

    weights, step = [0.0, 0.0], 1.0
    while step > 1e-3:
        for i, by in product((0, 1), (step, -step)):
            moved = [w + by * (i == j) for j, w in enumerate(weights)]
            if loss(moved) < loss(weights):
                weights = moved
                break
        else:
            step /= 2
    return tuple(weights)


def newton(positions):
    rows, points = (np.array(part, dtype=float) for part in zip(*positions))
    weights = np.zeros(2)
    for _ in range(30):
        p = 1 / (1 + np.exp(-rows @ weights))
        weights -= np.linalg.solve(rows.T @ (rows * (p * (1 - p))[:, None]), rows.T @ (p - points))
    return weights


# More than chance?


def by_results(wins, draws, losses):
    results = [1] * wins + [0.5] * draws + [0] * losses
    share, error = mean(results), pstdev(results) / sqrt(len(results))
    return [share - 2 * error, share + 2 * error, bool(abs(share - 0.5) > 2 * error)]


def by_squares(wins, draws, losses):
    n = wins + draws + losses
    share = (2 * wins + draws) / (2 * n)
    error = (max(0, (wins + draws / 4) / n - share * share) / n) ** 0.5
    ends = share - 2 * error, share + 2 * error
    return *ends, ends[0] > 0.5 or ends[1] < 0.5


def in_fractions(wins, draws, losses):
    n = wins + draws + losses
    share = Fraction(2 * wins + draws, 2 * n)
    spread = wins * (1 - share) ** 2 + draws * (Fraction(1, 2) - share) ** 2 + losses * share**2
    return (
        share - 2 * sqrt(spread) / n,
        share + 2 * sqrt(spread) / n,
        n * n * (share - Fraction(1, 2)) ** 2 > 4 * spread,
    )


# Search by the clock


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


# Connect Four

GAME = ConnectFour()
STEPS = (0, 1), (1, 0), (1, 1), (1, -1)
FOURS = [[(r + i * down) * 7 + c + i * right for i in range(4)] for down, right in STEPS for r in range(6)
         for c in range(7) if r + 3 * down < 6 and 0 <= c + 3 * right < 7]  # fmt: skip


def fours(state, weights=(0, 0, 1, 6, 0)):
    """A weight for each four with so many discs of one player and none of the other, and one for the centre."""
    text, lead = "".join(GAME.grid(state)), 0
    for line in FOURS:
        cells = [text[cell] for cell in line]
        x, o = cells.count("X"), cells.count("O")
        lead += (weights[x] if not o else 0) - (weights[o] if not x else 0)
    return lead + text[3::7].count("X") - text[3::7].count("O")


def larger_numbers(state):
    return 1000 * fours(state, (0, 1, 4, 20, 0))


def threes_and_centre(state):
    return fours(state, (0, 0, 0, 3.5, 0))


def for_the_mover(state):
    return fours(state) if state[0] == MAX else -fours(state)


def only_discs(state):
    text = "".join(GAME.grid(state))
    return text.count("X") - text.count("O")


def edges(state):
    text = "".join(GAME.grid(state))
    return sum((text[column::7].count("X") - text[column::7].count("O")) * abs(column - 3) for column in range(7))


def looks_ahead(evaluate, plies):
    def value(game, state, depth, alpha, beta):
        if game.is_terminal(state):
            return 1e6 * game.utility(state, MAX)
        if depth == 0:
            return evaluate(state)
        for action in game.actions(state):
            found = value(game, game.result(state, action), depth - 1, alpha, beta)
            if game.to_move(state) == MAX:
                alpha = max(alpha, found)
            else:
                beta = min(beta, found)
            if alpha >= beta:
                break
        return alpha if game.to_move(state) == MAX else beta

    def player(game, state):
        pick = max if game.to_move(state) == MAX else min
        return pick(game.actions(state), key=lambda a: value(game, game.result(state, a), plies - 1, -inf, inf))

    return player


def fours_of_three(state):
    return fours(state, (0, 0, 1, 5, 0))


def two_plies_unpruned(game, state):
    """Negamax without a window: its own move and the reply."""
    sign = 1 if game.to_move(state) == MAX else -1

    def worth(state):
        return 1e6 * game.utility(state, MAX) if game.is_terminal(state) else fours_of_three(state)

    def after_reply(after):
        replies = [sign * worth(game.result(after, reply)) for reply in game.actions(after)]
        return min(replies) if replies else sign * worth(after)

    return max((after_reply(game.result(state, action)), action) for action in game.actions(state))[1]


def leftmost_that_wins(game, state):
    return min(game.actions(state), key=lambda action: not game.is_terminal(game.result(state, action)))


no_side = mistyped(mended, {"evaluate(state) if game.to_move(state) == MAX else -evaluate(state)": "evaluate(state)"})


def side_of_the_root(game, state, depth, evaluate):
    """The evaluation is turned round where Min moves at the root."""
    sign = 1 if game.to_move(state) == MAX else -1
    return no_side(game, state, depth, lambda state: sign * evaluate(state))


WRONG = {
    "evaluation_functions.trace": [
        Wrong([9, 9, 9, 9, 9], 0),
        Wrong({0: 1, 4: 2}, 0),
        Wrong([], 0),
    ],
    "evaluation_functions.quiet": [
        Wrong(mistyped(quiet, {STAND_PAT: "([] if noisy(state) else [evaluate(state)]) + "}), 1, "nobody may stop"),
        Wrong(mistyped(quiet, {"pick([": "max(["}), 1),
        Wrong(mistyped(quiet, {STAND_PAT: "", "a in noisy(state)])":
                               "a in noisy(state)] or [0])"}), 1),
        Wrong(lambda game, state, evaluate, noisy: (quiet(game, state, evaluate, noisy), None), 1),
    ],
    "evaluation_functions.fit": [
        Wrong(mistyped(downhill, {"range(400)": "range(1)"}), 2),
        Wrong(mistyped(downhill, {"return weights": "return weights[::-1]"}), 2, "the weights are exchanged"),
        Wrong(mistyped(downhill, {"w - slope": "w + slope"}), 2),
        Wrong(mistyped(downhill, {"* f[i]": "* f[1 - i]"}), 2),
        Wrong(lambda positions: [nan, 0], 2),
        Wrong(lambda positions: {"threes": 1, "twos": 0}, 2),
    ],
    "evaluation_functions.interval": [
        Wrong(mistyped(by_squares, {" / n) ** 0.5": ") ** 0.5"}), 2, "the deviation for the error"),
        Wrong(mistyped(by_results, {"pstdev": "stdev", "results = ": "results = 1 < wins + draws + losses and "}), 2),
        Wrong(mistyped(by_squares, {"> 0.5 or": "> 0.5 and"}), 3),
        Wrong(mistyped(by_squares, {"*ends,": "ends,"}), 2),
        Wrong(mistyped(by_squares, {"(2 * n)": "2"}), 2),
    ],
    "evaluation_functions.mend": [
        Wrong(mistyped(mended, {"if game.is_terminal": "if depth and game.is_terminal"}), 1,
              "terminal states are evaluated"),
        Wrong(no_side, 1, "estimate from the wrong side"),
        Wrong(side_of_the_root, 2),
        Wrong(mistyped(mended, {"depth == 0": "False"}), 1),
    ],
    "evaluation_functions.connect_four": [
        Wrong(for_the_mover, 0),
        Wrong(only_discs, 0),
        Wrong(edges, 0),
        Wrong(lambda state: nan, 0),
    ],
    "evaluation_functions.player": [
        Wrong(leftmost_that_wins, 0),
        Wrong(lambda game, state: (0.5, game.actions(state)[0]), 0),
        Wrong(lambda game, state: 3, 0),
        Wrong(looks_ahead(for_the_mover, 1), 0),
    ],
    "evaluation_functions.timed": [
        Wrong(mistyped(timed_loop, {"action if best is None else best": "action"}), 2,
              "the unfinished search is believed"),
        Wrong(lambda search, clock, seconds, deepest: search(deepest, clock() + seconds)[0], 2),
        Wrong(mistyped(timed_loop, {"best = action": "best = action, finished"}), 1),
        Wrong(mistyped(timed_loop, {"range(1, deepest + 1)": "range(deepest, 0, -1)"}), 2),
    ],
}  # fmt: skip

RIGHT = {
    "evaluation_functions.quiet": [quiet, quiet_negamax, quiet_alpha_beta],
    "evaluation_functions.fit": [downhill, one_by_one, newton],
    "evaluation_functions.interval": [by_results, by_squares, in_fractions],
    "evaluation_functions.timed": [timed_loop, timed_while, timed_generator],
    "evaluation_functions.mend": [mended, memoised, lambda *case: np.float64(mended(*case))],
    "evaluation_functions.connect_four": [fours, larger_numbers, threes_and_centre],
    "evaluation_functions.player": [looks_ahead(fours, 2), looks_ahead(fours_of_three, 2), two_plies_unpruned],
}
