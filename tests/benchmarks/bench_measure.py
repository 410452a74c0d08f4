"""The known players of the measuring stick: `python tests/benchmarks/bench_measure.py` measures them again.

It writes course_lib/search/positions/known_players.csv, in some minutes; each player's luck begins anew.
"""

import csv
import random
from collections import Counter

from course_lib.alphazero import load
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


def main():
    rows = []
    for name, agent in players().items():
        found = measure(agent, name, seconds=3600)
        made = Counter(mistake.position.phase for mistake in found.mistakes)
        rows.append({"player": name} | {phase: made[phase] for phase in PHASES})
        print(rows[-1], f"{found.seconds:.1f} s", flush=True)
    with open(POSITIONS / "known_players.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["player", *PHASES], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
