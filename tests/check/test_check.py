"""What a student sees of a check."""

import re
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import course_lib.check.notebook
from check.wrong_answers.minimax import (
    alternates_from_the_root,
    below_mended_only,
    handed_out,
    iterative,
    recursive,
)
from course_lib.check import check, explore_my_code, personal_tree, score, student
from course_lib.check.notebook import CheckFailed, NotAnswered, NotPossible
from course_lib.check.question import NOTEBOOKS, questions_of, read
from course_lib.check.watchdog import TooLong, time_limit
from course_lib.explore import last_watched, watch
from course_lib.explore.tree import Explorer
from course_lib.games import MAX, TreeGame

HERE = vars(course_lib.check.notebook)


@pytest.fixture
def limit(monkeypatch):
    """Endless code is stopped after half a second here, for which the cases are drawn before."""
    check("minimax.value", iterative)
    monkeypatch.setitem(HERE, "LIMIT", 0.5)


def failed(capsys, identifier, answer):
    """The words of the exception, in one line, and all that was shown."""
    with pytest.raises(CheckFailed) as info:
        check(identifier, answer)
    return in_one_line(info.value), capsys.readouterr().out


def in_one_line(error):
    """What a notebook shows of an exception in place of a traceback."""
    (text,) = error._render_traceback_()
    assert max(map(len, text.splitlines())) <= 50
    return text.replace("\n", " ")


def test_a_passing_check_counts_its_cases_and_does_not_say_correct(capsys, monkeypatch):
    for limit in ("TRY", "PATIENCE"):
        monkeypatch.setattr(f"course_lib.check.examine.{limit}", 9)  # also on a busy machine
    assert check("minimax.value", recursive) is None
    shown = capsys.readouterr().out
    assert re.fullmatch(r"minimax\.value: visible checks passed \(\d{3,} cases\)\n", shown)


def test_a_failing_check_shows_the_case_both_answers_the_parting_and_the_bug(capsys):
    line, shown = failed(capsys, "minimax.value", alternates_from_the_root)
    assert line == "CheckFailed: minimax.value: turns counted instead of asked"
    assert "case: my_minimax_value(TreeGame([Turn(player=0, children=[-1, 0])]), ())" in shown
    assert "expected: 0\nyour answer: -1\n" in shown
    assert (
        "Your search first goes wrong at the Max node with the path (0,): worth 0, and you have −1. "
        "Its children came out as −1, 0." in shown
    )
    assert "“turns counted instead of asked”. Ask game.to_move(state)" in shown


@pytest.mark.parametrize(
    ("answer", "open_still"), [(..., ""), ([1, ...], ", 1 of 2 values are to be typed"), ({(): ...}, ""),
                               ({(): 3, (0,): ..., (1,): ...}, ", 2 of 3 values are to be typed")],
)  # fmt: skip
def test_dots_are_no_answer_yet(answer, open_still):
    student("s1234567")
    with pytest.raises(NotAnswered, match=rf"^minimax\.trace: not answered yet{open_still}$"):
        check("minimax.trace", answer)


def stub(game, state):
    raise NotImplementedError()


def test_a_stub_is_no_answer_yet(capsys):
    line, shown = failed(capsys, "minimax.value", stub)
    assert line == "NotAnswered: minimax.value: not answered yet"
    assert shown == ""


def test_what_was_to_be_mended_and_is_not_is_no_answer_yet(capsys):
    line, shown = failed(capsys, "minimax.mend", handed_out)
    assert line == "NotAnswered: minimax.mend: not answered yet, it does what it did when it was handed out"
    assert "case: mended_decision(TreeGame(" in shown
    line, _ = failed(capsys, "minimax.mend", below_mended_only)
    assert line == "CheckFailed: minimax.mend: Max is taken to move at the root"


def divides(game, state):
    return 1 / len(state)


def test_who_has_not_said_who_they_are_is_told(capsys):
    student("ada")
    assert capsys.readouterr().out == ""
    student("your name or number")
    assert capsys.readouterr().out.startswith("Put your own name or number in the place\nof these words, and run")


def plays_illegally(game, state):
    return game.utility(game.result(state, 99), MAX)


def test_an_exception_is_the_students_with_their_line_also_if_the_game_raises_it(capsys):
    line, shown = failed(capsys, "minimax.value", divides)
    assert line == "CheckFailed: minimax.value: Your code raised ZeroDivisionError: division by zero"
    assert re.search(r"where: line \d+: return 1 / len\(state\)\n", shown)
    assert "course_lib" not in shown
    _, shown = failed(capsys, "minimax.value", plays_illegally)
    assert re.search(r"where: line \d+: return game\.utility\(game\.result\(state, 99\), MAX\)\n", shown)


def never_ends(game, state):
    while True:
        pass


def catches_all(game, state):
    while True:
        try:
            divides(game, ())
        except:  # noqa: E722
            continue


def waits(game, state):
    while True:
        time.sleep(0.01)


def waits_long(game, state):
    time.sleep(60)


def stopped_and_all_goes_on(capsys, endless):
    line, shown = failed(capsys, "minimax.value", endless)
    assert line == "CheckFailed: minimax.value: your code was stopped after 0.5 seconds"
    assert "Either a loop or a recursion never ends, or it is too slow.\nwhere: line " in shown
    assert "\ncase: my_minimax_value(TreeGame(-1), ())\n" in shown
    # an interrupt that is left behind would hang what is profiled
    assert watch(recursive, TreeGame([1, 2])).result == 2
    HERE["LIMIT"] = 60
    check("minimax.value", iterative)


def fails_when_stopped(game, state):
    try:
        never_ends(game, state)
    finally:
        raise AssertionError


@pytest.mark.parametrize("endless", [catches_all, waits, waits_long])
def test_an_endless_loop_is_stopped_and_all_goes_on(capsys, limit, endless):
    before = signal.getsignal(signal.SIGINT)
    stopped_and_all_goes_on(capsys, endless)
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("endless", [catches_all, waits])
@pytest.mark.parametrize("windows", [True, False])
def test_an_endless_loop_is_stopped_without_such_signals_and_in_another_thread(
    capsys, monkeypatch, limit, endless, windows
):
    if not windows:
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(stopped_and_all_goes_on, capsys, endless).result()
    for name in ("SIGALRM", "setitimer", "alarm", "pthread_kill"):
        monkeypatch.delattr(signal, name, raising=False)
    stopped_and_all_goes_on(capsys, endless)


def test_an_error_that_comes_of_being_stopped_is_no_error():
    with pytest.raises(TooLong), time_limit(0.2):
        fails_when_stopped(None, None)


def interrupts(game, state):
    signal.raise_signal(signal.SIGINT)


def test_the_reader_can_interrupt_a_check(limit):
    with pytest.raises(KeyboardInterrupt):
        check("minimax.value", interrupts)


def deeper(game, state):
    return deeper(game, state)


def test_endless_recursion_is_explained(capsys):
    _, shown = failed(capsys, "minimax.value", deeper)
    assert "calls itself ever deeper" in shown


def talks(game, state):
    print("at", state)
    return recursive(game, state)


def test_a_flood_of_prints_is_cut_short(capsys):
    check("minimax.value", talks)
    shown = capsys.readouterr().out
    assert shown.startswith("Your code printed, during the check:\nat ()\nat ()\n")
    assert len(shown.splitlines()) < 10
    assert "characters in all" in shown


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda game, state: None, "The function returns None. Is there a return at the end of every way through it?"),
        (lambda game, state: "3", "A number was expected, not '3'."),
        (lambda game, state: True, "A number was expected, not True."),
        (lambda game, state: float("nan"), "A number was expected, not nan."),
        (lambda game, state: 10**5000, "whole numbers of an answer have at most 1,024 binary digits"),
        (lambda game, state: game, "yours has something of type TreeGame"),
        (lambda game, state: float("inf"), "worth −1, and you have +∞."),
        (lambda game: 1, "takes 1 positional argument but 2 were given"),
        (3, "A function was expected, not 3: hand over my_minimax_value itself, without parentheses."),
    ],
)
def test_answers_of_another_kind_are_told_apart(capsys, answer, words):
    _, shown = failed(capsys, "minimax.value", answer)
    assert words in shown


ODD = [
    None,
    True,
    7,
    "x",
    (),
    [],
    {},
    [None],
    (None, None),
    ([], []),
    (([], []), ([], [])),
    {"leaves": [[]]},
    [0.5] * 3,
]


@pytest.mark.parametrize(
    "question", [question for name in NOTEBOOKS[:3] for question in questions_of(name)], ids=lambda q: q.identifier
)
def test_an_answer_of_any_kind_gets_a_report_and_no_traceback(capsys, in_haste, question):
    student("s1234567")
    for odd in ODD:
        failed(capsys, question.identifier, odd if question.ask is read else lambda *_, odd=odd: odd)


def test_slow_code_is_asked_about_fewer_cases(capsys):
    def slow(game, state):
        time.sleep(0.02)
        return recursive(game, state)

    start = time.thread_time()
    check("minimax.value", slow)
    assert time.thread_time() - start < 3
    assert re.search(r"passed \(\d+ cases; for the others there was no time\)", capsys.readouterr().out)


def test_exploring_my_code(capsys):
    failed(capsys, "minimax.value", alternates_from_the_root)
    explorer = explore_my_code()
    assert isinstance(explorer, Explorer)
    assert repr(explorer) == "Explorer(alternates_from_the_root on TreeGame([Turn(player=0, children=[-1, 0])]))"
    failed(capsys, "minimax.value", divides)
    assert "divides" in repr(explore_my_code())
    failed(capsys, "minimax.memory", "a")
    with pytest.raises(ValueError, match="no search to watch") as info:
        explore_my_code()
    assert in_one_line(info.value).startswith("NotPossible: minimax.memory: there is no search to watch")
    check("minimax.value", recursive)
    with pytest.raises(ValueError, match="nothing to explore"):
        explore_my_code()


def test_what_cannot_be_explored_is_told(capsys, monkeypatch):
    failed(capsys, "mcts_ucb1.mcts", lambda game, state, iterations, luck: 0)
    with pytest.raises(NotPossible, match="seen by the paths that it hands to backpropagate"):
        explore_my_code()
    failed(capsys, "minimax.value", divides)
    monkeypatch.setitem(HERE, "LIMIT", 0.2)
    monkeypatch.setitem(HERE, "_last", (HERE["_last"][0], never_ends))
    with pytest.raises(NotPossible, match=r"stopped after 0\.2 seconds"):
        explore_my_code()


def sums_up(game):
    totals = set()

    def walk(state):
        if game.is_terminal(state):
            totals.add(game.utility(state, 0))
            return
        for action in game.actions(state):
            walk(game.result(state, action))

    walk(game.initial_state())
    return len(totals) == 1


def test_a_function_of_the_game_alone_is_watched(capsys):
    failed(capsys, "game_formalism.constant_sum", sums_up)
    explorer = explore_my_code()
    assert last_watched().error is None
    assert repr(explorer) == "Explorer(sums_up on TreeGame([(1, -1), (0, 0)]))"
    assert last_watched().count == 3


def test_a_failed_trace_tells_where_and_not_what(capsys):
    student("s1234567")
    tree = personal_tree("minimax.trace")
    right = {path: recursive(tree, path) for path in [(0, 0), (0, 1), (0,), (1, 0), (1, 1), (1,), ()]}
    line, shown = failed(capsys, "minimax.trace", right | {(0,): 99})
    assert line == "CheckFailed: minimax.trace: not right yet"
    assert shown.startswith("The first wrong value is at the node (0,). Min moves there and chooses among ")
    assert "expected" not in shown
    check("minimax.trace", right)


def test_a_personal_tree_is_the_same_everywhere():
    student(" S1234567 ")
    tree = personal_tree("minimax.trace")
    assert repr(tree) == "TreeGame([[[10, 5, 2], [6, 19]], [[0, 18], [4, 9]]])"


def test_a_tree_of_ones_own_needs_to_know_whose(monkeypatch):
    monkeypatch.setitem(HERE, "_student_id", "")
    for ask in (lambda: personal_tree("minimax.trace"), lambda: check("minimax.trace", {})):
        with pytest.raises(ValueError, match="say who you are"):
            ask()
    with pytest.raises(ValueError, match="as text, not 7"):
        student(7)
    with pytest.raises(ValueError, match="no tree of one's own"):
        personal_tree("minimax.value")


def test_the_score_adds_up_what_has_passed(capsys):
    check("minimax.value", recursive)
    check("minimax.memory", "b")
    failed(capsys, "minimax.opponent", "a")
    score("02_minimax")
    lines = capsys.readouterr().out.splitlines()
    assert "  2 of 2   MINIMAX(s)" in lines
    assert "  0 of 1   Against a weak opponent" in lines
    assert lines[-1].endswith("of 18   in all")


@pytest.mark.parametrize("identifier", ["minimax.valu", "value", "02_minimax.value", 7])
def test_an_unknown_question_is_named(identifier):
    with pytest.raises(ValueError, match=f"there is no question {identifier!r}"):
        check(identifier, recursive)
