"""Wrong arguments raise `ValueError` with what was given and what was expected."""

import random

import numpy as np
import pytest

from course_lib.alphazero import (
    Network,
    batched_search,
    enumerate_replies,
    find_lost_lines,
    load_network,
    network_agent,
    network_player,
    puct_search,
    root_noise,
    sample_batch,
    save_network,
    self_play,
    train,
    vectorize,
)
from course_lib.check import check, warm_up
from course_lib.explore import board, explore, mcts_tree, practice, predict, side_by_side, watch
from course_lib.explore.picture import chart, picture
from course_lib.games import ConnectFour, DiceDuel, Nim, Pacman, Pig, TicTacToe, TreeGame, play, player_name
from course_lib.search import best_child, fit_weights, minimax_agent, minimax_search, root_node
from course_lib.search.mcts import mcts_agent, monte_carlo_tree_search

TTT = TicTacToe()
NETWORK = load_network("tic_tac_toe")
PLAYER = network_player(NETWORK)
RULES = vectorize(TTT)
START = RULES.initial(1)
TRACE = watch(minimax_search, TreeGame([[1, 2], [3, 4]]))

WRONG = [
    (lambda: network_agent(None), "expected a Network, such as .*, got None"),
    (lambda: network_player(TTT), r"expected a Network, such as .*, got TicTacToe\(\)"),
    (lambda: network_agent(NETWORK)(ConnectFour(), ConnectFour().initial_state()), r"made for TicTacToe\(\)"),
    (lambda: batched_search(TTT, START, NETWORK, 3), r"Expected vector_game to be a VectorGame, got TicTacToe\(\)"),
    (lambda: enumerate_replies(vectorize(ConnectFour()), PLAYER), r"made for TicTacToe\(\), not for ConnectFour"),
    (
        lambda: enumerate_replies(RULES, lambda positions: 0 * positions[:, 0]),
        r"array of legal actions, .* got array\(\[0",
    ),
    (lambda: enumerate_replies(RULES, NETWORK), r"array of legal actions, .* got \(array"),
    (lambda: train("othello"), "one of 'tic_tac_toe', 'connect_four', got 'othello'"),
    (lambda: self_play(TTT, None, 2, 3), r"Expected a network or evaluate\(positions\) → \(p, v\), got None"),
    (lambda: batched_search(RULES, START, None, 3), "got None"),
    (lambda: next(puct_search(TTT, TTT.initial_state(), NETWORK)), "such as network.evaluate"),
    (lambda: find_lost_lines(None, TTT), r"function agent\(game, state\) → action, got None"),
    (lambda: explore(TRACE, predict="all"), "predict must be 'value', .* not 'all'"),
    (lambda: picture(None), r"Expected what watch\(\) returned, .* got None"),
    (lambda: board(TicTacToe), r"pass TicTacToe\(\), with parentheses"),
    (lambda: board(TTT, minimax_agent), r"got the factory minimax_agent: pass minimax_agent\(\)"),
    (lambda: board(TTT, mcts_agent), r"got the factory mcts_agent: pass mcts_agent\(…\)"),
    (lambda: practice("alphabeta"), "did you mean 'alpha-beta'"),
    (lambda: side_by_side(TTT, TTT.initial_state()), "positions must be a dictionary"),
    (lambda: mcts_tree(TTT, 3), "counts must be a dictionary .* not 3"),
    (lambda: save_network(NETWORK, "x.npz"), "Expected network to be a Network, got 'x.npz'"),
    (lambda: find_lost_lines(minimax_agent(), TTT, sides=1), "Expected sides to be a Sequence, got 1"),
    (lambda: enumerate_replies(RULES, PLAYER, side=2), "side must be a whole number from 0 to 1, not 2"),
    (lambda: batched_search(RULES, [[0, 0]], NETWORK, 3), r"an int64 array \[n, 2\], .* got \[\[0, 0\]\]"),
    (lambda: batched_search(vectorize(ConnectFour()), START, NETWORK, 3), r"made for TicTacToe\(\)"),
    (
        lambda: batched_search(RULES, START, NETWORK, 3, noise=root_noise),
        r"the factory root_noise: pass root_noise\(\)",
    ),
    (
        lambda: next(puct_search(TTT, TTT.initial_state(), lambda state: ({}, 0))),
        r"a prior for each legal action, .*\{\}",
    ),
    (lambda: watch(minimax_agent, TTT), "got the factory minimax_agent"),
    (lambda: watch(monte_carlo_tree_search, TTT), "a generator of iterations: pass it to watch_mcts"),
    (lambda: picture(TTT, answers={(): "3"}), r"Expected game to be a TreeGame, got TicTacToe\(\)"),
    (lambda: board(TTT, lambda depth=1, seed=2: 0), "got one without required arguments, like a factory"),
    (lambda: predict("?", "a", ("b", "c", "d"), right=1, because="x"), "two or more different options .*'d'"),
    (lambda: predict("?", "a", "b", right=1, because=None), "Expected because to be a str, got None"),
    (lambda: side_by_side(TTT, {}), "positions must be a dictionary .* not {}"),
    (lambda: minimax_search(TTT, ConnectFour().initial_state()), r"Expected a state of TicTacToe\(\)"),
    (lambda: Pacman(10), "Expected layout to be a str, got 10"),
    (lambda: DiceDuel([1, 2]), r"Expected dice to be a Mapping, got \[1, 2\]"),
    (lambda: DiceDuel({"a": 6}), "Expected the faces of 'a' to be a Sequence, got 6"),
    (lambda: minimax_agent(1, lambda state: None)(TTT, TTT.initial_state()), r"numbers from evaluate.*, got None"),
    (lambda: best_child(TTT), r"TicTacToe\(\) has no child to play: pass a root"),
    (lambda: root_node(TTT.initial_state(), TTT), "Expected a game, an object"),
    (lambda: fit_weights(play(TTT, [minimax_agent(1)] * 2), {"a": hash}), "Expected record 0 to be a GameRecord"),
    (lambda: Network(TTT, width=0), "width must be a whole number of at least 1, not 0"),
    (lambda: Network(TTT, dtype="int"), "dtype must be 'float32' or 'float64', not 'int'"),
    (lambda: chart(3, 4), "Expected alt to be a str, got 3"),
    (lambda: warm_up("six"), "Expected a notebook's number, .* got 'six'"),
    (lambda: check(minimax_agent(), "minimax.value"), "no question <function .*: pass a name, such as 'minimax.value'"),
    (lambda: TTT.render(3), "got 3: pass what initial_state"),
    (lambda: TTT.render(ConnectFour().after(3)), r"Expected a state of TicTacToe\(\)"),
    (lambda: ConnectFour().render(TTT.after(3)), r"Expected a state of ConnectFour\(7, 6\)"),
    (lambda: board(TTT, state=ConnectFour().after(3)), r"Expected a state of TicTacToe\(\)"),
    (lambda: side_by_side(TTT, {"start": None}), r"Expected a state of TicTacToe\(\), such as .*, got None"),
    (lambda: player_name("Max"), "player must be a whole number of at least -1, not 'Max'"),
    (lambda: mcts_tree(TTT, {0: (1, 2)}), r"counts must be a dictionary \{path: \(U, N\)\}, not \{0"),
    (lambda: self_play(TTT, lambda positions: None, 2, 3), r"Expected a network or evaluate\(positions\) → \(p, v\)"),
    (lambda: self_play(TTT, NETWORK.evaluate, 2, 3), "Expected a network or evaluate.*Evaluator.evaluate"),
    (
        lambda: sample_batch(RULES, self_play(TTT, NETWORK, 2, 1), 8),
        r"Expected examples to be a Examples, got SelfPlayR",
    ),
    (lambda: next(puct_search(TTT, None, NETWORK.evaluate)), r"Expected a state of TicTacToe\(\), .* got None"),
    (lambda: NETWORK(TTT.initial_state()), r"Expected positions to be a ndarray, got \(0, "),
    (lambda: root_noise(0, 1, 2), "weight must be a finite number from 0 to 1, not 2"),
    (lambda: mcts_tree(TTT, {(): ("1", 2)}), r"U of \(\) must be a finite number of at least 0, not '1'"),
    (lambda: chart("a", "wide"), "width must be a finite number of at least 0.1, not 'wide'"),
    (lambda: DiceDuel({"a": []}), "the number of faces of 'a' must be a whole number of at least 1, not 0"),
    (lambda: vectorize(Pig(9)), r"needs a game without chance, and in Pig\(9\) chance moves"),
    (lambda: Nim([]), "the number of heaps must be a whole number of at least 1, not 0"),
]


@pytest.mark.parametrize("call, message", WRONG)
def test_a_wrong_call_is_explained(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_search_as_opponent_is_explained_below_the_board():
    played = board(TTT, minimax_search)
    played.choose(4)
    assert "a value and an action, like a search: pass an agent" in played.view["message"]


def test_a_missing_folder_is_named():
    with pytest.raises(FileNotFoundError, match=r"no/folder/explorer.html needs the folder .*/no/folder: create it"):
        explore(TRACE).save("no/folder/explorer.html")
    with pytest.raises(FileNotFoundError, match=r"\. is a folder: name a file in it"):
        save_network(".", NETWORK)


@pytest.mark.parametrize("seed", [7, random.Random(7), np.random.default_rng(7), None])
def test_each_source_of_randomness_is_accepted(seed):
    assert practice(seed=seed).seed >= 0
    assert board(TTT, seed=seed).states == [TTT.initial_state()]
    assert len(self_play(TTT, NETWORK, 2, 1, seed).lengths) == 2
    assert next(train("tic_tac_toe", seed)).iteration == 1
