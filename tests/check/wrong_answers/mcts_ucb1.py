"""Answers to the questions of notebook 6. Nodes and adapters are those that the notebook gives."""

import math
import random
from functools import partial
from math import inf, log, sqrt

from answers import Wrong, leaves
from course_lib.games import MAX, MIN, TreeGame


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


def unvisited_large(U, N, N_parent, c):
    return U / N + c * sqrt(log(N_parent) / N) if N else 10**6


def log_of_own(U, N, N_parent, c):
    return U / N + c * sqrt(log(N) / N) if N else inf


def one_more_visit(U, N, N_parent, c):
    return U / N + c * sqrt(log(N_parent + 1) / N) if N else inf


def auer(U, N, N_parent, c):
    """√(2 ln N/n) and C as well."""
    return U / N + c * sqrt(2 * log(N_parent) / N) if N else inf


def average_only(U, N, N_parent, c):
    return U / N if N else inf


def as_text(U, N, N_parent, c):
    return f"{plain_ucb1(U, N, N_parent, c):.2f}"


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


def select_leaf_only(root, c):
    return select_loop(root, c)[-1:]


def select_without_root(root, c):
    return select_loop(root, c)[1:]


def select_min_for_min(root, c):
    path = [root]
    while not path[-1].untried and path[-1].children:
        parent = path[-1]
        pick = max if parent.player == MIN else min
        path.append(pick(parent.children, key=lambda child: score(child, parent, c)))
    return path


def select_smallest(root, c):
    path = [root]
    while not path[-1].untried and path[-1].children:
        parent = path[-1]
        path.append(min(parent.children, key=lambda child: score(child, parent, c)))
    return path


def select_child(root, c):
    return select_loop(root, c)[:2]


def select_eagerly(root, c):
    path = [root]
    while path[-1].children:
        parent = path[-1]
        path.append(max(parent.children, key=lambda child: score(child, parent, c)))
    return path


def select_by_root(root, c):
    path = [root]
    while not path[-1].untried and path[-1].children:
        path.append(max(path[-1].children, key=lambda child: score(child, root, c)))
    return path


def select_by_children(root, c):
    path = [root]
    while not path[-1].untried and path[-1].children:
        children = path[-1].children
        visits = sum(child.N for child in children)
        path.append(max(children, key=lambda child: plain_ucb1(child.U, child.N, visits, c)))
    return path


def select_nothing(root, c):
    """Without its return."""
    select_loop(root, c)


def select_grandchild(root, c):
    return select_loop(root, c)[:3]


def select_by_puct(root, c):
    path = [root]
    while not path[-1].untried and path[-1].children:
        n = path[-1].N
        path.append(max(path[-1].children, key=lambda child: child.U / child.N + c * sqrt(n) / (1 + child.N)))
    return path


def select_average(root, c):
    return select_loop(root, 0)


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


def expand_by_child(game, node):
    """The player to move in the child."""
    if not node.untried:
        return None
    action = node.untried.pop(0)
    state = game.result(node.state, action)
    node.children.append(Node(game, state, game.to_move(state), action))
    return node.children[-1]


def expand_same_player(game, node):
    if not node.untried:
        return None
    action = node.untried.pop(0)
    node.children.append(Node(game, game.result(node.state, action), node.player, action))
    return node.children[-1]


def expand_in_turn(game, node):
    """The other player than moved into the node: wrong where somebody moves twice."""
    if not node.untried:
        return None
    action = node.untried.pop()
    node.children.append(Node(game, game.result(node.state, action), 1 - node.player, action))
    return node.children[-1]


def expand_listed_twice(game, node):
    child = expand_last(game, node)
    if child:
        node.children.append(child)
    return child


def expand_not_kept(game, node):
    if not node.untried:
        return None
    action = node.untried.pop(0)
    return Node(game, game.result(node.state, action), game.to_move(node.state), action)


def expand_twice(game, node):
    """A child that is kept, and another one that is returned."""
    if not node.untried:
        return None
    action = node.untried.pop(0)
    for _ in range(2):
        child = Node(game, game.result(node.state, action), game.to_move(node.state), action)
        if len(node.children) + len(node.untried) < len(game.actions(node.state)):
            node.children.append(child)
    return child


def expand_again(game, node):
    if not node.untried:
        return None
    action = node.untried[0]
    node.children.append(Node(game, game.result(node.state, action), game.to_move(node.state), action))
    return node.children[-1]


def expand_all(game, node):
    for action in node.untried:
        node.children.append(Node(game, game.result(node.state, action), game.to_move(node.state), action))
    node.untried = []
    return node.children[0] if node.children else None


def expand_carelessly(game, node):
    action = node.untried.pop()
    node.children.append(Node(game, game.result(node.state, action), game.to_move(node.state), action))
    return node.children[-1]


def expand_without_action(game, node):
    if not node.untried:
        return None
    action = node.untried.pop()
    node.children.append(Node(game, game.result(node.state, action), game.to_move(node.state)))
    return node.children[-1]


# Simulation


def simulate_loop(game, state, policy):
    while not game.is_terminal(state):
        state = game.result(state, policy(state))
    return (game.utility(state, MAX) + 1) / 2


def simulate_recursive(game, state, policy):
    if game.is_terminal(state):
        return {1: 1.0, 0: 0.5, -1: 0.0}[game.utility(state, MAX)]
    return simulate_recursive(game, game.result(state, policy(state)), policy)


def simulate_from_min(game, state, policy):
    while not game.is_terminal(state):
        state = game.result(state, policy(state))
    return 0.5 - game.utility(state, MIN) / 2


def simulate_utility(game, state, policy):
    return 2 * simulate_loop(game, state, policy) - 1


def simulate_for_mover(game, state, policy):
    player = game.to_move(state)
    reward = simulate_loop(game, state, policy)
    return reward if player == MAX else 1 - reward


def simulate_wins_only(game, state, policy):
    return 1 if simulate_loop(game, state, policy) == 1 else 0


def simulate_left(game, state, policy):
    return simulate_loop(game, state, lambda state: game.actions(state)[0])


def simulate_once(game, state, policy):
    return simulate_loop(game, game.result(state, policy(state)), policy)


def simulate_repeating(game, state, policy):
    """Asks the policy once, and plays that action to the end."""
    return simulate_loop(game, state, lambda _: policy(state))


def simulate_at_random(game, state, policy):
    return simulate_loop(game, state, lambda state: random.Random(3).choice(game.actions(state)))


def simulate_all(game, state, policy):
    return simulate_loop(game, game.initial_state(), policy)


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


def credit_by_abs(path, reward):
    for node in path:
        node.N += 1
        if node.player == MIN:
            node.U += 1 - reward
        else:
            node.U += reward


def credit_all(path, reward):
    for node in path:
        node.N += 1
        node.U += reward


def credit_all_of_min(path, reward):
    credit_all(path, 1 - reward)


def credit_minus(path, reward):
    for node in path:
        node.N += 1
        node.U += reward if node.player == MAX else -reward


def credit_turns(path, reward):
    """Changes sides at every node, from the last one up."""
    reward = reward if path[-1].player == MAX else 1 - reward
    for node in reversed(path):
        node.N += 1
        node.U += reward
        reward = 1 - reward


def credit_other(path, reward):
    for node in path:
        node.N += 1
        node.U += reward if node.player == MIN else 1 - reward


def credit_last(path, reward):
    credit_by_player(path[-1:], reward)


def credit_without_root(path, reward):
    credit_by_player(path[1:], reward)


def credit_max_only(path, reward):
    for node in path:
        node.N += 1
        if node.player == MAX:
            node.U += reward


def credit_overwritten(path, reward):
    for node in path:
        node.N += 1
        node.U = reward if node.player == MAX else 1 - reward


# The whole search


def search(game, state, iterations, luck, select=select_loop, credit=credit_by_player, answer=None):
    root = Node(game, state, 1 - game.to_move(state))
    for _ in range(iterations):
        path = select(root, 1.4)
        child = expand_last(game, path[-1])
        if child:
            path = [*path, child]
        credit(path, simulate_loop(game, path[-1].state, lambda state: luck.choice(game.actions(state))))
    return (answer or most_visited)(root)


def most_visited(root):
    return max(root.children, key=lambda child: child.N).action


def highest_average(root):
    return max(root.children, key=lambda child: child.U / child.N).action


def least_visited(root):
    return min(root.children, key=lambda child: child.N).action


def largest_sum_for_max(root):
    return max(root.children, key=lambda child: child.U if child.player == MAX else -child.U).action


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


def flat(game, state, iterations, luck):
    """The average of playouts for each action, without a tree."""
    sign = 1 if game.to_move(state) == MAX else -1

    def average(action):
        after = game.result(state, action)
        return sum(
            simulate_loop(game, after, lambda state: luck.choice(game.actions(state))) for _ in range(iterations)
        )

    return max(game.actions(state), key=lambda action: sign * average(action))


def one_ply_tree(game, state, iterations, luck):
    """A bandit over the actions of the root: nothing below it is chosen."""
    return search(game, state, iterations, luck, select=lambda root, c: select_loop(root, c)[:2])


def any_action(game, state, iterations, luck):
    return luck.choice(game.actions(state))


def last_action(game, state, iterations, luck):
    return game.actions(state)[-1]


def the_child(game, state, iterations, luck):
    """The state instead of the action."""
    return game.result(state, search(game, state, iterations, luck))


BY_HAND = {"ucb1": [1, 1, 1], "selected": (0, 0), "after": {(): (1, 1), (0,): (1, 1), (0, 0): (1, 1)}}

WRONG = {
    "mcts_ucb1.ucb1": [
        Wrong(unvisited_large, 1),
        Wrong(log_of_own, 2),
        Wrong(one_more_visit, 1),
        Wrong(auer, 2),
        Wrong(average_only, 2),
        Wrong(as_text, 1),
    ],
    "mcts_ucb1.select": [
        Wrong(selecting(select_leaf_only), 1),
        Wrong(selecting(select_without_root), 1),
        Wrong(selecting(select_min_for_min), 2, "Min takes the smallest"),
        Wrong(selecting(select_smallest), 2),
        Wrong(selecting(select_child), 1, "one step only"),
        Wrong(selecting(select_eagerly), 2, "untried actions passed over"),
        Wrong(selecting(select_by_root), 3, "the wrong parent"),
        Wrong(selecting(select_by_children), 2, "the children's visits"),
        Wrong(selecting(select_nothing), 1),
        Wrong(selecting(select_average), 2, "exploration left out"),
        Wrong(selecting(select_grandchild), 1),
        Wrong(selecting(select_by_puct), 2),
    ],
    "mcts_ucb1.expand": [
        Wrong(expanding(expand_by_child), 1, "the wrong player"),
        Wrong(expanding(expand_same_player), 1, "the wrong player"),
        Wrong(expanding(expand_not_kept), 1, "the child is not kept"),
        Wrong(expanding(expand_twice), 1),
        Wrong(expanding(expand_in_turn), 1, "the wrong player"),
        Wrong(expanding(expand_listed_twice), 1, "kept twice"),
        Wrong(expanding(expand_again), 1, "the action stays untried"),
        Wrong(expanding(expand_all), 2),
        Wrong(expanding(expand_carelessly), 1),
        Wrong(expanding(expand_without_action), 1),
    ],
    "mcts_ucb1.simulate": [
        Wrong(simulate_utility, 1, "a utility, not a reward"),
        Wrong(simulate_for_mover, 1, "utility from the wrong side"),
        Wrong(simulate_wins_only, 1, "a draw counted as a loss"),
        Wrong(simulate_left, 2, "the policy is not asked"),
        Wrong(simulate_once, 1),
        Wrong(simulate_repeating, 2, "the policy is asked once"),
        Wrong(simulate_at_random, 2),
        Wrong(simulate_all, 2, "the playout begins at the root"),
    ],
    "mcts_ucb1.backpropagate": [
        Wrong(propagating(credit_all), 1, "back-propagation that never changes sides"),
        Wrong(propagating(credit_all_of_min), 1, "back-propagation that never changes sides, from Min's side"),
        Wrong(propagating(credit_minus), 1, "a reward below 0"),
        Wrong(propagating(credit_turns), 1),
        Wrong(propagating(credit_other), 1, "the wrong side"),
        Wrong(propagating(credit_last), 1),
        Wrong(propagating(credit_without_root), 1, "the root is left out"),
        Wrong(propagating(credit_max_only), 1),
        Wrong(propagating(credit_overwritten), 1),
    ],
    "mcts_ucb1.mcts": [
        Wrong(partial(search, credit=credit_all), 2),
        Wrong(partial(search, select=select_min_for_min), 2),
        Wrong(partial(search, answer=least_visited), 2),
        Wrong(partial(search, answer=largest_sum_for_max), 2),
        Wrong(flat, 4),
        Wrong(one_ply_tree, 4),
        Wrong(any_action, 2),
        Wrong(last_action, 2),
        Wrong(the_child, 2),
    ],
    "mcts_ucb1.trace": [
        Wrong({}, 99),
        Wrong(BY_HAND, 99),
        Wrong({"ucb1": [True, None, "1"], "selected": None, "after": {}}, 99),
        Wrong({"ucb1": [[]], "selected": [[]], "after": [{}]}, 99),
        Wrong((1, 2, 3), 99),
    ],
    "mcts_ucb1.regret": [Wrong(letter, 0) for letter in ("a", "b", "d", "cc", 3, ["c"])],
}

RIGHT = {
    "mcts_ucb1.ucb1": [plain_ucb1, one_line, in_two_roots],
    "mcts_ucb1.select": list(map(selecting, (select_loop, select_recursive, select_last_of_equals))),
    "mcts_ucb1.expand": list(map(expanding, (expand_first, expand_last, expand_any))),
    "mcts_ucb1.simulate": [simulate_loop, simulate_recursive, simulate_from_min],
    "mcts_ucb1.backpropagate": list(map(propagating, (credit_by_player, credit_backwards, credit_recursive))),
    "mcts_ucb1.mcts": [search, partial(search, answer=highest_average), table_of_states],
}
