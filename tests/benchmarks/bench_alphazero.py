"""AlphaZero: how fast the batched search is, and how well Connect Four is played.

Run it with OMP_NUM_THREADS=1: a second thread costs more than it brings in matrices of this size.

python tests/benchmarks/bench_alphazero.py speed [rounds]       (needs `pip install -e .[bench]`)
python tests/benchmarks/bench_alphazero.py matches [games] [simulations]   (200 with 600: half an hour)
python tests/benchmarks/bench_alphazero.py mistakes [weights.npz]
"""

import sys
from pathlib import Path
from statistics import median

import numpy as np
from interleave import a_second, interleave, print_table, print_versions, rows_of

from course_lib.alphazero import (
    Untrained,
    agent_player,
    arena,
    board_of,
    load_network,
    network_player,
    root_noise,
    search,
)
from course_lib.alphazero.arena import random_openings
from course_lib.games import ConnectFour
from course_lib.search import CONNECT_FOUR_FEATURES, alpha_beta_agent, linear, mcts_agent, squashed

BOARD = board_of(ConnectFour())
GAMES_AT_ONCE, SIMULATIONS = 256, 64
MIDDLE_MEDIUM = Path(__file__).with_name("connect_four_middle_medium")
OPEN_LINES = squashed(linear({"open threes": 0.8, "open twos": 0.2, "centre": 0.1}, CONNECT_FOUR_FEATURES))


def contenders():
    """64 simulations for 256 Connect Four positions of 8 plies, beside as many of OpenSpiel's C++ MCTS."""
    import pyspiel

    rng = np.random.default_rng(0)
    positions = random_openings(BOARD, GAMES_AT_ONCE, 8, rng)
    network, untrained = load_network("connect_four"), Untrained(BOARD)
    their_game = pyspiel.load_game("connect_four")
    their_state = their_game.new_initial_state()
    for action in 3, 3, 3, 3, 2, 4, 5, 1:
        their_state.apply_action(action)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)

    def theirs():
        bot = pyspiel.MCTSBot(their_game, evaluator, 2**0.5, GAMES_AT_ONCE * SIMULATIONS, 1000, False, 1, False)
        bot.mcts_search(their_state)

    noise = root_noise(rng)
    return {
        "ours, with the network": lambda: search(BOARD, positions, network, SIMULATIONS, noise=noise),
        "ours, without bounds": lambda: search(BOARD, positions, network, SIMULATIONS, noise=noise, proven=False),
        "ours, without a network": lambda: search(BOARD, positions, untrained, SIMULATIONS, noise=noise),
        "OpenSpiel, random playouts": theirs,
    }


def rows(rounds):
    ours, *_, theirs = contenders().values()
    times = interleave({"ours": ours, "OpenSpiel MCTSBot in C++ with random playouts": theirs}, rounds)
    show = a_second(GAMES_AT_ONCE * SIMULATIONS, "simulations")
    return rows_of("AlphaZero, Connect Four, 256 positions at once, with the network", times, show)


def speed(rounds=9):
    """CPU times of those contenders."""
    print_versions("open_spiel", "numpy", "course-lib")
    times = interleave(contenders(), int(rounds))
    for name, seconds in times.items():
        print(f"{name}: {GAMES_AT_ONCE * SIMULATIONS / median(seconds):,.0f} simulations a second")
    print_table(times, baseline="OpenSpiel, random playouts")


def matches(games=200, simulations=100):
    """The shipped network against alpha-beta and UCT, after four random plies, with both colours."""
    player = network_player(load_network("connect_four"), int(simulations))
    for name, agent in {
        "alpha-beta, depth 4": alpha_beta_agent(4, OPEN_LINES),
        "alpha-beta, depth 6": alpha_beta_agent(6, OPEN_LINES),
        "UCT, 500 playouts": mcts_agent(500, seed=1),
    }.items():
        score = arena(BOARD, player, agent_player(BOARD, agent), int(games), plies=4)
        print(f"{name}: {score}, {score.score:.1%}", flush=True)


def mistakes(weights=None, budgets=(0, 100, 600)):
    """How often the network's action is worse than another in 500 positions of 15 to 28 plies.

    A line of the file beside this one has the columns played, counted from 1, and a score for the player to move for
    each column, −1000 for a full one, of which only the sign counts. There is no win in one, and perfect play lasts
    another 14 to 27 plies.
    """
    network = load_network("connect_four", weights)
    lines = [line.split() for line in MIDDLE_MEDIUM.read_text().splitlines()]
    states = [BOARD.game.after(*(int(column) - 1 for column in columns)) for columns, *_ in lines]
    scores = np.array([[int(score) for score in scores] for _, *scores in lines])
    signs = np.where(scores == -1000, -2, np.sign(scores))
    for count in budgets:
        chosen = network_player(network, count)(BOARD.positions_of(states))
        worse = signs[np.arange(len(signs)), chosen] < signs.max(axis=1)
        print(f"{count} simulations: {worse.sum()} of {len(worse)} ({worse.mean():.1%})", flush=True)


if __name__ == "__main__":
    what, *arguments = sys.argv[1:] or ["speed"]
    {"speed": speed, "matches": matches, "mistakes": mistakes}[what](*arguments)
