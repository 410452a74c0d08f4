"""Monte Carlo tree search: the four phases, each a function; the search; an agent that plays by it."""

from collections.abc import Callable, Iterator, Sequence
from inspect import signature
from itertools import islice
from math import inf, log, sqrt
from numbers import Real
from typing import Any, NamedTuple

from course_lib.games.game import CHANCE, MAX, Action, Agent, Game, Policy, State
from course_lib.games.playing import MAX_PLIES, endless_error, sample_outcome
from course_lib.games.randomness import RandomSource, Seed, random_source, weighted_choice
from course_lib.games.validation import as_game, check_function, check_number, check_state, check_whole, distribution
from course_lib.search.validation import no_actions_error

Rewards = tuple[float, ...]
Bounds = tuple[float, float]

UCB1_C = sqrt(2)
"""The weight of exploration in theory, for rewards from 0 to 1 (Kocsis and Szepesvári, 2006); tuned in practice."""


def ucb1(utility: float, visits: int, parent_visits: int, c: float = UCB1_C) -> float:
    """UCB1(n) = U(n)/N(n) + C √(ln N(parent)/N(n)), and ∞ for a node without visits; a larger C explores more.

    U(n) = `utility`, N(n) = `visits`, N(parent) = `parent_visits`.

    >>> round(ucb1(3, 4, 16), 3)
    1.927
    """
    check_number(-inf, utility=utility, c=c)
    check_number(0, visits=visits)
    check_number(visits, parent_visits=parent_visits)  # each visit of a node is one of its parent
    return utility / visits + c * sqrt(log(parent_visits) / visits) if visits else inf


class MCTSNode:
    """A state in the search tree, with U(n) = `utility` and N(n) = `visits`.

    N playouts have gone through this node, and U is the sum of their rewards for `player`: the player who moved INTO
    the node, not the one to move in it. So whoever chooses among children wants the largest U/N. A reward is from 0 to
    1, a draw ½. After a chance node, `player` is the one who moved before chance. At the root it is the player before
    the one to move there (before Max, if chance moves).
    """

    def __init__(self, game: Game, state: State, player: int, action: Action = None):
        self.state, self.player, self.action = state, player, action
        self.visits: int = 0
        self.utility: float = 0
        self.children: list[MCTSNode] = []
        self.to_move = game.to_move(state)
        self.weights: tuple[float, ...] = ()
        if game.is_terminal(state):
            self.untried = []
        elif self.to_move == CHANCE:
            self.untried = distribution(game.chances(state), state)
        else:
            self.untried = list(game.actions(state))
            if not self.untried:
                raise no_actions_error(state)

    def __repr__(self) -> str:
        return f"MCTSNode({self.action!r}, {self.utility:g}/{self.visits})"


def root_node(game: Game, state: State) -> MCTSNode:
    """A node to search from."""
    check_state(game, state)
    game = as_game(game)
    return MCTSNode(game, state, (max(game.to_move(state), MAX) - 1) % game.players)


class Iteration(NamedTuple):
    """What one iteration did; the numbers in its nodes go on changing with the next."""

    path: list[MCTSNode]
    """Selection: the nodes from the root to the selected one."""
    expanded: MCTSNode | None
    """Expansion: the new child, or None if there is none to add, as at the end of the game."""
    playout: list[Action]
    """Simulation: the actions from there to the end, which the tree does not keep."""
    rewards: Rewards
    """The result: the reward of each player at the end, from 0 to 1."""
    updated: list[MCTSNode]
    """Back-propagation: the nodes that the result was added to, the root first."""


def select(node: MCTSNode, c: float, rng: RandomSource) -> list[MCTSNode]:
    """SELECTION: the path from `node`, by UCB1, to a node with actions not tried yet or to the end of the game."""
    path = [node]
    while node.children and not node.untried:
        node = sample_child(node, rng) if node.weights else ucb1_child(node, c)
        path.append(node)
    return path


def ucb1_child(node: MCTSNode, c: float) -> MCTSNode:
    """The child with the highest `ucb1`, the first of equals; all have visits."""
    best, highest, log_n = node.children[0], -inf, log(node.visits)
    for child in node.children:
        n = child.visits
        value = child.utility / n + c * sqrt(log_n / n)
        if value > highest:
            best, highest = child, value
    return best


def expand(game: Game, node: MCTSNode, rng: RandomSource) -> MCTSNode | None:
    """EXPANSION: add a child for an action not tried yet and return it; None if there is no such action.

    A chance node gets all its children at once, since they are not chosen among, and one of them is drawn.
    """
    if not node.untried:
        return None
    if node.to_move == CHANCE:
        outcomes, node.weights = zip(*node.untried)
        node.children = [MCTSNode(game, game.result(node.state, outcome), node.player, outcome) for outcome in outcomes]
        node.untried = []
        return sample_child(node, rng)
    action = node.untried.pop(int(rng.random() * len(node.untried)))
    child = MCTSNode(game, game.result(node.state, action), node.to_move, action)
    node.children.append(child)
    return child


def sample_child(node: MCTSNode, rng: RandomSource) -> MCTSNode:
    """A child of a chance node, drawn by its probability."""
    return weighted_choice(node.children, node.weights, rng)


def simulate(game: Game, state: State, policy: Policy, rng: RandomSource) -> tuple[list[Action], State]:
    """SIMULATION: play on to the end of the game; return the actions of this playout and the terminal state."""
    playout = []
    for _ in range(MAX_PLIES):
        if game.is_terminal(state):
            return playout, state
        chance = game.to_move(state) == CHANCE
        action = sample_outcome(game, state, rng) if chance else policy(game, state, rng)
        state = game.result(state, action)
        playout.append(action)
    raise endless_error(game)


def backpropagate(path: list[MCTSNode], rewards: Rewards) -> None:
    """BACK-PROPAGATION: each node of the path gets one visit more, and the reward of the player who moved into it."""
    for node in path:
        node.visits += 1
        node.utility += rewards[node.player]


def rewards_at(game: Game, state: State, bounds: Bounds = (-1, 1)) -> Rewards:
    """The utilities of a terminal state, one for each player, mapped from `bounds` to [0, 1]."""
    lowest, highest = bounds
    rewards = tuple([(game.utility(state, player) - lowest) / (highest - lowest) for player in range(game.players)])
    for reward in rewards:
        if not 0 <= reward <= 1:
            raise ValueError(
                f"Expected utilities from {lowest} to {highest}, got another: set bounds\n{game.render(state)}"
            )
    return rewards


def random_policy(game: Game, state: State, rng: RandomSource) -> Action:
    """The playout policy that plays any legal action with equal probability."""
    actions = game.actions(state)
    if not actions:
        raise no_actions_error(state)
    return actions[int(rng.random() * len(actions))]


def check_search(game: Any, state: State, c: float, policy: Policy, bounds: Bounds, root: MCTSNode | None) -> Game:
    """`as_game(game)`; `ValueError` for arguments with which no search here can begin."""
    game = check_start(game, state, c, root)
    check_function("policy(game, state, rng) → action", policy)
    pair = [bound for bound in bounds if isinstance(bound, Real)] if isinstance(bounds, Sequence) else []
    if not (len(pair) == 2 == len(bounds) and -inf < pair[0] < pair[1] < inf):
        raise ValueError(f"bounds are the lowest utility and a higher one, the highest, not {bounds!r}")
    return game


def check_start(game: Any, state: State, c: float, root: Any) -> Game:
    """`as_game(game)`; `root`, a node of an earlier search to go on from, must be None or a node of `state`."""
    game = as_game(game)
    check_state(game, state)
    check_number(0, c=c)
    if root is not None and getattr(root, "state", None) != state:
        raise ValueError(f"Expected root to be a node of this state, got {root!r} for\n{game.render(state)}")
    return game


def monte_carlo_tree_search(
    game: Game,
    state: State,
    *,
    c: float = UCB1_C,
    policy: Policy = random_policy,
    bounds: Bounds = (-1, 1),
    root: MCTSNode | None = None,
    seed: Seed = None,
    select: Callable = select,
    expand: Callable = expand,
    simulate: Callable = simulate,
    backpropagate: Callable = backpropagate,
) -> Iterator[Iteration]:
    """MONTE-CARLO-TREE-SEARCH: a generator that yields one `Iteration` after another (AIMA, 4th edition, 5.4).

    `c` is the weight of exploration in `ucb1`. Playouts follow `policy(game, state, rng) → action`. `bounds` are
    the lowest and the highest utility that any player can get; they become the rewards 0 and 1. `root` is a node
    to search from: with `root = root_node(game, state)`, `best_child(root).action` is the answer after any
    iteration. The same seed gives the same iterations.

    The last four are the phases: pass functions of your own to replace them. If these make nodes of your own, pass
    their root.

    >>> from itertools import islice
    >>> from course_lib.games import Nim
    >>> from course_lib.search import best_child, root_node
    >>> game = Nim(5, max_take=3)
    >>> root = root_node(game, game.initial_state())
    >>> iterations = monte_carlo_tree_search(game, root.state, root=root, seed=0)
    >>> len(list(islice(iterations, 500)))
    500
    >>> best_child(root).action
    (0, 1)
    """
    game = check_search(game, state, c, policy, bounds, root)
    root, rng = root or root_node(game, state), random_source(seed)
    while not game.is_terminal(state):
        path = select(root, c, rng)
        child = expand(game, path[-1], rng)
        updated = [*path, child] if child else path
        playout, end = simulate(game, updated[-1].state, policy, rng)
        rewards = rewards_at(game, end, bounds)
        backpropagate(updated, rewards)
        yield Iteration(path, child, playout, rewards, updated)


def best_child(node: MCTSNode) -> MCTSNode:
    """The child to play: the most visited one, and of equally often visited ones the one with the largest U."""
    if not getattr(node, "children", ()):
        raise ValueError(f"{node!r} has no child to play: pass a root whose game goes on, after an iteration from it")
    return max(node.children, key=lambda child: (child.visits, child.utility))


def mcts_agent(
    iterations: int, *, search: Callable[..., Iterator] = monte_carlo_tree_search, seed: Seed = None, **options: Any
) -> Agent:
    """An agent that plays the `best_child` after `iterations` iterations for each move; None if the game is over.

    `options` are for the search (`c`, `policy`, `bounds`, its phases). The same seed gives the same moves.

    >>> from course_lib.games import Nim
    >>> game = Nim(5, max_take=3)
    >>> mcts_agent(500, seed=0)(game, game.initial_state())
    (0, 1)
    """
    check_whole(1, iterations=iterations)
    check_function("search(game, state, root=…, seed=…)", search)
    signature(search).bind(None, None, root=None, seed=None, **options)
    rng = random_source(seed)

    def agent(game, state):
        game = as_game(game)
        if game.is_terminal(state):
            return None
        root = root_node(game, state)
        for _ in islice(search(game, state, root=root, seed=rng.random(), **options), iterations):
            pass
        return best_child(root).action

    return agent
