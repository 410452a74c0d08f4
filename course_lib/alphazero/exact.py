"""Exact play in a small game: the values of all positions, and the results of a player against all replies."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from course_lib.alphazero.vectorized import Array, BatchPlayer, BitboardGame, VectorGame, check_made_for, vectorize
from course_lib.games.game import MAX, MIN, Action, Agent, Game, State
from course_lib.games.validation import check_agent, check_two_players, check_whole


class ExactSolver:
    """The exact value of every reachable position of a game on bitboards, such as 5 × 4 Connect Four.

    It solves the positions ply by ply, from the last ply back to the first (retrograde analysis), in batches: 1.7
    million positions in a few seconds. A game without bitboards, or with more than 31 bits, raises `ValueError`.
    """

    def __init__(self, vector_game: VectorGame | Game) -> None:
        vector_game = vectorize(vector_game)
        if not isinstance(vector_game, BitboardGame) or max(vector_game.bits) > 30:
            raise ValueError(f"expected a game on bitboards of at most 31 bits, got {vector_game.game!r}")
        self.vector_game, self.layers = vector_game, []
        positions = vector_game.initial(1)
        while len(positions):
            self.layers.append(positions)
            after, _, over = vector_game.play_all(positions)
            positions = unique_positions(after[vector_game.legal(positions) & ~over])
        self.values: dict[int, Array] = {}
        for ply in reversed(range(len(self.layers))):
            self.values[ply] = self.outcomes(self.layers[ply]).max(axis=1)

    def outcomes(self, positions: Array) -> Array:
        """The exact value of each action for the player to move: [n, actions], −2 if the action is illegal."""
        after, value, over = self.vector_game.play_all(positions)
        legal = self.vector_game.legal(positions)
        outcomes = np.where(legal, value, -2).astype(np.int8)
        open_actions, plies = legal & ~over, np.bitwise_count(positions).sum(axis=1) + 1
        for ply in np.unique(plies[open_actions.any(axis=1)]):
            chosen = open_actions & (plies == ply)[:, None]
            places = np.searchsorted(position_keys(self.layers[ply]), position_keys(after[chosen]))
            outcomes[chosen] = -self.values[ply][places]
        return outcomes

    def mistakes(self, positions: Array, actions: Array) -> Array:
        """Whether an action has a worse value than the best one: bool [n]."""
        outcomes = self.outcomes(positions)
        return outcomes[np.arange(len(outcomes)), actions] < outcomes.max(axis=1)


class ReplyEnumeration(NamedTuple):
    """The results of a player against all replies."""

    positions: Array
    """The distinct positions in which the player was to move."""
    actions: Array
    """Its action in each of them."""
    losses: int
    """The number of distinct terminal positions that it has lost."""


def enumerate_replies(vector_game: VectorGame, player: BatchPlayer, side: int = 0) -> ReplyEnumeration:
    """Play a *player* as the first (`side` 0) or the second (1) against all replies.

    Equal positions are visited once, so a few thousand positions represent millions of games. The bitboards of the game
    have at most 31 bits.
    """
    check_made_for(vector_game, player)
    check_whole(0, 1, side=side)
    positions, visited, chosen, losses, ply = vector_game.initial(1), [], [], 0, 0
    while len(positions):
        played, lost = vector_game.legal(positions), 1
        if ply % 2 == side:
            visited.append(positions)
            chosen.append(checked_actions(vector_game, positions, player(positions)))
            played, lost = chosen[-1][:, None] == np.arange(vector_game.actions), -1
        after, value, over = vector_game.play_all(positions)
        losses += len(unique_positions(after[played & over & (value == lost)]))
        positions, ply = unique_positions(after[played & ~over]), ply + 1
    return ReplyEnumeration(np.concatenate(visited), np.concatenate(chosen), losses)


def checked_actions(vector_game: VectorGame, positions: Array, actions: Array) -> Array:
    """The actions of a *player*; `ValueError` unless they are an array of a legal one for each position."""
    legal = vector_game.legal(positions)
    if (getattr(actions, "shape", None) == legal.shape[:1] and actions.dtype.kind in "iu"
            and (legal & (actions[:, None] == np.arange(vector_game.actions))).any(axis=1).all()):  # fmt: skip
        return actions
    raise ValueError(f"Expected player(positions) → an array of legal actions, one for each of {len(legal)} "
                     f"positions, got {actions!r}")  # fmt: skip


def unique_positions(positions: Array) -> Array:
    """The distinct positions, in the order of their keys."""
    _, first = np.unique(position_keys(positions), return_index=True)
    return positions[first]


def position_keys(positions: Array) -> Array:
    """A distinct integer for each position of at most 31 bits."""
    return positions[..., 0] << 32 | positions[..., 1]


def find_lost_lines(agent: Agent, game: Game, sides: Sequence[int] = (MAX, MIN)) -> list[tuple[Action, ...]]:
    """The lines that the agent loses, each a tuple of actions; an empty list proves that it never loses.

    The agent plays as each of `sides`, against all sequences of replies. It is called once in each state, so for an
    agent with random choices the result holds only for these choices. `game.after(*line)` is the end of a line. The
    game must be for two players, without chance, and small enough to visit every line.

    >>> from course_lib.alphazero import load
    >>> from course_lib.games import TicTacToe
    >>> find_lost_lines(load("tic_tac_toe", simulations=0), TicTacToe())
    []
    """
    game = check_two_players(game, "find_lost_lines")
    check_agent(agent)
    choice, lost = cache(lambda state: agent(game, state)), []

    def visit(state: State, line: tuple[Action, ...], side: int) -> None:
        if game.is_terminal(state):
            if game.utility(state, side) < game.utility(state, 1 - side):
                lost.append(line)
            return
        actions = [choice(state)] if game.to_move(state) == side else game.actions(state)
        for action in actions:
            visit(game.result(state, action), (*line, action), side)

    for side in sides:
        visit(game.initial_state(), (), side)
    return lost
