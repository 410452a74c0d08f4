"""PUCT: the tree to read, the batched one with the same visits, and what both prove, against exact answers."""

import random
from itertools import islice, pairwise
from math import log, nan, sqrt

import numpy as np
import pytest

import oracle
from course_lib.alphazero import (
    Network,
    PUCTNode,
    UniformEvaluator,
    batched_search,
    puct,
    puct_search,
    root_noise,
    self_play,
    vectorize,
)
from course_lib.alphazero.batched import SearchResults
from course_lib.alphazero.puct import principal_variation, root_node
from course_lib.games import MAX, MIN, ConnectFour, TicTacToe, TreeGame

TIC_TAC_TOE = TicTacToe()
BOARD = vectorize(TIC_TAC_TOE)


class MadeUp:
    """Priors and values drawn for each position, in fractions that sums in float32 and in Python keep exactly."""

    def __init__(self, vector_game, seed):
        self.vector_game, self.seed = vector_game, seed

    def __call__(self, positions):
        weights = [self._drawn(*position) for position in positions.tolist()]
        priors = np.array([row[1:] for row in weights]) / 1024 * self.vector_game.legal(positions)
        return priors.astype(np.float32), (np.array([row[0] for row in weights]) / 32 - 1).astype(np.float32)

    def _drawn(self, own, other):
        rng = random.Random((own * 1_000_003 + other) * 1_000_003 + self.seed)
        return [rng.randint(0, 64)] + [rng.randint(1, 512) for _ in range(self.vector_game.actions)]

    evaluate = Network.evaluate


def some_states(game, count):
    for seed in range(count):
        rng, state = random.Random(seed), game.initial_state()
        for _ in range(seed % 9 * 2):
            after = game.result(state, rng.choice(game.actions(state)))
            state = state if game.is_terminal(after) else after
        yield state


def a_tree(rng, plies=6, results=(-1, 0, 1)):
    """A random tree in which a game may end at any ply but the first, with any of these results."""
    if (plies < 5 and rng.random() < 0.3) or not plies:
        return rng.choice(results)
    return [a_tree(rng, plies - 1, results) for _ in range(3)]


TREE = TreeGame(a_tree(random.Random(30), plies=7))


@pytest.mark.parametrize("proven", [True, False], ids=["with bounds", "as published"])
@pytest.mark.parametrize(
    "game",
    [TIC_TAC_TOE, ConnectFour(), ConnectFour(5, 4), TREE],
    ids=["tic-tac-toe", "7 × 6", "5 × 4", "a tree"],
)
def test_the_batched_search_makes_the_visits_of_the_readable_one(game, proven):
    vector_game, states = vectorize(game), list(some_states(game, 36))
    evaluate = MadeUp(vector_game, 1)
    found = batched_search(vector_game, vector_game.positions_of(states), evaluate, 80, use_solver=proven)
    for row, state in enumerate(states):
        root = root_node(game, state, evaluate.evaluate, proven)
        simulations = list(islice(puct_search(game, state, evaluate.evaluate, use_solver=proven, root=root), 80))
        assert len(simulations) == found.visits[row].sum()
        assert {child.action: child.N for child in root.children} == {
            action: found.visits[row, action] for action in game.actions(state)
        }
        for child in root.children:
            assert (found.lower[row, child.action], found.upper[row, child.action]) == (child.lower, child.upper)
        assert principal_variation(root)[0] == found.policy(0)[row].argmax()
        mean = sum(child.N * child.Q for child in root.children) / max(1, len(simulations))
        assert found.value[row] == pytest.approx(-root.lower if root.proven else mean, abs=1e-6)
    assert {MAX, MIN} == {game.to_move(state) for state in states}
    assert not proven or found.proven.any()


class Published:
    """A node of the pseudo-code of Silver et al. (2018): values from 0 to 1, for the player who chooses the node."""

    def __init__(self, prior, visits=0):
        self.prior, self.visits, self.sum, self.children = prior, visits, 0, {}

    def score(self, child):
        c = log((1 + self.visits + 19652) / 19652) + 1.25
        return child.sum / max(1, child.visits) + c * child.prior * sqrt(self.visits) / (1 + child.visits)


def as_published(game, state, evaluate, simulations, visits_of_root):
    """The visits of the root's actions. If all scores are 0, as before a visit of the root, the first one is chosen."""
    root, movers = Published(1, visits_of_root), (game.to_move(state), 1 - game.to_move(state))
    root.children = {action: Published(p) for action, p in evaluate(state)[0].items()}
    for _ in range(simulations):
        here, path = state, [root]
        while path[-1].children:
            action, chosen = max(path[-1].children.items(), key=lambda child: path[-1].score(child[1]))
            here, path = game.result(here, action), [*path, chosen]
        if game.is_terminal(here):
            value = (game.utility(here, movers[len(path) % 2]) + 1) / 2
        else:
            priors, v = evaluate(here)
            path[-1].children, value = {action: Published(p) for action, p in priors.items()}, (1 - v) / 2
        for node in reversed(path):
            node.visits, node.sum, value = node.visits + 1, node.sum + value, 1 - value
    return [child.visits for child in root.children.values()]


@pytest.mark.parametrize("game", [TIC_TAC_TOE, ConnectFour()], ids=["tic-tac-toe", "7 × 6"])
def test_the_search_as_published_has_the_visits_of_the_pseudo_code(game):
    """Ours counts the evaluation of the root as a visit; theirs does not, and the shares are a little apart."""
    evaluate, players = MadeUp(vectorize(game), 5).evaluate, set()
    for state in some_states(game, 40):
        search = puct_search(game, state, evaluate, 2.5, use_solver=False, first_visit=-1, c_base=19652)
        *_, last = islice(search, 400)
        visits = [child.N for child in last.path[0].children]
        assert visits == as_published(game, state, evaluate, 400, visits_of_root=1)
        assert np.allclose(visits, as_published(game, state, evaluate, 400, visits_of_root=0), rtol=0, atol=4)
        players.add(game.to_move(state))
    assert players == {MAX, MIN}


@pytest.mark.parametrize("first_visit", [0, 0.5])
def test_an_action_counts_as_first_visit_until_it_is_visited(first_visit):
    start = TIC_TAC_TOE.initial_state()
    root = root_node(TIC_TAC_TOE, start, lambda state: (dict.fromkeys(range(9), 1 / 9), 0.25), False, first_visit)
    assert {child.Q for child in root.children} == {first_visit}


def test_settings_without_a_meaning_are_refused():
    for settings, message in (({"first_visit": 2}, "from -1 to 1, not 2"), ({"c_base": 0}, "at least 1, not 0")):
        with pytest.raises(ValueError, match=message):
            next(puct_search(TIC_TAC_TOE, TIC_TAC_TOE.initial_state(), even(TIC_TAC_TOE), **settings))
    with pytest.raises(ValueError, match="function of a state, such as"):
        next(puct_search(TIC_TAC_TOE, TIC_TAC_TOE.initial_state(), UniformEvaluator(BOARD)))
    for simulations, c, message in ((-1, 1.5, "simulations must be a whole"), (2, nan, "c must be a finite number")):
        with pytest.raises(ValueError, match=message):
            batched_search(BOARD, BOARD.initial(1), UniformEvaluator(BOARD), simulations, c)
    for settings in {"games": 0}, {"temperature_plies": -1}, {"random_start_plies": 1.5}:
        with pytest.raises(ValueError, match=f"{next(iter(settings))} must be a whole number of at least"):
            self_play(BOARD, UniformEvaluator(BOARD), **{"games": 2, "simulations": 1, "rng": 0} | settings)


def test_noise_is_a_part_of_the_prior_for_selection_only():
    prior = np.tile([[0.6, 0.3, 0.1, 0]], (4000, 1)).astype(np.float32)
    for alpha in 0.3, 3:
        noisy = root_noise(0, alpha, 0.25)(prior, prior > 0)
        noise = (noisy - 0.75 * prior)[:, :3] / 0.25
        assert np.allclose(noise.sum(axis=1), 1, atol=1e-5) and not noisy[:, 3].any()
        assert np.allclose(noise.mean(axis=0), 1 / 3, atol=0.03)
        assert np.allclose(noise.var(axis=0), 2 / 9 / (3 * alpha + 1), atol=0.01)  # that of Dirichlet's distribution

    def only_the_last(prior, legal):
        return np.eye(9, dtype=np.float32)[[8]]

    found = batched_search(BOARD, BOARD.initial(1), UniformEvaluator(BOARD), 5, noise=only_the_last)
    assert found.visits[0].tolist() == [0] * 8 + [5] and np.allclose(found.prior, 1 / 9)


@pytest.mark.parametrize("player", [MAX, MIN])
@pytest.mark.parametrize("proven", [True, False], ids=["with bounds", "as published"])
def test_a_simulation_ends_where_the_value_is_known_or_expands(proven, player):
    tree, known = TreeGame(a_tree(random.Random(2), results=(-1, -0.5, 0.25, 1)), first=player), set()
    exact = oracle.values_of_states(tree)
    for path, expanded, value, updated in islice(puct_search(tree, (), even(tree), use_solver=proven), 150):
        assert all(child in node.children for node, child in pairwise(updated)) and known.isdisjoint(updated[:-1])
        assert [node.player for node in updated] == [(1 - player, player)[ply % 2] for ply in range(len(updated))]
        leaf = updated[-1]
        if leaf in known or tree.is_terminal(leaf.state):
            assert expanded is None and path == updated
            assert value == (exact[leaf.state] if leaf.player == MAX else -exact[leaf.state])
        else:
            assert expanded is leaf and path == updated[:-1] and value == -leaf.children[0].initial_q
        for node in updated:
            assert node.lower <= (exact[node.state] if node.player == MAX else -exact[node.state]) <= node.upper
        known |= {node for node in updated if node.proven}
    assert bool(known) == proven


def even(game):
    """Every action alike and no idea of the value."""
    return lambda state: ({action: 1 / len(game.actions(state)) for action in game.actions(state)}, 0.0)


def test_nothing_is_searched_at_the_end_of_the_game():
    over = TIC_TAC_TOE.parse("XXX OO. ...")
    assert list(puct_search(TIC_TAC_TOE, over, even(TIC_TAC_TOE))) == []


def test_puct_by_hand():
    parent, child = PUCTNode(None, MIN), PUCTNode(None, MAX, prior=0.3)
    parent.N, child.N, child.W = 17, 3, 1.5
    assert puct(child, parent, 2) == pytest.approx(0.5 + 2 * 0.3 * 17**0.5 / 4)
    child.lower = 0.75
    assert puct(child, parent, 2) == pytest.approx(0.75 + 2 * 0.3 * 17**0.5 / 4)
    child.lower = child.upper = -1
    assert puct(child, parent, 2) == -1


def test_the_temperature_and_what_is_proven():
    """N = 3 and 1, but a third action: with bounds that tell nothing, proven to be worse, and proven to be best."""
    visits, prior = np.array([[30, 10, 0]], np.float32), np.array([[0.6, 0.4, 0]], np.float32)
    for lower, upper, tempered in (
        ([-1, -1, -1], [1, 1, 1], {1: [0.75, 0.25, 0], 0.5: [0.9, 0.1, 0], 0: [1, 0, 0]}),
        ([-1, 0, -1], [-1, 1, 1], {1: [0, 1, 0], 0: [0, 1, 0]}),
        ([-1, 0, 1], [1, 1, 1], {1: [0, 0, 1], 0: [0, 0, 1]}),
    ):
        found = SearchResults(visits, prior, np.array([lower], np.float32), np.array([upper], np.float32), None)
        for temperature, expected in tempered.items():
            assert np.allclose(found.policy(temperature)[0], expected, atol=1e-3)
        root = PUCTNode(None, MAX)
        root.children = [PUCTNode(None, MIN, action) for action in range(3)]
        for child, child.N, child.P, child.lower, child.upper in zip(root.children, visits[0], prior[0], lower, upper):
            assert not child.children
        assert principal_variation(root) == [tempered[0].index(1)]
