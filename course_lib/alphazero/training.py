"""Training: self-play and learning in alternation, from random weights."""

from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from course_lib.alphazero.network import Adam, Network, losses, save_network
from course_lib.alphazero.puct import PUCT_C
from course_lib.alphazero.self_play import Examples, sample_batch, self_play
from course_lib.games import ConnectFour, Game, TicTacToe
from course_lib.games.randomness import Seed, numpy_generator


@dataclass(frozen=True)
class TrainingConfig:
    """The settings of a training run: `dataclasses.replace(CONFIGS[name], …)` makes a variant.

    Fields without a comment are arguments of `Network` or `self_play`. Nearest to AlphaZero as published is `c=2.5,
    q_weight=0, random_start_share=0, use_solver=False, ema_decay=0` (chess: `dirichlet_alpha=0.3`). Its self-play also
    counts unvisited actions as losses and lets C grow with the visits, which here only `puct_search` can do.
    """

    game: Game
    """The game itself, such as `ConnectFour(5, 4)`, or one of your own: see `course_lib.alphazero.vectorized`."""
    iterations: int
    width: int
    blocks: int
    features: int
    games: int
    """Games in each iteration, all played at once."""
    simulations: int
    """In the first iteration; the number grows linearly towards `last_simulations`, if that is given."""
    temperature_plies: int
    random_start_share: float
    random_start_plies: int
    q_weight: float
    window: int
    """The number of iterations for which examples are kept."""
    steps: int
    """Steps of Adam in each iteration."""
    batch_size: int
    learning_rate: float
    """The initial learning rate; it falls linearly to a twentieth."""
    weight_decay: float
    """λ of the loss."""
    ema_decay: float
    """Of the moving average of θ: 0.98 averages about 50 steps."""
    c: float = PUCT_C
    dirichlet_alpha: float = 1.0
    noise_weight: float = 0.25
    use_solver: bool = True
    delayed_weights: bool = False
    """Whether games use the weights of the iteration before, as if self-play and learning ran in parallel."""
    last_simulations: int | None = None
    dtype: str = "float64"


CONFIGS = {
    "tic_tac_toe": TrainingConfig(
        TicTacToe(), iterations=11, width=64, blocks=2, features=0,
        games=256, simulations=32, temperature_plies=9, random_start_share=0.75, random_start_plies=6, q_weight=0.5,
        window=8, steps=70, batch_size=512, learning_rate=7e-3, weight_decay=1e-4, ema_decay=0.98,
    ),
    "connect_four": TrainingConfig(
        ConnectFour(), iterations=480, width=192, blocks=1, features=64,
        games=1024, simulations=16, last_simulations=48, temperature_plies=20,
        random_start_share=0.5, random_start_plies=12, q_weight=0.5, window=40, steps=250, batch_size=256,
        learning_rate=3e-3, weight_decay=5e-5, ema_decay=0.998, delayed_weights=True, dtype="float32",
    ),
}  # fmt: skip
"""The configurations of the networks in this package, by name; both were trained with seed 0."""

SELF_PLAY_OPTIONS = ("c", "dirichlet_alpha", "noise_weight", "temperature_plies", "random_start_share",
                     "random_start_plies", "q_weight", "use_solver")  # fmt: skip


class Progress(NamedTuple):
    """One iteration of training."""

    iteration: int
    iterations: int
    losses: tuple[float, float, float]
    """The terms of the loss: (z − v)², −π·log p and λ‖θ‖²."""
    network: Network
    """The average network, which the next iteration changes: use `network.copy()` to keep it."""


def train(config: str | TrainingConfig, seed: Seed = 0) -> Iterator[Progress]:
    """Train with a `TrainingConfig` or the name of one in `CONFIGS`: a generator of one `Progress` for each iteration.

    The moving average of the learner's weights is more stable than the latest weights (Polyak and Juditsky, 1992).

    >>> from dataclasses import replace
    >>> config = replace(CONFIGS["tic_tac_toe"], iterations=1, games=8, steps=2)
    >>> [progress.iteration for progress in train(config, seed=0)]
    [1]
    """
    config = CONFIGS.get(config, config) if isinstance(config, str) else config
    if not isinstance(config, TrainingConfig):
        raise ValueError(f"expected a TrainingConfig or one of {', '.join(map(repr, CONFIGS))}, got {config!r}")
    return _iterations(config, seed if isinstance(seed, int) else int(numpy_generator(seed).integers(1 << 32)))


def _iterations(config: TrainingConfig, seed: int) -> Iterator[Progress]:
    learner = Network(config.game, config.width, config.blocks, config.features, seed, config.dtype)
    player = learner.copy() if config.delayed_weights else learner
    average, adam = learner.copy(), Adam(learner, config.weight_decay)
    rng, window = np.random.default_rng(seed), deque(maxlen=config.window)
    for iteration in range(config.iterations):
        iteration_rng = np.random.default_rng([seed, iteration]) if config.delayed_weights else rng
        window.append(play_games(config, iteration, player, iteration_rng))
        player.theta[:] = learner.theta
        examples = Examples(*map(np.concatenate, zip(*window)))
        for _ in range(config.steps):
            batch = sample_batch(learner.vector_game, examples, config.batch_size, rng)
            adam.step(batch, config.learning_rate * (1 - 0.95 * iteration / config.iterations))
            average.theta += (1 - config.ema_decay) * (learner.theta - average.theta)
        value, policy, size = map(float, losses(learner, learner.theta, batch, config.weight_decay))
        yield Progress(iteration + 1, config.iterations, (value, policy, size), average)


def play_games(config: TrainingConfig, iteration: int, network: Network, rng: np.random.Generator) -> Examples:
    """The examples of the self-play of this iteration."""
    simulations = config.simulations
    if config.last_simulations:
        simulations += (config.last_simulations - simulations) * iteration // config.iterations
    options = {name: getattr(config, name) for name in SELF_PLAY_OPTIONS}
    return self_play(network.vector_game, network, config.games, simulations, rng, **options).examples


def add_arguments(parser: ArgumentParser) -> None:
    """The options of `python -m course_lib train`."""
    parser.add_argument("game", choices=tuple(CONFIGS))
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="random seed (default: 0)")
    parser.add_argument("--out", metavar="FILE", help="file for the weights (default: GAME.npz)")


def run(options: Namespace) -> None:
    """Train, write the weights after each iteration, and show the losses."""
    weights = options.out or f"{options.game}.npz"
    for progress in train(options.game, options.seed):
        save_network(weights, progress.network)
        value, policy, size = progress.losses
        print(f"iteration {progress.iteration} of {progress.iterations}, losses: value {value:.3f}, "
              f"policy {policy:.3f}, weights {size:.3f}", flush=True)  # fmt: skip
    print(f'{weights}: the weights; play with load("{options.game}", weights="{weights}")')
