"""Judges and the examiner, at the edges of their rules: what recorded answers do not show every day."""

from math import inf

import pytest

from course_lib.check.comparing import Wrong, differing, misfit, same, value_part
from course_lib.check.examine import Direct, Failure, examine, first_failure, named
from course_lib.check.failures import StudentError, Verdict, student_error
from course_lib.check.judges import evaluations, game_rules, listed, networks, pig, search_trees, tracing
from course_lib.check.tables import Mistake, Raised, Row, Table, find_table
from course_lib.check.views import _is_true, first_wrong_node, traced_search
from course_lib.games import MAX, MIN, Chance, ConnectFour, TreeGame
from course_lib.search import alpha_beta_agent


def row_of(right, *case):
    return Row(case, [right], [], {}, 0)


FIT = row_of((0, 0), [((1, 0), 0.5), ((0, 1), 0.5)])  # the loss of (w, 0) is w²/16 above the least
GAMES = row_of(None, "four", [])
HINTS = {name: name for name in ("shapes", "no numbers any more", "the same value everywhere", "worse than no network",
                                 "learnt by heart", "")}  # fmt: skip


def points(x, o):
    return evaluations.enough_points(GAMES, {"points": [x, o], "probes": []}, mark=0.6, probes=[])


def trained(own, unseen, spread=0.5):
    return networks.training(row_of(None), [own, unseen, spread], mark=0.35, hints=HINTS)


LOSS = row_of(0.5, [[1.0]], [0.0], [[1.0]], [0], [1.0], 1, (0.1, 0.2, 0.2))._replace(right=[0.5, 0.4])


@pytest.mark.parametrize(
    ("wrong", "inside", "outside"),
    [
        (lambda x: not same(1e6, x), 1e6 + 9e-4, 1e6 + 2e-3),
        (lambda x: not same(x, -1e6), -1e6 - 9e-4, -1e6 - 2e-3),
        (lambda x: not same(0, x), 9e-10, 2e-9),
        (lambda x: not same(inf, x), inf, -inf),
        (lambda x: evaluations.nearly_least(FIT, (x, 0)), 0.12, 0.135),
        (lambda x: tracing.first_other(0.5, x, "p"), 0.5105, 0.512),
        (lambda x: tracing.first_other(0.5, x, "p"), 0.4895, 0.488),
        (lambda x: tracing.first_other(1, x, "p"), 1, 1.01),  # a whole number needs no rounding
        (lambda x: tracing.first_other([1, 2], x, "p"), (1, 2), [1]),
        (lambda x: tracing.first_other({"a": [1, 2]}, x, "p"), {"a": [1, 2]}, {"a": [1, 2, 3]}),
        (lambda x: evaluations.few_states(GAMES, x, mark=0.6), 0.6, 0.601),
        (lambda x: points(x, 2), 3, 2.5),
        (lambda x: points(4, x), 2, 1.5),
        (lambda x: points(x, 4), 2, 1.5),
        (lambda x: trained(0.3, x), 0.35, 0.351),
        (lambda x: networks.loss(LOSS, x, tolerance=1e-6, hints={}), 0.45, 0.51),
        (lambda x: listed.one_of(row_of(1), x, tolerance=0.1), 1.09, 1.2),
        (lambda x: pig.too_few_wins(Direct(lambda mine, other: 25), "f", (30, 20, x)), 0.484, 0.49),
        (lambda x: game_rules.beaten_by(Direct(lambda left, most: left % (most + 1) or 1), "f", (x, 3)), 7, 8),
    ],
)
def test_a_threshold_accepts_what_is_inside_and_refuses_what_is_outside(wrong, inside, outside):
    assert not wrong(inside) and wrong(outside)


@pytest.mark.parametrize(("hold", "is_same"), [(20, True), (22, False), (19, False)])
def test_only_the_other_players_policy_itself_is_the_same_policy(hold, is_same):
    table = find_table("expectimax.pig")
    failure = examine(table, Direct(lambda mine, theirs: hold)).failure
    assert (failure.mistake is not None and failure.mistake.name == "the same policy") == is_same


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ((0.17, 0.4), "learnt by heart"),
        ((0.18, 0.4), ""),
        ((0.91, 0.4), "worse than no network"),
        ((0.17, 0.4, 0.0009), "the same value everywhere"),
        ((float("nan"), 0.4), "no numbers any more"),
    ],
)
def test_the_mistake_of_a_training_is_named(given, name):
    assert trained(*given).words == name


@pytest.mark.parametrize("mover", [MAX, MIN])
@pytest.mark.parametrize("depth, closeness", [(0.04, True), (0.06, False)])
def test_a_child_whose_ucb1_is_nearly_the_largest_may_be_selected(mover, depth, closeness):
    game = TreeGame([1, -1], first=mover)
    before = {(): (1, 2), (0,): (1 + depth, 1), (1,): (1, 1)}
    after = before | {(): (2, 3), (1,): (1, 2) if mover == MAX else (2, 2)}
    found = search_trees._wrong_iteration(game, before, after, search_trees.Way())
    assert (found is None or "selects" not in found) == closeness


TREE = TreeGame([[1, 2], 3])


@pytest.mark.parametrize(
    ("case", "right", "given", "words"),
    [
        ((TREE, (), 1, {}), [(0,), (1,)], [(0, 0)], "asks for the value of (0, 0), at ply 2; the depth limit is 1"),
        (
            (TREE, (), 2, {}),
            [(0, 0), (0, 1), (1,)],
            [(0,)],
            "asks for the value of (0,), at ply 1; the depth limit is 2",
        ),
        ((TREE, (), 2, None), [(0, 0), (0, 1), (1,)], [(0, 0), (1,)], "does not ask for the value of the state (0, 1)"),
        ((TREE, ()), [(0, 0)], [(0, 0), (1,)], "the leaf (1,), which α and β make unnecessary"),
        ((TREE, ()), [(0, 0), (1,)], [(0, 0), (1,), (0, 0)], "the leaf (0, 0) twice"),
        ((TREE, ()), [(0, 0), (1,)], [(1,), (0, 0)], "the leaf (1,) before (0, 0)"),
        ((TREE, ()), [(0, 0), (1,)], [[0, 0], [1]], None),
    ],
)
def test_the_first_wrong_leaf_is_named(case, right, given, words):
    found = listed.with_leaves(row_of([1, right], *case), [1, given])
    assert found is None if words is None else words in found.words


def test_the_wrong_items_of_a_list_are_named_if_others_are_right():
    given = [2, 0, 2], [0, 1, 0], [0, 0, 0]
    said = [listed.one_of(row_of([2, 1, 2], TREE, (1,)), answer, worked="sizes").words for answer in given]
    begins = "Wrong items: [1]. ", "Wrong items: [0], [2]. ", "The calculation:"
    assert all(map(str.startswith, said, begins))
    either = listed.one_of(
        row_of([1.0, 0.0], [1, 1], 0)._replace(right=[[1.0, 0.0], [0.0, 1.0]]), [1, 1], worked="policy"
    )
    assert "Wrong items" not in either.words  # with the first of several right answers, other items may be right


def test_a_leaf_that_is_asked_for_twice_in_a_row_counts_once_and_later_again():
    def search(game, state):
        return min([game.utility(path, MAX) for path in [(1,), (1,), (0, 0), (1,)]])

    assert listed.call_and_leaves(Direct(search), "search", (TREE, ())) == [1, [(1,), (0, 0), (1,)]]


def toy(columns, rights, wrongs, **about):
    """A table with these answers; case n is (n,)."""
    mistakes = [[name, f"{name}.", "".join(map(str, column))] for name, column in columns.items()]
    cases = [[None, n] for n in range(len(rights))]
    content = {"cases": cases, "right": rights, "wrong": wrongs, "mistakes": mistakes}
    table = Table("a.b", "A", 1, "f", "listed.call", "listed.one_of", {}, len(rights), **about)
    table.content = content
    return table


def name_of(table, answers):
    failure = examine(table, Direct(answers.__getitem__)).failure
    return failure.mistake and failure.mistake.name


RIGHTS, WRONGS = [[n] for n in range(12)], [[n + 100, n + 200] for n in range(12)]
COLUMNS = {"adds": [1] * 12, "adds later": [0] * 6 + [1] * 6, "adds more": [0] * 11 + [2]}


@pytest.mark.parametrize(
    ("answers", "name"),
    [
        ([n + 100 for n in range(12)], "adds"),
        ([*range(6), *(n + 100 for n in range(6, 12))], "adds later"),
        ([*range(11), 211], "adds more"),
        ([*range(11), 999], None),
        ([*(n + 100 for n in range(11)), 999], None),
    ],
)
def test_a_mistake_is_named_if_it_explains_every_answer(answers, name):
    assert name_of(toy(COLUMNS, RIGHTS, WRONGS), answers) == name


def test_mistakes_that_no_case_tells_apart_are_both_named_and_one_mistake_in_two_ways_once():
    table = toy({"one": [0] * 11 + [1], "two": [0] * 11 + [1]}, RIGHTS, WRONGS)
    assert name_of(table, [*range(11), 111]) == "one or two"
    table.mistakes[1] = table.mistakes[0]
    assert name_of(table, [*range(11), 111]) == "one"


@pytest.mark.parametrize(("asked", "name"), [(7, None), (8, "adds")])
def test_a_name_needs_several_answers(asked, name):
    table, clock = toy(COLUMNS, RIGHTS, WRONGS), iter([False] * asked + [True])
    student = Direct(lambda n: n + 100)
    failure = first_failure(table, student, [table.row(0)]).failure
    found = named(failure, student, lambda: next(clock)).mistake
    assert (found and found.name) == name


@pytest.mark.parametrize("over", [(True, False), (False, True), (False, False)])
def test_a_check_says_whether_all_cases_were_tried(monkeypatch, over):
    clocks = [(lambda: True) if now else (lambda: False) for now in over]
    monkeypatch.setattr("course_lib.check.examine.limit", lambda seconds: clocks.pop(0))
    table = toy(COLUMNS, RIGHTS, WRONGS)
    table.drawn = 7
    outcome = examine(table, Direct(lambda n: n))
    assert outcome == (None, 12 - 7 * over[0] - 5 * over[1], not any(over))


def test_a_wrong_part_alone_names_no_mistake():
    """The value is right and the action is not: nothing that was seen shows a mistake in values."""
    table = find_table("minimax.search")
    right = {repr(table.row(n).case): table.row(n).right[0] for n in range(len(table))}
    failure = examine(table, Direct(lambda *case: (right[repr(case)][0], "nonsense"))).failure
    assert failure.mistake is None and "The value is correct. " in failure.wrong.words


def test_the_columns_of_mistakes_are_letters_in_a_file():
    (mistake,) = toy({"one": [0, 1, 2]}, RIGHTS[:3], WRONGS).mistakes
    assert mistake.column == (0, 1, 2)
    mistake = Mistake("a", "b", (0, 2))
    assert mistake.answer(Row((), [5, 6], [5, 7, Raised("x")], {}, 1)) == Raised("x")


def test_the_name_from_a_judge_must_explain_every_wrong_answer():
    table = toy({}, [[-listed.FAR], [10**9], *RIGHTS[2:]], [[]] * 12)
    near = Direct(lambda n: [-1e9, 10**9, *range(2, 12)][n])
    assert examine(table, near).failure.mistake == listed.BEGUN_TOO_NEAR
    other = Direct(lambda n: [-1e9, 7, *range(2, 12)][n])
    assert examine(table, other).failure.mistake is None


@pytest.mark.parametrize("first", [MAX, MIN])
@pytest.mark.parametrize("view", ["negamax", "minimax"])
def test_the_first_wrong_node_is_found_in_values_for_max_and_for_the_player_to_move(first, view):
    game = TreeGame([[[3, 5], [2, 9]], [[-2, 8], [4, 6]], [[1, 7], [6, 5]]], first=first)

    def for_max(state):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        return [max, min][game.to_move(state)](for_max(game.result(state, a)) for a in game.actions(state))

    def search(game, state):
        if game.is_terminal(state):
            value = game.utility(state, MAX)
        else:
            below = [search(game, game.result(state, action)) for action in game.actions(state)]
            if view == "negamax":
                return (max(-value for value in below)) + (state == (1,))
            return [max, min][game.to_move(state)](below) + (state == (1,))
        return -value if view == "negamax" and game.to_move(state) == MIN else value

    true = {path: for_max(path) for path in game.nodes}
    table = Table("a.b", "", 1, "f", "listed.call", "listed.one_of", {}, 0)
    failure = Failure(table, Row((game, ()), [true[()]], [], true, 0), search(game, ()), Wrong())
    words = first_wrong_node(failure, traced_search(failure, search))
    assert "node with the path (1,)" in words
    assert (" to Min, who moves)" in words) == (first == MAX)


def first_wrong(game, search, true):
    table = Table("a.b", "", 1, "f", "listed.call", "listed.one_of", {}, 0)
    failure = Failure(table, Row((game, ()), [true[()]], [], true, 0), search(game, ()), Wrong())
    return first_wrong_node(failure, traced_search(failure, search))


@pytest.mark.parametrize(("wrong", "more", "place"), [
    ((2,), 1, "node with the path (2,)"), ((), 1, "root, a Max node"), ((1,), -2, "node with the path (1,)")
])  # fmt: skip
def test_a_bound_outside_the_window_is_not_the_first_wrong_value(wrong, more, place):
    """At (1,), whose value is 1, the search may stop at 2, since Max has 3 already, but not at 0."""

    def search(game, state, alpha=-inf, beta=inf):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        v, is_max = -inf if game.to_move(state) == MAX else inf, game.to_move(state) == MAX
        for action in game.actions(state):
            v = (max if is_max else min)(v, search(game, game.result(state, action), alpha, beta))
            alpha, beta = (max(alpha, v), beta) if is_max else (alpha, min(beta, v))
            if alpha >= beta:
                break
        return v + more * (state == wrong)

    true = {(): 9, (0,): 3, (1,): 1, (2,): 9}
    assert f"goes wrong at the {'Min ' * bool(wrong)}{place}" in first_wrong(
        TreeGame([[3, 5], [2, 1], [9]]), search, true
    )


def test_a_value_of_a_child_as_it_is_speaks_against_negamax():
    """Two Min nodes return the opposite of their value by chance."""

    def search(game, state):
        if state == (1, 0):
            return 2
        if game.is_terminal(state):
            return game.utility(state, MAX)
        return (max, min)[game.to_move(state)](search(game, game.result(state, a)) for a in game.actions(state))

    true = {(): -2, (0,): 3, (1,): -2, (1, 0): -2, (1, 0, 0): -2}
    assert "at the Min node with the path (1, 0)" in first_wrong(TreeGame([3, [[-2]]], first=MIN), search, true)


def test_one_node_that_is_right_for_its_mover_does_not_change_the_point_of_view():
    """A leaf is scored for the player who moved to it: at the root the two signs cancel out."""

    def search(game, state, previous=MAX):
        if game.is_terminal(state):
            return game.utility(state, previous)
        return min(search(game, game.result(state, action), game.to_move(state)) for action in game.actions(state))

    words = first_wrong(TreeGame([-1], first=MIN), search, {(): -1, (0,): -1})
    assert "at the leaf with the path (0,): worth −1 to Max, but your search returns 1." in words
    words = first_wrong(TreeGame([[-2]]), lambda game, state: 2, {(): -2, (0,): -2, (0, 0): -2})
    assert "at the root, a Max node: worth −2 to Max, but your search returns 2." in words


@pytest.mark.parametrize(
    ("a", "b", "texts"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, ("{'b': 2}", "{'b': 3}")),
        ({"a": 1, "b": 2}, {"a": 1}, ("{'b': 2}", "{}")),
        ([1] * 90 + [2], [1] * 90 + [3], None),
        ("x" * 200, "x" * 100 + "y" + "x" * 99, None),
        (3, [3], ("3", "[3]")),
    ],
)
def test_two_answers_are_cut_where_they_agree_and_never_where_they_differ(a, b, texts):
    shown = differing(a, b)
    assert shown[0] != shown[1] and max(map(len, shown)) <= 62
    assert texts in (None, shown)


@pytest.mark.parametrize(
    ("exception", "verdict"),
    [("ZeroDivisionError", Verdict.RAISED), ("NotThere", Verdict.RAISED), ("NotPlain", Verdict.NOT_PLAIN),
     ("Changed", Verdict.CHANGED), ("NotImplementedError", Verdict.UNANSWERED)],
)  # fmt: skip
def test_each_exception_has_its_verdict(exception, verdict):
    assert student_error(exception, "x").verdict is verdict
    assert StudentError("time", "x").verdict is Verdict.TIME


def test_an_empty_list_has_advice_of_its_own():
    advice = {index: student_error("IndexError", index).words for index in ("pop from empty list", "list index")}
    assert "Nothing is left to take" in advice.pop("pop from empty list") and "Nothing" not in str(advice)


def test_the_part_that_decides_about_a_name_is_the_value():
    assert [value_part(answer) for answer in ([[3, "a"], [1]], [3, "a"], 3, [[3, "a"], []])] == [3, 3, 3, 3]
    assert misfit((1, 2), (1, 2, 3)) == (
        "Expected a list or tuple of the length 2, got (1, 2, 3), which has the length 3."
    )


def test_an_evaluation_keeps_its_order_between_a_loss_and_a_win():
    values = [evaluations.bounded(float)(value) for value in (-1e9, -2, 0, 0.5, 40, 1e6)]
    assert values == sorted({*values}) and -1 < values[0] < values[-1] < 1


CHANCES, OVER, MINS = TreeGame(Chance([(1, 5)])), TreeGame(5), TreeGame([5], first=MIN)


@pytest.mark.parametrize("case, reason", [
    ((OVER, ()), "the game is over here"),
    ((CHANCES, ()), "chance decides here"),
    ((MINS, (), 0, {}), "no depth is left here"),
    ((OVER, (), 0, {}), "the game is over here"),
    ((MINS, (), {}), "Min is to move here, and the model says how Min plays"),
])  # fmt: skip
def test_why_there_is_no_action_is_said(case, reason):
    words = listed.value_and_action(row_of((5, None), *case), (5, "a")).words
    assert words == f"The value is correct. Expected the action None, got 'a': {reason}."


@pytest.mark.parametrize("given, asks", [(4.99, True), (5.01, True), (4.9, False), (6, False), (inf, False)])
def test_a_value_that_is_near_may_be_rounded_or_drawn(given, asks):
    assert listed.value_and_action(row_of((5, None), OVER, ()), (given, None)).ask == (listed.NEAR if asks else "")
    assert not listed.value_and_action(row_of((4.99, None), OVER, ()), (5, None)).ask, "a whole number is not rounded"


def test_a_policy_is_shown_at_both_ends():
    words = pig.too_few_wins(Direct(lambda mine, theirs: 9 if mine > theirs else 7), "f", (12, 4, 1))
    assert "Yours holds at 7 with 0 points against 11, and at 9 with 11 against 0." in words


def test_at_most_four_points_are_shown_of_positions():
    for count, shown in ((4, "the z are 1, 1, 1, 1, and"), (5, "the z are 1, 1, 1, 1 …, and")):
        row = row_of((9, 9), [((1, 0), 1)] * count)
        assert shown in evaluations.nearly_least(row, (0, 0))


def test_who_could_have_taken_the_last_object_is_told_so():
    for left, why in ((3, game_rules.TAKE_ALL), (4, game_rules.LOST)):
        words = game_rules.beaten_by(Direct(lambda left, most: 1), "", (left, 3))
        assert words.startswith("This opponent beats you. You take 1,") and words.endswith(why)


def test_what_does_not_play_a_game_is_told_so():
    table = find_table("game_formalism.game")
    row = next(row for row in map(table.row, range(len(table))) if row.case[1])
    walks = [([], utilities) for _, utilities in row.right[0]]
    assert table.judge(row, walks) == game_rules.NO_GAME


def test_points_are_those_of_the_agent_on_either_side():
    first = lambda game, state: game.actions(state)[0]  # noqa: E731
    found = evaluations.match(alpha_beta_agent(4), first, (ConnectFour().initial_state(),), [1])
    assert found == {"points": [1, 1], "probes": [1]}


@pytest.mark.parametrize("true, value, fits", [(0, 1, True), (2, 3, False), (4, 3, True), (5, 2, False), (2, 2, True)])
def test_a_value_outside_the_window_is_a_bound(true, value, fits):
    assert _is_true({"alpha": 1, "beta": 3}, value, true) is fits


def test_the_fake_clock_cuts_a_search_short_at_its_deadline():
    def all_searches(search, clock, seconds, deepest):
        return [(*search(depth, clock() + 2), clock()) for depth in (1, 2, 3)]

    case = [[2, 0, 1], [1, 3, 4], [3, 5, 6]], 10, 2
    assert evaluations.searches_begun(Direct(all_searches), "", case) == [
        [(0, True, 12), (3, True, 13), (6, False, 15)],
        [(1, 12), (2, 14), (3, 15)],
    ]


def test_a_function_of_the_game_alone_is_watched_from_the_root():
    def own(game):
        def count(state):
            return 1 if game.is_terminal(state) else sum(count(game.result(state, a)) for a in game.actions(state))

        return count(game.initial_state())

    table = Table("a.b", "", 1, "own", "listed.call", "listed.one_of", {}, 0)
    trace = traced_search(Failure(table, row_of(3, TreeGame([(1, -1), (1, 0)])), 2, Wrong()), own)
    assert {tuple(node.path) for _, node, _ in trace.events} >= {(0,), (1,)}
