"""One submission marked: its cells run in a sandbox, its questions asked, its mistakes looked for and named."""

import builtins
import random
import re
import time
import unicodedata
from functools import lru_cache
from html import escape
from itertools import chain
from types import SimpleNamespace

from course_lib.check.bugs import asked, named_bug
from course_lib.check.question import GRADED, PUBLIC_SEED, Failure, StudentError, call, questions_of, solved
from course_lib.grade.remote import RemoteStudent
from course_lib.grade.submissions import Unreadable, code_cells

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
WRONG, UNUSABLE = "wrong answer", "unusable answer"


def is_secret(question):
    """Whether a question has cases that depend on the seed: not one with a single case, or a case for each student."""
    return question.personal is None and question.cases is not None


@lru_cache(maxsize=256)
def secret_cases(question, seed):
    """(case, expected) pairs of the instructor's seed: as many drawn ones as the question says, and small ones."""
    small = question.small()
    chosen = random.Random(f"{seed} {question.identifier}").sample(range(len(small)), min(GRADED, len(small)))
    return (*question.graded_cases(seed, ""), *solved(question, [small[i] for i in chosen]))


@lru_cache(maxsize=256)
def public_cases(question):
    """(case, expected) pairs that a student may be shown."""
    return solved(question, (*question.small()[:SHOWN], *question.drawn(PUBLIC_SEED, GRADED)))


def prepare(notebooks, seed):
    """Draw and solve all cases once, before the work is shared out."""
    for question in chain.from_iterable(map(questions_of, notebooks)):
        if is_secret(question):
            secret_cases(question, seed), public_cases(question)


def mark(content, notebook, student, seed, limit=10, sandboxed=True):
    """The marks of one notebook as plain data: {"questions": {identifier: …}, "notes": […], "seconds": …}.

    `content` is the file's bytes. Each question has `limit` seconds, and is right or wrong as a whole.
    """
    began, notes = time.perf_counter(), []
    questions = questions_of(notebook)
    try:
        cells = code_cells(content)
    except Unreadable as error:
        marks = {question.identifier: _mark(question, "unreadable") for question in questions}
        return {"questions": marks, "notes": [str(error)], "seconds": time.perf_counter() - began}
    remote = RemoteStudent(cells, limit, lambda identifier: _own_tree(questions, identifier, student), sandboxed)
    try:
        marks = _marks(questions, remote, student, seed, limit)
    finally:
        remote.close()
    notes += [f"code cell {number}: {fault}" for number, fault in sorted(remote.faults.items())][:10]
    notes += [f"the notebook says that it is by {claim!r}, not by {student!r}, whose tree by hand was expected"
              for claim in remote.claims if not _alike(claim, student)]  # fmt: skip
    return {"questions": marks, "notes": notes, "seconds": time.perf_counter() - began}


def _alike(one, other):
    one, other = (unicodedata.normalize("NFC", name).strip().casefold() for name in (one, other))
    return one == other


def _own_tree(questions, identifier, student):
    """What `personal_tree` gives the notebook: the tree of the student whose folder it is."""
    found = [q for q in questions if q.identifier == identifier and q.personal is not None]
    if not found:
        raise ValueError(f"there is no tree of one's own for {identifier!r}")
    return found[0].own_case(student)[0]


def _marks(questions, remote, student, seed, limit):
    """Each question's mark. What a student is shown comes from a program that has never seen a secret case."""
    marks, missed = {}, []
    for question in sorted(questions, key=is_secret):
        cases = secret_cases(question, seed) if is_secret(question) else question.graded_cases(seed, student)
        failure = first_failure(question, remote, cases, limit)
        if failure is None:
            marks[question.identifier] = _mark(question, "", points=question.points)
        elif is_secret(question) and kind_of(failure) != OF_STUDENT[StudentError.UNANSWERED]:
            missed.append((question, failure))
        else:
            marks[question.identifier] = _mark(question, kind_of(failure), feedback(failure))
    remote.close()
    for question, failure in missed:
        marks[question.identifier] = explained(question, failure, remote, min(limit, LOOK))
    return {question.identifier: marks[question.identifier] for question in questions}


def _begin(remote, question, seconds):
    remote.begin(seconds, open_trees=question.ask is call, apart=is_secret(question))


def first_failure(question, remote, cases, seconds):
    """The `Failure` on the first of these cases that is not answered as expected, or None."""
    _begin(remote, question, seconds)
    try:
        return _first_failure(question, remote, cases)
    finally:
        remote.rest()


def _first_failure(question, student, cases):
    for case, expected in cases:
        try:
            failure = question.judge(student, case, expected)
        except Exception as error:  # the library's code met an answer that it could not use
            words = f"The answer cannot be used ({type(error).__name__})."
            return Failure(question, case, expected, None, words, StudentError(UNUSABLE, words))
        if failure is not None:
            return failure
    return None


def kind_of(failure):
    """The mistake in a few words of ours, none of the student's."""
    if failure.bug is not None:
        return failure.bug.name
    if failure.error is None:
        return WRONG
    if failure.error.kind == StudentError.RAISED:
        raised = re.match(r"Your code raised (\w+)", failure.words)
        return f"an error, {raised[1]}" if raised and raised[1] in vars(builtins) else "an error"
    return OF_STUDENT.get(failure.error.kind, UNUSABLE)


def explained(question, failure, remote, seconds):
    """The mark of a question that was failed on a secret case: on a public case if one shows it, else in general."""
    shown = first_failure(question, remote, public_cases(question), seconds)
    ran_out = any(f is not None and f.error is not None and f.error.kind == StudentError.TIME for f in (failure, shown))
    if not ran_out and failure.bug is None:
        bug = name_of(question, shown or failure, remote, seconds)
        failure, shown = failure._replace(bug=bug), shown and shown._replace(bug=shown.bug or bug)
    if shown is not None:
        return _mark(question, kind_of(shown), feedback(shown))
    return _mark(question, kind_of(failure), secret_words(failure))


def secret_words(failure):
    """All that a student is told of a mistake that only secret cases show."""
    said = failure.bug.sentence if failure.bug else "There is no more to say without giving the case away."
    return f"<p>It fails on a case that the visible checks do not have: {escape(kind_of(failure))}. {escape(said)}</p>"


def name_of(question, failure, remote, seconds):
    """The known mistake that explains the answers to this and other cases, or None."""
    if not question.bugs:
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
                answers[key] = question.answer_of(function, case), case  # with the case, so that its id stays its own
            except StudentError as error:
                answers[key] = error, case
        if isinstance(answers[key][0], StudentError):
            raise answers[key][0]
        return answers[key][0]

    return SimpleNamespace(bugs=question.bugs, gist=question.gist, answer_of=answer_of)


def feedback(failure):
    """What a student is told and shown of a failure, as HTML in which all that is theirs is escaped."""
    if failure.error is not None and failure.error.kind == StudentError.UNANSWERED:
        return f"<p>{escape(failure.words)}</p>"
    from course_lib.check.report import Report  # late: drawing takes long to load

    try:
        return _drawn(Report, failure)
    except Exception as error:  # an answer so odd that it cannot be shown
        return f"<p>{escape(failure.words)} (It cannot be drawn: {escape(type(error).__name__)}.)</p>"


_drawings = {}


def _drawn(report, failure):
    """The report as HTML; many students fail on the same case with the same answer, and it is drawn once for them."""
    key = failure.question.identifier, id(failure.case), failure.words, repr(failure.given)[:1000], kind_of(failure)
    if failure.error is not None or failure.question.personal is not None:
        return report(failure).html()
    if key not in _drawings:
        if len(_drawings) > 300:
            _drawings.clear()
        _drawings[key] = report(failure).html()
    return _drawings[key]


def _mark(question, kind, html="", points=0):
    return {"points": points, "of": question.points, "kind": kind, "feedback": html}
