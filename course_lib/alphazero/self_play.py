"""Self-play: games of the network against itself, as examples (s, π, z) for training."""

from typing import NamedTuple

import numpy as np

from course_lib.alphazero.batched import batched_search, root_noise
from course_lib.alphazero.puct import PUCT_C
from course_lib.alphazero.vectorized import FLOAT, Array, BatchEvaluator, VectorGame, vectorize
from course_lib.games import Game
from course_lib.games.randomness import Seed, numpy_generator
from course_lib.games.validation import check_kind, check_number, check_whole


class Examples(NamedTuple):
    """Positions [n, 2], the search's policy π [n, actions], and z [n], the outcome for the player to move."""

    positions: Array
    policies: Array
    outcomes: Array


class SelfPlayResult(NamedTuple):
    """The examples of a round of self-play, and the length and the outcome of each game."""

    examples: Examples
    lengths: Array
    """Plies, without those of a random start."""
    outcomes: Array
    """1, 0 or −1 for the player of the last move."""


def self_play(vector_game: VectorGame | Game, evaluate: BatchEvaluator, games: int, simulations: int, rng: Seed = None,
              c: float = PUCT_C, dirichlet_alpha: float = 1.0, noise_weight: float = 0.25, temperature_plies: int = 99,
              random_start_share: float = 0.0, random_start_plies: int = 6, q_weight: float = 0.0,
              use_solver: bool = True) -> SelfPlayResult:  # fmt: skip
    """Play all `games` at once, sampling moves from π (τ = 1; τ → 0 after `temperature_plies`), with root noise.

    `evaluate` is an *evaluator*, `c` and `simulations` are for the search, `dirichlet_alpha` and `noise_weight` for
    `root_noise`. The share `random_start_share` of the games begins after 1 to `random_start_plies` random plies, which
    shows the network positions that it would not reach itself. z is the exact value if the search has proven it, or
    else (1 − q_weight) · outcome + q_weight · Q. With `use_solver=False` nothing is proven, as in the published search.
    """
    check_whole(1, games=games)
    check_whole(0, temperature_plies=temperature_plies, random_start_plies=random_start_plies)
    check_number(0, 1, noise_weight=noise_weight, random_start_share=random_start_share, q_weight=q_weight)
    vector_game, rng = vectorize(vector_game), numpy_generator(rng)
    positions = start_positions(vector_game, games, rng, random_start_share, random_start_plies)
    playing, outcome, length = np.arange(games), np.zeros(games, FLOAT), np.zeros(games, int)
    moves = []
    while len(playing):
        noise = root_noise(rng, dirichlet_alpha, noise_weight)
        found = batched_search(vector_game, positions, evaluate, simulations, c, noise, use_solver)
        policy = found.policy()
        moves.append((playing, positions, policy, found.value, found.proven))
        move_weights = policy if len(moves) <= temperature_plies else found.policy(0)
        positions, value, over = vector_game.play(positions, sample_actions(move_weights, rng))
        length[playing] += 1
        outcome[playing[over]] = value[over]
        playing, positions = playing[~over], positions[~over]
    examples = [label_examples(ply, move, outcome, length, q_weight) for ply, move in enumerate(moves, 1)]
    return SelfPlayResult(Examples(*map(np.concatenate, zip(*examples))), length, outcome)


def label_examples(ply: int, move: tuple[Array, ...], outcome: Array, length: Array, q_weight: float) -> Examples:
    """The examples of ply `ply` of all games; a game's outcome is for the player of its last move."""
    playing, positions, policy, value, proven = move
    z = np.where((length[playing] - ply) % 2 == 0, outcome[playing], -outcome[playing])
    mixed = (1 - q_weight) * z + q_weight * value
    return Examples(positions, policy, np.where(proven, value, mixed).astype(FLOAT))


def start_positions(
    vector_game: VectorGame, games: int, rng: np.random.Generator, share: float = 1.0, plies: int = 6
) -> Array:
    """Positions [games, 2] to start from: a share of them after 1 to `plies` random actions that end no game."""
    positions = vector_game.initial(games)
    random_plies = rng.integers(1, plies + 1, games) * (rng.random(games) < share)
    for ply in range(plies):
        after, _, over = vector_game.play(positions, sample_actions(vector_game.legal(positions), rng))
        positions = np.where(((ply < random_plies) & ~over)[:, None], after, positions)
    return positions


def sample_actions(weights: Array, rng: np.random.Generator) -> Array:
    """An action for each row of weights [n, actions], with probabilities in proportion to them."""
    sums = np.cumsum(weights, axis=1, dtype=FLOAT)
    return (sums > rng.random((len(sums), 1), FLOAT) * sums[:, -1:]).argmax(axis=1)


def sample_batch(
    vector_game: VectorGame, examples: Examples, batch_size: int, rng: Seed = None
) -> tuple[Array, Array, Array, Array]:
    """A random batch for training, each example transformed by a random symmetry: (planes, legal, π, z).

    The shapes are [batch_size, planes, cells], twice [batch_size, actions], and [batch_size]; sampled with replacement.
    """
    rng = numpy_generator(rng)
    check_kind(Examples, examples=examples)
    check_whole(1, batch_size=batch_size, **{"the number of examples": len(examples.outcomes)})
    rows = rng.integers(0, len(examples.outcomes), batch_size)
    symmetry = rng.integers(0, len(vector_game.symmetries), batch_size)
    positions, outcomes = examples.positions[rows], examples.outcomes[rows]
    planes = np.take_along_axis(vector_game.planes(positions), vector_game.symmetries[symmetry][:, None], axis=2)
    actions = vector_game.action_symmetries[symmetry]
    legal = np.take_along_axis(vector_game.legal(positions), actions, axis=1)
    return planes, legal, np.take_along_axis(examples.policies[rows], actions, axis=1), outcomes
