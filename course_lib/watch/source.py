"""Reading the code of a search before it runs: which functions call themselves, and with which arguments."""

import dis
import inspect
import sys
from collections import ChainMap, defaultdict, deque
from collections.abc import Callable, Mapping
from functools import partial
from operator import itemgetter
from types import CodeType, FrameType, FunctionType

GAME_METHODS = "initial_state", "to_move", "actions", "result", "is_terminal", "utility", "chances"
STATE_NAMES = "state", "s", "node", "position", "board", "heap", "heaps"
NOT_A_STATE = "self", "cls", "game", "player", "depth", "alpha", "beta", "ply", "action", "limit"
MOST_FUNCTIONS = 500
"""At most this many functions are read, the nearest first."""


def last_two_arguments(result: FunctionType) -> Callable[[Mapping], tuple]:
    """A function that finds the state and the action among the local variables of a call of a game's `result`."""
    code = result.__code__
    given = code.co_varnames[: code.co_argcount]
    if code.co_flags & inspect.CO_VARARGS:
        rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount]
        return lambda values: (*(values[name] for name in given), *values[rest])[-2:]
    required = given[: len(given) - len(result.__defaults__ or ())][-2:]
    if len(required) < 2:
        raise ValueError(f"result of a game takes a state and an action, not what {result.__qualname__} takes")
    return itemgetter(*required)


def function_of(search: Callable) -> FunctionType:
    """The Python function behind a callable: a method's, a partial's, a decorated one's."""
    function = search
    while isinstance(function, partial):
        function = function.func
    function = inspect.unwrap(function)
    if callable(function) and not inspect.isroutine(function):
        function = function.__call__
    if not hasattr(function, "__code__"):
        raise ValueError(f"watch takes the search itself, as in watch(minimax_search, game, state), not {search!r}")
    return function


def takes_the_game(search: Callable) -> bool:
    """Whether a search is called with the game and the state, and not with the state alone."""
    first, *others = inspect.signature(search).parameters.values()
    return first.name not in STATE_NAMES and bool(first.name == "game" or others or first.kind is first.VAR_POSITIONAL)


def recursive_codes(search: Callable) -> set[CodeType]:
    """The code of each function that may call itself, directly or through others, once this search is called.

    The names in the code decide: a name stands for every function that is found under it, variable or attribute.
    """
    named, mentioned, unread = defaultdict(set), {}, deque([("", search)])
    while unread and len(mentioned) < MOST_FUNCTIONS:
        for name, function in _functions_in(*unread.popleft()):
            code = function.__code__
            named[name].add(code)
            if code not in mentioned:
                read = _read(code, named)
                mentioned |= read
                closure = {var: cell.cell_contents for var, cell in zip(code.co_freevars, function.__closure__ or ())}
                unread += _meant(set().union(*read.values()), ChainMap(closure, function.__globals__)).items()
    import networkx as nx  # a third of a second, which only those who watch a search have to wait

    calls = nx.DiGraph((code, other) for code, names in mentioned.items() for name in names for other in named[name])
    recursive = {code for circle in nx.strongly_connected_components(calls) for code in circle if len(circle) > 1}
    recursive |= set(nx.nodes_with_selfloops(calls))
    recursive = {c for c in recursive if not c.co_flags & inspect.CO_GENERATOR and c.co_name not in GAME_METHODS}

    def asks_the_game(code):
        return any("result" in mentioned.get(c, ()) for c in (code, *nx.descendants(calls, code)))

    return {code for code in recursive if asks_the_game(code)} or recursive  # helpers may be recursive too


def _functions_in(name, found):
    """(name, function) for each function behind a name: itself, or the methods of a class or object, not Python's."""
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


def _meant(names, scope):
    """What these names stand for: variables in the scope; attributes in the modules that are named with them."""
    meant = {name: scope.get(name, sys.modules.get(name)) for name in names}
    for _ in ("module.function", "package.module.function"):
        modules = [vars(found) for found in meant.values() if inspect.ismodule(found)]
        meant |= {name: module[name] for module in modules for name in names if name in module}
    return {name: found for name, found in meant.items() if found is not None}


def _read(code, named):
    """Code → the names in it, for this code and those written inside it. Those written inside are added to `named`."""
    names, read, made = {*code.co_names, *code.co_freevars, *code.co_cellvars}, {}, None
    for step in dis.get_instructions(code):
        if inspect.iscode(step.argval):
            made = step.argval
            read |= _read(made, named)
            if made.co_name.startswith("<"):  # a generator expression or a lambda calls on behalf of its function
                names |= read[made]
            else:
                names.add(made.co_name)
                named[made.co_name].add(made)
        elif step.opname == "STORE_DEREF" and made is not None:
            named[step.argval].add(made)
    return read | {code: names}


def really_returned(frame: FrameType) -> bool:
    """False when the call ends because an exception passes through it."""
    return dis.opname[frame.f_code.co_code[frame.f_lasti]].startswith("RETURN")
