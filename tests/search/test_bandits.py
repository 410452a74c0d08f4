"""Bandits: regret by its definition, the strategies by hand, and UCB1 under its bound."""

from math import pi

import numpy as np
import pytest

from course_lib.search import epsilon_greedy, regret, ucb1, ucb1_strategy, uniform

EASY, HARD = [0.9] + [0.6] * 9, [0.55, 0.45]
LUCK = np.random.default_rng(1)


def chosen(strategy, pulls, wins, times=1):
    """How often each arm is chosen, by share."""
    pulls, wins = np.tile(np.array(pulls, float), (times, 1)), np.tile(np.array(wins, float), (times, 1))
    return np.bincount(strategy(pulls, wins, LUCK), minlength=pulls.shape[1]) / times


def test_ucb1_strategy_chooses_by_ucb1():
    """The numbers of the notebook's tree: C = 1.4 chooses the first child and C = 1.5 the last."""
    pulls, wins = [79, 10, 11], [60, 1, 2]
    for c, best in (1.4, 0), (1.5, 2):
        assert chosen(ucb1_strategy(c), pulls, wins)[best] == 1
        assert max(range(3), key=lambda arm: ucb1(wins[arm], pulls[arm], 100, c)) == best


def test_each_run_is_decided_by_itself():
    pulls, wins = np.array([[10.0, 10], [10, 10]]), np.array([[9.0, 1], [1, 9]])
    for strategy in ucb1_strategy(), epsilon_greedy(0):
        assert strategy(pulls, wins, LUCK).tolist() == [0, 1]


def test_arms_never_tried_come_first():
    for strategy in ucb1_strategy(), epsilon_greedy(0):
        assert chosen(strategy, [0, 0, 0], [0, 0, 0])[0] == 1
        assert chosen(strategy, [1, 5, 0], [1, 5, 0])[2] == 1


def test_shares_of_exploration():
    assert chosen(uniform, [5, 5, 5, 5], [5, 0, 0, 0], 40_000) == pytest.approx([0.25] * 4, abs=0.01)
    shares = chosen(epsilon_greedy(0.2), [5, 5, 5, 5], [0, 0, 5, 0], 40_000)
    assert shares == pytest.approx([0.05, 0.05, 0.85, 0.05], abs=0.01)


def test_regret_by_its_definition():
    """Always the same place: the arms change places from run to run, so it costs the average gap at each pull."""
    shown = []

    def first(pulls, wins, rng):
        assert (wins <= pulls).all()
        shown.append((pulls.sum(axis=1), wins[:, 0].sum()))
        return np.zeros(len(pulls), int)

    curve = regret([0.8, 0.2], first, horizon=50, runs=2000)
    assert len(curve) == len(shown) == 50
    assert curve == pytest.approx(np.arange(1, 51) * curve[0])
    assert curve[0] == pytest.approx(0.3, abs=0.03)
    assert all((pulls == step).all() for step, (pulls, _) in enumerate(shown))
    assert shown[-1][1] == pytest.approx(49 * 2000 * 0.5, rel=0.05), "half of the runs see the arm of 0.8"


@pytest.mark.parametrize("means", [EASY, HARD])
def test_regret_of_ucb1_is_under_the_bound_and_flattens(means):
    curve = regret(means, ucb1_strategy(), 4000)
    gaps = [max(means) - mean for mean in means if mean < max(means)]
    bound = 8 * np.log(np.arange(1, 4001)) * sum(1 / gap for gap in gaps) + (1 + pi**2 / 3) * sum(gaps)
    assert (curve < bound).all(), "Auer et al., 2002"
    assert curve[3999] - curve[1999] < 0.7 * (curve[1999] - curve[0]), "a straight line would gain as much again"
