"""A game tree as columns of numbers and one list of texts: the form in which the explorer and the pictures read it."""

import math
from array import array
from functools import cache

from course_lib.search.anytime import garbage_collection_paused
from course_lib.watch.calls import ASK, ASKED, CUT, ENTER, EXIT, UPDATE, VISITED
from course_lib.watch.paths import kind_of

KINDS = {"leaf": 0, "max": 1, "min": 2, "chance": 3}
EVENTS = {ENTER: 0, UPDATE: 1, EXIT: 2, ASK: 3}
WINDOW = {"alpha", "beta"}
STATUSES = {VISITED: 0, ASKED: 1, CUT: 2}


def number_text(value):
    """A value as the course writes it: −1, 0.25, +∞, (1, 2, 3)."""
    if isinstance(value, int):
        text = str(value).replace("-", "−")
    elif isinstance(value, float):
        text = f"{value:.0f}" if 1e4 <= abs(value) < 1e9 else f"{value:.4g}"
        text = ("+∞" if value > 0 else "−∞") if math.isinf(value) else text.replace("-", "−")
    elif isinstance(value, tuple):
        text = f"({', '.join(map(number_text, value))})"
    else:
        text = str(value)
    return text if len(text) <= 24 else text[:23] + "…"


def action_text(action, probability=None):
    """An action as it is written on an edge, with its probability if chance chooses it."""
    text = number_text(action)
    return text if probability is None else f"{text}: {number_text(round(float(probability), 4))}"


def kind_number(game, state):
    """The number by which the explorer knows how a node is drawn; players from the third on follow chance."""
    kind = kind_of(game, state)
    return KINDS[kind] if kind in KINDS else 2 + int(kind.removeprefix("player "))


def leaf_text(game, state):
    """The utility of a terminal state: Max's where two play or one, else everybody's; "" in other states."""
    if not game.is_terminal(state):
        return ""
    players = getattr(game, "players", 2)
    return number_text(
        game.utility(state, 0) if players <= 2 else tuple(game.utility(state, p) for p in range(players))
    )


class Texts(dict):
    """Numbers for texts, given out in the order in which the texts first come up."""

    def __missing__(self, text):
        self[text] = len(self)
        return self[text]


@garbage_collection_paused()
def columns_of(watched):
    """The columns of a watched search with their texts, and its nodes in the order of their numbers."""
    texts, game = Texts(), watched.game
    nodes = list(watched.nodes())
    look = cache(lambda state: (kind_number(game, state), texts[leaf_text(game, state)]))
    action = cache(lambda action: texts[action_text(action)])
    looks = [look(node.state) for node in nodes]
    actions = array("i", [action(node.action) for node in nodes])
    edges = actions[:]
    for node, (kind, _) in zip(nodes, looks):
        if kind == KINDS["chance"]:
            for outcome, probability in game.chances(node.state):
                if outcome in node.children:
                    edges[node.children[outcome].number] = texts[action_text(outcome, probability)]
    columns = {
        "parent": array("i", [-1 if node.parent is None else node.parent.number for node in nodes]),
        "kind": bytes(kind for kind, _ in looks),
        "status": bytes([STATUSES[node.status] for node in nodes]),
        "action": actions,
        "edge": edges,
        "leaf": array("i", [leaf for _, leaf in looks]),
        "size": array("i", [texts["… children not all recorded" if node in watched.partial else ""] for node in nodes]),
        "move": array("i", [-1 if node.move is None else node.children[node.move].number for node in nodes]),
    }
    return {"texts": texts, "columns": columns | _event_columns(watched, texts)}, nodes


def columns_of_rows(rows):
    """The columns of nodes that come as dictionaries, parents first; `more` counts the children that a node has."""
    texts = Texts()
    columns = {name: array("i", [row[name] for row in rows]) for name in ("parent", "more")}
    columns |= {name: array("i", [texts[row[name]] for row in rows]) for name in ("action", "edge", "leaf", "size")}
    return {
        "texts": texts,
        "columns": columns | {"kind": bytes(row["kind"] for row in rows), "status": bytes(len(rows))},
    }


def _event_columns(watched, texts):
    """What happened, step by step; α and β apart from the other arguments, since the explorer draws them."""
    columns = {name: array("i", [-1]) * len(watched.events) for name in ("value", *WINDOW, "rest")}
    for step, (event, node, detail) in enumerate(watched.events):
        if event == EXIT:
            unknown = detail is None and node.move is not None
            columns["value"][step] = -1 if unknown else texts[number_text(detail)]
        elif detail:
            window = WINDOW if detail.keys() >= WINDOW else ()
            for name in window:
                columns[name][step] = texts[number_text(detail[name])]
            others = ", ".join(f"{name} = {number_text(value)}" for name, value in detail.items() if name not in window)
            columns["rest"][step] = texts[others] if others else -1
    used = {name: column for name, column in columns.items() if column.count(-1) < len(column)}
    ops = bytes([EVENTS[event] for event, _, _ in watched.events])
    return {"op": ops, "at": array("i", [node.number for _, node, _ in watched.events])} | used
