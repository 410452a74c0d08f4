"""The score card: its pictures, and that each row is what its notebook's method finds."""

import subprocess
import sys

import pytest

from course_lib.explore.score_card import ROWS, score_card
from course_lib.games import THREAD_POSITION, ConnectFour
from course_lib.search import depth_limited_minimax_search, expectimax_search, uniform_model

COLUMN = {notebook: column for notebook, (_, column, _) in ROWS.items()}


class Counting(ConnectFour):
    nodes = 1

    def result(self, state, action):
        self.nodes += 1
        return super().result(state, action)


GAME = ConnectFour()
THREAD = GAME.after(*THREAD_POSITION)


def test_a_row_is_open_until_the_end_of_its_notebook():
    before, after = repr(score_card(3)), repr(score_card(3, filled=True))
    assert "2 | minimax, five plies | column 4 | 15,516 nodes" in before and before.endswith("\n3 | alpha-beta | ?")
    assert after.endswith("\n3 | alpha-beta, thirteen plies | column 5 | 21,202,259 nodes: proved")
    assert score_card(7, filled=True)._repr_html_().count("column 5") == 3  # two rows, and a text
    with pytest.raises(ValueError, match="from 2 to 7, not 1"):
        score_card(1)


def test_the_board_of_the_card_is_the_position_and_needs_no_picture():
    assert [row.replace(" ", ".") for row in score_card(2).board][-2:] == ["..○●●○●", "○●○●●○○"]
    code = "import sys; sys.modules['matplotlib'] = None; from course_lib.explore import score_card; score_card(7)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_minimax_and_expectimax_play_what_the_card_says():
    game = Counting()
    assert depth_limited_minimax_search(game, THREAD, 5)[1] == COLUMN[2] and game.nodes == 15_516
    value, column = expectimax_search(GAME, THREAD, uniform_model(GAME), 5)
    assert column == COLUMN[5] and f"{value:.0%}" == "98%"
