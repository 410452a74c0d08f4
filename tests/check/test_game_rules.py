"""What recorded answers do not show of the checks of notebooks 1 and 5: pictures, and the choice that costs most."""

import re

import numpy as np
import pytest

from course_lib.check.asking import Direct
from course_lib.check.game_rules import utilities_drawn
from course_lib.check.judging import Failure, Wrong
from course_lib.check.pig import too_few_wins
from course_lib.check.report import watched_search
from course_lib.check.tables import Row, Table
from course_lib.games import TreeGame
from course_lib.search import hold_at, pig_values

GAME = TreeGame([(1, -1), (1, 0)])


def test_a_game_that_is_not_zero_sum_is_drawn_with_the_utilities_of_all_players():
    ((_, figure),) = utilities_drawn(Row((GAME,), [False], [], {}), True)
    texts = [text.get_text() for axes in figure.axes for text in axes.texts]
    assert "[1, -1]" in texts and "[1, 0]" in texts


def test_a_function_of_the_game_alone_is_watched_from_the_root():
    def own(game):
        def count(state):
            return 1 if game.is_terminal(state) else sum(count(game.result(state, a)) for a in game.actions(state))

        return count(game.initial_state())

    table = Table("a.b", "", 1, "own", "write", "asking.call", "judging.one_of", {}, 0)
    watched = watched_search(Failure(table, Row((GAME,), [3], [], {}), 2, Wrong()), own)
    assert {tuple(node.path) for _, node, _ in watched.events} >= {(0,), (1,)}


@pytest.mark.parametrize("hold_from", [20, 30, 12])
def test_the_costliest_choice_of_a_policy_for_pig_is_better_made_otherwise(hold_from):
    words = too_few_wins(Direct(lambda mine, theirs: hold_from), "my_hold", (50, 20, 0.7), {})
    done, mine, theirs, total = re.search(r"you (\w+) with (\d+) points to (\d+) and (\d+) in", words).groups()
    policy, state = hold_at(hold_from, 50), (int(total), int(mine), int(theirs))
    assert policy[state] == (done == "roll")
    changed = np.array(policy)
    changed[state] = not policy[state]

    def share(policy):
        other = hold_at(20, 50)
        first, second = (pig_values(50, *pair) for pair in ((policy, other), (other, policy)))
        return (first[0, 0, 0] + 1 - second[0, 0, 0]) / 2

    assert share(changed) > share(policy)
    assert f"{share(policy):.1%}" in words
