"""Self-play, training and its files: whose outcome is whose, what is repeatable, and what a broken file does."""

import os
import signal
import sys
from dataclasses import replace
from itertools import islice
from subprocess import PIPE, Popen, TimeoutExpired

import numpy as np
import pytest
from course_lib.check.questions.game_formalism import CoinRow

import oracle
from course_lib.__main__ import main
from course_lib.alphazero import (
    RECIPES,
    Network,
    Untrained,
    batch_of,
    board_of,
    follow,
    load,
    load_network,
    network_agent,
    network_player,
    self_play,
    strength,
    train,
    training,
    unbeatable,
    write_network,
)
from course_lib.alphazero.checkpoint import read_network
from course_lib.alphazero.self_play import Remembering, draw, openings
from course_lib.alphazero.training import second_process, with_bar
from course_lib.games import MAX, ConnectFour, Nim, TicTacToe
from made_up_games import Hex, SmallOthello

TIC_TAC_TOE, CONNECT_FOUR = board_of(TicTacToe()), board_of(ConnectFour())
each_board = pytest.mark.parametrize("board", [TIC_TAC_TOE, CONNECT_FOUR], ids=lambda board: repr(board.game))
SHORT = replace(RECIPES["tic_tac_toe"], iterations=4, games=30, steps=5, simulations=10)


def discs_of(positions):
    return np.bitwise_count(positions).sum(axis=1)


@each_board
def test_the_outcomes_of_a_game_are_those_of_the_players_in_turn(board):
    drawn = 0
    for seed in range(100):
        played = self_play(board, Untrained(board), 1, 0, np.random.default_rng(seed))
        positions, policies, z = played.examples
        assert list(discs_of(positions)) == list(range(played.plies))
        if played.draws:
            drawn += 1
            assert not z.any() and played.plies == board.longest
        else:
            # The last to move won, so its positions are worth 1, and every other position before it.
            assert list(z[::-1]) == [(-1) ** ply for ply in range(played.plies)]
            assert played.first_wins == played.plies % 2
            _, won, _ = board.play(positions[-1:], policies[-1:].argmax(axis=1))
            assert won[0]
    assert drawn < 100 and (drawn or board is CONNECT_FOUR)


@each_board
def test_examples_hold_distributions_over_legal_actions(board):
    luck = np.random.default_rng(0)
    played = self_play(board, Untrained(board), 40, 20, luck, started=0.5, q_weight=0.5)
    positions, policies, z = played.examples
    assert policies.dtype == z.dtype == np.float32 and len(positions) == len(policies) == len(z) == played.plies
    assert np.allclose(policies.sum(axis=1), 1, atol=1e-5) and not policies[~board.legal(positions)].any()
    assert (abs(z) <= 1).all() and played.games == 40


def test_a_value_that_is_proven_is_learned_in_the_place_of_the_outcome():
    def hopeless(positions):
        return Untrained(TIC_TAC_TOE)(positions)[0], np.full(len(positions), -0.5, np.float32)

    examples = self_play(TIC_TAC_TOE, hopeless, 60, 200, np.random.default_rng(0)).examples
    worth, checked = oracle.values_of_states(TicTacToe()), 0
    for position, z in zip(examples.positions, examples.outcomes):
        if np.bitwise_count(position).sum() >= 4:
            state, checked = TIC_TAC_TOE.state_of(position), checked + 1
            assert z == (worth[state] if TicTacToe().to_move(state) == MAX else -worth[state])
    assert checked > 60
    mixed = self_play(TIC_TAC_TOE, hopeless, 60, 4, np.random.default_rng(0), q_weight=1).examples
    assert set(mixed.outcomes[discs_of(mixed.positions) == 0]) - {-1, 0, 1}


@each_board
def test_a_share_of_the_games_starts_in_the_middle(board):
    luck = np.random.default_rng(0)
    assert not openings(board, 20, luck, share=0).any()
    positions = openings(board, 600, luck, share=0.5, plies=6)
    discs = discs_of(positions)
    assert 0.4 < (discs == 0).mean() < 0.6 and discs.max() == 6
    # No opening ends a game: neither player has a line, so undoing is not needed to see that all have moves left.
    assert board.legal(positions).any(axis=1).all()
    for position in positions:
        assert not board.game.is_terminal(board.state_of(position))


def test_draws_follow_the_weights():
    weights = np.tile(np.array([0, 1, 0, 3], np.float32), (20_000, 1))
    drawn = np.bincount(draw(weights, np.random.default_rng(0)), minlength=4) / len(weights)
    assert list(drawn[[0, 2]]) == [0, 0] and drawn[3] == pytest.approx(0.75, abs=0.02)


@each_board
def test_a_batch_is_turned_as_a_whole(board):
    """A position in which the only action worth playing wins: it must still win after every symmetry."""
    luck = np.random.default_rng(0)
    positions = openings(board, 4000, luck, plies=7)
    _, won, _ = board.play(positions[:, None], np.arange(board.actions))
    wins = won & board.legal(positions)
    positions, wins = positions[wins.sum(axis=1) == 1], wins[wins.sum(axis=1) == 1]
    assert len(positions) > 10
    examples = (positions, wins.astype(np.float32), np.arange(len(positions), dtype=np.float32))
    planes, legal, pi, z = batch_of(board, training.Examples(*examples), 300, luck)
    bits = np.left_shift(1, board.bits.astype(np.int64))
    turned = (planes[:, :2] @ bits.astype(np.float64)).astype(np.int64)
    _, won, _ = board.play(turned, pi.argmax(axis=1))
    assert won.all() and (board.legal(turned) == legal).all() and (board.planes(turned) == planes).all()
    before = positions[z.astype(int)]
    assert (discs_of(turned) == discs_of(before)).all() and (turned != before).any()


def test_the_recipe_learns_tic_tac_toe_from_nothing():
    """The last three checkpoints, without search, lose no line of play against any opponent."""
    networks = [progress.network.copy() for progress in train("tic_tac_toe", seed=1)]
    lost = [len(unbeatable(network_agent(network), TicTacToe())) for network in networks]
    assert lost[0] > 0 and lost[-3:] == [0, 0, 0]


def test_a_seed_gives_one_training_and_another_seed_another():
    one, same, other = ([*train(SHORT, seed)][-1] for seed in (1, 1, 2))
    assert (one.network.theta == same.network.theta).all() and one.losses == same.losses
    assert not (one.network.theta == other.network.theta).all()


def test_a_training_that_was_stopped_goes_on_to_the_same_end(tmp_path):
    path = tmp_path / "training.npz"
    assert [progress.iteration for progress in islice(train(SHORT, 1, path), 2)] == [1, 2]
    rest = list(train(SHORT, 1, path))
    assert [progress.iteration for progress in rest] == [3, 4]
    whole = list(train(SHORT, 1))
    assert (rest[-1].network.theta == whole[-1].network.theta).all() and rest[-1].losses == whole[-1].losses
    assert list(train(SHORT, 1, path)) == [] and os.listdir(tmp_path) == ["training.npz"]


def test_games_played_in_another_process_change_nothing(tmp_path):
    """Overlapped, the second round is by the first weights; stopped or not, with or without a pool."""
    recipe, path = replace(SHORT, overlapped=True, remembered=10), tmp_path / "training.npz"
    alone = [progress.network.copy() for progress in train(recipe, 1)]
    with second_process() as pool:
        assert len(list(islice(train(recipe, 1, path, pool), 2))) == 2
        rest = [progress.network.copy() for progress in train(recipe, 1, path, pool)]
    assert len(rest) == 2 and all((one.theta == other.theta).all() for one, other in zip(alone[2:], rest))
    assert (alone[-1].theta != [*train(SHORT, 1)][-1].network.theta).any()
    own = replace(recipe, game=Nim((2, 2)), iterations=3)
    assert [progress.iteration for progress in train(own, pool=pool)] == [1, 2, 3]  # its states have numbers here only


def test_the_second_process_ends_with_the_first_whatever_ends_that():
    """Both hold the pipe that is read here, so it has an end when both have."""
    code = """from course_lib.alphazero.training import os, second_process
with second_process() as pool:
    print(pool.submit(os.getpid).result(), flush=True)
    input()"""
    with Popen([sys.executable, "-c", code], stdin=PIPE, stdout=PIPE, text=True) as first:
        second = int(first.stdout.readline())
        first.terminate()
        try:
            first.communicate(timeout=60)
        except TimeoutExpired:
            os.kill(second, signal.SIGKILL)
            raise
    assert first.returncode == -signal.SIGTERM


def test_simulations_grow_evenly():
    recipe = replace(SHORT, simulations=10, last_simulations=30)
    assert [recipe.simulations_in(iteration) for iteration in range(4)] == [10, 15, 20, 25]
    assert {SHORT.simulations_in(iteration) for iteration in range(4)} == {10}


def test_what_is_remembered_is_what_the_network_says():
    network, luck = Network(CONNECT_FOUR, width=8, blocks=0, seed=3), np.random.default_rng(0)
    asked, remembering = [], Remembering(network, 4)
    remembering.evaluate = lambda positions: asked.append(len(positions)) or network(positions)
    for _ in range(5):
        positions = openings(CONNECT_FOUR, 50, luck, plies=2)
        for found, right in zip(remembering(positions), network(positions)):
            assert np.allclose(found, right, atol=1e-6)
    assert 0 < sum(asked) < 250
    once = openings(CONNECT_FOUR, 1, luck, plies=2)
    assert remembering(once) and not (asked.clear() or remembering(once) is None or asked)


def test_a_checkpoint_that_cannot_be_written_leaves_the_last_one(tmp_path, monkeypatch):
    path = tmp_path / "training.npz"
    next(train(SHORT, 1, path))
    before = path.read_bytes()

    def full(*_, **__):
        raise OSError("no space left")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(OSError, match="no space left"):
        next(train(SHORT, 1, path))
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["training.npz"]


def test_a_damaged_checkpoint_is_refused(tmp_path):
    path = tmp_path / "training.npz"
    next(train(SHORT, 1, path))
    whole = path.read_bytes()
    broken = [whole[:end] for end in (0, 10, len(whole) // 2, len(whole) - 1)]
    broken += [
        whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :] for place in range(500, len(whole), 9973)
    ]
    for content in [*broken, b"no archive at all", b"\x80\x04K\x01."]:
        path.write_bytes(content)
        with pytest.raises(ValueError, match=r"training\.npz is damaged .* train again"):
            train(SHORT, 1, path)
        assert path.read_bytes() == content


def test_one_bit_wrong_is_refused_or_changes_nothing(tmp_path):
    network = Network(TIC_TAC_TOE, width=2, blocks=0)
    write_network(tmp_path / "weights.npz", network)
    whole, refused = (tmp_path / "weights.npz").read_bytes(), 0
    for place in range(0, len(whole), 3):
        broken = bytearray(whole)
        broken[place] ^= 1 << place % 8
        (tmp_path / "broken.npz").write_bytes(broken)
        try:
            assert (read_network(tmp_path / "broken.npz", TicTacToe()).theta == network.theta).all()
        except ValueError as error:
            refused += "broken.npz is damaged" in str(error)
    assert refused > 0.25 * len(whole)


def test_a_checkpoint_is_read_without_pickle(tmp_path):
    path = tmp_path / "pickled.npz"
    np.savez(path, description=np.array([{"recipe": 1}], dtype=object))
    with pytest.raises(ValueError, match="damaged"):
        read_network(path, TicTacToe())


def test_a_checkpoint_of_another_recipe_or_seed_is_refused(tmp_path):
    path = tmp_path / "training.npz"
    next(train(SHORT, 1, path))
    for recipe, seed in (replace(SHORT, games=31), 1), (SHORT, 2):
        with pytest.raises(ValueError, match="another recipe or seed"):
            train(recipe, seed, path)


@pytest.mark.parametrize("spoil", [lambda theta: theta[:-1], lambda theta: theta * np.nan])
def test_weights_that_do_not_fit_are_refused(tmp_path, spoil):
    network = Network(TIC_TAC_TOE, width=8, blocks=1)
    network.theta = spoil(network.theta)
    write_network(tmp_path / "weights.npz", network)
    with pytest.raises(ValueError, match=r"weights\.npz is damaged"):
        read_network(tmp_path / "weights.npz", TicTacToe())


def test_weights_are_read_as_they_were_written(tmp_path):
    network = Network(CONNECT_FOUR, width=8, blocks=1, features=2, seed=5)
    write_network(tmp_path / "weights.npz", network)
    again = read_network(tmp_path / "weights.npz", ConnectFour())
    assert (again.theta == network.theta).all() and again.board.game.columns == 7


def test_a_checkpoint_and_weights_are_told_apart(tmp_path):
    checkpoint, weights = tmp_path / "training.npz", tmp_path / "weights.npz"
    network = next(train(SHORT, 1, checkpoint)).network
    write_network(weights, network)
    with pytest.raises(ValueError) as told:
        load("tic_tac_toe", weights=checkpoint)
    assert f"{checkpoint} is the checkpoint of a training, not weights; give the file" in str(told.value)
    with pytest.raises(ValueError) as told:
        train(SHORT, 1, weights)
    assert f"{weights} holds weights, not the checkpoint of a training; give another" in str(told.value)
    assert (read_network(weights, TicTacToe()).theta == network.theta).all()
    assert next(train(SHORT, 1, checkpoint)).iteration == 2


@pytest.mark.parametrize("same", ["same.npz", "folder/../same.npz"])
def test_one_file_for_weights_and_checkpoint_is_refused_before_the_training(tmp_path, monkeypatch, same):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(RECIPES, "tic_tac_toe", SHORT)
    (tmp_path / "folder").mkdir()
    with pytest.raises(SystemExit, match=r"error: the weights and the checkpoint cannot both go to same\.npz"):
        main(["train", "tic_tac_toe", "--out", "same.npz", "--checkpoint", same])
    assert os.listdir(tmp_path) == ["folder"]


def test_an_unknown_recipe_or_seed_is_refused():
    for recipe in "go", None, ["tic_tac_toe"]:
        with pytest.raises(ValueError, match="tic_tac_toe, connect_four"):
            train(recipe)
    for seed in -1, None, 1.5:
        with pytest.raises(ValueError, match="seed must be a whole number"):
            train(SHORT, seed)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("game", "go"),
        ("iterations", 0),
        ("simulations", -1),
        ("last_simulations", 9),
        ("steps", 2.5),
        ("started", 1.5),
        ("rate", 0),
        ("q_weight", float("nan")),
        ("c", -1),
        ("alpha", 0),
        ("noise", 2),
        ("started", "1"),
    ],
)
def test_a_recipe_that_cannot_be_followed_is_refused(name, wrong):
    with pytest.raises(ValueError, match=rf"{name} must be .* not {wrong!r}"):
        replace(SHORT, **{name: wrong})


def test_a_value_that_no_simulation_has_found_is_not_learned():
    for refused in (
        lambda: replace(SHORT, simulations=0, q_weight=0.5),
        lambda: self_play(TIC_TAC_TOE, Untrained(TIC_TAC_TOE), 1, 0, np.random.default_rng(0), q_weight=0.5),
    ):
        with pytest.raises(ValueError, match=r"without simulations there is no Q .* q_weight=0, not 0\.5"):
            refused()
    assert replace(SHORT, simulations=0, q_weight=0.0).simulations == 0


@pytest.mark.parametrize(("name", "wrong"), [("noise", 5), ("started", -1), ("q_weight", 2)])
def test_self_play_with_shares_that_are_none_is_refused(name, wrong):
    with pytest.raises(ValueError, match=f"{name} must be a number from 0 to 1, not {wrong}"):
        self_play(TIC_TAC_TOE, Untrained(TIC_TAC_TOE), 1, 5, np.random.default_rng(0), **{name: wrong})


def test_a_small_board_and_a_game_of_ones_own_are_trained_and_their_weights_read_again(tmp_path):
    for game in ConnectFour(5, 4), CoinRow((1, 5, 2, 4)), Nim((2, 2)):
        recipe = replace(SHORT, game=game, iterations=1, games=8)
        network = next(train(recipe)).network
        assert network.board.game is game and "score" in strength(network)
        write_network(tmp_path / "own.npz", network)
        again, start = load_network(game, tmp_path / "own.npz"), game.initial_state()
        assert (again.theta == network.theta).all()
        assert network_agent(again, 5)(game, start) == network_agent(network, 5)(game, start)
        with pytest.raises(ValueError, match=r"holds a network for .*, not for TicTacToe\(\)"):
            load("tic_tac_toe", weights=tmp_path / "own.npz")
    with pytest.raises(ValueError, match="for another game give the game and the file"):
        load_network(game)
    with pytest.raises(ValueError, match=r"a training of Nim\(.*\) cannot be stored"):
        train(recipe, path=tmp_path / "training.npz")


@pytest.mark.parametrize(("game", "side"), [(Hex(3), 0), pytest.param(SmallOthello(), 1, marks=pytest.mark.slow)])
def test_a_game_of_ones_own_is_learned_until_nothing_that_can_be_held_is_lost(game, side):
    """The first player wins Hex, the second Othello on 4 × 4: as that one the raw policy loses to no reply."""
    recipe = replace(RECIPES["tic_tac_toe"], game=game, games=64, iterations=8, simulations=16, q_weight=0.0)
    lost = [follow(board_of(game), network_player(Network(board_of(game))), side).lost]
    for progress in train(recipe):
        lost.append(follow(board_of(game), network_player(progress.network), side).lost)
        if not lost[-1]:
            break
    assert lost[0] > 0 == lost[-1]


def test_a_mover_who_loses_is_learned_as_one():
    """Whoever takes the last coin may have the smaller sum: z is compared with the end of the game itself."""
    game = CoinRow((1, 5, 2, 4))
    board = board_of(game)
    positions, _, z = self_play(board, Untrained(board), 40, 0, np.random.default_rng(0)).examples
    lasts = [(board.state_of(position), worth) for position, worth in zip(positions, z)]
    ends = [(state, worth) for state, worth in lasts if len(state[1]) == 1]
    assert {worth for _, worth in ends} >= {-1, 1}
    assert all(worth == game.utility(game.result(state, "left"), game.to_move(state)) for state, worth in ends)


def test_plain_alphazero_learns_from_outcomes_alone():
    board = TIC_TAC_TOE
    luck = np.random.default_rng(0)
    played = self_play(board, Untrained(board), 60, 20, luck, started=0.5, proven=False).examples
    worth = oracle.values_of_states(TicTacToe())
    states = [board.state_of(position) for position in played.positions]
    exact = [worth[state] if TicTacToe().to_move(state) == MAX else -worth[state] for state in states]
    assert set(played.outcomes) <= {-1, 0, 1} and (played.outcomes != exact).any()
    recipe = replace(SHORT, proven=False, q_weight=0.0, started=0.0, c=1.25, alpha=0.3, noise=0.25, iterations=1)
    assert (next(train(recipe)).network.theta != next(train(replace(recipe, noise=0.0))).network.theta).any()


def test_where_nothing_can_be_written_nothing_is_trained(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path, error in (tmp_path, IsADirectoryError), (tmp_path / "none" / "training.npz", FileNotFoundError):
        with pytest.raises(error, match=str(path)):
            train(SHORT, 1, path)
        with pytest.raises(SystemExit, match=f"error: .*{path}"):
            main(["train", "tic_tac_toe", "--out", str(path)])
    assert os.listdir(tmp_path) == []


def test_the_bar_shows_losses_and_the_time_left(capsys):
    assert [progress.iteration for progress in with_bar(train(SHORT, 1), width=4)] == [1, 2, 3, 4]
    lines = capsys.readouterr().out.split("\r")[1:]
    assert (
        lines[0].startswith("█░░░ 1/4  losses: value 0.")
        and lines[3].startswith("████ 4/4")
        and "0:00 left" in lines[3]
        and " lines lost " in lines[3]
    )


def test_the_time_left_has_sixty_seconds_in_a_minute(monkeypatch, capsys):
    monkeypatch.setattr(training, "perf_counter", iter([0, 59.7]).__next__)
    next(with_bar(train(replace(SHORT, iterations=2))))
    assert "1:00 left" in capsys.readouterr().out


def test_the_command_trains_stops_and_goes_on(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(RECIPES, "tic_tac_toe", SHORT)
    write, written = training.write_training, []

    def interrupted(path, state):
        write(path, state)
        written.append(path)
        if len(written) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(training, "write_training", interrupted)
    with pytest.raises(SystemExit, match="stopped after iteration 2; the same command goes on"):
        main(["train", "tic_tac_toe", "--seed", "1"])
    main(["train", "tic_tac_toe", "--seed", "1"])
    assert len(written) == 4 and "tic_tac_toe.npz" in capsys.readouterr().out
    whole = [*train(SHORT, 1)][-1]
    assert (read_network("tic_tac_toe.npz", TicTacToe()).theta == whole.network.theta).all()
