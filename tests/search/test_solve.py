"""Exact scores of Connect Four: the published ones, and those of small boards from the definition."""

import random
from functools import cache
from pathlib import Path

import pytest

from course_lib.games import MAX, MIN, ConnectFour
from course_lib.search import solve
from oracle import published_positions

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize("sample", ["Test_L3_R1_sample", "Test_L2_R1_sample"])
def test_published_scores(sample):
    game = ConnectFour()
    positions = published_positions(DATA / sample)
    assert {game.to_move(state) for state, _ in positions} == {MAX, MIN}
    assert {(score > 0) - (score < 0) for _, score in positions} == {-1, 0, 1}
    assert [solve(game, state) for state, _ in positions] == [score for _, score in positions]


@cache
def score_by_definition(game, state):
    """0 for a draw, otherwise 1 and the winner's stones that are left when it wins; minus that for who loses."""
    if not game.is_terminal(state):
        return max(-score_by_definition(game, game.result(state, action)) for action in game.actions(state))
    if game.utility(state, MAX) == 0:
        return 0
    first_wins = game.utility(state, MAX) > 0
    cells = game.columns * game.rows
    stones = (cells + 1) // 2 if first_wins else cells // 2
    left = stones - "".join(game.grid(state)).count("X" if first_wins else "O")
    return 1 + left if first_wins == (game.to_move(state) == MAX) else -1 - left


@pytest.mark.parametrize("columns, rows", [(4, 4), (5, 3), (3, 5), (7, 2), (5, 5)])
def test_small_boards(columns, rows):
    """Even and odd numbers of cells; either player to move; finished games too."""
    game, luck = ConnectFour(columns, rows), random.Random(1)
    scores = set()
    for _ in range(60):
        state = game.initial_state()
        for _ in range(columns * rows - luck.randrange(11)):
            if not game.is_terminal(state):
                state = game.result(state, luck.choice(game.actions(state)))
        scores.add(solve(game, state))
        assert solve(game, state) == score_by_definition(game, state)
    assert min(scores) < 0 or rows == 2
    assert 0 in scores
