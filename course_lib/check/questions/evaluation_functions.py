"""The questions of notebook 4, evaluation functions."""

from itertools import combinations
from math import isfinite

from hypothesis import strategies as st

from course_lib.check.boards import board_picture
from course_lib.check.cases import Lookup, tree_games
from course_lib.check.compare import equal, is_number, misfit, same, shown
from course_lib.check.matches import (
    GAME,
    MOVER,
    NO_OPINION,
    PLIES,
    PROBES,
    SIGN,
    Score,
    Unfit,
    careful,
    last_choice,
    positions_drawn,
    score,
    too_few_points,
)
from course_lib.check.mistakes import mistakes
from course_lib.check.question import Bug, Question, choice, read
from course_lib.check.report import watched_so_far
from course_lib.check.searches import limited_cases, small_limited, told_with, value_at_depth
from course_lib.games import MAX, TicTacToe
from course_lib.games.tic_tac_toe import LINES
from course_lib.search import (
    CONNECT_FOUR_FEATURES,
    alpha_beta_agent,
    depth_limited_alpha_beta_search,
    linear,
    open_lines,
)
from course_lib.search.evaluation import PIECE_VALUES, centre
from course_lib.watch.texts import number_text

# Open lines. The case is a board: a list of three rows.

TIC_TAC_TOE = TicTacToe()


def board_of(cells):
    """Nine characters as three rows."""
    return ["".join(cells[row : row + 3]) for row in (0, 3, 6)]


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


def open_lines_of(grid):
    cells = "".join(grid)
    lines = [[cells[cell] for cell in line] for line in LINES]
    mine, theirs = sum("O" not in line for line in lines), sum("X" not in line for line in lines)
    return mine - theirs


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
    reference=open_lines_of,
    compare=equal,
    tell=lambda case: f"my_open_lines({case[0]})",
    draw=lines_drawn,
    bugs=mistakes(
        open_lines_of,
        ("estimate from the wrong side", "X is Max: take O's lines from X's.", {"mine - theirs": "theirs - mine"}),
        ("estimate from the wrong side", "the value is Max's, also where O is to move.",
            {"mine - theirs": '(mine - theirs) * (1 if cells.count("X") == cells.count("O") else -1)'}),
        ("diagonals forgotten", "there are eight lines: three rows, three columns, two diagonals.",
            {"in LINES": "in LINES[:6]"}),
        ("only X's lines counted", "take the lines that are open to O away.", {"mine - theirs": "mine"}),
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


def values(grid):
    """What White's and Black's pieces are worth."""
    text = "".join(grid)
    return [sum(WORTH.get(piece, 0) for piece in side) for side in (text, text.swapcase())]


def ratio_of(grid):
    white, black = values(grid)
    return (white - black) / (white + black) if white + black else 0


RATIO = Question(
    identifier="evaluation_functions.ratio",
    title="The material ratio",
    kind="write",
    points=2,
    name="my_material_ratio",
    small=small_material,
    cases=st.lists(st.sampled_from("PPNBRQppnbrq"), min_size=1, max_size=24).map(
        lambda more: chess_board(["K", "k", *more])
    ),
    reference=ratio_of,
    compare=material,
    tell=lambda case: f"my_material_ratio({case[0]})",
    draw=lambda case, given: [("the board", board_picture(*case))],
    bugs=mistakes(
        (values, ratio_of),
        ("a difference, not a ratio", "divide by the value of all pieces.", {" / (white + black)": ""}),
        ("estimate from the wrong side", "White is Max: large pieces are White's.", {"white - black": "black - white"}),
        ("the kings are counted", "a king has no value: it is never taken.", {"WORTH": '(WORTH | {"K": 1})'}),
        ("pieces counted, not their values", "a queen counts 9, a rook 5, a bishop or a knight 3, a pawn 1.",
            {"WORTH.get(piece, 0)": "(piece in WORTH)"}),
        ("White's share", "subtract Black's material above the line.", {"(white - black)": "white"}),
        ("divided by 0", "where only the kings are left the ratio is 0.", {" if white + black else 0": ""}),
        ("whole numbers only", "// leaves the fraction out; divide with /.", {" / ": " // "}),
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


def weighted_sum(weights, features, state):
    return sum(weights[name] * feature(state) for name, feature in features.items())


LINEAR = Question(
    identifier="evaluation_functions.linear",
    title="The weighted sum",
    kind="write",
    points=2,
    name="my_linear",
    small=small_sums,
    cases=st.lists(st.tuples(st.integers(-3, 5), st.integers(-4, 9)), min_size=1, max_size=4).map(weighted_case),
    reference=weighted_sum,
    compare=terms,
    tell=lambda case: f"my_linear({case[0]}, features, state), where "
    + ", ".join(f"{name} is {feature(0)}" for name, feature in case[1].items()),
    bugs=mistakes(
        weighted_sum,
        ("weights by order, not by name", "weights[name] goes with features[name], in whatever order they come.",
            {"weights[name]": "weight", "name, feature in features.items()":
             "weight, feature in zip(weights.values(), features.values())"}),
        ("the weights are forgotten", "each feature counts times its weight.", {"weights[name] * ": ""}),
        ("added instead of multiplied", "each feature counts times its weight.", {" * ": " + "}),
        ("a mean instead of a sum", "nothing is divided: add the terms up.",
            {".items())": ".items()) / len(features)"}),
        ("multiplied instead of added", "add the terms up.", {"return sum(": "return prod("}),
        ("only the largest term counts", "add all the terms up.", {"return sum(": "return max("}),
        ("sign lost", "a weight or a feature below 0 makes the sum smaller.",
            {"weights[name] * feature(state)": "abs(weights[name] * feature(state))"}),
    ),
)  # fmt: skip


# A search with an evaluation for the player to move, to be mended. A case is (game, state, depth, evaluate).


def horizon_value(game, state, depth, evaluate):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    player = game.to_move(state)
    if depth == 0:
        return evaluate(state) if player == MAX else -evaluate(state)
    below = [game.result(state, action) for action in game.actions(state)]
    values = [horizon_value(game, after, depth - 1, evaluate) for after in below]
    return max(values) if player == MAX else min(values)


AT_HORIZON = "evaluate(state) if player == MAX else -evaluate(state)"
EVALUATED = {"if game.is_terminal(state)": "if depth > 0 and game.is_terminal(state)"}
MEND = Question(
    identifier="evaluation_functions.mend",
    title="Mend the horizon",
    kind="mend",
    points=2,
    name="mended_value",
    small=small_limited,
    cases=limited_cases(tree_games(plies=4, most=2)),
    reference=horizon_value,
    compare=equal,
    tell=told_with("mended_value", "evaluate"),
    value_of=lambda case, node: value_at_depth(horizon_value, case, node, len(node.path)),
    bugs=mistakes(
        horizon_value,
        ("not mended yet", "two things are wrong where depth is 0.", {AT_HORIZON: "evaluate(state)", **EVALUATED}),
        ("estimate from the wrong side", "evaluate(state) is for the player to move: turn it round for Min.",
            {AT_HORIZON: "evaluate(state)"}),
        ("estimate from the wrong side", "it is turned round where Max is to move; that is Min's case.",
            {AT_HORIZON: "-evaluate(state) if player == MAX else evaluate(state)"}),
        ("estimate from the wrong side", "turn it round where Min is to move, nowhere else.",
            {AT_HORIZON: "-evaluate(state)"}),
        ("estimate from the wrong side", "who is to move in the state itself? Plies do not tell: Min may begin.",
            {"evaluate):": "evaluate, sign=1):", AT_HORIZON: "sign * evaluate(state)",
             "1, evaluate)": "1, evaluate, -sign)"}),
        ("terminal states are evaluated", "where the game is over its utility counts, also at depth 0.", EVALUATED),
        ("depth off by one", "your search stops one ply too early.", {"depth == 0": "depth <= 1"}),
        ("depth off by one", "your search goes one ply too deep.", {"depth == 0": "depth < 0"}),
        ("utility from the wrong side", "a leaf is worth game.utility(state, MAX): no sign is turned round there.",
            {"utility(state, MAX)": "utility(state, game.to_move(state))"}),
        ("utility from the wrong side", "a leaf is worth game.utility(state, MAX), also where Min is to move.",
            {"utility(state, MAX)": "utility(state, 1 - MAX)"}),
        ("two plies counted as one", "every move is a ply: take 1 from the depth at each.",
            {"depth - 1": "depth - (player != MAX)"}),
        ("max and min exchanged", "Max takes the largest value, Min the smallest.",
            {"max(values)": "min(values)", "min(values)": "max(values)"}),
        ("everybody maximises", "where MIN is to move the smallest value counts.", {"min(values)": "max(values)"}),
    ),
)  # fmt: skip


# Connect Four: matches that must be won, with an evaluation and with a player; see `matches`.


def within_bounds(value):
    """In the order of the values, but between a loss and a win."""
    return 0.999 * value / (1 + abs(value))


def ask_evaluation(student, name, case):
    (openings, mark), known = case, {}

    def evaluate(state):
        if state not in known:
            value = student.call(name, state)
            if not is_number(value) or not isfinite(value):
                raise Unfit(state, value, "a number was asked for")
            known[state] = within_bounds(value)
        return known[state]

    def score_of(evaluate):
        rival = alpha_beta_agent(PLIES, lambda state: centre(state) / 100)
        return score(alpha_beta_agent(PLIES, evaluate), rival, openings)

    try:
        first = score_of(evaluate)
        if first.share >= mark:
            return first
        if len(set(known.values())) == 1:
            return first._replace(found=(NO_OPINION,))
        views = {SIGN: lambda state: -evaluate(state), MOVER: lambda state: for_max(state) * evaluate(state)}
        return first._replace(found=tuple(name for name, view in views.items() if score_of(view).share >= mark))
    except Unfit as unfit:
        return unfit.args


def for_max(state):
    return 1 if GAME.to_move(state) == MAX else -1


def ask_player(student, name, case):
    def agent(game, state):
        action = student.call(name, game, state)
        if type(action) is not int or action not in game.actions(state):
            raise Unfit(state, action, f"the columns that are not full are {', '.join(map(str, game.actions(state)))}")
        return action

    try:
        missed = tuple(probe for probe in PROBES if agent(GAME, probe.state) != probe.column)
        return score(agent, careful, case[0])._replace(missed=missed)
    except Unfit as unfit:
        return unfit.args


def match(identifier, title, name, rival, mark=0.6, openings=4, **parts):
    def in_words(answer):
        if not isinstance(answer, Score):
            return shown(answer[1])
        return f"{mark:.0%} of the points or more" if answer.share >= mark else f"{answer.share:.0%} of the points"

    return Question(identifier=identifier, title=title, kind="beat", points=3, name=name, seconds=10,
                    small=lambda: [(openings, mark)], compare=too_few_points, show=in_words, draw=positions_drawn,
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
    ask=ask_evaluation, reference=features_of_max, explored=evaluation_watched,
)  # fmt: skip

PLAYER = match(
    "evaluation_functions.player", "Your own player", "my_player",
    rival="a player who sees what wins, and loses, at once",
    ask=ask_player, reference=alpha_beta_agent(PLIES, lambda state: within_bounds(features_of_max(state))),
    explored=player_watched,
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
