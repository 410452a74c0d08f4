"""Iterations of MCTS a second beside OpenSpiel's Python MCTS: `side_by_side.py` runs the comparison."""

from functools import partial
from itertools import islice

from interleave import a_second, interleave, rows_of

from course_lib.games import ConnectFour, TicTacToe
from course_lib.search import monte_carlo_tree_search

ITERATIONS = 1000


def races(rounds):
    """CPU times of 1,000 iterations from the empty board, C = √2, a random playout each, OpenSpiel's solver off."""
    import numpy as np
    from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
    from pyspiel import load_game

    def ours(game):
        for _ in islice(monte_carlo_tree_search(game, game.initial_state(), seed=1), ITERATIONS):
            pass

    def theirs(game):
        rng = np.random.RandomState(1)
        evaluator = RandomRolloutEvaluator(1, rng)
        MCTSBot(game, 2**0.5, ITERATIONS, evaluator, False, rng).mcts_search(game.new_initial_state())

    for name, game, theirs_name in (
        ("tic-tac-toe", TicTacToe(), "tic_tac_toe"),
        ("Connect Four", ConnectFour(), "connect_four"),
    ):
        contenders = {"ours": partial(ours, game), "OpenSpiel MCTSBot": partial(theirs, load_game(theirs_name))}
        yield name, interleave(contenders, rounds)


def rows(rounds):
    for name, times in races(rounds):
        yield from rows_of(f"MCTS, {name}, random playouts", times, a_second(ITERATIONS, "iterations"))
