"""Questions for Moodle: of the form that its documentation describes, and with right answers."""

from base64 import b64decode
from math import log, sqrt
from xml.etree import ElementTree as XML

import pytest

import oracle
from course_lib.explore.practice import random_exercise
from instructor import moodle
from instructor.__main__ import main
from instructor.inventory import QUESTIONS


def read(question):
    """(type, right answers, wrong answers) of a question that is as the documentation of the format has it."""
    kind = question.get("type")
    assert question.find("name/text").text and question.find("questiontext").get("format") == "html"
    assert float(question.find("defaultgrade").text) > 0
    text, files = question.find("questiontext/text").text, question.findall("questiontext/file")
    assert [text.count(f"@@PLUGINFILE@@{file.get('path')}{file.get('name')}") for file in files] == [1] * len(files)
    assert text.count("@@P") == len(files)
    assert all(file.get("encoding") == "base64" and b64decode(file.text).startswith(b"\x89PNG") for file in files)
    answers = question.findall("answer")
    right, wrong = ([a.find("text").text for a in answers if a.get("fraction") == f] for f in ("100", "0"))
    assert len(answers) == len(right) + len(wrong) == len({*right, *wrong})
    if kind == "multichoice":
        assert question.find("single").text == "true" and question.find("answernumbering").text == "abc" and wrong
    else:
        assert kind == "numerical" and 0 <= float(answers[0].find("tolerance").text) < 0.01
    return kind, right, wrong


def test_the_command_writes_the_inventory_and_trees_in_categories(tmp_path, monkeypatch):
    monkeypatch.setattr(moodle, "with_trees", lambda: [3, 6])  # also if a lecturer has removed one
    out = tmp_path / "questions.xml"
    main(f"moodle --form A --notebook 3 6 --trees 5 --out {out}".split())
    quiz = XML.parse(out).getroot()
    categories = [category.text for category in quiz.findall("question/category/text")]
    names = "Concept inventory A", "alpha-beta, level 2", "ucb1, level 2"
    assert quiz.tag == "quiz" and categories == [f"$course$/top/{name}" for name in names]
    kinds = [read(question)[0] for question in quiz if question.get("type") != "category"]
    assert kinds == ["multichoice"] * len(QUESTIONS) + ["numerical"] * 5 + ["multichoice"] * 5
    assert len({name.text for name in quiz.findall("question/name/text")}) == len(kinds)


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("notebook", moodle.TASKS)
def test_the_answer_about_a_tree_is_right(notebook, level):
    for seed in range(3):
        quiz = XML.fromstring(moodle.quiz({"<&>": [moodle.tree("a tree", notebook, level, seed)]}))
        assert quiz[0].find("category/text").text == "$course$/top/<&>"
        _, [right], _ = read(quiz[1])
        game, *_, counts = random_exercise(moodle.TASKS[notebook][0], level, seed)
        if counts:
            path, puct = (), notebook == 7
            while below := [child for child in counts if child and child[:-1] == path]:
                n = counts[path].visits
                path = max(below, key=lambda child: counts[child].total / counts[child].visits + (
                    1.5 * counts[child].prior * sqrt(n) / (1 + counts[child].visits) if puct
                    else 1.4 * sqrt(log(n) / counts[child].visits)))  # fmt: skip
            assert right == " ".join(path)
        elif notebook == 3:
            assert int(right) == len(oracle.leaves_looked_at(game.tree, game.first))
        else:
            assert float(right) == pytest.approx(oracle.value(game.tree, game.first))
