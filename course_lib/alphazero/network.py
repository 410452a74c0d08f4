"""f_θ(s) = (p, v): a residual network with a policy head and a value head, in NumPy, trained by autograd and Adam."""

import io
import json
from itertools import accumulate
from math import prod
from pathlib import Path

import autograd.numpy as anp
import numpy as np
from autograd import grad
from autograd.core import SparseObject
from autograd.extend import defvjp, primitive, vspace

from course_lib.alphazero.vectorized import Array, VectorGame
from course_lib.games.game import Action, State
from course_lib.saving import write_whole

FLOAT = np.float32

# Once so much was freed, glibc keeps up to twice as much for the next arrays, rather than giving each one back to the
# system, which took a third of the time of a training step.
np.empty(1 << 24, np.uint8)


@primitive
def relu(x: Array) -> Array:
    """max(x, 0), in the place of x, which no gradient needs: autograd's own takes several times as long."""
    return np.maximum(x, 0, out=x)


@primitive
def dense_in_patches(x: Array, patches: Array, weight: Array, bias: Array) -> Array:
    """x·W + b for each patch, with the same weights: [n, patches · outputs] for x [n, inputs].

    Whole rows of the turned x are copied, which takes an eighth of the time of copying number by number.
    """
    seen = x.T.take(patches, axis=0).transpose(0, 2, 1)
    y = np.empty((len(x), len(patches), weight.shape[1]), weight.dtype)
    np.matmul(seen, weight, out=y.transpose(1, 0, 2))
    y += bias
    return y.reshape(len(x), -1)


@primitive
def part(theta: Array, begin: int, shape: tuple[int, int]) -> Array:
    """The weights of this shape that begin at this place of θ."""
    return theta[begin : begin + prod(shape)].reshape(shape)


def add_part(theta: Array, begin: int, g: Array) -> SparseObject:
    """The gradient of `part`: added to that place of θ's gradient, rather than as a vector of zeros around it."""

    def add(total):
        total[begin : begin + g.size] += g.ravel()
        return total

    return SparseObject(vspace(theta), add)


defvjp(part, lambda ans, theta, begin, shape: lambda g: add_part(theta, begin, g))
defvjp(relu, lambda ans, x: lambda g: g * (ans > 0))
defvjp(
    dense_in_patches,
    lambda ans, x, patches, weight, bias: (
        lambda g: x.take(patches, axis=1).reshape(-1, len(weight)).T @ g.reshape(-1, bias.size)
    ),
    lambda ans, x, patches, weight, bias: lambda g: g.reshape(-1, bias.size).sum(axis=0, keepdims=True),
    argnums=(2, 3),
)


class Network:
    """f_θ(s) = (p, v): p for every action, v in [−1, 1], the outcome that the player to move can expect.

    The planes of the board go through a first layer of `width` units, then through `blocks` of two layers each, whose
    output is added to their input. With `features` the first layer sees the board in patches of 4 × 4 cells, with the
    same weights for each patch: a convolution, and any four in a row lies in one. `weights` are arrays by name.
    """

    def __init__(self, vector_game: VectorGame, width: int = 64, blocks: int = 2, features: int = 0, seed: int = 0):
        self.vector_game, self.width, self.blocks, self.features = vector_game, width, blocks, features
        inputs, shapes = vector_game.planes_count * vector_game.cells, {}
        if features:
            self.patches = patches_of(vector_game)
            shapes |= layer("patch", self.patches.shape[1], features)
            inputs = len(self.patches) * features
        shapes |= layer("first", inputs, width)
        for block in range(blocks):
            shapes |= layer(f"block {block} in", width, width) | layer(f"block {block} out", width, width)
        shapes |= layer("policy", width, vector_game.actions) | layer("value", width, 1)
        begins = [0, *accumulate(map(prod, shapes.values()))]
        self.parts = dict(zip(shapes, zip(begins, shapes.values())))
        self.theta = np.zeros(begins[-1], FLOAT)
        self.weights = self.weights_of(self.theta)
        self._begin(np.random.default_rng(seed))

    def weights_of(self, theta: Array) -> dict[str, Array]:
        """The weights by name in a vector θ."""
        return {name: part(theta, begin, shape) for name, (begin, shape) in self.parts.items()}

    def _begin(self, rng):
        """Random weights, as large as keeps signals alive through relu (He et al., 2015); small ones at the ends."""
        for name, weight in self.weights.items():
            if not name.endswith("bias"):
                gain = 0.1 if name in ("policy", "value") else 0.2 if name.endswith("out") else 2
                weight[:] = rng.standard_normal(weight.shape) * np.sqrt(gain / len(weight))

    def __call__(self, positions: Array) -> tuple[Array, Array]:
        """(p, v) of *positions*: float32 [n, actions], 0 for illegal actions, and [n]."""
        logits, values = self.forward(self.weights, self.vector_game.planes(positions))
        return softmax(np.where(self.vector_game.legal(positions), logits, -np.inf)), values

    def evaluate(self, state: State) -> tuple[dict[Action, float], float]:
        """(p, v) of one state: p a dictionary by action, v for the player to move, as `puct_search` asks for them."""
        (p,), (v,) = self(self.vector_game.positions_of([state]))
        place = self.vector_game.all_actions.index
        return {action: float(p[place(action)]) for action in self.vector_game.game.actions(state)}, float(v)

    def forward(self, weights: dict[str, Array], planes: Array) -> tuple[Array, Array]:
        """The logits [n, actions] and the values [n] of planes [n, planes, cells]."""

        def through(name, x):
            y = x @ weights[name]
            y += weights[f"{name} bias"]  # in place, except for autograd
            return y

        x = planes.reshape(len(planes), -1)
        if self.features:
            x = relu(dense_in_patches(x, self.patches, weights["patch"], weights["patch bias"]))
        x = relu(through("first", x))
        for block in range(self.blocks):
            inner = through(f"block {block} out", relu(through(f"block {block} in", x)))
            inner += x
            x = relu(inner)
        return through("policy", x), anp.tanh(through("value", x))[:, 0]

    def copy(self) -> "Network":
        """Another network with the same weights."""
        other = Network(self.vector_game, self.width, self.blocks, self.features)
        other.theta[:] = self.theta
        return other


class Untrained:
    """An *evaluation* that knows nothing: all legal actions are equally likely, and v is 0."""

    def __init__(self, vector_game: VectorGame):
        self.vector_game = vector_game

    def __call__(self, positions: Array) -> tuple[Array, Array]:
        legal = self.vector_game.legal(positions).astype(FLOAT)
        return legal / legal.sum(axis=1, keepdims=True), np.zeros(len(positions), FLOAT)

    evaluate = Network.evaluate


def layer(name: str, inputs: int, outputs: int) -> dict[str, tuple[int, int]]:
    """The shapes of a layer's weights and bias, by name."""
    return {name: (inputs, outputs), f"{name} bias": (1, outputs)}


def patches_of(vector_game: VectorGame) -> Array:
    """The inputs that each patch of 4 × 4 cells sees, in all planes: [patches, inputs]; the board has one at least."""
    rows, columns = vector_game.shape
    cells = np.arange(vector_game.planes_count * vector_game.cells).reshape(-1, rows, columns)
    corners = [(row, column) for row in range(rows - 3) for column in range(columns - 3)]
    return np.array([cells[:, row : row + 4, column : column + 4].ravel() for row, column in corners])


def softmax(logits: Array) -> Array:
    """The probabilities [n, actions] of logits."""
    odds = np.exp(logits - largest(logits)[:, None])
    return odds / odds.sum(axis=1, keepdims=True)


def largest(rows: Array) -> Array:
    """The largest number of each row, as `rows.max(axis=1)`, which takes three times as long for rows so short."""
    return rows.ravel()[np.arange(0, rows.size, rows.shape[1]) + rows.argmax(axis=1)]


def losses(network: Network, theta: Array, batch: tuple[Array, ...], weight_decay: float) -> tuple[float, float, float]:
    """The three terms of the loss (z − v)² − π·log p + c‖θ‖², the first two as means over the batch.

    `batch` is (planes, legal, π, z).
    """
    planes, legal, pi, z = batch
    logits, v = network.forward(network.weights_of(theta), planes)
    logits = logits + np.where(legal, FLOAT(0), FLOAT(-1e9))
    logits = logits - anp.max(logits, axis=1, keepdims=True)
    log_p = logits - anp.log(anp.sum(anp.exp(logits), axis=1, keepdims=True))
    return anp.mean((z - v) ** 2), -anp.sum(pi * log_p) / len(z), weight_decay * anp.sum(theta * theta)


class Adam:
    """Gradient descent with momentum and a step size for each weight (Kingma and Ba, 2015).

    It trains `network` in place; `weight_decay` is c in the term c‖θ‖² of `losses`.
    """

    def __init__(self, network: Network, weight_decay: float = 1e-4):
        self.network = network
        self.mean, self.square, self.steps = np.zeros_like(network.theta), np.zeros_like(network.theta), 0
        self._gradient = grad(lambda theta, batch: sum(losses(network, theta, batch, weight_decay)))

    def step(self, batch: tuple[Array, ...], learning_rate: float) -> None:
        """One step down the gradient of the loss on this batch: the sum of the three `losses`, with the weight decay of
        `Adam`.

        It changes the network's θ in place and returns nothing. `batch` is (planes, legal, π, z), as from
        `sample_batch`.
        """
        g = self._gradient(self.network.theta, batch)
        self.steps += 1
        self.mean += 0.1 * (g - self.mean)
        self.square += 0.001 * (g * g - self.square)
        # Both means begin at 0; these factors make up for it.
        learning_rate *= np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        self.network.theta -= FLOAT(learning_rate) * self.mean / (np.sqrt(self.square) + 1e-8)


def write_network(path: str | Path, network: Network) -> None:
    """Write a network to a file, which is never seen half written; `load_network(game, path)` reads it."""
    sizes = {"width": network.width, "blocks": network.blocks, "features": network.features}
    archive, description = io.BytesIO(), {"game": repr(network.vector_game.game), "sizes": sizes}
    np.savez(archive, description=json.dumps(description), theta=network.theta)
    write_whole(path, archive.getvalue())
