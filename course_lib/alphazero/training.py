"""Training: self-play and learning in turns, from random weights, by a recipe."""

import sys
from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from typing import NamedTuple

import numpy as np

from course_lib.alphazero.batched import C
from course_lib.alphazero.boards import Array, GameBoard, board_of
from course_lib.alphazero.network import FLOAT, Adam, Network, losses, read_arrays, write_arrays, write_network
from course_lib.alphazero.self_play import Examples, Remembering, batch_of, self_play
from course_lib.games import ConnectFour, Game, TicTacToe
from course_lib.games.checks import check_number, check_whole


@dataclass(frozen=True)
class Recipe:
    """How to train: `dataclasses.replace(RECIPES[name], …)` makes another one. What has no comment is an argument of
    `Network` or of `self_play`.

    AlphaZero as published is `q_weight=0, started=0, proven=False`. It has a C of 1.25, which grows slowly with the
    visits, and for chess an `alpha` of 0.3.
    """

    game: Game
    """The game itself, such as `ConnectFour(5, 4)`, or one of your own: see `course_lib.alphazero.boards`."""
    iterations: int
    width: int
    blocks: int
    features: int
    games: int
    """Games in each iteration, all played at once."""
    simulations: int
    """In the first iteration; they grow evenly towards `last_simulations`, if that is given."""
    temperature_plies: int
    started: float
    started_plies: int
    q_weight: float
    window: int
    """How many iterations examples are kept for."""
    steps: int
    """Steps of Adam in each iteration."""
    batch: int
    rate: float
    """The learning rate at first; it falls evenly to a twentieth."""
    penalty: float
    """c of the loss."""
    averaging: float
    """How much of the average of θ stays at each step: 0.98 averages some 50 steps."""
    c: float = C
    alpha: float = 1.0
    noise: float = 0.25
    proven: bool = True
    overlapped: bool = False
    """Whether the games of an iteration are played while the network learns from those before, by its weights of one
    iteration earlier."""
    last_simulations: int | None = None
    remembered: int = 0
    """How many positions self-play remembers the evaluation of, as a power of two; 0 for none."""

    def __post_init__(self):
        def among(*names: str) -> dict[str, float]:
            return {name: getattr(self, name) for name in names}

        check_whole(1, **among("iterations", "games", "window", "steps", "batch"))
        check_whole(0, **among("simulations", "temperature_plies", "remembered"))
        check_number(0, 1, **among("started", "q_weight", "averaging", "noise"))
        check_number(0, **among("rate", "alpha", "c"))

    def simulations_in(self, iteration: int) -> int:
        """The simulations for each move in this iteration, from 0."""
        more = (self.last_simulations or self.simulations) - self.simulations
        return self.simulations + more * iteration // self.iterations


RECIPES = {
    "tic_tac_toe": Recipe(
        TicTacToe(), iterations=11, width=64, blocks=2, features=0,
        games=256, simulations=32, temperature_plies=9, started=0.75, started_plies=6, q_weight=0.5,
        window=8, steps=70, batch=512, rate=7e-3, penalty=1e-4, averaging=0.98,
    ),
    "connect_four": Recipe(
        ConnectFour(), iterations=640, width=256, blocks=1, features=32,
        games=1024, simulations=16, last_simulations=48, temperature_plies=20, started=0.5, started_plies=12,
        q_weight=0.5, window=40, steps=250, batch=256, rate=3e-3, penalty=3e-5, averaging=0.998,
        overlapped=True, remembered=19,
    ),
}  # fmt: skip
"""The recipes of the weights in this package, by name; both are from seed 0."""


class Losses(NamedTuple):
    """The terms of the loss: (z − v)², −π·log p and c‖θ‖²."""

    value: float
    policy: float
    weights: float


class Progress(NamedTuple):
    """One iteration of training."""

    iteration: int
    iterations: int
    losses: Losses
    network: Network
    """The trained network, an average, which the next iteration changes: take `network.copy()` to keep it."""


class Training:
    """A network in training, with Adam's memory, the replay window and the source of luck.

    `learner` plays against itself and learns; `network`, the average of its latest weights, is steadier and is what
    comes out (Polyak and Juditsky, 1992). If games overlap, `player` has the weights that the next ones are played by,
    in a process of `executor` if there is one; the result is the same.
    """

    def __init__(self, recipe: Recipe, seed: int = 0, executor: Executor | None = None):
        check_whole(0, seed=seed)
        self.recipe, self.seed, self.executor, self.board = recipe, seed, executor, board_of(recipe.game)
        self.name = f"{recipe}, seed {seed}"
        self.learner = Network(self.board, recipe.width, recipe.blocks, recipe.features, seed)
        self.network = self.learner.copy()
        self.adam = Adam(self.learner, recipe.penalty)
        self.luck = np.random.default_rng(seed)
        self.window = deque(maxlen=recipe.window)
        self.iteration = 0
        self.player, self.coming = self.learner.theta.copy(), None

    @property
    def vectors(self) -> dict[str, Array]:
        """What is kept for each weight, by name."""
        return {"theta": self.network.theta, "learner": self.learner.theta, "player": self.player,
                "mean": self.adam.mean, "square": self.adam.square}  # fmt: skip

    def play(self) -> Examples:
        """The games of this iteration; if games overlap, the next begin by the weights of now."""
        if not self.recipe.overlapped:
            return play_games(self.recipe, self.iteration, self.learner, self.luck)
        played = (self.coming or self.begin(self.iteration))()
        self.player = self.learner.theta.copy()
        if self.iteration + 1 < self.recipe.iterations:
            self.coming = self.begin(self.iteration + 1)
        return played

    def begin(self, iteration: int) -> Callable[[], Examples]:
        """A function that waits for the games of this iteration, or plays them if there is no other process."""
        luck = np.random.default_rng([self.seed, iteration])
        task = play_games_of_weights, self.recipe, iteration, self.player, luck
        return self.executor.submit(*task).result if self.executor else partial(*task)

    def iterate_to_end(self, path: str | Path | None = None) -> Iterator[Progress]:
        """Play and learn until the recipe is done: yield `Progress`, and store the training at `path`, each time."""
        while self.iteration < self.recipe.iterations:
            self.window.append(self.play())
            terms = self.learn()
            self.iteration += 1
            if path is not None:
                self.write(path)
            yield Progress(self.iteration, self.recipe.iterations, terms, self.network)

    def write(self, path: str | Path) -> None:
        """Write all that is needed to resume from here."""
        description = {
            "training": self.name,
            "iteration": self.iteration,
            "steps": self.adam.steps,
            "luck": self.luck.bit_generator.state,
            "window": len(self.window),
        }
        window = {f"{age} {name}": array for age, examples in enumerate(self.window)
                  for name, array in examples._asdict().items()}  # fmt: skip
        write_arrays(path, description, self.vectors | window)

    def read(self, path: str | Path) -> None:
        """Resume from a file; `ValueError` if it is damaged, or of another recipe or seed."""
        description, arrays = read_arrays(path)
        if description.get("training") != self.name:
            raise ValueError(f"{path} does not hold this training, {self.name}: it is of another recipe or seed, "
                             "or no checkpoint; give another path")  # fmt: skip
        for name, vector in self.vectors.items():
            vector[:] = arrays[name]
        ages = range(description["window"])
        self.window.extend(Examples(*(arrays[f"{age} {name}"] for name in Examples._fields)) for age in ages)
        self.iteration, self.adam.steps = description["iteration"], description["steps"]
        self.luck.bit_generator.state = description["luck"]

    def learn(self) -> Losses:
        """Steps of Adam on random batches from the window; the losses on the last one."""
        recipe, examples = self.recipe, Examples(*map(np.concatenate, zip(*self.window)))
        rate = recipe.rate * (1 - 0.95 * self.iteration / recipe.iterations)
        for _ in range(recipe.steps):
            batch = batch_of(self.board, examples, recipe.batch, self.luck)
            self.adam.step(batch, rate)
            self.network.theta += FLOAT(1 - recipe.averaging) * (self.learner.theta - self.network.theta)
        return Losses(*map(float, losses(self.learner, self.learner.theta, batch, recipe.penalty)))


def play_games(recipe: Recipe, iteration: int, network: Network, luck: np.random.Generator) -> Examples:
    """The examples of this iteration's self-play by the recipe."""
    evaluate = Remembering(network, recipe.remembered) if recipe.remembered else network
    return self_play(
        network.board, evaluate, recipe.games, recipe.simulations_in(iteration), luck, recipe.c, recipe.alpha,
        recipe.noise, recipe.temperature_plies, recipe.started, recipe.started_plies, recipe.q_weight, recipe.proven,
    ).examples  # fmt: skip


def play_games_of_weights(recipe: Recipe, iteration: int, theta: Array, luck: np.random.Generator) -> Examples:
    """`play_games` of the network with these weights, for another process."""
    network = Network(board_of(recipe.game), recipe.width, recipe.blocks, recipe.features)
    network.theta[:] = theta
    return play_games(recipe, iteration, network, luck)


def train(recipe: str | Recipe, seed: int = 0, path: str | Path | None = None) -> Iterator[Progress]:
    """Train by a `Recipe` or the name of one in `RECIPES`: a generator that yields `Progress` after each iteration.

    Stop it when you like. With `path` the training is stored there after each iteration. If the file exists, the
    training resumes from there, to the same end as if it had never stopped; a damaged file, and one of another recipe
    or seed, raise `ValueError`.
    """
    return start(recipe, seed, path).iterate_to_end(path)


def start(recipe: str | Recipe, seed: int, path: str | Path | None, executor: Executor | None = None) -> Training:
    """A new `Training`, or the one stored at `path`."""
    if not isinstance(recipe, Recipe) and recipe not in list(RECIPES):
        raise ValueError(f"expected a Recipe or one of {', '.join(RECIPES)}, got {recipe!r}")
    training = Training(recipe if isinstance(recipe, Recipe) else RECIPES[recipe], seed, executor)
    if path is not None:
        if isinstance(training.board, GameBoard):
            raise ValueError(f"a training of {training.board.game!r} cannot be stored: its board numbers the states "
                             "as it meets them; train without a path, or write a fast board for it")  # fmt: skip
        if Path(path).exists():
            training.read(path)
    return training


def add_arguments(parser: ArgumentParser) -> None:
    """The options of `python -m course_lib train`."""
    parser.add_argument("game", choices=tuple(RECIPES))
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="random seed (default: 0)")
    parser.add_argument("--out", metavar="FILE", help="where the weights go (default: GAME.npz)")


def run(options: Namespace) -> None:
    """Train, write the weights and a checkpoint after each iteration, and show the losses."""
    weights = Path(options.out or f"{options.game}.npz")
    checkpoint = weights.with_suffix(".training.npz")
    with ProcessPoolExecutor(1, get_context("spawn"), signal, (SIGINT, SIG_IGN)) as executor:
        try:
            for progress in start(options.game, options.seed, checkpoint, executor).iterate_to_end(checkpoint):
                write_network(weights, progress.network)
                value, policy, size = progress.losses
                print(f"\riteration {progress.iteration} of {progress.iterations}, losses: value {value:.3f}, "
                      f"policy {policy:.3f}, weights {size:.3f} ", end="", flush=True)  # fmt: skip
        except KeyboardInterrupt:
            sys.exit(f"\nstopped; the same command resumes from {checkpoint}")
    print(f'\n{weights}: the weights; play with load("{options.game}", weights="{weights}")')
