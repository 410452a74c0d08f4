"""Monte-Carlo tree search: iterations a second beside OpenSpiel's Python MCTS, and how it plays tic-tac-toe.

`python tests/benchmarks/side_by_side.py` runs the comparison (`rows`); the rest by hand:

python tests/benchmarks/bench_mcts.py best_moves        (half a minute)
python tests/benchmarks/bench_mcts.py every_line        (two minutes)
"""

import sys
from functools import partial
from itertools import islice
from pathlib import Path

from interleave import a_second, interleave, rows_of

from course_lib.games import MAX, MIN, ConnectFour, TicTacToe
from course_lib.search import mcts_agent, mcts_solver, monte_carlo_tree_search

sys.path.insert(0, str(Path(__file__).parents[1]))
import oracle

GAME = TicTacToe()
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
        luck = np.random.RandomState(1)
        evaluator = RandomRolloutEvaluator(1, luck)
        MCTSBot(game, 2**0.5, ITERATIONS, evaluator, False, luck).mcts_search(game.new_initial_state())

    for game, their_game in (GAME, load_game("tic_tac_toe")), (ConnectFour(), load_game("connect_four")):
        yield game, interleave({"ours": partial(ours, game), "OpenSpiel MCTSBot": partial(theirs, their_game)}, rounds)


def rows(rounds):
    names = {TicTacToe: "tic-tac-toe", ConnectFour: "Connect Four"}
    for game, times in races(rounds):
        yield from rows_of(f"MCTS, {names[type(game)]}, random playouts", times, a_second(ITERATIONS, "iterations"))


def best_moves():
    """2,000 iterations in each tic-tac-toe position with several moves, one of them better than all others."""
    worth = oracle.values_of_states(GAME)
    for search in monte_carlo_tree_search, mcts_solver:
        right = {MAX: [], MIN: []}
        for seed, state in enumerate(sorted(worth)):
            best = [a for a in GAME.actions(state) if worth[GAME.result(state, a)] == worth[state]]
            if len(best) == 1 < len(GAME.actions(state)):
                right[GAME.to_move(state)].append(mcts_agent(2000, search=search, seed=seed)(GAME, state) == best[0])
        for player, found in right.items():
            print(f"{search.__name__}, player {player} to move: {sum(found)} of {len(found)} best moves found")


def every_line():
    """Tic-tac-toe against every line of play, 2,000 iterations for each answer, asked anew in every line."""

    def results(state):
        if GAME.is_terminal(state):
            return [GAME.utility(state, player)]
        mine = GAME.to_move(state) == player
        actions = [agent(GAME, state)] if mine else GAME.actions(state)
        return [worth for action in actions for worth in results(GAME.result(state, action))]

    for player in MAX, MIN:
        agent = mcts_agent(2000, seed=player)
        found = results(GAME.initial_state())
        print(
            f"player {player}: {len(found)} lines, {found.count(1)} won, {found.count(0)} drawn, {found.count(-1)} lost"
        )


if __name__ == "__main__":
    what, *arguments = sys.argv[1:] or ["best_moves"]
    {"best_moves": best_moves, "every_line": every_line}[what](*arguments)
