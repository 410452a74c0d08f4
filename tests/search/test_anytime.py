"""Iterative deepening and the clock; the clock of these tests goes one second ahead whenever it is read."""

from contextlib import suppress
from itertools import count
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from course_lib.games import TreeGame
from course_lib.search import Deadline, TimeUp, anytime, iterative_deepening
from made_up_games import SALTS, GraphGame, Recording, estimate
from strategies import FIRST, trees

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


def test_a_depth_does_not_take_estimates_of_the_depth_before_for_values():
    """State 3 is reached by a short way and a long one: a stored value of it would end the search one depth early."""
    game = GraphGame([(1, 2), (2,), (3,), (4, 5), (5,), ()], [0, 0, 1, 0, 1, 0], [0, 2, 2, -1, 0, -2])
    assert [found.value for found in iterative_deepening(game, 0, game.evaluate)] == [-2, 1, 1, 0, -2]


@given(trees(), FIRST, st.integers(0, 60), SALTS)
def test_a_deadline_leaves_what_the_last_finished_depth_found(tree, first, seconds, salt):
    game = TreeGame(tree, first=first)

    def evaluate(path):
        return estimate(salt, path)

    expected = found_in_time = next(iter(game.actions(())), None)
    untimed = Recording(game)
    for found in iterative_deepening(untimed, (), evaluate):
        if len(untimed.made) < max(seconds, 1):
            expected = found.action
    made = Recording(game)
    with pytest.MonkeyPatch.context() as patch:
        ticks = count()
        patch.setattr(anytime, "perf_counter", lambda: next(ticks))
        with suppress(TimeUp):
            for found in iterative_deepening(Deadline(made, seconds), (), evaluate):
                found_in_time = found.action
    assert found_in_time == expected
    assert len(made.made) < max(seconds, 1)


def test_without_a_limit_the_time_is_never_up():
    assert Deadline(TreeGame([1, 2]), inf).result((), 1) == (1,)


def test_the_time_is_up_at_the_deadline_itself(monkeypatch):
    now = iter([0, 2, 3])
    monkeypatch.setattr(anytime, "perf_counter", lambda: next(now))
    game = Deadline(TreeGame([1, 2]), 3)
    assert game.result((), 0) == (0,)
    with pytest.raises(TimeUp):
        game.result((), 1)
