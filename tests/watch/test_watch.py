"""Watching searches: one record from every style of code, its invariants, limits, errors, profilers."""

import contextlib
import cProfile
import functools
import itertools
import signal
import sys
import types
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.games import CHANCE, MAX, MIN, Chance, ConnectFour, Game, Nim, TicTacToe, TreeGame, Turn
from course_lib.search import (
    alpha_beta_search,
    depth_limited_alpha_beta_search,
    depth_limited_minimax_search,
    iterative_deepening,
    label_tree,
    max_n_search,
    minimax_agent,
    minimax_search,
    minimax_value,
    monte_carlo_tree_search,
    negamax_search,
    store_tree,
    table_search,
    time_limited_agent,
)
from course_lib.search.checks import Around
from course_lib.watch.calls import last_watched, watch
from course_lib.watch.mcts import watch_mcts
from course_lib.watch.paths import kind_of, moves_of
from course_lib.watch.record import ASK, ASKED, CUT, ENTER, EVENTS, EXIT, UPDATE, VISITED
from oracle import value as worth
from oracle import values_of_states
from strategies import FIRST, LEAVES

TEXTBOOK = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
UNEVEN = [[[1, 0], 2], -3, [[[0, 1], [2]], [1, [0]], 0], [2, 2]]
trees = st.recursive(LEAVES, lambda below: st.lists(below, min_size=1, max_size=3), max_leaves=20)
rooted = st.builds(TreeGame, trees, first=FIRST)


# The independent answers, read off the nested lists of a TreeGame.


def paths(tree, path=()):
    """All paths of a tree, in depth-first order."""
    below = enumerate(tree) if isinstance(tree, list) else ()
    return [path, *itertools.chain.from_iterable(paths(child, (*path, i)) for i, child in below)]


def subtree(tree, path):
    for action in path:
        tree = tree[action]
    return tree


def mover(game, path):
    return (game.first + len(path)) % 2


def window(game, path):
    """(α, β) on arrival at a node: the best of Max's, and of Min's, earlier alternatives on the way, by true values."""
    alpha, beta = -inf, inf
    for i, action in enumerate(path):
        earlier = [worth(child, mover(game, path[: i + 1])) for child in subtree(game.tree, path[:i])[:action]]
        if mover(game, path[:i]) == MAX:
            alpha = max([alpha, *earlier])
        else:
            beta = min([beta, *earlier])
    return alpha, beta


# What was recorded.


def entered(watched):
    return [node.path for event, node, _ in watched.events if event == ENTER]


def recorded(watched, status=VISITED):
    return {node.path: node.value for node in watched.nodes() if node.status == status}


def at(watched, *path):
    node = watched.root
    for action in path:
        node = node.children[action]
    return node


def check_brackets(watched):
    """Enter and exit pair up like brackets, updates are for the innermost node; return the nodes left open."""
    stack = []
    for event, node, detail in watched.events:
        if event == ENTER:
            assert (node.parent is stack[-1]) if stack else (node is watched.root)
            stack.append(node)
        elif event == ASK:
            assert detail is None and node.parent is stack[-1]
        else:
            assert node is stack[-1]
            if event == EXIT:
                stack.pop()
    return stack


# Every style of code. Each is called as search(game, state); value-only and (value, action) ones alike.


def max_of(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    return max([min_of(game, game.result(state, action)) for action in game.actions(state)])


def min_of(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    return min([max_of(game, game.result(state, action)) for action in game.actions(state)])


def two_functions(game, state):
    return max_of(game, state) if game.to_move(state) == MAX else min_of(game, state)


def best_of(game, state):
    return max if game.to_move(state) == MAX else min


def worth_of(game, state, below):
    """What a leaf is worth to Max, or else the best of the values below, which are asked for only then."""
    return game.utility(state, MAX) if game.is_terminal(state) else best_of(game, state)(below)


def results(game, state):
    for action in game.actions(state):
        yield game.result(state, action)


def one_function(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    return best_of(game, state)(one_function(game, game.result(state, action)) for action in game.actions(state))


def nested_value_and_move(game, state):
    def value(state):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        v, move = None, None
        for action in game.actions(state):
            v2, _ = value(game.result(state, action))
            if v is None or best_of(game, state)(v, v2) != v:
                v, move = v2, action
        return v, move

    return value(state)


def nested_lambda(game, state):
    value = lambda s: worth_of(game, s, (value(after) for after in results(game, s)))  # noqa: E731
    return value(state)


module_lambda = lambda game, s: worth_of(game, s, (module_lambda(game, x) for x in results(game, s)))  # noqa: E731


def helper_between(game, state):
    """The recursion goes through a function for the children, which has no state that is new."""

    def of_children(above):
        return [helper_between(game, game.result(above, action)) for action in game.actions(above)]

    return game.utility(state, MAX) if game.is_terminal(state) else best_of(game, state)(of_children(state))


class Searcher:
    def __init__(self, game=None):
        self.game = game

    def search(self, game, state):
        self.game = game
        return self.value(state)

    def value(self, state):
        if self.game.is_terminal(state):
            return self.game.utility(state, MAX)
        return self.best(state)(self.after(state, action) for action in self.game.actions(state))

    def after(self, state, action):
        return self.value(self.game.result(state, action))

    def best(self, state):
        return best_of(self.game, state)


class Inheriting(Searcher):
    def after(self, state, action):
        return super().after(state, action)


class Callable:
    def __call__(self, game, state):
        return worth_of(game, state, (self(game, after) for after in results(game, state)))


def with_options(ply, game, position, evaluate=None):
    after = (game.result(state=position, action=move) for move in game.actions(position))
    below = (with_options(ply + 1, position=p, game=game, evaluate=evaluate) for p in after)
    return worth_of(game, position, below)


def keywords_only(*, game, position):
    return worth_of(game, position, (keywords_only(position=p, game=game) for p in results(game, position)))


def class_inside(game, state):
    class Inside:
        def value(self, state):
            return worth_of(game, state, (self.value(after) for after in results(game, state)))

    return Inside().value(state)


def depth_before_state(game, state):
    def value(plies, s):
        return worth_of(game, s, (value(plies - 1, after) for after in results(game, s)))

    return value(9, state)


def children_first(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    children = [game.result(state, action) for action in game.actions(state)]
    return best_of(game, state)(map(functools.partial(children_first, game), children))


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


def logged_without_wraps(function):
    def wrapper(*args):
        return function(*args)

    return wrapper


@logged
def decorated(game, state):
    return worth_of(game, state, (decorated(game, after) for after in results(game, state)))


@logged_without_wraps
def decorated_without_wraps(game, state):
    return worth_of(game, state, (decorated_without_wraps(game, after) for after in results(game, state)))


@functools.cache
def remembered(game, state):
    return worth_of(game, state, (remembered(game, after) for after in results(game, state)))


CELLS = (
    "from course_lib.games import MAX, MIN",
    "def value(game, s):\n"
    "    if game.is_terminal(s):\n"
    "        return game.utility(s, MAX)\n"
    "    return best(game, s)(children(game, s))",
    "def best(game, s):\n    return max if game.to_move(s) == MAX else min",
    "def children(game, s):\n    return [value(game, game.result(s, a)) for a in game.actions(s)]",
)


def run_cells():
    """What a kernel does: each cell is a file of its own, and all share their global variables."""
    cells = {"__name__": "__main__"}
    for number, cell in enumerate(CELLS):
        exec(compile(cell, f"<ipython-input-{number}>", "exec"), cells)
    return cells


package = types.ModuleType("my_package")
package.searches = types.ModuleType("my_package.searches")
exec("\n".join(CELLS), package.searches.__dict__)
searcher = Searcher()
partial_search = functools.partial(with_options, 0)


def by_star(*args):
    game, state, _ = args
    return worth_of(game, state, (by_star(game, after, 1) for after in results(game, state)))


@dataclass
class Position:
    state: tuple
    depth: int = 0


class Slotted:
    __slots__ = ("action", "state")

    def __init__(self, state, action=None):
        self.state, self.action = state, action


def in_a(kind):
    """A search whose one parameter is a state in something that its author made."""

    def search(game, state):
        def value(node):
            state = node[0] if isinstance(node, tuple) else node["s"] if isinstance(node, dict) else node.state
            return worth_of(game, state, (value(kind(after)) for after in results(game, state)))

        return value(kind(state))

    return search


class Own:
    """A node that keeps its parent and its children, and searches itself."""

    def __init__(self, game, state, parent=None):
        self.game, self.state, self.parent, self.children = game, state, parent, []

    def value(self):
        self.children = [Own(self.game, after, self) for after in results(self.game, self.state)]
        return worth_of(self.game, self.state, (child.value() for child in self.children))


STYLES = {
    "library": minimax_search,
    "two functions": two_functions,
    "one function": one_function,
    "nested, value and move": nested_value_and_move,
    "nested lambda": nested_lambda,
    "lambda": module_lambda,
    "helper between": lambda game, state: helper_between(game, state),
    "inherited method": Inheriting().search,
    "object in a variable": lambda game, state: searcher.search(game, state),
    "callable object": Callable(),
    "class inside a function": class_inside,
    "partial, keywords": functools.partial(with_options, 0, evaluate=abs),
    "keywords only": lambda game, state: keywords_only(game=game, position=state),
    "depth before state": depth_before_state,
    "children first": children_first,
    "decorated": decorated,
    "decorated without wraps": decorated_without_wraps,
    "remembered in a lambda": lambda game, state: remembered(game, state),
    "cells": run_cells()["value"],
    "module in a lambda": lambda game, state: package.searches.value(game, state),
    "partial in a lambda": lambda game, state: partial_search(game, state),
    "star": lambda game, state: by_star(game, state, 1),
    "dataclass": in_a(Position),
    "slots": in_a(Slotted),
    "pair": in_a(lambda state: (state, 0.5)),
    "dictionary": in_a(lambda state: {"s": state, "plies": 0}),
    "own node": lambda game, state: Own(game, state).value(),
}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("first", [MAX, MIN])
@pytest.mark.parametrize("tree", [TEXTBOOK, UNEVEN, [5]], ids=["textbook", "uneven", "one leaf"])
def test_every_style_gives_the_same_record(style, first, tree):
    game = TreeGame(tree, first=first)
    watched = watch(STYLES[style], game)
    assert entered(watched) == paths(tree)
    assert recorded(watched) == {path: worth(subtree(tree, path), mover(game, path)) for path in paths(tree)}
    assert check_brackets(watched) == []
    assert [node.path for node in watched.nodes()] == paths(tree)
    assert watched.count == len(paths(tree)) and not watched.notice
    assert sys.getprofile() is None


class IntegerGame(Game):
    """A game typed into a cell: its states are plain numbers, those of the nodes of a complete binary tree."""

    leaves = dict(zip(range(8, 16), (3, 1, 1, 2, 0, 5, 4, 1)))

    def initial_state(self):
        return 1

    def to_move(self, n):
        return (n.bit_length() + 1) % 2

    def actions(self, n):
        return [] if n > 7 else ["left", "right"]

    def result(self, n, direction, factor=2):
        n = factor * n  # a result that changes its own parameters
        direction = direction == "right"
        return n + direction

    def is_terminal(self, n):
        return n > 7

    def utility(self, n, player):
        return self.leaves[n] if player == MAX else -self.leaves[n]


class TextGame(Game):
    """The same with states that are texts, and with functions that are no methods."""

    initial_state = staticmethod(lambda: "1")
    result = staticmethod(lambda n, direction: str(IntegerGame().result(int(n), direction)))
    to_move, actions, is_terminal, utility = (
        staticmethod(lambda n, *player, ask=ask: ask(int(n), *player))
        for ask in (IntegerGame().to_move, IntegerGame().actions, IntegerGame().is_terminal, IntegerGame().utility)
    )


def countdown(plies, number, game, best=max):
    """The number of plies left is a state's number now and then, and the name of the state says nothing."""
    if plies == 0:
        return game.utility(number, MAX)
    after = (game.result(number, action) for action in game.actions(number))
    return best(countdown(plies - 1, n, game, min if best is max else max) for n in after)


@pytest.mark.parametrize("game", [IntegerGame(), TextGame()])
def test_states_that_are_plain_numbers_or_texts(game):
    for watched in (watch(lambda game, state: countdown(3, state, game), game), watch(minimax_value, game)):
        assert [int(node.state) for node in watched.nodes()] == [1, 2, 4, 8, 9, 5, 10, 11, 3, 6, 12, 13, 7, 14, 15]
        assert entered(watched) == [node.path for node in watched.nodes()]
        values = {int(node.state): node.value for node in watched.nodes()}
        assert values == IntegerGame.leaves | {4: 3, 5: 2, 6: 5, 7: 4, 2: 2, 3: 4, 1: 4}
        assert check_brackets(watched) == []


class Countdown(IntegerGame):
    """The state is the number that is left; one or two are taken."""

    actions = staticmethod(lambda n: [1, 2][:n])
    result = staticmethod(lambda n, taken: n - taken)


def test_a_depth_that_equals_every_state():
    def with_depth(depth, n):
        return max([with_depth(depth - 1, game.result(n, a)) for a in game.actions(n)] if depth * n else [0])

    def with_plies(plies, s):
        return max([with_plies(plies - 1, game.result(s, a)) for a in game.actions(s)] if plies * s else [0])

    game = Countdown()
    for search, name in ((with_depth, "depth"), (with_plies, "plies")):
        watched = watch(functools.partial(search, 3), game, 3)
        assert all(node.arguments == {name: 3 - len(node.path)} for node in watched.nodes())
        assert entered(watched) == [node.path for node in watched.nodes()]


def test_a_search_that_is_also_given_the_state_above():
    def value(before, after):
        if game.is_terminal(after):
            return game.utility(after, MAX)
        return best_of(game, after)(value(after, game.result(after, action)) for action in game.actions(after))

    game = TreeGame(UNEVEN)
    watched = watch(lambda state: value(game.initial_state(), state), game)
    assert entered(watched) == paths(UNEVEN) and check_brackets(watched) == []


@pytest.mark.parametrize("call", [
    lambda game: watch(Searcher(game).value, game),
    lambda game: watch(lambda s: minimax_value(game, s), game),
    lambda game: watch(lambda state, depth=3: minimax_value(game, state), game),
    lambda game: watch(lambda state, depth=3: minimax_value(game, state), game, None, 5),
])  # fmt: skip
def test_a_search_that_takes_no_game_gets_only_the_state(call):
    assert entered(call(TreeGame(TEXTBOOK))) == paths(TEXTBOOK)


def test_arguments_are_passed_on_and_recorded():
    game = TreeGame(UNEVEN)
    search = depth_limited_minimax_search
    for watched in (watch(search, game, (), 2, evaluate=len), watch(search, game, None, depth=2, evaluate=len)):
        assert watched.result == search(game, (), 2, len) and watched.name == "depth_limited_minimax_search"
        assert at(watched).arguments == {"depth": 2} and at(watched, 0, 1).arguments == {"depth": 0}
        assert at(watched, 0, 0).value == 2 and at(watched, 2, 2).value == 0


class Wrapped(Around):
    """A game around a game: its functions come back to their own names."""

    def to_move(self, state):
        return self._game.to_move(state)

    def actions(self, state):
        return self._game.actions(state)

    def result(self, state, action):
        return self._game.result(state, action)


@pytest.mark.parametrize("search, game", [
    (lambda game, state: minimax_value(Wrapped(game), state), TreeGame(UNEVEN)),
    (minimax_value, Wrapped(TreeGame(UNEVEN))),
])  # fmt: skip
def test_the_functions_of_a_game_are_no_nodes(search, game):
    watched = watch(search, game, ())
    assert entered(watched) == paths(UNEVEN) and watched.root.value == worth(UNEVEN)
    assert all(node.arguments == {} for node in watched.nodes())
    assert {event for event, _, _ in watched.events} == {ENTER, EXIT}


def test_an_action_that_the_game_does_not_list_is_shown_after_the_others():
    watched = watch(lambda n: [Countdown.result(n, taken) for taken in (3, 2, 1)], Countdown(), 7)
    assert list(watched.root.children) == [1, 2, 3] and watched.root.children[3].state == 4


def order(game, state):
    return sorted(game.actions(state), key=lambda action: -evaluate(game, game.result(state, action)))


def evaluate(game, state):
    return features.evaluate(game, state) + tidy(state)


def tidy(state):
    return 0 * len(state)


class Features:
    def evaluate(self, game, state):
        return -len(state) + (0 if game.is_terminal(state) else 1)


features = Features()


def ordered(game, state, depth):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    if depth == 0:
        return evaluate(game, state)
    return best_of(game, state)(ordered(game, game.result(state, a), depth - 1) for a in order(game, state))


def test_helpers_that_do_not_recurse_are_no_nodes():
    game = TreeGame(UNEVEN)
    watched = watch(ordered, game, None, 1)
    assert entered(watched) == [(), (0,), (2,), (3,), (1,)]  # inner nodes first
    assert [node.path for node in watched.nodes()] == [(), (0,), (1,), (2,), (3,)]
    assert recorded(watched) == {(): 0, (0,): 0, (1,): -3, (2,): 0, (3,): 0}
    assert check_brackets(watched) == []
    assert [node.path for event, node, _ in watched.events if event == ASK] == [(0,), (1,), (2,), (3,)]


def quiet_search(game, state, depth):
    if depth == 0:
        return quiesce(game, state)
    return best_of(game, state)(quiet_search(game, game.result(state, a), depth - 1) for a in game.actions(state))


def quiesce(game, state):
    """Goes on at the first action only, as if all others were quiet."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    return best_of(game, state)(0, quiesce(game, game.result(state, game.actions(state)[0])))


def test_a_second_recursion_at_the_horizon():
    watched = watch(quiet_search, TreeGame([[[7, 1], [-2, 9]], [[[3], 4], [5, [6]]]]), None, 2)
    cut = {(0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1), (1, 1, 1, 0)}
    assert set(recorded(watched, CUT)) == cut
    assert entered(watched) == [node.path for node in watched.nodes() if node.path not in cut]
    assert at(watched, 0, 0).value == 7 and at(watched, 0, 1).value == 0 and watched.root.value == watched.result == 0
    assert at(watched, 0, 0).arguments == {"depth": 0} and at(watched, 0, 0, 0).arguments == {}
    assert check_brackets(watched) == []


def test_an_evaluation_that_looks_ahead_cuts_nothing_off():
    def search(game, state, depth):
        if depth == 0:
            return any(game.is_terminal(game.result(state, action)) for action in game.actions(state))
        return max(search(game, game.result(state, action), depth - 1) for action in game.actions(state))

    watched = watch(search, TreeGame(TEXTBOOK), None, 1)
    assert set(recorded(watched, ASKED)) == {(0, 0), (1, 0), (2, 0)} and not recorded(watched, CUT)


def below_cuts(watched):
    """The nodes that hang below others that were cut."""
    return [node for node in watched.nodes() if node.parent is not None and node.parent.status == CUT]


def test_below_a_cut_a_small_game_is_recorded_whole_and_a_large_one_is_not():
    small, state = watch(alpha_beta_search, Nim([2, 2])), ConnectFour().initial_state()
    assert below_cuts(small) and all(node.children or small.game.is_terminal(node.state) for node in small.nodes())
    assert not below_cuts(watch(depth_limited_alpha_beta_search, ConnectFour(), state, 3))

    class Fails(Nim):
        def actions(self, state):
            return super().actions(state) if state in known else 1 / 0

    known = {node.state for node in small.nodes() if node.status == VISITED}
    assert not below_cuts(watch(alpha_beta_search, Fails([2, 2]))), "rules that fail where the search does not go"


@given(rooted)
def test_alpha_beta_shows_the_textbook_windows_and_cuts(game):
    watched = watch(alpha_beta_search, game)
    seen = [path for path in paths(game.tree) if (w := window(game, path))[0] < w[1] or path == ()]
    assert entered(watched) == seen
    arguments = {}
    for event, node, detail in watched.events:
        if event == ENTER:
            assert (detail["alpha"], detail["beta"]) == window(game, node.path)
        elif event == UPDATE:
            before = arguments[node]
            assert detail != before and detail["alpha"] >= before["alpha"] and detail["beta"] <= before["beta"]
        elif event == EXIT and node.children:
            alpha, beta = window(game, node.path)
            last = (max(alpha, node.value), beta) if mover(game, node.path) == MAX else (alpha, min(beta, node.value))
            assert (arguments[node]["alpha"], arguments[node]["beta"]) == last
        if event in (ENTER, UPDATE):
            arguments[node] = detail
    assert set(recorded(watched, CUT)) == set(paths(game.tree)) - set(seen), "with all that is below a cut"
    assert all(node.state == node.path for node in watched.nodes() if node.status == CUT)
    assert check_brackets(watched) == []
    assert watched.result[0] == worth(game.tree, game.first)


@given(rooted)
def test_negamax_shows_each_players_own_window_and_value(game):
    watched = watch(negamax_search, game)
    assert entered(watched) == entered(watch(alpha_beta_search, game))
    for event, node, detail in watched.events:
        alpha, beta = window(game, node.path)
        if event == ENTER:
            own = (alpha, beta) if mover(game, node.path) == MAX else (-beta, -alpha)
            assert (detail["alpha"], detail["beta"]) == own
    for path, value in recorded(watched).items():
        alpha, beta = window(game, path)
        true = worth(subtree(game.tree, path), mover(game, path))
        sign = -1 if mover(game, path) else 1
        assert sign * value == true or not alpha < true < beta
    assert watched.result[0] == (-1 if game.first else 1) * worth(game.tree, game.first)


def negamax_value(game, state, sign):
    if game.is_terminal(state):
        return sign * game.utility(state, MAX)
    return max(-negamax_value(game, game.result(state, action), -sign) for action in game.actions(state))


@given(rooted)
def test_a_value_is_not_taken_for_an_action_of_the_same_number(game):
    watched = watch(negamax_value, game, None, -1 if game.first else 1)
    for path, value in recorded(watched).items():
        assert value == (-1 if mover(game, path) else 1) * worth(subtree(game.tree, path), mover(game, path))
    assert all(node.move is None for node in watched.nodes())


def decision(game, state):
    """A value and a move from functions that return values only."""
    values = {action: min_of(game, game.result(state, action)) for action in game.actions(state)}
    return max(values.values()), max(values, key=values.get)


def moves_only(game, state):
    return max(game.actions(state), key=lambda action: min_of(game, game.result(state, action)))


@pytest.mark.parametrize("agent", [minimax_agent(), minimax_agent(2), moves_only])
@pytest.mark.parametrize("tree", [TEXTBOOK, [[6, 5], [8, 9]]])
def test_of_an_agent_that_returns_its_move_the_value_is_known_too(agent, tree):
    watched = watch(agent, TreeGame(tree))
    assert (watched.root.value, watched.root.move) == minimax_search(TreeGame(tree), ())
    assert watched.result == watched.root.move
    watched = watch(decision, TreeGame(tree))
    assert (watched.root.value, watched.root.move) == watched.result


def test_a_result_that_equals_an_action_by_chance_is_no_move():
    watched = watch(lambda game, state: label_tree(game, store_tree(game, state)), TreeGame(TEXTBOOK))
    assert watched.root.value == watched.result == 1 and watched.root.move is None


def test_an_action_that_is_a_pair_is_no_line_of_play():
    assert watch(minimax_search, Nim([1, 2])).root.move == (1, 1)


def test_a_lambda_between_leaves_the_move_alone():
    def value(state, depth):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        actions = game.actions(state)
        values = [*map(lambda s: value(s, depth + 1)[0], [game.result(state, action) for action in actions])]
        v = best_of(game, state)(values)
        return v, actions[values.index(v)]

    game = TreeGame(TEXTBOOK)
    watched = watch(value, game, None, 0)
    assert [at(watched, i).move for i in range(3)] == [0, 0, 2]


def with_line(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX), []
    found = [(with_line(game, game.result(state, action)), action) for action in game.actions(state)]
    (value, line), action = best_of(game, state)(found)
    return value, [action, *line]


def test_a_line_of_play_beside_the_value_is_no_part_of_it():
    watched = watch(with_line, Nim([1, 2]))
    assert watched.result == (1, [(1, 1), (1, 1), (0, 1)])
    assert watched.root.value == 1 and watched.root.move == (1, 1)
    assert {node.value for node in watched.nodes()} == {1, -1}
    assert at(watched, (1, 1), (1, 1)).move == (0, 1)


def test_utility_vectors():
    three = TreeGame([[(1, 2, 3), (4, 2, 1)], [(6, 1, 2), (7, 4, 1)]], players=3)
    two = TreeGame([[(0, 1), (1, 0)], [(1, 1), (1, 0)]])  # where a utility may be taken for an action
    values = recorded(watch(max_n_search, three))
    assert values[()] == (7, 4, 1) and values[0,] == (1, 2, 3) and values[1, 0] == (6, 1, 2)
    values = recorded(watch(max_n_search, two))
    assert (values[()], values[0,], values[1,], values[1, 1]) == ((1, 1), (0, 1), (1, 1), (1, 0))
    assert watch(max_n_search, three).root.move == watch(max_n_search, two).root.move == 1


def expectiminimax(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    if game.to_move(state) == CHANCE:
        return sum(p * expectiminimax(game, game.result(state, action)) for action, p in game.chances(state))
    return best_of(game, state)(expectiminimax(game, game.result(state, action)) for action in game.actions(state))


def test_chance_nodes():
    game = TreeGame([Chance([(0.25, [0, 4]), (0.75, [4, 8])]), 2, Turn(MIN, [Chance([(0.5, 2), (0.5, 0)])])])
    watched = watch(expectiminimax, game)
    assert recorded(watched) == {
        (): 3, (0,): 3, (0, 0): 0, (0, 0, 0): 0, (0, 0, 1): 4, (0, 1): 4, (0, 1, 0): 4, (0, 1, 1): 8,
        (1,): 2, (2,): 1, (2, 0): 1, (2, 0, 0): 2, (2, 0, 1): 0,
    }  # fmt: skip
    assert watched.graph.nodes[0,]["kind"] == "chance" and watched.graph.edges[(0,), (0, 1)]["probability"] == 0.75
    assert "probability" not in watched.graph.edges[(), (0,)]


class Heap(Nim):
    """Sorted heaps make several actions lead to equal states."""

    def result(self, state, action):
        player, heaps = super().result(state, action)
        return player, tuple(sorted(heaps))


def full_tree(game, state, path=()):
    """(path, state) of every node of the game tree, depth first."""
    yield path, state
    for action, _ in moves_of(game, state):
        yield from full_tree(game, game.result(state, action), (*path, action))


def sorted_children(game, state):
    children = sorted(results(game, state), key=lambda child: sum(child[1]))
    return worth_of(game, state, [sorted_children(game, child) for child in children])


@pytest.mark.parametrize("search", [minimax_search, one_function, children_first, sorted_children])
@pytest.mark.parametrize("game", [Heap([2, 2, 2], most=2), Nim([1, 2, 2])])
def test_actions_that_lead_to_equal_states_have_a_node_each(search, game):
    watched = watch(search, game)
    tree = list(full_tree(game, game.initial_state()))
    assert [(node.path, node.state) for node in watched.nodes()] == tree
    assert all(node.status == VISITED and node.value == minimax_value(game, node.state) for node in watched.nodes())
    assert len(entered(watched)) == len(tree) == watched.count
    assert check_brackets(watched) == []
    if search is not sorted_children:
        assert entered(watched) == [path for path, _ in tree]


class Loitering(IntegerGame):
    """One may also wait, which leaves the state as it is."""

    def actions(self, n):
        return ["wait", *IntegerGame.actions(self, n)] if n < 8 else []

    def result(self, n, direction):
        return n if direction == "wait" else IntegerGame.result(self, n, direction)


def test_an_action_that_changes_nothing_has_a_node_of_its_own():
    def value(plies, n):
        return max(value(plies - 1, game.result(n, action)) for action in game.actions(n)) if plies else -n

    game = Loitering()
    watched = watch(lambda n: value(2, n), game)
    assert entered(watched)[:5] == [(), ("wait",), ("wait", "wait"), ("wait", "left"), ("wait", "right")]
    assert watched.count == len(entered(watched)) == 13
    assert check_brackets(watched) == []


def deepening(game, state, depth):
    for limit in range(1, depth + 1):
        value = depth_limited_alpha_beta_search(game, state, limit, len)
    return value


def deepening_in_one(game, state, depth):
    def value(s, plies):
        if game.is_terminal(s):
            return game.utility(s, MAX)
        return best_of(game, s)(value(game.result(s, a), plies - 1) for a in game.actions(s)) if plies else len(s)

    return [value(state, limit) for limit in range(depth + 1)][-1]


def test_iterative_deepening_comes_to_the_same_nodes_again():
    game = TreeGame(TEXTBOOK)
    for search in (deepening, deepening_in_one):
        watched = watch(search, game, None, 2)
        once = entered(watch(alpha_beta_search if search is deepening else minimax_value, game))
        assert entered(watched) == [(), (0,), (1,), (2,), *once[1:]] and check_brackets(watched) == []
        assert watched.root.value == 3 and at(watched, 0).value == 3
        assert set(recorded(watched, CUT)) == set(paths(TEXTBOOK)) - set(once)


def test_a_node_searched_before_is_not_asked_for_again():
    watched = watch(lambda game, state: [ordered(game, state, depth) for depth in (1, 2)], TreeGame(TEXTBOOK))
    asked = [node.path for event, node, _ in watched.events if event == ASK]
    assert len(asked) == len(set(asked)) == len(paths(TEXTBOOK)) - 1


def test_equal_states_searched_again_are_not_mixed_up():
    def twice(game, state):
        return [minimax_value(game, state), minimax_value(game, state)]

    game = Heap([1, 1])
    paths = [path for path, _ in full_tree(game, game.initial_state())]
    assert entered(watch(twice, game)) == paths + paths[1:]


def null_window_search(game, state, alpha, beta):
    """Every child is looked at twice, by two calls with the state made once."""
    return worth_of(game, state, [worth_twice(game, after, alpha, beta) for after in results(game, state)])


def worth_twice(game, after, alpha, beta):
    null_window_search(game, after, alpha, alpha + 1)
    return null_window_search(game, after, alpha, beta)


def test_a_function_between_that_searches_twice_is_one_node():
    watched = watch(null_window_search, TreeGame([1, [2, 3]]), None, -inf, inf)
    assert set(entered(watched)) == set(paths([1, [2, 3]])) and check_brackets(watched) == []
    assert at(watched, 1, 1).value == 3 and at(watched, 1).value == 2


def test_a_transposition_that_was_only_asked_for_is_left_alone():
    def look(state):
        assert all(game.result(state, action) for action in game.actions(state))
        return 0 if state[1] == (0, 1) else touch(state)

    def touch(state):
        return max([look(game.result(state, action)) for action in game.actions(state)], default=0)

    game = Nim([1, 1])
    watched = watch(lambda state: look(state), game)
    assert [node.path for node in watched.nodes() if node.status == ASKED] == [((0, 1), (1, 1))]
    assert entered(watched) == [(), ((0, 1),), ((1, 1),), ((1, 1), (0, 1))] and check_brackets(watched) == []
    assert not [node for event, node, _ in watched.events if event == UPDATE]


def memo(function):
    known = {}

    @functools.wraps(function)
    def wrapper(state):
        if state not in known:
            known[state] = function(state)
        return known[state]

    return wrapper


@pytest.mark.parametrize("decorator", [memo, functools.cache])
@pytest.mark.parametrize("inside", [True, False])
def test_what_is_remembered_is_shown_with_its_value_and_without_the_calls_below(decorator, inside):
    game = Nim([1, 2, 2])

    def of(value):
        @decorator
        def value(state):
            return worth_of(game, state, (value(after) for after in results(game, state)))

        return value

    watched = watch((lambda state: of(None)(state)) if inside else of(None), game)
    states = {state for _, state in full_tree(game, game.initial_state())}
    assert {node.state for node in watched.nodes()} == states
    assert all(node.value == minimax_value(game, node.state) for node in watched.nodes())
    searched = [node for node in watched.nodes() if node.children or game.is_terminal(node.state)]
    assert {node.state for node in searched} == states and watched.count > len(states)
    assert Counter(node.state for node in searched if node.children).most_common(1)[0][1] == 1
    if decorator is functools.cache:
        assert all(node.arguments == {"remembered": True} for node in watched.nodes() if node not in searched)
    assert not recorded(watched, CUT) and check_brackets(watched) == []


def by_stack(game, state, last=-1):
    unread, leaves = [state], []
    while unread:
        state = unread.pop(last)
        if game.is_terminal(state):
            leaves.append(game.utility(state, MAX))
        else:
            unread += [game.result(state, action) for action in game.actions(state)]
    return leaves


@pytest.mark.parametrize("last", [-1, 0], ids=["stack", "queue"])
def test_code_that_does_not_recurse_shows_what_it_asks_for(last):
    watched = watch(by_stack, TreeGame(UNEVEN), None, last=last)
    assert [node.path for node in watched.nodes()] == paths(UNEVEN)
    asked = [node.path for event, node, _ in watched.events if event == ASK]
    assert sorted(asked) == sorted(paths(UNEVEN)[1:]) and asked[:4] == [(0,), (1,), (2,), (3,)]
    assert asked[4:6] == ([(3, 0), (3, 1)] if last else [(0, 0), (0, 1)])
    assert recorded(watched) == {(): watched.result} and recorded(watched, ASKED).keys() == set(paths(UNEVEN)[1:])


def test_a_generator_that_recurses_shows_what_it_asks_for():
    def leaves(game, state):
        if game.is_terminal(state):
            yield game.utility(state, MAX)
        for action in game.actions(state):
            yield from leaves(game, game.result(state, action))

    watched = watch(lambda game, state: list(leaves(game, state)), TreeGame(TEXTBOOK))
    assert watched.root.value == watched.result == [3, 12, 8, 2, 4, 6, 14, 5, 2]
    assert set(recorded(watched, ASKED)) == set(paths(TEXTBOOK)[1:])


@given(rooted)
def test_the_graph_agrees_with_the_nodes_and_events(game):
    watched = watch(alpha_beta_search, game)
    graph, nodes = watched.graph, list(watched.nodes())
    assert list(graph) == [node.path for node in nodes]
    assert set(graph.edges) == {(node.parent.path, node.path) for node in nodes if node.parent}
    assert [node.number for node in nodes] == list(range(len(nodes)))
    first_visits = list(dict.fromkeys(entered(watched)))
    for node in nodes:
        attributes = graph.nodes[node.path]
        assert all(
            attributes[name] == getattr(node, name) for name in ("state", "status", "arguments", "value", "move")
        )
        assert attributes["kind"] == kind_of(game, node.state)
        assert attributes["order"] == (first_visits.index(node.path) if node.status == VISITED else None)
        if node.parent:
            assert graph.edges[node.parent.path, node.path] == {"action": node.action}


@given(rooted, st.integers(1, 30), st.sampled_from([alpha_beta_search, minimax_value, children_first]))
def test_the_node_limit(game, limit, search):
    whole, watched = watch(search, game), watch(search, game, max_nodes=limit)
    assert watched.result == whole.result == search(game, ())
    assert watched.count == sum(node.status != CUT for node in watched.nodes()) == min(limit, whole.count)
    assert ("Only the first" in watched.notice) == (limit < whole.count)
    assert entered(watched) == entered(whole)[: len(entered(watched))]
    assert check_brackets(watched) == []
    exits = [(node.path, value) for event, node, value in watched.events if event == EXIT]
    if exits and game.is_terminal(exits[0][0]):  # a leaf shows how the search returns its values
        assert all(whole.graph.nodes[path]["value"] == value for path, value in exits)
    made = [node.path for event, node, _ in whole.events if event == ENTER and node.parent]
    for path in set(recorded(watched)) if search is alpha_beta_search else ():
        finished = all(made.index(below) + 2 <= limit for below in made if below[: len(path)] == path)
        assert not finished or set(at(watched, *path).children) == set(at(whole, *path).children)


def test_a_node_finished_before_the_limit_keeps_its_cut_children():
    watched = watch(alpha_beta_search, TreeGame(TEXTBOOK), max_nodes=9)
    assert recorded(watched, CUT).keys() == {(1, 1), (1, 2)}
    assert list(at(watched, 2).children) == [0] and at(watched, 2).value == 2  # its other two came too late
    assert watched.notice.startswith("Only the first 9 nodes")


def test_nothing_is_recorded_past_the_limit():
    watched = watch(deepening, TreeGame(TEXTBOOK), None, 2, max_nodes=4)
    assert entered(watched) == [(), (0,), (1,), (2,), (0,)] and watched.root.value == 3
    assert {event for event, _, _ in watched.events[-2:]} <= {EXIT, UPDATE} and check_brackets(watched) == []

    def two_plies(game, state):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        after = [game.result(state, action) for action in game.actions(state)]
        return max(min(two_plies(game, game.result(s, action)) for action in game.actions(s)) for s in after)

    watched = watch(two_plies, TreeGame(TEXTBOOK), max_nodes=6)
    assert watched.result == 3 and watched.count == len(list(watched.nodes())) == 6


class Stop(Exception):
    pass


def failing(error, after=4):
    """A search that raises `error` at its leaf of this number."""
    leaves = itertools.count(1)

    def value(game, state):
        if game.is_terminal(state):
            if next(leaves) == after:
                raise error
            return game.utility(state, MAX)
        return best_of(game, state)([value(game, game.result(state, action)) for action in game.actions(state)])

    return value


@pytest.mark.parametrize("error", [Stop("enough"), KeyboardInterrupt(), SystemExit(1), GeneratorExit()])
def test_an_error_reaches_the_reader_and_the_tree_up_to_there_is_kept(error):
    with pytest.raises(type(error)) as caught:
        watch(failing(error), TreeGame(TEXTBOOK))
    assert sys.getprofile() is None
    watched = last_watched()
    assert caught.value is error is watched.error and watched.result is None
    assert any("last_watched()" in note for note in error.__notes__)
    assert type(error).__name__ in watched.notice and type(error).__name__ in repr(watched)
    assert entered(watched) == paths(TEXTBOOK)[:7]
    assert [node.path for node in check_brackets(watched)] == [(), (1,), (1, 0)]
    assert recorded(watched) == {(): None, (0,): 3, (0, 0): 3, (0, 1): 12, (0, 2): 8, (1,): None, (1, 0): None}
    assert not recorded(watched, CUT) and watched.graph.number_of_nodes() == 7


@pytest.fixture
def heeds_control_c():
    """Jobs in the background of a shell ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_control_c_from_outside(heeds_control_c):
    def value(game, state):
        if state == (1, 1):
            signal.raise_signal(signal.SIGINT)
        return None if game.is_terminal(state) else [value(game, game.result(state, a)) for a in game.actions(state)]

    with pytest.raises(KeyboardInterrupt):
        watch(value, TreeGame(TEXTBOOK))
    assert sys.getprofile() is None
    assert [node.path for node in check_brackets(last_watched())] == [(), (1,), (1, 1)]
    assert at(last_watched(), 0, 0).value is None and at(last_watched(), 0).value == [None] * 3


class Interrupting(int):
    """A number in whose comparison Control-C strikes: in the midst of the recorder, which looks whether it changed."""

    def __ne__(self, other):
        raise KeyboardInterrupt


def test_control_c_inside_the_recorder():
    def value(game, state, alpha):
        alpha = Interrupting() if state == (1,) else alpha
        return game.is_terminal(state) or [value(game, game.result(state, a), alpha) for a in game.actions(state)]

    with pytest.raises(KeyboardInterrupt):
        watch(value, TreeGame(TEXTBOOK), None, 7)
    assert sys.getprofile() is None and isinstance(last_watched().error, KeyboardInterrupt)
    assert entered(last_watched()) == paths(TEXTBOOK)[:6]
    assert [node.path for node in check_brackets(last_watched())] == [(), (1,)] and not recorded(last_watched(), CUT)


def test_a_previous_profiler_is_given_back():
    seen = []
    sys.setprofile(lambda frame, event, value: seen.append(frame.f_code.co_name))
    try:
        profiler = sys.getprofile()
        watch(minimax_value, TreeGame(TEXTBOOK))
        assert sys.getprofile() is profiler
        with pytest.raises(Stop):
            watch(failing(Stop()), TreeGame(TEXTBOOK))
        assert sys.getprofile() is profiler
        paths(TEXTBOOK)
    finally:
        sys.setprofile(None)
    assert "paths" in seen and "minimax_value" not in seen


def test_under_cprofile():
    profiler = cProfile.Profile()
    watched = profiler.runcall(watch, minimax_value, TreeGame(TEXTBOOK))
    assert entered(watched) == paths(TEXTBOOK)
    assert watch.__code__ in [entry.code for entry in profiler.getstats()]


def test_a_watch_inside_a_watched_search():
    def search(game, state):
        inner.append(watch(minimax_value, game, (1,)))
        return minimax_value(game, state)

    inner = []
    outer = watch(search, TreeGame(TEXTBOOK))
    assert entered(outer) == paths(TEXTBOOK) and check_brackets(outer) == []
    assert [node.path for node in inner[0].nodes()] == [(), (0,), (1,), (2,)]


def test_a_search_that_catches_its_own_errors_goes_on_being_watched():
    def value(game, state):
        if game.is_terminal(state):
            if state[-1] == 1:
                raise Stop
            return game.utility(state, MAX)
        found = []
        for action in game.actions(state):
            try:
                found.append(value(game, game.result(state, action)))
            except Stop:
                if state != ():
                    raise
        return best_of(game, state)(found, default=None)

    watched = watch(value, TreeGame([*TEXTBOOK, [7]]))
    assert watched.result == 7 and not watched.notice and check_brackets(watched) == []
    assert entered(watched) == [(), (0,), (0, 0), (0, 1), (1,), (1, 0), (1, 1), (2,), (2, 0), (2, 1), (3,), (3, 0)]
    exits = [(node.path, value) for event, node, value in watched.events if event == EXIT]
    assert exits == [((0, 0), 3), ((0, 1), None), ((0,), None), ((1, 0), 2), ((1, 1), None), ((1,), None),
                     ((2, 0), 14), ((2, 1), None), ((2,), None), ((3, 0), 7), ((3,), 7), ((), 7)]  # fmt: skip
    assert not recorded(watched, CUT)  # what an exception kept from being looked at was not cut off


def test_a_second_visit_that_is_broken_off():
    def search(game, state):
        minimax_value(game, state)
        with contextlib.suppress(Stop):
            failing(Stop())(game, state)

    watched = watch(search, TreeGame(TEXTBOOK))
    exits = [(node.path, value) for event, node, value in watched.events if event == EXIT]
    assert exits[-3:] == [((1, 0), None), ((1,), None), ((), 3)] and at(watched, 1).value == 2
    assert check_brackets(watched) == []


def test_a_search_that_returns_nothing():
    def search(game, state, stop=None):
        for action in game.actions(state)[:2]:
            search(game, game.result(state, action))
        if stop:
            raise stop

    watched = watch(search, TreeGame(TEXTBOOK))
    assert check_brackets(watched) == []
    assert set(recorded(watched, CUT)) == {(0, 2), (1, 2), (2,), (2, 0), (2, 1), (2, 2)}
    with pytest.raises(Stop):
        watch(search, TreeGame(TEXTBOOK), None, Stop())
    assert check_brackets(last_watched()) == [last_watched().root]
    assert set(recorded(last_watched(), CUT)) == {(0, 2), (1, 2)}


def test_an_error_just_after_alpha_has_changed():
    with pytest.raises(KeyError):
        watch(alpha_beta_search, Failing("result", (1,)))
    assert [node.path for node in check_brackets(last_watched())] == [(), (1,)]
    with pytest.raises(ValueError, match="cannot play 9"):
        watch(lambda game, state: game.result(game.result(state, 0), 9), TreeGame([[1], 2]))
    assert [node.path for node in last_watched().nodes()] == [(), (0,)]


class Broken(TreeGame):
    """From some moment on, nothing can be asked of it any more."""

    broken = False

    def actions(self, state):
        if self.broken:
            raise Stop("broken for good")
        return super().actions(state)


def test_the_searchs_own_error_counts_where_the_game_fails_afterwards_too():
    def value(game, state):
        if state == (1, 0):
            game.broken = True
        return game.is_terminal(state) or [value(game, game.result(state, action)) for action in game.actions(state)]

    with pytest.raises(Stop) as caught:
        watch(value, Broken([[1, 2], [[3], 4]]))
    assert caught.value is last_watched().error and caught.value.__context__ is None
    assert [node.path for node in last_watched().nodes()] == [(), (0,), (0, 0), (0, 1), (1,), (1, 0)]
    assert [node.number for node in last_watched().nodes()] == list(range(6))


def test_a_game_that_fails_when_its_cut_children_are_asked_for():
    def first_action(game, state):
        game.broken = True
        return game.utility(game.result(state, 0), MAX)

    watched = watch(lambda game, state: one_function(game, state) + first_action(game, state), Broken([1, 2]))
    assert sys.getprofile() is None and watched.result == 3
    assert "The game raised Stop: broken for good" in watched.notice and watched.columns()


class Failing(TreeGame):
    """A game in which one function raises an error at one state."""

    def __init__(self, function, at):
        super().__init__([[3, 12, 8], [2, 4, 6], [14, 5, 2]])

        def failing(state, *rest):
            if state == at:
                raise KeyError("deep")
            return getattr(TreeGame, function)(self, state, *rest)

        setattr(self, function, failing)


@pytest.mark.parametrize("function, at", [
    ("utility", (1, 0)), ("utility", (1, 1)), ("is_terminal", (1, 2)), ("is_terminal", (2,)), ("to_move", (1,)),
    ("actions", (1,)), ("result", (1,)), ("result", (0,)),
])  # fmt: skip
def test_a_game_that_raises_below_the_root_is_shown_up_to_there(function, at):
    with contextlib.suppress(KeyError):
        watch(alpha_beta_search, Failing(function, at))
    watched = last_watched()
    sent = watched.columns()
    assert list(sent["columns"]["op"]) and watched.count > 1
    view = watched.view()
    places = [view.root]
    for place in places:
        places += view.below(place)
        assert view.label(place).kind and isinstance(watched.game.render(view.state(place)), str)
    assert len(places) == len(watched.states())
    assert "KeyError: 'deep'" in watched.notice


# Values inside of something else.


@dataclass
class Found:
    value: float
    move: object = None


RESULTS = {
    "value, move": lambda value, move, leaves: (value, move),
    "move, value": lambda value, move, leaves: (move, value),
    "list of value, move": lambda value, move, leaves: [value, move],
    "list of move, value": lambda value, move, leaves: [move, value],
    "value, move, leaves": lambda value, move, leaves: (value, move, leaves),
    "leaves, move, value": lambda value, move, leaves: (leaves, move, value),
    "move, value, leaves": lambda value, move, leaves: (move, value, leaves),
    "value, line, leaves, text": lambda value, move, leaves: (value, None if move is None else [move], leaves, "a"),
    "dictionary": lambda value, move, leaves: (
        {"move": move, "value": value} if leaves > 1 else {"value": value, "move": move}
    ),
    "dictionary of three": lambda value, move, leaves: {"leaves": leaves, "v": value, "best": move},
    "dataclass": lambda value, move, leaves: Found(value, move),
}


@pytest.mark.parametrize("first", [MAX, MIN])
@pytest.mark.parametrize("shape", RESULTS)
def test_values_in_pairs_triples_and_dictionaries_are_read(shape, first):
    def search(game, state):
        """(value, move, leaves), and what the search returns of it."""

        def value(state):
            if game.is_terminal(state):
                return told(state, game.utility(state, MAX), None, 1)
            below = {action: value(game.result(state, action)) for action in game.actions(state)}
            move = best_of(game, state)(below, key=lambda action: known[*state, action][0])
            return told(state, known[*state, move][0], move, sum(known[*state, a][2] for a in below))

        known = {}

        def told(state, *found):
            known[state] = found
            return RESULTS[shape](*found)

        return value(state)

    game = TreeGame(TEXTBOOK, first=first)
    watched = watch(search, game)
    assert recorded(watched) == {path: worth(subtree(TEXTBOOK, path), mover(game, path)) for path in paths(TEXTBOOK)}
    for node in watched.nodes():
        assert node.move is None if not node.children else node.children[node.move].value == node.value


def test_a_result_that_remembers_is_followed_and_remembers_again():
    class Remembering(TreeGame):
        @functools.cache  # noqa: B019
        def result(self, state, action):
            return super().result(state, action)

    game = Remembering(TEXTBOOK)
    minimax_value(game, ())
    assert entered(watch(minimax_value, game)) == entered(watch(minimax_value, game)) == paths(TEXTBOOK)
    assert "result" not in vars(game) and game.result.cache_info().currsize == 12


def test_recursion_too_deep_and_nearly_too_deep():
    def value(game, state):
        return 7 if game.is_terminal(state) else value(game, game.result(state, (0, 1)))

    with pytest.raises(RecursionError) as caught:
        watch(value, Nim(sys.getrecursionlimit(), most=1))
    watched = last_watched()
    assert caught.value is watched.error and sys.getprofile() is None
    assert watched.root.value is None and watched.count > 500 and len(check_brackets(watched)) >= watched.count - 1
    depth = watched.count - 20
    watched = watch(value, Nim(depth, most=1))
    assert watched.result == watched.root.value == 7 and watched.count == depth + 1 and check_brackets(watched) == []
    assert len(watched.graph) == depth + 1


def endless(game, state):
    yield from iter(int, 1)


class Listed(TicTacToe):
    def result(self, state, action):
        return list(super().result(state, action))


class ListedActions(Nim):
    def actions(self, state):
        return [list(action) for action in super().actions(state)]


@pytest.mark.parametrize("arguments, message", [
    ((3, TicTacToe()), "not 3"),
    ((max, TicTacToe()), "built-in function max"),
    ((minimax_search(TicTacToe(), TicTacToe().after(0, 1, 2)), TicTacToe()), "not (0, 4)"),
    ((endless, TicTacToe()), "endless is a generator"),
    ((minimax_search, TreeGame(TEXTBOOK), (7,)), "(7,)"),
    ((minimax_search, TicTacToe(), [0, 0, 0, (1,)]), "hashable"),
    ((minimax_search, TicTacToe(), 4), "TicTacToe() with 4"),
    ((minimax_search, (), TicTacToe()), "such as TicTacToe(), not ()"),
    ((minimax_search, TicTacToe), "give TicTacToe(), with parentheses"),
    ((minimax_search, ListedActions()), "hashable actions"),
    ((minimax_search, Listed()), "must be hashable"),
])  # fmt: skip
def test_bad_input_is_told_what_is_wrong(arguments, message):
    with pytest.raises(ValueError) as caught:
        watch(*arguments)
    assert message in str(caught.value)
    assert sys.getprofile() is None


def test_a_node_limit_below_one():
    with pytest.raises(ValueError, match="at least 1, not 0"):
        watch(minimax_search, TicTacToe(), max_nodes=0)


def test_games_on_boards():
    game = TicTacToe()
    watched = watch(minimax_search, game, game.after(0, 4))
    assert [(node.path, node.state) for node in watched.nodes()] == list(full_tree(game, game.after(0, 4)))
    watched = watch(depth_limited_alpha_beta_search, ConnectFour(), None, 4)
    assert entered(watched)[:6] == [(), (0,), (0, 0), (0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 1)]
    assert "search on ConnectFour(7, 6): " in repr(watched) and "nodes, returned (0, 0))" in repr(watched)


def test_the_librarys_other_searches():
    game = TicTacToe()
    middle = game.after(0, 4, 8)
    exact = values_of_states(game, middle)
    watched = watch(table_search, game, middle)
    assert (watched.root.value, watched.root.move) == watched.result and not isinstance(at(watched, 1).value, tuple)
    watched = watch(lambda game, state: list(iterative_deepening(game, state)), game, middle)
    assert check_brackets(watched) == [] and watched.root.value == exact[middle]
    watched = watch(time_limited_agent(60), game, middle)
    assert watched.result == watched.root.move and watched.root.value == exact[middle]
    watched = watch(time_limited_agent(0.02), game)
    assert check_brackets(watched) == [] and watched.result in range(9)
    assert {node.value for node in watched.nodes()} <= {None, -1, 0, 1}


# Searches as readers write them.

GAME = TreeGame(TEXTBOOK)


def alpha_beta_over(children):
    """Alpha-beta, by parameters named α and β, over what `children(game, state)` gives."""

    def search(game, state, α=-inf, β=inf):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        is_max = game.to_move(state) == MAX
        v = -inf if is_max else inf
        for child in children(game, state):
            value = search(game, child, α, β)
            v = max(v, value) if is_max else min(v, value)
            α, β = (max(α, v), β) if is_max else (α, min(β, v))
            if α >= β:
                break
        return v

    return search


@pytest.mark.parametrize("first", [MAX, MIN])
def test_children_made_first_are_cut_as_others_are(first):
    game = TreeGame(TEXTBOOK, first=first)
    one_by_one = watch(alpha_beta_over(results), game)
    made_first = watch(alpha_beta_over(lambda game, state: list(results(game, state))), game)
    cut = [node.path for node in one_by_one.nodes() if node.status == CUT]
    assert cut and cut == [node.path for node in made_first.nodes() if node.status == CUT]
    assert [node.arguments for node in one_by_one.nodes()] == [node.arguments for node in made_first.nodes()]
    assert one_by_one.root.arguments.keys() == {"alpha", "beta"}


def test_children_made_first_and_looked_at_in_the_search_itself_are_not_cut():
    def search(game, state, alpha=-inf, beta=inf):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        for child in list(results(game, state)):
            value = game.utility(child, MAX) if game.is_terminal(child) else search(game, child, alpha, beta)
            if game.to_move(state) == MAX:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha >= beta:
                break
        return alpha if game.to_move(state) == MAX else beta

    watched = watch(search, TreeGame([[3, 7], [[2], [4], 1]]))
    assert [node.path for node in watched.nodes() if node.status == CUT] == [(1, 1), (1, 1, 0)]
    assert [node.path for node in watched.nodes() if node.status == ASKED] == [(0, 0), (0, 1), (1, 0, 0), (1, 2)]


def test_a_recursive_helper_that_asks_no_game_is_no_search():
    def steps(path, i=0):
        return 0 if i == len(path) else 1 + steps(path, i + 1)

    def ordered(game, state):
        actions = sorted(game.actions(state), key=lambda action: steps(game.result(state, action)))
        return (game.result(state, action) for action in actions)

    plain, with_helper = watch(alpha_beta_over(results), GAME), watch(alpha_beta_over(ordered), GAME)
    assert entered(plain) == entered(with_helper)
    assert [node.status for node in plain.nodes()] == [node.status for node in with_helper.nodes()]
    assert all(node.arguments.keys() <= {"alpha", "beta"} for node in with_helper.nodes())


@pytest.mark.parametrize(("first", "value"), [(MAX, None), (MIN, 6)])
def test_an_agent_of_negamax_gets_its_move_and_no_value_that_the_player_would_not_choose(first, value):
    game = TreeGame(TEXTBOOK, first=first)

    def agent(game, state):
        return max(game.actions(state), key=lambda action: -negamax_search(game, game.result(state, action))[0])

    watched = watch(agent, game)
    assert (watched.root.value, watched.root.move) == (value, watched.result)
    assert watched.result == minimax_search(game, ())[1]


def test_a_search_that_returns_its_move_at_the_root():
    def search(game, state, depth=0):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        values = {action: search(game, game.result(state, action), depth + 1) for action in game.actions(state)}
        best = best_of(game, state)(values, key=values.get)
        return values[best] if depth else best

    watched = watch(search, TreeGame({"left": [3, 12], "right": [2, 4]}))
    assert (watched.root.value, watched.root.move) == (3, "left")


def test_values_that_are_arrays():
    def search(game, state):
        if game.is_terminal(state):
            return np.array([game.utility(state, player) for player in range(3)])
        children = [search(game, game.result(state, action)) for action in game.actions(state)]
        return max(children, key=lambda values: values[game.to_move(state)])

    watched = watch(search, TreeGame([[(1, 2, 3), (4, 2, 1)], [(6, 1, 2), (7, 4, 1)]], players=3))
    assert watched.root.value.tolist() == [7, 4, 1]
    assert check_brackets(watched) == []


def test_a_result_that_is_wrapped():
    def counted(result):
        def wrapper(*arguments):
            wrapper.calls += 1
            return result(*arguments)

        wrapper.calls = 0
        return wrapper

    game = TreeGame(TEXTBOOK)
    game.result = counted(game.result)
    assert len(entered(watch(minimax_search, game))) == len(entered(watch(minimax_search, GAME)))
    assert game.result.calls
    game.result = lambda action: None
    with pytest.raises(ValueError, match="takes a state and an action"):
        watch(minimax_search, game)


def test_a_state_by_any_name_in_front_of_other_arguments():
    class Player:
        def value(self, grid, depth=5, is_max=True):
            return worth_of(GAME, grid, (self.value(g, depth - 1, not is_max) for g in results(GAME, grid)))

    assert watch(Player().value, GAME).result == 3


def test_a_search_that_cannot_be_followed_is_said_to_be():
    def in_a_thread(game, state):
        with ThreadPoolExecutor() as pool:
            return pool.submit(minimax_search, game, state).result()

    watched = watch(in_a_thread, GAME)
    assert watched.count == 1 and "in the thread that called watch" in watched.notice
    assert watch(minimax_search, GAME).notice == watch(minimax_search, GAME, (0, 0)).notice == ""


def test_a_parameter_named_value_is_an_argument():
    def search(game, state, value=-inf):
        value = worth_of(game, state, (search(game, after) for after in results(game, state)))
        return value

    sent = watch(search, GAME).columns()
    shown = [list(sent["texts"])[number] for number in sent["columns"]["rest"] if number >= 0]
    values = [number for op, number in zip(sent["columns"]["op"], sent["columns"]["value"]) if op != EVENTS[EXIT]]
    assert shown[0] == "value = −∞" and set(values) == {-1}


@pytest.mark.parametrize(
    "watched",
    [watch(alpha_beta_search, GAME), watch_mcts(monte_carlo_tree_search, TicTacToe(), iterations=5, seed=1)],
    ids=["calls", "iterations"],
)
def test_a_recorded_search_of_either_kind_has_the_same_methods(watched):
    states, view, sent = watched.states(), watched.view(watched.steps), watched.columns()
    places = [view.root]
    for place in places:
        places += view.below(place)
    assert Counter(view.state(place) for place in places) == Counter(states)
    assert len(sent["columns"]["kind"]) == len(states) and len(sent["columns"]["op"]) == watched.steps
    kinds = {view.label(place).kind for place in places}
    assert kinds == {kind_of(watched.game, state) for state in states}
    assert watched.notice == "" and watched.name in repr(watched)
