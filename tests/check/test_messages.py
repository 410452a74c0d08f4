"""What a failed check says beside the two answers: the calculation, the cut, the rule, and a question."""

from math import inf, log, sqrt

import numpy as np
import pytest

from course_lib.check.examine import Direct, examine
from course_lib.check.judges import listed, worked
from course_lib.check.report import Report
from course_lib.check.tables import find_table
from course_lib.games import MAX, MIN, TreeGame
from course_lib.games.walking import leaf_paths
from course_lib.search import alpha_beta_search, minimax_value
from solutions.trees import small_trees

COUNTS = {(): (0.5, 3), (0,): (2.0, 2), (1,): (0.5, 1)}


@pytest.mark.parametrize(
    ("function", "right", "case", "text"),
    [
        ("ucb1", 0.5 + sqrt(log(4) / 2), (1, 2, 4, 1), "1/2 + 1 · √(ln(4)/2) = 0.5 + 0.8326 = 1.333."),
        ("ucb1", inf, (0, 0, 4, 1), "N = 0: +∞."),
        ("puct", 1.5, (0.5, 0.5, 0, 4, 1), "0.5 + 1 · 0.5 · √4/(1 + 0) = 0.5 + 1 = 1.5."),
        ("policy", [0.2, 0.8], ([1, 2], 0.5), "N^(1/τ) = (1, 4); Σ = 5; π = (0.2, 0.8)."),
        ("back_up", [(4, 1, 0.25), (3, 0, 0)], ([(3, 0.5), (2, 0.5)], 0.5),
         "from the last node up: W = 0.5 − 0.5 = 0, Q = 0/3 = 0; W = 0.5 + 0.5 = 1, Q = 1/4 = 0.25."),
        ("interval", (-0.104, 0.604, False), (0, 1, 1),
         "s = (0 + 1/2)/2 = 0.25; (0 · (1 − 0.25)² + 1 · (½ − 0.25)² + 1 · 0.25²)/2 = 0.06266; "
         "√(0.06266/2) = 0.177; low = 0.25 − 2 · 0.177 = −0.104; high = 0.25 + 2 · 0.177 = 0.604; "
         "is ½ outside? False."),
        ("timed", [3, []], ([[2, 3, 4], [3, 0, 1]], 5, 3),
         "end at 7 s, 10 s, and the time is up at 8 s. Column 3 is that of the deepest one that finished, or else of "
         "depth 1."),
        ("sizes", [3, 2, 3], (TreeGame([[1, 2], 3]), (0,)),
         "the nodes are [(0,), (0, 0), (0, 1)], and the leaves [(0, 0), (0, 1)]."),
        ("sizes", [15, 8, 15], (TreeGame([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]), ()),
         "by their ply, the numbers of nodes are {0: 1, 1: 2, 2: 4, 3: 8}, and of leaves {3: 8}."),
        ("playout", 0, (TreeGame([[-1]]), (), lambda state: 0),
         "from () to (0, 0), where game.utility(state, MAX) is −1: (−1 + 1)/2 = 0."),
        ("totals", False, (TreeGame([(1, -1), [(0, 0), (1, 0)]]),), "with each: 0 at (1, 0); 1 at (1, 1)."),
        ("gains", {(): 0, (0,): 0}, (TreeGame([[1]]), {}, (0,), 0.25),
         "add 0.75 to U and 1 to N at (), for Min; add 0.25 to U and 1 to N at (0,), for Max."),
        ("selection", [[], [0]], (TreeGame([-1, 0], first=1), COUNTS, 0.5),
         "(0,): 2/2 + 0.5 · √(ln(3)/2) = 1 + 0.3706 = 1.371. (1,): 0.5/1 + 0.5 · √(ln(3)/1) = 0.5 + 0.5241 = 1.024."),
        ("targets", [-1, 1], ([0, 1], 1), "Min has won; z for each player who is to move: Max −1, Min 1."),
        ("loss", 1, ([[0.5, 0.5], [1, 0]], [0, 0.5], [[0.5, 0.5], [1, 0]], [1, 1], [2], 0.1, (0.625, 0.3466, 0.4)),
         "mean of (z − v)²: (1 + 0.25)/2 = 0.625; mean of −π·log p: (0.6931 + 0)/2 = 0.3466; λ‖θ‖²: 0.1 · 4 = 0.4."),
    ],
)  # fmt: skip
def test_the_calculation_of_an_answer_is_shown_with_the_numbers_of_the_case(function, right, case, text):
    assert getattr(worked, function)(right, *case).replace("-0", "0").endswith(text)


def test_what_is_said_of_a_cut_holds_in_every_small_tree():
    """A leaf that alpha-beta visits must be visited, and any other need not be: α and β at the node say so."""
    for game in small_trees()[::9]:
        seen = listed.call_and_leaves(Direct(alpha_beta_search), "", (game, ()))[1]
        for leaf in filter(None, leaf_paths(game)):
            before = seen[: seen.index(leaf)] if leaf in seen else None
            words = listed._at_the_cut((game, ()), leaf, before)
            assert words.endswith(
                "α < β, so it must go on there."
                if leaf in seen
                else "α ≥ β, so it should stop there (Max if v ≥ β, Min if v ≤ α)."
            )


@pytest.mark.parametrize(
    ("case", "leaf", "seen", "words"),
    [
        ((TreeGame([-1, [-1, 5]], first=1), ()), (1, 1), None, "At the Max node (1,), α (what Max has for certain by "
         "then) is −1, β (Min) −1; α ≥ β, so it should stop there (Max if v ≥ β, Min if v ≤ α)."),
        ((TreeGame([3, [4, 2]]), (), 2, None), (1, 1), [(0,), (1, 0)], "is 3, β (Min) 4; α < β, so it must go on"),
    ],
)  # fmt: skip
def test_the_node_of_a_cut_is_named_with_its_bounds(case, leaf, seen, words):
    assert words in listed._at_the_cut(case, leaf, seen)


def told(question, answer):
    """The failed case and everything that is said of it."""
    report = Report(examine(find_table(question), Direct(answer)).failure, answer)
    return report.row.case, " ".join([report.words, *report.remarks])


def search(inner=None, leaf=lambda game, state: game.utility(state, MAX), estimate=lambda state: state):
    """A depth-limited search for Max in which something is wrong: inner nodes, leaves, or what is estimated."""

    def value(game, state, depth, evaluate):
        if game.is_terminal(state):
            return leaf(game, state) if inner else evaluate(state)
        if depth == 0:
            is_opposite = game.to_move(state) == MIN and estimate(state) == state
            return -evaluate(state) if is_opposite else evaluate(estimate(state))
        children = [value(game, game.result(state, action), depth - 1, evaluate) for action in game.actions(state)]
        return (inner or max)(children) if game.to_move(state) == MAX else min(children)

    return value


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (search(), "The game is over there, and yours is as large as evaluate(state): which test comes first?"),
        (search(max, lambda game, state: game.utility(state, len(state) % 2)), "If not Max's, where does its sign"),
        (search(lambda values: sum(values) / len(values)), "the largest of −1, 0. Which line of your code makes −0.5"),
        (search(max, estimate=lambda state: ()), "Yours is as large as evaluate(()): does it"),
    ],
)  # fmt: skip
def test_a_wrong_node_has_its_rule_and_the_question_that_separates_the_candidates(value, words):
    assert words in told("evaluation_functions.fix", value)[1]


def test_a_node_at_which_no_depth_is_left_has_its_estimate_whatever_depth_the_search_passes_on():
    def late(game, state, depth, evaluate):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        actions, sign = game.actions(state), 1 if game.to_move(state) == MAX else -1
        if depth == 0:
            return sign * evaluate(state)
        left = depth - (len(actions) > 1)  # an only action is no ply
        return sign * max(sign * late(game, game.result(state, action), left, evaluate) for action in actions)

    assert "No depth is left there, and evaluate(state) is 5." in told("evaluation_functions.fix", late)[1]


def test_two_numbers_that_are_nearly_the_same_are_shown_with_all_their_digits():
    def nearly(game, state):
        if game.is_terminal(state):
            return game.utility(state, MAX) + 1e-6
        return (max if game.to_move(state) == MAX else min)(
            nearly(game, game.result(state, a)) for a in game.actions(state)
        )

    assert "worth −1 to Max, but your search returns −0.999999." in told("minimax.value", nearly)[1]


def test_a_wrong_decision_is_shown_in_a_small_tree_with_the_values_of_both_actions():
    def value(game, state, player):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        below = [game.result(state, action) for action in game.actions(state)]
        return [max, min][player](value(game, s, game.to_move(s) if player else MIN) for s in below)

    def decision(game, state):
        best = [max, min][game.to_move(state)]
        after = {action: game.result(state, action) for action in game.actions(state)}
        return best(after, key=lambda action: value(game, after[action], game.to_move(after[action])))

    (game, _), words = told("minimax.fix", decision)
    assert len(game.nodes) < 8 and "It leads to the value" in words and "first goes wrong at" in words


def test_nothing_is_asked_of_a_mistake_that_has_a_name():
    def first(game, state):
        return minimax_value(game, state), None if game.is_terminal(state) else game.actions(state)[0]

    words = told("minimax.search", first)[1]
    assert "“the old position searched or the action not compared”" in words and "find these two values" not in words


def test_an_expansion_is_told_in_words_of_the_tree():
    table = find_table("mcts_ucb1.expand")
    row = table.row(1)
    given = row.right[0] | {"children": 7, "times in children": 0, "(U, N)": (1, 1)}
    assert table.judge(row, given) == (
        f"Afterwards the length of node.children is 7, and should be {row.right[0]['children']}. "
        "The new child has the (U, N) (1, 1); it should begin with (0, 0)."
    )


def test_a_negamax_search_is_asked_about_the_values_below_its_root_if_there_are_any():
    words = listed.about_the_root((TreeGame([2, [1]], first=MIN), (), -inf, inf, -1))
    assert "worth −2, −1 to the player who moves" in words
    over, no_depth = (TreeGame([0.5]), (0,), -inf, inf, -1), (TreeGame([0.5]), (), 0, {(): 3})
    assert not listed.about_the_root(over) and not listed.about_the_root(no_depth)


def absolute(game):
    """Whether the absolute utilities have the same sum at all leaves."""
    totals = {sum(abs(game.utility(leaf, player)) for player in range(game.players)) for leaf in leaf_paths(game)}
    return len(totals) == 1


@pytest.mark.parametrize(
    ("question", "answer", "words"),
    [
        ("game_formalism.constant_sum", absolute, "at each leaf the sum of the utilities is 0. Which numbers"),
        ("game_formalism.count", lambda game, state: (2, 2, 2), "Which node or state does yours count too often"),
        ("minimax.fix", lambda game, state: max(game.actions(state)), "find these two values? If so, look at how it"),
    ],
)  # fmt: skip
def test_no_first_difference_is_asked_for_if_the_numbers_shown_may_all_be_right(question, answer, words):
    said = told(question, answer)[1]
    assert words in said and "the first that differs" not in said


def test_the_terms_of_a_wrong_loss_are_shown():
    words = told("alphazero_lite.loss", lambda p, v, pi, z, theta, c: 0.0)[1]
    assert (
        "three terms: mean of (z − v)²: (0.25)/1 = 0.25; mean of −π·log p: (0.6931)/1 = 0.6931; λ‖θ‖²: 0 · 4.25 = 0."
        in words
    )


def nearest(X, z, seed):
    """The network that has one hidden unit for each of 64 positions."""
    return X[:64].T, np.full(64, -2.0), 9 * z[:64], 0.0


@pytest.mark.parametrize("answer, words", [
    (lambda X, z, seed: 3, "arrays of the shapes (9, h), (h,) and (h,), with at most 64"),
    (lambda X, z, seed: (np.zeros((9, 65)), np.zeros(65), np.zeros(65), 0), "arrays of the shapes"),
    (lambda X, z, seed: (np.zeros((9, 2)), np.zeros(2), np.zeros(2), 0), "the same value for every position."),
    (lambda X, z, seed: (np.full((9, 1), np.inf), np.zeros(1), np.zeros(1), 0), "infinite or NaN"),
    (lambda X, z, seed: (np.eye(9), np.zeros(9), np.full(9, -9.0), 0), "do the steps go against the gradient"),
    (nearest, "wrong gradients, so test them"),
])  # fmt: skip
def test_what_is_wrong_with_a_network(answer, words):
    assert words in told("alphazero_lite.train", answer)[1]
