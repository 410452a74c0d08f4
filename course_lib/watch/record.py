"""The trace of a recursive search: the tree of its calls, and its events in order."""

from array import array
from functools import cache, cached_property
from typing import Any

from course_lib.collector import garbage_collection_paused
from course_lib.games import Game
from course_lib.games.game import Action, State
from course_lib.games.texts import number_text
from course_lib.language import N_, gettext, translated
from course_lib.watch.texts import TextTable, node_columns

ENTER, UPDATE, EXIT, GENERATE = "enter", "update", "exit", "generate"
"""The events at a node: it is called, its α or β changes, it returns, its state is generated but not searched."""
EVENTS = {ENTER: 0, UPDATE: 1, EXIT: 2, GENERATE: 3}

VISITED, GENERATED, CUT = "visited", "generated", "cut"
"""A node was searched; its state was generated but not searched; its state was never generated."""
STATUSES = {VISITED: 0, GENERATED: 1, CUT: 2}
WINDOW = {"alpha", "beta"}


class TraceNode:
    """A state that the search visited or left out, with the `arguments`, `value` and `move` of its last call.

    `number` is its index in the order of `SearchTrace.nodes`.
    """

    __slots__ = ("action", "arguments", "children", "move", "number", "parent", "state", "status", "value")

    def __init__(self, parent: "TraceNode | None", action: Any, state: State, status: str = GENERATED) -> None:
        self.parent, self.action, self.state, self.status = parent, action, state, status
        self.number: int = -1
        self.children: dict[Action, TraceNode] = {}
        self.arguments: dict[str, Any] = {}
        self.value: Any = None
        self.move: Action = None

    @property
    def path(self) -> tuple:
        """The actions from the root to this node."""
        actions, node = [], self
        while node.parent is not None:
            actions.append(node.action)
            node = node.parent
        return tuple(reversed(actions))


class SearchTrace:
    """The trace of one search, as `watch` returns it.

    `root` is the root of the tree of `TraceNode`s. `events` is the list of (event, node, detail) in order: the detail
    of `ENTER` and `UPDATE` is the arguments; that of `EXIT` is the value, or None after an exception. `result` is what
    the search returned, or None if it raised `error`. `game_error` is an error that the game raised after the search.
    """

    def __init__(self, name: str, game: Game, state: State, max_nodes: int) -> None:
        self.name, self.game, self.max_nodes = name, game, max_nodes
        self.root = TraceNode(None, None, state)
        self.count = 1
        self.truncated = False
        self.events: list[tuple[str, TraceNode, Any]] = []
        self.ordered: list[TraceNode] = []
        self.result: Any = None
        self.error: BaseException | None = None
        self.game_error: Exception | None = None

    @property
    def steps(self) -> int:
        """The number of recorded steps: one for each event."""
        return len(self.events)

    @property
    def notice(self) -> str:
        """Sentences on what is missing from the trace, or an empty string."""
        parts = []
        if self.truncated:
            words = N_("Only the first {count:,} nodes were recorded; the search itself ran to its end. "
                       "Pass a larger max_nodes to watch to see more.")  # fmt: skip
            parts.append(gettext(words, count=self.max_nodes))
        if self.error is not None:
            parts.append(gettext("The search raised {error}; the tree ends there.", error=_as_raised(self.error)))
        elif self.game_error is not None:
            parts.append(gettext("The game raised {error} in a state of this tree.", error=_as_raised(self.game_error)))
        inside = any(event == ENTER and node is not self.root for event, node, _ in self.events)
        if self.error is None and not inside and not self.game.is_terminal(self.root.state):
            words = N_("The tree shows no values: in the thread that called watch, no call inside the search has a "
                       "state as an argument that result(state, action) of this game has returned.")  # fmt: skip
            parts.append(gettext(words))
        return " ".join(parts)

    def nodes(self) -> list[TraceNode]:
        """Every node, parents before children, children in the game's order of actions."""
        return self.ordered

    def states(self) -> list:
        """The states of all nodes, in the order of `nodes`."""
        return [node.state for node in self.nodes()]

    def columns(self) -> dict:
        """The tree and its events as columns, for the explorer in the browser."""
        return self._columns

    @cached_property
    @garbage_collection_paused()
    def _columns(self):
        texts = TextTable()
        columns = _node_columns(self, texts) | _event_columns(self.events, texts)
        return {"texts": texts, "columns": columns, "players": self.game.players}

    def __repr__(self) -> str:
        outcome = f"raised {type(self.error).__name__}" if self.error is not None else f"returned {self.result!r}"
        return f"SearchTrace({self.name} on {self.game!r}: {self.count:,} nodes, {outcome})"


def _as_raised(error):
    """The error as Python writes it, in the language of the course."""
    said = translated(str(error))
    return repr(error) if said == str(error) else f"{type(error).__name__}('{said}')"


def _node_columns(trace, texts):
    """The columns that are constant during the search."""
    nodes = trace.nodes()
    parents = [-1] + [node.parent.number for node in nodes[1:]]
    columns = node_columns(trace.game, parents, trace.states(), [node.action for node in nodes], texts)
    columns["status"] = bytes([STATUSES[node.status] for node in nodes])
    columns["move"] = array("i", [-1 if node.move is None else node.children[node.move].number for node in nodes])
    return columns


def _event_columns(events, texts):
    """The columns of the events; α and β are columns of their own, since the explorer draws them."""
    columns = {name: [-1] * len(events) for name in ("value", *WINDOW, "rest")}
    of_whole = cache(texts.of_value)  # most values are one of a few whole numbers
    for step, (event, node, detail) in enumerate(events):
        if event == EXIT:
            if detail is not None or node.move is None:
                columns["value"][step] = (of_whole if type(detail) is int else texts.of_value)(detail)
        elif detail:
            window = WINDOW if detail.keys() >= WINDOW else ()
            for name in window:
                columns[name][step] = texts.of_value(detail[name])
            others = ", ".join(f"{name} = {number_text(value)}" for name, value in detail.items() if name not in window)
            columns["rest"][step] = texts[others] if others else -1
    used = {name: array("i", column) for name, column in columns.items() if column.count(-1) < len(column)}
    ops = bytes([EVENTS[event] for event, _, _ in events])
    at = array("i", [node.number for _, node, _ in events])
    return {"op": ops, "at": at, "numbers": texts.column()} | used
