"""Exact scores of Connect Four: the published ones, and those of small boards from the definition."""

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
