"""What `watch` keeps of a search that calls itself: the tree of its calls, and what happened in which order."""

from array import array
from collections.abc import Hashable, Iterable
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from course_lib.games import Game
from course_lib.search.anytime import garbage_collection_paused
from course_lib.watch.texts import KINDS, Texts, edge_text, narrow, node_columns, number_text

if TYPE_CHECKING:
    import networkx

ENTER, UPDATE, EXIT, ASK = "enter", "update", "exit", "ask"
"""What can happen at a node: it is called, its α or β changes, it returns, its state is made without a call."""
EVENTS = {ENTER: 0, UPDATE: 1, EXIT: 2, ASK: 3}

VISITED, ASKED, CUT = "visited", "asked", "cut"
"""A node was searched; its state was made but not searched; it was never looked at."""
STATUSES = {VISITED: 0, ASKED: 1, CUT: 2}
WINDOW = {"alpha", "beta"}


class TraceNode:
    """A state that the search came to, or left out, and the `arguments`, `value` and `move` of its last call.

    `number` is its place in the order of `SearchTrace.nodes`.
    """

    __slots__ = ("action", "arguments", "children", "move", "number", "parent", "state", "status", "value")

    def __init__(self, parent: "TraceNode | None", action: Any, state: Hashable, status: str = ASKED) -> None:
        self.parent, self.action, self.state, self.status = parent, action, state, status
        self.children = {}
        self.arguments = {}
        self.value = self.move = None

    @property
    def path(self) -> tuple:
        """The actions from the root of the watched tree to this node."""
        actions, node = [], self
        while node.parent is not None:
            actions.append(node.action)
            node = node.parent
        return tuple(reversed(actions))


class SearchTrace:
    """What `watch` recorded of one search.

    `root` is the root of the tree of `TraceNode`s. `events` lists (event, node, detail) in the order in which they
    happened: the detail of `ENTER` and `UPDATE` is the arguments; that of `EXIT` is the value, or None after an
    exception. `result` is what the search returned; it is None if the search raised `error`. `fault` is an error that
    the game raised when the record was completed. `again(game)` watches the same search on another game.
    """

    def __init__(self, name: str, game: Game, state: Hashable, max_nodes: int) -> None:
        self.name, self.game, self.max_nodes = name, game, max_nodes
        self.root = TraceNode(None, None, state)
        self.count = 1
        self.full = False
        self.events, self.ordered = [], None
        self.result = self.error = self.fault = None

    @property
    def steps(self) -> int:
        """How many steps were recorded: one for each event."""
        return len(self.events)

    @property
    def notice(self) -> str:
        """A sentence that says what is missing from the record, or an empty string."""
        parts = []
        if self.full:
            parts.append(f"Only the first {self.max_nodes:,} nodes were recorded; the search itself went on. "
                         "Give watch(…, max_nodes=…) a larger number to see more.")  # fmt: skip
        if self.error is not None:
            parts.append(f"The search was stopped by {_said(self.error)}; this is the tree up to there.")
        elif self.fault is not None:
            parts.append(f"The game raised {_said(self.fault)} when it was asked about a state of this tree.")
        if self.error is None and self.count == 1 and not self.game.is_terminal(self.root.state):
            parts.append("No state was asked of the game that watch could follow: it sees what result(state, action) "
                         "returns, asked in the thread that called watch.")  # fmt: skip
        return " ".join(parts)

    def nodes(self) -> Iterable[TraceNode]:
        """Every node, parents before children, children in the game's own order of actions.

        A record that is complete has them as a list, `ordered`.
        """
        return self.ordered or self._walk()

    def _walk(self):
        unread = [self.root]
        while unread:
            node = unread.pop()
            yield node
            unread += reversed(node.children.values())

    def states(self) -> list:
        """The states of all nodes, in the order of `nodes`."""
        return [node.state for node in self.nodes()]

    def columns(self) -> dict:
        """The tree and its events as columns, for the explorer in the browser. They are made once."""
        return self._columns

    @cached_property
    @garbage_collection_paused()
    def _columns(self):
        texts, nodes = Texts(), list(self.nodes())
        columns = _node_columns(self, nodes, texts)
        events = _event_columns(self.events, texts)
        return {"texts": texts, "columns": columns | events, "players": self.game.players}

    @cached_property
    def graph(self) -> "networkx.DiGraph":
        """The tree as a networkx `DiGraph`. Its nodes are paths with `state`, `status`, `value` and `move`."""
        import networkx  # takes a third of a second, and a search is watched more often than measured

        graph = networkx.DiGraph()
        for node in self.nodes():
            graph.add_node(node.path, state=node.state, status=node.status, value=node.value, move=node.move)
            if node.parent is not None:
                graph.add_edge(node.parent.path, node.path, action=node.action)
        return graph

    def __repr__(self) -> str:
        outcome = f"raised {type(self.error).__name__}" if self.error is not None else f"returned {self.result!r}"
        return f"Watched({self.name} on {self.game!r}: {self.count:,} nodes, {outcome})"


def _said(error):
    """The kind of an error, and what it says."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _node_columns(trace, nodes, texts):
    """What stays the same in each node. The texts of edges are there only if they say more than the actions do."""
    parents = [-1] + [node.parent.number for node in nodes[1:]]
    columns = node_columns(trace.game, parents, trace.states(), [node.action for node in nodes], texts)
    columns["status"] = bytes([STATUSES[node.status] for node in nodes])
    columns["move"] = array("i", [-1 if node.move is None else node.children[node.move].number for node in nodes])
    if KINDS["chance"] in columns["kind"]:
        above = [None, *(node.parent.state for node in nodes[1:])]
        columns["edge"] = narrow(texts[edge_text(trace.game, a, node.action)] for a, node in zip(above, nodes))
    return columns


def _event_columns(events, texts):
    """What happened, step by step; α and β apart from the other arguments, since the explorer draws them."""
    columns = {name: [-1] * len(events) for name in ("value", *WINDOW, "rest")}
    of_whole = cache(lambda value: texts[number_text(value)])  # most values are one of a few whole numbers
    for step, (event, node, detail) in enumerate(events):
        if event == EXIT:
            if detail is not None or node.move is None:
                columns["value"][step] = of_whole(detail) if type(detail) is int else texts[number_text(detail)]
        elif detail:
            window = WINDOW if detail.keys() >= WINDOW else ()
            for name in window:
                columns[name][step] = texts[number_text(detail[name])]
            others = ", ".join(f"{name} = {number_text(value)}" for name, value in detail.items() if name not in window)
            columns["rest"][step] = texts[others] if others else -1
    used = {name: narrow(column) for name, column in columns.items() if column.count(-1) < len(column)}
    ops = bytes([EVENTS[event] for event, _, _ in events])
    return {"op": ops, "at": array("i", [node.number for _, node, _ in events])} | used
