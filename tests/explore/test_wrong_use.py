"""Wrong arguments raise `ValueError` with what was given and what was expected."""

import random

import numpy as np
import pytest

from course_lib.alphazero import (
    arena,
    batched_search,
    enumerate_replies,
    find_lost_lines,
    load,
    load_network,
    network_agent,
    network_player,
    puct_search,
    root_noise,
    save_network,
    self_play,
    train,
    vectorize,
)
from course_lib.check import warm_up
from course_lib.explore import board, explore, mcts_tree, picture, practice, predict, side_by_side, watch, watch_mcts
from course_lib.games import ConnectFour, TicTacToe, TreeGame
from course_lib.search import minimax_agent, minimax_search
from course_lib.search.mcts import mcts_agent, monte_carlo_tree_search

TTT = TicTacToe()
NETWORK = load_network("tic_tac_toe")
PLAYER = network_player(NETWORK)
START = vectorize(TTT).initial(1)
TRACE = watch(minimax_search, TreeGame([[1, 2], [3, 4]]))

WRONG = [
    (lambda: network_agent(None), "expected a Network, such as .*, got None"),
    (lambda: network_player(TTT), r"expected a Network, such as .*, got TicTacToe\(\)"),
    (lambda: network_agent(NETWORK, -1), "simulations must be a whole number of at least 0, not -1"),
    (lambda: network_agent(NETWORK)(ConnectFour(), ConnectFour().initial_state()), r"made for TicTacToe\(\)"),
    (lambda: arena("tic_tac_toe", PLAYER, PLAYER), "not 'tic_tac_toe'"),
    (lambda: arena(TTT, minimax_agent, PLAYER), "expected a player, .* got <function minimax_agent"),
    (lambda: arena(TTT, NETWORK, PLAYER), "expected a player, such as network_player"),
    (lambda: arena(TTT, PLAYER, PLAYER, games=5), "games must be even, .* not 5"),
    (lambda: load("chess"), "expected tic_tac_toe or connect_four, .* got 'chess'"),
    (lambda: load(TTT), "pass weights=…, the file that save_network wrote"),
    (lambda: train("othello"), "one of 'tic_tac_toe', 'connect_four', got 'othello'"),
    (lambda: self_play(TTT, NETWORK, 2, simulations=-1), "simulations must be .* not -1"),
    (lambda: self_play(TTT, None, 2, 3), "evaluate must be a function of positions, .* not None"),
    (lambda: batched_search(TTT, vectorize(TTT).initial(1), None, 3), "not None"),
    (lambda: next(puct_search(TTT, TTT.initial_state(), NETWORK)), "such as network.evaluate"),
    (lambda: find_lost_lines(None, TTT), r"function agent\(game, state\) → action, got None"),
    (lambda: watch(3, TTT), "pass the search itself, .* not 3"),
    (lambda: watch_mcts(minimax_search, TTT), r"expected a generator of iterations, got \(0, 0\) from minimax_search"),
    (lambda: explore(minimax_search), r"minimax_search is a function: pass watch\(minimax_search, game\)"),
    (lambda: explore(TRACE, predict="all"), "predict must be 'value', .* not 'all'"),
    (lambda: picture(None), r"expected what watch\(\) returned, .* got None"),
    (lambda: picture(TicTacToe), r"pass TicTacToe\(\), with parentheses"),
    (lambda: board(TicTacToe), r"such as TicTacToe\(\), not <class"),
    (lambda: board(TTT, minimax_agent), r"got the factory minimax_agent: pass minimax_agent\(\)"),
    (lambda: board(TTT, mcts_agent), r"got the factory mcts_agent: pass mcts_agent\(…\)"),
    (lambda: board(TTT, human="X"), r"one of \[0, 1\], not 'X'"),
    (lambda: practice("alphabeta"), "did you mean 'alpha-beta'"),
    (lambda: practice(level=4), "level must be 1, 2 or 3, not 4"),
    (lambda: predict("?", "a", "b", right=7, because="x"), "right must be a whole number from 1 to 2, not 7"),
    (lambda: predict("?", right=1, because="x"), r"two or more different texts .* got \(\)"),
    (lambda: side_by_side(TTT, TTT.initial_state()), "positions must be a dictionary"),
    (lambda: mcts_tree(TTT, 3), "counts must be a dictionary .* not 3"),
    (lambda: save_network(NETWORK, "x.npz"), "Expected network to be a Network, got 'x.npz'"),
    (lambda: arena(TTT, minimax_search, PLAYER, 2), r"got a search, .* pass lambda game, state: minimax_search"),
    (lambda: arena(TTT, lambda game, state, depth: 1, PLAYER, 2), "expected a player"),
    (lambda: find_lost_lines(minimax_agent(), TTT, sides=1), "Expected sides to be a Sequence, got 1"),
    (lambda: enumerate_replies(TTT, PLAYER, side=2), "side must be a whole number from 0 to 1, not 2"),
    (lambda: batched_search(TTT, [[0, 0]], NETWORK, 3), r"an int64 array \[n, 2\], .* got \[\[0, 0\]\]"),
    (lambda: batched_search(ConnectFour(), vectorize(ConnectFour()).initial(1), NETWORK, 3), r"made for TicTacToe\(\)"),
    (lambda: batched_search(TTT, START, NETWORK, 3, noise=root_noise), r"the factory root_noise: pass root_noise\(\)"),
    (lambda: self_play(TTT, NETWORK, 2, 3, noise_weight=3), "noise_weight must be .* from 0 to 1, not 3"),
    (
        lambda: next(puct_search(TTT, TTT.initial_state(), lambda state: ({}, 0))),
        r"a prior for each legal action, .*\{\}",
    ),
    (lambda: watch(minimax_agent, TTT), "got the factory minimax_agent"),
    (lambda: watch(monte_carlo_tree_search, TTT), "a generator of iterations: pass it to watch_mcts"),
    (lambda: picture(TTT, answers={(): "3"}), r"Expected game to be a TreeGame, got TicTacToe\(\)"),
    (lambda: board(TTT, lambda depth=1, seed=2: 0), "got one without required arguments, like a factory's"),
    (lambda: predict("?", "a", ("b", "c", "d"), right=1, because="x"), "two or more different texts .*'d'"),
    (lambda: predict("?", "a", "b", right=1, because=None), "Expected because to be a str, got None"),
    (lambda: side_by_side(TTT, {}), "positions must be a dictionary .* not {}"),
    (lambda: warm_up("six"), "Expected a notebook's number, .* got 'six'"),
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


def test_agents_and_games_are_accepted_in_the_arena():
    result = arena(TTT, network_agent(NETWORK), PLAYER, games=4)
    assert result == arena(vectorize(TTT), PLAYER, PLAYER, games=4)
