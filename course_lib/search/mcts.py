"""Monte Carlo tree search: the four phases, each a function; the search; an agent that plays by it."""

from collections.abc import Callable, Iterator, Sequence
from inspect import Parameter, isfunction, signature
from itertools import islice
from math import inf, log, sqrt
from numbers import Real
from typing import Any, NamedTuple, TypeVar

from course_lib.collector import garbage_collection_paused
from course_lib.games import CHANCE, MAX, Agent, Game, Policy
from course_lib.games.game import Action, State
from course_lib.games.playing import sample_outcome
from course_lib.games.randomness import RandomSource, Seed, random_source, weighted_choice
from course_lib.games.validation import check_function, check_game, check_number, check_state, check_whole, distribution
from course_lib.search.validation import no_actions_error

Function = TypeVar("Function", bound=Callable)
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
    try:
        if 0 <= visits <= parent_visits:
            return utility / visits + c * sqrt(log(parent_visits) / visits) if visits else inf
    except TypeError:
        pass
    raise ValueError(f"Expected numbers, 0 ≤ visits ≤ parent_visits, got {utility=}, {visits=}, {parent_visits=}, {c=}")


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
            self.untried = [(outcome, p) for outcome, p in distribution(game.chances(state), state) if p > 0]
        else:
            self.untried = list(game.actions(state))
            if not self.untried:
                raise no_actions_error(state)

    def __repr__(self) -> str:
        return f"MCTSNode({self.action!r}, {self.utility:g}/{self.visits})"


def root_node(game: Game, state: State) -> MCTSNode:
    """A node to search from."""
    check_state(game, state)
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
    while not game.is_terminal(state):
        chance = game.to_move(state) == CHANCE
        action = sample_outcome(game, state, rng) if chance else policy(game, state, rng)
        state = game.result(state, action)
        playout.append(action)
    return playout, state


def backpropagate(path: list[MCTSNode], rewards: Rewards) -> None:
    """BACK-PROPAGATION: each node of the path gets one visit more, and the reward of the player who moved into it."""
    for node in path:
        node.visits += 1
        node.utility += rewards[node.player]


def rewards_at(game: Game, state: State, bounds: Bounds = (-1, 1)) -> Rewards:
    """The utilities of a terminal state, one for each player, mapped from `bounds` to [0, 1]."""
    lowest, highest = bounds
    players = range(game.players)
    rewards = tuple([(game.utility(state, player) - lowest) / (highest - lowest) for player in players])
    if min(rewards) < 0 or max(rewards) > 1:
        raise ValueError(f"a utility is outside of bounds={bounds!r}; give the lowest and the highest that any player "
                         f"can get\n{game.render(state)}")  # fmt: skip
    return rewards


def random_policy(game: Game, state: State, rng: RandomSource) -> Action:
    """The playout policy that plays any legal action with equal probability."""
    actions = game.actions(state)
    if not actions:
        raise no_actions_error(state)
    try:
        return actions[int(rng.random() * len(actions))]
    except AttributeError:
        raise ValueError(f"Expected rng to be a random.Random or a NumPy Generator, got {rng!r}") from None


def check_search(game: Game, state: State, c: float, policy: Policy, bounds: Bounds, root: MCTSNode | None) -> None:
    """Raise `ValueError` for arguments with which no search here can begin."""
    check_state(game, state)
    check_root(game, state, root)
    check_number(0, c=c)
    check_function("policy(game, state, rng) → action", policy)
    pair = [bound for bound in bounds if isinstance(bound, Real)] if isinstance(bounds, Sequence) else []
    if not (len(pair) == 2 == len(bounds) and -inf < pair[0] < pair[1] < inf):
        raise ValueError(f"bounds are the lowest utility and a higher one, the highest, not {bounds!r}")


def check_root(game: Game, state: State, root: Any) -> None:
    """`root`, a node of an earlier search to go on from, must be None or a node of the state to search from."""
    if root is not None and not hasattr(root, "state"):
        raise ValueError(f"Expected root to be a node of an earlier search, got {root!r}")
    if root is not None and root.state != state:
        raise ValueError(f"root is a node of the state to search from, and this is one of\n{game.render(root.state)}")


class Name(str):
    """The name of a function that is a default: `help` shows the name, not an address."""

    __repr__ = str.__str__


def with_named_defaults(function: Function) -> Function:
    takes = signature(function)
    shown = [
        p.replace(default=Name(p.default.__name__)) if isfunction(p.default) else p for p in takes.parameters.values()
    ]
    vars(function)["__signature__"] = takes.replace(parameters=shown)
    return function


@with_named_defaults
def mcts_with(select: Callable = select, expand: Callable = expand, simulate: Callable = simulate,
              backpropagate: Callable = backpropagate) -> Callable[..., Iterator[Iteration]]:  # fmt: skip
    """`monte_carlo_tree_search` with your own phases in the place of the library's, one or all four.

    They are called as the library's are, and return the same: `select(node, c, rng)` a path,
    `expand(game, node, rng)` a child or None, `simulate(game, state, policy, rng)` the actions and the end,
    `backpropagate(path, rewards)` nothing. If your phases make nodes of your own, give their root as `root=`.
    """
    for phase in select, expand, simulate, backpropagate:
        check_function("called as the library's own phase", phase)
    backpropagate = counting_visits(backpropagate)

    def monte_carlo_tree_search(
        game: Game,
        state: State,
        *,
        c: float = UCB1_C,
        policy: Policy = random_policy,
        bounds: Bounds = (-1, 1),
        root: MCTSNode | None = None,
        seed: Seed = None,
    ) -> Iterator[Iteration]:
        """MONTE-CARLO-TREE-SEARCH: a generator that yields one `Iteration` after another (AIMA, 4th edition, 5.4).

        `c` is the weight of exploration in `ucb1`. Playouts follow `policy(game, state, rng) → action`. `bounds` are
        the lowest and the highest utility that any player can get; they become the rewards 0 and 1. `root` is a node
        to search from: with `root = root_node(game, state)`, `best_child(root).action` is the answer after any
        iteration. The same seed gives the same iterations.

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
        check_search(game, state, c, policy, bounds, root)
        root, rng = root or root_node(game, state), random_source(seed)
        while not game.is_terminal(state):
            path = select(root, c, rng)
            child = expand(game, path[-1], rng)
            updated = [*path, child] if child else path
            playout, end = simulate(game, updated[-1].state, policy, rng)
            rewards = rewards_at(game, end, bounds)
            backpropagate(updated, rewards)
            yield Iteration(path, child, playout, rewards, updated)

    monte_carlo_tree_search.__qualname__ = "monte_carlo_tree_search"
    return with_named_defaults(monte_carlo_tree_search)


def counting_visits(backpropagate: Callable) -> Callable:
    """The phase, with an error if it leaves the root of our `MCTSNode`s without a visit: UCB1 could not be computed."""

    def counting_backpropagate(path, rewards):
        backpropagate(path, rewards)
        if isinstance(path[0], MCTSNode) and not path[0].visits:
            raise ValueError("backpropagate has left the root with N = 0: each node of the path gets a visit more")

    return counting_backpropagate


monte_carlo_tree_search = mcts_with()


def best_child(node: MCTSNode) -> MCTSNode:
    """The child to play: the most visited one, and of equally often visited ones the one with the largest U."""
    if not getattr(node, "children", ()):
        raise ValueError(f"{node!r} has no child to play: pass a root whose game goes on, after an iteration from it")
    return max(node.children, key=lambda child: (child.visits, child.utility))


@with_named_defaults
def mcts_agent(
    iterations: int,
    *,
    search: Callable[..., Iterator] = monte_carlo_tree_search,
    seed: Seed = None,
    **options: Any,
) -> Agent:
    """An agent that plays the `best_child` after `iterations` iterations for each move; None if the game is over.

    `options` are for the search (`c`, `policy`, `bounds`). The same seed gives the same moves.

    >>> from course_lib.games import Nim
    >>> game = Nim(5, max_take=3)
    >>> mcts_agent(500, seed=0)(game, game.initial_state())
    (0, 1)
    """
    check_whole(1, iterations=iterations)
    check_search_options(search, options)
    rng = random_source(seed)

    def agent(game, state):
        check_game(game)
        if game.is_terminal(state):
            return None
        root = root_node(game, state)
        with garbage_collection_paused():
            for _ in islice(search(game, state, root=root, seed=rng.random(), **options), iterations):
                pass
        return best_child(root).action

    return agent


def check_search_options(search: Callable, options: dict[str, Any]) -> None:
    """`search` must be a function that takes these options."""
    check_function("search(game, state, root=…, seed=…)", search)
    known = signature(search).parameters
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in known.values()):
        return
    if not {"root", "seed"} <= known.keys():
        raise ValueError(f"Expected a search that takes root and seed, as monte_carlo_tree_search, got {search!r}")
    if unknown := options.keys() - known.keys():
        raise ValueError(f"Expected options of {search.__name__}({', '.join(known)}), got {', '.join(unknown)}")
