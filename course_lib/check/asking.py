"""Getting a student's answer to a case: their function, or their variable, as plain data or as a `StudentError`.

The notebook asks a `Direct` student, whose code is at hand; the grader one whose code runs in a sandbox. An *ask* is a
function of (student, name, case, options) and returns what the judge of the question gets.
"""

from copy import deepcopy
from inspect import signature
from typing import Any, Protocol

from course_lib.check.comparing import ODD_ANSWER, shown
from course_lib.check.failures import NotThere, StudentError, no_answer, place, raised
from course_lib.check.plain import plain
from course_lib.check.tables import Lookup, Options, Raised, Table
from course_lib.games import Game, TreeGame
from course_lib.games.game import GameWrapper, State


class Student(Protocol):
    """A student who is asked: a `Direct` one, or the grader's `RemoteStudent`. `case` is the current case."""

    case: tuple

    def call(self, name: str, *arguments: Any) -> Any:
        """What the function returns, as plain data. `StudentError` if there is no such answer."""

    def read(self, name: str) -> Any:
        """The value of the variable, as plain data. `StudentError` if there is no such answer."""


class Direct:
    """A student whose code is at hand: `answer` is their function, or the value of their variable."""

    def __init__(self, answer: Any, by_library: bool = False):
        self.answer, self.by_library = answer, by_library
        self.case: tuple = ()

    def call(self, name: str, *arguments: Any) -> Any:
        """What the function returns, as plain data. `StudentError` if there is no such answer."""
        if not callable(self.answer):
            raise no_answer("no function", shown(self.answer), name)
        given = [deepcopy(argument) if _may_change(argument) else argument for argument in arguments]
        try:
            answer = _checked(lambda: self.answer(*given))
        except StudentError as error:
            if isinstance(error.__cause__, TypeError) and not _takes(self.answer, given):
                raise no_answer("other arguments", name, len(given), error.__cause__) from error
            raise
        for before, after in zip(arguments, given):
            if _may_change(before) and not _unchanged(before, after):
                raise no_answer("changed", f": {before!r} has become {after!r}")
        return answer

    def read(self, name: str) -> Any:
        """The value of the variable, as plain data; in a graded run, the library's searches cannot compute it."""
        if self.by_library:
            raise no_answer("not there")
        return _checked(lambda: self.answer)


def _may_change(argument):
    return isinstance(argument, list | dict | set) or hasattr(argument, "tolist")


def _unchanged(before, after):
    return before.tolist() == after.tolist() if hasattr(before, "tolist") else before == after


def _takes(function, arguments):
    try:
        signature(function).bind(*arguments)
    except TypeError:
        return False
    return True


def _checked(get):
    """What `get()` returns, as plain data; every way in which that fails is a `StudentError`."""
    try:
        answer = get()
    except NotImplementedError as error:
        raise no_answer("unanswered", "not answered yet") from error
    except RecursionError as error:
        raise no_answer("too deep", line=place(error)) from error
    except NotThere as error:
        raise no_answer("not there", line=place(error)) from error
    except (Exception, SystemExit) as error:
        raise raised(f"{type(error).__name__}: {error}", place(error)) from error
    try:
        return plain(answer)
    except NotImplementedError as error:
        raise no_answer("unanswered", "not answered yet") from error
    except (ValueError, TypeError) as error:
        raise no_answer("not plain", error) from error


class Recorded(GameWrapper):
    """A game that notes in `seen` each state whose utility is asked for; immediate repetitions count once."""

    def __init__(self, game: Game, seen: list):
        super().__init__(game)
        self._seen = seen

    def utility(self, state: State, player: int) -> float:
        return _noted(self._seen, state, self._game.utility(state, player))


def _noted(seen, state, value):
    if seen[-1:] != [state]:
        seen.append(state)
    return value


def call(student: Student, name: str, case: tuple, options: Options) -> Any:
    """What the student's function returns for the arguments in the case."""
    return student.call(name, *case)


def call_and_leaves(student: Student, name: str, case: tuple, options: Options) -> list:
    """[what the function returns, the states of a tree whose utility or estimate it asked for, in order]."""
    seen = []
    if not isinstance(case[0], TreeGame):  # states may come again, and be remembered
        return [student.call(name, *case), seen]

    def recorded(argument):
        if isinstance(argument, TreeGame):
            return Recorded(argument, seen)
        if isinstance(argument, Lookup):
            return lambda state: _noted(seen, state, argument(state))
        return argument

    answer = student.call(name, *map(recorded, case))
    return [answer, seen]


def read(student: Student, name: str, case: tuple, options: Options) -> Any:
    """The value of the student's variable."""
    return student.read(name)


def answer(table: Table, student: Student, case: tuple) -> Any:
    """The student's answer to this case; raises `StudentError` if there is none."""
    student.case = case
    try:
        return table.function(table.ask)(student, table.name, case, table.options)
    except ODD_ANSWER as error:  # what the student returns has a type that the ask cannot read
        raise no_answer("not plain", f"{type(error).__name__}: {error}") from error


def answer_or_error(table: Table, student: Student, case: tuple) -> Any:
    """The student's answer to this case, or a `Raised` for an error."""
    try:
        return answer(table, student, case)
    except StudentError as error:
        return Raised(error.kind, error.words.partition(":")[0])
