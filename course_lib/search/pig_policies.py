"""Pig solved by value iteration, and how good a policy is.

A *policy* is an array of booleans, `rolls[total, mine, theirs]`: True to roll, False to hold. `total` are the points
gathered in this turn, `mine` is the score of the player who follows the policy, without these points, and `theirs` the
other player's score. Each runs from 0 to target − 1, so the shape is (target, target, target). If total + mine
reaches the target, holding is the only action, and the entry is not read.
"""

from typing import TYPE_CHECKING

from course_lib.games.validation import check_number, check_whole

if TYPE_CHECKING:
    from numpy import ndarray as Array

TOLERANCE = 1e-12
"""Value iteration ends when no probability at the start of a turn changes by more."""


def pig_values(target: int = 100, policy: "Array | None" = None, opponent: "Array | None" = None) -> "Array":
    """Value iteration: `wins[total, mine, theirs]`, the probability that the player to move wins Pig to `target`.

    The player to move follows `policy` and the other one `opponent`. A player whose policy is None plays as well as
    possible against the other's, so with both None it is best play. If both policies hold with nothing gathered, the
    game never ends, and the numbers mean nothing. Source: Neller and Presser, Optimal Play of the Dice Game Pig (2004).
    """
    import numpy as np  # late: it takes long

    check_whole(1, target=target)
    for rolls in policy, opponent:
        if rolls is not None and np.shape(rolls) != (target,) * 3:
            raise ValueError(f"Expected a policy for target {target}, such as hold_at(20, {target}), got {rolls!r}")
    ours = theirs = np.zeros((target,) * 3)
    change = 1
    while change > TOLERANCE:
        before = ours[0]
        ours = _turn(theirs[0], policy)
        theirs = _turn(ours[0], opponent)
        change = abs(ours[0] - before).max(initial=0)
    return ours


def _turn(next_turn, rolls):
    """The `wins` of a player in its turn, computed backwards; `next_turn` are the other's `wins` at its own start."""
    import numpy as np  # late: it takes long

    target = len(next_turn)
    wins = np.ones((target + 6, target, target))  # where the total is enough, the player holds and has won
    lost = 1 - next_turn.T  # what is left when the other player is to move: its score is `theirs`
    for total in reversed(range(target)):
        short = target - total  # scores below this one are not yet won by holding
        hold = lost[total:]
        roll = (lost[:short] + wins[total + 2 : total + 7, :short].sum(axis=0)) / 6
        choice = np.maximum(roll, hold) if rolls is None else np.where(rolls[total, :short], roll, hold)
        wins[total, :short] = choice
    return wins[:target]


def best_policy(wins: "Array") -> "Array":
    """The policy of best play, from `wins = pig_values(target)`: it rolls if that is better than holding."""
    import numpy as np  # late: it takes long

    if np.ndim(wins) != 3 or wins.dtype == bool:
        raise ValueError(f"Expected the wins that pig_values(target) returned, got {wins!r}")
    target = len(wins)
    lost, rolls = 1 - _turn(wins[0], None)[0].T, np.zeros(wins.shape, bool)
    for total in range(target):
        rolls[total, : target - total] = wins[total, : target - total] > lost[total:] + 1e-9
    return rolls


def hold_at(points: float, target: int = 100) -> "Array":
    """The policy that rolls until the turn is worth `points`, at least 1, or the target is reached."""
    import numpy as np  # late: it takes long

    check_number(1, points=points)
    check_whole(1, target=target)
    total, mine, _ = np.indices((target,) * 3)
    return (total < points) & (mine + total < target)
