"""Self-play: games of the network against itself, as examples (s, π, z) to learn from."""

from typing import NamedTuple

import numpy as np

from course_lib.alphazero.batched import PUCT_C, batched_search, root_noise
from course_lib.alphazero.network import FLOAT
from course_lib.alphazero.vectorized import Array, Evaluation, VectorGame


class Examples(NamedTuple):
    """Positions [n, 2], the search's policy π [n, actions], and z [n], the outcome for the player to move."""

    positions: Array
    policies: Array
    outcomes: Array


class Played(NamedTuple):
    """The examples of a round of self-play, and how each of its games went."""

    examples: Examples
    length: Array
    """Plies, without the random ones that a game began after."""
    outcome: Array
    """1, 0 or −1 for the player of the last move."""


def self_play(vector_game: VectorGame, evaluate: Evaluation, games: int, simulations: int, rng: np.random.Generator,
              c: float = PUCT_C, alpha: float = 1.0, noise: float = 0.25, temperature_plies: int = 99,
              random_start_share: float = 0.0, random_start_plies: int = 6, q_weight: float = 0.0,
              use_solver: bool = True) -> Played:  # fmt: skip
    """Play `games` at once, each move drawn from π (τ = 1; τ → 0 after `temperature_plies`), with root noise.

    The examples of `Played` are (s, π, z) of all moves, z for the player to move. `evaluate` is an *evaluation* such as
    a network. `c` and `simulations` are for the search, `alpha` and `noise` for `root_noise`. A share of the games,
    `random_start_share`, begins after 1 to `random_start_plies` random plies, so that the network sees what it would
    not play itself. z is the exact value where the search has proven it, and otherwise (1 − q_weight) · outcome +
    q_weight · Q. With `use_solver=False` nothing is proven, as in the published search.
    """
    positions = openings(vector_game, games, rng, random_start_share, random_start_plies)
    playing, outcome, length = np.arange(games), np.zeros(games, FLOAT), np.zeros(games, int)
    moves = []
    while len(playing):
        found = batched_search(
            vector_game, positions, evaluate, simulations, c, root_noise(rng, alpha, noise), use_solver
        )
        policy = found.policy()
        moves.append((playing, positions, policy, found.value, found.proven))
        drawn = policy if len(moves) <= temperature_plies else found.policy(0)
        positions, value, over = vector_game.play(positions, sample_actions(drawn, rng))
        length[playing] += 1
        outcome[playing[over]] = value[over]
        playing, positions = playing[~over], positions[~over]
    examples = [label_examples(number, move, outcome, length, q_weight) for number, move in enumerate(moves, 1)]
    return Played(Examples(*map(np.concatenate, zip(*examples))), length, outcome)


def label_examples(number: int, move: tuple[Array, ...], outcome: Array, length: Array, q_weight: float) -> Examples:
    """The examples of move `number` of all games; a game's outcome is for the player of its last move."""
    playing, positions, policy, value, proven = move
    z = np.where((length[playing] - number) % 2 == 0, outcome[playing], -outcome[playing])
    mixed = (1 - q_weight) * z + q_weight * value
    return Examples(positions, policy, np.where(proven, value, mixed).astype(FLOAT))


def openings(
    vector_game: VectorGame, games: int, rng: np.random.Generator, share: float = 1.0, plies: int = 6
) -> Array:
    """Positions to begin from, [games, 2]: a share of them after 1 to `plies` random actions that end no game."""
    positions = vector_game.initial(games)
    wanted = rng.integers(1, plies + 1, games) * (rng.random(games) < share)
    for ply in range(plies):
        after, _, over = vector_game.play(positions, sample_actions(vector_game.legal(positions), rng))
        positions = np.where(((ply < wanted) & ~over)[:, None], after, positions)
    return positions


def sample_actions(weights: Array, rng: np.random.Generator) -> Array:
    """An action for each row of weights [n, actions], with probabilities in proportion."""
    sums = np.cumsum(weights, axis=1, dtype=FLOAT)
    return (sums > rng.random((len(sums), 1), FLOAT) * sums[:, -1:]).argmax(axis=1)


def sample_batch(
    vector_game: VectorGame, examples: Examples, size: int, rng: np.random.Generator
) -> tuple[Array, Array, Array, Array]:
    """A random batch for training, each example turned by a random symmetry: (planes, legal, π, z).

    Their shapes are [size, planes, cells], twice [size, actions], and [size]. An example may be drawn more than once.
    """
    rows = rng.integers(0, len(examples.outcomes), size)
    kind = rng.integers(0, len(vector_game.symmetries), size)
    positions, outcomes = examples.positions[rows], examples.outcomes[rows]
    planes = np.take_along_axis(vector_game.planes(positions), vector_game.symmetries[kind][:, None], axis=2)
    turn = vector_game.action_symmetries[kind]
    legal = np.take_along_axis(vector_game.legal(positions), turn, axis=1)
    return planes, legal, np.take_along_axis(examples.policies[rows], turn, axis=1), outcomes
