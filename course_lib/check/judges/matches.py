"""Connect Four: an order of moves that saves work, and matches to be won with an evaluation or with a player."""

from functools import cache
from itertools import product
from typing import Any

from course_lib.check.comparing import NO_RETURN, is_number, shown
from course_lib.check.failures import StudentError
from course_lib.check.students import Student
from course_lib.check.tables import Row
from course_lib.games import MAX, MIN, Agent, ConnectFour, Evaluate, play
from course_lib.games.game import State
from course_lib.search import alpha_beta_agent, depth_limited_alpha_beta_search
from course_lib.search.evaluation import centre

GAME = ConnectFour()
PLIES = 2  # how far both sides of a match look ahead


def fitting(given: Any, fits: bool, expected: str, state: State) -> Any:
    """A student's answer for a position, if the game can go on with it."""
    if not fits:
        words = NO_RETURN if given is None else f"Expected {expected}, got {shown(given)}."
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
        return fitting(given, fits, f"each legal action once, which are {legal}", state)

    for state in positions:
        depth_limited_alpha_beta_search(GAME, state, plies, order=order)
    return len(asked) / from_left


def few_states(row: Row, given: float, *, mark: float) -> str | None:
    """At most the share `mark` of the states."""
    words = f"With your order alpha-beta looks at {given:.0%} of the states; at most {mark:.0%} are allowed."
    return None if given <= mark else words


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
        return fitting(value, is_number(value) and abs(value) < 1e300, "a finite number", state)

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
        return fitting(column, type(column) is int and column in legal, f"one of the columns {legal}", state)

    rival = alpha_beta_agent(2, order=lambda state: sorted(GAME.actions(state), key=lambda column: abs(column - 3)))
    return match(agent, rival, case[0], [int(agent(GAME, state) in columns) for state, columns in case[1]])


def enough_points(row: Row, given: dict, *, mark: float, probes: list[str]) -> str | None:
    """The share `mark` of the points, and half of the points from each side; `probes` has words for each that fails."""
    (x, o), games = given["points"], len(row.case[0])
    if x + o >= 2 * games * mark and 2 * min(x, o) >= games:
        return None
    won = f"{x:g} points as X and {o:g} as O"
    words = f"You get {won}, of {games} each; {mark:.0%} of all points are needed, and at least half from each side."
    return " ".join([words, *(words for words, passed in zip(probes, given["probes"]) if not passed)])
