"""The regret of bandit strategies at the horizon of the course: 100,000 pulls, 200 runs, two sets of arms.

python tests/benchmarks/bench_bandits.py [horizon] [runs]   (two to three minutes)
"""

import sys
from time import process_time

import numpy as np

from course_lib.search import epsilon_greedy, regret, ucb1_bound, ucb1_strategy, uniform

STRATEGIES = {"uniform": uniform, "epsilon = 0.1": epsilon_greedy(0.1), "UCB1": ucb1_strategy()}


def main(horizon=100_000, runs=200):
    times = np.array([n for n in (100, 1_000, 10_000, 25_000, 50_000, 100_000) if n <= horizon])
    for arms, means in (("0.9, nine of 0.6", [0.9] + [0.6] * 9), ("0.55, 0.45", [0.55, 0.45])):
        print(f"arms {arms}; mean regret of {runs} runs after n pulls; both slopes from n = {times[-2]:,} on")
        print(f"{'n':24}{''.join(f'{n:>10,}' for n in times)}{'per pull':>10}{'per ln n':>10}{'CPU':>8}")
        print_row("bound of Auer et al.", ucb1_bound(means, times), times, "")
        for name, strategy in STRATEGIES.items():
            start = process_time()
            curve = regret(means, strategy, horizon, runs)
            print_row(name, curve[times - 1], times, f"{process_time() - start:6.0f} s")
            under = (curve[1:] < ucb1_bound(means, np.arange(2, horizon + 1))).all()
            print(f"{'':24}under the bound from n = 2 to {horizon:,}: {'yes' if under else 'no'}")


def print_row(name, values, times, cpu):
    gained, passed = values[-1] - values[-2], times[-1] - times[-2]
    slopes = f"{gained / passed:10.4f}{gained / np.log(times[-1] / times[-2]):10.1f}"
    print(f"{name:24}{''.join(f'{value:10.1f}' for value in values)}{slopes}{cpu:>8}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
