"""Full minimax of tic-tac-toe, 549,946 nodes: this library beside OpenSpiel's Python `expectiminimax`.

`pip install -e .[bench]`, then `python tests/benchmarks/bench_minimax.py [rounds]`. Both searches go through the same
tree in plain Python and return a value and an action; OpenSpiel's states are C++ objects, ours tuples.
"""

import sys

import pyspiel
from interleave import interleave, print_table, print_versions, rows_of
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


def nodes_of_ours(state):
    return 1 + sum(nodes_of_ours(OURS.result(state, action)) for action in OURS.actions(state))


def nodes_of_theirs(state):
    return 1 + sum(nodes_of_theirs(state.child(action)) for action in state.legal_actions())


if __name__ == "__main__":
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    print_versions("open_spiel", "course-lib")
    nodes = {nodes_of_ours(OURS.initial_state()), nodes_of_theirs(THEIRS.new_initial_state())}
    answers = {run() for run in CONTENDERS.values()}
    print(f"nodes of each tree: {nodes}; (value, action) of each search: {answers}")
    if len(nodes) != 1 or len(answers) != 1:
        sys.exit("the contenders do not search the same tree or do not agree")
    print_table(interleave(CONTENDERS, rounds), baseline="OpenSpiel expectiminimax")
