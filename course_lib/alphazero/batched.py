"""PUCT for many games at once: trees as arrays; one call of the network evaluates one simulation in each tree.

`course_lib.alphazero.puct` explains the search; the two make the same visits.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from course_lib.alphazero.puct import PUCT_C
from course_lib.alphazero.vectorized import FLOAT, Array, BatchEvaluator, VectorGame, check_made_for, largest
from course_lib.games.randomness import Seed, numpy_generator
from course_lib.games.validation import check_function, check_number, check_whole

Noise = Callable[[Array, Array], Array]
"""(prior, legal) → the roots' priors for the selection."""


class SearchResults(NamedTuple):
    """The results of a batch of searches; all values are for the player to move.

    `visits` N, `prior` p (without noise), and `lower` and `upper`, the proven bounds of each action's value (−∞ if it
    is illegal), are arrays [n, actions]. `value` [n] is the root's value if proven, or else the simulations' mean.
    """

    visits: Array
    prior: Array
    lower: Array
    upper: Array
    value: Array

    @property
    def proven(self) -> Array:
        """Whether the root's value is proven: bool [n]."""
        return proven(self.lower, self.upper)

    def policy(self, temperature: float = 1.0) -> Array:
        """π(a) = N(a)^(1/τ) / Σ N(b)^(1/τ); τ = 0 is the most visited action, with ties broken by the larger prior.

        Actions proven to be worse than another are excluded; if the root is proven, only the best remain. Above some
        300 visits, float32 does not distinguish close priors.
        """
        best = self.lower.max(axis=1, keepdims=True)
        candidates = np.where(self.proven[:, None], self.lower == best, self.upper >= best)
        counts = candidates * (self.visits + 1e-3 * self.prior + 1e-9)
        if temperature == 0:
            return np.eye(counts.shape[1], dtype=FLOAT)[counts.argmax(axis=1)]
        counts = (counts / counts.max(axis=1, keepdims=True)) ** (1 / temperature)
        return counts / counts.sum(axis=1, keepdims=True)


def batched_search(vector_game: VectorGame, positions: Array, evaluate: BatchEvaluator, simulations: int,
                   c: float = PUCT_C, noise: Noise | None = None,
                   use_solver: bool = True) -> SearchResults:  # fmt: skip
    """Search each of the *positions* with `simulations` simulations; in none of them may the game be over.

    `evaluate` is an *evaluator* such as a network. `noise(prior, legal)` changes the roots' priors for the selection;
    see `root_noise`. A proven root is not searched further. With `use_solver=False` there are no bounds, as in the
    published search: the value of a terminal state is used only after a visit to that state.
    """
    check_whole(0, simulations=simulations)
    check_number(0, c=c)
    check_made_for(vector_game, evaluate)
    if getattr(positions, "shape", ())[1:] != (2,) or positions.dtype != np.int64:
        raise ValueError(f"Expected positions as an int64 array [n, 2], such as vectorize(game).initial(1), "
                         f"got {positions!r}")  # fmt: skip
    try:
        trees = Trees(vector_game, positions, evaluate, simulations, c, use_solver)
    except (TypeError, ValueError) as error:
        raise ValueError(f"Expected a network or evaluate(positions) → (p, v), got {evaluate!r}: {error}") from error
    prior = trees.prior[trees.roots]
    if noise is not None:
        check_function("noise(prior, legal) → priors", noise)
        trees.prior[trees.roots] = noise(prior, vector_game.legal(positions))
    trees.update_best_edges(trees.roots)
    for simulation in range(1, simulations + 1):
        trees.simulate(simulation)
    return trees.results(prior)


def root_noise(rng: Seed = None, alpha: float = 1.0, weight: float = 0.25) -> Noise:
    """Dirichlet noise, for `noise` of `batched_search`: (prior, legal) → (1 − weight) p + weight Dir(alpha)."""
    check_number(0, alpha=alpha)
    check_number(0, 1, weight=weight)
    rng = numpy_generator(rng)

    def noise(prior: Array, legal: Array) -> Array:
        draws = rng.standard_gamma(alpha, prior.shape) * legal + 1e-12 * legal
        return ((1 - weight) * prior + weight * draws / draws.sum(axis=1, keepdims=True)).astype(FLOAT)

    return noise


class Trees:
    """The trees of a batch as arrays. A node is a row, game · nodes_per_tree + number; the root has the number 0.

    An *edge* is an action in a node, row · actions + action: an index into `ravel()` of the arrays [row, action], which
    is a view. `child` is the row that an edge leads to, or −1 if it is proven or not visited yet; `parent` is the
    edge that leads to a row. `sign` is 1 if the player to move is the player to move at the root, or else −1.
    """

    def __init__(
        self,
        vector_game: VectorGame,
        positions: Array,
        evaluate: BatchEvaluator,
        simulations: int,
        c: float,
        use_solver: bool,
    ) -> None:
        self.vector_game, self.evaluate, self.c, self.use_solver = vector_game, evaluate, c, use_solver
        games, self.nodes_per_tree = len(positions), simulations + 1
        shape = games * self.nodes_per_tree, vector_game.actions
        # N, W, Q, P, the bounds, and the exact value or NaN (one block is faster)
        block = np.zeros((7, *shape), FLOAT)
        self.visits, self.total, self.value, self.prior, self.lower, self.upper, self.exact = block
        self.child = np.full(shape, -1)
        self.parent, self.best_edge = np.full(shape[0], -1), np.zeros(shape[0], np.int64)
        self.node_visits, self.sign = np.ones(shape[0], FLOAT), np.ones(shape[0], FLOAT)
        self.positions = np.zeros((shape[0], 2), np.int64)
        self.roots = np.arange(games) * self.nodes_per_tree
        self.expand(self.roots, positions, evaluate_all=True)

    def simulate(self, number: int) -> None:
        """Run one simulation in each tree whose root is not proven: select, expand node `number`, back up."""
        node = self.select()
        edges = self.best_edge.take(node)
        at_end = self.child.take(edges) < 0
        ends, leaves = node[at_end], edges[at_end]
        values = self.exact.take(leaves)
        unknown = np.isnan(values)
        rows, values[unknown] = self.expand_leaves(ends[unknown], leaves[unknown], number)
        self.back_up(node, edges, ends, values)
        self.update_best_edges(np.concatenate([node, rows]))

    def update_best_edges(self, node: Array) -> None:
        """Store the edge that PUCT prefers in each of these nodes, for `select`."""
        puct = self.prior.take(node, axis=0)
        puct *= self.upper.take(node, axis=0) > -1  # a proven loss gets no exploration
        puct *= (self.c * np.sqrt(self.node_visits.take(node)))[:, None]
        puct /= 1 + self.visits.take(node, axis=0)
        puct += self.value.take(node, axis=0)
        self.best_edge[node] = node * self.vector_game.actions + puct.argmax(axis=1)

    def select(self) -> Array:
        """The nodes on the paths that PUCT selects, in all trees in lockstep, those of the first ply first."""
        node, path = self.roots[~proven(self.lower[self.roots], self.upper[self.roots])], []
        while len(node):
            path.append(node)
            child = self.child.take(self.best_edge.take(node))
            node = child[child >= 0]
        return np.concatenate(path or [node])

    def expand_leaves(self, node: Array, edges: Array, number: int) -> tuple[Array, Array]:
        """Add a node after each of these edges; return their rows, and the edges' values for the player who moves."""
        rows = node // self.nodes_per_tree * self.nodes_per_tree + number
        self.child.ravel()[edges], self.parent[rows], self.sign[rows] = rows, edges, -self.sign[node]
        after = self.vector_game.after(self.positions.take(node, axis=0), edges - node * self.vector_game.actions)
        values, narrowed = self.expand(rows, after)
        self.prove(edges[narrowed])
        return rows, -values

    def expand(self, rows: Array, positions: Array, evaluate_all: bool = False) -> tuple[Array, Array]:
        """Fill the rows of new nodes: priors, Q before the first visit, and bounds.

        Returns their values for the player to move, and which of them have bounds narrower than −1 to 1. An action that
        ends the game is proven, so a position with a win in one move needs no evaluation.
        """
        legal = self.vector_game.legal(positions)
        value, over = self.vector_game.outcome(positions[:, None], np.arange(self.vector_game.actions))
        bounded = over & self.use_solver
        lower, upper = np.where(bounded, value, FLOAT(-1)), np.where(bounded, value, FLOAT(1))
        lower[~legal] = upper[~legal] = -np.inf
        node_lower, node_upper = largest(lower), largest(upper)
        values, unknown = node_lower.copy(), np.flatnonzero((node_lower < node_upper) | evaluate_all)
        if len(unknown):
            self.prior[rows[unknown]], values[unknown] = self.evaluate(positions[unknown])
        values = values.clip(node_lower, node_upper)
        self.value[rows], self.exact[rows] = values[:, None].clip(lower, upper), np.where(over, value, FLOAT(np.nan))
        self.lower[rows], self.upper[rows], self.positions[rows] = lower, upper, positions
        return values, (node_lower > -1) | (node_upper < 1)

    def prove(self, edges: Array) -> None:
        """Tighten the bounds of these edges from those of their children; if they change, also their ancestors'."""
        while len(edges):
            child = self.child.take(edges)
            lower, upper = -largest(self.upper.take(child, axis=0)), -largest(self.lower.take(child, axis=0))
            narrowed = (lower > self.lower.take(edges)) | (upper < self.upper.take(edges))
            self.lower.ravel()[edges], self.upper.ravel()[edges] = lower, upper
            self.child.ravel()[edges] = np.where(lower == upper, -1, child)
            self.exact.ravel()[edges] = np.where(lower == upper, lower, np.nan)
            edges = self.parent.take(edges[narrowed] // self.vector_game.actions)
            edges = edges[edges >= 0]

    def back_up(self, node: Array, edges: Array, ends: Array, values: Array) -> None:
        """Add one visit, and the value at the end of the path for the player who moves, to every edge."""
        at_root = np.zeros(len(self.roots), FLOAT)
        at_root[ends // self.nodes_per_tree] = self.sign.take(ends) * values
        visits = self.visits.take(edges) + 1
        total = self.total.take(edges) + self.sign.take(node) * at_root.take(node // self.nodes_per_tree)
        self.node_visits[node] += 1
        self.visits.ravel()[edges], self.total.ravel()[edges] = visits, total
        mean = np.maximum(total / visits, self.lower.take(edges))
        self.value.ravel()[edges] = np.minimum(mean, self.upper.take(edges))

    def results(self, prior: Array) -> SearchResults:
        """The results at the roots."""
        visits, lower, upper = self.visits[self.roots], self.lower[self.roots], self.upper[self.roots]
        value = np.where(visits > 0, self.value[self.roots], 0)
        mean = (visits * value).sum(axis=1) / np.maximum(visits.sum(axis=1), 1)
        return SearchResults(visits, prior, lower, upper, np.where(proven(lower, upper), lower.max(axis=1), mean))


def proven(lower: Array, upper: Array) -> Array:
    """Whether the bounds [n, actions] of nodes are equal: bool [n]."""
    return largest(lower) == largest(upper)
