"""Formulas to mend, and claims to judge: true or false as the library's own code says on the numbers drawn."""

import math
from itertools import combinations

from course_lib.check.recall.asked import Asked, about, changed, exercise, is_clear
from course_lib.explore.what_if import TRANSFORMS
from course_lib.games import MAX, TreeGame
from course_lib.search import expectiminimax_search, minimax_value, ucb1
from course_lib.watch.calls import watch
from course_lib.watch.paths import leaf_paths
from course_lib.watch.texts import number_text

CHANGES = TRANSFORMS | {"−u": lambda u: -u, "(u − 5)²": lambda u: (u - 5) ** 2}
"""What becomes of each utility u; some are not increasing."""


def mend(what, lines, draw, truth):
    """Make questions: which of four lines is right? Each gives another number, and `truth` says which is right."""

    def ask(luck):
        worths = [0, 0]
        while any(abs(one - other) < 0.01 for one, other in combinations(worths, 2)):
            numbers = draw(luck)
            shown = luck.sample((lines[0], *luck.sample(lines[1:], 3)), 4)
            worths = [eval(line, vars(math) | numbers) for line in shown]
        right = truth(**numbers)
        (answer,) = [line for line, worth in zip(shown, worths) if math.isclose(worth, right)]
        given = ", ".join(f"{name} = {number}" for name, number in numbers.items())
        gives = "; ".join(f"{line} is {number_text(worth)}" for line, worth in zip(shown, worths))
        because = f"The course’s own code gives {number_text(right)}. {gives}."
        return Asked(f"Which line is {what}?", answer, because, tuple(shown), (("for example", given),))

    return ask


def even(b, m):
    """The nested lists of a tree of m plies with b actions everywhere."""
    return [even(b, m - 1) for _ in range(b)] if m else 0


SIZE = mend(
    "the number of leaves of a tree of m plies, with b actions in each position",
    ("b ** m", "b * m", "m ** b", "b ** (m - 1)", "b ** m - 1"),
    lambda luck: {"b": luck.randint(2, 4), "m": luck.randint(2, 5)},
    lambda b, m: len(leaf_paths(TreeGame(even(b, m)))),
)
UCB1 = mend(
    "UCB1 of a child, if parent is the N of its parent",
    ("U / N + C * sqrt(log(parent) / N)", "U / N + C * sqrt(log(N) / parent)", "U / N + C * log(parent) / N",
     "U / parent + C * sqrt(log(parent) / N)", "U / N - C * sqrt(log(parent) / N)", "U + C * sqrt(log(parent) / N)"),
    lambda luck: {"U": luck.randint(1, 3), "N": luck.randint(3, 9), "parent": luck.randint(10, 40), "C": 1.4},
    lambda U, N, parent, C: ucb1(U, N, parent, C),
)  # fmt: skip


def judged(make):
    """Make questions of claims, true and false alike often: `make(luck)` is (claim, holds, because, the rest)."""

    def ask(luck):
        wanted, holds = luck.random() < 0.5, None
        while holds != wanted:
            claim, holds, because, rest = make(luck)
        return Asked(f"True or false? {claim}", str(holds), because, ("True", "False"), **rest)

    return ask


def same_action(kind):
    """Make claims: the best action stays when each utility is replaced by a function of it."""

    def make(luck):
        values = [[0, 0]]
        while not all(map(is_clear, values)):
            game, watched, _ = exercise(kind, luck)
            name = luck.choice(list(CHANGES)[1:])
            again = watch(expectiminimax_search, TreeGame(changed(game.tree, CHANGES[name])))
            values = [[node.value for node in each.root.children.values()] for each in (watched, again)]
        because = "The actions are worth {}, and after the change {}.".format(
            *(", ".join(map(number_text, each)) for each in values)
        )
        claim = f"If each utility u of this tree becomes {name}, Max’s best action stays the same."
        return claim, watched.root.move == again.root.move, because, {"shown": again, **about(game)}

    return judged(make)


@judged
def leaf_matters(luck):
    """The claim that a leaf, worth something else, could change the value of the root."""
    once = []  # the leaves that can be named by their worth
    while not once:
        game, watched, _ = exercise("minimax", luck)
        worths = [game.utility(path, MAX) for path in leaf_paths(game)]
        once = [worth for worth in worths if worths.count(worth) == 1]
    leaf = luck.choice(once)
    games = [TreeGame(changed(game.tree, lambda u, new=new: new if u == leaf else u)) for new in (-99, 99)]
    low, high = (minimax_value(each, ()) for each in games)
    because = f"With −99 for this leaf the root is worth {low}, and with 99 it is worth {high}."
    claim = f"Another worth of the leaf {leaf} could change the value of the root."
    return claim, low != high, because, {"shown": watched, **about(game)}


@judged
def error_of_match(luck):
    """The claim that a score is far from one half, in standard errors."""
    apart = 2
    while 1.7 < apart < 2.4:
        games = luck.choice((20, 30, 50, 100, 200, 400))
        wins = luck.randint(games // 2 + 1, games * 3 // 4)
        share = wins / games
        error = math.sqrt(share * (1 - share) / games)
        apart = (share - 0.5) / error
    because = f"The share is {share:.3f}, its standard error √(p(1 − p)/n) = {error:.3f}: {apart:.1f} of them above ½."
    claim = f"A wins {wins} of {games} games, without draws. That is more than two standard errors above half of them."
    return claim, apart > 2, because, {}
