"""The trace of a Monte Carlo tree search: the tree, and what each iteration changed in it."""

from array import array
from itertools import accumulate, chain
from math import isnan, nan
from numbers import Real
from typing import Any, NamedTuple

from course_lib.games import Game, player_name
from course_lib.games.texts import action_text, number_text
from course_lib.games.walking import moves_of
from course_lib.watch.texts import TextTable, compact_array, node_columns

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
        priors = ["" if isnan(node.prior) else f"  P {node.prior:.2f}" for node in nodes]
        columns["edge"] = compact_array(texts[action_text(action) + p] for action, p in zip(actions, priors))
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
    return f"{number_text(round(float(utility), 2) + 0)}/{visits:,.0f}"
