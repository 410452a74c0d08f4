"""Pac-Man on the board: the marks, what is told beside them; test_widgets_board.py has a step by clicking."""

import re

import pytest
from matplotlib.patches import Polygon, Wedge

from course_lib.explore import board
from course_lib.explore.board import LOOKS, position_picture
from course_lib.explore.scripts import script
from course_lib.games import MIN, Pacman, TreeGame, random_agent

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
    assert shown.view["story"] == "There is no legal move there."


def test_you_may_be_the_ghosts_and_a_catch_is_told():
    shown = board(SMALL, stepping("right", "down"), human=MIN)
    assert shown.view["status"] == "Min (the ghosts) to move: your turn."
    assert shown.view["text"].startswith("ghost A to move, 9 points")
    shown.choose("left")
    assert shown.view["text"].startswith("ghost B to move")
    shown.choose("left")
    assert shown.states[-1] == SMALL.after("right", "left", "left")
    caught = board(SMALL, state=SMALL.after("right", "left", "left", "right"))
    assert cell(caught, 1, 3)["label"] == "row 2, column 4, Pac-Man, caught"
    assert caught.view["status"] == "The end: −92 for Max, 92 for Min."


@pytest.mark.parametrize("mark", ["#", "P", "A", "B", "a", "b", "o", "X"])
def test_every_mark_has_a_name_and_a_drawing(mark):
    look, _, names = LOOKS[Pacman]
    assert look == "maze" and names[mark]
    text = script("board.js")
    (maze,) = re.findall(r"maze: \{(.*?)\n  \}", text, re.DOTALL)
    assert re.search(rf"^\s*\"?{mark}\"?: ", maze, re.MULTILINE)


def test_the_still_picture_draws_pacman_and_the_ghosts():
    shapes = [type(artist) for artist in position_picture(board(SMALL)).axes[0].get_children()]
    assert (shapes.count(Wedge), shapes.count(Polygon)) == (1, 2)


TRAP = Pacman("""
###########
#...Bo....#
#.##.#.##.#
#.....PoA.#
###########""", plies=60)  # fmt: skip


def test_values_against_random_ghosts_are_means_and_say_so():
    """Perfect ghosts catch Pac-Man whatever it does; random ones seldom, so another move is best."""
    perfect, luck = (board(TRAP, opponent, values=True) for opponent in (None, random_agent(3)))
    best = [max(worths(shown), key=worths(shown).get) for shown in (perfect, luck)]
    assert best == ["right", "up"]
    assert "against an opponent who plays at random" in luck.view["caption"]
    assert "at random" not in perfect.view["caption"] and "0 where" not in perfect.view["caption"]
    luck.ask()
    luck.why_not("left")
    assert "answers" not in luck.view["story"], "nobody knows what they will do"
    mine = board(TRAP, random_agent(3), values=True, search=lambda game, state: (7, None))
    assert set(worths(mine).values()) == {7} and "at random" not in mine.view["caption"]


def worths(shown):
    advice, _ = shown._advise(shown.state)
    return advice.values


def test_a_random_opponent_is_averaged_over_exactly():
    game = TreeGame([[0, 10], [4, 4], [-20, 40]])
    assert worths(board(game, random_agent(1))) == {0: 5, 1: 4, 2: 10}
    assert worths(board(game)) == {0: 0, 1: 4, 2: -20}
