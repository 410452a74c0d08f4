"""The arena: many games between two players, from random openings, each opening played with both colours."""

from math import sqrt
from typing import NamedTuple

import numpy as np

from course_lib.alphazero.self_play import draw
from course_lib.games.checks import check_whole

THRESHOLD = 0.6
"""A candidate takes the champion's place when its score is above this (source `002`)."""


class Score(NamedTuple):
    """Games won, drawn and lost by the first of two players."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self):
        """How many there were."""
        return sum(self)

    @property
    def score(self):
        """(wins + draws / 2) / games."""
        return (self.wins + self.draws / 2) / self.games

    def promoted(self, threshold=THRESHOLD):
        """True if a candidate with this score takes the champion's place."""
        return self.score > threshold

    def interval(self, z=1.96):
        """The Wilson interval of the score, of 95% unless another `z` is given (Wilson, 1927).

        It takes a draw for half a win and half a loss, so it is a little too wide where draws are many.
        """
        n, p = self.games, self.score
        centre, half = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)

    def __add__(self, other):
        return Score(*(mine + theirs for mine, theirs in zip(self, other)))


def arena(board, one, two, games=40, plies=2, seed=0):
    """Let two *players* meet and return the `Score` of the first; `network_player` and `agent_player` make players.

    `plies` random actions open each game, and every opening is played twice, with sides swapped, so `games` must be
    even. `board` is from `board_of`. The same seed gives the same openings. An illegal action raises `ValueError`.
    """
    check_whole(2, games=games)
    if games % 2:
        raise ValueError(f"games must be even, since each opening is played with both colours, not {games}")
    positions = random_openings(board, games // 2, plies, np.random.default_rng(seed))
    first, second = play_out(board, (one, two), positions), play_out(board, (two, one), positions)
    return score_of(first) + score_of(-second)


def random_openings(board, games, plies, luck):
    """Positions [games, 2] after so many random actions, in none of which the game is over."""
    check_whole(0, plies=plies)
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


def play_out(board, players, positions):
    """Play on from these positions, `players[0]` to move: 1, 0 or −1 for it, for each game."""
    outcome, playing, ply = np.zeros(len(positions), int), np.arange(len(positions)), 0
    while len(playing):
        actions = legal_actions(board, positions, players[ply % 2](positions))
        positions, worth, over = board.play(positions, actions)
        outcome[playing[over]] = (1 - 2 * (ply % 2)) * worth[over]
        playing, positions, ply = playing[~over], positions[~over], ply + 1
    return outcome


def legal_actions(board, positions, actions):
    """The actions that a player chose; `ValueError` if one of them is not legal."""
    actions = np.asarray(actions)
    chosen = actions[:, None] == np.arange(board.actions)
    for row in np.flatnonzero(~(chosen & board.legal(positions)).any(axis=1)):
        state = board.state_of(positions[row])
        wrong = actions.tolist()[row]
        named = board.all_actions[wrong] if wrong in range(board.actions) else wrong
        raise ValueError(f"a player chose {named!r}; the legal actions are "
                         f"{board.game.actions(state)}\n{board.game.render(state)}")  # fmt: skip
    return actions.astype(np.int64)


def score_of(outcome):
    return Score(*(int((outcome == value).sum()) for value in (1, 0, -1)))
