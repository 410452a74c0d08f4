"""The questions of notebook 5, expectimax."""

from functools import lru_cache, partial
from itertools import permutations, product

import numpy as np
from hypothesis import strategies as st

from course_lib.check.cases import (
    LEAVES,
    WORTHS,
    Lookup,
    inner_nodes,
    leaves_of,
    random_shapes,
    shapes,
    small_trees,
    tree_games,
)
from course_lib.check.compare import equal, is_number, same, shown, value_and_action
from course_lib.check.question import Bug, Question, choice, mistakes, read
from course_lib.check.searches import (
    COUNTED,
    MINS_UTILITY,
    MISTAKES,
    at_the_root,
    best,
    filled_in,
    first_of_pair,
    first_wrong_node,
    for_max,
    limited,
    limited_cases,
    told_with,
    value_at_depth,
    values_below,
)
from course_lib.games import CHANCE, MAX, MIN, Chance, TreeGame, Turn
from course_lib.search import expectimax_search, expectiminimax_search, hold_at, pig_values
from course_lib.watch.paths import depth_first, inner_paths, leaf_paths
from course_lib.watch.texts import number_text

# Trees with chance nodes. Probabilities are eighths, so that means are exact and ties are ties.

ODDS = {1: [(1,)], 2: [(1 / 4, 3 / 4), (5 / 8, 3 / 8), (1 / 2, 1 / 2)],
        3: [(1 / 8, 1 / 4, 5 / 8), (1 / 2, 1 / 4, 1 / 4), (3 / 4, 0, 1 / 4)]}  # fmt: skip
"""Probabilities for so many outcomes; the first of them are those of the small cases."""


def chance_game(shape, worths, movers, odds=lambda outcomes: ODDS[outcomes][0]):
    """The `TreeGame` of this shape: leaves and movers, chance among them, come in the order of a walk from the left."""
    worths, inner = iter(worths), iter(movers)

    def tree(shape, due):
        if shape is None:
            return next(worths)
        mover = next(inner)
        if mover == CHANCE:
            return Chance([(p, tree(below, due)) for p, below in zip(odds(len(shape)), shape)])
        children = [tree(below, 1 - mover) for below in shape]
        return children if mover == due else Turn(mover, children)

    return TreeGame(tree(shape, MAX))


@lru_cache
def small_chance_games():
    """Every tree of up to three leaves, with anybody or chance to move anywhere."""
    forms = [shape for leaves in (1, 2, 3) for shape in sorted(shapes(leaves, 2, leaves < 3), key=inner_nodes)]
    return tuple(
        chance_game(shape, worths, movers)
        for shape in forms
        for worths in (permutations(WORTHS) if leaves_of(shape) == 3 else product(WORTHS, repeat=leaves_of(shape)))
        for movers in product((CHANCE, MAX, MIN), repeat=inner_nodes(shape))
    )


@st.composite
def chance_games(draw):
    shape = draw(random_shapes())
    movers = [draw(st.sampled_from((CHANCE, MAX, MIN))) for _ in range(inner_nodes(shape))]
    worths = [draw(LEAVES) for _ in range(leaves_of(shape))]
    return chance_game(shape, worths, movers, lambda outcomes: draw(st.sampled_from(ODDS[outcomes])))


# Searches with parts to be replaced by wrong ones. A mean is taken of (value, probability) pairs.


def weighted(pairs):
    return sum(p * value for value, p in pairs)


def unweighted(pairs):
    return sum(value for value, _ in pairs) / len(pairs)


def summed(pairs):
    return sum(value for value, _ in pairs)


def largest_value(pairs):
    return max(value for value, _ in pairs)


def smallest_value(pairs):
    return min(value for value, _ in pairs)


def likeliest_value(pairs):
    return max(pairs, key=lambda pair: pair[1])[0]


def last_value(pairs):
    return pairs[-1][0]


def nothing(outcomes):
    return None


def first_outcome(outcomes):
    return outcomes[0][0]


def wrong_search(game, state, model=None, mean=weighted, worth=for_max, choose=best, act=nothing):
    """Expectiminimax; with a `model`, expectimax. `act` is the action where nobody chooses."""
    if game.is_terminal(state):
        return worth(game, state), None
    player = game.to_move(state)

    def below(action):
        return wrong_search(game, game.result(state, action), model, mean, worth, choose, act)[0]

    if player == CHANCE or (player == MIN and model is not None):
        outcomes = game.chances(state) if player == CHANCE else model(state)
        return mean([(below(outcome), p) for outcome, p in outcomes]), act(outcomes)
    actions = game.actions(state)
    values = [below(action) for action in actions]
    value = choose(player, values)
    return value, next((action for action, found in zip(actions, values) if found == value), None)


AT_CHANCE = (
    ("chance node that maximises", "nobody chooses there: take the mean of the values, weighted by probability.",
     {"mean": largest_value}),
    ("chance node that minimises", "nobody chooses there: take the mean of the values, weighted by probability.",
     {"mean": smallest_value}),
    ("probabilities not used", "the mean is weighted: each value counts times its probability.", {"mean": unweighted}),
    ("probabilities not used", "this is a sum, not a mean: each value counts times its probability.",
     {"mean": summed}),
    ("only the likeliest outcome counts", "what is less likely counts too, times its probability.",
     {"mean": likeliest_value}),
    ("only the last outcome counts", "add up the outcomes; do not overwrite one by the next.", {"mean": last_value}),
)  # fmt: skip
OTHERS = COUNTED, "everybody maximises", "the best value starts at the wrong end"
AT_PLAYERS = [row for name, row in MISTAKES.items() if name not in OTHERS] + [MINS_UTILITY]
"""Rows of a name, a sentence, and the parts that make the mistake. (Means of ∞ and −∞ cannot be compared.)"""


# Expectiminimax.


def best_actions(search):
    """A function of a case: the actions that keep the value of its state, by this search."""

    def best_ones(game, state, *rest):
        value, action = search(game, state, *rest)
        if action is None:
            return []
        return [a for a in game.actions(state) if same(search(game, game.result(state, a), *rest)[0], value)]

    return best_ones


EXPECTIMINIMAX = Question(
    identifier="expectimax.expectiminimax",
    title="EXPECTIMINIMAX: the value and the action",
    kind="write",
    points=3,
    name="my_expectiminimax",
    small=lambda: list(map(at_the_root, small_chance_games())),
    cases=chance_games().map(at_the_root),
    reference=expectiminimax_search,
    compare=value_and_action(best_actions(expectiminimax_search)),
    gist=first_of_pair,
    value_of=lambda case, node: expectiminimax_search(case[0], node.state)[0],
    bugs=mistakes(
        wrong_search,
        *AT_CHANCE,
        *AT_PLAYERS,
        MISTAKES["everybody maximises"],
        ("an action where nobody chooses", "at a chance node the action is None.", {"act": first_outcome}),
    ),
)


# Expectimax. A case is (game, state, model), and the model a table of replies in another order than actions().


def with_model(game, odds=lambda replies: ODDS[replies][0]):
    """The case with these probabilities for the replies of Min, the last reply first."""
    nodes = [path for path in inner_paths(game) if game.to_move(path) == MIN]
    replies = {path: game.actions(path) for path in nodes}
    return game, (), Lookup({path: tuple(zip(replies[path][::-1], odds(len(replies[path])))) for path in nodes})


@st.composite
def model_cases(draw):
    return with_model(draw(tree_games()), lambda replies: draw(st.sampled_from(ODDS[replies])))


def ignoring_model(game, state, model):
    return expectiminimax_search(game, state)


def replies_in_order(game, state, model):
    """Takes the model's probabilities for those of the actions from left to right."""

    def from_left_to_right(state):
        return [(action, p) for action, (_, p) in zip(game.actions(state), model(state))]

    return wrong_search(game, state, from_left_to_right)


EXPECTIMAX = Question(
    identifier="expectimax.model",
    title="Expectimax with a model of the opponent",
    kind="write",
    points=3,
    name="my_expectimax",
    small=lambda: [with_model(game) for game in small_trees() if len(leaf_paths(game)) < 4],
    cases=model_cases(),
    reference=expectimax_search,
    compare=value_and_action(best_actions(expectimax_search)),
    gist=first_of_pair,
    tell=told_with("my_expectimax", "model"),
    value_of=lambda case, node: expectimax_search(case[0], node.state, case[2])[0],
    bugs=(
        Bug("the model is ignored", "Min is not taken to play best here, but as model(state) says.", ignoring_model),
        Bug("a probability goes to the wrong reply", "the model's pairs need not come in the order of game.actions: "
            "take the action from the pair.", replies_in_order),
        *mistakes(wrong_search, AT_CHANCE[0], *AT_CHANCE[2:], *AT_PLAYERS,
                  ("an action where nobody chooses", "where the opponent moves the action is None.",
                   {"act": first_outcome})),
    ),
)  # fmt: skip


# Expectiminimax with a depth limit, to be mended. A case is (game, state, depth, evaluate).


def depths_of(games):
    return [limited(game, depth, (5, -4, 3, -6, 7, -8, 4)) for game in games for depth in range(3)]


def no_single(game):
    """Whether there is something to choose, or to average, at every node that is no leaf."""
    return all((*path, 1) in depth_first(game, ()) for path in inner_paths(game))


def limited_value(game, state, depth, evaluate):
    return expectiminimax_search(game, state, depth, evaluate)[0]


def moves_above(case, node):
    """How many moves of the players, chance left out, lead to a watched node."""
    return sum(case[0].to_move(node.path[:ply]) != CHANCE for ply in range(len(node.path)))


def small_limited():
    """Trees of up to three leaves, and some of four with two moves below chance."""
    games = [game for game in small_chance_games() if no_single(game)]
    deep = [chance_game([[[None] * 2, None], None], (2, 0, -1, 1), (CHANCE, *movers))
            for movers in product((MAX, MIN), repeat=2)]  # fmt: skip
    return depths_of(games) + depths_of(deep)


def wrong_limited(game, state, depth, evaluate, mean=weighted, chance_ply=0, ply=1, terminal_first=True, choose=best,
                  horizon=0, worth=for_max):  # fmt: skip
    """Depth-limited expectiminimax; a chance node and a player's move use up so much of the depth."""
    over = game.is_terminal(state)
    if depth <= horizon and not (over and terminal_first):
        return evaluate(state)
    if over:
        return worth(game, state)
    rest = {"mean": mean, "chance_ply": chance_ply, "ply": ply, "terminal_first": terminal_first, "choose": choose,
            "horizon": horizon, "worth": worth}  # fmt: skip
    player = game.to_move(state)
    outcomes = game.chances(state) if player == CHANCE else [(action, 1) for action in game.actions(state)]
    left = depth - (chance_ply if player == CHANCE else ply)
    values = [(wrong_limited(game, game.result(state, a), left, evaluate, **rest), p) for a, p in outcomes]
    return mean(values) if player == CHANCE else choose(player, [value for value, _ in values])


MEND = Question(
    identifier="expectimax.mend",
    title="Mend the chance node",
    kind="mend",
    points=2,
    name="mended_value",
    small=small_limited,
    cases=limited_cases(chance_games(), (0, 1, 1, 2)),
    reference=limited_value,
    compare=equal,
    tell=told_with("mended_value", "evaluate"),
    value_of=lambda case, node: value_at_depth(limited_value, case, node, moves_above(case, node)),
    bugs=mistakes(
        wrong_limited,
        ("not mended yet", "a chance node takes the maximum, and more than that is wrong with it.",
         {"mean": largest_value, "chance_ply": 1}),
        ("depth off by one", "chance is no ply: a chance node uses up none of the depth.", {"chance_ply": 1}),
        ("depth off by one", "chance is no ply: hand the depth on as it is.", {"chance_ply": -1}),
        ("depth off by one", "your search stops one ply too early.", {"horizon": 1}),
        ("depth off by one", "your search goes one ply too deep.", {"horizon": -1}),
        ("chance node that maximises", "nobody chooses there: take the mean of the values, weighted by probability.",
         {"mean": largest_value}),
        ("chance node that minimises", AT_CHANCE[1][1], {"mean": smallest_value}),
        ("probabilities not used", AT_CHANCE[2][1], {"mean": unweighted}),
        ("probabilities not used", AT_CHANCE[3][1], {"mean": summed}),
        ("probabilities not used", AT_CHANCE[2][1], {"mean": unweighted, "chance_ply": 1}),
        ("terminal states are evaluated", "where the game is over its utility counts, also at depth 0.",
         {"terminal_first": False}),
        ("the depth never gets less", "hand depth − 1 down where a player moves.", {"ply": 0}),
        MISTAKES["max and min exchanged"],
        MISTAKES["utility from the wrong side"],
        MINS_UTILITY,
    ),
)  # fmt: skip


# Pig: a policy that must beat hold-at-20. The case is the target; an answer is the probability to win, or what was
# returned in place of a number and for which scores.

TARGET, OTHER, MARK = 40, 20, 0.53
"""The points to be reached, where the other player holds, and the share of games to be won."""


class NoNumber(Exception):
    """Something else in place of the points at which to hold."""


def ask_policy(student, name, case):
    (target,) = case
    try:
        holds = [[_points(student, name, mine, theirs) for theirs in range(target)] for mine in range(target)]
    except NoNumber as no:
        return no.args
    total, mine, theirs = np.indices((target,) * 3)
    return winning_share((total < np.array(holds)[mine, theirs]) & (mine + total < target))


def _points(student, name, mine, theirs):
    points = student.call(name, mine, theirs)
    if not is_number(points):
        raise NoNumber(mine, theirs, points)
    return float(points)


def winning_share(policy):
    """The probability to win against the other player, when each begins in half of the games."""
    target = len(policy)
    other = hold_at(OTHER, target)
    first = pig_values(target, policy, other, tolerance=1e-7)[0, 0, 0]
    return float(first + 1 - pig_values(target, other, policy, tolerance=1e-7)[0, 0, 0]) / 2


def hold_or_finish(mine, theirs):
    """Hold at 20, but roll until the game is won where the other could win with the next turn."""
    return TARGET if TARGET - theirs <= OTHER else 20


def too_few_wins(case, expected, given):
    if is_number(given):
        words = f"Your policy wins {given:.1%} of the games; the mark is {MARK:.0%}."
        return None if given >= MARK else words
    mine, theirs, points = given
    return f"A number of points was expected; my_hold({mine}, {theirs}) returns {shown(points)}."


def wins_words(answer):
    if is_number(answer):
        return f"{MARK:.0%} of the games or more" if answer >= MARK else f"{answer:.1%} of the games"
    return "no number of points"


PIG = Question(
    identifier="expectimax.pig",
    title="Beat hold-at-20 in Pig",
    kind="beat",
    points=2,
    name="my_hold",
    small=lambda: [(TARGET,)],
    ask=ask_policy,
    reference=hold_or_finish,
    compare=too_few_wins,
    show=wins_words,
    tell=lambda case: f"Pig to {case[0]} against hold-at-{OTHER}; each begins in half of the games",
    bugs=(
        Bug("the same policy", "where both play alike, nobody wins more: when is it worth more risk, or less?",
            lambda mine, theirs: OTHER),
        Bug("never held", "a turn that has to bring all the points at once seldom does.", lambda mine, theirs: TARGET),
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


def chance_values(tree):
    """Path → value of every inner node, from below."""
    return {path: round(expectiminimax_search(tree, path)[0], 9) for path in inner_paths(tree)}


def wrong_value_at(tree, path, expected, given):
    """What to say of the first wrong value: the bug where it is a known one."""
    first, player = f"The first wrong value is at the node {path}.", tree.to_move(path)
    values = values_below(tree, path, expected)
    if player == CHANCE and same(given, max(values)):
        return Bug("chance node that maximises", f"{first} Nobody chooses there: both outcomes count, by probability.")
    if player == CHANCE and same(given, sum(values) / 2):
        return Bug("probabilities not used", f"{first} Its outcomes are not equally likely.")
    mover = {CHANCE: "Chance moves", MAX: "Max moves", MIN: "Min moves"}[player]
    return f"{first} {mover} there, and below are {' and '.join(map(number_text, values))}."


TRACE = Question(
    identifier="expectimax.trace",
    title="Expectiminimax by hand",
    kind="trace",
    points=3,
    name="node_values",
    personal=own_tree,
    ask=read,
    reference=chance_values,
    compare=partial(first_wrong_node, words=wrong_value_at),
    draw=filled_in,
)

SCALE = choice(
    identifier="expectimax.scale",
    title="Which changes keep the decision",
    name="scale",
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
    name="belief",
    right="c",
    reasons={
        "a": "The model may be wrong, and even if it is right, 5 is a mean: a single game may bring less.",
        "b": "The 3 is promised to who plays minimax's moves. Expectimax may choose others, with worse in store.",
        "d": "A mean is not what each game brings: some bring more, others less.",
    },
)

QUESTIONS = (TRACE, EXPECTIMINIMAX, MEND, EXPECTIMAX, PIG, SCALE, BELIEF)
