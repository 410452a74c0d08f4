import pytest

import oracle
from course_lib.games import MAX, MIN, ConnectFour, play, random_agent

SIZES = [(7, 6), (4, 4), (5, 4), (4, 5), (3, 9), (9, 3), (8, 7), (1, 1), (1, 6), (6, 1), (16, 16)]
sizes = pytest.mark.parametrize("columns, rows", SIZES)


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
        true_value = {"X": 1, "O": -1}[won[0]] if won else 0
        assert [game.utility(state, player) for player in (MAX, MIN)] == [true_value, -true_value]
    return won


@sizes
def test_random_games_are_judged_as_their_drawings_say(columns, rows):
    game, lines = ConnectFour(columns, rows), oracle.fours(columns, rows)
    outcomes = set()
    for seed in range(25):
        states = play(game, [random_agent(seed), random_agent(-1 - seed)]).states
        for state in states[:-1]:
            assert check_by_drawing(game, state, lines) == []
        outcomes.add(tuple(check_by_drawing(game, states[-1], lines)))
    assert outcomes <= ({("X",), ("O",), ()} if lines else {()})


@pytest.mark.parametrize("columns, rows", [(7, 6), (5, 4), (3, 4)])
def test_parse_reads_back_what_render_draws(columns, rows):
    game = ConnectFour(columns, rows)
    for seed in range(30):
        for state in play(game, [random_agent(seed), random_agent(-1 - seed)]).states:
            assert game.parse(game.render(state)) == game.parse("".join(game.grid(state))) == state


@pytest.mark.parametrize("text", [
    "", "X...", "..../..../..../X...", "O... .... .... ....", "X.O. .... .... ....", "X... .... .... OX..",
    ".... .... .X.. X.O.", ".... .... .... O...", ".... .... .... XX..", ".... OOOO XXXX ....",
    "X... OOO. XOXO XXXX", ".... O... OXOO XXXX", ".... X... OOOO XXXX", ".... O... OOO. XXXX",
])  # fmt: skip
def test_parse_refuses_what_no_game_leads_to(text):
    """Other sizes and marks, discs that float, wrong counts, two winners, a move after the win or a win before."""
    with pytest.raises(ValueError, match=r"no game of ConnectFour\(4, 4\) leads to"):
        ConnectFour(4, 4).parse(text)
