"""Notebook 5: a policy for Pig that must win a share of the games against hold-at-20, computed exactly."""

from itertools import product

import numpy as np

from course_lib.check.comparing import NO_RETURN, is_number, shown
from course_lib.check.examine import Student
from course_lib.language import N_
from course_lib.search import hold_at, pig_values


def too_few_wins(student: Student, name: str, case: tuple) -> str:
    """What keeps the student's policy from its share of the games, in a sentence; empty if it wins them.

    The case is (target, points at which the other player holds, share). Each player begins in half of the games.
    """
    target, points, share = case
    hold_from = np.zeros((target, target))
    for scores in product(range(target), repeat=2):
        answer = student.call(name, *scores)
        if answer is None:
            return NO_RETURN
        if not is_number(answer):
            words = N_("Expected a number of points, got {given} from {call}.")
            return words.format(given=shown(answer), call=f"{name}{scores}")
        hold_from[scores] = min(answer, target)
    if hold_from[0, 0] <= 0:
        words = N_("Holding before the first roll gains no points: {call} returns {points}.")
        return words.format(call=f"{name}(0, 0)", points=f"{hold_from[0, 0]:g}")
    total, mine, _ = np.indices((target,) * 3)
    policies = (total < hold_from) & (mine + total < target), hold_at(points, target)
    if (policies[0] == policies[1]).all() and share > 0.5:
        words = N_(
            "In all positions that occur, yours does what the other player does, so it wins half of the games; {share} "
            "are needed."
        )
        return words.format(share=f"{share:.0%}")
    wins, others = (pig_values(target, *pair) for pair in (policies, policies[::-1]))
    won = float(wins[0, 0, 0] + 1 - others[0, 0, 0]) / 2
    words = N_("Your policy wins {won} of the games, computed exactly; {share} are needed.")
    advice = N_("Does it risk more when the other player needs one turn to win, and less when you are ahead?")
    yours = N_("Yours always holds at {points}, whatever the scores are.").format(points=f"{hold_from[0, 0]:g}")
    if hold_from.min() < hold_from.max():
        both = N_("Yours holds at {behind} with 0 points against {most}, and at {ahead} with {most} against 0.")
        behind, ahead = hold_from[0, -1], hold_from[-1, 0]
        yours = both.format(behind=f"{behind:g}", ahead=f"{ahead:g}", most=target - 1)
    return "" if won >= share else f"{words.format(won=f'{won:.1%}', share=f'{share:.0%}')} {yours} {advice}"
