"""Evaluations against definition-level counts, and fitted weights against an independent view of the likelihood."""

import math
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from course_lib.games import ConnectFour, play, random_agent
from course_lib.games.playing import GameRecord
from course_lib.search import (
    centre,
    fit_weights,
    linear,
    open_threes,
    open_twos,
    tanh_scaled,
)
from course_lib.search.evaluation import logistic_regression, points


def test_connect_four_features_are_what_their_definitions_say():
    game, lines = ConnectFour(), oracle.fours(7, 6)
    for state in (state for seed in range(10) for state in play(game, [random_agent(seed)] * 2).states):
        grid = game.grid(state)[::-1]
        held = Counter("".join(sorted(grid[row][column] for column, row in line)) for line in lines)
        assert open_threes(state) == held[".XXX"] - held[".OOO"]
        assert open_twos(state) == held["..XX"] - held["..OO"]
        assert centre(state) == sum((row[3] == "X") - (row[3] == "O") for row in grid)


def test_a_linear_evaluation_weighs_its_features_and_tanh_scales_it():
    evaluate = linear({"sum": 2, "first": -1}, {"first": lambda state: state[0], "sum": sum})
    assert evaluate((3, 4)) == 11
    assert tanh_scaled(evaluate)((math.log(3), 0)) == pytest.approx(0.999 * 0.5)


@pytest.mark.parametrize("utilities, max_gets", [((2, -2), 1), ((0, 1), 0), ((0.5, 0.5), 0.5)])
def test_the_points_of_a_game_are_for_who_has_more(utilities, max_gets):
    assert points(utilities) == max_gets


def test_weights_are_fitted_to_all_positions_but_the_last_of_each_game():
    """Three wins of four and half a drawn game: 3.25 points of 4.5."""
    records = [GameRecord(utilities, (0,), ("start", "end")) for utilities in [(1, -1)] * 2 + [(1, -1), (-1, 1)]]
    weights = fit_weights(iter(records), {"bias": {"start": 1}.get})
    assert weights == {"bias": pytest.approx(math.log(3.25 / 1.25))}


def log_likelihood(rows, wins, games, w):
    """With half a drawn game for each coefficient alone, written out term by term."""
    total = 0.0
    for row, won, played in [*zip(rows, wins, games), *((unit, 0.25, 0.5) for unit in np.eye(len(w)).tolist())]:
        x = sum(a * b for a, b in zip(row, w))
        total -= won * math.log1p(math.exp(-x)) + (played - won) * math.log1p(math.exp(x))
    return total


def check_top_of_likelihood(rows, wins, games, rng):
    w, covariance = logistic_regression(np.array(rows), np.array(wins), np.array(games))
    assert np.isfinite(w).all()
    assert (np.diag(covariance) > 0).all()
    top = log_likelihood(rows, wins, games, w)
    for _ in range(40):
        nearby = [x + rng.choice([1e-3, 0.1, 1]) * rng.uniform(-1, 1) for x in w]
        assert log_likelihood(rows, wins, games, nearby) <= top + 1e-9


@given(st.integers(1, 3), st.integers(1, 8), st.sampled_from([0.01, 1, 30]), st.randoms(use_true_random=False))
def test_logistic_regression_finds_the_top_of_the_likelihood_even_of_separable_games(size, count, scale, rng):
    rows = [[rng.choice([-1, 0, 0.5, 1]) * scale for _ in range(size)] for _ in range(count)]
    games = [rng.randint(1, 20) for _ in rows]
    wins = [rng.choice([0, played / 2, played]) for played in games]
    check_top_of_likelihood(rows, wins, games, rng)


def test_logistic_regression_does_not_overshoot():
    # Newton's whole steps lead astray here: small features, and everything lost.
    check_top_of_likelihood([[0.1, 0.1], [0.06, 0.02]], [0, 0], [8, 40], random.Random(1))
