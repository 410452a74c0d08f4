"""What explorers and pictures show: a trace, or the tree of a game, level by level, and its columns."""

from array import array
from collections.abc import Callable, Mapping
from typing import Any

from course_lib.games import Game
from course_lib.games.game import State
from course_lib.games.validation import as_game
from course_lib.games.walking import ErrorsAsLeaves, moves_of
from course_lib.watch import MCTSTrace, SearchTrace
from course_lib.watch.texts import TextTable, node_columns

Trace = SearchTrace | MCTSTrace
LABELS = "action", "edge", "leaf", "size", "state"
"""The columns that hold texts."""


class GameTree:
    """The tree of a game below `state`, level by level until `stop(nodes, depth)`.

    By number of a node: its `parents`, `actions` and `states`. An error of the game at the root is raised; where it
    raises one below the root, there is a leaf.
    """

    def __init__(self, game: Game, state: State, stop: Callable[[int, int], bool] = lambda nodes, depth: False):
        for action, _ in moves_of(game, state):
            game.result(state, action)
        self.game, self.parents, self.actions, self.states = ErrorsAsLeaves(game), [-1], [None], [state]
        level, depth = range(1), 0
        while level and not stop(len(self.states), depth):
            first = len(self.states)
            for above in level:
                for action, _ in moves_of(self.game, self.states[above]):
                    self.parents.append(above)
                    self.actions.append(action)
                    self.states.append(game.result(self.states[above], action))
            level, depth = range(first, len(self.states)), depth + 1

    def columns(self, size: Callable[[State], str] | None = None, given: Mapping[tuple, str] = {}) -> dict:
        """The columns of the nodes, with the text `size(state)`, and the texts `given` beside their actions, by path.

        `more` is the number of children of a node.
        """
        texts = TextTable()
        columns = node_columns(self.game, self.parents, self.states, self.actions, texts)
        more = [len(moves_of(self.game, state)) for state in self.states]
        columns |= {"more": array("i", more), "status": bytes(len(more))}
        if size:
            columns["size"] = array("i", [texts[size(state)] for state in self.states])
        if given:
            written = list(texts)
            edges = [f"{written[edge]} {given.get(path, '')}" for edge, path in zip(columns["action"], self.states)]
            columns["edge"] = array("i", [texts[edge.strip()] for edge in edges])
        return {"texts": texts, "columns": columns, "players": self.game.players}

    def children(self, size: Callable[[State], str]) -> list[dict]:
        """A row for each node below the root, as the browser appends them: texts by their `LABELS`, and numbers."""
        sent = self.columns(size)
        texts, columns = list(sent["texts"]), {"edge": sent["columns"]["action"]} | sent["columns"]
        return [
            {name: texts[column[i]] if name in LABELS else column[i] for name, column in columns.items()}
            for i in range(1, len(self.states))
        ]


def trace_or_game(given: Any) -> Trace | Game:
    """This trace or game; `ValueError` if it is neither."""
    if callable(given) and not isinstance(given, type):
        name = getattr(given, "__name__", repr(given))
        raise ValueError(f"{name} is a function: pass watch({name}, game) or watch_mcts({name}, game)")
    try:
        return given if isinstance(given, Trace) else as_game(given)
    except ValueError as error:
        raise ValueError(f"Expected what watch() returned, or a game. {error}") from None


def draws_boards(game: Game, state: State, wanted: bool | None) -> bool:
    """Whether boards are drawn in the nodes: as `wanted`, or else if they are small."""
    rows = game.grid(state)
    return rows is not None and (max(len(rows), len(rows[0])) <= 4 if wanted is None else wanted)
