"""The grader's rules in a notebook: an answer can use only the games of course_lib."""

import ast
import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from inspect import unwrap
from types import FunctionType, ModuleType
from typing import Any, NoReturn
from unittest.mock import MagicMock

import course_lib
from course_lib.check.failures import NotThere

ABSENT = "course_lib.search", "course_lib.alphazero"
SILENT = "course_lib.watch", "course_lib.explore", "course_lib.check"
"""The packages that are absent when an exercise is graded, and those whose functions then do nothing."""


def is_of(modules: tuple[str, ...], value: Any) -> bool:
    """Whether a value comes from one of these packages."""
    value = value.func if isinstance(value, functools.partial) else value
    home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
    return str(home).startswith(modules)


class StandIn(ModuleType):
    """What an answer finds in place of a module that is absent, or that does nothing, in a graded run."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return MagicMock() if is_of(SILENT, self) else missing(name)


def missing(name: str) -> Callable[..., NoReturn]:
    def not_there(*arguments, **keywords):
        raise NotThere(f"{name} is not available")

    return not_there


def stand_in(name: str, value: Any) -> Any:
    """What an answer finds in a name that holds this value."""
    if isinstance(value, ModuleType):
        return StandIn(value.__name__)
    return MagicMock() if is_of(SILENT, value) else missing(name)


def is_hidden(value: Any) -> bool:
    is_error = isinstance(value, type) and issubclass(value, Exception)  # such as TimeUp
    return is_of(ABSENT + SILENT, value) and not is_error


@contextmanager
def as_graded(answer: Any) -> Iterator[Any]:
    """While an answer is checked, its names and its imports hold what they hold in a graded run. Yields the answer.

    Afterwards everything is restored, even if the answer's code was stopped.
    """
    names = names_of(answer)
    others = {name: stand_in(name, value) for name, value in names.items() if is_hidden(value)}
    with _swapped(names, others), _put_back(sys.modules), _put_back(vars(course_lib)):
        answer = stand_in(getattr(answer, "__name__", ""), answer) if is_hidden(answer) else answer
        yield with_modules_blocked(answer) if callable(answer) else answer


def with_modules_blocked(function: Callable) -> Callable:
    """The function; while it is called, imports find stand-ins. What is imported is put back, as it was before."""
    loaded = [name for name in sys.modules if name.startswith(ABSENT + SILENT)]
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
                return any(isinstance(f, ast.Name) and is_of(ABSENT, names.get(f.id)) for f in called)
    return False


def _nodes(line, kind):
    return [node for node in ast.walk(line) if isinstance(node, kind)]
