"""Agents that play by a network, and the trained ones of this package."""

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from course_lib.alphazero.batched import search
from course_lib.alphazero.boards import GAMES, Array, Board, Player
from course_lib.alphazero.network import Network, read_network
from course_lib.alphazero.puct import principal_variation, puct_search, root_node
from course_lib.games import MAX, Game
from course_lib.games.checks import check_whole
from course_lib.games.game import Action, Agent, State

WEIGHTS = Path(__file__).parent / "weights"


class Thoughts(NamedTuple):
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
    if isinstance(game, Game) and weights is not None:
        return read_network(weights, game)
    if game not in list(GAMES):
        raise ValueError(
            f"expected {' or '.join(GAMES)}, or a game and the file of its weights, got {game!r} and {weights!r}"
        )
    return read_network(weights or WEIGHTS / f"{game}.npz", GAMES[game]())


def network_agent(network: Network, simulations: int = 0) -> Agent:
    """An agent that plays the most visited action of a search; with 0 simulations the one that the network prefers.

    It makes no random choices, so the same state gives the same action; when the game is over it returns None. For
    another game than the network's, the agent raises `ValueError`. Its attribute `thoughts` is a function (game,
    state) → the `Thoughts` on which it acts.
    """
    player = network_player(network, simulations)

    def agent(game, state):
        check_same_game(game, network)
        if game.is_terminal(state):
            return None
        return network.board.all_actions[int(player(network.board.positions_of([state]))[0])]

    def thoughts(game, state):
        check_same_game(game, network)
        prior, v = network.evaluate(state)
        use_bounds = simulations > 0
        root = root_node(game, state, network.evaluate, use_bounds)
        for _ in islice(puct_search(game, state, network.evaluate, proven=use_bounds, root=root), simulations):
            pass
        visits = {child.action: child.N for child in root.children if simulations}
        sign = 1 if game.to_move(state) == MAX else -1  # a node counts for the player who moved into it
        return Thoughts(prior, visits, sign * v, -sign * root.Q, principal_variation(root))

    agent.thoughts = thoughts
    return agent


def network_search(network: Network, simulations: int = 25) -> Callable[[Game, State], tuple[float, Action]]:
    """A search(game, state) → (value for Max, action), for `board(…, search=…)`: *Show values* is then the network's.

    With 0 simulations the value is v, and the action the one that the network prefers.
    """
    thoughts = network_agent(network, simulations).thoughts

    def network_values(game, state):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        found = thoughts(game, state)
        return found.value, found.line[0]

    return network_values


def check_same_game(game: Game, network: Network) -> None:
    """`game` must have the rules that the network was made for, as far as its name and class show."""
    own = network.board.game
    if type(game) is not type(own) or repr(game) != repr(own):
        raise ValueError(f"this network was made for {own!r}, not for {game!r}")


def network_player(network: Network, simulations: int = 0, proven: bool = True) -> Player:
    """A *player*, for `arena`, that chooses as `network_agent` does; none of its games may be over.

    `network` may be any *evaluation* with a `board`; `proven` is as for `search`.
    """
    check_whole(0, simulations=simulations)

    def player(positions: Array) -> Array:
        if simulations == 0:
            return network(positions)[0].argmax(axis=1)
        return search(network.board, positions, network, simulations, proven=proven).policy(0).argmax(axis=1)

    return player


def agent_player(board: Board, agent: Agent) -> Player:
    """A *player*, for `arena`, that asks any agent(game, state) → action about one position after the other."""

    def player(positions: Array) -> Array:
        return np.array([board.index_of(agent(board.game, board.state_of(position))) for position in positions])

    return player
