"""The rows in the modules beside the notebooks: how each question is asked and judged."""

from collections.abc import Callable, Sequence
from typing import Any

from course_lib.check.judges import listed


class Asks:
    """How a question is asked: its row in the module beside the notebook.

    - `small()` returns the cases to try first, smallest first; `draw(rng)` draws one with a `random.Random`. A case is
      a tuple: the arguments of the student's function, unless `ask` uses it in another way.
    - `right(function, case, answer)` lists all right answers; by default the answer of the solution is the only one.
    - `values(*case)` maps the paths of a tree to the values that a search must find there.
    - `count` cases are drawn for the table.
    - `kinds` are further functions like `draw`, for kinds of cases that no table and no graded run may lack.
    - `kind` is "write", "beat" (a mark is to be reached), "trace" (by hand, a case for each student) or "explain".
    - `ask` and `judge` are functions of `course_lib.check.judges`; `options` are their keyword parameters, as JSON.
    - `case`, `part`, `view`, `in_words` and `seconds` are described in `course_lib.check.tables.Table`.
    """

    def __init__(self, small: Callable = list, draw: Callable | None = None, *, right: Callable | None = None,
                 values: Callable | None = None, count: int = 100, kinds: Sequence[Callable] = (), kind: str = "write",
                 ask: Callable = listed.call, judge: Callable = listed.one_of, case: str = "", part: str = "",
                 view: str = "", in_words: bool = False, seconds: float = 0, **options: Any):  # fmt: skip
        self.small, self.draw, self.right, self.values, self.count = small, draw, right, values, count
        self.kinds, self.kind, self.ask, self.judge, self.options = kinds, kind, ask, judge, options
        self.shown = {"case": case, "part": part, "view": view, "seconds": seconds,
                      "in_words": in_words or kind == "beat"}  # fmt: skip


asks = Asks
"""The row of a question whose answer is a function."""


def by_hand(draw: Callable, right: Callable, judge: Callable, slip: Callable | None = None, **options: Any) -> Asks:
    """The row of a question to work out by hand: `draw(rng)` draws a student's case, and `right(*case)` solves it.

    `slip(*case)` returns entries that only a known slip gives, however close they are to the right ones.
    """
    solved = [right, slip] if slip else [right]
    return asks(draw=draw, right=lambda function, case, answer: [solve(*case) for solve in solved], count=300,
                kind="trace", ask=listed.read, judge=judge, **options)  # fmt: skip


def explains(judge: Callable = listed.letter, **options: Any) -> Asks:
    """The row of a question whose answer is a value, the same for all: a letter, unless another `judge` is given."""
    return asks(lambda: [()], kind="explain", ask=listed.read, judge=judge, **options)
