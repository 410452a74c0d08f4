import pytest

from course_lib.games import MAX, MIN, Pacman

SMALL = Pacman("""
    ######
    #Po.A#
    #.##.#
    #o..B#
    ######
""")


def test_pacman_moves_first_and_the_two_ghosts_after_it():
    game = SMALL
    state, turns = game.initial_state(), []
    for action in ("down", "left", "left", "down", "right", "right"):
        turns.append((game.to_move(state), game.render(state).splitlines()[-1].split(" to move")[0]))
        state = game.result(state, action)
    assert turns == [(MAX, "Pac-Man"), (MIN, "ghost A"), (MIN, "ghost B")] * 2
    assert game.grid(state) == ["######", "#.o.A#", "#.##.#", "#P..B#", "######"]


def test_a_pellet_is_eaten_once_and_every_step_costs_a_point():
    state = SMALL.after("right")
    assert SMALL.score(state) == 10 - 1
    state = SMALL.after("right", "down", "left", "left", "down", "right", "right")
    assert SMALL.score(state) == 10 - 3
    assert SMALL.grid(state)[1] == "#.P..#"


def test_the_estimate_is_the_score_less_the_steps_to_the_nearest_pellet():
    assert SMALL.estimate(SMALL.initial_state()) == 0 - 1
    assert SMALL.estimate(SMALL.after("down")) == -1 - 1
    assert SMALL.estimate(SMALL.after("right")) == 9 - 3


def test_a_game_is_over_after_its_plies_and_a_ghost_on_a_pellet_is_small():
    game = Pacman("#####\n#PoA#\n#.#.#\n#...#\n#####", plies=2)
    end = game.after("down", "left")
    assert game.is_terminal(end) and game.utility(end, MAX) == -1
    assert game.grid(end)[1:3] == ["#.a.#", "#P#.#"]


def test_the_last_pellet_wins_and_a_ghost_ends_the_game_whoever_steps():
    cleared = Pacman("#####\n#Po.#\n#.#.#\n#..A#\n#####")
    over = cleared.after("right")
    assert (cleared.utility(over, MAX), cleared.utility(over, MIN)) == (59, -59)
    beside = Pacman("######\n#PA.o#\n######")
    walked_in = beside.after("right")
    caught = Pacman("######\n#P.Ao#\n######").after("right", "left")
    on_the_last_pellet = Pacman("#####\n#.oA#\n#P.##\n#####")
    assert on_the_last_pellet.utility(on_the_last_pellet.after("right", "left", "up"), MAX) < -90
    for end in (walked_in, caught):
        assert beside.is_terminal(end)
        assert beside.utility(end, MAX) == -101
        assert beside.actions(end) == ()
        with pytest.raises(ValueError, match="game is over"):
            beside.result(end, "right")
    assert beside.grid(walked_in) == ["######", "#.X.o#", "######"]


@pytest.mark.parametrize(
    "layout",
    [
        "",
        "P A o",
        "#####\n#PAo#\n####",
        "PAo",
        *map("#####\n{}\n#####".format, ["#.Ao#", "#P.o#", "#PA.#"]),
        "######\n#PPAo#\n######",
        "######\n#PAAo#\n######",
    ],
)
def test_a_layout_has_pacman_a_ghost_and_pellets(layout):
    with pytest.raises(ValueError, match="a layout is rows of equal length in walls '#', with one 'P'"):
        Pacman(layout)


def test_of_two_ghosts_on_a_cell_the_first_is_drawn():
    game = Pacman("######\n#P.BA#\n#o...#\n######")
    assert game.grid(game.after("right", "left"))[1] == "#.PA.#"
