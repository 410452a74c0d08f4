"""Monte-Carlo tree search: the four phases, each a function; a solver on top of them; an agent that plays by either."""

import random
from math import inf, log, sqrt
from numbers import Real
from operator import mul
from time import perf_counter
from typing import Any, NamedTuple

from course_lib.games import CHANCE, MAX
from course_lib.games.game import distribution
from course_lib.search.anytime import garbage_collection_paused
from course_lib.search.minimax import _max_to_move, _no_actions

C = sqrt(2)
"""The weight of exploration in theory, for rewards from 0 to 1 (Kocsis and Szepesvári, 2006); tuned in practice."""


def ucb1(utility, visits, parent_visits, c=C):
    """UCB1(n) = U(n)/N(n) + C √(ln N(parent)/N(n)), and ∞ for a node without visits; a larger C explores more."""
    return utility / visits + c * sqrt(log(parent_visits) / visits) if visits else inf


class Node:
    """A state in the search tree, with U(n) = `utility` and N(n) = `visits`.

    U is the sum of the rewards of the N playouts through this node for `player`, the player who moved INTO it, not the
    one to move in it: so whoever chooses among children wants the largest U/N. A reward is from 0 to 1, a draw ½.
    After a chance node, `player` is who moved before chance; at the root, the player before the one to move there
    (before Max, if chance moves). `proven` is None or, for the solver, the rewards of all players under best play.
    """

    def __init__(self, game, state, player, action=None):
        self.state, self.player, self.action = state, player, action
        self.visits = self.utility = 0
        self.children = []
        self.to_move = game.to_move(state)
        self.weights = self.proven = None
        if game.is_terminal(state):
            self.untried = []
        elif self.to_move == CHANCE:
            self.untried = [(outcome, p) for outcome, p in distribution(game.chances(state), state) if p > 0]
        else:
            self.untried = list(game.actions(state))
            if not self.untried:
                raise _no_actions(state)

    def __repr__(self):
        return f"Node({self.action!r}, {self.utility:g}/{self.visits})"


def root_node(game, state):
    """A node to search from."""
    return Node(game, state, (max(game.to_move(state), MAX) - 1) % getattr(game, "players", 2))


class Iteration(NamedTuple):
    """What one iteration did; the numbers in its nodes go on changing with the next."""

    path: list[Node]
    """Selection: the nodes from the root to the selected one."""
    expanded: Node | None
    """Expansion: the new child, or None if there is none to add, as at the end of the game."""
    playout: list[Any]
    """Simulation: the actions from there to the end, which the tree does not keep."""
    rewards: tuple[float, ...]
    """The result: what the end is worth to each player, from 0 to 1."""
    updated: list[Node]
    """Back-propagation: the nodes that the result was added to, the root first."""


def monte_carlo_tree_search(game, state, c=C, policy=None, bounds=(-1, 1), root=None, seed=None):
    """MONTE-CARLO-TREE-SEARCH: a generator that yields an `Iteration` at a time, without end (AIMA, 4th edition, 6.4).

    Playouts follow `policy(game, state, luck) → action`, `random_policy` unless given. `bounds` are the lowest and the
    highest utility that any player can get: they become the rewards 0 and 1. `root` is a node of an earlier search to
    go on from, for this state. The same seed gives the same iterations. It yields nothing in a terminal state.
    """
    root, luck, policy = _begin(game, state, c, policy, bounds, root, seed)
    while root.untried or root.children:
        path = select(root, c, luck)
        child = expand(game, path[-1], luck)
        updated = [*path, child] if child else path
        playout, end = simulate(game, updated[-1].state, policy, luck)
        rewards = rewards_at(game, end, bounds)
        backpropagate(updated, rewards)
        yield Iteration(path, child, playout, rewards, updated)


def select(node, c, luck):
    """SELECTION: the path by UCB1 from `node` to one with actions not tried yet, or to the end of the game."""
    path = [node]
    while node.children and not node.untried:
        node = draw(node, luck) if node.weights else ucb1_child(node, c)
        path.append(node)
    return path


def ucb1_child(node, c):
    """The child with the highest `ucb1`, the first of equals; all have visits."""
    best, highest, log_n = None, -inf, log(node.visits)
    for child in node.children:
        n = child.visits
        value = child.utility / n + c * sqrt(log_n / n)
        if value > highest:
            best, highest = child, value
    return best


def expand(game, node, luck):
    """EXPANSION: a new child for an action not tried yet, or None if there is none; of a chance node, a drawn one."""
    if not node.untried:
        return None
    if node.to_move == CHANCE:
        add_outcomes(game, node)
        return draw(node, luck)
    action = node.untried.pop(int(luck.random() * len(node.untried)))
    child = Node(game, game.result(node.state, action), node.to_move, action)
    node.children.append(child)
    return child


def add_outcomes(game, node):
    """Make all outcomes of a chance node its children: they are not chosen among, so none needs to be tried first."""
    outcomes, node.weights = zip(*node.untried)
    node.children = [Node(game, game.result(node.state, outcome), node.player, outcome) for outcome in outcomes]
    node.untried = []


def draw(node, luck):
    """A child of a chance node, by its probability."""
    return luck.choices(node.children, node.weights)[0]


def simulate(game, state, policy, luck):
    """SIMULATION: play on to the end of the game; the actions of this playout, and the terminal state."""
    playout = []
    while not game.is_terminal(state):
        if game.to_move(state) == CHANCE:
            outcomes, weights = zip(*distribution(game.chances(state), state))
            action = luck.choices(outcomes, weights)[0]
        else:
            action = policy(game, state, luck)
        state = game.result(state, action)
        playout.append(action)
    return playout, state


def backpropagate(path, rewards):
    """BACK-PROPAGATION: one more visit for each node, and the reward of the player who moved into it."""
    for node in path:
        node.visits += 1
        node.utility += rewards[node.player]


def rewards_at(game, state, bounds=(-1, 1)):
    """The utilities of a terminal state, one for each player, mapped from `bounds` to [0, 1]."""
    low, high = bounds
    players = range(getattr(game, "players", 2))
    rewards = tuple([(game.utility(state, player) - low) / (high - low) for player in players])
    if min(rewards) < 0 or max(rewards) > 1:
        raise ValueError(f"a utility is outside of bounds={bounds!r}; give the lowest and the highest that any player "
                         f"can get\n{game.render(state)}")  # fmt: skip
    return rewards


def random_policy(game, state, luck):
    """The playout policy that plays any legal action with equal probability."""
    actions = game.actions(state)
    if not actions:
        raise _no_actions(state)
    return actions[int(luck.random() * len(actions))]


def greedy_policy(evaluate=lambda state: 0, epsilon=0.1):
    """A heuristic playout policy for two players: the action whose result looks best to the player who moves.

    `evaluate(state)` is Max's estimate; a terminal state counts what it is worth. Equals are drawn lots for. With
    probability `epsilon` any action is played, so that playouts differ. Without `evaluate` it takes a win, avoids what
    loses at once, and otherwise draws lots.
    """
    if not 0 <= epsilon <= 1:
        raise ValueError(f"epsilon is a probability, from 0 to 1, not {epsilon!r}")

    def policy(game, state, luck):
        if luck.random() < epsilon:
            return random_policy(game, state, luck)
        sign = 1 if _max_to_move(game, state) else -1

        def worth(action):
            after = game.result(state, action)
            return sign * (game.utility(after, MAX) if game.is_terminal(after) else evaluate(after)), luck.random()

        return max(game.actions(state), key=worth)

    return policy


def mcts_solver(game, state, c=C, policy=None, bounds=(-1, 1), root=None, seed=None):
    """`monte_carlo_tree_search` that keeps what is certain (MCTS-Solver: Winands, Björnsson and Saito, 2008).

    A node is `proven` when the game is over there, when one action is proven to give the player to move the highest
    reward, or when all its actions are proven; a chance node, when all its outcomes are. Selection counts a proven
    child for what it is worth and stops there. It ends when the root is proven: to the rewards of max^n, where the
    choice between actions equally good for the player who moves may be another.
    """
    root, luck, policy = _begin(game, state, c, policy, bounds, root, seed)
    while root.proven is None and (root.untried or root.children):
        path = select_unproven(root, c, luck)
        child = expand(game, path[-1], luck) if path[-1].proven is None else None
        updated = [*path, child] if child else path
        playout, rewards = [], updated[-1].proven
        if rewards is None:
            playout, end = simulate(game, updated[-1].state, policy, luck)
            rewards = rewards_at(game, end, bounds)
        backpropagate(updated, rewards)
        if not playout:
            prove(updated, rewards)
        yield Iteration(path, child, playout, rewards, updated)


def select_unproven(node, c, luck):
    """SELECTION for the solver: it ends at a proven node too."""

    def urgency(child):
        return ucb1(child.utility, child.visits, node.visits, c) if child.proven is None else child.proven[child.player]

    path = [node]
    while node.children and not node.untried and node.proven is None:
        node = draw(node, luck) if node.weights else max(node.children, key=urgency)
        path.append(node)
    return path


def prove(path, rewards):
    """Mark the last node of a path as proven, and those before it as far as that proves them."""
    *above, last = path
    last.proven = rewards
    for node in reversed(above):
        node.proven = certain(node)
        if node.proven is None:
            return


def certain(node):
    """The rewards of all players that follow from the node's proven children, or None."""
    known = [child.proven for child in node.children if child.proven is not None]
    complete = len(known) == len(node.children) and not node.untried
    if node.weights:
        return tuple(sum(map(mul, node.weights, column)) for column in zip(*known)) if complete else None
    best = max(known, key=lambda rewards: rewards[node.to_move])
    return best if complete or best[node.to_move] == 1 else None


def best_child(node):
    """The child to play: the most visited, of equals the one of the largest U.

    Where the solver has proven something: the best of the proven children if that proves the node, and a child that is
    proven to give the lowest reward only if there is no other.
    """

    def merit(child):
        proven = None if child.proven is None else child.proven[child.player]
        certainty = proven != 0 if node.proven is None else proven or 0
        return certainty, child.visits, child.utility

    if not node.children:
        raise ValueError(f"{node!r} has no child to play: the game is over there, or nothing was searched yet")
    return max(node.children, key=merit)


def mcts_agent(iterations=None, seconds=None, keep_tree=False, search=monte_carlo_tree_search, seed=None, **options):
    """An agent that plays the `best_child` after so many iterations, or after so many seconds, whichever is first.

    It makes one iteration at least, so it always has an answer: None in a terminal state only. It looks at the clock
    after each iteration. `keep_tree` goes on from the part of the last move's tree that begins at the state now.
    `search` may be `mcts_solver`; `options` are for the search (`c`, `policy`, `bounds`).
    """
    if iterations is None and seconds is None:
        raise ValueError("give iterations, the number for each move, or seconds, the time for each move")
    if iterations is not None and not (isinstance(iterations, Real) and iterations >= 1 and iterations % 1 == 0):
        raise ValueError(f"iterations is the number for each move, a whole number from 1 up, not {iterations!r}")
    if seconds is not None and not (isinstance(seconds, Real) and seconds >= 0):
        raise ValueError(f"seconds is the time for each move, 0 or more, not {seconds!r}")
    luck, last = random.Random(seed), None

    def agent(game, state):
        nonlocal last
        end = perf_counter() + (inf if seconds is None else seconds)
        if game.is_terminal(state):
            return None
        kept = find(last[1], state) if keep_tree and last and last[0] is game else None
        # The old tree is taken apart here, within the time: that takes as long as a tenth of making it.
        last = game, kept or root_node(game, state)
        with garbage_collection_paused():
            for done, _ in enumerate(search(game, state, root=last[1], seed=luck.random(), **options), 1):
                if done == iterations or perf_counter() >= end:
                    break
        return best_child(last[1]).action

    return agent


def find(node, state):
    """The node of this state in the tree below `node`, the nearest, or None."""
    level = [node]
    while level:
        for node in level:
            if node.state == state:
                return node
        level = [child for node in level for child in node.children]
    return None


def _begin(game, state, c, policy, bounds, root, seed):
    """The root, the source of luck and the policy of a search, its arguments checked."""
    pair = isinstance(bounds, tuple | list) and len(bounds) == 2 and all(isinstance(bound, Real) for bound in bounds)
    if not (pair and -inf < bounds[0] < bounds[1] < inf):
        raise ValueError(f"bounds are the lowest utility and a higher one, the highest, not {bounds!r}")
    check_constant(c)
    check_root(game, state, root)
    return root or root_node(game, state), random.Random(seed), policy or random_policy


def check_constant(c):
    """`ValueError` unless c is a weight of exploration."""
    if not (isinstance(c, Real) and 0 <= c < inf):
        raise ValueError(f"c is the weight of exploration, 0 or more, not {c!r}")


def check_root(game, state, root):
    """`ValueError` unless this node to go on from, if there is one, is of the state to search from."""
    if root is not None and root.state != state:
        raise ValueError(f"root is a node of the state to search from, and this is one of\n{game.render(root.state)}")
