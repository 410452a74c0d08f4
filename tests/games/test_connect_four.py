import itertools
import math

import numpy as np
import pytest

import oracle
from course_lib.games import MAX, MIN, ConnectFour, play, random_agent

SIZES = [(7, 6), (4, 4), (5, 4), (4, 5), (3, 9), (9, 3), (8, 7), (1, 1), (1, 6), (6, 1), (16, 16)]
sizes = pytest.mark.parametrize("columns, rows", SIZES)


def fours(columns, rows):
    """Every line of four cells on the board, each as a set of (column, height)."""
    cells = set(itertools.product(range(columns), range(rows)))
    directions = (1, 0), (0, 1), (1, 1), (1, -1)
    lines = [{(c + i * dc, r + i * dr) for i in range(4)} for c, r in cells for dc, dr in directions]
    return [line for line in lines if line <= cells]


def check_by_drawing(game, state, lines):
    """Judge a state by its drawing alone, and hold the game to it; return the marks that have four."""
    grid = game.grid(state)[::-1]
    assert len(grid) == game.rows
    assert {len(row) for row in grid} == {game.columns}
    discs = {mark: {(c, r) for r, row in enumerate(grid) for c, m in enumerate(row) if m == mark} for mark in "XO"}
    assert len(discs["X"]) - len(discs["O"]) == (game.to_move(state) == MIN)
    won = [mark for mark in "XO" if any(line <= discs[mark] for line in lines)]
    room = [column for column in range(game.columns) if grid[-1][column] == "."]
    assert list(game.actions(state)) == ([] if won else room)
    assert game.is_terminal(state) is (bool(won) or not room)
    if game.is_terminal(state):
        worth = {"X": 1, "O": -1}[won[0]] if won else 0
        assert [game.utility(state, player) for player in (MAX, MIN)] == [worth, -worth]
    return won


def test_positions_by_ply():
    game = ConnectFour()
    layers = [{game.initial_state()}]
    for _ in range(6):
        layers.append({game.result(state, action) for state in layers[-1] for action in game.actions(state)})
    assert [len(layer) for layer in layers] == [1, 7, 49, 238, 1120, 4263, 16422]


@sizes
def test_random_games_are_judged_as_their_drawings_say(columns, rows):
    game, lines = ConnectFour(columns, rows), fours(columns, rows)
    outcomes = set()
    for seed in range(25):
        states = play(game, [random_agent(seed), random_agent(-1 - seed)]).states
        for state in states[:-1]:
            assert check_by_drawing(game, state, lines) == []
        outcomes.add(tuple(check_by_drawing(game, states[-1], lines)))
    assert outcomes <= ({("X",), ("O",), ()} if lines else {()})


@pytest.mark.parametrize("columns, rows", [(4, 3), (3, 4), (2, 5), (5, 2)])
def test_every_position_of_a_small_board_is_judged_as_its_drawing_says(columns, rows):
    game, lines = ConnectFour(columns, rows), fours(columns, rows)
    outcomes = {tuple(check_by_drawing(game, state, lines)) for state in oracle.reachable(game)}
    assert outcomes == ({("X",), ("O",), ()} if lines else {()})


@pytest.mark.parametrize("columns, rows, lines", [(7, 6, 69), (4, 4, 10), (5, 4, 17), (3, 6, 9), (6, 1, 3)])
def test_of_all_sets_of_four_discs_exactly_the_lines_win(columns, rows, lines):
    game = ConnectFour(columns, rows)
    cells = itertools.product(range(columns), range(rows))
    bits = [1 << (rows + 1) * column + row for column, row in cells]
    won = sum(map(game._four_in_a_row, map(sum, itertools.combinations(bits, 4))))
    assert won == lines == len(fours(columns, rows))


@pytest.mark.parametrize(
    "actions, winner",
    [
        ([3, 0, 3, 0, 3, 0, 3], MAX),
        ([0, 6, 1, 6, 2, 6, 3], MAX),
        ([6, 0, 6, 1, 5, 2, 5, 3], MIN),
        ([0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3], MAX),
        ([6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3], MAX),
        ([6, 0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3], MIN),
    ],
    ids=["column", "row", "row of Min", "rising", "falling", "rising of Min"],
)
def test_four_in_each_direction_wins(actions, winner):
    game = ConnectFour()
    before, end = game.after(*actions[:-1]), game.after(*actions)
    assert not game.is_terminal(before)
    assert game.is_terminal(end)
    assert (game.utility(end, winner), game.utility(end, 1 - winner)) == (1, -1)
    assert game.actions(end) == ()
    with pytest.raises(ValueError, match="the game is over"):
        game.result(end, 6)


def test_a_full_board_without_four_is_a_draw():
    game = ConnectFour(3, 3)
    end = game.after(0, 0, 0, 1, 1, 1, 2, 2, 2)
    assert game.is_terminal(end)
    assert (game.utility(end, MAX), game.utility(end, MIN)) == (0, 0)
    assert game.actions(end) == ()


def test_a_win_with_the_last_disc_is_no_draw():
    game = ConnectFour(5, 2)
    full = [state for state in oracle.reachable(game) if "." not in "".join(game.grid(state))]
    assert {game.utility(state, MAX) for state in full} == {0, -1}  # ten cells: the last disc is Min's


def test_a_full_column_is_refused():
    game = ConnectFour(3, 2)
    state = game.after(1, 1)
    assert game.actions(state) == (0, 2)
    with pytest.raises(ValueError, match=r"cannot play 1; the legal actions are 0, 2\n\. O \.\n\. X \.\n0 1 2"):
        game.result(state, 1)


@sizes
def test_columns_are_counted_from_the_left_and_never_from_the_right(columns, rows):
    game = ConnectFour(columns, rows)
    assert game.actions(game.initial_state()) == tuple(range(columns))
    for action in (-1, -columns, columns, columns + 1, math.inf, 1.0, slice(1)):
        with pytest.raises(ValueError, match="cannot play"):
            game.result(game.initial_state(), action)


def test_drawing_and_clicking():
    game = ConnectFour(4, 3)
    state = game.after(3, 3, 0)
    assert game.grid(state) == ["....", "...O", "X..X"]
    assert game.grid(game.result(state, 3)) == ["...O", "...O", "X..X"]
    assert game.render(state) == ". . . .\n. . . O\nX . . X\n0 1 2 3"
    full = game.result(state, 3)
    assert [game.action_at(full, row, 3) for row in range(3)] == [None] * 3
    assert [game.action_at(full, row, 2) for row in range(3)] == [2] * 3
    assert game.render(ConnectFour(12, 1).initial_state()).count("\n") == 3


def test_a_column_from_numpy_leaves_plain_numbers_in_the_state():
    game = ConnectFour()
    state = game.initial_state()
    for _ in range(6):
        state = game.result(state, np.int8(6))
    assert state == game.after(6, 6, 6, 6, 6, 6)
    assert {type(part) for part in state} == {int, bool}


@pytest.mark.parametrize("size", [0, -1, 17, 7.0, "7", True, None])
def test_sizes_are_whole_numbers(size):
    with pytest.raises(ValueError, match="columns must be a whole number from 1 to 16, not"):
        ConnectFour(columns=size)
    with pytest.raises(ValueError, match="rows must be a whole number from 1 to 16, not"):
        ConnectFour(rows=size)


def test_repr_makes_the_same_game():
    assert repr(ConnectFour()) == "ConnectFour(7, 6)"
