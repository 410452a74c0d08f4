import itertools

import oracle
from course_lib.games import MAX, MIN, TicTacToe

GAME = TicTacToe()
STATES = list(oracle.reachable(GAME))


def winners(cells):
    """Who has three in a row on nine characters, read from rows, columns and diagonals."""
    rows = [cells[0:3], cells[3:6], cells[6:9]]
    columns = ["".join(column) for column in zip(*rows)]
    diagonals = [rows[0][0] + rows[1][1] + rows[2][2], rows[0][2] + rows[1][1] + rows[2][0]]
    return {line[0] for line in rows + columns + diagonals if line in ("XXX", "OOO")}


def test_every_state_is_judged_as_its_drawing_says():
    for state in STATES:
        cells = "".join(GAME.grid(state))
        won = winners(cells)
        empty = [cell for cell, mark in enumerate(cells) if mark == "."]
        assert GAME.to_move(state) == (MIN if cells.count("X") > cells.count("O") else MAX)
        assert GAME.is_terminal(state) == (bool(won) or not empty)
        assert list(GAME.actions(state)) == ([] if won else empty)
        if GAME.is_terminal(state):
            true_value = 1 if won == {"X"} else -1 if won == {"O"} else 0
            assert [GAME.utility(state, player) for player in (MAX, MIN)] == [true_value, -true_value]


def test_parse_reads_back_what_render_draws_and_accepts_reachable_positions_only():
    assert all(GAME.parse(GAME.render(state)) == state for state in STATES)
    accepted = set()
    for cells in itertools.product("XO.", repeat=9):
        try:
            accepted.add(GAME.parse("".join(cells)))
        except ValueError as error:
            assert "no game of tic-tac-toe leads to" in str(error)
    assert accepted == set(STATES)
