from fractions import Fraction
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given

from course_lib.games import CHANCE, MAX, MIN, Chance, TreeGame, Turn, player_name
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
        with pytest.raises(ValueError, match="chance moves at"):
            game.actions(path)
        for i, (_, subtree) in enumerate(tree.outcomes):
            check_node(game, game.result(path, i), subtree, player)
        return
    assert game.to_move(path) == player
    with pytest.raises(ValueError, match=r"is no chance node, so it has no chances\(\)"):
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


def test_chance_uses_up_nobodys_turn_and_turn_says_whose_it_is():
    game = TreeGame([Chance([(0.5, [1, 2]), (0.5, Chance([(1, [3])]))]), Turn(MAX, {"again": [4], "stop": 5})])
    assert [game.to_move(path) for path in ((), (0,), (0, 0), (0, 1), (0, 1, 0))] == [MAX, CHANCE, MIN, CHANCE, MIN]
    assert [game.to_move(path) for path in ((1,), (1, "again"))] == [MAX, MIN]


@pytest.mark.parametrize("leaf", [5, -2.5, Fraction(1, 3), np.int64(4), np.float64(0.5), 10**400, (3, -3), (1, 1)])
def test_a_tree_may_be_a_single_leaf(leaf):
    game = TreeGame(leaf)
    assert game.is_terminal(())
    utilities = leaf if isinstance(leaf, tuple) else (leaf, -leaf)
    assert (game.utility((), MAX), game.utility((), MIN)) == utilities


@pytest.mark.parametrize("leaf", [np.uint8(3), np.int8(-128), np.float32(0.5), (np.uint8(3), np.uint8(253))], ids=repr)
def test_numbers_from_numpy_become_plain_ones(leaf):
    game = TreeGame([leaf])
    expected = tuple(x.item() for x in leaf) if isinstance(leaf, tuple) else (leaf.item(), -leaf.item())
    utilities = game.utility((0,), MAX), game.utility((0,), MIN)
    assert utilities == expected
    assert all(type(x) in (int, float) for x in utilities)


def containing_itself(wrap):
    tree = [1]
    tree.append(wrap(tree))
    return tree


MALFORMED = [
    ([], (), "at least one child"),
    ([1, [2, []]], (1, 1), "at least one child"),
    ({"a": {None: 3, "other": 2}}, ("a",), "an action cannot be None, which means no action"),
    ([1, None], (1,), "None is no node"),
    ([["3"]], (0, 0), "'3' is no node"),
    ({"a": [1, inf]}, ("a", 1), "inf is no node"),
    ([True], (0,), "True is no node"),
    ([(1, 2, 3)], (0,), "(1, 2, 3) is no node"),
    ([(1, inf)], (0,), "(1, inf) is no node"),
    ({1, 2}, (), "{1, 2} is no node"),
    ([np.array([1, 2])], (0,), "array([1, 2]) is no node"),
    ([Turn(2, [1])], (0,), "Turn takes a player from 0 to 1 and a list or dictionary, not 2 and [1]"),
    (Turn(CHANCE, [1]), (), "Turn takes a player from 0 to 1"),
    (Turn(MAX, 3), (), "Turn takes a player from 0 to 1 and a list or dictionary, not 0 and 3"),
    (Chance([]), (), "Chance takes a list of (probability, subtree) pairs"),
    ([Chance(3)], (0,), "Chance takes a list of (probability, subtree) pairs, not 3"),
    (Chance([(1, 2, 3)]), (), "Chance takes a list of (probability, subtree) pairs"),
    ([Chance([(0.5, 1), (0.4, 2)])], (0,), "sum to 1, not [0.5, 0.4]"),
    (Chance([(1.5, 1), (-0.5, 2)]), (), "probabilities are 0 or more and sum to 1, not [1.5, -0.5]"),
    (Chance([(0.5, 1), (0.5 + 1e-8, 2)]), (), "sum to 1"),
    (Chance([(nan, 1)]), (), "sum to 1"),
    (Chance([(0.5, 1), (0.5, [[]])]), (1, 0), "at least one child"),
    (containing_itself(lambda tree: tree), (1,), "contains itself"),
    (containing_itself(lambda tree: [tree]), (1, 0), "contains itself"),
    (containing_itself(lambda tree: {"a": tree}), (1, "a"), "contains itself"),
    (containing_itself(lambda tree: Chance([(1, tree)])), (1, 0), "contains itself"),
    (containing_itself(lambda tree: Turn(MAX, tree)), (1, 1), "contains itself"),
]


@pytest.mark.parametrize("tree, path, fault", MALFORMED, ids=[f"{fault}, {path}" for _, path, fault in MALFORMED])
def test_a_malformed_tree_is_refused_with_the_path_to_the_fault(tree, path, fault):
    with pytest.raises(ValueError) as refused:
        TreeGame(tree)
    assert str(refused.value).startswith(f"malformed tree at path {path}: ")
    assert fault in str(refused.value)


@pytest.mark.parametrize("leaf", [1, (1, 2), (1, 2, 3, 4), (1, 2, "3")])
def test_with_three_players_a_leaf_is_a_tuple_of_three(leaf):
    with pytest.raises(ValueError, match=r"malformed tree at path \(0,\): .* a leaf is a tuple of 3 finite numbers"):
        TreeGame([leaf], players=3)


def test_probabilities_may_be_a_rounding_error_away_from_1():
    third = 0.3333333333
    assert len(TreeGame(Chance([(third, 1), (third, 2), (third, 3)])).chances(())) == 3
    assert TreeGame(Chance([(1, 1), (0, 2)])).chances(()) == ((0, 1), (1, 0))


@pytest.mark.parametrize("first", [2, CHANCE, "Max", None, []])
def test_the_first_player_is_in_the_game(first):
    with pytest.raises(ValueError, match=r"is not in this game; the players are \[0, 1\]"):
        TreeGame([1], first=first)


@pytest.mark.parametrize("state", [(3,), (0, 0, 0), ("a",), (-1,), None, 0, "", [], [0], ([],)], ids=repr)
def test_a_state_is_a_path_of_the_tree(state):
    game = TreeGame(BOOK)
    for ask in (game.to_move, game.actions, game.is_terminal, game.chances, game.render):
        with pytest.raises(ValueError, match=r"is no path of this tree; the root is \(\)"):
            ask(state)
    with pytest.raises(ValueError, match="is no path"):
        game.result(state, 0)
    with pytest.raises(ValueError, match="is no path"):
        game.utility(state, MAX)


def test_an_outcome_that_chance_does_not_have_is_refused():
    game = TreeGame(Chance([(0.5, 1), (0.5, 2)]))
    for outcome in (2, -1, "a", [0]):
        with pytest.raises(ValueError, match=r"is no outcome of the chance node \(\); they are \(0, 1\)"):
            game.result((), outcome)


def test_render_says_where_and_what():
    game = TreeGame([{"l": 3, "r": (4, 4)}, Chance([(1, 5)]), [1]])
    assert game.render(()) == "root: Max to move, actions 0, 1, 2"
    assert game.render((0,)) == "path 0: Min to move, actions l, r"
    assert game.render((0, "l")) == "path 0 l: leaf 3"
    assert game.render((0, "r")) == "path 0 r: leaf (4, 4)"
    assert game.render((1,)) == "path 1: chance to move, actions 0"


def test_repr_makes_the_same_game():
    assert repr(TreeGame([1, [2]])) == "TreeGame([1, [2]])"
    assert repr(TreeGame([(1, 2, 3)], players=3, first=2)) == "TreeGame([(1, 2, 3)], players=3, first=2)"
    tree = Turn(player=1, children=[Chance(outcomes=[(1, 2)])])
    assert eval(repr(TreeGame(tree))).tree == tree


def test_player_names():
    assert [player_name(player) for player in (CHANCE, MAX, MIN)] == ["chance", "Max", "Min"]
    of_three = [player_name(player, 3) for player in (CHANCE, 0, 1, 2)]
    assert of_three == ["chance", "player 0", "player 1", "player 2"], "nobody minimises"
