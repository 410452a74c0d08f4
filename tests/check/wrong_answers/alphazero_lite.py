"""Answers to the questions of notebook 7."""

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


def puct_in_steps(Q, P, N, N_parent, c):
    exploration = P
    exploration *= np.sqrt(N_parent)
    exploration /= 1 + N
    return Q + c * exploration


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


def backed_up_recursive(path, v):
    if not path:
        return []
    *above, (N, W) = path
    return [*backed_up_recursive(above, -v), (N + 1, W - v, (W - v) / (N + 1))]


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


def loss_nan(p, v, pi, z, theta, c):
    with np.errstate(all="ignore"):
        terms = np.nan_to_num(pi * np.log(p))
    return ((z - v) @ (z - v) - terms.sum()) / len(z) + c * np.dot(theta, theta)


def loss_small_number(p, v, pi, z, theta, c):
    """A small number in the logarithm, small enough."""
    return np.mean((z - v) ** 2 - np.sum(pi * np.log(p + 1e-8), axis=1)) + c * np.sum(theta**2)


def loss_careless(p, v, pi, z, theta, c):
    with np.errstate(all="ignore"):
        return np.mean((z - v) ** 2 - (pi * np.log(p)).sum(axis=1)) + c * (theta**2).sum()


# The targets


def targets(movers, winner):
    return [0 if winner is None else 1 if mover == winner else -1 for mover in movers]


def targets_loop(movers, winner):
    z = []
    for mover in movers:
        if winner is None:
            z.append(0.0)
        elif mover == winner:
            z.append(1.0)
        else:
            z.append(-1.0)
    return z


def targets_numpy(movers, winner):
    if winner is None:
        return np.zeros(len(movers))
    return np.where(np.array(movers) == winner, 1, -1)


def targets_by_sign(movers, winner):
    for_max = {MAX: 1, MIN: -1, None: 0}[winner]
    return tuple(for_max if mover == MAX else -for_max for mover in movers)


def for_max(movers, winner):
    return [{MAX: 1, MIN: -1, None: 0}[winner] for _ in movers]


# The gate


def gate(wins, draws, losses, threshold):
    return (wins + draws / 2) / (wins + draws + losses) > threshold


def gate_in_points(wins, draws, losses, threshold):
    return bool(np.mean([1] * wins + [0.5] * draws + [0] * losses) > threshold)


def gate_if(wins, draws, losses, threshold):
    games = wins + losses + draws
    return threshold < (2 * wins + draws) / (2 * games)


BY_HAND = {"Q": [0.1, 0.2, 0.3], "puct": [1, 1, 1], "choice": 0, "pi": [1, 0, 0]}
SCORE = "(wins + draws / 2) / (wins + draws + losses)"

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
        Wrong(lambda counts, tau: policy([N for N in counts if N], tau), 2, "actions left out"),
        Wrong(lambda counts, tau: policy(counts, tau) if tau else [1.0] + [0.0] * (len(counts) - 1), 2),
        Wrong(lambda counts, tau: policy(counts, tau) if tau else counts.index(max(counts)), 1),
        Wrong(lambda counts, tau: policy([float(np.exp(N)) for N in counts], tau), 2),
    ],
    "alphazero_lite.back_up": [
        Wrong(lambda path, v: [(N + 1, W + v, (W + v) / (N + 1)) for N, W in path], 1,
              "back-propagation that never changes sides"),
        Wrong(lambda path, v: backed_up(path, -v), 1, "the wrong side"),
        Wrong(mistyped(backed_up, {"[], -v": "[], 1 - v", "value = -value": "value = 1 - value"}), 1),
        Wrong(lambda path, v: [(N - 1, W, W / (N - 1) if N > 1 else 0) for N, W, _ in backed_up(path, v)], 1),
        Wrong(lambda path, v: backed_up(path, v)[::-1], 2),
    ],
    "alphazero_lite.loss": [
        Wrong(loss_careless, 1, "0 · log 0"),
        Wrong(mistyped(loss, {"- (pi": "+ (pi"}), 1, "the cross entropy has the wrong sign"),
        Wrong(mistyped(loss, {"np.mean(": "("}), 1),
        Wrong(mistyped(loss_small_number, {"1e-8": "1e-3"}), 1),
        Wrong(lambda p, v, pi, z, theta, c: loss(p, v, pi, z, theta, c / len(z)), 2),
    ],
    "alphazero_lite.targets": [
        Wrong(mistyped(targets, {"mover == winner": "winner == MAX"}), 1, "z for Max"),
        Wrong(lambda movers, winner: [-z for z in targets_loop(movers, winner)], 1, "the wrong side"),
        Wrong(mistyped(targets, {"[0 if": "[0.5 if", "else -1": "else 0"}), 1),
        Wrong(lambda movers, winner: [0] * (len(movers) - 1) + targets(movers[-1:], winner), 2),
        Wrong(lambda movers, winner: targets(movers, winner) if winner else [0] * len(movers), 1),  # MAX is 0
    ],
    "alphazero_lite.gate": [
        Wrong(mistyped(gate_if, {"threshold < ": "threshold <= "}), 1, "≥ instead of >"),
        Wrong(mistyped(gate, {SCORE: "wins / max(1, wins + losses)"}), 1),
        Wrong(mistyped(gate, {"(wins + draws + losses)": "40"}), 1),
        Wrong(mistyped(gate, {" > threshold": ""}), 1),
        Wrong(mistyped(gate, {"draws / 2": "draws // 2"}), 1),
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
    "alphazero_lite.puct": [puct, puct_numpy, puct_in_steps, puct_float32],
    "alphazero_lite.policy": [policy, policy_numpy, policy_last_of_equals, policy_shared, policy_float32],
    "alphazero_lite.back_up": [backed_up, backed_up_recursive, backed_up_by_parity, backed_up_float32],
    "alphazero_lite.loss": [loss, loss_loops, loss_nan, loss_small_number],
    "alphazero_lite.targets": [targets, targets_loop, targets_numpy, targets_by_sign],
    "alphazero_lite.gate": [gate, gate_in_points, gate_if],
}
