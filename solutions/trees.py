"""Cases: every small game tree, smallest first, and random larger ones."""

from functools import lru_cache
from itertools import cycle, permutations, product
from math import inf
from string import ascii_letters

from course_lib.check.comparing import same
from course_lib.check.graded import Lookup
from course_lib.check.judges.listed import FAR
from course_lib.games import CHANCE, MAX, MIN, Chance, Nim, TicTacToe, TreeGame, Turn
from course_lib.games.walking import depth_first, inner_paths, leaf_paths

UTILITIES, FOUR_UTILITIES = (-1, 0, 2), (-1, 0, 1, 2)
"""Utilities of the leaves of small trees: of those with up to three leaves, and of those with four, all different."""


def shapes(leaves, depth, single=True):
    """Every ordered tree with this number of leaves (None) and at most this depth; `single` allows single children."""
    if leaves == 1:
        yield None
    if depth > 0:
        for sizes in _compositions(leaves):
            if len(sizes) > 1 or single:
                yield from map(list, product(*(list(shapes(size, depth - 1, single)) for size in sizes)))


def _compositions(total):
    """Every way to write `total` as an ordered sum of positive integers."""
    if total == 0:
        yield ()
    for first in range(1, total + 1):
        yield from ((first, *rest) for rest in _compositions(total - first))


def inner_nodes(shape):
    """The number of nodes of a shape that are not leaves."""
    return 0 if shape is None else 1 + sum(map(inner_nodes, shape))


def leaves_of(shape):
    """The number of leaves of a shape."""
    return 1 if shape is None else sum(map(leaves_of, shape))


def tree_game(shape, utilities, movers, players=2, odds=None):
    """The `TreeGame` of this shape: leaves get `utilities` and inner nodes `movers`, in the order of a walk.

    A node is a `Turn` if its mover is not the next player in turn. If chance moves, `odds(n)` are the
    probabilities of n outcomes.
    """
    utilities, inner = iter(utilities), iter(movers)

    def tree(shape, due):
        if shape is None:
            return next(utilities)
        mover = next(inner)
        if mover == CHANCE:
            return Chance([(p, tree(below, due)) for p, below in zip(odds(len(shape)), shape)])
        children = [tree(below, (mover + 1) % players) for below in shape]
        return children if mover == due else Turn(mover, children)

    first = movers[0] if movers and movers[0] != CHANCE else MAX
    return TreeGame(tree(shape, first), players=players, first=first)


def with_names(game):
    """The same tree with a different name for each action: a, b, c …"""
    names = cycle(ascii_letters)

    def named(subtree):
        if isinstance(subtree, Turn):
            return subtree._replace(children=named(subtree.children))
        if isinstance(subtree, Chance):
            return Chance([(p, named(below)) for p, below in subtree.outcomes])
        if isinstance(subtree, list):
            return {name: named(below) for name, below in [(next(names), below) for below in subtree]}
        return subtree

    return TreeGame(named(game.tree), players=game.players, first=game.first)


def tree_of(game, state):
    """The rest of a game of Max and Min, from this state, as a `TreeGame` with the game's own actions."""

    def below(state):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        return {action: below(game.result(state, action)) for action in game.actions(state)}

    return TreeGame(below(state), first=game.to_move(state))


@lru_cache
def ends_of_games():
    """Positions near the end of tic-tac-toe, from one free cell to four: (game, state) pairs."""
    game, boards = TicTacToe(), ("XOXXOOOX.", "XOXOX.O..", "XOX.O.OX.", "OX.XO..XO", "XO..X.O..", "X.O.X..O.")
    states = [game.parse(board) for board in boards]
    return tuple((game, state) for state in states if not game.is_terminal(state))


def in_turn(shape, first=MAX, players=2):
    """The player to move at each inner node of a shape if players take turns."""
    if shape is None:
        return ()
    return (first, *(mover for below in shape for mover in in_turn(below, (first + 1) % players, players)))


@lru_cache
def small_trees(turns=True):
    """Every `TreeGame` for Max and Min of up to three leaves with `UTILITIES`, and of four with `FOUR_UTILITIES`.

    The smallest come first. Players take turns, and either begins; with `turns`, trees of up to three leaves are
    repeated with any player to move at any node, unless they have three leaves and single children. Trees of two and
    three leaves are up to 2 plies high, others up to 3. If all leaves differ, a copy with named actions is included.
    """
    games = []
    for leaves, depth in ((1, 3), (2, 2), (3, 2)):
        for shape in sorted(shapes(leaves, depth), key=inner_nodes):
            any_order = turns and (leaves < 3 or shape in list(shapes(leaves, depth, single=False)))
            games += [tree_game(shape, utilities, movers) for utilities in product(UTILITIES, repeat=leaves)
                      for movers in _movers(shape, any_order)]  # fmt: skip
            if leaves == 1:
                games += [tree_game(shape, [far], in_turn(shape, first)) for far, first in ((-FAR, MAX), (FAR, MIN))]
            else:
                orders = product(permutations(UTILITIES, leaves), _movers(shape, False))
                games += [with_names(tree_game(shape, utilities, movers)) for utilities, movers in orders]
    for shape in sorted(shapes(4, 3, single=False), key=inner_nodes):
        games += [tree_game(shape, utilities, movers) for utilities in permutations(FOUR_UTILITIES)
                  for movers in _movers(shape, False)]  # fmt: skip
    return tuple(games)


def _movers(shape, any_order):
    """Every assignment of players to inner nodes; in the first ones players take turns."""
    begun = [in_turn(shape, first) for first in (MAX, MIN)] if shape is not None else [()]
    others = product((MAX, MIN), repeat=inner_nodes(shape)) if any_order else ()
    return begun + [movers for movers in others if movers not in begun]


LEAVES = *range(-4, 10), *(0.5, -0.5, 1.5) * 4
"""Utilities of the leaves of random trees: fractions nearly as often as integers."""
SIZES = (3, 3), (4, 2)
"""Sizes of random trees: three plies with up to three children per node, or four plies with two."""


def random_shape(rng):
    """A shape of one of the `SIZES`; single children, early leaves, and two extra children are rare."""
    plies, max_children = rng.choice(SIZES)

    def rarely_one(limit, wide=()):
        return rng.choice([1, *[*range(2, limit + 1)] * 4, *wide])

    def shape(plies):
        children = range(rarely_one(max_children, [max_children + 2]))
        return [None if plies == 1 or rng.random() < 0.2 else shape(plies - 1) for _ in children]

    return shape(rarely_one(plies))


def random_tree(rng, utilities=LEAVES, players=2, turns=True):
    """A random `TreeGame` with ties. With `turns`, in half of them any player may move at any node."""
    shape = random_shape(rng)
    movers = in_turn(shape, rng.randrange(players), players)
    if turns and rng.random() < 0.5:
        movers = [rng.randrange(players) for _ in movers]
    return named_or_not(rng, tree_game(shape, rng.choices(utilities, k=leaves_of(shape)), movers, players))


def named_or_not(rng, game):
    """The game, in half of the cases with names for its actions."""
    return with_names(game) if rng.random() < 0.5 else game


def late_gain(rng):
    """A tree in which the last of five actions is the best, by a leaf seven plies down, beside one far worse."""
    first = rng.choice((MAX, MIN))
    shape, sign = [*[None] * 4, [[[[[[None] * 2]]]]]], 1 if first == MAX else -1
    utilities = [sign * utility for utility in (*rng.sample(range(1, 9), 4), -99, 9)]
    return named_or_not(rng, tree_game(shape, utilities, in_turn(shape, first)))


def at_the_root(game):
    """The case (game, initial state)."""
    return game, game.initial_state()


def random_root(rng):
    """The root of a random tree."""
    return at_the_root(random_tree(rng))


def roots_and_ends():
    """The roots of all small trees, and a few late positions of games."""
    return [*map(at_the_root, small_trees()), *ends_of_games()]


# All correct answers.


def best_pairs(search, case, answer):
    """All correct (value, action) pairs, by the solution: each action after which the value is the same."""
    return [(answer[0], action) for action in best_actions(search, case, answer)]


def best_actions(search, case, answer):
    """The actions that lead to the value of this (value, action) answer; with a depth the search is one ply shorter."""
    game, state, *rest = case
    value, action = answer
    if action is None:
        return [None]
    if rest and isinstance(rest[0], int):
        rest[0] -= 1
    return [a for a in game.actions(state) if same(search(game, game.result(state, a), *rest)[0], value)]


# The values that a search must find at the nodes of a tree, to show where it first goes wrong.


def node_values(value):
    """A function of a case: path → `value(game, path, …)` of each node."""
    return lambda game, state, *rest: {path: value(game, path, *rest) for path in depth_first(game, ())}


def limited_values(value):
    """The same for `value(game, path, depth, …)`, with the remaining depth, and without nodes below the depth limit."""

    def values(game, state, depth, *rest):
        paths = depth_first(game, ())
        return {path: value(game, path, depth - len(path), *rest) for path in paths if len(path) <= depth}

    return values


# Depth-limited minimax: a case is (game, state, depth, evaluate).


ESTIMATES = *[0] * 6, *range(-9, 10), *(number + 0.5 for number in range(-9, 9))
"""An estimate may be 0 or no whole number."""


def limited(game, depth, estimates):
    """The case in which states have these estimates, in turn; no leaf's estimate equals its utility."""
    return game, (), depth, Lookup(zip([*inner_paths(game), *leaf_paths(game)], estimates))


def of_objects(estimate, max_objects):
    """An estimate of each state of a game with up to `max_objects` objects."""
    states = product((MAX, MIN), range(max_objects + 1))
    return Lookup({(player, (left,)): estimate(player, left) for player, left in states})


SIX, SEVEN = of_objects(lambda player, left: 7 * left % 5 - 3 * player, 6), of_objects(lambda _, left: left - 3, 7)
HEAPS = [*((Nim([objects]), depth, SIX) for objects in (5, 6) for depth in (2, 3, 4)), (Nim([7], max_take=3), 4, SEVEN)]
"""Games in which a state is reached at several depths, with the depth to search to and an estimate of each state."""


def small_heaps():
    return [(game, game.initial_state(), *rest) for game, *rest in HEAPS]


def soon(cases, few):
    """These cases with a few others among the first, which are tried even if there is time for no more."""
    return [*cases[:300], *few, *cases[300:]]


def small_limited():
    games = [game for game in small_trees(turns=False) if len(leaf_paths(game)) < 4]
    trees = [limited(game, depth, (5, -4, 3, -6, 7, -8, 4)) for game in games for depth in range(4)]
    return soon(trees, small_heaps())


def random_limited(rng, game=random_tree, depths=(0, 1, 1, 2, 2, 3)):
    """A random case on a `game(rng)`, with one of these depths."""
    tree = game(rng)
    nodes = len(inner_paths(tree)) + len(leaf_paths(tree))
    return limited(tree, rng.choice(depths), rng.choices(ESTIMATES, k=nodes))


def late_limited(rng):
    """A case in which all searches of fewer than seven plies agree, and are wrong."""
    return limited(late_gain(rng), 7, [0] * 13)


# Games in which states come again. A memory must know the depth that is left, and that a cut leaves a mere bound.

BY_STATE = "depth", "late"
BOUNDS = ("bounds", "upper"), ("bounds", "lower", "window")
"""Flaws of a memory. It forgets the depth, everywhere or where it is 2 or more; or it takes for the value any bound, an
upper one, or a lower one, or tells them by α and β as they are in the end. Those of a group show in one case."""


def recurring(draw, *flaws, decision=False):
    """The generator of the cases of `draw` in which memories with these flaws err: in the value, or in the action."""

    def drawn(rng):
        while True:
            case = draw(rng)
            ways = [(flaw, cuts) for flaw in flaws for cuts in ((True, False) if flaw in BY_STATE else (True,))]
            found = [by_memory(*case, flaw=flaw, cuts=cuts) for flaw, cuts in ways]
            if decision:
                game, state = case
                found = [by_memory(game, game.result(state, action)) for _, action in found]
            right, _ = by_memory(*case)
            if not any(same(value, right) for value, _ in found):
                return case

    return drawn


def by_memory(game, state, depth=inf, evaluate=None, *, flaw="", cuts=True):
    """The (value, action) of an alpha-beta search, or a minimax search without `cuts`, whose memory has this flaw."""
    memory = {}

    def search(state, depth, alpha=-inf, beta=inf):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        if depth == 0:
            return evaluate(state), None
        key = state if flaw in BY_STATE else (state, depth)
        low, high, move = memory.get(key, (-inf, inf, None))
        if low < high and low < beta and high > alpha:
            low, high, move = searched(state, depth, alpha, beta)
            if depth > 1 or flaw != "late":
                memory[key] = low, high, move
        return high if low == -inf else low, move

    def searched(state, depth, alpha, beta):
        player = game.to_move(state)
        if player == CHANCE:
            mean = sum(p * search(game.result(state, outcome), depth)[0] for outcome, p in game.chances(state))
            return mean, mean, None
        best, move, window = -inf if player == MAX else inf, None, (alpha, beta)
        for action in game.actions(state):
            below, _ = search(game.result(state, action), depth - 1, alpha, beta)
            if below > best if player == MAX else below < best:
                best, move = below, action
            alpha, beta = (max(alpha, best), beta) if player == MAX else (alpha, min(beta, best))
            if cuts and alpha >= beta:
                break
        if not cuts:
            alpha, beta = window = -inf, inf
        lowest, highest = (alpha, beta) if flaw == "window" else window
        if best <= lowest:
            return best if flaw in ("bounds", "upper") else -inf, best, move
        if best >= highest:
            return best, best if flaw in ("bounds", "lower") else inf, move
        return best, best, move

    return search(state, depth)


def nim(rng):
    """Nim with one to three heaps, at the start or after a move."""
    sizes = rng.choice([(6,), (7,), (8,), (2, 3), (3, 3), (4, 2), (1, 2, 2), (2, 1, 3), (2, 2, 2)])
    game = Nim(sizes, rng.choice((None, 2, 3)))
    state = game.initial_state()
    return game, rng.choice([state, game.result(state, game.actions(state)[0])])


def with_estimates(rng, game, depth):
    """The case (game, initial state, depth, evaluate), with a random estimate of each state."""
    estimates, states = {}, [game.initial_state()]
    while states:
        state = states.pop()
        if state not in estimates and not game.is_terminal(state):
            chance = game.to_move(state) == CHANCE
            actions = [outcome for outcome, _ in game.chances(state)] if chance else game.actions(state)
            states += [game.result(state, action) for action in actions]
        estimates[state] = rng.choice(ESTIMATES)
    return game, game.initial_state(), depth, Lookup(estimates)


def heaps(rng):
    """Nim with one heap or two, to a depth of three to five plies."""
    sizes = rng.choice([(6,), (7,), (8,), (9,), (2, 3), (3, 3)])
    return with_estimates(rng, Nim(sizes, rng.choice((2, 3, 3))), rng.choice((3, 4, 5)))


def wide(rng):
    """A root with many children, of which the last one is best."""
    first, utilities = rng.choice((MAX, MIN)), sorted(rng.sample(range(-20, 20), rng.randint(7, 9)))
    return at_the_root(TreeGame(utilities if first == MAX else utilities[::-1], first=first))


ROOTS = [*(recurring(nim, *flaws) for flaws in BOUNDS), wide, lambda rng: at_the_root(late_gain(rng))]
"""The kinds of cases of a search to the end of the game."""
LIMITED = [*(recurring(heaps, *flaws) for flaws in (BY_STATE, *BOUNDS)), late_limited]
"""The kinds of cases of a search with a depth limit."""

# Trees to work through by hand.


def tree_by_hand(rng, shape, low=0, high=20, first=MAX):
    """A `TreeGame` whose leaves all differ. `shape` lists for each ply the numbers of children to choose from."""
    utilities = iter(rng.sample(range(low, high + 1), high - low + 1))

    def tree(ply):
        if ply == len(shape):
            return next(utilities)
        return [tree(ply + 1) for _ in range(rng.choice(shape[ply]))]

    return TreeGame(tree(0), first=first)
