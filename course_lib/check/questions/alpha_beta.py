"""The questions of notebook 3, alpha-beta. Most are judged by the leaves looked at, beside what is returned."""

from functools import lru_cache
from itertools import permutations, takewhile
from math import inf

from course_lib.check import searches
from course_lib.check.cases import (
    FOUR_WORTHS,
    WORTHS,
    ends_of_games,
    in_turn,
    random_tree,
    shapes,
    small_trees,
    tree_game,
    tree_of,
)
from course_lib.check.compare import (
    BEGUN_TOO_NEAR,
    EXCHANGED_PAIR,
    FAR,
    NOT_EXPECTED,
    NOT_VALUE,
    equal,
    is_number,
    same,
    shown,
    value_and_action,
    value_part,
)
from course_lib.check.matches import careful_order, openings
from course_lib.check.personal import tree_from
from course_lib.check.question import Bug, Question, Recorded, call_and_leaves, choice, heading
from course_lib.check.report import board_picture
from course_lib.explore import picture
from course_lib.games import MAX, MIN, ConnectFour, TreeGame
from course_lib.search import depth_limited_alpha_beta_search, minimax_search, minimax_value
from course_lib.watch.paths import inner_paths, leaf_paths

# The cases: small trees, a few of four plies for deep cuts, and random ones.


@lru_cache
def small_cuts(turns=True):
    """Trees of up to four leaves, in which every cut can be seen; with `turns` anybody may move anywhere in some.

    The deep ones are needed where a bound comes from two plies above, and the deeper where one is lowered on the way.
    """
    deep = [([None, below], WORTHS) for below in shapes(2, 3) if height(below) == 3]
    deeper = [([None, [[None, [None, None]]]], FOUR_WORTHS), ([None, [None, [None, None]]], (0, 0, 1, 2))]
    games = [tree_game(shape, order, in_turn(shape, first)) for shape, worths in deep + deeper
             for order in permutations(worths) for first in (MAX, MIN)]  # fmt: skip
    far = [TreeGame([sign * FAR, sign * (FAR + 1)], first=first) for sign, first in ((1, MAX), (-1, MIN))]
    ends = [tree_of(*end) for end in ends_of_games()]
    return sorted([*small_trees(turns), *games, *far, *ends], key=lambda game: len(leaf_paths(game)))


def height(shape):
    return 0 if shape is None else 1 + max(map(height, shape))


# Judging: what is returned, and the leaves looked at.


def not_needed(right, what="leaf"):
    """Compare (what is returned, leaves looked at): `right` judges the first; the leaves come once each, in order."""

    def compare(case, expected, given):
        wrong = right(case, expected[0], given[0])
        if wrong == EXCHANGED_PAIR:
            return wrong
        leaves = wrong_leaves(expected[1], given[1], what)
        if wrong and leaves:
            return f"{wrong} {leaves}" if isinstance(wrong, str) else wrong
        return wrong or (leaves and f"The value is right. {leaves}")

    return compare


def wrong_leaves(right, given, what):
    """What is wrong with the leaves that were looked at, or None."""
    missing = [leaf for leaf in right if leaf not in given]
    if missing:
        return f"The {what} {missing[0]}, which matters, is not looked at."
    for number, leaf in enumerate(given):
        if leaf not in right:
            return f"The {what} {leaf} is looked at, which α and β make unnecessary."
        if leaf in given[:number]:
            return f"The {what} {leaf} is looked at twice, and once is enough: keep what is needed again in a variable."
        if leaf != right[number]:
            return f"The {what} {leaf} is looked at before {right[number]}: keep to the order of game.actions."
    return None


def right_value(case, expected, given):
    wrong = equal(case, expected, given)
    return NOT_VALUE if wrong == NOT_EXPECTED else wrong


def as_text(answer):
    returned, leaves = answer
    return f"{shown(returned)}, after the leaves {' '.join(map(str, leaves))}"


def exact_value(case, node):
    """The minimax value of a node, if a search with α and β has to find it: elsewhere a bound will do."""
    game, path = case[0], node.state
    alpha, beta = windows(game).get(path, (inf, -inf))
    value = minimax_value(game, path)
    return value if alpha < value < beta else None


@lru_cache(64)
def windows(game):
    """Path → the (α, β) with which alpha-beta comes to this node; without those that it never comes to."""
    found = {}

    def value(path, alpha, beta):
        found[path] = alpha, beta
        if game.is_terminal(path):
            return game.utility(path, MAX)
        maximizing = game.to_move(path) == MAX
        values = []
        for action in game.actions(path):
            values.append(value(game.result(path, action), alpha, beta))
            alpha, beta = (max(alpha, values[-1]), beta) if maximizing else (alpha, min(beta, values[-1]))
            if alpha >= beta:
                break
        return max(values) if maximizing else min(values)

    value((), -inf, inf)
    return found


# Alpha-beta, and the mistakes of all who write or mend it.


def my_alpha_beta(game, state, alpha=-inf, beta=inf):
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    player = game.to_move(state)
    v, move = (-inf if player == MAX else inf), None
    for action in game.actions(state):
        v2, _ = my_alpha_beta(game, game.result(state, action), alpha, beta)
        if v2 > v if player == MAX else v2 < v:
            v, move = v2, action
        if v >= beta if player == MAX else v <= alpha:
            break
        if player == MAX:
            alpha = max(alpha, v)
        else:
            beta = min(beta, v)
    return v, move


AN_EQUAL = "an equal action is taken", "what was cut at v = α may be worth less: only a better one replaces the best."
NEAR_WINDOW = (
    "a number for infinity",
    "begin with the window from −∞ to ∞: a leaf may be worth more than any number that you take.",
)
SPARES = "the value comes out right, and leaves are looked at for nothing: "
STOPS = f"{SPARES}a Min node stops at v ≤ α already, and a Max node at v ≥ β."
GO_ON = "a Max node goes on while v < β, also where v ≤ α; a Min node goes on while v > α, also where v ≥ β."
CUTS = "v >= beta if player == MAX else v <= alpha"
OF_CUTS = (
    ("right value but nothing pruned", "v is never held against the other player's bound, or the bounds never move, or "
        "they are not handed to the children.", {CUTS: "False"}),
    ("only the first action is looked at", f"the loop ends after it: {GO_ON}", {CUTS: "True"}),
    ("both cuts in every node", GO_ON, {CUTS: "v >= beta or v <= alpha"}),
    ("pruning with < where ≤ is right", STOPS, {"v >= beta": "v > beta", "v <= alpha": "v < alpha"},
        {"v >= beta": "v > beta"}, {"v <= alpha": "v < alpha"}),
    ("another order of actions", "keep to the order of game.actions.",
        {"in game.actions(state)": "in sorted(game.actions(state), key=str)"}),
    ("only one player prunes", STOPS, {"v <= alpha": "False"}, {"v >= beta": "False"}),
    ("α and β swapped", "a Max node stops at v ≥ β and raises α, a Min node stops at v ≤ α and lowers β.",
        {"v >= beta": "v >= alpha", "v <= alpha": "v <= beta"}),
)  # fmt: skip


SEARCH = Question(
    **heading("write", "alpha_beta.search", "ALPHA-BETA-SEARCH", 3),
    small=lambda: list(map(searches.at_the_root, small_cuts())),
    cases=searches.random_root,
    reference=my_alpha_beta,
    ask=call_and_leaves,
    compare=not_needed(value_and_action(searches.best_actions(minimax_search))),
    gist=value_part,
    show=as_text,
    value_of=exact_value,
    bugs=(
        (*AN_EQUAL, {searches.BETTER: "v2 >= v if player == MAX else v2 <= v"},
            {searches.BETTER: "v2 >= v if player == MAX else v2 < v"},
            {searches.BETTER: "v2 > v if player == MAX else v2 <= v"}),
        (*NEAR_WINDOW, {"alpha=-inf, beta=inf):": "alpha=-1000, beta=1000):"}),
        *OF_CUTS,
        ("the window does not come from above", f"{SPARES}hand both α and β to each child.",
            {"alpha, beta)\n": "*((alpha, inf) if player == MAX else (-inf, beta)))\n"}),
        ("a bound is taken back", f"{SPARES}α never falls and β never rises: take max(α, v), and min(β, v).",
            {"max(alpha, v)": "v", "min(beta, v)": "v"}),
        ("α and β swapped", "hand them to the children in the order in which their parameters stand.",
            {"alpha, beta)\n": "beta, alpha)\n"}),
        *searches.of_searches(my_alpha_beta, without=["only the first action is looked at"]),
    ),
)  # fmt: skip


# The cut with the wrong comparisons, to be mended. The answer is a value.


def mended_alpha_beta(game, state):
    return my_alpha_beta(game, state)[0]


CUT = Question(
    **heading("mend", "alpha_beta.cut", "Mend two comparisons", 2),
    small=lambda: list(map(searches.at_the_root, small_cuts())),
    cases=searches.random_root,
    reference=mended_alpha_beta,
    ask=call_and_leaves,
    compare=not_needed(right_value),
    show=as_text,
    value_of=exact_value,
    parts=(my_alpha_beta,),
    bugs=(
        ("not mended yet", "one of the two cuts leaves out what matters, the other looks at leaves for nothing.",
            {"v >= beta": "v > beta", "v <= alpha": "v >= alpha"}),
        ("α and β swapped", "one cut is right now; in the other v is held against the node's own bound.",
            {"v <= alpha": "v <= beta"}),
        *OF_CUTS,
    ),
)  # fmt: skip


# The printed negamax, to be mended, and negamax with a depth limit. Values are those of the player to move.


def in_turns(luck):
    """A random tree in which players take turns."""
    return random_tree(luck, turns=False)


def with_player(game):
    """The case (game, state, alpha, beta, player)."""
    return game, (), -inf, inf, 1 if game.first == MAX else -1


def mended_negamax(game, state, alpha, beta, player):
    if game.is_terminal(state):
        return player * game.utility(state, MAX)
    best = -inf
    for action in game.actions(state):
        value = mended_negamax(game, game.result(state, action), -beta, -alpha, -player)
        if -value > best:
            best = -value
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best


def my_negamax(game, state, depth, evaluate, alpha=-inf, beta=inf):
    player = 1 if game.to_move(state) == MAX else -1
    if game.is_terminal(state):
        return player * game.utility(state, MAX), None
    if depth == 0:
        return player * evaluate(state), None
    move = None
    best = -inf
    for action in game.actions(state):
        value, _ = my_negamax(game, game.result(state, action), depth - 1, evaluate, -beta, -alpha)
        if -value > best:
            best, move = -value, action
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, move


OF_NEGAMAX = (
    ("right value but nothing pruned", "a node may stop when alpha >= beta, if alpha moves, and if its children are "
        "handed the window [−β, −α].", {"alpha >= beta": "False"}),
    searches.said("only the first action is looked at", {"alpha >= beta": "True"}),
    ("pruning with < where ≤ is right", f"{SPARES}a node may stop at alpha = beta already.",
        {"alpha >= beta": "alpha > beta"}),
    ("the window does not come from above", f"{SPARES}turned round, the window [α, β] is [−β, −α]: hand both on.",
        {"-beta, -alpha": "-inf, -alpha"}),
    ("a bound is taken back", f"{SPARES}α never falls: take max(α, v).", {"max(alpha, best)": "best"}),
    ("α and β swapped", "turned round, the window [α, β] is [−β, −α]: −β comes first.",
        {"-beta, -alpha": "-alpha, -beta"}),
    searches.said("the last value overwrites the best", {"-value > best": "True"}),
    ("utility from the wrong side", "to the player to move a leaf is worth utility(state, MAX) where Max is, and "
        "−utility(state, MAX) where Min is.",
        {"player * game.utility": "game.utility"}, {"player * game.utility": "-player * game.utility"}),
    ("the best value starts at 0", "all values may be below 0: begin with −∞.", {"best = -inf": "best = 0"}),
    searches.said(BEGUN_TOO_NEAR.name, {"best = -inf": "best = -1000"}),
)  # fmt: skip
MAXS_VALUE = "in negamax a value is for the player to move, here at the root: Min's where Min is to move."


def negamax_for_max(game, state, depth, evaluate):
    value, move = my_negamax(game, state, depth, evaluate)
    return (value if game.to_move(state) == MAX else -value), move


MEND_NEGAMAX = Question(
    **heading("mend", "alpha_beta.mend_negamax", "Mend the printed negamax", 2),
    small=lambda: list(map(with_player, small_cuts(turns=False))),
    cases=lambda luck: with_player(in_turns(luck)),
    reference=mended_negamax,
    ask=call_and_leaves,
    compare=not_needed(right_value),
    gist=value_part,
    show=as_text,
    bugs=(
        ("not mended yet", "there are two mistakes: one in what a node keeps, one in what it hands down.",
            {"-value > best": "True", "-beta, -alpha": "-alpha, -beta"}),
        *OF_NEGAMAX,
        Bug("Max's value", MAXS_VALUE, lambda *case: case[-1] * mended_negamax(*case)),
    ),
)  # fmt: skip


def small_depths():
    games = [game for game in small_cuts(turns=False) if len(leaf_paths(game)) < 4 or plies(game) in (1, 4)]
    estimates = 5, -4, 3, -6, 7, -8, 4, 2, -1
    return [searches.limited(game, depth, estimates) for game in games for depth in range(plies(game) + 1)]


def plies(game):
    return max(map(len, leaf_paths(game)))


def call_and_looked_at(student, name, case):
    """Ask: what the function returns, and the states whose utility or estimate it asked for."""
    game, state, depth, evaluate = case
    tree = Recorded(game)

    def noted(state):
        if state not in evaluate:
            raise ValueError("evaluate was asked for what is no state of the game")
        tree.leaves.append(state)
        return evaluate(state)

    return student.call(name, tree, state, depth, noted), tuple(tree.leaves)


def at_depth(case, expected, given):
    """Compare: as `not_needed`, and where the search stops too early or goes too deep it says so."""
    game, _, depth, _ = case
    wrong = not_needed(value_and_action(searches.best_limited_actions), "state")(case, expected, given)
    for path in given[1] if wrong else ():
        if len(path) > depth or (len(path) < depth and not game.is_terminal(path)):
            value = "The value is right, but" if same(expected[0][0], value_part(given)) else "The value is wrong:"
            return f"{value} the state {path} is looked at, at depth {len(path)}, and the depth asked for is {depth}."
    return wrong


NEGAMAX = Question(
    **heading("write", "alpha_beta.negamax", "Negamax with a depth limit", 3),
    small=small_depths,
    cases=lambda luck: searches.random_limited(luck, in_turns, (0, 1, 2, 2, 3, 4)),
    reference=my_negamax,
    ask=call_and_looked_at,
    compare=at_depth,
    gist=value_part,
    show=as_text,
    bugs=(
        ("estimate from the wrong side", "evaluate(state) estimates for Max: turn it round where Min is to move, "
            "nowhere else.", {"player * evaluate": "evaluate"}, {"player * evaluate": "-player * evaluate"}),
        (*AN_EQUAL, {"-value > best": "-value >= best"}),
        (*NEAR_WINDOW, {"alpha=-inf, beta=inf):": "alpha=-1000, beta=1000):"}),
        *searches.of_searches(my_negamax, without=["utility from the wrong side"]),
        *OF_NEGAMAX,
        searches.said("turns counted instead of asked", {"alpha=-inf, beta=inf):": "alpha=-inf, beta=inf, player=1):",
                       "    player = 1 if game.to_move(state) == MAX else -1\n": "",
                       "-beta, -alpha)": "-beta, -alpha, -player)"}),
        Bug("Max's value", MAXS_VALUE, negamax_for_max),
    ),
)  # fmt: skip


# An order of moves for Connect Four that must save work. The case is a tuple of positions, the same for all; an answer
# is the share of states that is left of those from left to right, or the first order that is none.

CONNECT_FOUR, PLIES, MARK = ConnectFour(), 4, 0.6
"""The game, how deep alpha-beta looks, and the share to be reached."""


class NoOrder(Exception):
    """An order that leaves actions out, or has others."""


LEFT_FIRST = CONNECT_FOUR.actions


@lru_cache(2)
def states_searched(order, states):
    """How many states alpha-beta asks an order for."""
    asked = []

    def checked(state):
        asked.append(state)
        actions = order(state)
        legal = sorted(map(repr, CONNECT_FOUR.actions(state)))
        if not isinstance(actions, tuple | list) or sorted(map(repr, actions)) != legal:
            raise NoOrder(state, actions)
        return actions

    checked(CONNECT_FOUR.after(*[3] * CONNECT_FOUR.rows))  # with a full column
    asked.clear()
    for state in states:
        depth_limited_alpha_beta_search(CONNECT_FOUR, state, PLIES, order=checked)
    return len(asked)


def ask_order(student, name, case):
    try:
        return states_searched(lambda state: student.call(name, state), *case) / states_searched(LEFT_FIRST, *case)
    except NoOrder as no:
        return no.args


def my_order(state):
    return careful_order(CONNECT_FOUR, state)


def board_of(state):
    return board_picture(CONNECT_FOUR.grid(tuple(state)), discs=True)


def share_words(answer):
    if is_number(answer):
        return f"at most {MARK:.0%} of the states" if answer <= MARK else f"{answer:.0%} of the states"
    return "no order of the actions"


def too_many_states(case, expected, given):
    if is_number(given):
        words = f"With your order alpha-beta looks at {given:.0%} of the states; the mark is {MARK:.0%}."
        return None if given <= MARK else words
    state, actions = given
    legal = CONNECT_FOUR.actions(tuple(state))
    return f"An order has each legal action once. In the position that is drawn they are {legal}, not {shown(actions)}."


KEY = "not game.is_terminal(after), lets_win, abs(action - 3)"
ORDER = Question(
    **heading("beat", "alpha_beta.order", "Beat the order from left to right", 2),
    small=lambda: [(openings(5, plies=8, seed=30),)],
    ask=ask_order,
    reference=my_order,
    compare=too_many_states,
    show=share_words,
    draw=lambda case, given: [] if is_number(given) else [("the position", board_of(given[0]))],
    parts=(careful_order,),
    tell=lambda case: f"{len(case[0])} positions of Connect Four, each searched {PLIES} plies deep",
    bugs=(
        ("the worst first", "the edges are on the fewest lines; put the centre in front.", {KEY: "-abs(action - 3)"}),
        ("nothing ordered yet", "this is the order from left to right.", {KEY: "0"}),
        ("the centre first is not enough", "a move that wins at once cuts at once: look at what follows.",
            {KEY: "abs(action - 3)"}),
    ),
)  # fmt: skip


# A tree of one's own, by hand.


def own_tree(numbers):
    """A tree of three plies and up to 14 leaves, with one or two cuts of either kind."""
    while True:
        tree = tree_from(numbers, ((2, 3), (2, 3), (2, 3)), high=30)
        right = by_hand(tree)
        if len(leaf_paths(tree)) <= 14 and all(1 <= len(right[key]) <= 2 for key in BOTH):
            return (tree,)


def by_hand(tree):
    """The leaves that alpha-beta looks at, in order, and the paths of the nodes with an α-cut and with a β-cut."""
    visited = windows(tree)
    leaves = [tree.utility(path, MAX) for path in visited if tree.is_terminal(path)]
    cut = [path for path in inner_paths(tree) if path in visited and (*path, tree.actions(path)[-1]) not in visited]
    cuts = ([path for path in cut if tree.to_move(path) == player] for player in (MIN, MAX))
    return {"leaves": leaves} | dict(zip(BOTH, cuts))


BOTH = "alpha cuts", "beta cuts"


def first_wrong_step(case, expected, given):
    tree, *_ = case
    if not isinstance(given, dict) or expected.keys() - given.keys() or not isinstance(given["leaves"], list | tuple):
        return f"A dictionary with lists for {', '.join(map(repr, expected))} was expected, not {shown(given)}."
    wrong = wrong_leaf(tree, expected["leaves"], list(given["leaves"]))
    return wrong or next(filter(None, (no_paths(key, given[key]) for key in BOTH)), None) or wrong_cut(expected, given)


def no_paths(key, given):
    """What is wrong with how a list of paths is written; a set will do, too."""
    if isinstance(given, tuple) and given and all(map(is_number, given)):
        return f"A list of one path is written [{shown(given)}], with brackets around it, not {shown(given)}."
    for path in given if isinstance(given, list | tuple | set) else [given]:
        if is_number(path):
            return f"The path of one action is written ({path},), with a comma: ({path}) is only the number {path}."
        if not isinstance(path, list | tuple):
            return f"{key!r} is a list of paths, written like (0, 1), and {shown(path)} is none."
    return None


def wrong_leaf(tree, right, given):
    """What is wrong with the list of leaves, up to the first step that is."""
    known = len(list(takewhile(lambda pair: same(*pair), zip(right, given))))
    if known == len(right) == len(given):
        return None
    if known == 0:
        return "The search does not begin with this leaf: it goes down to the left first."
    so_far = f"Your leaves are right up to {right[known - 1]}"
    if known == len(given):
        return f"{so_far}, and then the search goes on."
    if given[known] in right[known:]:
        return f"{so_far}. Then you leave out a leaf that is looked at: what are v, α and β when the search is there?"
    if given[known] in right or given[known] not in [tree.utility(path, MAX) for path in leaf_paths(tree)]:
        return f"{so_far}. The leaf {shown(given[known])} comes twice, or there is no such leaf."
    return f"{so_far}. Then comes {given[known]}, which is cut: what are v, α and β when the search is there?"


def wrong_cut(expected, given):
    """What is wrong with the lists of cuts."""
    for key, other in (BOTH, BOTH[::-1]):
        paths = set(map(tuple, given[key]))
        for path in sorted(paths, key=repr):
            if path in expected[other]:
                return f"There is a cut in the node {path}. Who moves there: is it an α-cut or a β-cut?"
            if path not in expected[key]:
                return f"There is no cut in the node {shown(path)}. A node with a cut stops before its last child."
        if len(paths) < len(expected[key]):
            return f"The list of {key} is not complete: at which other node does the search stop before the last child?"
    return None


def numbered(case, given):
    """The tree, with the place of each leaf in the student's list beside it."""
    tree, *_ = case
    leaves = given.get("leaves") if isinstance(given, dict) else None
    worths = {path: tree.utility(path, MAX) for path in leaf_paths(tree)}
    listed = leaves if isinstance(leaves, list | tuple) else []
    answers = {path: f"{worth} ({listed.index(worth) + 1})" for path, worth in worths.items() if worth in listed}
    return [("your order", picture(tree, answers=answers))]


TRACE = Question(
    **heading("trace", "alpha_beta.trace", "Alpha-beta by hand", 3),
    personal=own_tree,
    reference=by_hand,
    compare=first_wrong_step,
    draw=numbered,
)

DEPTH = choice(
    identifier="alpha_beta.depth",
    title="What a good order is worth",
    right="c",
    reasons={
        "a": "That would be so if nothing were cut, as in the worst order. Here the order is the best.",
        "b": "The best order saves more: write down the leaves of both for m plies, and set them equal.",
        "d": "What is left to look at still grows by a constant factor with every two plies.",
    },
)

QUESTIONS = (TRACE, SEARCH, CUT, MEND_NEGAMAX, NEGAMAX, ORDER, DEPTH)
