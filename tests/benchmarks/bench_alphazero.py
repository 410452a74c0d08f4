"""AlphaZero: how fast the batched search is, and how well Connect Four is played.

Run it with OMP_NUM_THREADS=1: a second thread costs more than it brings in matrices of this size.

python tests/benchmarks/bench_alphazero.py speed [rounds]       (needs `pip install -e .[bench]`)
python tests/benchmarks/bench_alphazero.py matches [games] [simulations]   (200 with 600: half an hour)
python tests/benchmarks/bench_alphazero.py mistakes [weights.npz]
python tests/benchmarks/bench_alphazero.py replies [plies] [simulations]   (13 plies: 20 s; two more, 3 times as long)
python tests/benchmarks/bench_alphazero.py small [iterations] [simulations]   (5 × 4, followed to every end)
python tests/benchmarks/bench_alphazero.py parts [tic_tac_toe | small] [seeds]   (the effect of each part)
python tests/benchmarks/bench_alphazero.py own   (games without a fast board, to a proof)
"""

import sys
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np
from interleave import a_second, interleave, print_table, rows_of

from course_lib.alphazero import (
    CONFIGS,
    ExactSolver,
    UniformEvaluator,
    batched_search,
    enumerate_replies,
    find_lost_lines,
    load_network,
    network_agent,
    network_player,
    root_noise,
    train,
    vectorize,
)
from course_lib.alphazero.self_play import sample_actions
from course_lib.alphazero.vectorized import VectorConnectFour
from course_lib.games import MAX, MIN, ConnectFour, Nim, TicTacToe
from course_lib.search import CONNECT_FOUR_FEATURES, alpha_beta_agent, linear, mcts_agent, tanh_scaled

sys.path.insert(0, str(Path(__file__).parents[1]))
from made_up_games import Hex, SmallOthello

BOARD = vectorize(ConnectFour())
GAMES_AT_ONCE, SIMULATIONS = 256, 64
MIDDLE_MEDIUM = Path(__file__).with_name("connect_four_middle_medium")
OPEN_LINES = tanh_scaled(linear({"open threes": 0.8, "open twos": 0.2, "centre": 0.1}, CONNECT_FOUR_FEATURES))


def contenders():
    """64 simulations for 256 Connect Four positions of 8 plies, beside as many of OpenSpiel's C++ MCTS."""
    import pyspiel

    rng = np.random.default_rng(0)
    positions = random_openings(GAMES_AT_ONCE, 8, rng)
    network, untrained = load_network("connect_four"), UniformEvaluator(BOARD)
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
        "ours, with the network": lambda: batched_search(BOARD, positions, network, SIMULATIONS, noise=noise),
        "ours, without bounds": lambda: batched_search(
            BOARD, positions, network, SIMULATIONS, noise=noise, use_solver=False
        ),
        "ours, without a network": lambda: batched_search(BOARD, positions, untrained, SIMULATIONS, noise=noise),
        "OpenSpiel, random playouts": theirs,
    }


def rows(rounds):
    ours, *_, theirs = contenders().values()
    times = interleave({"ours": ours, "OpenSpiel MCTSBot in C++ with random playouts": theirs}, rounds)
    show = a_second(GAMES_AT_ONCE * SIMULATIONS, "simulations")
    return rows_of("AlphaZero, Connect Four, 256 positions at once, with the network", times, show)


def speed(rounds=9):
    """CPU times of those contenders."""
    print_table(interleave(contenders(), int(rounds)), baseline="OpenSpiel, random playouts")


def matches(games=200, simulations=100):
    """The shipped network against alpha-beta and UCT, after four random plies, with both colours."""
    player = network_player(load_network("connect_four"), int(simulations))
    for name, agent in {
        "alpha-beta, depth 4": alpha_beta_agent(4, OPEN_LINES),
        "alpha-beta, depth 6": alpha_beta_agent(6, OPEN_LINES),
        "UCT, 500 playouts": mcts_agent(500, seed=1),
    }.items():
        other = lambda positions, agent=agent: np.array([agent(BOARD.game, BOARD.state_of(row)) for row in positions])  # noqa: E731
        openings = random_openings(int(games) // 2, 4, np.random.default_rng(0))
        outcomes = np.append(play_out((player, other), openings), -play_out((other, player), openings))
        print(f"{name}: {np.mean(outcomes + 1) / 2:.1%}", flush=True)


def random_openings(games, plies, rng):
    """Positions after random actions that end no game."""
    positions = BOARD.initial(games)
    for _ in range(plies):
        after, _, over = BOARD.play_all(positions)
        positions = after[np.arange(games), sample_actions(BOARD.legal(positions) & ~over, rng)]
    return positions


def play_out(players, positions):
    """The outcomes 1, 0 or −1 for `players[0]`, who is to move, of the games from these positions."""
    outcomes, playing, ply = np.zeros(len(positions), int), np.arange(len(positions)), 0
    while len(playing):
        positions, value, over = BOARD.play(positions, players[ply % 2](positions))
        outcomes[playing[over]] = (1 - 2 * (ply % 2)) * value[over]
        playing, positions, ply = playing[~over], positions[~over], ply + 1
    return outcomes


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


def replies(plies=7, simulations=100):
    """How far "the network wins as first player against every reply" holds: all replies to so many plies.

    A position that the search proves to be won for the network is followed no further. One that it proves to be drawn
    or lost is a slip, since the first player wins Connect Four (Allis, 1988). Of the others nothing is known.
    """
    network, positions, won = load_network("connect_four"), BOARD.initial(1), 0
    for ply in range(int(plies)):
        if ply % 2:
            after, _, over = BOARD.play(positions[:, None], np.arange(7))
            positions = np.unique(after[BOARD.legal(positions) & ~over], axis=0)
            continue
        batches = np.array_split(positions, -(-len(positions) // 250))
        found = [batched_search(BOARD, batch, network, int(simulations)) for batch in batches]
        proven, value = (np.concatenate([getattr(one, name) for one in found]) for name in ("proven", "value"))
        chosen = np.concatenate([one.policy(0).argmax(axis=1) for one in found])
        wins, slips = proven & (value > 0), proven & (value <= 0)
        won += wins.sum()
        print(
            f"ply {ply}: {len(positions)} positions, {wins.sum()} proven wins, {slips.sum()} slips; {won} wins so far"
        )
        after, _, over = BOARD.play(positions[~wins], chosen[~wins])
        positions = np.unique(after[~over], axis=0)


SMALL = replace(
    CONFIGS["tic_tac_toe"], game=ConnectFour(5, 4), iterations=12, width=96, blocks=1, games=128, temperature_plies=20,
    random_start_share=0.5, random_start_plies=8, q_weight=0.0, window=20, steps=180, batch_size=256,
    learning_rate=5e-3, weight_decay=3e-5,
)  # fmt: skip
"""The configuration of notebook 7 for 5 × 4 cells."""


def small(iterations=12, simulations=100):
    """Connect Four on 5 × 4, trained for a few iterations and followed against every reply, with exact values."""
    exact = ExactSolver(vectorize(SMALL.game))
    *_, last = train(replace(SMALL, iterations=int(iterations)))
    for count in 0, int(simulations):
        for side in 0, 1:
            found = enumerate_replies(exact.vector_game, network_player(last.network, count), side)
            wrong = exact.mistakes(found.positions, found.actions).sum()
            print(f"{count} simulations, side {side}: {wrong} mistakes in {len(found.positions)} positions", flush=True)


PARTS = {
    "the configuration": {},
    "without proofs": {"use_solver": False},
    "without *Q* in the target": {"q_weight": 0.0},
    "without noise at the root": {"noise_weight": 0.0},
    "without random starts": {"random_start_share": 0.0},
    "without noise and random starts": {"noise_weight": 0.0, "random_start_share": 0.0},
    "without the average of the weights": {"ema_decay": 0.0},
    "without a window: the last iteration only": {"window": 1},
    "plain AlphaZero: no proofs, no *Q*, no random starts": {
        "use_solver": False,
        "q_weight": 0.0,
        "random_start_share": 0.0,
    },
    "the report's budget": {"games": 100, "iterations": 10, "random_start_share": 0.0, "q_weight": 0.0},
}


def parts(config="tic_tac_toe", seeds=12):
    """A table, in Markdown: the effect of leaving out each part of the configuration, by seed.

    It counts the lines of tic-tac-toe that the raw policy loses; on 5 × 4, the percentage of its mistakes in the
    positions of notebook 7.
    """
    config = CONFIGS.get(config) or SMALL
    count = lost_by if config is not SMALL else mistakes_on_5x4()
    print("| | by seed | their mean | CPU seconds |\n|---|---|---|---|")
    rate = {"four times the learning rate": {"learning_rate": 4 * config.learning_rate}}
    for part, changes in (PARTS | rate).items():
        changed = replace(config, **changes)
        if part == "the configuration" or changed != config:
            print(part_row(part, changed, range(int(seeds)), count), flush=True)
    if isinstance(config.game, ConnectFour):
        VectorConnectFour.planes_count, VectorConnectFour.bitboards = 2, lambda vector_game, positions: positions
        print(part_row("without the planes of fours", config, range(int(seeds)), count))


def part_row(part, config, seeds, count):
    """A row of that table: `count` of the trained network for each seed, their mean, and the median of CPU seconds."""
    counts, seconds = [], []
    for seed in seeds:
        start = process_time()
        *_, last = train(config, seed)
        seconds.append(process_time() - start)
        counts.append(count(last.network))
    return f"| {part} | {', '.join(map(str, counts))} | {np.mean(counts):.1f} | {median(seconds):.1f} |"


def mistakes_on_5x4():
    """A function of a network: the percentage of mistakes of its raw policy in notebook 7's `decisive` positions."""
    exact, rng = ExactSolver(vectorize(SMALL.game)), np.random.default_rng(0)
    sample = np.concatenate([layer[rng.choice(len(layer), 150)] for layer in exact.layers[4:]])
    outcomes = exact.outcomes(sample)
    decisive = sample[np.where(outcomes == -2, 1, outcomes).min(axis=1) < outcomes.max(axis=1)]
    return lambda network: round(100 * exact.mistakes(decisive, network(decisive)[0].argmax(axis=1)).mean(), 1)


def lost_by(network, sides=(MAX, MIN)):
    """The lines of tic-tac-toe that the raw policy loses, or the terminal positions that it loses in another game."""
    if isinstance(network.vector_game.game, TicTacToe):
        return len(find_lost_lines(network_agent(network), network.vector_game.game))
    return sum(enumerate_replies(network.vector_game, network_player(network), side).losses for side in sides)


CONFIG = replace(CONFIGS["tic_tac_toe"], games=64, iterations=60, q_weight=0.0)
HEX = replace(CONFIG, games=128, iterations=24, width=96, temperature_plies=6, random_start_share=0.5,
              random_start_plies=8, q_weight=0.5, window=20, steps=140, batch_size=256)  # fmt: skip
OWN = (Nim(21, max_take=3), (MAX,), CONFIG), (SmallOthello(), (MIN,), CONFIG), (Hex(4), (MAX,), HEX)
"""Games, the sides whose game can be held, and configurations."""


def own():
    """Games that only `vectorize` knows, trained until the raw policy loses nothing that can be held: by proof."""
    for game, sides, config in OWN:
        start = process_time()
        for last in train(replace(config, game=game)):
            if not (lost := lost_by(last.network, sides)):
                break
        print(f"{game}, as {sides}: {lost} lost terminal positions after {last.iteration} iterations and "
              f"{process_time() - start:.0f} s of CPU", flush=True)  # fmt: skip


if __name__ == "__main__":
    what, *arguments = sys.argv[1:] or ["speed"]
    for command in speed, matches, mistakes, replies, small, parts, own:
        if command.__name__ == what:
            command(*arguments)
