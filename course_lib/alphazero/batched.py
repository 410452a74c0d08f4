"""PUCT for many games at once: trees as arrays, all of them one simulation further with one call of the network.

The trees are those of `course_lib.alphazero.puct`, which explains the search; the two make the same visits.
"""

from typing import NamedTuple

import numpy as np

from course_lib.alphazero.network import FLOAT
from course_lib.alphazero.puct import C
from course_lib.games.checks import check_above_0, check_at_least, check_share, check_weight, check_whole

INFINITE = FLOAT(np.inf)


class Searched(NamedTuple):
    """What the searches of a batch found; all values are for the player to move.

    `visits` N, `prior` p (without noise), and `low` and `high`, the proven bounds of each action's value (−∞ if it is
    illegal), are arrays [n, actions]. `value` [n] is the root's exact value where it is proven, or else the mean of the
    simulations.
    """

    visits: np.ndarray
    prior: np.ndarray
    low: np.ndarray
    high: np.ndarray
    value: np.ndarray

    @property
    def proven(self):
        """Where the root's value is known for certain: bool [n]."""
        return proven(self.low, self.high)

    def policy(self, temperature=1.0):
        """π(a) = N(a)^(1/τ) / Σ N(b)^(1/τ); τ = 0 is the most visited action, of equals the one of the larger prior.

        Actions proven to be worse than another are left out; where the root is proven, only the best remain. From some
        300 visits on, float32 does not tell near priors apart.
        """
        check_at_least(0, temperature=temperature)
        best = self.low.max(axis=1, keepdims=True)
        sound = np.where(self.proven[:, None], self.low == best, self.high >= best)
        counts = sound * (self.visits + FLOAT(1e-3) * self.prior + FLOAT(1e-9))
        if temperature == 0:
            return np.eye(counts.shape[1], dtype=FLOAT)[counts.argmax(axis=1)]
        counts = (counts / counts.max(axis=1, keepdims=True)) ** FLOAT(1 / temperature)
        return counts / counts.sum(axis=1, keepdims=True)


def search(board, positions, evaluate, simulations, c=C, noise=None, proven=True):
    """Search each of the *positions* with so many simulations; in none of them may the game be over.

    Returns `Searched`. `evaluate` is an *evaluation* such as a network. `noise(prior, legal)` changes the roots' priors
    for the selection, see `root_noise`. A proven root is not searched further. `proven=False` is the search as
    published, without bounds: it knows what an end is worth only when it gets there.
    """
    check_whole(0, simulations=simulations)
    check_weight(c=c)
    positions = np.asarray(positions, np.int64)
    if board.over(positions).any():
        raise ValueError("the game is over in one of the positions: search those in which it goes on")
    trees = Trees(board, positions, evaluate, simulations, c, proven)
    prior = trees.prior[trees.roots]
    if noise is not None:
        trees.prior[trees.roots] = noise(prior, board.legal(positions))
    trees.leave_out_losses(trees.roots)
    for simulation in range(1, simulations + 1):
        trees.simulate(simulation)
    return trees.searched(prior)


def root_noise(luck, alpha=1.0, weight=0.25):
    """Dirichlet noise, as `noise` of `search`: a function (prior, legal) → (1 − weight) p + weight Dir(alpha)."""
    check_share(weight=weight)
    check_above_0(alpha=alpha)

    def noise(prior, legal):
        draws = luck.standard_gamma(alpha, prior.shape) * legal + 1e-12 * legal
        return ((1 - weight) * prior + weight * draws / draws.sum(axis=1, keepdims=True)).astype(FLOAT)

    return noise


class Trees:
    """The trees of a batch: [game, node, action], kept as [game · size + node, action], so that a row is a node.

    `child` is the row that an action leads to, −1 where the tree ends: at actions not visited, and at proven ones.
    """

    def __init__(self, board, positions, evaluate, simulations, c, use_bounds):
        self.board, self.evaluate, self.c, self.use_bounds = board, evaluate, FLOAT(c), use_bounds
        games, size = len(positions), simulations + 1
        shape = games * size, board.actions
        self.visits, self.total = np.zeros(shape, FLOAT), np.zeros(shape, FLOAT)  # N and W
        self.value, self.prior = np.zeros(shape, FLOAT), np.zeros(shape, FLOAT)  # Q and P
        self.low, self.high = np.zeros(shape, FLOAT), np.zeros(shape, FLOAT)
        self.child = np.full(shape, -1)
        self.node_visits = np.ones(shape[0], FLOAT)
        self.positions = np.zeros((shape[0], 2), np.int64)
        self.roots = np.arange(games) * size
        self.expand(self.roots, positions, evaluate_all=True)

    def simulate(self, number):
        """One simulation in each tree whose root is not proven: select, expand node `number`, back up."""
        path = self.select()
        if not path:
            return
        games, node, action, sign = (np.concatenate(column) for column in zip(*(ends(*ply) for ply in path)))
        values = self.low[node, action]
        new = np.flatnonzero(values < self.high[node, action])
        leaf_values, certain = self.expand_leaves(games[new], node[new], action[new], number)
        values[new] = -leaf_values
        if self.use_bounds:
            self.prove(path, games[new[certain]])
        at_root = np.zeros(len(self.roots), FLOAT)
        at_root[games] = sign * values
        self.back_up(path, at_root)

    def select(self):
        """Down all trees in lock-step by PUCT; for each ply (depth, games, nodes, actions, children)."""
        games = np.flatnonzero(~(proven(self.low[self.roots], self.high[self.roots]) & self.use_bounds))
        node, path = self.roots[games], []
        while len(games):
            exploration = self.c * np.sqrt(self.node_visits[node])
            puct = self.value[node] + exploration[:, None] * self.prior[node] / (1 + self.visits[node])
            action = puct.argmax(axis=1)
            child = self.child[node, action]
            path.append((len(path), games, node, action, child))
            deeper = child >= 0
            games, node = games[deeper], child[deeper]
        return path

    def expand_leaves(self, games, node, action, number):
        """Make the positions after these actions nodes, and return what `expand` does."""
        rows = self.roots[games] + number
        self.child[node, action] = rows
        after, _, _ = self.board.play(self.positions[node], action)
        expanded = self.expand(rows, after, evaluate_all=not self.use_bounds)
        self.leave_out_losses(rows)
        return expanded

    def leave_out_losses(self, rows):
        """In new nodes, no exploration for an action that ends the game and loses it, in games that have such ones."""
        if self.use_bounds and self.board.movers_lose:
            self.prior[rows] *= self.high[rows] > -1

    def expand(self, rows, positions, evaluate_all=False):
        """Fill the rows of new nodes: priors, Q before the first visit, and bounds.

        Returns their values for the player to move there, and which of them have bounds narrower than −1 to 1.
        An action that ends the game is exact at once, so a position with a win in one needs no evaluation.
        """
        legal = self.board.legal(positions)
        worth, over = self.board.ends(positions)
        low = np.where(legal, np.where(over, worth, FLOAT(-1)), -INFINITE)
        high = np.where(legal, np.where(over, worth, FLOAT(1)), -INFINITE)
        floor, ceiling = low.max(axis=1), high.max(axis=1)
        values, unknown = floor.copy(), np.flatnonzero((floor < ceiling) | evaluate_all)
        if len(unknown):
            self.prior[rows[unknown]], values[unknown] = self.evaluate(positions[unknown])
        if self.use_bounds:
            values = values.clip(floor, ceiling)
        first = np.where(legal, values[:, None], -INFINITE)
        self.value[rows] = first.clip(low, high) if self.use_bounds else first
        self.low[rows], self.high[rows], self.positions[rows] = low, high, positions
        return values, np.flatnonzero((floor > -1) | (ceiling < 1))

    def prove(self, path, games):
        """Narrow the bounds of actions along the path from those of the positions that they lead to, the deepest first.

        In `games` a leaf with such bounds was added; higher up, only those go on in which something was narrowed below.
        """
        narrowed = np.zeros(len(self.roots), bool)
        narrowed[games] = True
        for _, games, node, action, _ in reversed(path):
            here = np.flatnonzero(narrowed[games])
            if not len(here):
                continue
            node, action, games = node[here], action[here], games[here]
            child = self.child[node, action]
            low, high = -self.high[child].max(axis=1), -self.low[child].max(axis=1)
            narrowed[games] = (low > self.low[node, action]) | (high < self.high[node, action])
            self.low[node, action], self.high[node, action] = low, high
            self.child[node, action] = np.where(low == high, -1, child)
            self.prior[node, action] *= high > -1  # a proven loss is not worth a visit

    def back_up(self, path, at_root):
        """Add one visit and the value, given for the player at the root, to every action of the path."""
        depth, games, node, action, _ = zip(*path)
        sign = np.repeat([FLOAT(1 - 2 * (ply % 2)) for ply in depth], [len(ply) for ply in games])
        rows = np.concatenate(node)
        edge = rows, np.concatenate(action)
        visits = self.visits[edge] + 1
        total = self.total[edge] + sign * at_root[np.concatenate(games)]
        self.node_visits[rows] += 1
        self.visits[edge], self.total[edge] = visits, total
        mean = total / visits
        self.value[edge] = mean.clip(self.low[edge], self.high[edge]) if self.use_bounds else mean

    def searched(self, prior):
        """What the roots know."""
        visits, low, high = self.visits[self.roots], self.low[self.roots], self.high[self.roots]
        if not self.use_bounds:
            low, high = np.minimum(low, -1), np.where(high >= -1, FLOAT(1), high)
        value = np.where(visits > 0, self.value[self.roots], 0)
        mean = (visits * value).sum(axis=1) / np.maximum(visits.sum(axis=1), 1)
        return Searched(visits, prior, low, high, np.where(proven(low, high), low.max(axis=1), mean))


def ends(depth, games, node, action, child):
    """The games whose path ends at this ply, with their nodes, actions and the sign of the value for the root."""
    leaf = np.flatnonzero(child < 0)
    return games[leaf], node[leaf], action[leaf], np.full(len(leaf), FLOAT(1 - 2 * (depth % 2)))


def proven(low, high):
    """Where the bounds [n, actions] of nodes meet: bool [n]."""
    return low.max(axis=1) == high.max(axis=1)
