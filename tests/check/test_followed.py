"""A Monte-Carlo tree search that is followed playout by playout, and cases that tell wrong rules from the right one."""

import random

import pytest

from check.wrong_answers import mcts_ucb1 as answers
from course_lib.check.question import Direct
from course_lib.check.questions import expectimax, mcts_ucb1
from course_lib.check.questions.mcts_ucb1 import MCTS, ONE_PLY, OTHERWISE, PROBE, TRACE, WRONG_RULES

RIGHT = answers.RIGHT["mcts_ucb1.mcts"]


def playouts(search, seed):
    game, state, iterations, _ = PROBE
    tree = mcts_ucb1.Playouts(game)
    search(tree, state, iterations, random.Random(seed))
    return mcts_ucb1.ends_of(tree.leaves, iterations)


@pytest.mark.parametrize("search", RIGHT)
def test_a_right_search_goes_its_own_way_and_no_other(search):
    for seed in range(5):
        ends = playouts(search, seed)
        assert mcts_ucb1.goes(PROBE[0], ends)
        assert not mcts_ucb1.repeats(ends)
        assert [name for name, _, rule in OTHERWISE if rule != ONE_PLY and mcts_ucb1.goes(PROBE[0], ends, **rule)] == []


def test_the_first_wrong_turning_is_found():
    search = next(wrong.answer for wrong in answers.WRONG["mcts_ucb1.mcts"] if wrong.bug == "exploration left out")
    case = (PROBE[0], (), 60, 3)
    given = MCTS.ask(Direct(search), "my_mcts", case)
    counts, (number, state, step) = mcts_ucb1.followed(PROBE[0], mcts_ucb1.ends_of(given[0][1], 60))
    assert counts[()][1] == number
    assert (
        f"In iteration {number + 1} your search goes from {state} to {step}" in MCTS.compare(case, None, given).sentence
    )


def test_a_table_of_ones_own_tells_wrong_rules_apart():
    for number in range(40):
        (counts,) = TRACE.own_case(f"s{number}")
        path = mcts_ucb1.selected(mcts_ucb1.board(), counts, mcts_ucb1.C)
        for rule in WRONG_RULES:
            first = max([(a,) for a in range(3)], key=rule(counts))
            second = max([(*path[1], b) for b in range(2)], key=rule(counts))
            assert [first, second] != path[1:]


def test_the_choice_that_costs_most_in_pig():
    """Who holds at 25 has 40 points with 15 more: 10 are missing, and hold-at-20 has none yet."""
    table = expectimax.PIG.ask(Direct(lambda mine, theirs: 25), "my_hold", (expectimax.TARGET,))
    total, mine, theirs, roll, hold = expectimax.costliest(tuple(map(tuple, table)))
    assert total < table[mine][theirs] and hold > roll
    assert f"with {mine} points to {theirs} and {total} in the turn" in expectimax.too_few_wins((50,), None, table)
    assert expectimax.share_of(expectimax.ask_policy(Direct(lambda mine, theirs: 20), "", (50,))) == pytest.approx(0.5)
