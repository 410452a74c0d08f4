"""What a student sees of a check."""

import gzip
import os
import re
import signal
import sys
import time
from collections import Counter
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

import course_lib.check.session
from course_lib.check import (
    CheckFailed,
    NotAnswered,
    NotPossible,
    check,
    explore_my_code,
    hint,
    personal_tree,
    score,
    student,
)
from course_lib.check.comparing import same
from course_lib.check.examine import Direct, examine, named
from course_lib.check.report import Report
from course_lib.check.session import SESSION
from course_lib.check.tables import find_table, load, words_of
from course_lib.explore import watch
from course_lib.games import MAX, TreeGame
from course_lib.watch.record import SearchTrace
from course_lib.watchdog import TooLong, time_limit
from needs import skip_module_without

skip_module_without("02_minimax")


def right(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    values = [right(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.to_move(state) == MAX else min(values)


def counts_turns(game, state, player=None):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    player = game.to_move(state) if player is None else player
    values = [counts_turns(game, game.result(state, action), 1 - player) for action in game.actions(state)]
    return max(values) if player == MAX else min(values)


def failed(capsys, identifier, answer):
    """What the notebook shows of the exception, in one line, and all that was shown before."""
    capsys.readouterr()
    with pytest.raises(CheckFailed) as info:
        check(identifier, answer)
    return in_one_line(info.value), capsys.readouterr().out


def in_one_line(error):
    (text,) = error._render_traceback_()
    assert text.startswith("\033[34m") == isinstance(error, NotAnswered)  # blue, and no name of an error
    text = text.removeprefix("\033[34m").removesuffix("\033[0m")
    assert max(map(len, text.splitlines())) <= 50
    return text.replace("\n", " ")


def test_a_check_that_passes_counts_its_cases_and_does_not_say_correct(capsys, monkeypatch):
    for limit in ("examine.TRY", "examine.PATIENCE", "session.SECONDS"):
        monkeypatch.setattr(f"course_lib.check.{limit}", 20)  # also on a busy machine, and in a browser
    check("minimax.value", right)
    assert re.fullmatch(r"minimax\.value: visible checks passed \([\d,]{3,} cases\)\n", capsys.readouterr().out)


def test_a_check_that_fails_shows_the_case_both_answers_the_node_and_the_mistake(capsys):
    line, shown = failed(capsys, "minimax.value", counts_turns)
    assert line == "CheckFailed: minimax.value: turns assumed to alternate"
    assert "case: my_minimax_value(TreeGame([Turn(player=0, children=[-1, 0])]), ())" in shown
    assert "expected: 0\nyour answer: -1\n" in shown
    assert "first goes wrong at the Max node with the path (0,): worth 0, but your search returns −1. " in shown
    assert "It gives the children there −1, 0." in shown
    assert "“turns assumed to alternate”. Call game.to_move(state)" in shown


def test_a_search_that_leaves_children_out_is_asked_why(capsys):
    def four(game, state):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        values = [four(game, game.result(state, action)) for action in game.actions(state)[:4]]
        return max(values) if game.to_move(state) == MAX else min(values)

    _, shown = failed(capsys, "minimax.value", four)
    assert "It does not search every action there; missing: 4. Why?" in shown


def test_a_quiet_search_that_leaves_out_a_noisy_action_is_asked_why(capsys):
    def one(game, state, evaluate, noise):
        if game.is_terminal(state):
            return game.utility(state, MAX)
        values = [
            one(game, game.result(state, action), evaluate, noise) for action in noise(state)[:-1] or noise(state)
        ]
        return (max if game.to_move(state) == MAX else min)([evaluate(state), *values])

    _, shown = failed(capsys, "evaluation_functions.quiet", one)
    assert "It does not search every action there; missing: 1. Why?" in shown


def test_a_stub_and_code_that_is_not_fixed_yet_are_not_an_answer(capsys):
    def stub(game, state):
        raise NotImplementedError

    def handed_out(game, state):
        def value(state, player):
            if game.is_terminal(state):
                return game.utility(state, MAX)
            return [max, min][player](value(game.result(state, a), 1 - player) for a in game.actions(state))

        return max(game.actions(state), key=lambda a: value(game.result(state, a), 1))

    def half(game, state):
        return max(game.actions(state), key=lambda a: right(game, game.result(state, a)))

    todo = ". Write your answer above and run this cell again."
    assert failed(capsys, "minimax.value", stub) == (f"minimax.value: not answered yet{todo}", "")
    line, shown = failed(capsys, "minimax.fix", handed_out)
    assert line == f"minimax.fix: not answered yet: the code does what it did when it was handed out{todo}"
    assert "case: fixed_decision(TreeGame(" in shown
    assert shown.startswith("You have not changed the code yet") and "known mistake" not in shown
    line, _ = failed(capsys, "minimax.fix", half)
    assert line == "CheckFailed: minimax.fix: Max assumed to move at the root"


def divides(game, state):
    return 1 / len(state)


def calls(game, state):
    return divides(game, state)


def plays_illegally(game, state):
    return game.utility(game.result(state, 99), MAX)


def test_an_exception_is_the_students_with_their_line_also_if_the_game_raises_it(capsys):
    line, shown = failed(capsys, "minimax.value", calls)
    assert line == "CheckFailed: minimax.value: Your code raised ZeroDivisionError: division by zero"
    assert re.search(r"where: line \d+: return 1 / len\(state\)\n", shown)
    assert "course_lib" not in shown and "first goes wrong" not in shown and "your answer" not in shown
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


def waits_long(game, state):
    time.sleep(60)


@pytest.mark.parametrize("endless", [catches_all, waits_long])
@pytest.mark.parametrize("windows", [False, True])
def test_an_endless_loop_is_stopped_and_all_goes_on(capsys, monkeypatch, endless, windows):
    if windows:
        monkeypatch.setattr("course_lib.watchdog._interrupt", lambda: signal.raise_signal(signal.SIGINT))
    monkeypatch.setattr(course_lib.check.session, "LIMIT", 0.5)
    before = signal.getsignal(signal.SIGINT)
    if not (windows and endless is waits_long):  # raised in the second thread, it wakes the main one on Windows only
        line, shown = failed(capsys, "minimax.value", endless)
        seconds = r"[\d.]+" if sys.platform == "emscripten" else r"0\.5"  # a slow browser gives more
        assert re.fullmatch(f"CheckFailed: minimax.value: your code was stopped after {seconds} seconds", line)
        assert "A loop or a recursion never ends, or the code is too slow.\nwhere: line " in shown
        assert "\ncase: my_minimax_value(TreeGame(-1), ())\n" in shown
    assert signal.getsignal(signal.SIGINT) is before
    assert watch(right, TreeGame([1, 2])).result == 2  # an interrupt that is left behind would hang what is profiled


def test_an_error_that_comes_of_being_stopped_is_not_an_error_of_the_answer():
    def fails_when_stopped():
        try:
            never_ends(None, None)
        finally:
            raise AssertionError

    with pytest.raises(TooLong), time_limit(0.2):
        fails_when_stopped()


def test_an_import_is_never_stopped_half_way(tmp_path, monkeypatch):
    (tmp_path / "slow_to_load.py").write_text(
        "import time\nend = time.perf_counter() + 0.6\nwhile time.perf_counter() < end: pass\nready = 1\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(TooLong), time_limit(0.2):
        import slow_to_load

        never_ends(None, None)
    assert slow_to_load.ready


def test_the_reader_can_interrupt_a_check():
    with pytest.raises(KeyboardInterrupt):
        check("minimax.value", lambda game, state: signal.raise_signal(signal.SIGINT))


def test_endless_recursion_is_explained(capsys):
    def deeper(game, state):
        return deeper(game, state)

    assert "calls itself ever deeper" in failed(capsys, "minimax.value", deeper)[1]


def test_a_flood_of_prints_is_cut_short_and_a_print_in_place_of_a_return_is_explained(capsys):
    def talks(game, state):
        print("at", state)
        return right(game, state)

    check("minimax.value", talks)
    shown = capsys.readouterr().out
    assert shown.startswith("During the check, your code printed:\nat ()\nat ()\n")
    assert len(shown.splitlines()) < 10 and "characters in all" in shown
    _, shown = failed(capsys, "minimax.value", lambda game, state: print(right(game, state)))
    assert "prints its answer and returns None" in shown


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda game, state: None, "The function returns None."),
        (lambda game, state: True, "Expected a number, got True."),
        (lambda game, state: game, "yours contains something of type TreeGame"),
        (lambda game, state: float("inf"), "worth −1 to Max, but your search returns +∞."),
        (lambda game: 1, "takes 1 positional argument but 2 were given"),
        (lambda game, state: "<script>", "Expected a number, got '<script>'."),
        (3, "my_minimax_value itself, without parentheses."),
    ],
)
def test_answers_of_another_kind_are_told_apart(capsys, answer, words):
    assert words in failed(capsys, "minimax.value", answer)[1]
    assert "<script>" not in Report(SESSION.last[1].failure).html()


def test_slow_code_is_asked_about_fewer_cases(capsys, monkeypatch):
    monkeypatch.setattr("course_lib.check.examine.PATIENCE", 0.5)

    def slow(game, state):
        time.sleep(0.02)
        return right(game, state)

    start = time.thread_time()
    check("minimax.value", slow)
    assert time.thread_time() - start < 3
    tried = re.search(r"passed \((\d+) cases; there was no time for the others\)", capsys.readouterr().out)
    assert 0 < int(tried[1]) <= 60  # half a second twice, at 0.02 seconds a case


def test_slow_code_gets_no_name_from_a_few_answers():
    table, student = find_table("minimax.value"), Direct(counts_turns)
    failure = examine(table, student).failure
    few = iter([False] * 3)
    assert failure.mistake.name == "turns assumed to alternate"
    assert named(failure, student, lambda: next(few, True)).mistake is None


def test_a_wrong_answer_does_not_pass_because_other_programs_use_the_processor(capsys, monkeypatch):
    asked = count(1)

    def wrong_later(game, state):
        return right(game, state) if state or next(asked) < 100 else 99

    cpu, wall = count(0, 0.005), count(0, 0.035)  # a seventh of a processor
    clocks = SimpleNamespace(thread_time=lambda: next(cpu), perf_counter=lambda: next(wall))
    monkeypatch.setattr("course_lib.check.examine.time", clocks)
    assert failed(capsys, "minimax.value", wrong_later)[0].endswith("got 99")


def test_my_code_is_explored_on_the_case_that_failed(capsys):
    failed(capsys, "minimax.value", counts_turns)
    assert repr(explore_my_code()) == "Explorer(counts_turns on TreeGame([Turn(player=0, children=[-1, 0])]))"
    failed(capsys, "minimax.value", divides)
    assert "divides" in repr(explore_my_code())
    failed(capsys, "minimax.memory", "a")
    with pytest.raises(NotPossible, match="has no search to watch") as info:
        explore_my_code()
    assert in_one_line(info.value).startswith("NotPossible: minimax.memory: the answer that was")
    check("minimax.value", right)
    with pytest.raises(NotPossible, match="nothing to explore"):
        explore_my_code()


def test_a_hint_shows_what_is_not_on_the_screen_yet(capsys):
    SESSION.attempts.clear()
    for attempt in range(3):
        _, shown = failed(capsys, "minimax.value", counts_turns)
        assert ("Type hint()" in shown) == (attempt == 2)
    hints = [repr(hint()) for _ in range(3)]
    assert all(text.startswith("Your code gets this case wrong, too:\ncase: ") for text in hints[:2])
    assert hints[2].startswith("There is no other hint.")
    assert not any(line in shown for text in hints for line in text.splitlines() if line.startswith("case:"))
    check("minimax.value", right)
    for _ in range(2):
        assert "Type hint()" not in failed(capsys, "minimax.value", counts_turns)[1]
        assert repr(hint()).startswith("After 3 failed attempts at a question there may be a hint")
    failed(capsys, "minimax.value", counts_turns)
    assert repr(hint()) == hints[0]


def test_a_search_that_visits_a_leaf_too_many_fails(capsys):
    def minimax(game, state):
        if game.is_terminal(state):
            return game.utility(state, MAX), None
        below = [(minimax(game, game.result(state, action))[0], action) for action in game.actions(state)]
        return (max if game.to_move(state) == MAX else min)(below, key=lambda pair: pair[0])

    _, shown = failed(capsys, "alpha_beta.search", minimax)
    assert "Your search asks for the value of the leaf" in shown and "which α and β make unnecessary" in shown
    assert re.search(r"\nexpected: .*, after the leaves ", shown)


def test_a_question_by_hand_says_where_it_is_wrong_and_not_what_is_right(capsys):
    student("s1234567")
    tree = personal_tree("minimax.trace")
    answer = {path: right(tree, path) for path in [(0, 0), (0, 1), (0,), (1, 0), (1, 1), (1,), ()]}
    line, shown = failed(capsys, "minimax.trace", answer | {(0,): 99})
    assert line == "CheckFailed: minimax.trace: not correct yet"
    assert re.match(r"The first wrong value is at the node \(0,\)\. M(ax|in) moves there and chooses among ", shown)
    assert "expected" not in shown
    check("minimax.trace", answer)


@pytest.mark.parametrize(("name", "other"), [
    ("Élodie Roux", "elodie roux"), ("Elodie Roux", "Roux E\u0301LODIE"), ("Jean-Noël Petit", "petit jean noel"),
    ("Strauß Anaïs", "Anais STRAUSS"), (" s1234567", "S1234567"), ("刘 伟", "伟 刘"), ("ada@uni.fr", "Ada@Uni.fr"),
])  # fmt: skip
def test_accents_case_and_the_order_of_words_do_not_change_ones_own_tree(name, other):
    table = find_table("minimax.trace")
    assert table.own_row(name).number == table.own_row(other).number
    assert len({words_of(other) for other in (name, "Grace Hopper", "☃", "☂")}) == 4


def test_a_tree_of_ones_own_needs_to_know_whose(capsys, monkeypatch):
    student("ada")
    assert capsys.readouterr().out == "Your personal questions are those of ada.\n"
    student("your name or number")
    assert capsys.readouterr().out.startswith("Replace these words with your own name or\nnumber, and run")
    tree = personal_tree("minimax.trace")
    answer = {path: right(tree, path) for path in [(0, 0), (0, 1), (0,), (1, 0), (1, 1), (1,), ()]}
    for given in (answer, answer | {(0,): 99}):
        with pytest.raises(NotPossible, match=r"replace the words in student.* with your own name"):
            check("minimax.trace", given)
    with pytest.raises(NotAnswered):
        check("minimax.trace", ...)
    monkeypatch.setattr(SESSION, "student_id", "")
    for ask in (lambda: personal_tree("minimax.trace"), lambda: check("minimax.trace", {})):
        with pytest.raises(NotPossible, match="say who you are"):
            ask()
    with pytest.raises(NotPossible, match="in quotation marks, got 7"):
        student(7)
    with pytest.raises(NotPossible, match="no personal tree: everybody has the same cases"):
        personal_tree("minimax.value")


def test_the_score_adds_up_what_has_passed(capsys, monkeypatch):
    monkeypatch.setattr(SESSION, "points", {"game_formalism.game": 3})
    check("minimax.value", right)
    check("minimax.memory", "b")
    check("minimax.opponent", "c")
    failed(capsys, "minimax.opponent", "a")
    for notebook in ("02_minimax", "minimax", 2):
        score(notebook)
        lines = capsys.readouterr().out.splitlines()
        assert "  3 of 18   in total" in lines, "points of other notebooks do not count"
        assert "  2 of 2   MINIMAX(s)" in lines and "  0 of 1   Against a weak opponent" in lines
        assert "Checks that have not run since Python started: 5." in lines


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("minimax.valu", "no question 'minimax.valu'"),
        (7, "no question 7"),
        ("value", "were not found"),
        ("../x.y", "were not found"),
    ],
)
def test_an_unknown_question_is_named(identifier, words):
    with pytest.raises(NotPossible, match=words):
        check(identifier, right)


def test_a_table_is_found_from_another_folder_or_the_error_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check("minimax.memory", "b")
    monkeypatch.setattr("course_lib.__file__", str(tmp_path / "course_lib" / "__init__.py"))
    with pytest.raises(
        NotPossible, match=r"from its zip .* put the file \*_minimax\.cases\.gz, .* beside this notebook"
    ):
        check("minimax.memory", "b")


def test_a_damaged_table_and_one_of_another_version_say_what_to_do(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    packed = next(path for path in FILES if "minimax.value" in load(path)).read_bytes()
    start, *lines = gzip.decompress(packed).decode().splitlines(keepends=True)
    other = gzip.compress("".join([start.replace('"drawn":', '"first":'), *lines]).encode())
    path = tmp_path / "02_minimax.cases.gz"
    path.write_bytes(packed)
    check("minimax.memory", "b")
    for number, content in enumerate([b"", b"<html>", packed[:9000], other]):
        path.write_bytes(content)
        os.utime(path, (number, number))  # another file than before
        with pytest.raises(NotPossible, match=" is damaged or from another version: copy exercises/"):
            check("minimax.value", right)


FILES = sorted((Path(__file__).parents[2] / "exercises").glob("*.cases.gz"))
ODD = None, True, 7, "x", (), [], {}, [None], ([], []), (([], []), ([], [])), {"leaves": [[]]}, [0.5] * 3


each_question = pytest.mark.parametrize(
    "identifier",
    [
        pytest.param(identifier, marks=() if identifier.startswith("minimax.") else pytest.mark.slow)
        for path in FILES
        for identifier in load(path)
    ],
)


@each_question
def test_an_answer_of_any_kind_gets_a_report_and_no_traceback(capsys, monkeypatch, identifier):
    monkeypatch.setattr("course_lib.check.examine.NAME", 0.02)
    student("s1234567")
    is_read = find_table(identifier).asked_by == "listed.read"
    for odd in ODD:
        failed(capsys, identifier, odd if is_read else lambda *_, odd=odd: odd)


def raises(*arguments):
    raise LookupError("of mine")


def returns_nothing(*arguments):
    pass


def prints(*arguments):
    print(arguments[-1])


def spoils(*arguments):
    for argument in arguments:
        if isinstance(argument, list | dict | set):
            argument.clear()
    return 5


def remembers(*arguments, seen=[]):  # noqa: B006
    seen.append(1)
    return len(seen)


EXPECTED = {raises: "LookupError: of mine", returns_nothing: "return", prints: "prints its answer", spoils: "",
            remembers: " for the same case"}  # fmt: skip
"""What is said of each of these answers, whatever the question is."""


@each_question
@pytest.mark.parametrize("answer", EXPECTED)
def test_a_report_agrees_with_itself_and_a_hint_adds_to_it(capsys, monkeypatch, identifier, answer):
    student("s1234567")
    table = find_table(identifier)
    if table.asked_by == "listed.read" or (answer is remembers and len(table) == 1):
        return
    monkeypatch.setattr(SESSION, "attempts", Counter({identifier: 3}))
    monkeypatch.setattr(SESSION, "hints_shown", Counter())
    cases = repr(table.row(0).case)
    _, shown = failed(capsys, identifier, answer)
    assert EXPECTED[answer] in shown and "Traceback" not in shown
    report = SESSION.last[1]
    assert "course-report" in report.html() and repr(table.row(0).case) == cases
    trace, given = report.trace, report.failure.given
    given = given[0] if table.asked_by == "listed.call_and_leaves" and given else given
    assert not isinstance(trace, SearchTrace) or trace.error or table.view or same(trace.result, given)
    hints = [repr(hint()) for _ in range(9)]
    assert ("hint()" in shown) != hints[0].startswith("There is no other hint.")
    assert "not fixed yet" not in "".join(hints)
    assert not any(
        line in shown for text in hints for line in text.splitlines() if not line.startswith(("your", "exp"))
    )


def test_an_answer_that_keeps_its_first_results_is_told_so(capsys):
    table = {}

    def search(game, state, table=table):
        if state not in table:
            table[state] = right(game, state)
        return table[state]

    line, shown = failed(capsys, "minimax.value", search)
    assert line == "CheckFailed: minimax.value: something is kept between calls"
    assert (
        "Called first of all, your function returns 0; called after other cases, it returns -1 for the same case."
        in shown
    )
    assert "expected: 0\nyour answer: -1" in shown
    assert SESSION.last[1].trace is None
