"""Pac-Man on the board: the marks, what is told beside them; test_widgets_board.py has a step by clicking."""

import re

import pytest

from course_lib.explore import board
from course_lib.explore.board import MARKS
from course_lib.explore.bundle import script
from course_lib.games import Pacman

SMALL = Pacman("######\n#Po.A#\n#.##.#\n#o..B#\n######")


def stepping(*actions):
    """An agent that takes these actions in turn."""
    planned = list(actions)
    return lambda game, state: planned.pop(0)


def cell(shown, row, column):
    return shown.view["cells"][row * shown.view["columns"] + column]


def test_a_click_is_a_step_and_both_ghosts_answer():
    shown = board(SMALL, stepping("left", "up"))
    assert shown.view["status"] == "Max (Pac-Man) to move: your turn."
    assert cell(shown, 1, 2)["label"] == "row 2, column 3, pellet, move right"
    shown.click(1, 2)
    assert shown.actions == ["right", "left", "up"]
    assert shown.view["text"] == "Pac-Man to move, 9 points, 87 plies left"
    marks = [cell(shown, row, column)["mark"] for row, column in ((1, 1), (1, 2), (1, 3), (2, 4))]
    assert marks == [".", "P", "A", "B"]
    shown.click(0, 0)
    assert shown.view["message"] == "There is no legal move there."


@pytest.mark.parametrize("mark", ["#", "P", "A", "B", "a", "b", "o", "X"])
def test_every_mark_has_a_name_and_a_drawing(mark):
    assert MARKS[SMALL.board_style][mark]
    text = script("board.js")
    (maze,) = re.findall(r"maze: \{(.*?)\n  \}", text, re.DOTALL)
    assert re.search(rf"^\s*\"?{mark}\"?: ", maze, re.MULTILINE)
