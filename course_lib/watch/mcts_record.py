"""What `watch_mcts` keeps of a Monte-Carlo tree search: the tree, and what each iteration did to it."""

from array import array
from itertools import accumulate, chain
from math import isnan, nan
from numbers import Real
from typing import Any, NamedTuple

from course_lib.games import Game, player_name
from course_lib.watch.paths import moves_of
from course_lib.watch.texts import Texts, action_text, edge_text, narrow, node_columns, number_text

PHASES = "selection", "expansion", "simulation", "back-propagation"
"""The steps of an iteration."""


class NodeStatistics(NamedTuple):
    """The numbers of a node at some step, for the player whom U counts for.

    `mean` is U/N, or the node's own Q; it is nan without visits. `proven` is the proven reward, or nan without a proof.
    """

    visits: Real = 0
    utility: Real = 0
    mean: Real = nan
    proven: Real = nan


class RecordedNode(NamedTuple):
    """The part of a node that does not change; `parent` is a number, and U counts the rewards of `player`."""

    parent: int
    action: Any
    state: Any
    player: int
    prior: float
    born: int
    """The step at which the tree gets this node; 0 for the tree that the search starts from."""


class RecordedIteration(NamedTuple):
    """One iteration; its nodes are numbers."""

    path: list
    expanded: int | None
    playout: list
    rewards: Any
    changed: dict
    """Number → `NodeStatistics` after back-propagation, of each node that it changed."""


class MCTSTrace:
    """What `watch_mcts` recorded of one search.

    `nodes` has a `RecordedNode` for each node, the root first; `children` has, for each, the numbers of its children in
    the game's order of actions. `iterations` has a `RecordedIteration` for each iteration, which is four steps long.
    `start` has the `NodeStatistics` of the tree that the search starts from. `formula` and `c` are those of the search.
    """

    error, notice = None, ""

    def __init__(self, name: str, game: Game, c: float, formula: str) -> None:
        self.name, self.game, self.c, self.formula = name, game, c, formula
        self.nodes, self.children, self.iterations, self.start = [], [], [], {}

    @property
    def steps(self) -> int:
        """How many steps were recorded."""
        return len(PHASES) * len(self.iterations)

    def numbers(self, step: int | None = None) -> dict[int, NodeStatistics]:
        """Number → `NodeStatistics` of each node that the tree has after so many steps; without `step`, after all."""
        step = self.steps if step is None else step
        found = {number: NodeStatistics() for number, node in enumerate(self.nodes) if node.born <= step} | self.start
        for seen in self.iterations[: step // len(PHASES)]:
            found |= seen.changed
        return found

    def states(self) -> list:
        """The states of all nodes, in the order of `nodes`."""
        return [node.state for node in self.nodes]

    def columns(self) -> dict:
        """The tree and its iterations as columns, for the explorer in the browser."""
        texts = Texts()
        columns = _node_columns(self, texts) | _start_columns(self) | _iteration_columns(self, texts)
        columns |= _playouts(self.iterations, texts) | _changes(self.iterations)
        names = [player_name(player, self.game.players) for player in range(self.game.players)]
        told = {"formula": self.formula, "c": self.c, "names": names, "players": len(names)}
        return {"texts": texts, "columns": columns} | told

    def edge_text(self, number: int) -> str:
        """What is written above a node: its action, and the probability of chance or the prior."""
        node = self.nodes[number]
        if node.parent < 0:
            return ""
        if not isnan(node.prior):
            return f"{action_text(node.action)}  P {node.prior:.2f}"
        return edge_text(self.game, self.nodes[node.parent].state, node.action)

    def __repr__(self) -> str:
        count, nodes = len(self.iterations), len(self.nodes)
        return f"WatchedMCTS({self.name} on {self.game!r}: {count:,} iterations, {nodes:,} nodes)"


def _node_columns(trace, texts):
    """What stays the same in each node; `rank` is its place among its siblings."""
    game, nodes, rank = trace.game, trace.nodes, array("i", [0]) * len(trace.nodes)
    for children in trace.children:
        for place, child in enumerate(children):
            rank[child] = place
    parents, actions = [node.parent for node in nodes], [node.action for node in nodes]
    return node_columns(game, parents, trace.states(), actions, texts) | {
        "status": bytes(len(nodes)),
        "edge": narrow(texts[trace.edge_text(number)] for number in range(len(nodes))),
        "rank": rank,
        "born": array("i", [node.born for node in nodes]),
        "mover": array("i", [node.player for node in nodes]),
        "moves": array("i", [len(moves_of(game, node.state)) for node in nodes]),
        "prior": array("d", [node.prior for node in nodes]),
    }


def _start_columns(trace):
    """The numbers of the tree that the search starts from."""
    start = [trace.start.get(number, NodeStatistics()) for number in range(len(trace.nodes))]
    names = "start_n", "start_u", "start_mean", "start_proven"
    return {name: array("d", column) for name, column in zip(names, zip(*start))}


def _iteration_columns(trace, texts):
    """What each iteration came to: four steps at two nodes, and the reward."""
    nodes, seen = trace.nodes, trace.iterations
    tips = [one.path[-1] if one.expanded is None else one.expanded for one in seen]
    return {
        "op": bytes(range(len(PHASES))) * len(seen),
        "at": array("i", [at for one, tip in zip(seen, tips) for at in (one.path[-1], tip, tip, tip)]),
        "rewards": array("i", [texts[_rewards_text(one.rewards)] for one in seen]),
        "reward": array("d", [reward(one.rewards, nodes[tip].player) for one, tip in zip(seen, tips)]),
    }


def _rewards_text(rewards):
    if rewards is None or isinstance(rewards, Real):
        return "" if rewards is None else number_text(rewards + 0)  # −0 becomes 0
    return ", ".join(f"{player_name(player, len(rewards))} {number_text(u)}" for player, u in enumerate(rewards))


def _playouts(seen, texts):
    """The actions of all playouts."""
    actions, first = _in_a_row([one.playout for one in seen])
    return {"playout_from": first, "playout": array("i", [texts[action_text(action)] for action in actions])}


def _changes(seen):
    """The nodes that iterations changed, with the numbers they got."""
    changes, first = _in_a_row([one.changed.items() for one in seen])
    columns = [array("d", column) for column in zip(*(now for _, now in changes))]
    names = "n", "u", "mean", "proven"
    changed = array("i", [number for number, _ in changes])
    return {"changed_from": first, "changed": changed} | dict(zip(names, columns))


def _in_a_row(lists):
    """The items of all these, one after the other, and where those of each begin."""
    return [*chain.from_iterable(lists)], array("i", accumulate(map(len, lists), initial=0))


def reward(rewards: Any, player: int, of: int | None = None) -> float:
    """The reward of one player. A single number is the reward of the player `of`; the other gets its negative."""
    if isinstance(rewards, Real):
        return rewards if of in (None, player) else -rewards
    return nan if rewards is None else float(rewards[player])


def fraction(utility: float, visits: float) -> str:
    """U/N as the course writes it."""
    return f"{number_text(round(float(utility), 2) + 0)}/{visits:,.0f}"
