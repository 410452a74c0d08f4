"""Nim, and the game of taking one to three."""

from collections.abc import Iterable, Sequence

from course_lib.games.game import MAX, Action, PlayerFirst, State
from course_lib.games.validation import check_state, check_whole


class Nim(PlayerFirst):
    """Take objects from one heap at a time; whoever takes the last object wins (+1, the loser −1).

    `heaps` is the size of each heap, or one number for a single heap; `max_take` is how many may be taken in one
    move (None: as many as the heap holds). `Nim(21, max_take=3)` is the game of taking one to three.
    An action is (heap, count); a state is (player to move, heaps).
    """

    board_style = "heaps"

    def __init__(self, heaps: int | Iterable[int] = (3, 4, 5), max_take: int | None = None):
        self.heaps, self.max_take = tuple(heaps) if isinstance(heaps, Iterable) else (heaps,), max_take
        check_whole(1, **{"the number of heaps": len(self.heaps)})
        for size in self.heaps:
            check_whole(0, heaps=size)
        check_whole(1, max_take=1 if max_take is None else max_take)

    def initial_state(self) -> State:
        return MAX, self.heaps

    def actions(self, state: State) -> Sequence[Action]:
        try:
            _, heaps = state
            most = self.max_take or max(heaps)
            return tuple((heap, count) for heap, size in enumerate(heaps) for count in range(1, min(size, most) + 1))
        except (TypeError, ValueError):
            raise self._foreign(state) from None

    def result(self, state: State, action: Action) -> State:
        if action not in self.actions(state):
            raise self._illegal(state, action)
        player, heaps = state
        heap, count = action
        return 1 - player, (*heaps[:heap], heaps[heap] - count, *heaps[heap + 1 :])

    def is_terminal(self, state: State) -> bool:
        try:
            return not any(state[1])
        except (TypeError, LookupError):
            raise self._foreign(state) from None

    def utility(self, state: State, player: int) -> float:
        self._check_end(state, player)
        return -1 if player == state[0] else 1

    def grid(self, state: State) -> Sequence[str]:
        check_state(self, state)
        width = max(1, *self.heaps)
        return ["o" * size + "." * (width - size) for size in state[1]]

    def action_at(self, state: State, row: int, column: int) -> Action:
        """A click on an object takes it and all the objects to its right."""
        check_state(self, state)
        action = row, state[1][row] - column
        return action if action in self.actions(state) else None

    def render(self, state: State) -> str:
        check_state(self, state)
        return "\n".join(f"heap {heap}: {'o ' * size}({size})" for heap, size in enumerate(state[1]))

    def __repr__(self) -> str:
        limit = "" if self.max_take is None else f", max_take={self.max_take}"
        return f"Nim({list(self.heaps)}{limit})"
