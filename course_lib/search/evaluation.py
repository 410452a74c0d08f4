"""Evaluation functions: an estimate of a state's value for Max, for searches that are cut off before the end.

Each is a function of a state of its own game; the features read Connect Four's board of 7 columns and 6 rows. Give a
search `tanh_scaled(…)` of it, so that no estimate outranks a win.
"""

from collections.abc import Iterable, Mapping
from math import inf, tanh
from typing import TYPE_CHECKING

from course_lib.games import MAX, MIN, ConnectFour, Evaluate
from course_lib.games.game import State
from course_lib.games.playing import GameRecord
from course_lib.games.validation import check_function, check_kind, check_number, check_state

if TYPE_CHECKING:
    from numpy import ndarray as Array


def open_threes(state: State) -> int:
    """Connect Four: Max's fours that lack one disc, minus Min's. A four with discs of both counts for neither."""
    return _lead(state, _three)


def open_twos(state: State) -> int:
    """Connect Four: Max's fours that hold two discs and two empty cells, minus Min's."""
    return _lead(state, _two)


def centre(state: State) -> int:
    """Connect Four: Max's discs in the middle column, minus Min's."""
    x, o = _discs(state)
    middle = COLUMN << 7 * 3
    return (x & middle).bit_count() - (o & middle).bit_count()


CONNECT_FOUR_FEATURES = {"open threes": open_threes, "open twos": open_twos, "centre": centre}
"""Features of a Connect Four position, by name."""

SHIFTS = 1, 7, 6, 8
"""The distances in bits from a cell to the next one up, across, and on the two diagonals: a column takes 7 bits."""
COLUMN = 0b111111
BOARD = sum(COLUMN << 7 * column for column in range(7))
OFFSET = 63
"""The offset of Min's bits from Max's, large enough that no line runs from one board into the other."""


def _discs(state):
    """Max's discs and Min's."""
    player, mine, taken, won = state
    if isinstance(won, tuple):
        check_state(ConnectFour(), state)  # raises the error that shows the state
    return (mine, mine ^ taken) if player == MAX else (mine ^ taken, mine)


def _three(one, two, next_one, next_two):
    return one & next_two | two & next_one


def _two(one, two, next_one, next_two):
    return one & next_one | two & ~(next_one | next_two) | next_two & ~(one | two)


def _lead(state, pattern):
    """Max's lines of four cells that fit the pattern and hold no disc of Min's, minus Min's that hold none of Max's.

    All lines of a direction are tested in parallel, on both boards at once. A line of four is two pairs: bit i of
    `one` says that one cell of the pair from i on holds the player's disc, bit i of `two` that both do.
    """
    x, o = _discs(state)
    discs, free = x | o << OFFSET, BOARD & ~o | (BOARD & ~x) << OFFSET
    lead = 0
    for shift in SHIFTS:
        one, two = discs ^ discs >> shift, discs & discs >> shift
        free_pair = free & free >> shift
        fours = free_pair & free_pair >> 2 * shift & pattern(one, two, one >> 2 * shift, two >> 2 * shift)
        lead += fours.bit_count() - 2 * (fours >> OFFSET).bit_count()
    return lead


def linear(weights: dict[str, float], features: dict[str, Evaluate]) -> Evaluate:
    """The evaluation Σ wᵢ fᵢ(s): `weights` and `features` are dictionaries with the same names (source `000`)."""
    check_kind(Mapping, weights=weights, features=features)
    check_number(-inf, **weights)
    for feature in features.values():
        check_function("feature(state) → number", feature)
    if weights.keys() != features.keys():
        raise ValueError(f"Expected weights of {', '.join(features)}, got weights of {', '.join(weights)}")
    terms = [(weights[name], feature) for name, feature in features.items()]
    return lambda state: sum([weight * feature(state) for weight, feature in terms])


def tanh_scaled(evaluate: Evaluate) -> Evaluate:
    """The evaluation 0.999 tanh(e/2) for e = `evaluate(state)`: it keeps the order, and a win (1) counts for more.

    If e is the log of the odds that Max wins, as with fitted weights, this is the expected result. Keep the weights
    small: beyond |e| = 30 or so, floating-point numbers do not tell different e apart.
    """
    check_function("evaluate(state) → number", evaluate)
    return lambda state: 0.999 * tanh(evaluate(state) / 2)


def fit_weights(records: Iterable[GameRecord], features: dict[str, Evaluate]) -> dict[str, float]:
    """The weights, by name, with which Σ wᵢ fᵢ(s) best predicts how the games of these `GameRecord`s ended.

    It is a logistic regression: every position but the last of each game is labelled with the game's result, and the
    sum predicts the log of the odds that Max wins. A draw is half a win.
    """
    import numpy as np  # late: it takes long

    records = list(records)
    check_kind(GameRecord, **{f"record {number}": record for number, record in enumerate(records)})
    check_kind(Mapping, features=features)
    positions = [(state, record.utilities) for record in records for state in record.states[:-1]]
    if not positions or not features:
        raise ValueError(f"Expected the records of games, and features by name, got {records!r} and {features!r}")
    rows = np.array([[feature(state) for feature in features.values()] for state, _ in positions], dtype=float)
    if not np.isfinite(rows).all():
        raise ValueError("Expected finite numbers from the features, got inf or nan")
    wins = np.array([points(utilities) for _, utilities in positions])
    weights, _ = logistic_regression(rows, wins, np.ones(len(wins)))
    return dict(zip(features, weights.tolist()))


def points(utilities: tuple[float, ...]) -> float:
    """Max's points for a game that ended with these utilities: 1 for a win, ½ for a draw, 0 for a loss."""
    return 0.5 + 0.5 * ((utilities[MAX] > utilities[MIN]) - (utilities[MAX] < utilities[MIN]))


def logistic_regression(rows: "Array", wins: "Array", games: "Array") -> tuple["Array", "Array"]:
    """(w, its covariance matrix): the w that makes `wins` most likely if a game is won with 1/(1 + e^(−row·w)).

    `wins[i]` of the `games[i]` games with `rows[i]` were won. Half a drawn game is added for each coefficient, which
    keeps all finite. Newton's method; a step that would lose likelihood is halved, so it always converges.
    """
    import numpy as np  # late: it takes long

    size = rows.shape[1]
    rows = np.vstack([rows, np.eye(size)])
    wins, games = np.append(wins, np.full(size, 0.25)), np.append(games, np.full(size, 0.5))

    def log_likelihood(w):
        return -wins @ np.logaddexp(0, -rows @ w) - (games - wins) @ np.logaddexp(0, rows @ w)

    w, step = np.zeros(size), np.ones(size)
    while abs(step).max() > 1e-9 * (1 + abs(w).max()):
        p = 0.5 + 0.5 * np.tanh(rows @ w / 2)
        information = (rows.T * (games * p * (1 - p))) @ rows
        step = np.linalg.solve(information, rows.T @ (wins - games * p))
        while log_likelihood(w + step) < log_likelihood(w):
            step = step / 2
        w = w + step
    return w, np.linalg.inv(information)
