"""Agents that play by a network, and the trained ones of this package."""

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from course_lib.alphazero.batched import batched_search
from course_lib.alphazero.network import Network
from course_lib.alphazero.puct import principal_variation, puct_search, root_node
from course_lib.alphazero.vectorized import GAMES, Array, Player, VectorGame, vectorize
from course_lib.games import MAX, Game
from course_lib.games.checks import check_whole
from course_lib.games.game import Action, Agent, State

WEIGHTS = Path(__file__).parent / "weights"


class Analysis(NamedTuple):
    """What a network thinks of a state, and what a search with it finds; both values are for Max."""

    prior: dict[Action, float]
    """p by action."""
    visits: dict[Action, int]
    """N by action; empty without a search."""
    v: float
    value: float
    """The value after the search: exact where it is proven, or else the mean of the simulations and v."""
    line: list[Action]
    """The principal variation: the actions that the search expects from here on."""


def load(game: str | Game, simulations: int = 100, weights: str | Path | None = None) -> Agent:
    """The trained agent for "tic_tac_toe" or "connect_four", which searches with `simulations` for each move.

    With 0 simulations it plays what the network prefers. `game` and `weights` are as for `load_network`.
    """
    return network_agent(load_network(game, weights), simulations)


def load_network(game: str | Game, weights: str | Path | None = None) -> Network:
    """The trained `Network` for "tic_tac_toe" or "connect_four", of this package or from a file of your own.

    For a game of your own, give the game itself and the file `weights`, which `write_network` has written. Another
    name, a damaged file and a file for another game raise `ValueError`, a missing file `OSError`.
    """
    path = weights or WEIGHTS / f"{game}.npz"
    if not isinstance(game, Game):
        if game not in list(GAMES):
            raise ValueError(f"expected {' or '.join(GAMES)}, or a game and the file of its weights, got {game!r}")
        game = GAMES[game]()
    try:
        with np.load(path, allow_pickle=False) as archive:
            description, theta = json.loads(str(archive["description"])), archive["theta"]
    except FileNotFoundError:
        raise
    except Exception as error:  # nearly anything, for a file with other contents
        raise ValueError(f"{path} is damaged or does not hold a network ({error})") from error
    if description["game"] != repr(game):
        raise ValueError(f"expected the weights of a network for {game!r}, got {path} for {description['game']}")
    network = Network(vectorize(game), **description["sizes"])
    network.theta[:] = theta
    return network


def network_agent(network: Network, simulations: int = 0) -> Agent:
    """An agent that plays the most visited action of a search; with 0 simulations the one that the network prefers.

    It makes no random choices, so the same state gives the same action; when the game is over it returns None. For
    another game than the network's, the agent raises `ValueError`. Its attribute `analysis` is a function (game,
    state) → the `Analysis` on which it acts.
    """
    check_whole(0, simulations=simulations)
    own, searched = network.vector_game.game, simulations > 0

    def analysis(game: Game, state: State) -> Analysis:
        if type(game) is not type(own) or repr(game) != repr(own):
            raise ValueError(f"this network was made for {own!r}, not for {game!r}")
        prior, v = network.evaluate(state)
        root = root_node(game, state, lambda _: (prior, v), searched)
        for _ in islice(puct_search(game, state, network.evaluate, use_solver=searched, root=root), simulations):
            pass
        visits = {child.action: child.N for child in root.children if searched}
        sign = 1 if game.to_move(state) == MAX else -1  # a node counts for the player who moved into it
        return Analysis(prior, visits, sign * v, -sign * root.Q, principal_variation(root))

    def agent(game: Game, state: State) -> Action:
        return None if game.is_terminal(state) else analysis(game, state).line[0]

    agent.analysis = analysis
    return agent


def network_search(network: Network, simulations: int = 25) -> Callable[[Game, State], tuple[float, Action]]:
    """A search(game, state) → (value for Max, action), for `board(…, search=…)`: *Show values* is then the network's.

    With 0 simulations the value is v, and the action the one that the network prefers.
    """
    analysis = network_agent(network, simulations).analysis

    def network_values(game, state):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        found = analysis(game, state)
        return found.value, found.line[0]

    return network_values


def network_player(network: Network, simulations: int = 0, use_solver: bool = True) -> Player:
    """A *player*, for `arena`, that chooses as `network_agent` does; none of its games may be over.

    `network` may be any *evaluation* with a `vector_game`; `use_solver` is as for `batched_search`.
    """

    def player(positions: Array) -> Array:
        if simulations == 0:
            return network(positions)[0].argmax(axis=1)
        return (
            batched_search(network.vector_game, positions, network, simulations, use_solver=use_solver)
            .policy(0)
            .argmax(axis=1)
        )

    return player


def agent_player(vector_game: VectorGame, agent: Agent) -> Player:
    """A *player*, for `arena`, that asks any agent(game, state) → action about one position after the other."""

    def player(positions: Array) -> Array:
        actions = []
        for state in map(vector_game.state_of, positions):
            actions.append(agent(vector_game.game, state))
            if actions[-1] not in vector_game.game.actions(state):
                raise ValueError(
                    f"a player chose {actions[-1]!r}; the legal actions are {vector_game.game.actions(state)}"
                )
        return np.array([vector_game.all_actions.index(action) for action in actions])

    return player
