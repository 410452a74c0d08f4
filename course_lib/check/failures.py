"""Why no answer came, in sentences to the student: the same in the notebook and in the grader's feedback."""

import linecache
import re
import sys
import sysconfig
from enum import StrEnum
from pathlib import Path
from textwrap import fill
from traceback import walk_tb
from typing import TYPE_CHECKING

from course_lib.language import N_, gettext, translated

if TYPE_CHECKING:
    from course_lib.check.examine import Failure

LIBRARY = str(Path(__file__).parents[1])
INSTALLED = tuple(path.replace("//", "/") for name, path in sysconfig.get_paths().items() if name.endswith("lib"))
ARCHIVES = tuple(path for path in sys.path if path.endswith(".zip"))
"""Where Python's libraries are: in a browser in archives, and with two slashes in a path."""
COLUMNS = 50
"""A notebook breaks long lines of text in the middle of words; a narrow window has this number of columns."""
PLACEHOLDER = N_("your name or number")
"""What the first cell of an exercise holds before a student has filled it in."""


class ShortTraceback:
    """An exception that says all there is to say: a notebook shows its name and its words, and no traceback."""

    def _render_traceback_(self):
        return [fill(f"{type(self).__name__}: {translated(str(self))}", COLUMNS, break_on_hyphens=False)]


class CheckFailed(ShortTraceback, AssertionError):
    """A check did not pass; `counterexample` is the case that it shows and `mistake` the name of a known one, or ""."""

    def __init__(self, words: str, failure: "Failure | None" = None):
        super().__init__(words)
        self.counterexample = failure.row.case if failure else None
        self.mistake = failure.mistake.name if failure and failure.mistake else ""


class NotAnswered(CheckFailed):
    """A question has no answer yet: nothing is wrong, so a notebook shows its words in blue and names no error."""

    def _render_traceback_(self):
        words = gettext("{words}. Write your answer above and run this cell again.", words=str(self))
        return [f"\033[34m{fill(words, COLUMNS, break_on_hyphens=False)}\033[0m"]


class NotPossible(ShortTraceback, ValueError):
    """The request cannot be met, or not yet."""


class Verdict(StrEnum):
    """The result of a question."""

    RIGHT = ""
    WRONG = N_("wrong answer")
    RAISED = N_("an error")
    TIME = N_("out of time")
    NOT_PLAIN = N_("not plain data")
    CHANGED = N_("argument changed")
    UNANSWERED = N_("not answered")
    UNREADABLE = N_("unreadable")
    NOT_GRADED = N_("not graded")


class StudentError(Exception):
    """No answer came, for a `reason`: one of `REASONS`, or the name of the exception. `words` tell the student why.

    `line` says where in their code, and is empty if that is not known.
    """

    def __init__(self, reason: str, words: str, line: str = ""):
        super().__init__(words)
        self.reason, self.words, self.line = reason, words, line

    @property
    def verdict(self) -> Verdict:
        return VERDICTS.get(self.reason, Verdict.RAISED)


ONLY_GAMES = N_(
    "An answer may use only the games of course_lib. Its searches and evaluations are not available when an exercise "
    "is graded: use functions that you wrote in this notebook."
)
HINTS = (
    (r"TypeError.*'(function|method|Lookup)'",
        N_("A function was used in place of its value. Call it with its arguments in parentheses, not in brackets.")),
    (r"cannot unpack non-iterable (int|float|bool)",
        N_("Two names get their values here from a single number: the value on the right is not a pair.")),
    (r"positional argument|keyword argument",
        N_("The check passes all arguments in order: keep the line that begins with `def`.")),
    (r"TypeError.*NoneType",
        N_("Something here is None: a variable that still has its first value, or the result of a function that ends "
        "without `return` (`print` returns nothing).")),
    (r"TypeError: (bad operand|unsupported operand|can only concatenate|can't multiply|must be real).*(tuple|list)"
     r"|not supported between instances of ('\w+' and )?'(tuple|list)'",
        N_("A pair is not a number. If your function returns (value, action), take its value first: `[0]`.")),
    (r"'(int|float)' object is not subscriptable",
        N_("The value before the brackets [ ] is a single number here.")),
    (r"KeyError",
        N_("The dictionary has no entry for this key. Leave such keys out, or give them a value with `.get`.")),
    (r"(max|min)\(\) \w+ is empty|(max|min)\(\) arg is an empty",
        N_("A terminal state has no actions and no children: test for it first.")),
    (r"IndexError: pop from",
        N_("Nothing is left to take there. What should your function do then? Test for that first.")),
    (r"IndexError",
        N_("The list or tuple is shorter, perhaps empty. If the game should be over by then, does `is_terminal` return "
        "True?")),
    (r"TypeError.*'str'",
        N_("An action may be a text, such as 'left': do not compute with actions, and compare values only.")),
    (r"cannot play .*; the legal actions are", N_("Take one of `game.actions(state)`, with this very state.")),
    (r"the game is not over",
        N_("The game is not over in this state, so it has no utility. Go on from it; only a search with a depth limit "
        "estimates it, when no depth is left.")),
    (r"for which it is not defined",
        N_("A right answer does not need this value: is the game over there, or does another player move?")),
)  # fmt: skip
"""What bare errors of Python mean here most often: the first pattern that is found in "kind: message" counts."""
OURS = {r"\bLookup\b": "function", r"<lambda>\(\)": "your function"}
"""Names of the checker's own, which mean nothing to a student, and what they are read as."""

REASONS = {
    "unanswered": "{}",
    "time": N_("Your code gave no answer within {:.2g} seconds. A loop never ends, or the code is too slow."),
    "not plain": N_("The answer cannot be compared: {}."),
    "changed": N_("The function changes an argument that it was given: {}. Work on a copy of it."),
    "no function": N_("Expected a function, got {}: pass {} itself, without parentheses."),
    "not there": ONLY_GAMES,
    "too deep": N_(
        "The function calls itself ever deeper. Does it stop when the game is over, and call "
        "itself with the state that result() returns?"
    ),
    "ended": N_("Your code ended the program: {}."),
    "silent": N_("After your cells have run, the program does not answer."),
}
"""Why there is no answer, in a sentence."""
BY_EXCEPTION = {"NotPlain": "not plain", "Changed": "changed", "NotThere": "not there", "RecursionError": "too deep"}
"""The reasons by the name of the exception; every other one means that the student's code raised it."""
VERDICTS = {"unanswered": Verdict.UNANSWERED, "time": Verdict.TIME, "not plain": Verdict.NOT_PLAIN,
            "changed": Verdict.CHANGED}  # fmt: skip


def capital(text: str) -> str:
    """A sentence with a capital, unless it begins with code, such as evaluate(state)."""
    return text if re.match(r"[^ ]*([^\w'’,;: -]|[\d_])|[b-xzα-ω] |ln ", text) else text[:1].upper() + text[1:]


def in_their_words(text: str) -> str:
    """A Python message without the checker's own names."""
    for ours, theirs in OURS.items():
        text = re.sub(ours, theirs, text)
    return text


def no_answer(reason: str, *details: object, line: str = "") -> StudentError:
    """The error for one of the reasons in `REASONS`, with its details; `line` says where in the student's code."""
    said = [detail if isinstance(detail, int | float) else translated(str(detail)) for detail in details]
    return StudentError(reason, in_their_words(gettext(REASONS[reason], *said)), line)


def student_error(exception: str, message: str, line: str = "") -> StudentError:
    """The error for an exception in student code, given by its class's name, its message and its place, explained."""
    if exception == "NotImplementedError":
        return no_answer("unanswered", gettext("not answered yet"))
    if exception in BY_EXCEPTION:
        return no_answer(BY_EXCEPTION[exception], message, line=line)
    error = f"{exception}: {message}"
    hint = next((f" {gettext(words)}" for pattern, words in HINTS if re.search(pattern, error)), "")
    first = in_their_words(translated(message).partition("\n")[0])
    words = gettext("Your code raised {error}", error=f"{exception}: {first}").rstrip(": \u00a0")
    end = "." if hint and not words.endswith((".", "?")) else ""
    return StudentError(exception, f"{words}{end}{hint}", line)


def place(error: BaseException) -> str:
    """Where in the student's code an error was raised, as "cell 5, line 3: return 1 / 0"; empty if it is not known."""
    from IPython import get_ipython  # late: the grader does without

    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        file = frame.f_code.co_filename
        if not file.startswith((LIBRARY, "<frozen", *INSTALLED, *ARCHIVES)):
            label = get_ipython() and get_ipython().compile.format_code_name(file)
            cell = gettext("Cell {number}, ", number=label[1]) if label else ""
            code = linecache.getline(file, line or 0).strip()
            return gettext("{cell}line {number}: {code}", cell=cell, number=line, code=code).rstrip(": \u00a0")
    return ""
