"""What a game is, and the games."""

from course_lib.games.connect_four import THREAD_POSITION, ConnectFour
from course_lib.games.dice import DiceDuel
from course_lib.games.game import CHANCE, MAX, MIN, Game, GameRecord, human_agent, play, random_agent
from course_lib.games.nim import Nim
from course_lib.games.pacman import Pacman
from course_lib.games.pig import Pig
from course_lib.games.three_player import Truel
from course_lib.games.tic_tac_toe import TicTacToe
from course_lib.games.tree import Chance, TreeGame, Turn, player_name

__all__ = [
    "CHANCE",
    "MAX",
    "MIN",
    "THREAD_POSITION",
    "Chance",
    "ConnectFour",
    "DiceDuel",
    "Game",
    "GameRecord",
    "Nim",
    "Pacman",
    "Pig",
    "TicTacToe",
    "TreeGame",
    "Truel",
    "Turn",
    "human_agent",
    "play",
    "player_name",
    "random_agent",
]
