"""The questions of notebook 4, evaluation functions."""

import random
from functools import lru_cache, partial
from itertools import combinations, product
from math import isfinite, prod
from typing import NamedTuple

from hypothesis import strategies as st

from course_lib.check.boards import board_picture
from course_lib.check.cases import Lookup, tree_games
from course_lib.check.compare import equal, is_number, misfit, same, shown
from course_lib.check.question import Bug, Direct, Question, StudentError, choice, read
from course_lib.check.report import watched_so_far
from course_lib.check.searches import (
    first_of_pair,
    for_min,
    for_the_mover,
    largest,
    limited_cases,
    only_for_min,
    opposite_for_min,
    small_limited,
    told_with,
    value_at_depth,
    worst,
    wrong_limited,
)
from course_lib.games import MAX, MIN, ConnectFour, TicTacToe, play
from course_lib.games.tic_tac_toe import LINES
from course_lib.search import (
    CONNECT_FOUR_FEATURES,
    alpha_beta_agent,
    depth_limited_alpha_beta_search,
    depth_limited_minimax_search,
    linear,
    open_lines,
)
from course_lib.search.evaluation import PIECE_VALUES, centre, points
from course_lib.watch.texts import number_text

# Open lines. The case is a board: a list of three rows.

TIC_TAC_TOE = TicTacToe()


def board_of(cells):
    """Nine characters as three rows."""
    return ["".join(cells[row : row + 3]) for row in (0, 3, 6)]


def cells_of(mark, grid):
    """As bits, from the top left."""
    return sum(1 << cell for cell, there in enumerate("".join(grid)) if there == mark)


def small_boards():
    """The boards with no mark, with an X, with an X and an O, and some with two X and an O."""
    boards = [["."] * 9]
    for x in range(9):
        boards.append(["X" if cell == x else "." for cell in range(9)])
    for x in range(9):
        boards += [["X" if cell == x else "O" if cell == o else "." for cell in range(9)] for o in range(9) if o != x]
    for x, y in combinations(range(0, 9, 2), 2):
        boards += [["X" if cell in (x, y) else "O" if cell == o else "." for cell in range(9)] for o in (1, 3, 5, 7)]
    return [(board_of(cells),) for cells in boards]


@st.composite
def boards(draw):
    cells = draw(st.permutations(range(9)))
    marks = draw(st.integers(0, 6))
    xs, os = cells[: (marks + 1) // 2], cells[(marks + 1) // 2 : marks]
    return (board_of(["X" if cell in xs else "O" if cell in os else "." for cell in range(9)]),)


def open_lines_of(grid, lines=LINES, theirs=1, sign=1):
    """X's open lines minus O's, with parts to be replaced."""
    cells = "".join(grid)
    drawn = ["".join(cells[cell] for cell in line) for line in lines]
    mine, others = (sum(other not in line for line in drawn) for other in "OX")
    return sign * (mine - theirs * others)


def wrong_side_for_o(grid):
    cells = "".join(grid)
    return open_lines_of(grid) * (1 if cells.count("X") == cells.count("O") else -1)


def lines_drawn(case, given):
    """The lines that are open to X and those open to O, each on the board."""
    (grid,) = case
    cells = "".join(grid)
    opens = [(mark, [line for line in LINES if other not in [cells[cell] for cell in line]])
             for mark, other in ("XO", "OX")]  # fmt: skip
    return [("the board", board_picture(grid)), *(
        (f"open to {mark}: {len(lines)}", board_picture(grid, lines, mark)) for mark, lines in opens)]  # fmt: skip


OPEN_LINES = Question(
    identifier="evaluation_functions.open_lines",
    title="Open lines",
    kind="write",
    points=2,
    name="my_open_lines",
    small=small_boards,
    cases=boards(),
    reference=lambda grid: open_lines((MAX, cells_of("X", grid), cells_of("O", grid))),
    compare=equal,
    tell=lambda case: f"my_open_lines({case[0]})",
    draw=lines_drawn,
    bugs=(
        Bug("estimate from the wrong side", "X is Max: take O's lines from X's.", partial(open_lines_of, sign=-1)),
        Bug("estimate from the wrong side", "the value is Max's, also where O is to move.", wrong_side_for_o),
        Bug("diagonals forgotten", "there are eight lines: three rows, three columns, two diagonals.",
            partial(open_lines_of, lines=LINES[:6])),
        Bug("only X's lines counted", "take the lines that are open to O away.", partial(open_lines_of, theirs=0)),
    ),
)  # fmt: skip


# The material ratio. The case is a board: a list of eight rows.

WORTH = dict(zip("PNBRQ", PIECE_VALUES.values()))


def chess_board(pieces):
    """Eight rows with these pieces on them, one below the other, and a free column between two."""
    cells = list("." * 64)
    for number, piece in enumerate(pieces):
        cells[(number % 8) * 8 + number // 8 * 2] = piece
    return (["".join(cells[row : row + 8]) for row in range(0, 64, 8)],)


def small_material():
    pieces = "PNBRQpnbrq"
    return [chess_board("Kk" + more) for more in ("", *pieces, *(one + two for one in pieces for two in pieces))]


def material(case, expected, given):
    wrong = equal(case, expected, given)
    white, black = values(*case)
    return wrong and f"{wrong} White's pieces are worth {white} here, and Black's {black}."


def unchecked(white, black):
    return (white - black) / (white + black)


def values(grid, worth=WORTH):
    """What White's and Black's pieces are worth."""
    return [sum(worth.get(cell, 0) for cell in text) for text in ("".join(grid), "".join(grid).swapcase())]


def ratio_of(grid, king=0, worth=WORTH, ratio=unchecked, bare=0):
    """Material ratio with parts to be replaced; `bare` is its value without pieces."""
    white, black = values(grid, worth | {"K": king})
    return ratio(white, black) if white + black else bare


def no_bare_kings(grid):
    if ratio_of(grid, bare=None) is None:
        raise ZeroDivisionError("division by zero")
    return ratio_of(grid)


RATIO = Question(
    identifier="evaluation_functions.ratio",
    title="The material ratio",
    kind="write",
    points=2,
    name="my_material_ratio",
    small=small_material,
    cases=st.text("PPNBRQppnbrq", min_size=1, max_size=24).map(lambda pieces: chess_board("Kk" + pieces)),
    reference=ratio_of,
    compare=material,
    tell=lambda case: "my_material_ratio(grid) for this board",
    draw=lambda case, given: [("the board", board_picture(*case))],
    bugs=(
        Bug("a difference, not a ratio", "divide by the value of all pieces.",
            partial(ratio_of, ratio=lambda white, black: white - black)),
        Bug("estimate from the wrong side", "White is Max: large pieces are White's.",
            partial(ratio_of, ratio=lambda white, black: (black - white) / (white + black))),
        Bug("the kings are counted", "a king has no value: it is never taken.", partial(ratio_of, king=1)),
        Bug("pieces counted, not their values", "a queen counts 9, a rook 5, a bishop or a knight 3, a pawn 1.",
            partial(ratio_of, worth=dict.fromkeys("PNBRQ", 1))),
        Bug("White's share", "subtract Black's material above the line.",
            partial(ratio_of, ratio=lambda white, black: white / (white + black))),
        Bug("divided by 0", "where only the kings are left the ratio is 0.", no_bare_kings),
        Bug("whole numbers only", "// leaves the fraction out; divide with /.",
            partial(ratio_of, ratio=lambda white, black: (white - black) // (white + black))),
    ),
)  # fmt: skip


# The weighted sum. A case is (weights, features, state): the features are tables, in another order than the weights.

NAMES = "threes", "twos", "centre", "edge"


def weighted_case(numbers):
    """Weights and features of the state 0 from (weight, feature) pairs; the features come in reverse."""
    named = list(zip(NAMES, numbers))
    weights = {name: weight for name, (weight, _) in named}
    return weights, {name: Lookup({0: worth}) for name, (_, worth) in reversed(named)}, 0


def small_sums():
    numbers = (-1, 0, 2, 3)
    pairs = [(weight, worth) for weight in numbers for worth in numbers]
    return [weighted_case(case) for case in [[pair] for pair in pairs] + [[p, q] for p in pairs for q in pairs]]


def terms(case, expected, given):
    wrong = equal(case, expected, given)
    weights, features, state = case
    products = ", ".join(f"{number_text(weights[name])} × {number_text(features[name](state))}" for name in weights)
    return wrong and f"{wrong} The weights times the features are {products}."


def wrong_sum(weights, features, state, term=lambda weight, worth: weight * worth, total=sum, in_order=False):
    worths = [feature(state) for feature in features.values()]
    used = weights.values() if in_order else [weights[name] for name in features]
    return total([term(weight, worth) for weight, worth in zip(used, worths)])


LINEAR = Question(
    identifier="evaluation_functions.linear",
    title="The weighted sum",
    kind="write",
    points=2,
    name="my_linear",
    small=small_sums,
    cases=st.lists(st.tuples(st.integers(-3, 5), st.integers(-4, 9)), min_size=1, max_size=4).map(weighted_case),
    reference=lambda weights, features, state: linear(weights, features)(state),
    compare=terms,
    tell=lambda case: f"my_linear({case[0]}, features, state), where "
    + ", ".join(f"{name} is {feature(0)}" for name, feature in case[1].items()),
    bugs=(
        Bug("weights by order, not by name", "weights[name] goes with features[name], in whatever order they come.",
            partial(wrong_sum, in_order=True)),
        Bug("the weights are forgotten", "each feature counts times its weight.",
            partial(wrong_sum, term=lambda weight, worth: worth)),
        Bug("added instead of multiplied", "each feature counts times its weight.",
            partial(wrong_sum, term=lambda weight, worth: weight + worth)),
        Bug("a mean instead of a sum", "nothing is divided: add the terms up.",
            partial(wrong_sum, total=lambda terms: sum(terms) / len(terms))),
        Bug("multiplied instead of added", "add the terms up.", partial(wrong_sum, total=prod)),
        Bug("only the largest term counts", "add all the terms up.", partial(wrong_sum, total=max)),
        Bug("sign lost", "a weight or a feature below 0 makes the sum smaller.",
            partial(wrong_sum, term=lambda weight, worth: abs(weight * worth))),
    ),
)  # fmt: skip


# A search with an evaluation for the player to move, to be mended. A case is (game, state, depth, evaluate).


def with_estimates_for_the_mover(game, state, depth, evaluate):
    """Depth-limited minimax whose evaluation is for the player to move."""
    return depth_limited_minimax_search(
        game, state, depth, lambda state: opposite_for_min(game.to_move(state)) * evaluate(state)
    )[0]


def by_plies(game, state, depth, evaluate):
    """The evaluation is turned round after an odd number of plies, whoever moves then."""
    signs = {path: (-1) ** len(path) for path in evaluate}
    return wrong_limited(game, state, depth, lambda state: signs[state] * evaluate(state))[0]


def wrong_horizon(game, state, depth, evaluate, sign=opposite_for_min, **parts):
    return wrong_limited(game, state, depth, evaluate, sign=sign, **parts)[0]


MEND = Question(
    identifier="evaluation_functions.mend",
    title="Mend the horizon",
    kind="mend",
    points=2,
    name="mended_value",
    small=small_limited,
    cases=limited_cases(tree_games(plies=4, most=2)),
    reference=with_estimates_for_the_mover,
    compare=equal,
    tell=told_with("mended_value", "evaluate"),
    value_of=lambda case, node: value_at_depth(with_estimates_for_the_mover, case, node, len(node.path)),
    bugs=(
        Bug("not mended yet", "two things are wrong where depth is 0.",
            partial(wrong_horizon, sign=lambda player: 1, terminal_first=False)),
        Bug("estimate from the wrong side", "evaluate(state) is for the player to move: turn it round for Min.",
            partial(wrong_horizon, sign=lambda player: 1)),
        Bug("estimate from the wrong side", "it is turned round where Max is to move; that is Min's case.",
            partial(wrong_horizon, sign=lambda player: -opposite_for_min(player))),
        Bug("estimate from the wrong side", "turn it round where Min is to move, nowhere else.",
            partial(wrong_horizon, sign=lambda player: -1)),
        Bug("estimate from the wrong side", "who is to move in the state itself? Plies do not tell: Min may begin.",
            by_plies),
        Bug("terminal states are evaluated", "where the game is over its utility counts, also at depth 0.",
            partial(wrong_horizon, terminal_first=False)),
        Bug("depth off by one", "your search stops one ply too early.", partial(wrong_horizon, horizon=1)),
        Bug("depth off by one", "your search goes one ply too deep.", partial(wrong_horizon, horizon=-1)),
        Bug("utility from the wrong side", "a leaf is worth game.utility(state, MAX): no sign is turned round there.",
            partial(wrong_horizon, worth=for_the_mover)),
        Bug("utility from the wrong side", "a leaf is worth game.utility(state, MAX), also where Min is to move.",
            partial(wrong_horizon, worth=for_min)),
        Bug("two plies counted as one", "every move is a ply: take 1 from the depth at each.",
            partial(wrong_horizon, step=only_for_min)),
        Bug("max and min exchanged", "Max takes the largest value, Min the smallest.",
            partial(wrong_horizon, choose=worst)),
        Bug("everybody maximises", "where MIN is to move the smallest value counts.",
            partial(wrong_horizon, choose=largest)),
    ),
)  # fmt: skip


# Connect Four: matches that must be won. The case is (the number of openings, the share of the points to be reached);
# an answer is a `Score`, or what was wrong: the state, what was returned for it, and what was asked for.

GAME, PLIES = ConnectFour(), 2
"""The game, and how far both sides of the first match look; openings are played with both colours."""


class Unfit(Exception):
    """An answer with which the match cannot go on."""


@lru_cache
def openings(count, plies=4, seed=5):
    """So many states after random moves."""
    luck, states = random.Random(seed), []
    for _ in range(count):
        state = GAME.initial_state()
        for _ in range(plies):
            state = GAME.result(state, luck.choice(GAME.actions(state)))
        states.append(state)
    return tuple(states)


class Score(NamedTuple):
    """The share of the points; the states from the last choice in the first lost game to its end, if one was lost."""

    share: float
    lost: tuple = ()


def score(agent, rival, count):
    """The agent's score when each opening is played with both colours."""
    won, lost = 0, ()
    for state, own in product(openings(count), (MAX, MIN)):
        record = play(GAME, [agent, rival] if own == MAX else [rival, agent], state)
        gained = points(record.utilities)
        gained = gained if own == MAX else 1 - gained
        won += gained
        lost = lost or (record.states[-3:] if gained == 0 else ())
    return Score(won / (2 * count), lost)


def within_bounds(value):
    """In the order of the values, but between a loss and a win."""
    return 0.999 * value / (1 + abs(value))


def ask_evaluation(student, name, case):
    (count, _), known = case, {}

    def evaluate(state):
        if state not in known:
            value = student.call(name, state)
            if not is_number(value) or not isfinite(value):
                raise Unfit(state, value, "a number was asked for")
            known[state] = within_bounds(value)
        return known[state]

    try:
        return score(alpha_beta_agent(PLIES, evaluate), alpha_beta_agent(PLIES, lambda s: centre(s) / 100), count)
    except Unfit as unfit:
        return unfit.args


def ask_player(student, name, case):
    def agent(game, state):
        action = student.call(name, game, state)
        if type(action) is not int or action not in game.actions(state):
            raise Unfit(state, action, f"the columns that are not full are {', '.join(map(str, game.actions(state)))}")
        return action

    try:
        return score(agent, careful, case[0])
    except Unfit as unfit:
        return unfit.args


def careful(game, state):
    """The rival: it wins at once, else stops the other from winning at once, else plays near the centre."""

    def key(action):
        after = game.result(state, action)
        lets_win = any(game.is_terminal(game.result(after, reply)) for reply in game.actions(after))
        return not game.is_terminal(after), lets_win, abs(action - 3)

    return min(game.actions(state), key=key)


def too_few_points(case, expected, given):
    _, mark = case
    if isinstance(given, Score):
        return None if given.share >= mark else f"You get {given.share:.0%} of the points; the mark is {mark:.0%}."
    _, answer, wanted = given
    return f"The match cannot go on with {shown(answer)} for the position that is drawn: {wanted}."


def positions_drawn(case, given):
    """Of a lost game the last choice and the end; or the position whose answer did not fit."""
    if isinstance(given, Score):
        captions = "your last choice in a game that you lost: {}", "its end"
        states = [given.lost[0], given.lost[-1]] if given.lost else []
    else:
        captions, states = ["the position: {}"], [] if given is None else [tuple(given[0])]
    return [(caption.format(turn(state)), board_picture(GAME.grid(state), discs=True))
            for caption, state in zip(captions, states)]  # fmt: skip


def turn(state):
    return f"{'X, the full discs,' if GAME.to_move(state) == MAX else 'O, the hollow discs,'} to move"


def last_choice(function, failure):
    """The state of the student's last choice in a lost game, or in which the match could not go on; or None."""
    question, given, student = failure.question, failure.given, Direct(function)
    if failure.error is not None:
        try:
            question.ask(student, question.name, failure.case)
        except StudentError:
            return student.arguments[-1] if student.arguments else None
    return tuple(given[0]) if not isinstance(given, Score) else given.lost[0] if given.lost else None


def match(identifier, title, name, rival, openings, mark, **parts):
    def in_words(answer):
        if not isinstance(answer, Score):
            return shown(answer[1])
        return f"{mark:.0%} of the points or more" if answer.share >= mark else f"{answer.share:.0%} of the points"

    return Question(identifier=identifier, title=title, kind="beat", points=3, name=name,
                    small=lambda: [(openings, mark)], compare=too_few_points, gist=first_of_pair, show=in_words,
                    draw=positions_drawn,
                    tell=lambda case: f"{2 * openings} games of Connect Four against {rival}", **parts)  # fmt: skip


features_of_max = linear({"open threes": 4, "open twos": 1, "centre": 1}, CONNECT_FOUR_FEATURES)


def evaluation_watched(evaluate, failure):
    """The search of the match, with the student's evaluation, at its last choice."""
    state = last_choice(evaluate, failure)
    if state is not None:
        return watched_so_far(depth_limited_alpha_beta_search, GAME, state, PLIES,
                              lambda state: within_bounds(evaluate(state)))  # fmt: skip
    return None


def player_watched(player, failure):
    """The student's own search at its last choice."""
    state = last_choice(player, failure)
    return None if state is None else watched_so_far(player, GAME, state)


EVALUATION = match(
    "evaluation_functions.connect_four", "Beat the centre counter", "my_evaluation",
    rival=f"an evaluation that counts the centre; both look {PLIES} plies ahead",
    openings=4, mark=0.6,
    ask=ask_evaluation, reference=features_of_max, explored=evaluation_watched,
    bugs=(
        Bug("estimate from the wrong side", "evaluate for Max, who plays X: what is good for O is below 0.",
            lambda state: -features_of_max(state)),
        Bug("estimate from the wrong side", "evaluate for Max, also where Min is to move.",
            lambda state: opposite_for_min(state[0]) * features_of_max(state)),
        Bug("no opinion", "it says the same of every position.", lambda state: 0),
    ),
)  # fmt: skip

PLAYER = match(
    "evaluation_functions.player", "Your own player", "my_player",
    rival="a player who sees what wins, and loses, at once",
    openings=4, mark=0.6,
    ask=ask_player, reference=alpha_beta_agent(PLIES, lambda state: within_bounds(features_of_max(state))),
    explored=player_watched,
    bugs=(
        Bug("the first move always", "search: look at what follows.", lambda game, state: game.actions(state)[0]),
        Bug("plays for Max only", "Min wants the value to be small: your player has to play both colours.",
            lambda game, state: max(game.actions(state), key=lambda a: features_of_max(game.result(state, a)))),
    ),
)  # fmt: skip


# A position of one's own, by hand.


def own_position(numbers):
    """Two marks each, X to move, and no move that wins."""
    while True:
        cells = numbers.sample(range(9), 4)
        state = TIC_TAC_TOE.after(*cells)
        after = [TIC_TAC_TOE.result(state, cell) for cell in TIC_TAC_TOE.actions(state)]
        if not any(map(TIC_TAC_TOE.is_terminal, after)) and len(set(map(open_lines, after))) > 2:
            return (state,)


def values_of_moves(state):
    """What X's moves to the free cells are worth, in the cells' order."""
    return [open_lines(TIC_TAC_TOE.result(state, cell)) for cell in TIC_TAC_TOE.actions(state)]


def first_wrong_cell(case, expected, given):
    cells = TIC_TAC_TOE.actions(case[0])
    if not isinstance(given, list | tuple) or len(given) != len(cells):
        return f"A list of {len(cells)} numbers was expected, for the cells {cells}, not {shown(given)}."
    if any(expected) and same([-value for value in expected], given):
        return Bug("estimate from the wrong side", "X is Max: take O's open lines from X's, not the other way round.")
    for cell, value, answer in zip(cells, expected, given):
        if not same(value, answer):
            wrong = f"The first wrong value is that of cell {cell}."
            kind = misfit(value, answer)
            return f"{wrong} {kind or 'Draw the board with X there: how many lines hold no O, and how many no X?'}"
    return None


def cells_drawn(case, given):
    """The position, and the one after the move to the first cell whose value is wrong, if that many were given."""
    (state,) = case
    drawn = [("your position", board_picture(TIC_TAC_TOE.grid(state)))]
    if isinstance(given, list | tuple):
        for cell, value, answer in zip(TIC_TAC_TOE.actions(state), values_of_moves(state), given):
            if not same(value, answer):
                after = TIC_TAC_TOE.grid(TIC_TAC_TOE.result(state, cell))
                return [*drawn, (f"after X's move to cell {cell}", board_picture(after))]
    return drawn


TRACE = Question(
    identifier="evaluation_functions.trace",
    title="Open lines by hand",
    kind="trace",
    points=2,
    name="cell_values",
    personal=own_position,
    ask=read,
    reference=values_of_moves,
    compare=first_wrong_cell,
    draw=cells_drawn,
)

HORIZON = choice(
    identifier="evaluation_functions.horizon",
    title="The horizon effect",
    name="horizon",
    right="b",
    reasons={
        "a": "That is why a quiescence search goes on with captures; the horizon effect remains with it.",
        "c": "An evaluation from the wrong side is a mistake in a program. The horizon effect comes with correct ones.",
        "d": "Iterative deepening then plays what the last finished depth found. The effect is there with all the time "
        "that a depth needs.",
    },
)

QUESTIONS = (TRACE, OPEN_LINES, RATIO, LINEAR, MEND, EVALUATION, PLAYER, HORIZON)
