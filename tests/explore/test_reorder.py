"""Moves in another order: the leaves that a search looks at then, and the words about them; see test_widgets_explorer
for the buttons in the browser."""

import pytest

from course_lib.explore import explore, watch
from course_lib.games import MAX, MIN, Chance, ConnectFour, TreeGame
from course_lib.search import (
    alpha_beta_search,
    centre,
    depth_limited_alpha_beta_search,
    expectiminimax_search,
    max_n_search,
    minimax_search,
)

TREE = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])


def reordering(search, game):
    """The buttons' row, and the list of the records that it makes."""
    trace, records = watch(search, game), []
    rerun = trace.rerun
    trace.rerun = lambda game: records.append(rerun(game)) or records[-1]
    return explore(trace, reorder=True).children[0], records


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


@pytest.mark.parametrize("search, game", [
    (lambda game, state: depth_limited_alpha_beta_search(game, state, 2, centre), ConnectFour()),
    (max_n_search, TreeGame([(1, 2, 3), (3, 2, 1)], players=3)),
])  # fmt: skip
def test_where_the_best_order_takes_long_or_has_no_meaning_there_is_none(search, game):
    with pytest.raises(ValueError, match="a search to the end of a game of two players"):
        reordering(search, game)
