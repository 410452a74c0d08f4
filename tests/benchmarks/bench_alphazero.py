"""AlphaZero: how fast the batched search is, what training tic-tac-toe takes, and how well Connect Four is played.

Run it with OMP_NUM_THREADS=1: a second thread costs more than it brings in matrices of this size.

python tests/benchmarks/bench_alphazero.py speed [rounds]       (needs `pip install -e .[bench]`)
python tests/benchmarks/bench_alphazero.py tic_tac_toe [seeds]  (20 seeds take two minutes)
python tests/benchmarks/bench_alphazero.py matches [games] [simulations] [weights]   (200 with 600: half an hour)
python tests/benchmarks/bench_alphazero.py mistakes [weights.npz] [file …]   (without a file, the 500 positions here)
python tests/benchmarks/bench_alphazero.py check [plies]        (the scores of those positions by the course's solver)
python tests/benchmarks/bench_alphazero.py memory
python tests/benchmarks/bench_alphazero.py replies [plies] [simulations]   (13 plies: 20 s; two more, 3 times as long)
python tests/benchmarks/bench_alphazero.py small [iterations] [simulations]   (5 × 4, followed to every end)
python tests/benchmarks/bench_alphazero.py parts [tic_tac_toe | small] [seeds] [first]   (what each part gives)
python tests/benchmarks/bench_alphazero.py own [nim | coins | othello | hex]   (games without a fast board, to a proof)
python tests/benchmarks/bench_alphazero.py hex5 [iterations] [games]   (5 × 5 Hex, matches with UCT: some minutes)
"""

import resource
import sys
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time
from unittest import mock

import numpy as np
from course_lib.check.questions.game_formalism import CoinRow
from interleave import a_second, interleave, print_table, print_versions, rows_of

from course_lib.alphazero import (
    RECIPES,
    Exact,
    Untrained,
    agent_player,
    arena,
    board_of,
    follow,
    load_network,
    network_agent,
    network_player,
    root_noise,
    search,
    train,
    unbeatable,
)
from course_lib.alphazero.arena import random_openings
from course_lib.alphazero.boards import GAMES, ConnectFourBoard
from course_lib.alphazero.exact import different
from course_lib.alphazero.training import begun
from course_lib.alphazero.training import games as round_of_games
from course_lib.games import MAX, MIN, ConnectFour, Nim, TicTacToe
from course_lib.search import (
    CONNECT_FOUR_FEATURES,
    alpha_beta_agent,
    alpha_beta_search,
    linear,
    mcts_agent,
    solve,
    squashed,
)

sys.path.insert(0, str(Path(__file__).parents[1]))
import oracle
from made_up_games import Hex, SmallOthello

BOARD = board_of(ConnectFour())
GAMES_AT_ONCE, SIMULATIONS = 256, 64
MIDDLE_MEDIUM = Path(__file__).with_name("connect_four_middle_medium")
OPEN_LINES = squashed(linear({"open threes": 0.8, "open twos": 0.2, "centre": 0.1}, CONNECT_FOUR_FEATURES))


def contenders():
    """64 simulations for 256 Connect Four positions of 8 plies, beside as many of OpenSpiel's C++ MCTS."""
    import pyspiel

    luck = np.random.default_rng(0)
    positions = random_openings(BOARD, GAMES_AT_ONCE, 8, luck)
    network, untrained = load_network("connect_four"), Untrained(BOARD)
    their_game = pyspiel.load_game("connect_four")
    their_state = their_game.new_initial_state()
    for action in 3, 3, 3, 3, 2, 4, 5, 1:
        their_state.apply_action(action)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)

    def theirs():
        bot = pyspiel.MCTSBot(their_game, evaluator, 2**0.5, GAMES_AT_ONCE * SIMULATIONS, 1000, False, 1, False)
        bot.mcts_search(their_state)

    noise = root_noise(luck)
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
    print(f"a round of self-play by the recipe: {in_self_play():,.0f} simulations a second")


def in_self_play():
    """Simulations a second of CPU in the last round of self-play by the recipe, which remembers evaluations."""
    recipe, network, visits = RECIPES["connect_four"], load_network("connect_four"), []

    def counted(*args):
        found = search(*args)
        visits.append(found.visits.sum())
        return found

    with mock.patch("course_lib.alphazero.self_play.search", counted):
        _, seconds = round_of_games(recipe, recipe.iterations - 1, network, np.random.default_rng(0))
    return sum(visits) / seconds


def tic_tac_toe(seeds=20):
    """Train by the recipe from each seed: CPU time, and the lost lines of each checkpoint's raw policy."""
    game, values = TicTacToe(), oracle.values_of_states(TicTacToe())
    states = [state for state in values if not game.is_terminal(state)]
    board = board_of(game)
    positions, kept = board.positions_of(states), 0
    for seed in range(int(seeds)):
        lost = []
        for progress in train("tic_tac_toe", seed):
            lost.append(len(unbeatable(network_agent(progress.network), game)))
        found = search(board, positions, progress.network, 25).policy(0).argmax(axis=1)
        right = sum(values[game.result(state, action)] == values[state] for state, action in zip(states, found))
        kept += not any(lost[-3:])
        print(f"seed {seed}: {progress.seconds:.2f} s of CPU, lost lines {lost}; with 25 simulations a minimax move in "
              f"{right} of {len(states)} states", flush=True)  # fmt: skip
    print(f"no line lost by the last three checkpoints: {kept} of {seeds} seeds")


def matches(games=200, simulations=100, weights=None):
    """The shipped network against alpha-beta and UCT, after four random plies, with both colours."""
    player = network_player(load_network("connect_four", weights), int(simulations))
    for name, agent in {
        "alpha-beta, depth 4": alpha_beta_agent(4, OPEN_LINES),
        "alpha-beta, depth 6": alpha_beta_agent(6, OPEN_LINES),
        "UCT, 500 playouts": mcts_agent(500, seed=1),
    }.items():
        score = arena(BOARD, player, agent_player(BOARD, agent), int(games), plies=4, seed=1)
        low, high = score.interval()
        print(f"{name}: {score}, {score.score:.1%} ({low:.1%} – {high:.1%})", flush=True)


def mistakes(*paths, budgets=(0, 100, 600)):
    """How often the network's action is worse than another, in files of positions with seven scores, one a column.

    A line is the columns played, counted from 1, and a score for the player to move for each column, −1000 for a full
    one, of which only the sign counts. The file beside this one has random positions of 15 to 28 plies without a win in
    one, in which perfect play lasts another 14 to 27 plies.
    """
    weights, paths = (paths[0], paths[1:]) if paths and paths[0].endswith(".npz") else (None, paths)
    network = load_network("connect_four", weights)
    for path in paths or [MIDDLE_MEDIUM]:
        states, scores = scored_positions(path)
        signs = np.where(scores == -1000, -2, np.sign(scores))
        for count in budgets:
            chosen = choices(network_player(network, count), BOARD.positions_of(states))
            worse = signs[np.arange(len(signs)), chosen] < signs.max(axis=1)
            print(f"{path}, {count} simulations: {worse.sum()} of {len(worse)} ({worse.mean():.1%})", flush=True)


def scored_positions(path):
    """The states in a file, and their scores: [positions, columns]."""
    lines = [line.split() for line in Path(path).read_text().splitlines()]
    states = [BOARD.game.after(*(int(column) - 1 for column in columns)) for columns, *_ in lines]
    return states, np.array([[int(score) for score in scores] for _, *scores in lines])


def check(plies=22):
    """Solve the positions beside this file that have so many plies; the scores come from a faster, separate solver."""
    game, right, checked = BOARD.game, 0, 0
    for state, scores in zip(*scored_positions(MIDDLE_MEDIUM)):
        if state[2].bit_count() >= int(plies):
            solved = np.full(game.columns, -1000)
            for column in game.actions(state):
                solved[column] = -solve(game, game.result(state, column))
            right, checked = right + (solved == scores).all(), checked + 1
    print(f"{right} of {checked} positions of {plies} plies or more have the scores that solve() finds")


def choices(player, positions, size=250):
    """The actions of a player, for some positions at a time."""
    return np.concatenate([player(positions[begin : begin + size]) for begin in range(0, len(positions), size)])


def memory():
    """The peak memory of this process after wide searches and training steps."""
    print(f"begun: {peak():.0f} MB")
    for name in GAMES:
        next(train(replace(RECIPES[name], steps=20)))
        print(f"a round of self-play of {name}: {peak():.0f} MB")
    search(BOARD, random_openings(BOARD, 256, 4, np.random.default_rng(0)), load_network("connect_four"), 600)
    print(f"600 simulations for 256 positions: {peak():.0f} MB")


def replies(plies=7, simulations=100):
    """How far "the network wins as first player against every reply" holds: all replies to so many plies.

    A position that the search proves to be won for the network is followed no further. One that it proves to be drawn
    or lost is a slip, since the first player wins Connect Four (Allis, 1988). Of the others nothing is known.
    """
    network, positions, won = load_network("connect_four"), BOARD.initial(1), 0
    for ply in range(int(plies)):
        if ply % 2:
            after, _, over = BOARD.play(positions[:, None], np.arange(7))
            positions = different(after[BOARD.legal(positions) & ~over])
            continue
        parts = [positions[begin : begin + 250] for begin in range(0, len(positions), 250)]
        found = [search(BOARD, part, network, int(simulations)) for part in parts]
        proven, value = (np.concatenate([getattr(one, name) for one in found]) for name in ("proven", "value"))
        chosen = np.concatenate([one.policy(0).argmax(axis=1) for one in found])
        wins, slips = proven & (value > 0), proven & (value <= 0)
        won += wins.sum()
        print(f"ply {ply}: {len(positions)} positions, {wins.sum()} proven wins, {slips.sum()} slips; "
              f"{won} wins so far", flush=True)  # fmt: skip
        after, _, over = BOARD.play(positions[~wins], chosen[~wins])
        positions = different(after[~over])


SMALL = replace(
    RECIPES["tic_tac_toe"], game=ConnectFour(5, 4), iterations=12, width=96, blocks=1, games=128, temperature_plies=20,
    started=0.5, started_plies=8, q_weight=0.0, window=20, steps=180, batch=256, rate=5e-3, penalty=3e-5,
)  # fmt: skip
"""The recipe of notebook 7 for 5 × 4 cells."""


def small(iterations=12, simulations=100):
    """Connect Four on 5 × 4, trained for a few iterations and followed against every reply, with exact values."""
    exact, started = Exact(board_of(SMALL.game)), process_time()
    *_, last = train(replace(SMALL, iterations=int(iterations)))
    print(f"value of the start: {exact.values[0][0]}; {last.seconds:.0f} s of training")
    for count in 0, int(simulations):
        for side in 0, 1:
            found = follow(exact.board, network_player(last.network, count), side)
            wrong = exact.mistakes(found.met, found.actions).sum()
            print(f"{count} simulations, {('first', 'second')[side]}: {len(found.met)} positions met, {wrong} "
                  f"mistakes, {found.lost} lost ends; {process_time() - started:.0f} s", flush=True)  # fmt: skip


PARTS = {
    "the recipe": {},
    "without proofs": {"proven": False},
    "without *Q* in the target": {"q_weight": 0.0},
    "without noise at the root": {"noise": 0.0},
    "without random starts": {"started": 0.0},
    "without noise and random starts": {"noise": 0.0, "started": 0.0},
    "without the average of the weights": {"averaging": 0.0},
    "without a window: the last iteration only": {"window": 1},
    "plain AlphaZero: no proofs, no *Q*, no random starts": {"proven": False, "q_weight": 0.0, "started": 0.0},
    "three times the learning rate": {"rate": 0.021},
    "the report's budget": {"games": 100, "iterations": 10, "started": 0.0, "q_weight": 0.0},
}


def parts(recipe="tic_tac_toe", seeds=12, first=0):
    """A table, in Markdown: what the recipe comes to without each of its parts, from part `first` on, by seed."""
    lost = "lost lines" if recipe == "tic_tac_toe" else "lost ends"
    recipe = RECIPES.get(recipe) or SMALL
    print(f"| | {lost}, by seed | their mean | positions | CPU seconds |\n|---|---|---|---|---|")
    for part, changes in list(PARTS.items())[int(first) :]:
        changed = replace(recipe, **changes)
        if part == "the recipe" or changed != recipe:
            print(part_row(part, changed, range(int(seeds))), flush=True)
    if isinstance(recipe.game, ConnectFour):
        ConnectFourBoard.planes_count, ConnectFourBoard.bitboards = 2, lambda board, positions: positions
        print(part_row("without the planes of fours", recipe, range(int(seeds))))


def part_row(part, recipe, seeds):
    """A row of that table: the lines that the raw policy loses, their mean, and medians of what `trained` returns."""
    lost, positions, seconds = zip(*[trained(recipe, seed) for seed in seeds])
    each = ", ".join(map(str, lost))
    return f"| {part} | {each} | {np.mean(lost):.1f} | {median(positions):,.0f} | {median(seconds):.1f} |"


def trained(recipe, seed):
    """(what the raw policy loses in the end, the different positions of the last self-play, CPU seconds)."""
    training = begun(recipe, seed)
    *_, last = training.iterate_to_end()
    met = len(different(training.window[-1].positions))
    if isinstance(recipe.game, TicTacToe):
        return len(unbeatable(network_agent(last.network), recipe.game)), met, last.seconds
    ends = sum(follow(training.board, network_player(last.network), side).lost for side in (0, 1))
    return ends, met, last.seconds


OWN = {"nim": Nim(21, most=3), "coins": CoinRow((3, 1, 5, 2, 4, 6, 1, 3)), "othello": SmallOthello(), "hex": Hex(4)}
RECIPE = replace(RECIPES["tic_tac_toe"], games=64, iterations=60, q_weight=0.0)
HEX = replace(RECIPE, games=128, iterations=24, width=96, temperature_plies=6, started=0.5, started_plies=8,
              q_weight=0.5, window=20, steps=140, batch=256)  # fmt: skip


def own(*names):
    """Games that only `board_of` knows, trained until the raw policy loses nothing that can be held: by proof."""
    for game in map(OWN.get, names or OWN):
        # Hex of any size is won by the first player, as a stone more never harms (Nash); a search would take long
        value = 1 if isinstance(game, Hex) else alpha_beta_search(game, game.initial_state())[0]
        sides = [side for side, held in ((MAX, value >= 0), (MIN, value <= 0)) if held]
        for last in train(replace(HEX if isinstance(game, Hex) else RECIPE, game=game)):
            lost = sum(follow(board_of(game), network_player(last.network), side).lost for side in sides)
            if not lost:
                break
        print(f"{game}, worth {value:+} to the first player: as {sides} {lost} lost ends after {last.iteration} "
              f"iterations and {last.seconds:.0f} s of CPU", flush=True)  # fmt: skip


def hex5(iterations=16, games=20):
    """5 × 5 Hex, in which not every reply is followed: matches of the raw policy, and of 50 simulations, with UCT."""
    game = Hex(5)
    *_, last = train(replace(HEX, game=game, iterations=int(iterations), features=16, started_plies=12))
    rival = agent_player(board_of(game), mcts_agent(200, seed=1))
    for count in 0, 50:
        score = arena(board_of(game), network_player(last.network, count), rival, int(games), plies=2)
        print(f"{count} simulations against UCT 200 after {last.seconds:.0f} s of CPU: {score}", flush=True)


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    what, *arguments = sys.argv[1:] or ["speed"]
    for command in speed, tic_tac_toe, matches, mistakes, check, memory, replies, small, parts, own, hex5:
        if command.__name__ == what:
            command(*arguments)
