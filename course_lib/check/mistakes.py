"""Known mistakes, said as what a student would have typed otherwise: a right answer with a few changes to its text."""

import inspect
import math
import re
from functools import cache, cached_property

from course_lib.check.question import Bug


def mistakes(right, *rows):
    """A `Bug` for each row (name, sentence, changes): the answer `right` with these changes to its text.

    `right` is a function, or a tuple of functions and classes that need each other; the last of them is the answer.
    Changes are a dictionary {"text": "other text"}. A text must stand there exactly once; one that stands there twice
    is written ("text", 2). Nothing is changed or compiled before a mistake is asked for its answer.
    """
    parts = right if isinstance(right, tuple) else (right,)
    return tuple(Bug(name, sentence, Mistyped(parts, changes)) for name, sentence, changes in rows)


class Mistyped:
    """The answer that comes of changing some of the text of functions; it is compiled when it is first called.

    The text may use what the module of the functions has, and all of `math`.
    """

    def __init__(self, parts, changes):
        self.parts, self.changes = parts, changes

    def __call__(self, *arguments):
        return self.function(*arguments)

    def __repr__(self):
        return f"Mistyped({self.parts[-1].__name__}, {self.changes})"

    @cached_property
    def function(self):
        right = self.parts[-1]
        names = vars(math) | right.__globals__
        exec(compile(self.text(), inspect.getsourcefile(right), "exec"), names)
        return names[right.__name__]

    def text(self):
        """The changed text. Raises `ValueError` where a text to be changed does not stand there as often as said."""
        text = "\n\n".join(map(source_of, self.parts))
        news = {}
        for old, new in self.changes.items():
            old, times = old if isinstance(old, tuple) else (old, 1)
            if text.count(old) != times:
                raise ValueError(
                    f"{old!r} must stand {times} times in {self.parts[-1].__name__}, not {text.count(old)}"
                )
            news[old] = new
        return re.sub("|".join(map(re.escape, news)), lambda found: news[found[0]], text)


@cache
def source_of(part):
    return inspect.getsource(part)
