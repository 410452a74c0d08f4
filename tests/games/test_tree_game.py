from math import inf, nan

import numpy as np
import pytest
from hypothesis import given

from course_lib.games import CHANCE, MAX, Chance, Same, TreeGame, Turn
from oracle import items
from strategies import FIRST, trees, utility_vectors

BOOK = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]


def check_node(game, path, tree, player):
    """Hold the game at this path, and everywhere below, to what the notation says."""
    if isinstance(tree, Turn):
        player, tree = tree
    if isinstance(tree, Chance):
        assert game.to_move(path) == CHANCE
        assert game.is_terminal(path) is False
        assert game.chances(path) == tuple((i, probability) for i, (probability, _) in enumerate(tree.outcomes))
        with pytest.raises(ValueError, match="chance moves here"):
            game.actions(path)
        for i, (_, subtree) in enumerate(tree.outcomes):
            check_node(game, game.result(path, i), subtree, player)
        return
    assert game.to_move(path) == player
    with pytest.raises(ValueError, match=r"no chance node here; chances\(\)"):
        game.chances(path)
    if isinstance(tree, list | dict):
        assert game.is_terminal(path) is False
        assert game.actions(path) == tuple(action for action, _ in items(tree))
        for action, subtree in items(tree):
            assert game.result(path, action) == (*path, action)
            check_node(game, (*path, action), subtree, (player + 1) % game.players)
    else:
        assert game.is_terminal(path) is True
        assert game.actions(path) == ()
        utilities = tree if isinstance(tree, tuple) else (tree, -tree)
        assert tuple(game.utility(path, p) for p in range(game.players)) == utilities


@given(trees(chance=True), FIRST)
def test_a_two_player_game_is_what_its_notation_says(tree, first):
    check_node(TreeGame(tree, first=first), (), tree, first)


@given(trees(utility_vectors(3), players=3, chance=True))
def test_a_three_player_game_is_what_its_notation_says(tree):
    for first in range(3):
        check_node(TreeGame(tree, players=3, first=first), (), tree, first)


MALFORMED = [
    ([], (), "[]"),
    ([1, [2, []]], (1, 1), "[]"),
    ({"a": {None: 3, "other": 2}}, ("a",), "{None: 3, 'other': 2}"),
    ([1, None], (1,), "None"),
    ([(1, 2, 3)], (0,), "(1, 2, 3)"),
    ([(1, inf)], (0,), "(1, inf)"),
    ([np.array([1, 2])], (0,), "array([1, 2])"),
    ([Turn(2, [1])], (0,), "Turn(player=2, children=[1])"),
    ([Chance(3)], (0,), "Chance(outcomes=3)"),
    (Chance([(1, 2, 3)]), (), "Chance(outcomes=[(1, 2, 3)])"),
    (Chance([(1.5, 1), (-0.5, 2)]), (), "Chance(outcomes=[(1.5, 1), (-0.5, 2)])"),
    (Chance([(0.5, 1), (0.5 + 1e-8, 2)]), (), "Chance(outcomes=[(0.5, 1), (0.50000001, 2)])"),
    (Chance([(nan, 1)]), (), "Chance(outcomes=[(nan, 1)])"),
    (Chance([(0.5, 1), (0.5, [[]])]), (1, 0), "[]"),
]


@pytest.mark.parametrize("tree, path, fault", MALFORMED, ids=[f"{fault}, {path}" for _, path, fault in MALFORMED])
def test_a_malformed_tree_is_refused_with_the_path_to_the_fault(tree, path, fault):
    with pytest.raises(ValueError) as refused:
        TreeGame(tree)
    assert str(refused.value).startswith(f"malformed tree at path {path}: {fault} is not a node; a leaf is")


def test_unsigned_numbers_of_numpy_are_numbers():
    game = TreeGame([np.uint8(3), Chance([(np.float32(1), np.uint8(2))])])
    assert (game.utility((0,), 0), game.utility((0,), 1)) == (3, -3)


def test_a_leaf_is_drawn_as_one_number_if_the_game_is_zero_sum():
    game = TreeGame([3, (3, -3), (1, 2)])
    assert [game.render((action,)) for action in range(3)] == [
        "path 0: leaf 3",
        "path 1: leaf 3",
        "path 2: leaf (1, 2)",
    ]


@pytest.mark.parametrize("state", [(3,), (0, 0, 0), ("a",), (-1,), None, 0, "", [], [0], ([],)], ids=repr)
def test_a_state_is_a_path_of_the_tree(state):
    game = TreeGame(BOOK)
    for ask in (game.to_move, game.actions, game.is_terminal, game.chances, game.render):
        with pytest.raises(ValueError, match=r"is not a path of this tree; the root is \(\)"):
            ask(state)
    with pytest.raises(ValueError, match="is not a path"):
        game.result(state, 0)
    with pytest.raises(ValueError, match="is not a path"):
        game.utility(state, MAX)


def test_a_state_may_be_reached_by_two_paths():
    game = TreeGame([[1, [2, 5]], [Same((0, 1))]])
    assert game.result((1,), 0) == (0, 1)
    assert game.result(game.result((1,), 0), 1) == (0, 1, 1)
    assert game.nodes.keys() >= {(1, 0), (1, 0, 1)}
    assert game.transposes
    assert not TreeGame([1]).transposes
    with pytest.raises(ValueError, match="malformed tree at path \\(0,\\)"):
        TreeGame([Same((1,)), 2])
