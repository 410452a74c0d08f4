"""Answers to the questions of notebook 7."""

import numpy as np

from answers import Wrong
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


def puct_of_000(Q, P, N, N_parent, c):
    return Q + c * P / (1 + N)


def puct_sum(Q, P, N, N_parent, c):
    return Q + c * P * N_parent / (1 + N)


def puct_by_n(Q, P, N, N_parent, c):
    return Q + c * P * N_parent**0.5 / N if N else float("inf")


def puct_ucb(Q, P, N, N_parent, c):
    return Q + c * P * np.sqrt(np.log(N_parent) / (1 + N))


def puct_without_parent_itself(Q, P, N, N_parent, c):
    return Q + c * P * (N_parent - 1) ** 0.5 / (1 + N)


def puct_all_in_c(Q, P, N, N_parent, c):
    return c * (Q + P * N_parent**0.5 / (1 + N))


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


def policy_times(counts, tau):
    return policy(counts, 1 / tau if tau else 0)


def policy_plain(counts, tau):
    return policy(counts, 1 if tau else 0)


def policy_unscaled(counts, tau):
    return [N ** (1 / tau) for N in counts] if tau else policy(counts, 0)


def policy_no_zero(counts, tau):
    return policy(counts, 1 / (1 / tau))


def policy_shared(counts, tau):
    """With τ = 0 the largest counts share."""
    best = [float(max(counts) == N) for N in counts]
    return policy(counts, tau) if tau else [one / sum(best) for one in best]


def policy_not_shared(counts, tau):
    """With τ = 0 the largest counts have 1 each."""
    return policy(counts, tau) if tau else [float(max(counts) == N) for N in counts]


def policy_of_visited(counts, tau):
    """The actions without visits are left out of the list."""
    return policy([N for N in counts if N], tau)


def policy_first(counts, tau):
    return policy(counts, tau) if tau else [1.0] + [0.0] * (len(counts) - 1)


def policy_index(counts, tau):
    return policy(counts, tau) if tau else counts.index(max(counts))


def policy_exponential(counts, tau):
    return policy([float(np.exp(N)) for N in counts], tau)


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


def unmended(path, v):
    return [(N + 1, W + v, (W + v) / (N + 1)) for N, W in path]


def all_minus(path, v):
    return unmended(path, -v)


def other_side(path, v):
    return backed_up(path, -v)


def from_root(path, v):
    return [(N + 1, W + v * (-1) ** depth, (W + v * (-1) ** depth) / (N + 1)) for depth, (N, W) in enumerate(path)]


def one_minus(path, v):
    updated, value = [], 1 - v
    for N, W in reversed(path):
        updated.append((N + 1, W + value, (W + value) / (N + 1)))
        value = 1 - value
    return updated[::-1]


def no_visits(path, v):
    return [(N - 1, W, W / (N - 1) if N > 1 else 0) for N, W, _ in backed_up(path, v)]


def upside_down(path, v):
    return backed_up(path, v)[::-1]


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


def loss_plus(p, v, pi, z, theta, c):
    return 2 * loss(p, v, np.zeros_like(pi), z, theta, c) - loss(p, v, pi, z, theta, c)


def loss_mean_of_all(p, v, pi, z, theta, c):
    logs = np.log(np.where(pi > 0, p, 1))
    return np.mean((z - v) ** 2) - np.mean(pi * logs) + c * (theta**2).sum()


def loss_sum(p, v, pi, z, theta, c):
    return len(z) * loss(p, v, pi, z, theta, 0) + c * (theta**2).sum()


def loss_without_weights(p, v, pi, z, theta, c):
    return loss(p, v, pi, z, theta, 0)


def loss_norm(p, v, pi, z, theta, c):
    return loss(p, v, pi, z, theta, 0) + c * np.linalg.norm(theta)


def loss_array(p, v, pi, z, theta, c):
    """One number for each position."""
    return (z - v) ** 2 - (pi * np.log(np.where(pi > 0, p, 1))).sum(axis=1) + c * (theta**2).sum()


def loss_epsilon(p, v, pi, z, theta, c):
    """A small number in the logarithm, and not so small."""
    return np.mean((z - v) ** 2 - (pi * np.log(p + 1e-3)).sum(axis=1)) + c * (theta**2).sum()


def loss_batch_weights(p, v, pi, z, theta, c):
    """The weights divided by the batch too."""
    return loss(p, v, pi, z, theta, c / len(z))


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


def for_the_one_before(movers, winner):
    return [-z for z in targets(movers, winner)]


def turn_by_turn(movers, winner):
    first = targets(movers[:1], winner)[0]
    return [first * (-1) ** ply for ply in range(len(movers))]


def draw_lost(movers, winner):
    return [1 if mover == winner else -1 for mover in movers]


def zero_or_one(movers, winner):
    return [0.5 if winner is None else float(mover == winner) for mover in movers]


def only_the_end(movers, winner):
    return [0] * (len(movers) - 1) + targets(movers[-1:], winner)


def falsy(movers, winner):
    """MAX is 0, and so taken for nobody."""
    return targets(movers, winner) if winner else [0] * len(movers)


# The gate


def gate(wins, draws, losses, threshold):
    return (wins + draws / 2) / (wins + draws + losses) > threshold


def gate_in_points(wins, draws, losses, threshold):
    return bool(np.mean([1] * wins + [0.5] * draws + [0] * losses) > threshold)


def gate_if(wins, draws, losses, threshold):
    games = wins + losses + draws
    return threshold < (2 * wins + draws) / (2 * games)


def gate_at_least(wins, draws, losses, threshold):
    return (wins + draws / 2) / (wins + draws + losses) >= threshold


def gate_wins(wins, draws, losses, threshold):
    return wins / (wins + draws + losses) > threshold


def gate_decided(wins, draws, losses, threshold):
    return wins / max(1, wins + losses) > threshold


def gate_of_forty(wins, draws, losses, threshold):
    return (wins + draws / 2) / 40 > threshold


def gate_score(wins, draws, losses, threshold):
    return (wins + draws / 2) / (wins + draws + losses)


def gate_whole(wins, draws, losses, threshold):
    return (wins + draws // 2) / (wins + draws + losses) > threshold


def gate_rounded(wins, draws, losses, threshold):
    return round((wins + draws / 2) / (wins + draws + losses), 1) > threshold


BY_HAND = {"Q": [0.1, 0.2, 0.3], "puct": [1, 1, 1], "choice": 0, "pi": [1, 0, 0]}
UNCHANGING = "back-propagation that never changes sides"

WRONG = {
    "alphazero_lite.puct": [
        Wrong(puct_of_000, 1, "PUCT without the root"),
        Wrong(puct_sum, 1, "no square root"),
        Wrong(puct_by_n, 1),
        Wrong(puct_ucb, 1),
        Wrong(puct_without_parent_itself, 1),
        Wrong(puct_all_in_c, 1),
    ],
    "alphazero_lite.policy": [
        Wrong(policy_times, 2, "τ instead of 1/τ"),
        Wrong(policy_plain, 2, "τ without effect"),
        Wrong(policy_unscaled, 1, "not divided by the sum"),
        Wrong(policy_no_zero, 1, "division by zero"),
        Wrong(policy_first, 2),
        Wrong(policy_index, 1),
        Wrong(policy_not_shared, 2, "equals not shared"),
        Wrong(policy_of_visited, 2, "actions left out"),
        Wrong(policy_exponential, 2),
    ],
    "alphazero_lite.back_up": [
        Wrong(unmended, 1, UNCHANGING),
        Wrong(all_minus, 2, f"{UNCHANGING}, from the other side"),
        Wrong(other_side, 1, "the wrong side"),
        Wrong(from_root, 1, "sides counted from the root"),
        Wrong(one_minus, 1),
        Wrong(no_visits, 1),
        Wrong(upside_down, 2),
    ],
    "alphazero_lite.loss": [
        Wrong(loss_careless, 1, "0 · log 0"),
        Wrong(loss_plus, 1, "the cross entropy has the wrong sign"),
        Wrong(loss_mean_of_all, 1, "a mean over the actions"),
        Wrong(loss_sum, 2, "the sum over the batch"),
        Wrong(loss_without_weights, 1, "the weights left out"),
        Wrong(loss_norm, 1, "‖θ‖ is not squared"),
        Wrong(loss_array, 1),
        Wrong(loss_epsilon, 1),
        Wrong(loss_batch_weights, 2),
    ],
    "alphazero_lite.targets": [
        Wrong(for_max, 1, "z for Max"),
        Wrong(for_the_one_before, 1, "the wrong side"),
        Wrong(turn_by_turn, 2, "turns counted instead of asked"),
        Wrong(draw_lost, 1, "a draw counted as a loss"),
        Wrong(zero_or_one, 1),
        Wrong(only_the_end, 2),
        Wrong(falsy, 1),
    ],
    "alphazero_lite.gate": [
        Wrong(gate_at_least, 1, "≥ instead of >"),
        Wrong(gate_wins, 1, "a draw counted as a loss"),
        Wrong(gate_decided, 1),
        Wrong(gate_of_forty, 1),
        Wrong(gate_score, 1),
        Wrong(gate_whole, 1),
        Wrong(gate_rounded, 1, "the score is rounded"),
    ],
    "alphazero_lite.trace": [
        Wrong({}, 99),
        Wrong(BY_HAND, 99),
        Wrong({"Q": [True, None, "1"], "puct": None, "choice": {}, "pi": []}, 99),
        Wrong({"Q": [[]], "puct": [{}], "choice": [0], "pi": ""}, 99),
    ],
    "alphazero_lite.plateau": [Wrong(letter, 1) for letter in ("a", "c", "d", "bb", 2, ["b"])],
}

RIGHT = {
    "alphazero_lite.puct": [puct, puct_numpy, puct_in_steps, puct_float32],
    "alphazero_lite.policy": [policy, policy_numpy, policy_last_of_equals, policy_shared, policy_float32],
    "alphazero_lite.back_up": [backed_up, backed_up_recursive, backed_up_by_parity, backed_up_float32],
    "alphazero_lite.loss": [loss, loss_loops, loss_nan, loss_small_number],
    "alphazero_lite.targets": [targets, targets_loop, targets_numpy, targets_by_sign],
    "alphazero_lite.gate": [gate, gate_in_points, gate_if],
}
