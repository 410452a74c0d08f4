"""Known mistakes: made, as a right answer with a few changes to its text, and found in what a student answered."""

import inspect
import math
import re
from functools import cache, cached_property

from course_lib.check.compare import ODD_ANSWER, Bug, same
from course_lib.check.failures import StudentError


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


# Naming a mistake: a known one whose answers are the student's on every case that was tried.


def asked(question, student, solved):
    """Yields, for these (case, expected answer) pairs, what `named_bug` takes: the student's answer comes third."""
    for case, expected in solved:
        yield case, expected, _answer_or_error(question.ask, student, question.name, case)


def _answer_or_error(ask, *arguments):
    try:
        return ask(*arguments)
    except StudentError as error:
        return error


def named_bug(question, tried):
    """The `Bug` of this question that explains all that the student answered, or None; one of several if more do.

    `tried` holds (case, expected answer, the student's answer or `StudentError`) for each case asked. What student and
    mistake must agree on is the `gist` of all answers; if a mistake never shows in that, all of each answer. What the
    question's comparison says by itself counts if it says it of every wrong answer.
    """
    for part in (question.gist, lambda answer: answer):
        known = [bug for bug in question.bugs if bug.wrong is not None and _explains(question, bug, tried, part)]
        if known:
            return _one_of(known)
    return _told(question, tried)


def with_bug(failure, bug):
    """The failure with the mistake that explains all answers; one that is told of this case alone loses its name."""
    if failure.bug is None or (bug is not None and bug.name == failure.bug.name):
        return failure._replace(bug=failure.bug or bug)
    return failure._replace(bug=bug, words=failure.bug.here or failure.bug.sentence)


def _one_of(bugs):
    """These mistakes, between which no case decides, as one."""
    if len(bugs) == 1:
        return bugs[0]
    names, sentences = (list(dict.fromkeys(parts)) for parts in zip(*((bug.name, bug.sentence) for bug in bugs)))
    if len(names) == 1:
        return Bug(names[0], " Or: ".join(sentences))
    each = " ".join(f"“{bug.name}”: {bug.sentence}" for bug in bugs)
    return Bug(" or ".join(names), f"each of them fits all cases that were tried. {each}")


def _told(question, tried):
    """The `Bug` that the comparison gives for every answer that is wrong, or None."""
    answers = [answer for answer in tried if not isinstance(answer[2], StudentError)]
    try:
        told = {question.compare(*answer) for answer in answers} - {None}
    except ODD_ANSWER:
        return None
    names = {isinstance(bug, Bug) and bug.name for bug in told}
    return told.pop() if len(names) == 1 and False not in names else None


def _explains(question, bug, tried, part):
    """Whether a mistake answers as the student did on every case, and is wrong on one at least."""
    shows = False
    for case, expected, given in tried:
        mistaken = _answer_or_error(question.answer_of, bug.wrong, case)
        if not _agree(part, mistaken, given):
            return False
        shows = shows or not _agree(part, mistaken, expected)
    return shows


def _agree(part, one, other):
    if isinstance(one, StudentError) or isinstance(other, StudentError):
        return type(one) is type(other) and _kind(one) == _kind(other)
    try:
        return same(part(one), part(other))
    except ODD_ANSWER:
        return False


def _kind(error):
    """What kind of error came: "Your code raised ZeroDivisionError" without its message."""
    return error.kind, error.words.partition(":")[0]
