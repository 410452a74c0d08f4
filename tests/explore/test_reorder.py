"""Moves in another order: the leaves that a search looks at then, and the words about them; see test_widgets_explorer
for the buttons in the browser."""

import pytest

from course_lib.explore import watch
from course_lib.explore.reorder import Reorder
from course_lib.games import MAX, MIN, Chance, ConnectFour, TreeGame
from course_lib.search import (
    alpha_beta_search,
    centre,
    depth_limited_alpha_beta_search,
    expectiminimax_search,
    minimax_search,
)

TREE = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])


def reordering(search, game):
    """The buttons' row, and the list of the records that it makes."""
    records = []
    return Reorder(watch(search, game), records.append), records


def said(row):
    return row.children[-1].value


def press(row, name):
    next(button for button in row.children if button.description == name).click()


@pytest.mark.parametrize("first", [MAX, MIN])
@pytest.mark.parametrize("search, given, best, worst", [(alpha_beta_search, 7, 5, 9), (minimax_search, 9, 9, 9)])
def test_leaves_in_this_order_and_in_the_best_and_the_worst(search, given, best, worst, first):
    row, _ = reordering(search, TreeGame(TREE.tree, first=first))
    assert said(row) == f"<b>{given}</b> leaves visited in this order"
    press(row, "best first")
    assert said(row).startswith(f"<b>{best}</b>")
    press(row, "worst first")
    assert said(row).startswith(f"<b>{worst}</b>")


def test_moves_are_reordered_in_trees_with_chance():
    risky = Chance([(0.5, 10), (0.5, 1)])
    row, records = reordering(expectiminimax_search, TreeGame({"low": 2, "risk": risky, "safe": [5, 4]}))
    assert said(row) == "<b>5</b> leaves visited in this order"
    press(row, "best first")
    assert list(records[-1].root.children) == ["risk", "safe", "low"]
    assert records[-1].result == (5.5, "risk")
    press(row, "worst first")
    assert list(records[-1].root.children) == ["low", "safe", "risk"]
    row.move(("risk", "1"), -1)
    assert len(records) == 2, "what a die shows is in nobody's order"


@pytest.mark.parametrize("search", [depth_limited_alpha_beta_search, expectiminimax_search])
def test_at_a_horizon_the_best_that_was_found_comes_first(search, monkeypatch):
    """To search a game as large as this one to its end would take for ever."""
    for name in "minimax_search", "expectiminimax_search":
        monkeypatch.setattr(f"course_lib.explore.reorder.{name}", None, raising=False)
    game = ConnectFour()
    row, records = reordering(lambda game, state: search(game, state, 2, centre), game)
    assert said(row).endswith("leaves visited in this order")
    press(row, "best first")
    assert list(records[-1].root.children) == [3, 0, 1, 2, 4, 5, 6]
    press(row, "worst first")
    assert list(records[-1].root.children) == [6, 5, 4, 2, 1, 0, 3]
