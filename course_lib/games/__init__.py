"""What a game is, and the games."""

# ruff: noqa: F401  (what is imported here is what this package offers)

from types import ModuleType as _Module

from course_lib.games.connect_four import THREAD_POSITION, ConnectFour
from course_lib.games.dice import DiceDuel
from course_lib.games.game import CHANCE, MAX, MIN, Agent, Evaluate, Game, Policy, Search
from course_lib.games.nim import Nim
from course_lib.games.pacman import Pacman
from course_lib.games.pig import Pig
from course_lib.games.playing import play, random_agent
from course_lib.games.rules import check_game_rules
from course_lib.games.tic_tac_toe import TicTacToe
from course_lib.games.tree import Chance, Same, TreeGame, Turn, player_name

__all__ = [name for name, value in dict(globals()).items() if not (name.startswith("_") or isinstance(value, _Module))]
