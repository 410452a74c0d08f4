"""Minimax and its family against tests/oracle.py, with either player to move at the root."""

import sys
from math import inf
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from course_lib.games import (
    MAX,
    MIN,
    Chance,
    ConnectFour,
    Game,
    Nim,
    TicTacToe,
    TreeGame,
    Turn,
    play,
    random_agent,
)
from course_lib.search import (
    alpha_beta_search,
    depth_limited_alpha_beta_search,
    depth_limited_minimax_search,
    killer_search,
    label_tree,
    max_n_search,
    minimax_agent,
    minimax_search,
    minimax_value,
    negamax_search,
    principal_variation,
    store_tree,
    table_search,
)
from strategies import FIRST, trees, utility_vectors

TIC_TAC_TOE = TicTacToe()
WORTH = oracle.values_of_states(TIC_TAC_TOE)
"""The value of each of the 5478 states of tic-tac-toe."""
BOOK = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
DICE = TreeGame([Chance([(0.5, [1, 2]), (0.5, 3)]), 2])
THREE = TreeGame([[[(1, 2, 3)]], (3, 2, 1)], players=3)


def estimate(path):
    """An evaluation as good as any, but the same for the same node."""
    return crc32(repr(path).encode()) % 7 - 3


def best(tree, first):
    """What a search of the tree should return: its value, and the first action that keeps it."""
    return oracle.value(tree, first), next(iter(oracle.best_actions(tree, first)), None)


@given(trees(), FIRST)
def test_minimax_on_random_trees(tree, first):
    game = TreeGame(tree, first=first)
    assert minimax_value(game, ()) == oracle.value(tree, first)
    assert minimax_search(game, ()) == best(tree, first)


@given(trees(), FIRST)
def test_every_state_of_a_tree_is_worth_what_its_subtree_is(tree, first):
    game = TreeGame(tree, first=first)
    values = oracle.values_of_states(game)
    for state, value in values.items():
        assert minimax_search(game, state)[0] == minimax_value(game, state) == value


@given(trees(st.floats(-1e300, 1e300)), FIRST)
def test_minimax_with_leaves_of_any_size(tree, first):
    assert minimax_search(TreeGame(tree, first=first), ()) == best(tree, first)


@given(trees(), FIRST)
def test_the_same_tree_seen_by_the_other_player(tree, first):
    value, action = minimax_search(TreeGame(tree, first=first), ())
    turned = TreeGame(oracle.negated(tree), first=1 - first)
    assert minimax_search(turned, ()) == (-value, action)


def test_minimax_by_example():
    assert minimax_search(TreeGame(BOOK), ()) == (3, 0)
    assert minimax_search(TreeGame(BOOK, first=MIN), ()) == (6, 1)
    assert minimax_search(TreeGame(BOOK), (2,)) == (2, 2)
    assert minimax_search(TreeGame([5, 5, 4]), ()) == (5, 0)
    assert minimax_search(TreeGame({"l": [1], "r": [2]}), ()) == (2, "r")
    assert minimax_search(TreeGame([Turn(MAX, [3, 9]), 4]), ()) == (9, 0)


def test_the_value_for_max_is_all_that_counts_where_utilities_do_not_sum_to_zero():
    game = TreeGame([[(1, 9), (2, 0)], [(0, 0), (5, 5)]])
    assert minimax_search(game, ()) == (1, 0)


def test_tic_tac_toe_is_a_draw_and_so_are_its_nine_openings():
    start = TIC_TAC_TOE.initial_state()
    assert minimax_search(TIC_TAC_TOE, start) == (0, 0)
    assert [minimax_value(TIC_TAC_TOE, TIC_TAC_TOE.after(cell)) for cell in range(9)] == [0] * 9


def test_every_state_of_tic_tac_toe_after_two_plies():
    assert len(WORTH) == 5478
    for state, worth in WORTH.items():
        if "".join(TIC_TAC_TOE.grid(state)).count(".") > 7:
            continue  # searched in the test above
        value, action = minimax_search(TIC_TAC_TOE, state)
        assert value == worth
        keeping = [a for a in TIC_TAC_TOE.actions(state) if WORTH[TIC_TAC_TOE.result(state, a)] == worth]
        assert action == next(iter(keeping), None)


@pytest.mark.parametrize("columns, rows, plies", [(4, 4, 10), (7, 6, 34), (5, 3, 7)])
def test_ends_of_connect_four_with_either_player_to_move(columns, rows, plies):
    game = ConnectFour(columns, rows)
    movers = set()
    for seed in range(60):
        states = play(game, [random_agent(seed), random_agent(-seed)]).states
        for state in states[plies:]:
            assert minimax_search(game, state)[0] == oracle.values_of_states(game, state)[state]
            movers.add(game.to_move(state))
    assert movers == {MAX, MIN}


# ---------------------------------------------------------------------------------------------------- depth limit


@given(trees(), FIRST, st.integers(0, 5))
def test_depth_limited_minimax_is_minimax_of_the_tree_cut_off(tree, first, depth):
    game = TreeGame(tree, first=first)
    shallow = oracle.cut(tree, depth, estimate)
    assert depth_limited_minimax_search(game, (), depth, estimate) == best(shallow, first)
    assert depth_limited_minimax_search(game, (), depth) == best(oracle.cut(tree, depth, lambda path: 0), first)


@given(trees(), FIRST)
def test_with_depth_enough_the_evaluation_is_never_asked(tree, first):
    def never(state):
        raise AssertionError(f"{state} was evaluated")

    game = TreeGame(tree, first=first)
    depth = max(map(len, oracle.reachable(game)))
    assert depth_limited_minimax_search(game, (), depth, never) == minimax_search(game, ())
    assert depth_limited_minimax_search(game, (), inf, never) == minimax_search(game, ())


def test_depth_limited_by_example():
    game = TreeGame(BOOK)
    assert depth_limited_minimax_search(game, (), 0, lambda state: 9) == (9, None)
    assert depth_limited_minimax_search(game, (), 1, lambda state: state[0]) == (2, 2)
    assert depth_limited_minimax_search(TreeGame(BOOK, first=MIN), (), 1, lambda state: state[0]) == (0, 0)
    assert depth_limited_minimax_search(game, (), 2) == (3, 0)
    in_two = TIC_TAC_TOE.parse("X.. OO. X..")
    assert depth_limited_minimax_search(TIC_TAC_TOE, in_two, 1)[0] == 0
    assert depth_limited_minimax_search(TIC_TAC_TOE, in_two, 2)[0] == 0
    assert depth_limited_minimax_search(TIC_TAC_TOE, TIC_TAC_TOE.parse("XX. OO. ..."), 1) == (1, 2)


# ------------------------------------------------------------------------------------------------- wrong games


@pytest.mark.parametrize("search", [minimax_search, lambda game, state: depth_limited_minimax_search(game, state, 9)])
def test_alone_max_takes_the_best(search):
    assert search(TreeGame([[1, 7], [3, 2]], players=1), ()) == (7, 0)


SEARCHES = [
    minimax_search,
    alpha_beta_search,
    negamax_search,
    lambda game, state: depth_limited_minimax_search(game, state, 9),
    lambda game, state: depth_limited_alpha_beta_search(game, state, 9),
]


def killer_to_the_end(game, state):
    return killer_search(game, state, inf)


WIDE = [abs(150 - number) for number in range(300)]
ODD_TREES = [5, [[[[7]]]], [[-0.0, 0], [0.0, -0.0]], [[0.1 + 0.2, 0.3], [5e-324, -1e308]], WIDE, [WIDE, 0, WIDE]]


@pytest.mark.parametrize("first", [MAX, MIN])
@pytest.mark.parametrize("search", [*SEARCHES, killer_to_the_end, table_search])
def test_odd_trees(search, first):
    for tree in ODD_TREES:
        value, action = search(TreeGame(tree, first=first), ())
        assert ((-value if search is negamax_search and first == MIN else value), action) == best(tree, first)


class Corridor(Game):
    """One action at each of 10,000 plies, and a prize for Max at the end."""

    def to_move(self, state):
        return MIN if state % 2 else MAX

    def actions(self, state):
        return ("on",)

    def result(self, state, action):
        return state + 1

    def is_terminal(self, state):
        return state == 10_000

    def utility(self, state, player):
        return 5 if player == MAX else -5


@pytest.mark.parametrize("search", [minimax_search, alpha_beta_search, negamax_search, max_n_search, killer_to_the_end])
def test_a_game_of_10_000_plies_needs_no_more_than_a_higher_limit(search):
    with pytest.raises(RecursionError):
        search(Corridor(), 0)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(30_000)
    try:
        assert search(Corridor(), 0) == ((5, -5) if search is max_n_search else 5, "on")
    finally:
        sys.setrecursionlimit(limit)


def test_minimax_value_and_labels_stop_where_a_third_player_moves():
    for attempt in (minimax_value, lambda game, state: label_tree(game, store_tree(game, state))):
        with pytest.raises(ValueError, match="minimax is for Max and Min, and player 2 moves here"):
            attempt(THREE, ())


class TakeOneOrTwo(Game):
    """A reader's own game, no more than the six functions: whoever takes the last object wins."""

    def initial_state(self):
        return 4, MAX

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return [1, 2]  # also when fewer are left

    def result(self, state, action):
        return state[0] - action, 1 - state[1]

    def is_terminal(self, state):
        return state[0] <= 0

    def utility(self, state, player):
        return -1 if player == state[1] else 1


def test_a_game_needs_the_six_functions_only():
    game = TakeOneOrTwo()
    for objects in range(1, 9):
        for player in (MAX, MIN):
            worth = (-1 if objects % 3 == 0 else 1) * (1 if player == MAX else -1)
            state = objects, player
            assert minimax_search(game, state)[0] == minimax_value(game, state) == worth
            assert label_tree(game, store_tree(game, state)) == worth
            assert depth_limited_minimax_search(game, state, 8)[0] == worth
    assert principal_variation(game, (4, MAX)) == [1, 1, 2]


# --------------------------------------------------------------------------------------------------------- max^n


@given(st.data(), st.integers(1, 4))
def test_max_n_on_random_trees(data, players):
    tree = data.draw(trees(utility_vectors(players), players))
    first = data.draw(st.integers(0, players - 1))
    utilities, action = max_n_search(TreeGame(tree, players, first), ())
    assert utilities == oracle.max_n(tree, players, first)
    node = tree.children if isinstance(tree, Turn) else tree
    if isinstance(node, tuple):
        assert action is None
    else:
        mover = tree.player if isinstance(tree, Turn) else first
        after = {a: oracle.max_n(subtree, players, (mover + 1) % players) for a, subtree in oracle.items(node)}
        assert action == next(a for a in after if after[a][mover] == utilities[mover])


@given(trees(), FIRST)
def test_max_n_of_two_players_is_minimax(tree, first):
    game = TreeGame(tree, first=first)
    value, action = minimax_search(game, ())
    assert max_n_search(game, ()) == ((value, -value), action)


def test_max_n_of_a_game_that_does_not_say_how_many_play_is_for_two():
    assert max_n_search(TakeOneOrTwo(), (4, MAX)) == ((1, -1), 1)
    assert max_n_search(TakeOneOrTwo(), (4, MIN)) == ((-1, 1), 1)


def test_max_n_by_example():
    game = TreeGame([[(1, 2, 6), (4, 3, 3)], [(6, 1, 2), (7, 4, 1)]], players=3)
    assert max_n_search(game, ()) == ((7, 4, 1), 1)
    assert max_n_search(game, (0,)) == ((4, 3, 3), 1)
    assert max_n_search(THREE, (1,)) == ((3, 2, 1), None)


# ------------------------------------------------------------------------------------------------- stored trees


def nodes(root):
    """All nodes of a stored tree."""
    return [root, *(node for child in root.children.values() for node in nodes(child))]


@given(trees(), FIRST)
def test_a_stored_tree_is_the_game_tree(tree, first):
    game = TreeGame(tree, first=first)
    stored = {node.state: node for node in nodes(store_tree(game, ()))}
    assert set(stored) == set(oracle.reachable(game))
    for state, node in stored.items():
        assert {action: child.state for action, child in node.children.items()} == {
            action: (*state, action) for action in game.actions(state)
        }
        assert node.label is None


@given(trees(), FIRST)
def test_labels_are_the_signs_of_the_values(tree, first):
    game = TreeGame(tree, first=first)
    values = oracle.values_of_states(game)
    root = store_tree(game, ())
    assert label_tree(game, root) == root.label
    for node in nodes(root):
        assert node.label == (values[node.state] > 0) - (values[node.state] < 0)


@pytest.mark.parametrize("start", [(4,), (0, 1)])
def test_labels_of_tic_tac_toe_with_either_player_to_move(start):
    root = store_tree(TIC_TAC_TOE, TIC_TAC_TOE.after(*start))
    label_tree(TIC_TAC_TOE, root)
    assert all(node.label == WORTH[node.state] for node in nodes(root))


# --------------------------------------------------------------------------------- best play, and agents that play it


@given(trees(), FIRST)
def test_the_principal_variation_is_best_play_to_a_leaf(tree, first):
    game = TreeGame(tree, first=first)
    line = principal_variation(game, ())
    end = game.after(*line)
    assert game.is_terminal(end)
    value = oracle.value(tree, first)
    assert game.utility(end, MAX) == value
    for ply in range(len(line)):
        assert minimax_search(game, tuple(line[:ply])) == (value, line[ply])


def test_principal_variation_by_example():
    assert principal_variation(TreeGame(BOOK), ()) == [0, 0]
    assert principal_variation(TreeGame(BOOK, first=MIN), ()) == [1, 2]
    assert principal_variation(TreeGame(5), ()) == []
    line = principal_variation(TIC_TAC_TOE, TIC_TAC_TOE.initial_state())
    assert TIC_TAC_TOE.utility(TIC_TAC_TOE.after(*line), MAX) == 0
    assert len(line) == 9
    assert principal_variation(THREE, (), max_n_search) == [1]
    greedy = [0, 1]
    assert principal_variation(TreeGame(BOOK), (), lambda game, state: (None, greedy[len(state)])) == greedy


@pytest.mark.parametrize("seed", range(3))
def test_minimax_never_loses_tic_tac_toe_and_draws_with_itself(seed):
    perfect, careless = minimax_agent(), random_agent(seed)
    assert play(TIC_TAC_TOE, [perfect, careless]).utilities[MAX] >= 0
    assert play(TIC_TAC_TOE, [careless, perfect]).utilities[MIN] >= 0
    opening = TIC_TAC_TOE.after(seed)
    assert play(TIC_TAC_TOE, [perfect, perfect], opening).utilities == (0, 0)


@pytest.mark.parametrize("heap, winner", [(7, MAX), (8, MIN)])
def test_a_won_game_of_nim_is_won_against_anyone(heap, winner):
    for seed in range(5):
        agents = [random_agent(seed), random_agent(seed)]
        agents[winner] = minimax_agent()
        assert play(Nim(heap, most=3), agents).utilities[winner] == 1


def test_an_agent_with_a_depth_looks_that_far():
    tree = [[0, 0], [[9], [9]]]
    for depth, action in ((1, 0), (2, 0), (3, 1)):
        assert minimax_agent(depth)(TreeGame(tree), ()) == action
    assert minimax_agent(1, lambda state: state[0])(TreeGame(tree), ()) == 1
    assert minimax_agent(1, lambda state: state[0])(TreeGame(tree, first=MIN), ()) == 0
