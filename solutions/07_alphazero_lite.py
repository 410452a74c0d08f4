"""The questions of notebook 7, AlphaZero-lite. Cases consist of numbers and lists of numbers."""

from functools import cache
from itertools import combinations, product
from math import sqrt

import numpy as np

from course_lib.check.judges import networks, tracing
from course_lib.games import MAX, MIN, TicTacToe
from solutions.rows import asks, by_hand, explains

C = 1.5
NEAR = 1e-6
"""The tolerance: a float32 has seven digits."""
PRIORS = (0.5, 0.3, 0.2), (0.6, 0.2, 0.2), (0.4, 0.4, 0.2), (0.5, 0.4, 0.1), (0.6, 0.3, 0.1)
UNEVEN = *PRIORS, (0.75, 0.23, 0.02), (0.94, 0.04, 0.02)


def tenths(rng):
    return rng.randint(-9, 9) / 10


def shares(rng, known=PRIORS):
    return rng.sample(rng.choice(known), 3)


# Numbers to work with by hand.


def own_numbers(rng):
    """Three values, and a node whose PUCT choice is clear, and not simply the largest Q."""
    while True:
        N = [rng.randint(1, 9), rng.randint(1, 9), 0]
        W = [rng.randint(-5 * n, 5 * n) / 10 for n in N]
        values = [value / 10 for value in rng.sample(range(-9, 10), 3)]
        mine = {"values": values, "N": N, "W": W, "P": shares(rng), "N_parent": 1 + sum(N)}
        scores = puct_scores(mine)
        largest_Q = 0 if W[0] / N[0] > W[1] / N[1] else 1
        _, second, best = sorted(scores)
        if N[0] != N[1] and best - second > 0.1 and scores.index(best) != largest_Q:  # with equal N, π is so for any τ
            return (mine,)


def puct_scores(mine):
    root = sqrt(mine["N_parent"])
    return [(w / n if n else 0) + C * p * root / (1 + n) for n, w, p in zip(mine["N"], mine["W"], mine["P"])]


def worked_out(mine):
    values, squares, scores = mine["values"], [n**2 for n in mine["N"]], puct_scores(mine)
    return {
        "Q": [round(sum(values[:n]) / n, 2) for n in (1, 2, 3)],
        "puct": [round(score, 2) for score in scores],
        "choice": scores.index(max(scores)),
        "pi": [round(square / sum(squares), 2) for square in squares],
    }


BY_HAND = {
    "Q": "Q is the mean of the values so far.",
    "puct": "Q is W/N, and 0 for the child without a visit; add C · P · √N(parent) / (1 + N), with C = 1.5.",
    "choice": "The choice is the action (0, 1 or 2) with the largest PUCT.",
    "pi": "With τ = ½, square each N, and divide by the sum of the squares.",
}


# PUCT: a case is (Q, P, N, N of the parent, c). The policy: (visit counts, τ). The back-up: ((N, W) pairs, v).


def small_scores():
    return [(Q, P, N, parent, c) for parent in range(1, 6) for N in range(parent) for Q in (0, 0.5)
            for P in (0.5, 0.25) for c in (1, 2)]  # fmt: skip


def random_scores(rng):
    N = rng.randint(0, 99)
    return tenths(rng), rng.randint(0, 9) / 10, N, rng.randint(N + 1, 4 * N + 2), rng.choice([0.5, 1, 1.5, 3])


def small_counts():
    return [([*counts], tau) for actions in (1, 2, 3) for counts in product(range(4), repeat=actions)
            if any(counts) for tau in (1, 0.5, 2, 0)]  # fmt: skip


def random_counts(rng):
    counts = [*rng.choices([0] * 9 + [*range(41)], k=rng.randint(0, 6)), rng.randint(1, 40)]
    return rng.sample(counts, len(counts)), rng.choice([0, 0.1, 0.25, 0.5, 1, 2, 5])


def tied(rng):
    """Three or four actions that are visited most, at τ = 0."""
    counts = [rng.randint(5, 9)] * rng.randint(3, 4) + [rng.randint(0, 4), 0]
    return rng.sample(counts, len(counts)), 0


def close(rng):
    """Numbers of visits of which a small τ brings out the difference, and does not leave one alone."""
    largest = rng.randint(6, 8)
    return rng.sample([largest, largest - 1, largest - 2], 3), 0.04


def policies(policy, case, answer):
    """With τ = 0 some or all of the most visited actions share the probability 1."""
    counts, tau = case
    if tau:
        return [answer]
    best = [action for action, N in enumerate(counts) if max(counts) == N]
    groups = (group for size in range(1, len(best) + 1) for group in combinations(best, size))
    return [[1 / len(group) if action in group else 0 for action in range(len(counts))] for group in groups]


def small_paths():
    """Two nodes come first: in one node alone, several mistakes look the same."""
    return [([(3 - depth, 0.5) for depth in range(length)], v) for length in (2, 3, 1) for v in (0.5, -0.25)]


def random_path(rng):
    return [(N, tenths(rng)) for N in rng.choices(range(10), k=rng.randint(1, 6))], tenths(rng)


# The loss: a case is (p, v, π, z, θ, c, its three terms). The targets: (players to move, the winner or None).


def batch(p, v, pi, z, theta, c):
    errors = [(outcome - value) ** 2 for outcome, value in zip(z, v)]
    entropy = sum(-t * np.log(q) for row in zip(pi, p) for t, q in zip(*row) if t)
    terms = sum(errors) / len(z), float(entropy) / len(z), c * sum(weight**2 for weight in theta)
    return p, v, pi, z, theta, c, [round(term, 6) for term in terms]


def small_batches():
    one = [[0.5, 0.5]], [0.5], [[0.25, 0.75]], [1], [0.5, 2.0]
    two = [[0.5, 0.5], [0.25, 0.75]], [0.5, -0.5], [[1.0, 0.0], [0.5, 0.5]], [1, 0], [0.5, 2.0]
    sure = [[1.0, 0.0]], [0.5], [[1.0, 0.0]], [-1], [1.0]
    return [batch(*each, c) for each in (one, sure, two) for c in (0, 0.1)]


def random_batch(rng):
    illegal = [0.0] if rng.random() < 0.5 else []  # an action in front
    rows = range(rng.randint(1, 4))
    p, pi = ([illegal + shares(rng, UNEVEN) for _ in rows] for _ in "pπ")
    v, z = [tenths(rng) for _ in rows], [rng.choice([0, 1, -1]) for _ in rows]
    return batch(p, v, pi, z, [tenths(rng) for _ in range(rng.randint(1, 3))], rng.choice([0, 0.01, 0.5]))


def nearly_sure(rng):
    """Positions in which the network gives hardly any probability to actions that the search likes."""
    p = [rng.sample((1 - 3 * small, 2 * small, small), 3) for small in (0.01, 1e-4, 1e-6)]
    return batch(p, [tenths(rng) for _ in p], [shares(rng) for _ in p], [1, 0, -1], [tenths(rng)], 0.01)


def with_epsilon(loss, case, answer):
    """The right loss, and the one for which 1e-8 is added to p before its logarithm."""
    p, *parts, c, _ = [np.array(part, float) for part in case]
    return [answer, float(loss(p + 1e-8, *parts, c))]


def small_ends():
    return [([*movers], winner) for plies in (1, 2, 3) for movers in product((MAX, MIN), repeat=plies)
            for winner in (MAX, MIN, None)]  # fmt: skip


def random_end(rng):
    return rng.choices((MAX, MIN), k=rng.randint(1, 9)), rng.choice([MAX, MIN, None])


# Training: a case is (seed, 1,500 positions to learn from, 1,000 others), with their exact values.


@cache
def exact_values():
    """A word for each non-terminal position of tic-tac-toe: + marks the player to move, and the value comes last."""
    game, values = TicTacToe(), {}

    def value(state):
        if game.is_terminal(state):
            return game.utility(state, game.to_move(state))
        own = "XO"[game.to_move(state)]
        cells = "".join("0" if cell == "." else "+" if cell == own else "-" for row in game.grid(state) for cell in row)
        if cells not in values:
            values[cells] = max(-value(game.result(state, action)) for action in game.actions(state))
        return values[cells]

    value(game.initial_state())
    return [cells + "-0+"[value + 1] for cells, value in values.items()]


def lesson():
    words, seed = exact_values(), 1
    words = [words[number] for number in np.random.default_rng(seed).permutation(len(words))[:2500]]
    return [(seed, " ".join(words[:1500]), " ".join(words[1500:]))]


ERRORS = ("The mean square error is {:.3f} on the positions that it learnt from, and {:.3f} on others. "
          "The latter must be at most {}; predicting 0 everywhere gives 0.77.")  # fmt: skip
TRAINING = {
    "shapes": "Expected [W1, b1, w2, b2]: arrays of the shapes (9, h), (h,) and (h,), with at most 64 for h, and a "
    "number.",
    "no numbers any more": "Some of the returned numbers are infinite or NaN. If W1 has such numbers, too, the "
    "steps are too large; if not, look at the lines that compute and return the others.",
    "the same value everywhere": f"{ERRORS} Your network returns the same value for every position. Are the weights "
    "returned in the right order, are W1 and w2 random at first, and do all four change at each step? If so, are "
    "the steps too large (is d divided by n?), or do they follow the gradient upwards?",
    "worse than no network": f"{ERRORS} Are the weights returned in the right order? If so, do the steps go against "
    "the gradient, with v − z in d, and are they small enough (is d divided by n?)?",
    "learnt by heart": f"{ERRORS} Take fewer steps, or fewer hidden units.",
    "": f"{ERRORS} A network can learn a little with wrong gradients, so test them first: change one weight by 0.0001 "
    "and compare. Is d divided by n, and is D zero where H is zero? If they are right, take more hidden units (at "
    "least 16), more steps or larger ones.",
}
ZERO_LOG_ZERO = {
    "0 · log 0": "If π is 0 its term counts as 0, although log p may be −∞: leave the term out, or replace p by "
    "another number."
}

NO_PROBABILITIES = {
    "division by zero": "τ = 0 is a separate case: with 1/0, or with a very small τ, the powers are infinite, and ∞/∞ "
    "is no number (nan).",
    "a share for an action without visits": "its probability is 0: add nothing to the counts, not even a small number: "
    "0 to the power 1/τ is 0.",
}

QUESTIONS = {
    "alphazero_lite.trace": by_hand(own_numbers, worked_out, tracing.entries, hints=BY_HAND),
    "alphazero_lite.puct": asks(small_scores, random_scores, tolerance=NEAR, worked="puct"),
    "alphazero_lite.policy": asks(small_counts, random_counts, right=policies, judge=networks.policy, tolerance=NEAR,
                                  hints=NO_PROBABILITIES, kinds=[tied, close]),
    "alphazero_lite.back_up": asks(small_paths, random_path, tolerance=NEAR, worked="back_up"),
    "alphazero_lite.loss": asks(
        small_batches, random_batch, right=with_epsilon, ask=networks.call_with_arrays, judge=networks.loss,
        part="roughly", tolerance=NEAR, hints=ZERO_LOG_ZERO, kinds=[nearly_sure],
        case="my_loss(array({0}), array({1}), array({2}), array({3}), array({4}), {5})"),
    "alphazero_lite.targets": asks(small_ends, random_end, worked="targets"),
    "alphazero_lite.train": asks(
        lesson, kind="beat", ask=networks.call_training, judge=networks.training,
        case="my_training(X, z, {0}), with 1,500 positions of tic-tac-toe", seconds=10, mark=0.35, hidden=64,
        hints=TRAINING),
    "alphazero_lite.plateau": explains(),
}  # fmt: skip
