"""What a check says is true: of every habit of wrong answers, and the same in a notebook and when it is graded."""

import json
import re
import sys
from math import inf
from pathlib import Path

import pytest

from course_lib.check import check
from course_lib.check.notebook import CheckFailed
from course_lib.check.question import find_question
from course_lib.check.questions import evaluation_functions
from course_lib.check.rules import StandIn, anew, as_graded, is_found_by_library

ALPHA_BETA = """
def my_alpha_beta(game, state, alpha=-inf, beta=inf):
    if game.is_terminal(state):
        return game.utility(state, MAX), None
    is_max = game.to_move(state) == MAX
    v, move = (-inf if is_max else inf), None
    for action in game.actions(state):
        v2 = my_alpha_beta(game, game.result(state, action), alpha, beta)[0]
        if v2 > v if is_max else v2 < v:
            v, move = v2, action
        if v >= beta if is_max else v <= alpha:
            break
        alpha, beta = (max(alpha, v), beta) if is_max else (alpha, min(beta, v))
    return v, move
"""
SOLUTIONS = Path(__file__).parents[2] / "solutions"
ANSWERS = {"alpha_beta.search": ALPHA_BETA} | {
    cell["metadata"]["nbgrader"]["grade_id"].replace("-", "."): "".join(cell["source"])
    for path in SOLUTIONS.glob("*.ipynb")
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
    if cell["metadata"].get("nbgrader", {}).get("solution") and "03_" not in path.name
}
MINIMAX, VALUE = ANSWERS["minimax.search"], ANSWERS["minimax.value"]
HEAD = """
from math import inf
from course_lib.explore import explore
from course_lib.games import MAX, MIN, ConnectFour, Nim, TreeGame
from course_lib.search import minimax_search, minimax_value, alpha_beta_agent
my_evaluation = lambda state: 0
"""


def changed(identifier, changes):
    """A right answer with these changes to its text, each of which stands there."""
    code = ANSWERS[identifier]
    for old, new in changes.items():
        assert old in code
        code = code.replace(old, new)
    return code


def names_after(*cells):
    names = {"__name__": "__main__", "In": ["", *cells]}
    for cell in cells:
        exec(cell, names)
    return names


def said(capsys, identifier, code):
    """All that a check shows, and its exception's words; "" if it passes."""
    names = names_after(HEAD, code)
    try:
        check(identifier, names[find_question(identifier).name])
    except CheckFailed as failed:
        return f"{capsys.readouterr().out}{failed}"
    return ""


TOLD = [
    ("minimax.search", {"best, move = value, action": "best, move = value, list(game.actions(state)).index(action)"},
     "a position in the list for the action"),
    ("minimax.search", {"value, _": "value, below", "move = value, action": "move = value, below"},
     "the action comes from below"),
    ("minimax.search", {"return best, move": "return move, best",
                        "value, _ = my_minimax_search(game, game.result(state, action))":
                        "value = my_minimax_search(game, game.result(state, action))[1 - game.is_terminal("
                        "game.result(state, action))]"}, "value and action exchanged"),
    ("minimax.search", {"move\n": "move, 0\n"}, "A pair was expected, and (-1, 0, 0) has 3"),
    ("minimax.value", {"return max": "print(max", "else min(values)": "else min(values))"}, "`return` hands it over"),
    ("minimax.value", {"(game, state):": "(game, state, depth):", "(state, a))": "(state, a), depth)"},
     "The check calls my_minimax_value with 2 arguments, and yours cannot take them"),
    ("minimax.value", {"for a in game.actions(state)]": "for a in range(len(game.actions(state)))]"},
     "Take the actions from `game.actions(state)`; some have names."),
    ("minimax.value", {"    values = ": "    if state == ():\n        return {}[state]\n    values = "},
     "The dictionary has no entry for this key."),
    ("alpha_beta.search", {"if v2 > v if is_max else v2 < v:":
                           "if my_alpha_beta(game, game.result(state, action), alpha, beta)[0] != v2 or "
                           "(v2 > v if is_max else v2 < v):"}, "is looked at twice, and once is enough"),
    ("alpha_beta.search", {"game.actions(state):": "list(game.actions(state))[::-1]:"},
     "keep to the order of game.actions"),
    ("alpha_beta.search", {", alpha, beta)[0]": ")[0]"}, "or they are not handed to the children."),
    ("game_formalism.count", {"def my_count(game, state)": "def my_count(game, state, states=set())",
                              "    states = set()\n": ""},
     "Look at the default of `states` in `my_count`."),
    ("game_formalism.count", {"    states = set()\n": "", "def my_count": "states = set()\n\n\ndef my_count"},
     "Look at the global variable `states`."),
    ("evaluation_functions.player", {"else min\n": "else max\n"}, "As O it does not take a win in one."),
    ("evaluation_functions.player", {"1e6": "-1e6"}, "As X it does not take a win in one."),
]  # fmt: skip


@pytest.mark.parametrize(("identifier", "changes", "words"), TOLD)
def test_what_is_said_of_a_wrong_answer(capsys, identifier, changes, words):
    assert words in said(capsys, identifier, changed(identifier, changes))


def test_nothing_is_said_of_a_value_after_an_error(capsys):
    shown = said(capsys, "minimax.value", changed("minimax.value", {"return max(values)": "return max(values) / 0"}))
    assert "ZeroDivisionError" in shown and "first goes wrong" not in shown and "your answer" not in shown


def test_where_three_play_nobody_is_called_min(capsys):
    code = MINIMAX.replace("my_minimax_search", "my_max_n").replace(
        "game.utility(state, MAX)", "tuple(game.utility(state, player) for player in range(3))"
    )
    shown = said(capsys, "minimax.max_n", code)
    assert "of player" in shown and not re.search("M(ax|in) node", shown)


def test_half_a_repair_is_not_called_no_answer(capsys):
    """Max's cut is mended, Min's is not."""
    code = ALPHA_BETA.replace("my_alpha_beta", "both").replace("v <= alpha", "v >= alpha")
    code += "\n\ndef mended_alpha_beta(game, state):\n    return both(game, state)[0]\n"
    assert "not answered" not in said(capsys, "alpha_beta.cut", code)
    assert "not answered yet" in said(capsys, "alpha_beta.cut", code.replace("v >= beta", "v > beta"))


def test_the_mark_of_a_match_is_no_name(capsys, monkeypatch):
    """−f and the mover's view are tried with the student's own function, here however slow the machine is."""
    monkeypatch.setattr(evaluation_functions, "SLOW", inf)
    code = """
connect_four = ConnectFour()
FOURS = [[(r + i * d) * 7 + c + i * e for i in range(4)] for r in range(6) for c in range(7)
         for d, e in ((0, 1), (1, 0), (1, 1), (1, -1)) if r + 3 * d < 6 and 0 <= c + 3 * e < 7]
"""
    code += changed("evaluation_functions.connect_four", {"return lead": "return SIGN * lead"})
    name = "evaluation_functions.connect_four"
    assert said(capsys, name, code.replace("SIGN", "1")) == ""
    shown = said(capsys, name, code.replace("SIGN", "-1"))
    assert f"{name}: the sign is turned" in shown and "With −f in place of your f" in shown
    shown = said(capsys, name, code.replace("SIGN", "(1 if connect_four.to_move(state) == MAX else -1)"))
    assert f"{name}: the view of the player to move" in shown
    shown = said(capsys, name, code.replace("SIGN", "0"))
    assert f"{name}: no opinion" in shown


LIBRARY = {
    "called": "return minimax_search(game, state)",
    "imported": "from course_lib.search import minimax_search as found\n    return found(game, state)",
    "the package": "import course_lib.search\n    return course_lib.search.minimax_search(game, state)",
    "by name": "import importlib\n    return importlib.import_module('course_lib.search').minimax_search(game, state)",
}


@pytest.mark.parametrize("way", LIBRARY)
def test_an_answer_may_use_only_the_games(capsys, way):
    shown = said(capsys, "minimax.search", f"def my_minimax_search(game, state):\n    {LIBRARY[way]}\n")
    assert shown.startswith("An answer may use only the games of course_lib.")
    names = names_after(HEAD)
    assert names["minimax_search"].__module__ == "course_lib.search.minimax"  # all is back in its place


def test_the_librarys_function_itself_is_no_answer(capsys):
    assert "may use only the games" in said(capsys, "minimax.value", "my_minimax_value = minimax_value")


CHECKS = """from course_lib.check import check
ran = []
for _ in range(3):
    try:
        check("minimax.value", 7)
    except AssertionError:
        ran.append(1)
text = str(check)"""


def test_cells_that_are_run_anew_check_nothing(capsys):
    names = names_after("from course_lib.games import MAX", VALUE, CHECKS)
    fresh = anew(names["my_minimax_value"])
    assert fresh is not names["my_minimax_value"]
    assert fresh.__globals__["ran"] == []
    assert "Mock" in fresh.__globals__["text"]


def test_code_that_is_stopped_leaves_the_library_in_its_place(capsys):
    """Wherever the time is over, even while names are put back."""
    names = names_after(HEAD, VALUE)
    search = sys.modules["course_lib.search"]
    with as_graded(names["my_minimax_value"]):
        sys.modules |= {"course_lib.search": StandIn("course_lib.search"), "course_lib.new": StandIn("course_lib.new")}
        names["minimax_search"] = None
    assert sys.modules["course_lib.search"] is search and "course_lib.new" not in sys.modules
    assert names["minimax_search"] is search.minimax_search


def test_a_value_that_the_library_has_found_is_told():
    cells = [HEAD, "def unused():\n    return minimax_value(TreeGame(1), ())", "n = 7\nminimax_value(TreeGame(1), ())",
             "m = [minimax_value(TreeGame(1), ())]"]  # fmt: skip
    names = names_after(*cells)
    assert [is_found_by_library(name, names) for name in "nm"] == [False, True]
