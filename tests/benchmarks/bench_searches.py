"""How fast the searches are beside OpenSpiel's in Python and easyAI's: `side_by_side.py` runs the comparisons."""

from functools import partial
from itertools import islice

import numpy as np
from easyAI import Human_Player, Negamax
from easyAI.games import TicTacToe as EasyTicTacToe
from interleave import a_second, interleave, milliseconds, rows_of
from open_spiel.python.algorithms import minimax
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
from pyspiel import load_game

from course_lib.games import ConnectFour, TicTacToe
from course_lib.search import (
    alpha_beta_search,
    depth_limited_alpha_beta_search,
    minimax_search,
    monte_carlo_tree_search,
)

THREE, FOUR = TicTacToe(), ConnectFour()
THEIR_THREE, THEIR_FOUR = load_game("tic_tac_toe"), load_game("connect_four")
ITERATIONS = 1000
EASY = Negamax(9)


def races():
    """(what, the other search, ours, theirs): both go through the same nodes, but for easyAI and MCTS.

    OpenSpiel's states are C++ objects, ours tuples. easyAI prefers quick wins, so it looks at 20,866 nodes of its own
    tic-tac-toe, not 18,297.
    """
    yield (
        "minimax, tic-tac-toe to its end (549,946 nodes)",
        "OpenSpiel expectiminimax",
        lambda: minimax_search(THREE, THREE.initial_state()),
        lambda: minimax.expectiminimax(THEIR_THREE.new_initial_state(), 9, lambda state: 0, 0),
    )
    yield (
        "alpha-beta, tic-tac-toe to its end",
        "OpenSpiel minimax.alpha_beta_search",
        lambda: alpha_beta_search(THREE, THREE.initial_state()),
        lambda: minimax.alpha_beta_search(THEIR_THREE),
    )
    yield (
        "alpha-beta, Connect Four to depth 8",
        "OpenSpiel minimax.alpha_beta_search",
        lambda: depth_limited_alpha_beta_search(FOUR, FOUR.initial_state(), 8),
        lambda: minimax.alpha_beta_search(THEIR_FOUR, value_function=lambda state: 0, maximum_depth=8),
    )
    yield (
        "alpha-beta, tic-tac-toe to its end",
        "easyAI Negamax",
        lambda: alpha_beta_search(THREE, THREE.initial_state()),
        lambda: EASY(EasyTicTacToe([Human_Player(), Human_Player()])),
    )
    for name, game, their_game in ("tic-tac-toe", THREE, THEIR_THREE), ("Connect Four", FOUR, THEIR_FOUR):
        yield (
            f"MCTS, {name}, random playouts",
            "OpenSpiel MCTSBot",
            partial(mcts, game),
            partial(their_mcts, their_game),
        )


def mcts(game):
    """1,000 iterations from the empty board, C = √2, a random playout each."""
    for _ in islice(monte_carlo_tree_search(game, game.initial_state(), seed=1), ITERATIONS):
        pass


def their_mcts(game):
    """The same, without OpenSpiel's solver."""
    rng = np.random.RandomState(1)
    bot = MCTSBot(game, 2**0.5, ITERATIONS, RandomRolloutEvaluator(1, rng), False, rng)
    bot.mcts_search(game.new_initial_state())


def rows(rounds):
    for what, other, ours, theirs in races():
        show = a_second(ITERATIONS, "iterations") if "MCTS" in what else milliseconds
        yield from rows_of(what, interleave({"ours": ours, other: theirs}, rounds), show)
