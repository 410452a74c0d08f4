"""Evaluation functions: an estimate of what a state is worth to Max, for searches that are cut off before the end.

Each takes a state of its own game and nothing else. Give a search `squashed(…)` of them: so no estimate outranks a win.
"""

from functools import lru_cache
from math import tanh

import numpy as np

from course_lib.games import MAX, MIN, play, random_agent
from course_lib.games.tic_tac_toe import LINE_BITS

OPEN_LINES = [sum(not cells & line for line in LINE_BITS) for cells in range(512)]
"""For each set of tic-tac-toe cells, how many of the eight lines it leaves open to the other player."""


def open_lines(state):
    """Tic-tac-toe: the lines still open to X minus the lines still open to O, from −8 to 8 (source `000`)."""
    player, mine, theirs = state[:3]
    lead = OPEN_LINES[theirs] - OPEN_LINES[mine]
    return lead if player == MAX else -lead


def open_threes(state, columns=7, rows=6):
    """Connect Four: Max's fours that lack one disc, minus Min's; a four with a disc of each player counts for neither.

    The state does not know the size of its board: name it unless it is the standard one.
    """
    return _lead(state, columns, rows, _three)


def open_twos(state, columns=7, rows=6):
    """Connect Four: Max's fours that hold two discs and two empty cells, minus Min's; sizes as in `open_threes`."""
    return _lead(state, columns, rows, _two)


def centre(state, columns=7, rows=6):
    """Connect Four: Max's discs in the middle column (the middle two of an even number), minus Min's."""
    middle = sum(((1 << rows) - 1) << (rows + 1) * column for column in {(columns - 1) // 2, columns // 2})
    x, o = _discs(state)
    return (x & middle).bit_count() - (o & middle).bit_count()


CONNECT_FOUR_FEATURES = {"open threes": open_threes, "open twos": open_twos, "centre": centre}
"""Features of the standard 7 × 6 board, by name."""


def _discs(state):
    """Max's discs and Min's."""
    player, mine, taken = state[:3]
    return (mine, mine ^ taken) if player == MAX else (mine ^ taken, mine)


def _three(one, two, next_one, next_two):
    return one & next_two | two & next_one


def _two(one, two, next_one, next_two):
    return one & next_one | two & ~(next_one | next_two) | next_two & ~(one | two)


def _lead(state, columns, rows, pattern):
    """Max's lines of four cells that fit the pattern and hold no disc of Min's, minus Min's that hold none of Max's.

    All lines of a direction are looked at in parallel, Min's `offset` bits above Max's. A line of four is two pairs:
    bit i of `one` says that one cell of the pair from i on holds the player's disc, bit i of `two` that both do.
    """
    board, offset, shifts = _layout(columns, rows)
    x, o = _discs(state)
    discs, free = x | o << offset, board & ~o | (board & ~x) << offset
    lead = 0
    for shift in shifts:
        one, two = discs ^ discs >> shift, discs & discs >> shift
        free_pair = free & free >> shift
        fours = free_pair & free_pair >> 2 * shift & pattern(one, two, one >> 2 * shift, two >> 2 * shift)
        lead += fours.bit_count() - 2 * (fours >> offset).bit_count()
    return lead


@lru_cache
def _layout(columns, rows):
    """All cells of a board, an offset at which lines cannot run over into another one, and the distances in bits from
    a cell to the next one up, across, and on the two diagonals."""
    height = rows + 1
    board = sum(((1 << rows) - 1) << height * column for column in range(columns))
    return board, height * (columns + 2), (1, height, height - 1, height + 1)


PIECE_VALUES = {"pawns": 1, "knights": 3, "bishops": 3, "rooks": 5, "queens": 9}
"""The usual values of chess pieces, in pawns; the king has none, since it is never taken."""


def _piece_lead(kind):
    def lead(state):
        pieces = getattr(state.board, kind)
        black, white = state.board.occupied_co
        return (pieces & white).bit_count() - (pieces & black).bit_count()

    return lead


CHESS_FEATURES = {kind: _piece_lead(kind) for kind in PIECE_VALUES}
"""The lead of White in each kind of piece: the features of source `000`'s example, with `PIECE_VALUES` as weights."""


def material(state):
    """Chess: the value of White's pieces minus Black's, in pawns; White is Max (sources `000` and `004`)."""
    white, black = _material(state.board)
    return white - black


def material_ratio(state):
    """Chess: e = (w − b)/(w + b), with w and b the values of White's and Black's pieces (source `004`).

    From −1 to 1, and 0 when only the kings are left. Against a bare king it is ±1, as much as a mate is worth: a
    search that shall prefer the mate needs `squashed(material_ratio)`.
    """
    white, black = _material(state.board)
    return (white - black) / (white + black) if white + black else 0.0


def _material(board):
    black, white = board.occupied_co
    of_white = of_black = 0
    for kind, value in PIECE_VALUES.items():
        pieces = getattr(board, kind)
        of_white += value * (pieces & white).bit_count()
        of_black += value * (pieces & black).bit_count()
    return of_white, of_black


def linear(weights, features):
    """The evaluation Σ wᵢ fᵢ(s): `weights` and `features` are dictionaries with the same names (source `000`)."""
    if set(weights) != set(features):
        raise ValueError(f"every feature needs a weight and the other way round; the weights are for "
                         f"{sorted(weights)}, the features are {sorted(features)}")  # fmt: skip
    terms = [(weights[name], feature) for name, feature in features.items()]
    return lambda state: sum([weight * feature(state) for weight, feature in terms])


def squashed(evaluate):
    """The evaluation 0.999 tanh(e/2), in the order of e = `evaluate(state)`: a win (1) always counts for more.

    If e is the log of the odds that Max wins, as with fitted weights, this is the expected result. Beyond |e| = 30 or
    so floating-point numbers run out, and different e become equal: keep the weights small.
    """
    return lambda state: 0.999 * tanh(evaluate(state) / 2)


def random_games(game, count, seed=0):
    """The records of `count` games between random agents; the same seed gives the same games."""
    agents = [random_agent(f"{seed} {player}") for player in range(getattr(game, "players", 2))]
    return [play(game, agents, seed=f"{seed} {number}") for number in range(count)]


def fit_weights(records, features):
    """The weights, by name, with which Σ wᵢ fᵢ(s) best predicts how the games of these records ended.

    Logistic regression on every position but the last of each `GameRecord`, labelled with the game's result: the sum
    is the log of the odds that Max wins, a draw being half a win. The result depends on nothing but the arguments.
    A feature that is infinite or NaN raises `ValueError`.
    """
    positions = [(state, record.utilities) for record in records for state in record.states[:-1]]
    if not positions or not features:
        raise ValueError(f"fitting needs at least one game with a position and one feature, "
                         f"not {len(positions)} positions and {len(features)} features")  # fmt: skip
    rows = np.array([[feature(state) for feature in features.values()] for state, _ in positions], dtype=float)
    for row, column in np.argwhere(~np.isfinite(rows)):
        state, name = positions[row][0], list(features)[column]
        raise ValueError(f"a feature is a finite number, and {name!r} is {features[name](state)!r} in {state!r}")
    wins = np.array([points(utilities) for _, utilities in positions])
    weights, _ = logistic_regression(rows, wins, np.ones(len(wins)))
    return dict(zip(features, weights.tolist()))


def points(utilities):
    """Max's points for a game that ended with these utilities: 1 for a win, ½ for a draw, 0 for a loss."""
    return 0.5 + 0.5 * ((utilities[MAX] > utilities[MIN]) - (utilities[MAX] < utilities[MIN]))


def logistic_regression(rows, wins, games):
    """The w that makes `wins` most likely if each of `games` is won with probability 1/(1 + e^(−row·w)).

    Returns (w, its covariance matrix); `wins[i]` of `games[i]` go with `rows[i]`. Half a drawn game is added for each
    coefficient alone: it keeps everything finite, even if all games were won. Newton's method; a step that would
    lose likelihood is halved, so it always converges.
    """
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
