"""Pig solved by value iteration, and how good a policy is.

A policy is an array of booleans, whether to roll: `rolls[total, mine, theirs]`, with the points gathered in this turn,
the score of the player who follows it, without these points, and the other player's. Each runs from 0 to target − 1,
so the shape is (target, target, target). Where total + mine reaches the target, holding is the only action, and the
entry is not read.
"""

from numbers import Real

import numpy as np

from course_lib.games import Pig


def pig_values(target=100, policy=None, opponent=None, tolerance=1e-12):
    """Value iteration: `wins[total, mine, theirs]`, the probability that the player to move wins Pig to `target`.

    The player to move follows `policy`, the other one `opponent`; None plays as well as can be against the other, so
    with both None it is best play. Sweeps end when no state at the start of a turn changes by more than `tolerance`.
    A policy is `rolls[total, mine, theirs]`, booleans of shape (target, target, target): True to roll with `total`
    points gathered in this turn, one's own score and the other's; `opponent` is read from the opponent's own side.
    `wins` has the same shape. `ValueError` for a policy of another one, or if `target` is no whole number from 1 up.
    Two policies that both hold with nothing gathered never end the game, and the numbers then mean nothing.
    Source: Neller and Presser, Optimal Play of the Dice Game Pig (2004).
    """
    Pig(target)  # refuses what is no target
    if not isinstance(tolerance, Real) or not 0 < tolerance < 1:
        raise ValueError(f"tolerance is how exact the probabilities are, above 0 and below 1, not {tolerance!r}")
    for rolls in (policy, opponent):
        if rolls is not None and np.shape(rolls) != (target,) * 3:
            raise ValueError(f"a policy for {target} points is an array of shape {(target,) * 3}, or None, "
                             f"not one of shape {np.shape(rolls)}")  # fmt: skip
    ours = theirs = np.zeros((target,) * 3)
    change = 1
    while change > tolerance:
        before = ours[0]
        ours = _turn(theirs[0], policy)
        theirs = _turn(ours[0], opponent)
        change = abs(ours[0] - before).max(initial=0)
    return ours


def _turn(next_turn, rolls):
    """The `wins` of a player, worked out from the ends of a turn backwards; the other then wins with `next_turn`."""
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


def best_policy(wins, opponent=None):
    """The policy of best play, from the `wins` of `pig_values(target)`: it rolls where that is better than to hold.

    Given the `opponent` of `pig_values(target, None, opponent)` too, it is the best reply to this policy.
    Returns booleans of the same shape, `rolls[total, mine, theirs]`: True to roll with `total` points gathered in this
    turn, one's own score and the other's. Where both are equally good, and once the target is reached, it holds.
    `ValueError` for `wins` that are not those of best play against this opponent.
    """
    target = len(wins)
    theirs = _turn(wins[0], opponent)
    if not np.allclose(_turn(theirs[0], None), wins, rtol=0, atol=1e-3):
        raise ValueError("these wins are not of best play against this opponent; give pig_values(target) alone, "
                         "or pig_values(target, None, opponent) and the same opponent")  # fmt: skip
    lost, rolls = 1 - theirs[0].T, np.zeros(wins.shape, bool)
    for total in range(target):
        rolls[total, : target - total] = wins[total, : target - total] > lost[total:] + 1e-9
    return rolls


def hold_at(points, target=100):
    """The policy that rolls until the turn is worth `points`, 1 or more, or the target is reached.

    Returns `rolls[total, mine, theirs]`, booleans of shape (target, target, target): True to roll with `total` points
    gathered in this turn, one's own score and the other's. `ValueError` if `points` is below 1, or `target` is no whole
    number from 1 up.
    """
    Pig(target)  # refuses what is no target
    if not points >= 1:
        raise ValueError(f"points is how much to gather before holding, 1 or more, not {points!r}")
    total, mine, _ = np.indices((target,) * 3)
    return (total < points) & (mine + total < target)


def policy_agent(rolls):
    """An agent(game, state) → "roll" or "hold" for `Pig` that follows this policy, as either player.

    A policy is `rolls[total, mine, theirs]`, booleans: True to roll with `total` points gathered in this turn, the
    score of the player to move and the other's. Where holding is the only action, the agent holds. It raises
    `ValueError` in a game to another target than the policy's.
    """

    def agent(game, state):
        if len(rolls) != game.target:
            raise ValueError(f"this is a policy for {len(rolls)} points, and the game goes to {game.target}")
        if "roll" not in game.actions(state):
            return "hold"
        mine, theirs = state.scores[state.player], state.scores[1 - state.player]
        return "roll" if rolls[state.total, mine, theirs] else "hold"

    return agent
