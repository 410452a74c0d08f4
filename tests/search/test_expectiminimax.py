"""Search with chance against tests/oracle.py, with Max, Min or chance to move at the root."""

from fractions import Fraction
from functools import partial
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from course_lib.games import CHANCE, MAX, MIN, Chance, TreeGame, Turn
from course_lib.search import (
    expectimax_agent,
    expectimax_search,
    expectiminimax_search,
    max_n_search,
    uniform_model,
)
from made_up_games import SALTS, Recording, estimate
from strategies import FIRST, trees, utility_vectors

TREES = trees(chance=True)
DEPTHS = st.integers(0, 5) | st.just(inf)


def best(tree, first):
    """What a search of the tree should return: its value, and the first action that keeps it."""
    return oracle.value(tree, first), next(iter(oracle.best_actions(tree, first)), None)


@given(TREES, FIRST, DEPTHS, SALTS)
def test_expectiminimax_on_random_trees(tree, first, depth, salt):
    game, evaluate = TreeGame(tree, first=first), partial(estimate, salt)
    shallow = tree if depth == inf else oracle.cut(tree, depth, evaluate)
    assert expectiminimax_search(game, (), depth, evaluate) == best(shallow, first)


def a_model(game, salt):
    """An opponent who takes its actions with probabilities that look random."""

    def model(state):
        weights = {action: 4 + estimate(salt, (*state, action)) for action in game.actions(state)}
        weights[game.actions(state)[0]] += 1  # one of them at least is above 0
        return [(action, Fraction(weight, sum(weights.values()))) for action, weight in weights.items()]

    return model


def expected(tree, model, player, mover, path=()):
    """The definition: the tree's value for Max when `player` plays best and the other one as in `model`."""
    if isinstance(tree, Turn):
        return expected(tree.children, model, player, tree.player, path)
    if isinstance(tree, Chance):
        values = [expected(subtree, model, player, mover, (*path, i)) for i, (_, subtree) in enumerate(tree.outcomes)]
        return sum(p * value for (p, _), value in zip(tree.outcomes, values))
    if not isinstance(tree, list | dict):
        return tree
    values = {a: expected(subtree, model, player, 1 - mover, (*path, a)) for a, subtree in oracle.items(tree)}
    if mover == player:
        return max(values.values()) if player == MAX else min(values.values())
    return sum(p * values[action] for action, p in model(path))


@given(TREES, FIRST, FIRST, DEPTHS, SALTS)
def test_expectimax_on_random_trees(tree, first, player, depth, salt):
    game, evaluate = TreeGame(tree, first=first), partial(estimate, salt)
    model = a_model(game, salt)
    value, action = expectimax_search(game, (), model, depth, evaluate, player)
    assert value == expected(tree if depth == inf else oracle.cut(tree, depth, evaluate), model, player, first)
    if game.to_move(()) == player and depth and not game.is_terminal(()):
        after = {a: expectimax_search(game, (a,), model, depth - 1, evaluate, player)[0] for a in game.actions(())}
        assert action == next(a for a in after if after[a] == value)
    else:
        assert action is None


def test_a_model_of_chance_and_an_opponent_who_plays_at_random():
    game = TreeGame([Chance([(0.5, [[6], 7]), (0.5, 8)]), 1])
    model = uniform_model(game)
    assert model(()) == [(0, 0.5), (1, 0.5)] and model((0, 0)) == [(0, 0.5), (1, 0.5)]
    assert expectiminimax_search(game, (), 2, lambda state: 9) == ((7 + 8) / 2, 0), "chance takes no ply"
    assert expectimax_search(game, (), model, 2, lambda state: 9) == (((9 + 7) / 2 + 8) / 2, 0)


def test_an_action_of_the_model_is_a_ply():
    game = TreeGame([[[9]], 3])
    assert expectimax_search(game, (), uniform_model(game), 2) == (3, 1)
    assert expectimax_search(game, (), uniform_model(game), 3) == (9, 0)


@pytest.mark.parametrize("first", [MAX, MIN])
def test_an_outcome_of_probability_0_is_not_visited(first):
    tree = [Chance([(0, [7, 8]), (1, [2, 3])]), Chance([(0.5, 1), (0.5, [5]), (0, 9)])]
    game = Recording(TreeGame(tree, first=first))
    assert expectiminimax_search(game, ()) == best(tree, first)
    assert not {(0, 0), (1, 2)} & set(game.made)
    game = Recording(TreeGame([[7, 8], [2, 3]], first=first))
    answer = expectimax_search(game, (), lambda state: [(0, 0), (1, 1)], player=first)
    assert answer == ((8, 0) if first == MAX else (3, 1)) and game.leaves == [(0, 1), (1, 1)]


@given(st.data(), st.integers(1, 4))
def test_max_n_with_chance_on_random_trees(data, players):
    tree = data.draw(trees(utility_vectors(players), players, chance=True))
    first = data.draw(st.integers(0, players - 1))
    game = TreeGame(tree, players, first)
    utilities, action = max_n_search(game, ())
    assert utilities == oracle.max_n(tree, players, first)
    mover = game.to_move(())
    if mover == CHANCE or game.is_terminal(()):
        assert action is None
    else:
        after = {a: max_n_search(game, (a,))[0][mover] for a in game.actions(())}
        assert action == next(a for a in after if after[a] == max(after.values()))


# ------------------------------------------------------------------------------------------------------------ agents


@pytest.mark.parametrize("player", [MAX, MIN])
def test_agents_play_the_action_of_their_search_for_either_player(player):
    game = TreeGame([[3, 12, 9], [2, 4, 6], [14, 5, 2]], first=player)
    model = uniform_model(game)
    assert expectimax_agent(model)(game, ()) == expectimax_search(game, (), model, player=player)[1]
    assert expectimax_agent(model, 1, lambda state: state[0])(game, ()) == (2 if player == MAX else 0)


def test_a_mean_is_the_same_in_every_version_of_python():
    """Added up in order, ten tenths are a little less than 1; the `sum` of Python 3.12 and later makes them 1."""
    game = TreeGame(Chance([(0.1, 1)] * 10))
    for search in (expectiminimax_search, lambda game, state: expectimax_search(game, state, uniform_model(game))):
        assert search(game, ())[0] == 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 < 1


def test_max_n_goes_through_the_chance_nodes_of_a_game_that_is_checked():
    tree = [Chance([(0.5, (4, 0)), (0.5, (0, 2))]), (1, 1)]
    checked = TreeGame(tree)
    checked.trusted = False
    assert max_n_search(checked, ()) == max_n_search(TreeGame(tree), ()) == ((2, 1), 0)
