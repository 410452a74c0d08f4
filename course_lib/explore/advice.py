"""The value of each move in a position, or its evaluation by a network, for a board."""

from collections.abc import Callable
from time import process_time
from typing import Any

from course_lib.games import MAX, Game, Search, player_name
from course_lib.games.game import Action, State
from course_lib.games.texts import number_text
from course_lib.games.validation import check_two_players
from course_lib.language import N_, gettext, translated
from course_lib.search import depth_limited_alpha_beta_search, expectiminimax_search
from course_lib.search.validation import estimate_0

MAX_SECONDS = 0.2
"""The search goes one ply deeper if this is expected to take less time."""
MAX_PLIES = 100
"""The maximum depth of the search."""


class Advice:
    """The value for Max of each action in `state`, and a sentence about these values.

    `search(game, state) → (value, action)` computes them. Without it, alpha-beta or expectiminimax does: to the end of
    small games, and to a depth of a few `plies` in others, with the `score` of the game, or the estimate 0.
    """

    def __init__(self, game: Game, state: State, search: Search | None = None) -> None:
        self.game, self.state, self.search = check_two_players(game, "the value of a move"), state, search
        self.plies, self.exact = 0, False
        self.values = self._deepen() if search is None else self._values(search)
        best_value = (max if game.to_move(state) == MAX else min)(self.values.values())
        self.best = [action for action, value in self.values.items() if value == best_value]
        self.differ = len(self.best) < len(self.values)

    def _values(self, search, *options):
        """The value of each action, by this search."""
        after = {action: self.game.result(self.state, action) for action in self.game.actions(self.state)}
        return {action: search(self.game, state, *options)[0] for action, state in after.items()}

    def _deepen(self):
        """The values by iterative deepening, to the end of the game or until the next ply takes too long."""
        has_chance = getattr(self.game.chances, "__func__", None) is not Game.chances
        search = expectiminimax_search if has_chance else depth_limited_alpha_beta_search
        estimate = getattr(self.game, "score", estimate_0)

        def at_horizon(state):
            self.exact = False
            return estimate(state)

        values, spent = {}, 0.0
        while not self.exact and self.plies < MAX_PLIES:
            self.plies, self.exact, before, began = self.plies + 1, True, spent, process_time()
            values = self._values(search, self.plies - 1, at_horizon)
            spent = process_time() - began
            if spent * spent > MAX_SECONDS * max(before, 0.001):
                break
        return values

    def label(self, action: Action) -> dict:
        """What the board shows for an action: its value, and a description for screen readers."""
        value, best = number_text(self.values[action]), self.differ and action in self.best
        description = gettext("worth {value} to Max", value=value) + (gettext(", best") if best else "")
        return {"value": value, "best": best, "description": description}

    def caption(self) -> str:
        """A sentence about the meaning and the source of the values."""
        if self.search is not None:
            source = gettext("computed by {search}", search=getattr(self.search, "__name__", gettext("your search")))
        elif self.exact:
            source = gettext("with best play to the end")
        else:
            source = gettext("searched {count} plies deep", count=self.plies)
        player = translated(player_name(self.game.to_move(self.state))).capitalize()
        best = " " + gettext("Underlined: best for {player}.", player=player) if self.differ else ""
        return gettext("Numbers: the value of a move for Max, {source}.", source=source) + best


class NetworkAdvice:
    """The evaluation of `state` by a network, with the methods of `Advice`.

    `analysis(game, state)` → `course_lib.alphazero.agents.Analysis` is the `analysis` of a `network_agent`.
    """

    def __init__(self, game: Game, state: State, analysis: Callable[[Game, State], Any]) -> None:
        self.analysis = analysis(game, state)

    def label(self, action: Action) -> dict:
        """What the board shows for an action: p and N, and a description for screen readers."""
        prior, visits = f"{self.analysis.prior[action]:.2f}", self.analysis.visits.get(action)
        best, value, description = action == self.analysis.line[0], f"p {prior}", gettext("p is {prior}", prior=prior)
        if visits is not None:
            value = f"{value}\nN {visits}"
            description = gettext("p is {prior}, N is {visits}", prior=prior, visits=visits)
        return {"value": value, "best": best, "description": description + (gettext(", chosen") if best else "")}

    def caption(self, max_actions: int = 8) -> str:
        """Sentences about the numbers, the result of the search, and the principal variation."""
        line = ", ".join(map(str, self.analysis.line[:max_actions]))
        words = N_("p: the network's prior. Its value v for Max is {value}.")
        text = gettext(words, value=number_text(round(self.analysis.v, 2)))
        if not self.analysis.visits:
            return f"{text} {gettext('Underlined: the largest p. There is no search.')}"
        words = N_("N: visits in {count} simulations, value {value}. Underlined: its choice. Expected next: {line}.")
        found, count = number_text(round(self.analysis.value, 2)), sum(self.analysis.visits.values())
        return f"{text} {gettext(words, count=count, value=found, line=line)}"
