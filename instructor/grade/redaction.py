"""What a student's page says of an error: its kind, their own line, and no word that came out of their program.

A program can send any kind, message and place of an error, made from whatever it could read. So the page shows

- the kind, if Python has an exception of this name or the name stands in the notebook;
- the line, quoted by the grader from the cells that were handed in;
- a sentence of the grader's own where the kind asks for one.

The message is for the instructor. What the page can still carry is a choice: which of these kinds, which line and which
sentence. An error is worth as many bits as it takes to number the lines and the words of the notebook, at most some
forty in the longest; a page shows one error for each question, and at most ten of cells. An answer carries more.
"""

import builtins
import re
from typing import NamedTuple

from course_lib.check import failures
from course_lib.check.failures import StudentError
from course_lib.check.plain import DEEPEST, MOST_BITS, MOST_ITEMS
from instructor.grade.inside.protocol import MOST_HASHED

MOST_SAID = 600
"""Characters of a note, and of what is said of a mistake."""
OF_ITS_OWN = "an exception of its own"
LIMITS = (f"it must be made of numbers, texts, tuples, lists, dictionaries and sets, with at most {MOST_ITEMS:,} items "
          f"in all, {MOST_HASHED:,} entries in a set or dictionary, {DEEPEST} levels of nesting, and {MOST_BITS:,} "
          f"binary digits in a whole number")  # fmt: skip
"""What an answer must be, to be compared."""
NOT_THERE = f"RuntimeError: {failures.ONLY_GAMES}"


class Fault(NamedTuple):
    """Why a cell failed: the `kind` of error, what is `said` to the instructor, and what is `shown` to the student."""

    kind: str
    said: str
    shown: str

    def __str__(self):
        return self.said


def fault_of(error, cells):
    """The `Fault` of a cell that raised this `RemoteError`; `cells` are the sources that were handed in."""
    line = own_line(error.line, cells)
    place = f" ({line})" if line else ""
    return Fault(error.kind, f"{one_line(str(error))}{place}", f"{shown_kind(error.kind, cells)}{place}")


def answer_error(error, cells):
    """The `StudentError` that a `RemoteError` means, with words and a line that the student may read."""
    line = own_line(error.line, cells)
    if error.kind == "NotPlain":
        return failures.not_plain(LIMITS)
    if error.kind == "Changed":
        return failures.changed()
    if error.kind == "NotThere":
        return failures.not_there(line)
    if error.kind == "RecursionError":
        return failures.too_deep(line)
    return failures.raised(shown_kind(error.kind, cells), line)


def said_of(error):
    """A `StudentError` in one line for the instructor, with the message of the exception that it comes from."""
    words, cause = error.words, error.__cause__
    if cause is not None and error.kind != StudentError.UNANSWERED:
        message = one_line(str(cause))
        words = f"Your code raised {message}" if error.kind == StudentError.RAISED else f"{words} ({message})"
    return f"{words} ({error.line})" if error.line else words


def is_builtin_error(name):
    """Whether Python itself has an exception of this name."""
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, BaseException)


def shown_kind(kind, cells):
    """The name of an exception, if it is one of Python's or a name in the notebook; else words in its place."""
    if kind == "NotThere":
        return NOT_THERE
    own = kind.isidentifier() and any(re.search(rf"\b{re.escape(kind)}\b", cell) for cell in cells)
    return kind if own or is_builtin_error(kind) else OF_ITS_OWN


def own_line(place, cells):
    """A place such as "cell 1, line 5" with that line of the notebook; "" if there is no such line."""
    found = re.fullmatch(r"cell (\d{1,6}), line (\d{1,6})", place, re.ASCII)
    cell, line = map(int, found.groups()) if found else (0, 0)
    lines = cells[cell - 1].splitlines() if 0 < cell <= len(cells) else []
    return f"cell {cell}, line {line}: {one_line(lines[line - 1], 200)}" if 0 < line <= len(lines) else ""


def one_line(text, most=300):
    """Text on one line, cut short, without characters that move a terminal's cursor or turn writing round."""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return text if len(text) <= most else text[: most - 1] + "…"
