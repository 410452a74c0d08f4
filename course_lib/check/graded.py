"""The rules of a graded run, the same in a notebook's checks and in the grader's sandbox, where this file is mounted.

It imports nothing but the standard library. What a student's code may use: of course_lib the games alone. How it is
called: with copies of its arguments, and seeded random numbers; `with_leaves` and `with_clock` also say what it did.
What it may return: plain data.
"""

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from copy import copy, deepcopy
from functools import partial
from operator import index
from types import ModuleType
from typing import Any

ABSENT = "course_lib.search", "course_lib.alphazero"
SILENT = "course_lib.watch", "course_lib.explore", "course_lib.check"
"""The packages that are absent when an exercise is graded, and those whose functions then do nothing."""
CHECK = ["CheckFailed", "NotAnswered", "NotPossible", "check", "explore_my_code", "hint", "personal_tree", "score",
         "student", "warm_up"]  # fmt: skip
"""All names of course_lib.check, for `import *`."""
DEEPEST, MOST_ITEMS, MOST_BITS, MOST_CHARACTERS = 30, 11_000, 1_024, 1_000_000
"""How deep an answer may be nested, how many items it may hold in all, how long its numbers and texts may be."""


class NotThere(RuntimeError):
    """The student's code called a part of course_lib that is not available in a graded run."""


class Changed(Exception):
    """The student's function has changed an argument that it was given."""


class NotPlain(ValueError):
    """The answer is not plain data."""


class Silent:
    """Accepts every call, attribute, item and operation, and does nothing."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __iter__(self):
        """Two, as for `value, action = …`."""
        return iter((self, self))

    def __await__(self):
        return iter(())


SILENCE = Silent()
OPERATIONS = "add sub mul truediv floordiv mod pow radd rsub rmul neg lt le gt ge call getitem enter"
RETURNS: dict[str, Any] = dict.fromkeys(OPERATIONS.split(), SILENCE)
RETURNS |= {"setitem": None, "exit": False, "repr": "", "format": "", "len": 0, "bool": True}
"""What each special method of `Silent` returns."""
for method, returned in RETURNS.items():
    setattr(Silent, f"__{method}__", lambda self, *arguments, _returned=returned, **keywords: _returned)


def is_of(packages: Sequence[str], module: str) -> bool:
    """Whether a module is one of these packages, or in one of them."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def stand_in(name: str, module: str) -> Any:
    """What a student's code finds in place of this name of a module that is absent or silent in a graded run."""
    if not is_of(ABSENT, module):
        return SILENCE
    if name == "TimeUp":
        return type(name, (Exception,), {})

    def missing(*arguments, **keywords):
        raise NotThere(f"{name} is not available when an exercise is graded: of course_lib only the games are")

    return missing


def home_of(value: Any) -> str:
    """The module that a value comes from; a module's own name."""
    value = value.func if isinstance(value, partial) else value
    return str(value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", ""))


def is_hidden(value: Any) -> bool:
    """Whether a value is replaced in a graded run."""
    is_error = isinstance(value, type) and issubclass(value, Exception)  # such as TimeUp
    return is_of(ABSENT + SILENT, home_of(value)) and not is_error


def replacement(name: str, value: Any) -> Any:
    """What a name that holds this value holds in a graded run."""
    return StandIn(value.__name__) if isinstance(value, ModuleType) else stand_in(name, home_of(value))


class StandIn(ModuleType):
    """What is imported in place of a module that is absent or silent: it has every name."""

    __path__: list = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        setattr(self, name, stand_in(name, self.__name__))
        return getattr(self, name)


def stand_ins() -> dict[str, StandIn]:
    """By name, what is imported in place of the modules of course_lib that are absent or silent."""
    loaded = [name for name in sys.modules if is_of(ABSENT + SILENT, name)]
    modules = {name: StandIn(name) for name in (*ABSENT, *SILENT, *loaded)}
    for name, module in modules.items():
        package, _, own = name.rpartition(".")
        if package in modules:
            setattr(modules[package], own, module)
    return modules


class Lookup(dict):
    """A function given by its table, such as an evaluation. Another argument gives `other`, or an error without it."""

    def __init__(self, table: Mapping, other: Any = None):
        super().__init__(table)
        self.other = other

    def __call__(self, state, *more):
        if more:
            raise TypeError(f"the function takes one argument, a state, and is called with {1 + len(more)}")
        if state not in self and self.other is None:
            raise ValueError(f"the function is called with {state!r}, for which it is not defined")
        return self.get(state, self.other)


def called(function: Callable, arguments: Sequence, seed: int) -> Any:
    """What the student's function returns for copies of these arguments, as plain data.

    Modules of random numbers begin with the `seed`, unless it is 0. Raises `Changed` and `NotPlain`, beside what the
    function raises.
    """
    if seed:
        random.seed(seed)
        if numpy := sys.modules.get("numpy"):
            numpy.random.seed(seed)
    given = [*map(copied, arguments)]
    answer = function(*given)
    for before, after in zip(arguments, given):
        if before is not after and _listed(before) != _listed(after):
            raise Changed(f"{before!r} has become {after!r}")
    return plain(answer)


def with_leaves(function: Callable, arguments: Sequence, seed: int) -> list:
    """[what is returned, the states of a tree whose utility or estimate the function asked for, in order]."""
    seen: list = []  # code can find and change it, but only a right search knows what must be in it
    if getattr(arguments[0], "transposes", True):  # states may come again, and be remembered
        return [called(function, arguments, seed), seen]
    given = [noting_leaves(each, seen) if hasattr(each, "to_move") else _noting(each, seen) if callable(each) else each
             for each in arguments]  # fmt: skip
    return [called(function, given, seed), plain(seen)]


def noting_leaves(game: Any, seen: list) -> Any:
    """A copy of the game that notes in `seen` each state whose utility is asked for."""
    noted = copy(game)
    noted.utility = _noting(game.utility, seen)
    return noted


def _noting(function, seen):
    """The same function of a state, which is noted in `seen`; immediate repetitions count once."""

    def noted(state, *player):
        value = function(state, *player)
        if seen[-1:] != [state]:
            seen.append(state)
        return value

    return noted


def with_clock(function: Callable, arguments: Sequence, seed: int) -> list | None:
    """[the returned action, (depth, deadline) of each search], by a fake clock; None without an action.

    The arguments are (searches of depth 1, 2 …, the start time, the seconds available). For each search they contain
    the seconds that the search takes, the column that it finds, and its column when it is cut short.
    """
    searches, now, seconds = arguments
    begun: list = []

    def search(depth, deadline):
        nonlocal now
        if len(begun) <= len(searches):  # one too many is enough to see
            begun.append((depth, deadline))
        cost, found, seen = searches[min(max(depth, 1), len(searches)) - 1]
        ready = now + cost
        finished, now = ready <= deadline, max(now, min(ready, deadline))
        return found if finished else seen, finished

    action = called(function, (search, lambda: now, seconds, len(searches)), seed)
    return None if action is None else plain([action, begun])


def copied(argument: Any) -> Any:
    """A copy of what a function may change."""
    if isinstance(argument, Lookup):
        return Lookup(argument, argument.other)  # what is in it cannot be changed
    return deepcopy(argument) if isinstance(argument, list | dict | set) or hasattr(argument, "tolist") else argument


def _listed(argument):
    return argument.tolist() if hasattr(argument, "tolist") else argument


def plain(value: Any) -> Any:
    """The same value rebuilt from exact None, bool, int, float, str, tuple, list, dict and set, and nothing else.

    Subclasses lose what they add, NumPy's numbers become Python's, its arrays lists, and fractions floats. Anything
    else, and what is nested too deep or too large, raises a `NotPlain` that says so; `...`, wherever it is,
    `NotImplementedError`.
    """
    try:
        return _rebuilt(value, DEEPEST, [MOST_ITEMS])
    except TypeError as error:  # a set of what cannot be in one
        raise NotPlain(str(error)) from error


def _rebuilt(value, depth, left):
    left[0] -= 1
    if depth < 0 or left[0] < 0:
        raise NotPlain(f"an answer has at most {MOST_ITEMS:,} items, nested at most {DEEPEST} deep; yours has more")
    if value is ...:
        raise NotImplementedError("the answer contains '...', which stands for what is still to be typed")
    if value is None or value is True or value is False:
        return value
    if isinstance(value, int):
        return _short(index(value))
    if isinstance(value, float):
        return float.__pos__(value)
    if isinstance(value, str):
        if len(value) > MOST_CHARACTERS:
            raise NotPlain(f"a string has at most {MOST_CHARACTERS:,} characters; yours has {len(value):,}")
        return str.__str__(value)
    if isinstance(value, dict):
        return {_rebuilt(k, depth - 1, left): _rebuilt(v, depth - 1, left) for k, v in value.items()}
    for kind in (tuple, list, set, frozenset):
        if isinstance(value, kind):
            return (set if kind is frozenset else kind)([_rebuilt(item, depth - 1, left) for item in value])
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return _rebuilt(value.tolist(), depth, left)
    if type(value).__module__ == "fractions" and hasattr(value, "numerator"):
        return _short(index(value.numerator)) / _short(index(value.denominator))
    raise NotPlain(f"an answer consists of numbers, strings, tuples, lists, dictionaries and sets, "
                     f"and yours contains something of type {type(value).__name__}")  # fmt: skip


def _short(number):
    if number.bit_length() > MOST_BITS:
        raise NotPlain(f"a whole number in an answer has at most {MOST_BITS:,} binary digits; yours has more")
    return number
