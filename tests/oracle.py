"""Exact answers straight from the definitions, on nested lists and on sets of states; nothing here is a search.

Values are Max's.
"""

from itertools import product
from math import inf

from course_lib.games import MAX, MIN, Chance, ConnectFour, Turn


def items(tree):
    """The (action, subtree) pairs of a list or dictionary in `TreeGame`'s notation."""
    return list(tree.items() if isinstance(tree, dict) else enumerate(tree))


def value(tree, player=MAX):
    """What a two-player tree is worth when both play best and `player` moves first; expectations at chance nodes."""
    if isinstance(tree, Turn):
        return value(tree.children, tree.player)
    if isinstance(tree, Chance):
        return sum(probability * value(subtree, player) for probability, subtree in tree.outcomes)
    if isinstance(tree, list | dict):
        values = [value(subtree, 1 - player) for _, subtree in items(tree)]
        return max(values) if player == MAX else min(values)
    return tree[MAX] if isinstance(tree, tuple) else tree


def best_actions(tree, player=MAX):
    """The actions at the root, in order, after which the tree is worth as much as before."""
    if isinstance(tree, Turn):
        return best_actions(tree.children, tree.player)
    if not isinstance(tree, list | dict):
        return []
    return [action for action, subtree in items(tree) if value(subtree, 1 - player) == value(tree, player)]


def max_n(tree, players, player=MAX):
    """The utilities, one for each player, when everyone takes what is best for itself, and of equals the first."""
    if isinstance(tree, Turn):
        return max_n(tree.children, players, tree.player)
    if isinstance(tree, Chance):
        after = [(probability, max_n(subtree, players, player)) for probability, subtree in tree.outcomes]
        return tuple(sum(probability * utilities[p] for probability, utilities in after) for p in range(players))
    if isinstance(tree, list | dict):
        vectors = [max_n(subtree, players, (player + 1) % players) for _, subtree in items(tree)]
        return max(vectors, key=lambda utilities: utilities[player])
    return tree if isinstance(tree, tuple) else (tree, -tree)


def cut(tree, depth, estimate, path=()):
    """The tree cut off `depth` plies below its root, each node that lost its children a leaf of `estimate(path)`.

    Chance takes no ply.
    """
    if isinstance(tree, Turn):
        children = cut(tree.children, depth, estimate, path)
        return Turn(tree.player, children) if isinstance(children, dict) else children
    if isinstance(tree, Chance) and depth > 0:
        return Chance([(p, cut(subtree, depth, estimate, (*path, i))) for i, (p, subtree) in enumerate(tree.outcomes)])
    if isinstance(tree, Chance):
        return estimate(path)
    if not isinstance(tree, list | dict):
        return tree
    if depth == 0:
        return estimate(path)
    return {action: cut(subtree, depth - 1, estimate, (*path, action)) for action, subtree in items(tree)}


def leaves_looked_at(tree, player=MAX, path=(), alpha=-inf, beta=inf, strict=False):
    """The paths of the leaves that alpha-beta evaluates, in order (Baudet, 1978).

    A node is looked at exactly when α < β there: α is the largest minimax value among the elder siblings of the path's
    nodes below Max's nodes, β the smallest among those below Min's. A `strict` search looks at those with α = β too.
    """
    if isinstance(tree, Turn):
        player, tree = tree
    if not isinstance(tree, list | dict):
        return [path]
    found, elders = [], []
    for action, subtree in items(tree):
        a = max([alpha, *elders]) if player == MAX else alpha
        b = min([beta, *elders]) if player == MIN else beta
        if a < b or (strict and a == b):
            found += leaves_looked_at(subtree, 1 - player, (*path, action), a, b, strict)
        elders.append(value(subtree, 1 - player))
    return found


def reachable(game, start=None):
    """Every state that play can reach, each with its successors in the order of its actions."""
    successors, unread = {}, [game.initial_state() if start is None else start]
    while unread:
        state = unread.pop()
        if state not in successors:
            successors[state] = [game.result(state, action) for action in game.actions(state)]
            unread += successors[state]
    return successors


def values_of_states(game, start=None):
    """The value of every reachable state of a game without chance, worked out from the last states backwards."""
    successors = reachable(game, start)
    values = {state: game.utility(state, MAX) for state in successors if game.is_terminal(state)}
    while len(values) < len(successors):
        for state, after in successors.items():
            if state not in values and all(s in values for s in after):
                best = {MAX: max, MIN: min}[game.to_move(state)]
                values[state] = best(values[s] for s in after)
    return values


def fours(columns, rows):
    """Every line of four cells on a board of Connect Four, each as a set of (column, height)."""
    cells = set(product(range(columns), range(rows)))
    directions = (1, 0), (0, 1), (1, 1), (1, -1)
    lines = [{(c + i * dc, r + i * dr) for i in range(4)} for c, r in cells for dc, dr in directions]
    return [line for line in lines if line <= cells]


def published_positions(path):
    """The (state, score) pairs of a file of Pascal Pons' sets ("Solving Connect 4: how to build a perfect AI", 2015).

    A line holds the columns played, a digit each and counted from 1, and the score as `solve` gives it.
    """
    lines = [line.split() for line in path.read_text().splitlines()]
    return [(ConnectFour().after(*(int(column) - 1 for column in columns)), int(score)) for columns, score in lines]


def negamax(game, state, alpha, beta, sign):
    """(value for the player to move, action), for players who take turns; `sign` is 1 if Max is to move, or else −1."""
    if game.is_terminal(state):
        return sign * game.utility(state, MAX), None
    v, move = -inf, None
    for action in game.actions(state):
        v2, _ = negamax(game, game.result(state, action), -beta, -alpha, -sign)
        if -v2 > v:
            v, move = -v2, action
            alpha = max(alpha, v)
        if v >= beta:
            break
    return v, move
