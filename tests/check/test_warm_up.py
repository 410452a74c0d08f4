"""Warm-up questions: each has one right answer, by other code too, and they follow the notebooks of the course."""

import gzip
import json
import re
from datetime import date
from math import log, sqrt
from random import Random

import oracle
from course_lib.check import warm_up
from course_lib.check.warm_ups import questions
from solutions.warm_up import KINDS

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
    if "value of the root" in text:
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
    mover, won = re.search(r"(\w+) moved into .* there, (\w+) wins", text).groups()
    return f"{numbers[0] + {mover: 1, 'neither': 0.5}.get(won, 0):g}/{numbers[1] + 1:g}"


def test_the_right_answers_are_right():
    for kind in (kind for kinds in KINDS.values() for kind in kinds):
        for seed in range(100):
            asked = kind(Random(seed))
            assert asked.right == right_answer(asked) and asked.options.count(asked.right) == 1, asked


def test_questions_are_on_the_earlier_notebooks_whose_tables_are_there_and_leave_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("course_lib.__file__", str(tmp_path / "course_lib" / "__init__.py"))
    for number in (1, 2, 6):
        rows = [[[f"{number}?", ["a", "b"], "b", "so", None]]] * 2
        header = json.dumps({"games": [], "warm_up": rows})
        (tmp_path / f"{number:02}_x.cases.gz").write_bytes(gzip.compress(header.encode()))
    days = [date(2030, 1, day) for day in range(1, 20)]
    assert {text for day in days for text, *_ in questions(6, day)} == {"1?", "2?"}
    assert questions(1, days[0]) == [] and questions(6, days[0]) == questions(6, days[0])
    shown = warm_up(6)
    assert shown.html().count("<li>a</li>") == shown.html().count("<summary>Answer</summary>") == 3
    assert shown.html(lambda question: f"<q>{question.right}</q>").count("<q>") == 3
    for number, question in enumerate(shown.predictions):
        question.tried = [question.right] if number else [1 - question.right, question.right]
    assert "put the files *.cases.gz of earlier notebooks" in warm_up(1).result.value
    assert "2 of 3 first answers were right." in shown.result.value and len(list(tmp_path.rglob("*"))) == 3
