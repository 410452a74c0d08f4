"""Agents that play by a network, and the trained ones of this package."""

from pathlib import Path

import numpy as np

from course_lib.alphazero.batched import C, search
from course_lib.alphazero.boards import GAMES
from course_lib.alphazero.checkpoint import read_network
from course_lib.alphazero.network import check_whole

WEIGHTS = Path(__file__).parent / "weights"


def load(name, simulations=100, weights=None):
    """The trained agent(game, state) → action for "tic_tac_toe" or "connect_four"; 0 simulations: the raw policy.

    The weights are those of this package, unless you name a file of your own. `ValueError` for another name, a file
    that is damaged or of the other game, or simulations that are no whole number from 0 up; `OSError` if there is no
    such file.
    """
    return network_agent(load_network(name, weights), simulations)


def load_network(name, weights=None):
    """The trained `Network` for "tic_tac_toe" or "connect_four", of this package or from a file of your own.

    `ValueError` for another name, or if the file is damaged or of the other game; `OSError` if there is no such file.
    """
    if name not in list(GAMES):
        raise ValueError(f"there is no trained network for {name!r}; there is one for {' and '.join(GAMES)}")
    network = read_network(WEIGHTS / f"{name}.npz" if weights is None else weights)
    if not isinstance(network.board.game, GAMES[name]):
        raise ValueError(f"{weights} holds a network for {network.board.game!r}, not for {name}")
    return network


def network_agent(network, simulations=0, c=C, proven=True):
    """An agent that plays the most visited action of a search, or of 0 simulations the one the network prefers.

    It makes no random choices: the same state gives the same action, and a terminal one None. `c` and `proven` are
    for the search. `ValueError` if `simulations` is no whole number from 0 up, and from the agent, agent(game, state) →
    action, when it is asked about a game that the network was not made for.
    """
    player = network_player(network, simulations, c, proven)

    def agent(game, state):
        if repr(game) != repr(network.board.game):
            raise ValueError(f"this network was made for {network.board.game!r}, not for {game!r}")
        if game.is_terminal(state):
            return None
        return int(player(network.board.positions_of([state]))[0])

    return agent


def network_player(network, simulations=0, c=C, proven=True):
    """The same for many games at once: a function of positions [n, 2] → actions [n], for `arena`.

    Positions are int64 bitboards, the marks of the player to move and of the other; the games go on in all of them.
    `ValueError` if `simulations` is no whole number from 0 up.
    """
    check_whole(0, simulations=simulations)

    def player(positions):
        if simulations == 0:
            return network(positions)[0].argmax(axis=1)
        return search(network.board, positions, network, simulations, c, proven=proven).policy(0).argmax(axis=1)

    return player


def agent_player(board, agent):
    """Any agent(game, state) → action for many games at once, asked position by position, for `arena`.

    Returns a function of positions [n, 2], int64 bitboards of the player to move and of the other, → actions [n].
    """

    def player(positions):
        return np.array([agent(board.game, board.state_of(position)) for position in positions])

    return player
