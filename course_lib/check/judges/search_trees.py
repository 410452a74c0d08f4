"""Search trees as tables, {path: (U, N)} of a `TreeGame`, followed from one iteration of MCTS to the next."""

from collections import Counter
from itertools import combinations, pairwise
from math import inf, sqrt
from typing import Any, NamedTuple

from course_lib.check.comparing import NO_RETURN, Wrong, either, expected_but_got, is_number, misfit, same, shown
from course_lib.check.examine import Student
from course_lib.check.failures import StudentError
from course_lib.check.judges import worked as formulas
from course_lib.check.tables import Mistake, Row
from course_lib.games import MAX, MIN, TreeGame, Turn, player_name
from course_lib.games.texts import number_text
from course_lib.language import N_, gettext, ngettext
from course_lib.search import ucb1

C, CLOSE = 1.4, 0.05  # a child whose UCB1 is this near to the largest may be selected: √2 for 1.4 is right
COUNTS_FOR = {
    "who moved there": lambda mover, first, ply: mover,
    "who does not": lambda mover, first, ply: 1 - mover,
    "Max": lambda mover, first, ply: MAX,
    "in turns": lambda mover, first, ply: (first + ply) % 2,
    "who moves at the root": lambda mover, first, ply: first,
}
"""For whom U of a node counts, if `mover` moved into it, `first` moved first, and the node lies `ply` plies deep."""
NEW_TREE = N_("a new tree in each iteration")
COUNTED = {
    N_("another tree is returned"): N_(
        "The tree that you return is not the one that the iterations change: is it a copy?"
    ),
    NEW_TREE: N_("Create the root once, before the first iteration: the tree grows from it."),
    N_("the root left out"): N_("Back-propagation counts a visit at each node from the new child up to the root."),
}
"""Mistakes that visits show."""
SCORES = {
    "UCB1": lambda U, N, parent, c, mover: ucb1(U, N, parent, c),
    "UCB1, but for Min the smallest": lambda U, N, parent, c, mover: (1 - 2 * mover) * ucb1(U, N, parent, c),
    "UCB1, but for Min −U": lambda U, N, parent, c, mover: ucb1((1 - 2 * mover) * U, N, parent, c),
    "UCB1, but with N of the child": lambda U, N, parent, c, mover: ucb1(U, N, N, c),
    "N": lambda U, N, parent, c, mover: N,
}
"""What is the largest for the child that is selected: the score of a child with U and N, where `mover` chooses."""
PROBE = TreeGame([[[1, -1], [0, -1], 1], Turn(MIN, [[-1, 1], [1, 0], 1])], first=MIN), 40, 1


class Way(NamedTuple):
    """How a search goes: as MCTS does, or, with other values, in one of the known wrong ways."""

    plies: float = inf  # the depth beyond which the tree does not grow
    c: float = C
    close: float = CLOSE
    score: str = "UCB1"
    passes_over: bool = False  # whether selection passes over the untried actions of a node that has a child
    begins: int | None = None  # plies to where the playout begins: all of the path, or all but the last (−1), or none
    short: bool = False  # whether a playout is at most one ply long, and a draw if the game is not over then
    draw: float = 0.5  # either player's reward for a draw
    replaces: bool = False  # whether a reward replaces U instead of being added
    counts_for: str = "who moved there"
    signed: bool = False  # whether rewards are −1 to 1 instead of 0 to 1


def follow(student: Student, name: str, case: tuple, *, ways: list) -> list:
    """Ask for the trees after 1, 2, … iterations from a seed, or for the last one from each of several seeds.

    Returns [what is wrong or "", mistake or None, two trees].
    """

    def trees_of(game, iterations, seed, begin=1):
        for number in range(begin, iterations + 1):
            made.append(student.call(name, game, number, seed))
        return made[begin - iterations - 1 :]

    made: list = []
    game, iterations, first, last = case
    begin = 1 if first == last else iterations
    try:
        runs = [trees_of(game, iterations, seed, begin) for seed in range(first, last + 1)]
    except StudentError:
        words, mistake, number = (begin == 1 and len(made) > 1 and _wrong_trees(game, made, 1)) or ("", None, 0)
        if words:  # before the error, and perhaps its cause
            return [words, mistake, [{}, *made][number - 1 : number + 1]]
        raise
    for seed, trees in enumerate(runs, first):
        found = _wrong_trees(game, trees, begin)
        if found and found[2] and first < last:
            return ["", None, []]  # other cases, with more trees, say why
        if found := found or (begin == 1 and _first_wrong(game, trees, Way())):
            words, mistake, number = found
            shown_trees = [{}, *trees][number - begin : number - begin + 2] if number else []
            if trees_of(game, iterations, seed, begin) != trees:
                words = N_("Called twice with the same seed, your function grows two trees for the same case.")
                return [gettext(words), "not repeatable", []]
            if number and mistake is None:
                probe = trees_of(*PROBE)  # a case that tells ways to go wrong from each other
                both = (PROBE[0], probe), (game, trees)
                fits = [(mistake, way) for mistake, way in [["", {}], *ways]
                        if not any(_first_wrong(of, found, Way(**way)) for of, found in both)]  # fmt: skip
                known = {mistake for mistake, way in fits if "begins" not in way} or {mistake for mistake, _ in fits}
                mistake = known.pop() if len(known) == 1 else None
            return [words, mistake, shown_trees]
    playouts = [_playouts(game, tree, iterations) for (tree,) in runs] if first < last else []
    return [*(_wrong_playouts(playouts, iterations) if playouts else ("", None)), []]


def followed(row: Row, given: Any, *, sentences: dict[str, str]) -> Wrong | None:
    """What `follow` found."""
    words, names, _ = given
    mistakes = [Mistake(name, (sentences | COUNTED)[name]) for name in names.split(" or ")] if names else []
    return Wrong(words, mistake=either(mistakes)) if words else None


def expansion(row: Row, given: Any, *, hints: dict[str, str]) -> str | None:
    """What `expanded` of the notebook noted; `hints` has a sentence for each part of it, and at most two are shown."""
    right = row.right[0]
    if same(right, given) or not isinstance(given, dict):
        return misfit(right, given)
    wrong = [key for key in hints if not same(right.get(key, ""), given.get(key, ""))]
    return " ".join(gettext(hints[key]).format(given.get(key), right.get(key)) for key in wrong[:2])


def _wrong_trees(game, trees, begin):
    """(what is wrong, the mistake's name or None, 0) of trees of the wrong kind or size, or None."""
    for tree in trees:
        if tree in (None, "None"):
            return NO_RETURN, None, 0
        if not isinstance(tree, dict) or not all(map(is_number, sum(tree.values(), ()))) or tree.keys() - game.nodes:
            return expected_but_got(gettext("the root of a tree of this game"), tree), None, 0
    if len(trees[0]) > 2 and trees[0] == trees[-1] and trees[0].keys() >= {*filter(game.is_terminal, game.nodes)}:
        return gettext("After one iteration all terminal states are in the tree."), "minimax", begin
    belows = []
    for tree in trees:
        belows.append(below := Counter())
        for path in filter(None, tree):
            below[path[:-1]] += tree[path][1]
    counts = [(tree[()][1], below[()]) for tree, below in zip(trees, belows)]
    for number, (tree, below) in enumerate(zip(trees, belows), begin):
        visits = tree[()][1]
        if not number <= visits <= number + 1 or below[()] > number:
            words = N_("After {iterations} the root has {visits}, and its children have {below} in all.")
            times = ngettext("{count} iteration", "{count} iterations", number)
            had = ngettext("{count} visit", "{count} visits", visits)
            words = gettext(words, iterations=times, visits=had, below=below[()])
            name = _wrong_counts(counts, begin)
            name = f"{name} or minimax" if name == NEW_TREE and len(game.nodes) == 2 else name
            return words, name, number
        if any(not below[path] and tree[path][1] > 1 for path in below):
            words = gettext("The children's visits are not counted: {tree}.", tree=shown(tree))
            return words, "the new child is left out", number
    return None


def _wrong_counts(counts, begin):
    """The mistake, or None, that makes these visits of the root, and of its children in all, after each iteration."""
    if not any(map(sum, counts)):
        return "another tree is returned"
    if counts[0] == counts[-1] and (len(counts) > 2 or (begin > 2 and counts == [(1, 1)])):
        return NEW_TREE
    if all(below >= number > visits for number, (visits, below) in enumerate(counts, begin)):
        return "the root left out"
    extra = [visits - number for number, (visits, _) in enumerate(counts, begin)]
    if any(below not in (visits, visits - 1) for visits, below in counts) or min(extra) < 0 < max(extra):
        return None
    return N_("fewer playouts than iterations") if min(extra) < 0 else N_("more playouts than iterations")


def _wrong_playouts(runs, count):
    """(what is wrong or "", the mistake's name or None) of short searches in a game whose results are equally likely.

    A run is a list of `count` nodes with the result of the playout that began there. Two of them, too, have the same
    result with probability 1/3.
    """

    def is_far(many, of):
        return abs(many - of / 3) > 4.5 * sqrt(of * 2) / 3

    playouts = [playout for run in runs for playout in run]
    if len(playouts) != len(runs) * count or any(result not in (0, 0.5, 1) for _, result in playouts):
        return "", None  # no tree of MCTS: other cases say why
    if all(result == 0.5 for _, result in playouts):
        return gettext("Every playout is a draw."), "the playout ends too early or rng is not used"
    if len(set(playouts)) == len({path for path, _ in playouts}):
        words = N_("The playouts from a node have the same result with every seed: is every action drawn with rng?")
        return gettext(words), "rng is not used"
    totals = [sum(result == reward for _, reward in playouts) for result in (0, 0.5, 1)]
    if any(is_far(many, len(playouts)) for many in totals):
        words = N_(
            "Losses, draws and wins come about equally often here if each action of a playout is as likely as the "
            "others at its node. Yours come {totals} times: how does your playout choose?"
        )
        return gettext(words, totals=", ".join(map(str, totals))), None
    for one, other in combinations(range(len(runs[0])), 2):
        equal = sum(run[one][1] == run[other][1] for run in runs)
        if is_far(equal, len(runs)):
            words = N_(
                "Two playouts of a search have the same result in {equal} of {searches} searches, expected in about a "
                "third: does each playout go on with new random numbers?"
            )
            return gettext(words, equal=equal, searches=len(runs)), None
    return "", None


def _playouts(game, tree, iterations):
    """(path, Max's reward from the playout that began there) of each node in order; seldom one begins at the root."""
    for_max, below, visits = {}, Counter(), 0
    for path, (U, N) in tree.items():
        mover = game.to_move(path[:-1]) if path else 1 - game.to_move(())
        for_max[path] = U if mover == MAX else N - U
        visits += N if len(path) == 1 else 0
    for path in filter(None, tree):
        below[path[:-1]] += for_max[path]
    began = [path for path in sorted(tree, key=repr) if tree[path][1] and (path or visits < iterations)]
    return [(path, for_max[path] - below[path]) for path in began]


def _first_wrong(game, trees, way):
    """(what is wrong, None, its number) of the first iteration that is not MCTS; `way` is another way to go."""
    visited = [{path: pair for path, pair in tree.items() if pair[1]} for tree in ({}, *trees)]
    wrong = (_wrong_iteration(game, before, after, way) for before, after in pairwise(visited))
    found = ((n, words) for n, words in enumerate(wrong, 1) if words)
    return next(((gettext("Iteration {number} {words}", number=n, words=words), None, n) for n, words in found), None)


def _wrong_iteration(game, before, after, way):
    """What is wrong with the path of an iteration, or with the numbers in its nodes, or None."""
    was = dict.fromkeys(after, (0, 0)) | before
    kept = 0 if way.replaces else 1
    grown = {path: (U - kept * was[path][0], N - was[path][1]) for path, (U, N) in after.items() if was[path] != (U, N)}
    end = max(grown, key=len, default=())
    path = [end[:length] for length in range(len(end) + 1)]
    if grown.keys() != {*path} or was.keys() - after.keys():
        return gettext("changes {nodes}, which is not a path from the root.", nodes=shown([*grown]))
    for state, step in pairwise(path):
        children = [child for action in game.actions(state) if (child := (*state, action)) in before]
        untried = [action for action in game.actions(state) if (*state, action) not in before]
        untried = [] if way.passes_over and children else untried
        if (untried and (step in before or step != end)) or len(end) > way.plies:
            words = N_("goes to {node}, and {action} is untried in {state}: expansion adds one node there.")
            return gettext(words, node=end, action=untried[:1], state=state)
        if not untried:
            last = before[state][1], way.c, game.to_move(state)
            scores = {child: SCORES[way.score](*before[child], *last) for child in children}
            best = max(scores, key=scores.get)
            if (own := scores.get(step, -inf)) < scores[best] - way.close:
                words = N_("selects {node}, whose UCB1 with C = {c:g} is {own:.2f}; that of {best} is larger: {sum}")
                largest = formulas.ucb1(scores[best], *before[best], before[state][1], way.c)
                return gettext(words, node=step, c=way.c, own=own, best=best, sum=largest)
    if end in before and not game.is_terminal(end) and len(end) != way.plies:
        return gettext("ends at {node} and adds no node: expansion comes next.", node=end)
    counted = [node for node in path if node or grown[node][1] == 1]  # the root may begin with a visit
    return _wrong_numbers(game, counted, [grown[node] for node in counted], way)


def _wrong_numbers(game, path, grown, way):
    """What is wrong with how U and N grow on the path, or None. The other player counts as having moved to the root."""
    end, begins = path[-1] if path else (), game.to_move(())
    movers = [game.to_move(node[:-1]) if node else 1 - begins for node in path]
    sides = [COUNTS_FOR[way.counts_for](mover, begins, len(s) - 1) for s, mover in zip(path, movers)]
    expected = {}
    for reward in sorted(_rewards(game, end[: way.begins], way.short)):
        gains = [way.draw if reward == 0.5 else reward if side == MAX else 1 - reward for side in sides]
        expected[reward] = [2 * gain - 1 if way.signed else gain for gain in gains]
        if same(grown, [(gain, 1) for gain in expected[reward]]):
            return None
    for node, (_, visits) in zip(path, grown):
        if visits != 1:
            words = N_("adds {visits} to N of the node {node}: each node on its path gets one visit.")
            return gettext(words, visits=number_text(visits), node=node)
    words, joint = N_("{reward} at {node}, which counts for {player}"), gettext(" and ")
    added = [gettext(words, reward=number_text(U), node=node, player=player_name(side))
             for node, side, (U, _) in zip(path, sides, grown)]  # fmt: skip
    words = N_("If Max's reward is {reward}, it should add {gains}.")
    if_so = [gettext(words, reward=number_text(reward), gains=joint.join(map(number_text, gains)))
             for reward, gains in expected.items()]  # fmt: skip
    if not path[0] and any(same([U for U, _ in grown[1:]], gains[1:]) for gains in expected.values()):
        words = N_(
            "In this iteration only the root is wrong. Its player is the one who is not to move: which is yours?"
        )
        if_so.append(gettext(words))
    return gettext("adds to U {rewards}. {conditions}", rewards=gettext("; ").join(added), conditions=" ".join(if_so))


def _rewards(game, begin, short):
    """Max's rewards at all ends of playouts from this state, which are `short` if they play one ply."""
    states = [state for state in game.nodes if state[: len(begin)] == begin]
    if not short:
        return {(game.utility(state, MAX) + 1) / 2 for state in states if game.is_terminal(state)}
    ends = [begin] if game.is_terminal(begin) else [state for state in states if len(state) == len(begin) + 1]
    return {(game.utility(state, MAX) + 1) / 2 if game.is_terminal(state) else 0.5 for state in ends}
