"""Full minimax of tic-tac-toe, 549,946 nodes: this library beside OpenSpiel's Python `expectiminimax`.

`side_by_side.py` compares them. Both searches go through the same tree in plain Python and return a value and an
action; OpenSpiel's states are C++ objects, ours tuples.
"""

import pyspiel
from interleave import interleave, rows_of
from open_spiel.python.algorithms.minimax import expectiminimax

from course_lib.games import TicTacToe
from course_lib.search import minimax_search

OURS = TicTacToe()
THEIRS = pyspiel.load_game("tic_tac_toe")
CONTENDERS = {
    "minimax_search": lambda: minimax_search(OURS, OURS.initial_state()),
    "OpenSpiel expectiminimax": lambda: expectiminimax(THEIRS.new_initial_state(), 9, lambda state: 0, 0),
}


def rows(rounds):
    return rows_of("minimax, tic-tac-toe to its end (549,946 nodes)", interleave(CONTENDERS, rounds))
