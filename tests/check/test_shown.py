"""What failed checks of notebooks 4 to 7 draw, and what of the student's code the explorer opens."""

import re
from html import unescape
from math import inf

import pytest

from check.wrong_answers import alphazero_lite, evaluation_functions, expectimax, mcts_ucb1
from check.wrong_answers.mcts_ucb1 import Node, expand_last, expanding, select_loop, selecting, simulate_loop
from course_lib.check.examine import examine
from course_lib.check.matches import Score, turning_point
from course_lib.check.question import NOTEBOOKS, Direct, find_question, questions_of
from course_lib.check.report import Report
from course_lib.check.search_trees import last_step
from course_lib.games import MAX, ConnectFour
from course_lib.watch import Watched, WatchedMCTS

MODULES = evaluation_functions, expectimax, mcts_ucb1, alphazero_lite
NOT_DRAWN = {"evaluation_functions.fit", "evaluation_functions.interval", "evaluation_functions.timed",
             "alphazero_lite.loss"}  # fmt: skip
"""Their cases are numbers, of no tree or board."""
QUESTIONS = [question for notebook in NOTEBOOKS[3:] for question in questions_of(notebook)]
WRONG = {identifier: wrong for module in MODULES for identifier, wrong in module.WRONG.items()}


def failure_of(identifier, answer):
    return examine(find_question(identifier), Direct(answer), "s1234567").failure


def explored(identifier, answer):
    failure = failure_of(identifier, answer)
    return failure, find_question(identifier).explored(answer, failure)


@pytest.mark.parametrize("question", [q for q in QUESTIONS if q.kind in ("write", "mend")], ids=lambda q: q.identifier)
def test_a_wrong_answer_is_drawn(in_haste, question):
    for wrong in WRONG[question.identifier][:2]:
        drawn = Report(failure_of(question.identifier, wrong.answer), wrong.answer).pictures
        assert bool(drawn) == (question.identifier not in NOT_DRAWN)


def nothing(*arguments):
    return None


def fails(*arguments):
    return 1 / 0


@pytest.mark.parametrize("answer", [nothing, fails, lambda *arguments: [[], {}, ("a", None)], lambda *arguments: {}])
@pytest.mark.parametrize("question", [q for q in QUESTIONS if q.kind in ("write", "mend")], ids=lambda q: q.identifier)
def test_an_odd_answer_is_shown(in_haste, question, answer):
    failure = failure_of(question.identifier, answer)
    assert failure.words.lower() in unescape(re.sub("</?code>", "`", Report(failure, answer).html())).lower()
    if question.explored is not None:
        assert question.explored(answer, failure) is not None


def select_smallest(root, c):
    path = [root]
    while not path[-1].untried and path[-1].children:
        path.append(min(path[-1].children, key=lambda child: child.U / child.N))
    return path


def test_the_explorer_has_the_path_that_was_selected():
    failure, watched = explored("mcts_ucb1.select", selecting(select_smallest))
    assert isinstance(watched, WatchedMCTS)
    (iteration,) = watched.iterations
    assert [watched.nodes[number].state for number in iteration.path] == failure.given != failure.expected
    assert last_step(watched) == 1
    counts = {watched.nodes[number].state: (n.utility, n.visits) for number, n in watched.numbers(0).items()}
    assert counts == failure.case[1]


def expand_for_max(game, node):
    if not node.untried:
        return None
    action = node.untried.pop()
    node.children.append(Node(game, game.result(node.state, action), MAX, action))
    return node.children[-1]


def test_the_explorer_has_the_child_that_was_made():
    failure, watched = explored("mcts_ucb1.expand", expanding(expand_for_max))
    child = watched.nodes[watched.iterations[0].expanded]
    assert (child.state, child.player) == (failure.given[0][0], MAX)
    assert last_step(watched) == 2


def backpropagate(path, reward):
    """Never changes sides; it stands beside `my_mcts`, as in a notebook."""
    for node in path:
        node.N += 1
        node.U += reward


def test_the_explorer_has_the_numbers_that_were_left():
    failure, watched = explored("mcts_ucb1.backpropagate", mcts_ucb1.propagating(backpropagate))
    left = {watched.nodes[number].state: (n.utility, n.visits) for number, n in watched.numbers().items()}
    assert left == failure.case[1] | failure.given
    assert last_step(watched) == 4


def my_mcts(game, state, iterations, luck):
    root = Node(game, state, 1 - game.to_move(state))
    for _ in range(iterations):
        path = select_loop(root, 1.4)
        child = expand_last(game, path[-1])
        path += [child] if child else []
        backpropagate(path, simulate_loop(game, path[-1].state, lambda state: luck.choice(game.actions(state))))
    return max(root.children, key=lambda child: child.N).action


def test_the_explorer_has_all_iterations_of_a_search():
    own = backpropagate
    failure, watched = explored("mcts_ucb1.mcts", my_mcts)
    assert backpropagate is own
    game, _, iterations, _ = failure.case
    assert len(watched.iterations) == iterations
    most = max(watched.children[0], key=lambda number: watched.numbers()[number].visits)
    assert watched.nodes[most].action == failure.given[0][0]
    assert all(node.state in game._nodes for node in watched.nodes)
    assert last_step(watched) == 4 * iterations


@pytest.mark.parametrize(
    ("identifier", "answer"),
    [
        ("evaluation_functions.connect_four", evaluation_functions.edges),
        ("evaluation_functions.connect_four", lambda state: inf),
        ("evaluation_functions.connect_four", lambda state: 1 / 0),
        ("evaluation_functions.player", evaluation_functions.leftmost_that_wins),
        ("evaluation_functions.player", lambda game, state: 3),
        ("evaluation_functions.player", lambda game, state: game.result(state, 9)),
    ],
)
def test_a_lost_match_opens_the_search_of_the_last_choice(identifier, answer):
    failure, watched = explored(identifier, answer)
    assert isinstance(watched, Watched)
    if failure.error is None:
        assert len(Report(failure, answer).pictures) in (1, 2)
        if isinstance(failure.given, Score):
            lost, own = failure.given.lost, failure.given.own
            number, played, better = turning_point(lost, own) or (len(lost) - 3, None, "")
            shown, game = lost[number], ConnectFour()
            assert game.to_move(shown) == own and played != better
            assert played is None or game.result(shown, played) == lost[number + 1]
        else:
            shown = failure.given[0]
        assert watched.root.state == shown
