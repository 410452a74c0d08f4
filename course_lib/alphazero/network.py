"""f_θ(s) = (p, v): a residual network with a policy head and a value head, in NumPy, trained by autograd and Adam."""

import io
import json
from itertools import accumulate
from math import prod
from pathlib import Path
from typing import Any

import autograd.numpy as anp
import numpy as np
from autograd import grad
from autograd.core import SparseObject
from autograd.extend import defvjp, primitive, vspace

from course_lib.alphazero.vectorized import FLOAT, Array, VectorGame, largest, vectorize
from course_lib.games.game import Action, Game, State
from course_lib.games.randomness import Seed, numpy_generator
from course_lib.games.validation import check_kind, check_number, check_state, check_whole
from course_lib.saving import write_whole

# After an array of this size has been freed, glibc keeps freed memory for the next arrays; returning it to the system
# took almost half of the time of a training step.
np.empty(1 << 24, np.uint8)


@primitive
def relu(x: Array) -> Array:
    """max(x, 0) in place, since no gradient needs x; a row of zeros takes NumPy less than half the time of a 0."""
    return np.maximum(x, np.zeros_like(x[:1]), out=x)


@primitive
def patch_dense(x: Array, patches: Array, weight: Array, bias: Array) -> Array:
    """A convolution: x·W + b for each patch, with the same weights: [n, patches · outputs] for x [n, inputs].

    It copies whole rows of the transposed x, in an eighth of the time of copying single numbers.
    """
    seen = x.T.take(patches, axis=0).transpose(0, 2, 1)
    y = np.empty((len(x), len(patches), weight.shape[1]), weight.dtype)
    np.matmul(seen, weight, out=y.transpose(1, 0, 2))
    y = y.reshape(len(x), -1)
    y += np.tile(bias, len(patches))
    return y


@primitive
def log_softmax(logits: Array) -> Array:
    """log p of each row; the gradient of autograd's own `max` is float64, and a step took 40% longer."""
    logits = logits - largest(logits)[:, None]
    return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))


@primitive
def weight_slice(theta: Array, start: int, shape: tuple[int, int]) -> Array:
    """The weights of this shape that begin at index `start` of θ."""
    return theta[start : start + prod(shape)].reshape(shape)


def slice_gradient(theta: Array, start: int, g: Array) -> SparseObject:
    """The gradient of `weight_slice`, which is added in place and needs no vector of zeros."""

    def add(total: Array) -> Array:
        total[start : start + g.size] += g.ravel()
        return total

    return SparseObject(vspace(theta), add)


defvjp(weight_slice, lambda ans, theta, start, shape: lambda g: slice_gradient(theta, start, g))
defvjp(relu, lambda ans, x: lambda g: g * (ans > 0))
defvjp(log_softmax, lambda ans, logits: lambda g: g - np.exp(ans) * g.sum(axis=1, keepdims=True))
defvjp(
    patch_dense,
    lambda ans, x, patches, weight, bias: (
        lambda g: x.take(patches, axis=1).reshape(-1, len(weight)).T @ g.reshape(-1, bias.size)
    ),
    lambda ans, x, patches, weight, bias: lambda g: g.reshape(-1, bias.size).sum(axis=0, keepdims=True),
    argnums=(2, 3),
)


class Evaluator:
    """The base class of *evaluators* for the game of `vector_game`."""

    vector_game: VectorGame

    def __call__(self, positions: Array) -> tuple[Array, Array]:
        """(p, v) of *positions*: float32 [n, actions], 0 for illegal actions, and [n]."""
        raise NotImplementedError

    def evaluate(self, state: State) -> tuple[dict[Action, float], float]:
        """(p, v) of one state, for `puct_search`: p as a dictionary by action, v for the player to move."""
        index, game = self.vector_game.all_actions.index, self.vector_game.game
        try:
            (p,), (v,) = self(self.vector_game.positions_of([state]))
            return {action: float(p[index(action)]) for action in game.actions(state)}, float(v)
        except (TypeError, ValueError, LookupError):
            check_state(game, state)
            raise


class UniformEvaluator(Evaluator):
    """An *evaluator* without training: all legal actions are equally likely, and v is 0."""

    def __init__(self, vector_game: VectorGame | Game) -> None:
        self.vector_game = vectorize(vector_game)

    def __call__(self, positions: Array) -> tuple[Array, Array]:
        legal = self.vector_game.legal(positions).astype(FLOAT)
        return legal / legal.sum(axis=1, keepdims=True), np.zeros(len(positions), FLOAT)


class Network(Evaluator):
    """f_θ(s) = (p, v): p for every action, v in [−1, 1], the expected outcome for the player to move.

    The planes go through a first layer of `width` units, then through `blocks` residual blocks of two layers each. If
    `features` is not 0, a convolution with this number of features over patches of 4 × 4 cells, which contain any four
    in a row, comes first. `weights` are arrays by name. `seed` is an int, a generator or None.

    Processors add in different orders. With the `dtype` float64 the rounding of p, v and of the gradients removes these
    differences, so a seed gives the same network on every processor. float32 is faster for wide networks.
    """

    def __init__(self, vector_game: VectorGame | Game, width: int = 64, blocks: int = 2, features: int = 0,
                 seed: Seed = 0, dtype: str = "float64") -> None:  # fmt: skip
        vector_game = vectorize(vector_game)
        check_whole(1, width=width)
        check_whole(0, blocks=blocks, features=features)
        if dtype not in ("float32", "float64"):
            raise ValueError(f"dtype must be 'float32' or 'float64', not {dtype!r}")
        self.vector_game, self.blocks, self.features = vector_game, blocks, features
        self.sizes: dict[str, Any] = {"width": width, "blocks": blocks, "features": features, "dtype": dtype}
        inputs, shapes = vector_game.planes_count * vector_game.cells, {}
        if features:
            self.patches = patch_indices(vector_game)
            shapes |= layer("patch", self.patches.shape[1], features)
            inputs = len(self.patches) * features
        shapes |= layer("first", inputs, width)
        for block in range(blocks):
            shapes |= layer(f"block {block} in", width, width) | layer(f"block {block} out", width, width)
        shapes |= layer("policy", width, vector_game.actions) | layer("value", width, 1)
        starts = [0, *accumulate(map(prod, shapes.values()))]
        self.slices = dict(zip(shapes, zip(starts, shapes.values())))
        self.theta = np.zeros(starts[-1], dtype)
        self.weights = self.weights_of(self.theta)
        self._initialize(numpy_generator(seed))

    def weights_of(self, theta: Array) -> dict[str, Array]:
        """The weights by name in a vector θ."""
        return {name: weight_slice(theta, start, shape) for name, (start, shape) in self.slices.items()}

    def _initialize(self, rng: np.random.Generator) -> None:
        """Random weights, scaled for relu (He et al., 2015), and small in the two heads."""
        for name, weight in self.weights.items():
            if not name.endswith("bias"):
                gain = 0.1 if name in ("policy", "value") else 0.2 if name.endswith("out") else 2
                weight[:] = rng.standard_normal(weight.shape) * np.sqrt(gain / len(weight))

    def __call__(self, positions: Array) -> tuple[Array, Array]:
        check_kind(np.ndarray, positions=positions)
        logits, values = self.forward(self.weights, self.vector_game.planes(positions))
        p = softmax(np.where(self.vector_game.legal(positions), logits, -np.inf))
        return p.astype(FLOAT), rounded(values, 16).astype(FLOAT)

    def forward(self, weights: dict[str, Array], planes: Array) -> tuple[Array, Array]:
        """The logits [n, actions] and the values [n] of planes [n, planes, cells]."""

        def dense(name: str, x: Array) -> Array:
            y = x @ weights[name]
            y += weights[f"{name} bias"]  # in place, except for autograd
            return y

        x = planes.reshape(len(planes), -1).astype(self.theta.dtype, copy=False)
        if self.features:
            x = relu(patch_dense(x, self.patches, weights["patch"], weights["patch bias"]))
        x = relu(dense("first", x))
        for block in range(self.blocks):
            inner = dense(f"block {block} out", relu(dense(f"block {block} in", x)))
            inner += x
            x = relu(inner)
        return dense("policy", x), anp.tanh(dense("value", x))[:, 0]

    def copy(self) -> "Network":
        """A second network with the same weights."""
        other = Network(self.vector_game, **self.sizes)
        other.theta[:] = self.theta
        return other


def layer(name: str, inputs: int, outputs: int) -> dict[str, tuple[int, int]]:
    """The shapes of a layer's weights and bias, by name."""
    return {name: (inputs, outputs), f"{name} bias": (1, outputs)}


def patch_indices(vector_game: VectorGame) -> Array:
    """The inputs that each patch of 4 × 4 cells sees, in all planes: [patches, inputs]; there is at least one patch."""
    rows, columns = vector_game.shape
    cells = np.arange(vector_game.planes_count * vector_game.cells).reshape(-1, rows, columns)
    corners = [(row, column) for row in range(rows - 3) for column in range(columns - 3)]
    return np.array([cells[:, row : row + 4, column : column + 4].ravel() for row, column in corners])


def softmax(logits: Array) -> Array:
    """The probabilities [n, actions] of logits, above 0 unless a logit is −∞; the odds are rounded to 2⁻¹⁶."""
    odds = np.maximum(np.rint(65536 * np.exp(logits - largest(logits)[:, None])), logits > -np.inf)
    return odds / odds.sum(axis=1, keepdims=True)


def rounded(numbers: Array, bits: int) -> Array:
    """The nearest multiples of 2^−bits."""
    return np.rint(numbers * 2**bits) / 2**bits


def losses(network: Network, theta: Array, batch: tuple[Array, ...], weight_decay: float) -> tuple[float, float, float]:
    """The terms of the loss (z − v)² − π·log p + λ‖θ‖², the first two as means over `batch`: (planes, legal, π, z)."""
    planes, legal, pi, z = batch
    logits, v = network.forward(network.weights_of(theta), planes)
    log_p = log_softmax(logits + np.where(legal, FLOAT(0), FLOAT(-1e9)))
    return anp.mean((z - v) ** 2), -anp.sum(pi * log_p) / len(z), weight_decay * anp.sum(theta * theta)


class Adam:
    """Gradient descent with momentum and a step size for each weight (Kingma and Ba, 2015).

    It trains `network` in place; `weight_decay` is λ in the term λ‖θ‖² of `losses`.
    """

    def __init__(self, network: Network, weight_decay: float = 1e-4) -> None:
        check_number(0, weight_decay=weight_decay)
        self.network = network
        self.mean, self.square, self.fading = np.zeros_like(network.theta), np.zeros_like(network.theta), np.ones(2)
        self._gradient = grad(lambda theta, batch: sum(losses(network, theta, batch, weight_decay)))

    def step(self, batch: tuple[Array, ...], learning_rate: float) -> None:
        """One step down the gradient of the sum of the three `losses` on a batch from `sample_batch`."""
        g = rounded(self._gradient(self.network.theta, batch), 24)
        self.fading *= 0.9, 0.999
        self.mean += 0.1 * (g - self.mean)
        self.square += 0.001 * (g * g - self.square)
        # Both means start at 0; these factors correct the bias.
        learning_rate *= float(np.sqrt(1 - self.fading[1]) / (1 - self.fading[0]))
        self.network.theta -= learning_rate * self.mean / (np.sqrt(self.square) + 1e-8)


def save_network(path: str | Path, network: Network) -> None:
    """Write a network to a file, which never exists half-written; `load_network(game, path)` reads it."""
    check_kind(Network, network=network)
    archive, description = io.BytesIO(), {"game": repr(network.vector_game.game), "sizes": network.sizes}
    np.savez(archive, description=json.dumps(description), theta=network.theta)
    write_whole(path, archive.getvalue())
