"""The arena: many games between two players, from random openings, each opening played with both colours."""

from typing import NamedTuple

import numpy as np

from course_lib.alphazero.boards import Array, Board, Player
from course_lib.alphazero.self_play import draw


class Score(NamedTuple):
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


def arena(board: Board, one: Player, two: Player, games: int = 40, plies: int = 2) -> Score:
    """Let two *players* meet and return the `Score` of the first; `network_player` and `agent_player` make players.

    `plies` random actions open each game, and every opening is played twice, with sides swapped, so `games` must be
    even. `board` is from `board_of`.
    """
    if games < 2 or games % 2:
        raise ValueError(f"games must be even, since each opening is played with both colours, not {games!r}")
    positions = random_openings(board, games // 2, plies, np.random.default_rng(0))
    outcomes = np.append(play_out(board, (one, two), positions), -play_out(board, (two, one), positions))
    return Score(*(int((outcomes == value).sum()) for value in (1, 0, -1)))


def random_openings(board: Board, games: int, plies: int, luck: np.random.Generator) -> Array:
    """Positions [games, 2] after `plies` random actions, in none of which the game is over."""
    positions = board.initial(games)
    for _ in range(plies):
        after, _, over = board.play_all(positions)
        open_actions = board.legal(positions) & ~over
        if not open_actions.any(axis=1).all():
            raise ValueError(f"{plies} plies end a game of {board.game!r}; open with fewer")
        positions = after[np.arange(games), draw(open_actions, luck)]
    return positions


def play_out(board: Board, players: tuple[Player, Player], positions: Array) -> Array:
    """Play on from these positions, `players[0]` to move: 1, 0 or −1 for it, for each game."""
    outcome, playing, ply = np.zeros(len(positions), int), np.arange(len(positions)), 0
    while len(playing):
        actions = players[ply % 2](positions)
        positions, value, over = board.play(positions, actions)
        outcome[playing[over]] = (1 - 2 * (ply % 2)) * value[over]
        playing, positions, ply = playing[~over], positions[~over], ply + 1
    return outcome
