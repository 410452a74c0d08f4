"""Students who are asked: in a notebook a `Direct` one, whose code is at hand and runs by the rules of a graded run."""

import ast
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from inspect import unwrap
from types import FunctionType
from typing import Any, Protocol

import course_lib
from course_lib.check.comparing import shown
from course_lib.check.failures import no_answer, place, student_error
from course_lib.check.graded import (
    ABSENT,
    RANDOM,
    StandIn,
    called,
    home_of,
    is_hidden,
    is_of,
    plain,
    replacement,
    stand_ins,
)


class Student(Protocol):
    """A student who is asked: a `Direct` one, or the grader's `RemoteStudent`. `case` is the current case."""

    case: tuple

    def call(self, name: str, *arguments: Any) -> Any:
        """What the function returns, as plain data. `StudentError` if there is no such answer."""

    def read(self, name: str) -> Any:
        """The value of the variable, as plain data. `StudentError` if there is no such answer."""


class Direct:
    """A student whose code is at hand: `answer` is their function, or the value of their variable.

    While the function runs, its imports find `modules`, by name. A variable is not an answer if it was computed
    `by_library`.
    """

    def __init__(self, answer: Any, by_library: bool = False, modules: dict[str, Any] | None = None):
        self.answer, self.by_library, self.modules = answer, by_library, modules or {}
        self.calls = 0
        self.case: tuple = ()
        self.kept = _kept_between_calls(answer)

    def call(self, name: str, *arguments: Any) -> Any:
        """What the function returns, as plain data. `StudentError` if there is no such answer."""
        if not callable(self.answer):
            raise no_answer("no function", shown(self.answer), name)
        self.calls += 1
        with imports_replaced(self.modules):
            return self._explained(lambda: called(self.answer, arguments, self.calls))

    def read(self, name: str) -> Any:
        """The value of the variable, as plain data. `StudentError` if there is no such answer."""
        if self.by_library:
            raise no_answer("not there")
        return self._explained(lambda: plain(self.answer))

    @contextmanager
    def as_first_call(self, forget: bool) -> Iterator[None]:
        """Random numbers are those of the first call; `forget` what was kept since. Afterwards all is as before."""
        calls, self.calls, now = self.calls, 0, [(value, copy(value)) for value, _ in self.kept]
        _restore(self.kept if forget else ())
        try:
            yield
        finally:
            self.calls = calls
            _restore(now)

    def _explained(self, get: Callable) -> Any:
        try:
            return get()
        except (Exception, SystemExit) as error:
            raise student_error(type(error).__name__, str(error), place(error)) from error


def _kept_between_calls(answer):
    """(value, copy) of the lists, dictionaries and sets in the notebook's names, its default arguments, and `self`."""
    names = {name: value for name, value in names_of(answer).items() if name not in ("In", "Out") and name[0] != "_"}
    own = [value for value in names.values() if getattr(value, "__module__", 0) == getattr(answer, "__module__", "")]
    owners = [answer, getattr(answer, "__self__", None), *own]
    values = [*names.values(), *(value for owner in owners for value in getattr(owner, "__dict__", {}).values())]
    values += [value for owner in owners for value in getattr(owner, "__defaults__", None) or ()]
    values += [value for owner in owners for value in (getattr(owner, "__kwdefaults__", None) or {}).values()]
    return [(value, copy(value)) for value in values if type(value) in (list, dict, set)]


def _restore(kept):
    for value, before in kept:
        value.clear()
        (value.extend if isinstance(value, list) else value.update)(before)


@contextmanager
def as_graded(answer: Any, by_library: bool = False) -> Iterator[Direct]:
    """The `Direct` student of an answer, whose names and imports hold what they hold in a graded run.

    Afterwards everything is restored, even if the answer's code was stopped.
    """
    names = names_of(answer)
    others = {name: replacement(name, value) for name, value in names.items() if is_hidden(value)}
    answer = replacement(getattr(answer, "__name__", ""), answer) if is_hidden(answer) else answer
    student = Direct(answer, by_library, stand_ins())
    with swapped(names, others), _put_back(sys.modules), _put_back(vars(course_lib)), _random_state_kept():
        yield student


@contextmanager
def imports_replaced(modules: dict[str, Any]) -> Iterator[None]:
    """Imports find these modules. What is imported is put back, as it was before."""
    of_package = {name.rpartition(".")[2]: module for name, module in modules.items() if name.count(".") == 1}
    with swapped(sys.modules, modules), swapped(vars(course_lib), of_package):
        yield


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


@contextmanager
def _put_back(table):
    """Afterwards no stand-in is left in the table: code may be stopped even while its names are swapped back."""
    kept = dict(table)
    try:
        yield
    finally:
        for name in [name for name, value in table.items() if isinstance(value, StandIn)]:
            del table[name]
        table.update(kept)


@contextmanager
def _random_state_kept():
    """Afterwards the notebook's random numbers go on as if nothing had been checked."""
    modules = [sys.modules[name] for name in RANDOM if name in sys.modules]
    states = [module.getstate() if hasattr(module, "getstate") else module.get_state() for module in modules]
    try:
        yield
    finally:
        for module, state in zip(modules, states):
            (module.setstate if hasattr(module, "setstate") else module.set_state)(state)


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
            lines = [node for node in ast.parse(cell).body if not isinstance(node, ast.FunctionDef | ast.ClassDef)]
            sets = [n for n, line in enumerate(lines) if name in {node.id for node in _nodes(line, ast.Name)
                                                                  if isinstance(node.ctx, ast.Store)}]  # fmt: skip
            if sets:
                called = (call.func for line in lines[: sets[-1] + 1] for call in _nodes(line, ast.Call))
                return any(isinstance(f, ast.Name) and is_of(ABSENT, home_of(names.get(f.id))) for f in called)
    return False


def _nodes(line, kind):
    return [node for node in ast.walk(line) if isinstance(node, kind)]
