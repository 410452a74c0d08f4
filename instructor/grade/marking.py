"""One submission marked: its cells run in a sandbox, its questions asked, its mistakes looked for and named."""

import hashlib
import random
import re
import time
from collections import defaultdict
from functools import lru_cache
from itertools import pairwise
from types import SimpleNamespace

from course_lib.check.compare import shown
from course_lib.check.failures import StudentError, capital
from course_lib.check.mistakes import asked, named_bug, with_bug
from course_lib.check.personal import as_compared
from course_lib.check.question import (
    GRADED,
    PUBLIC_SEED,
    Failure,
    call,
    questions_of,
    read,
    small_exposing,
    small_solved,
    solved,
)
from instructor.grade.redaction import MOST_SAID, is_builtin_error, one_line, said_of
from instructor.grade.remote import RemoteStudent
from instructor.grade.submissions import Note, Unreadable, code_cells

STRETCHES = 60
"""Into how many stretches the small cases of a question are cut; a graded run asks one of each."""
SHOWN = 150
"""How many public cases are tried for one to show where a case of the secret seed was failed."""
NAMED_FROM = 40
"""How many cases a mistake is named from."""
LOOK = 3
"""Seconds to look for a case to show, and as long again to name the mistake."""
OF_STUDENT = {
    StudentError.UNANSWERED: "not answered",
    StudentError.TIME: "out of time",
    StudentError.NOT_PLAIN: "no plain data",
    StudentError.CHANGED: "argument changed",
}
WRONG, UNUSABLE, RAISED = "wrong answer", "unusable answer", "an error"
SLIPS = tuple(f"{RAISED}, {name}" for name in ("NameError", "UnboundLocalError", "ImportError", "ModuleNotFoundError"))
"""Kinds of slips of the pen, which no known mistake explains, even one that raises an error on the same cases."""
MOST_FAULTS = 10
LONGEST = 2_000
"""Characters of a text in a report: an answer may be a million characters long."""
OTHER_NAME = (
    "The first cell has another name than {0!r}, under which you handed this in. The tree by hand that counts is drawn "
    "from {0!r}."
)


def is_secret(question):
    """Whether a question has cases that depend on the seed: not one with a single case, or a case for each student."""
    return question.personal is None and question.cases is not None


@lru_cache(maxsize=256)
def secret_cases(question, seed):
    """(case, expected) pairs that are drawn from the instructor's seed. They are solved when they are first needed."""
    return question.graded_cases(stretched(seed), "")


@lru_cache
def stretched(seed):
    """What cases are drawn from in place of a seed: it is no notebook's own, and takes long to make for each guess."""
    return hashlib.scrypt(str(seed).encode(), salt=b"secret cases", n=1 << 14, r=8, p=1).hex()


@lru_cache(maxsize=256)
def first_cases(question):
    """(case, expected) pairs that a student may be shown, asked before the secret ones: small ones, smallest first.

    There is one for each known mistake, where it shows in a small case, and one of each stretch of equal length, since
    cases that look alike stand together. They are the same for every seed: from a page, which can tell which cases they
    are, nobody learns a seed.
    """
    small = small_solved(question)
    places = [len(small) * n // STRETCHES for n in range(STRETCHES + 1)]
    luck = random.Random(question.identifier)
    chosen = [luck.choice(small[a:b]) for a, b in pairwise(places) if a < b]
    for bug in question.bugs:
        chosen += small_exposing(question, bug.wrong)[:1] if bug.wrong is not None else ()
    ids = {id(case) for case, _ in chosen}
    return tuple(pair for pair in small if id(pair[0]) in ids)


@lru_cache(maxsize=256)
def public_cases(question):
    """(case, expected) pairs that a student may be shown, the smallest first."""
    return (*small_solved(question)[:SHOWN], *solved(question, question.drawn(PUBLIC_SEED, GRADED)))


def mark(content, notebook, student, seed, limit=10, sandboxed=True):
    """The marks of one notebook, as a dictionary of plain data with `questions`, `notes` and `seconds`.

    `content` is the file's bytes. Each question has `limit` seconds for its first cases and as many for the others.
    It is right or wrong as a whole. The mark of a question is a dictionary: `points` of `of`, the `kind` of the
    mistake ("" if there is none), what is `said` of it to the instructor, what is `told` to the student, and the
    failed case, drawn, as HTML in `report`.
    """
    began, questions = time.perf_counter(), questions_of(notebook)
    try:
        cells = code_cells(content)
    except Unreadable as error:
        return marks_without(notebook, "unreadable", Note("notebooks that cannot be read", str(error), str(error)))
    remote = RemoteStudent(cells, limit, lambda identifier: _own_tree(questions, identifier, student), sandboxed)
    try:
        marks, notes = _marks(questions, remote, student, seed, limit)
    finally:
        remote.close()
    return {"questions": marks, "notes": notes, "seconds": time.perf_counter() - began}


def marks_without(notebook, kind, note):
    """The marks of a notebook of which no question was asked; the note says why."""
    return {"questions": {q.identifier: _mark(q, kind) for q in questions_of(notebook)}, "notes": [note], "seconds": 0}


def _notes_of_cells(remote, student):
    """The cells that failed, and whose name the notebook has if it is not this student's."""
    notes = [
        Note("cells that failed", f"code cell {number}: {fault}", f"Code cell {number}: {fault.shown}")
        for number, fault in sorted(remote.faults.items())[:MOST_FAULTS]
    ]
    for name, numbers in _defined_twice(remote.cells)[:MOST_FAULTS]:
        text = (f"{name[:MOST_SAID]} is defined in code cells {' and '.join(map(str, numbers))}: questions are asked "
                f"after all cells, so the last definition counts")  # fmt: skip
        notes.append(Note("names that are defined twice", text, text))
    for claim in remote.claims:
        if as_compared(claim) != as_compared(student):
            text = f"the notebook says that it is by {claim!r}, not by {student!r}, whose tree by hand was expected"
            notes.append(Note("notebooks with another name", text, OTHER_NAME.format(student)))
    return notes


def _defined_twice(cells):
    """(name, numbers of the cells) of each function and class that several cells define."""
    places = defaultdict(list)
    for number, source in enumerate(cells, start=1):
        for name in dict.fromkeys(re.findall(r"^(?:def|class) (\w+)", source, re.M)):
            places[name].append(number)
    return [(name, numbers) for name, numbers in places.items() if len(numbers) > 1]


def _own_tree(questions, identifier, student):
    """What `personal_tree` gives the notebook: the tree of the student whose folder it is."""
    found = [q for q in questions if q.identifier == identifier and q.personal is not None]
    if not found:
        raise ValueError(f"there is no tree of one's own for {identifier!r}")
    return found[0].own_case(student)[0]


def _marks(questions, remote, student, seed, limit):
    """Each question's mark, and the notes. What a student is shown was done before their program saw a secret case."""
    marks, passed = {}, []
    for question in questions:
        first = first_cases(question) if is_secret(question) else question.graded_cases(seed, student)
        failure = first_failure(question, remote, first, limit)
        if failure is not None:
            marks[question.identifier] = explained(question, failure, remote, min(limit, LOOK))
        elif is_secret(question):
            passed.append(question)
        else:
            marks[question.identifier] = _mark(question, points=question.points)
    notes = _notes_of_cells(remote, student)  # now: cells that run again could tell of a secret case
    for question in passed:
        failure = first_failure(question, remote, secret_cases(question, seed), limit)
        marks[question.identifier] = _secret_mark(question, failure, remote, min(limit, LOOK))
    marks = {question.identifier: marks[question.identifier] for question in questions}
    raised = {name: mark["said"] for name, mark in marks.items() if mark["kind"].startswith(RAISED)}
    return marks, notes + [Note("answers that raised an error", f"{name}: {said}") for name, said in raised.items()]


def _begin(remote, question, seconds):
    remote.begin(seconds, open_trees=question.ask is call, apart=question.ask is not read)


def first_failure(question, remote, cases, seconds):
    """The `Failure` on the first of these cases that is not answered as expected, or None."""
    _begin(remote, question, seconds)
    failure = next(filter(None, (_judged(question, remote, *pair) for pair in cases)), None)
    remote.rest()
    return failure


def _judged(question, remote, case, expected):
    try:
        return question.judge(remote, case, expected)
    except Exception as error:  # the library's code met an answer that it could not use
        words = f"The answer cannot be used ({type(error).__name__})."
        return Failure(question, case, expected, None, words, StudentError(UNUSABLE, words))


def kind_of(failure):
    """The mistake in a few words of ours, none of the student's."""
    if failure.bug is not None:
        return failure.bug.name
    if failure.error is None:
        return WRONG
    if failure.error.kind == StudentError.RAISED:
        raised = re.match(r"Your code raised (\w+)", failure.words)
        return f"{RAISED}, {raised[1]}" if raised and is_builtin_error(raised[1]) else RAISED
    return OF_STUDENT.get(failure.error.kind, UNUSABLE)


def explained(question, failure, remote, seconds):
    """The mark of a question that was failed on a case which its student may see; a smaller one is looked for."""
    if is_secret(question) and not failure.unanswered:
        other = first_failure(question, remote, public_cases(question), seconds)
        if other is not None and kind_of(other) != OF_STUDENT[StudentError.TIME]:
            failure = other
        failure = with_bug(failure, name_of(question, failure, remote, seconds))
    return _mark(question, failure, **feedback(failure))


def _secret_mark(question, failure, remote, seconds):
    """The mark of a question that was asked its secret cases; the student is told of a failure in general."""
    if failure is None:
        return _mark(question, points=question.points)
    bug = name_of(question, failure, remote, seconds)
    marked = _mark(question, with_bug(failure, bug), secret_words(bug))
    return marked | ({"kind": RAISED} if failure.unanswered else {})  # the first cases were answered


def secret_words(bug):
    """All that a student is told of a mistake that only secret cases show: its name, if public cases show it too.

    What an answer to a secret case was, an error or an odd one, is not told: a program can choose it by the case.
    """
    words = "It fails on a case that the visible checks do not have."
    if bug is None:
        return f"{words} There is no more to say without giving the case away."
    return f"{words} This looks like a known mistake: {bug.name}. {capital(bug.sentence)}"


def name_of(question, failure, remote, seconds):
    """The known mistake that explains the answers to this and other cases, or None."""
    if not question.bugs or kind_of(failure) in (*SLIPS, OF_STUDENT[StudentError.TIME]):
        return None
    cases = public_cases(question)[:NAMED_FROM]
    _begin(remote, question, seconds)
    tried = [(failure.case, failure.expected, failure.error or failure.given)]
    try:
        tried += asked(question, remote, cases)
    except Exception:  # an answer that library code could not use says nothing about a name
        return None
    if any(isinstance(given, StudentError) and given.kind == StudentError.TIME for _, _, given in tried):
        return None
    remote.rest()
    return named_bug(_remembering(question), tried)


@lru_cache(maxsize=256)
def _remembering(question):
    """The question as `named_bug` sees it; what a known mistake answers is worked out once for all students."""
    answers = {}

    def answer_of(function, case):
        key = function, id(case)
        if key not in answers:
            try:
                answers[key] = question.answer_of(function, case), None, case  # with the case: its id stays its own
            except StudentError as error:
                answers[key] = None, (error.kind, error.words, error.line), case
        answer, error, _ = answers[key]
        if error:
            raise StudentError(*error)  # a new one: an error keeps alive all that was done where it was raised
        return answer

    return SimpleNamespace(bugs=question.bugs, gist=question.gist, compare=question.compare, answer_of=answer_of)


def feedback(failure):
    """What a student is told and shown of a failure: words, and a report as HTML in which all of theirs is escaped."""
    if failure.unanswered:
        return {"told": failure.words}
    from course_lib.check.report import Report  # late: drawing takes long to load

    try:
        return {"report": _drawn(Report, failure)}
    except Exception as error:  # an answer so odd that it cannot be shown
        return {"told": f"{_cut(failure.words)} (It cannot be drawn: {type(error).__name__}.)"}


_drawings = {}


def _drawn(report, failure):
    """The report as HTML; many students fail on the same case with the same answer, and it is drawn once for them."""
    question, given = failure.question.identifier, repr(failure.given)
    key = question, id(failure.case), failure.words, given, failure.bug, kind_of(failure)
    if key in _drawings:
        return _drawings[key]
    drawn = report(failure)
    drawn.words, drawn.remarks = _cut(drawn.words), [*map(_cut, drawn.remarks)]
    drawn.rows = [(label, _cut(text)) for label, text in drawn.rows]
    html = drawn.html()
    if failure.error is None and failure.question.personal is None and len(given) < LONGEST:
        if len(_drawings) > 300:
            _drawings.clear()
        _drawings[key] = html
    return html


def _cut(text):
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _mark(question, failure=None, told="", report="", points=0):
    """A question's mark; `failure` is a `Failure`, or the kind of one in words."""
    kind = kind_of(failure) if isinstance(failure, Failure) else failure or ""
    said = one_line(said_to_instructor(failure), MOST_SAID) if isinstance(failure, Failure) else ""
    return {"points": points, "of": question.points, "kind": kind, "said": said, "told": told, "report": report}


def said_to_instructor(failure):
    """A mistake in one sentence for the instructor; it may hold what the student's code raised."""
    if failure.bug is not None:
        return failure.bug.sentence
    if failure.error is not None:
        return said_of(failure.error)
    return f"answered {shown(failure.given)}. {failure.words}" if failure.question.kind == "explain" else failure.words
