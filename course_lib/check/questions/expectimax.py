"""The questions of notebook 5, expectimax."""

import random
from collections import Counter
from functools import lru_cache, partial
from itertools import permutations, product
from math import inf

import numpy as np

from course_lib.check import searches
from course_lib.check.cases import (
    FOUR_WORTHS,
    LEAVES,
    WORTHS,
    Lookup,
    inner_nodes,
    leaves_of,
    named_or_not,
    random_shape,
    random_tree,
    shapes,
    small_trees,
    tree_game,
    with_names,
)
from course_lib.check.compare import BEGUN_TOO_NEAR, FAR, equal, is_number, shown
from course_lib.check.question import Bug, Question, choice, heading
from course_lib.games import CHANCE, MAX, MIN, Chance, DiceDuel, TreeGame
from course_lib.search import hold_at, pig_values
from course_lib.watch.paths import depth_first, inner_paths, leaf_paths
from course_lib.watch.texts import number_text

# Trees with chance nodes. Probabilities are eighths, so that means are exact and ties are ties.

ODDS = {1: [(1,)], 2: [(1 / 4, 3 / 4), (5 / 8, 3 / 8), (1 / 2, 1 / 2)],
        3: [(1 / 8, 1 / 4, 5 / 8), (1 / 2, 1 / 4, 1 / 4), (3 / 4, 0, 1 / 4)],
        4: [(1 / 8, 1 / 2, 0, 3 / 8)], 5: [(1 / 8, 0, 1 / 4, 1 / 8, 1 / 2)]}  # fmt: skip
"""Probabilities for so many outcomes; the first of them are those of the small cases."""


def chance_game(shape, worths, movers):
    """The `TreeGame` of a small case."""
    return tree_game(shape, worths, movers, odds=lambda outcomes: ODDS[outcomes][0])


@lru_cache
def small_chance_games():
    """Every tree of up to three leaves, with anybody or chance to move anywhere."""
    forms = [shape for leaves in (1, 2, 3) for shape in sorted(shapes(leaves, 2, leaves < 3), key=inner_nodes)]
    games = [
        chance_game(shape, worths, movers)
        for shape in forms
        for worths in (permutations(WORTHS) if leaves_of(shape) == 3 else product(WORTHS, repeat=leaves_of(shape)))
        for movers in product((CHANCE, MAX, MIN), repeat=inner_nodes(shape))
    ]
    bounded = [chance_game([None, [[None] * 2, None]], worths, (first, CHANCE, 1 - first))
               for worths in permutations(FOUR_WORTHS) for first in (MAX, MIN)]  # fmt: skip
    named = [with_names(game) for game in games if len(leaf_paths(game)) == 2]
    far = [chance_game([None], [far], (first,)) for far, first in ((-FAR, MAX), (FAR, MIN))]
    return *sorted(games, key=is_sure), *named, *bounded, *far


def is_sure(game):
    """Whether somewhere only one thing can happen: there a mean and many a mistake are the same."""
    return any(len(game.chances(path)) == 1 for path in inner_paths(game) if game.to_move(path) == CHANCE)


DUEL = DiceDuel({"red": (2, 5, 5), "blue": (3, 4)})
"""A real game: its outcomes are the faces of dice, and its actions their names."""
DUELS = (DUEL, ()), (DUEL, ("red",))


def random_chance_game(luck):
    shape = random_shape(luck)
    movers = luck.choices((CHANCE, MAX, MIN), k=inner_nodes(shape))
    worths = luck.choices(LEAVES, k=leaves_of(shape))
    return named_or_not(luck, tree_game(shape, worths, movers, odds=lambda outcomes: luck.choice(ODDS[outcomes])))


# The mistakes that are made at chance nodes, and where a model says how the opponent moves.

MEAN = "sum(p * value for value, p in values)"
AT_CHANCE = (
    ("chance node that maximises", "nobody chooses there: take the mean of the values, weighted by probability.",
        {MEAN: "max(value for value, p in values)"}),
    ("probabilities not used", "the mean is weighted: each value counts times its probability.",
        {MEAN: "sum(value for value, p in values) / len(values)"}, {MEAN: "sum(value for value, p in values)"}),
    ("only the likeliest outcome counts", "what is less likely counts too, times its probability.",
        {MEAN: "max(values, key=lambda pair: pair[1])[0]"}),
)  # fmt: skip
OF_OUTCOME = (
    "a position in the list for the outcome",
    "take the outcome from its pair: `game.chances(state)` gives (outcome, probability), and dice show other numbers.",
    {"for outcome, p in game.chances(state)": "for outcome, (_, p) in enumerate(game.chances(state))"},
)


# Expectiminimax.


def my_expectiminimax(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    player = game.to_move(state)
    if player == CHANCE:
        values = [(my_expectiminimax(game, game.result(state, outcome))[0], p) for outcome, p in game.chances(state)]
        return sum(p * value for value, p in values), None
    v, move = (-inf if player == MAX else inf), None
    for action in game.actions(state):
        v2, _ = my_expectiminimax(game, game.result(state, action))
        if v2 > v if player == MAX else v2 < v:
            v, move = v2, action
    return v, move


CUTS = """
        alpha, beta = (max(alpha, v), beta) if player == MAX else (alpha, min(beta, v))
        if alpha >= beta:
            break
    return v,"""
STARTS = "the best value starts at the wrong end", "the best value starts at −∞ for both"
"""Mistakes after which, as after the same comparison for both, there are means of ∞ and −∞, which are no numbers."""
EXPECTIMINIMAX = Question(
    **heading("write", "expectimax.expectiminimax", "EXPECTIMINIMAX: the value and the action", 3),
    small=lambda: [*map(searches.at_the_root, small_chance_games()),
                   (DUEL, ("red", 2, "blue")), (DUEL, ("red", 2)), DUELS[0]],
    cases=lambda luck: luck.choice([*DUELS, *[searches.at_the_root(random_chance_game(luck))] * 4]),
    bugs=(
        ("a cut through a chance node", "the α and β above a chance node are bounds of its mean, not of its outcomes: "
            "begin anew below it.",
            {"(game, state):": "(game, state, alpha=-inf, beta=inf):", "outcome))": "outcome), alpha, beta)",
             "action))": "action), alpha, beta)", "\n    return v,": CUTS}),
        *AT_CHANCE,
        OF_OUTCOME,
        ("an action where nobody chooses", "at a chance node the action is None.",
            {"values), None": "values), game.chances(state)[0][0]"}),
        *searches.of_searches(my_expectiminimax, without=(*STARTS, "the same comparison for both", searches.COUNTED)),
    ),
    **searches.value_and_move(my_expectiminimax),
)  # fmt: skip


# Expectimax. A case is (game, state, model), and the model a table of replies in another order than actions().


def with_model(game, odds=lambda replies: ODDS[replies][0]):
    """The case with these probabilities for the replies of Min, the last reply first."""
    nodes = [path for path in inner_paths(game) if game.to_move(path) == MIN]
    replies = {path: game.actions(path) for path in nodes}
    return game, (), Lookup({path: tuple(zip(replies[path][::-1], odds(len(replies[path])))) for path in nodes})


def random_model(luck):
    return with_model(random_tree(luck), lambda replies: luck.choice(ODDS[replies]))


def my_expectimax(game, state, model):
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    if game.to_move(state) == MIN:
        values = [(my_expectimax(game, game.result(state, reply), model)[0], p) for reply, p in model(state)]
        return sum(p * value for value, p in values), None
    v, move = -inf, None
    for action in game.actions(state):
        v2, _ = my_expectimax(game, game.result(state, action), model)
        if v2 > v:
            v, move = v2, action
    return v, move


def small_models():
    """Trees of up to three leaves; in the last of them some node of Min has a single reply."""
    four = tree_game([None] * 4, FOUR_WORTHS, (MAX,))
    cases = [with_model(game) for game in (*small_trees(), four) if len(leaf_paths(game)) < 4 or game is four]
    return sorted(cases, key=lambda case: any(len(pairs) == 1 for pairs in case[2].values()))


EXPECTIMAX = Question(
    **heading("write", "expectimax.model", "Expectimax with a model of the opponent", 3),
    small=small_models,
    cases=random_model,
    bugs=(
        Bug("the model is ignored", "Min is not taken to play best here, but as model(state) says.",
            lambda game, state, model: my_expectiminimax(game, state)),
        ("a probability goes to the wrong reply", "the model's pairs need not come in the order of game.actions: "
            "take the action from the pair.",
            {"in model(state)": "in zip(game.actions(state), [p for _, p in model(state)])"}),
        searches.said("the last value overwrites the best", {"v2 > v": "True"}),
        searches.said("the best value starts at 0", {"-inf": "0"}),
        searches.said(BEGUN_TOO_NEAR.name, {"-inf": "-1000"}),
        *AT_CHANCE,
        *searches.of_searches(my_expectimax),
    ),
    **searches.value_and_move(my_expectimax),
)  # fmt: skip


# Expectiminimax with a depth limit, to be mended. A case is (game, state, depth, evaluate).


def mended_value(game, state, depth, evaluate):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    if depth == 0:
        return evaluate(state)
    player = game.to_move(state)
    if player == CHANCE:
        below = [(game.result(state, outcome), p) for outcome, p in game.chances(state)]
        values = [(mended_value(game, after, depth, evaluate), p) for after, p in below]
        return sum(p * value for value, p in values)
    below = [game.result(state, action) for action in game.actions(state)]
    values = [mended_value(game, after, depth - 1, evaluate) for after in below]
    return max(values) if player == MAX else min(values)


def moves_above(case, node):
    """How many moves of the players, chance left out, lead to a watched node."""
    return sum(case[0].to_move(node.path[:ply]) != CHANCE for ply in range(len(node.path)))


def small_limited():
    """Trees of up to three leaves in which no node has a single child, and some of four with two moves below chance."""
    games = [game for game in small_chance_games()
             if all((*path, 1) in depth_first(game, ()) for path in inner_paths(game))]  # fmt: skip
    deep = [chance_game([[[None] * 2, None], None], (2, 0, -1, 1), (CHANCE, *movers))
            for movers in product((MAX, MIN), repeat=2)]  # fmt: skip
    far = [chance_game([None] * 2, [far] * 2, (mover,)) for far, mover in ((-FAR, MAX), (FAR, MIN))]
    return [searches.limited(game, depth, (5, -4, 3, -6, 7, -8, 4)) for game in [*games, *deep, *far, DUEL]
            for depth in range(3)]  # fmt: skip


A_PLY_OF_CHANCE = {"depth, evaluate), p)": "depth - 1, evaluate), p)"}
MEND = Question(
    **heading("mend", "expectimax.mend", "Mend the chance node", 2),
    small=small_limited,
    cases=lambda luck: searches.random_limited(luck, random_chance_game, (0, 1, 1, 2, 3)),
    reference=mended_value,
    compare=equal,
    value_of=lambda case, node: searches.value_at_depth(mended_value, case, node, moves_above(case, node)),
    bugs=(
        ("not mended yet", "a chance node takes the maximum, and more than that is wrong with it.",
            {**AT_CHANCE[0][2], **A_PLY_OF_CHANCE}),
        ("depth off by one", "chance is no ply: hand the depth on as it is.", A_PLY_OF_CHANCE,
            {"depth, evaluate), p)": "depth + 1, evaluate), p)"}),
        (*AT_CHANCE[1][:2], AT_CHANCE[1][2] | A_PLY_OF_CHANCE, AT_CHANCE[1][3] | A_PLY_OF_CHANCE),
        searches.said("max and min exchanged", {"player == MAX": "player != MAX"}),
        *AT_CHANCE,
        OF_OUTCOME,
        *searches.of_searches(mended_value, without=[searches.COUNTED]),
    ),
)  # fmt: skip


# Pig: a policy that must beat hold-at-20. The case is the target; an answer is the table of points at which to hold, by
# both scores, or what was returned in place of a number and for which scores.

TARGET, OTHER, MARK = 50, 20, 0.58
"""The points to be reached, where the other player holds, and the share of games to be won."""


def ask_policy(student, name, case):
    (target,) = case
    table = [[0.0] * target for _ in range(target)]
    for mine, theirs in product(range(target), repeat=2):
        points = student.call(name, mine, theirs)
        if not is_number(points):
            return mine, theirs, points
        table[mine][theirs] = float(min(points, target - mine))
    return table


@lru_cache(maxsize=8)
def winning(table):
    """(share of games won, the policy's chances to win, those of the other); each begins in half of the games."""
    total, mine, theirs = np.indices((TARGET,) * 3)
    policy = (total < np.array(table)[mine, theirs]) & (mine + total < TARGET)
    other = hold_at(OTHER, TARGET)
    first, second = (pig_values(TARGET, *players, tolerance=1e-7) for players in ((policy, other), (other, policy)))
    return float(first[0, 0, 0] + 1 - second[0, 0, 0]) / 2, first, second


def share_of(answer):
    return winning(tuple(map(tuple, answer)))[0]


def costliest(table):
    """(total, mine, theirs, chance after rolling, after holding) of the choice that costs most in 500 games."""
    _, wins, others = winning(table)
    luck, cost = random.Random(1), Counter()

    def chances(total, mine, theirs):
        after = [wins[total + face, mine, theirs] if mine + total + face < TARGET else 1 for face in range(2, 7)]
        return (1 - others[0, theirs, mine] + sum(after)) / 6, 1 - others[0, theirs, mine + total]

    for game in range(500):
        scores, turn, total = [0, 0], game % 2, 0
        while max(scores) < TARGET:
            mine, theirs = scores[turn], scores[1 - turn]
            if turn == 0 and mine + total < TARGET:
                roll, hold = chances(total, mine, theirs)
                cost[total, mine, theirs] += float((roll - hold) * (1 if total >= table[mine][theirs] else -1))
            face = 0
            if mine + total < TARGET and total < (OTHER if turn else table[mine][theirs]):
                face = luck.randint(1, 6)
                total = 0 if face == 1 else total + face
            if face < 2:
                scores[turn], turn, total = mine + total, 1 - turn, 0
    where = max(cost, key=cost.get)
    return *where, *map(float, chances(*where))


def my_hold(mine, theirs):
    """Two turns of 25 points are enough; but where the other could win with the next turn, there is no second one."""
    return TARGET if TARGET - theirs <= OTHER else 25


def too_few_wins(case, expected, given):
    if isinstance(given, tuple):
        mine, theirs, points = given
        return f"A number of points was expected; my_hold({mine}, {theirs}) returns {shown(points)}."
    if given[0][0] <= 0:
        return f"A turn brings no points if it is held before the first roll; my_hold(0, 0) returns {given[0][0]:g}."
    if share_of(given) >= MARK:
        return None
    total, mine, theirs, roll, hold = costliest(tuple(map(tuple, given)))
    done = "hold" if total >= given[mine][theirs] else "roll"
    return (f"Your policy wins {share_of(given):.1%} of the games; the mark is {MARK:.0%}. Computed exactly, it loses "
            f"most where you {done} with {mine} points to {theirs} and {total} in the turn: to hold wins {hold:.1%} "
            f"there, to roll once more and to go on by your policy {roll:.1%}. This is said of that choice alone: "
            f"change it there, and not at all scores.")  # fmt: skip


def wins_words(answer):
    if isinstance(answer, tuple):
        return "no number of points"
    share = share_of(answer)
    return f"{MARK:.0%} of the games or more" if share >= MARK else f"{share:.1%} of the games"


PIG = Question(
    **heading("beat", "expectimax.pig", "Beat hold-at-20 in Pig", 2),
    small=lambda: [(TARGET,)],
    ask=ask_policy,
    reference=my_hold,
    compare=too_few_wins,
    show=wins_words,
    tell=lambda case: f"Pig to {case[0]} against hold-at-{OTHER}; each begins in half of the games",
    bugs=(
        ("the same policy", "where both play alike, nobody wins more: when is it worth more risk, or less?",
            {"TARGET if TARGET - theirs <= OTHER else 25": "OTHER"}),
    ),
)  # fmt: skip


# A tree of one's own, by hand.

TENTHS = (1, 2, 3, 4, 6, 7, 8, 9)


def own_tree(numbers):
    """Max or Min, then chance, then the other one: eight different leaves, and probabilities that are tenths."""
    worths = iter(numbers.sample(range(21), 8))

    def chance():
        p = numbers.choice(TENTHS)
        return Chance([(share / 10, [next(worths), next(worths)]) for share in (p, 10 - p)])

    return (TreeGame([chance(), chance()], first=numbers.choice((MAX, MIN))),)


def node_values(tree):
    """Path → value of every inner node, from below."""
    return {path: round(my_expectiminimax(tree, path)[0], 9) for path in inner_paths(tree)}


def wrong_value_at(tree, path, expected, given):
    """What to say of the first wrong value."""
    if tree.to_move(path) != CHANCE:
        return searches.chooses_among(tree, path, expected, given)
    pairs = zip(searches.values_below(tree, path, expected), tree.chances(path))
    outcomes = " and ".join(f"{number_text(value)} with probability {p:g}" for value, (_, p) in pairs)
    return (f"The first wrong value is at the node {path}. Nobody chooses there: give the mean, by probability and not "
            f"rounded, of {outcomes}.")  # fmt: skip


TRACE = Question(
    **heading("trace", "expectimax.trace", "Expectiminimax by hand", 3),
    personal=own_tree,
    reference=node_values,
    compare=partial(searches.first_wrong_node, words=wrong_value_at),
    draw=searches.filled_in,
)

SCALE = choice(
    identifier="expectimax.scale",
    title="Which changes keep the decision",
    right="c",
    reasons={
        "a": "That is enough for minimax, which only compares. A mean depends on how far apart the utilities are.",
        "b": "With a below 0 the order is turned round, and what was best becomes worst.",
        "d": "It is increasing, and yet one large utility weighs more after it than before, so the order of two means "
        "can change.",
    },
)

BELIEF = choice(
    identifier="expectimax.belief",
    title="What a belief promises",
    right="c",
    reasons={
        "a": "The model may be wrong, and even if it is right, 5 is a mean: a single game may bring less.",
        "b": "The 3 is promised to who plays minimax's moves. Expectimax may choose others, with worse in store.",
        "d": "A mean is not what each game brings: some bring more, others less.",
    },
)

QUESTIONS = (TRACE, EXPECTIMINIMAX, MEND, EXPECTIMAX, PIG, SCALE, BELIEF)
