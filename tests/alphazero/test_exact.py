"""Exact values in batches, and a player against every reply, against the walk over single states."""

import numpy as np
import pytest

import oracle
from course_lib.alphazero import (
    ExactSolver,
    Network,
    enumerate_replies,
    find_lost_lines,
    network_agent,
    network_player,
    vectorize,
)
from course_lib.alphazero.exact import checked_actions
from course_lib.games import MAX, ConnectFour, Nim, TicTacToe
from made_up_games import Misere

BOARD = vectorize(TicTacToe())


@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(4, 3)], ids=repr)
def test_every_position_has_its_exact_outcomes(game):
    vector_game, true_value = vectorize(game), oracle.values_of_states(game)
    exact, states = ExactSolver(vector_game), [state for state in true_value if not game.is_terminal(state)]
    assert sum(map(len, exact.layers)) == len(states)
    for state, outcomes in zip(states, exact.outcomes(vector_game.positions_of(states))):
        sign = 1 if game.to_move(state) == MAX else -1
        expected = {action: sign * true_value[game.result(state, action)] for action in game.actions(state)}
        assert outcomes.tolist() == [expected.get(action, -2) for action in range(vector_game.actions)]


def test_a_mistake_is_a_move_that_makes_the_outcome_worse():
    game, exact = TicTacToe(), ExactSolver(BOARD)
    position = BOARD.positions_of([game.parse("X.. .O. ..X")] * 2)
    assert exact.mistakes(position, np.array([1, 2])).tolist() == [False, True]


@pytest.mark.parametrize(("game", "simulations"), [(TicTacToe(), 0), (Misere(), 0), (TicTacToe(), 3)])
@pytest.mark.parametrize("side", [0, 1])
def test_a_player_is_followed_to_the_ends_that_it_loses(side, game, simulations):
    network = Network(game, width=8, blocks=0)
    lines = find_lost_lines(network_agent(network, simulations), game, sides=(side,))
    ends = {game.after(*line)[:3] for line in lines}
    found = enumerate_replies(network.vector_game, network_player(network, simulations), side)
    assert found.losses == len(ends) > 0
    assert len({tuple(position) for position in found.positions.tolist()}) == len(found.positions) == len(found.actions)


def test_each_action_of_a_player_must_be_legal():
    positions = BOARD.positions_of([TicTacToe().parse("X.. .O. ..X")] * 2)
    assert checked_actions(BOARD, positions, np.array([1, 2])).tolist() == [1, 2]
    for wrong in np.array([1, 0]), np.array([[1], [2]]), np.array([1.0, 2.0]), [1, 2]:
        with pytest.raises(ValueError, match="an array of legal actions"):
            checked_actions(BOARD, positions, wrong)
    with pytest.raises(ValueError, match="side must be a whole number from 0 to 1, not 2"):
        enumerate_replies(BOARD, None, 2)


def last_action(game, state):
    return game.actions(state)[-1]


class Points(TicTacToe):
    """1 for a win, 0 for a loss, and half a point for a draw."""

    def utility(self, state, player):
        return (super().utility(state, player) + 1) / 2


@pytest.mark.parametrize("side", [0, 1])
def test_a_line_is_lost_where_the_other_player_gets_more(side):
    lines = find_lost_lines(last_action, TicTacToe(), sides=(side,))
    assert lines and find_lost_lines(last_action, Points(), sides=(side,)) == lines


def test_games_without_exact_values_are_refused():
    for game in ConnectFour(), Nim():
        with pytest.raises(ValueError, match="expected a game on bitboards of at most 31 bits"):
            ExactSolver(vectorize(game))
