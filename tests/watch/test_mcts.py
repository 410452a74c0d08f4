"""The record of a Monte Carlo tree search: what it says of each step, against the search itself."""

import random
from itertools import islice, pairwise
from math import isnan, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.alphazero.puct import puct_search
from course_lib.alphazero.puct import root_node as puct_root_node
from course_lib.explore import explore, mcts_tree, picture, watch_mcts
from course_lib.games import CHANCE, MAX, MIN, TicTacToe, TreeGame
from course_lib.search import best_child, monte_carlo_tree_search, root_node
from course_lib.search.mcts import Iteration
from js.page import corner
from selection import chosen, numbers_at, score
from strategies import FIRST, trees, utility_vectors

SEEDS = st.integers(0, 1000)


def paths(trace):
    """The path of actions to each recorded node."""
    found = [()]
    for node in trace.nodes[1:]:
        found.append((*found[node.parent], node.action))
    return found


def counts(root):
    """(U, N) by path, of the search's own nodes."""
    found, unread = {}, [((), root)]
    while unread:
        path, node = unread.pop()
        found[path] = node.utility, node.visits
        unread += [((*path, child.action), child) for child in node.children]
    return found


def recorded(trace, step):
    """(U, N) by path, of the record after so many steps."""
    names = paths(trace)
    return {names[number]: (now.utility, now.visits) for number, now in numbers_at(trace, step).items()}


def choices(trace):
    """(numbers, node, child) for each time that an iteration went on from a node of the tree to a child of it."""
    for done, seen in enumerate(trace.iterations):
        numbers = numbers_at(trace, 4 * done)
        for above, child in pairwise(seen.path if seen.expanded is None else [*seen.path, seen.expanded]):
            if child in numbers:
                yield numbers, above, child


# Every step, against the search


GAMES = (
    st.builds(TreeGame, trees(chance=True), first=FIRST)
    | st.builds(TreeGame, trees(utility_vectors(3), players=3, chance=True), st.just(3), st.integers(0, 2))
    | st.builds(TreeGame, trees(utility_vectors(1), players=1, chance=True), st.just(1))
)


@given(GAMES, st.floats(0, 2), SEEDS)
def test_each_step_is_the_tree_that_the_search_had(game, c, seed):
    if game.is_terminal(()):
        return
    look = {"c": c, "bounds": (-3, 3), "seed": seed}
    trace, root = watch_mcts(monte_carlo_tree_search, game, iterations=25, **look), root_node(game, ())
    assert recorded(trace, 0) == {(): (0, 0)}
    for done, _ in enumerate(islice(monte_carlo_tree_search(game, (), root=root, **look), 25), 1):
        assert recorded(trace, 4 * done) == counts(root)
        for step in range(4 * done - 2, 4 * done):
            assert recorded(trace, step).keys() == recorded(trace, 4 * done).keys(), "the child comes by expansion"
        assert recorded(trace, 4 * done - 3) == recorded(trace, 4 * done - 4), "selection changes nothing"
    assert trace.steps == 4 * done


@given(GAMES, st.floats(0.1, 2), SEEDS)
def test_the_child_that_is_marked_is_the_one_that_selection_goes_to(game, c, seed):
    if game.is_terminal(()):
        return
    trace = watch_mcts(monte_carlo_tree_search, game, iterations=25, c=c, bounds=(-3, 3), seed=seed)
    for numbers, above, child in choices(trace):
        chance = game.to_move(trace.nodes[above].state) == CHANCE
        assert chosen(trace, above, numbers) == (None if chance else child)
    for done, seen in enumerate(trace.iterations):
        if seen.expanded is not None:
            assert chosen(trace, seen.path[-1], numbers_at(trace, 4 * done)) is None


def test_a_tree_kept_from_an_earlier_search_is_where_it_starts():
    game = TicTacToe()
    root = root_node(game, game.initial_state())
    list(islice(monte_carlo_tree_search(game, root.state, root=root, seed=1), 50))
    kept = best_child(root)
    before = counts(kept)
    trace = watch_mcts(monte_carlo_tree_search, game, kept.state, iterations=5, root=kept, seed=2)
    assert recorded(trace, 0) == before
    assert recorded(trace, None) == counts(kept)


# A student's own


class Own:
    """A node with other names, and nothing that is not needed."""

    def __init__(self, state, player, action=None):
        self.state, self.player, self.action, self.children, self.N, self.W = state, player, action, [], 0, 0


def own_search(game, state, c=1.0):
    """A search with random moves where the library has UCB1."""
    rng, root = random.Random(3), Own(state, MIN)
    while True:
        path = [root]
        while path[-1].children and len(path[-1].children) == len(game.actions(path[-1].state)):
            path.append(rng.choice(path[-1].children))
        new, playout = None, []
        if not game.is_terminal(path[-1].state):
            action = game.actions(path[-1].state)[len(path[-1].children)]
            new = Own(game.result(path[-1].state, action), 1 - path[-1].player, action)
            path[-1].children.append(new)
        visited = [*path, new] if new else path
        end = visited[-1].state
        while not game.is_terminal(end):
            playout.append(rng.choice(game.actions(end)))
            end = game.result(end, playout[-1])
        rewards = [(game.utility(end, player) + 1) / 2 for player in (MAX, MIN)]
        for depth, node in enumerate(visited):
            node.N += 1
            node.W += rewards[(depth + 1) % 2]
        yield Iteration(path, new, playout, rewards, visited)


def test_a_student_s_own_generator():
    trace = watch_mcts(own_search, TicTacToe(), iterations=40)
    assert trace.c == 1.0
    numbers = numbers_at(trace)
    assert numbers[0].visits == 40
    assert sum(numbers[child].visits for child in trace.children[0]) == 40
    assert all(trace.nodes[number].player == MAX for number in trace.children[0])
    assert picture(trace).png().startswith(b"\x89PNG")
    assert repr(explore(trace)).startswith("Explorer(")


@pytest.mark.parametrize("proven", [False, True])
@pytest.mark.parametrize("start", [(), (0, 1, 2, 3)])
def test_the_search_of_alphazero(start, proven):
    game = TicTacToe()

    def evaluate(state):
        actions = game.actions(state)
        return {action: (action + 1) / (sum(actions) + len(actions)) for action in actions}, 0.1

    state = game.after(*start)
    trace = watch_mcts(puct_search, game, state, iterations=60, formula="puct", evaluate=evaluate, use_solver=proven)
    assert all(chosen(trace, above, numbers) == child for numbers, above, child in choices(trace))
    root = puct_root_node(game, state, evaluate, proven)
    assert numbers_at(trace, 0)[0][:2] == (root.N, pytest.approx(root.W))
    list(islice(puct_search(game, state, evaluate, use_solver=proven, root=root), len(trace.iterations)))
    numbers = numbers_at(trace)
    found = [(numbers[child].visits, *map(float, numbers[child][1:3])) for child in trace.children[0]]
    assert found == [(child.N, pytest.approx(child.W), pytest.approx(child.Q)) for child in root.children]
    for number, child in zip(trace.children[0], root.children):
        if isnan(numbers[number].proven):
            puct = child.Q + 1.5 * child.P * sqrt(numbers[0].visits) / (1 + child.N)
            assert score(trace, number, numbers) == pytest.approx(puct)


TRAP = TicTacToe().parse("X.. .O. ..X")


@pytest.fixture(scope="module")
def trapped():
    return watch_mcts(puct_search, TicTacToe(), TRAP, iterations=60, formula="puct", evaluate=corner)


def test_nothing_is_chosen_below_what_puct_has_proven(trapped):
    checked = 0
    for done in range(len(trapped.iterations) + 1):
        numbers = numbers_at(trapped, 4 * done)
        for number, now in numbers.items():
            if not isnan(now.proven):
                checked += bool(trapped.children[number])
                assert chosen(trapped, number, numbers) is None
    assert checked > 10
    assert any(chosen(trapped, number, numbers) is not None for number in numbers if number), "elsewhere it is"
    lost = [number for number, now in numbers.items() if now.proven == -1]
    assert lost and all(score(trapped, number, numbers) == -1 for number in lost), "nor explored, if it loses"


# What is shown of it


def test_a_reward_is_sent_for_the_player_who_moved_into_the_new_node():
    game = TicTacToe()
    trace = watch_mcts(monte_carlo_tree_search, game, game.after(0, 1, 2), iterations=40, seed=1)
    columns, movers = trace.columns()["columns"], [1 - game.to_move(state) for state in trace.states()]
    assert list(columns["mover"]) == movers and {*movers} == {MAX, MIN}
    tips = [seen.path[-1] if seen.expanded is None else seen.expanded for seen in trace.iterations]
    assert list(columns["reward"]) == [seen.rewards[movers[tip]] for seen, tip in zip(trace.iterations, tips)]


def empty(game, state):
    yield from ()


GAME = TreeGame([1, 0])


@pytest.mark.parametrize("call, message", [
    (lambda: watch_mcts(monte_carlo_tree_search, GAME, formula="uct"), "'ucb1' or 'puct', not 'uct'"),
    (lambda: watch_mcts(empty, GAME), "yielded no iteration"),
    (lambda: watch_mcts(lambda game, state: 7, GAME), "generator"),
    (lambda: watch_mcts(lambda game, state: iter([Iteration([Own((), 1)], Own((0,), 0), [], (1, 0), [])]), GAME),
     "which is not in the tree below its root"),
    (lambda: explore(watch_mcts(monte_carlo_tree_search, GAME), predict="value"), "only for recursive searches"),
    (lambda: mcts_tree(GAME, {(): (3, 2)}), "a reward is from 0 to 1"),
    (lambda: mcts_tree(GAME, {(): (1, 2), (0, 0): (1, 1)}), "not its parent (0,)"),
    (lambda: mcts_tree(GAME, {(): (1, 2), (5,): (1, 1)}), "5 is not a legal action there"),
    (lambda: mcts_tree(GAME, {(0,): (1, 1)}), "N is from 1 to that of the parent, 0"),
])  # fmt: skip
def test_bad_input_raises_an_error_that_explains_it(call, message):
    with pytest.raises(ValueError) as raised:
        call()
    assert message in str(raised.value)


def test_rewards_of_three_players_have_their_numbers():
    trace = watch_mcts(
        monte_carlo_tree_search, TreeGame([(1, 0, 0), (0, 1, 0)], players=3), iterations=4, bounds=(0, 1)
    )
    texts = [*trace.columns()["texts"]]
    assert any(text.startswith("player 0 ") for text in texts) and not any("Max" in text for text in texts)
