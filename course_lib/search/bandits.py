"""Bandits: which arm to pull next, and the regret of not having known; many runs at once, with NumPy.

A strategy is `strategy(pulls, wins, luck) → arms`: from how often each arm was pulled in each run and how often it paid
(arrays of shape (runs, arms)) and `luck`, a NumPy generator, the arm to pull next in each run: integers from 0 of shape
(runs,).
"""

from math import inf, log, pi

import numpy as np

from course_lib.search.mcts import C


def uniform(pulls, wins, luck):
    """Any arm with equal probability, exploration only: itself a strategy(pulls, wins, luck) → arms, as in `regret`."""
    runs, arms = pulls.shape
    return luck.integers(arms, size=runs)


def epsilon_greedy(epsilon=0.1):
    """Any arm with probability ε, otherwise the one that paid best on average; one never tried comes first.

    Returns a strategy(pulls, wins, luck) → arms, the next arm of each run, as `regret` takes it. `ValueError` if
    `epsilon` is not from 0 to 1.
    """
    if not 0 <= epsilon <= 1:
        raise ValueError(f"epsilon is a probability, from 0 to 1, not {epsilon!r}")

    def strategy(pulls, wins, luck):
        explore = luck.random(len(pulls)) < epsilon
        return np.where(explore, uniform(pulls, wins, luck), _averages(pulls, wins).argmax(axis=1))

    return strategy


def ucb1_strategy(c=C):
    """The arm of the highest `ucb1`, each tried once first. C = √2 makes it the UCB1 of Auer et al. (2002)."""
    if not 0 <= c < inf:
        raise ValueError(f"c is the weight of exploration, 0 or more, not {c!r}")

    def strategy(pulls, wins, luck):
        log_n = log(max(1, pulls[0].sum()))
        return (_averages(pulls, wins) + c * np.sqrt(log_n / np.maximum(pulls, 1))).argmax(axis=1)

    return strategy


def _averages(pulls, wins):
    """U/N of each arm, ∞ where N = 0."""
    return np.divide(wins, pulls, out=np.full(pulls.shape, inf), where=pulls > 0)


def regret(means, strategy, horizon, runs=200, seed=0):
    """Σ (μ* − μ of the arm pulled) after 1, 2 … `horizon` pulls, averaged over `runs`: an array of this length.

    Arm i pays 1 with probability `means[i]`, otherwise 0. The arms stand in another order in each run, so that no
    strategy gains by where the best one is. The same seed gives the same numbers.
    A strategy is a function (pulls, wins, luck) → arms: from how often each arm was pulled in each run and how often it
    paid, arrays [runs, arms], and a NumPy generator, the arm to pull next in each run, integers [runs] from 0.
    `ValueError` unless `means` are from 0 to 1, and `horizon` and `runs` whole numbers from 1 up.
    """
    means = _checked(means)
    for name, number in (("horizon", horizon), ("runs", runs)):
        if number < 1 or number % 1:
            raise ValueError(f"{name} is a whole number from 1 up, not {number!r}")
    horizon, runs = int(horizon), int(runs)
    luck = np.random.default_rng(seed)
    means = luck.permuted(np.tile(means, (runs, 1)), axis=1)
    pulls, wins, gaps = np.zeros_like(means), np.zeros_like(means), means.max() - means
    lost, each_run = np.empty(horizon), np.arange(runs)
    for step in range(horizon):
        pulled = each_run, strategy(pulls, wins, luck)
        pulls[pulled] += 1
        wins[pulled] += luck.random(runs) < means[pulled]
        lost[step] = gaps[pulled].mean()
    return lost.cumsum()


def ucb1_bound(means, pulls):
    """What the expected regret of UCB1 stays below after so many pulls, a number or an array (Auer et al., 2002).

    8 ln n Σ 1/Δ + (1 + π²/3) Σ Δ over the arms that are not best, Δ being what such an arm pays less than the best.
    `ValueError` unless `means` are probabilities and `pulls` numbers from 1 up.
    """
    means = _checked(means)
    if np.min(pulls) < 1:
        raise ValueError(f"pulls are numbers from 1 up, not {pulls!r}")
    gaps = means.max() - means
    gaps = gaps[gaps > 0]
    return 8 * np.log(pulls) * (1 / gaps).sum() + (1 + pi**2 / 3) * gaps.sum()


def _checked(means):
    array = np.asarray(means, dtype=float)
    if array.ndim != 1 or not array.size or not ((array >= 0) & (array <= 1)).all():
        raise ValueError(f"means are the probabilities of each arm to pay, from 0 to 1, not {means!r}")
    return array
