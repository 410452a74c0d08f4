"""Watch a Monte Carlo tree search, the library's or your own, and record its iterations."""

import inspect
from collections.abc import Callable, Iterator
from itertools import islice
from math import nan, sqrt
from numbers import Real
from typing import Any

from course_lib.games import CHANCE, MAX
from course_lib.games.game import State
from course_lib.games.validation import as_game, check_function, check_number, check_whole, first_state
from course_lib.watch.mcts_record import MCTSTrace, NodeStatistics, RecordedIteration, RecordedNode, reward

REQUIRED = ("an iteration has path, expanded, playout, rewards and updated; "
          "its nodes have state, action, children, visits (or N) and utility (or W)")  # fmt: skip


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
    of a playout and rewards an iteration may have `value`, that of the last node for the player who moved into it. A
    node has `state`, `action`, `children` (a list, or a dictionary of nodes), `visits` or N, and `utility` or W: the
    sum of the rewards of the player who moved into it, or of its `player` if it has one. For `formula="puct"` it has
    `prior` or P, and it may have Q.
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
            for child in _children(node):
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
        path, expanded, updated = _read(iteration, "path"), _read(iteration, "expanded"), _read(iteration, "updated")
        rewards = _read(iteration, "rewards", "value")
        if not self.live and updated and _read(path[0], "visits", "N") > 1:
            self.read_start_after(path, rewards, updated)
        elif not self.live:
            self.add(path[0], None, 0)
        if path[0] is not self.live[0]:
            raise ValueError(f"the path of an iteration does not begin at the root of the tree; {REQUIRED}")
        created = self.trace.steps + 2  # the step of the expansion
        way = path if expanded is None else [*path, expanded]
        for node in way:
            for child in _children(node):
                self.add(child, self.number(node), created)
        changed = self.changes([*way, *(updated or ()), *_children(way[-1])])
        new = None if expanded is None else self.number(expanded)
        playout = getattr(iteration, "playout", [])
        self.trace.iterations.append(RecordedIteration([*map(self.number, path)], new, playout, rewards, changed))

    def number(self, node: Any) -> int:
        """The number of a node."""
        if id(node) not in self.number_of:
            raise ValueError(f"an iteration has {node!r}, which is not in the tree below its root; {REQUIRED}")
        return self.number_of[id(node)]

    def add(self, node: Any, parent: int | None, created: int) -> None:
        """Number a node, unless it has a number."""
        if id(node) in self.number_of:
            return
        number = self.number_of[id(node)] = len(self.live)
        self.live.append(node)
        self.last.append(NodeStatistics())
        self.trace.children.append([])
        state, prior = _read(node, "state"), _read(node, "prior", "P", default=nan)
        player = _read(node, "player", default=self.who_moved_into(state, parent))
        action = None if parent is None else _read(node, "action")
        self.trace.nodes.append(RecordedNode(-1 if parent is None else parent, action, state, player, prior, created))
        if parent is not None:
            self.trace.children[parent].append(number)

    def who_moved_into(self, state: State, parent: int | None) -> int:
        """The player who moved in the parent, or before chance moved; at the root, the player before its mover."""
        game = self.trace.game
        if parent is None:
            return (max(game.to_move(state), MAX) - 1) % game.players
        above = self.trace.nodes[parent]
        mover = game.to_move(above.state)
        return above.player if mover == CHANCE else mover

    def numbers(self, node: Any) -> NodeStatistics:
        """The `NodeStatistics` that a node has now."""
        visits, utility = _read(node, "visits", "N"), _read(node, "utility", "W")
        mean = _read(node, "Q", default=utility / visits if visits else nan)
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


def _children(node):
    children = _read(node, "children")
    return list(children.values() if isinstance(children, dict) else children or ())


def _read(node, *names, **otherwise):
    """The value of the first of these attributes that a node has."""
    for name in names:
        if hasattr(node, name):
            return getattr(node, name)
    if otherwise:
        return otherwise["default"]
    raise ValueError(f"{node!r} has no {' or '.join(names)}; {REQUIRED}")
