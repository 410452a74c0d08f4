"""The figures that depend on the network of Connect Four: `python tests/benchmarks/bench_measure.py` makes them again.

It writes course_lib/search/positions/known_players.csv, in which each player's luck begins anew, prints the two
numbers in docs/training.md, and runs and stores the notebooks that show the network, in some minutes.
"""

import csv
import random
import subprocess
import sys
from collections import Counter

import numpy as np

from course_lib.alphazero import batched_search, load, load_network, network_player
from course_lib.search import CONNECT_FOUR_FEATURES, alpha_beta_agent, linear, mcts_agent, tanh_scaled
from course_lib.search.measuring import PHASES, POSITIONS, measure

OPEN_LINES = tanh_scaled(linear({"open threes": 0.8, "open twos": 0.2, "centre": 0.1}, CONNECT_FOUR_FEATURES))


def players():
    """The players by name, as new: those with luck of their own begin from the same seed."""
    rng = random.Random(0)
    return {
        "random": lambda game, state: rng.choice(game.actions(state)),
        **{f"alpha-beta, {depth} plies": alpha_beta_agent(depth, OPEN_LINES) for depth in (2, 4, 6)},
        "UCT, 500 iterations": mcts_agent(500, seed=0),
        "network, no search": load("connect_four", 0),
        "network, 100 simulations": load("connect_four", 100),
        "network, 600 simulations": load("connect_four", 600),
    }


def positions_after_all_replies(network, plies=12, simulations=100):
    """(Their number, how many of them the search proves to be won) if the network begins, and plays by its search."""
    board, player = network.vector_game, network_player(network, simulations)
    positions = board.initial(1)
    for ply in range(plies):
        played = board.legal(positions) if ply % 2 else np.arange(board.actions) == player(positions)[:, None]
        after, _, over = board.play_all(positions)
        positions = np.unique(after[played & ~over], axis=0)
    found = batched_search(board, positions, network, simulations)
    return len(positions), int((found.lower.max(axis=1) == 1).sum())


def main():
    rows = []
    for name, agent in players().items():
        found = measure(agent, name, seconds=3600)
        made = Counter(position.phase for position, _ in found.mistakes)
        rows.append({"player": name} | {phase: made[phase] for phase in PHASES})
        print(rows[-1], f"{found.seconds:.1f} s", flush=True)
    with open(POSITIONS / "known_players.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["player", *PHASES], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    positions, won = positions_after_all_replies(load_network("connect_four"))
    print(f"positions after twelve plies: {positions:,}, proven wins: {won:,}", flush=True)
    notebooks = "notebooks/06_mcts_ucb1.ipynb", "notebooks/07_alphazero_lite.ipynb"
    subprocess.run([sys.executable, "-m", "instructor", "execute", *notebooks], check=True)


if __name__ == "__main__":
    main()
