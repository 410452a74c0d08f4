"""How strong a network plays without search, in a word or two, while it is trained."""

from functools import cache

import numpy as np

from course_lib.alphazero.agents import network_agent, network_player
from course_lib.alphazero.arena import arena
from course_lib.alphazero.network import Untrained
from course_lib.alphazero.proof import unbeatable
from course_lib.games import ConnectFour, TicTacToe
from course_lib.search import measuring


def strength(network):
    """The strength of the raw policy, as a text.

    In Connect Four it is the share of mistakes in the positions of `measure`, in %, in tic-tac-toe the number of lines
    of play that are lost, in other games the score from 0 to 1 against 25 simulations that know only the rules.
    """
    game, player = network.board.game, network_player(network)
    if type(game) is TicTacToe:
        return f"{len(unbeatable(network_agent(network), game))} lines lost"
    if repr(game) == repr(ConnectFour()) and type(game) is ConnectFour:
        states, outcomes = labelled_positions()
        chosen = outcomes[np.arange(len(outcomes)), player(network.board.positions_of(states))]
        return f"mistakes {(chosen < outcomes.max(axis=1)).mean():.1%}"
    rival = network_player(Untrained(network.board), 25)
    return f"score {arena(network.board, player, rival, plies=1).score:.2f} against 25 simulations without a network"


@cache
def labelled_positions():
    """The states that `measure` asks about, and the outcome of each column there: [states, columns]."""
    positions = measuring.positions()
    states = [ConnectFour().after(*position.columns) for position in positions]
    outcomes = np.array([[position.outcomes.get(column, -2) for column in range(7)] for position in positions])
    return states, outcomes
