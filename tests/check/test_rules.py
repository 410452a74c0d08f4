"""An answer may use only the games of course_lib: what it calls of the rest is not there, as in a graded run."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from course_lib.check import CheckFailed, check
from course_lib.check.comparing import same, shown
from course_lib.check.examine import as_graded, is_found_by_library
from course_lib.check.failures import StudentError
from course_lib.check.graded import Changed, Lookup, called, plain
from instructor.grade.remote import RemoteStudent
from instructor.questions import ROOT
from needs import skip_module_without
from sections import sections

skip_module_without("02_minimax")
HEAD = """
from course_lib.explore import explore
from course_lib.games import MAX, TreeGame
from course_lib.search import minimax_search, minimax_value
"""
WAYS = {
    "called": "return minimax_search(game, state)",
    "imported": "from course_lib.search import minimax_search as found\n    return found(game, state)",
    "the package": "import course_lib.search\n    return course_lib.search.minimax_search(game, state)",
    "by name": "import importlib\n    return importlib.import_module('course_lib.search').minimax_search(game, state)",
}


@pytest.mark.parametrize("argument", [[[1, 2]], {"a": [1, 2]}])
def test_an_answer_may_not_change_what_is_within_its_arguments(argument):
    with pytest.raises(Changed):
        called(lambda given: [inner.append(3) for inner in getattr(given, "values", lambda: given)()], [argument], 0)
    assert argument in ([[1, 2]], {"a": [1, 2]})


def test_whole_numbers_are_compared_exactly_and_an_evaluation_may_be_0_elsewhere():
    assert not same(10**10 + 1, 10**10) and same(1e10 + 1, 1e10)
    assert Lookup({"a": 2}, 0)("b") == 0


def names_after(*cells):
    names = {"__name__": "__main__", "In": ["", *cells]}
    for cell in cells:
        exec(cell, names)
    return names


@pytest.mark.parametrize("way", WAYS)
def test_an_answer_may_use_only_the_games(capsys, way):
    names = names_after(HEAD, f"def my_minimax_search(game, state):\n    {WAYS[way]}\n")
    with pytest.raises(CheckFailed):
        check("minimax.search", names["my_minimax_search"])
    assert capsys.readouterr().out.startswith("An answer may use only the games of course_lib.")
    assert names["minimax_search"].__module__ == "course_lib.search.minimax"  # all is back in its place
    assert sys.modules["course_lib.search"].minimax_search is names["minimax_search"]
    assert "course_lib.alphazero" not in sys.modules or sys.modules["course_lib.alphazero"].__file__


PROGRAMS = sections(Path(__file__).with_name("programs.txt"))
"""Answers that are called twice, with the list [2, 1]; what comes of it must be the same here and in the sandbox."""


def outcomes(student):
    """What the student answers to two calls: each the answer, or the reason and the words that there is none."""
    for _ in range(2):
        try:
            yield student.call("f", [2, 1])
        except StudentError as error:
            yield error.reason, error.words


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_notebook_and_the_sandbox_refuse_the_same_programs(program):
    names = names_after(PROGRAMS[program])
    with as_graded(names["f"]) as direct:
        here = list(outcomes(direct))
    with closing(RemoteStudent([PROGRAMS[program]], 20, sandboxed=False)) as remote:
        remote.begin(20)
        there = list(outcomes(remote))
    assert here == there
    if program == "random":
        assert here[0] != here[1]


def test_the_grader_judges_without_widgets():
    code = """import sys
import instructor.grade.marking as marking
table = marking.tables_of("02_minimax")["minimax.trace"]
print(marking.failed(table, table.row(0), {}).wrong.words, "ipywidgets" in sys.modules, "IPython" in sys.modules)
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert shown == "There is no value for the node (0, 0). False False\n"


def test_a_function_of_the_library_is_not_an_answer(capsys):
    with pytest.raises(CheckFailed):
        check("minimax.value", names_after(HEAD)["minimax_value"])
    assert "may use only the games" in capsys.readouterr().out


def test_a_value_that_the_library_has_found_is_recognised():
    cells = [HEAD, "def unused():\n    return minimax_value(TreeGame(1), ())", "n = 7\nminimax_value(TreeGame(1), ())",
             "m = [minimax_value(TreeGame(1), ())]", "k = minimax_value(TreeGame(1), ())\nj = 7", "k = 7",
             "j = minimax_value(TreeGame(1), ())"]  # fmt: skip
    names = names_after(*cells)
    assert [is_found_by_library(name, names) for name in "nmkj"] == [False, True, False, True]


class Liar(int):
    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


def test_plain_data_loses_what_subclasses_add():
    numpy = pytest.importorskip("numpy")
    rebuilt = plain([Liar(3), (True, {"a": {1, 2}}), frozenset([1]), numpy.float64(0.5), numpy.arange(4).reshape(2, 2)])
    assert rebuilt == [3, (True, {"a": {1, 2}}), {1}, 0.5, [[0, 1], [2, 3]]]
    assert type(rebuilt[0]) is int and type(rebuilt[3]) is float and Liar(3) == 4 != rebuilt[0]


def nested(depth):
    return [nested(depth - 1)] if depth else []


@pytest.mark.parametrize("answer", [nested(40), [0] * 300_000, 1 << 2000, object(), iter([]), print, "x" * 2_000_000])
def test_what_is_not_plain_data_is_refused(answer):
    with pytest.raises(ValueError, match=r"answer|string"):
        plain(answer)


def test_answers_are_the_same_up_to_rounding_and_never_bools_for_numbers():
    different = [1, True, "1", None, (1,), (1, 2), {1: 1}, {1: 1, 2: 2}, {1: 2}, 2, float("nan"), 10**400]
    assert not any(same(a, b) for n, a in enumerate(different) for b in different[n + 1 :] + different[:n])
    assert same((1, 2), [1, 2 + 1e-12]) and same(float("inf"), float("inf")) and same({1: 0.1 + 0.2}, {1: 0.3})
    assert shown(list(range(100))).endswith("…") and shown(10**5000) == "a int"
