"""Reading the code of a search before it runs: which functions call themselves, and with which arguments."""

import dis
import inspect
import sys
from collections import ChainMap, defaultdict, deque
from functools import partial
from operator import itemgetter

GAME_METHODS = "initial_state", "to_move", "actions", "result", "is_terminal", "utility", "chances"
STATE_NAMES = "state", "s", "node", "position", "board", "heap", "heaps"
NOT_A_STATE = "self", "cls", "game", "player", "depth", "alpha", "beta", "ply", "action", "limit"
FAR_ENOUGH = 500
"""So many functions are read, the nearest first, to find out how a search recurses."""


def last_two_arguments(result):
    """A function that finds the state and the action among the local variables of a call of `result`, a game's."""
    code = result.__code__
    given = code.co_varnames[: code.co_argcount]
    if code.co_flags & inspect.CO_VARARGS:
        rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount]
        return lambda values: (*(values[name] for name in given), *values[rest])[-2:]
    required = given[: len(given) - len(result.__defaults__ or ())][-2:]
    if len(required) < 2:
        raise ValueError(f"result of a game takes a state and an action, not what {result.__qualname__} takes")
    return itemgetter(*required)


def function_of(search):
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


def parts_of(found):
    """The (name, part) pairs of a tuple, a dictionary or an object of one's own class; none of anything else."""
    if isinstance(found, tuple):
        return list(enumerate(found))
    slots = getattr(type(found), "__slots__", ())
    return list((found if isinstance(found, dict) else getattr(found, "__dict__", {})).items()) + [
        (name, getattr(found, name)) for name in slots if hasattr(found, name)
    ]


def named_like(code, frame):
    """What stands under the name of the function of this code, which is being called: itself, or what decorates it."""
    name, values = code.co_name, frame.f_locals
    return values.get(name) or getattr(values.get("self"), name, None) or frame.f_globals.get(name)


def uncached(result):
    """A game's `result` without the functools.cache around it, which answers without a call that could be seen."""
    plain = inspect.unwrap(result)
    return plain.__get__(result.__self__) if inspect.ismethod(result) else plain


def takes_the_game(search, arguments, options):
    """True if a search can be called with the game and the state, and its first parameter is not named like a state."""
    signature = inspect.signature(search)
    if next(iter(signature.parameters), None) == "game":
        return True
    try:
        first, *others = signature.bind(None, None, *arguments, **options).arguments
        second = signature.parameters[others[0]] if others else None
        optional = second is not None and second.default is not second.empty and second.name not in STATE_NAMES
        return first not in STATE_NAMES and not optional
    except TypeError:
        pass
    try:
        signature.bind(None, *arguments, **options)
    except TypeError:
        return True  # it takes neither: the error of a call with both is the one to read
    return False


def recursive_codes(search):
    """The code of each function that may call itself, directly or through others, once this search is called.

    The names in the code decide. A name stands for every function that is found under it, as a variable or, with a dot
    in front, as an attribute.
    """
    named, mentioned, unread = defaultdict(set), {}, deque([("", search)])
    while unread and len(mentioned) < FAR_ENOUGH:
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
        return any({"result", ".result"} & mentioned.get(c, set()) for c in (code, *nx.descendants(calls, code)))

    return {code for code in recursive if asks_the_game(code)} or recursive  # helpers may be recursive too


def _functions_in(name, found):
    """(name, function) for each function behind a name: itself, or the methods of a class or object, not Python's."""
    while isinstance(found, partial):
        found = found.func
    if (getattr(found, "__module__", None) or "").partition(".")[0] in sys.stdlib_module_names - {"__main__"}:
        return []
    if isinstance(found, dict | list | tuple):  # functions chosen from a table
        within = found.values() if isinstance(found, dict) else found
        return [(name, function) for one in within for function in layers(one)]
    owner = getattr(found, "__self__", found)
    owner = owner if inspect.isclass(owner) else type(owner)
    methods = [("." + name, method) for base in owner.__mro__ for name, method in vars(base).items()]
    return [(name, function) for name, one in [(name, found), *methods] for function in layers(one)]


def layers(found):
    """The functions that a callable consists of: a decorator's, such as one that remembers, and the one inside it."""
    while found is not None:
        found = getattr(found, "__func__", found)
        if inspect.isfunction(found):
            yield found
        found = getattr(found, "__wrapped__", None)


def _meant(names, scope):
    """What these names stand for: variables in the scope; attributes in the modules that are named with them."""
    meant = {name: scope[name] for name in names if name in scope}
    meant |= {name: sys.modules[name] for name in names if name in sys.modules and name not in scope}
    for _ in ("module.function", "package.module.function"):
        modules = [vars(found) for found in meant.values() if inspect.ismodule(found)]
        attributes = [(module, name[1:]) for module in modules for name in names if name.startswith(".")]
        meant |= {"." + name: module[name] for module, name in attributes if name in module}
    return meant


def _read(code, named):
    """Code → the names in it, for this code and those written inside it. Those written inside are added to `named`."""
    names, read, made = {*code.co_freevars, *code.co_cellvars}, {}, None
    for step in dis.get_instructions(code):
        if inspect.iscode(step.argval):
            made = step.argval
            read |= _read(made, named)
            if made.co_name.startswith("<"):  # a generator expression or a lambda calls on behalf of its function
                names |= read[made]
            else:
                names.add(made.co_name)
                named[made.co_name if "<locals>." + made.co_name in made.co_qualname else "." + made.co_name].add(made)
        elif step.opname == "STORE_DEREF" and made is not None:
            named[step.argval].add(made)
        elif step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "IMPORT_NAME"):
            names.add(step.argval)
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "IMPORT_FROM"):
            names.add("." + step.argval)
    return read | {code: names}


def really_returned(frame):
    """False when the call ends because an exception passes through it."""
    return dis.opname[frame.f_code.co_code[frame.f_lasti]].startswith("RETURN")
