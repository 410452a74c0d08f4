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

PUCT_C = 1.5
"""The weight of exploration."""
Evaluate = Callable[[State], tuple[dict[Action, float], float]]


class PUCTNode:
    """A state in the search tree, with what is known of the action that leads to it: N, W, Q and P.

    N counts visits, W is the sum of their values, Q the value to count on, P the prior. All values are for `player`,
    who moved INTO the node, and so are `lower` and `upper`, the bounds between which the true value is proven to lie.
    """

    def __init__(self, state: State, player: int, action: Action = None, prior: float = 1.0):
        self.state, self.player, self.action, self.P = state, player, action, prior
        self.N, self.W, self.first_q = 0, 0.0, 0.0
        self.lower, self.upper = -1, 1
        self.children = []

    @property
    def Q(self) -> float:
        """W / N, before the first visit the value of the parent, and never outside of what is proven."""
        mean = self.W / self.N if self.N else self.first_q
        return min(max(mean, self.lower), self.upper)

    @property
    def proven(self) -> bool:
        """True when the value is known for certain."""
        return self.lower == self.upper

    def __repr__(self):
        return f"PUCTNode({self.action!r}, N={self.N}, Q={self.Q:.3f}, P={self.P:.3f})"


class Simulation(NamedTuple):
    """What one simulation did; the numbers in its nodes go on changing with the next."""

    path: list[PUCTNode]
    """Selection: the nodes from the root to the one whose child was new, or whose end is known."""
    expanded: PUCTNode | None
    """Expansion: the node that the network evaluated, or None where the value was known."""
    value: float
    """The value of the last node for the player who moved into it; there is no playout."""
    updated: list[PUCTNode]
    """Back-up: the nodes that the value was added to, with its sign changed from one to the next."""


def puct_search(
    game: Game,
    state: State,
    evaluate: Evaluate,
    c: float = PUCT_C,
    use_solver: bool = True,
    root: PUCTNode | None = None,
) -> Iterator[Simulation]:
    """A generator that yields one `Simulation` after another, until the root is proven (Silver et al., 2017).

    `evaluate(state)` → (p, v), such as a network's `evaluate`, gives the prior of each action in a dictionary, and the
    value for the player to move. `root` is a node of an earlier search to go on from. `use_solver=False` is the search
    as published, which has no bounds and does not end.
    """
    check_number(0, c=c)
    check_two_players(game, "PUCT")
    check_root(game, state, root)
    root = root or root_node(game, state, evaluate, use_solver)
    while root.children and not root.proven:
        path = select(root, c)
        leaf = path[-1]
        known = leaf.proven or game.is_terminal(leaf.state)
        value = expand(game, leaf, evaluate, use_solver)
        prove(path)
        back_up(path, value)
        yield Simulation(path if known else path[:-1], None if known else leaf, value, path)


def root_node(game: Game, state: State, evaluate: Evaluate, use_solver: bool = True) -> PUCTNode:
    """A node to search from, evaluated."""
    root = PUCTNode(state, 1 - game.to_move(state))
    back_up([root], expand(game, root, evaluate, use_solver))
    prove([root])
    return root


def select(node: PUCTNode, c: float) -> list[PUCTNode]:
    """SELECTION: the path by PUCT from `node` to one without children or with a proven value."""
    path = [node]
    while node.children and (not node.proven or len(path) == 1):
        node = max(node.children, key=lambda child: puct(child, node, c))
        path.append(node)
    return path


def puct(child: PUCTNode, parent: PUCTNode, c: float) -> float:
    """Q + c P √N(parent) / (1 + N), for the player who moved into the child, as Q in [−1, 1] is.

    N(parent) counts the visits of its children and its own evaluation. A child that is proven to be lost gets no
    exploration.
    """
    exploration = 0 if child.upper == -1 else c * child.P * sqrt(parent.N) / (1 + child.N)
    return child.Q + exploration


def expand(game: Game, node: PUCTNode, evaluate: Evaluate, use_solver: bool = True) -> float:
    """EXPANSION: give the node its children, with their priors; return its value for the player who moved into it.

    Where the game is over, or the value is proven, there is nothing to evaluate. With `use_solver`, a child in which
    the game is over is proven at once.
    """
    if game.is_terminal(node.state):
        return game.utility(node.state, node.player)
    if node.proven:
        return node.lower
    priors, v = evaluate(node.state)
    mover = game.to_move(node.state)
    for action in game.actions(node.state):
        child = PUCTNode(game.result(node.state, action), mover, action, priors[action])
        if use_solver and game.is_terminal(child.state):
            child.lower = child.upper = game.utility(child.state, mover)
        node.children.append(child)
    lower, upper = bounds(node)
    v = min(max(v, lower), upper)
    for child in node.children:
        child.first_q = v
    return -v


def bounds(node: PUCTNode) -> tuple[float, float]:
    """The bounds of the node's value for the player to move, who can choose the best of its children."""
    return max(child.lower for child in node.children), max(child.upper for child in node.children)


def prove(path: list[PUCTNode]) -> None:
    """Carry what is proven up the path: what is good for the player to move is bad for the one who moved before."""
    for node in reversed(path):
        if node.children:
            lower, upper = bounds(node)
            node.lower, node.upper = -upper, -lower


def back_up(path: list[PUCTNode], value: float) -> None:
    """BACK-UP: one more visit for each node of the path, and the value, from the point of view of who moved into it."""
    for node in reversed(path):
        node.N += 1
        node.W += value
        value = -value


def principal_variation(root: PUCTNode) -> list[Action]:
    """The actions of the line that the search prefers: in each node the most visited one, of equals that of larger P.

    Actions proven to be worse than another are left out.
    """
    line = []
    while root.children:
        best, most = bounds(root)
        sound = [child for child in root.children if (child.lower == best if best == most else child.upper >= best)]
        root = max(sound, key=lambda child: (child.N, child.P))
        line.append(root.action)
    return line
