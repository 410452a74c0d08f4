"""The naive strategy: hold the whole game tree in memory, then label it from the leaves up."""

from dataclasses import dataclass, field

from course_lib.games import MAX, Game
from course_lib.games.game import Action, State
from course_lib.search.checks import max_to_move


@dataclass(slots=True)
class StoredNode:
    """A node of a stored game tree; its `label` is +1 if Max wins, −1 if Min wins, 0 for a draw, at first None."""

    state: State
    children: dict[Action, "StoredNode"] = field(default_factory=dict)
    label: int | None = None


def store_tree(game: Game, state: State) -> StoredNode:
    """The whole game tree below `state`, as linked `StoredNode`s. Its memory grows like b^m: keep to small games."""
    root = StoredNode(state)
    unread = [root]
    while unread:
        node = unread.pop()
        if not game.is_terminal(node.state):
            node.children = {a: StoredNode(game.result(node.state, a)) for a in game.actions(node.state)}
            unread.extend(node.children.values())
    return root


def label_tree(game: Game, root: StoredNode) -> int:
    """Label every node of a stored tree as won (+1), drawn (0) or lost (−1) for Max; return the root's label.

    Max's node is won if a child is won, lost if all are lost, and otherwise drawn; Min's node the other way round.
    A leaf gets the sign of its utility for Max. The rule for draws is ours.
    """
    for child in root.children.values():
        label_tree(game, child)
    if not root.children:
        utility = game.utility(root.state, MAX)
        root.label = (utility > 0) - (utility < 0)
    else:
        labels = [child.label for child in root.children.values()]
        root.label = max(labels) if max_to_move(game, root.state) else min(labels)
    return root.label
