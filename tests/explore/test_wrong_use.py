"""Wrong arguments raise `ValueError` with what was given and what was expected."""

import random
import re

import numpy as np
import pytest

from course_lib.alphazero import (
    Network,
    batched_search,
    enumerate_replies,
    load_network,
    network_agent,
    puct_search,
    save_network,
    self_play,
    train,
    vectorize,
)
from course_lib.check import warm_up
from course_lib.explore import board, explore, mcts_tree, practice, predict, side_by_side, watch
from course_lib.explore.picture import picture
from course_lib.games import ConnectFour, Nim, Pacman, TicTacToe, TreeGame
from course_lib.language import translated
from course_lib.search import best_child, minimax_agent, minimax_search
from course_lib.search.mcts import monte_carlo_tree_search

TTT = TicTacToe()
NETWORK = load_network("tic_tac_toe")
RULES = vectorize(TTT)
START = RULES.initial(1)
TRACE = watch(minimax_search, TreeGame([[1, 2], [3, 4]]))

WRONG = [
    (lambda: network_agent(None), "expected a Network, such as .*, got None"),
    (lambda: network_agent(NETWORK)(ConnectFour(), ConnectFour().initial_state()), r"made for TicTacToe\(\)"),
    (lambda: batched_search(TTT, START, NETWORK, 3), r"Expected vector_game to be a VectorGame, got TicTacToe\(\)"),
    (
        lambda: enumerate_replies(RULES, lambda positions: 0 * positions[:, 0]),
        r"array of legal actions, .* got array\(\[0",
    ),
    (lambda: train("othello"), "one of 'tic_tac_toe', 'connect_four', got 'othello'"),
    (lambda: self_play(TTT, None, 2, 3), r"Expected a network or evaluate\(positions\) → \(p, v\), got None"),
    (lambda: next(puct_search(TTT, TTT.initial_state(), NETWORK)), "such as network.evaluate"),
    (lambda: explore(TRACE, predict="all"), "predict must be 'value', .* not 'all'"),
    (lambda: picture(None), r"Expected what watch\(\) returned, .* got None"),
    (lambda: board(TTT, minimax_agent), r"got the factory minimax_agent: pass minimax_agent\(\)"),
    (lambda: board(TTT, 3), r"Expected a function agent\(game, state\) → action, got 3"),
    (lambda: board(TTT, minimax_search), "got a search, which returns"),
    (lambda: board(TTT, human=2), r"one of \[0, 1\], not 2"),
    (lambda: board(TTT, state="X........"), "Expected a state of "),
    (lambda: practice("minimax", 4), "1, 2 or 3, not 4"),
    (lambda: predict("?", "a", "b", right=0, because="x"), "from 1 to 2, not 0"),
    (lambda: practice("alphabeta"), "one of 'minimax', .* not 'alphabeta'"),
    (lambda: side_by_side(TTT, TTT.initial_state()), "positions must be a dictionary"),
    (lambda: mcts_tree(TTT, 3), "counts must be a dictionary .* not 3"),
    (lambda: batched_search(RULES, [[0, 0]], NETWORK, 3), r"an int64 array \[n, 2\], .* got \[\[0, 0\]\]"),
    (
        lambda: next(puct_search(TTT, TTT.initial_state(), lambda state: ({}, 0))),
        r"a prior for each legal action, .*\{\}",
    ),
    (lambda: watch(minimax_agent, TTT), "got the factory minimax_agent"),
    (lambda: watch(monte_carlo_tree_search, TTT), "a generator of iterations: pass it to watch_mcts"),
    (lambda: board(TTT, lambda depth=1, seed=2: 0), "got one without required arguments, like a factory"),
    (lambda: predict("?", "a", ("b", "c", "d"), right=1, because="x"), "two or more different options .*'d'"),
    (lambda: Pacman(10), "a layout is rows of equal length in walls"),
    (lambda: best_child(TTT), r"TicTacToe\(\) has no child to play: pass a root"),
    (lambda: Network(TTT, dtype="int"), "dtype must be 'float32' or 'float64', not 'int'"),
    (lambda: warm_up("six"), "Expected a notebook's number, .* got 'six'"),
    (lambda: TTT.render(3), "got 3: pass what initial_state"),
    (lambda: self_play(TTT, NETWORK.evaluate, 2, 3), "Expected a network or evaluate.*Evaluator.evaluate"),
    (lambda: Nim([]), "the number of heaps must be a whole number of at least 1, not 0"),
]


@pytest.mark.parametrize("call, message", WRONG)
def test_a_wrong_call_is_explained(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("call, message", WRONG)
def test_a_wrong_call_is_explained_in_french(call, message, monkeypatch):
    monkeypatch.setenv("COURSE_LANGUAGE", "fr")
    with pytest.raises(ValueError) as raised:
        call()
    assert not re.findall(r"\b(?:must|got|pass|expected|expects)\b", translated(str(raised.value)), re.I)


def test_a_missing_folder_is_named():
    with pytest.raises(FileNotFoundError, match=r"no/folder/explorer.html needs the folder .*/no/folder: create it"):
        explore(TRACE).save("no/folder/explorer.html")
    with pytest.raises(FileNotFoundError, match="is a folder: name a file in it"):
        save_network(".", NETWORK)


@pytest.mark.parametrize("seed", [7, random.Random(7), np.random.default_rng(7), None])
def test_each_source_of_randomness_is_accepted(seed):
    assert practice(seed=seed).seed >= 0
    assert board(TTT, seed=seed).states == [TTT.initial_state()]
    assert len(self_play(TTT, NETWORK, 2, 1, seed).lengths) == 2
    assert next(train("tic_tac_toe", seed)).iteration == 1
