"""Searches that always have an answer: iterative deepening, and a game that stops any search in time."""

from collections.abc import Iterator
from itertools import count
from math import inf
from time import perf_counter
from typing import NamedTuple

from course_lib.games.game import Action, Evaluate, Game, GameWrapper, State
from course_lib.games.validation import as_game, check_number
from course_lib.search.transposition import TranspositionTable, best_line
from course_lib.search.validation import for_max_and_min


class DeepeningResult(NamedTuple):
    """What iterative deepening knows after a depth: Max's value, an action, the principal variation."""

    depth: int
    value: float
    action: Action
    variation: tuple[Action, ...]


@for_max_and_min
def iterative_deepening(game: Game, state: State, evaluate: Evaluate | None = None) -> Iterator[DeepeningResult]:
    """Search 1 ply deep, 2 plies, 3 plies …: a generator that yields a `DeepeningResult` after each depth.

    What was best at one depth is tried first at the next, which makes up for the repetition. The search ends after the
    first depth at which it evaluates nothing: its value is true. Sources: AIMA, 4th ed., 5.3; Slate and Atkin (1977).

    >>> from course_lib.games import TreeGame
    >>> [result.value for result in iterative_deepening(TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), ())]
    [0, 3]
    """
    table = TranspositionTable()
    for depth in count(1):
        exhausted = True

        def estimate(state):
            nonlocal exhausted
            exhausted = False
            return evaluate(state)

        table.deepen()
        value, line = best_line(game, state, depth, estimate, table=table)
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
        super().__init__(as_game(game))
        check_number(0, seconds=0 if seconds == inf else seconds)
        self._result, self._end = game.result, perf_counter() + seconds

    def result(self, state: State, action: Action) -> State:
        if perf_counter() >= self._end:
            raise TimeUp
        return self._result(state, action)
