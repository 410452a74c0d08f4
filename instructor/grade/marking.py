"""One submission marked: its cells run in a sandbox, its questions asked, its mistakes explained and named."""

import builtins
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import closing
from functools import lru_cache
from itertools import count
from math import inf
from random import Random

from course_lib.check.examine import Failure, Outcome, failed, first_failure, named
from course_lib.check.failures import Verdict, capital
from course_lib.check.tables import Row, Table, load
from course_lib.language import N_, gettext
from instructor.grade.inside.protocol import Broken, RemoteError
from instructor.grade.remote import RemoteStudent, one_line, pickled
from instructor.grade.submissions import Note
from instructor.questions import ROOT, Question, notebooks
from instructor.tables import secret_rows

WAYS = {"listed.call": "called", "listed.call_and_leaves": "with_leaves", "evaluations.searches_begun": "with_clock"}
"""The asks of which many cases can be asked at once, and how each calls the function: see `course_lib.check.graded`."""
TOGETHER = 200
"""How many cases are asked at once."""
PUBLIC, SECRET = 60, 25
"""How many public rows, spread over all of them, and how many secret ones a question is asked in a graded run."""
NAMED_BY = 300
"""How many answers a mistake is named by: those that tell known ones apart, and others."""
LOOK = 2
"""Seconds of CPU time to look for a smaller counterexample, or for one among the cases that a slow answer leaves."""
DEFINES = re.compile(r"^(?:def |class )(\w+)|^(\w+) *=(?!=)", re.M)
"""A definition, or else an assignment, at the left of a line."""
MAX_FAULTS, MAX_REPORTS = 10, 200
SECRET_WORDS = N_("The answer fails on a case outside the visible checks.")


course = lru_cache(notebooks)
"""The notebooks with questions, by name."""


def tables_of(notebook: str) -> Mapping[str, Table]:
    """The tables of a notebook's questions, by identifier."""
    return load(ROOT / "exercises" / f"{notebook}.cases.gz")


@lru_cache
def public_cases(notebook: str) -> bytes:
    """The public cases of a notebook, as a program keeps them."""
    tables = [table for table in tables_of(notebook).values() if table.asked_by in WAYS]
    return pickled({table.identifier: map(table.row, range(len(table))) for table in tables})


def mark(cells: list[str], notebook: str, student: str, seed: int, limit: float = 10, sandboxed: bool = True) -> dict:
    """The marks of one notebook, as a dictionary of plain data with `questions` and `notes`.

    `cells` are the sources of its code cells. Each question has `limit` seconds of CPU time for its public cases and as
    many for the secret ones. It is right or wrong as a whole, but a known mistake may have points. The mark of a
    question is a dictionary: `points` of `of`, the `verdict`, the name of a known `mistake`, a `message`, and the
    counterexample as HTML in `report`.
    """
    tables = tables_of(notebook)
    personal = {name: table.own_row(student).case[0] for name, table in tables.items() if table.personal}
    remote = RemoteStudent(cells, limit, personal, sandboxed, public_cases(notebook))
    try:
        with closing(remote):
            marks, notes = _marks(notebook, remote, student, seed, limit)
    except OSError:
        raise
    except Exception as error:
        text = gettext("The grader failed on this notebook; your instructor will look at it.")
        note = Note("submissions that the grader failed on", f"look at this one yourself: {error!r}", text)
        return unmarked(notebook, Verdict.NOT_GRADED, note)
    return {"questions": marks, "notes": notes}


def unmarked(notebook: str, verdict: Verdict, note: Note) -> dict:
    """The marks of a notebook of which no question was asked; the note says why."""
    marks = {name: _mark(table, verdict) for name, table in tables_of(notebook).items()}
    return {"questions": marks, "notes": [note]}


def _mark(table: Table, verdict: Verdict = Verdict.RIGHT, mistake: str = "", message: str = "", report: str = ""):
    points = table.points if verdict is Verdict.RIGHT else 0
    return {"points": points, "of": table.points, "verdict": verdict, "mistake": mistake,
            "message": one_line(message), "report": report}  # fmt: skip


def _marks(notebook: str, remote: RemoteStudent, student: str, seed: int, limit: float):
    """Each question's mark, and the notes; of what came after the first secret case, pass or fail alone.

    An answer that fails on a secret case only makes no known mistake: each of them fails on a public one.
    """
    tables, marks, slow = tables_of(notebook), {}, []
    for name, table in tables.items():
        found = public_outcome(table, remote, student, limit, seed)
        marks[name] = _mark(table) if found.failure is None else explained(found.failure, remote)
        slow += [] if found.complete else [table.name]
        if mistake := marks[name]["mistake"]:
            marks[name]["points"] = partial_points(_question(notebook, name), mistake)
    notes = _notes(remote, slow)
    for name, table in tables.items():
        secret = [] if marks[name]["verdict"] else secret_cases(notebook, name, seed)
        if secret and fails_in_secret(table, remote, secret, limit):
            marks[name] = _mark(table, Verdict.WRONG, message=gettext(SECRET_WORDS))
    return marks, notes


def drawn_rows(table: Table, seed: int) -> tuple[list[Row], list[Row]]:
    """The public rows that even a slow answer is asked, some of all sizes and all kinds; and the others, small first.

    The instructor's seed draws the former, and the order of the latter: nobody knows which of them are asked.
    """
    rng = Random(f"{_stretched(seed)} {table.identifier} public")
    numbers, size = range(len(table)), max(1, len(table) // PUBLIC)
    some = {rng.choice(numbers[begin : begin + size]) for begin in numbers[::size]}
    some |= {*numbers[len(table) - table.of_kinds :]}
    others = rng.sample(sorted(set(numbers) - some), len(table) - len(some))
    others.sort(key=lambda number: number >= table.drawn)
    return [*map(table.row, sorted(some))], [*map(table.row, others)]


@lru_cache(maxsize=256)
def _question(notebook: str, identifier: str) -> Question:
    return next(question for question in course()[notebook].questions if question.identifier == identifier)


def partial_points(question: Question, mistake: str) -> float:
    """The points of a known mistake in `solutions/`; if it is one of several, the least of theirs."""
    points = {known.name: known.points for known in question.known if known.points}
    return whole(min(points.get(name, 0) for name in mistake.split(" or ")))


def whole(points: float) -> float:
    """The same number as people write it: with two decimals at most, and without a fraction that is 0."""
    return int(rounded) if (rounded := round(float(points), 2)).is_integer() else rounded


@lru_cache
def _stretched(seed: int) -> str:
    """A key that is made from the instructor's seed and takes long to make, so that seeds cannot be tried out."""
    return hashlib.scrypt(str(seed).encode(), salt=b"secret cases", n=1 << 14, r=8, p=1).hex()


@lru_cache(maxsize=256)
def secret_cases(notebook: str, identifier: str, seed: int) -> list[Row]:
    """The rows that are drawn with the instructor's seed, with seeds of their own for random numbers."""
    question, table, key = _question(notebook, identifier), tables_of(notebook)[identifier], _stretched(seed)
    rng = Random(f"{key} {identifier}")
    return [row._replace(number=-1 - rng.getrandbits(31)) for row in secret_rows(question, table, key, SECRET)]


def public_outcome(table: Table, remote: RemoteStudent, student: str, limit: float, seed: int) -> Outcome:
    """The failure on the smallest public row that is not answered as expected, or None: as the notebook's check does.

    Like that check it tries the small rows for a time, and then those drawn at random. If there is no time for all, the
    first of the `drawn_rows` are asked in any case, and the others for a time.
    """
    remote.begin(limit)
    if table.personal:
        return first_failure(table, remote, [table.own_row(student)])
    rows = [*map(table.row, range(len(table)))]
    found = _asked(table, remote, rows[: table.drawn], limit, LOOK)
    more = found if found.failure else _asked(table, remote, rows[table.drawn :], limit, LOOK)
    if more.failure or (found.complete and more.complete):
        return more
    some, others = drawn_rows(table, seed)
    remote.begin(limit)
    found = first_failure(table, remote, some)
    if found.failure:
        return found
    remote.begin(limit, apart=False)  # it goes on: what only the first calls have to do is done
    return first_failure(table, remote, others, lambda: remote.used > min(LOOK, limit / 2))


def fails_in_secret(table: Table, remote: RemoteStudent, rows: list[Row], limit: float) -> bool:
    """Whether a secret row is not answered as expected within the time."""
    remote.begin(limit)
    return _asked(table, remote, rows, limit).failure is not None


def _asked(table: Table, remote: RemoteStudent, rows: list[Row], limit: float, look: float = inf) -> Outcome:
    """The outcome of asking rows that follow each other in the table, or secret ones, for `look` seconds.

    Many are asked at once, which is faster. If the program fails, it begins again, and each row is asked alone.
    """
    way, done, until = not remote.ended and WAYS.get(table.asked_by), 0, remote.used + look
    try:
        if way and rows and rows[0].number < 0:
            remote.keep(pickled({table.identifier: rows}))
        while way and done < len(rows) and remote.used <= until:
            first, part = max(0, rows[0].number), range(done, min(done + TOGETHER, len(rows)))
            given = remote.ask_each(way, table.name, table.identifier, first + part.start, first + part.stop)
            for number, answer in zip(part, given):
                if failure := failed(table, rows[number], answer):
                    return Outcome(failure, number)
                done += 1
    except (Broken, RemoteError, ValueError):
        remote.begin(limit)
        until = look
    return first_failure(table, remote, rows[done:], lambda: remote.used > until)


def explained(failure: Failure, remote: RemoteStudent) -> dict:
    """The mark of a question that failed on a public case, with the name of the mistake if it is known."""
    if not failure.table.personal and failure.verdict not in (Verdict.UNANSWERED, Verdict.TIME):
        remote.begin(5 * LOOK)  # one answer may take long
        asked = count()
        failure = named(failure, remote, lambda: remote.used > LOOK or next(asked) >= NAMED_BY)
    mistake, error = failure.mistake, failure.error
    headline, report = ("", "") if failure.verdict is Verdict.UNANSWERED and error else _report(failure)
    message = mistake.shown_sentence if mistake else gettext(failure.wrong.words) or headline
    if error is not None and error.line:
        message = f"{message} ({error.line})"
    return _mark(failure.table, failure.verdict, mistake.name if mistake else "", message, report)


_reports: dict[bytes, tuple[str, str]] = {}
"""Reports of this process, by a hash of all that they show: many students fail alike, and pictures take long."""


def _report(failure: Failure) -> tuple[str, str]:
    """The headline and the HTML of the counterexample, in which all that is the student's is escaped."""
    from course_lib.check.report import Report  # late: drawing takes long to load

    try:
        key = hashlib.sha256(repr((failure, failure.error and failure.error.line)).encode()).digest()
        if key not in _reports:
            report = Report(failure)
            report.rows = [(label, one_line(text)) for label, text in report.rows]
            if len(_reports) >= MAX_REPORTS:
                _reports.clear()
            _reports[key] = report.headline, report.html()
        return _reports[key]
    except Exception:  # an answer so odd that it cannot be shown
        return "", ""


def _notes(remote: RemoteStudent, slow: Iterable[str]) -> list[Note]:
    """The cells that failed, lines that did nothing, names that lose their meaning, and answers that are `slow`."""
    words = N_("code cell {number}: {fault}")
    failed = [gettext(words, number=number, fault=fault) for number, fault in sorted(remote.faults.items())]
    words = N_("code {line}: this line did nothing, as grading has no shell and no network, and installs nothing")
    ignored = [gettext(words, line=line) for line in remote.ignored]
    words = N_("{name} is slow: there was no time to try all public cases, only some that were drawn")
    slow = [gettext(words, name=name) for name in slow]
    return [
        *(Note("answers too slow for all public cases", text, text) for text in slow),
        *(Note("cells that failed", text, capital(text)) for text in failed[:MAX_FAULTS]),
        *(Note("lines that did nothing", text, capital(text)) for text in ignored[:MAX_FAULTS]),
        *(Note("names that are defined twice", text, text) for text in overwritten(remote.cells)[:MAX_FAULTS]),
    ]


def overwritten(cells: list[str]) -> list[str]:
    """A sentence for each function or class that is defined twice, or replaced by a value, as those of Python are."""
    places, sentences = defaultdict(list), []
    for number, source in enumerate(cells, start=1):
        for name, value in dict.fromkeys(DEFINES.findall(source)):
            if name or value in places or hasattr(builtins, value):
                places[name or value].append(number)
    for name, numbers in places.items():
        if len(numbers) > 1 or hasattr(builtins, name):
            words = N_("{name} is defined in code cell {cells}: answers are checked after all cells have run, so the "
                       "last definition counts")  # fmt: skip
            if len(numbers) > 1:
                words = N_("{name} is defined in code cells {cells}: answers are checked after all cells have run, so "
                           "the last definition counts")  # fmt: skip
            sentences.append(gettext(words, name=name, cells=gettext(" and ").join(map(str, numbers))))
    return sentences
