"""Training: self-play and learning in turns, from random weights, by a recipe."""

import os
import signal
import sys
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from time import perf_counter, process_time
from typing import NamedTuple

import numpy as np

from course_lib.alphazero.batched import C
from course_lib.alphazero.boards import board_of
from course_lib.alphazero.checkpoint import check_writable, read_training, write_network, write_training
from course_lib.alphazero.network import FLOAT, Adam, Network, losses
from course_lib.alphazero.self_play import Examples, Remembering, batch_of, check_labels, self_play
from course_lib.alphazero.strength import strength
from course_lib.games import ConnectFour, Game, TicTacToe
from course_lib.games.checks import check_above_0, check_share, check_two_players, check_weight, check_whole


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
    """Whether the games of an iteration are played while the network learns from those before: by its weights of one
    iteration earlier, and in a second process if `train` is given one. The result is the same with and without."""
    last_simulations: int | None = None
    remembered: int = 0
    """How many positions self-play remembers the evaluation of, as a power of two; 0 for none."""

    def __post_init__(self):
        check_two_players(self.game, "AlphaZero")

        def among(*names):
            return {name: getattr(self, name) for name in names}

        check_share(**among("started", "q_weight", "averaging", "noise"))
        check_above_0(**among("rate", "alpha"))
        check_weight(**among("penalty", "c"))
        check_whole(0, **among("blocks", "features", "simulations", "temperature_plies", "remembered"))
        check_whole(1, **among("iterations", "width", "games", "started_plies", "window", "steps", "batch"))
        if self.last_simulations is not None:
            check_whole(self.simulations, last_simulations=self.last_simulations)
        check_labels(self.simulations, self.q_weight)

    def simulations_in(self, iteration):
        """How many simulations there are for each move in this iteration, from 0."""
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
    draws: float
    """The share of the games of self-play that were drawn."""
    first_wins: float
    """The share won by the player who began."""
    plies: float
    """Their mean length."""
    seconds: float
    """CPU time of self-play and learning so far."""
    network: Network
    """The trained network, an average, which the next iteration changes: take `network.copy()` to keep it."""


class Training:
    """A network in training, with Adam's memory, the replay window and the source of luck.

    `learner` plays against itself and learns; `network`, the average of its latest weights, is steadier and is what
    comes out (Polyak and Juditsky, 1992). If games overlap, `player` has the weights that the next ones are played by.
    """

    def __init__(self, recipe, seed=0, pool=None):
        self.recipe, self.seed, self.pool, self.board = recipe, seed, pool, board_of(recipe.game)
        self.learner = Network(self.board, recipe.width, recipe.blocks, recipe.features, seed)
        self.network = self.learner.copy()
        self.adam = Adam(self.learner, recipe.penalty)
        self.luck = np.random.default_rng(seed)
        self.window = deque(maxlen=recipe.window)
        self.iteration, self.seconds = 0, 0.0
        self.player, self.coming = self.learner.theta.copy(), None

    def iterate(self):
        """Play a round of games, learn from the window, and return the `Progress`."""
        recipe = self.recipe
        played, seconds = self.play()
        start = process_time()
        self.window.append(played.examples)
        terms = self.learn()
        self.iteration += 1
        self.seconds += seconds + process_time() - start
        shares = (count / played.games for count in (played.draws, played.first_wins, played.plies))
        return Progress(self.iteration, recipe.iterations, terms, *map(float, shares), self.seconds, self.network)

    def play(self):
        """The games of this iteration, and their CPU time; if games overlap, the next begin by the weights of now."""
        if not self.recipe.overlapped:
            return games(self.recipe, self.iteration, self.learner, self.luck)
        coming = self.coming or self.begin(self.iteration)
        played = coming()
        self.player = self.learner.theta.copy()
        if self.iteration + 1 < self.recipe.iterations:
            self.coming = self.begin(self.iteration + 1)
        return played

    def begin(self, iteration):
        """A function that waits for the games of this iteration, or plays them where there is no other process."""
        of_round = games_of_weights, self.recipe, iteration, self.player, np.random.default_rng([self.seed, iteration])
        elsewhere = self.pool is not None and self.board.lasting
        return self.pool.submit(*of_round).result if elsewhere else partial(*of_round)

    def iterate_to_end(self, path=None):
        """Yield the `Progress` of each iteration that the recipe has left, storing the training at `path`."""
        while self.iteration < self.recipe.iterations:
            progress = self.iterate()
            if path is not None:
                write_training(path, self)
            yield progress

    def learn(self):
        """Steps of Adam on random batches from the window; the losses on the last one."""
        recipe, examples = self.recipe, Examples(*map(np.concatenate, zip(*self.window)))
        rate = recipe.rate * (1 - 0.95 * self.iteration / recipe.iterations)
        for _ in range(recipe.steps):
            batch = batch_of(self.board, examples, recipe.batch, self.luck)
            self.adam.step(batch, rate)
            self.network.theta += FLOAT(1 - recipe.averaging) * (self.learner.theta - self.network.theta)
        return Losses(*map(float, losses(self.learner, self.learner.theta, batch, recipe.penalty)))


def games(recipe, iteration, network, luck):
    """The self-play of this iteration by the recipe: `Played`, and its CPU time in seconds."""
    start = process_time()
    evaluate = Remembering(network, recipe.remembered) if recipe.remembered else network
    played = self_play(
        network.board, evaluate, recipe.games, recipe.simulations_in(iteration), luck, recipe.c, recipe.alpha,
        recipe.noise, recipe.temperature_plies, recipe.started, recipe.started_plies, recipe.q_weight, recipe.proven,
    )  # fmt: skip
    return played, process_time() - start


def games_of_weights(recipe, iteration, theta, luck):
    """`games` of the network with these weights: what another process can be asked for."""
    network = Network(board_of(recipe.game), recipe.width, recipe.blocks, recipe.features)
    network.theta[:] = theta
    return games(recipe, iteration, network, luck)


def train(recipe, seed=0, path=None, pool=None):
    """Train by a `Recipe` or the name of one in `RECIPES`: a generator that yields `Progress` after each iteration.

    Stop it when you like. With `path` the training is stored there after each iteration. If the file exists, the
    training goes on from there, to the same end as if it had never stopped; a damaged file, and one of another recipe
    or seed, raise `ValueError`.

    `pool` is a `ProcessPoolExecutor`: a recipe that is `overlapped` plays in one of its processes.
    """
    return begun(recipe, seed, path, pool).iterate_to_end(path)


def begun(recipe, seed=0, path=None, pool=None):
    """A new `Training`, or the one stored at `path`."""
    training = Training(recipe if isinstance(recipe, Recipe) else recipe_named(recipe), seed, pool)
    if path is not None:
        if not training.board.lasting:
            raise ValueError(f"a training of {training.board.game!r} cannot be stored: its board numbers the states "
                             "as it meets them; train without a path, or write a fast board for it")  # fmt: skip
        check_writable(path)
        if Path(path).exists():
            read_training(path, training)
    return training


def recipe_named(name):
    """The recipe of this name in `RECIPES`."""
    if name not in list(RECIPES):
        raise ValueError(f"there is no recipe {name!r}; the recipes are {', '.join(RECIPES)}")
    return RECIPES[name]


def with_bar(progresses, width=30):
    """Yield what `train` yields, and show a line with a bar, the losses, the strength so far and the time left."""
    start, first = perf_counter(), None
    for progress in progresses:
        first = progress.iteration - 1 if first is None else first
        left = (perf_counter() - start) / (progress.iteration - first) * (progress.iterations - progress.iteration)
        minutes, seconds = divmod(round(left), 60)
        blocks = "█" * (width * progress.iteration // progress.iterations)
        value, policy, weights = progress.losses
        print(f"\r{blocks:░<{width}} {progress.iteration}/{progress.iterations}  losses: value {value:.3f}, "
              f"policy {policy:.3f}, weights {weights:.3f}; {strength(progress.network)}  "
              f"{minutes}:{seconds:02} left ", end="", flush=True)  # fmt: skip
        yield progress
    print()


def second_process():
    """A pool of one process, for `train`, which ends with this one, whatever ends it."""
    return ProcessPoolExecutor(1, get_context("spawn"), end_with_the_first)


def end_with_the_first():
    """In the second process: leave Ctrl-C to the first, and end when that is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=lambda: (parent_process().join(), os._exit(1)), daemon=True).start()


def train_to_file(name, seed, checkpoint, weights):
    """Train by the recipe of this name with a bar, and write the weights; interrupted, it says how to go on."""
    if Path(weights).resolve() == Path(checkpoint).resolve():
        raise ValueError(f"the weights and the checkpoint cannot both go to {weights}; give two files")
    check_writable(weights)
    with second_process() as pool:
        training = begun(name, seed, checkpoint, pool)
        try:
            for _ in with_bar(training.iterate_to_end(checkpoint)):
                pass
        except KeyboardInterrupt:
            sys.exit(f"\nstopped after iteration {training.iteration}; the same command goes on from {checkpoint}")
    write_network(weights, training.network)
    print(f'{weights}: the weights; play with load("{name}", weights="{weights}")')


def add_arguments(parser):
    parser.add_argument("game", choices=tuple(RECIPES))
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the source of luck (default: 0)")
    parser.add_argument("--out", metavar="FILE", help="where the weights go (default: GAME.npz)")
    parser.add_argument(
        "--checkpoint", metavar="FILE", help="where to go on after a stop (default: GAME.SEED.training.npz)"
    )


def run(options):
    game = options.game
    checkpoint = options.checkpoint or f"{game}.{options.seed}.training.npz"
    train_to_file(game, options.seed, checkpoint, options.out or f"{game}.npz")
