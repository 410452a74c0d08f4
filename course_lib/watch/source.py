"""Reading the code of a search before it runs: which functions are recursive, and which arguments are states."""

import dis
import inspect
import sys
from collections import ChainMap, defaultdict, deque
from collections.abc import Callable, Mapping
from functools import partial
from operator import itemgetter
from types import CodeType, FrameType, FunctionType
from typing import Any

GAME_METHODS = "initial_state", "to_move", "actions", "result", "is_terminal", "utility", "chances"
STATE_NAMES = "state", "s", "node", "position", "board", "heap", "heaps"
NOT_A_STATE = "self", "cls", "game", "player", "depth", "alpha", "beta", "ply", "action", "limit"
MAX_FUNCTIONS = 500
"""At most this many functions are read, breadth-first from the search."""


def state_and_action(result: FunctionType, is_method: bool = False) -> Callable[[Mapping], tuple]:
    """A function that finds the state and the action among the local variables of a call of a game's `result`.

    These are the last two arguments; of a method of states, which has others between them, the first and the last.
    """
    code = result.__code__
    parameters = code.co_varnames[: code.co_argcount]
    if code.co_flags & inspect.CO_VARARGS:
        rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount]
        return lambda values: (*(values[name] for name in parameters), *values[rest])[-2:]
    required = parameters[: len(parameters) - len(result.__defaults__ or ())]
    if len(required) < 2:
        raise ValueError(f"expected result(state, action), got {result.__qualname__}{inspect.signature(result)}")
    return itemgetter(required[0 if is_method else -2], required[-1])


def function_of(search: Callable[..., Any]) -> FunctionType:
    """The Python function behind a callable: a method's, a partial's, a decorated one's."""
    function = search
    while isinstance(function, partial):
        function = function.func
    function = inspect.unwrap(function)
    if callable(function) and not inspect.isroutine(function):
        function = function.__call__
    if not hasattr(function, "__code__"):
        raise ValueError(f"pass the search itself, as in watch(minimax_search, game, state), not {search!r}")
    return function


def recursive_codes(search: Callable[..., Any], result: str = "result") -> set[CodeType]:
    """The code of each function that may call itself, directly or through others, when this search is called.

    Of several, those count that call the function named `result`, directly or through others.
    It depends on the names in the code: a name refers to every function of that name, variable or attribute.
    """
    codes_named, names_in, to_visit = defaultdict(set), {}, deque([("", search)])
    while to_visit and len(names_in) < MAX_FUNCTIONS:
        for name, function in _functions_in(*to_visit.popleft()):
            code = function.__code__
            codes_named[name].add(code)
            if code not in names_in:
                found = _names_by_code(code, codes_named)
                names_in |= found
                closure = {var: cell.cell_contents for var, cell in zip(code.co_freevars, function.__closure__ or ())}
                to_visit += _resolved(set().union(*found.values()), ChainMap(closure, function.__globals__)).items()
    calls = {code: set().union(*(codes_named[name] for name in names)) for code, names in names_in.items()}
    reached = {code: _reached(calls, code) for code in calls}
    recursive = {code for code, below in reached.items() if code in below and code.co_name not in GAME_METHODS
                 and not code.co_flags & inspect.CO_GENERATOR}  # fmt: skip
    calls_result = {c for c in recursive if any(result in names_in.get(other, ()) for other in reached[c])}
    return calls_result or recursive  # helpers may be recursive too


def _reached(calls, code):
    """The codes that this one calls, directly or through others."""
    found, unread = set(), [code]
    for caller in unread:
        unread += (new := calls.get(caller, set()) - found)
        found |= new
    return found


def _functions_in(name, found):
    """(name, function) for the function, or for each method of the class or object, unless it is Python's own."""
    while isinstance(found, partial):
        found = found.func
    if (getattr(found, "__module__", None) or "").partition(".")[0] in sys.stdlib_module_names - {"__main__"}:
        return
    owner = getattr(found, "__self__", found)
    owner = owner if inspect.isclass(owner) else type(owner)
    methods = [item for base in owner.__mro__ for item in vars(base).items()]
    for called, function in [(name, found), *methods]:
        function = inspect.unwrap(getattr(function, "__func__", function))
        if inspect.isfunction(function):
            yield called, function


def _resolved(names, scope):
    """The objects of these names: variables in the scope, and attributes of the modules among them."""
    resolved = {name: scope.get(name, sys.modules.get(name)) for name in names}
    for _ in ("module.function", "package.module.function"):
        modules = [vars(found) for found in resolved.values() if inspect.ismodule(found)]
        resolved |= {name: module[name] for module in modules for name in names if name in module}
    return {name: found for name, found in resolved.items() if found is not None}


def _names_by_code(code, codes_named):
    """Code → the names in it, for this code and the codes nested in it, which are added to `codes_named`."""
    names, found, made = {*code.co_names, *code.co_freevars, *code.co_cellvars}, {}, None
    for step in dis.get_instructions(code):
        if inspect.iscode(step.argval):
            made = step.argval
            found |= _names_by_code(made, codes_named)
            if made.co_name.startswith("<"):  # the calls of a generator expression or a lambda are its function's
                names |= found[made]
            else:
                names.add(made.co_name)
                codes_named[made.co_name].add(made)
        elif step.opname == "STORE_DEREF" and made is not None:
            codes_named[step.argval].add(made)
    return found | {code: names}


def has_returned(frame: FrameType) -> bool:
    """False if the call ends with an exception."""
    return dis.opname[frame.f_code.co_code[frame.f_lasti]].startswith("RETURN")
