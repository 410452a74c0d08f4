"""The questions of notebook 1, game formalism."""

from collections import deque
from itertools import product

from course_lib.check.judges import game_rules, listed, tracing
from course_lib.games import MAX, MIN, Nim, TicTacToe, TreeGame
from course_lib.games.walking import depth_first, inner_paths, leaf_paths
from solutions.rows import asks, by_hand, explains
from solutions.trees import at_the_root, random_tree

# A personal tree, read by hand.


def own_tree(rng):
    """A tree with branches of different lengths, at most four plies, in which all leaves differ."""
    while True:
        utilities = iter(rng.sample(range(-9, 10), 19))
        game = TreeGame(uneven_tree(rng, utilities, plies=4))
        if 8 <= len(leaf_paths(game)) <= 12:
            return (game,)


def uneven_tree(rng, utilities, plies):
    """A node with two or three children; one child has the full remaining height, the others at most that."""
    if plies == 0:
        return next(utilities, 0)
    heights = [plies - 1, *(max(0, plies - 1 - rng.randrange(3)) for _ in range(rng.choice((1, 2))))]
    return [uneven_tree(rng, utilities, height) for height in rng.sample(heights, len(heights))]


def read_by_hand(tree):
    best = max(leaf_paths(tree), key=lambda path: tree.utility(path, MAX))
    return {
        "nodes": len(depth_first(tree, ())),
        "leaves": len(leaf_paths(tree)),
        "plies": max(map(len, leaf_paths(tree))),
        "best for Max": best,
        "what Min gets there": tree.utility(best, MIN),
        "Min's turn": {path for path in inner_paths(tree) if tree.to_move(path) == MIN},
    }


HINTS = {
    "nodes": "Count all triangles and squares: each is a node.",
    "leaves": "A leaf is a node at which the game is over: a square.",
    "plies": "Each line from a node to a child is a ply: how many are there on the longest path from the root?",
    "best for Max": "Find the leaf with the largest number, and write down the actions that lead to it from the root.",
    "what Min gets there": "The numbers are Max's utilities, and the game is zero-sum.",
    "Min's turn": "Min moves at the triangles that point down. Write the path of each. No player "
    "is to move at a leaf. A path of one action is written (0,), with a comma.",
}

# Games that students write: a case is (the game's argument, a path of actions).


def paths_of(state, actions, result):
    """All paths from this state, the shortest first."""
    waiting = deque([((), state)])
    while waiting:
        path, state = waiting.popleft()
        yield path
        waiting.extend(((*path, action), result(state, action)) for action in actions(state))


def coin_paths(coins):
    return paths_of(len(coins), lambda left: ("left", "right")[: min(left, 2)], lambda left, action: left - 1)


def heap_paths(objects):
    return paths_of(objects, lambda left: range(1, min(3, left) + 1), lambda left, taken: left - taken)


def small_rows():
    rows = [coins for n in (1, 2, 3) for coins in product((1, 2, 3), repeat=n)]
    return [(coins, path) for coins in rows for path in coin_paths(coins)]


def random_row(rng):
    """A row and a path, mostly to the end; many games are close, and some coins have two digits."""
    coins = tuple(rng.choices(rng.choice([range(1, 5), range(1, 5), range(8, 13)]), k=rng.randint(1, 6)))
    path = *rng.choices(["left", "right"], k=len(coins) - 1), "left"
    return coins, path if rng.random() < 0.8 else path[: rng.randint(0, len(coins))]


def two_digits(rng):
    """A row of coins from 10 up, and a path to the end."""
    coins = tuple(rng.choices(range(10, 100), k=rng.randint(2, 6)))
    return coins, (*rng.choices(["left", "right"], k=len(coins) - 1), "left")


def random_heap(rng):
    """A heap and a path, mostly to the end."""
    objects, path = rng.randint(1, 12), []
    while sum(path) < objects and (not path or rng.random() < 0.9):
        path.append(rng.randint(1, min(3, objects - sum(path))))
    return objects, tuple(path)


SIDE_EFFECT = (
    "trying an action leaves something behind",
    "Either result() changes its argument instead of creating a new state, or a part of the state is stored in `self`, "
    "which all states share.",
)

# Counting nodes, leaves and states.


def size(game, state):
    if game.is_terminal(state):
        return 1
    return 1 + sum(size(game, game.result(state, action)) for action in game.actions(state))


def small_positions():
    heaps = [1], [2], [1, 1], [3], [2, 1], [2, 2], [4], [1, 1, 1]
    nims = [Nim(sizes, max_take) for sizes in heaps for max_take in (None, 1, 2)]
    begun = [(game, game.after(action)) for game in nims for action in game.actions(game.initial_state())]
    ends = [(TicTacToe(), TicTacToe().parse(text)) for text in ("XOXOXO...", "XOXXO.O..", "XOXOOX.X.", "XXOOOXX..")]
    trees = map(TreeGame, (5, [5], [1, 1], [1, [2, 3]], [[0], [0, 0]]))
    return sorted([*map(at_the_root, (*nims, *trees)), *begun, *ends], key=lambda case: size(*case))


def random_position(rng):
    """The root of a random tree, or a small game of Nim after zero, one or two moves."""
    if rng.random() < 0.5:
        return at_the_root(random_tree(rng))
    heaps = rng.choice([heaps for n in (1, 2, 3) for heaps in product((1, 2, 3), repeat=n) if sum(heaps) < 6])
    game = Nim(heaps, rng.choice([None, 1, 2]))
    state = game.initial_state()
    for _ in range(rng.randint(0, 2)):
        if not game.is_terminal(state):
            state = game.result(state, rng.choice(game.actions(state)))
    return game, state


def long_line(rng):
    """A tree of many plies, in which one of two actions ends the game."""
    tree = 0
    for _ in range(rng.randint(8, 12)):
        tree = rng.sample([tree, 0], 2)
    return at_the_root(TreeGame(tree))


# Constant-sum or not.

FOR_TWO = (1, -1), (0, 0), (1, 0), (0.5, 0.5), (3, 0), (0.5, 0)
FOR_THREE = (1, 0, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1)


def small_sums():
    flat = [list(leaves) for n in (1, 2, 3) for leaves in product(FOR_TWO, repeat=n)]
    nested = [[first, [second, third]] for first, second, third in product(FOR_TWO[:4], repeat=3)]
    last = [[*[(0, 0)] * 3, (1, 0)], [(1, 0), (0, 0), (1, 1)], [(1, 0), (0, -1)]]
    three = [list(leaves) for n in (1, 2) for leaves in product(FOR_THREE, repeat=n)]
    return [(TreeGame(tree),) for tree in flat + nested + last] + [(TreeGame(tree, players=3),) for tree in three]


def random_sums(rng):
    """A tree of two or three players. In most, the last player's utilities complete a fixed total; in some of these, a
    few totals are half a point higher, or have the opposite sign."""
    players, fixed = rng.choice([2, 3]), rng.choice([None, 0, 1, 4])
    utilities = list(product([0, 1, -1, 0.5, 3], repeat=players))
    if fixed is not None:
        totals = rng.choice([[fixed], [fixed, fixed + 0.5], [fixed, -fixed]])
        utilities = [(*others, total - sum(others)) for *others, _ in utilities for total in totals]
    return (random_tree(rng, utilities, players),)


# Kinds of games.

LETTERS = {
    "C": "add up the utilities of both players, for each possible result. Is the total always the same?",
    "D": "does each action have one possible result, or do dice or shuffled cards decide as well?",
    "P": "does each player see the whole state when choosing?",
    "T": "does one player move at a time?",
}

QUESTIONS = {
    "game_formalism.trace": by_hand(own_tree, read_by_hand, tracing.entries, hints=HINTS),
    "game_formalism.game": asks(small_rows, random_row, judge=game_rules.along_a_path, in_words=True,
                                side_effect=SIDE_EFFECT, kinds=[two_digits]),
    "game_formalism.fix": asks(
        lambda: [(objects, path) for objects in range(1, 6) for path in heap_paths(objects)], random_heap,
        judge=game_rules.along_a_path, in_words=True, side_effect=SIDE_EFFECT),
    "game_formalism.count": asks(small_positions, random_position, kinds=[long_line], worked="sizes"),
    "game_formalism.constant_sum": asks(small_sums, random_sums, worked="totals"),
    "game_formalism.strategy": asks(
        lambda: [(objects, limit) for objects in range(1, 25) for limit in (3, 2, 4) if objects % (limit + 1)],
        kind="beat", ask=game_rules.beaten_by, judge=listed.as_asked,
        case="objects: {0}; up to {1} may be taken; you begin"),
    "game_formalism.kinds": explains(game_rules.letters_for_each, hints=LETTERS),
    "game_formalism.replies": explains(),
}  # fmt: skip
