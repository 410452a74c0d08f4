"""Iterative deepening and the clock; the clock of these tests goes one second ahead whenever it is read."""

import gc
import inspect
import sys
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from course_lib.games import MAX, MIN, ConnectFour, Nim, TicTacToe, TreeGame, play, random_agent
from course_lib.search import Deadline, TimeUp, anytime, iterative_deepening, time_limited_agent
from made_up_games import SALTS, Chain, GraphGame, Recording, estimate, graphs
from strategies import FIRST, trees


@pytest.fixture
def clock(monkeypatch):
    ticks = count()
    monkeypatch.setattr(anytime, "perf_counter", lambda: next(ticks))


# Iterative deepening


@given(trees(), FIRST, SALTS)
def test_each_depth_is_its_definition(tree, first, salt):
    game = TreeGame(tree, first=first)
    depths = 0
    for depths, found in enumerate(iterative_deepening(game, (), lambda path: estimate(salt, path)), 1):
        seen = oracle.cut(tree, depths, lambda path: estimate(salt, path))
        assert found.depth == depths
        assert found.value == oracle.value(seen, first)
        assert found.action in (oracle.best_actions(seen, first) or [None])
        assert found.variation[:1] == (() if found.action is None else (found.action,))
    assert found.value == oracle.value(tree, first)
    assert depths <= max(1, height(tree))


def height(tree):
    tree = getattr(tree, "children", tree)
    return 1 + max(height(subtree) for _, subtree in oracle.items(tree)) if isinstance(tree, list | dict) else 0


@given(graphs())
def test_states_that_come_back_at_other_depths(game):
    """A state reached by a short way and a long one: what was found at one depth must not end the search too soon."""
    found = list(iterative_deepening(game, 0, game.evaluate))
    assert [f.value for f in found] == [game.value(0, depth) for depth in range(1, len(found) + 1)]
    assert found[-1].value == game.value(0, len(game.worths))
    assert len(found) <= len(game.worths)


def test_a_value_of_an_earlier_depth_does_not_end_the_search():
    """At depth 3, state 2 is first met after two plies, and 3 evaluated for it; so it was at depth 2, after one."""
    game = GraphGame([(1, 2), (2,), (3,), (4,), ()], [MAX] * 5, [0, 0, 0, 0, 9])
    found = iterative_deepening(game, 0, lambda state: {2: 200, 3: 100}.get(state, 0))
    assert [(f.value, f.variation) for f in found] == [
        (200, (2,)),
        (200, (1, 2)),
        (100, (1, 2, 3)),
        (9, (1, 2, 3, 4)),
    ]


# The clock


def test_deadline_stops_any_search(clock):
    game = TicTacToe()
    timed = Deadline(game, 3)
    state = timed.initial_state()
    for action in 0, 1:
        state = timed.result(state, action)
    with pytest.raises(TimeUp):
        timed.result(state, 2)
    assert state == game.after(0, 1)
    assert (timed.to_move(state), timed.actions(state), timed.is_terminal(state)) == (MAX, game.actions(state), False)
    assert timed.render(state) == game.render(state)


@given(trees(), FIRST, st.integers(0, 60), SALTS)
def test_agent_plays_what_the_last_finished_depth_found(tree, first, seconds, salt):
    game = TreeGame(tree, first=first)

    def evaluate(path):
        return estimate(salt, path)

    expected = next(iter(game.actions(())), None)
    untimed = Recording(game)
    for found in iterative_deepening(untimed, (), evaluate):
        if len(untimed.made) < max(seconds, 1):
            expected = found.action
    made = Recording(game)
    with pytest.MonkeyPatch.context() as patch:
        ticks = count()
        patch.setattr(anytime, "perf_counter", lambda: next(ticks))
        assert time_limited_agent(seconds, evaluate)(made, ()) == expected
    assert len(made.made) < max(seconds, 1)


@pytest.mark.parametrize("game", [TicTacToe(), Nim(), ConnectFour(), TreeGame([[1, 2], [3]], first=MIN)])
def test_no_time_at_all_is_a_legal_action(game):
    agent = time_limited_agent(0)
    assert agent(game, game.initial_state()) in game.actions(game.initial_state())
    record = play(game, [agent, random_agent(1)])
    assert game.is_terminal(record.states[-1])
    assert agent(game, record.states[-1]) is None


@pytest.mark.parametrize("enabled", [True, False])
def test_garbage_collection_is_left_as_it_was(enabled):
    def evaluate(state):
        seen.append(gc.isenabled())
        return 0

    seen = []
    (gc.enable if enabled else gc.disable)()
    try:
        time_limited_agent(0.01, evaluate)(ConnectFour(), ConnectFour().initial_state())
        assert gc.isenabled() is enabled
    finally:
        gc.enable()
    assert set(seen) == {False}


@pytest.fixture
def shallow_recursion():
    """Python goes 200 calls deep and no more."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 200)
    yield
    sys.setrecursionlimit(limit)


def test_a_game_too_deep_to_search_to_its_end_is_played_all_the_same(shallow_recursion):
    with pytest.raises(RecursionError):
        list(iterative_deepening(Chain(2_000), 0))
    assert time_limited_agent(60)(Chain(2_000), 0) == "on"
    assert gc.isenabled()
