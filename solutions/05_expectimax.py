"""The questions of notebook 5, expectimax."""

from functools import cache
from itertools import permutations, product

from course_lib.check.graded import Lookup
from course_lib.check.judges import listed, pig, tracing
from course_lib.check.judges.listed import FAR
from course_lib.games import CHANCE, MAX, MIN, Chance, DiceDuel, Pig, TreeGame
from course_lib.games.walking import depth_first, inner_paths, leaf_paths
from course_lib.search import expectimax_search, expectiminimax_search
from solutions import trees
from solutions.rows import asks, by_hand, explains
from solutions.trees import (
    FOUR_UTILITIES,
    UTILITIES,
    at_the_root,
    inner_nodes,
    leaves_of,
    shapes,
    tree_game,
    with_names,
)

# Trees with chance nodes. Probabilities are eighths, so that means are exact and ties are ties.

ODDS = {
    1: [(1,)],
    2: [(1 / 4, 3 / 4), (5 / 8, 3 / 8), (1 / 2, 1 / 2)],
    3: [(1 / 8, 1 / 4, 5 / 8), (1 / 2, 1 / 4, 1 / 4), (3 / 4, 0, 1 / 4)],
    4: [(1 / 8, 1 / 2, 0, 3 / 8)],
    5: [(1 / 8, 0, 1 / 4, 1 / 8, 1 / 2)],
}
"""By the number of outcomes: lists of their probabilities; the small cases use the first list."""


def chance_game(shape, utilities, movers):
    """The `TreeGame` of a small case."""
    return tree_game(shape, utilities, movers, odds=lambda outcomes: ODDS[outcomes][0])


def product_of(numbers, count):
    return product(numbers, repeat=count)


@cache
def small_chance_games():
    """Every tree of up to three leaves, with either player or chance to move at each node."""
    forms = [shape for leaves in (1, 2, 3) for shape in sorted(shapes(leaves, 2, leaves < 3), key=inner_nodes)]
    games = [
        chance_game(shape, utilities, movers)
        for shape in forms
        for utilities in (permutations if leaves_of(shape) == 3 else product_of)(UTILITIES, leaves_of(shape))
        for movers in product((CHANCE, MAX, MIN), repeat=inner_nodes(shape))
    ]
    bounded = [
        chance_game([None, [[None] * 2, None]], utilities, (first, CHANCE, 1 - first))
        for utilities in permutations(FOUR_UTILITIES)
        for first in (MAX, MIN)
    ]
    named = [with_names(game) for game in games if len(leaf_paths(game)) == 2]
    far = [chance_game([None], [far], (first,)) for far, first in ((-FAR, MAX), (FAR, MIN))]
    return *sorted(games, key=is_sure), *named, *bounded, *far


def is_sure(game):
    """Whether some chance node has a single outcome: there a mean and many mistakes give the same value."""
    return any(len(game.chances(path)) == 1 for path in inner_paths(game) if game.to_move(path) == CHANCE)


DUEL = DiceDuel({"red": (2, 5, 5), "blue": (3, 4)})
"""A real game: its outcomes are the faces of dice, and its actions their names."""


def small_roots():
    return [*map(at_the_root, small_chance_games()), *((DUEL, state) for state in (("red", 2, "blue"), ("red", 2), ()))]


def random_chance_game(rng):
    shape = trees.random_shape(rng)
    movers = rng.choices((CHANCE, MAX, MIN), k=inner_nodes(shape))
    utilities = rng.choices(trees.LEAVES, k=leaves_of(shape))
    game = tree_game(shape, utilities, movers, odds=lambda outcomes: rng.choice(ODDS[outcomes]))
    return trees.named_or_not(rng, game)


def rare(rng):
    """Four to seven (probability, value) pairs: one that is hardly possible and, in the end, one that is far better."""
    odds = [1e-7, *rng.sample([0.003, 0.01, 0.04, 0.08, 0.2], rng.randint(1, 4))]
    odds = rng.sample([*odds, 1 - 1e-4 - sum(odds)], len(odds) + 1)
    return [*zip(odds, rng.sample(range(-9, -1), len(odds))), (1e-4, 10**6)]


def rare_game(rng):
    """A sure value, or chance with a rare gain, which is better."""
    first, pairs = rng.choice((MAX, MIN)), rare(rng)
    sign = 1 if first == MAX else -1
    return TreeGame([sign, Chance([(p, sign * value) for p, value in pairs])], first=first)


def random_root(rng):
    if rng.random() < 0.3:
        return DUEL, rng.choice(((), ("red",)))
    return at_the_root(random_chance_game(rng))


# Expectimax: a case is (game, state, model), and the model lists replies in a different order from actions().


def with_model(game, odds=lambda replies: ODDS[replies][0]):
    """The case with these probabilities for the replies of Min, the last reply first."""
    nodes = [path for path in inner_paths(game) if game.to_move(path) == MIN]
    replies = {path: game.actions(path) for path in nodes}
    return game, (), Lookup({path: tuple(zip(replies[path][::-1], odds(len(replies[path])))) for path in nodes})


def small_models():
    """Trees of up to three leaves; in the last of them some node of Min has a single reply."""
    four = tree_game([None] * 4, FOUR_UTILITIES, (MAX,))
    cases = [with_model(game) for game in (*trees.small_trees(), four) if len(leaf_paths(game)) < 4 or game is four]
    return sorted(cases, key=lambda case: any(len(pairs) == 1 for pairs in case[2].values()))


def random_model(rng):
    return with_model(trees.random_tree(rng), lambda replies: rng.choice(ODDS[replies]))


def rare_model(rng):
    """A sure value, or Min with a rare reply, which makes it better."""
    odds, values = zip(*rare(rng))
    return with_model(TreeGame([[1], [*values[::-1]]]), lambda replies: odds if replies > 1 else (1,))


def close_model(rng):
    """The same tree with other odds: its first action is hardly better."""
    p = rng.randint(1, 7) / 8
    return with_model(TreeGame([[0, 8], [-0.005, 7.995]]), lambda replies: (p, 1 - p))


# Expectiminimax with a depth limit: a case is (game, state, depth, evaluate), and chance nodes do not reduce the depth.


def small_limited():
    """Trees of up to three leaves in which no node has a single child, and some of four with two moves below chance."""
    several = [game for game in small_chance_games()
               if all((*path, 1) in depth_first(game, ()) for path in inner_paths(game))]  # fmt: skip
    deep = [chance_game([[[None] * 2, None], None], (2, 0, -1, 1), (CHANCE, *movers))
            for movers in product((MAX, MIN), repeat=2)]  # fmt: skip
    far = [chance_game([None] * 2, [far] * 2, (mover,)) for far, mover in ((-FAR, MAX), (FAR, MIN))]
    return [trees.limited(game, depth, (5, -4, 3, -6, 7, -8, 4) * 5) for game in [*several, *deep, *far, DUEL]
            for depth in range(3)]  # fmt: skip


def pig_limited(rng):
    return trees.with_estimates(rng, Pig(rng.randint(4, 6)), 3)


def random_limited(rng):
    return trees.random_limited(rng, random_chance_game, (0, 1, 1, 2, 3))


def rare_limited(rng):
    return trees.limited(rare_game(rng), 2, [0] * 10)


def limited_values(game, state, depth, evaluate):
    """Path → true value of each node that a search to this depth reaches."""
    values = {}
    for path in depth_first(game, ()):
        left = depth - sum(game.to_move(path[:ply]) != CHANCE for ply in range(len(path)))
        if left >= 0:
            values[path] = expectiminimax_search(game, path, left, evaluate)[0]
    return values


# A personal tree, by hand.


def own_tree(rng):
    """Max or Min, then chance, then the other one: eight different leaves, and probabilities that are tenths."""
    utilities = iter(rng.sample(range(21), 8))

    def chance():
        p = rng.choice((1, 2, 3, 4, 6, 7, 8, 9))
        return Chance([(share / 10, [next(utilities), next(utilities)]) for share in (p, 10 - p)])

    return (TreeGame([chance(), chance()], first=rng.choice((MAX, MIN))),)


def values_by_hand(tree):
    """Path → value of every inner node, from below."""
    return {path: round(expectiminimax_search(tree, path)[0], 9) for path in inner_paths(tree)}


QUESTIONS = {
    "expectimax.trace": by_hand(own_tree, values_by_hand, tracing.values_of_nodes),
    "expectimax.expectiminimax": asks(
        small_roots, random_root, judge=listed.value_and_action, right=trees.best_pairs, part="value",
        values=trees.node_values(lambda game, state: expectiminimax_search(game, state)[0]), 
        kinds=[lambda rng: at_the_root(rare_game(rng)), trees.ROOTS[-1]]),
    "expectimax.fix": asks(small_limited, random_limited, values=limited_values,
                           kinds=[trees.recurring(pig_limited, *trees.BY_STATE), *trees.LIMITED[1:], rare_limited]),
    "expectimax.model": asks(
        small_models, random_model, judge=listed.value_and_action, right=trees.best_pairs, part="value",
        values=trees.node_values(lambda *case: expectimax_search(*case)[0]), 
        kinds=[rare_model, close_model, lambda rng: with_model(trees.late_gain(rng))]),
    "expectimax.pig": asks(
        lambda: [(50, 20, 0.58)], kind="beat", ask=pig.too_few_wins, judge=listed.as_asked,
        case="Pig to {0} against hold-at-{1}; each begins in half of the games"),
    "expectimax.scale": explains(),
    "expectimax.belief": explains(),
}  # fmt: skip
