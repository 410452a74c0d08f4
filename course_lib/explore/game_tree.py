"""The explorer of a game's own tree, which is opened as the reader walks it."""

from array import array

from course_lib.explore.door import root_state
from course_lib.explore.picture import picture
from course_lib.explore.tree import Explorer, Tree, wire
from course_lib.watch.paths import moves_of
from course_lib.watch.texts import Texts, action_text, kind_number, leaf_text, writer

FIRST_NODES = 9
"""Levels are opened at the start until more nodes than this are shown."""
COUNT_LIMIT = 20_000
"""Subtree sizes are shown where at most this many different states have to be counted."""


def explore_game(game, state, boards, look):
    """What `explore` returns for a game: the first levels are sent at once, the others when they are asked for."""
    sizes, levels, state = _Sizes(game), look["open_depth"], root_state(game, state)
    rows, states = game_rows(
        game, state, lambda rows, depth: depth >= levels if levels >= 0 else rows > FIRST_NODES, sizes
    )
    columns = wire(columns_of_rows(rows, game.players))
    tree = Tree(game, states, boards is not False, name=repr(game), tree=columns, **look)

    def answer(_, message, __):
        if message["type"] == "children":
            children, below = _children(game, states[message["node"]], sizes)
            states.extend(children)
            tree.send({"type": "children", "node": message["node"], "children": below})

    tree.on_msg(answer)
    return Explorer(tree, [], lambda: picture(game, state=state))


def game_rows(game, state, enough=lambda rows, depth: False, sizes=None):
    """The nodes of a game's tree level by level until there are `enough`: a row for each, and its state."""
    states, rows = [state], [{"parent": -1} | _row(game, None, None, state, sizes)]
    level, depth = [0], 0
    while level and not enough(len(rows), depth):
        first = len(rows)
        for above in level:
            children, below = _children(game, states[above], sizes)
            states += children
            rows += [{"parent": above} | row for row in below]
        level, depth = range(first, len(rows)), depth + 1
    return rows, states


def columns_of_rows(rows, players=2):
    """The columns of nodes that come as dictionaries, parents first; `more` counts the children that a node has."""
    texts = Texts()
    columns = {name: array("i", [row[name] for row in rows]) for name in ("parent", "more")}
    names = "action", "edge", "leaf", "size", "state"
    columns |= {name: array("i", [texts[row[name]] for row in rows]) for name in names}
    columns |= {"kind": bytes(row["kind"] for row in rows), "status": bytes(len(rows))}
    return {"texts": texts, "columns": columns, "players": players}


def _children(game, state, sizes):
    """The states below this one, and what the explorer needs to know of each."""
    moves = moves_of(game, state)
    children = [game.result(state, action) for action, _ in moves]
    return children, [_row(game, *move, child, sizes) for move, child in zip(moves, children)]


def _row(game, action, probability, state, sizes):
    size = "" if sizes is None else sizes.text(state)
    return {"kind": kind_number(game, state), "action": action_text(action), "edge": action_text(action, probability),
            "leaf": leaf_text(game, state), "more": len(moves_of(game, state)), "size": size,
            "state": writer(game, state)(state)}  # fmt: skip


class _Sizes(dict):
    """Nodes in the tree below a state, itself counted; each state is counted once, and too many are not counted."""

    def __init__(self, game):
        super().__init__()
        self.game = game
        self.left = COUNT_LIMIT

    def __missing__(self, state):
        self.left -= 1
        if self.left < 0:
            raise OverflowError
        self[state] = 1 + sum(self[self.game.result(state, action)] for action, _ in moves_of(self.game, state))
        return self[state]

    def text(self, state):
        self.left = COUNT_LIMIT
        try:
            return "" if self[state] == 1 else f"{self[state]:,} nodes"
        except Exception:  # too many, or an error of the game's: nobody may ever walk to where it happens
            return ""
