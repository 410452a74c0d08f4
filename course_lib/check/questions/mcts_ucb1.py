"""The questions of notebook 6, Monte-Carlo tree search and UCB1.

Student code builds a tree of its own nodes; here a search tree is a table, {path: (U, N)}, of a `TreeGame`. U counts
for the player who moved into the node.
"""

import math
import random
from collections import Counter, defaultdict
from contextlib import suppress
from functools import lru_cache, reduce
from itertools import chain, groupby, product
from math import inf

from course_lib.check.cases import Lookup, in_turn, inner_nodes, leaves_of, random_tree, shapes, tree_game, with_names
from course_lib.check.compare import by_entries, equal, is_number, misfit, same, shown
from course_lib.check.question import Bug, Question, Recorded, choice, heading
from course_lib.check.search_trees import iteration_in, iterations_of, prefixes, tree_node, tree_with
from course_lib.explore import picture
from course_lib.games import MAX, MIN, TreeGame, Turn, player_name
from course_lib.watch.paths import leaf_paths

C = 1.4
REWARDS = {-1: 0, 0: 0.5, 1: 1}
"""The rewards for what leaves are worth here."""


# UCB1. A case is (U, N, N of the parent, C).


def my_ucb1(U, N, N_parent, c):
    if N == 0:
        return inf
    return U / N + c * math.sqrt(math.log(N_parent) / N)


UCB1 = Question(
    **heading("write", "mcts_ucb1.ucb1", "UCB1(n)", 1),
    small=lambda: [(U, N, parent, c) for parent in range(1, 5) for N in range(parent + 1) for U in range(N + 1)
                   for c in (0, 1, 2)],
    cases=lambda luck: (luck.randint(0, N := luck.randint(1, 200)), N, luck.randint(N, 4 * N),
                        luck.choice([0.5, 1, 1.4, 2, 3])),
    reference=my_ucb1,
    compare=equal,
    draw=lambda case, given: [("U/N of the node, N of its parent",
                               picture(TreeGame([0]), answers={(): f"N {case[2]}", (0,): f"{case[0]}/{case[1]}"}))],
    bugs=(
        ("C left out", "the second term is multiplied by c.", {"c * ": ""}),
        ("C under the root", "c stands before the square root.", {"c * math.sqrt(": "math.sqrt(c * "}),
        ("no square root", "the second term is a square root: C √(ln N(parent)/N(n)).", {"math.sqrt": ""}),
        ("the root ends too early", "N(n) stands under the square root too.", {"(N_parent) / N)": "(N_parent)) / N"}),
        ("the wrong logarithm", "ln is the natural logarithm, math.log.", {"math.log(": "math.log10("}),
        ("N of parent and child exchanged", "the logarithm is that of the parent's visits.",
            {"math.log(N_parent) / N": "math.log(N) / N_parent"}),
        ("the child's visits in the logarithm", "the logarithm is that of the parent's visits.",
            {"math.log(N_parent)": "math.log(N)"}),
        ("U is not divided", "the first term is the average, U(n)/N(n).", {"U / N": "U"}),
        ("no visits yet", "a node without visits comes before all others: its UCB1 is +∞, math.inf.",
            {"    if N == 0:\n        return inf\n": ""}, {"return inf": "return 0"}),
    ),
)  # fmt: skip


# Search trees as tables: selection, and with it a whole search.


def by_ucb1(counts, child, c):
    return my_ucb1(*counts[child], counts[child[:-1]][1], c)


def ucb1_here(game, counts, child):
    return by_ucb1(counts, child, C)


def split(game, counts, state):
    """The actions of a state that are in the tree, and those that are untried."""
    actions = () if game.is_terminal(state) else game.actions(state)
    tried = [action for action in actions if (*state, action) in counts]
    return tried, [action for action in actions if action not in tried]


def fully_expanded(game, counts, state):
    tried, untried = split(game, counts, state)
    return tried and not untried


def selected(game, counts, c):
    """The path that selection takes, as paths of nodes."""
    path = [()]
    while fully_expanded(game, counts, path[-1]):
        state = path[-1]
        children = [(*state, action) for action in game.actions(state) if (*state, action) in counts]
        path.append(max(children, key=lambda child: by_ucb1(counts, child, c)))
    return path


def player_into(game, path):
    """The player who moved into a node; into the root, the other one than moves there."""
    return game.to_move(path[:-1]) if path else 1 - game.to_move(path)


def gain(game, node, reward):
    """What a node gets of Max's reward."""
    return reward if player_into(game, node) == MAX else 1 - reward


def searched(game, iterations, luck):
    """The table after so many iterations."""
    counts = {(): (0, 0)}
    for _ in range(iterations):
        path = selected(game, counts, C)
        _, untried = split(game, counts, path[-1])
        if untried:
            path.append((*path[-1], luck.choice(untried)))
        end = path[-1]
        while not game.is_terminal(end):
            end = game.result(end, luck.choice(game.actions(end)))
        reward = REWARDS[game.utility(end, MAX)]
        for node in path:
            U, N = counts.get(node, (0, 0))
            counts[node] = U + gain(game, node, reward), N + 1
    return counts


def random_game(luck):
    return random_tree(luck, worths=(-1, 0, 1))


@lru_cache
def small_games(most=3, turns=False):
    """Trees of up to so many leaves, worth −1, 0 or 1; with `turns` anybody may move anywhere."""
    forms = [shape for leaves in range(1, most + 1)
             for shape in sorted(shapes(leaves, 2, leaves < 3), key=inner_nodes) if shape]  # fmt: skip
    return [
        tree_game(shape, worths, movers)
        for shape in forms
        for worths in product((-1, 0, 1), repeat=leaves_of(shape))
        for movers in (product((0, 1), repeat=inner_nodes(shape)) if turns else (in_turn(shape, p) for p in (0, 1)))
    ]


NAMED = [with_names(TreeGame(tree)) for tree in ([[1.0, -1.0], [0.0]], [[-1, 1, 0], 1])]
"""Two with other actions than 0, 1, 2 …, and the first with other numbers than whole ones."""


def grown(game, iterations, seed):
    """The case (game, table)."""
    return game, searched(game, iterations, random.Random(seed))


def random_table(luck, fewest, most):
    return grown(random_game(luck), luck.randint(fewest, most), luck.randrange(1000))


# Selection: a case is (game, table, C).


def wrong_path(case, expected, given):
    """The first step that is not to a child with the largest UCB1; any of equals is right."""
    game, counts, c = case
    if given is None:
        return misfit(expected, given)
    if not isinstance(given, list | tuple) or not given or given[0] not in ((), []):
        return f"A path begins with the root; yours is {shown(given)}."
    for state, after in zip(map(tuple, given), [*map(tuple, given[1:]), None]):
        tried, untried = split(game, counts, state)
        if after is None:
            return "The path ends at a node in which all actions were tried." if tried and not untried else None
        if untried:
            return f"In {state} the action {untried[0]} is untried: selection ends there."
        scores = {(*state, action): by_ucb1(counts, (*state, action), c) for action in tried}
        if after not in scores:
            return f"{shown(after)} is no child of {state}."
        if scores[after] < max(scores.values()) - 1e-9:
            return f"From {state} the path goes on to {after}, and another child has a larger UCB1."
    return None


def numbers_drawn(case, given):
    return [("U/N", tree_with(*case[:2]))]


def selection_watched(select, failure):
    """The tree of the case, and in it the path that was returned."""
    game, counts, c = failure.case
    return iteration_in(game, counts, failure.given if isinstance(failure.given, list | tuple) else (), c=c)


NEAR = {(): (3, 7), (0,): (4, 5), (1,): (0, 2)}
"""A table in which UCB1 and PUCT lead to different choices."""
WIDE = {(): (46, 100), (0,): (1, 5), (1,): (47, 95), (0, 0): (3, 3), (0, 1): (0, 1)}
"""A table in which ln N of the root and of its first child lead to different choices."""


LARGEST = ("U counts for the player who moved into a node, and each player chooses among their own: the largest UCB1, "
           "whoever moves.")  # fmt: skip
SELECT = Question(
    **heading("write", "mcts_ucb1.select", "Selection", 3),
    small=lambda: [(*grown(TreeGame([[[1]]]), 5, 1), C), (TreeGame([1, 0]), NEAR, 2),
                   *((*grown(game, n, n), c) for game in small_games() for n in (1, 3, 7) for c in (0.5, 2)),
                   *((*grown(TreeGame([worths]), 4, 4), 3) for worths in ([-1, 1], [1, -1])),
                   (TreeGame([[1, 0], 0]), WIDE, C), *((*grown(game, 9, 9), C) for game in NAMED)],
    cases=lambda luck: (*random_table(luck, 2, 40), luck.choice([0.5, 1.4, 3])),
    reference=selected,
    compare=wrong_path,
    explored=selection_watched,
    draw=lambda case, given: [("the tree", picture(iteration_in(*case[:2], c=case[2])))],
    parts=(fully_expanded,),
    bugs=(
        ("Min takes the smallest", LARGEST,
            {"max(children": "(max if player_into(game, state) != MAX else min)(children"},
            {"max(children": "(max if game.to_move(state) == MAX else min)(children"}),
        ("untried actions passed over", "selection ends at a node with untried actions.", {" and not untried": ""}),
        ("exploration left out", "the child with the largest UCB1 is taken, not the one with the largest U/N.",
            {"by_ucb1(counts, child, c)": "counts[child][0] / counts[child][1]"}),
        ("the wrong parent", "N(parent) is that of the node where the choice is made, not that of the root.",
            {"by_ucb1(counts, child, c)": "my_ucb1(*counts[child], counts[()][1], c)"}),
        ("the children's visits", "N(parent) is the parent's own N: it counts the playout from the parent itself too, "
            "which is in none of its children's.",
            {"by_ucb1(counts, child, c)": "my_ucb1(*counts[child], sum(counts[other][1] for other in children), c)"}),
    ),
)  # fmt: skip


# Expansion: a case is (game, table, the path of the node). The answer is what became of the child and its parent.


def expanded(game, counts, path):
    tried, untried = split(game, counts, path)
    if not untried:
        return None, tried, untried
    action, *left = untried
    child = ((*path, action), game.to_move(path), action, 0, 0)
    return child, [*tried, "new"], left


def wrong_child(case, expected, given):
    game, counts, path = case
    tried, untried = split(game, counts, path)
    if not isinstance(given, list | tuple) or len(given) != 3 or not isinstance(given[1], list):
        return "That is not the kind of answer that `expanded` gives; is it as it was in the notebook?"
    if not untried:
        return None if same(list(given), list(expected)) else "There was nothing left to try: that gives None."
    if given[0] is None:
        return f"There is something left to try, {untried}, and no child was returned."
    return wrong_new_child(game, path, tried, untried, *given)


def wrong_new_child(game, path, tried, untried, child, children, left):
    """What is wrong with a child that was returned, with the children of its parent, or with what is left to try."""
    state, player, action, *numbers = child
    if action not in untried:
        return f"The child's action is {shown(action)}; the untried ones are {untried}."
    others = [other for other in children if other != "new"]
    name = "kept twice" if "new" in children else "the child is not kept"
    wrong = (
        (same(state, path), Bug("the state above", "The child's state is game.result(node.state, action).")),
        (not same(state, (*path, action)), f"After action {shown(action)} the child's state is {shown(state)}."),
        (children.count("new") != 1, Bug(name, "Put the child into node.children once, or it is lost or tried twice.")),
        (sorted(others) != sorted(tried), f"Beside the new child, node.children has {others}, not {tried} as before."),
        (action in left, Bug("the action stays untried", "Take the action out of node.untried, or it is tried again.")),
        (sorted([*left, action]) != sorted(untried), f"node.untried is {left} now: only {action!r} was tried."),
        (player != game.to_move(path), Bug("the wrong player", "The child's player is who moved into it: the one to "
                                           "move in the node that was expanded.")),
        (not same(numbers, (0, 0)), Bug("a visit too early", "A new child begins with U = 0 and N = 0: back-"
                                        "propagation counts the visit.")),
    )  # fmt: skip
    return next((words for is_wrong, words in wrong if is_wrong), None)


def expansion_words(answer):
    child, children, left = answer
    after = f"children: {', '.join(map(str, children)) or 'none'}; untried: {', '.join(map(str, left)) or 'none'}"
    if child is None:
        return f"None ({after})"
    state, player, action, U, N = child
    return f"a child for {shown(state)}, player {player_name(player)}, action {action}, {U}/{N} ({after})"


def expansion_watched(expand, failure):
    """The tree of the case, and in it the child that was returned, if it is one."""
    game, counts, path = failure.case
    child = None
    with suppress(TypeError, ValueError, LookupError):  # another kind of answer
        state, player, action, U, N = failure.given[0]
        if state in game.paths() and player in range(2) and is_number(U) and is_number(N):
            child = tree_node(game, state, player, action, U, N)
    return iteration_in(game, counts, prefixes(path), child=child, c=C)


def small_expansions():
    tables = (grown(game, n, n) for game in [*small_games(2, turns=True), *NAMED] for n in range(4))
    return [(TreeGame(1), {(): (0, 1)}, ()), *((*table, path) for table in tables for path in table[1])]


EXPAND = Question(
    **heading("write", "mcts_ucb1.expand", "Expansion", 2),
    small=small_expansions,
    cases=lambda luck: (*(table := random_table(luck, 0, 9)), luck.choice(list(table[1]))),
    reference=expanded,
    compare=wrong_child,
    show=expansion_words,
    explored=expansion_watched,
    draw=numbers_drawn,
)  # fmt: skip


# Simulation: a case is (game, state, policy).


def simulate(game, state, policy):
    while not game.is_terminal(state):
        state = game.result(state, policy(state))
    return (game.utility(state, MAX) + 1) / 2


REWARD = "(game.utility(state, MAX) + 1) / 2"


class Policy(Lookup):
    """A policy from its table. Where the game is over it has no action."""

    def __call__(self, state):
        if state not in self:
            raise ValueError(f"the game is over in {state}, so the policy has no action there")
        return self[state]


def with_policy(game, state, number=0):
    """The case in which a policy that looks random is played."""
    luck = random.Random(number)
    inner = [path for path in game.paths() if not game.is_terminal(path)]
    return game, state, Policy({path: luck.choice(game.actions(path)) for path in inner})


SIMULATE = Question(
    **heading("write", "mcts_ucb1.simulate", "Simulation", 2),
    small=lambda: [with_policy(game, state, n) for game in [*small_games(), *NAMED]
                   for n in (0, 1) for state in game.paths()],
    cases=lambda luck: with_policy(game := random_game(luck), luck.choice(list(game.paths())), luck.randrange(1000)),
    reference=simulate,
    compare=equal,
    bugs=(
        ("utility from the wrong side", "the reward is Max's, game.utility(state, MAX), whoever is to move where the "
            "playout begins, or would be where it ends.",
            {"MAX": "game.to_move(state)"}, {REWARD: "(1 - game.utility(state, MAX)) / 2"},
            {"    while": "    player = game.to_move(state)\n    while", "MAX": "player"}),
        ("a utility, not a reward", "a utility goes from −1 to 1, a reward from 0 to 1; a draw is ½.",
            {REWARD: "game.utility(state, MAX)"}),
        ("a draw counted as a loss", "a draw is worth ½ to both.", {REWARD: "int(game.utility(state, MAX) > 0)"}),
        ("the policy is not asked", "policy(state) says which action is played, in every state.",
            {"policy(state)": "game.actions(state)[0]"}),
        ("an action taken for a position", "policy(state) is the action itself, not its place in game.actions(state).",
            {"policy(state)": "game.actions(state)[policy(state)]"}),
        ("the policy is asked once", "ask policy(state) again in every state.",
            {"    while": "    action = game.is_terminal(state) or policy(state)\n    while",
             "policy(state))": "action)"}),
    ),
)  # fmt: skip


# Back-propagation, to be mended: a case is (game, table, the last node of the path, Max's reward).


def backpropagated(game, counts, state, reward):
    after = {node: counts[node] for node in prefixes(state)}
    for node in list(after):
        U, N = after[node]
        after[node] = U + (reward if player_into(game, node) == MAX else 1 - reward), N + 1
    return after


def wrong_numbers(case, expected, given):
    if not isinstance(given, dict) or given.keys() != expected.keys():
        return misfit(expected, given) or "That is not the kind of answer that `backpropagated` gives."
    game, counts, *_ = case
    for node, numbers in expected.items():
        if not same(numbers, given[node]):
            into = "Max" if player_into(game, node) == MAX else "Min"
            U, N = counts[node]
            return f"The first node that goes wrong is {node}, which was {U:g}/{N}; {into} moved into it."
    return None


def is_table(given, path):
    """Whether this is a table of the nodes from the root to `path`."""
    if not isinstance(given, dict) or given.keys() != set(prefixes(path)):
        return False
    return all(isinstance(pair, tuple) and len(pair) == 2 and all(map(is_number, pair)) for pair in given.values())


def propagation_watched(backpropagate, failure):
    """The tree of the case, and the numbers that back-propagation left in the nodes of the path, if it did."""
    game, counts, path, reward = failure.case
    updated = (failure.given, (reward, 1 - reward)) if is_table(failure.given, path) else None
    return iteration_in(game, counts, prefixes(path), c=C, updated=updated)


def propagation_drawn(case, given):
    game, counts, path, _ = case
    drawn = [("before", counts), ("expected", counts | backpropagated(*case))]
    drawn += [("yours", counts | given)] if is_table(given, path) else []
    return [(caption, tree_with(game, numbers)) for caption, numbers in drawn]


def small_paths():
    tables = (grown(game, n, n) for game in [*small_games(2, turns=True), *NAMED] for n in (1, 3))
    return [(*table, state, reward) for table in tables for state in table[1] for reward in (1, 0, 0.5)]


GAINED = "reward if player_into(game, node) == MAX else 1 - reward"
NEVER = "back-propagation that never changes sides"
OWN = "U counts for the player who moved into the node, node.player"
BACKPROPAGATE = Question(
    **heading("mend", "mcts_ucb1.backpropagate", "Mend the back-propagation", 2),
    small=small_paths,
    cases=lambda luck: (*(table := random_table(luck, 2, 30)), luck.choice(list(table[1])), luck.choice([1, 0, 0.5])),
    reference=backpropagated,
    compare=wrong_numbers,
    explored=propagation_watched,
    draw=propagation_drawn,
    handed_out=NEVER,
    bugs=(
        (NEVER, f"{OWN}: where Max gets r, Min gets 1 − r.", {GAINED: "reward"}),
        (f"{NEVER}, from Min's side", f"{OWN}: where Max gets r, Min gets 1 − r.", {GAINED: "1 - reward"}),
        (f"{NEVER}, from the root's side", f"{OWN}: ask every node of the path for its own.",
            {"player_into(game, node)": "player_into(game, ())"}),
        ("the wrong side", f"{OWN}, not for the other one.", {"== MAX": "!= MAX"}),
        ("a reward below 0", "rewards go from 0 to 1: where Max gets r, Min gets 1 − r, not −r.",
            {"1 - reward": "-reward"}),
        ("turns counted instead of asked", f"{OWN}; a player may move twice in a row.",
            {"player_into(game, node)": "(len(node) + player_into(game, ())) % 2"},
            {"player_into(game, node)": "(len(state) - len(node) + player_into(game, state)) % 2"},
            {"player_into(game, node)": "(len(state) - len(node)) % 2"}),
        ("the root is left out", "the root is a node of the path too.", {"list(after)": "list(after)[1:]"}),
    ),
)  # fmt: skip


# The whole search: a case is (game, state, iterations, seed). In a `TreeGame` the end of a playout is a path, so the
# ends that the game was asked for tell which way each iteration went, and the whole search can be followed.

CLOSE = 0.05
"""A child whose UCB1 is this near to the largest may be selected: who takes √2 for 1.4 is right."""
MANY = 25
"""From so many draws on it is looked at how often each action is drawn."""
PROBE = TreeGame([[[1, -1], [0, -1], 1], Turn(MAX, [[-1, 1], [1, 0], -1])]), (), 60, 1
"""The case in which searches that go another way are told from each other."""


class Playouts(Recorded):
    """A tree that keeps the end of each playout, with the player whose utility was asked there, and Max's."""

    def utility(self, state, player):
        worth = self._game.utility(state, player)  # first: what is no end of the game is none of a playout
        self.leaves.append((state, player, self._game.utility(state, MAX)))
        return worth


def ask_search(student, name, case):
    """Ask: the action and the ends looked at, twice with the same luck; then with other luck, or in the `PROBE`."""
    *same_game, seed = case
    answers = []
    for game, *rest, number in case, case, (*same_game, seed + 1) if is_big(case) else PROBE:
        tree = Playouts(game)
        answers.append((student.call(name, tree, *rest, random.Random(number)), tuple(tree.leaves)))
    return tuple(answers)


def ends_of(asked, iterations):
    """The ends of the playouts. At each of them a search may ask once, for both players, several times running, as
    often as there are nodes on the path, or more often where the first answer does not settle what it is worth."""
    ends = [end for end, *_ in asked]
    times = max(1, len(ends) // iterations)
    same = all(len(set(ends[n : n + times])) == 1 for n in range(0, len(ends), times))
    for_max, runs = [end for end, player, _ in asked if player == MAX], [end for end, _ in groupby(ends)]
    beside = [end for end, _ in groupby(for_max)] == runs  # nothing else was looked at for Min
    once = (once_a_node(ends, root) for root in (0, 1))
    ways = ends, for_max if beside else [], runs, ends[::times] if same else [], *once
    return next((way for way in chain(ways, by_worth(asked)) if len(way) == iterations), runs)


def by_worth(asked):
    """The ends of the playouts, if the ends of each worth were asked for so many times: each way in which it fits."""
    for times in product((1, 2, 3, 4), repeat=3):
        playouts, at = [], 0
        while at < len(asked):
            end, _, worth = asked[at]
            many = times[int(worth) + 1]
            if [each for each, *_ in asked[at : at + many]] != [end] * many:
                break
            playouts.append(end)
            at += many
        else:
            yield playouts


def once_a_node(ends, root):
    """The ends of the playouts, if each was asked for by every node from the new one up, or up to the `root` too."""
    known, playouts, at = {()}, [], 0
    while at < len(ends):
        end = ends[at]
        new = next((n for n in range(len(end)) if end[:n] not in known), len(end))
        asked = ends[at : at + new + root]
        if not asked or set(asked) != {end}:
            return []
        known.add(end[:new])
        playouts.append(end)
        at += len(asked)
    return playouts


def followed(game, ends, alone=False, score=ucb1_here, gain=gain, plies=inf, waits=False):
    """The table of a search that makes these playouts, and the first (iteration, state, step) that it would not make.

    The first playout may count for the root `alone`. A search `waits` that leaves a new child without its visit.
    """
    counts = {(): (0, 0)}
    for number, end in enumerate(ends):
        path = [()]
        while len(path) <= min(len(end), plies) and (number or not alone):
            state, step = path[-1], end[: len(path)]
            tried, untried = split(game, counts, state)
            scores = {(*state, action): score(game, counts, (*state, action)) for action in tried}
            if step in counts if untried else scores[step] < max(scores.values()) - CLOSE:
                return counts, (number, state, step)
            path.append(step)
            if untried:
                break
        updated = path[:-1] if waits and path[-1] not in counts else path
        for node in path:
            U, N = counts.get(node, (0, 0))
            new = U + gain(game, node, REWARDS[game.utility(end, MAX)]), N + 1
            counts[node] = new if node in updated else (U, N)
    return counts, None


def both_ways(game, ends, **rule):
    """What was `followed`: with the first playout for the root's first child too, and for the root alone."""
    return [followed(game, ends, alone, **rule) for alone in (False, True)]


def for_max(game, counts, child):
    return ucb1_here(game, counts, child) * (1 if player_into(game, child) == MAX else -1)


ONE_PLY = {"plies": 1}
OTHERWISE = (
    ("Min helps Max", f"{OWN}: Min gets 1 − r. And whoever moves selects the largest UCB1.",
        {"gain": lambda game, node, reward: reward}),
    ("the wrong side", f"{OWN}, not for the other one.", {"gain": lambda *way: 1 - gain(*way)}),
    ("turns counted instead of asked", f"{OWN}; a player may move twice in a row.",
        {"gain": lambda game, node, r: r if (len(node) + player_into(game, ())) % 2 == MAX else 1 - r}),
    ("Min takes the smallest", LARGEST, {"score": for_max}),
    ("exploration left out", "selection takes the largest UCB1, not the largest U/N.",
        {"score": lambda game, counts, child: by_ucb1(counts, child, 0)}),
    ("half the exploration", "C is 1.4, and rewards go from 0 to 1: from −1 to 1 they make C count half.",
        {"score": lambda game, counts, child: by_ucb1(counts, child, C / 2)}),
    *(("another C", "C is 1.4.", {"score": lambda game, counts, child, c=c: by_ucb1(counts, child, c)})
      for c in (0.5, 1, 2, 3)),
    ("the new child is left out", "back-propagation goes over the new child too: put it into the path.",
        {"waits": True}),
    ("a tree of one ply", "selection goes on below the root's children, and each new node is kept.", ONE_PLY),
)  # fmt: skip
"""Searches that go another way: name, sentence, and how they differ from the right one as it is `followed`."""


def wrong_search(case, expected, given):
    game, state, iterations, _ = case
    if given[0][0] not in game.actions(state):
        actions = ", ".join(map(shown, game.actions(state)))
        return misfit(0, given[0][0]) if given[0][0] is None else f"One of {actions} was expected, not {given[0][0]!r}."
    (action, asked), (_, again), (_, others) = given
    ends = ends_of(asked, iterations)
    if asked != again:
        return Bug("not repeatable", "With the same luck your search makes other playouts the second time: take all "
                   "chance from luck, and keep nothing from one call to the next.")  # fmt: skip
    if is_big(case) or len(ends) != iterations:
        alike = goes_alike(ends, ends_of(others, iterations))
        return wrong_number(game, ends, iterations) or (UNLUCKY if alike else wrong_draws(game, ends))
    ways = both_ways(game, ends)
    wrong = [wrong_choice(game, counts, action) for counts, parting in ways if parting is None]
    if None in wrong or not ways:
        return None
    turning = wrong_turning(case, ends, others, *ways[0]) if ways[0][1] else None
    return turning if isinstance(turning, Bug) or not wrong else wrong[0]


def wrong_number(game, ends, many):
    """What to say of a search that does not make as many playouts as it should."""
    if len(ends) == many:
        return None
    words = f"{many} iterations are {many} playouts, each to one end, and your search looked at {len(ends):,}"
    if len(ends) == len(set(ends)) and set(ends) == set(leaf_paths(game)):
        return Bug("minimax", f"{words}, which are all that there are.")
    return Bug("more playouts than iterations" if len(ends) > many else "fewer playouts than iterations", f"{words}.")


UNLUCKY = Bug("luck is not used", "Your search makes the same playouts with other luck: draw every action of them from "
              "it.")  # fmt: skip


def goes_alike(ends, others):
    """Whether playouts go the same way with other luck: the last plies of the first four, or after each action.

    So it is where they are drawn from something else, and where what was seen or a rule decides. Six plies of three
    actions hardly ever come twice.
    """
    last = [[end[-4:] for end in run[:4]] for run in (ends, others)]
    after = [{end[0]: end for end in reversed(run)} for run in (ends, others)]
    return last[0] == last[1] or after[0] == after[1]


def wrong_draws(game, ends):
    """What to say where the plies below each new child do not look drawn evenly: once in 100,000 such draws do not."""
    known, drawn, actions = {()}, defaultdict(Counter), game.actions(())
    for end in ends:
        new = next((n for n in range(len(end)) if end[:n] not in known), len(end))
        known.add(end[:new])
        for ply, action in enumerate(end[new:], new):
            drawn[ply][action] += 1
    for times in (*drawn.values(), sum(drawn.values(), Counter())):
        many = times.total()
        apart = max(abs(times[action] - many / len(actions)) for action in actions)
        if many > MANY and apart > 4.5 * math.sqrt(many * (len(actions) - 1)) / len(actions):
            return "In the playouts of your search some actions are taken far more often than others: draw them evenly."
    return None


def wrong_turning(case, ends, probed, counts, parting):
    """The first wrong step; as a `Bug` if only one of the other ways is gone throughout, here and in the `PROBE`."""
    game, (number, state, step) = case[0], parting
    tried, untried = split(game, counts, state)
    words = f"In iteration {number + 1} your search goes from {state} to {step}"
    if untried:
        words = (f"In iteration {number + 1} your playout ends below {step}, while {shown(untried[0])} is untried at "
                 f"{state}: first each action is tried once, and the playout begins at the new child.")  # fmt: skip
    else:
        values = {(*state, action): by_ucb1(counts, (*state, action), C) for action in tried}
        best = max(values, key=values.get)
        words += f", whose UCB1 is {values[step]:.2f} by the playouts before; that of {best} is {values[best]:.2f}."
    others = ends_of(probed, PROBE[2])
    known = [Bug(name, f"{words} Remember: {sentence}", here=words) for name, sentence, rule in OTHERWISE
             if not goes(PROBE[0], others) and goes(PROBE[0], others, **rule) and goes(game, ends, **rule)
             and (rule != ONE_PLY or repeats(others))]  # fmt: skip
    if not known and repeats(others) and shares_evenly(ends) and shares_evenly(others):
        known = [Bug("playouts without a tree", f"{words} All actions get as many playouts, and replies are drawn: "
                     "keep children in a tree and let selection choose among them at every ply.")]  # fmt: skip
    return known[0] if len({bug.name for bug in known}) == 1 else words


def repeats(ends):
    """Whether a reply is played again before each of three was: so it was drawn, not selected.

    The first playout may be the root's own.
    """
    ways = ([[end[1] for end in part if end[0] == first][1:4] for first in (0, 1)] for part in (ends, ends[1:]))
    return all(any(len(set(three)) < len(three) for three in replies) for replies in ways)


def shares_evenly(ends):
    """Whether each action of the root has as many playouts as the others, or one more."""
    playouts = Counter(end[0] for end in ends).values()
    return max(playouts) - min(playouts) <= 1


def goes(game, ends, **rule):
    """Whether a search goes this way throughout."""
    return any(parting is None for _, parting in both_ways(game, ends, **rule))


def wrong_choice(game, counts, action):
    """What to say where the tree is right, and another action is played than the most visited."""
    children = {a: counts.get((a,), (0, 0)) for a in game.actions(())}
    most, (U, N) = max(children, key=lambda a: children[a][1]), children[action]
    if children[most][1] == N:
        return None
    right = "{:g}/{}".format(*children[most])
    words = f"In your tree, which is right, {shown(action)} has U/N = {U:g}/{N}, and {shown(most)} has {right}"
    return Bug("another choice than the most visited", f"{words}: the most visited action is the one to play.")


def search_drawn(case, given):
    """The game, and the search tree where it first went wrong."""
    game, _, iterations, _ = case
    if in_big_game(case):
        return []
    ends = ends_of(given[0][1], iterations)
    if len(ends) != iterations:
        return [("the game", picture(game))]
    counts, parting = followed(game, ends)
    when = f"before iteration {parting[0] + 1}" if parting else "at the end"
    return [("the game", picture(game)), (f"your tree {when}", tree_with(game, counts))]


def search_told(case):
    game, state, iterations, seed = case
    named, where = ("game", ", where game has 729 ends") if in_big_game(case) else (repr(game), "")
    return f"my_mcts({named}, {state!r}, {iterations}, random.Random({seed})){where}"


def my_mcts(game, state, iterations, luck):
    counts = searched(game, iterations, luck)
    return max(game.actions(state), key=lambda action: counts.get((*state, action), (0, 0))[1])


@lru_cache
def big_game(first):
    """Three named actions for six plies: a search of all ends is told from a few playouts."""
    luck = random.Random(first)

    def tree(plies):
        return {name: tree(plies - 1) for name in ("left", "ahead", "right")} if plies else luck.choice((-1, 0, 1))

    return TreeGame(tree(6), first=first)


FOLLOWED = 70
"""From so many iterations on the tree is followed in a big game, too, instead of the draws."""


def in_big_game(case):
    return case[0] in (big_game(MAX), big_game(MIN))


def is_big(case):
    """Whether it is a case with such a game, in which a search is asked three times: the third time with other luck."""
    return in_big_game(case) and case[2] < FOLLOWED


BIG = [(big_game(first), (), iterations, first) for iterations in (6, 60) for first in (MAX, MIN)]
BIG_FOLLOWED = [(game, state, FOLLOWED, first) for game, state, _, first in BIG[:2]]
NO_MATTER = [
    (TreeGame(tree, first=first), (), 10, seed)
    for seed in range(5) for first, sign in ((MAX, 1), (MIN, -1))
    for tree in ([[-sign, sign], [-sign, sign], [0]], [[-sign, sign], [-sign, sign, -sign], [-sign]])
]  # fmt: skip
"""Here the child with the largest average or the largest U is often not the most visited one."""


def deep_game(first, plies):
    """Both players do best to go on, and to end it is the worst: so the tree soon has all plies."""
    ends = [-1 if ply % 2 == first else 1 for ply in range(plies)]
    return TreeGame(reduce(lambda below, end: [end, below], reversed(ends), 0), first=first)


DEEP = [(deep_game(first, 8), (), 100, seed) for seed in (1, 2) for first in (MAX, MIN)]


def random_deep(luck):
    first, plies = luck.choice((MAX, MIN)), luck.randint(7, 9)
    return deep_game(first, plies), (), luck.randint(80, 120), luck.randrange(1000)


def small_choices():
    forms = [None] * 2, [[None] * 2, None], [[None] * 2] * 2
    flat = [tree_game(shape, worths, in_turn(shape, first)) for shape in forms
            for worths in product((-1, 0, 1), repeat=leaves_of(shape)) for first in (MAX, MIN)]  # fmt: skip
    twice = [tree_game([[None] * 2] * 2, worths, (mover,) * 3) for mover in (0, 1)
             for worths in ((1, -1, 0, 1), (-1, 1, 1, 0))]  # fmt: skip
    games = [*flat[::5], *twice]
    return [*BIG, *((game, (), 60, seed) for seed, game in enumerate(games)), *NO_MATTER, *DEEP, *BIG_FOLLOWED]


def random_choice(luck):
    game = random_game(luck)
    while len(game.actions(())) < 2:
        game = random_game(luck)
    return game, (), luck.choice([20, 60, 150]), luck.randrange(1000)


def random_big(luck):
    """A big game with few iterations or many."""
    return (
        big_game(luck.choice((MAX, MIN))),
        (),
        luck.choice([*range(6, 10), *range(40, 61), *range(70, 91)]),
        luck.randrange(1000),
    )


MCTS = Question(
    **heading("beat", "mcts_ucb1.mcts", "The whole search must beat plain playouts", 3),
    small=small_choices,
    cases=lambda luck: luck.choice(
        [*[random_choice(luck)] * 3, *luck.choices(NO_MATTER, k=4), random_deep(luck), random_big(luck)]
    ),
    ask=ask_search,
    reference=my_mcts,
    compare=wrong_search,
    show=lambda answer: shown(answer[0][0]),
    explored=lambda search, failure: iterations_of(search, *failure.case[:3], random.Random(failure.case[3]), c=C),
    tell=search_told,
    draw=search_drawn,
    visible=40,
    graded=20,
    parts=(searched,),
    bugs=(
        ("another choice than the most visited", "the move to play is the most visited one.",
            {"counts.get((*state, action), (0, 0))[1]":
                "(lambda U, N: U / N if N else -1)(*counts.get((*state, action), (0, 0)))"}),
    ),
)  # fmt: skip


# A table of one's own, by hand.

SHAPE = (3, 2)
"""The root has three children, and each of them two."""


def own_table(numbers):
    """(U, N) of nodes on three levels, where UCB1 chooses clearly, and otherwise than wrong rules do."""
    while True:
        counts = table_from(numbers)
        path = selected(board(), counts, C)
        first, second = [(a,) for a in range(SHAPE[0])], [(*path[1], b) for b in range(SHAPE[1])]
        others = [[max(first, key=rule(counts)), max(second, key=rule(counts))] for rule in WRONG_RULES]
        if clear(counts, first) and clear(counts, second) and path[1:] not in others:
            return (counts,)


WRONG_RULES = (
    lambda counts: lambda node: counts[node][0] / counts[node][1],
    lambda counts: lambda node: -counts[node][1],
    lambda counts: lambda node: my_ucb1(*counts[node], counts[()][1], C),
    lambda counts: lambda node: by_ucb1(counts, node, C) if len(node) == 1 else -by_ucb1(counts, node, -C),
)
"""The largest average, the fewest visits, the root's N everywhere, and Min taking the smallest U/N − C √…"""


def board():
    """The game that goes with a table: all that counts is its shape."""
    return TreeGame([[[0, 0]] * SHAPE[1]] * SHAPE[0])


def table_from(numbers, path=()):
    """A table as a search leaves it, where players take turns; each node but the root has a playout of its own."""
    if len(path) == len(SHAPE):
        N = numbers.between(1, 9)
        return {path: (numbers.between(0, N), N)}
    below = [table_from(numbers, (*path, action)) for action in range(SHAPE[len(path)])]
    children = [part[*path, action] for action, part in enumerate(below)]
    N = sum(N for _, N in children)
    U, own = N - sum(U for U, _ in children), 1 if path else 0
    counts = {path: (U + own * numbers.below(2), N + own)}
    return counts | {node: pair for part in below for node, pair in part.items()}


def clear(counts, children):
    *_, second, first = sorted(by_ucb1(counts, child, C) for child in children)
    return first - second > 0.03


def by_hand(counts):
    path = selected(board(), counts, C)
    return {
        "ucb1": [round(by_ucb1(counts, (action,), C), 2) for action in range(3)],
        "selected": path[-1],
        "after": backpropagated(board(), counts, path[-1], 1),
    }


HINTS = {
    "ucb1": f"UCB1 is U/N + C √(ln N(parent)/N), with C = {C} and the natural logarithm.",
    "selected": "Each step is to the child with the largest UCB1, whoever moves, with N of the node above it.",
    "after": "From the root to the selected node each has one visit more; U counts for the player who moved into it.",
}
TRACE = Question(
    **heading("trace", "mcts_ucb1.trace", "One iteration by hand", 3),
    personal=own_table,
    reference=by_hand,
    compare=by_entries(HINTS),
    draw=lambda case, given: numbers_drawn((board(), *case), given),
)

REGRET = choice(
    identifier="mcts_ucb1.regret",
    title="How regret grows",
    right="c",
    reasons={
        "a": "With ε = 0.1 one pull in ten goes to any arm, for ever: the regret grows by the same amount again and "
        "again.",
        "b": "That it grows more slowly in the end does not make it smaller at every n: how much does UCB1 explore at "
        "first?",
        "d": "UCB1 goes on trying every arm, ever more seldom: ln N(parent) never stops growing.",
    },
)

QUESTIONS = (TRACE, UCB1, SELECT, EXPAND, SIMULATE, BACKPROPAGATE, MCTS, REGRET)
