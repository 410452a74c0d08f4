"""PUCT, the search of AlphaZero, as a tree of nodes; `batched` makes the same visits for many games at once.

For games of two players who move in turn, with utilities from −1 to 1 that sum to 0.
"""

from collections.abc import Callable, Iterator
from math import log, sqrt
from typing import NamedTuple

from course_lib.games.game import Action, Game, State
from course_lib.games.validation import check_number, check_two_players
from course_lib.search.mcts import check_start

PUCT_C = 1.5
"""The exploration constant."""
Evaluator = Callable[[State], tuple[dict[Action, float], float]]


class PUCTNode:
    """A state in the search tree, with the statistics of the action that leads to it: N, W, Q and P.

    N is the number of visits, W the sum of their values, Q the mean value, P the prior. All values are for `player`,
    who moved INTO the node, and so are `lower` and `upper`, the proven bounds of the true value.
    """

    def __init__(self, state: State, player: int, action: Action = None, prior: float = 1.0) -> None:
        self.state, self.player, self.action, self.P = state, player, action, prior
        self.N, self.W, self.initial_q = 0, 0.0, 0.0
        self.lower, self.upper = -1.0, 1.0
        self.children: list[PUCTNode] = []

    @property
    def Q(self) -> float:
        """W / N, or before the first visit `initial_q`, clipped to the proven bounds."""
        mean = self.W / self.N if self.N else self.initial_q
        return min(max(mean, self.lower), self.upper)

    @property
    def proven(self) -> bool:
        """True if the bounds are equal."""
        return self.lower == self.upper

    def __repr__(self) -> str:
        return f"PUCTNode({self.action!r}, N={self.N}, Q={self.Q:.3f}, P={self.P:.3f})"


class Simulation(NamedTuple):
    """One simulation; the next ones change the numbers in its nodes."""

    path: list[PUCTNode]
    """Selection: the nodes from the root to the parent of the new node, or to a node of known value."""
    expanded: PUCTNode | None
    """Expansion: the node that the network evaluated, or None if the value was known."""
    value: float
    """The value of the last node for the player who moved into it; there is no playout."""
    updated: list[PUCTNode]
    """Back-up: the nodes to which the value was added, with alternating sign."""


def puct_search(
    game: Game,
    state: State,
    evaluate: Evaluator,
    c: float = PUCT_C,
    use_solver: bool = True,
    root: PUCTNode | None = None,
    first_visit: float | None = None,
    c_base: float | None = None,
) -> Iterator[Simulation]:
    """A generator that yields each `Simulation` until the root is proven (Silver et al., 2017).

    `evaluate(state)` → (p, v), such as `network.evaluate`, returns the prior of each action in a dictionary, and the
    value for the player to move. `root` is the root of an earlier search to continue. An unvisited action is worth
    `first_visit` to its player, or if None as much as its parent: −1 counts it as a loss, 0 as a draw. With `c_base`, C
    grows with the visits of a node: c + 2 ln((1 + N + c_base)/c_base).

    AlphaZero as published (Silver et al., 2018) is `c=2.5, use_solver=False, first_visit=-1, c_base=19652`: its C of
    1.25 is for values from 0 to 1. It has no bounds and does not end. (Only ours counts the evaluation of the root.)
    """
    if not callable(evaluate) or hasattr(evaluate, "evaluate"):
        raise ValueError(f"evaluate must be a function of a state, such as network.evaluate, not {evaluate!r}")
    game = check_start(check_two_players(game, "PUCT"), state, c, root)
    check_number(-1, 1, first_visit=0 if first_visit is None else first_visit)
    check_number(1, c_base=1 if c_base is None else c_base)
    root = root or root_node(game, state, evaluate, use_solver, first_visit)
    while root.children and not root.proven:
        path = select(root, c, c_base)
        leaf = path[-1]
        is_known = leaf.proven or game.is_terminal(leaf.state)
        value = expand(game, leaf, evaluate, use_solver, first_visit)
        prove(path)
        back_up(path, value)
        yield Simulation(path if is_known else path[:-1], None if is_known else leaf, value, path)


def root_node(
    game: Game, state: State, evaluate: Evaluator, use_solver: bool = True, first_visit: float | None = None
) -> PUCTNode:
    """The root of a new search, evaluated."""
    root = PUCTNode(state, 1 - game.to_move(state))
    try:
        back_up([root], expand(game, root, evaluate, use_solver, first_visit))
    except (TypeError, KeyError) as error:
        raise ValueError(f"Expected evaluate(state) to return ({{action: prior}}, value), with a prior for each legal "
                         f"action, got {evaluate(state)!r}") from error  # fmt: skip
    prove([root])
    return root


def select(node: PUCTNode, c: float, c_base: float | None = None) -> list[PUCTNode]:
    """SELECTION: the path by PUCT from `node` to one without children or with a proven value."""
    path = [node]
    while node.children and not node.proven:
        grown = c + 2 * log((1 + node.N + c_base) / c_base) if c_base else c
        node = max(node.children, key=lambda child: puct(child, node, grown))
        path.append(node)
    return path


def puct(child: PUCTNode, parent: PUCTNode, c: float) -> float:
    """Q + c P √N(parent) / (1 + N), for the player who moved into the child, as Q in [−1, 1] is.

    N(parent) is the number of visits of its children plus one for its own evaluation. A child that is proven lost is
    not explored.
    """
    exploration = 0 if child.upper == -1 else c * child.P * sqrt(parent.N) / (1 + child.N)
    return child.Q + exploration


def expand(game: Game, node: PUCTNode, evaluate: Evaluator, use_solver: bool, first_visit: float | None) -> float:
    """EXPANSION: add the children, with their priors; return the node's value for the player who moved into it.

    A terminal or proven node is not evaluated. With `use_solver`, a terminal child is proven at once.
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
        child.initial_q = v if first_visit is None else first_visit
    return -v


def bounds(node: PUCTNode) -> tuple[float, float]:
    """The bounds of the node's value for the player to move, who can choose the best of its children."""
    return max(child.lower for child in node.children), max(child.upper for child in node.children)


def prove(path: list[PUCTNode]) -> None:
    """Update the bounds of the nodes on the path, from those of their children; the sign changes from ply to ply."""
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
    """The most visited action in each node from the root on, with ties broken by the larger P.

    Actions proven to be worse than another are excluded.
    """
    line = []
    while root.children:
        best, most = bounds(root)
        sound = [child for child in root.children if (child.lower == best if best == most else child.upper >= best)]
        root = max(sound, key=lambda child: (child.N, child.P))
        line.append(root.action)
    return line
