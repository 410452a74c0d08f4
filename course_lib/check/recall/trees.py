"""Questions on trees: a value, an action, the leaves that alpha-beta looks at; and on games given by their rules."""

from contextlib import suppress

from course_lib.check.recall.asked import Asked, about, exercise, is_clear
from course_lib.explore.practice import KINDS
from course_lib.games import Nim, TicTacToe
from course_lib.search import minimax_search, minimax_value
from course_lib.watch.calls import watch
from course_lib.watch.texts import number_text
from course_lib.watch.view import GameView


def value(kind):
    """Make questions: what is the root of a tree worth?"""

    def ask(luck):
        game, watched, _ = exercise(kind, luck)
        step = KINDS[kind].steps(watched)[-1]  # the root is left last
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


def looked_at(luck):
    """How many leaves does alpha-beta look at?"""
    game, watched, _ = exercise("alpha-beta", luck, level=2, most=12)
    steps = KINDS["alpha-beta"].steps(watched)
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
    watched, view = watch(minimax_search, game, state), GameView(game, state)
    view.most = 1  # the position alone
    leaves = sum(game.is_terminal(node.state) for node in watched.nodes())
    because = f"Its tree has {leaves} leaves. Without wins, which end a game at once, there would be 3 × 2 × 1."
    text, rows = (
        "X is to move. In how many ways can the game go on to its end?",
        (("rows", " / ".join(game.grid(state))),),
    )
    return Asked(text, str(leaves), because, rows=rows, view=view, shown=watched)


def take(luck):
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
