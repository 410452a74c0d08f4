"""The value of each move in a position, or its evaluation by a network, for a board."""

from collections.abc import Callable
from time import process_time
from typing import Any

from course_lib.explore.validation import Search
from course_lib.games import CHANCE, MAX, Game, Pacman, player_name
from course_lib.games.game import Action, State
from course_lib.watch.paths import moves_of
from course_lib.watch.texts import number_text

MAX_STATES = 25_000
"""At most this many states are searched."""
MAX_SECONDS = 0.5
"""The search goes one ply deeper if this is expected to take less time; slow rules, as in chess, may take more."""
MAX_PLIES = 100
"""The maximum depth of the search."""


class Advice:
    """The value for Max of each action in `state`, and sentences about these values.

    `search(game, state) → (value, action)` computes them; its values may be tuples, with one value for each player.
    Without a search, expectiminimax computes them: to the end of games of up to about `MAX_STATES` states, and to a
    depth of a few `plies` in others, with the estimate 0, or in Pac-Man the score.
    """

    def __init__(self, game: Game, state: State, search: Search | None = None) -> None:
        self.game, self.state, self.search = game, state, search
        self.estimate = game.score if isinstance(game, Pacman) else lambda state: 0
        self.player = game.to_move(state)
        self.plies, self.exact = MAX_PLIES, False
        self._cache = {}
        if search is None and game.players > 2:
            raise ValueError(f"minimax is for two players, and {game!r} has {game.players}: pass search=max_n_search")
        if search is None:
            self._deepen()
        self.values = {
            action: self._value(game.result(state, action), self.plies - 1) for action in game.actions(state)
        }
        best_gain = max(self._gain(value) for value in self.values.values())
        self.best = [action for action, value in self.values.items() if self._gain(value) == best_gain]
        self.differ = len(self.best) < len(self.values)

    def _gain(self, value):
        """A value for the player to move."""
        return value[self.player] if isinstance(value, tuple) else value if self.player == MAX else -value

    def _deepen(self):
        """Iterative deepening, until the search reaches the end of the game or one of its limits."""
        before = 1
        for self.plies in range(1, MAX_PLIES + 1):
            cached, began = len(self._cache), process_time()
            _, self.exact = self._minimax(self.state, self.plies)
            seen, spent = len(self._cache) - cached, process_time() - began
            growth = seen / before
            if self.exact or seen * growth > MAX_STATES or spent * growth > MAX_SECONDS:
                return
            before = seen

    def _minimax(self, state, plies):
        """(Max's value of `state` at depth `plies`, whether it is exact), from the cache if possible."""
        key = state, plies
        if key not in self._cache:
            self._cache[key] = self._expand(state, plies)
        return self._cache[key]

    def _expand(self, state, plies):
        game = self.game
        if game.is_terminal(state):
            return game.utility(state, MAX), True
        if plies == 0:
            return self.estimate(state), False
        player, moves = game.to_move(state), moves_of(game, state)
        left = plies - (player != CHANCE)
        values, seen = zip(*[self._minimax(game.result(state, action), left) for action, _ in moves])
        if player == CHANCE:
            return sum(probability * value for (_, probability), value in zip(moves, values)), all(seen)
        return max(values) if player == MAX else min(values), all(seen)

    def _value(self, state, plies):
        return self._minimax(state, plies)[0] if self.search is None else self.search(self.game, state)[0]

    def label(self, action: Action) -> dict:
        """What the board shows of an action: its value, and a description for screen readers."""
        value, best = number_text(self.values[action]), self.differ and action in self.best
        whose = "" if self.game.players > 2 else " to Max"
        return {"value": value, "best": best, "description": f"worth {value}{whose}{', best' * best}"}

    def compare(self, action: Action) -> str:
        """A sentence that compares `action` with the best one."""
        mine, best = number_text(self.values[action]), self.best[0]
        if action in self.best:
            return f"{action} is worth {mine}, and no move does better."
        wants = "" if self.game.players > 2 else "; Max wants more" if self.player == MAX else "; Min wants less"
        return f"{best} is worth {number_text(self.values[best])}, and {action} is worth {mine}{wants}."

    def caption(self) -> str:
        """A sentence about the meaning and the source of the values."""
        best = f" Underlined: best for {player_name(self.player, self.game.players).capitalize()}." * self.differ
        source = "with best play to the end" if self.exact else f"searched {self.plies} plies deep"
        if self.search is not None:
            source = f"computed by {getattr(self.search, '__name__', 'your search')}"
        whose = "each player" if isinstance(self.values[self.best[0]], tuple) else "Max"
        return f"Numbers: the value of a move for {whose}, {source}.{best}"


class NetworkAdvice:
    """The evaluation of `state` by a network, with the methods of `Advice`.

    `analysis(game, state)` → `course_lib.alphazero.agents.Analysis` is the `analysis` of a `network_agent`.
    """

    def __init__(self, game: Game, state: State, analysis: Callable[[Game, State], Any]) -> None:
        self.analysis = analysis(game, state)

    def label(self, action: Action) -> dict:
        """What the board shows of an action: p and N, and a description for screen readers."""
        prior, visits = f"{self.analysis.prior[action]:.2f}", self.analysis.visits.get(action)
        best, value, description = action == self.analysis.line[0], f"p {prior}", f"p is {prior}"
        if visits is not None:
            value, description = f"{value}\nN {visits}", f"{description}, N is {visits}"
        return {"value": value, "best": best, "description": description + ", chosen" * best}

    def caption(self, max_actions: int = 8) -> str:
        """Sentences about the numbers, the result of the search, and the principal variation."""
        line = ", ".join(map(str, self.analysis.line[:max_actions]))
        line += " …" if len(self.analysis.line) > max_actions else "."
        text = f"p: the network's prior. Its value v for Max is {number_text(round(self.analysis.v, 2))}. "
        if not self.analysis.visits:
            return f"{text}Underlined: the largest p. There is no search."
        found, count = number_text(round(self.analysis.value, 2)), sum(self.analysis.visits.values())
        return (f"{text}N: visits in {count} simulations, with the value {found}. Underlined: the choice of the "
                f"search. It expects {line}")  # fmt: skip
