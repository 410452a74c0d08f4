"""Notebook 5: a policy for Pig that must win a share of the games against hold-at-20, computed exactly."""

from collections import Counter
from itertools import product

import numpy as np

from course_lib.check.comparing import is_number, shown
from course_lib.games import MAX, Pig, play
from course_lib.games.pig import PigState
from course_lib.search import hold_at, pig_values, policy_agent


def too_few_wins(student, name: str, case: tuple, options: dict) -> str:
    """What keeps the student's policy from its share of the games, in a sentence; empty if it wins them.

    The case is (target, points at which the other player holds, share). Each player begins in half of the games.
    """
    target, points, share = case
    hold_from = np.zeros((target, target))
    for scores in product(range(target), repeat=2):
        answer = student.call(name, *scores)
        if not is_number(answer):
            return f"Expected a number of points, got {shown(answer)} from {name}{scores}."
        hold_from[scores] = min(answer, target)
    if hold_from[0, 0] <= 0:
        return f"A turn held before the first roll brings no points: {name}(0, 0) returns {hold_from[0, 0]:g}."
    total, mine, _ = np.indices((target,) * 3)
    policies = (total < hold_from) & (mine + total < target), hold_at(points, target)
    wins, others = (pig_values(target, *pair) for pair in (policies, policies[::-1]))
    won = float(wins[0, 0, 0] + 1 - others[0, 0, 0]) / 2
    words = f"Your policy wins {won:.1%} of the games; the mark is {share:.0%}. Computed exactly, it loses most where"
    return "" if won >= share else f"{words} {_costliest(policies, wins, others)}"


def _costliest(policies, wins, others) -> str:
    """The choice of the first policy that costs most in 300 games: the scores, and the chances to win."""
    game, cost = Pig(len(wins)), Counter()
    for n in range(300):
        for state in play(game, map(policy_agent, policies), PigState(n % 2), seed=n).states:
            if game.to_move(state) == MAX and "roll" in game.actions(state):
                roll, hold = _chances(state, wins, others)
                cost[state] += hold - roll if policies[0][(state.total, *state.scores)] else roll - hold
    state = max(cost, key=cost.get)
    (mine, theirs), total, (roll, hold) = state.scores, state.total, _chances(state, wins, others)
    done = "roll" if policies[0][total, mine, theirs] else "hold"
    words = f"you {done} with {mine} points to {theirs} and {total} in the turn: to hold wins {hold:.1%} there, to roll"
    return f"{words} once more and to go on by your policy {roll:.1%}. Change that choice there, and not at all scores."


def _chances(state, wins, others) -> tuple[float, float]:
    """How often Max wins after one more roll, and after holding."""
    (mine, theirs), total = state.scores, state.total
    after = [wins[total + face, mine, theirs] if mine + total + face < len(wins) else 1 for face in range(2, 7)]
    return (1 - others[0, theirs, mine] + sum(after)) / 6, 1 - others[0, theirs, mine + total]
