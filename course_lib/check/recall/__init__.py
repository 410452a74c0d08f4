"""The kinds of questions that `review` asks: another kind is another row."""

from course_lib.check.recall import counts, judge, trees

KINDS = {
    "the leaves of a game": (1, trees.endings),
    "a winning action": (1, trees.take),
    "the size of a tree": (1, judge.SIZE),
    "a minimax value": (2, trees.value("minimax")),
    "a minimax action": (2, trees.action("minimax")),
    "a leaf that matters": (3, judge.leaf_matters),
    "the leaves of alpha-beta": (3, trees.looked_at),
    "the scale of an evaluation": (4, judge.same_action("minimax")),
    "the error of a match": (4, judge.error_of_match),
    "an expected value": (5, trees.value("expectiminimax")),
    "an action under chance": (5, trees.action("expectiminimax")),
    "the scale of utilities": (5, judge.same_action("expectiminimax")),
    "a choice by UCB1": (6, counts.ucb1),
    "back-propagation": (6, counts.backed_up),
    "the formula of UCB1": (6, judge.UCB1),
    "a choice by PUCT": (7, counts.puct),
}
"""By name: the notebook that teaches it, and the function that draws an `Asked` with this `luck`."""
