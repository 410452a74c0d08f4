"""Evaluations against definition-level counts, and fitted weights against an independent view of the likelihood."""

import math
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from course_lib.games import MAX, ConnectFour, TicTacToe
from course_lib.games.chess import Chess
from course_lib.search import (
    centre,
    depth_limited_minimax_search,
    material,
    material_ratio,
    open_lines,
    open_threes,
    open_twos,
    random_games,
    tanh_scaled,
)
from course_lib.search.evaluation import logistic_regression


def test_open_lines_is_what_its_definition_says_in_every_reachable_state():
    game = TicTacToe()
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    for state in oracle.reachable(game):
        cells = "".join(game.grid(state))
        open_to = {mark: sum(all(cells[i] in (mark, ".") for i in line) for line in lines) for mark in "XO"}
        assert open_lines(state) == open_to["X"] - open_to["O"]


def test_connect_four_features_are_what_their_definitions_say():
    game, lines = ConnectFour(), oracle.fours(7, 6)
    for state in (state for record in random_games(game, 10, seed=3) for state in record.states):
        grid = game.grid(state)[::-1]
        held = Counter("".join(sorted(grid[row][column] for column, row in line)) for line in lines)
        assert open_threes(state) == held[".XXX"] - held[".OOO"]
        assert open_twos(state) == held["..XX"] - held["..OO"]
        assert centre(state) == sum((row[3] == "X") - (row[3] == "O") for row in grid)


def test_material_is_whites_minus_blacks_whoever_moves():
    start = Chess().initial_state()
    assert material(start) == 0
    assert material_ratio(start) == 0
    for turn in "wb":
        state = Chess(f"rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R {turn} KQkq - 0 1").initial_state()
        assert material(state) == (39 - 3) - (39 - 9)
        assert material_ratio(state) == (36 - 30) / (36 + 30)

    bare = [Chess(f"{black}k6/8/8/8/8/8/8/{white}K6 w - - 0 1") for black, white in ("11", "1Q", "q1")]
    assert [material_ratio(game.initial_state()) for game in bare] == [0, 1, -1]


@pytest.mark.parametrize("board, winning", [("XX.OO....", 2), ("XX.OO...X", 5)])
def test_a_scaled_evaluation_does_not_outrank_a_win(board, winning):
    game = TicTacToe()
    state = game.parse(board)
    sign = 1 if game.to_move(state) == MAX else -1
    # Every position that is not over is said to be splendid for the player to move.
    value, action = depth_limited_minimax_search(game, state, 1, tanh_scaled(lambda state: sign * 1000))
    assert (value, action) == (sign, winning)


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
