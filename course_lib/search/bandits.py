"""Bandits: which arm to pull next, and the regret of not having known; many runs at once, with NumPy.

A *strategy* is a function `strategy(pulls, wins, rng) → arms`. It chooses the arm to pull next in each run:

- `pulls` and `wins`, arrays [runs, arms], say how often each arm was pulled in each run, and how often it paid;
- `rng` is a NumPy `Generator`, the source of random choices;
- `arms`, whole numbers [runs], are the choices, counted from 0.
"""

from collections.abc import Callable, Sequence
from math import inf, log
from typing import TYPE_CHECKING

from course_lib.games.checks import check_function, check_number, check_whole
from course_lib.games.randomness import RandomSource, Seed, numpy_generator
from course_lib.search.lazy_import import LazyImport
from course_lib.search.mcts import UCB1_C

np = LazyImport("numpy")

if TYPE_CHECKING:
    from numpy import ndarray as Array


Strategy = Callable[["Array", "Array", RandomSource], "Array"]


def uniform(pulls: "Array", wins: "Array", rng: RandomSource) -> "Array":
    """The strategy that pulls any arm with equal probability: exploration only."""
    runs, arms = pulls.shape
    return numpy_generator(rng).integers(arms, size=(runs,))


def epsilon_greedy(epsilon: float = 0.1) -> Strategy:
    """The strategy that pulls any arm with probability ε, and otherwise the one that has paid best on average.

    An arm that was never pulled counts as best.
    """
    check_number(0, 1, epsilon=epsilon)

    def strategy(pulls, wins, rng):
        rng = numpy_generator(rng)
        explore = rng.random(len(pulls)) < epsilon
        return np.where(explore, uniform(pulls, wins, rng), _averages(pulls, wins).argmax(axis=1))

    return strategy


def ucb1_strategy(c: float = UCB1_C) -> Strategy:
    """The strategy that pulls the arm with the highest `ucb1`; C = √2 makes it the UCB1 of Auer et al. (2002)."""
    check_number(0, c=c)

    def strategy(pulls, wins, rng):
        log_n = log(max(1, pulls[0].sum()))
        return (_averages(pulls, wins) + c * np.sqrt(log_n / np.maximum(pulls, 1))).argmax(axis=1)

    return strategy


def _averages(pulls, wins):
    """U/N of each arm, ∞ where N = 0."""
    return np.divide(wins, pulls, out=np.full(pulls.shape, inf), where=pulls > 0)


def regret(means: Sequence[float], strategy: Strategy, horizon: int, *, runs: int = 200, seed: Seed = 0) -> "Array":
    """The regret of a strategy, Σ (μ* − μ of the arm pulled), after 1, 2 … `horizon` pulls: an array of this length.

    It is the mean over `runs` runs. Arm i pays 1 with probability `means[i]`, otherwise 0. Each run puts the arms in
    another order, so that no strategy gains by the place of the best one. The same seed gives the same numbers.
    A `strategy(pulls, wins, rng)` returns the arm to pull next in each run: an array of whole numbers [runs]. Its
    `pulls` and `wins` are arrays [runs, arms], and `rng` is a NumPy `Generator`.
    """
    for mean in means:
        check_number(0, 1, mean=mean)
    check_function("strategy(pulls, wins, rng) → arms", strategy)
    check_whole(1, horizon=horizon, runs=runs, arms=len(means))
    rng = numpy_generator(seed)
    shuffled = rng.permuted(np.tile(means, (runs, 1)), axis=1)
    pulls, wins, gaps = np.zeros_like(shuffled), np.zeros_like(shuffled), shuffled.max() - shuffled
    lost, each_run = np.empty(horizon), np.arange(runs)
    for step in range(horizon):
        pulled = each_run, strategy(pulls, wins, rng)
        pulls[pulled] += 1
        wins[pulled] += rng.random(runs) < shuffled[pulled]
        lost[step] = gaps[pulled].mean()
    return lost.cumsum()
