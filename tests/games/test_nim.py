import itertools
from functools import reduce
from operator import xor

import pytest

import oracle
from course_lib.games import MAX, Nim


@pytest.mark.parametrize("most", [None, 3])
def test_the_value_of_every_state_follows_the_xor_rule(most):
    game = Nim([4, 5, 6], most)
    values = oracle.values_of_states(game)
    for (player, heaps), value in values.items():
        lost = reduce(xor, (heap % 4 if most else heap for heap in heaps)) == 0
        assert value == (-1 if lost else 1) * (1 if player == MAX else -1)
    assert {heaps for _, heaps in values} == set(itertools.product(range(5), range(6), range(7)))


def test_at_least_one_object_may_be_taken():
    with pytest.raises(ValueError, match="max_take must be a whole number of at least 1"):
        Nim(3, max_take=0)


def test_drawing_and_clicking():
    game = Nim([3, 1], max_take=2)
    state = (MAX, (3, 1))
    assert game.grid(state) == ["ooo", "o.."]
    assert [game.action_at(state, 0, column) for column in range(3)] == [None, (0, 2), (0, 1)]
    assert [game.action_at(state, 1, column) for column in range(3)] == [(1, 1), None, None]
    assert [game.action_at((MAX, (2, 1)), 0, column) for column in range(3)] == [(0, 2), (0, 1), None]
    assert game.grid((MAX, (0, 1))) == ["...", "o.."]
    assert game.render(state) == "heap 0: o o o (3)\nheap 1: o (1)"
