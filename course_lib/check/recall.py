"""The questions that `review` asks: on trees, on the numbers of a search, on formulas, and claims to judge.

Each kind is a function that draws an `Asked` with its `luck`; what is right comes from the library's own code.
"""

import math
from contextlib import suppress
from itertools import combinations
from typing import Any, NamedTuple

from course_lib.explore.picture import sheet, side_by_side
from course_lib.explore.practice import KINDS as EXERCISES
from course_lib.explore.practice import PUCT_C, TENTHS, UCB1_C, is_clear, random_exercise
from course_lib.games import MAX, MIN, Chance, Nim, TicTacToe, TreeGame, player_name
from course_lib.search import backpropagate, expectiminimax_search, minimax_search, minimax_value, ucb1
from course_lib.watch.calls import watch
from course_lib.watch.mcts import mcts_tree
from course_lib.watch.paths import leaf_paths
from course_lib.watch.texts import number_text

CHANGES = {
    "2u + 10": lambda u: 2 * u + 10,
    "u / 10 − 3": lambda u: u / 10 - 3,
    "u³": lambda u: u**3,
    "−u": lambda u: -u,
    "(u − 5)²": lambda u: (u - 5) ** 2,
}
"""What becomes of each utility u; some are not increasing."""
ENDS = {"Max wins": (1, 0), "Min wins": (0, 1), "nobody wins": (0.5, 0.5)}
"""How a playout ends, and the rewards of Max and Min."""


class Asked(NamedTuple):
    """A question with one right answer: one of its `options`, or a number to type where there are none.

    With the question stand its `rows` of (label, text) and the drawing of `view`: all that is needed to answer it.
    `shown`, a recorded search, is opened in the explorer with the answer.
    """

    text: str
    answer: str
    because: str
    options: tuple = ()
    rows: tuple = ()
    view: Any = None
    shown: Any = None


def exercise(kind, luck, level=1, most=9):
    """(game, recorded search, counts) of an exercise of `practice` with at most so many leaves."""
    while True:
        found = random_exercise(kind, level, luck.randrange(10**9))
        if len(leaf_paths(found[0])) <= most:
            return found


def about(game, counts=None):
    """What stands with a question on a tree, as parts of an `Asked`; `counts` has (U, N) by path."""
    given = {path: f"{u:g}/{n}" for path, (u, n) in (counts or {}).items()}
    texts = ", ".join(f"{' '.join(path)}: {text}" for path, text in given.items())
    return {"rows": (("U/N", texts) if counts else ("tree", repr(game)),), "view": lambda: sheet(game, {}, given)}


def changed(tree, change):
    """The same nested lists with `change(worth)` for the worth of each leaf."""
    if isinstance(tree, Chance):
        return Chance([(p, changed(subtree, change)) for p, subtree in tree.outcomes])
    return [changed(subtree, change) for subtree in tree] if isinstance(tree, list) else change(tree)


# Trees, and games given by their rules.


def value(kind):
    """Make questions: what is the root of a tree worth?"""

    def ask(luck):
        game, watched, _ = exercise(kind, luck)
        step = EXERCISES[kind].steps(watched)[-1]  # the root is left last
        return Asked("What is the root worth, under best play?", step.answer, step.why, shown=watched, **about(game))

    return ask


def action(kind):
    """Make questions: which action is best at the root? One alone is."""

    def ask(luck):
        values = {0: 0, 1: 0}
        while not is_clear(values.values()):
            game, watched, _ = exercise(kind, luck)
            values = {action: node.value for action, node in watched.root.children.items()}
        worth = ", ".join(f"{number_text(value)} for {action}" for action, value in values.items())
        text, because = "Which action is best for Max, at the root?", f"The actions are worth {worth}."
        return Asked(text, str(watched.root.move), because, tuple(map(str, values)), shown=watched, **about(game))

    return ask


def leaves_looked_at(luck):
    """How many leaves does alpha-beta look at?"""
    game, watched, _ = exercise("alpha-beta", luck, level=2, most=12)
    steps = EXERCISES["alpha-beta"].steps(watched)
    cut = [step for step in steps if step.answer == "cut"]
    text = "How many leaves does alpha-beta look at, from left to right? (It cuts at v ≤ α and at v ≥ β.)"
    because = f"It cuts {len(cut)} of {len(steps)} leaves. The first: {min(cut).why}"
    return Asked(text, str(len(steps) - len(cut)), because, shown=watched, **about(game))


def endings(luck):
    """How many leaves has the tree of a nearly finished game of tic-tac-toe?"""
    game, state = TicTacToe(), None
    while state is None or game.is_terminal(state):
        with suppress(ValueError):  # a move after a win
            state = game.after(*luck.sample(range(9), 6))
    watched, view = watch(minimax_search, game, state), lambda: side_by_side(game, {"": state})
    leaves = sum(game.is_terminal(node.state) for node in watched.nodes())
    text = "X is to move. In how many ways can the game go on to its end?"
    because = f"Its tree has {leaves} leaves. Without wins, which end a game at once, there would be 3 × 2 × 1."
    rows = (("rows", " / ".join(game.grid(state))),)
    return Asked(text, str(leaves), because, rows=rows, view=view, shown=watched)


def winning_take(luck):
    """Which action wins in a small game of Nim? One alone does."""
    winning = []
    while len(winning) != 1:
        heaps = luck.choice(((luck.randint(4, 9),), (luck.randint(1, 3), luck.randint(1, 3))))
        game = Nim(heaps, most=luck.choice((2, 3)))
        state = game.initial_state()
        winning = [a for a in game.actions(state) if minimax_value(game, game.result(state, a)) == 1]
    text = (f"Each in turn takes 1 to {game.most} objects from one heap; whoever takes the last object wins. "
            f"{' and '.join(map(str, heaps))} are left. Which action wins?")  # fmt: skip
    names = {(heap, count): f"take {count} of {heaps[heap]}" for heap, count in game.actions(state)}
    because = "You can then answer each reply so that you win. After any other action your opponent can."
    return Asked(text, names[winning[0]], because, tuple(names.values()), shown=watch(minimax_search, game))


# The numbers of a search tree: what UCB1 and PUCT choose, and what back-propagation writes.


def chosen_by_ucb1(luck):
    """Which child does UCB1 choose?"""
    game, watched, counts = exercise("ucb1", luck)
    step = EXERCISES["ucb1"].steps(watched)[-1]  # the root is the last inner node
    text = f"Each child has its U/N; the root’s N is the sum of theirs. Which one does UCB1 choose, with C = {UCB1_C}?"
    return Asked(text, step.answer, step.why, game.actions(()), shown=watched, **about(game, counts))


def backed_up(luck):
    """What is U/N of a node after an iteration?"""
    game, _, counts = exercise("ucb1", luck, level=2)
    route = [mcts_tree(game, counts | {(): (0, sum(n for path, (_, n) in counts.items() if len(path) == 1))})]
    path, end, depth = luck.choice(leaf_paths(game)), luck.choice(list(ENDS)), luck.choice((1, 2))
    for action in path:
        route += [child for child in route[-1].children if child.action == action]
    node, name = route[depth], " ".join(path[:depth])
    u, n = node.utility, node.visits
    backpropagate(route, ENDS[end])
    text = (f"{player_name(route[0].to_move)} moves at the root. Selection goes down to {' '.join(path)}. In a playout "
            f"from there {end}. U is for the player who moved into a node. What is U/N of {name} now?")  # fmt: skip
    because = f"{player_name(node.player)} moved into {name}: U grows by {node.utility - u:g}, and N by 1 in any case."
    options = [f"{u + more:g}/{n + 1}" for more in (0, 0.5, 1)]
    return Asked(text, f"{node.utility:g}/{node.visits}", because, (*options, f"{u + 1:g}/{n}"), **about(game, counts))


def chosen_by_puct(luck):
    """Which child does PUCT choose?"""
    from course_lib.alphazero.puct import Node, puct  # a second to import, for notebook 7 alone

    scores, parent = {"a": 0, "b": 0}, Node((), MAX)
    while not is_clear(scores.values(), gap=0.05):
        priors = luck.sample(luck.choice(TENTHS[5:]), 3)
        parent.children = [Node((), MIN, action, tenths / 10) for action, tenths in zip("abc", priors)]
        for child in parent.children:
            child.N = luck.randint(1, 9)
            child.W = child.N * luck.randint(-5, 5) / 10
        parent.N = 1 + sum(child.N for child in parent.children)
        scores = {child.action: puct(child, parent, PUCT_C) for child in parent.children}
    rows = tuple((child.action, f"N = {child.N}, Q = {child.Q:.1f}, P = {child.P}") for child in parent.children)
    text = f"The parent’s N is {parent.N}. Which child does PUCT choose, with c = {PUCT_C}?"
    worths = ", ".join(f"{worth:.2f} for {action}" for action, worth in scores.items())
    return Asked(text, max(scores, key=scores.get), f"PUCT is {worths}: the largest counts.", tuple(scores), rows)


# Formulas to mend.


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


# Claims to judge.


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
        before, after = (", ".join(map(number_text, each)) for each in values)
        claim = f"If each utility u of this tree becomes {name}, Max’s best action stays the same."
        because = f"The actions are worth {before}, and after the change {after}."
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


KINDS = {
    "the leaves of a game": (1, endings),
    "a winning action": (1, winning_take),
    "the size of a tree": (1, SIZE),
    "a minimax value": (2, value("minimax")),
    "a minimax action": (2, action("minimax")),
    "a leaf that matters": (3, leaf_matters),
    "the leaves of alpha-beta": (3, leaves_looked_at),
    "the scale of an evaluation": (4, same_action("minimax")),
    "the error of a match": (4, error_of_match),
    "an expected value": (5, value("expectiminimax")),
    "an action under chance": (5, action("expectiminimax")),
    "the scale of utilities": (5, same_action("expectiminimax")),
    "a choice by UCB1": (6, chosen_by_ucb1),
    "back-propagation": (6, backed_up),
    "the formula of UCB1": (6, UCB1),
    "a choice by PUCT": (7, chosen_by_puct),
}
"""By name: the notebook that teaches it, and the function that draws an `Asked`. Another kind is another row."""
