"""Exact play in a small game, for all positions at once: the values, and a player against every reply."""

from typing import NamedTuple

import numpy as np


class Exact:
    """The exact value of every position that can come up in the game of a board of bits, such as 5 × 4 Connect Four.

    Positions are worked through ply by ply, from the last ply back to the first: the naive strategy, in batches. A game
    without a fast board, or one of more than 31 bits, raises `ValueError`. 1.7 million positions take some seconds.
    """

    def __init__(self, board):
        if not board.lasting or board.planes(board.initial(1)).shape[-1] > 31 or max(board.bits) > 30:
            raise ValueError(f"{board.game!r} has no exact values here: it must have a fast board of at most 31 bits")
        self.board, self.layers = board, []
        positions = board.initial(1)
        while len(positions):
            self.layers.append(positions)
            positions = self.after(positions)
        self.keys, self.values = [keys_of(layer) for layer in self.layers], [None] * len(self.layers)
        for ply in reversed(range(len(self.layers))):
            self.values[ply] = self._outcomes(self.layers[ply], ply).max(axis=1)

    def after(self, positions):
        """The different positions after one action, in which the game goes on."""
        after, _, over = self.board.play(positions[:, None], np.arange(self.board.actions))
        return different(after[self.board.legal(positions) & ~over])

    def _outcomes(self, positions, ply):
        after, worth, over = self.board.play(positions[:, None], np.arange(self.board.actions))
        legal = self.board.legal(positions)
        outcomes = np.where(legal, worth, -2).astype(np.int8)
        open_actions = legal & ~over
        if open_actions.any():
            places = np.searchsorted(self.keys[ply + 1], keys_of(after[open_actions]))
            outcomes[open_actions] = -self.values[ply + 1][places]
        return outcomes

    def outcomes(self, positions):
        """What each action leads to with exact play, for the player to move: [n, actions], −2 if it is illegal."""
        found = np.empty((len(positions), self.board.actions), np.int8)
        plies = np.bitwise_count(positions).sum(axis=1)
        for ply in np.unique(plies):
            found[plies == ply] = self._outcomes(positions[plies == ply], ply)
        return found

    def mistakes(self, positions, actions):
        """Where an action leads to a worse outcome than another: bool [n]."""
        outcomes = self.outcomes(positions)
        return outcomes[np.arange(len(outcomes)), actions] < outcomes.max(axis=1)


class Followed(NamedTuple):
    """What became of a player against every reply."""

    met: np.ndarray
    """The different positions in which it was asked."""
    actions: np.ndarray
    """What it chose there."""
    lost: int
    """In how many different positions it has lost."""
    going_on: np.ndarray
    """The positions that were not followed further: those after `plies`, none without."""


def follow(board, player, side=0, plies=None):
    """Let a *player* play as the first (`side` 0) or the second (1) against every reply, up to so many `plies`.

    Returns `Followed`. Equal positions are followed once, so a few thousand stand for millions of games.
    """
    positions, met, chosen, lost, ply = board.initial(1), [], [], 0, 0
    while len(positions) and ply != plies:
        if ply % 2 == side:
            actions = player(positions)
            met.append(positions)
            chosen.append(actions)
            after, worth, over = board.play(positions, actions)
            lost += len(different(after[over & (worth < 0)]))
        else:
            after, worth, over = board.play(positions[:, None], np.arange(board.actions))
            legal = board.legal(positions)
            lost += len(different(after[legal & over & (worth > 0)]))
            after, over = after[legal], over[legal]
        positions, ply = different(after[~over]), ply + 1
    met, chosen = np.concatenate([np.empty((0, 2), np.int64), *met]), np.concatenate([np.empty(0, int), *chosen])
    return Followed(met, chosen, lost, positions)


def different(positions):
    """Positions without repeats, in the order of their keys."""
    _, first = np.unique(keys_of(positions), return_index=True)
    return positions[first]


def keys_of(positions):
    """One number for each position of a board of at most 31 bits; of larger boards, the pair itself."""
    if positions.max(initial=0) < 1 << 31:
        return positions[..., 0] << 32 | positions[..., 1]
    return np.ascontiguousarray(positions).view([("own", np.int64), ("other", np.int64)])[..., 0]
