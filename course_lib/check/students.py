"""Students who are asked: in a notebook a `Direct` one, whose code is at hand and runs by the rules of a graded run."""

import ast
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from inspect import unwrap
from types import FunctionType
from typing import Any, Protocol

import course_lib
from course_lib.check import graded
from course_lib.check.comparing import shown
from course_lib.check.failures import no_answer, place, student_error
from course_lib.check.graded import ABSENT, home_of, is_hidden, is_of, plain, replacement, stand_ins


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
