"""Agents that use a network, and the trained networks of this package."""

import json
from collections import deque
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from course_lib.alphazero.batched import batched_search
from course_lib.alphazero.network import Evaluator, Network
from course_lib.alphazero.puct import principal_variation, puct_search, root_node
from course_lib.alphazero.training import CONFIGS
from course_lib.alphazero.vectorized import Array, BatchPlayer
from course_lib.games.game import MAX, Action, Game, State
from course_lib.games.validation import as_game, check_whole

WEIGHTS = Path(__file__).parent / "weights"


class Analysis(NamedTuple):
    """The evaluation of a state by a network, and by a search with it; both values are for Max."""

    prior: dict[Action, float]
    """p by action."""
    visits: dict[Action, int]
    """N by action; empty without a search."""
    v: float
    value: float
    """The value after the search: exact if it is proven, or else the mean of the simulations and v."""
    line: list[Action]
    """The principal variation: the best actions of both players, according to the search."""


def load_network(game: str | Game, weights: str | Path | None = None) -> Network:
    """The trained `Network` for "tic_tac_toe" or "connect_four", or one that `save_network` wrote to `weights`.

    For a game of your own, `game` is the game itself. An unknown name, a damaged file and a file for another game raise
    `ValueError`, a missing file raises `OSError`.
    """
    path = weights or WEIGHTS / f"{game}.npz"
    if isinstance(game, str):
        if game not in CONFIGS:
            raise ValueError(f"expected one of {', '.join(CONFIGS)}, or a game with weights=…, got {game!r}")
        game = CONFIGS[game].game
    elif weights is None:
        raise ValueError(f"pass weights=…, the file that save_network wrote for {game!r}")
    try:
        with np.load(path, allow_pickle=False) as archive:
            description, theta = json.loads(str(archive["description"])), archive["theta"]
    except FileNotFoundError:
        raise
    except Exception:  # depends on what the file contains; NumPy's text advises unsafe loading
        raise ValueError(f"{path} is damaged or does not hold a network: pass a file of save_network's") from None
    if description["game"] != repr(game):
        raise ValueError(f"expected the weights of a network for {game!r}, got {path} for {description['game']}")
    network = Network(game, **description["sizes"])
    network.theta[:] = theta
    return network


def check_network(network: Any) -> None:
    """Raise `ValueError` unless this is a network, or another evaluator with a `vector_game`."""
    if not callable(network) or not hasattr(network, "vector_game"):
        raise ValueError(f"expected a Network, such as load_network('tic_tac_toe'), got {network!r}")


class NetworkAgent:
    """An agent that plays the most visited action of a search, or with 0 simulations the action of the largest prior.

    It is deterministic, and returns None if the game is over. For a game other than the network's, the agent raises
    `ValueError`. Its method `analysis(game, state)` returns an `Analysis`, and `search` only value and action.
    """

    def __init__(self, network: Network, simulations: int = 0) -> None:
        check_network(network)
        check_whole(0, simulations=simulations)
        self.network, self.simulations = network, simulations

    def analysis(self, game: Game, state: State) -> Analysis:
        """The evaluation of a state, from which the agent chooses its action."""
        game = as_game(game)
        own, searched = self.network.vector_game.game, self.simulations > 0
        if type(game) is not type(own) or repr(game) != repr(own):
            raise ValueError(f"this network was made for {own!r}, not for {game!r}")
        prior, v = self.network.evaluate(state)
        root = root_node(game, state, lambda _: (prior, v), searched)
        search = puct_search(game, state, self.network.evaluate, root=root)
        deque(islice(search, self.simulations), maxlen=0)
        visits = {child.action: child.N for child in root.children if searched}
        sign = 1 if game.to_move(state) == MAX else -1  # the values of a node are for the player who moved into it
        return Analysis(prior, visits, sign * v, -sign * root.Q, principal_variation(root))

    def search(self, game: Game, state: State) -> tuple[float, Action]:
        """(The value for Max after the search, the action), for the values of `board(…, search=agent.search)`."""
        game = as_game(game)
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        found = self.analysis(game, state)
        return found.value, found.line[0]

    def __call__(self, game: Game, state: State) -> Action:
        return self.search(game, state)[1]


network_agent = NetworkAgent  # its name among the agents


def load(game: str | Game, simulations: int = 100, weights: str | Path | None = None) -> NetworkAgent:
    """The trained agent for "tic_tac_toe" or "connect_four", with this number of simulations for each move.

    With 0 simulations it plays the action of the largest prior. `game` and `weights` are as for `load_network`.

    >>> from course_lib.games import TicTacToe
    >>> game = TicTacToe()
    >>> load("tic_tac_toe", simulations=0)(game, game.after(0, 3, 1, 4))
    2
    """
    return network_agent(load_network(game, weights), simulations)


def network_player(network: Evaluator, simulations: int = 0, use_solver: bool = True) -> BatchPlayer:
    """A *player*, for `enumerate_replies`, that chooses as `network_agent` does, in games none of which is over.

    `network` may be any `Evaluator`; `use_solver` is as for `batched_search`.
    """
    check_network(network)
    check_whole(0, simulations=simulations)

    def player(positions: Array) -> Array:
        if simulations == 0:
            return network(positions)[0].argmax(axis=1)
        found = batched_search(network.vector_game, positions, network, simulations, use_solver=use_solver)
        return found.policy(0).argmax(axis=1)

    player.vector_game = network.vector_game  # type: ignore[attr-defined]
    return player
