"""Asking a student, looking for the smallest case that the answer gets wrong, and for the name of the mistake.

In a notebook a `Direct` student is asked, whose code is at hand and runs by the rules of a graded run. The notebook and
the grader find and name a failure with the same two functions, `first_failure` and `named`; each gives them its rows,
and a clock.
"""

import ast
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from functools import lru_cache
from inspect import unwrap
from random import Random
from types import FunctionType
from typing import Any, NamedTuple, Protocol

import course_lib
from course_lib.check import graded
from course_lib.check.comparing import NO_RETURN, Wrong, differing, either, same, same_part, shown, value_part
from course_lib.check.failures import StudentError, Verdict, no_answer, place, student_error
from course_lib.check.graded import ABSENT, home_of, is_hidden, is_of, plain, replacement, stand_ins
from course_lib.check.tables import Mistake, Raised, Row, Table
from course_lib.language import N_, gettext

TRY, NAME = 0.8, 0.3
"""Seconds of CPU time to look for a wrong answer among the small cases, and again among those drawn at random; and to
ask for more answers that a name can be found from."""
PATIENCE = 6
"""Seconds of wall time after which no further case is tried, as code that sleeps uses no CPU time. On a computer with
much else to do, code still has the CPU time above if it gets a seventh of a processor."""
FEW = 8
"""How many answers there must be for a mistake to be named by them, unless the table has fewer rows."""
PARTS_TO_NAME = {
    "value": [value_part],
    "value and leaves": [lambda answer: (value_part(answer), answer[1]), value_part],
    "first two": [lambda answer: answer[:2]],
    "probes": [lambda answer: answer["probes"]],
    "roughly": [lambda number: round(9.9 * number)],
    "rounded": [lambda numbers: [round(number, 2) for number in numbers]],
}
"""The parts of answers in which a mistake and a student must agree, for a name to be given; the first that do."""


class Student(Protocol):
    """A student who is asked: a `Direct` one, or the grader's `RemoteStudent`.

    `seed` is that of the random numbers in the last call for this `case`; each call adds one to it.
    """

    case: tuple
    seed: int

    def ask(self, way: str, name: str, *arguments: Any) -> Any:
        """What this way of `graded` to call the function returns. `StudentError` if there is no such answer."""

    def call(self, name: str, *arguments: Any) -> Any:
        """What the function returns, as plain data. `StudentError` if there is no such answer."""
        return self.ask("called", name, *arguments)

    def read(self, name: str) -> Any:
        """The value of the variable, as plain data. `StudentError` if there is no such answer."""


class Direct(Student):
    """A student whose code is at hand: `answer` is their function, or the value of their variable.

    A variable is not an answer if it was computed `by_library`.
    """

    def __init__(self, answer: Any, by_library: bool = False):
        self.answer, self.by_library, self.seed, self.case = answer, by_library, 0, ()
        self.kept = _kept_between_calls(answer)

    def ask(self, way: str, name: str, *arguments: Any) -> Any:
        if not callable(self.answer):
            raise no_answer("no function", shown(self.answer), name)
        self.seed += 1
        return self._explained(lambda: getattr(graded, way)(self.answer, arguments, self.seed))

    def read(self, name: str) -> Any:
        if self.by_library:
            raise no_answer("not there")
        return self._explained(lambda: plain(self.answer))

    def forget(self) -> None:
        """What the code has kept since the first call is forgotten."""
        for value, before in self.kept:
            value.clear()
            (value.extend if isinstance(value, list) else value.update)(before)

    def _explained(self, get: Callable) -> Any:
        try:
            return get()
        except (Exception, SystemExit) as error:
            raise student_error(type(error).__name__, str(error), place(error)) from error


def _kept_between_calls(answer):
    """(value, copy) of the lists, dictionaries and sets in the notebook's names, its default arguments, and `self`."""
    names = {name: value for name, value in names_of(answer).items() if name not in ("In", "Out") and name[0] != "_"}
    own = [value for value in names.values() if getattr(value, "__module__", 0) == getattr(answer, "__module__", "")]
    values = list(names.values())
    for owner in (answer, getattr(answer, "__self__", None), *own):
        values += getattr(owner, "__defaults__", None) or ()
        values += [*(getattr(owner, "__kwdefaults__", None) or {}).values(), *getattr(owner, "__dict__", {}).values()]
    return [(value, copy(value)) for value in values if type(value) in (list, dict, set)]


@contextmanager
def as_graded(answer: Any, by_library: bool = False) -> Iterator[Direct]:
    """The `Direct` student of an answer, whose names and imports hold what they hold in a graded run.

    Afterwards everything is restored.
    """
    names, modules = names_of(answer), stand_ins()
    others = {name: replacement(name, value) for name, value in names.items() if is_hidden(value)}
    answer = replacement(getattr(answer, "__name__", ""), answer) if is_hidden(answer) else answer
    packages = {name.rpartition(".")[2]: module for name, module in modules.items() if name.count(".") == 1}
    with swapped(names, others), swapped(sys.modules, modules), swapped(vars(course_lib), packages):
        yield Direct(answer, by_library)


@contextmanager
def swapped(names: dict, others: dict) -> Iterator[None]:
    """These names hold other values; afterwards those of before. Names that are new stay."""
    kept, new = {name: names[name] for name in others if name in names}, others.keys() - names.keys()
    names.update(others)
    try:
        yield
    finally:
        for name in new:
            names.pop(name, None)
        names.update(kept)


def names_of(answer: Any) -> dict[str, Any]:
    """The notebook's names: those that a function of the student's finds; {} for other answers."""
    function = unwrap(answer) if callable(answer) else answer
    if callable(function) and not isinstance(function, FunctionType):
        function = getattr(function, "func", None) or type(function).__call__
    names = getattr(function, "__globals__", {})
    return {} if str(names.get("__name__")).startswith("course_lib") else names


def is_found_by_library(name: str, names: dict[str, Any]) -> bool:
    """Whether the cell that assigned this name had by then called a function that a graded run lacks."""
    for cell in reversed(names.get("In", ())):
        with suppress(SyntaxError):
            nodes = [node for node in ast.parse(cell).body if not isinstance(node, ast.FunctionDef | ast.ClassDef)]
            lines = list(map(ast.unparse, nodes))
            sets = [n for n, line in enumerate(lines, 1) if re.search(rf"^\W*(\w+, )*{name}\b.*=", line, re.M)]
            if sets:
                called = re.findall(r"(\w+)\(", "\n".join(lines[: sets[-1]]))
                return any(is_of(ABSENT, home_of(names.get(function))) for function in called)
    return False


# What becomes of the answers.


class Failure(NamedTuple):
    """A row that was not answered as expected. `error` is the `StudentError` if no answer came, else None."""

    table: Table
    row: Row
    given: Any
    wrong: Wrong
    error: StudentError | None = None
    mistake: Mistake | None = None

    @property
    def verdict(self) -> Verdict:
        """`UNANSWERED` also if code that was to be fixed answers as it did when it was handed out."""
        if self.mistake is not None and self.mistake.name == self.table.handed_out:
            return Verdict.UNANSWERED
        return Verdict.WRONG if self.error is None else self.error.verdict


class Outcome(NamedTuple):
    """The `Failure` or None, how many cases were tried, and whether there was time for all of them."""

    failure: Failure | None
    tried: int
    complete: bool = True


def limit(seconds: float) -> Callable[[], bool]:
    """A function that says whether this much CPU time, or `PATIENCE`, has passed since the call."""
    cpu, wall = time.thread_time() + seconds, time.perf_counter() + PATIENCE
    return lambda: time.thread_time() > cpu or time.perf_counter() > wall


def examine(table: Table, student: Direct, student_id: str = "") -> Outcome:
    """Try the rows in their order, smallest first, as far as there is time: first the small ones, then those drawn."""
    if table.personal:
        return first_failure(table, student, [table.own_row(student_id)])
    tried, complete = 0, True
    for numbers in (range(table.drawn), range(table.drawn, len(table))):
        found = first_failure(table, student, map(table.row, numbers), limit(TRY))
        tried, complete = tried + found.tried, complete and found.complete
        if found.failure:
            remembers = answers_otherwise_later(found.failure, student)
            return Outcome(remembers or named(found.failure, student, limit(NAME)), tried)
    return Outcome(None, tried, complete)


def first_failure(
    table: Table, student: Student, rows: Iterable[Row], is_over: Callable[[], bool] = lambda: False
) -> Outcome:
    """The outcome of asking these rows in their order, until one is not answered as expected, or time is over."""
    tried = 0
    for row in rows:
        if is_over():
            return Outcome(None, tried, False)
        tried += 1
        try:
            given = answer(table, student, row.case, abs(row.number))
        except StudentError as error:
            given = error
        if failure := failed(table, row, given):
            return Outcome(failure, tried)
    return Outcome(None, tried)


def failed(table: Table, row: Row, given: Any) -> Failure | None:
    """The `Failure` of this answer to the row, or of the `StudentError` in its place; None if it is right."""
    if isinstance(given, StudentError):
        return Failure(table, row, None, Wrong(given.words), given)
    wrong = judged(table, row, given)
    return None if wrong is None else Failure(table, row, given, wrong, mistake=wrong.mistake)


def answer(table: Table, student: Student, case: tuple, seed: int = 0) -> Any:
    """The student's answer to this case; raises `StudentError` if there is none."""
    student.case, student.seed = case, seed
    try:
        return table.ask(student, table.name, case)
    except StudentError:
        raise
    except Exception as error:  # what the student returns has a type that the ask cannot read
        raise no_answer("not plain", f"{type(error).__name__}: {error}") from error


def answer_or_error(table: Table, student: Student, row: Row) -> Any:
    """The student's answer to this row, or a `Raised` for an error."""
    try:
        return answer(table, student, row.case, abs(row.number))
    except StudentError as error:
        return Raised(error.reason)


def judged(table: Table, row: Row, given: Any) -> Wrong | None:
    """What is wrong with this answer, or None if it is right."""
    try:
        wrong = table.judge(row, given)
    except Exception:  # what the student returns has a type that the judge cannot read
        wrong = NO_RETURN if given is None else N_("The answer does not have the type that was asked for.")
    return Wrong(wrong) if isinstance(wrong, str) else wrong


# The name of a mistake. One is found by asking again.

REMEMBERS = N_("something is kept between calls")
TWICE = N_("Called twice, your function first returns {} and then {} for the same case.")
LATER = N_("Called first of all, your function returns {}; called after other cases, it returns {} for the same case.")
KEPT = N_(
    "Look for a list, dictionary or set that stays from call to call: in a default argument such as `seen=set()`, in a "
    "variable outside the function, or in `self`."
)


def answers_otherwise_later(failure: Failure, student: Direct) -> Failure | None:
    """The failure of a function that answers the same call otherwise when it was called before, or None.

    Nothing is asked again of a question that has a single case, which takes long.
    """
    table, row = failure.table, failure.row
    if len(table) == 1 or failure.verdict is Verdict.UNANSWERED:
        return None
    given = Raised(failure.error.reason) if failure.error else failure.given
    student.forget()
    first, second = (answer_or_error(table, student, row) for _ in range(2))
    for other, differs in ((given, LATER), (second, TWICE)):
        if not same(first, other) and repr(first) != repr(other):
            words = gettext(differs, *differing(first, other))
            return failure._replace(wrong=Wrong(words), mistake=Mistake(REMEMBERS, KEPT))
    return None


# Others are known: their stored answers equal the student's in every row that was tried.


def named(failure: Failure, student: Student, is_over: Callable[[], bool]) -> Failure:
    """The failure on a row of its table, with the known mistake that explains the answers to this row and to others.

    First come the rows that tell known mistakes apart, then others at random, until `is_over()`. A mistake that the
    judge names from the failed row alone is kept only if it explains every wrong answer.
    """
    table = failure.table
    if failure.verdict is Verdict.UNANSWERED or (not table.mistakes and failure.mistake is None):
        return failure
    answers = []
    others = Random(table.identifier).sample(range(len(table)), len(table))
    for number in dict.fromkeys([failure.row.number, *telling_rows(table), *others]):
        if is_over():
            break
        row = table.row(number)
        known = failure.error is None and row is failure.row
        answers.append((row, failure.given if known else answer_or_error(table, student, row)))
    return failure._replace(mistake=_from_columns(table, answers) or _from_judge(failure, answers))


@lru_cache
def telling_rows(table: Table) -> list[int]:
    """Rows, small ones first, that tell known mistakes apart, and each of them from a right answer."""
    columns = {(0,) * len(table), *(mistake.column for mistake in table.mistakes)}
    groups: list = [()] * len(columns)  # of those that answer alike to the rows
    rows = []
    for number, answers in enumerate(zip(*columns)):
        if len(set(groups)) == len(columns):
            break
        smaller = list(zip(groups, answers))
        if len(set(smaller)) > len(set(groups)):
            groups = smaller
            rows.append(number)
    return rows


def _from_columns(table: Table, answers: list[tuple[Row, Any]]) -> Mistake | None:
    """The mistakes that answer as the student did: in all of each answer, or else in the part that matters."""
    if len(answers) < min(FEW, len(table)):  # slow code answers few rows in the time, which fit many a mistake
        return None
    for compared in (lambda answer: answer, *PARTS_TO_NAME.get(table.part, ())):
        left, shows = table.mistakes, set()
        for row, given in answers:
            fits = {at for at, known in enumerate(row.answers) if same_part(compared, known, given)}
            left = [mistake for mistake in left if mistake.column[row.number] in fits]
            if 0 not in fits:
                shows |= {mistake[:2] for mistake in left}
        if found := either(mistake for mistake in left if mistake[:2] in shows):
            return found  # several, if no row tells them apart
    return None


def _from_judge(failure: Failure, answers: list[tuple[Row, Any]]) -> Mistake | None:
    """The mistake that the judge finds in every wrong answer, or None."""
    returned = ((row, given) for row, given in answers if not isinstance(given, Raised))
    wrong = [failure.wrong, *(judged(failure.table, row, given) for row, given in returned)]
    found = [_each(each.mistake) for each in wrong if each is not None]
    return either(Mistake(name, found[0][name]) for name in found[0] if all(name in others for others in found))


def _each(mistake):
    """Name → sentence of each of the mistakes that this may be."""
    return dict(zip(mistake.name.split(" or "), mistake.sentence.split(" Or: "))) if mistake else {}
