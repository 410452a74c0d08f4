"""The questions of notebook 2, minimax."""

from functools import partial
from itertools import product

from hypothesis import strategies as st

from course_lib.explore import picture
from course_lib.explore.columns import number_text
from course_lib.explore.practice import inner_paths, leaf_paths
from course_lib.games import MAX, MIN
from course_lib.grading.cases import (
    Lookup,
    in_turn,
    inner_nodes,
    leaves_of,
    random_shapes,
    shapes,
    small_trees,
    tree_game,
    tree_games,
)
from course_lib.grading.compare import equal, is_number, misfit, same, shown, value_and_action
from course_lib.grading.personal import tree_from
from course_lib.grading.question import Bug, Question, choice, read
from course_lib.search import depth_limited_minimax_search, max_n_search, minimax_search, minimax_value


def at_the_root(game):
    """The case (game, initial state)."""
    return game, game.initial_state()


def small_roots():
    return list(map(at_the_root, small_trees()))


def first_of_pair(answer):
    """The value of a (value, action) pair."""
    return answer[0]


# Minimax with parts to be replaced by wrong ones.


def for_max(game, state):
    return game.utility(state, MAX)


def for_the_mover(game, state):
    return game.utility(state, game.to_move(state))


def best(player, values):
    return max(values) if player == MAX else min(values)


def worst(player, values):
    return best(1 - player, values)


def largest(player, values):
    return max(values)


def last(player, values):
    return values[-1]


def from_zero(player, values):
    return best(player, [0, *values])


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


COUNTED = "turns counted instead of asked"
MISTAKES = {
    "utility from the wrong side": (
        "a leaf is worth game.utility(state, MAX), whoever would be to move there.", {"worth": for_the_mover}),
    "max and min exchanged": ("where MAX is to move the largest value counts, where MIN is, the smallest.",
                              {"choose": worst}),
    "everybody maximises": ("where MIN is to move the smallest value counts.", {"choose": largest}),
    "the last value overwrites the best": ("keep the best of all values, not the last.", {"choose": last}),
    "the best value starts at 0": (
        "all values may be below 0, or above: begin with −∞ for Max and +∞ for Min.", {"choose": from_zero}),
    COUNTED: (
        "ask game.to_move(state) at every node: Min may begin, and a player may move twice in a row.", {"turn": MAX}),
}  # fmt: skip
"""Name → the sentence, and the parts that make the mistake."""


def mistakes(base):
    return tuple(Bug(name, sentence, partial(base, **parts)) for name, (sentence, parts) in MISTAKES.items())


VALUE = Question(
    identifier="minimax.value",
    title="MINIMAX(s)",
    kind="write",
    points=2,
    name="my_minimax_value",
    small=small_roots,
    cases=tree_games().map(at_the_root),
    reference=minimax_value,
    compare=equal,
    value_of=lambda case, node: minimax_value(case[0], node.state),
    bugs=(*mistakes(wrong_value), Bug(COUNTED, MISTAKES[COUNTED][0], alternating_value)),
)


def best_actions(game, state):
    """The actions that keep the value of the state."""
    if game.is_terminal(state):
        return []
    value = minimax_value(game, state)
    return [action for action in game.actions(state) if minimax_value(game, game.result(state, action)) == value]


SEARCH = Question(
    identifier="minimax.search",
    title="MINIMAX-SEARCH: the value and the action",
    kind="write",
    points=3,
    name="my_minimax_search",
    small=small_roots,
    cases=tree_games().map(at_the_root),
    reference=minimax_search,
    compare=value_and_action(best_actions),
    gist=first_of_pair,
    value_of=lambda case, node: minimax_value(case[0], node.state),
    bugs=(
        *mistakes(wrong_search),
        Bug(COUNTED, MISTAKES[COUNTED][0], alternating_search),
        Bug("an action in a terminal state", "where the game is over the action is None.", action_at_the_end),
        Bug("value for the player to move", "values are always Max's, also where Min is to move.", value_for_the_mover),
        Bug("the action comes from below", "return the action of this node, not the one that was best further down.",
            action_from_below),
    ),
)  # fmt: skip


# Depth-limited minimax: a case is (game, state, depth, evaluate).


def limited(game, depth, estimates):
    """The case in which states are estimated at these numbers, in turn; no leaf's estimate is what it is worth."""
    return game, (), depth, Lookup(zip([*inner_paths(game), *leaf_paths(game)], estimates))


def small_limited():
    games = [game for game in small_trees(turns=False) if len(leaf_paths(game)) < 4]
    return [limited(game, depth, (5, -4, 3, -6, 7, -8, 4)) for game in games for depth in range(4)]


@st.composite
def limited_cases(draw):
    game = draw(tree_games(plies=4, most=2))
    nodes = len(inner_paths(game)) + len(leaf_paths(game))
    return limited(game, draw(st.sampled_from([0, 1, 1, 2, 2, 3])), [draw(st.integers(-9, 9)) for _ in range(nodes)])


def limited_value(game, state, depth, evaluate):
    return depth_limited_minimax_search(game, state, depth, evaluate)[0]


def best_limited_actions(game, state, depth, evaluate):
    if depth == 0 or game.is_terminal(state):
        return []
    value = limited_value(game, state, depth, evaluate)
    below = [(action, game.result(state, action)) for action in game.actions(state)]
    return [action for action, after in below if limited_value(game, after, depth - 1, evaluate) == value]


def always(player):
    return 1


def ignored_depth(game, state, depth, evaluate):
    return minimax_search(game, state)


def evaluated_leaves(game, state, depth, evaluate):
    if depth == 0 or game.is_terminal(state):
        return evaluate(state), None
    actions = game.actions(state)
    values = [evaluated_leaves(game, game.result(state, action), depth - 1, evaluate)[0] for action in actions]
    value = best(game.to_move(state), values)
    return value, actions[values.index(value)]


def wrong_limited(game, state, depth, evaluate, horizon=0, terminal_first=True, step=always, sign=always, choose=best):
    """Depth-limited minimax with parts to be replaced: it cuts off where `depth` has come down to `horizon`."""
    if terminal_first and game.is_terminal(state):
        return game.utility(state, MAX), None
    player = game.to_move(state)
    if depth <= horizon:
        return sign(player) * evaluate(state), None
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    rest = (horizon, terminal_first, step, sign, choose)
    actions = game.actions(state)
    left = depth - step(player)
    values = [wrong_limited(game, game.result(state, action), left, evaluate, *rest)[0] for action in actions]
    value = choose(player, values)
    return value, actions[values.index(value)]


def opposite_for_min(player):
    return 1 if player == MAX else -1


def only_for_min(player):
    return 1 if player == MIN else 0


LIMITED = Question(
    identifier="minimax.depth_limited",
    title="Depth-limited minimax",
    kind="write",
    points=3,
    name="my_depth_limited_search",
    small=small_limited,
    cases=limited_cases(),
    reference=depth_limited_minimax_search,
    compare=value_and_action(best_limited_actions),
    gist=first_of_pair,
    bugs=(
        Bug("depth off by one", "your search stops one ply too early.", partial(wrong_limited, horizon=1)),
        Bug("depth off by one", "your search goes one ply too deep.", partial(wrong_limited, horizon=-1)),
        Bug("terminal states are evaluated", "where the game is over, the utility counts: ask that first.",
            partial(wrong_limited, terminal_first=False)),
        Bug("terminal states are evaluated", "where the game is over, the utility counts, not an estimate of it.",
            evaluated_leaves),
        Bug("the depth is ignored", "where depth has come down to 0, evaluate(state) counts.", ignored_depth),
        Bug("estimate from the wrong side", "evaluate(state) is Max's already, whoever is to move.",
            partial(wrong_limited, sign=opposite_for_min)),
        Bug("two plies counted as one", "every move is a ply, Max's and Min's: take 1 from the depth at each.",
            partial(wrong_limited, step=only_for_min)),
        Bug("the depth never gets less", "hand depth − 1 down.", partial(wrong_limited, step=lambda player: 0)),
        Bug("max and min exchanged", MISTAKES["max and min exchanged"][0], partial(wrong_limited, choose=worst)),
        Bug("everybody maximises", MISTAKES["everybody maximises"][0], partial(wrong_limited, choose=largest)),
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


def wrong_decision(game, state, root=None, turn=None, choose=best):
    """The action of a value-only minimax; `root` is who is taken to move at the root, if not asked."""
    player = game.to_move(state) if root is None else root
    following = None if turn is None else 1 - player
    actions = game.actions(state)
    values = [wrong_value(game, game.result(state, a), choose=choose, turn=following) for a in actions]
    return actions[values.index(choose(player, values))]


DECISION = Question(
    identifier="minimax.mend",
    title="Mend MINIMAX-DECISION",
    kind="mend",
    points=2,
    name="mended_decision",
    small=lambda: [case for case in small_roots() if not case[0].is_terminal(case[1])],
    cases=tree_games().map(at_the_root),
    reference=wrong_decision,
    compare=lambda case, expected, given: not_best(case, given),
    bugs=(
        Bug("not mended yet", "it takes Max to be at the root, and turns to alternate from there.",
            partial(wrong_decision, root=MAX, turn=True)),
        Bug("Max is taken to move at the root", "where Min is to move at the root, the smallest value is the best.",
            partial(wrong_decision, root=MAX)),
        Bug(COUNTED, MISTAKES[COUNTED][0],
            partial(wrong_decision, turn=True)),
        Bug("max and min exchanged", MISTAKES["max and min exchanged"][0], partial(wrong_decision, choose=worst)),
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


def first_wrong_node(case, expected, given):
    tree, *_ = case
    if not isinstance(given, dict):
        return f"A dictionary from paths to values was expected, not {shown(given)}."
    for path, value in expected.items():
        if path not in given:
            return f"There is no value for the node {path}."
        if not is_number(given[path]):
            return f"The value of the node {path} is a number, not {shown(given[path])}."
        if not same(value, given[path]):
            below = ", ".join(number_text(expected.get((*path, a), None) if (*path, a) in expected else
                              tree.utility((*path, a), MAX)) for a in tree.actions(path))  # fmt: skip
            mover = "Max" if tree.to_move(path) == MAX else "Min"
            return f"The first wrong value is at the node {path}. {mover} moves there and chooses among {below}."
    return None


def filled_in(case, given):
    """The tree with the student's values in it."""
    tree, *_ = case
    inner = inner_paths(tree)
    given = given if isinstance(given, dict) else {}
    answers = {path: number_text(given[path]) for path in inner if path in given and is_number(given[path])}
    return [("your values", picture(tree, answers=answers))]


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
