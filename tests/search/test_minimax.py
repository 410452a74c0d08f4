"""Minimax and its family against tests/oracle.py, with either player to move at the root."""

from functools import partial
from math import inf

from hypothesis import given
from hypothesis import strategies as st

import oracle
from course_lib.games import TicTacToe, TreeGame
from course_lib.search import (
    alpha_beta_search,
    depth_limited_alpha_beta_search,
    depth_limited_minimax_search,
    minimax_search,
    minimax_value,
    transposition_table_search,
)
from made_up_games import SALTS, estimate
from strategies import FIRST, trees

TIC_TAC_TOE = TicTacToe()
TO_THE_END = [minimax_search, alpha_beta_search]
LIMITED = [depth_limited_minimax_search, depth_limited_alpha_beta_search, transposition_table_search]


def check_answer(search, game, tree, found):
    """A search of `game`, which is `tree`, has found its value and one of the best actions."""
    best = oracle.best_actions(tree, game.first) or [None]
    assert found[0] == oracle.value(tree, game.first)
    assert found[1] in (best if search is transposition_table_search else best[:1]), (
        "of equally good actions, all others choose the first"
    )


@given(trees(), FIRST)
def test_searches_to_the_end_on_random_trees(tree, first):
    game = TreeGame(tree, first=first)
    assert minimax_value(game, ()) == oracle.value(tree, first)
    for search in [*TO_THE_END, *(partial(search, depth=inf) for search in LIMITED)]:
        check_answer(getattr(search, "func", search), game, tree, search(game, ()))


@given(trees(), FIRST, st.integers(0, 6), SALTS)
def test_depth_limited_searches_are_those_of_the_tree_cut_off(tree, first, depth, salt):
    game, evaluate = TreeGame(tree, first=first), partial(estimate, salt)
    for search in LIMITED:
        check_answer(search, game, oracle.cut(tree, depth, evaluate), search(game, (), depth, evaluate))
        check_answer(search, game, oracle.cut(tree, depth, lambda path: 0), search(game, (), depth))
