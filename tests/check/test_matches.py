"""What is shown of lost matches of Connect Four, and of searches by a fake clock."""

import pytest

from course_lib.check.examine import judge
from course_lib.check.judges.iterative_deepening import searches_begun
from course_lib.check.judges.matches import bounded, turning_point
from course_lib.check.report import Report
from course_lib.check.students import Direct
from course_lib.check.tables import find_table
from course_lib.games import MAX, MIN, ConnectFour

GAME = ConnectFour()


def states_of(columns):
    return [GAME.after(*columns[:count]) for count in range(len(columns) + 1)]


@pytest.mark.parametrize(
    ("columns", "own", "at"), [((3, 0, 3, 0, 3, 1, 3), MIN, 5), ((6, 3, 0, 3, 0, 3, 1, 3), MAX, 6)]
)
def test_a_lost_game_turns_where_a_win_was_not_stopped(columns, own, at):
    states = states_of(columns)
    assert GAME.utility(states[-1], own) == -1
    assert turning_point(states, own) == (states[at], 3)


def edges(state):
    rows = GAME.grid(state)
    return sum(abs(at - 3) * {"X": 1, "O": -1, ".": 0}[disc] for row in rows for at, disc in enumerate(row))


@pytest.mark.parametrize(
    ("name", "answer"), [("player", lambda game, state: game.actions(state)[0]), ("connect_four", edges)]
)
def test_a_lost_match_shows_the_choice_that_lost_it(name, answer):
    pytest.importorskip("matplotlib")
    table = find_table(f"evaluation_functions.{name}")
    failure = judge(table, Direct(answer), table.row(0))
    report, (state, column) = Report(failure, answer), failure.given["lost"]
    assert report.trace.root.state == state and report.trace.error is None
    assert column in GAME.actions(state)
    assert f"column {column} was better" in report.words and report.pictures[0][0] == "your search"


def test_an_evaluation_keeps_its_order_between_a_loss_and_a_win():
    values = [bounded(float)(value) for value in (-1e9, -2, 0, 0.5, 40, 1e6)]
    assert values == sorted({*values}) and -1 < values[0] < values[-1] < 1


def test_the_fake_clock_cuts_a_search_short_at_its_deadline():
    def all_searches(search, clock, seconds, deepest):
        return [(*search(depth, clock() + 2), clock()) for depth in (1, 2, 3)]

    case = [[2, 0, 1], [1, 3, 4], [3, 5, 6]], 10, 2
    assert searches_begun(Direct(all_searches), "", case) == [
        [(0, True, 12), (3, True, 13), (6, False, 15)],
        [(1, 12), (2, 14), (3, 15)],
    ]
