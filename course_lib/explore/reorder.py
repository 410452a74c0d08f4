"""Controls for the order of the moves in the explorer; after each change the search runs again."""

from collections.abc import Callable, Iterable
from copy import copy
from functools import partial

import ipywidgets as widgets

from course_lib.explore.tree import Tree, button_row, encode_columns, set_traits
from course_lib.games import CHANCE
from course_lib.games.game import Action, State
from course_lib.games.texts import action_text
from course_lib.games.walking import moves_of
from course_lib.search import best_first, expectiminimax_search
from course_lib.watch.record import VISITED, SearchTrace

MAX_NODES = 2_000
"""Larger trees cannot be reordered, because the search runs again after every change."""


class Reorder(widgets.HBox):
    """The buttons that change the order of the moves, and the number of leaves that the search visited.

    `tree` shows the trace, and then that of each new search; it sends which node the reader has moved.
    """

    def __init__(self, trace: SearchTrace, tree: Tree) -> None:
        game, states = trace.game, [node.state for node in _leaves(trace)]
        if game.players > 2 or len(trace.states()) > MAX_NODES or not all(map(game.is_terminal, states)):
            raise ValueError(f"reorder is for a search to the end of a game of two players, in a tree of at most "
                             f"{MAX_NODES:,} nodes, not for {trace!r}")  # fmt: skip
        self._first, self._tree, self._leaves = trace, tree, widgets.HTML()
        self._order: dict[State, tuple[Action, ...]] = {}  # the reader's
        best = best_first(game, expectiminimax_search)
        choices = {"best first": best, "worst first": lambda state: reversed(best(state)), "as given": None}
        buttons = button_row({name: partial(self.reorder, choose) for name, choose in choices.items()})
        row = [widgets.Label("Order of the moves:"), *buttons, self._leaves]
        super().__init__(row, layout={"flex_flow": "row wrap"})
        tree.on_msg(self._receive)
        self._count(trace)

    def reorder(self, choose: Callable[[State], Iterable[Action]] | None) -> None:
        """Order the actions of every state by `choose(state)`, or as the game does (None), and search again."""
        game, nodes = self._first.game, self._first.nodes()
        decided = [n.state for n in nodes if not game.is_terminal(n.state) and game.to_move(n.state) != CHANCE]
        self._order = {state: tuple(choose(state)) for state in decided} if choose else {}
        self._search_again()

    def move(self, path: list[str], by: int) -> None:
        """Move a node, given by the texts of its actions, by `by` places among its siblings, and search again."""
        game, state = self._reordered(), self._first.root.state
        for text in path:
            above, actions = state, [action for action, _ in moves_of(game, state)]
            at = next(at for at, action in enumerate(actions) if action_text(action) == text)
            state = game.result(above, actions[at])
        place = max(0, min(at + by, len(actions) - 1))
        if place != at and game.to_move(above) != CHANCE:
            actions.insert(place, actions.pop(at))
            self._order[above] = tuple(actions)
            self._search_again()

    def _receive(self, _, message, __):
        if message["type"] == "move":
            self.move(message["path"], message["by"])

    def _reordered(self):
        """The game with the actions in the reader's order."""
        game, order = copy(self._first.game), dict(self._order)
        game.actions = lambda state: order.get(state) or self._first.game.actions(state)
        return game

    def _search_again(self):
        trace, tree = self._first.rerun(self._reordered()), self._tree
        tree.positions = trace.game, trace.states()
        set_traits(tree, {"tree": encode_columns(trace.columns(), tree.tree["run"] + 1), "step": trace.steps})
        self._count(trace)

    def _count(self, trace):
        self._leaves.value = f"<b>{len(_leaves(trace))}</b> leaves visited in this order"


def _leaves(trace):
    """The nodes at which the search stopped."""
    visited = [node for node in trace.nodes() if node.status == VISITED]
    return [node for node in visited if not any(child.status == VISITED for child in node.children.values())]
