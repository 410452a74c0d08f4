"""Self-play: games of the network against itself, as examples (s, π, z) to learn from."""

from typing import NamedTuple

import numpy as np

from course_lib.alphazero.batched import C, root_noise, search
from course_lib.alphazero.boards import Array, Board, Evaluation
from course_lib.alphazero.network import FLOAT


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


def self_play(board: Board, evaluate: Evaluation, games: int, simulations: int, luck: np.random.Generator,
              c: float = C, alpha: float = 1.0, noise: float = 0.25, temperature_plies: int = 99,
              started: float = 0.0, started_plies: int = 6, q_weight: float = 0.0,
              proven: bool = True) -> Played:  # fmt: skip
    """Play `games` at once, each move drawn from π (τ = 1; τ → 0 after `temperature_plies`), with root noise.

    The examples of `Played` are (s, π, z) of all moves, z for the player to move.
    `evaluate` is an *evaluation* such as a network. `c` and `simulations` are for the search, `alpha` and `noise` for
    `root_noise`. A share of the games, `started`, begins after 1 to `started_plies` random plies, so that the network
    sees what it would not play itself. z is the exact value where the search has proven it, and otherwise
    (1 − q_weight) · outcome + q_weight · Q. With `proven=False` nothing is proven, as in the published search.
    """
    positions = openings(board, games, luck, started, started_plies)
    playing, outcome, length = np.arange(games), np.zeros(games, FLOAT), np.zeros(games, int)
    moves = []
    while len(playing):
        found = search(board, positions, evaluate, simulations, c, root_noise(luck, alpha, noise), proven)
        policy = found.policy()
        moves.append((playing, positions, policy, found.value, found.proven))
        drawn = policy if len(moves) <= temperature_plies else found.policy(0)
        positions, value, over = board.play(positions, draw(drawn, luck))
        length[playing] += 1
        outcome[playing[over]] = value[over]
        playing, positions = playing[~over], positions[~over]
    examples = [labelled(number, move, outcome, length, q_weight) for number, move in enumerate(moves, 1)]
    return Played(Examples(*map(np.concatenate, zip(*examples))), length, outcome)


def labelled(number: int, move: tuple[Array, ...], outcome: Array, length: Array, q_weight: float) -> Examples:
    """The examples of move `number` of all games; a game's outcome is for the player of its last move."""
    playing, positions, policy, value, proven = move
    z = np.where((length[playing] - number) % 2 == 0, outcome[playing], -outcome[playing])
    mixed = (1 - q_weight) * z + q_weight * value
    return Examples(positions, policy, np.where(proven, value, mixed).astype(FLOAT))


def openings(board: Board, games: int, luck: np.random.Generator, share: float = 1.0, plies: int = 6) -> Array:
    """Positions to begin from, [games, 2]: a share of them after 1 to `plies` random actions that end no game."""
    positions = board.initial(games)
    wanted = luck.integers(1, plies + 1, games) * (luck.random(games) < share)
    for ply in range(plies):
        after, _, over = board.play(positions, draw(board.legal(positions), luck))
        positions = np.where(((ply < wanted) & ~over)[:, None], after, positions)
    return positions


def draw(weights: Array, luck: np.random.Generator) -> Array:
    """An action for each row of weights [n, actions], with probabilities in proportion."""
    sums = np.cumsum(weights, axis=1, dtype=FLOAT)
    return (sums > luck.random((len(sums), 1), FLOAT) * sums[:, -1:]).argmax(axis=1)


def batch_of(
    board: Board, examples: Examples, size: int, luck: np.random.Generator
) -> tuple[Array, Array, Array, Array]:
    """A random batch for training, each example turned by a random symmetry: (planes, legal, π, z).

    Their shapes are [size, planes, cells], twice [size, actions], and [size]. An example may be drawn more than once.
    """
    rows = luck.integers(0, len(examples.outcomes), size)
    kind = luck.integers(0, len(board.symmetries), size)
    positions, outcomes = examples.positions[rows], examples.outcomes[rows]
    planes = np.take_along_axis(board.planes(positions), board.symmetries[kind][:, None], axis=2)
    turn = board.action_symmetries[kind]
    legal = np.take_along_axis(board.legal(positions), turn, axis=1)
    return planes, legal, np.take_along_axis(examples.policies[rows], turn, axis=1), outcomes
