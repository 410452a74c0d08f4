"""Students who are asked: in a notebook a `Direct` one, whose code is at hand and runs by the rules of a graded run."""

import ast
import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from inspect import unwrap
from types import FunctionType, ModuleType
from typing import Any, Protocol

import course_lib
from course_lib.check.comparing import shown
from course_lib.check.failures import no_answer, place, student_error
from course_lib.check.graded import ABSENT, RANDOM, SILENT, StandIn, called, is_of, plain, stand_in


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
        self.answer, self.by_library, self.calls = answer, by_library, 0
        self.case: tuple = ()

    def call(self, name: str, *arguments: Any) -> Any:
        """What the function returns, as plain data. `StudentError` if there is no such answer."""
        if not callable(self.answer):
            raise no_answer("no function", shown(self.answer), name)
        self.calls += 1
        return self._explained(lambda: called(self.answer, arguments, self.calls))

    def read(self, name: str) -> Any:
        """The value of the variable, as plain data; in a graded run, the library's searches cannot compute it."""
        if self.by_library:
            raise no_answer("not there")
        return self._explained(lambda: plain(self.answer))

    def _explained(self, get: Callable) -> Any:
        try:
            return get()
        except (Exception, SystemExit) as error:
            raise student_error(type(error).__name__, str(error), place(error)) from error


def home_of(value: Any) -> str:
    """The module that a value comes from; a module's own name."""
    value = value.func if isinstance(value, functools.partial) else value
    return str(value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", ""))


def is_hidden(value: Any) -> bool:
    is_error = isinstance(value, type) and issubclass(value, Exception)  # such as TimeUp
    return is_of(ABSENT + SILENT, home_of(value)) and not is_error


def _replacement(name: str, value: Any) -> Any:
    return StandIn(value.__name__) if isinstance(value, ModuleType) else stand_in(name, home_of(value))


@contextmanager
def as_graded(answer: Any) -> Iterator[Any]:
    """While an answer is checked, its names and its imports hold what they hold in a graded run. Yields the answer.

    Afterwards everything is restored, even if the answer's code was stopped.
    """
    names = names_of(answer)
    others = {name: _replacement(name, value) for name, value in names.items() if is_hidden(value)}
    with _swapped(names, others), _put_back(sys.modules), _put_back(vars(course_lib)), _random_state_kept():
        answer = _replacement(getattr(answer, "__name__", ""), answer) if is_hidden(answer) else answer
        yield with_modules_blocked(answer) if callable(answer) else answer


def with_modules_blocked(function: Callable) -> Callable:
    """The function; while it is called, imports find stand-ins. What is imported is put back, as it was before."""
    loaded = [name for name in sys.modules if is_of(ABSENT + SILENT, name)]
    modules = {name: StandIn(name) for name in (*ABSENT, *SILENT, *loaded)}
    of_package = {name.rpartition(".")[2]: room for name, room in modules.items() if name.count(".") == 1}

    @functools.wraps(function)
    def graded(*arguments):
        with _swapped(sys.modules, modules), _swapped(vars(course_lib), of_package):
            return function(*arguments)

    return graded


@contextmanager
def _swapped(names, others):
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
