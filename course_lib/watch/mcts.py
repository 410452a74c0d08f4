"""Watch a Monte-Carlo tree search, the library's or your own, and keep what each of its iterations did."""

import inspect
from collections.abc import Iterable
from itertools import islice, pairwise
from math import inf, isnan, log, nan, sqrt
from numbers import Real
from typing import Any, NamedTuple

from course_lib.games import CHANCE, MAX
from course_lib.search.mcts import C, Node, add_outcomes, root_node
from course_lib.watch.paths import moves_of

PHASES = "selection", "expansion", "simulation", "back-propagation"
"""The steps of an iteration."""
NEEDED = ("an iteration has path, expanded, playout, rewards and updated, as attributes or as a tuple in this order; "
          "its nodes have state, action, children, visits (or N) and utility (or U, or W)")  # fmt: skip


class Numbers(NamedTuple):
    """N and U of a node at some step; U/N, or the node's own Q; what is proven for the player whom U counts for.

    nan stands for what there is not: U/N without visits, a proof.
    """

    visits: Real = 0
    utility: Real = 0
    mean: Real = nan
    proven: Real = nan


class Grown(NamedTuple):
    """What does not change of a node; `parent` is a number, `player` the one whose rewards U counts."""

    parent: int
    action: Any
    state: Any
    player: int
    prior: float
    born: int
    """The step at which the tree gets it; 0 for the tree that the search starts from."""


class Seen(NamedTuple):
    """What one iteration did; its nodes are numbers."""

    path: list
    expanded: int | None
    playout: list
    rewards: Any
    changed: dict
    """Number → `Numbers` after back-propagation, of each node that it changed."""


class WatchedMCTS:
    """What `watch_mcts` recorded.

    `nodes` has a `Grown` for each node, the root first, and `children` the numbers of its children, in the game's order
    of actions; `iterations` has a `Seen` for each, of four steps. `formula` and `c` are those of the search.
    """

    def __init__(self, name, game, c, formula):
        self.name, self.game, self.c, self.formula = name, game, c, formula
        self.nodes, self.children, self.iterations, self.start = [], [], [], {}
        self.notice = ""

    @property
    def steps(self):
        """How many steps were recorded."""
        return len(PHASES) * len(self.iterations)

    def numbers(self, step=None):
        """Number → `Numbers` of each node that the tree has after so many steps; after all, unless told."""
        step = self.steps if step is None else step
        found = {number: Numbers() for number, node in enumerate(self.nodes) if node.born <= step} | self.start
        for seen in self.iterations[: step // len(PHASES)]:
            found |= seen.changed
        return found

    def terms(self, number, numbers, c=None):
        """(exploitation, exploration) of a node, by the numbers of a step; (nan, nan) for the root and after chance.

        For UCB1: U/N, which is nan without visits, and C √(ln N(parent)/N). For PUCT: Q, which is 0 without visits
        unless the node says otherwise, and C P √N(parent)/(1 + N), or 0 for what is proven to be lost.
        """
        node, mine, c = self.nodes[number], numbers[number], self.c if c is None else c
        if node.parent < 0 or self.game.to_move(self.nodes[node.parent].state) == CHANCE:
            return nan, nan
        above, n = numbers[node.parent].visits, mine.visits
        if self.formula == "puct":
            exploration = 0 if mine.proven == -1 else c * node.prior * sqrt(above) / (1 + n)
            return (0 if isnan(mine.mean) else mine.mean), exploration
        return mine.mean, (c * sqrt(log(max(1, above)) / n) if n else inf)

    def score(self, number, numbers, c=None):
        """What selection compares: the sum of the `terms`; with UCB1, ∞ without visits, and what is proven as it is."""
        exploitation, exploration = self.terms(number, numbers, c)
        if self.proves(number, numbers) and not isnan(exploration):
            return numbers[number].proven
        return inf if exploration == inf else exploitation + exploration

    def proves(self, number, numbers):
        """True where a proof counts instead of UCB1; PUCT has it in its Q."""
        return self.formula == "ucb1" and not isnan(numbers[number].proven)

    def chosen(self, number, numbers, c=None):
        """The child that selection goes to from a node, by the numbers of a step and any C.

        Of equals it is the first that the search made. It is None where there is none to choose: in a leaf or what is
        proven, where an action was not tried yet, where chance decides.
        """
        state = self.nodes[number].state
        children = sorted(child for child in self.children[number] if child in numbers)
        if not children or len(children) < len(moves_of(self.game, state)) or not isnan(numbers[number].proven):
            return None
        if self.game.to_move(state) == CHANCE:
            return None
        return max(children, key=lambda child: self.score(child, numbers, c))

    def __repr__(self):
        count, nodes = len(self.iterations), len(self.nodes)
        return f"WatchedMCTS({self.name} on {self.game!r}: {count:,} iterations, {nodes:,} nodes)"


def watch_mcts(search, game, state=None, *, iterations=100, c=None, root=None, formula="ucb1", **options):
    """Run so many iterations of a search and return the `WatchedMCTS`; `explore` and `picture` show it.

    `search` is a generator function, called as `search(game, state, c=c, **options)`, with `root=root` if it is given:
    `monte_carlo_tree_search`, `mcts_solver`, your own; or what such a call returned, with the same `c` (and `root`).
    `c` is the search's own default, or √2, unless given. `root` is a node to go on from, of an earlier search or of
    `mcts_tree`.

    It yields an iteration at a time, with `path`, `expanded`, `playout`, `rewards` and `updated` as in `Iteration`, or
    a tuple of these. A node has `state`, `action`, `children` (a list, or a dictionary of them), `visits` or N, and
    `utility` or U or W: the sum of the rewards of the player who moved into it, unless its `player` says otherwise.
    For `formula="puct"` it has `prior` or P, and may have Q; instead of a playout and rewards an iteration may have
    the `value` of the last node to the player who moved into it.
    """
    _check(game, iterations, c, formula)
    state = game.initial_state() if state is None else state
    name = getattr(search, "__name__", type(search).__name__)
    if callable(search):
        parameters = inspect.signature(search).parameters
        default = getattr(parameters.get("c"), "default", C)
        c = c if c is not None else default if isinstance(default, Real) else C
        options |= {"c": c} if "c" in parameters else {}
        search = search(game, state, **options, **({} if root is None else {"root": root}))
    if not isinstance(search, Iterable):
        raise ValueError(f"{name} returned {search!r}; a search to watch is a generator, which yields its iterations")
    recorder = _Recorder(WatchedMCTS(name, game, C if c is None else c, formula))
    if root is not None:
        recorder.read_start(root)
    for iteration in islice(search, int(iterations)):
        recorder.read(iteration)
    if not recorder.watched.iterations:
        raise ValueError(f"the search yielded no iteration; is the game over?\n{game.render(state)}")
    return recorder.finish()


def _check(game, iterations, c, formula):
    if not hasattr(game, "result"):
        raise ValueError(f"watch_mcts takes a search, a game and a state, as watch does, not {game!r} as the game")
    if not isinstance(iterations, Real) or iterations < 1 or iterations % 1:
        raise ValueError(f"iterations is how many to watch, a whole number from 1 up, not {iterations!r}")
    if c is not None and not (isinstance(c, Real) and 0 <= c < inf):
        raise ValueError(f"c is the weight of exploration, 0 or more, not {c!r}")
    if formula not in ("ucb1", "puct"):
        raise ValueError(f"formula is 'ucb1' or 'puct', not {formula!r}")


class _Recorder:
    """Reads the iterations while they happen: the nodes are the search's own, and go on changing."""

    def __init__(self, watched):
        self.watched = watched
        self.live, self.number_of, self.last = [], {}, []

    def read_start(self, root):
        """The tree that the search starts from."""
        self.add(root, None, 0)
        for number, node in enumerate(self.live):  # grows as it is read
            self.watched.start[number] = self.last[number] = self.numbers(node, number)
            for child in _children(node):
                self.add(child, number, 0)

    def read_start_after(self, path, rewards, updated):
        """The same after the first iteration: what it changed is set back, by its own account."""
        self.read_start(path[0])
        last_player = self.watched.nodes[self.number_of[id(updated[-1])]].player
        for number in {self.number_of[id(node)] for node in updated}:
            visits, utility, _, proven = self.last[number]
            visits, utility = visits - 1, utility - reward(rewards, self.watched.nodes[number].player, last_player)
            mean = utility / visits if visits else self.unvisited_mean(number)
            self.watched.start[number] = self.last[number] = Numbers(visits, utility, mean, proven)

    def unvisited_mean(self, number):
        """What siblings without visits have for U/N: nan, or a Q to begin with."""
        siblings = [self.last[sibling] for sibling in self.watched.children[self.watched.nodes[number].parent]]
        return next((numbers.mean for numbers in siblings if not numbers.visits), nan)

    def read(self, iteration):
        """Note what an iteration did, right after it."""
        path, expanded, playout, rewards, updated = _parts(iteration)
        if not self.live and updated and _read(path[0], "visits", "N") > 1:
            self.read_start_after(path, rewards, updated)
        elif not self.live:
            self.add(path[0], None, 0)
        if path[0] is not self.live[0]:
            raise ValueError(f"each path begins at the same node, the root of the tree; {NEEDED}")
        born = self.watched.steps + 2  # the step of the expansion
        way = path if expanded is None else [*path, expanded]
        for above, node in pairwise(way):
            for child in [*_children(above), node]:
                self.add(child, self.number_of[id(above)], born)
        below = _children(way[-1])
        for child in below:
            self.add(child, self.number_of[id(way[-1])], born)
        changed = self.changes([*way, *updated, *below])
        numbers = [self.number_of[id(node)] for node in path]
        new = None if expanded is None else self.number_of[id(expanded)]
        self.watched.iterations.append(Seen(numbers, new, list(playout), rewards, changed))

    def add(self, node, parent, born):
        """Give a node its number, unless it has one."""
        if id(node) in self.number_of:
            return
        number = self.number_of[id(node)] = len(self.live)
        self.live.append(node)
        self.last.append(Numbers())
        self.watched.children.append([])
        state, prior = _read(node, "state"), _read(node, "prior", "P", "p", default=nan)
        player = _read(node, "player", default=self.who_moved_into(state, parent))
        action = None if parent is None else _read(node, "action")
        self.watched.nodes.append(Grown(-1 if parent is None else parent, action, state, player, prior, born))
        if parent is not None:
            self.watched.children[parent].append(number)

    def who_moved_into(self, state, parent):
        """Whoever moved in the parent; after chance, who moved before it; at the root, whoever is before its mover."""
        game = self.watched.game
        if parent is None:
            return (max(game.to_move(state), MAX) - 1) % getattr(game, "players", 2)
        above = self.watched.nodes[parent]
        mover = game.to_move(above.state)
        return above.player if mover == CHANCE else mover

    def numbers(self, node, number):
        """What stands in a node now."""
        visits, utility = _read(node, "visits", "N"), _read(node, "utility", "U", "W")
        mean = _read(node, "Q", default=utility / visits if visits else nan)
        proven = getattr(node, "proven", None)
        if isinstance(proven, bool):  # then Q is what is proven
            proven = mean if proven else None
        proven = nan if proven is None else reward(proven, self.watched.nodes[number].player)
        return Numbers(visits, utility, mean, proven)

    def changes(self, nodes):
        """The nodes whose numbers differ from the last that were read."""
        changed = {}
        for node in nodes:
            if id(node) not in self.number_of:
                raise ValueError(f"an iteration updated {node!r}, which is not on its path; {NEEDED}")
            number = self.number_of[id(node)]
            now = self.numbers(node, number)
            if now != self.last[number]:  # each nan is math.nan, the same object, and so counts as equal
                changed[number] = self.last[number] = now
        return changed

    def finish(self):
        """The record, with children in the game's order, and a notice if numbers changed that no iteration told of."""
        watched = self.watched
        for number, children in enumerate(watched.children):
            if len(children) > 1:
                order = [action for action, _ in moves_of(watched.game, watched.nodes[number].state)]
                children.sort(key=lambda child: _place(order, watched.nodes[child].action))
        if any(self.numbers(node, number)[:2] != self.last[number][:2] for number, node in enumerate(self.live)):
            watched.notice = ("Some nodes changed without being listed as updated, so their numbers here are too old: "
                              "an iteration's updated nodes are all those that back-propagation changes.")  # fmt: skip
        return watched


def _parts(iteration):
    """The path, the expanded child, the playout, the rewards and the updated nodes of an iteration."""
    if hasattr(iteration, "path"):
        names = "expanded", "playout", "rewards", "updated"
        path, parts = iteration.path, [getattr(iteration, name, None) for name in names]
        parts[2] = getattr(iteration, "value", None) if parts[2] is None else parts[2]
    elif isinstance(iteration, tuple | list) and len(iteration) == 5:
        path, *parts = iteration
    else:
        raise ValueError(f"watch_mcts cannot read {iteration!r}: {NEEDED}")
    if not path:
        raise ValueError(f"the path of an iteration holds the root at least; {NEEDED}")
    expanded, playout, rewards, updated = parts
    return list(path), expanded, playout or [], rewards, updated or []


def _children(node):
    children = _read(node, "children")
    return list(children.values() if isinstance(children, dict) else children or ())


def _read(node, *names, **otherwise):
    """The first of these attributes that a node has."""
    for name in names:
        if hasattr(node, name):
            return getattr(node, name)
    if otherwise:
        return otherwise["default"]
    raise ValueError(f"{node!r} has no {' or '.join(names)}; {NEEDED}")


def _place(order, action):
    return order.index(action) if action in order else len(order)


def reward(rewards, player, of=None):
    """The reward of one player; a single number is that of the player `of`, and the other's with its sign changed."""
    if isinstance(rewards, Real):
        return rewards if of in (None, player) else -rewards
    return nan if rewards is None else float(rewards[player])


def mcts_tree(game, counts, state=None):
    """A search tree given by its numbers, to search on from: its root, a `Node`.

    `counts` has (U, N) for paths of actions: `{(): (37, 100), (0,): (60, 79), (1,): (1, 10), (2,): (2, 11)}`. What has
    no entry is not in the tree yet; outcomes of chance are, all of them, as soon as one is.
    Give the root's too: no node has more visits than the one above it.
    """
    if not all(isinstance(path, tuple) and isinstance(pair, tuple | list) and len(pair) == 2
               for path, pair in counts.items()):  # fmt: skip
        raise ValueError(f"counts has (U, N) for paths of actions, as in {{(): (1, 2), (0,): (1, 1)}}, not {counts!r}")
    nodes = {(): root_node(game, game.initial_state() if state is None else state)}
    for path, (utility, visits) in sorted(counts.items(), key=lambda item: len(item[0])):
        if not 0 <= utility <= visits:
            raise ValueError(f"{path!r} has U = {utility!r} of N = {visits!r}; a reward is from 0 to 1")
        if path not in nodes:
            _add_below(game, nodes, path)
        if path:
            _check_visits(path, visits, nodes[path[:-1]])
        nodes[path].utility, nodes[path].visits = utility, visits
    return nodes[()]


def _check_visits(path, visits, above):
    least = 0 if above.to_move == CHANCE else 1
    if not least <= visits <= above.visits:
        raise ValueError(f"{path!r} has N = {visits!r}; it is {least} or more, and at most that of the node above, "
                         f"{above.visits!r}")  # fmt: skip


def _add_below(game, nodes, path):
    above, action = nodes.get(path[:-1]), path[-1]
    if above is None:
        raise ValueError(f"counts has {path!r} but nothing for {path[:-1]!r}, the node above it")
    if above.to_move == CHANCE and above.untried:
        add_outcomes(game, above)
        nodes |= {(*path[:-1], child.action): child for child in above.children}
    elif action in above.untried:
        above.untried.remove(action)
        nodes[path] = Node(game, game.result(above.state, action), above.to_move, action)
        above.children.append(nodes[path])
    if path not in nodes:
        raise ValueError(f"counts has {path!r}, and {action!r} is no action there\n{game.render(above.state)}")
