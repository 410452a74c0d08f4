"""What a question of `review` is, and the small trees that such questions are about."""

from typing import Any, NamedTuple

from course_lib.explore.practice import random_exercise
from course_lib.games import Chance
from course_lib.watch.paths import leaf_paths
from course_lib.watch.view import SheetView, View


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
    view: View | None = None
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
    return {"rows": (("U/N", texts) if counts else ("tree", repr(game)),), "view": SheetView(game, (), {}, given)}


def changed(tree, change):
    """The same nested lists with `change(worth)` for the worth of each leaf."""
    if isinstance(tree, Chance):
        return Chance([(p, changed(subtree, change)) for p, subtree in tree.outcomes])
    return [changed(subtree, change) for subtree in tree] if isinstance(tree, list) else change(tree)


def is_clear(values, gap=0.001):
    """Whether the largest of these values is so far ahead of all others."""
    *_, second, best = sorted(values)
    return best - second > gap
