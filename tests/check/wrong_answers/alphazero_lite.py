"""Answers to the questions of notebook 7."""

from functools import partial

import numpy as np

from answers import Wrong, mistyped
from course_lib.games import MAX, MIN


def size(case):
    """How many entries the first part of a case has; 1 if that is a number."""
    return len(case[0]) if case and isinstance(case[0], list | tuple) else 1


# PUCT


def puct(Q, P, N, N_parent, c):
    return Q + c * P * N_parent**0.5 / (1 + N)


def puct_numpy(Q, P, N, N_parent, c):
    return np.float64(Q) + np.sqrt(N_parent) * np.float64(P) * c / (N + 1)


def puct_float32(Q, P, N, N_parent, c):
    """All in float32, as a network's numbers are."""
    Q, P, N, N_parent, c = np.array([Q, P, N, N_parent, c], np.float32)
    return Q + c * P * np.sqrt(N_parent) / (1 + N)


# The temperature


def policy(counts, tau):
    if tau == 0:
        best = max(range(len(counts)), key=counts.__getitem__)
        return [int(action == best) for action in range(len(counts))]
    powers = [N ** (1 / tau) for N in counts]
    return [power / sum(powers) for power in powers]


def policy_numpy(counts, tau):
    counts = np.array(counts, float)
    if tau == 0:
        pi = np.zeros(len(counts))
        pi[counts.argmax()] = 1
        return pi
    powers = (counts / counts.max()) ** (1 / tau)
    return powers / powers.sum()


def policy_float32(counts, tau):
    counts = np.array(counts, np.float32)
    if tau == 0:
        return np.float32(counts == counts.max()) / np.float32((counts == counts.max()).sum())
    powers = (counts / counts.max()) ** np.float32(1 / tau)
    return powers / powers.sum()


def policy_last_of_equals(counts, tau):
    if tau:
        total = sum(N ** (1 / tau) for N in counts)
        return tuple(N ** (1 / tau) / total for N in counts)
    pi = [0] * len(counts)
    pi[len(counts) - 1 - counts[::-1].index(max(counts))] = 1
    return pi


def policy_shared(counts, tau):
    """With τ = 0 the largest counts share."""
    best = [float(max(counts) == N) for N in counts]
    return policy(counts, tau) if tau else [one / sum(best) for one in best]


# The back-up


def backed_up(path, v):
    updated, value = [], -v
    for N, W in reversed(path):
        updated.append((N + 1, W + value, (W + value) / (N + 1)))
        value = -value
    return updated[::-1]


def backed_up_float32(path, v):
    return np.float32(backed_up([(N, np.float32(W)) for N, W in path], np.float32(v)))


def backed_up_by_parity(path, v):
    signs = [1 if (len(path) - depth) % 2 == 0 else -1 for depth in range(len(path))]
    return [[N + 1, W + sign * v, (W + sign * v) / (N + 1)] for sign, (N, W) in zip(signs, path)]


# The loss


def loss(p, v, pi, z, theta, c):
    logs = np.zeros_like(p)
    logs[pi > 0] = np.log(p[pi > 0])
    return np.mean((z - v) ** 2 - (pi * logs).sum(axis=1)) + c * (theta**2).sum()


def loss_loops(p, v, pi, z, theta, c):
    total = 0.0
    for probabilities, value, target, outcome in zip(p, v, pi, z):
        total += (outcome - value) ** 2
        total -= sum(t * np.log(q) for t, q in zip(target, probabilities) if t > 0)
    return total / len(z) + c * sum(weight**2 for weight in theta)


def loss_small_number(p, v, pi, z, theta, c):
    """A small number in the logarithm, small enough."""
    return np.mean((z - v) ** 2 - np.sum(pi * np.log(p + 1e-8), axis=1)) + c * np.sum(theta**2)


def loss_careless(p, v, pi, z, theta, c):
    with np.errstate(all="ignore"):
        return np.mean((z - v) ** 2 - (pi * np.log(p)).sum(axis=1)) + c * (theta**2).sum()


# The targets


def targets(movers, winner):
    return [0 if winner is None else 1 if mover == winner else -1 for mover in movers]


def targets_numpy(movers, winner):
    if winner is None:
        return np.zeros(len(movers))
    return np.where(np.array(movers) == winner, 1, -1)


def targets_by_sign(movers, winner):
    for_max = {MAX: 1, MIN: -1, None: 0}[winner]
    return tuple(for_max if mover == MAX else -for_max for mover in movers)


def from_the_end(movers, winner):
    """As if the winner had always moved last."""
    z = 1
    found = []
    for _ in movers:
        found.append(0 if winner is None else z)
        z = -z
    return found[::-1]


# Training


def training(X, z, seed, hidden=16, rate=0.8, steps=800, start=0.3):
    luck = np.random.default_rng(seed)
    W1, b1, w2, b2 = luck.normal(0, start, (9, hidden)), np.zeros(hidden), luck.normal(0, start, hidden), 0.0
    for _ in range(steps):
        H = np.maximum(0, X @ W1 + b1)
        v = np.tanh(H @ w2 + b2)
        d = 2 * (v - z) * (1 - v * v) / len(z)
        D = d[:, None] * w2 * (H > 0)
        W1, b1, w2, b2 = W1 - rate * X.T @ D, b1 - rate * D.sum(0), w2 - rate * d @ H, b2 - rate * d.sum()
    return [W1.tolist(), b1.tolist(), w2.tolist(), float(b2)]


def training_by_momentum(X, z, seed, batch=100):
    """Stochastic gradient descent with momentum, over batches."""
    luck = np.random.default_rng(seed)
    weights = [luck.normal(0, 0.3, (9, 32)), np.zeros(32), luck.normal(0, 0.2, 32), np.zeros(())]
    speed = [np.zeros_like(part) for part in weights]
    for _ in range(60):
        for rows in np.array_split(luck.permutation(len(z)), len(z) // batch):
            H = np.maximum(0, X[rows] @ weights[0] + weights[1])
            v = np.tanh(H @ weights[2] + weights[3])
            d = 2 * (v - z[rows]) * (1 - v * v) / len(rows)
            D = np.outer(d, weights[2]) * (H > 0)
            for part, moving, slope in zip(weights, speed, (X[rows].T @ D, D.sum(axis=0), H.T @ d, d.sum())):
                moving *= 0.9
                moving -= 0.05 * slope
                part += moving
    return tuple(weights)


def random_features(X, z, seed):
    """Only the last layer is fitted, by least squares on the inverse of tanh."""
    luck = np.random.default_rng(seed)
    W1, b1 = luck.normal(0, 0.5, (9, 64)), luck.normal(0, 0.5, 64)
    H = np.c_[np.maximum(0, X @ W1 + b1), np.ones(len(z))]
    *w2, b2 = np.linalg.lstsq(H, np.arctanh(0.8 * z), rcond=None)[0]
    return W1, b1, np.array(w2), b2


BY_HAND = {"Q": [0.1, 0.2, 0.3], "puct": [1, 1, 1], "choice": 0, "pi": [1, 0, 0]}

WRONG = {
    "alphazero_lite.puct": [
        Wrong(mistyped(puct, {" * N_parent**0.5": ""}), 1, "PUCT without the root"),
        Wrong(mistyped(puct, {"/ (1 + N)": '/ N if N else float("inf")'}), 1),
        Wrong(mistyped(puct, {"N_parent**0.5 / (1 + N)": "np.sqrt(np.log(N_parent) / (1 + N))"}), 1),
        Wrong(mistyped(puct, {"N_parent**": "(N_parent - 1) ** "}), 1),
        Wrong(mistyped(puct, {"Q + c * P * N_parent**0.5 / (1 + N)": "c * (Q + P * N_parent**0.5 / (1 + N))"}), 1),
    ],
    "alphazero_lite.policy": [
        Wrong(mistyped(policy, {"1 / tau": "tau"}), 2, "τ instead of 1/τ"),
        Wrong(lambda counts, tau: policy(counts, tau) if tau else [1.0] + [0.0] * (len(counts) - 1), 2),
        Wrong(lambda counts, tau: policy(counts, tau) if tau else counts.index(max(counts)), 1),
        Wrong(lambda counts, tau: policy([float(np.exp(N)) for N in counts], tau), 2),
    ],
    "alphazero_lite.back_up": [
        Wrong(lambda path, v: [(N + 1, W + v, (W + v) / (N + 1)) for N, W in path], 1,
              "back-propagation that never changes sides"),
        Wrong(mistyped(backed_up, {"[], -v": "[], 1 - v", "value = -value": "value = 1 - value"}), 1),
        Wrong(lambda path, v: [(N - 1, W, W / (N - 1) if N > 1 else 0) for N, W, _ in backed_up(path, v)], 1),
        Wrong(lambda path, v: backed_up(path, v)[::-1], 2, "in reversed order"),
    ],
    "alphazero_lite.loss": [
        Wrong(loss_careless, 1, "0 · log 0"),
        Wrong(mistyped(loss, {"np.mean(": "("}), 1),
        Wrong(mistyped(loss_small_number, {"1e-8": "1e-3"}), 1),
        Wrong(lambda p, v, pi, z, theta, c: loss(p, v, pi, z, theta, c / len(z)), 2),
    ],
    "alphazero_lite.targets": [
        Wrong(mistyped(targets, {"mover == winner": "winner == MAX"}), 1, "z for Max"),
        Wrong(mistyped(targets, {"[0 if": "[0.5 if", "else -1": "else 0"}), 1),
        Wrong(lambda movers, winner: [0] * (len(movers) - 1) + targets(movers[-1:], winner), 2),
        Wrong(from_the_end, 2, "turns counted instead of asked"),
    ],
    "alphazero_lite.train": [
        Wrong(partial(training, rate=-0.8), 1, "the same value everywhere"),
        Wrong(partial(training, steps=20), 1),
        Wrong(partial(training, hidden=2), 1),
        Wrong(mistyped(training, {" * (H > 0)": ""}), 1),
        Wrong(partial(training, hidden=65), 1),
        Wrong(lambda X, z, seed: training(X[:200], z[:200], seed, hidden=32), 1),
        Wrong(random_features, 1),
        Wrong(lambda X, z, seed: training(X, z, seed)[:3], 1),
        Wrong(lambda X, z, seed: z, 1),
        Wrong(partial(training, start=0), 1, "the same value everywhere"),
        Wrong(mistyped(training, {"float(b2)": 'float("nan")'}), 1, "no numbers any more"),
    ],
    "alphazero_lite.trace": [
        Wrong({}, 99),
        Wrong(BY_HAND, 99),
        Wrong({"Q": [True, None, "1"], "puct": None, "choice": {}, "pi": []}, 99),
        Wrong({"Q": [[]], "puct": [{}], "choice": [0], "pi": ""}, 99),
    ],
    "alphazero_lite.plateau": [Wrong(letter, 1) for letter in ("a", "c", "d", "bb", 2, ["b"])],
}  # fmt: skip

RIGHT = {
    "alphazero_lite.puct": [puct, puct_numpy, puct_float32],
    "alphazero_lite.policy": [policy, policy_numpy, policy_last_of_equals, policy_shared, policy_float32],
    "alphazero_lite.back_up": [backed_up, backed_up_by_parity, backed_up_float32],
    "alphazero_lite.loss": [loss, loss_loops, loss_small_number],
    "alphazero_lite.targets": [targets, targets_numpy, targets_by_sign],
    "alphazero_lite.train": [training, training_by_momentum, partial(training, hidden=40, steps=400, rate=1)],
}
