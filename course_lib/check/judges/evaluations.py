"""Notebook 4: fitted weights, searches by a fake clock, and matches of Connect Four with an evaluation or a player."""

from functools import cache
from itertools import product
from math import exp, isfinite, log1p
from typing import Any

from course_lib.check.comparing import NO_RETURN, expected_but_got, is_number, misfit
from course_lib.check.examine import Student
from course_lib.check.failures import StudentError
from course_lib.check.tables import Row
from course_lib.games import MAX, MIN, Agent, ConnectFour, Evaluate, play
from course_lib.games.game import State
from course_lib.games.texts import listed_numbers
from course_lib.language import N_, gettext
from course_lib.search import alpha_beta_agent, depth_limited_alpha_beta_search
from course_lib.search.evaluation import centre

NEAR = 0.001
"""How far a loss may be above the smallest."""
GAME = ConnectFour()
PLIES = 2  # how far both sides of a match look ahead


def nearly_least(row: Row, given: Any) -> str | None:
    """Any two weights whose loss is nearly that of the right ones."""
    wrong = misfit(row.right[0], given)
    if wrong or not all(is_number(weight) and isfinite(weight) for weight in given):
        return wrong or expected_but_got(gettext("two finite numbers"), given)
    mine, least, of_zeros = (loss(weights, *row.case) for weights in (given, row.right[0], (0, 0)))
    (positions,) = row.case
    slopes = [sum((0.5 - points) * f[i] for f, points in positions) / len(positions) for i in (0, 1)]
    words = N_(
        "The loss, the mean of −z log p − (1 − z) log(1 − p), is {mine:.4f} with your weights; the least is "
        "{least:.4f}; zero weights give {of_zeros:.4f}. In gradient descent each step subtracts from weight i a "
        "multiple of the mean of (p − z) · feature i, and nothing else. For zero weights each p is 0.5, the z are "
        "{points}, and the means are {slopes}. Does your first step find these means? If so, are there enough steps, "
        "none too large, and do you return the weights as the last one leaves them?"
    )
    fits = mine <= least + NEAR  # it may be no number
    parts = {"mine": mine, "least": least, "of_zeros": of_zeros, "slopes": listed_numbers(slopes)}
    parts["points"] = listed_numbers(points for _, points in positions[:4]) + " …" * (len(positions) > 4)
    return None if fits else gettext(words, **parts)


def loss(weights: tuple, positions: list) -> float:
    """The mean of −z log p − (1 − z) log(1 − p) for points z and p = 1/(1 + e^−sum), without an overflow."""
    sums = [(weights[0] * features[0] + weights[1] * features[1], points) for features, points in positions]
    return sum(max(x, 0) + log1p(exp(-abs(x))) - points * x for x, points in sums) / len(positions)


def searches_begun(student: Student, name: str, case: tuple) -> list | None:
    """[the action, (depth, deadline) of each search], by a fake clock; None without an action."""
    return student.ask("with_clock", name, *case)


# Matches of Connect Four, and an order of moves that saves work.


def fitting(given: Any, fits: bool, expected: str, state: State) -> Any:
    """A student's answer for a position, if the game can go on with it."""
    if not fits:
        words = gettext(NO_RETURN) if given is None else expected_but_got(expected, given)
        rows = " ".join(GAME.grid(state))
        raise StudentError("unfit", words, rows)
    return given


def share_of_states(student: Student, name: str, case: tuple, *, plies: int) -> float:
    """How many states alpha-beta looks at in these positions, as a share of those from left to right."""
    (positions, from_left), asked = case, []

    def order(state):
        asked.append(state)
        given, legal = student.call(name, state), GAME.actions(state)
        fits = isinstance(given, tuple | list) and sorted(map(repr, given)) == sorted(map(repr, legal))
        return fitting(given, fits, gettext("each legal action once, {actions}", actions=legal), state)

    for state in positions:
        depth_limited_alpha_beta_search(GAME, state, plies, order=order)
    return len(asked) / from_left


def few_states(row: Row, given: float, *, mark: float) -> str | None:
    """At most the share `mark` of the states."""
    words = N_(
        "Alpha-beta looks at {share:.0%} of the states that it sees from left to right, not at most {mark:.0%}. "
        "Are moves that win at once first, and then columns near the middle?"
    )
    return None if given <= mark else gettext(words, share=given, mark=mark)


def match(agent: Agent, rival: Agent, openings: tuple, probes: list) -> dict:
    """The points as X and as O, and the results of the probes."""
    points: list[float] = [0, 0]
    for state, own in product(openings, (MAX, MIN)):
        record = play(GAME, [agent, rival] if own == MAX else [rival, agent], state)
        points[own] += (1 + record.utilities[own]) / 2
    return {"points": points, "probes": probes}


def with_evaluation(student: Student, name: str, case: tuple) -> dict:
    """Both sides look ahead with alpha-beta; the rival counts the centre. A probe compares two positions."""

    @cache
    def evaluate(state):
        value = student.call(name, state)
        return fitting(value, is_number(value) and abs(value) < 1e300, gettext("a finite number"), state)

    probes = [(evaluate(a) > evaluate(b)) - (evaluate(a) < evaluate(b)) for a, b in case[1]]
    rival = alpha_beta_agent(PLIES, lambda state: centre(state) / 100)
    return match(alpha_beta_agent(PLIES, bounded(evaluate)), rival, case[0], probes)


def bounded(evaluate: Evaluate) -> Evaluate:
    """The evaluation between a loss and a win, in the same order."""
    return lambda state: 0.999 * (value := evaluate(state)) / (1 + abs(value))


def with_player(student: Student, name: str, case: tuple) -> dict:
    """The rival takes a win and stops one, or else plays near the centre. A probe has good columns."""

    def agent(game, state):
        column, legal = student.call(name, game, state), game.actions(state)
        expected = gettext("one of the columns {columns}", columns=legal)
        return fitting(column, type(column) is int and column in legal, expected, state)

    rival = alpha_beta_agent(2, order=lambda state: sorted(GAME.actions(state), key=lambda column: abs(column - 3)))
    return match(agent, rival, case[0], [int(agent(GAME, state) in columns) for state, columns in case[1]])


def enough_points(row: Row, given: dict, *, mark: float, probes: list[str]) -> str | None:
    """The share `mark` of the points, and half of the points from each side; `probes` has words for each that fails."""
    (x, o), games = given["points"], len(row.case[0])
    if x + o >= 2 * games * mark and 2 * min(x, o) >= games:
        return None
    words = N_(
        "You win {x:g} of {games} points as X and {o:g} as O. "
        "You need {needed:g} of {total}, and at least {half:g} from each side."
    )
    total = 2 * games
    words = gettext(words, x=x, o=o, games=games, needed=total * mark, total=total, half=games / 2)
    failed = [probe for probe, passed in zip(probes, given["probes"]) if passed < 1]
    ask = N_("What does your side see that the other does not: further plies, or more in a position?")
    return " ".join([words, *map(gettext, failed or [ask])])
