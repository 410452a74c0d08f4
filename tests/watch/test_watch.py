"""Watching searches: one record from every style of code, its invariants, limits, errors, profilers."""

import contextlib
import cProfile
import functools
import itertools
import pstats
import sys
from concurrent.futures import ThreadPoolExecutor
from math import inf, isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

import course_lib.search
from course_lib.games import MAX, MIN, DiceDuel, Game, Nim, TicTacToe, TreeGame
from course_lib.games.walking import moves_of
from course_lib.search import (
    alpha_beta_search,
    depth_limited_alpha_beta_search,
    depth_limited_minimax_search,
    max_n_search,
    minimax_agent,
    minimax_search,
    minimax_value,
)
from course_lib.watch.calls import last_trace, watch
from course_lib.watch.record import CUT, ENTER, EXIT, GENERATE, GENERATED, UPDATE, VISITED, ErrorsAsLeaves, leaf_text
from oracle import negamax
from oracle import value as true_value
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
    """The window on arrival at a node: the best of each player's earlier alternatives on the way, by true values."""
    alpha, beta = -inf, inf
    for i, action in enumerate(path):
        earlier = [true_value(child, mover(game, path[: i + 1])) for child in subtree(game.tree, path[:i])[:action]]
        if mover(game, path[:i]) == MAX:
            alpha = max([alpha, *earlier])
        else:
            beta = min([beta, *earlier])
    return alpha, beta


# What was recorded.


def entered(trace):
    return [node.path for event, node, _ in trace.events if event == ENTER]


def recorded(trace, status=VISITED):
    return {node.path: node.value for node in trace.nodes() if node.status == status}


def at(trace, *path):
    node = trace.root
    for action in path:
        node = node.children[action]
    return node


def check_brackets(trace):
    """Enter and exit pair up like brackets, updates are for the innermost node; return the nodes left open."""
    stack = []
    for event, node, detail in trace.events:
        if event == ENTER:
            assert (node.parent is stack[-1]) if stack else (node is trace.root)
            stack.append(node)
        elif event == GENERATE:
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


def true_value_of(game, state, below):
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
    value = lambda s: true_value_of(game, s, (value(after) for after in results(game, s)))  # noqa: E731
    return value(state)


module_lambda = lambda game, s: true_value_of(game, s, (module_lambda(game, x) for x in results(game, s)))  # noqa: E731


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


def with_options(ply, game, position, evaluate=None):
    after = (game.result(state=position, action=move) for move in game.actions(position))
    below = (with_options(ply + 1, position=p, game=game, evaluate=evaluate) for p in after)
    return true_value_of(game, position, below)


def keywords_only(game, state):
    def value(*, position):
        return true_value_of(game, position, (value(position=after) for after in results(game, position)))

    return value(position=state)


def depth_before_state(game, state):
    def value(plies, s):
        return true_value_of(game, s, (value(plies - 1, after) for after in results(game, s)))

    return value(9, state)


def children_first(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    children = [game.result(state, action) for action in game.actions(state)]
    return best_of(game, state)(map(functools.partial(children_first, game), children))


def by_helper(game, state):
    """A helper with the same state searches the children, which are made first."""
    children = list(results(game, state))
    return with_children(game, state, children, len(children))


def with_children(game, state, children, count):
    return true_value_of(game, state, [by_helper(game, child) for child in children])


def test_what_a_helper_gets_later_is_an_argument_of_the_node():
    trace = watch(by_helper, TreeGame([[3, 12], 8]))
    updates = [(node.path, detail) for event, node, detail in trace.events if event == UPDATE]
    assert updates == [((), {"count": 2}), ((0,), {"count": 2})]
    assert at(trace, 0, 0).arguments == {"count": 0}


def own_depth(game, state, depth):
    """A helper with the same state gets another depth, and afterwards the children are made once more."""
    value = of_depth(game, state, depth - 1)
    list(() if game.is_terminal(state) else results(game, state))
    return value


def of_depth(game, state, depth):
    return true_value_of(game, state, [own_depth(game, after, depth) for after in results(game, state)])


def test_an_argument_that_a_helper_changes_is_the_later_one_and_states_made_again_are_no_event():
    trace = watch(own_depth, TreeGame([3, 12]), (), 5)
    assert [at(trace).arguments, at(trace, 0).arguments] == [{"depth": 4}, {"depth": 3}]
    assert not [event for event, *_ in trace.events if event == GENERATE]


def looks_elsewhere(game, state):
    """It also asks for states that do not follow from the one where it began."""
    game.result(game.initial_state(), 0)
    return true_value_of(game, state, [looks_elsewhere(game, after) for after in results(game, state)])


def test_a_state_from_elsewhere_is_no_node():
    game = TicTacToe()
    trace = watch(looks_elsewhere, game, game.parse("XX. OO. ..."))
    assert trace.error is None and at(trace, 2).value == 1 and set(at(trace).children) == {2, 5, 6, 7, 8}


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@logged
def decorated(game, state):
    return true_value_of(game, state, (decorated(game, after) for after in results(game, state)))


@functools.cache
def remembered(game, state):
    return true_value_of(game, state, (remembered(game, after) for after in results(game, state)))


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


searcher = Searcher()
partial_search = functools.partial(with_options, 0)


STYLES = {
    "library": minimax_search,
    "two functions": two_functions,
    "one function": one_function,
    "nested, value and move": nested_value_and_move,
    "nested lambda": nested_lambda,
    "lambda": module_lambda,
    "helper between": lambda game, state: helper_between(game, state),
    "object in a variable": lambda game, state: searcher.search(game, state),
    "partial, keywords": functools.partial(with_options, 0, evaluate=abs),
    "keywords only": keywords_only,
    "depth before state": depth_before_state,
    "children first": children_first,
    "decorated": decorated,
    "remembered in a lambda": lambda game, state: remembered(game, state),
    "cells": run_cells()["value"],
    "partial in a lambda": lambda game, state: partial_search(game, state),
    "helper with the same state": by_helper,
    "function of a module": lambda game, state: course_lib.search.expectiminimax_search(game, state),
}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("first", [MAX, MIN])
@pytest.mark.parametrize("tree", [TEXTBOOK, UNEVEN, [5]], ids=["textbook", "uneven", "one leaf"])
def test_every_style_gives_the_same_record(style, first, tree):
    game = TreeGame(tree, first=first)
    trace = watch(STYLES[style], game)
    assert entered(trace) == paths(tree)
    assert recorded(trace) == {path: true_value(subtree(tree, path), mover(game, path)) for path in paths(tree)}
    assert check_brackets(trace) == []
    assert [node.path for node in trace.nodes()] == paths(tree)
    assert trace.count == len(paths(tree)) and not trace.notice
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


def countdown(plies, number, game, best=max):
    """The number of plies left is a state's number now and then, and the name of the state says nothing."""
    if plies == 0:
        return game.utility(number, MAX)
    after = (game.result(number, action) for action in game.actions(number))
    return best(countdown(plies - 1, n, game, min if best is max else max) for n in after)


def test_states_that_are_plain_numbers():
    game = IntegerGame()
    for trace in (watch(lambda game, state: countdown(3, state, game), game), watch(minimax_value, game)):
        assert [int(node.state) for node in trace.nodes()] == [1, 2, 4, 8, 9, 5, 10, 11, 3, 6, 12, 13, 7, 14, 15]
        assert entered(trace) == [node.path for node in trace.nodes()]
        values = {int(node.state): node.value for node in trace.nodes()}
        assert values == IntegerGame.leaves | {4: 3, 5: 2, 6: 5, 7: 4, 2: 2, 3: 4, 1: 4}
        assert check_brackets(trace) == []


def test_arguments_are_passed_on_and_recorded():
    game = TreeGame(UNEVEN)
    search = depth_limited_minimax_search
    for trace in (watch(search, game, (), 2, evaluate=len), watch(search, game, None, depth=2, evaluate=len)):
        assert trace.result == search(game, (), 2, len) and trace.name == "depth_limited_minimax_search"
        assert at(trace).arguments == {"depth": 2} and at(trace, 0, 1).arguments == {"depth": 0}
        assert at(trace, 0, 0).value == 2 and at(trace, 2, 2).value == 0


@given(rooted)
def test_alpha_beta_shows_the_textbook_windows_and_cuts(game):
    trace = watch(alpha_beta_search, game)
    seen = [path for path in paths(game.tree) if (w := window(game, path))[0] < w[1] or path == ()]
    assert entered(trace) == seen
    arguments = {}
    for event, node, detail in trace.events:
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
    assert set(recorded(trace, CUT)) == set(paths(game.tree)) - set(seen), "with all that is below a cut"
    assert all(node.state == node.path for node in trace.nodes() if node.status == CUT)
    assert check_brackets(trace) == []
    assert trace.result[0] == true_value(game.tree, game.first)


@given(rooted)
def test_negamax_shows_each_players_own_window_and_value(game):
    trace = watch(negamax, game, None, -inf, inf, -1 if game.first else 1)
    assert entered(trace) == entered(watch(alpha_beta_search, game))
    for event, node, detail in trace.events:
        alpha, beta = window(game, node.path)
        if event == ENTER:
            own = (alpha, beta) if mover(game, node.path) == MAX else (-beta, -alpha)
            assert (detail["alpha"], detail["beta"]) == own
    for path, value in recorded(trace).items():
        alpha, beta = window(game, path)
        true = true_value(subtree(game.tree, path), mover(game, path))
        sign = -1 if mover(game, path) else 1
        assert sign * value == true or not alpha < true < beta
    assert trace.result[0] == (-1 if game.first else 1) * true_value(game.tree, game.first)


def negamax_value(game, state, sign):
    if game.is_terminal(state):
        return sign * game.utility(state, MAX)
    return max(-negamax_value(game, game.result(state, action), -sign) for action in game.actions(state))


@given(rooted)
def test_a_value_is_not_taken_for_an_action_of_the_same_number(game):
    trace = watch(negamax_value, game, None, -1 if game.first else 1)
    for path, value in recorded(trace).items():
        assert value == (-1 if mover(game, path) else 1) * true_value(subtree(game.tree, path), mover(game, path))
    assert all(node.move is None for node in trace.nodes())


def moves_only(game, state):
    return max(game.actions(state), key=lambda action: min_of(game, game.result(state, action)))


@pytest.mark.parametrize("agent", [minimax_agent(), minimax_agent(2), moves_only])
@pytest.mark.parametrize("tree", [TEXTBOOK, [[6, 5], [8, 9]]])
def test_of_an_agent_that_returns_its_move_the_value_is_known_too(agent, tree):
    trace = watch(agent, TreeGame(tree))
    assert (trace.root.value, trace.root.move) == minimax_search(TreeGame(tree), ())
    assert trace.result == trace.root.move


def flagged(game, state, plies=0):
    """The move at the root, and values below it."""
    if game.is_terminal(state):
        return game.utility(state, MAX)
    values = {action: flagged(game, game.result(state, action), plies + 1) for action in game.actions(state)}
    best = best_of(game, state)(values, key=values.get)
    return values[best] if plies else best


@pytest.mark.parametrize("first, move, value", [(MAX, "a", 3), (MIN, "b", 6)])
def test_what_a_search_returns_is_a_move_only_if_it_cannot_be_a_value(first, move, value):
    game = TreeGame({"a": [3, 12], "b": [2, 6]}, first=first)
    for search in (flagged, lambda game, state: flagged(game, state)):
        trace = watch(search, game)
        assert (trace.root.value, trace.root.move) == (value, move)
    other = {"a": "b", "b": "a"}
    trace = watch(lambda game, state: other[flagged(game, state)], game)
    assert trace.root.value == value, "the recursive function has told it"
    trace = watch(lambda game, state: other[best_of(game, state)("ab", key=lambda a: len(a))], game)
    assert (trace.root.value, trace.root.move) == ("b", None), "no child has a value"
    trace = watch(lambda game, state: min(game.actions(state), key=lambda a: min_of(game, game.result(state, a))), GAME)
    assert (trace.root.value, trace.root.move) == (None, 1), "a worse move than the best"
    trace = watch(lambda game, state: max(min_of(game, after) for after in results(game, state)), TreeGame([1, 0]))
    assert (trace.root.value, trace.root.move) == (1, None)
    trace = watch(lambda game, state: len(list(results(game, state))), TreeGame({2: [5], 7: [6]}))
    assert (trace.root.value, trace.root.move) == (2, None)


def resigning(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    return best_of(game, state)(resigning(game, after)[0] for after in results(game, state)), "resign"


def test_a_move_that_the_game_does_not_have_is_left_out():
    trace = watch(resigning, GAME)
    assert (trace.root.value, trace.root.move, trace.columns()["columns"]["move"][0]) == (3, None, -1)


def test_utility_vectors():
    three = TreeGame([[(1, 2, 3), (4, 2, 1)], [(6, 1, 2), (7, 4, 1)]], players=3)
    two = TreeGame([[(0, 1), (1, 0)], [(1, 1), (1, 0)]])  # where a utility may be taken for an action
    values = recorded(watch(max_n_search, three))
    assert values[()] == (7, 4, 1) and values[0,] == (1, 2, 3) and values[1, 0] == (6, 1, 2)
    values = recorded(watch(max_n_search, two))
    assert (values[()], values[0,], values[1,], values[1, 1]) == ((1, 1), (0, 1), (1, 1), (1, 0))
    assert watch(max_n_search, three).root.move == watch(max_n_search, two).root.move == 1


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
    return true_value_of(game, state, [sorted_children(game, child) for child in children])


def last_first(game, state):
    after = [game.result(state, action) for action in reversed(game.actions(state))]
    return true_value_of(game, state, [last_first(game, child) for child in after])


SEARCHES = minimax_search, one_function, children_first, by_helper, sorted_children, last_first


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("game", [Heap([2, 2, 2], max_take=2), Nim([1, 2, 2])])
def test_actions_that_lead_to_equal_states_have_a_node_each(search, game):
    trace = watch(search, game)
    tree = list(full_tree(game, game.initial_state()))
    assert [(node.path, node.state) for node in trace.nodes()] == tree
    assert all(node.status == VISITED and node.value == minimax_value(game, node.state) for node in trace.nodes())
    assert len(entered(trace)) == len(tree) == trace.count
    assert check_brackets(trace) == []
    if search in SEARCHES[:4]:
        assert entered(trace) == [path for path, _ in tree]


def twice(game, state):
    """Each child is searched twice, after all have been made."""
    list(results(game, state))
    return true_value_of(game, state, [twice(game, game.result(state, a)) for a in game.actions(state) for _ in "12"])


def test_a_node_that_is_searched_again_is_the_same_node():
    trace = watch(twice, Heap([1, 1, 1]))
    children = [path for path in entered(trace) if len(path) == 1]
    assert children == [((heap, 1),) for heap in range(3) for _ in range(2)]


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
        trace = watch(search, game, None, 2)
        once = entered(watch(alpha_beta_search if search is deepening else minimax_value, game))
        assert entered(trace) == [(), (0,), (1,), (2,), *once[1:]] and check_brackets(trace) == []
        assert trace.root.value == 3 and at(trace, 0).value == 3
        assert set(recorded(trace, CUT)) == set(paths(TEXTBOOK)) - set(once)


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
    trace = watch(by_stack, TreeGame(UNEVEN), None, last=last)
    assert [node.path for node in trace.nodes()] == paths(UNEVEN)
    asked = [node.path for event, node, _ in trace.events if event == GENERATE]
    assert sorted(asked) == sorted(paths(UNEVEN)[1:]) and asked[:4] == [(0,), (1,), (2,), (3,)]
    assert asked[4:6] == ([(3, 0), (3, 1)] if last else [(0, 0), (0, 1)])
    assert recorded(trace) == {(): trace.result} and recorded(trace, GENERATED).keys() == set(paths(UNEVEN)[1:])


@given(rooted, st.integers(1, 30), st.sampled_from([alpha_beta_search, minimax_value, children_first]))
def test_the_node_limit(game, limit, search):
    whole, trace = watch(search, game), watch(search, game, max_nodes=limit)
    assert trace.result == whole.result == search(game, ())
    assert trace.count == sum(node.status != CUT for node in trace.nodes()) == min(limit, whole.count)
    assert ("Only the first" in trace.notice) == (limit < whole.count)
    assert entered(trace) == entered(whole)[: len(entered(trace))]
    assert check_brackets(trace) == []
    exits = [(node.path, value) for event, node, value in trace.events if event == EXIT]
    if exits and game.is_terminal(exits[0][0]):  # a leaf shows how the search returns its values
        assert all(at(whole, *path).value == value for path, value in exits)
    made = [node.path for event, node, _ in whole.events if event == ENTER and node.parent]
    for path in set(recorded(trace)) if search is alpha_beta_search else ():
        finished = all(made.index(below) + 2 <= limit for below in made if below[: len(path)] == path)
        assert not finished or set(at(trace, *path).children) == set(at(whole, *path).children)


def test_a_node_finished_before_the_limit_keeps_its_cut_children():
    trace = watch(alpha_beta_search, TreeGame(TEXTBOOK), max_nodes=9)
    assert recorded(trace, CUT).keys() == {(1, 1), (1, 2)}
    assert list(at(trace, 2).children) == [0] and at(trace, 2).value == 2  # its other two came too late
    assert trace.notice.startswith("Only the first 9 nodes")


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
    trace = last_trace()
    assert caught.value is error is trace.error and trace.result is None
    assert any("last_trace()" in note for note in error.__notes__)
    assert type(error).__name__ in trace.notice and type(error).__name__ in repr(trace)
    assert entered(trace) == paths(TEXTBOOK)[:7]
    assert [node.path for node in check_brackets(trace)] == [(), (1,), (1, 0)]
    assert recorded(trace) == {(): None, (0,): 3, (0, 0): 3, (0, 1): 12, (0, 2): 8, (1,): None, (1, 0): None}
    assert not recorded(trace, CUT) and len(list(trace.nodes())) == 7


class Failing(TreeGame):
    """A game in which one function raises an error at one state."""

    def __init__(self, function, at):
        super().__init__([[3, 12, 8], [2, 4, 6], [14, 5, 2]])

        def failing(state, *rest):
            if state == at:
                raise KeyError("deep")
            return getattr(TreeGame, function)(self, state, *rest)

        def with_more(state, more):
            return failing(state, more)

        setattr(self, function, with_more if function in ("result", "utility") else failing)


@pytest.mark.parametrize("function, at", [
    ("utility", (1, 0)), ("is_terminal", (1, 2)), ("is_terminal", (2,)), ("to_move", (1,)),
    ("actions", (1,)), ("result", (1,)), ("result", (0,)),
])  # fmt: skip
def test_a_game_that_raises_below_the_root_is_shown_up_to_there(function, at):
    with contextlib.suppress(KeyError):
        watch(alpha_beta_search, Failing(function, at))
    trace = last_trace()
    sent = trace.columns()
    assert list(sent["columns"]["op"]) and trace.count > 1
    assert all(isinstance(trace.game.render(state), str) for state in trace.states())
    assert "KeyError('deep')" in trace.notice


def test_a_state_that_raises_is_a_leaf_of_unknown_utility():
    game = ErrorsAsLeaves(DiceDuel())
    assert not game.is_terminal(()) and game.is_terminal(("no die",))
    assert game.utility(("no die",), 0) == "?" and "raises TypeError here" in game.render(None)

    class Stuck(TreeGame):
        def result(self, state, action):
            raise KeyError(action)

    assert ErrorsAsLeaves(Stuck([1, 2])).is_terminal(())


# Values inside of something else.


RESULTS = {
    "value, move": lambda value, move: (value, move),
    "list of value, move": lambda value, move: [value, move],
    "value, move, leaves": lambda value, move: (value, move, 1),
    "value, move, leaves, text": lambda value, move: (value, move, 1, "a"),
}


@pytest.mark.parametrize("first", [MAX, MIN])
@pytest.mark.parametrize("shape", RESULTS)
def test_values_in_pairs_triples_and_lists_are_read(shape, first):
    def search(game, state):
        if game.is_terminal(state):
            return RESULTS[shape](game.utility(state, MAX), None)
        below = {action: search(game, game.result(state, action))[0] for action in game.actions(state)}
        move = best_of(game, state)(below, key=below.get)
        return RESULTS[shape](below[move], move)

    game = TreeGame(TEXTBOOK, first=first)
    trace = watch(search, game)
    assert recorded(trace) == {path: true_value(subtree(TEXTBOOK, path), mover(game, path)) for path in paths(TEXTBOOK)}
    for node in trace.nodes():
        assert node.move is None if not node.children else node.children[node.move].value == node.value


def test_states_that_are_not_hashable_are_told_apart():
    lists, tuples = watch(one_function, Listed([1, 2])), watch(one_function, Nim([1, 2]))
    assert [(n.path, tuple(n.state), n.value) for n in lists.nodes()] == [
        (n.path, n.state, n.value) for n in tuples.nodes()
    ]
    columns = [{name: bytes(column) for name, column in t.columns()["columns"].items()} for t in (lists, tuples)]
    assert entered(lists) == entered(tuples) and columns[0] == columns[1]


def test_what_columns_hold():
    leaf, tree = watch(minimax_search, Nim(1)).columns(), watch(minimax_search, GAME).columns()["columns"]
    assert list(leaf["texts"])[leaf["columns"]["leaf"][1]] == "1", "to Max, though Min is to move"
    assert watch(lambda game, state, alpha: game.is_terminal(state), GAME, (), 3).columns()["columns"]["numbers"]
    words = watch(lambda game, state: game.is_terminal(state), GAME).columns()["columns"]["numbers"]
    assert all(map(isnan, words)) and {3, 2, 12} <= {*tree["numbers"]}, "True is no number"
    one, three = (TreeGame([utilities], players=len(utilities)) for utilities in ((5,), (1, 2, 3)))
    assert [leaf_text(game, (0,)) for game in (one, three)] == ["5", "(1, 2, 3)"]
    assert "state" not in tree and "state" in watch(minimax_value, IntegerGame()).columns()["columns"]


def test_an_outer_profiler_goes_on():
    outer = lambda frame, event, argument: None  # noqa: E731
    sys.setprofile(outer)
    try:
        watch(minimax_search, GAME)
        assert sys.getprofile() is outer
    finally:
        sys.setprofile(None)
    with cProfile.Profile() as profile:
        entered(watch(minimax_search, GAME))
    assert "entered" in {function for _, _, function in pstats.Stats(profile).stats}


def test_recursion_too_deep_and_nearly_too_deep():
    def value(game, state):
        return 7 if game.is_terminal(state) else value(game, game.result(state, (0, 1)))

    with pytest.raises(RecursionError) as caught:
        watch(value, Nim(sys.getrecursionlimit(), max_take=1))
    trace = last_trace()
    assert caught.value is trace.error and sys.getprofile() is None
    assert trace.root.value is None and trace.count > 500 and len(check_brackets(trace)) >= trace.count - 1
    depth = trace.count - 20
    trace = watch(value, Nim(depth, max_take=1))
    assert trace.result == trace.root.value == 7 and trace.count == depth + 1 and check_brackets(trace) == []
    assert len(list(trace.nodes())) == depth + 1


class Listed(Nim):
    """States that are not hashable."""

    def initial_state(self):
        return [MAX, self.heaps]

    def result(self, state, action):
        return list(super().result(state, action))


class Changing(Listed):
    def result(self, state, action):
        state[:] = super().result(state, action)
        return state


class ListedActions(Nim):
    def actions(self, state):
        return [list(action) for action in super().actions(state)]


@pytest.mark.parametrize("arguments, message", [
    ((3, TicTacToe()), "not 3"),
    ((max, TicTacToe()), "built-in function max"),
    ((minimax_search(TicTacToe(), TicTacToe().after(0, 1, 2)), TicTacToe()), "not (0, 4)"),
    ((minimax_search, TreeGame(TEXTBOOK), (7,)), "(7,)"),
    ((minimax_search, TicTacToe(), 4), "Expected a state of TicTacToe(), such as"),
    ((minimax_search, (), TicTacToe()), "Expected a game, an object with the functions"),
    ((minimax_search, TicTacToe), "pass TicTacToe(), with parentheses"),
    ((minimax_search, ListedActions()), "actions must be hashable"),
    ((minimax_search, Changing()), "Expected result to return a new state"),
])  # fmt: skip
def test_bad_input_raises_an_error_that_explains_it(arguments, message):
    with pytest.raises(ValueError) as caught:
        watch(*arguments)
    assert message in str(caught.value)
    assert sys.getprofile() is None


# Searches as readers write them.

GAME = TreeGame(TEXTBOOK)
DEEP = [[[3, 5], [2, 4]], [[3, 1], [6, 3]], [[3, 3], [2, 9]]]


def negamax_over(children):
    """Negamax, whose values and windows are those of the mover."""

    def search(game, state, alpha=-inf, beta=inf):
        if game.is_terminal(state):
            return game.utility(state, game.to_move(state))
        v = -inf
        for child in children(game, state):
            v = max(v, -search(game, child, -beta, -alpha))
            if v >= beta:
                return v
            alpha = max(alpha, v)
        return v

    return search


def alpha_beta_over(children, returns_at_a_cut=False):
    """Alpha-beta, over what `children(game, state)` gives; it may return at a cut, before it changes its window."""

    def search(game, state, alpha=-inf, beta=inf):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        is_max = game.to_move(state) == MAX
        v = -inf if is_max else inf
        for child in children(game, state):
            value = search(game, child, alpha, beta)
            v = max(v, value) if is_max else min(v, value)
            if returns_at_a_cut and (v >= beta if is_max else v <= alpha):
                return v
            alpha, beta = (max(alpha, v), beta) if is_max else (alpha, min(beta, v))
            if alpha >= beta:
                break
        return v

    return search


returning_over = functools.partial(alpha_beta_over, returns_at_a_cut=True)


@pytest.mark.parametrize("first", [MAX, MIN])
@pytest.mark.parametrize("over", [alpha_beta_over, negamax_over, returning_over])
@pytest.mark.parametrize("tree", [TEXTBOOK, [[3, 12, 8], [3, 4, 6], [1, 12, 5]], DEEP])
def test_children_made_first_are_cut_as_others_are(first, over, tree):
    game = TreeGame(tree, first=first)
    one_by_one = watch(over(results), game)
    made_first = watch(over(lambda game, state: list(results(game, state))), game)
    cut = [node.path for node in one_by_one.nodes() if node.status == CUT]
    assert cut and cut == [node.path for node in made_first.nodes() if node.status == CUT]
    assert [node.arguments for node in one_by_one.nodes()] == [node.arguments for node in made_first.nodes()]
    assert one_by_one.root.arguments.keys() == {"alpha", "beta"}


class Probing(TreeGame):
    """A game that tries the moves to see which are legal, as programs for chess do."""

    def actions(self, state):
        return [action for action in super().actions(state) if self.result(state, action)]


PROBING = Probing(TEXTBOOK)


def test_what_a_game_tries_itself_is_not_a_node():
    def first_only(game, state):
        return state if game.is_terminal(state) else first_only(game, game.result(state, game.actions(state)[0]))

    trace = watch(first_only, PROBING)
    assert entered(trace) == [(), (0,), (0, 0)] and not recorded(trace, GENERATED)
    trace = watch(lambda game, state: max(len(PROBING.actions(child)) for child in results(game, state)), PROBING)
    assert entered(trace) == [()] and recorded(trace, GENERATED).keys() == {(0,), (1,), (2,)}


def test_a_search_that_returns_nothing():
    def walk(game, state):
        for child in results(game, state):
            walk(game, child)

    trace = watch(walk, GAME)
    assert entered(trace) == paths(TEXTBOOK) and check_brackets(trace) == []
    assert set(recorded(trace).values()) == {None}


def test_a_leaf_that_is_read_without_a_call_is_not_cut():
    def search(game, state, alpha=-inf, beta=inf):
        is_max = game.to_move(state) == MAX
        v = -inf if is_max else inf
        for child in list(results(game, state)):
            value = game.utility(child, MAX) if game.is_terminal(child) else search(game, child, alpha, beta)
            v = max(v, value) if is_max else min(v, value)
            alpha, beta = (max(alpha, v), beta) if is_max else (alpha, min(beta, v))
            if alpha >= beta:
                break
        return v

    trace = watch(search, TreeGame([[5, [4]], [9, [1], [7, 8]]]))
    assert recorded(trace, CUT).keys() == {(1, 2), (1, 2, 0), (1, 2, 1)}
    assert recorded(trace, GENERATED).keys() == {(0, 0), (0, 1, 0), (1, 0), (1, 1, 0)}


def test_a_recursive_helper_that_calls_no_game_is_not_a_search():
    def steps(path, i=0):
        return 0 if i == len(path) else 1 + steps(path, i + 1)

    def ordered(game, state):
        actions = sorted(game.actions(state), key=lambda action: steps(game.result(state, action)))
        return (game.result(state, action) for action in actions)

    plain, with_helper = watch(alpha_beta_over(results), GAME), watch(alpha_beta_over(ordered), GAME)
    assert entered(plain) == entered(with_helper)
    assert [node.status for node in plain.nodes()] == [node.status for node in with_helper.nodes()]
    assert all(node.arguments.keys() <= {"alpha", "beta"} for node in with_helper.nodes())


def test_a_search_that_cannot_be_followed_is_said_to_be():
    def in_a_thread(game, state):
        with ThreadPoolExecutor() as pool:
            return pool.submit(minimax_search, game, state).result()

    trace = watch(in_a_thread, GAME)
    assert trace.count == 1 and "in the thread that called watch" in trace.notice
    assert watch(minimax_search, GAME).notice == watch(minimax_search, GAME, (0, 0)).notice == ""


def test_a_search_that_changes_its_board_and_changes_it_back_is_told_why_there_are_no_values():
    def search(game, state):
        board = [state]

        def best():
            if game.is_terminal(board[-1]):
                return game.utility(board[-1], MAX)
            values = []
            for action in game.actions(board[-1]):
                board.append(game.result(board[-1], action))
                values.append(best())
                board.pop()
            return [max, min][game.to_move(board[-1])](values)

        return best()

    trace = watch(search, GAME)
    assert trace.result == watch(minimax_search, GAME).result[0]
    assert "shows no values" in trace.notice
