"""A tree after a number of steps, from the columns of its trace, for a picture."""

from math import inf

from course_lib.watch.mcts_record import PHASES, fraction
from course_lib.watch.record import CUT, ENTER, EVENTS, EXIT, GENERATE, GENERATED, STATUSES, VISITED
from course_lib.watch.texts import KINDS


class Snapshot:
    """The tree of a trace (what `columns()` returns) after `step` steps; without `step`, after all.

    By number of a node: its `children`, `status` (`VISITED`, `GENERATED`, `CUT`, "new", "stack"), `value` and `window`.
    At most `max_nodes` nodes are drawn.
    """

    max_nodes = inf

    def __init__(self, record: dict, step: int | None = None) -> None:
        self.columns, self.texts = record["columns"], list(record["texts"])
        self.kinds, nodes = list(KINDS), range(len(self.columns["kind"]))
        self.status, self.window = [VISITED] * len(nodes), [""] * len(nodes)
        self.value, self.visits = [self.text("leaf", i) for i in nodes], None
        present = nodes
        if "created" in self.columns:
            present = self._replay_mcts(len(self.columns["op"]) if step is None else step)
        elif "op" in self.columns:
            self._replay(len(self.columns["op"]) if step is None else step)
        self.children = [[] for _ in nodes]
        rank = self.columns.get("rank", nodes)
        for i in sorted(present, key=rank.__getitem__):
            if i:
                self.children[self.columns["parent"][i]].append(i)

    def text(self, name: str, at: int) -> str:
        """The text that a column has for a node or a step; "" without one."""
        column = self.columns.get(name)
        return "" if column is None or column[at] < 0 else self.texts[column[at]]

    def edge(self, i: int) -> str:
        """The label of the edge to a node."""
        return self.text("edge" if "edge" in self.columns else "action", i) if i else ""

    def kind(self, i: int) -> str:
        """The kind of a node: "leaf", "max", "min", "chance", "player 2" …"""
        kind = self.columns["kind"][i]
        return self.kinds[kind] if kind < len(self.kinds) else f"player {kind - 2}"

    def more(self, i: int) -> int:
        """The number of children of a node that are not in the columns."""
        return self.columns["more"][i] if "more" in self.columns else 0

    def is_chosen(self, i: int) -> bool:
        """Whether the search chose this node at its parent."""
        above, move = self.columns["parent"][i], self.columns.get("move")
        return above >= 0 and move is not None and move[above] == i and self.status[above] == VISITED

    def _replay(self, steps):
        """Replay a recursive search, event by event."""
        columns = self.columns
        self.status = ["new"] * len(self.status)
        for e in range(steps):
            i, op = columns["at"][e], columns["op"][e]
            self.status[i] = {EVENTS[EXIT]: VISITED, EVENTS[GENERATE]: GENERATED}.get(op, "stack")
            if op in (EVENTS[ENTER], EVENTS[GENERATE]):
                self.value[i] = self.text("leaf", i)
            elif op == EVENTS[EXIT]:
                self.value[i] = self.text("value", e)
            if self.text("alpha", e):
                self.window[i] = f"[{self.text('alpha', e)}, {self.text('beta', e)}]"
        for i, status in enumerate(columns["status"]):
            if status == STATUSES[CUT] and self.status[columns["parent"][i]] in (VISITED, CUT):
                self.status[i] = CUT

    def _replay_mcts(self, steps):
        """Replay a Monte Carlo tree search, iteration by iteration; return the nodes of the tree."""
        columns, self.max_nodes = self.columns, 60
        self.visits, sums = [*columns["start_n"]], [*columns["start_u"]]
        for e in range(columns["changed_from"][steps // len(PHASES)]):
            i = columns["changed"][e]
            self.visits[i], sums[i] = columns["n"][e], columns["u"][e]
        self.value = [fraction(*numbers) for numbers in zip(sums, self.visits)]
        return [i for i, created in enumerate(columns["created"]) if created <= steps]
