"""The nodes of a tree after a number of steps, from the columns of its trace, for a picture."""

from collections.abc import Sequence

from course_lib.watch.mcts_record import PHASES, fraction
from course_lib.watch.record import CUT, ENTER, EVENTS, EXIT, GENERATE, GENERATED, STATUSES, VISITED
from course_lib.watch.texts import KINDS


class Node:
    """A node at some step: its texts, its `status` (`VISITED`, `GENERATED`, `CUT`, "new", "stack") and its `children`.

    `more` is the number of children without a node; `visits` are those of a Monte Carlo tree search, or None. In a
    picture, `drawn` are the children that fit, and x and y are in pixels from the top left.
    """

    def __init__(self, number: int, kind: str, edge: str, value: str, more: int) -> None:
        self.number, self.kind, self.edge, self.value, self.more = number, kind, edge, value, more
        self.status, self.window, self.chosen, self.visits = VISITED, "", False, None
        self.children: list[Node] = []
        self.drawn: list[Node] = []
        self.rows: Sequence[str] | None = None  # its board
        self.depth = 0
        self.x = self.y = 0.0

    @property
    def below(self) -> str:
        """The text below the node: its window, and the number of children that are not drawn."""
        hidden = 0 if self.drawn else len(self.children) or self.more
        return "  ".join(filter(None, (self.window if self.children else "", f"+{hidden}" if hidden else "")))


def snapshot(record: dict, step: int | None = None) -> list[Node]:
    """The nodes of a trace (of what `columns()` returns) after `step` steps, by number; without `step`, after all.

    Nodes that are not in the tree yet are not among any node's children.
    """
    columns, texts, kinds = record["columns"], list(record["texts"]), list(KINDS)

    def text(name, at):
        """The text that a column has for a node or a step; "" without one."""
        column = columns.get(name)
        return "" if column is None or column[at] < 0 else texts[column[at]]

    edge, more = "edge" if "edge" in columns else "action", columns.get("more")
    nodes = []
    for i, kind in enumerate(columns["kind"]):
        name = kinds[kind] if kind < len(kinds) else f"player {kind - 2}"
        nodes.append(Node(i, name, text(edge, i) if i else "", text("leaf", i), more[i] if more else 0))
    if "op" in columns:
        steps = len(columns["op"]) if step is None else step
        if "created" in columns:
            _replay_mcts(nodes, columns, steps)
        else:
            _replay(nodes, columns, steps, text)
    for i in sorted(range(1, len(nodes)), key=columns.get("rank", range(len(nodes))).__getitem__):
        if "created" not in columns or columns["created"][i] <= steps:
            nodes[columns["parent"][i]].children.append(nodes[i])
    return nodes


def _replay(nodes, columns, steps, text):
    """Replay a recursive search, event by event."""
    for node in nodes:
        node.status = "new"
    for e in range(steps):
        node, op = nodes[columns["at"][e]], columns["op"][e]
        node.status = {EVENTS[EXIT]: VISITED, EVENTS[GENERATE]: GENERATED}.get(op, "stack")
        if op in (EVENTS[ENTER], EVENTS[GENERATE]):
            node.value = text("leaf", node.number)
        elif op == EVENTS[EXIT]:
            node.value = text("value", e)
        if text("alpha", e):
            node.window = f"[{text('alpha', e)}, {text('beta', e)}]"
    for node, status, move in zip(nodes, columns["status"], columns["move"]):
        if status == STATUSES[CUT] and nodes[columns["parent"][node.number]].status in (VISITED, CUT):
            node.status = CUT
        if move >= 0 and node.status == VISITED:
            nodes[move].chosen = True


def _replay_mcts(nodes, columns, steps):
    """Replay a Monte Carlo tree search, iteration by iteration."""
    visits, sums = [*columns["start_n"]], [*columns["start_u"]]
    for e in range(columns["changed_from"][steps // len(PHASES)]):
        i = columns["changed"][e]
        visits[i], sums[i] = columns["n"][e], columns["u"][e]
    for node, n, u in zip(nodes, visits, sums):
        node.value, node.visits = fraction(u, n), n
