"""The questions of notebook 4, evaluation functions."""

from itertools import product
from math import sqrt

from course_lib.check.graded import Lookup
from course_lib.check.judges import evaluations, tracing
from course_lib.games import MAX, MIN, TicTacToe
from course_lib.games.tic_tac_toe import LINES
from course_lib.games.walking import inner_paths
from course_lib.search import depth_limited_minimax_search
from solutions import trees
from solutions.connect_four import GAME, openings
from solutions.rows import asks, by_hand
from solutions.trees import in_turn, inner_nodes, random_tree, shapes, tree_game

# A personal position of tic-tac-toe: the values of X's moves to the free cells, in the cells' order.

TIC_TAC_TOE = TicTacToe()


def open_lines(state):
    """The lines still open to X minus the lines still open to O."""
    cells = "".join(TIC_TAC_TOE.grid(state))
    x, o = (sum(all(cells[i] != other for i in line) for line in LINES) for other in "OX")
    return x - o


def own_position(rng):
    """Two marks each, X to move, and no move that wins."""
    while True:
        state = TIC_TAC_TOE.after(*rng.sample(range(9), 4))
        after = [TIC_TAC_TOE.result(state, cell) for cell in TIC_TAC_TOE.actions(state)]
        if not any(map(TIC_TAC_TOE.is_terminal, after)) and len(set(map(open_lines, after))) > 2:
            return (state,)


def cell_values(state):
    return [open_lines(TIC_TAC_TOE.result(state, cell)) for cell in TIC_TAC_TOE.actions(state)]


# A search with an evaluation for the player to move. A case is (game, state, depth, evaluate).


def for_mover(game, state, depth, evaluate):
    """The same case with estimates for the player to move: negated if that is Min."""
    estimates = {state: value if game.to_move(state) == MAX else -value for state, value in evaluate.items()}
    return game, state, depth, Lookup(estimates)


def value_for_max(game, state, depth, evaluate):
    def for_max(state):
        return evaluate(state) if game.to_move(state) == MAX else -evaluate(state)

    return depth_limited_minimax_search(game, state, depth, for_max)[0]


# Quiescence. A case is (game, state, evaluate, noisy): tables of a tree's estimates and of its noisy actions.


def with_noise(game, estimates, marks):
    """The case in which those actions are noisy, in the order of a walk over the inner nodes, whose mark is true."""
    marks = iter(marks)
    noise = {path: tuple(action for action in game.actions(path) if next(marks)) for path in inner_paths(game)}
    game, state, _, evaluate = trees.limited(game, 0, estimates)
    return game, state, evaluate, Lookup(noise, ())


def small_noise():
    """Trees of up to three leaves in which players take turns, with every choice of noisy actions."""
    cases = []
    for leaves, depth in ((1, 3), (2, 3), (3, 2)):
        for shape, first in product(sorted(shapes(leaves, depth), key=inner_nodes), (MAX, MIN)):
            game = tree_game(shape, (3, -2, 6), in_turn(shape, first))
            cases += [with_noise(game, estimates, marks) for marks in product((True, False), repeat=edges(game))
                      for estimates in ((5, -4, 2, -6, 7, -8), (-3, 1, -5, 4, 0, 8))]  # fmt: skip
    return cases


def edges(game):
    return sum(len(game.actions(path)) for path in inner_paths(game))


def random_noise(rng):
    game = random_tree(rng)
    marks = rng.choices((True, True, False), k=edges(game))
    return with_noise(game, rng.choices(trees.ESTIMATES, k=edges(game) + 1), marks)


def late_noise(rng):
    """A late gain of noisy actions: at every state before it the player to move does better to go on."""
    game = trees.late_gain(rng)
    estimates = [(-50 if game.to_move(path) == MAX else 50) for path in inner_paths(game)]
    return with_noise(game, [*estimates, *[0] * 6], [True] * edges(game))


def quiet_value(game, state, evaluate, noise):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    below = [quiet_value(game, game.result(state, action), evaluate, noise) for action in noise(state)]
    return (max if game.to_move(state) == MAX else min)([evaluate(state), *below])


# Weights fitted to games. A case is a list of (two features, the share of the points that Max got from there).


def small_fits():
    shares = 0.25, 0.5, 0.75
    pairs = [[((1, 0), a), ((0, 1), b)] for a in shares for b in shares]
    return [(pair,) for pair in [*pairs, *([*pair, ((1, -1), 0.25)] for pair in pairs), [*pairs[2]] * 15]]


def random_fit(rng):
    """Each feature alone, and up to six positions more, or thirty."""
    more = rng.choices([*product((-1, -0.5, 0, 0.5, 1), repeat=2)], k=rng.choice([*range(7), 30]))
    return ([(features, rng.randint(1, 9) / 10) for features in [(1, 0), (0, 1), *more]],)


def uneven_fit(rng):
    """One position of which a feature is larger than in all others."""
    features = [*product((-0.5, 0, 0.5), (-1, -0.5, 0.5, 1))]
    more = [(pair, rng.randint(1, 9) / 10) for pair in [(0, 1), *rng.choices(features, k=6)]]
    return ([((2, 0), rng.choice((0.1, 0.2, 0.8, 0.9))), *more],)


# The evidence of a match. A case is (wins, draws, losses).


def is_clear(case):
    """Whether there is more than one game, and rounding cannot decide whether ½ lies inside the interval."""
    games, share = sum(case), (case[0] + case[1] / 2) / sum(case)
    error = sqrt(sum(many * (result - share) ** 2 for many, result in zip(case, (1, 0.5, 0))) / games**2)
    return games > 1 and abs(abs(share - 0.5) - 2 * error) > 1e-6


def small_matches():
    return sorted(filter(is_clear, [*product(range(4), repeat=3)][1:]), key=sum)


def random_match(rng):
    while True:
        case = tuple(rng.choices(range(61), k=3))
        if any(case) and is_clear(case):
            return case


# Search with a time limit. A case is (searches, the time at the start, the available seconds).


def clock_case(costs, start, seconds):
    """The case of searches of depth 1, 2 … that take these seconds."""
    searches = [[cost, (0, 3, 3, 0, 6)[depth % 5], (1, 4, 5, 2, 2)[depth % 5]] for depth, cost in enumerate(costs)]
    return searches, start, seconds


def small_clocks():
    return [clock_case(costs, start, seconds) for deepest in (1, 2, 3) for costs in product((1, 2, 3), repeat=deepest)
            for start in (0, 10) for seconds in range(6)]  # fmt: skip


def random_clock(rng):
    return clock_case(rng.choices(range(1, 10), k=rng.randint(1, 8)), rng.randint(0, 99), rng.randint(0, 40))


def with_fewer_searches(function, case, answer):
    """An answer that sees that the time is up, or that another search would change nothing, need not start it."""
    action, begun = answer
    return [[action, begun[:count]] for count in range(len(begun))]


# Connect Four. An evaluation compares pairs of positions, one better for X and one for O; a player has good columns.

MOVES = ("302046", "030264"), ("303136", "031363"), ("3020466", "0302646"), ("3031360", "0313630")
BETTER = [(GAME.after(*map(int, x)), GAME.after(*map(int, o))) for x, o in MOVES]
WORDS = [f"Three X in a line (after {x}) do not get a larger value than three O (after {o})." for x, o in MOVES]
PROBES = {
    "As X it misses a win in one move: column 3 after 3 0 3 0 3 1.": (
        GAME.after(3, 0, 3, 0, 3, 1),
        [3],
    ),
    "As O it misses a win in one move: column 0 after 3 0 2 0 6 0 1.": (
        GAME.after(3, 0, 2, 0, 6, 0, 1),
        [0],
    ),
    "As X it does not block O's win in one move: column 0 after 3 0 2 0 6 0.": (GAME.after(3, 0, 2, 0, 6, 0), [0]),
    "As O it does not block X's win in one move: column 3 after 3 0 3 0 3.": (GAME.after(3, 0, 3, 0, 3), [3]),
    "As X it plays the only column after which O wins at once: 1 after 0 3 2 0 0 3 5 2.": (
        GAME.after(0, 3, 2, 0, 0, 3, 5, 2),
        [0, 2, 3, 4, 5, 6],
    ),
    "As O it plays the only column after which X wins at once: 2 after 3 0 3 5 0 1 1.": (
        GAME.after(3, 0, 3, 5, 0, 1, 1),
        [0, 1, 3, 4, 5, 6],
    ),
}


def eight_games(ask, probes, words, opponent):
    """The row of a question that needs enough points in eight games."""
    return asks(lambda: [(openings(4), probes)], kind="beat", ask=ask, judge=evaluations.enough_points, mark=0.6,
                probes=words, case=f"8 games of Connect Four against {opponent}", part="probes",
                seconds=10)  # fmt: skip


QUESTIONS = {
    "evaluation_functions.trace": by_hand(own_position, cell_values, tracing.items,
        hint="Draw the board with X in that cell: how many lines contain no O, and how many no X? X is Max."),
    "evaluation_functions.fix": asks(
        trees.small_limited, trees.random_limited, values=trees.limited_values(value_for_max),
        kinds=[lambda rng, draw=draw: for_mover(*draw(rng)) for draw in trees.LIMITED]),
    "evaluation_functions.quiet": asks(small_noise, random_noise, values=trees.node_values(quiet_value),
                                        kinds=[late_noise]),
    "evaluation_functions.fit": asks(small_fits, random_fit, count=30, kinds=[uneven_fit],
                                     judge=evaluations.nearly_least, part="rounded"),
    "evaluation_functions.interval": asks(small_matches, random_match, part="first two", worked="interval",
                                          kinds=[lambda rng: (0, rng.randint(2, 60), 0)]),
    "evaluation_functions.connect_four": eight_games(
        evaluations.with_evaluation, BETTER, WORDS, "an evaluation that counts the centre; both look 2 plies ahead"),
    "evaluation_functions.timed": asks(
        small_clocks, random_clock, ask=evaluations.searches_begun,
        right=with_fewer_searches, worked="timed",
        case="my_timed_search(search, clock, {2}, deepest), where clock() starts at {1}, and [seconds, column found, "
        "column when cut short] of a search of depth 1, 2 … deepest are {0}. The answers below are [column, (depth, "
        "deadline) of each search that your code begins]"),
    "evaluation_functions.player": eight_games(
        evaluations.with_player, [*PROBES.values()], [*PROBES], "a player that sees immediate wins and threats"),
}  # fmt: skip
