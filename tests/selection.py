"""What selection compares and chooses in a recorded Monte Carlo tree search, written apart from the scripts."""

from math import isnan, nan, sqrt

from course_lib.games import CHANCE
from course_lib.games.walking import moves_of
from course_lib.search.mcts import ucb1
from course_lib.watch.mcts import PHASES, NodeStatistics


def numbers_at(trace, step=None):
    """Number → `NodeStatistics` of each node in the tree after `step` steps, or after all."""
    step = trace.steps if step is None else step
    found = {number: NodeStatistics() for number, node in enumerate(trace.nodes) if node.created <= step} | trace.start
    for iteration in trace.iterations[: step // len(PHASES)]:
        found |= iteration.changed
    return found


def score(trace, number, numbers):
    """UCB1 or PUCT by the numbers of a step; nan for the root and after chance.

    With UCB1 it is ∞ without visits, and the proven reward instead if there is one; PUCT has that in its Q.
    """
    node, mine = trace.nodes[number], numbers[number]
    if node.parent < 0 or trace.game.to_move(trace.nodes[node.parent].state) == CHANCE:
        return nan
    above = numbers[node.parent].visits
    if trace.formula == "puct":
        exploration = 0 if mine.proven == -1 else trace.c * node.prior * sqrt(above) / (1 + mine.visits)
        return (0 if isnan(mine.mean) else mine.mean) + exploration
    return ucb1(mine.utility, mine.visits, max(1, above), trace.c) if isnan(mine.proven) else mine.proven


def chosen(trace, number, numbers):
    """The child that selection goes to, the first made of equal ones; None where selection does not choose."""
    state = trace.nodes[number].state
    children = sorted(child for child in trace.children[number] if child in numbers)
    if not children or len(children) < len(moves_of(trace.game, state)) or not isnan(numbers[number].proven):
        return None
    if trace.game.to_move(state) == CHANCE:
        return None
    return max(children, key=lambda child: score(trace, child, numbers))
