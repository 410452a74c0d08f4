"""One rule for randomness: a seed is None, an int, a `random.Random` or a NumPy `Generator`, everywhere."""

import random

import numpy as np
import pytest

from course_lib import search
from course_lib.games import Pig, TicTacToe, play, random_agent
from course_lib.games.randomness import numpy_generator, random_source, weighted_choice

PIG = Pig(6)
SOURCES = [lambda: 7, lambda: random.Random(7), lambda: np.random.default_rng(7), lambda: np.int64(7)]
STARTED = [
    lambda seed: play(PIG, [random_agent(1)] * 2, seed=seed),
    lambda seed: play(TicTacToe(), [random_agent(seed)] * 2),
    lambda seed: play(TicTacToe(), [search.mcts_agent(9, seed=seed)] * 2),
    lambda seed: next(search.monte_carlo_tree_search(TicTacToe(), TicTacToe().initial_state(), seed=seed)).playout,
    lambda seed: search.tournament(TicTacToe(), [random_agent(1), random_agent(2)], 2, seed=seed, random_plies=2),
]


@pytest.mark.parametrize("started", STARTED)
@pytest.mark.parametrize("source", SOURCES)
def test_the_same_seed_gives_the_same_results(started, source):
    assert repr(started(source())) == repr(started(source()))


@pytest.mark.parametrize("started", STARTED)
@pytest.mark.parametrize("wrong", [[1], random, float("nan")], ids=["list", "module", "nan"])
def test_a_wrong_seed_is_refused(started, wrong):
    with pytest.raises(
        ValueError, match=r"Expected seed to be None, an int, a random.Random or a NumPy Generator, got"
    ):
        started(wrong)


@pytest.mark.parametrize("rng", [random.Random(3), np.random.default_rng(3)], ids=["random", "numpy"])
def test_the_phases_of_mcts_draw_from_both_kinds_of_source(rng):
    root = search.root_node(PIG, PIG.initial_state())
    for _ in range(40):
        path = search.select(root, 1, rng)
        child = search.expand(PIG, path[-1], rng)
        path += [child] if child else []
        _, end = search.simulate(PIG, path[-1].state, search.random_policy, rng)
        search.backpropagate(path, [(PIG.utility(end, player) + 1) / 2 for player in range(2)])
    assert root.visits == 40


def test_a_source_that_is_passed_is_drawn_from():
    for source in random.Random(1), np.random.default_rng(1):
        assert numpy_generator(source).random() != numpy_generator(source).random()
        assert random_source(source).random() != random_source(source).random()
    assert random_source(5).random() == random.Random(5).random()
    assert numpy_generator(5).random() == np.random.default_rng(5).random()


def test_a_weighted_choice_is_that_of_random_choices():
    ours, theirs, weights = random.Random(2), random.Random(2), (0.1, 0.5, 0, 0.4)
    drawn = [weighted_choice("abcd", weights, ours) for _ in range(500)]
    assert drawn == [theirs.choices("abcd", weights)[0] for _ in range(500)]
    assert {weighted_choice("ab", (3, 1), ours) for _ in range(50)} == {"a", "b"}, "whatever their sum"
