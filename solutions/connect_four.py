"""Positions of Connect Four to play from."""

from random import Random

from course_lib.games import ConnectFour
from course_lib.search import depth_limited_alpha_beta_search

GAME, ORDER_PLIES = ConnectFour(), 4
LAST_COLUMN = GAME.after(*map(int, "14666020363353610306345042150111224525244"))
"""A position with a single column that is not full."""


def openings(count, plies=4, seed=5):
    """Positions after random moves."""
    rng = Random(seed)

    def opening():
        state = GAME.initial_state()
        for _ in range(plies):
            state = GAME.result(state, rng.choice(GAME.actions(state)))
        return state

    return tuple(opening() for _ in range(count))


def states_from_left(positions, plies):
    """The number of states that alpha-beta visits if it tries the columns from left to right."""
    seen = []

    def order(state):
        seen.append(state)
        return GAME.actions(state)

    for state in positions:
        depth_limited_alpha_beta_search(GAME, state, plies, order=order)
    return len(seen)


def orders():
    """The case of a better order: positions to search, and the number of states visited from left to right."""
    positions = LAST_COLUMN, *openings(5, plies=8, seed=30)
    return [(positions, states_from_left(positions, ORDER_PLIES))]
