"""Exact play in a small game: the values of all positions, and a player against every reply."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from course_lib.alphazero.vectorized import Array, Player, TabularGame, VectorGame
from course_lib.games import MAX, MIN, Game
from course_lib.games.checks import check_two_players
from course_lib.games.game import Action, Agent


class ExactSolver:
    """The exact value of every position that can come up in the game of a board of bits, such as 5 × 4 Connect Four.

    Positions are worked through ply by ply, from the last ply back to the first: the naive strategy, in batches. A game
    without a fast board, or one of more than 31 bits, raises `ValueError`. 1.7 million positions take some seconds.
    """

    def __init__(self, vector_game: VectorGame):
        if isinstance(vector_game, TabularGame) or max(vector_game.bits) > 30:
            raise ValueError(
                f"{vector_game.game!r} has no exact values here: it must have a fast board of at most 31 bits"
            )
        self.vector_game, self.layers = vector_game, []
        positions = vector_game.initial(1)
        while len(positions):
            self.layers.append(positions)
            after, _, over = vector_game.play_all(positions)
            positions = unique_positions(after[vector_game.legal(positions) & ~over])
        self.values = [None] * len(self.layers)
        for ply in reversed(range(len(self.layers))):
            self.values[ply] = self._outcomes(self.layers[ply], ply).max(axis=1)

    def _outcomes(self, positions, ply):
        after, value, over = self.vector_game.play_all(positions)
        legal = self.vector_game.legal(positions)
        outcomes = np.where(legal, value, -2).astype(np.int8)
        open_actions = legal & ~over
        if open_actions.any():
            places = np.searchsorted(position_keys(self.layers[ply + 1]), position_keys(after[open_actions]))
            outcomes[open_actions] = -self.values[ply + 1][places]
        return outcomes

    def outcomes(self, positions: Array) -> Array:
        """What each action leads to with exact play, for the player to move: [n, actions], −2 if it is illegal."""
        found = np.empty((len(positions), self.vector_game.actions), np.int8)
        plies = np.bitwise_count(positions).sum(axis=1)
        for ply in np.unique(plies):
            found[plies == ply] = self._outcomes(positions[plies == ply], ply)
        return found

    def mistakes(self, positions: Array, actions: Array) -> Array:
        """Where an action leads to a worse outcome than another: bool [n]."""
        outcomes = self.outcomes(positions)
        return outcomes[np.arange(len(outcomes)), actions] < outcomes.max(axis=1)


class ReplyEnumeration(NamedTuple):
    """What became of a player against every reply."""

    met: Array
    """The different positions in which it was asked."""
    actions: Array
    """What it chose there."""
    lost: int
    """In how many different positions it has lost."""


def enumerate_replies(vector_game: VectorGame, player: Player, side: int = 0) -> ReplyEnumeration:
    """Let a *player* play as the first (`side` 0) or the second (1) against every reply; the board has at most 31 bits.

    Returns `ReplyEnumeration`. Equal positions are followed once, so a few thousand stand for millions of games.
    """
    positions, met, chosen, lost, ply = vector_game.initial(1), [], [], 0, 0
    while len(positions):
        if ply % 2 == side:
            actions = player(positions)
            met.append(positions)
            chosen.append(actions)
            after, value, over = vector_game.play(positions, actions)
            lost += len(unique_positions(after[over & (value < 0)]))
        else:
            after, value, over = vector_game.play_all(positions)
            legal = vector_game.legal(positions)
            lost += len(unique_positions(after[legal & over & (value > 0)]))
            after, over = after[legal], over[legal]
        positions, ply = unique_positions(after[~over]), ply + 1
    return ReplyEnumeration(np.concatenate(met), np.concatenate(chosen), lost)


def unique_positions(positions: Array) -> Array:
    """Positions without repeats, in the order of their keys."""
    _, first = np.unique(position_keys(positions), return_index=True)
    return positions[first]


def position_keys(positions: Array) -> Array:
    """One number for each position of a board of at most 31 bits."""
    return positions[..., 0] << 32 | positions[..., 1]


def find_lost_lines(agent: Agent, game: Game, sides: Sequence[int] = (MAX, MIN)) -> list[tuple[Action, ...]]:
    """The lines that the agent loses, each a tuple of actions; an empty list proves that it never loses.

    The agent plays as each of `sides`, against every sequence of replies. It is asked once in each state; if it makes
    random choices, only the choices made here are judged. `game.after(*line)` or a board shows a line. The game must be
    for two players, without chance, and small enough to follow every line.
    """
    check_two_players(game, "find_lost_lines")
    choices, lost = {}, []

    def visit(state, line, side):
        if game.is_terminal(state):
            if game.utility(state, side) < game.utility(state, 1 - side):
                lost.append(line)
            return
        if game.to_move(state) == side:
            if state not in choices:
                choices[state] = agent(game, state)
            actions = [choices[state]]
        else:
            actions = game.actions(state)
        for action in actions:
            visit(game.result(state, action), (*line, action), side)

    for side in sides:
        visit(game.initial_state(), (), side)
    return lost
