"""The questions of notebook 2, minimax."""

from itertools import product
from math import inf

from course_lib.check import searches
from course_lib.check.cases import (
    in_turn,
    inner_nodes,
    leaves_of,
    named_or_not,
    random_shape,
    shapes,
    tree_game,
    with_names,
)
from course_lib.check.compare import BEGUN_TOO_NEAR, FAR, equal, same, value_and_action, value_part, wrong_action
from course_lib.check.personal import tree_from
from course_lib.check.question import Bug, Question, choice, heading
from course_lib.games import MAX, MIN
from course_lib.search import minimax_value
from course_lib.watch.paths import inner_paths

# MINIMAX(s) and MINIMAX-SEARCH.


def my_minimax_value(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    player = game.to_move(state)
    v = -inf if player == MAX else inf
    for action in game.actions(state):
        v2 = my_minimax_value(game, game.result(state, action))
        if v2 > v if player == MAX else v2 < v:
            v = v2
    return v


def negamax(game, state):
    """A number for the player to move, whose sign changes with every move."""
    if game.is_terminal(state):
        return game.utility(state, game.to_move(state))
    return max(-negamax(game, game.result(state, action)) for action in game.actions(state))


def sign_of(game, state):
    return 1 if game.is_terminal(state) or game.to_move(state) == MAX else -1


FOR_THE_MOVER = "value for the player to move", "values are always Max's, also where Min is to move."
SIGN_EACH_PLY = (
    searches.COUNTED,
    "a change of sign at each move is right only where the other player moves next: ask game.to_move.",
)
VALUE = Question(
    **heading("write", "minimax.value", "MINIMAX(s)", 2),
    small=searches.roots_and_ends,
    cases=searches.random_root,
    reference=my_minimax_value,
    compare=equal,
    value_of=lambda case, node: minimax_value(case[0], node.state),
    bugs=(
        *searches.of_searches(my_minimax_value),
        Bug(*FOR_THE_MOVER, lambda game, state: sign_of(game, state) * minimax_value(game, state)),
        Bug(*SIGN_EACH_PLY, negamax),
        Bug(*SIGN_EACH_PLY, lambda game, state: sign_of(game, state) * negamax(game, state)),
    ),
)


def my_minimax_search(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    player = game.to_move(state)
    v, move = (-inf if player == MAX else inf), None
    for action in game.actions(state):
        v2, _ = my_minimax_search(game, game.result(state, action))
        if v2 > v if player == MAX else v2 < v:
            v, move = v2, action
    return v, move


SEARCH = Question(
    **heading("write", "minimax.search", "MINIMAX-SEARCH: the value and the action", 3),
    small=searches.roots_and_ends,
    cases=searches.random_root,
    bugs=(
        *searches.of_searches(my_minimax_search),
        Bug(*FOR_THE_MOVER, lambda game, state: (sign_of(game, state) * minimax_value(game, state), None)),
    ),
    **searches.value_and_move(my_minimax_search),
)


# Depth-limited minimax.

LIMITED = Question(
    **heading("write", "minimax.depth_limited", "Depth-limited minimax", 3),
    name="my_depth_limited_search",
    small=searches.small_limited,
    cases=searches.random_limited,
    reference=searches.limited_minimax,
    compare=value_and_action(searches.best_limited_actions),
    gist=value_part,
    value_of=lambda case, node: searches.value_at_depth(searches.limited_value, case, node, len(node.path)),
    bugs=(
        ("depth off by one", "cut off at depth 0: yours does at 1, and a search that begins at 0 never ends.",
            {"depth == 0": "depth == 1"}),
        ("terminal states are evaluated", "where the game is over, the utility counts, not an estimate of it.",
            {"game.utility(state, MAX)": "evaluate(state)"}),
        ("ends of the game are forgotten", "a game may be over before depth 0: ask game.is_terminal(state) first.",
            {"if game.is_terminal(state)": "if depth == 0 and game.is_terminal(state)"}),
        ("estimate from the wrong side", "evaluate(state) is Max's already, whoever is to move.",
            {"return evaluate(state)": "return (1 if game.to_move(state) == MAX else -1) * evaluate(state)"}),
        ("two plies counted as one", "every move is a ply, Max's and Min's: take 1 from the depth at each.",
            {"depth - 1": "depth if player == MAX else depth - 1"},
            {"depth - 1": "depth if player != MAX else depth - 1"}),
        ("the depth gets less with each action", "hand depth − 1 down to all children alike.",
            {"depth == 0": "depth <= 0", "        v2, _": "        depth -= 1\n        v2, _", "depth - 1": "depth"}),
        ("a memory without the depth", "what a state is worth depends on the depth that is left, too: remember both.",
            {"depth, evaluate):": "depth, evaluate, known=None):\n    known = {} if known is None else known",
             "    player =": "    if state in known:\n        return known[state]\n    player =",
             "depth - 1, evaluate)": "depth - 1, evaluate, known)",
             "    return v, move": "    known[state] = v, move\n    return v, move"}),
        *searches.of_searches(searches.limited_minimax),
    ),
)  # fmt: skip


# max^n, on trees in which no two leaves are worth the same to anybody: there are no ties to be broken.


def vector_game(shape, orders, movers):
    """Three players' tree; the nth leaf is worth the nth number of each player's order."""
    return tree_game(shape, zip(*orders), movers, players=3)


def small_vectors():
    games = []
    for leaves in (1, 2, 3):
        up = tuple(range(leaves))
        orders = list(product({up, up[::-1], (*up[1:], 0)}, repeat=3))
        for shape in sorted(shapes(leaves, 2), key=inner_nodes):
            movers = {in_turn(shape, first, players=3) for first in range(3)}
            games += [vector_game(shape, order, turns) for order in orders for turns in sorted(movers)]
            if leaves == 2:
                lost = [vector_game(shape, [[-FAR, 1 - FAR]] * 3, turns) for turns in sorted(movers)]
                games += lost + [with_names(game) for game in lost]
                own = [[[0, 1] if player == mover else [FAR, 0] for player in range(3)] for mover in range(3)]
                games += [vector_game(shape, orders, turns) for orders in own for turns in sorted(movers)]
    games += [vector_game([None] * 4, [range(4)] * 3, (player,)) for player in range(3)]
    return list(map(searches.at_the_root, games))


def random_vectors(luck):
    shape = random_shape(luck)
    orders = [luck.sample(range(leaves_of(shape)), leaves_of(shape)) for _ in range(3)]
    movers = luck.choices(range(3), k=inner_nodes(shape))
    return searches.at_the_root(named_or_not(luck, vector_game(shape, orders, movers)))


def my_max_n(game, state):
    if game.is_terminal(state):
        return tuple(game.utility(state, player) for player in range(game.players)), None
    player = game.to_move(state)
    best, move = None, None
    for action in game.actions(state):
        vector, _ = my_max_n(game, game.result(state, action))
        if best is None or vector[player] > best[player]:
            best, move = vector, action
    return best, move


PREFERRED = "vector[player] > best[player]"
MAX_N = Question(
    **heading("write", "minimax.max_n", "max^n for three players", 3),
    small=small_vectors,
    cases=random_vectors,
    reference=my_max_n,
    compare=equal,
    gist=value_part,
    value_of=lambda case, node: my_max_n(case[0], node.state)[0],
    bugs=(
        ("everybody plays for player 0", "each player looks at a utility of their own, utilities[player].",
            {PREFERRED: "vector[0] > best[0]"}),
        ("everybody plays against player 0", "nobody minimises here: all want their own utility to be large.",
            {PREFERRED: "(vector[0] > best[0] if player == 0 else vector[0] < best[0])"}),
        ("the others' utilities count", "each player wants the most of their own utility, whatever the others get.",
            {PREFERRED: "2 * vector[player] - sum(vector) > 2 * best[player] - sum(best)"}),
        ("an action where the game is over", "there the action is None.", {"players)), None": "players)), 0"}),
        searches.said(BEGUN_TOO_NEAR.name,
            {"None, None\n": "(-1000,) * game.players, None\n", "best is None or ": ""}),
        searches.said("the action comes from below",
            {"vector, _": "vector, below", "best, move = vector, action": "best, move = vector, below"}),
        *searches.of_searches(my_max_n),
    ),
)  # fmt: skip


# Minimax for the move alone, to be mended. The answer is an action.


def mended_decision(game, state):
    player = game.to_move(state)
    v, move = (-inf if player == MAX else inf), None
    for action in game.actions(state):
        v2 = my_minimax_value(game, game.result(state, action))
        if v2 > v if player == MAX else v2 < v:
            v, move = v2, action
    return move


MAX_BEGINS = {f"{searches.PLAYER}\n    v, move": "player = MAX\n    v, move"}
ALTERNATING = {"value(game, state):": "value(game, state, player):", f"    {searches.PLAYER}\n    v = ": "    v = ",
               ("action))", 2): "action), 1 - player)"}  # fmt: skip


def not_best(case, expected, given):
    if same(expected, given):
        return None
    return wrong_action(case, searches.best_actions(my_minimax_search)(*case), given)


DECISION = Question(
    **heading("mend", "minimax.mend", "Mend MINIMAX-DECISION", 2),
    small=lambda: [case for case in searches.roots_and_ends() if not case[0].is_terminal(case[1])],
    cases=searches.random_root,
    reference=mended_decision,
    compare=not_best,
    parts=(my_minimax_value,),
    bugs=(
        ("not mended yet", "it takes Max to be at the root, and turns to alternate from there.",
            ALTERNATING | MAX_BEGINS),
        ("Max is taken to move at the root", "where Min is to move at the root, the smallest value is the best.",
            MAX_BEGINS),
        searches.said(searches.COUNTED, ALTERNATING),
        searches.said(BEGUN_TOO_NEAR.name, {f"({searches.START}), None": "(-1000 if player == MAX else 1000), None"}),
        *searches.of_searches((my_minimax_value, mended_decision)),
    ),
)  # fmt: skip


# A tree of one's own, by hand.


def node_values(tree):
    """Path → minimax value of every inner node, in the order in which the search returns from them."""
    return {path: minimax_value(tree, path) for path in inner_paths(tree)}


TRACE = Question(
    **heading("trace", "minimax.trace", "Minimax by hand", 3),
    personal=lambda numbers: (tree_from(numbers, ((2,), (2,), (2, 3)), first=numbers.choice((MAX, MIN))),),
    reference=node_values,
    compare=searches.first_wrong_node,
    draw=searches.filled_in,
)

MEMORY = choice(
    identifier="minimax.memory",
    title="What is kept in memory",
    right="b",
    reasons={
        "a": "Depth-first search forgets a branch when it has its value; the naive labelling keeps the whole tree.",
        "c": "The values of one branch are not enough: the moves that wait beside it must be kept as well.",
        "d": "A single ply has up to b^m nodes. That is breadth-first search, which minimax is not.",
    },
)

OPPONENT = choice(
    identifier="minimax.opponent",
    title="Against a weak opponent",
    right="c",
    reasons={
        "a": "Against a weaker opponent Max may get more than the value, and never less.",
        "b": "The value is a promise: no opponent, good or bad, can push Max below it.",
        "d": "The best replies are what minimax expects; another strategy may make more of an opponent's mistakes.",
    },
)

QUESTIONS = (TRACE, VALUE, SEARCH, DECISION, LIMITED, MAX_N, MEMORY, OPPONENT)
