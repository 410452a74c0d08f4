"""Naming a mistake: a known one whose answers are the student's on every case that was tried."""

from course_lib.check.compare import Bug, same
from course_lib.check.question import ODD_ANSWER, StudentError


def asked(question, student, solved):
    """Yields, for these (case, expected answer) pairs, what `named_bug` takes: the student's answer comes third."""
    for case, expected in solved:
        try:
            yield case, expected, question.ask(student, question.name, case)
        except StudentError as error:
            yield case, expected, error


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
    told = set()
    for case, expected, given in tried:
        try:
            told.add(None if isinstance(given, StudentError) else question.compare(case, expected, given))
        except ODD_ANSWER:
            return None
    told.discard(None)
    bugs = [bug for bug in told if isinstance(bug, Bug)]
    return bugs[0] if bugs and len(bugs) == len(told) and len({bug.name for bug in bugs}) == 1 else None


def _explains(question, bug, tried, part):
    """Whether a mistake answers as the student did on every case, and is wrong on one at least."""
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
        return type(one) is type(other) and error_of(one) == error_of(other)
    try:
        return same(part(one), part(other))
    except ODD_ANSWER:
        return False


def error_of(error):
    """What kind of error came: "Your code raised ZeroDivisionError" without its message."""
    return error.kind, error.words.partition(":")[0]
