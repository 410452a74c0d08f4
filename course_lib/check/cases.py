"""Cases to ask about: every small game tree, smallest first, and random larger ones."""

from functools import lru_cache
from itertools import cycle, permutations, product
from string import ascii_letters

from course_lib.check.compare import FAR
from course_lib.games import CHANCE, MAX, MIN, Chance, TicTacToe, TreeGame, Turn

WORTHS, FOUR_WORTHS = (-1, 0, 2), (-1, 0, 1, 2)
"""What the leaves of small trees are worth: those of up to three leaves, and those of four, all different there."""


class Lookup(dict):
    """A function given by its table, such as an evaluation: what is not in the table has the value `other`.

    Functions in a case are such tables, so that they can be shown; the grader answers their calls.
    """

    def __init__(self, table, other=0):
        super().__init__(table)
        self.other = other

    def __call__(self, state):
        return self.get(state, self.other)

    def __repr__(self):
        other = f", other={self.other!r}" if self.other else ""
        return f"Lookup({dict.__repr__(self)}{other})"


def shapes(leaves, depth, single=True):
    """Every ordered tree with so many leaves (None) and at most this depth; `single` allows nodes with one child."""
    if leaves == 1:
        yield None
    if depth > 0:
        for sizes in _compositions(leaves):
            if len(sizes) > 1 or single:
                yield from map(list, product(*(list(shapes(size, depth - 1, single)) for size in sizes)))


def _compositions(total):
    """Every way to write `total` as an ordered sum of whole numbers from 1 up."""
    if total == 0:
        yield ()
    for first in range(1, total + 1):
        yield from ((first, *rest) for rest in _compositions(total - first))


def inner_nodes(shape):
    """How many nodes of a shape are no leaves."""
    return 0 if shape is None else 1 + sum(map(inner_nodes, shape))


def leaves_of(shape):
    """How many leaves a shape has."""
    return 1 if shape is None else sum(map(leaves_of, shape))


def tree_game(shape, worths, movers, players=2, odds=None):
    """The `TreeGame` of this shape: leaves get `worths` and inner nodes `movers`, in the order of a walk from the left.

    A node is a `Turn` where its mover is not the next player in turn. Where chance moves `odds(n)` are the
    probabilities of n outcomes.
    """
    worths, inner = iter(worths), iter(movers)

    def tree(shape, due):
        if shape is None:
            return next(worths)
        mover = next(inner)
        if mover == CHANCE:
            return Chance([(p, tree(below, due)) for p, below in zip(odds(len(shape)), shape)])
        children = [tree(below, (mover + 1) % players) for below in shape]
        return children if mover == due else Turn(mover, children)

    first = movers[0] if movers and movers[0] != CHANCE else MAX
    return TreeGame(tree(shape, first), players=players, first=first)


def with_names(game):
    """The same tree with a name for each action, which no other node has: a, b, c …"""
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
    """What is left of a game of Max and Min as a `TreeGame`, with the game's own actions."""

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
    """Who moves at each inner node of a shape when players take turns."""
    if shape is None:
        return ()
    return (first, *(mover for below in shape for mover in in_turn(below, (first + 1) % players, players)))


@lru_cache
def small_trees(turns=True):
    """Every `TreeGame` for Max and Min of up to three leaves worth any of `WORTHS`, and of four worth `FOUR_WORTHS`.

    The smallest come first. Players take turns, and either begins; with `turns`, trees of up to three leaves come also
    with anybody to move anywhere, unless they have three leaves and nodes with a single child. Trees of two and three
    leaves are up to 2 plies high, others up to 3. Those whose two or three leaves differ come with named actions too.
    """
    games = []
    for leaves, depth in ((1, 3), (2, 2), (3, 2)):
        for shape in sorted(shapes(leaves, depth), key=inner_nodes):
            anybody = turns and (leaves < 3 or shape in list(shapes(leaves, depth, single=False)))
            games += [tree_game(shape, worths, movers) for worths in product(WORTHS, repeat=leaves)
                      for movers in _movers(shape, anybody)]  # fmt: skip
            if leaves == 1:
                games += [tree_game(shape, [far], in_turn(shape, first)) for far, first in ((-FAR, MAX), (FAR, MIN))]
            else:
                games += [with_names(tree_game(shape, worths, movers)) for worths in permutations(WORTHS, leaves)
                          for movers in _movers(shape, False)]  # fmt: skip
    for shape in sorted(shapes(4, 3, single=False), key=inner_nodes):
        games += [tree_game(shape, worths, movers) for worths in permutations(FOUR_WORTHS)
                  for movers in _movers(shape, False)]  # fmt: skip
    return tuple(games)


def _movers(shape, anybody):
    """Who moves at each inner node, in every way; players take turns in the first of them."""
    begun = [in_turn(shape, first) for first in (MAX, MIN)] if shape is not None else [()]
    others = product((MAX, MIN), repeat=inner_nodes(shape)) if anybody else ()
    return begun + [movers for movers in others if movers not in begun]


LEAVES = *range(-4, 10), *(0.5, -0.5, 1.5) * 4
"""What the leaves of random trees are worth: nearly as often fractions as whole numbers."""
SIZES = (3, 3), (4, 2)
"""Random trees are up to three plies high with up to three children a node, or four with two."""


def random_shape(luck):
    """A shape of one of the `SIZES`; rare are nodes with a single child, early leaves, and nodes with two more."""
    plies, most = luck.choice(SIZES)

    def seldom_one(most, wide=()):
        return luck.choice([1, *[*range(2, most + 1)] * 4, *wide])

    def shape(plies):
        children = range(seldom_one(most, [most + 2]))
        return [None if plies == 1 or luck.random() < 0.2 else shape(plies - 1) for _ in children]

    return shape(seldom_one(plies))


def random_tree(luck, worths=LEAVES, players=2, turns=True):
    """A random `TreeGame` with ties. With `turns` anybody may move anywhere in every other one."""
    shape = random_shape(luck)
    movers = in_turn(shape, luck.randrange(players), players)
    if turns and luck.random() < 0.5:
        movers = [luck.randrange(players) for _ in movers]
    return named_or_not(luck, tree_game(shape, luck.choices(worths, k=leaves_of(shape)), movers, players))


def named_or_not(luck, game):
    """Every other game with names for its actions."""
    return with_names(game) if luck.random() < 0.5 else game
