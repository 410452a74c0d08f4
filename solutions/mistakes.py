"""Sentences for known mistakes of several questions: a mark that gives a name alone takes its sentence from here."""

from course_lib.check.judging import BEGUN_TOO_NEAR, POSITION

SENTENCES = {
    "utility from the wrong side": "a leaf is worth game.utility(state, MAX), whoever would be to move there.",
    "max and min exchanged": "at a node where MAX is to move the largest value counts, where MIN is, the smallest.",
    "everybody maximises": "where MIN is to move the smallest value counts.",
    "the last value overwrites the best": "keep the best of all values, not the last.",
    "only the first action is looked at": "is there a `return` or a `break` inside the loop? Then the others are never "
    "tried.",
    "only the first three actions are looked at": "go through all of `game.actions(state)`, however many there are.",
    "the best value starts at 0": "all values may be below 0, or above: begin with −∞ for Max and +∞ for Min.",
    BEGUN_TOO_NEAR.name: BEGUN_TOO_NEAR.sentence,
    "the best value starts at the wrong end": "begin with −∞ for Max, who looks for more, and with +∞ for Min.",
    "0 is taken for nothing": "a value of 0 is false to Python: ask whether it `is None`.",
    "the same comparison for both": "Max looks for more, v2 > v, and Min for less, v2 < v.",
    "the best value starts at −∞ for both": "nothing is below −∞: Min, who looks for less, begins with +∞.",
    POSITION: "return the action itself, as `game.actions(state)` gives it.",
    "the action comes from below": "return the action of this node, not one that was best further down.",
    "the depth never gets less": "pass depth − 1 to the children.",
    "terminal states are evaluated": "where the game is over the utility counts, also at depth 0: ask that first.",
    "chance node that maximises": "nobody chooses there: take the mean of the values, weighted by probability.",
    "probabilities not used": "the mean is weighted: each value counts times its probability.",
    "only the likeliest outcome counts": "what is less likely counts too, times its probability.",
    "a position in the list for the outcome": "take the outcome from its pair: `game.chances(state)` gives (outcome, "
    "probability), and dice show other numbers.",
    "turns counted instead of asked": "ask game.to_move(state) at every node: anybody may begin, and a player may move "
    "twice in a row.",
}
