"""Training: self-play and learning in turns, from random weights, by a recipe."""

from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from course_lib.alphazero.boards import board_of
from course_lib.alphazero.network import Adam, Network, losses, write_network
from course_lib.alphazero.puct import C
from course_lib.alphazero.self_play import Examples, batch_of, self_play
from course_lib.games import ConnectFour, Game, TicTacToe


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
    delayed: bool = False
    """Whether games are played by the weights of one iteration earlier, as where playing and learning go on at once."""
    last_simulations: int | None = None


RECIPES = {
    "tic_tac_toe": Recipe(
        TicTacToe(), iterations=11, width=64, blocks=2, features=0,
        games=256, simulations=32, temperature_plies=9, started=0.75, started_plies=6, q_weight=0.5,
        window=8, steps=70, batch=512, rate=7e-3, penalty=1e-4, averaging=0.98,
    ),
    "connect_four": Recipe(
        ConnectFour(), iterations=640, width=256, blocks=1, features=32,
        games=1024, simulations=16, last_simulations=48, temperature_plies=20, started=0.5, started_plies=12,
        q_weight=0.5, window=40, steps=250, batch=256, rate=3e-3, penalty=3e-5, averaging=0.998, delayed=True,
    ),
}  # fmt: skip
"""The recipes of the weights in this package, by name; both are from seed 0."""


class Progress(NamedTuple):
    """One iteration of training."""

    iteration: int
    iterations: int
    losses: tuple[float, float, float]
    """The terms of the loss: (z − v)², −π·log p and c‖θ‖²."""
    network: Network
    """The trained network, an average, which the next iteration changes: take `network.copy()` to keep it."""


def train(recipe: str | Recipe, seed: int = 0) -> Iterator[Progress]:
    """Train by a `Recipe` or the name of one in `RECIPES`: a generator that yields `Progress` after each iteration.

    Stop it when you like. `learner` plays against itself and learns; the average of its latest weights is steadier and
    is what comes out (Polyak and Juditsky, 1992).
    """
    recipe = RECIPES[recipe] if isinstance(recipe, str) else recipe
    learner = Network(board_of(recipe.game), recipe.width, recipe.blocks, recipe.features, seed)
    player = learner.copy() if recipe.delayed else learner
    average, adam = learner.copy(), Adam(learner, recipe.penalty)
    luck, window = np.random.default_rng(seed), deque(maxlen=recipe.window)
    for iteration in range(recipe.iterations):
        own_luck = np.random.default_rng([seed, iteration]) if recipe.delayed else luck
        window.append(play_games(recipe, iteration, player, own_luck))
        player.theta[:] = learner.theta
        examples = Examples(*map(np.concatenate, zip(*window)))
        for _ in range(recipe.steps):
            batch = batch_of(learner.board, examples, recipe.batch, luck)
            adam.step(batch, recipe.rate * (1 - 0.95 * iteration / recipe.iterations))
            average.theta += (1 - recipe.averaging) * (learner.theta - average.theta)
        terms = losses(learner, learner.theta, batch, recipe.penalty)
        yield Progress(iteration + 1, recipe.iterations, tuple(map(float, terms)), average)


def play_games(recipe: Recipe, iteration: int, network: Network, luck: np.random.Generator) -> Examples:
    """The examples of this iteration's self-play by the recipe."""
    simulations = recipe.simulations
    if recipe.last_simulations:
        simulations += (recipe.last_simulations - simulations) * iteration // recipe.iterations
    return self_play(
        network.board, network, recipe.games, simulations, luck, recipe.c, recipe.alpha, recipe.noise,
        recipe.temperature_plies, recipe.started, recipe.started_plies, recipe.q_weight, recipe.proven,
    ).examples  # fmt: skip


def add_arguments(parser: ArgumentParser) -> None:
    """The options of `python -m course_lib train`."""
    parser.add_argument("game", choices=tuple(RECIPES))
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="random seed (default: 0)")
    parser.add_argument("--out", metavar="FILE", help="where the weights go (default: GAME.npz)")


def run(options: Namespace) -> None:
    """Train, write the weights after each iteration, and show the losses."""
    weights = options.out or f"{options.game}.npz"
    for progress in train(options.game, options.seed):
        write_network(weights, progress.network)
        value, policy, size = progress.losses
        print(f"iteration {progress.iteration} of {progress.iterations}, losses: value {value:.3f}, "
              f"policy {policy:.3f}, weights {size:.3f}", flush=True)  # fmt: skip
    print(f'{weights}: the weights; play with load("{options.game}", weights="{weights}")')
