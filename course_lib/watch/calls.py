"""Watch a search, the library's or your own, and keep the tree of its recursive calls."""

import inspect
import sys
from contextlib import contextmanager, suppress
from inspect import CO_VARARGS, CO_VARKEYWORDS
from itertools import permutations
from numbers import Number

from course_lib.games import MAX, MIN, Game, TreeGame
from course_lib.games.checks import check_game, check_whole
from course_lib.search.checks import is_ours
from course_lib.watch import source
from course_lib.watch.paths import Forgiving, moves_of
from course_lib.watch.record import ASK, ASKED, CUT, ENTER, EXIT, UPDATE, VISITED, Node, Watched
from course_lib.watch.texts import MOST_STATES, leaf_text

WHOLE = 200
"""Of a game with at most this many nodes, and of every `TreeGame`, the record has also what is below a cut."""
GREEK = {"α": "alpha", "β": "beta"}
"""A parameter called α is recorded as alpha, and β as beta."""

_last = None


def last_watched():
    """The record of the newest `watch`, even if its search raised an error."""
    if _last is None:
        raise ValueError("nothing has been watched yet; call watch(search, game, state) first")
    return _last


def watch(search, game, state=None, *arguments, max_nodes=200_000, **options):
    """Run `search(game, state, *arguments, **options)`, unmodified, and return the `Watched` tree of its calls.

    It works for the library's searches and for code typed into a cell: one function, a pair of functions, closures,
    methods, lambdas. A node is a call of the search, or of a function through which the search calls itself, with a
    state that the game handed out, alone or inside a tuple, a dictionary or an object. Code that keeps a list of states
    does not call itself: the tree then has the states that it asks of the game, without values. A search gets the state
    alone, without the game, if its first parameter is the state or if it cannot take both.

    After `max_nodes` nodes the search goes on unrecorded, and the record's `notice` says so. An error of the search
    reaches you as it is; `last_watched()` has the tree up to there. A call that a functools.cache answers
    is shown too, with its value. A search that is not watched costs nothing extra.
    """
    global _last
    function = source.function_of(search)
    name = getattr(search, "__name__", function.__qualname__.removesuffix(".__call__").rpartition(".")[2])
    if inspect.isgeneratorfunction(function):
        raise ValueError(f"{name} is a generator, which searches only while it is read; watch what reads it, "
                         f"such as lambda game, state: list({name}(game, state))")  # fmt: skip
    check_whole(1, max_nodes=max_nodes)
    watched = _last = Watched(name, game, _first_state(game, state), max_nodes)
    watched.again = lambda game: watch(search, game, state, *arguments, max_nodes=max_nodes, **options)
    gets_the_game = source.takes_the_game(search, arguments, options)
    call = (game, watched.root.state, *arguments) if gets_the_game else (watched.root.state, *arguments)
    given = "the game and the state" if gets_the_game else "the state"
    with _result_uncached(game), _recording(_Recorder(watched, function), given):
        watched.result = search(*call, **options)
    if watched.count > MOST_STATES:
        watched.columns()  # who has waited for so many nodes does not wait for their explorer too
    return watched


@contextmanager
def _result_uncached(game):
    """Take the functools.cache off `game.result` for the length of the block, if there is one."""
    own, cached = vars(game).get("result"), hasattr(game.result, "cache_info")
    if cached:
        vars(game)["result"] = source.uncached(game.result)
    try:
        yield
    finally:
        if cached:
            vars(game)["result"] = own
        if cached and own is None:
            del vars(game)["result"]


def _first_state(game, state):
    """The state to search from; `ValueError` if this is not a game with hashable states and actions."""
    check_game(game)
    try:
        state = game.initial_state() if state is None else state
        hash((state, *moves_of(game, state), game.result))
    except Exception as error:
        raise ValueError(f"watch takes a search, a game and one of its states, hashable and with hashable actions; "
                         f"{game!r} with {state!r} fails: {error!r}") from error  # fmt: skip
    return state


@contextmanager
def _recording(recorder, given):
    """Record what happens inside the block; a note on an error says what the search was `given`."""
    watched, profiler = recorder.watched, sys.getprofile()
    try:
        sys.setprofile(recorder.profile)
        yield
    except BaseException as error:
        watched.error = error
        nodes = "the root" if watched.count == 1 else f"the {watched.count:,} nodes"
        error.add_note(f"watch() called the search with {given}; explore(last_watched()) shows {nodes} up to there.")
        if isinstance(error, RecursionError):
            _shorten(error)
        raise
    finally:
        # cProfile's profiler cannot be handed back; it is switched on again
        getattr(profiler, "enable", lambda: sys.setprofile(profiler))()
        recorder.finish()


def _shorten(error, frames=8):
    """Keep only the first frames of a long traceback, and add a note that says what is probably wrong."""
    error.add_note(
        "A search that forgets result(), or a game that never ends, goes ever deeper. Its first calls are listed."
    )
    below = error.__traceback__
    for _ in range(frames):
        below = below and below.tb_next
    if below is not None:
        below.tb_next = None


class _Recorder:
    """The interpreter tells it of every call and return; it writes those that matter into `watched`."""

    def __init__(self, watched, function):
        self.watched = watched
        self.node_of = {watched.root.state: watched.root}  # state → the newest node with this state
        self.stack = [(None, None, {})]  # then (frame, node, its own arguments) of each call of the search in progress
        self.asking = [(None, None, None)]  # then (frame, state, action) of each call of result() in progress
        self.newest = None  # a node whose state was just made: searched next, or merely asked for
        self.ready_made = set()  # nodes all of whose children known by then were made before one of them was searched
        self.unfinished = set()  # nodes with a call that an exception or the node limit cut short
        self.orders = {}  # how many parts a result has → (place of the value, place of the move), what may be so
        self.memories, self.hits = {}, 0  # code → the functools.cache around it, if any; how often they have answered
        self.node_with_value = {}  # state → the node at which its value was found last
        self.recursive = source.recursive_codes(function)
        # what to do at a call of a code, by its id: to hash the code itself is slow
        self.called = {id(code): self._when_searched(code) for code in self.recursive | {function.__code__}}
        result = source.function_of(watched.game.result)
        methods = [getattr(type(watched.game), name, None) for name in source.GAME_METHODS]
        self.rules = {getattr(inspect.unwrap(method), "__code__", None) for method in methods if method}
        self.state_and_action = source.last_two_arguments(result)
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
        """The game has handed out a state: make a node for it below the state that it comes from."""
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
        """A function to call when this code of a search is called: one of the parameters is a state, or holds one."""
        count, stars = code.co_argcount + code.co_kwonlyargcount, code.co_flags & (CO_VARARGS | CO_VARKEYWORDS)
        names, holders = code.co_varnames[:count], code.co_varnames[: count + stars.bit_count()]
        likely = [name for name in source.STATE_NAMES if name in names]
        likely += [name for name in names if name not in source.STATE_NAMES + source.NOT_A_STATE]

        def called(frame):
            values = frame.f_locals
            state_name = node = None
            for name in likely:
                found = self._node(values[name])
                if found is not None and (node is None or found is self.newest is not node):
                    state_name, node = name, found
            if node is not None and len(likely) > 1:  # a parameter that was no state at one call is none at all
                likely[:] = [name for name in likely if self._node(values[name]) is not None]
            node = node or self._node_within(values[name] for name in holders)
            if node is None:
                return
            if code not in self.memories:
                self._read_decorators(code, frame)
            arguments = {}
            for name in names:
                if name != state_name and isinstance(values[name], (int, float, str, Number)):
                    arguments[name] = values[name]
            self._enter(frame, self._choose(node), arguments)

        return called

    def _read_decorators(self, code, frame):
        """Follow what decorates the function of this code, too: a function that remembers, or functools.cache."""
        found = source.named_like(code, frame)
        self.memories[code] = found if hasattr(found, "cache_info") else None
        for function in source.layers(found):
            self.called.setdefault(id(function.__code__), self._when_searched(function.__code__))

    def _node_within(self, holders):
        """The node whose state is a part of one of these: of a tuple (as *args are), a dictionary, an object."""
        for holder in holders:
            if not isinstance(holder, Game):
                parts = [(name, part) for name, part in source.parts_of(holder) if name not in source.NOT_A_STATE]
                found = {name: node for name, part in parts if (node := self._node(part)) is not None}
                named = [found[name] for name in source.STATE_NAMES if name in found]
                if named or (len(found) == 1 and len(parts) > 1):
                    return (named or [*found.values()])[0]
        return None

    def _choose(self, node):
        """The node that is entered: of several children with equal states, the first that has not been searched yet."""
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
        """Note whether the variables α and β of the calling function have changed since they were last looked at."""
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
        returned = value is not None or source.really_returned(frame)
        if returned:
            node.value, node.move = self._value_and_move(value, node, frame.f_code)
            self.node_with_value[node.state] = node
        else:  # an exception is passing through
            self.unfinished.add(node)
        if self.stack[-1][1] is not node:
            self.watched.events.append((EXIT, node, node.value if returned else None))

    def _value_and_move(self, returned, node, code):
        """(value, move) of a call, whichever of these it returned: a pair in either order, a move, or a value."""
        parts = _parts_of_result(returned, node)
        if 2 <= len(parts) <= 4:
            pair = self._read_pair(parts, node)
            if pair is not None:
                return pair
        around = code not in self.recursive  # the function that was watched, if others do the recursion inside it
        if around and node.value is not None:
            return node.value, node.move  # they have told both
        if around or not isinstance(returned, Number):
            pair = self._read_move(returned, node)
            if pair is not None:
                return pair
        return returned, None

    def _read_pair(self, parts, node):
        """(value, move) of a result; None if it is not known yet at which places this search returns the two."""
        places = range(len(parts))
        orders = self.orders.setdefault(len(parts), list(permutations(places, 2)))
        for place, other in orders:
            value, move = parts[place], parts[other]
            if isinstance(move, tuple | list) and not _is_child(node, move):  # a line of moves: the first counts
                move = move[0] if move else None
            if (
                move is None and value is not None
            ):  # a leaf says so, and it comes first; a vector of utilities never does
                orders[:] = self._orders_at_leaf(parts, other, node.state)
                return parts[orders[0][0]], None
            chosen = node.children[move] if _is_child(node, move) else None
            if len(orders) == 1 or (chosen is not None and _equal(chosen.value, value)):
                return value, None if chosen is None else move
        return None

    def _orders_at_leaf(self, parts, place_of_move, state):
        """The orders with the move at this place: those in which the value is the utility, or else all of them."""
        orders = [(n, place_of_move) for n, part in enumerate(parts) if n != place_of_move and part is not None]
        game = self.watched.game
        if len(parts) == 2 or not game.is_terminal(state):
            return orders
        worth = game.utility(state, MAX)
        return [
            order for order in orders if _equal(parts[order[0]], worth) or _equal(parts[order[0]], -worth)
        ] or orders

    def _read_move(self, returned, node):
        """(value, move) of a bare move; None if this is no move, or if the value of the best child looks the same."""
        chosen = node.children[returned] if _is_child(node, returned) else None
        best = self._best_below(node)
        if chosen is None or chosen.value is None or _equal(returned, best):
            return None
        return (chosen.value if best is None or _equal(chosen.value, best) else None), returned

    def _best_below(self, node):
        """The value that the player to move would choose among those of the children; None if there is none."""
        values = [child.value for child in node.children.values() if isinstance(child.value, Number)]
        picks = max if self.watched.game.to_move(node.state) == MAX else min
        return picks(values, default=None)

    def _flush(self, entered=None):
        """Note that the newest state was only asked for, unless it is the one that is searched now."""
        newest, self.newest = self.newest, None
        if newest is None or newest is entered or newest.status != ASKED:
            return
        before, self.hits = self.hits, sum(memory.cache_info().hits for memory in self.memories.values() if memory)
        known = self.node_with_value.get(newest.state) if self.hits > before else None
        if known is None:
            self.watched.events.append((ASK, newest, None))
        else:  # a functools.cache has answered
            newest.status, newest.value, newest.arguments = VISITED, known.value, {"remembered": True}
            self.watched.events += (ENTER, newest, newest.arguments), (EXIT, newest, newest.value)

    def finish(self):
        """Put all children into the game's order and add those that were cut; what an error ended stays open."""
        self._flush()
        self.unfinished.update(node for _, node, _ in self.stack)
        watched, events = self.watched, self.watched.events
        while events and events[-1][0] == EXIT and events[-1][2] is None and events[-1][1] in self.unfinished:
            events.pop()
        sound = watched.error is None and is_ours(watched.game)
        whole = _is_small(watched.game, watched.root.state)
        ordered = []
        for node in watched.nodes():
            node.number = len(ordered)
            ordered.append(node)
            try:
                if node.children:
                    self._complete(node)
                elif node.status == CUT and whole:
                    self._leave_out(node, [action for action, _ in moves_of(watched.game, node.state)])
                if not sound:
                    leaf_text(watched.game, node.state)
                    moves_of(watched.game, node.state)
            except Exception as error:  # the game fails here; what it did until then is still to be seen
                watched.fault = watched.fault or error
        watched.ordered = ordered
        if watched.fault is not None:
            watched.game = Forgiving(watched.game)

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
            self._leave_out(node, [action for action in actions if action not in children])
        node.children = {action: children[action] for action in actions if action in children} | children

    def _leave_out(self, node, actions):
        """Give a node the children that the search never looked at."""
        for action in actions:
            node.children[action] = Node(node, action, self.watched.game.result(node.state, action), CUT)


def _is_small(game, state):
    """Whether a game is small enough to be recorded whole."""
    states = [state]
    with suppress(Exception):  # rules that fail where the search never went are no fault of the search's
        for above in states:
            if len(states) > WHOLE:
                break
            states += [game.result(above, action) for action, _ in moves_of(game, above)]
        else:
            return True
    return isinstance(game, TreeGame)


def _parts_of_result(returned, node):
    """What a call returned, part by part: of a pair, a tuple, a dictionary that is not by action, an object."""
    if isinstance(returned, tuple) or (isinstance(returned, list) and len(returned) == 2):
        return list(returned)
    parts = {} if isinstance(returned, Number) else dict(source.parts_of(returned))
    return [] if parts.keys() & node.children.keys() else [parts[name] for name in sorted(parts, key=str)]


def _spelt(arguments):
    """The arguments with α and β under their names."""
    return arguments if GREEK.keys().isdisjoint(arguments) else {GREEK.get(n, n): arguments[n] for n in arguments}


def _equal(one, other):
    """True if two values are equal. Values that compare item by item, as arrays do, count as different."""
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


def _is_child(node, action):
    try:
        return action in node.children
    except TypeError:  # not hashable, so no action
        return False
