"""One rule for randomness, which holds in all of the course.

- `seed` starts a source of random numbers: None (another one each time), an int, a `random.Random` or a NumPy
  `Generator`. The same int gives the same results; a source that is passed is drawn from, and so changes.
- `rng` is a source to draw from, a `random.Random` or a NumPy `Generator`.
"""

from bisect import bisect
from collections.abc import Iterable, Sequence
from itertools import accumulate
from numbers import Integral
from random import Random
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from numpy.random import Generator

Item = TypeVar("Item")


class RandomSource(Protocol):
    """A source of random numbers: a `random.Random` or a NumPy `Generator`."""

    def random(self) -> float:
        """A number from 0 to 1, 1 excluded."""


Seed = int | float | str | RandomSource | None


def random_source(seed: Any = None) -> Random:
    """The `random.Random` that `seed` stands for: one that is passed itself, or a new one."""
    if isinstance(seed, Random):
        return seed
    if hasattr(seed, "bit_generator"):
        seed = seed.integers(2**63)
    if seed is None or (isinstance(seed, Integral | float | str) and seed == seed):
        return Random(int(seed) if isinstance(seed, Integral) else seed)
    raise ValueError(f"Expected seed to be None, an int, a random.Random or a NumPy Generator, got {seed!r}")


def numpy_generator(seed: Any = None) -> "Generator":
    """The NumPy `Generator` that `seed` stands for: one that is passed itself, or a new one."""
    from numpy.random import default_rng

    known = seed is None or isinstance(seed, Integral) or hasattr(seed, "bit_generator")
    return default_rng(seed if known else random_source(seed).getrandbits(128))


def weighted_choice(items: Sequence[Item], weights: Iterable[float], rng: RandomSource) -> Item:
    """One of `items`, drawn by its weight: the one that `random.Random.choices` draws from the same number."""
    totals = list(accumulate(weights))
    return items[bisect(totals, rng.random() * (totals[-1] + 0.0), 0, len(items) - 1)]
