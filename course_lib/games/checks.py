"""Checks of the numbers, probabilities and games that a reader gives, each written once.

Each raises `ValueError`, which says what was given and what is expected.
"""

from math import fsum, inf
from numbers import Integral, Real
from typing import Any

from course_lib.games.game import Action, Chances, Game, State

TOLERANCE = 1e-9
"""How far the probabilities of a chance node may be from 1 in sum."""


def check_whole(minimum: int, maximum: float = inf, /, **numbers: Any) -> None:
    """Each of these numbers must be a whole number of at least `minimum`, and at most `maximum` if that is given."""
    _check("a whole number", is_whole, minimum, maximum, numbers)


def is_whole(number: Any) -> bool:
    """True for an `int` or a whole number of NumPy's, False for True, 2.0 and "2"."""
    return isinstance(number, Integral) and not isinstance(number, bool)


def check_number(minimum: float, maximum: float = inf, /, **numbers: Any) -> None:
    """Each of these must be a finite number of at least `minimum`, and at most `maximum`."""
    _check("a finite number", lambda number: isinstance(number, Real) and number < inf, minimum, maximum, numbers)


def _check(kind, fits, minimum, maximum, numbers):
    expected = f"of at least {minimum}" if maximum == inf else f"from {minimum} to {maximum}"
    for name, number in numbers.items():
        if not (fits(number) and minimum <= number <= maximum):
            raise ValueError(f"{name} must be {kind} {expected}, not {number!r}")


def check_game(game: Any) -> None:
    """`game` must be a `Game`, as all games are."""
    if not isinstance(game, Game):
        raise ValueError(f"a game must be an object of a class based on Game, such as TicTacToe(), not {game!r}")


def check_two_players(game: Any, asker: str) -> None:
    """`game` must be a `Game` of two players; `asker`, in words, is what needs one."""
    check_game(game)
    if game.players != 2:
        raise ValueError(f"{asker} needs a game of two players, and {game!r} has {game.players}")


def distribution(chances: Chances, state: State) -> list[tuple[Action, float]]:
    """The (action, probability) pairs of `state`; the probabilities must be 0 or more and sum to 1."""
    try:
        pairs = [(action, p) for action, p in chances]
        if all(p >= 0 for _, p in pairs) and abs(fsum(p for _, p in pairs) - 1) <= TOLERANCE:
            return pairs
    except (TypeError, ValueError):
        pass
    raise ValueError(f"a distribution is (action, probability) pairs, whose probabilities are 0 or more and sum to 1, "
                     f"not {chances!r}, in state {state!r}")  # fmt: skip
