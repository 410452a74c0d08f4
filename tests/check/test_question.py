"""Asking, comparing, drawing cases, and plain data, however hostile."""

from itertools import combinations

import pytest

from course_lib.check.cases import Lookup, shapes, small_trees
from course_lib.check.compare import same, shown
from course_lib.check.examine import examine
from course_lib.check.mistakes import named_bug, with_bug
from course_lib.check.personal import Numbers
from course_lib.check.plain import plain
from course_lib.check.question import (
    Bug,
    Direct,
    Question,
    Recorded,
    StudentError,
    call_and_leaves,
    choice,
    find_question,
    questions_of,
)
from course_lib.check.report import Report
from course_lib.games import MAX, MIN, TreeGame
from course_lib.search import alpha_beta_search, minimax_search, minimax_value
from course_lib.watch.paths import leaf_paths


def shouted(**changes):
    """A question about a number to be doubled."""
    given = {"identifier": "minimax.double", "title": "", "kind": "write", "points": 1, "name": "double",
             "cases": lambda luck: (luck.randint(0, 1000),), "reference": lambda n: 2 * n,
             "compare": lambda case, expected, given: None if same(expected, given) else "wrong"}  # fmt: skip
    return Question(**(given | changes))


class Liar(int):
    """Equal to everything."""

    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


def test_plain_data_loses_what_subclasses_add():
    rebuilt = plain([Liar(3), (True, {"a": {1, 2}}), frozenset([1])])
    assert rebuilt == [3, (True, {"a": {1, 2}}), {1}]
    assert type(rebuilt[0]) is int and Liar(3) == 4 != rebuilt[0]


def test_numpy_becomes_plain():
    numpy = pytest.importorskip("numpy")
    rebuilt = plain((numpy.float64(0.5), numpy.int8(3), numpy.bool_(True), numpy.arange(4).reshape(2, 2)))
    assert rebuilt == (0.5, 3, True, [[0, 1], [2, 3]])
    assert [type(item) for item in rebuilt] == [float, int, bool, list]


def nested(depth):
    return [nested(depth - 1)] if depth else []


@pytest.mark.parametrize("answer", [nested(40), [0] * 300_000, 1 << 2000, object(), iter([]), print, "x" * 2_000_000])
def test_what_is_no_plain_data_is_refused(answer):
    with pytest.raises(ValueError, match=r"answer|text"):
        plain(answer)


@pytest.mark.parametrize("pair", list(combinations([1, True, "1", None, (1,), {1: 1}, 2, float("nan"), 10**400], 2)))
def test_different_answers_are_not_the_same(pair):
    assert not same(*pair) and not same(*reversed(pair))


@pytest.mark.parametrize(
    "pair", [(1, 1.0), ((1, 2), [1, 2 + 1e-12]), (float("inf"), float("inf")), ({1: 0.1 + 0.2}, {1: 0.3})]
)
def test_answers_that_mean_the_same(pair):
    assert same(*pair)


def test_long_answers_are_shown_short():
    assert shown(list(range(100))).endswith("…") and len(shown(list(range(100)))) == 60
    assert shown(10**5000) == "a int"


def test_the_smallest_case_is_found(monkeypatch):
    monkeypatch.setattr("course_lib.check.examine.SHRINK", 60)  # a slow machine finds it too

    def wrong_from_100(n):
        return 2 * n + (n >= 100)

    outcome = examine(shouted(), Direct(wrong_from_100))
    assert outcome.failure.case == (100,)


def test_what_changes_its_argument_is_told():
    question = shouted(cases=lambda luck: ([1, 2],), reference=lambda numbers: 3)

    def sums(numbers):
        return numbers.pop() + numbers.pop()

    assert examine(question, Direct(sum)).failure is None
    failure = examine(question, Direct(sums)).failure
    assert failure.error.kind == StudentError.CHANGED
    assert failure.words == ("The function changes an argument that it was given: [1, 2] has become []. "
                             "Work on a copy of it.")  # fmt: skip


def test_a_bug_is_named_only_if_it_explains_every_answer():
    plus = Bug("plus", "", lambda n: n + 2)
    square = Bug("square", "", lambda n: n * n)
    question = shouted(bugs=(plus, square))
    tried = [((n,), 2 * n, n * n) for n in (0, 2, 3)]
    assert named_bug(question, tried) is square
    assert named_bug(question, [*tried, ((5,), 10, 11)]) is None
    assert named_bug(question, [((2,), 4, 4)]) is None


@pytest.mark.parametrize(("here", "words"), [("", "It is 3."), ("It is odd.", "It is odd.")])
def test_what_is_told_of_one_case_loses_its_name_where_others_do_not_show_it(here, words):
    told = Bug("three", "It is 3.", here=here)
    question = shouted(compare=lambda case, expected, given: told if given == 3 else "wrong")
    failure = question.judge(Direct(lambda n: n), (3,), 6)
    assert with_bug(failure, told).bug is told
    assert with_bug(failure, None)[-3:] == (words, None, None)


def test_the_gist_of_an_answer_is_enough_for_its_name():
    question = find_question("minimax.search")
    tried = [((TreeGame([3, 7, 7]), ()), (7, 1), (3, 9)), ((TreeGame([1, 2]), ()), (2, 1), (1, 9))]
    assert named_bug(question, tried).name == "max and min exchanged or only the first action is looked at"
    tried.append(((TreeGame([2, 1]), ()), (2, 0), (1, 9)))
    assert named_bug(question, tried).name == "max and min exchanged"


def test_cases_are_drawn_from_the_seed_and_nothing_else():
    question = find_question("minimax.value")
    trees = [repr(question.drawn(seed, 30)) for seed in (1, 2, 1)]
    assert trees[0] == trees[2] != trees[1]
    assert question.graded_cases(1, "a") is question.graded_cases(1, "b")


def test_leaves_are_recorded_in_order_and_once_running():
    tree = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    answer, leaves = call_and_leaves(Direct(alpha_beta_search), "search", (tree, ()))
    assert answer == (3, 0)
    assert leaves == ((0, 0), (0, 1), (0, 2), (1, 0), (2, 0), (2, 1), (2, 2))
    recorded = Recorded(tree)
    for path in [(0, 0), (0, 0), (0, 1), (0, 0)]:
        recorded.utility(path, MIN)
    assert recorded.leaves == [(0, 0), (0, 1), (0, 0)]
    assert minimax_search(recorded, ()) == (3, 0)


def test_small_trees_are_all_different_and_the_smallest_come_first():
    trees = small_trees()
    assert len({repr(tree) for tree in trees}) == len(trees)
    sizes = [len(leaf_paths(tree)) for tree in trees]
    assert sizes == sorted(sizes) and set(sizes) == {1, 2, 3, 4}
    assert {tree.first for tree in trees} == {MAX, MIN}


def test_how_many_shapes_there_are():
    assert [len(list(shapes(leaves, leaves, single=False))) for leaves in (1, 2, 3, 4)] == [1, 1, 3, 11]
    assert list(shapes(2, 1)) == [[None, None]]


def test_a_lookup_is_a_function_with_a_table():
    estimate = Lookup({(0,): 5}, other=-1)
    assert (estimate((0,)), estimate((1,))) == (5, -1)
    assert repr(estimate) == "Lookup({(0,): 5}, other=-1)"


def test_numbers_of_ones_own_are_spread_and_differ():
    draws = Numbers("q", "s1").sample(range(10), 10)
    assert sorted(draws) == list(range(10)) != draws
    first = [Numbers("q", name).below(10**6) for name in ("s1", "S1 ", "s2")]
    assert first[0] == first[1] != first[2]
    assert {Numbers("q", f"s{i}").between(3, 5) for i in range(50)} == {3, 4, 5}


@pytest.mark.parametrize(
    "same_name", [("Jäger", "Ja\u0308ger", " JÄGER"), ("Anna Meier", "anna  meier\n"), ("Groß", "GROSS"), ("", "  ")]
)
def test_an_identifier_is_the_same_however_it_is_written(same_name):
    assert len({Numbers("q", name).below(10**6) for name in same_name}) == 1


def test_a_choice_gives_the_reason_and_not_the_answer():
    question = choice("minimax.x", "", "b", {"a": "because", "c": "since"})
    assert [question.judge(Direct(letter), (), "b") for letter in ("b", "B", " b\n")] == [None] * 3
    assert question.judge(Direct("a"), (), "b").words == "because"
    assert question.judge(Direct(3), (), "b").words == "The answer is one of the letters a, b, c, as text, not 3."
    assert "expected" not in repr(Report(question.judge(Direct("a"), (), "b")))


def test_paths_of_cuts_may_be_in_a_set_and_their_commas_are_asked_for():
    question = find_question("alpha_beta.trace")
    case = (TreeGame([[[1, 5], [6, 7]], [[0, 1], [2, 3]]]),)
    expected = question.expected(case)
    assert expected == {"leaves": [1, 5, 6, 0, 1], "alpha cuts": [(1,)], "beta cuts": [(0, 1)]}

    def words(**changes):
        answer = expected | {key.replace("_", " "): changed for key, changed in changes.items()}
        failure = question.judge(Direct(answer), case, expected)
        return failure and failure.words

    assert words(leaves=(1, 5, 6, 0, 1), alpha_cuts={(1,)}, beta_cuts=([0, 1],)) is None
    assert words(alpha_cuts={(0,)}).startswith("There is no cut in the node (0,).")
    for only_a_number in (1, [1], {1}):
        assert words(alpha_cuts=only_a_number).startswith("The path of one action is written (1,), with a comma")
    assert words(alpha_cuts=(1,)).startswith("A list of one path is written [(1,)]")
    assert words(beta_cuts=(0, 1)).startswith("A list of one path is written [(0, 1)]")
    for nothing_known in (None, "(1,)", {}, ["1"], [None]):
        assert words(alpha_cuts=nothing_known).startswith("'alpha cuts' is a list of paths, written like (0, 1), and ")
    assert words(leaves={0, 1, 5, 6}).startswith("A dictionary with lists for 'leaves', ")


def test_a_question_has_a_known_kind_and_a_notebook():
    with pytest.raises(ValueError, match="a notebook is one of"):
        questions_of("minimax")
    with pytest.raises(ValueError, match=r"those of 02_minimax are minimax\.trace"):
        find_question("minimax.x")
    with pytest.raises(ValueError, match="is one of"):
        shouted(kind="guess")


def test_what_students_write_is_escaped():
    failure = find_question("minimax.value").judge(Direct(lambda *_: "<script>"), (TreeGame(1), ()), 1)
    assert "<script>" not in Report(failure).html() and "&lt;script&gt;" in Report(failure).html()


def test_the_parting_is_the_deepest_wrong_node():
    """The first node that the search returns from with a wrong value, not the root that inherits it."""
    pytest.importorskip("matplotlib")  # of the pictures
    question = find_question("minimax.value")

    def last_of_min(game, state):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        values = [last_of_min(game, game.result(state, action)) for action in game.actions(state)]
        return max(values) if game.to_move(state) == MAX else values[-1]

    case = TreeGame([[5, 6], [1, 9]]), ()
    report = Report(question.judge(Direct(last_of_min), case, minimax_value(*case)), last_of_min)
    assert report.words == ("Your search first goes wrong at the Min node with the path (0,): worth 5, and you have 6. "
                                 "Its children came out as 5, 6.")  # fmt: skip
    assert [caption for caption, _ in report.pictures] == ["expected", "your search"]


def test_small_cases_are_tried_once_where_there_are_no_others():
    question = shouted(cases=None, small=lambda: [(1,), (2,), (3,)])
    assert examine(question, Direct(question.reference)).tried == 3
    assert examine(question, Direct(lambda n: 2)).failure.case == (2,)
    assert [case for case, _ in question.graded_cases(7, "")] == [(1,), (2,), (3,)]
