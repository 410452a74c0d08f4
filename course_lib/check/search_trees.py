"""Search trees as tables, {path: (U, N)} of a `TreeGame`: followed from iteration to iteration, drawn and explored."""

from collections import Counter
from itertools import pairwise
from math import inf, sqrt
from typing import Any

from course_lib.check.comparing import is_number, same, shown
from course_lib.check.judging import Failure, Wrong
from course_lib.check.tables import Mistake, Row
from course_lib.explore import mcts_tree, picture, watch_mcts
from course_lib.games import MAX, MIN, TreeGame, Turn
from course_lib.search.mcts import Iteration, Node, ucb1
from course_lib.watch.paths import leaf_paths

C, CLOSE = 1.4, 0.05
"""A child whose UCB1 is this near to the largest may be selected: √2 for 1.4 is right."""
PROBE = TreeGame([[[1, -1], [0, -1], 1], Turn(MAX, [[-1, 1], [1, 0], -1])]), 40, 1
"""In this case, searches that go another way are told from each other."""


def follow(student, name: str, case: tuple, options: dict) -> list:
    """Ask for the trees after 1, 2, … iterations from each seed; the last search is made twice.

    Returns [what is wrong or "", the name of a known mistake or None, the trees before and after the wrong iteration].
    """

    def trees_of(game, iterations, seed):
        return [student.call(name, game, number, seed) for number in (*range(1, iterations + 1), iterations)]

    game, iterations, first, last = case
    runs = [trees_of(game, iterations, seed) for seed in range(first, last + 1)]
    for trees in runs:
        if found := _wrong_trees(game, trees):
            return [*found, []]
        if found := _first_wrong(game, trees, {}):
            number, words = found
            probe = trees_of(*PROBE)
            known = {mistake for mistake, way in [["", {}], *options["ways"]]
                     if not _first_wrong(PROBE[0], probe, way) and not _first_wrong(game, trees, way)}  # fmt: skip
            mistake = known.pop() if len(known) == 1 else None
            return [f"Iteration {number} {words}", mistake, [{}, *trees][number - 1 : number + 1]]
    return [*(_wrong_playouts(runs) if len(runs) > 1 else ("", None)), []]


def followed(row: Row, given: Any, options: dict) -> Wrong | None:
    """What `follow` found."""
    words, mistake, _ = given
    return Wrong(words, mistake=mistake and Mistake(mistake, options["sentences"][mistake])) if words else None


def _wrong_trees(game, trees):
    """(what is wrong, the mistake's name or None) of trees of the wrong kind or size, or None."""
    for tree in trees:
        if not isinstance(tree, dict) or not all(map(is_number, sum(tree.values(), ()))) or tree.keys() - game.paths():
            return f"Expected the root of a tree of this game, got {shown(tree)}.", None
    if trees[-2] != trees[-1]:
        return "The same seed gives another tree the second time.", "not repeatable"
    if trees[0] == trees[-1] and len(trees) > 2 and trees[0].keys() >= {*leaf_paths(game)}:
        return "After one iteration all ends of the game are in the tree.", "minimax"
    for number, tree in enumerate(trees[:-1], 1):
        visits, below = tree[()][1], Counter()
        for path in filter(None, tree):
            below[path[:-1]] += tree[path][1]
        if not number <= visits <= number + 1 or below[()] > number:
            many = "fewer" if visits < number else "more"
            return f"After {number} iterations the root has {visits} visits.", f"{many} playouts than iterations"
        if any(not below[path] < tree[path][1] - 1 for path in below):
            return f"The children's visits are not counted: {shown(tree)}.", "the new child is left out"
    return None


def _wrong_playouts(runs):
    """The same for the results of the first playouts from many seeds: as many losses, draws and wins are expected."""
    last = [max((path for path in tree if tree[path][1]), key=len) for tree, _ in runs]
    results = Counter((path, tree[path][0]) for path, (tree, _) in zip(last, runs))
    if len(results) == len(set(last)):
        return "Other seeds give the same playouts.", "luck is not used"
    totals = [sum(N for (_, U), N in results.items() if reward == U) for reward in (0, 0.5, 1)]
    if max(abs(many - len(runs) / 3) for many in totals) > 4.5 * sqrt(len(runs) * 2) / 3:
        return f"Playouts with equal chances end in each result about equally often here, not {totals}.", None
    return "", None


def _first_wrong(game, trees, way):
    """(number, what is wrong) of the first iteration that MCTS would not make; `way` is what it does otherwise."""
    before = {}
    for number, tree in enumerate(trees[:-1], 1):
        after = {path: pair for path, pair in tree.items() if pair[1]}
        was = dict.fromkeys(after, (0, 0)) | before
        grown = {path: (U - was[path][0], N - was[path][1]) for path, (U, N) in after.items() if was[path] != (U, N)}
        path = prefixes(max(grown, key=len, default=()))
        if grown.keys() != {*path} or was.keys() - after.keys():
            return number, f"changes the nodes {shown([*grown])}, which are no path from the root."
        if words := _wrong_path(game, before, path, way) or _wrong_numbers(game, grown, path[1:], way):
            return number, words
        before = after
    return None


def prefixes(path: tuple) -> list[tuple]:
    """The states from the root of a `TreeGame` to this one."""
    return [path[:length] for length in range(len(path) + 1)]


def _wrong_path(game, before, path, way):
    """What is wrong with the path of an iteration, by the tree before it, or None."""
    end, plies = path[-1], way.get("plies", inf)
    for state, step in pairwise(path):
        untried = [action for action in game.actions(state) if (*state, action) not in before]
        if (untried and (step in before or step != end)) or len(end) > plies:
            return f"goes to {end}, and {untried[:1]} is untried in {state}: expansion adds one node there."
        if not untried:
            sign = -1 if way.get("smallest") and game.to_move(state) == MIN else 1
            children = [(*state, action) for action in game.actions(state)]
            scores = {child: sign * ucb1(*before[child], before[state][1], way.get("c", C)) for child in children}
            best = max(scores, key=scores.get)
            if scores[step] < scores[best] - CLOSE:
                return f"selects {step}, whose UCB1 is {scores[step]:.2f}; that of {best} is {scores[best]:.2f}."
    is_end = end not in before or game.is_terminal(end) or len(end) == plies
    return None if is_end else f"ends at {end} and adds no node: expansion comes next."


def _wrong_numbers(game, grown, path, way):
    """What is wrong with how U and N grow on the path below the root, or None."""
    end, movers = path[-1] if path else (), [game.to_move(node[:-1]) for node in path]
    own, first, ply, other = way.get("side", (1, 0, 0, 0))
    sides = [(own * mover + first * movers[0] + ply * at + other) % 2 for at, mover in enumerate(movers)]
    rewards = {(game.utility(leaf, MAX) + 1) / 2 for leaf in leaf_paths(game) if leaf[: len(end)] == end}
    for reward in rewards:
        gains = [reward if side == MAX else 1 - reward for side in sides]
        if same([grown[node] for node in path], [(2 * gain - 1 if way.get("signed") else gain, 1) for gain in gains]):
            return None
    gains = ", ".join(f"{U:+g}/{N:+}" for U, N in map(grown.get, path))
    return f"changes U/N of {path} by {gains}; N grows by 1, and Max's reward is one of {sorted(rewards)}."


# What a student's code did to a search tree, drawn and explored.


def trees_drawn(row: Row, given: Any) -> list:
    """The tree of the case, or before a wrong iteration, and the tree after it, with U/N in their nodes."""
    game, counts, *_ = row.case
    trees = given[2] if isinstance(counts, int) else [counts, *([counts | given] if isinstance(given, dict) else [])]
    answers = [{path: f"{U:g}/{N}" for path, (U, N) in tree.items()} for tree in trees]
    return [(caption, picture(game, answers=dict.fromkeys(game.paths(), "–") | texts))
            for caption, texts in zip(("before", "after"), answers)]  # fmt: skip


def watched(function, failure: Failure) -> Any:
    """The `WatchedMCTS` of one iteration in the tree of a case, as far as the student's code made it."""
    game, counts, *rest = failure.row.case
    given, c, after, path = failure.given, C, {}, prefixes(rest[0]) if isinstance(rest[0], tuple) else []
    if isinstance(counts, int):  # the whole search
        counts, after = given[2] or ({}, {})
        path = prefixes(max((node for node in after if after[node] != counts.get(node)), key=len, default=()))
    elif not path:  # selection
        path, c = given, rest[0]
    elif isinstance(given, dict):  # back-propagation
        after = given
    nodes = [root := mcts_tree(game, {path: pair for path, pair in counts.items() if pair[1]})]
    for state in path[1:]:
        nodes += [below for below in nodes[-1].children if below.state == state]
    new = path[-1] if after and path[-1] not in counts else None
    child = new and Node(game, new, game.to_move(new[:-1]), new[-1])

    def iteration():
        updated = [*nodes, child] if child else nodes
        for node in updated if after else ():
            node.utility, node.visits = after[node.state]
        yield Iteration(nodes, child, [], None, updated if after else [])

    return watch_mcts(iteration(), game, c=c, root=root)
