"""Watch a search, the library's or your own, and record the tree of its recursive calls.

Which functions are recursive, and which arguments are states, is read in the code before the search runs.
"""

import dis
import inspect
import sys
from collections import ChainMap, defaultdict, deque
from collections.abc import Callable, Mapping
from functools import partial
from numbers import Number
from operator import itemgetter
from types import CodeType, FrameType, FunctionType
from typing import Any

from course_lib.games import MAX
from course_lib.games.game import State
from course_lib.games.validation import as_game, check_function, check_whole, first_state
from course_lib.games.walking import moves_of
from course_lib.language import N_, gettext
from course_lib.watch.record import (
    CUT,
    ENTER,
    EXIT,
    GENERATE,
    GENERATED,
    UPDATE,
    VISITED,
    ErrorsAsLeaves,
    Identity,
    SearchTrace,
    TraceNode,
    key_of,
)

GAME_METHODS = "initial_state", "to_move", "actions", "result", "is_terminal", "utility", "chances"
STATE_NAMES = "state", "s", "node", "position", "board", "heap", "heaps"
NOT_A_STATE = "self", "cls", "game", "player", "depth", "alpha", "beta", "ply", "action", "limit"
MAX_FUNCTIONS = 500
"""At most this many functions are read, breadth-first from the search."""
_last: SearchTrace | None = None


def last_trace() -> SearchTrace:
    """The trace of the latest `watch`, even if its search raised an error."""
    if _last is None:
        raise ValueError("there is no trace yet: call watch(search, game, state) first")
    return _last


def watch(
    search: Callable[..., Any],
    game: Any,
    state: State = None,
    *arguments: Any,
    max_nodes: int = 200_000,
    successor: Callable[..., Any] | None = None,
    **options: Any,
) -> SearchTrace:
    """Run `search(game, state, *arguments, **options)`, unmodified, and return the `SearchTrace` tree of its calls.

    It works for the library's searches and for code in a cell: a function, mutually recursive functions, closures,
    methods, lambdas. A node is a call to the search, or to another recursive function in it, with a state that the game
    returned. A result is a value, a move, or a tuple that begins with both. The tree of a search without recursion has
    the states that the game returned, without values. `game` is an object with the six functions of a game.

    A search that does not call `game.result` is watched by the function that it calls instead: a method `successor` of
    its own states, such as `chess.Board.push`, whose last argument is an action of `game`. Then `state`, which the
    search gets, is its own object for the initial state of `game`.

    After `max_nodes` nodes recording stops, with a `notice` in the trace, and the search continues. An error of the
    search is raised unchanged; `last_trace()` then returns the tree up to the error.

    >>> from course_lib.games import TreeGame
    >>> from course_lib.search import alpha_beta_search
    >>> watch(alpha_beta_search, TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))
    SearchTrace(alpha_beta_search on TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]]): 11 nodes, returned (3, 0))
    """
    global _last
    function = function_of(search)
    name = getattr(search, "__name__", function.__qualname__.removesuffix(".__call__").rpartition(".")[2])
    if inspect.isgeneratorfunction(function):
        raise ValueError(f"{name} is a generator of iterations: pass it to watch_mcts, not to watch")
    check_function("search(game, state, …)", search)
    check_whole(1, max_nodes=max_nodes)
    asked = as_game(game)
    root = first_state(asked, None if successor else state)
    trace = _last = SearchTrace(name, asked, root, max_nodes)
    start = state if successor else root
    recorder = _Recorder(trace, function, start, successor)
    outer_profiler = sys.getprofile()
    try:
        sys.setprofile(recorder.profile)
        trace.result = search(asked, start, *arguments, **options)
    except BaseException as error:
        trace.error = error
        words = N_("This search was called by watch; explore(last_trace()) shows its tree up to the error.")
        error.add_note(gettext(words))
        raise
    finally:
        sys.setprofile(None)
        if outer_profiler is not None:  # cProfile's is an object
            getattr(outer_profiler, "enable", lambda: sys.setprofile(outer_profiler))()
        recorder.finish()
    return trace


class _Recorder:
    """The profile function of the interpreter; it writes the calls and returns of the search into `trace`."""

    def __init__(
        self, trace: SearchTrace, function: FunctionType, start: State, successor: Callable[..., Any] | None
    ) -> None:
        self.trace, self.successor = trace, successor
        self.node_of = {key_of(start): trace.root}  # key of a state → the newest node with this state
        self.stack = [(None, None, {}, None)]  # then (frame, node, arguments, key) of each call in progress
        self.result_calls = [(None, None, None)]  # then (frame, state, action) of each call of result()
        self.newest = None  # the node generated last: searched next, or not searched
        self.unfinished = set()  # nodes with a call that an exception or the node limit cut short
        self.pairs = False  # whether the search returns tuples that begin with value and move
        result = function_of(successor or trace.game.result)
        self.recursive = recursive_codes(function, result.__name__ if successor else "result")
        # what to do at a call of a code, by its id: to hash the code itself is slow
        self.call_handlers = {id(code): self._search_handler(code) for code in self.recursive | {function.__code__}}
        methods = [inspect.unwrap(getattr(trace.game, name)) for name in GAME_METHODS]
        rules = [method.__code__ for method in methods if hasattr(method, "__code__")]
        self.rules = {*rules, *(inner for code in rules for inner in code.co_consts if inspect.iscode(inner))}
        self.state_and_action = state_and_action(result, successor is not None)
        self.call_handlers[id(result.__code__)] = self._result_called

    def profile(self, frame: FrameType, event: str, value: Any) -> None:
        """The profile function."""
        if event == "call":
            handler = self.call_handlers.get(id(frame.f_code))
            if handler is not None:
                handler(frame)
        elif event == "return":
            if self.stack[-1][0] is frame:
                self._search_returned(frame, value)
            elif self.result_calls[-1][0] is frame:
                self._result_returned(value)

    def _result_called(self, frame):
        if frame.f_back.f_code not in self.rules:  # or else a rule of the game itself calls result
            self.result_calls.append((frame, *self.state_and_action(frame.f_locals)))

    def _result_returned(self, after):
        """The game has returned a state: add a node below the node of its predecessor."""
        frame, state, action = self.result_calls.pop()
        if after is None and self.successor and has_returned(frame):
            after = state  # the search has changed its state, and will change it back
        _, above, _, key = self.stack[-1]
        before = key_of(state)
        if above is None or key != before:
            above = self.node_of.get(before)
        if above is None or after is None:
            return
        in_place = after is state
        if in_place and not self.successor and isinstance(before, Identity):
            raise ValueError(f"Expected result to return a new state, got its own argument {after!r}, changed")
        try:
            node = above.children.get(action) or self._new_node(above, action, after)
        except TypeError:
            raise ValueError(f"actions must be hashable (tuples, say, not lists), unlike {action!r}") from None
        if node is not None:
            self._flush()
            self.newest = node
            known = self.node_of.get(key_of(after))
            if known is None or known.status != GENERATED or in_place:
                self.node_of[key_of(after)] = node

    def _new_node(self, above, action, after):
        """A new node, or None: at the limit, or if a search that makes its own states plays what is not legal."""
        if self.trace.count >= self.trace.max_nodes:
            self.trace.truncated = True
            self.call_handlers.clear()
            self.unfinished.update(node for _, node, *_ in self.stack)
            return None
        if self.successor:
            if action not in dict(moves_of(self.trace.game, above.state)):
                return None
            after = self.trace.game.result(above.state, action)
        self.trace.count += 1
        node = above.children[action] = TraceNode(above, action, after)
        return node

    def _search_handler(self, code):
        """The function to call at a call of this code; one of its parameters is a state, or an object with one."""
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        likely = [name for name in STATE_NAMES if name in names]
        likely += [name for name in names if name not in STATE_NAMES + NOT_A_STATE]

        def handler(frame: FrameType) -> None:
            values = frame.f_locals
            found = {name: node for name in likely if (node := self.node_of.get(key_of(values[name]))) is not None}
            if found and len(likely) > 1:  # a parameter that was not a state at one call never is
                likely[:] = found
            if found:
                state_name = next((name for name, node in found.items() if node is self.newest), next(iter(found)))
                others = {name: values[name] for name in names if name != state_name}
                arguments = {name: value for name, value in others.items() if isinstance(value, str | Number)}
                self._enter(frame, self._choose(found[state_name]), arguments, key_of(values[state_name]))

        return handler

    def _choose(self, node):
        """The node that is entered: of children with equal states, the first that has not been searched."""
        above = self.stack[-1][1]
        if above is None or node is self.newest:
            return node
        same = (child for child in above.children.values() if child.status == GENERATED and child.state == node.state)
        return next(same, node)

    def _enter(self, frame, node, arguments, key):
        self._flush(entered=node)
        self._bounds_changed()
        events, shown = self.trace.events, arguments
        if self.stack[-1][1] is not node:
            events.append((ENTER, node, shown))
        else:  # a search that passes its state to a helper: one node
            shown = {**node.arguments, **shown}
            if events[-1][:2] == (ENTER, node):
                events[-1] = ENTER, node, shown
            elif shown != node.arguments:
                events.append((UPDATE, node, shown))
        node.status, node.arguments = VISITED, shown
        self.stack.append((frame, node, dict(arguments), key))
        self.node_of[key] = node

    def _bounds_changed(self):
        """Record α and β of the calling function if they have changed since the last event."""
        frame, node, before, _ = self.stack[-1]
        if before:
            values = frame.f_locals
            changed = {name: values.get(name) for name, value in before.items() if values.get(name) != value}
            if changed:
                before.update(changed)
                node.arguments = {**node.arguments, **changed}
                self.trace.events.append((UPDATE, node, node.arguments))

    def _search_returned(self, frame, value):
        self._flush()
        self._bounds_changed()
        _, node, _, key = self.stack.pop()
        self.node_of[key] = node  # a search that changes its state and changes it back: this is the last one
        returned = value is not None or has_returned(frame)
        if returned:
            node.value, node.move = self._value_and_move(value, node, frame.f_code)
        else:  # an exception
            self.unfinished.add(node)
        if self.stack[-1][1] is not node:
            self.trace.events.append((EXIT, node, node.value if returned else None))

    def _value_and_move(self, returned, node, code):
        """(value, move) of a call: it returned a tuple that begins with both, a move, or a value."""
        if isinstance(returned, tuple | list) and 2 <= len(returned) <= 4:
            value, move = returned[:2]
            self.pairs |= move is None  # at a leaf
            if self.pairs or move in [*node.children]:
                return value, move if move in [*node.children] else None
        is_wrapper = code not in self.recursive  # the watched function, if the recursion is in functions inside it
        if is_wrapper and node.value is not None:
            return node.value, node.move  # those of the recursive function
        pair = self._read_move(returned, node) if is_wrapper or not isinstance(returned, Number) else None
        return pair or (returned, None)

    def _read_move(self, returned, node):
        """(value, move) of a returned move; None if it is not a move, or if it equals the value of the best child."""
        chosen = node.children[returned] if returned in [*node.children] else None
        values = [child.value for child in node.children.values() if isinstance(child.value, Number)]
        picks = max if self.trace.game.to_move(node.state) == MAX else min
        best = picks(values, default=None)
        if chosen is None or chosen.value is None or returned == best:
            return None
        return (chosen.value if best in (None, chosen.value) else None), returned

    def _flush(self, entered=None):
        """Record that the newest state was generated, unless it is the one that is searched now."""
        newest, self.newest = self.newest, None
        if newest is not None and newest is not entered and newest.status == GENERATED:
            self.trace.events.append((GENERATE, newest, None))

    def finish(self) -> None:
        """Put all children into the game's order and add those that were cut, except after an error."""
        self._flush()
        self.unfinished.update(node for _, node, *_ in self.stack)
        trace, events = self.trace, self.trace.events
        while events and events[-1][0] == EXIT and events[-1][2] is None and events[-1][1] in self.unfinished:
            events.pop()
        if trace.error is not None:
            trace.game = ErrorsAsLeaves(trace.game)
        whole = trace.error is None and hasattr(trace.game, "nodes")  # or else only the children at a cut
        unread = [trace.root]
        while unread:
            node = unread.pop()
            node.number = len(trace.ordered)
            trace.ordered.append(node)
            try:
                if node.children:
                    self._complete(node)
                elif node.status == CUT and whole:
                    self._leave_out(node, [action for action, _ in moves_of(trace.game, node.state)])
            except Exception as error:  # the trace up to this error can still be shown
                trace.game_error, trace.game = error, ErrorsAsLeaves(trace.game)
            unread += reversed(node.children.values())

    def _complete(self, node):
        game, children = self.trace.game, node.children
        if _is_closed(node):  # generated before one was searched
            searched = {game.is_terminal(child.state) for child in children.values() if child.status == VISITED}
            for child in children.values():
                if child.status == GENERATED and game.is_terminal(child.state) in searched:
                    child.status = CUT
        actions = [action for action, _ in moves_of(game, node.state)]
        if [*children] == actions:
            return
        searched = node.status == VISITED and any(child.status == VISITED for child in children.values())
        if searched and node not in self.unfinished:
            self._leave_out(node, [action for action in actions if action not in children])
        node.children = {action: children[action] for action in actions if action in children} | children

    def _leave_out(self, node, actions):
        """Add the children that the search did not generate."""
        for action in actions:
            node.children[action] = TraceNode(node, action, self.trace.game.result(node.state, action), CUT)


def _is_closed(node):
    """Whether the search left a node with a value that is not inside its window, whoever's window [α, β] is."""
    alpha, beta, value = node.arguments.get("alpha"), node.arguments.get("beta"), node.value
    return all(isinstance(bound, Number) for bound in (alpha, beta, value)) and not alpha < value < beta


# What the code of a search says before it runs.


def state_and_action(result: FunctionType, is_method: bool = False) -> Callable[[Mapping], tuple]:
    """A function that finds the state and the action among the local variables of a call of a game's `result`.

    These are the last two arguments; of a method of states, which has others between them, the first and the last.
    """
    code = result.__code__
    required = code.co_varnames[: code.co_argcount - len(result.__defaults__ or ())]
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
