"""Alpha-beta in all its forms, against exact answers that no search has produced."""

import random
from functools import partial
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from course_lib.games import MAX, MIN, TreeGame
from course_lib.search import (
    TranspositionTable,
    alpha_beta_search,
    best_first,
    depth_limited_alpha_beta_search,
    expectiminimax_search,
    quiescence_search,
    transposition_table_search,
)
from course_lib.search.transposition import best_line
from made_up_games import Recording, estimate, graphs
from strategies import FIRST, trees

DEPTHS = st.integers(0, 6)
DEPTH_LIMITED = [depth_limited_alpha_beta_search, transposition_table_search]


@given(trees(), FIRST, DEPTHS, st.randoms())
def test_any_order_of_the_actions_gives_the_value(tree, first, depth, rng):
    game, evaluate = TreeGame(tree, first=first), partial(estimate, 0)

    def shuffled(state):
        return rng.sample(game.actions(state), len(game.actions(state)))

    expected = oracle.value(oracle.cut(tree, depth, evaluate), first)
    for search in DEPTH_LIMITED:
        assert search(game, (), depth, evaluate, order=shuffled)[0] == expected


@given(trees(size=40), FIRST)
def test_leaves_are_those_of_the_definition(tree, first):
    expected = oracle.leaves_looked_at(tree, first)
    for search in alpha_beta_search, partial(depth_limited_alpha_beta_search, depth=inf):
        game = Recording(TreeGame(tree, first=first))
        search(game, ())
        assert game.leaves == expected


@pytest.mark.parametrize("first, order", [(MAX, [2, 0, 1]), (MIN, [1, 0, 2])])
def test_the_best_move_of_either_player_comes_first(first, order):
    assert best_first(TreeGame([2, 1, 3], first=first), expectiminimax_search)(()) == order


@pytest.mark.parametrize("first, sign", [(MAX, 1), (MIN, -1)])
def test_what_cut_a_node_is_tried_first_in_its_cousin(first, sign):
    """Action 1 cuts the second child, so the third begins with it, and its 8 is never seen."""
    game = Recording(TreeGame([[3 * sign, 4 * sign], [9 * sign, sign], [8 * sign, 2 * sign]], first=first))
    assert transposition_table_search(game, (), 2) == (3 * sign, 0)
    assert [game.game.utility(leaf, first) for leaf in game.leaves] == [3, 4, 9, 1, 2]


@given(graphs(), st.lists(st.tuples(st.integers(0, 10), st.sampled_from([0, 1, 2, 3, 4, inf]), st.booleans())))
def test_one_table_for_many_searches(game, queries):
    """Any state, any depth, in any order, also after `deepen`: a search with a table finds what it would without."""
    table = TranspositionTable()
    for state, depth, deepen in queries:
        state %= len(game.true_values)
        if deepen:
            table.deepen()
        value, action = transposition_table_search(game, state, depth, game.evaluate, table=table)
        assert value == game.value(state, depth)
        if depth and game.successors[state]:
            assert game.value(action, depth - 1) == value
        else:
            assert action is None


def test_a_bound_answers_only_the_windows_that_it_settles():
    table = TranspositionTable()
    table.store("cut above", 0, 5, 3, 7, ("a",))
    assert table.look_up("cut above", 0, 7, 3) == (7, ("a",))
    assert table.look_up("cut above", 0, 8, 3) is None
    table.store("cut below", 0, 5, 3, -2, ("b",))
    assert table.look_up("cut below", -2, 5, 3) == (-2, ("b",))
    assert table.look_up("cut below", -3, 5, 3) is None
    table.store("exact", 0, 5, 3, 4, ("c",))
    assert table.look_up("exact", -inf, inf, 3) == (4, ("c",))
    assert table.look_up("exact", -inf, inf, 2) is table.look_up("exact", -inf, inf, 4) is None
    table.store("on β", 0, 5, 3, 5, ("d",))
    assert table.look_up("on β", 0, inf, 3) is None
    table.store("on α", 0, 5, 3, 0, ("e",))
    assert table.look_up("on α", -1, 5, 3) is None


def test_a_table_filled_at_the_root_answers_below_it_in_trees_full_of_ties():
    for seed in range(300):
        rng, first = random.Random(seed), seed % 2

        def tree(depth):
            return rng.randint(-1, 1) if depth == 0 else [tree(depth - 1) for _ in range(rng.randint(2, 3))]  # noqa: B023

        game, table = TreeGame(tree(4), first=first), TranspositionTable()
        transposition_table_search(game, (), table=table)
        for action in game.actions(()):
            below = oracle.value(game.tree[action], 1 - first)
            assert transposition_table_search(game, (action,), table=table)[0] == below


def test_deepening_tries_first_what_was_best_before():
    game, table = Recording(TreeGame([[[1], [2]], [[4], [5]], [[0], [3]]])), TranspositionTable()
    transposition_table_search(game, (), 2, lambda state: {0: 0, 1: 1, 2: 9}[state[0]], table=table)
    table.deepen()
    game.made.clear()
    assert transposition_table_search(game, (), table=table) == (4, 1)
    assert game.made[0] == (2,), "9 was best before"


@given(trees(), FIRST, st.integers(-4, 3), st.integers(1, 3))
def test_another_window_gives_the_value_or_a_bound_of_it(tree, first, alpha, width):
    game, true_value, beta = TreeGame(tree, first=first), oracle.value(tree, first), alpha + width
    for search in alpha_beta_search, partial(depth_limited_alpha_beta_search, depth=inf):
        value, _ = search(game, (), alpha=alpha, beta=beta)
        assert true_value <= value if value <= alpha else true_value >= value
        assert true_value >= value if value >= beta else true_value <= value


@pytest.mark.parametrize("search", [alpha_beta_search, partial(depth_limited_alpha_beta_search, depth=inf)])
def test_a_window_that_is_given_cuts(search):
    for sign, first, window in (1, MAX, {"alpha": 10}), (-1, MIN, {"beta": -10}):
        game = Recording(TreeGame([[3 * sign, 12 * sign], [2 * sign, 4 * sign], [14 * sign, 5 * sign]], first=first))
        assert search(game, (), **window)[0] == 5 * sign
        assert game.leaves == [(0, 0), (1, 0), (2, 0), (2, 1)]


@given(trees(size=40), FIRST)
def test_a_strict_search_also_looks_at_nodes_with_equal_bounds(tree, first):
    game = Recording(TreeGame(tree, first=first))
    assert depth_limited_alpha_beta_search(game, (), inf, strict=True)[0] == oracle.value(tree, first)
    assert game.leaves == oracle.leaves_looked_at(tree, first, strict=True)


@given(graphs(), DEPTHS | st.just(inf), FIRST)
def test_the_line_leads_to_where_the_value_comes_from(game, depth, first):
    state, plies = 0, 0
    value, line = best_line(game, state, depth, game.evaluate)
    for plies, action in enumerate(line, 1):
        assert action in game.actions(state)
        state = game.result(state, action)
        assert game.value(state, depth - plies) == value
    assert game.is_terminal(state) or plies == depth
    assert value == (game.utility(state, MAX) if game.is_terminal(state) else game.evaluate(state))


@given(graphs(most=8), st.integers(0, 4))
def test_quiescence_is_its_definition(game, depth):
    for state in range(len(game.true_values)):
        value, action = quiescence_search(game, state, depth, game.evaluate, game.noise)
        assert value == game.quiet_value(state, depth)
        if action is not None:
            assert game.quiet_value(action, max(depth - 1, 0)) == value


@pytest.mark.parametrize("first, sign", [(MAX, 1), (MIN, -1)])
@pytest.mark.parametrize("true_value", [2, 3])
def test_standing_pat_cuts(first, sign, true_value):
    """With 3 to be had elsewhere, a reply that need not be played and already leaves 3 or less settles the matter."""
    tree = TreeGame({"quiet": {"x": 9}, "loud": {"capture": {"y": 9}}}, first=first)
    game = Recording(tree)
    evaluate = {("quiet",): 3 * sign, ("loud",): true_value * sign, ("loud", "capture"): 0}.get
    noise = {("quiet",): [], ("loud",): ["capture"], ("loud", "capture"): []}.get
    assert quiescence_search(game, (), 1, evaluate, noise) == (3 * sign, "quiet")
    assert game.made == [("quiet",), ("loud",)]
