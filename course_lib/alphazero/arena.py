"""The arena: many games between two players, from random openings, each opening played with both sides."""

from typing import NamedTuple

import numpy as np

from course_lib.alphazero.self_play import sample_actions
from course_lib.alphazero.vectorized import Array, BatchPlayer, VectorGame, check_player, vectorize
from course_lib.games import Game
from course_lib.games.game import Agent
from course_lib.games.validation import check_whole


class MatchResult(NamedTuple):
    """Games won, drawn and lost by the first of two players."""

    wins: int
    draws: int
    losses: int

    @property
    def score(self) -> float:
        """(wins + draws / 2) / games."""
        return (self.wins + self.draws / 2) / sum(self)

    def promoted(self, threshold: float = 0.6) -> bool:
        """True if a candidate with this score takes the champion's place (source `002`)."""
        return self.score > threshold


def arena(
    vector_game: VectorGame | Game,
    agent_a: BatchPlayer | Agent,
    agent_b: BatchPlayer | Agent,
    games: int = 40,
    opening_plies: int = 2,
) -> MatchResult:
    """Play `games` games between two *players* or agents, and return the `MatchResult` of the first.

    Each game opens with `opening_plies` random actions, and each opening is played twice, with sides swapped, so
    `games` must be even. `network_player` is much faster than `network_agent`.

    >>> from course_lib.games import TicTacToe, random_agent
    >>> from course_lib.search import minimax_agent
    >>> arena(TicTacToe(), minimax_agent(), random_agent(seed=0), games=4).losses
    0
    """
    check_whole(2, games=games)
    check_whole(0, opening_plies=opening_plies)
    if games % 2:
        raise ValueError(f"games must be even, since each opening is played with both sides, not {games}")
    vector_game = vectorize(vector_game)
    agent_a, agent_b = check_player(vector_game, agent_a), check_player(vector_game, agent_b)
    positions = random_openings(vector_game, games // 2, opening_plies, np.random.default_rng(0))
    first = play_out(vector_game, (agent_a, agent_b), positions)
    outcomes = np.append(first, -play_out(vector_game, (agent_b, agent_a), positions))
    return MatchResult(*(int((outcomes == value).sum()) for value in (1, 0, -1)))


def random_openings(vector_game: VectorGame, games: int, opening_plies: int, rng: np.random.Generator) -> Array:
    """Positions [games, 2] after `opening_plies` random actions that end no game."""
    positions = vector_game.initial(games)
    for _ in range(opening_plies):
        after, _, over = vector_game.play_all(positions)
        open_actions = vector_game.legal(positions) & ~over
        if not open_actions.any(axis=1).all():
            raise ValueError(f"{opening_plies} plies end a game of {vector_game.game!r}: reduce opening_plies")
        positions = after[np.arange(games), sample_actions(open_actions, rng)]
    return positions


def play_out(vector_game: VectorGame, players: tuple[BatchPlayer, BatchPlayer], positions: Array) -> Array:
    """Finish the games from these positions, `players[0]` to move; return its results: 1, 0 or −1 for each game."""
    outcome, playing, ply = np.zeros(len(positions), int), np.arange(len(positions)), 0
    while len(playing):
        actions = players[ply % 2](positions)
        positions, value, over = vector_game.play(positions, actions)
        outcome[playing[over]] = (1 - 2 * (ply % 2)) * value[over]
        playing, positions, ply = playing[~over], positions[~over], ply + 1
    return outcome
