"""Searches that always have an answer: iterative deepening, and the agent that plays by the clock."""

import gc
from contextlib import contextmanager, suppress
from itertools import count
from numbers import Real
from time import perf_counter
from typing import Any, NamedTuple

from course_lib.games import Game
from course_lib.search.transposition import TranspositionTable, best_line


class Found(NamedTuple):
    """What iterative deepening knows after a depth: Max's value, an action, the principal variation."""

    depth: int
    value: float
    action: Any
    variation: tuple


def iterative_deepening(game, state, evaluate=lambda state: 0, order=None, table=None):
    """Search 1 ply deep, 2 plies, 3 plies …: a generator that yields a `Found` after each depth.

    It stops by itself after the first depth at which nothing had to be evaluated: that value is the true one. What was
    best at a depth is tried first at the next, which makes up for the repetition; a `table` of an earlier search helps
    the first depths in the same way. In a terminal state it yields once, with the action None.
    Source: AIMA, 4th edition, 6.3; Slate and Atkin's chess program (1977).
    """
    table = TranspositionTable() if table is None else table
    for depth in count(1):
        exhausted = True

        def estimate(state):
            nonlocal exhausted
            exhausted = False
            return evaluate(state)

        table.deepen()
        value, line = best_line(game, state, depth, estimate, order, table)
        yield Found(depth, value, line[0] if line else None, line)
        if exhausted:
            return


class TimeUp(Exception):
    """The time for a search is over."""


class Deadline(Game):
    """`game` for so many seconds from now: after that, `result` raises `TimeUp`.

    So any search can be stopped, at the next state that it asks for, and none needs to know about clocks.
    """

    def __init__(self, game, seconds):
        self._end = perf_counter() + seconds
        self._game, self._result = game, game.result
        for name in ("players", "initial_state", "to_move", "actions", "is_terminal", "utility", "chances", "render"):
            if hasattr(game, name):
                setattr(self, name, getattr(game, name))

    def result(self, state, action):
        if perf_counter() >= self._end:
            raise TimeUp
        return self._result(state, action)

    def __repr__(self):
        return repr(self._game)


@contextmanager
def garbage_collection_paused():
    """Python's collector goes through all objects there are, 20 ms and more at a time: too long by the clock.

    What was made meanwhile is put among the old objects unread, or the collector would go through that at once.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.unfreeze()
        if enabled:
            gc.enable()


def time_limited_agent(seconds, evaluate=lambda state: 0, order=None):
    """An agent that plays what iterative deepening has found when `seconds` have passed since it was asked.

    It answers after the time and the work on one node (an `evaluate`, an `order`), or sooner when it has searched
    the tree to its end, or as deep as Python's recursion goes. If no depth was finished in time it plays the first
    legal action. In a terminal state it gives None.
    """
    if not isinstance(seconds, Real) or not seconds >= 0:
        raise ValueError(f"seconds is the time for each move, 0 or more, not {seconds!r}")

    table = TranspositionTable()  # kept from move to move: to take a large one apart takes time, and its actions help

    def agent(game, state):
        timed = Deadline(game, seconds)
        action, found = next(iter(game.actions(state)), None), None
        try:
            with garbage_collection_paused(), suppress(TimeUp):
                for found in iterative_deepening(timed, state, evaluate, order, table):
                    action = found.action if found.variation else action
        except RecursionError:
            if found is None:  # one ply is not too deep: the mistake is elsewhere
                raise
        return action

    return agent
