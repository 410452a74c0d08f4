"""Self-play, training and its files: whose outcome is whose, what is repeatable, and what a broken file does."""

import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from course_lib.__main__ import main
from course_lib.alphazero import (
    CONFIGS,
    Adam,
    Examples,
    Network,
    UniformEvaluator,
    enumerate_replies,
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
from course_lib.alphazero.agents import WEIGHTS
from course_lib.alphazero.batched import SearchResults
from course_lib.alphazero.self_play import SelfPlayResult, start_positions
from course_lib.alphazero.training import play_games
from course_lib.games import ConnectFour, Nim, TicTacToe
from made_up_games import Misere, SmallOthello

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


def searching(monkeypatch, value, proven=False):
    """Let self-play search so that action a has a + 1 visits and each position this value; returns what it asked."""
    asked = []

    def search(vector_game, positions, evaluate, simulations, c, noise, use_solver):
        legal = vector_game.legal(positions)
        asked.append((simulations, c, use_solver, noise(legal / legal.sum(axis=1, keepdims=True), legal)))
        visits, values = legal * np.arange(1.0, vector_game.actions + 1), np.full(len(legal), value)
        lower, upper = (np.where(legal, value if proven else bound, -np.inf) for bound in (-1, 1))
        return SearchResults(visits, legal, lower, upper, values)

    monkeypatch.setitem(self_play.__globals__, "batched_search", search)
    return asked


def test_a_value_that_is_proven_is_learned_in_the_place_of_the_outcome(monkeypatch):
    searching(monkeypatch, -1, proven=True)
    examples = self_play(TIC_TAC_TOE, None, 60, 0, 0, q_weight=0.5).examples
    assert (examples.outcomes == -1).all()


def test_the_target_is_a_mean_of_the_outcome_and_of_q(monkeypatch):
    searching(monkeypatch, 0.5)
    played = self_play(TIC_TAC_TOE, None, 60, 0, 0, q_weight=0.25)
    last = played.examples.outcomes[played.examples.policies.max(axis=1) == 1]
    assert set(played.examples.outcomes.tolist()) == {0.875, 0.125, -0.625} and set(last.tolist()) <= {0.875, 0.125}


def test_moves_are_sampled_from_pi_for_the_first_plies_and_most_visited_after_them(monkeypatch):
    searching(monkeypatch, 0.5)
    positions, policies, _ = self_play(TIC_TAC_TOE, None, 600, 0, 0, temperature_plies=2).examples
    taken = np.bitwise_or.reduce(positions[:3000], axis=1).reshape(5, 600)  # no game ends before five plies
    last_free = [np.log2(511 - marks).astype(int) == np.log2(after - marks) for marks, after in pairwise(taken)]
    assert last_free[0].mean() == pytest.approx(9 / 45, abs=0.05)
    assert [ply.all() for ply in last_free] == [False, False, True, True]
    assert np.allclose(policies[:600], np.arange(1, 10) / 45, atol=1e-3) and policies[1800:2400].max() < 0.9


def test_self_play_searches_as_it_is_told(monkeypatch):
    for options, largest_prior in (
        ({"dirichlet_alpha": 1e9, "noise_weight": 1, "use_solver": False}, 1 / 9),
        ({"dirichlet_alpha": 0.05, "noise_weight": 0, "use_solver": True}, 1 / 9),
        ({"dirichlet_alpha": 0.05, "noise_weight": 1, "use_solver": True}, 0.9),
    ):
        asked = searching(monkeypatch, 0.5)
        self_play(TIC_TAC_TOE, None, 100, 7, 0, c=3, **options)
        *settings, prior = asked[0]
        assert settings == [7, 3, options["use_solver"]]
        assert np.median(prior.max(axis=1)) == pytest.approx(largest_prior, abs=0.1)


@each_board
def test_a_share_of_the_games_starts_in_the_middle(vector_game):
    rng = np.random.default_rng(0)
    assert not start_positions(vector_game, 20, rng, share=0).any()
    positions = start_positions(vector_game, 600, rng, share=0.5, plies=6)
    discs = discs_of(positions)
    assert 0.4 < (discs == 0).mean() < 0.6 and set(discs.tolist()) == set(range(7))
    played = self_play(vector_game, UniformEvaluator(vector_game), 50, 0, 0, random_start_share=1, random_start_plies=2)
    assert set(discs_of(played.examples.positions[:50]).tolist()) == {1, 2}
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
    assert (np.diff(z) != 1).any(), "sampled, not in order"
    assert (discs_of(turned) == discs_of(before)).all() and (turned != before).any()


def test_a_seed_gives_the_same_network_on_every_processor():
    """To the last bit: OpenBLAS adds in another order for each of these."""
    digests = set()
    code = f"""from hashlib import sha256; from course_lib.alphazero.training import *
*_, last = train({SHORT!r}, 1)
print(sha256(last.network.theta).hexdigest())"""
    for processor in "Prescott", "Sandybridge":
        environment = os.environ | {"OPENBLAS_CORETYPE": processor, "NPY_DISABLE_CPU_FEATURES": "X86_V3"}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
        digests.add(done.stdout)
    assert len(digests) == 1


@pytest.mark.slow
def test_the_network_of_tic_tac_toe_is_what_the_command_writes(tmp_path):
    """On every processor, byte for byte."""
    command = [sys.executable, "-m", "course_lib", "train", "tic_tac_toe", "--out", tmp_path / "made.npz"]
    another_processor = os.environ | {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": "X86_V3"}
    subprocess.run(command, env=another_processor, capture_output=True, check=True)
    assert (tmp_path / "made.npz").read_bytes() == (WEIGHTS / "tic_tac_toe.npz").read_bytes()


@pytest.fixture
def followed(monkeypatch):
    """A function that trains and returns, by iteration: the weights that played, and the learner's and average's after
    it; the outcomes of the window, which are numbers of iterations here; and the learning rate of each step."""

    def follow(config, seed=1):
        played, learned, averages, windows, rates, step = [], [], [], [], [], Adam.step

        def play_games(config, iteration, network, rng):
            played.append(network.theta.copy())
            return Examples(np.zeros((4, 2), int), np.eye(9)[:4], np.full(4, iteration))

        def sample(vector_game, examples, batch_size, rng):
            windows.append(sorted(set(examples.outcomes)))
            return sample_batch(vector_game, examples, batch_size, rng)

        def recorded_step(self, batch, learning_rate):
            rates.append(learning_rate)
            step(self, batch, learning_rate)
            learned.append(self.network.theta.copy())

        monkeypatch.setattr("course_lib.alphazero.training.play_games", play_games)
        monkeypatch.setattr("course_lib.alphazero.training.sample_batch", sample)
        monkeypatch.setattr(Adam, "step", recorded_step)
        averages = [progress.network.theta.copy() for progress in train(config, seed)]
        return played, learned, averages, windows, rates

    return follow


def test_games_are_played_by_the_learner_or_with_a_delay_by_what_it_was_an_iteration_before(followed):
    played, learned, *_ = followed(replace(SHORT, steps=1))
    assert [weights.tobytes() for weights in played[1:]] == [weights.tobytes() for weights in learned[:3]]
    played, delayed, *_ = followed(replace(SHORT, steps=1, delayed_weights=True))
    assert [weights.tobytes() for weights in played] == [
        weights.tobytes() for weights in (played[0], played[0], *delayed[:2])
    ]
    assert (delayed[1] != delayed[0]).any()
    assert (followed(SHORT, seed=2)[0][0] != played[0]).any()


def test_the_schedules_of_training(followed):
    """The learning rate falls linearly to a twentieth; the window moves; the average follows at its own pace."""
    config = replace(SHORT, steps=2, window=2, learning_rate=0.01, ema_decay=0.75)
    played, learned, averages, windows, rates = followed(config)
    assert rates[::2] == rates[1::2] == pytest.approx([0.01, 0.007625, 0.00525, 0.002875])  # the next one: 0.0005
    assert windows[::2] == windows[1::2] == [[0], [0, 1], [1, 2], [2, 3]]
    assert (followed(replace(config, weight_decay=1.0))[1][0] != learned[0]).any()
    assert np.allclose(averages[0], 0.5625 * played[0] + 0.1875 * learned[0] + 0.25 * learned[1])


def test_the_games_of_an_iteration_have_the_settings_of_the_configuration(monkeypatch):
    given = []
    monkeypatch.setattr(
        "course_lib.alphazero.training.self_play",
        lambda *arguments, **options: given.append((*arguments, options)) or SelfPlayResult("examples", [], []),
    )
    options = {"c": 3, "dirichlet_alpha": 2, "noise_weight": 0.5, "temperature_plies": 4, "random_start_share": 0.25,
               "random_start_plies": 5, "q_weight": 0.75, "use_solver": False}  # fmt: skip
    config = replace(SHORT, iterations=8, simulations=10, last_simulations=30, **options)
    network = Network(TIC_TAC_TOE)
    assert {play_games(config, iteration, network, 0) for iteration in (0, 4, 7)} == {"examples"}
    assert given == [(TIC_TAC_TOE, network, 30, simulations, 0, options) for simulations in (10, 20, 27)]
    assert play_games(replace(config, last_simulations=None), 7, network, 0) and given[-1][3] == 10


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
    save_network("again.npz", whole.network)
    assert Path("again.npz").read_bytes() == Path("tic_tac_toe.npz").read_bytes()
    assert (load_network("tic_tac_toe", "again.npz").theta == whole.network.theta).all()


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
    with pytest.raises(FileNotFoundError):
        load("connect_four", weights=tmp_path / "none.npz")


@pytest.mark.parametrize(
    ("game", "side"), [(Nim((1, 2, 3)), 1), pytest.param(SmallOthello(), 1, marks=pytest.mark.slow)]
)
def test_a_game_of_ones_own_is_learned_until_nothing_that_can_be_held_is_lost(game, side):
    """The second player wins: as that one the raw policy loses to no reply."""
    config = replace(CONFIGS["tic_tac_toe"], game=game, games=64, iterations=14, simulations=16, q_weight=0.0)
    lost = [enumerate_replies(vectorize(game), network_player(Network(vectorize(game))), side=1).losses]
    for progress in train(config):
        lost.append(enumerate_replies(vectorize(game), network_player(progress.network), side=1).losses)
        if not lost[-1]:
            break
    assert lost[0] > 0 == lost[-1]


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
