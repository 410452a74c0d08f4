"""The arena: many games between two players, from random openings, each opening played with both colours."""

from typing import NamedTuple

import numpy as np

from course_lib.alphazero.boards import Array, Board, Player
from course_lib.alphazero.self_play import draw

THRESHOLD = 0.6
"""A candidate takes the champion's place when its score is above this (source `002`)."""


class Score(NamedTuple):
    """Games won, drawn and lost by the first of two players."""

    wins: int
    draws: int
    losses: int

    @property
    def score(self) -> float:
        """(wins + draws / 2) / games."""
        return (self.wins + self.draws / 2) / sum(self)

    def promoted(self, threshold: float = THRESHOLD) -> bool:
        """True if a candidate with this score takes the champion's place."""
        return self.score > threshold


def arena(board: Board, one: Player, two: Player, games: int = 40, plies: int = 2) -> Score:
    """Let two *players* meet and return the `Score` of the first; `network_player` and `agent_player` make players.

    `plies` random actions open each game, and every opening is played twice, with sides swapped, so `games` must be
    even. `board` is from `board_of`. An illegal action raises `ValueError`.
    """
    if games < 2 or games % 2:
        raise ValueError(f"games must be even, since each opening is played with both colours, not {games!r}")
    positions = random_openings(board, games // 2, plies, np.random.default_rng(0))
    outcomes = np.append(play_out(board, (one, two), positions), -play_out(board, (two, one), positions))
    return Score(*(int((outcomes == value).sum()) for value in (1, 0, -1)))


def random_openings(board: Board, games: int, plies: int, luck: np.random.Generator) -> Array:
    """Positions [games, 2] after `plies` random actions, in none of which the game is over."""
    if plies >= board.longest:
        raise ValueError(f"after {plies} plies {board.game!r} is over; open with fewer than {board.longest}")
    positions = board.initial(games)
    for ply in range(1, plies + 1):
        _, over = board.ends(positions)
        open_actions = board.legal(positions) & ~over
        positions = board.after(positions, draw(open_actions, luck))
        stuck = ~open_actions.any(axis=1)
        if stuck.any():  # every action ends the game: another opening in its place
            positions[stuck] = random_openings(board, stuck.sum(), ply, luck)
    return positions


def play_out(board: Board, players: tuple[Player, Player], positions: Array) -> Array:
    """Play on from these positions, `players[0]` to move: 1, 0 or −1 for it, for each game."""
    outcome, playing, ply = np.zeros(len(positions), int), np.arange(len(positions)), 0
    while len(playing):
        actions = np.asarray(players[ply % 2](positions))
        check_legal(board, positions, actions)
        positions, value, over = board.play(positions, actions.astype(np.int64))
        outcome[playing[over]] = (1 - 2 * (ply % 2)) * value[over]
        playing, positions, ply = playing[~over], positions[~over], ply + 1
    return outcome


def check_legal(board: Board, positions: Array, actions: Array) -> None:
    """`ValueError` if one of the actions that a player chose is not legal."""
    chosen = actions[:, None] == np.arange(board.actions)
    for row in np.flatnonzero(~(chosen & board.legal(positions)).any(axis=1)):
        state = board.state_of(positions[row])
        raise ValueError(
            f"a player chose {actions[row]}; the legal actions are {board.game.actions(state)}\n"
            f"{board.game.render(state)}"
        )
