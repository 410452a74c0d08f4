"""Sentences for known mistakes of several questions, for marks that give only a name."""

from course_lib.check.judges.listed import BEGUN_TOO_NEAR

SENTENCES = {
    "utility from the wrong point of view": "a leaf's value is game.utility(state, MAX), whoever is to move there.",
    "max and min exchanged": "take the largest value if MAX is to move at the node, and the smallest if MIN is.",
    "everybody maximises": "if MIN is to move, take the smallest value.",
    "the last value overwrites the best": "keep the best of all values, not the last.",
    "only the first action tried": "is there a `return` or a `break` inside the loop? Then the others are never tried.",
    "only the first three actions tried": "go through all of `game.actions(state)`, however many there are.",
    "the best value starts at 0": "all values may be below 0, or above: start with −∞ for Max and +∞ for Min.",
    BEGUN_TOO_NEAR.name: BEGUN_TOO_NEAR.sentence,
    "the best value starts at the wrong end": "start with −∞ for Max, who wants a larger value, and with +∞ for Min.",
    "0 taken for None": "a value of 0 is false in Python: test whether it `is None`.",
    "the same comparison for both": "Max takes the larger of two values, and Min the smaller: compare by who moves.",
    "the best value starts at −∞ for both": "no value is below −∞: Min, who wants a smaller value, starts with +∞.",
    "a position in the list for the action": "return the action itself, as in `game.actions(state)`.",
    "the action of a deeper node": "return the action of this node, not the best action of a node below it.",
    "the depth never decreases": "pass depth − 1 to the children.",
    "terminal states are evaluated": "a terminal state has its utility, even at depth 0: test for it first.",
    "chance node that maximises": "no player chooses there: take the mean of the values, weighted by probability.",
    "probabilities not used": "the mean is weighted: multiply each value by its probability.",
    "only the most likely outcome counted": "the less likely outcomes count too, each multiplied by its probability.",
    "a position in the list for the outcome": "take the outcome from its pair: `game.chances(state)` returns (outcome, "
    "probability), and an index is not an outcome.",
    "the old position searched": "it is as if each action led back to the position before it, so search "
    "game.result(state, action), not state.",
    "the action not compared": "it is as if your action were always the first in the list, or always the last: "
    "return the one whose value is the best.",
    "a bound stored as a value": "a node that was cut has no exact value, only a bound, which depends on α and β: "
    "store with it whether it is a lower bound, an upper bound or exact, and use a lower bound only if it is β or "
    "more, an upper bound only if it is α or less.",
    "a cached value of another depth": "a value found with another number of plies left is not the value here: "
    "store the depth beside the state, and reuse a value only for the same depth.",
    "the full window for each action of the root": "the value is correct, but the search visits leaves that it does "
    "not need. What one action of the root guarantees is a bound for the next, so pass α and β on at the root, too.",
    "an outcome left out": "every outcome counts: multiply each value by its probability, and add up all of them.",
    "the mean divided once more": "the probabilities sum to 1: the sum of value times probability is the mean already.",
    "chance node that minimises": "no player chooses there: take the mean of the values, weighted by probability.",
    "the same outcome in each branch": "each probability belongs to an outcome of its own: search "
    "game.result(state, outcome) for each.",
    "the root without the minus": "the values below the root's actions are the other player's, so compare −value "
    "at the root, too.",
    "quick wins worth more": "a depth bonus changes the value, which must be the utility of the leaf itself. Here a "
    "win counts the same, however many plies it takes.",
    "turns assumed to alternate": "call game.to_move(state) at every node: either player may begin, and "
    "a player may move twice in a row.",
}
