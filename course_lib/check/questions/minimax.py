"""The questions of notebook 2, minimax."""

from functools import partial
from itertools import product
from math import inf

from hypothesis import strategies as st

from course_lib.check.cases import (
    in_turn,
    inner_nodes,
    leaves_of,
    random_shapes,
    random_trees,
    shapes,
    tree_game,
    tree_games,
)
from course_lib.check.compare import equal, misfit, same, shown, value_and_action
from course_lib.check.personal import tree_from
from course_lib.check.question import Bug, Question, choice, mistakes, read
from course_lib.check.searches import (
    COUNTED,
    MINS_UTILITY,
    MISTAKES,
    at_the_root,
    best,
    best_actions,
    best_limited_actions,
    filled_in,
    first_of_pair,
    first_wrong_node,
    for_max,
    limited_cases,
    limited_value,
    only_for_min,
    opposite_for_min,
    small_limited,
    small_roots,
    told_with,
    value_at_depth,
    wrong_limited,
)
from course_lib.games import MAX, MIN
from course_lib.search import depth_limited_minimax_search, max_n_search, minimax_search, minimax_value
from course_lib.watch.paths import inner_paths

# Minimax with parts to be replaced by wrong ones.


def wrong_value(game, state, worth=for_max, choose=best, turn=None):
    """MINIMAX(s); with `turn` players are taken to alternate from there."""
    if game.is_terminal(state):
        return worth(game, state)
    player, following = (game.to_move(state), None) if turn is None else (turn, 1 - turn)
    below = [game.result(state, action) for action in game.actions(state)]
    return choose(player, [wrong_value(game, after, worth, choose, following) for after in below])


def alternating_value(game, state):
    """It asks who begins, and counts from there."""
    return wrong_value(game, state, turn=game.to_move(state))


def wrong_search(game, state, turn=None, **parts):
    """The (value, action) that goes with `wrong_value`."""
    value = wrong_value(game, state, turn=turn, **parts)
    for action in () if game.is_terminal(state) else game.actions(state):
        if wrong_value(game, game.result(state, action), turn=None if turn is None else 1 - turn, **parts) == value:
            return value, action
    return value, None


def action_from_below(game, state):
    """The value is right, the action that of the last ply."""
    action, value = None, minimax_value(game, state)
    while not game.is_terminal(state):
        action = minimax_search(game, state)[1]
        state = game.result(state, action)
    return value, action


def alternating_search(game, state):
    return wrong_search(game, state, turn=game.to_move(state))


def action_at_the_end(game, state):
    return (minimax_value(game, state), 0) if game.is_terminal(state) else minimax_search(game, state)


def value_for_the_mover(game, state):
    value, action = minimax_search(game, state)
    return (value if game.to_move(state) == MAX else -value), action


VALUE = Question(
    identifier="minimax.value",
    title="MINIMAX(s)",
    kind="write",
    points=2,
    name="my_minimax_value",
    small=small_roots,
    cases=random_trees().map(at_the_root),
    reference=minimax_value,
    compare=equal,
    value_of=lambda case, node: minimax_value(case[0], node.state),
    bugs=(
        *mistakes(wrong_value, *MISTAKES.values(), MINS_UTILITY),
        Bug(COUNTED, MISTAKES[COUNTED][1], alternating_value),
    ),
)


SEARCH = Question(
    identifier="minimax.search",
    title="MINIMAX-SEARCH: the value and the action",
    kind="write",
    points=3,
    name="my_minimax_search",
    small=small_roots,
    cases=random_trees().map(at_the_root),
    reference=minimax_search,
    compare=value_and_action(best_actions),
    gist=first_of_pair,
    value_of=lambda case, node: minimax_value(case[0], node.state),
    bugs=(
        *mistakes(wrong_search, *MISTAKES.values(), MINS_UTILITY),
        Bug(COUNTED, MISTAKES[COUNTED][1], alternating_search),
        Bug("an action in a terminal state", "where the game is over the action is None.", action_at_the_end),
        Bug("value for the player to move", "values are always Max's, also where Min is to move.", value_for_the_mover),
        Bug("the action comes from below", "return the action of this node, not the one that was best further down.",
            action_from_below),
    ),
)  # fmt: skip


# Depth-limited minimax.


def ignored_depth(game, state, depth, evaluate):
    return minimax_search(game, state)


def cut_at_one(game, state, depth, evaluate):
    return wrong_limited(game, state, depth or inf, evaluate, horizon=1)


def depth_used_up(game, state, depth, evaluate):
    """`depth -= 1` stands in the loop."""
    if depth <= 0 or game.is_terminal(state):
        return wrong_limited(game, state, 0, evaluate)
    below = [(game.result(state, action), action) for action in game.actions(state)]
    found = [(depth_used_up(game, after, depth - n, evaluate)[0], a) for n, (after, a) in enumerate(below, 1)]
    value = best(game.to_move(state), [value for value, _ in found])
    return next(pair for pair in found if pair[0] == value)


def limited_by_turns(game, state, depth, evaluate):
    return wrong_limited(game, state, depth, evaluate, turn=game.to_move(state))


def evaluated_leaves(game, state, depth, evaluate):
    if depth == 0 or game.is_terminal(state):
        return evaluate(state), None
    actions = game.actions(state)
    values = [evaluated_leaves(game, game.result(state, action), depth - 1, evaluate)[0] for action in actions]
    value = best(game.to_move(state), values)
    return value, actions[values.index(value)]


LIMITED = Question(
    identifier="minimax.depth_limited",
    title="Depth-limited minimax",
    kind="write",
    points=3,
    name="my_depth_limited_search",
    small=small_limited,
    cases=limited_cases(tree_games(plies=4, most=2)),
    reference=depth_limited_minimax_search,
    compare=value_and_action(best_limited_actions),
    gist=first_of_pair,
    tell=told_with("my_depth_limited_search", "evaluate"),
    value_of=lambda case, node: value_at_depth(limited_value, case, node, len(node.path)),
    bugs=(
        Bug("depth off by one", "your search stops one ply too early.", partial(wrong_limited, horizon=1)),
        Bug("depth off by one", "your search goes one ply too deep.", partial(wrong_limited, horizon=-1)),
        Bug("depth off by one", "cut off at depth 0: yours does at 1, and a search that begins at 0 never ends.",
            cut_at_one),
        Bug("terminal states are evaluated", "where the game is over, the utility counts: ask that first.",
            partial(wrong_limited, terminal_first=False)),
        Bug("terminal states are evaluated", "where the game is over, the utility counts, not an estimate of it.",
            evaluated_leaves),
        Bug("the depth is ignored", "where depth has come down to 0, evaluate(state) counts.", ignored_depth),
        Bug("estimate from the wrong side", "evaluate(state) is Max's already, whoever is to move.",
            partial(wrong_limited, sign=opposite_for_min)),
        Bug("two plies counted as one", "every move is a ply, Max's and Min's: take 1 from the depth at each.",
            partial(wrong_limited, step=only_for_min)),
        Bug("the depth gets less with each action", "hand depth − 1 down to all children alike.", depth_used_up),
        Bug("the depth never gets less", "hand depth − 1 down.", partial(wrong_limited, step=lambda player: 0)),
        *mistakes(wrong_limited, *MISTAKES.values(), MINS_UTILITY),
        Bug(COUNTED, MISTAKES[COUNTED][1], limited_by_turns),
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
    return list(map(at_the_root, games))


@st.composite
def vector_games(draw):
    shape = draw(random_shapes())
    orders = [draw(st.permutations(range(leaves_of(shape)))) for _ in range(3)]
    movers = [draw(st.integers(0, 2)) for _ in range(inner_nodes(shape))]
    return vector_game(shape, orders, movers)


def wrong_max_n(game, state, better, turn=None):
    """max^n in which a player prefers the vector for which `better(player, vector)` is largest."""
    if game.is_terminal(state):
        return tuple(game.utility(state, player) for player in range(game.players)), None
    player, following = (game.to_move(state), None) if turn is None else (turn, (turn + 1) % game.players)
    vectors = [(wrong_max_n(game, game.result(state, action), better, following)[0], action)
               for action in game.actions(state)]  # fmt: skip
    return max(vectors, key=lambda found: better(player, found[0]))


def own(player, vector):
    return vector[player]


MAX_N = Question(
    identifier="minimax.max_n",
    title="max^n for three players",
    kind="write",
    points=3,
    name="my_max_n",
    small=small_vectors,
    cases=vector_games().map(at_the_root),
    reference=max_n_search,
    compare=equal,
    gist=first_of_pair,
    value_of=lambda case, node: max_n_search(case[0], node.state)[0],
    bugs=(
        Bug("everybody plays for player 0", "each player looks at a utility of their own, utilities[player].",
            partial(wrong_max_n, better=lambda player, vector: vector[0])),
        Bug("everybody plays against player 0", "nobody minimises here: all want their own utility to be large.",
            partial(wrong_max_n, better=lambda player, vector: vector[0] if player == 0 else -vector[0])),
        Bug("the sum is maximised", "a player looks at one utility, not at the sum of all.",
            partial(wrong_max_n, better=lambda player, vector: sum(vector))),
        Bug("the wrong player's utility", "it is the player to move in this state who chooses, not the next one.",
            partial(wrong_max_n, better=lambda player, vector: vector[(player + 1) % 3])),
        Bug("the smallest utility is taken", "each player takes what is largest for them.",
            partial(wrong_max_n, better=lambda player, vector: -vector[player])),
        Bug("the first action is taken", "compare the vectors of all actions.",
            partial(wrong_max_n, better=lambda *_: 0)),
        Bug(COUNTED, "ask game.to_move(state) at every node: anyone may begin or move twice.",
            partial(wrong_max_n, better=own, turn=0)),
    ),
)  # fmt: skip


# Minimax for the move alone, to be mended. The answer is an action.


def wrong_decision(game, state, root=None, turn=None, choose=best, worth=for_max):
    """The action of a value-only minimax; `root` is who is taken to move at the root, if not asked."""
    player = game.to_move(state) if root is None else root
    following = None if turn is None else 1 - player
    actions = game.actions(state)
    values = [wrong_value(game, game.result(state, a), worth, choose, following) for a in actions]
    return actions[values.index(choose(player, values))]


DECISION = Question(
    identifier="minimax.mend",
    title="Mend MINIMAX-DECISION",
    kind="mend",
    points=2,
    name="mended_decision",
    small=lambda: [case for case in small_roots() if not case[0].is_terminal(case[1])],
    cases=random_trees().map(at_the_root),
    reference=wrong_decision,
    compare=lambda case, expected, given: not_best(case, given),
    bugs=(
        Bug("not mended yet", "it takes Max to be at the root, and turns to alternate from there.",
            partial(wrong_decision, root=MAX, turn=True)),
        Bug("Max is taken to move at the root", "where Min is to move at the root, the smallest value is the best.",
            partial(wrong_decision, root=MAX)),
        Bug(COUNTED, MISTAKES[COUNTED][1],
            partial(wrong_decision, turn=True)),
        *mistakes(wrong_decision, *(row for name, row in MISTAKES.items() if name != COUNTED)),
    ),
)  # fmt: skip


def not_best(case, given):
    best = best_actions(*case)
    if any(same(given, action) for action in best):
        return None
    return misfit(best[0], given) or f"Action {shown(given)} is not best here."


# A tree of one's own, by hand.


def node_values(tree):
    """Path → minimax value of every inner node, in the order in which the search returns from them."""
    return {path: minimax_value(tree, path) for path in inner_paths(tree)}


TRACE = Question(
    identifier="minimax.trace",
    title="Minimax by hand",
    kind="trace",
    points=3,
    name="node_values",
    personal=lambda numbers: (tree_from(numbers, ((2,), (2,), (2, 3)), first=numbers.choice((MAX, MIN))),),
    ask=read,
    reference=node_values,
    compare=first_wrong_node,
    draw=filled_in,
)

MEMORY = choice(
    identifier="minimax.memory",
    title="What is kept in memory",
    name="memory",
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
    name="opponent",
    right="c",
    reasons={
        "a": "Against a weaker opponent Max may get more than the value, and never less.",
        "b": "The value is a promise: no opponent, good or bad, can push Max below it.",
        "d": "The best replies are what minimax expects; another strategy may make more of an opponent's mistakes.",
    },
)

QUESTIONS = (TRACE, VALUE, SEARCH, DECISION, LIMITED, MAX_N, MEMORY, OPPONENT)
