"""Search trees that are followed: what recorded answers in tests/answers do not show."""

import pytest

from course_lib.check import examine
from course_lib.check.failures import StudentError, Verdict
from course_lib.check.students import Direct
from course_lib.check.tables import find_table
from course_lib.check.views import selection
from course_lib.games import MAX, MIN, TreeGame
from instructor.questions import notebooks
from instructor.tables import head
from needs import skip_module_without

skip_module_without("06_mcts_ucb1")
NOTEBOOK = notebooks()["06_mcts_ucb1"]
QUESTIONS = {question.identifier: question for question in NOTEBOOK.questions}
SEARCH = QUESTIONS["mcts_ucb1.mcts"]


def follow(answer, case, question=SEARCH):
    return examine.answer(head(question), Direct(answer), case)


def known(name):
    return SEARCH.answer(next(mistake for mistake in SEARCH.known if mistake.name == name))


@pytest.mark.parametrize("first", [MAX, MIN])
def test_a_solution_follows_ucb1_whoever_begins(first):
    for seed in range(5):
        game = TreeGame([[[1, -1], 0], [[0, -1], [1, 0]], -1], first=first)
        assert follow(SEARCH.solution, (game, 25, seed, seed)) == ["", None, []]


def test_the_first_wrong_iteration_is_shown():
    words, name, (before, after) = follow(known("exploration left out"), (TreeGame([1, 0]), 12, 1, 1))
    assert name == "exploration left out"
    assert words.startswith(f"Iteration {after[()][1]} selects (0,), whose UCB1 is ")
    assert before[()][1] == after[()][1] - 1


@pytest.mark.parametrize("mistake", sorted({name for name, _ in SEARCH.asks.options["ways"]}))
def test_each_wrong_way_is_named_and_no_other(mistake):
    found = (follow(known(mistake), case) for case in SEARCH.small)
    assert next(name for words, name, _ in found if words) == mistake


@pytest.mark.parametrize("odd", [None, 7, "Node", {}, {(): 5}, {(): (1,)}, {(): (None, 1)}, {(9,): (0, 1), (): (0, 1)}])
def test_an_answer_that_is_not_a_tree_is_wrong(odd):
    case = TreeGame([1, 0]), 3, 1, 1
    try:
        words, _, _ = follow(lambda game, iterations, seed: odd, case)
        assert words.startswith("Expected the root of a tree")
    except StudentError as error:
        assert error.verdict is Verdict.NOT_PLAIN


def test_the_explorer_has_the_path_that_was_selected():
    table = head(SEARCH)
    failure = examine.judge(table, Direct(known("a tree of one ply")), find_table(SEARCH.identifier).row(12))
    watched = selection(None, failure)
    assert [watched.nodes[number].state for number in watched.iterations[0].path] == [(), (0,)]
