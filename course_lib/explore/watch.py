"""Watch a search, the library's or your own, and keep the tree of its recursive calls."""

import dis
import inspect
import sys
from functools import cached_property, partial

import networkx as nx

from course_lib.games import CHANCE, player_name

ENTER, UPDATE, EXIT, ASK = "enter", "update", "exit", "ask"
"""What can happen at a node: it is called, its α or β changes, it returns, its state is made without a call."""

VISITED, ASKED, CUT = "visited", "asked", "cut"
"""A node was searched; its state was made but not searched; it was never looked at."""

GAME_METHODS = "initial_state", "to_move", "actions", "result", "is_terminal", "utility", "chances"
STATE_NAMES = "state", "s", "node", "position", "board", "heap", "heaps"
NOT_A_STATE = "self", "cls", "game", "player", "depth", "alpha", "beta", "ply", "action", "limit"
GENERATOR = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class Node:
    """A state that the search came to, or left out. `arguments`, `value` and `move` are those of its last call.

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
    `again(game)` watches the same search from the same state on another game.
    """

    def __init__(self, name, game, state, max_nodes):
        self.name, self.game, self.max_nodes = name, game, max_nodes
        self.root = Node(None, None, state)
        self.count = 1
        self.full = False
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
        order = {}
        for event, node, _ in self.events:
            if event == ENTER:
                order.setdefault(node, len(order))
        graph = nx.DiGraph(search=self.name, game=repr(self.game))
        for node in self.nodes():
            path = node.path
            kind, visited = kind_of(self.game, node.state), order.get(node)
            graph.add_node(path, state=node.state, kind=kind, status=node.status, arguments=node.arguments,
                           value=node.value, move=node.move, order=visited)  # fmt: skip
            if path:
                graph.add_edge(path[:-1], path, action=node.action)
                probability = dict(moves_of(self.game, node.parent.state)).get(node.action)
                if probability is not None:
                    graph.edges[path[:-1], path]["probability"] = probability
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
    generator expressions. A node is a call of the search, or of a function through which it recurses, with a state
    that the game handed out. Code that remembers states, or that does not recurse, shows the states that it asks of
    the game, without values. A search that cannot take both is called as `search(state)`.

    Past `max_nodes` the search goes on unrecorded, and the record's `notice` says so. An error of the search's own
    reaches you as it is; `last_watched()` has the tree up to there. A search that is not watched costs nothing extra.
    """
    global _last
    function = _function_of(search)
    state = game.initial_state() if state is None else state
    try:
        hash(state)
    except TypeError:
        raise ValueError(f"states must be hashable (tuples, say, not lists), and this one is not: {state!r}") from None
    watched = _last = Watched(getattr(search, "__name__", type(search).__name__), game, state, max_nodes)
    call = [state, *arguments] if _takes_only_a_state(search, arguments, options) else [game, state, *arguments]
    watched.again = lambda game: watch(search, game, state, *arguments, max_nodes=max_nodes, **options)
    recorder = _Recorder(watched, function)
    profiler = sys.getprofile()
    sys.setprofile(recorder)
    try:
        watched.result = search(*call, **options)
    except BaseException as error:
        sys.setprofile(profiler)
        watched.error = error
        error.add_note(f"It ran under watch(): explore(last_watched()) shows the {watched.count:,} nodes up to there.")
        raise
    finally:
        sys.setprofile(profiler)
        recorder.finish()
    return watched


class _Recorder:
    """The profile function: told of every call and return, it writes those that matter into `watched`."""

    def __init__(self, watched, function):
        self.watched = watched
        self.node_of = {watched.root.state: watched.root}  # state → the newest node with this state
        self.stack = []  # (frame, node) of the calls of the search that have not returned
        self.outer = set()  # of these, the frames that handed their own state on: their α and β stand still
        self.asking = []  # (frame, state, action) of the calls of result() that have not returned
        self.unsearched = None  # a node whose state was just made: searched next, or merely asked for
        self.unfinished = set()  # the nodes that were on the stack when recording, or the search, stopped
        self.searches = _recursive_codes(function)
        # code → what to do at a call of it, None for most
        self.roles = {getattr(watched.game.result, "__code__", None): self._result_called}

    def __call__(self, frame, event, value):
        if event == "call":
            code = frame.f_code
            if code not in self.roles:
                self.roles[code] = self._search_called(code) if code in self.searches else None
            if self.roles[code] is not None:
                self.roles[code](frame)
        elif event == "return":
            if self.stack and self.stack[-1][0] is frame:
                self._search_returned(frame, value)
            elif self.asking and self.asking[-1][0] is frame:
                self._result_returned(value)

    def _result_called(self, frame):
        state, action = frame.f_code.co_varnames[: frame.f_code.co_argcount][-2:]
        self.asking.append((frame, frame.f_locals[state], frame.f_locals[action]))

    def _result_returned(self, after):
        """A state was handed out: it gets a node below the state that it comes from."""
        _, state, action = self.asking.pop()
        above = self.stack[-1][1] if self.stack and self.stack[-1][1].state == state else self._node(state)
        if above is None or self.watched.full or after is None:
            return
        node = above.children.get(action)
        if node is None:
            if self.watched.count >= self.watched.max_nodes:
                self.watched.full = True
                self.unfinished |= {id(node) for _, node in self.stack}
                return
            self.watched.count += 1
            node = above.children[action] = Node(above, action, after)
        self._flush()
        self.node_of[after] = node
        if node.status == ASKED:
            self.unsearched = node

    def _node(self, state):
        try:
            return self.node_of.get(state)
        except TypeError:  # not hashable, so not a state
            return None

    def _search_called(self, code):
        """What to do at the calls of this code, a search: find its state among the parameters, once for all calls."""
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        likely = [name for name in STATE_NAMES if name in names]
        likely += [name for name in names if name not in STATE_NAMES + NOT_A_STATE]

        def called(frame):
            if self.watched.full:
                return
            values = frame.f_locals
            found = ((name, self._node(values[name])) for name in likely)
            state_name, node = next(((name, node) for name, node in found if node is not None), (None, None))
            if node is not None:
                self._enter(frame, self._choose(node), [name for name in names if name != state_name])

        return called

    def _choose(self, node):
        """The node to enter: of several children with equal states, one that has not been searched yet."""
        above = self.stack[-1][1] if self.stack else None
        if above is None or above.state == node.state:
            return above or node
        if node.parent is above and node.status == ASKED:
            return node
        same = [child for child in above.children.values() if child.state == node.state]
        return next((child for child in same if child.status == ASKED), same[-1] if same else node)

    def _enter(self, frame, node, names):
        values = frame.f_locals
        arguments = {name: values[name] for name in names if isinstance(values[name], int | float | str)}
        if self.stack:
            self._bounds_changed()
        self._flush(entered=node)
        if self.stack and self.stack[-1][1] is node:  # a search that hands its own state to a helper: one node
            self.outer.add(self.stack[-1][0])
            arguments = {**node.arguments, **arguments}
            if self.watched.events[-1][:2] == (ENTER, node):
                self.watched.events[-1] = ENTER, node, arguments
            elif arguments != node.arguments:
                self.watched.events.append((UPDATE, node, arguments))
        else:
            self.watched.events.append((ENTER, node, arguments))
        node.status, node.arguments = VISITED, arguments
        self.stack.append((frame, node))

    def _bounds_changed(self):
        """α and β are variables of the calling function: see what became of them since it was last looked at."""
        frame, node = self.stack[-1]
        if node.arguments and frame not in self.outer:
            values = frame.f_locals
            now = {name: values.get(name, value) for name, value in node.arguments.items()}
            if now != node.arguments:
                self.watched.events.append((UPDATE, node, now))
                node.arguments = now

    def _search_returned(self, frame, value):
        self._flush()
        self._bounds_changed()
        self.outer.discard(frame)
        _, node = self.stack.pop()
        if value is None and not _really_returned(frame):
            self.unfinished.add(id(node))  # an exception is passing through
            return
        node.value, node.move = _value_and_move(value, node)
        if not (self.stack and self.stack[-1][1] is node):
            self.watched.events.append((EXIT, node, node.value))

    def _flush(self, entered=None):
        """Note the state made before: it was only asked for, unless it is searched at once."""
        if self.unsearched is not None and self.unsearched is not entered:
            self.watched.events.append((ASK, self.unsearched, None))
        self.unsearched = None

    def finish(self):
        """Put every node's children into the game's order, and add those that the search cut off."""
        self._flush()
        game = self.watched.game
        self.unfinished |= {id(node) for _, node in self.stack}
        for number, node in enumerate(self.watched.nodes()):
            node.number = number
            if not node.children:
                continue
            searched = any(child.status == VISITED for child in node.children.values())
            complete = node.status == VISITED and id(node) not in self.unfinished
            recorded, node.children = node.children, {}
            for action, _ in moves_of(game, node.state):
                if action in recorded:
                    node.children[action] = recorded.pop(action)
                elif searched and complete:
                    node.children[action] = Node(node, action, game.result(node.state, action), CUT)
            node.children.update(recorded)


def _value_and_move(returned, node):
    """What a search returned, taken apart: (value, move), a value alone, or a move alone if it can be nothing else."""
    if isinstance(returned, tuple) and len(returned) == 2:
        value, move = returned
        if isinstance(move, tuple) and not _one_of(move, node.children):  # a line of play, best move first
            move = move[0] if move else None
        if move is None or _one_of(move, node.children):
            return value, move
    if _one_of(returned, node.children) and returned not in [child.value for child in node.children.values()]:
        return node.children[returned].value, returned
    return returned, None


def _one_of(found, actions):
    try:
        return found in actions
    except TypeError:  # not hashable, so no action
        return False


def moves_of(game, state):
    """The (action, probability) pairs of a state; the probability is None unless chance moves."""
    if game.is_terminal(state):
        return []
    if game.to_move(state) == CHANCE:
        return list(game.chances(state))
    return [(action, None) for action in game.actions(state)]


def kind_of(game, state):
    """How the node of this state is drawn: "leaf", "max", "min", "player 2" …, or "chance"."""
    return "leaf" if game.is_terminal(state) else player_name(game.to_move(state)).lower()


def _function_of(search):
    """The Python function behind a callable: a method's, a partial's, a decorated one's."""
    while isinstance(search, partial):
        search = search.func
    if not callable(search):
        raise ValueError(f"watch takes the search itself, as in watch(minimax_search, game, state), not {search!r}")
    search = inspect.unwrap(search)
    return search if inspect.isroutine(search) else search.__call__


def _takes_only_a_state(search, arguments, options):
    try:
        inspect.signature(search).bind(None, None, *arguments, **options)
    except TypeError:
        return True
    except ValueError:  # a callable that does not tell its parameters
        return False
    return False


def _recursive_codes(search):
    """The code of the search and of each function through which it may come back to itself, judged by their names."""
    mentions = {}
    unread = [search]
    while unread:
        for function in _functions_in(unread.pop()):
            for code, names in _read(function.__code__):
                if code not in mentions:
                    mentions[code] = names
                    unread += [function.__globals__.get(name) for name in names]
                    unread += inspect.getclosurevars(function).nonlocals.values()
    calls = nx.DiGraph((code, other) for code in mentions for other in mentions if other.co_name in mentions[code])
    recursive = {code for circle in nx.strongly_connected_components(calls) for code in circle if len(circle) > 1}
    recursive |= set(nx.nodes_with_selfloops(calls)) | {getattr(search, "__code__", None)}
    return {code for code in recursive if code and not code.co_flags & GENERATOR and code.co_name not in GAME_METHODS}


def _functions_in(found):
    """The functions that a name stands for: itself, or a class's methods; none of Python's own."""
    if (getattr(found, "__module__", None) or "").partition(".")[0] in sys.stdlib_module_names - {"__main__"}:
        return []
    if inspect.isclass(found):
        return [method for method in map(inspect.unwrap, vars(found).values()) if inspect.isfunction(method)]
    found = getattr(found, "__func__", found)
    owner = _functions_in(type(found.__self__)) if hasattr(found, "__self__") else []
    found = inspect.unwrap(found) if callable(found) else found
    return [found, *owner] if inspect.isfunction(found) else owner


def _read(code):
    """This code and those written inside it, each with the names that it mentions."""
    inner = [found for const in code.co_consts if inspect.iscode(const) for found in _read(const)]
    names = {*code.co_names, *code.co_freevars, *code.co_cellvars, *(other.co_name for other, _ in inner)}
    for other, mentioned in inner:
        if other.co_name.startswith("<"):  # a generator expression or a lambda calls on behalf of its function
            names |= mentioned
    return [(code, names), *inner]


def _really_returned(frame):
    """False when the call ends because an exception passes through it."""
    return dis.opname[frame.f_code.co_code[frame.f_lasti]].startswith("RETURN")
