"""Known mistakes, said as what a student would have typed otherwise: a right answer with a few changes to its text."""

import inspect
import math
import re
from functools import cache, cached_property

from course_lib.check.compare import Bug


def mistakes(right, *rows):
    """A `Bug` for each of the changes in rows (name, sentence, changes, …): `right` with these changes to its text.

    `right` is a function, or a tuple of functions and classes that need each other; the last of them is the answer.
    Changes are a dictionary {"text": "other text"}. A text must stand there exactly once; one that stands there twice
    is written ("text", 2). Nothing is changed or compiled before a mistake is asked for its answer.
    """
    parts = right if isinstance(right, tuple) else (right,)
    return tuple(Bug(name, sentence, Mistyped(parts, changes)) for name, sentence, *ways in rows for changes in ways)


def possible(right, rows):
    """These rows, each with those changes that can be made in the text of `right`: so a family is said once for all."""
    parts = right if isinstance(right, tuple) else (right,)
    return [(*row[:2], *(changes for changes in row[2:] if not Mistyped(parts, changes).missing())) for row in rows]


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
        for old, times, found in self.missing():
            raise ValueError(f"{old!r} must stand {times} times in {self.parts[-1].__name__}, not {found}")
        news = {old if isinstance(old, str) else old[0]: new for old, new in self.changes.items()}
        return re.sub("|".join(map(re.escape, news)), lambda found: news[found[0]], self.source())

    def missing(self):
        """(text, how often it must stand there, how often it does) of each text that does not stand there so often."""
        places = [(old, 1) if isinstance(old, str) else old for old in self.changes]
        return [(old, times, found) for old, times in places if (found := self.source().count(old)) != times]

    def source(self):
        """The text of the right answer."""
        return "\n\n".join(map(source_of, self.parts))


@cache
def source_of(part):
    return inspect.getsource(part)
