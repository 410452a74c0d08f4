"""Warm-up questions: each has one right answer, by other code too, and they follow the notebooks of the course."""

import re
from datetime import date, timedelta
from math import log, sqrt

import oracle
from course_lib.check import warm_up
from course_lib.check.warm_up import KINDS, notebooks_before, questions

CHANGES = {"2u + 10": lambda u: 2 * u + 10, "u³": lambda u: u**3, "√u": sqrt, "10 − u": lambda u: 10 - u}


def best(values):
    return max(range(len(values)), key=values.__getitem__)


def action_values(tree, change=lambda u: u):
    below = [[(p, change(u)) for p, u in getattr(each, "outcomes", [(None, u) for u in each])] for each in tree]
    return [min(u for _, u in each) if each[0][0] is None else sum(p * u for p, u in each) for each in below]


def right_answer(asked):
    text, numbers = asked.text, [float(number) for number in re.findall(r"\d+(?:\.\d+)?", asked.text)]
    tree = asked.tree and asked.tree.tree
    if "objects are left" in text:
        return f"take {numbers[0] % (numbers[2] + 1):g}"
    if "plies" in text:
        return f"{numbers[1] ** numbers[0]:g}"
    if "worth to Max" in text:
        return next(o for o in asked.options if abs(float(o.replace("−", "-")) - max(action_values(tree))) < 1e-9)
    if "best for Max" in text:
        return str(best(action_values(tree)))
    if "alpha-beta" in text:
        return str(len(oracle.leaves_looked_at(tree)))
    if "replaced" in text:
        change = CHANGES[re.search("replaced by (.*?)[.]", text)[1]]
        return "Yes" if best(action_values(tree)) == best(action_values(tree, change)) else "No"
    if "UCB1" in text:
        scores = [u / n + 1.4 * sqrt(log(sum(numbers[1:6:2])) / n) for u, n in zip(numbers[:5:2], numbers[1:6:2])]
        return asked.options[best(scores)]
    mover, won = re.search(r"(\w+) moved into .* there (\w+) wins", text).groups()
    return f"{numbers[0] + {mover: 1, 'nobody': 0.5}.get(won, 0):g}/{numbers[1] + 1:g}"


def test_the_answers_of_500_days_are_right():
    for day in range(500):
        for each in questions(7, date(2030, 1, 1) + timedelta(day)):
            assert each.right == right_answer(each) and each.options.count(each.right) == 1, each


def test_questions_follow_the_folder_and_leave_no_file(tmp_path, monkeypatch):
    (tmp_path / "notebooks").mkdir()
    for name in ("01_game_formalism", "02_minimax", "03_alpha_beta", "06_mcts_ucb1", "07_own"):
        (tmp_path / "notebooks" / f"{name}.ipynb").touch()
    for folder in tmp_path, tmp_path / "notebooks":
        monkeypatch.chdir(folder)
        assert notebooks_before(6) == ["game_formalism", "minimax", "alpha_beta"]  # no expectimax
    shown = warm_up(6)
    for number, question in enumerate(shown.predictions):
        question.tried = [question.right] if number else [1 - question.right, question.right]
    assert "2 of 3 first answers were right." in shown.result.value and len(list(tmp_path.rglob("*"))) == 6


def test_without_notebooks_the_tables_or_all_kinds_count(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for files, names in (["02_minimax.cases.gz"], ["minimax"]), ([], [*KINDS]):
        monkeypatch.setitem(notebooks_before.__globals__, "find_files", lambda _, f=files: map(tmp_path.joinpath, f))
        assert notebooks_before(7) == names
    assert notebooks_before(5) == ["game_formalism", "minimax"] and warm_up(1).predictions == []
