"""Agents that play by a network, and the trained ones of this package."""

from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from course_lib.alphazero.batched import C, search
from course_lib.alphazero.boards import GAMES
from course_lib.alphazero.checkpoint import read_network
from course_lib.alphazero.puct import principal_variation, puct_search, root_node
from course_lib.games import MAX, Game
from course_lib.games.checks import check_whole

WEIGHTS = Path(__file__).parent / "weights"


class Thoughts(NamedTuple):
    """What a network thinks of a state, and what a search with it finds; both values are for Max."""

    prior: dict
    """p by action."""
    visits: dict
    """N by action; empty without a search."""
    v: float
    value: float
    """The value after the search: exact where it is proven, or else the mean of the simulations and v."""
    line: list
    """The principal variation: the actions that the search expects from here on."""


def load(game, simulations=100, weights=None):
    """The trained agent for "tic_tac_toe" or "connect_four": it searches with so many simulations for each move.

    With 0 simulations it plays what the network prefers. `game` and `weights` are as for `load_network`.
    """
    return network_agent(load_network(game, weights), simulations)


def load_network(game, weights=None):
    """The trained `Network` for "tic_tac_toe" or "connect_four", of this package or from a file of your own.

    For a game of your own, give the game itself and the file `weights`, which `write_network` has written. Another
    name, a damaged file and a file for another game raise `ValueError`, a missing file `OSError`.
    """
    if isinstance(game, Game) and weights is not None:
        return read_network(weights, game)
    if game not in list(GAMES):
        raise ValueError(f"there is no trained network for {game!r}; there is one for {' and '.join(GAMES)}, "
                         "and for another game give the game and the file of its weights")  # fmt: skip
    return read_network(WEIGHTS / f"{game}.npz" if weights is None else weights, GAMES[game]())


def network_agent(network, simulations=0, c=C, proven=True):
    """An agent that plays the most visited action of a search; with 0 simulations the one that the network prefers.

    It makes no random choices, so the same state gives the same action; when the game is over it gives None. `c` and
    `proven` are for the search. Asked about another game than the network's, the agent raises `ValueError`.
    """
    player = network_player(network, simulations, c, proven)

    def agent(game, state):
        check_same_game(game, network)
        if game.is_terminal(state):
            return None
        return network.board.all_actions[int(player(network.board.positions_of([state]))[0])]

    agent.thoughts = network_thoughts(network, simulations, c, proven)
    return agent


def network_thoughts(network, simulations=0, c=C, proven=True):
    """A function (game, state) → the `Thoughts` on which `network_agent` with the same arguments acts."""

    def thoughts(game, state):
        check_same_game(game, network)
        prior, v = network.evaluate(state)
        root = root_node(game, state, lambda _: (prior, v), proven and simulations > 0)
        for _ in islice(puct_search(game, state, network.evaluate, c, proven, root), simulations):
            pass
        visits = {child.action: child.N for child in root.children if simulations}
        sign = 1 if game.to_move(state) == MAX else -1  # a node counts for the player who moved into it
        return Thoughts(prior, visits, sign * v, -sign * root.Q, principal_variation(root))

    return thoughts


def network_search(network, simulations=25):
    """A search(game, state) → (value for Max, action), for `board(…, search=…)`: *Show values* is then the network's.

    With 0 simulations the value is v, and the action the one that the network prefers.
    """
    thoughts = network_thoughts(network, simulations)

    def network_values(game, state):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        found = thoughts(game, state)
        return found.value, found.line[0]

    return network_values


def check_same_game(game, network):
    """`game` must have the rules that the network was made for, as far as its name and class tell."""
    own = network.board.game
    if game is not own and (type(game) is not type(own) or repr(game) != repr(own)):
        raise ValueError(f"this network was made for {own!r}, not for {game!r}")


def network_player(network, simulations=0, c=C, proven=True):
    """A *player*, for `arena`, that chooses as `network_agent` does; none of its games may be over."""
    check_whole(0, simulations=simulations)

    def player(positions):
        if simulations == 0:
            return network(positions)[0].argmax(axis=1)
        return search(network.board, positions, network, simulations, c, proven=proven).policy(0).argmax(axis=1)

    return player


def agent_player(board, agent):
    """A *player*, for `arena`, that asks any agent(game, state) → action about one position after the other."""

    def player(positions):
        return np.array([board.index_of(agent(board.game, board.state_of(position))) for position in positions])

    return player
