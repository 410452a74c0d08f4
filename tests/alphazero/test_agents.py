"""The trained agents of the package, and the proof, which is checked against a walk of its own."""

import numpy as np
import pytest

import oracle
from course_lib.alphazero import (
    Network,
    UniformEvaluator,
    batched_search,
    find_lost_lines,
    load,
    load_network,
    network_agent,
    network_player,
    save_network,
    vectorize,
)
from course_lib.games import MAX, MIN, THREAD_POSITION, ConnectFour, Nim, TicTacToe

TIC_TAC_TOE, CONNECT_FOUR = TicTacToe(), ConnectFour()
WORTH = oracle.values_of_states(TIC_TAC_TOE)
STATES = [state for state in WORTH if not TIC_TAC_TOE.is_terminal(state)]


def first_cell(game, state):
    return game.actions(state)[0]


@pytest.mark.parametrize("simulations", [0, 25])
def test_the_tic_tac_toe_agent_is_unbeatable(simulations):
    assert find_lost_lines(load("tic_tac_toe", simulations), TIC_TAC_TOE) == []


def test_the_connect_four_agent_finds_the_only_win_of_the_common_position():
    assert load("connect_four", 300)(CONNECT_FOUR, CONNECT_FOUR.after(*THREAD_POSITION)) == 5


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four"])
def test_no_weight_is_subnormal_which_made_the_network_slow(name):
    theta = load_network(name).theta
    assert not ((theta != 0) & (abs(theta) < np.finfo(theta.dtype).tiny)).any()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_copy_and_a_file_of_a_network_keep_its_kind_of_numbers(tmp_path, dtype):
    network = Network(TIC_TAC_TOE, width=8, blocks=0, dtype=dtype)
    save_network(tmp_path / "own.npz", network)
    kinds = {other.theta.dtype for other in (network, network.copy(), load_network(TIC_TAC_TOE, tmp_path / "own.npz"))}
    assert kinds == {np.dtype(dtype)}


def test_what_no_agent_can_play_is_refused():
    with pytest.raises(ValueError, match="expected one of tic_tac_toe, connect_four, or a game"):
        load("go")
    with pytest.raises(ValueError, match="pass weights=…"):
        load(["tic_tac_toe"])
    for simulations in -1, 2.5, True, None, "25":
        with pytest.raises(ValueError, match="simulations must be a whole number of at least 0"):
            load("tic_tac_toe", simulations)
    for game in ConnectFour(5, 4), TIC_TAC_TOE, Nim():
        with pytest.raises(ValueError, match="was made for ConnectFour"):
            load("connect_four")(game, game.initial_state())


@pytest.mark.parametrize("simulations", [0, 1, 60])
def test_the_analysis_of_an_agent_begins_with_its_action_and_has_values_for_max(simulations):
    network = load_network("tic_tac_toe")
    agent = network_agent(network, simulations)
    for cells, sign in (("... ... ...", 0), ("X.. .O. ..X", 0), ("XX. OO. ...", 1), ("XX. OO. X..", -1)):
        state = TIC_TAC_TOE.parse(cells)
        found = agent.analysis(TIC_TAC_TOE, state)
        assert agent.search(TIC_TAC_TOE, state) == (found.value, found.line[0])
        assert found.line[0] == agent(TIC_TAC_TOE, state)
        for action in found.line:
            state = TIC_TAC_TOE.result(state, action)
        assert sign == 0 or min(sign * found.v, sign * found.value) > 0.5
    assert agent.search(TIC_TAC_TOE, TIC_TAC_TOE.parse("XXX OO. ...")) == (1, None)


@pytest.mark.parametrize("use_solver", [True, False])
def test_a_player_searches_with_the_proofs_or_without(use_solver):
    network = UniformEvaluator(vectorize(TIC_TAC_TOE))
    positions = network.vector_game.positions_of(STATES)
    played, other = (network_player(network, 25, wanted)(positions) for wanted in (use_solver, not use_solver))
    found = batched_search(network.vector_game, positions, network, 25, use_solver=use_solver)
    assert (played == found.policy(0).argmax(axis=1)).all() and (played != other).any()


def lost_lines(agent, side):
    """A walk of its own: boards as lists, the agent's answers looked up by the game's state."""

    def walk(line):
        state = TIC_TAC_TOE.after(*line)
        if TIC_TAC_TOE.is_terminal(state):
            return [line] if TIC_TAC_TOE.utility(state, side) == -1 else []
        actions = (agent(TIC_TAC_TOE, state),) if len(line) % 2 == side else TIC_TAC_TOE.actions(state)
        return [lost for action in actions for lost in walk((*line, action))]

    return walk(())


def test_the_proof_finds_every_lost_line_of_a_weak_agent():
    as_max, as_min = lost_lines(first_cell, MAX), lost_lines(first_cell, MIN)
    assert as_max and as_min
    assert find_lost_lines(first_cell, TIC_TAC_TOE) == as_max + as_min
    asked = []

    def noted(game, state):
        asked.append(state)
        return first_cell(game, state)

    assert find_lost_lines(noted, TIC_TAC_TOE, sides=[MIN]) == as_min
    assert len(asked) == len(set(asked)), "an agent is called once in each state"
