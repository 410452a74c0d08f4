"""The trace of a recursive search: the tree of its calls, and its events in order; and the columns of any trace."""

from array import array
from functools import cache, cached_property
from math import nan
from numbers import Real
from typing import Any

from course_lib.games import MAX, Game
from course_lib.games.game import Action, GameWrapper, State
from course_lib.games.texts import action_text, number_text
from course_lib.games.walking import kind_of, moves_of
from course_lib.language import N_, gettext, translated

ENTER, UPDATE, EXIT, GENERATE = "enter", "update", "exit", "generate"
"""The events at a node: it is called, its α or β changes, it returns, its state is generated but not searched."""
EVENTS = {ENTER: 0, UPDATE: 1, EXIT: 2, GENERATE: 3}

VISITED, GENERATED, CUT = "visited", "generated", "cut"
"""A node was searched; its state was generated but not searched; its state was never generated."""
STATUSES = {VISITED: 0, GENERATED: 1, CUT: 2}
WINDOW = {"alpha", "beta"}
KINDS = {"leaf": 0, "max": 1, "min": 2, "chance": 3}


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


# The texts and columns of nodes, which every trace has.


def leaf_text(game: Game, state: State) -> str:
    """The utility of a terminal state, and "" for other states.

    With one or two players it is Max's utility; with more players it is a vector, such as (1, 2, 3).
    """
    if not game.is_terminal(state):
        return ""
    if game.players <= 2:
        return number_text(game.utility(state, MAX))
    return number_text(tuple(game.utility(state, player) for player in range(game.players)))


def kind_number(game: Game, state: State) -> int:
    """The number of a node's kind in the explorer; players from the third on come after chance."""
    kind = kind_of(game, state)
    return KINDS[kind] if kind in KINDS else 2 + int(kind.removeprefix("player "))


class Identity:
    """What stands for a state that is not hashable: the object itself, whatever is in it."""

    def __init__(self, state: State) -> None:
        self.state = state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.state is other.state

    def __hash__(self) -> int:
        return id(self.state)


def key_of(state: State) -> Any:
    """What tells a state from others: the state, or its `Identity` if it is not hashable."""
    try:
        hash(state)
    except TypeError:
        return Identity(state)
    return state


class TextTable(dict):
    """Text → its index, in the order in which the texts are first looked up; `numbers` are those that texts show."""

    def __init__(self) -> None:
        self.numbers: dict[int, float] = {}

    def __missing__(self, text: str) -> int:
        self[text] = len(self)
        return self[text]

    def of_value(self, value: Any) -> int:
        """The index of the text of a value; a number is kept beside its text."""
        index = self[number_text(value)]
        if isinstance(value, Real) and not isinstance(value, bool):
            self.numbers[index] = float(value)
        return index

    def column(self) -> array:
        """The number that each text shows, or nan."""
        return array("d", [self.numbers.get(index, nan) for index in range(len(self))])


def node_columns(game: Game, parents: list[int], states: list, actions: list, texts: TextTable) -> dict:
    """The columns that every trace has, by the number of a node; the labels of edges are one in games of chance."""
    keys = list(map(key_of, states))
    distinct = dict(zip(keys, states))
    kind = {key: kind_number(game, state) for key, state in distinct.items()}
    leaf = {key: texts[leaf_text(game, state)] for key, state in distinct.items()}
    named = {action: texts[action_text(action)] for action in dict.fromkeys(actions)}
    columns = {
        "parent": array("i", parents),
        "kind": bytes(map(kind.__getitem__, keys)),
        "action": array("i", map(named.__getitem__, actions)),
        "leaf": array("i", map(leaf.__getitem__, keys)),
    }
    if KINDS["chance"] in columns["kind"]:
        moves = [{} if above < 0 else dict(moves_of(game, states[above])) for above in parents]
        chances = [probabilities.get(action) for probabilities, action in zip(moves, actions)]
        columns["edge"] = array("i", [texts[action_text(*edge)] for edge in zip(actions, chances)])
        columns["probability"] = array("i", [-1 if p is None else texts[number_text(p)] for p in chances])
    has_other_form = hasattr(game, "nodes") or game.grid(states[0]) is not None  # a tree, or a board
    if not has_other_form:
        written = {key: texts[translated(game.render(state))] for key, state in distinct.items()}
        columns["state"] = array("i", map(written.__getitem__, keys))
    return columns


class ErrorsAsLeaves(GameWrapper):
    """A game in which a state whose moves raise an error is a leaf of unknown utility: the tree can be drawn."""

    def is_terminal(self, state: State) -> bool:
        try:
            return not [self._game.result(state, action) for action, _ in moves_of(self._game, state)]
        except Exception:
            return True

    def utility(self, state: State, player: int) -> Any:
        try:
            return self._game.utility(state, player)
        except Exception:
            return "?"

    def render(self, state: State) -> str:
        try:
            return self._game.render(state)
        except Exception as error:
            return gettext("the game raises {name} here: {error}", name=type(error).__name__, error=error)
