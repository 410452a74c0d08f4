"""AlphaZero in small: a network that learns from games against itself, in the order in which notebook 7 tells it.

Positions [n, 2] are int64 bitboards, in each row first the marks of the player to move, then the other's. The board
that `board_of(game)` returns makes them from states. `luck` is a NumPy generator, the source of random choices.
"""

from course_lib.alphazero.agents import agent_player, load, load_network, network_agent, network_player
from course_lib.alphazero.arena import THRESHOLD, Score, arena, random_openings
from course_lib.alphazero.batched import Searched, root_noise, search
from course_lib.alphazero.boards import GAMES, ConnectFourBoard, TicTacToeBoard, board_of
from course_lib.alphazero.checkpoint import read_network, write_network
from course_lib.alphazero.network import Adam, Network, Untrained, losses
from course_lib.alphazero.proof import unbeatable
from course_lib.alphazero.puct import Node, Simulation, back_up, expand, policy, puct, puct_search, root_node, select
from course_lib.alphazero.self_play import Examples, Played, batch_of, self_play
from course_lib.alphazero.training import RECIPES, Losses, Progress, Recipe, train, with_bar

__all__ = [
    "GAMES",
    "RECIPES",
    "THRESHOLD",
    "Adam",
    "ConnectFourBoard",
    "Examples",
    "Losses",
    "Network",
    "Node",
    "Played",
    "Progress",
    "Recipe",
    "Score",
    "Searched",
    "Simulation",
    "TicTacToeBoard",
    "Untrained",
    "agent_player",
    "arena",
    "back_up",
    "batch_of",
    "board_of",
    "expand",
    "load",
    "load_network",
    "losses",
    "network_agent",
    "network_player",
    "policy",
    "puct",
    "puct_search",
    "random_openings",
    "read_network",
    "root_node",
    "root_noise",
    "search",
    "select",
    "self_play",
    "train",
    "unbeatable",
    "with_bar",
    "write_network",
]
