"""Controls for the order of the moves in the explorer; after each change the search runs again."""

import random
from collections.abc import Callable, Iterable
from copy import copy
from functools import partial

import ipywidgets as widgets

from course_lib.explore.tree import button_row
from course_lib.games import CHANCE
from course_lib.games.game import Action, State
from course_lib.games.texts import action_text
from course_lib.games.walking import moves_of
from course_lib.search import best_first, expectiminimax_search
from course_lib.search.ordering import put_first
from course_lib.watch.record import VISITED, SearchTrace

MAX_NODES = 2_000
"""Larger trees cannot be reordered, because the search runs again after every change."""


class Reorder(widgets.HBox):
    """The buttons that change the order of the moves, and the number of leaves that the search visited.

    `changed(trace)` is called with the trace of each new search.
    """

    def __init__(self, trace: SearchTrace, changed: Callable[[SearchTrace], None]) -> None:
        if len(list(trace.nodes())) > MAX_NODES:
            raise ValueError(f"only trees of up to {MAX_NODES:,} nodes can be reordered, and this one has more")
        self._first, self._trace, self._changed = trace, trace, changed
        self._solved = all(trace.game.is_terminal(node.state) for node in _leaves(trace))
        self._order = {}  # state → its actions in the reader's order
        self._rng = random.Random(0)
        self._leaves = widgets.HTML()
        worst = lambda state: reversed(self._best(state))  # noqa: E731
        choices = {"shuffle": self._shuffled, "best first": self._best, "worst first": worst, "as given": None}
        buttons = button_row({name: partial(self.reorder, choose) for name, choose in choices.items()})
        row = [widgets.Label("Order of the moves:"), *buttons, self._leaves]
        super().__init__(row, layout={"flex_flow": "row wrap"})
        self._count()

    def reorder(self, choose: Callable[[State], Iterable[Action]] | None) -> None:
        """Order the actions of every state by `choose(state)`, or as the game does (None), and search again."""
        states = [node.state for node in self._trace.nodes() if node.children]
        decided = [state for state in states if self._first.game.to_move(state) != CHANCE]
        self._order = {state: tuple(choose(state)) for state in decided} if choose else {}
        self._search_again()

    def move(self, path: list[str], by: int) -> None:
        """Move a node, given by the texts of its actions, by `by` places among its siblings, and search again."""
        game, state = self._trace.game, self._trace.root.state
        for text in path:
            above, actions = state, [action for action, _ in moves_of(game, state)]
            at = next(at for at, action in enumerate(actions) if action_text(action) == text)
            state = game.result(above, actions[at])
        place = max(0, min(at + by, len(actions) - 1))
        if place != at and game.to_move(above) != CHANCE:
            actions.insert(place, actions.pop(at))
            self._order[above] = tuple(actions)
            self._search_again()

    def _search_again(self):
        game, order = copy(self._first.game), dict(self._order)
        game.actions = lambda state: order.get(state) or self._first.game.actions(state)
        self._trace = self._first.rerun(game)
        self._changed(self._trace)
        self._count()

    def _shuffled(self, state):
        actions = list(self._first.game.actions(state))
        return self._rng.sample(actions, len(actions))

    def _best(self, state):
        """The actions, best first; if the search has a depth limit, its own move first, then the others."""
        game = self._first.game
        if self._solved and game.players <= 2:
            return best_first(game, expectiminimax_search)(state)
        found = {node.state: node.move for node in self._first.nodes()}
        return put_first(found.get(state), list(game.actions(state)))

    def _count(self):
        self._leaves.value = f"<b>{len(_leaves(self._trace))}</b> leaves visited in this order"


def _leaves(trace):
    """The nodes at which the search stopped: at the end of the game or at its depth limit."""
    visited = [node for node in trace.nodes() if node.status == VISITED]
    return [node for node in visited if not any(child.status == VISITED for child in node.children.values())]
