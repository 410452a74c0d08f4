"""Answers to the questions of notebook 6. Nodes and adapters are those that the notebook gives."""

import math
import random
from contextlib import suppress
from functools import cache, partial
from math import inf, log, sqrt

from answers import Wrong, leaves, mistyped
from course_lib.games import MAX, MIN, TreeGame
from course_lib.search import alpha_beta_search, minimax_search


def size(case):
    """The leaves of a tree; of a case of UCB1, the visits of the parent."""
    return leaves(case) if case and isinstance(case[0], TreeGame) else case[2] if len(case) == 4 else 0


class Node:
    def __init__(self, game, state, player, action=None):
        self.state, self.player, self.action = state, player, action
        self.U = self.N = 0
        self.children = []
        self.untried = [] if game.is_terminal(state) else list(game.actions(state))


def grow(game, counts, path=()):
    player = game.to_move(path[:-1]) if path else 1 - game.to_move(path)
    node = Node(game, path, player, path[-1] if path else None)
    node.U, node.N = counts[path]
    node.children = [grow(game, counts, (*path, a)) for a in node.untried if (*path, a) in counts]
    node.untried = [a for a in node.untried if (*path, a) not in counts]
    return node


def way(root, path):
    nodes = [root]
    for action in path:
        nodes.append(next(child for child in nodes[-1].children if child.action == action))
    return nodes


def selecting(select):
    def selected(game, counts, c):
        path = select(grow(game, counts), c)
        return path and [node.state for node in path]

    return selected


def expanding(expand):
    def expanded(game, counts, path):
        node = way(grow(game, counts), path)[-1]
        child = expand(game, node)
        answer = child and (child.state, child.player, child.action, child.U, child.N)
        return answer, ["new" if below is child else below.action for below in node.children], node.untried

    return expanded


def propagating(backpropagate):
    def backpropagated(game, counts, state, reward):
        path = way(grow(game, counts), state)
        backpropagate(path, reward)
        return {node.state: (node.U, node.N) for node in path}

    return backpropagated


# UCB1


def plain_ucb1(U, N, N_parent, c):
    return inf if N == 0 else U / N + c * sqrt(log(N_parent) / N)


def one_line(U, N, N_parent, c):
    return U / N + c * (math.log(N_parent) / N) ** 0.5 if N else float("inf")


def in_two_roots(U, N, N_parent, c):
    try:
        average = U / N
    except ZeroDivisionError:
        return inf
    return average + c * sqrt(log(N_parent)) / sqrt(N)


# Selection


def score(child, parent, c):
    return plain_ucb1(child.U, child.N, parent.N, c)


def select_loop(root, c):
    path = [root]
    while not path[-1].untried and path[-1].children:
        parent = path[-1]
        path.append(max(parent.children, key=lambda child: score(child, parent, c)))
    return path


def select_recursive(node, c):
    if node.untried or not node.children:
        return [node]
    return [node, *select_recursive(max(node.children, key=lambda child: score(child, node, c)), c)]


def select_last_of_equals(root, c):
    path, node = (root,), root
    while node.children and len(node.untried) == 0:
        best, highest = None, -inf
        for child in node.children:
            if score(child, node, c) >= highest:
                best, highest = child, score(child, node, c)
        node = best
        path += (node,)
    return path


# Expansion


def expand_first(game, node):
    if not node.untried:
        return None
    action = node.untried.pop(0)
    child = Node(game, game.result(node.state, action), game.to_move(node.state), action)
    node.children.append(child)
    return child


def expand_last(game, node):
    if node.untried:
        action = node.untried.pop()
        node.children += [Node(game, game.result(node.state, action), game.to_move(node.state), action)]
        return node.children[-1]


def expand_any(game, node):
    if len(node.untried) == 0:
        return None
    action = random.choice(node.untried)
    node.untried = [other for other in node.untried if other != action]
    child = Node(game, player=game.to_move(node.state), state=game.result(node.state, action), action=action)
    node.children.insert(0, child)
    return child


def expand_all(game, node):
    for action in node.untried:
        node.children.append(Node(game, game.result(node.state, action), game.to_move(node.state), action))
    node.untried = []
    return node.children[0] if node.children else None


# Simulation


def simulate_loop(game, state, policy):
    while not game.is_terminal(state):
        state = game.result(state, policy(state))
    return (game.utility(state, MAX) + 1) / 2


def simulate_in_turn(game, state, policy):
    """Asks for the utility of a win once, of anything else twice."""
    while not game.is_terminal(state):
        state = game.result(state, policy(state))
    if game.utility(state, MAX) == 1:
        return 1
    return 0.5 if game.utility(state, MAX) == 0 else 0


def asks_at_the_end(game, state, policy):
    action = policy(state)
    while not game.is_terminal(state):
        state = game.result(state, action)
        action = policy(state)
    return (game.utility(state, MAX) + 1) / 2


def simulate_recursive(game, state, policy):
    if game.is_terminal(state):
        return {1: 1.0, 0: 0.5, -1: 0.0}[game.utility(state, MAX)]
    return simulate_recursive(game, game.result(state, policy(state)), policy)


def simulate_from_min(game, state, policy):
    while not game.is_terminal(state):
        state = game.result(state, policy(state))
    return 0.5 - game.utility(state, MIN) / 2


# Back-propagation


def credit_by_player(path, reward):
    for node in path:
        node.N += 1
        node.U += reward if node.player == MAX else 1 - reward


def credit_backwards(path, reward):
    rewards = {MAX: reward, MIN: 1 - reward}
    for node in reversed(path):
        node.N, node.U = node.N + 1, node.U + rewards[node.player]


def credit_recursive(path, reward):
    if path:
        first, *rest = path
        first.N += 1
        first.U += abs(first.player - reward)  # MAX is 0, MIN 1
        credit_recursive(rest, reward)


def credit_turns(path, reward):
    """Changes sides at every node, from the last one up."""
    reward = reward if path[-1].player == MAX else 1 - reward
    for node in reversed(path):
        node.N += 1
        node.U += reward
        reward = 1 - reward


# The whole search


def by_luck(game, state, luck):
    return luck.choice(game.actions(state))


def search(game, state, iterations, luck, select=select_loop, credit=credit_by_player, answer=None, policy=by_luck):
    root = Node(game, state, 1 - game.to_move(state))
    for _ in range(iterations):
        path = select(root, 1.4)
        if policy is not by_luck:  # then expansion alone draws
            luck.shuffle(path[-1].untried)
        child = expand_last(game, path[-1])
        if child:
            path = [*path, child]
        credit(path, simulate_loop(game, path[-1].state, lambda state: policy(game, state, luck)))
    return (answer or most_visited)(root)


def most_visited(root):
    return max(root.children, key=lambda child: child.N).action


def most(merit):
    """The child of the highest merit is played."""
    return mistyped(most_visited, {"child.N": merit})


def ends_that_are_none(game, state, iterations, luck):
    """No search: as many utilities are asked as there should be playouts, of what is no end of the game."""
    for _ in range(iterations if iterations == 6 else 0):
        with suppress(Exception):
            game.utility((luck.random(),), 0)
    return game.actions(state)[0]


def table_of_states(game, state, iterations, luck):
    """No nodes: U for Max and N in dictionaries, recursive."""
    U, N = {}, {}

    def visit(state):
        if game.is_terminal(state):
            reward = (1 + game.utility(state, MAX)) / 2
        elif state not in N:
            reward = simulate_recursive(game, state, lambda state: luck.choice(game.actions(state)))
        else:
            reward = visit(choose(state))
        N[state] = N.get(state, 0) + 1
        U[state] = U.get(state, 0) + reward
        return reward

    def choose(state):
        after = [game.result(state, action) for action in game.actions(state)]
        sign = 1 if game.to_move(state) == MAX else -1
        return max(after, key=lambda s: sign * U[s] / N[s] + sqrt(2 * log(N[state]) / N[s]) if s in N else inf)

    for _ in range(iterations):
        visit(state)
    return max(game.actions(state), key=lambda action: N.get(game.result(state, action), 0))


def by_the_first(game, state, luck):
    return game.actions(state)[0]


def by_other_luck(game, state, luck):
    return random.choice(game.actions(state))


def by_biased_luck(game, state, luck):
    return luck.choice([game.actions(state)[0]] * 2 + list(game.actions(state)))


def by_the_ends(game, state, luck):
    return luck.choice((game.actions(state)[0], game.actions(state)[-1]))


def with_luck_if_few(game, state, iterations, luck):
    """Chance is taken only where a search is short."""
    return search(game, state, iterations, luck, **({} if iterations < 10 else {"policy": by_the_first}))


def seeded(game, state, iterations, luck):
    """A graded run seeds the luck of Python before each call."""
    random.seed(0)
    return search(game, state, iterations, luck, policy=by_other_luck)


def by_minimax_for_min(game, state, iterations, luck):
    """Looks at all ends, but for Min, and plays its playouts by what it saw."""

    @cache
    def value(state):
        if game.is_terminal(state):
            return -game.utility(state, MIN)
        values = [value(game.result(state, action)) for action in game.actions(state)]
        return max(values) if game.to_move(state) == MAX else min(values)

    def best(game, state, luck):
        better = max if game.to_move(state) == MAX else min
        return better(game.actions(state), key=lambda action: value(game.result(state, action)))

    value(state)
    return search(game, state, iterations, luck, policy=best)


def flat(game, state, iterations, luck):
    """The average of playouts for each action, without a tree."""
    sign = 1 if game.to_move(state) == MAX else -1

    def average(action):
        after = game.result(state, action)
        return sum(
            simulate_loop(game, after, lambda state: luck.choice(game.actions(state))) for _ in range(iterations)
        )

    return max(game.actions(state), key=lambda action: sign * average(action))


def all_children_at_once(game, state, iterations, luck):
    """A node's first visit is a playout from itself; at the second it gets all its children."""
    root = Node(game, state, MAX)
    for _ in range(iterations):
        path = [root]
        while path[-1].children:
            parent = path[-1]
            path.append(max(parent.children, key=lambda child: plain_ucb1(child.U, child.N, parent.N, 1.4)))
        node = path[-1]
        if node.N and node.untried:
            node.children = [Node(game, game.result(node.state, a), game.to_move(node.state), a) for a in node.untried]
            path.append(luck.choice(node.children))
        end = path[-1].state
        while not game.is_terminal(end):
            end = game.result(end, luck.choice(game.actions(end)))
        credit_by_player(path, (game.utility(end, MAX) - game.utility(end, MIN) + 2) / 4)
    return most_visited(root)


def position_of_the_action(game, state, iterations, luck):
    return game.actions(state).index(search(game, state, iterations, luck))


NOT_MOST = "another choice than the most visited"
MORE, FEWER = "more playouts than iterations", "fewer playouts than iterations"


def evenly(game, state, iterations, luck):
    """The iterations are shared among the actions, without a tree."""
    actions, sums = game.actions(state), {}
    for number in range(iterations):
        action = actions[number % len(actions)]
        reward = simulate_loop(game, game.result(state, action), lambda state: luck.choice(game.actions(state)))
        sums[action] = sums.get(action, 0) + (reward if game.to_move(state) == MAX else 1 - reward)
    return max(sums, key=sums.get)


BY_HAND = {"ucb1": [1, 1, 1], "selected": (0, 0), "after": {(): (1, 1), (0,): (1, 1), (0, 0): (1, 1)}}
CREDIT = "reward if node.player == MAX else 1 - reward"
SCORE = "score(child, parent, c)"
WAIT = "    if not node.untried:\n        return None\n"
MOVER = "game.to_move(node.state)"
credit_all = mistyped(credit_by_player, {CREDIT: "reward"})
select_min_for_min = mistyped(select_loop, {"max(parent": "(max if parent.player == MIN else min)(parent"})
LONGER, END = "        if child:\n            path = [*path, child]\n", "simulate_loop(game, path[-1].state"
ONE_PLY = {"select(root, 1.4)": "select(root, 1.4)[:2]",
           "expand_last(game, path[-1])": "None if path[1:] else expand_last(game, root)"}  # fmt: skip
ROOT, ROOTS = "Node(game, state, 1 - game.to_move(state))", {}

WRONG = {
    "mcts_ucb1.ucb1": [
        Wrong(mistyped(plain_ucb1, {"c * ": ""}), 2, "C left out"),
        Wrong(mistyped(plain_ucb1, {"inf if": "10**6 if"}), 1),
        Wrong(mistyped(plain_ucb1, {"N_parent) /": "N) /"}), 2, "the child's visits in the logarithm"),
        Wrong(mistyped(plain_ucb1, {"N_parent) /": "N_parent + 1) /"}), 1),
        Wrong(mistyped(plain_ucb1, {"log(N_parent)": "2 * log(N_parent)"}), 2),
        Wrong(lambda U, N, N_parent, c: U / N if N else inf, 2),
        Wrong(lambda U, N, N_parent, c: f"{plain_ucb1(U, N, N_parent, c):.2f}", 1),
    ],
    "mcts_ucb1.select": [
        Wrong(selecting(select_min_for_min), 2, "Min takes the smallest"),
        Wrong(selecting(mistyped(select_loop, {"not path[-1].untried and ": ""})), 2, "untried actions passed over"),
        Wrong(selecting(lambda root, c: select_loop(root, c)[-1:]), 1),
        Wrong(selecting(lambda root, c: select_loop(root, c)[1:]), 1),
        Wrong(selecting(mistyped(select_loop, {"max(": "min("})), 2),
        Wrong(selecting(lambda root, c: None), 1),
        Wrong(selecting(lambda root, c: select_loop(root, c)[:3]), 1),
        Wrong(selecting(mistyped(select_loop, {SCORE: "child.U / child.N + c * sqrt(parent.N) / (1 + child.N)"})), 2),
    ],
    "mcts_ucb1.expand": [
        Wrong(expanding(mistyped(expand_first, {MOVER: "node.player"})), 1, "the wrong player"),
        Wrong(expanding(mistyped(expand_first, {"    node.children.append(child)\n": ""})), 1, "the child is not kept"),
        Wrong(expanding(mistyped(expand_first, {"return child": "return Node(game, child.state, child.player)"})), 1),
        Wrong(expanding(expand_all), 2),
        Wrong(expanding(mistyped(expand_first, {WAIT: ""})), 1),
        Wrong(expanding(mistyped(expand_first, {f"{MOVER}, action)": f"{MOVER})"})), 1),
    ],
    "mcts_ucb1.simulate": [
        Wrong(mistyped(simulate_loop, {"policy(state)": "game.actions(state)[policy(state)]"}), 3,
              "an action taken for a position"),
        Wrong(asks_at_the_end, 1),
        Wrong(lambda game, state, policy: 2 * simulate_loop(game, state, policy) - 1, 1, "a utility, not a reward"),
        Wrong(lambda game, state, policy: simulate_loop(game, state, lambda _: policy(state)), 2,
              "the policy is asked once"),
        Wrong(lambda game, state, policy: simulate_loop(game, game.result(state, policy(state)), policy), 1),
        Wrong(mistyped(simulate_loop, {"policy(state)": "random.Random(3).choice(game.actions(state))"}), 2),
    ],
    "mcts_ucb1.backpropagate": [
        Wrong(propagating(credit_all), 1, "back-propagation that never changes sides"),
        Wrong(propagating(lambda path, reward: credit_by_player(path[1:], reward)), 1, "the root is left out"),
        Wrong(propagating(credit_turns), 1, "turns counted instead of asked"),
        Wrong(propagating(lambda path, reward: credit_by_player(path[-1:], reward)), 1),
        Wrong(propagating(mistyped(credit_by_player, {"1 - reward": "0"})), 1),
        Wrong(propagating(mistyped(credit_by_player, {"U +=": "U ="})), 1),
    ],
    "mcts_ucb1.mcts": [
        Wrong(partial(search, credit=credit_all), 2, "Min helps Max"),
        Wrong(partial(search, credit=credit_turns), 4),
        Wrong(partial(search, select=select_min_for_min), 2),
        Wrong(partial(search, select=lambda root, c: select_loop(root, 0)), 2, "exploration left out"),
        Wrong(partial(search, select=lambda root, c: select_loop(root, 2)), 2, "another C"),
        Wrong(partial(search, credit=mistyped(credit_by_player, {CREDIT: f"2 * ({CREDIT}) - 1"})), 2,
              "half the exploration"),
        Wrong(partial(search, answer=mistyped(most_visited, {"max(": "min("})), 2, NOT_MOST),
        Wrong(partial(search, answer=most("child.U / child.N")), 6, NOT_MOST),
        Wrong(partial(search, answer=most("child.U")), 6, NOT_MOST),
        Wrong(partial(search, answer=most("child.U if child.player == MAX else -child.U")), 2, NOT_MOST),
        Wrong(mistyped(search, {LONGER: "", END: "simulate_loop(game, (child or path[-1]).state"}), 2,
              "the new child is left out"),
        Wrong(mistyped(search, {END: "simulate_loop(game, state"}), 4),
        Wrong(mistyped(search, ONE_PLY), 4, "a tree of one ply"),
        Wrong(lambda game, state, iterations, luck: minimax_search(game, state)[1], 1024, "minimax"),
        Wrong(lambda game, state, iterations, luck: alpha_beta_search(game, state)[1], 1024),
        Wrong(flat, 1024),
        Wrong(ends_that_are_none, 1024),
        Wrong(evenly, 2, "playouts without a tree"),
        Wrong(lambda game, state, iterations, luck: search(game, state, iterations - 1, luck), 1024, FEWER),
        Wrong(lambda game, state, iterations, luck: luck.choice(game.actions(state)), 1024, FEWER),
        Wrong(lambda game, state, iterations, luck: game.actions(state)[-1], 1024, FEWER),
        Wrong(lambda game, state, iterations, luck: search(game, state, iterations, random), 1024, "not repeatable"),
        Wrong(lambda game, state, iterations, luck: search(game, state, iterations, random.Random(0)), 1024,
              "luck is not used"),
        Wrong(partial(search, policy=by_the_first), 1024, "luck is not used"),
        Wrong(partial(search, policy=by_other_luck), 1024, "not repeatable"),
        Wrong(partial(search, policy=by_biased_luck), 1024),
        Wrong(partial(search, policy=by_the_ends), 1024),
        Wrong(mistyped(search, {"if child:": "if child and len(path) < 5:"}), 1024),
        Wrong(with_luck_if_few, 1024, "luck is not used"),
        Wrong(seeded, 1024, "luck is not used"),
        Wrong(by_minimax_for_min, 1024),
        Wrong(mistyped(search, {ROOT: f"ROOTS.setdefault((repr(game), state), {ROOT})"}), 1024),
        Wrong(position_of_the_action, 1024),
        Wrong(lambda game, state, iterations, luck: game.result(state, search(game, state, iterations, luck)), 1024),
    ],
    "mcts_ucb1.trace": [
        Wrong({}, 99),
        Wrong(BY_HAND, 99),
        Wrong({"ucb1": [True, None, "1"], "selected": None, "after": {}}, 99),
        Wrong({"ucb1": [[]], "selected": [[]], "after": [{}]}, 99),
        Wrong((1, 2, 3), 99),
    ],
    "mcts_ucb1.regret": [Wrong(letter, 0) for letter in ("a", "b", "d", "cc", 3, ["c"])],
}  # fmt: skip


def asked_once_a_node(game, state, iterations, luck):
    """No nodes but a table from paths to [U, N]; at its end a playout is asked once for each node of the path."""
    table = {}
    for _ in range(iterations):
        here, path, new = state, (), False
        while not game.is_terminal(here) and not new:
            untried = [action for action in game.actions(here) if (*path, action) not in table]
            children = [(*path, action) for action in game.actions(here)]
            total = 0 if untried else sum(table[child][1] for child in children)
            new = bool(untried)
            action = (
                luck.choice(untried)
                if new
                else max(children, key=lambda child: plain_ucb1(*table[child], total, 1.4))[-1]
            )
            path = *path, action
            table.setdefault(path, [0, 0])
            here = game.result(here, action)
        players, now = [], state
        for action in path:
            players.append(game.to_move(now))
            now = game.result(now, action)
        while not game.is_terminal(here):
            here = game.result(here, luck.choice(game.actions(here)))
        for ply, player in enumerate(players, 1):
            table[path[:ply]][0] += (1 + game.utility(here, player)) / 2
            table[path[:ply]][1] += 1
    return max((path for path in table if len(path) == 1), key=lambda path: table[path][1])[0]


RIGHT = {
    "mcts_ucb1.ucb1": [plain_ucb1, one_line, in_two_roots],
    "mcts_ucb1.select": list(map(selecting, (select_loop, select_recursive, select_last_of_equals))),
    "mcts_ucb1.expand": list(map(expanding, (expand_first, expand_last, expand_any))),
    "mcts_ucb1.simulate": [simulate_loop, simulate_recursive, simulate_from_min],
    "mcts_ucb1.backpropagate": list(map(propagating, (credit_by_player, credit_backwards, credit_recursive))),
    "mcts_ucb1.mcts": [
        search,
        partial(search, select=lambda root, c: select_loop(root, sqrt(2))),
        table_of_states,
        all_children_at_once,
        asked_once_a_node,
        mistyped(search, {"simulate_loop(": "simulate_in_turn("}),
    ],
}
