"""Answers to the questions of notebook 4."""

from functools import cache
from math import inf, nan

from answers import Wrong, leaves, mistyped
from course_lib.games import MAX, ConnectFour, Game
from course_lib.games.tic_tac_toe import LINES


def size(case):
    """Leaves of a tree, marks or pieces on a board, weights of a sum; a match has none."""
    if not case or isinstance(case[0], int | float | tuple):
        return 0
    if isinstance(case[0], Game):
        return leaves(case)
    return len(case[0]) if isinstance(case[0], dict) else sum(cell != "." for cell in "".join(case[0]))


# Open lines


def rows_columns_diagonals(grid):
    columns = ["".join(column) for column in zip(*grid)]
    diagonals = ["".join(grid[i][i] for i in range(3)), "".join(grid[i][2 - i] for i in range(3))]
    lines = [*grid, *columns, *diagonals]
    return sum("O" not in line for line in lines) - sum("X" not in line for line in lines)


def closed_instead_of_open(grid):
    """What closes O's lines less what closes X's: the same difference."""
    cells = "".join(grid)

    def closed(mark):
        return sum(any(cells[cell] == mark for cell in line) for line in LINES)

    return closed("X") - closed("O")


def counted_in_a_loop(grid):
    cells, lead = "".join(grid), 0.0
    for line in LINES:
        marks = {cells[cell] for cell in line}
        if "O" not in marks:
            lead += 1
        if "X" not in marks:
            lead -= 1
    return lead


def own_lines_only(grid):
    """Lines with an own mark and none of the other's: what is open to both makes no difference."""
    lines = ["".join("".join(grid)[cell] for cell in line) for line in LINES]
    return sum("X" in line and "O" not in line for line in lines) - sum(
        "O" in line and "X" not in line for line in lines
    )


def divided(grid):
    return rows_columns_diagonals(grid) / 8


# The material ratio

VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}


def counted(grid):
    cells = "".join(grid)
    white = sum(value * cells.count(piece.upper()) for piece, value in VALUES.items())
    black = sum(value * cells.count(piece) for piece, value in VALUES.items())
    return (white - black) / (white + black) if white + black else 0


def in_one_walk(grid):
    total = lead = 0
    for row in grid:
        for cell in row:
            value = VALUES.get(cell.lower(), 0)
            total += value
            lead += value if cell.isupper() else -value
    return lead / (total or 1)


def two_shares(grid):
    """White's share less Black's."""
    cells = [cell for row in grid for cell in row if cell != "."]
    white = sum(VALUES[cell.lower()] for cell in cells if cell.isupper())
    black = sum(VALUES[cell.lower()] for cell in cells if cell.islower())
    return 0.0 if white == black else white / (white + black) - black / (white + black)


# The weighted sum


def in_a_loop(weights, features, state):
    total = 0
    for name in features:
        total += weights[name] * features[name](state)
    return total


def generator_expression(weights, features, state):
    return sum(weight * features[name](state) for name, weight in weights.items())


def recursive_sum(weights, features, state):
    def of(names):
        return weights[names[0]] * features[names[0]](state) + of(names[1:]) if names else 0.0

    return of(sorted(weights))


# Mend the horizon


def mended(game, state, depth, evaluate):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    if depth == 0:
        return evaluate(state) if game.to_move(state) == MAX else -evaluate(state)
    values = [mended(game, game.result(state, a), depth - 1, evaluate) for a in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def negamax(game, state, depth, evaluate):
    def for_the_mover(state, depth):
        own = 1 if game.to_move(state) == MAX else -1
        if game.is_terminal(state):
            return own * game.utility(state, MAX)
        if depth == 0:
            return evaluate(state)
        best = -inf
        for action in game.actions(state):
            after = game.result(state, action)
            sign = 1 if (game.to_move(after) == MAX) == (own == 1) else -1
            best = max(best, sign * for_the_mover(after, depth - 1))
        return best

    return for_the_mover(state, depth) * (1 if game.to_move(state) == MAX else -1)


def memoised(game, state, depth, evaluate):
    @cache
    def value(state, left):
        if game.is_terminal(state):
            return float(game.utility(state, MAX))
        sign = {MAX: 1}.get(game.to_move(state), -1)
        if not left:
            return sign * evaluate(state)
        return sign * max(sign * value(game.result(state, a), left - 1) for a in reversed(game.actions(state)))

    return value(state, depth)


def half_mended(order=True, side=True, terminal=lambda value: value, leaf=False):
    """Mended in part: the order of the two questions, the side, or something else that is wrong."""

    def value(game, state, depth, evaluate):
        sign = 1 if game.to_move(state) == MAX or not side else -1
        if game.is_terminal(state) and (order or depth > 0):
            return game.utility(state, MAX) * (sign if leaf else 1)
        if depth == 0:
            return sign * evaluate(state)
        values = [value(game, game.result(state, a), depth - 1, evaluate) for a in game.actions(state)]
        return max(values) if game.to_move(state) == MAX else min(values)

    return value


# Connect Four

GAME = ConnectFour()
STEPS = (0, 1), (1, 0), (1, 1), (1, -1)
FOURS = [[(r + i * down) * 7 + c + i * right for i in range(4)] for down, right in STEPS for r in range(6)
         for c in range(7) if r + 3 * down < 6 and 0 <= c + 3 * right < 7]  # fmt: skip


def fours(state, weights=(0, 0, 1, 6, 0)):
    """A weight for each four with so many discs of one player and none of the other, and one for the centre."""
    text, lead = "".join(GAME.grid(state)), 0
    for line in FOURS:
        cells = [text[cell] for cell in line]
        x, o = cells.count("X"), cells.count("O")
        lead += (weights[x] if not o else 0) - (weights[o] if not x else 0)
    return lead + text[3::7].count("X") - text[3::7].count("O")


def larger_numbers(state):
    return 1000 * fours(state, (0, 1, 4, 20, 0))


def threes_and_centre(state):
    return fours(state, (0, 0, 0, 3.5, 0))


def for_the_mover(state):
    return fours(state) if state[0] == MAX else -fours(state)


def only_discs(state):
    text = "".join(GAME.grid(state))
    return text.count("X") - text.count("O")


def edges(state):
    text = "".join(GAME.grid(state))
    return sum((text[column::7].count("X") - text[column::7].count("O")) * abs(column - 3) for column in range(7))


def looks_ahead(evaluate, plies):
    def value(game, state, depth, alpha, beta):
        if game.is_terminal(state):
            return 1e6 * game.utility(state, MAX)
        if depth == 0:
            return evaluate(state)
        for action in game.actions(state):
            found = value(game, game.result(state, action), depth - 1, alpha, beta)
            if game.to_move(state) == MAX:
                alpha = max(alpha, found)
            else:
                beta = min(beta, found)
            if alpha >= beta:
                break
        return alpha if game.to_move(state) == MAX else beta

    def player(game, state):
        pick = max if game.to_move(state) == MAX else min
        return pick(game.actions(state), key=lambda a: value(game, game.result(state, a), plies - 1, -inf, inf))

    return player


def fours_of_three(state):
    return fours(state, (0, 0, 1, 5, 0))


def two_plies_unpruned(game, state):
    """Negamax without a window: its own move and the reply."""
    sign = 1 if game.to_move(state) == MAX else -1

    def worth(state):
        return 1e6 * game.utility(state, MAX) if game.is_terminal(state) else fours_of_three(state)

    def after_reply(after):
        replies = [sign * worth(game.result(after, reply)) for reply in game.actions(after)]
        return min(replies) if replies else sign * worth(after)

    return max((after_reply(game.result(state, action)), action) for action in game.actions(state))[1]


def leftmost_that_wins(game, state):
    return min(game.actions(state), key=lambda action: not game.is_terminal(game.result(state, action)))


RATIO = "(white - black) / (white + black) if white + black else 0"
no_side = mistyped(mended, {"evaluate(state) if game.to_move(state) == MAX else -evaluate(state)": "evaluate(state)"})


def side_of_the_root(game, state, depth, evaluate):
    """The evaluation is turned round where Min moves at the root."""
    sign = 1 if game.to_move(state) == MAX else -1
    return no_side(game, state, depth, lambda state: sign * evaluate(state))


WRONG = {
    "evaluation_functions.trace": [
        Wrong([9, 9, 9, 9, 9], 0),
        Wrong({0: 1, 4: 2}, 0),
        Wrong([], 0),
    ],
    "evaluation_functions.open_lines": [
        Wrong(mistyped(counted_in_a_loop, {"lead += 1": "lead -= 1", "lead -= 1": "lead += 1"}), 1,
              "estimate from the wrong side"),
        Wrong(mistyped(rows_columns_diagonals, {', "".join(grid[i][2 - i] for i in range(3))': ""}), 1),
        Wrong(mistyped(rows_columns_diagonals, {"*columns": "*grid"}), 3),
        Wrong(lambda grid: "".join(grid).count("X") - "".join(grid).count("O"), 1),
        Wrong(mistyped(rows_columns_diagonals, {" - sum": ", sum"}), 0),
        Wrong(lambda grid: rows_columns_diagonals(grid) / 8, 1),
    ],
    "evaluation_functions.ratio": [
        Wrong(mistyped(counted, {" if white + black else 0": ""}), 2, "divided by 0"),
        Wrong(mistyped(counted, {("VALUES.items()", 2): '(VALUES | {"b": 3.5}).items()'}), 4),
        Wrong(mistyped(counted, {RATIO: "(white - black) / max(white, black, 1)"}), 4),
        Wrong(lambda grid: counted(grid[:1]), 3),
        Wrong(lambda grid: counted([row.upper() for row in grid]), 3),
    ],
    "evaluation_functions.linear": [
        Wrong(mistyped(in_a_loop, {"weights[name] * ": ""}), 1, "the weights are forgotten"),
        Wrong(mistyped(in_a_loop, {"total +=": "return"}), 2),
        Wrong(mistyped(in_a_loop, {"return total": "return total / (sum(weights.values()) or 1)"}), 1),
        Wrong(mistyped(generator_expression, {"[name](state)": "[name]"}), 1),
        Wrong(mistyped(generator_expression, {"sum(": "list("}), 1),
    ],
    "evaluation_functions.mend": [
        Wrong(mistyped(mended, {"if game.is_terminal": "if depth and game.is_terminal"}), 1,
              "terminal states are evaluated"),
        Wrong(no_side, 1, "estimate from the wrong side"),
        Wrong(side_of_the_root, 2),
        Wrong(mistyped(mended, {"depth == 0": "False"}), 1),
    ],
    "evaluation_functions.connect_four": [
        Wrong(for_the_mover, 0),
        Wrong(only_discs, 0),
        Wrong(edges, 0),
        Wrong(lambda state: nan, 0),
    ],
    "evaluation_functions.player": [
        Wrong(leftmost_that_wins, 0),
        Wrong(lambda game, state: (0.5, game.actions(state)[0]), 0),
        Wrong(lambda game, state: 3, 0),
        Wrong(looks_ahead(for_the_mover, 1), 0),
    ],
    "evaluation_functions.horizon": [Wrong("a", 0), Wrong("c", 0), Wrong("d", 0)],
}  # fmt: skip

RIGHT = {
    "evaluation_functions.open_lines": [
        rows_columns_diagonals,
        closed_instead_of_open,
        counted_in_a_loop,
        own_lines_only,
    ],
    "evaluation_functions.ratio": [counted, in_one_walk, two_shares],
    "evaluation_functions.linear": [in_a_loop, generator_expression, recursive_sum],
    "evaluation_functions.mend": [mended, negamax, memoised],
    "evaluation_functions.connect_four": [fours, larger_numbers, threes_and_centre],
    "evaluation_functions.player": [looks_ahead(fours, 2), looks_ahead(fours_of_three, 2), two_plies_unpruned],
}
