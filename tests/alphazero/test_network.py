"""The network: its gradient against differences, its loss against the formula, and what it may return."""

import random

import numpy as np
import pytest

import oracle
from course_lib.alphazero import Adam, Network, losses, vectorize
from course_lib.alphazero.network import log_softmax, softmax
from course_lib.games import ConnectFour, TicTacToe

TIC_TAC_TOE, CONNECT_FOUR = vectorize(TicTacToe()), vectorize(ConnectFour())
NETWORKS = {
    "MLP": lambda: Network(TIC_TAC_TOE, width=16, blocks=2, seed=3),
    "patches": lambda: Network(CONNECT_FOUR, width=16, blocks=1, features=4, seed=3, dtype="float32"),
}
each_network = pytest.mark.parametrize("make", NETWORKS.values(), ids=NETWORKS)


def positions_of(vector_game, count=40):
    """Positions some random plies into a game."""
    game, states = vector_game.game, []
    for seed in range(count):
        rng, state = random.Random(seed), game.initial_state()
        for _ in range(seed % 7):
            after = game.result(state, rng.choice(game.actions(state)))
            state = state if game.is_terminal(after) else after
        states.append(state)
    return vector_game.positions_of(states)


def batch_for(vector_game):
    rng, positions = np.random.default_rng(0), positions_of(vector_game)
    legal = vector_game.legal(positions)
    pi = rng.random(legal.shape) * legal
    z = rng.choice([-1, 0, 1], len(pi))
    return (
        vector_game.planes(positions),
        legal,
        (pi / pi.sum(1, keepdims=True)).astype(np.float32),
        z.astype(np.float32),
    )


@each_network
def test_the_policy_is_a_distribution_over_legal_actions_and_the_value_lies_between_loss_and_win(make):
    network = make()
    network.theta *= 1.5
    positions = positions_of(network.vector_game)
    p, v = network(positions)
    assert p.dtype == v.dtype == np.float32
    assert np.allclose(p.sum(axis=1), 1, atol=1e-5) and (p >= 0).all()
    assert ((p > 0) == network.vector_game.legal(positions)).all()
    assert (abs(v) <= 1).all() and v.std() > 0.01 and (v * 2**16 % 1 == 0).all()
    assert softmax(np.array([[0, -30, -np.inf]])).tolist() == [[65536 / 65537, 1 / 65537, 0]]
    assert np.allclose(log_softmax(np.array([[1000.0, 1000.0, 0.0]])), [[-np.log(2), -np.log(2), -1000 - np.log(2)]])


@each_network
def test_the_three_losses_are_those_of_the_formula(make):
    network, c = make(), 0.01
    planes, legal, pi, z = batch = batch_for(network.vector_game)
    value_loss, policy_loss, weight_decay = losses(network, network.theta, batch, c)
    logits, v = network.forward(network.weights, planes)
    expected_policy = 0
    for row in range(len(z)):
        actions = np.flatnonzero(legal[row])
        odds = np.exp(logits[row, actions].astype(float))
        expected_policy -= pi[row, actions] @ np.log(odds / odds.sum()) / len(z)
    assert value_loss == pytest.approx(np.mean((z - v) ** 2), rel=1e-4)
    assert policy_loss == pytest.approx(expected_policy, rel=1e-4)
    assert weight_decay == pytest.approx(c * sum((weights**2).sum() for weights in network.weights.values()), rel=1e-4)


@each_network
def test_the_gradient_is_that_of_differences(make):
    network, c = make(), 0.01
    # Biases of 0 leave relu at its kink where the planes are empty, and there differences tell nothing.
    network.theta += np.random.default_rng(9).normal(0, 0.05, network.theta.shape).astype(np.float32)
    batch = batch_for(network.vector_game)
    adam = Adam(network, c)
    theta, step = network.theta.astype(np.float64), 1e-6
    gradient, short = adam._gradient(theta, batch), adam._gradient(network.theta, batch)
    assert short.dtype == network.theta.dtype and np.allclose(short, gradient, rtol=0, atol=1e-6)
    for place in np.random.default_rng(1).choice(len(theta), 60, replace=False):
        up, down = theta.copy(), theta.copy()
        up[place] += step
        down[place] -= step
        slope = (sum(losses(network, up, batch, c)) - sum(losses(network, down, batch, c))) / (2 * step)
        assert gradient[place] == pytest.approx(slope, abs=1e-7)


@each_network
def test_the_layers_are_those_of_the_formula(make):
    network = make()
    planes, w = network.vector_game.planes(positions_of(network.vector_game)), network.weights

    def layer(x, name):
        return x @ w[name] + w[f"{name} bias"]

    network.theta += np.random.default_rng(9).normal(0, 0.05, network.theta.shape).astype(network.theta.dtype)
    x = planes.reshape(len(planes), -1)
    if network.features:
        x = np.concatenate([layer(x[:, patch], "patch") for patch in network.patches], axis=1).clip(0)
    x = layer(x, "first").clip(0)
    for block in range(network.blocks):
        x = (x + layer(layer(x, f"block {block} in").clip(0), f"block {block} out")).clip(0)
    logits, values = network.forward(w, planes)
    assert np.allclose(logits, layer(x, "policy"), atol=1e-5)
    assert np.allclose(values, np.tanh(layer(x, "value"))[:, 0], atol=1e-5)


def test_weights_begin_small_in_the_heads_and_after_he_before_relu():
    weights = Network(TIC_TAC_TOE, width=512, blocks=1).weights
    gains = {name: (weight**2).mean() * len(weight) for name, weight in weights.items()}
    expected = {"first": 2, "block 0 in": 2, "block 0 out": 0.2, "policy": 0.1, "value": 0.1}
    assert {name: gain for name, gain in gains.items() if gain} == {
        name: pytest.approx(gain, rel=0.3) for name, gain in expected.items()
    }
    again, other = (Network(TIC_TAC_TOE, width=512, blocks=1, seed=seed) for seed in (0, 1))
    assert (again.weights["first"] == weights["first"]).all() and (other.weights["first"] != weights["first"]).all()


def test_two_steps_of_adam_by_hand():
    """Both means are corrected: the first step is the learning rate against the sign, whatever the gradient's size."""
    network = Network(TIC_TAC_TOE, width=1, blocks=0)
    adam, before, g = Adam(network), network.theta.copy(), np.full_like(network.theta, 0.5)
    adam._gradient = lambda theta, batch: g
    g[1] = -0.001
    adam.step((), 0.1)
    assert np.allclose(network.theta[:3] - before[:3], [-0.1, 0.1, -0.1], atol=1e-4)
    first, g[0] = network.theta.copy(), -1.5
    adam.step((), 0.01)
    mean = (0.9 * 0.1 * 0.5 + 0.1 * -1.5) / (1 - 0.9**2)
    square = (0.999 * 0.001 * 0.5**2 + 0.001 * 1.5**2) / (1 - 0.999**2)
    assert network.theta[0] - first[0] == pytest.approx(-0.01 * mean / square**0.5, rel=1e-4)


def test_every_four_in_a_row_lies_in_a_patch():
    patches = [set(patch) for patch in Network(CONNECT_FOUR, 8, 1, features=2).patches]
    fours = [{row * 7 + column for column, row in line} for line in oracle.fours(7, 6)]
    assert len(fours) == 69 and all(any(four <= patch for patch in patches) for four in fours)
