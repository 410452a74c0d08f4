"""Naming a mistake: a known one whose answers are the student's on every case that was tried."""

from course_lib.check.compare import same
from course_lib.check.question import ODD_ANSWER, StudentError


def asked(question, student, solved):
    """Yields, for these (case, expected answer) pairs, what `named_bug` takes: the student's answer comes third."""
    for case, expected in solved:
        try:
            yield case, expected, question.ask(student, question.name, case)
        except StudentError as error:
            yield case, expected, error


def named_bug(question, tried):
    """The `Bug` of this question that explains what the student answered, or None.

    `tried` holds (case, expected answer, the student's answer or `StudentError`) for each case asked. What student and
    mistake must agree on is the `gist` of all answers; if a mistake never shows in that, all of each answer.
    """
    for part in (question.gist, lambda answer: answer):
        for bug in question.bugs:
            if bug.wrong is not None and _explains(question, bug, tried, part):
                return bug
    return None


def _explains(question, bug, tried, part):
    shows = False
    for case, expected, given in tried:
        mistaken = _mistaken(question, bug, case)
        if not _agree(part, mistaken, given):
            return False
        shows = shows or not _agree(part, mistaken, expected)
    return shows


def _mistaken(question, bug, case):
    try:
        return question.answer_of(bug.wrong, case)
    except StudentError as error:
        return error


def _agree(part, one, other):
    if isinstance(one, StudentError) or isinstance(other, StudentError):
        return isinstance(one, StudentError) and isinstance(other, StudentError) and one.kind == other.kind
    try:
        return same(part(one), part(other))
    except ODD_ANSWER:
        return False
