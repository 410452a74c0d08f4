"""What every search of the minimax family asks of its arguments, and what it answers at the edges: once for all."""

import sys
from functools import partial
from math import inf, nan
from types import SimpleNamespace

import pytest

from course_lib.games import CHANCE, MAX, MIN, Game, TicTacToe, TreeGame, play
from course_lib.games.game import RULES
from course_lib.search import (
    Deadline,
    TimeUp,
    alpha_beta_agent,
    alpha_beta_search,
    depth_limited_alpha_beta_search,
    depth_limited_minimax_search,
    expectimax_agent,
    expectimax_search,
    expectiminimax_search,
    iterative_deepening,
    max_n_search,
    mcts_agent,
    minimax_agent,
    minimax_search,
    minimax_value,
    quiescence_search,
    tournament,
    transposition_table_search,
    uniform_model,
)


def quiet_search(game, state, depth, evaluate=lambda state: 0):
    return quiescence_search(game, state, depth, evaluate, lambda state: ())


def expectimax(game, state, depth=inf, evaluate=lambda state: 0):
    """For the player who moves at the root."""
    return expectimax_search(game, state, uniform_model(game), depth, evaluate, game.to_move(state) % 2)


ORDERED = [depth_limited_alpha_beta_search, transposition_table_search, quiet_search]
LIMITED = [*ORDERED, depth_limited_minimax_search]
FOR_CHANCE = [expectiminimax_search, expectimax]
TWO = [minimax_search, alpha_beta_search, *(partial(search, depth=9) for search in LIMITED)]
ALL = [*TWO, *FOR_CHANCE]


class Strange(Game):
    """`mover` moves in "odd", which comes `plies` plies after the start; it has actions whoever moves there."""

    def __init__(self, mover, plies, actions=("a", "b")):
        self.mover, self.plies, self.odd_actions = mover, plies, actions

    def to_move(self, state):
        return self.mover if state == "odd" else state % 2

    def actions(self, state):
        return self.odd_actions if state == "odd" else ("on", "safe")

    def result(self, state, action):
        if state == "odd" or action == "safe":
            return "a"
        return "odd" if state + 1 == self.plies else state + 1

    def is_terminal(self, state):
        return state in ("a", "b")

    def utility(self, state, player):
        return 0


@pytest.mark.parametrize("first", [MAX, MIN])
def test_any_object_with_the_six_functions_is_a_game(first):
    tree = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]], first=first)
    bare = SimpleNamespace(**{name: getattr(tree, name) for name in RULES})
    for search in *ALL, minimax_value, max_n_search, minimax_agent():
        assert search(bare, ()) == search(tree, ())
    assert mcts_agent(30, bounds=(-14, 14), seed=1)(bare, ()) == mcts_agent(30, bounds=(-14, 14), seed=1)(tree, ())
    three = TreeGame([[[(0, 0, 1), (0, 1, 2)]], (-1, 0, 0)], players=3)
    bare_three = SimpleNamespace(players=3, **{name: getattr(three, name) for name in RULES})
    assert max_n_search(bare_three, ()) == ((0, 1, 2), 0)
    assert [found.value for found in iterative_deepening(bare, ())] == [0, 3 if first == MAX else 6]
    assert play(bare, [minimax_agent()] * 2).utilities == play(tree, [minimax_agent()] * 2).utilities
    assert tournament(bare, [minimax_agent()] * 2, 1).games == tournament(tree, [minimax_agent()] * 2, 1).games
    with pytest.raises(TimeUp):
        minimax_search(Deadline(bare, 0), ())


@pytest.mark.parametrize("plies", [1, 2, 5])
@pytest.mark.parametrize("mover, named", [(CHANCE, "chance"), (2, "player 2"), (None, "player None")])
@pytest.mark.parametrize("search", [minimax_value, *TWO])
def test_nobody_else_is_taken_for_max_or_min_even_where_actions_are_given(search, mover, named, plies):
    for game in (Strange(mover, plies), Deadline(Strange(mover, plies), 60)):
        with pytest.raises(ValueError, match=f"minimax is for Max and Min, and {named} moves here"):
            search(game, 0)
    with pytest.raises(ValueError, match=f"minimax is for Max and Min, and {named} moves here"):
        search(Strange(mover, plies), "odd")


@pytest.mark.parametrize("search", [*ALL, minimax_value, max_n_search])
@pytest.mark.parametrize("mover, plies", [(MAX, 1), (MAX, 5), (MIN, 2), (MIN, 5)])
def test_no_actions_before_the_end_are_an_error(search, mover, plies):
    if search is expectimax:  # it asks Max's actions only, and for Min's its model
        mover = MAX
    for actions in ((), [], {}):
        with pytest.raises(ValueError, match="there are no actions in 'odd', but the game is not over"):
            search(Strange(mover, plies, actions), 0)


@pytest.mark.parametrize("search", [*ALL, minimax_value, minimax_agent()])
def test_minimax_is_for_two_players(search):
    game = TreeGame([[[(1, 2, 3)]], (3, 2, 1)], players=3)
    with pytest.raises(ValueError, match=r"minimax is for two players, and .* has 3; use max_n_search"):
        search(game, game.initial_state())


@pytest.mark.parametrize("search", [*(s for s in ALL if s is not expectimax), max_n_search])
def test_an_argument_that_is_not_a_game_is_refused_at_once(search):
    with pytest.raises(
        ValueError, match=r"Expected a game, an object with the functions initial_state, .*, got 'tic-tac-toe'"
    ):
        search("tic-tac-toe", ())
    with pytest.raises(ValueError, match=r"pass TicTacToe\(\), with parentheses"):
        search(TicTacToe, ())


@pytest.mark.parametrize("depth", [-1, 1.5, -0.5, -inf, nan, None, "3", True])
def test_a_depth_is_a_whole_number(depth):
    for search in (*LIMITED, *FOR_CHANCE):
        with pytest.raises(ValueError, match="depth must be a whole number of at least 0, or inf, not"):
            search(TreeGame([[1, 2]]), (), depth)
    model = uniform_model(TreeGame([1]))
    for agent in (minimax_agent, alpha_beta_agent, partial(expectimax_agent, model)):
        for too_small in (depth, 0, 0.5):
            with pytest.raises(ValueError, match="depth must be a whole number of at least 1, or inf, not"):
                agent(too_small)


@pytest.mark.parametrize("number", [nan, None, "good", 1j])
def test_what_is_not_a_number_is_refused_at_every_leaf(number):
    game = TreeGame([[1, 2], [3, 4], [5, 6]])
    for search in (*LIMITED, *FOR_CHANCE):
        for strange in game.actions(()):
            with pytest.raises(ValueError, match=r"Expected numbers from evaluate.*, got .* from evaluate in \("):
                search(game, (), 1, evaluate=lambda state: number if state[0] == strange else 0)  # noqa: B023
    strange = Strange(MAX, 1)
    strange.utility = lambda state, player: number
    for search in (*ALL, minimax_value, max_n_search):
        with pytest.raises(ValueError, match=r"Expected numbers .*, got .* from utility in 'a'"):
            search(strange, 0)


@pytest.mark.parametrize("agent", [minimax_agent, alpha_beta_agent, partial(expectimax_agent, uniform_model(None))])
def test_an_agent_plays_by_its_estimate(agent):
    game = TreeGame([[1, 2], [3, 4], [5, 6]])
    assert agent(1, evaluate=lambda state: -abs(state[0] - 1))(game, ()) == 1


@pytest.mark.parametrize("search", [alpha_beta_search, partial(depth_limited_alpha_beta_search, depth=9)])
def test_a_window_is_open(search):
    for window in {"alpha": 1, "beta": 1}, {"alpha": 2, "beta": 1}, {"alpha": nan}, {"beta": nan}:
        with pytest.raises(ValueError, match="Expected a window with alpha < beta, got alpha="):
            search(TreeGame([[1, 2]]), (), **window)


@pytest.mark.skipif(sys.platform == "emscripten", reason="a browser's stack ends before Python's limit")
@pytest.mark.parametrize("search", [minimax_value, minimax_search, alpha_beta_search, max_n_search])
def test_a_game_that_is_too_long_for_a_search_is_named(search):
    endless = Strange(MAX, 1)
    endless.result = lambda state, action: state
    endless.is_terminal = lambda state: False
    with pytest.raises(RecursionError, match=r"Strange\(\) is too long for \w+, which calls itself .*: pass a depth"):
        search(endless, 0)


@pytest.mark.parametrize("first, lost", [(MAX, -inf), (MIN, inf)])
@pytest.mark.parametrize("search", [*LIMITED, expectiminimax_search, expectimax])
def test_who_loses_by_infinitely_much_still_plays(search, first, lost):
    game = TreeGame([[[1], [2]], [[3], [4]]], first=first)
    for depth in (1, 2):
        value, action = search(game, (), depth, evaluate=lambda state: lost)
        assert (abs(value), action) == (inf, 0)
        assert search(game, (), depth, evaluate=lambda state: lost if state[0] == 0 else 5)[1] == 1
