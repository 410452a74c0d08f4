"""Search trees that are followed: what recorded answers in tests/answers do not show."""

import pytest

from course_lib.check import examine
from course_lib.check.examine import Direct
from course_lib.check.failures import StudentError, Verdict
from course_lib.check.judges.search_trees import Way, _wrong_counts, _wrong_iteration
from course_lib.check.report import Report, case_text
from course_lib.check.tables import find_table
from course_lib.check.views import one_iteration
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
    assert words.startswith(f"Iteration {after[()][1]} selects (0,), whose UCB1 with C = 1.4 is ")
    assert before[()][1] == after[()][1] - 1


@pytest.mark.parametrize("mistake", sorted({name for name, _ in SEARCH.asks.options["ways"]}))
def test_each_wrong_way_is_named_and_no_other(mistake):
    found = (follow(known(mistake), case) for case in SEARCH.small)
    assert next(name for words, name, _ in found if words) == mistake


def test_an_iteration_adds_one_node():
    before, after = {(): (0, 1)}, {(): (0.5, 2), (0,): (0.5, 1), (0, 0): (0.5, 1)}
    assert "expansion adds one node there" in _wrong_iteration(TreeGame([[1, 0], 0]), before, after, Way())


@pytest.mark.parametrize("odd", [None, 7, "Node", {}, {(): 5}, {(): (1,)}, {(): (None, 1)}, {(9,): (0, 1), (): (0, 1)}])
def test_an_answer_that_is_not_a_tree_is_wrong(odd):
    case = TreeGame([1, 0]), 3, 1, 1
    try:
        words, _, _ = follow(lambda game, iterations, seed: odd, case)
        assert words.startswith(("Expected the root of a tree", "The function returns None."))
    except StudentError as error:
        assert error.verdict is Verdict.NOT_PLAIN


def test_the_explorer_has_the_path_that_was_selected():
    table = head(SEARCH)
    row = find_table(SEARCH.identifier).row(12)
    failure = examine.first_failure(table, Direct(known("a tree of one ply")), [row]).failure
    watched = one_iteration(None, failure)
    assert [watched.nodes[number].state for number in watched.iterations[0].path] == [(), (0,)]


@pytest.mark.parametrize(
    ("visits", "name"),
    [
        ([(0, 0)] * 4, "another tree is returned"),
        ([(1, 1)] * 4, "a new tree in each iteration"),
        ([(0, 1), (0, 2), (0, 3)], "the root left out"),
        ([(0, 0), (1, 1), (2, 2)], "fewer playouts than iterations"),
        ([(0, 0), (1, 1), (1, 1), (2, 2)], "fewer playouts than iterations"),
        ([(2, 2), (4, 4), (6, 6)], "more playouts than iterations"),
        ([(1, 2), (2, 4), (3, 6)], None),
        ([(2, 2), (3, 3), (4, 4)], "more playouts than iterations"),
        ([(2, 1), (4, 2), (6, 3)], None),
    ],
)
def test_visits_name_a_mistake_only_if_all_of_them_fit(visits, name):
    assert _wrong_counts(visits, 1) == name


def node_too(game, node):
    child = node.children[0] if node.children else None
    node.U += 0.5
    return child


@pytest.mark.parametrize(
    ("question", "names", "changes", "last_step"),
    [
        ("expand", {"expand": node_too}, "U/N: (): 0/0 → 0.5/0.", 4),
        ("backpropagate", {"backpropagate": lambda path, reward: setattr(path[0], "N", 7)}, "U/N: (): 1/1 → 1/7.", 4),
        ("backpropagate", {"backpropagate": lambda path, reward: path.x}, "U and N stay as they were.", 4),
        ("select", {"select": lambda root, c: [root]}, "", 1),
        ("mcts", {"backpropagate": lambda path, reward: setattr(path[-1], "N", path[-1].N + 1)}, "(1,): new, 0/1.", 4),
    ],
)
def test_the_tree_is_shown_before_and_after_with_what_the_code_changed(question, names, changes, last_step):
    pytest.importorskip("matplotlib")  # for the pictures
    answer = QUESTIONS[f"mcts_ucb1.{question}"].solution
    usual = {name: answer.__globals__[name] for name in names}
    answer.__globals__.update(names)
    try:
        report = Report(examine.examine(find_table(f"mcts_ucb1.{question}"), Direct(answer)).failure, answer)
    finally:
        answer.__globals__.update(usual)
    trace = report.trace
    assert trace.captions[-1].endswith(changes) and len(trace.captions) == 5 and trace.last_step == last_step
    assert len(report.pictures) == 1 + (" → " in trace.captions[-1] or " new" in trace.captions[-1])
    assert trace.columns()["captions"] == trace.captions
    if question == "mcts":
        assert report.failure.mistake.name == "the root left out" and "After 1 iteration " in report.words
    if question == "select":
        assert "(0,): 5/5 + 1.4 · √(ln(5)/5) = 1 + 0.7943 = 1.794." in str(report)


def test_a_case_names_one_seed_and_does_not_print_a_large_tree():
    table = find_table("mcts_ucb1.mcts")
    words = case_text(table, (TreeGame([1, -1]), 30, 7, 7))
    assert words == "searched(TreeGame([1, -1]), n, seed) for n from 1 to 30, seed 7"
    assert case_text(table, (TreeGame([1]), 1, 1, 9)) == "searched(TreeGame([1]), n, seed) for n = 1, seeds 1 to 9"
    words = case_text(table, (TreeGame([[[0] * 12] * 12]), 3, 1, 70))
    assert words == "searched(TreeGame(… 158 nodes), n, seed) for n from 1 to 3, seeds 1 to 70"
