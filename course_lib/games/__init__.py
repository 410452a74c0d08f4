"""What a game is, and the games."""

from course_lib.games.connect_four import ConnectFour
from course_lib.games.game import CHANCE, MAX, MIN, Game, GameRecord, human_agent, play, random_agent
from course_lib.games.nim import Nim
from course_lib.games.tic_tac_toe import TicTacToe
from course_lib.games.tree import Chance, TreeGame, Turn, player_name

__all__ = [
    "CHANCE",
    "MAX",
    "MIN",
    "Chance",
    "ConnectFour",
    "Game",
    "GameRecord",
    "Nim",
    "TicTacToe",
    "TreeGame",
    "Turn",
    "human_agent",
    "play",
    "player_name",
    "random_agent",
]
