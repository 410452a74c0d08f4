"""OpenSpiel's games as games of this course: which of them open, that they keep the rules, and what they are worth."""

import random

import pytest

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.slow

from open_spiel.python.algorithms.minimax import alpha_beta_search as their_search  # noqa: E402
from open_spiel.python.algorithms.minimax import expectiminimax  # noqa: E402

from course_lib.games import MAX, MIN  # noqa: E402
from course_lib.games.open_spiel import OpenSpielGame  # noqa: E402
from course_lib.search import alpha_beta_search, expectiminimax_search, minimax_search  # noqa: E402
from course_lib.watch import watch  # noqa: E402

CONNECT_THREE = OpenSpielGame("connect_four", rows=3, columns=4, x_in_row=3)


@pytest.mark.parametrize("game, plies", [
    (OpenSpielGame("tic_tac_toe"), (3, 4)),
    (OpenSpielGame("nim", pile_sizes="1;2;3"), (0, 1)),
    (OpenSpielGame("breakthrough", rows=4, columns=2), (0, 1)),
    (CONNECT_THREE, (4, 5)),
    (OpenSpielGame("misere(game=tic_tac_toe())"), (4, 5)),
], ids=repr)  # fmt: skip
def test_minimax_finds_what_openspiels_own_search_finds_with_either_player_to_move(game, plies):
    for moves in plies:
        for seed in range(3):
            rng, state = random.Random(seed), game.initial_state()
            for _ in range(moves):
                after = [game.result(state, action) for action in game.actions(state)]
                state = rng.choice([s for s in after if not game.is_terminal(s)])
            theirs = pyspiel.load_game(repr_of(game)).new_initial_state()
            for number in state.history:
                theirs.apply_action(number)
            value, _ = their_search(theirs.get_game(), theirs, maximizing_player_id=MAX)
            assert minimax_search(game, state)[0] == alpha_beta_search(game, state)[0] == value
            assert game.to_move(state) == moves % 2
            assert watch(alpha_beta_search, game, state).root.value == value


def repr_of(game):
    """The name and the parameters as OpenSpiel writes them."""
    given = ",".join(f"{name}={value}" for name, value in game.parameters.items())
    return game.name + (f"({given})" if given else "")


@pytest.mark.parametrize("before", [(), ("roll", "Roll 4", "stop")])
def test_pig_is_worth_what_openspiels_expectiminimax_finds(before):
    game = OpenSpielGame("pig", winscore=8, horizon=9)
    state = game.after(*before)
    theirs, _ = expectiminimax(state.state, 4, lambda state: 0, MAX)
    assert theirs == pytest.approx(expectiminimax_search(game, state, 4)[0])
    assert game.to_move(state) == (MIN if before else MAX)


def test_errors():
    for name in "goofspiel", "kuhn_poker", "stones_and_gems":
        with pytest.raises(ValueError, match=f"in which all is seen and chances are known, got '{name}'"):
            OpenSpielGame(name)
    with pytest.raises(ValueError, match="Unknown game 'nope'"):
        OpenSpielGame("nope")
    with pytest.raises(ValueError, match=r"with \{'size': 3\}: Unknown parameter 'size'"):
        OpenSpielGame("tic_tac_toe", size=3)
    game, pig = OpenSpielGame("tic_tac_toe"), OpenSpielGame("pig")
    for action in ("x(1,1)", "z", 0, []):
        with pytest.raises(ValueError, match=r"cannot play .*; the legal actions are 'o"):
            game.result(game.after("x(1,1)"), action)
    with pytest.raises(ValueError, match="the game is not over"):
        game.utility(game.initial_state(), MAX)
    with pytest.raises(ValueError, match="no chance node here"):
        pig.chances(pig.initial_state())
    with pytest.raises(ValueError, match="cannot play 'Roll 7'; the outcomes of chance are 'Roll 1', 'Roll 2'"):
        pig.after("roll", "Roll 7")
    with pytest.raises(ValueError, match="chance moves here"):
        minimax_search(pig, pig.after("roll"))
    assert repr(CONNECT_THREE) == "OpenSpielGame('connect_four', rows=3, columns=4, x_in_row=3)"
