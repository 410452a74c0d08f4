"""PUCT, the search of AlphaZero, as a tree to read and to watch; `batched` makes the same visits, many games at once.

For games of two players who move in turns, with utilities from −1 to 1 that sum to 0.
"""

from collections.abc import Callable, Iterator
from math import sqrt
from typing import NamedTuple

from course_lib.games import Game
from course_lib.games.checks import check_number, check_two_players
from course_lib.games.game import Action, State
from course_lib.search.mcts import check_root

C = 1.5
"""The weight of exploration."""
Evaluate = Callable[[State], tuple[dict[Action, float], float]]


class Node:
    """A state in the search tree, with what is known of the action that leads to it: N, W, Q and P.

    N counts visits, W is the sum of their values, Q the value to count on, P the prior. All values are for `player`,
    who moved INTO the node, and so are `low` and `high`, the bounds between which the true value is proven to lie.
    """

    def __init__(self, state: State, player: int, action: Action = None, prior: float = 1.0):
        self.state, self.player, self.action, self.P = state, player, action, prior
        self.N, self.W, self.first_q = 0, 0.0, 0.0
        self.low, self.high = -1, 1
        self.children = []

    @property
    def Q(self) -> float:
        """W / N, before the first visit the value of the parent, and never outside of what is proven."""
        mean = self.W / self.N if self.N else self.first_q
        return min(max(mean, self.low), self.high)

    @property
    def proven(self) -> bool:
        """True when the value is known for certain."""
        return self.low == self.high

    def __repr__(self):
        return f"Node({self.action!r}, N={self.N}, Q={self.Q:.3f}, P={self.P:.3f})"


class Simulation(NamedTuple):
    """What one simulation did; the numbers in its nodes go on changing with the next."""

    path: list[Node]
    """Selection: the nodes from the root to the one whose child was new, or whose end is known."""
    expanded: Node | None
    """Expansion: the node that the network evaluated, or None where the value was known."""
    value: float
    """The value of the last node for the player who moved into it; there is no playout."""
    updated: list[Node]
    """Back-up: the nodes that the value was added to, with its sign changed from one to the next."""


def puct_search(
    game: Game, state: State, evaluate: Evaluate, c: float = C, proven: bool = True, root: Node | None = None
) -> Iterator[Simulation]:
    """A generator that yields one `Simulation` after another, until the root is proven (Silver et al., 2017).

    `evaluate(state)` → (p, v), such as a network's `evaluate`, gives the prior of each action in a dictionary, and the
    value for the player to move. `root` is a node of an earlier search to go on from. `proven=False` is the search as
    published, which has no bounds and does not end.
    """
    check_number(0, c=c)
    check_two_players(game, "PUCT")
    check_root(game, state, root)
    root = root or root_node(game, state, evaluate, proven)
    while root.children and not root.proven:
        path = select(root, c)
        leaf = path[-1]
        known = leaf.proven or game.is_terminal(leaf.state)
        value = expand(game, leaf, evaluate, proven)
        prove(path)
        back_up(path, value)
        yield Simulation(path if known else path[:-1], None if known else leaf, value, path)


def root_node(game: Game, state: State, evaluate: Evaluate, proven: bool = True) -> Node:
    """A node to search from, evaluated."""
    root = Node(state, 1 - game.to_move(state))
    back_up([root], expand(game, root, evaluate, proven))
    prove([root])
    return root


def select(node: Node, c: float) -> list[Node]:
    """SELECTION: the path by PUCT from `node` to one without children or with a proven value."""
    path = [node]
    while node.children and (not node.proven or len(path) == 1):
        node = max(node.children, key=lambda child: puct(child, node, c))
        path.append(node)
    return path


def puct(child: Node, parent: Node, c: float) -> float:
    """Q + c P √N(parent) / (1 + N), for the player who moved into the child, as Q in [−1, 1] is.

    N(parent) counts the visits of its children and its own evaluation. A child that is proven to be lost gets no
    exploration.
    """
    exploration = 0 if child.high == -1 else c * child.P * sqrt(parent.N) / (1 + child.N)
    return child.Q + exploration


def expand(game: Game, node: Node, evaluate: Evaluate, proven: bool = True) -> float:
    """EXPANSION: give the node its children, with their priors; return its value for the player who moved into it.

    Where the game is over, or the value is proven, there is nothing to evaluate. With `proven`, a child in which the
    game is over is proven at once.
    """
    if game.is_terminal(node.state):
        return game.utility(node.state, node.player)
    if node.proven:
        return node.low
    priors, v = evaluate(node.state)
    mover = game.to_move(node.state)
    for action in game.actions(node.state):
        child = Node(game.result(node.state, action), mover, action, priors[action])
        if proven and game.is_terminal(child.state):
            child.low = child.high = game.utility(child.state, mover)
        node.children.append(child)
    low, high = bounds(node)
    v = min(max(v, low), high)
    for child in node.children:
        child.first_q = v
    return -v


def bounds(node: Node) -> tuple[float, float]:
    """The bounds of the node's value for the player to move, who can choose the best of its children."""
    return max(child.low for child in node.children), max(child.high for child in node.children)


def prove(path: list[Node]) -> None:
    """Carry what is proven up the path: what is good for the player to move is bad for the one who moved before."""
    for node in reversed(path):
        if node.children:
            low, high = bounds(node)
            node.low, node.high = -high, -low


def back_up(path: list[Node], value: float) -> None:
    """BACK-UP: one more visit for each node of the path, and the value, from the point of view of who moved into it."""
    for node in reversed(path):
        node.N += 1
        node.W += value
        value = -value


def principal_variation(root: Node) -> list[Action]:
    """The actions of the line that the search prefers: in each node the most visited one, of equals that of larger P.

    Actions proven to be worse than another are left out.
    """
    line = []
    while root.children:
        best, most = bounds(root)
        sound = [child for child in root.children if (child.low == best if best == most else child.high >= best)]
        root = max(sound, key=lambda child: (child.N, child.P))
        line.append(root.action)
    return line
