"""Policies of Pig: their exact values, against the equations of best play and linear ones."""

import itertools

import numpy as np
import pytest

from course_lib.games import MAX, MIN, Pig
from course_lib.games.pig import PigState
from course_lib.search import (
    best_policy,
    hold_at,
    pig_values,
)


@pytest.fixture(scope="module")
def wins():
    """The values of Pig to 100, as in the paper."""
    return pig_values(100)


def states(target, most_total=4):
    """Every state of a small game before its end, with not too many points in the turn."""
    scores = itertools.product(range(target), repeat=2)
    return [PigState(player, pair, total) for pair in scores for player in (MAX, MIN) for total in range(most_total)]


def test_holding_at_20_is_holding_with_20_points_or_enough_to_win():
    rolls = hold_at(20, 30)
    assert rolls[19, 0, 0] and not rolls[20, 0, 0]
    assert rolls[4, 25, 0] and not rolls[5, 25, 0]


def test_optimal_play_to_100(wins):
    assert wins[0, 0, 0] == pytest.approx(0.5305927, abs=1e-6)  # Neller and Presser: 0.5306
    optimal = best_policy(wins)
    assert int(np.argmin(optimal[:, 0, 0])) == 21
    np.testing.assert_allclose(pig_values(100, optimal, optimal)[0], wins[0], atol=1e-9)
    total, mine, theirs = np.nonzero(optimal)
    gain = wins[optimal] - (1 - wins[0, theirs, mine + total])
    assert gain.min() > 1e-10, "of actions that are equal but for rounding errors, it holds"


def exact(game):
    """The function that gives Max's value of a state, from `pig_values`."""
    wins = pig_values(game.target)

    def value(state):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        if state.rolling:
            return sum(p * value(game.result(state, face)) for face, p in game.chances(state))
        mine, theirs = state.scores[state.player], state.scores[1 - state.player]
        won = wins[state.total, mine, theirs] if mine + state.total < game.target else 1
        return (2 * won - 1) * (1 if state.player == MAX else -1)

    return value


@pytest.mark.parametrize("target", [1, 2, 7, 20])
def test_the_values_satisfy_the_equations_of_best_play(target):
    game = Pig(target)
    value = exact(game)
    for state in states(target):
        best = max if state.player == MAX else min
        after = best(value(game.result(state, action)) for action in game.actions(state))
        assert value(state) == pytest.approx(after, abs=1e-9)


def solved(target, mine, theirs):
    """The probability that the first player wins: linear equations, one for each state of the two policies."""
    game, numbers = Pig(target), {}
    unread = [game.initial_state()]
    while unread:
        state = unread.pop()
        if state not in numbers:
            numbers[state] = len(numbers)
            unread += [after for after, _ in successors(game, state, mine, theirs)]
    matrix, right = np.eye(len(numbers)), np.zeros(len(numbers))
    for state, row in numbers.items():
        if game.is_terminal(state):
            right[row] = game.utility(state, MAX) == 1
        for after, p in successors(game, state, mine, theirs):
            matrix[row, numbers[after]] -= p
    return np.linalg.solve(matrix, right)[0]


def successors(game, state, mine, theirs):
    if game.is_terminal(state):
        return []
    if state.rolling:
        return [(game.result(state, face), p) for face, p in game.chances(state)]
    rolls = mine if state.player == MAX else theirs
    own, other = state.scores[state.player], state.scores[1 - state.player]
    can_roll = "roll" in game.actions(state)
    return [(game.result(state, "roll" if can_roll and rolls[state.total, own, other] else "hold"), 1)]


NAMES = list(itertools.product(["hold at 4", "hold at 9", "best"], repeat=2))


@pytest.mark.parametrize("names", NAMES, ids=" against ".join)
def test_a_policy_against_a_policy_wins_what_linear_equations_say(names):
    policies = {"hold at 4": hold_at(4, 12), "hold at 9": hold_at(9, 12), "best": best_policy(pig_values(12))}
    first, second = (policies[name] for name in names)
    assert pig_values(12, first, second)[0, 0, 0] == pytest.approx(solved(12, first, second), abs=1e-9)
