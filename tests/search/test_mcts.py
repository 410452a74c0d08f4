"""Monte Carlo tree search: every iteration by the definition, and its answers against exact ones, for any player."""

import random
from collections import Counter
from itertools import islice, pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from course_lib.games import CHANCE, MAX, MIN, Chance, TicTacToe, TreeGame
from course_lib.search import (
    best_child,
    expand,
    mcts_agent,
    monte_carlo_tree_search,
    random_policy,
    root_node,
    select,
    simulate,
    ucb1,
)
from course_lib.search.mcts import MCTSNode, ucb1_child
from course_lib.search.mcts_tree import mcts_tree
from strategies import trees, utility_vectors

THREE_IN_A_ROW = TicTacToe()
WORTH = oracle.values_of_states(THREE_IN_A_ROW)
"""The value of each state of tic-tac-toe."""
BOOK = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
SEEDS = st.integers(0, 1000)


def searched(search, game, state, iterations, **options):
    """The root after so many iterations."""
    root = root_node(game, state)
    for _ in islice(search(game, state, root=root, **options), iterations):
        pass
    return root


def below(node):
    return [node, *(inner for child in node.children for inner in below(child))]


def keeping(state):
    """The actions of a tic-tac-toe state after which it is worth as much as before."""
    actions = THREE_IN_A_ROW.actions(state)
    return [action for action in actions if WORTH[THREE_IN_A_ROW.result(state, action)] == WORTH[state]]


def example(first):
    """The nodes from the root, 37/100, along the path of the example down to a new one, without visits yet."""
    game = TreeGame([[[[0]]], 0, 0], first=first)
    path = [MCTSNode(game, (0,) * depth, (first + depth + 1) % 2) for depth in range(5)]
    for node, (utility, visits) in zip(path, [(37, 100), (60, 79), (16, 53), (27, 35), (0, 0)]):
        node.utility, node.visits = utility, visits
    others = [MCTSNode(game, (1,), first), MCTSNode(game, (2,), first)]
    for node, (utility, visits) in zip(others, [(1, 10), (2, 11)]):
        node.utility, node.visits = utility, visits
    path[0].children, path[0].untried = [path[1], *others], []
    return path


@pytest.mark.parametrize("c, terms", [(1.4, [1.0975, 1.0501, 1.0877]), (1.5, [1.1217, 1.1179, 1.1524])])
def test_the_choice_of_the_example_turns_between_c_1_4_and_1_5(c, terms):
    root = example(MAX)[0]
    found = [ucb1(child.utility, child.visits, root.visits, c) for child in root.children]
    assert [round(value, 4) for value in found] == terms
    assert ucb1_child(root, c) is root.children[terms.index(max(terms))]
    root.children[0].utility = 0
    assert best_child(root) is root.children[0], "the answer is the most visited one"


def test_of_children_with_equal_ucb1_the_first_is_selected_and_of_equal_visits_the_larger_utility_played():
    root = example(MAX)[0]
    for child in root.children:
        child.visits, child.utility = 30, 10
    assert ucb1_child(root, 1.4) is root.children[0]
    assert best_child(root) is root.children[0]
    root.children[1].utility = 11
    assert best_child(root) is root.children[1]


def counted(draw):
    """How often `draw(rng)` returned each result in 2,000 draws from seeds."""
    return Counter(draw(random.Random(seed)) for seed in range(2000))


def test_expansion_and_playouts_take_each_action_equally_often():
    game, state = TreeGame([[1], [2], [3], [4]]), ()
    expanded = counted(lambda rng: expand(game, root_node(game, state), rng).action)
    played = counted(lambda rng: simulate(game, state, random_policy, rng)[0][0])
    for counts in expanded, played:
        assert set(counts) == {0, 1, 2, 3} and all(400 < count < 600 for count in counts.values())


def test_chance_is_drawn_by_its_probabilities_in_all_phases():
    game = TreeGame(Chance([(0.2, [1]), (0.7, [2]), (0.1, [3]), (0, [4])]))
    grown = root_node(game, ())
    expand(game, grown, random.Random(0))
    expanded = counted(lambda rng: expand(game, root_node(game, ()), rng).action)
    selected = counted(lambda rng: select(grown, 1, rng)[1].action)
    played = counted(lambda rng: simulate(game, (), random_policy, rng)[0][0])
    for counts in expanded, selected, played:
        assert set(counts) == {0, 1, 2}
        assert 320 < counts[0] < 480 and 1300 < counts[1] < 1500 and 130 < counts[2] < 270


def test_an_agent_does_not_repeat_its_random_numbers():
    agent, game = mcts_agent(1, seed=3), TreeGame([1, 1, 1, 1])
    assert {agent(game, ()) for _ in range(50)} == {0, 1, 2, 3}


@given(st.data(), st.integers(2, 3), st.floats(0, 2), SEEDS)
def test_each_iteration_is_its_definition(data, players, c, seed):
    tree = data.draw(trees(utility_vectors(players), players, chance=True))
    follow(TreeGame(tree, players, data.draw(st.integers(0, players - 1))), c, seed)


def follow(game, c, seed, iterations=40):
    """Check each iteration against N and U kept here, by state: in a tree a state is its path."""
    n, u, root = Counter(), Counter(), None
    for path, child, playout, rewards, updated in islice(
        monte_carlo_tree_search(game, (), c=c, bounds=(-3, 3), seed=seed), iterations
    ):
        root = path[0]
        assert root.state == ()
        for node, after in pairwise(path):
            check_step(game, node.state, after.state, n, u, c)
        last = path[-1].state
        if child is not None:
            assert child.state == game.result(last, child.action)
            assert n[child.state] == 0
        else:
            assert game.is_terminal(last)
        state = (child or path[-1]).state
        for action in playout:
            state = game.result(state, action)
        assert rewards == tuple((game.utility(state, player) + 3) / 6 for player in range(game.players))
        assert updated == ([*path, child] if child else path)
        for depth in range(len(updated)):
            state = updated[depth].state
            n[state] += 1
            u[state] += rewards[who_moved_into(game, state)]
    if root is None:
        assert game.is_terminal(())
        return
    assert n[()] == iterations
    for node in below(root):
        assert (node.visits, node.utility) == (n[node.state], pytest.approx(u[node.state]))


def check_step(game, state, after, n, u, c):
    """Selection goes on from `state` only if every action was tried, and then to a child of the highest UCB1."""
    if game.to_move(state) == CHANCE:
        assert dict(game.chances(state))[after[-1]] > 0
        return
    children = [game.result(state, action) for action in game.actions(state)]
    terms = {child: ucb1(u[child], n[child], n[state], c) for child in children}
    assert inf not in terms.values()
    assert terms[after] == pytest.approx(max(terms.values()))


def who_moved_into(game, state):
    """Chance is nobody: what follows it belongs to who moved before."""
    if state == ():
        mover = game.to_move(state)
        return (mover - 1) % game.players if mover != CHANCE else game.players - 1
    mover = game.to_move(state[:-1])
    return mover if mover != CHANCE else who_moved_into(game, state[:-1])


def test_it_finds_the_one_best_move_of_tic_tac_toe_positions():
    """A sample; all 2,184 of them are found as well."""
    positions = sorted(s for s in WORTH if len(THREE_IN_A_ROW.actions(s)) > 1 and len(keeping(s)) == 1)
    assert len(positions) == 2184
    sample = positions[::30]
    assert {THREE_IN_A_ROW.to_move(state) for state in sample} == {MAX, MIN}
    for seed, state in enumerate(sample):
        assert [mcts_agent(2000, seed=seed)(THREE_IN_A_ROW, state)] == keeping(state)


def test_a_node_of_a_given_tree_has_at_least_one_visit_and_at_most_those_of_its_parent():
    game = TreeGame([[1, 2], 3])
    for least in 1, 2:
        assert mcts_tree(game, {(): (1, 2), (0,): (1, least)}).children[0].visits == least
    for visits in 0, 3:
        with pytest.raises(ValueError, match=r"N is from 1 to that of the parent, 2"):
            mcts_tree(game, {(): (1, 2), (0,): (0, visits)})


def test_a_search_continues_from_a_given_tree_of_its_own_state_only():
    game = TreeGame([[1, 2], 3])
    root = mcts_tree(game, {(): (1, 2), (0,): (1, 1)})
    assert [child.action for child in root.children] == [0] and root.untried == [1]
    assert mcts_tree(game, {(0,): (1, 1), (): (1, 2)}).children[0].visits == 1, "in any order"
    with pytest.raises(ValueError, match="root"):
        next(monte_carlo_tree_search(game, (0,), root=root))
