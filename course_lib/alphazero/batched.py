"""PUCT for many games at once: trees as arrays, all of them one simulation further with one call of the network.

The trees are those of `course_lib.alphazero.puct`, which explains the search; the two make the same visits.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from course_lib.alphazero.network import FLOAT, largest
from course_lib.alphazero.puct import PUCT_C
from course_lib.alphazero.vectorized import Array, Evaluation, VectorGame

Noise = Callable[[Array, Array], Array]


class SearchResults(NamedTuple):
    """What the searches of a batch found; all values are for the player to move.

    `visits` N, `prior` p (without noise), and `lower` and `upper`, the proven bounds of each action's value (−∞ if it
    is illegal), are arrays [n, actions]. `value` [n] is the root's exact value where it is proven, or else the mean of
    the simulations.
    """

    visits: Array
    prior: Array
    lower: Array
    upper: Array
    value: Array

    @property
    def proven(self) -> Array:
        """Where the root's value is known for certain: bool [n]."""
        return proven(self.lower, self.upper)

    def policy(self, temperature: float = 1.0) -> Array:
        """π(a) = N(a)^(1/τ) / Σ N(b)^(1/τ); τ = 0 is the most visited action, of equals the one of the larger prior.

        Actions proven to be worse than another are left out; where the root is proven, only the best remain. From some
        300 visits on, float32 does not tell near priors apart.
        """
        best = self.lower.max(axis=1, keepdims=True)
        sound = np.where(self.proven[:, None], self.lower == best, self.upper >= best)
        counts = sound * (self.visits + 1e-3 * self.prior + 1e-9)
        if temperature == 0:
            return np.eye(counts.shape[1], dtype=FLOAT)[counts.argmax(axis=1)]
        counts = (counts / counts.max(axis=1, keepdims=True)) ** (1 / temperature)
        return counts / counts.sum(axis=1, keepdims=True)


def batched_search(vector_game: VectorGame, positions: Array, evaluate: Evaluation, simulations: int, c: float = PUCT_C,
           noise: Noise | None = None, use_solver: bool = True) -> SearchResults:  # fmt: skip
    """Search each of the *positions* with `simulations`; in none of them may the game be over.

    Returns `SearchResults`. `evaluate` is an *evaluation* such as a network. `noise(prior, legal)` changes the roots'
    priors for the selection, see `root_noise`. A proven root is not searched further. `use_solver=False` is the search
    as published, without bounds: it knows the value of an end only when it gets there.
    """
    trees = Trees(vector_game, positions, evaluate, simulations, c, use_solver)
    prior = trees.prior[trees.roots]
    if noise is not None:
        trees.prior[trees.roots] = noise(prior, vector_game.legal(positions))
    trees.choose(trees.roots)
    for simulation in range(1, simulations + 1):
        trees.simulate(simulation)
    return trees.searched(prior)


def root_noise(rng: np.random.Generator, alpha: float = 1.0, weight: float = 0.25) -> Noise:
    """Dirichlet noise, as `noise` of `batched_search`: a function (prior, legal) → (1 − weight) p + weight
    Dir(alpha)."""

    def noise(prior, legal):
        draws = rng.standard_gamma(alpha, prior.shape) * legal + 1e-12 * legal
        return ((1 - weight) * prior + weight * draws / draws.sum(axis=1, keepdims=True)).astype(FLOAT)

    return noise


class Trees:
    """The trees of a batch as arrays. A node is a row, game · size + number; the root is number 0.

    An *edge* is an action in a node, row · actions + action: a place in `ravel()` of the arrays [row, action], which is
    a view. `child` is the row that an edge leads to, −1 where the tree ends: at edges not visited, and at proven ones;
    `parent` is the edge that leads to a row. `sign` is 1 where the player to move is the one of the root, or else −1.
    """

    def __init__(
        self,
        vector_game: VectorGame,
        positions: Array,
        evaluate: Evaluation,
        simulations: int,
        c: float,
        use_bounds: bool,
    ):
        self.vector_game, self.evaluate, self.c, self.use_bounds = vector_game, evaluate, c, use_bounds
        games, self.size = len(positions), simulations + 1
        shape = games * self.size, vector_game.actions
        # N, W, Q, P, the bounds, and the exact value where it is known, or else NaN; as one block, since memory for
        # many smaller ones is given back and asked for again.
        self.visits, self.total, self.value, self.prior, self.lower, self.upper, self.exact = np.zeros(
            (7, *shape), FLOAT
        )
        self.child = np.full(shape, -1)
        self.parent, self.best_edge = np.full(shape[0], -1), np.zeros(shape[0], np.int64)
        self.node_visits, self.sign = np.ones(shape[0], FLOAT), np.ones(shape[0], FLOAT)
        self.positions = np.zeros((shape[0], 2), np.int64)
        self.roots = np.arange(games) * self.size
        self.expand(self.roots, positions, evaluate_all=True)

    def simulate(self, number: int) -> None:
        """One simulation in each tree whose root is not proven: select, expand node `number`, back up."""
        node = self.select()
        edges = self.best_edge.take(node)
        at_end = self.child.take(edges) < 0
        ends, leaves = node[at_end], edges[at_end]
        values = self.exact.take(leaves)
        unknown = np.isnan(values)
        rows, values[unknown] = self.expand_leaves(ends[unknown], leaves[unknown], number)
        self.back_up(node, edges, ends, values)
        self.choose(np.concatenate([node, rows]))

    def choose(self, node: Array) -> None:
        """Keep the edge that PUCT prefers in these nodes, which `select` follows until something changes there."""
        puct = self.prior.take(node, axis=0)
        puct *= self.upper.take(node, axis=0) > -1  # a proven loss gets no exploration
        puct *= (self.c * np.sqrt(self.node_visits.take(node)))[:, None]
        puct /= 1 + self.visits.take(node, axis=0)
        puct += self.value.take(node, axis=0)
        self.best_edge[node] = node * self.vector_game.actions + puct.argmax(axis=1)

    def select(self) -> Array:
        """Down all trees in lock-step by PUCT: the nodes on the way, those of the first ply first."""
        node, path = self.roots[~proven(self.lower[self.roots], self.upper[self.roots])], []
        while len(node):
            path.append(node)
            child = self.child.take(self.best_edge.take(node))
            node = child[child >= 0]
        return np.concatenate(path or [node])

    def expand_leaves(self, node: Array, edges: Array, number: int) -> tuple[Array, Array]:
        """Make the positions after these edges of nodes new nodes: their rows, and the edges' values for the mover."""
        rows = node // self.size * self.size + number
        self.child.ravel()[edges], self.parent[rows], self.sign[rows] = rows, edges, -self.sign[node]
        after = self.vector_game.after(self.positions.take(node, axis=0), edges - node * self.vector_game.actions)
        values, certain = self.expand(rows, after)
        self.prove(edges[certain])
        return rows, -values

    def expand(self, rows: Array, positions: Array, evaluate_all: bool = False) -> tuple[Array, Array]:
        """Fill the rows of new nodes: priors, Q before the first visit, and bounds.

        Returns their values for the player to move there, and which of them have bounds narrower than −1 to 1.
        An action that ends the game is exact at once, so a position with a win in one needs no evaluation.
        """
        legal = self.vector_game.legal(positions)
        value, over = self.vector_game.outcome(positions[:, None], np.arange(self.vector_game.actions))
        bounded = over & self.use_bounds
        lower, upper = np.where(bounded, value, FLOAT(-1)), np.where(bounded, value, FLOAT(1))
        lower[~legal] = upper[~legal] = -np.inf
        floor, ceiling = largest(lower), largest(upper)
        values, unknown = floor.copy(), np.flatnonzero((floor < ceiling) | evaluate_all)
        if len(unknown):
            self.prior[rows[unknown]], values[unknown] = self.evaluate(positions[unknown])
        values = values.clip(floor, ceiling)
        self.value[rows], self.exact[rows] = values[:, None].clip(lower, upper), np.where(over, value, FLOAT(np.nan))
        self.lower[rows], self.upper[rows], self.positions[rows] = lower, upper, positions
        return values, (floor > -1) | (ceiling < 1)

    def prove(self, edges: Array) -> None:
        """Narrow the bounds of these edges from those of the positions below, and go on upwards where that was so."""
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
        """Add one visit, and the value at the end of the game's path, to every edge; its sign is the mover's."""
        at_root = np.zeros(len(self.roots), FLOAT)
        at_root[ends // self.size] = self.sign.take(ends) * values
        visits = self.visits.take(edges) + 1
        total = self.total.take(edges) + self.sign.take(node) * at_root.take(node // self.size)
        self.node_visits[node] += 1
        self.visits.ravel()[edges], self.total.ravel()[edges] = visits, total
        mean = np.maximum(total / visits, self.lower.take(edges))
        self.value.ravel()[edges] = np.minimum(mean, self.upper.take(edges))

    def searched(self, prior: Array) -> SearchResults:
        """What the roots know."""
        visits, lower, upper = self.visits[self.roots], self.lower[self.roots], self.upper[self.roots]
        value = np.where(visits > 0, self.value[self.roots], 0)
        mean = (visits * value).sum(axis=1) / np.maximum(visits.sum(axis=1), 1)
        return SearchResults(visits, prior, lower, upper, np.where(proven(lower, upper), lower.max(axis=1), mean))


def proven(lower: Array, upper: Array) -> Array:
    """Where the bounds [n, actions] of nodes meet: bool [n]."""
    return largest(lower) == largest(upper)
