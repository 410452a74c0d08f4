"""Searches that always have an answer: iterative deepening, and the agent with a time limit."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from time import perf_counter
from typing import NamedTuple

from course_lib.games import Agent, Evaluate, Game
from course_lib.games.checks import check_kind, check_number
from course_lib.games.game import Action, Order, State
from course_lib.search.checks import GameWrapper, check_functions, for_max_and_min
from course_lib.search.transposition import TranspositionTable, best_line


class DeepeningResult(NamedTuple):
    """What iterative deepening knows after a depth: Max's value, an action, the principal variation."""

    depth: int
    value: float
    action: Action
    variation: tuple[Action, ...]


@for_max_and_min
def iterative_deepening(game: Game, state: State, evaluate: Evaluate | None = None, *, order: Order | None = None,
                        table: TranspositionTable | None = None) -> Iterator[DeepeningResult]:  # fmt: skip
    """Search 1 ply deep, 2 plies, 3 plies …: a generator that yields a `DeepeningResult` after each depth.

    What was best at one depth is tried first at the next, which makes up for the repetition; the `table` of an earlier
    search helps the first depths in the same way. The search ends after the first depth at which it evaluates nothing,
    since the value is then the true one. Source: AIMA, 4th edition, 5.3; Slate and Atkin's chess program (1977).
    """
    table = TranspositionTable() if table is None else table
    check_kind(TranspositionTable, table=table)
    for depth in count(1):
        exhausted = True

        def estimate(state):
            nonlocal exhausted
            exhausted = False
            return evaluate(state)

        table.deepen()
        value, line = best_line(game, state, depth, estimate, order=order, table=table)
        yield DeepeningResult(depth, value, line[0] if line else None, line)
        if exhausted:
            return


class TimeUp(Exception):
    """The time for a search is over."""


class Deadline(GameWrapper):
    """`game` for `seconds` from now: after that, `result` raises `TimeUp`.

    So any search stops at the next state that it asks for, and no search needs to know about clocks.
    """

    def __init__(self, game: Game, seconds: float):
        super().__init__(game)
        self._result, self._end = game.result, perf_counter() + seconds

    def result(self, state: State, action: Action) -> State:
        if perf_counter() >= self._end:
            raise TimeUp
        return self._result(state, action)


@contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """Pause Python's garbage collector, which needs 20 ms or more for all objects: too long under a time limit.

    Objects created meanwhile are moved to the old generation; otherwise the collector would scan them all at once.
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


def time_limited_agent(seconds: float, evaluate: Evaluate | None = None) -> Agent:
    """An agent that plays what iterative deepening has found `seconds` after it was asked.

    It finishes the node that it is at, so its answer comes a little later: one call of `evaluate`. It
    answers sooner if it has searched the whole tree. If no depth was finished in time, it plays the first legal action.
    When the game is over, it returns None.
    """
    check_number(0, seconds=seconds)
    check_functions(evaluate=evaluate)
    table = TranspositionTable()  # kept from move to move: to take a large one apart takes time, and its actions help

    def agent(game, state):
        timed = Deadline(game, seconds)
        action = next(iter(game.actions(state)), None)
        with garbage_collection_paused(), suppress(TimeUp):
            for found in iterative_deepening(timed, state, evaluate, table=table):
                action = found.action if found.variation else action
        return action

    return agent
