"""One submission marked: its cells run in a sandbox, its questions asked, its mistakes explained and named."""

import hashlib
import random
import re
import time
from collections import defaultdict
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from course_lib.check.failures import StudentError, capital
from course_lib.check.mistakes import asked, named_bug, with_bug
from course_lib.check.personal import as_compared
from course_lib.check.question import GRADED, PUBLIC_SEED, call, questions_of, small_exposing, small_solved, solved
from instructor.grade.remote import RemoteStudent, one_line
from instructor.grade.submissions import Note, Unreadable, code_cells

STRETCHES = 60
"""Into how many stretches the small cases of a question are cut; a graded run asks one of each."""
SHOWN = 150
"""How many public cases are tried for a smaller counterexample."""
NAMED_FROM = 40
"""How many cases a mistake is named from."""
LOOK = 3
"""Seconds to look for a smaller counterexample, and as long again to name the mistake."""
MAX_FAULTS = 10
MAX_SAID, LONGEST = 600, 2_000
"""Characters of a note or message, and of a text in a report."""
OTHER_NAME = (
    "The first cell has another name than {0!r}, under which you handed this in. The personal tree that counts is "
    "drawn from {0!r}."
)
SECRET = "It fails on a case that the visible checks do not have."


class Verdict(StrEnum):
    """What became of a question."""

    RIGHT = ""
    WRONG = "wrong answer"
    RAISED = "an error"
    TIME = "out of time"
    NOT_PLAIN = "not plain data"
    CHANGED = "argument changed"
    UNANSWERED = "not answered"
    UNREADABLE = "unreadable"
    NOT_GRADED = "not graded"


VERDICTS = {
    StudentError.UNANSWERED: Verdict.UNANSWERED,
    StudentError.RAISED: Verdict.RAISED,
    StudentError.TIME: Verdict.TIME,
    StudentError.NOT_PLAIN: Verdict.NOT_PLAIN,
    StudentError.CHANGED: Verdict.CHANGED,
}


def mark(content: bytes, notebook: str, student: str, seed: int, limit: float = 10, sandboxed: bool = True) -> dict:
    """The marks of one notebook, as a dictionary of plain data with `questions`, `notes` and `seconds`.

    `content` is the file's bytes. Each question has `limit` seconds for its public cases and as many for the secret
    ones. It is right or wrong as a whole. The mark of a question is a dictionary: `points` of `of`, the `verdict`, the
    name of a known `mistake`, a `message`, and the counterexample as HTML in `report`.
    """
    began, questions = time.perf_counter(), questions_of(notebook)
    try:
        cells = code_cells(content)
    except Unreadable as error:
        return unmarked(notebook, Verdict.UNREADABLE, Note("notebooks that cannot be read", str(error), str(error)))
    remote = RemoteStudent(cells, limit, lambda identifier: _personal_tree(questions, identifier, student), sandboxed)
    try:
        marks, notes = _marks(questions, remote, student, seed, limit)
    except OSError:
        raise
    except Exception as error:
        note = Note("submissions that the grader failed on", f"look at this one yourself: {error!r}",
                    "The grader failed on this notebook; your instructor will look at it.")  # fmt: skip
        return unmarked(notebook, Verdict.NOT_GRADED, note)
    finally:
        remote.close()
    return {"questions": marks, "notes": notes, "seconds": time.perf_counter() - began}


def unmarked(notebook: str, verdict: Verdict, note: Note) -> dict:
    """The marks of a notebook of which no question was asked; the note says why."""
    return {"questions": {q.identifier: _mark(q, verdict) for q in questions_of(notebook)}, "notes": [note],
            "seconds": 0}  # fmt: skip


def _mark(question, verdict=Verdict.RIGHT, mistake: str = "", message: str = "", report: str = "") -> dict:
    points = question.points if verdict is Verdict.RIGHT else 0
    return {"points": points, "of": question.points, "verdict": verdict, "mistake": mistake,
            "message": one_line(message, MAX_SAID), "report": report}  # fmt: skip


def _marks(questions: Sequence, remote: RemoteStudent, student: str, seed: int, limit: float) -> tuple[dict, list]:
    """Each question's mark, and the notes. All that is shown was answered before the program saw a secret case."""
    marks, passed = {}, []
    for question in questions:
        first = first_cases(question) if is_secret(question) else question.graded_cases(seed, student)
        failure = first_failure(question, remote, first, limit)
        if failure is not None:
            marks[question.identifier] = explained(question, failure, remote, min(limit, LOOK))
        elif is_secret(question):
            passed.append(question)
        else:
            marks[question.identifier] = _mark(question)
    notes = _notes(remote, student)
    for question in passed:
        failure = first_failure(question, remote, secret_cases(question, seed), limit)
        marks[question.identifier] = secret_mark(question, failure, remote, min(limit, LOOK))
    return {question.identifier: marks[question.identifier] for question in questions}, notes


def _notes(remote: RemoteStudent, student: str) -> list[Note]:
    """The cells that failed, names that are defined twice, and another student's name in the notebook."""
    notes = []
    for number, fault in sorted(remote.faults.items())[:MAX_FAULTS]:
        text = f"code cell {number}: {fault}"
        notes.append(Note("cells that failed", text, capital(text)))
    places = defaultdict(list)
    for number, source in enumerate(remote.cells, start=1):
        for name in dict.fromkeys(re.findall(r"^(?:def|class) (\w+)", source, re.M)):
            places[name].append(number)
    for name, numbers in [item for item in places.items() if len(item[1]) > 1][:MAX_FAULTS]:
        text = (f"{name} is defined in code cells {' and '.join(map(str, numbers))}: questions are asked after all "
                f"cells, so the last definition counts")  # fmt: skip
        notes.append(Note("names that are defined twice", text, text))
    for claim in remote.claims:
        if as_compared(claim) != as_compared(student):
            text = f"the notebook is by {claim!r}, not by {student!r}, whose personal tree was expected"
            notes.append(Note("notebooks with another name", text, OTHER_NAME.format(student)))
    return notes


def first_failure(question, remote: RemoteStudent, cases: Sequence, seconds: float):
    """The failure on the first of these cases that is not answered as expected, or None."""
    remote.begin(seconds, open_trees=question.ask is call)
    return next(filter(None, (_judged(question, remote, *pair) for pair in cases)), None)


def explained(question, failure, remote: RemoteStudent, seconds: float) -> dict:
    """The mark of a question that failed on a public case; a smaller counterexample is looked for."""
    verdict = verdict_of(failure)
    if is_secret(question) and verdict is not Verdict.UNANSWERED:
        smaller = first_failure(question, remote, public_cases(question), seconds)
        if smaller is not None and verdict_of(smaller) is not Verdict.TIME:
            failure = smaller
        failure = with_bug(failure, name_of(question, failure, remote, seconds))
    mistake = failure.bug.name if failure.bug else ""
    message = failure.bug.sentence if failure.bug else failure.words
    if failure.error is not None and failure.error.line:
        message = f"{message} ({failure.error.line})"
    return _mark(question, verdict_of(failure), mistake, message, _report(failure))


def secret_mark(question, failure, remote: RemoteStudent, seconds: float) -> dict:
    """The mark of a question that was asked its secret cases: of a failure only the name of a known mistake is told."""
    if failure is None:
        return _mark(question)
    mistake = name_of(question, failure, remote, seconds)
    words = f"This looks like a known mistake: {mistake.name}. {capital(mistake.sentence)}" if mistake else ""
    return _mark(question, Verdict.WRONG, mistake.name if mistake else "", f"{SECRET} {words}".strip())


# The only functions that know what a question is.


def is_secret(question) -> bool:
    """Whether a question has cases that depend on the seed."""
    return question.personal is None and question.cases is not None


@lru_cache(maxsize=256)
def secret_cases(question, seed: int) -> tuple:
    """(case, expected) pairs that are drawn from the instructor's seed."""
    drawn_from = hashlib.scrypt(str(seed).encode(), salt=b"secret cases", n=1 << 14, r=8, p=1).hex()
    return question.graded_cases(drawn_from, "")


@lru_cache(maxsize=256)
def first_cases(question) -> tuple:
    """(case, expected) pairs that are asked before the secret ones: small ones, the same for every seed.

    There is one for each known mistake, where it shows in a small case, and one of each stretch of equal length, since
    cases that look alike stand together.
    """
    small = small_solved(question)
    places = [len(small) * n // STRETCHES for n in range(STRETCHES + 1)]
    rng = random.Random(question.identifier)
    chosen = [rng.choice(small[a:b]) for a, b in pairwise(places) if a < b]
    for bug in question.bugs:
        chosen += small_exposing(question, bug.wrong)[:1] if bug.wrong is not None else ()
    ids = {id(case) for case, _ in chosen}
    return tuple(pair for pair in small if id(pair[0]) in ids)


@lru_cache(maxsize=256)
def public_cases(question) -> tuple:
    """(case, expected) pairs that a student may be shown, the smallest first."""
    return (*small_solved(question)[:SHOWN], *solved(question, question.drawn(PUBLIC_SEED, GRADED)))


def _judged(question, remote, case, expected):
    try:
        return question.judge(remote, case, expected)
    except Exception as error:  # the library's code met an answer that it could not use
        from course_lib.check.question import Failure

        words = f"The answer cannot be used ({type(error).__name__})."
        return Failure(question, case, expected, None, words, StudentError(StudentError.NOT_PLAIN, words))


def verdict_of(failure) -> Verdict:
    return Verdict.WRONG if failure.error is None else VERDICTS[failure.error.kind]


def name_of(question, failure, remote: RemoteStudent, seconds: float):
    """The known mistake that explains the answers to this and other public cases, or None."""
    if not question.bugs or verdict_of(failure) is Verdict.TIME or "NameError" in failure.words:
        return None
    remote.begin(seconds, open_trees=question.ask is call)
    tried = [(failure.case, failure.expected, failure.error or failure.given)]
    try:
        tried += asked(question, remote, public_cases(question)[:NAMED_FROM])
    except Exception:  # an answer that library code could not use explains nothing
        return None
    if any(isinstance(given, StudentError) and given.kind == StudentError.TIME for _, _, given in tried):
        return None
    return named_bug(question, tried)


def _personal_tree(questions: Sequence, identifier: str, student: str):
    """The tree of the student whose folder it is."""
    found = [q for q in questions if q.identifier == identifier and q.personal is not None]
    if not found:
        raise ValueError(f"there is no personal tree for {identifier!r}")
    return found[0].own_case(student)[0]


def _report(failure) -> str:
    """The counterexample as HTML, in which all that is the student's is escaped."""
    if failure.unanswered:
        return ""
    from course_lib.check.report import Report  # late: drawing takes long to load

    try:
        drawn = Report(failure)
        drawn.words, drawn.remarks = _cut(drawn.words), [*map(_cut, drawn.remarks)]
        drawn.rows = [(label, _cut(text)) for label, text in drawn.rows]
        return drawn.html()
    except Exception:  # an answer so odd that it cannot be shown
        return ""


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
