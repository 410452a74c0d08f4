"""Watch a search, the library's or your own, and keep the tree of its recursive calls."""

import dis
import inspect
import sys
from collections import ChainMap, Counter, defaultdict, deque
from contextlib import suppress
from functools import cached_property, partial
from numbers import Number
from operator import itemgetter

import networkx as nx

from course_lib.games import MAX, MIN
from course_lib.watch.paths import kind_of, moves_of

ENTER, UPDATE, EXIT, ASK = "enter", "update", "exit", "ask"
"""What can happen at a node: it is called, its α or β changes, it returns, its state is made without a call."""

VISITED, ASKED, CUT = "visited", "asked", "cut"
"""A node was searched; its state was made but not searched; it was never looked at."""

GAME_METHODS = "initial_state", "to_move", "actions", "result", "is_terminal", "utility", "chances"
STATE_NAMES = "state", "s", "node", "position", "board", "heap", "heaps"
NOT_A_STATE = "self", "cls", "game", "player", "depth", "alpha", "beta", "ply", "action", "limit"
GREEK = {"α": "alpha", "β": "beta"}
"""Parameters of these names are recorded under the others."""
FAR_ENOUGH = 500
"""So many functions are read, the nearest first, to find out how a search recurses."""


class Node:
    """A state that the search came to, or left out, and the `arguments`, `value` and `move` of its last call.

    `number` is its place in the order of `Watched.nodes`.
    """

    __slots__ = ("action", "arguments", "children", "move", "number", "parent", "state", "status", "value")

    def __init__(self, parent, action, state, status=ASKED):
        self.parent, self.action, self.state, self.status = parent, action, state, status
        self.children = {}
        self.arguments = {}
        self.value = self.move = None

    @property
    def path(self):
        """The actions from the root of the watched tree to this node."""
        actions, node = [], self
        while node.parent is not None:
            actions.append(node.action)
            node = node.parent
        return tuple(reversed(actions))


class Watched:
    """What `watch` recorded.

    `root` is the tree of `Node`s, `events` the list of (event, node, detail) in the order in which they happened;
    `result` is what the search returned, or None if it raised `error`; `notice` says what is missing, if anything;
    `partial` has the nodes whose children were made when the record was full; `again(game)` watches the same search
    from the same state on another game.
    The detail of `ENTER` and `UPDATE` is the arguments, that of `EXIT` the value, None if an exception went through.
    """

    def __init__(self, name, game, state, max_nodes):
        self.name, self.game, self.max_nodes = name, game, max_nodes
        self.root = Node(None, None, state)
        self.count = 1
        self.full = False
        self.partial = set()
        self.events = []
        self.result = self.error = None

    @property
    def notice(self):
        """In words: what is missing from the record, or an empty string."""
        parts = []
        if self.full:
            parts.append(f"Only the first {self.max_nodes:,} nodes were recorded; the search itself went on. "
                         "Give watch(…, max_nodes=…) a larger number to see more.")  # fmt: skip
        if self.error is not None:
            parts.append(f"The search was stopped by {type(self.error).__name__}; this is the tree up to there.")
        statuses = Counter(node.status for node in self.nodes())
        if self.error is None and self.count == 1 and not self.game.is_terminal(self.root.state):
            parts.append("No state was asked of the game that watch could follow: it sees what result(state, action) "
                         "returns, asked in the thread that called watch.")  # fmt: skip
        elif self.error is None and statuses[ASKED] > 2 * statuses[VISITED]:
            parts.append("Most states were asked of the game without a call that watch can follow, as in code that "
                         "remembers states or keeps a list of them: they are shown without values.")  # fmt: skip
        return " ".join(parts)

    def nodes(self):
        """Every node, parents before children, children in the game's own order of actions."""
        unread = [self.root]
        while unread:
            node = unread.pop()
            yield node
            unread += reversed(node.children.values())

    @cached_property
    def graph(self):
        """The tree as a networkx `DiGraph` whose nodes are paths.

        A node has `state`, `kind` (see `kind_of`), `status` ("visited", "asked" or "cut"), `arguments`, `value` and
        `move` of its last call, and `order` (when it was first visited, counted from 0). An edge has `action`
        and, below a chance node, `probability`.
        """
        entered = dict.fromkeys(node for event, node, _ in self.events if event == ENTER)
        order = {node: index for index, node in enumerate(entered)}
        graph = nx.DiGraph(search=self.name, game=repr(self.game))
        for node in self.nodes():
            path, above, kind = node.path, node.parent, kind_of(self.game, node.state)
            graph.add_node(path, state=node.state, kind=kind, status=node.status, arguments=node.arguments,
                           value=node.value, move=node.move, order=order.get(node))  # fmt: skip
            if above is not None:
                graph.add_edge(path[:-1], path, action=node.action)
                if graph.nodes[path[:-1]]["kind"] == "chance":
                    graph.edges[path[:-1], path]["probability"] = dict(self.game.chances(above.state))[node.action]
        return graph

    def __repr__(self):
        outcome = f"raised {type(self.error).__name__}" if self.error is not None else f"returned {self.result!r}"
        return f"Watched({self.name} on {self.game!r}: {self.count:,} nodes, {outcome})"


_last = None


def last_watched():
    """The record of the newest `watch`: also, and above all, of one whose search raised an error."""
    if _last is None:
        raise ValueError("nothing has been watched yet; call watch(search, game, state) first")
    return _last


def watch(search, game, state=None, *arguments, max_nodes=200_000, **options):
    """Run `search(game, state, *arguments, **options)`, unmodified, and return the `Watched` tree of its calls.

    Works for the library's searches and for code typed into a cell: one function, a pair of them, closures, methods,
    lambdas. A node is a call of the search, or of a function through which it recurses, with a state that the game
    handed out. Code that remembers states, or that does not recurse, shows the states that it asks of the game,
    without values. A search whose first parameter is the state, or that cannot take both, gets no game.

    Past `max_nodes` the search goes on unrecorded, and the record's `notice` says so. An error of the search's own
    reaches you as it is; `last_watched()` has the tree up to there. A search that is not watched costs nothing extra.
    """
    global _last
    function = _function_of(search)
    name = getattr(search, "__name__", function.__qualname__.removesuffix(".__call__").rpartition(".")[2])
    if inspect.isgeneratorfunction(function):
        raise ValueError(f"{name} is a generator, which searches only while it is read; watch what reads it, "
                         f"such as lambda game, state: list({name}(game, state))")  # fmt: skip
    try:
        state = game.initial_state() if state is None else state
        hash((state, *moves_of(game, state), game.result))
    except Exception as error:
        raise ValueError(f"watch takes a search, a game and one of its states, hashable and with hashable actions; "
                         f"{game!r} with {state!r} fails: {error!r}") from error  # fmt: skip
    if max_nodes < 1:
        raise ValueError(f"max_nodes is how many nodes to record, the root among them: at least 1, not {max_nodes!r}")
    watched = _last = Watched(name, game, state, max_nodes)
    watched.again = lambda game: watch(search, game, state, *arguments, max_nodes=max_nodes, **options)
    call = (game, state, *arguments) if _takes_the_game(search, arguments, options) else (state, *arguments)
    recorder = _Recorder(watched, function)
    profiler = sys.getprofile()
    try:
        sys.setprofile(recorder.profile)
        watched.result = search(*call, **options)
    except BaseException as error:
        watched.error = error
        given = "the game and the state" if call[0] is game else "the state"
        nodes = "the root" if watched.count == 1 else f"the {watched.count:,} nodes"
        error.add_note(f"watch() called the search with {given}; explore(last_watched()) shows {nodes} up to there.")
        if isinstance(error, RecursionError):
            _shorten(error)
        raise
    finally:
        # cProfile's profiler cannot be handed back; it is switched on again
        getattr(profiler, "enable", lambda: sys.setprofile(profiler))()
        recorder.finish()
    return watched


def _shorten(error, frames=8):
    """Keep the first frames of a traceback that has a thousand, and say what is likely wrong."""
    error.add_note(
        "A search that forgets result(), or a game that never ends, goes ever deeper. Its first calls are listed."
    )
    below = error.__traceback__
    for _ in range(frames):
        below = below and below.tb_next
    if below is not None:
        below.tb_next = None


class _Recorder:
    """Told of every call and return by the interpreter, it writes those that matter into `watched`."""

    def __init__(self, watched, function):
        self.watched = watched
        self.node_of = {watched.root.state: watched.root}  # state → the newest node with this state
        self.stack = [(None, None, {})]  # then (frame, node, its own arguments) of each call of the search in progress
        self.asking = [(None, None, None)]  # then (frame, state, action) of each call of result() in progress
        self.newest = None  # a node whose state was just made: searched next, or merely asked for
        self.ready_made = set()  # nodes all of whose children known by then were made before one of them was searched
        self.unfinished = set()  # nodes with a call that an exception or the node limit cut short
        self.order = 0  # 1 if the search returns (value, move), −1 if (move, value), 0 if neither is known
        self.recursive = _recursive_codes(function)
        # what to do at a call of a code, by its id: to hash the code itself is slow
        self.called = {id(code): self._when_searched(code) for code in self.recursive | {function.__code__}}
        if hasattr(watched.game.result, "cache_info"):
            raise ValueError(f"result() of {watched.game!r} remembers its answers, so watch cannot see every call; "
                             "take that cache away")  # fmt: skip
        result = _function_of(watched.game.result)
        methods = [getattr(type(watched.game), name, None) for name in GAME_METHODS]
        self.rules = {getattr(inspect.unwrap(method), "__code__", None) for method in methods if method}
        self.state_and_action = _last_two_arguments(result)
        self.called[id(result.__code__)] = self._result_called

    def profile(self, frame, event, value):
        """The profile function."""
        if event == "call":
            called = self.called.get(id(frame.f_code))
            if called is not None:
                called(frame)
        elif event == "return":
            if self.stack[-1][0] is frame:
                self._search_returned(frame, value)
            elif self.asking[-1][0] is frame:
                self._result_returned(value)

    def _result_called(self, frame):
        if frame.f_back.f_code in self.rules:
            return  # the game tries an action out for its own ends
        self.asking.append((frame, *self.state_and_action(frame.f_locals)))

    def _result_returned(self, after):
        """A state was handed out: it gets a node below the state that it comes from."""
        _, state, action = self.asking.pop()
        above = self.stack[-1][1]
        if above is None or above.state != state:
            above = self._node(state)
        if above is None or after is None:
            return
        try:
            node = above.children.get(action) or self._new_node(above, action, after)
            if node is not None:
                self._flush()
                self.newest = node
                waiting = self.node_of.get(after)
                if waiting is None or waiting.status != ASKED:
                    self.node_of[after] = node
        except TypeError:
            raise ValueError(f"states and actions must be hashable (tuples, say, not lists), unlike one of these: "
                             f"{action!r} led to {after!r}") from None  # fmt: skip

    def _new_node(self, above, action, after):
        if self.watched.count >= self.watched.max_nodes:
            self.watched.full = True
            self.called.clear()
            self.unfinished.update(node for _, node, _ in self.stack)
            self.watched.partial = {*self.unfinished, above} - {None}
            return None
        self.watched.count += 1
        node = above.children[action] = Node(above, action, after)
        return node

    def _node(self, state):
        try:
            return self.node_of.get(state)
        except TypeError:  # not hashable, so not a state
            return None

    def _when_searched(self, code):
        """What to do at a call of this code, a search: one of its parameters is a state that was handed out."""
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        likely = [name for name in STATE_NAMES if name in names]
        likely += [name for name in names if name not in STATE_NAMES + NOT_A_STATE]

        def called(frame):
            values = frame.f_locals
            state_name = node = None
            for name in likely:
                found = self._node(values[name])
                if found is not None and (node is None or found is self.newest is not node):
                    state_name, node = name, found
            if node is None:
                return
            if len(likely) > 1:  # a parameter that was no state at one call is none at all
                likely[:] = [name for name in likely if self._node(values[name]) is not None]
            arguments = {}
            for name in names:
                if name != state_name and isinstance(values[name], (int, float, str, Number)):
                    arguments[name] = values[name]
            self._enter(frame, self._choose(node), arguments)

        return called

    def _choose(self, node):
        """The node to enter: of several children with equal states, one that has not been searched yet."""
        above = self.stack[-1][1]
        if above is None or node is self.newest:
            return node
        if above.state == node.state:
            return above
        waiting = [child for child in above.children.values() if child.status == ASKED and child.state == node.state]
        return waiting[0] if waiting else node

    def _enter(self, frame, node, arguments):
        self._flush(entered=node)
        self._bounds_changed()
        events, shown, above = self.watched.events, _spelt(arguments), self.stack[-1][1]
        made = above.children if above is not None else {}
        if len(made) > 1 and all(child.status == ASKED for child in made.values()):
            self.ready_made.add(above)
        if above is not node:
            events.append((ENTER, node, shown))
        else:  # a search that hands its own state to a helper: one node
            shown = {**node.arguments, **shown}
            if events[-1][:2] == (ENTER, node):
                events[-1] = ENTER, node, shown
            elif shown != node.arguments:
                events.append((UPDATE, node, shown))
        node.status, node.arguments = VISITED, shown
        self.stack.append((frame, node, dict(arguments)))

    def _bounds_changed(self):
        """α and β are variables of the calling function: see what became of them since it was last looked at."""
        frame, node, before = self.stack[-1]
        if before:
            values, changed = frame.f_locals, {}
            for name, value in before.items():
                if values.get(name) != value:
                    changed[name] = values.get(name)
            if changed:
                before.update(changed)
                node.arguments = {**node.arguments, **_spelt(changed)}
                self.watched.events.append((UPDATE, node, node.arguments))

    def _search_returned(self, frame, value):
        self._flush()
        self._bounds_changed()
        _, node, _ = self.stack.pop()
        returned = value is not None or _really_returned(frame)
        if returned:
            node.value, node.move = self._value_and_move(value, node, frame.f_code)
        else:  # an exception is passing through
            self.unfinished.add(node)
        if self.stack[-1][1] is not node:
            self.watched.events.append((EXIT, node, node.value if returned else None))

    def _value_and_move(self, returned, node, code):
        """What a search returned, taken apart: a value, (value, move), (value, line of moves), either first; a move."""
        if isinstance(returned, tuple | list) and len(returned) == 2:
            for order in (self.order,) if self.order else (1, -1):
                value, move = returned[::order]
                if isinstance(move, tuple | list) and not _is_child(node, move):
                    move = move[0] if move else None
                if move is None and value is not None:
                    self.order = order  # so says a leaf, and it comes first; a vector of utilities never does
                if self.order or (_is_child(node, move) and _equal(node.children[move].value, value)):
                    return value, move if _is_child(node, move) else None
        if code not in self.recursive and node.value is not None:  # the recursion inside has told it
            return node.value, node.move
        if code not in self.recursive or not isinstance(returned, Number):
            chosen = node.children.get(returned) if _is_child(node, returned) else None
            if chosen is not None and chosen.value is not None and not _equal(returned, best := self._best_below(node)):
                return chosen.value if best is None or _equal(chosen.value, best) else None, returned
        return returned, None

    def _best_below(self, node):
        """The value that the player to move would choose among those of the children; None if there is none."""
        values = [child.value for child in node.children.values() if isinstance(child.value, Number)]
        picks = max if self.watched.game.to_move(node.state) == MAX else min
        return picks(values, default=None)

    def _flush(self, entered=None):
        """Catch up: the newest state was merely asked for, if it is not searched at once."""
        newest, self.newest = self.newest, None
        if newest is not None and newest is not entered and newest.status == ASKED:
            self.watched.events.append((ASK, newest, None))

    def finish(self):
        """Leave on the stack what an error ended; put all children into the game's order, and add those cut off."""
        self._flush()
        self.unfinished.update(node for _, node, _ in self.stack)
        events, failed = self.watched.events, self.watched.error is not None
        while events and events[-1][0] == EXIT and events[-1][2] is None and events[-1][1] in self.unfinished:
            events.pop()
        harmless = suppress(Exception if failed else ())  # of two errors, the search's own counts
        for number, node in enumerate(self.watched.nodes()):
            node.number = number
            if node.children:
                with harmless:
                    self._complete(node)

    def _complete(self, node):
        game, children = self.watched.game, node.children
        if node in self.ready_made and node not in self.unfinished and _is_closed(node, game):
            searched = {game.is_terminal(child.state) for child in children.values() if child.status == VISITED}
            for child in children.values():
                if child.status == ASKED and game.is_terminal(child.state) in searched:
                    child.status = CUT
        actions = [action for action, _ in moves_of(game, node.state)]
        if [*children] == actions:
            return
        searched = node.status == VISITED and any(child.status == VISITED for child in children.values())
        if searched and node not in self.unfinished:
            cut = [action for action in actions if action not in children]
            children |= {action: Node(node, action, game.result(node.state, action), CUT) for action in cut}
        node.children = {action: children[action] for action in actions if action in children} | children


def _spelt(arguments):
    """The arguments with α and β under their names."""
    return arguments if GREEK.keys().isdisjoint(arguments) else {GREEK.get(n, n): arguments[n] for n in arguments}


def _equal(one, other):
    """Whether two values are equal; those that compare as arrays do are not."""
    try:
        return bool(one == other)
    except ValueError:
        return False


def _is_closed(node, game):
    """Whether the window of α and β was closed at a node of Max or Min when the search left it."""
    alpha, beta, value = node.arguments.get("alpha"), node.arguments.get("beta"), node.value
    if not all(isinstance(bound, Number) for bound in (alpha, beta, value)):
        return False
    return alpha >= beta or (value <= alpha if game.to_move(node.state) == MIN else value >= beta)


def _last_two_arguments(result):
    """A function that reads the state and the action from the local variables of this function, a game's result()."""
    code = result.__code__
    given = code.co_varnames[: code.co_argcount]
    if code.co_flags & inspect.CO_VARARGS:
        rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount]
        return lambda values: (*(values[name] for name in given), *values[rest])[-2:]
    required = given[: len(given) - len(result.__defaults__ or ())][-2:]
    if len(required) < 2:
        raise ValueError(f"result of a game takes a state and an action, not what {result.__qualname__} takes")
    return itemgetter(*required)


def _is_child(node, action):
    try:
        return action in node.children
    except TypeError:  # not hashable, so no action
        return False


def _function_of(search):
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


def _takes_the_game(search, arguments, options):
    """Whether a search can be called with the game and the state, and does not name its first parameter a state."""
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


def _recursive_codes(search):
    """The code of each function that may come back to itself on the way from this search, judged by the names in it.

    A name stands for every function found under it: as a variable, or, with a dot in front, as an attribute.
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
    calls = nx.DiGraph((code, other) for code, names in mentioned.items() for name in names for other in named[name])
    recursive = {code for circle in nx.strongly_connected_components(calls) for code in circle if len(circle) > 1}
    recursive |= set(nx.nodes_with_selfloops(calls))
    recursive = {c for c in recursive if not c.co_flags & inspect.CO_GENERATOR and c.co_name not in GAME_METHODS}

    def asks_the_game(code):
        return any({"result", ".result"} & mentioned.get(c, set()) for c in (code, *nx.descendants(calls, code)))

    return {code for code in recursive if asks_the_game(code)} or recursive  # helpers may be recursive too


def _functions_in(name, found):
    """(name, function) for what a name stands for: a function, the methods of a class or object; none of Python's."""
    while isinstance(found, partial):
        found = found.func
    if (getattr(found, "__module__", None) or "").partition(".")[0] in sys.stdlib_module_names - {"__main__"}:
        return []
    if isinstance(found, dict | list | tuple):  # functions chosen from a table
        within = found.values() if isinstance(found, dict) else found
        return [(name, function) for function in map(inspect.unwrap, within) if inspect.isfunction(function)]
    owner = getattr(found, "__self__", found)
    owner = owner if inspect.isclass(owner) else type(owner)
    methods = [("." + name, method) for base in owner.__mro__ for name, method in vars(base).items()]
    functions = [(name, inspect.unwrap(getattr(found, "__func__", found))) for name, found in [(name, found), *methods]]
    return [(name, function) for name, function in functions if inspect.isfunction(function)]


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
    """The names mentioned in this code, and in those written inside it, by code; what is written there gets named."""
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


def _really_returned(frame):
    """False when the call ends because an exception passes through it."""
    return dis.opname[frame.f_code.co_code[frame.f_lasti]].startswith("RETURN")
