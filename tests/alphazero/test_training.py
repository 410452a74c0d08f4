"""Self-play, training and its files: whose outcome is whose, what is repeatable, and what a broken file does."""

import os
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import oracle
from course_lib.__main__ import main
from course_lib.alphazero import (
    CONFIGS,
    Examples,
    Network,
    UniformEvaluator,
    enumerate_replies,
    find_lost_lines,
    load,
    load_network,
    network_agent,
    network_player,
    sample_batch,
    save_network,
    self_play,
    train,
    vectorize,
)
from course_lib.alphazero.self_play import start_positions
from course_lib.games import MAX, ConnectFour, Nim, TicTacToe
from made_up_games import Hex, SmallOthello

TIC_TAC_TOE, CONNECT_FOUR = vectorize(TicTacToe()), vectorize(ConnectFour())
each_board = pytest.mark.parametrize(
    "vector_game", [TIC_TAC_TOE, CONNECT_FOUR], ids=lambda vector_game: repr(vector_game.game)
)
SHORT = replace(CONFIGS["tic_tac_toe"], iterations=4, games=30, steps=5, simulations=10)


def discs_of(positions):
    return np.bitwise_count(positions).sum(axis=1)


@each_board
def test_the_outcomes_of_a_game_are_those_of_the_players_in_turn(vector_game):
    drawn = 0
    for seed in range(100):
        played = self_play(vector_game, UniformEvaluator(vector_game), 1, 0, np.random.default_rng(seed))
        positions, policies, z = played.examples
        (plies,), (outcome,) = played.lengths, played.outcomes
        assert list(discs_of(positions)) == list(range(plies))
        if outcome == 0:
            drawn += 1
            assert not z.any() and plies == vector_game.cells
        else:
            # The last to move won, so its positions are worth 1, and every other position before it.
            assert outcome == 1 and list(z[::-1]) == [(-1) ** ply for ply in range(plies)]
            _, won, _ = vector_game.play(positions[-1:], policies[-1:].argmax(axis=1))
            assert won[0]
    assert drawn < 100 and (drawn or vector_game is CONNECT_FOUR)


def test_a_value_that_is_proven_is_learned_in_the_place_of_the_outcome():
    def hopeless(positions):
        return UniformEvaluator(TIC_TAC_TOE)(positions)[0], np.full(len(positions), -0.5, np.float32)

    examples = self_play(TIC_TAC_TOE, hopeless, 60, 200, np.random.default_rng(0)).examples
    true_value, checked = oracle.values_of_states(TicTacToe()), 0
    for position, z in zip(examples.positions, examples.outcomes):
        if np.bitwise_count(position).sum() >= 4:
            state, checked = TIC_TAC_TOE.state_of(position), checked + 1
            assert z == (true_value[state] if TicTacToe().to_move(state) == MAX else -true_value[state])
    assert checked > 60
    mixed = self_play(TIC_TAC_TOE, hopeless, 60, 4, np.random.default_rng(0), q_weight=1).examples
    assert set(mixed.outcomes[discs_of(mixed.positions) == 0]) - {-1, 0, 1}


@each_board
def test_a_share_of_the_games_starts_in_the_middle(vector_game):
    rng = np.random.default_rng(0)
    assert not start_positions(vector_game, 20, rng, share=0).any()
    positions = start_positions(vector_game, 600, rng, share=0.5, plies=6)
    discs = discs_of(positions)
    assert 0.4 < (discs == 0).mean() < 0.6 and discs.max() == 6
    # No opening ends a game: neither player has a line, so undoing is not needed to see that all have moves left.
    assert vector_game.legal(positions).any(axis=1).all()
    for position in positions:
        assert not vector_game.game.is_terminal(vector_game.state_of(position))


@each_board
def test_a_batch_is_turned_as_a_whole(vector_game):
    """A position in which the only action worth playing wins: it must still win after every symmetry."""
    rng = np.random.default_rng(0)
    positions = start_positions(vector_game, 4000, rng, plies=7)
    _, won, _ = vector_game.play(positions[:, None], np.arange(vector_game.actions))
    wins = won & vector_game.legal(positions)
    positions, wins = positions[wins.sum(axis=1) == 1], wins[wins.sum(axis=1) == 1]
    assert len(positions) > 10
    examples = (positions, wins.astype(np.float32), np.arange(len(positions), dtype=np.float32))
    planes, legal, pi, z = sample_batch(vector_game, Examples(*examples), 300, rng)
    bits = np.left_shift(1, vector_game.bits.astype(np.int64))
    turned = (planes[:, :2] @ bits.astype(np.float64)).astype(np.int64)
    _, won, _ = vector_game.play(turned, pi.argmax(axis=1))
    assert won.all() and (vector_game.legal(turned) == legal).all() and (vector_game.planes(turned) == planes).all()
    before = positions[z.astype(int)]
    assert (discs_of(turned) == discs_of(before)).all() and (turned != before).any()


@pytest.mark.slow
def test_the_configuration_learns_tic_tac_toe_from_nothing():
    """The last three checkpoints, without search, lose no line of play against any opponent."""
    networks = [progress.network.copy() for progress in train("tic_tac_toe", seed=1)]
    lost = [len(find_lost_lines(network_agent(network), TicTacToe())) for network in networks]
    assert lost[0] > 0 and lost[-3:] == [0, 0, 0]


def test_a_seed_gives_the_same_network_with_every_numpy():
    """To the last bit; CI compares it with the oldest NumPy too. Only a change of the method may change this digest."""
    *_, last = train(SHORT, 1)
    assert sha256(last.network.theta.tobytes()).hexdigest()[:16] == "10c1797ffadef2b7"


@pytest.mark.slow
@pytest.mark.parametrize("processor", ["Prescott", "Nehalem", "Sandybridge"])
def test_notebook_7_prints_the_same_on_other_processors(processor):
    """OpenBLAS adds in another order for each of these; nbval compares the outputs with those stored."""
    notebook = Path(__file__).parents[2] / "notebooks" / "07_alphazero_lite.ipynb"
    if not notebook.exists():
        pytest.skip("the course has no notebook 7")
    environment = {**os.environ, "OPENBLAS_CORETYPE": processor, "NPY_DISABLE_CPU_FEATURES": "X86_V3"}
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", notebook],
                          env=environment, capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_delayed_games_are_those_of_the_weights_before():
    """The second round is by the first weights still, so it differs; the same seed gives the same."""
    config = replace(SHORT, delayed_weights=True, iterations=2, q_weight=1)
    *_, once = train(config, 1)
    *_, again = train(config, 1)
    *_, other = train(replace(config, delayed_weights=False), 1)
    assert (once.network.theta == again.network.theta).all() and (once.network.theta != other.network.theta).any()


def test_a_damaged_file_of_weights_is_refused(tmp_path):
    path = tmp_path / "tic_tac_toe.npz"
    save_network(path, Network(TIC_TAC_TOE, width=64))
    whole = path.read_bytes()
    broken = [whole[:end] for end in (0, 10, len(whole) // 2, len(whole) - 1)]
    places = range(2000, len(whole) - 2000, 9973)
    broken += [whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :] for place in places]
    for content in [*broken, b"no archive at all", b"\x80\x04K\x01."]:
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"tic_tac_toe\.npz is damaged or does not hold a network"):
            load_network("tic_tac_toe", path)


def test_the_command_writes_the_weights(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(CONFIGS, "tic_tac_toe", SHORT)
    main(["train", "tic_tac_toe", "--seed", "1"])
    assert "iteration 4 of 4, losses: value" in capsys.readouterr().out
    *_, whole = train(SHORT, 1)
    assert (load_network("tic_tac_toe", "tic_tac_toe.npz").theta == whole.network.theta).all()


def test_a_small_board_and_a_game_of_ones_own_are_trained_and_their_weights_read_again(tmp_path):
    for game in ConnectFour(5, 4), SmallOthello(), Nim((2, 2)):
        config = replace(SHORT, game=game, iterations=1, games=8)
        network = next(train(config)).network
        assert network.vector_game.game is game
        save_network(tmp_path / "own.npz", network)
        again, start = load_network(game, tmp_path / "own.npz"), game.initial_state()
        assert (again.theta == network.theta).all()
        assert network_agent(again, 5)(game, start) == network_agent(network, 5)(game, start)
        with pytest.raises(ValueError, match=r"expected the weights of a network for TicTacToe\(\), got"):
            load("tic_tac_toe", weights=tmp_path / "own.npz")
    with pytest.raises(ValueError, match="pass weights=…, the file that save_network wrote"):
        load_network(game)


@pytest.mark.parametrize(("game", "side"), [(Hex(3), 0), pytest.param(SmallOthello(), 1, marks=pytest.mark.slow)])
def test_a_game_of_ones_own_is_learned_until_nothing_that_can_be_held_is_lost(game, side):
    """The first player wins Hex, the second Othello on 4 × 4: as that one the raw policy loses to no reply."""
    config = replace(CONFIGS["tic_tac_toe"], game=game, games=64, iterations=14, simulations=16, q_weight=0.0)
    lost = [enumerate_replies(vectorize(game), network_player(Network(vectorize(game))), side).losses]
    for progress in train(config):
        lost.append(enumerate_replies(vectorize(game), network_player(progress.network), side).losses)
        if not lost[-1]:
            break
    assert lost[0] > 0 == lost[-1]


class Misere(TicTacToe):
    """Three in a row loses."""

    def utility(self, state, player):
        return -super().utility(state, player)


def test_a_mover_who_loses_is_learned_as_one():
    """Who takes the last cell may lose by it: z is compared with the end of the game itself."""
    game = Misere()
    vector_game = vectorize(game)
    positions, _, z = self_play(vector_game, UniformEvaluator(vector_game), 60, 0, np.random.default_rng(0)).examples
    lasts = [(vector_game.state_of(position), value) for position, value in zip(positions, z)]
    ends = [(state, value) for state, value in lasts if len(game.actions(state)) == 1]
    assert {value for _, value in ends} == {-1, 0}
    for state, value in ends:
        assert value == game.utility(game.result(state, game.actions(state)[0]), game.to_move(state))
