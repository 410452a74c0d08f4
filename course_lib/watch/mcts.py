"""Watch a Monte Carlo tree search, the library's or your own: the tree, and what each iteration changed in it."""

import inspect
from array import array
from collections.abc import Callable, Iterator
from itertools import accumulate, chain, islice
from math import isnan, nan, sqrt
from numbers import Real
from typing import Any, NamedTuple

from course_lib.games import Game, player_name
from course_lib.games.game import State
from course_lib.games.texts import action_text, number_text
from course_lib.games.validation import as_game, check_function, check_number, check_whole, first_state
from course_lib.games.walking import moves_of
from course_lib.language import localized, numbers_in
from course_lib.watch.record import TextTable, node_columns

PHASES = "selection", "expansion", "simulation", "back-propagation"
"""The steps of an iteration."""


class NodeStatistics(NamedTuple):
    """The statistics of a node at some step, for the player whose rewards U sums.

    `mean` is U/N or the node's own Q, and nan without visits. `proven` is the proven reward, or nan.
    """

    visits: float = 0
    utility: float = 0
    mean: float = nan
    proven: float = nan


class RecordedNode(NamedTuple):
    """The constant part of a node; `parent` is a number, and U sums the rewards of `player`."""

    parent: int
    action: Any
    state: Any
    player: int
    prior: float
    created: int
    """The step at which the node is added to the tree; 0 if the search starts with it."""


class RecordedIteration(NamedTuple):
    """One iteration; its nodes are numbers."""

    path: list
    expanded: int | None
    playout: list
    rewards: Any
    changed: dict
    """Number → `NodeStatistics` after back-propagation, for each node that it changed."""


class MCTSTrace:
    """The trace of one search, as `watch_mcts` returns it.

    `nodes` has a `RecordedNode` for each node, the root first; `children` has, for each, the numbers of its children.
    `iterations` has a `RecordedIteration` for each iteration, which is four steps long.
    `start` has the `NodeStatistics` of the tree that the search starts from. `formula` and `c` are those of the search.
    For one iteration there may be `captions` of the start and of each phase; it is shown first at `last_step`.
    """

    error, notice = None, ""

    def __init__(self, name: str, game: Game, c: float, formula: str) -> None:
        self.name, self.game, self.c, self.formula = name, game, c, formula
        self.nodes: list[RecordedNode] = []
        self.children: list[list[int]] = []
        self.iterations: list[RecordedIteration] = []
        self.start: dict[int, NodeStatistics] = {}
        self.captions: list[str] = []
        self.last_step: int | None = None

    @property
    def steps(self) -> int:
        """The number of recorded steps."""
        return len(PHASES) * len(self.iterations)

    def states(self) -> list:
        """The states of all nodes, in the order of `nodes`."""
        return [node.state for node in self.nodes]

    def columns(self) -> dict:
        """The tree and its iterations as columns, for the explorer in the browser."""
        texts = TextTable()
        columns = _node_columns(self, texts) | _iteration_columns(self, texts)
        names = [player_name(player, self.game.players) for player in range(self.game.players)]
        metadata = {"formula": self.formula, "c": self.c, "names": names, "players": len(names)}
        metadata |= {"captions": self.captions} if self.captions else {}
        return {"texts": texts, "columns": columns} | metadata

    def __repr__(self) -> str:
        count, nodes = len(self.iterations), len(self.nodes)
        return f"MCTSTrace({self.name} on {self.game!r}: {count:,} iterations, {nodes:,} nodes)"


def _node_columns(trace, texts):
    """The columns that are constant during the search; `rank` is the place in the game's order of actions."""
    nodes = trace.nodes
    places = [{action: place for place, (action, _) in enumerate(moves_of(trace.game, node.state))} for node in nodes]
    ranks = [places[node.parent].get(node.action, len(nodes)) for node in nodes]
    parents, actions = [node.parent for node in nodes], [node.action for node in nodes]
    columns = node_columns(trace.game, parents, trace.states(), actions, texts)
    if trace.formula == "puct":
        priors = ["" if isnan(node.prior) else numbers_in(f"  P {node.prior:.2f}") for node in nodes]
        columns["edge"] = array("i", [texts[action_text(action) + p] for action, p in zip(actions, priors)])
    return columns | {
        "status": bytes(len(nodes)),
        "rank": array("i", ranks),
        "created": array("i", [node.created for node in nodes]),
        "mover": array("i", [node.player for node in nodes]),
        "moves": array("i", map(len, places)),
        "prior": array("d", [node.prior for node in nodes]),
        **_columns("start_", [trace.start.get(number, NodeStatistics()) for number in range(len(nodes))]),
    }


def _iteration_columns(trace, texts):
    """Four steps at two nodes for each iteration, its reward and playout, and the nodes that it changed."""
    nodes, iterations = trace.nodes, trace.iterations
    tips = [iteration.path[-1] if iteration.expanded is None else iteration.expanded for iteration in iterations]
    at = [at for iteration, tip in zip(iterations, tips) for at in (iteration.path[-1], tip, tip, tip)]
    rewards = [reward(iteration.rewards, nodes[tip].player) for iteration, tip in zip(iterations, tips)]
    actions, playout_from = _concatenated([iteration.playout for iteration in iterations])
    changes, changed_from = _concatenated([iteration.changed.items() for iteration in iterations])
    return {
        "op": bytes(range(len(PHASES))) * len(iterations),
        "at": array("i", at),
        "rewards": array("i", [texts[_rewards_text(iteration.rewards)] for iteration in iterations]),
        "reward": array("d", rewards),
        "playout_from": playout_from,
        "playout": array("i", [texts[action_text(action)] for action in actions]),
        "changed_from": changed_from,
        "changed": array("i", [number for number, _ in changes]),
        **_columns("", [now for _, now in changes]),
    }


def _columns(prefix, statistics):
    """A column for each number of these `NodeStatistics`."""
    names = "n", "u", "mean", "proven"
    return {f"{prefix}{name}": array("d", column) for name, column in zip(names, zip(*statistics))}


def _rewards_text(rewards):
    if rewards is None or isinstance(rewards, Real):
        return "" if rewards is None else number_text(rewards + 0)  # −0 becomes 0
    return ", ".join(f"{player_name(player, len(rewards))} {number_text(u)}" for player, u in enumerate(rewards))


def _concatenated(lists):
    """The items of all these lists, and the index at which each list begins."""
    return [*chain.from_iterable(lists)], array("i", accumulate(map(len, lists), initial=0))


def reward(rewards: Any, player: int, owner: int | None = None) -> float:
    """The reward of one player. A single number is the reward of `owner`, and its negative that of the other player."""
    if isinstance(rewards, Real):
        return float(rewards) if owner in (None, player) else -float(rewards)
    return nan if rewards is None else float(rewards[player])


def fraction(utility: float, visits: float) -> str:
    """U/N as text."""
    return f"{number_text(round(float(utility), 2) + 0)}/{localized(f'{visits:,.0f}')}"


def watch_mcts(
    search: Callable[..., Iterator],
    game: Any,
    state: State = None,
    *,
    iterations: int = 100,
    c: float | None = None,
    root: Any = None,
    formula: str = "ucb1",
    **options: Any,
) -> MCTSTrace:
    """Run `iterations` iterations of a search and return the `MCTSTrace`, for `explore` and `picture`.

    `search` is a generator function, such as `monte_carlo_tree_search` or your own. It is called as
    `search(game, state, c=c, **options)`, with `root=root` too if `root` is given. Without `c`, the default of the
    search is used, or √2. `root` is a node from which the search continues: of an earlier search, or from `mcts_tree`.

    The search yields iterations with `path`, `expanded`, `playout`, `rewards` and `updated`, as in `Iteration`. Instead
    of a playout and rewards an iteration may have `value`, that of the last node for its player. A node has `state`,
    `action`, a list of `children`, `visits` or N, and `utility` or W: the sum of the rewards of its `player`, who moved
    into it. For `formula="puct"` it has P, and it may have Q.
    """
    check_whole(1, iterations=iterations)
    check_number(0, c=0 if c is None else c)
    if formula not in ("ucb1", "puct"):
        raise ValueError(f"formula must be 'ucb1' or 'puct', not {formula!r}")
    asked = as_game(game)
    state = first_state(asked, state)
    check_function("search(game, state, …), a generator of iterations", search)
    name, parameters = getattr(search, "__name__", "search"), inspect.signature(search).parameters
    if c is None:
        default = getattr(parameters.get("c"), "default", None)
        c = float(default) if isinstance(default, Real) else sqrt(2)
    options |= {"c": c} if "c" in parameters else {}
    found = search(game, state, **options, **({} if root is None else {"root": root}))
    if not isinstance(found, Iterator):
        raise ValueError(f"expected a generator of iterations, got {found!r} from {name}; watch is for recursive ones")
    recorder = _Recorder(MCTSTrace(name, asked, c, formula))
    if root is not None:
        recorder.read_start(root)
    for iteration in islice(found, iterations):
        recorder.read(iteration)
    if not recorder.trace.iterations:
        raise ValueError(f"the search yielded no iteration: is the game over?\n{asked.render(state)}")
    return recorder.trace


class _Recorder:
    """Reads each iteration when it is yielded; the nodes are the search's, which changes them."""

    def __init__(self, trace: MCTSTrace) -> None:
        self.trace = trace
        self.live: list[Any] = []
        self.number_of: dict[int, int] = {}
        self.last: list[NodeStatistics] = []

    def read_start(self, root: Any) -> None:
        """Read the tree with which the search starts."""
        self.add(root, None, 0)
        for number, node in enumerate(self.live):  # grows as it is read
            self.trace.start[number] = self.last[number] = self.numbers(node)
            for child in node.children:
                self.add(child, number, 0)

    def read_start_after(self, path: list, rewards: Any, updated: list) -> None:
        """After the first iteration, read the tree with which the search started, by undoing that iteration."""
        self.read_start(path[0])
        last_player = self.trace.nodes[self.number(updated[-1])].player
        for number in {*map(self.number, updated)}:
            visits, utility, _, proven = self.last[number]
            visits, utility = visits - 1, utility - reward(rewards, self.trace.nodes[number].player, last_player)
            siblings = [self.last[sibling] for sibling in self.trace.children[self.trace.nodes[number].parent]]
            unvisited = next((numbers.mean for numbers in siblings if not numbers.visits), nan)  # PUCT has an initial Q
            mean = utility / visits if visits else unvisited
            self.trace.start[number] = self.last[number] = NodeStatistics(visits, utility, mean, proven)

    def read(self, iteration: Any) -> None:
        """Record an iteration, directly after it."""
        path, expanded, updated = iteration.path, iteration.expanded, iteration.updated
        rewards = iteration.rewards if hasattr(iteration, "rewards") else iteration.value
        if not self.live and updated and self.numbers(path[0]).visits > 1:
            self.read_start_after(path, rewards, updated)
        elif not self.live:
            self.add(path[0], None, 0)
        created = self.trace.steps + 2  # the step of the expansion
        way = path if expanded is None else [*path, expanded]
        for node in way:
            for child in node.children:
                self.add(child, self.number(node), created)
        changed = self.changes([*way, *(updated or ()), *way[-1].children])
        new = None if expanded is None else self.number(expanded)
        playout = getattr(iteration, "playout", [])
        self.trace.iterations.append(RecordedIteration([*map(self.number, path)], new, playout, rewards, changed))

    def number(self, node: Any) -> int:
        """The number of a node."""
        if id(node) not in self.number_of:
            raise ValueError(f"an iteration has {node!r}, which is not in the tree below its root")
        return self.number_of[id(node)]

    def add(self, node: Any, parent: int | None, created: int) -> None:
        """Number a node, unless it has a number."""
        if id(node) in self.number_of:
            return
        number = self.number_of[id(node)] = len(self.live)
        self.live.append(node)
        self.last.append(NodeStatistics())
        self.trace.children.append([])
        above, action = (-1, None) if parent is None else (parent, node.action)
        prior = getattr(node, "P", nan)
        self.trace.nodes.append(RecordedNode(above, action, node.state, node.player, prior, created))
        if parent is not None:
            self.trace.children[parent].append(number)

    def numbers(self, node: Any) -> NodeStatistics:
        """The `NodeStatistics` that a node has now."""
        visits, utility = (node.N, node.W) if hasattr(node, "N") else (node.visits, node.utility)
        mean = getattr(node, "Q", utility / visits if visits else nan)
        proven = mean if getattr(node, "proven", False) else nan  # then Q is the proven value
        return NodeStatistics(visits, utility, mean, proven)

    def changes(self, nodes: list) -> dict[int, NodeStatistics]:
        """Number → `NodeStatistics` of these nodes, if they have changed since they were last read."""
        changed = {}
        for node in nodes:
            number, now = self.number(node), self.numbers(node)
            if now != self.last[number]:  # each nan is math.nan, the same object, and so counts as equal
                changed[number] = self.last[number] = now
        return changed
