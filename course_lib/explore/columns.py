"""A game tree as columns of numbers and one list of texts: the form in which the explorer and the pictures read it."""

import math
from array import array
from functools import cache

from course_lib.explore.watch import ASK, ASKED, CUT, ENTER, EXIT, UPDATE, VISITED, kind_of, moves_of

KINDS = {"leaf": 0, "max": 1, "min": 2, "chance": 3}
EVENTS = {ENTER: 0, UPDATE: 1, EXIT: 2, ASK: 3}
STATUSES = {VISITED: 0, ASKED: 1, CUT: 2}


def number_text(value):
    """A value as the course writes it: −1, 0.25, +∞, (1, 2, 3)."""
    if isinstance(value, tuple):
        return f"({', '.join(map(number_text, value))})"
    if isinstance(value, float) and math.isinf(value):
        return "+∞" if value > 0 else "−∞"
    if isinstance(value, float):
        return f"{value:.4g}".replace("-", "−")
    text = str(value).replace("-", "−") if isinstance(value, int) else str(value)
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


def columns_of(watched):
    """The columns of a watched search, and its nodes in the order of their numbers."""
    texts, game = Texts(), watched.game
    nodes = list(watched.nodes())
    number = {node: index for index, node in enumerate(nodes)}
    edges = {}
    for node in nodes:
        if node.children:
            for action, probability in moves_of(game, node.state):
                if probability is not None:
                    edges[node, action] = probability
    said = cache(number_text)
    node_columns = {
        "parent": array("i", (-1 if node.parent is None else number[node.parent] for node in nodes)),
        "kind": bytes(kind_number(game, node.state) for node in nodes),
        "status": bytes(STATUSES[node.status] for node in nodes),
        "action": array("i", (texts[said(node.action)] for node in nodes)),
        "edge": array("i", (texts[action_text(node.action, edges.get((node.parent, node.action)))] for node in nodes)),
        "leaf": array("i", (texts[leaf_text(game, node.state)] for node in nodes)),
        "size": array("i", [texts[""]]) * len(nodes),
    }
    return {"texts": texts, "columns": node_columns | _event_columns(watched, number, texts)}, nodes


def _event_columns(watched, number, texts):
    """What happened, step by step; α and β apart from the other arguments, since the explorer draws them."""
    ops, at = bytearray(), array("i")
    value, alpha, beta, rest = columns = [array("i") for _ in range(4)]
    for event, node, detail in watched.events:
        ops.append(EVENTS[event])
        at.append(number[node])
        arguments = detail if event in (ENTER, UPDATE) else {}
        others = ", ".join(
            f"{name} = {number_text(a)}" for name, a in arguments.items() if name not in ("alpha", "beta")
        )
        value.append(texts[number_text(detail)] if event == EXIT else -1)
        alpha.append(texts[number_text(arguments["alpha"])] if "alpha" in arguments else -1)
        beta.append(texts[number_text(arguments["beta"])] if "beta" in arguments else -1)
        rest.append(texts[others] if others else -1)
    used = {
        name: column for name, column in zip(("value", "alpha", "beta", "rest"), columns) if any(i >= 0 for i in column)
    }
    return {"op": bytes(ops), "at": at} | used
