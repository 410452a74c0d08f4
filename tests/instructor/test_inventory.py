"""The concept inventory, the page of misconceptions, and what the teaching guide says of them."""

import re
from pathlib import Path

import pytest

import oracle
from course_lib.check.tables import tables_of
from course_lib.search.mcts import ucb1
from instructor import inventory
from instructor.misconceptions import catalogue
from instructor.questions import notebooks

ROOT = Path(__file__).parents[2]
ASKED = {question.identifier: question for notebook in notebooks().values() for question in notebook.questions}
KNOWN = {f"{identifier}: {known.name}" for identifier in ASKED for known in ASKED[identifier].known}


@pytest.mark.parametrize("question", inventory.ALL)
def test_each_wrong_option_is_a_misconception_of_the_catalogue_in_both_forms(question):
    assert [name for _, name in question["A"]["wrong"]] == [name for _, name in question["B"]["wrong"]]
    for form in inventory.FORMS:
        texts = [question[form]["right"], *(text for text, _ in question[form]["wrong"])]
        assert len(set(texts)) == len(texts) > 2
        if "tree" in question[form]:
            assert oracle.value(question[form]["tree"], question[form]["first"]) == int(question[form]["right"])
        if "leaves" in question[form]:
            assert len(oracle.leaves_looked_at(question[form]["leaves"])) == int(question[form]["right"])
        if tree := question[form].get("gamble"):  # expectimax chooses the second move
            assert question[form]["right"].endswith(f" {oracle.value(tree)}") and min(tree[1]) < oracle.value(tree)
            assert f" {sum(tree[1]) // 2}" in question[form]["text"] and sum(tree[1]) > sum(tree[0])
    for _, name in question["A"]["wrong"]:
        number, _, option = name.partition(": ")
        notebook = next(ROOT.glob(f"notebooks/{number}_*.ipynb"), None)
        if number in ASKED or notebook:  # else it was removed
            assert name in KNOWN or option in notebook.read_text(encoding="utf-8"), f"not in the course: {name}"


@pytest.mark.parametrize("form", inventory.FORMS)
def test_the_right_answers_on_search_are_computed(form):
    texts, rights = zip(*((question[form]["text"], question[form]["right"]) for question in inventory.ALL))
    pairs = [[(int(u), int(n)) for u, n in re.findall(r"(\d+)/(\d+)", text)] for text in texts]
    second = "Min is to move at the root" in texts[2]  # then Max, who wins, moves into the second node
    assert rights[2] == " and ".join(f"{u + (i == second)}/{n + 1}" for i, (u, n) in enumerate(pairs[2]))
    (a, b), total = (pairs[10]["XYZ".index(x[0])] for x in rights[10].split(" and ")), sum(n for _, n in pairs[10])
    assert ucb1(a[0] + 1, a[1] + 1, total + 1) < ucb1(*a, total) and ucb1(*b, total + 1) > ucb1(*b, total)
    assert rights[11] == "{}/{}".format(*max(pairs[11], key=lambda pair: ucb1(*pair, sum(n for _, n in pairs[11]))))


def test_each_letter_is_right_three_or_four_times():
    for form in inventory.FORMS:
        each = [inventory.options(form, number).items() for number in range(1, len(inventory.ALL) + 1)]
        letters = [letter for options in each for letter, (_, wrong) in options if not wrong]
        assert {letters.count(letter) for letter in "abcd"} == {3, 4}


def test_a_question_about_a_removed_notebook_is_left_out_and_the_others_keep_their_numbers():
    assert set(inventory.questions({"02", "minimax"})) < set(inventory.questions({"02", "minimax", "06", "mcts_ucb1"}))
    assert set(inventory.questions({"06", "mcts_ucb1"})) == {3, 11, 12}


def test_a_form_does_not_show_its_key():
    assert KNOWN.isdisjoint(re.findall(r"\(([^()]+)\)", inventory.form_page("A")))
    assert "Right: 1" not in inventory.form_page("A")
    page = inventory.form_page("A", with_key=True)
    assert f"Right: 1 {inventory.key('A')[1]}, 2 " in page and "minimax.value: everybody maximises" in page


def test_the_smallest_tree_of_a_mistake_is_drawn():
    entries = {entry["name"]: entry for entry in catalogue(tables_of("alpha_beta")["alpha_beta.search"])}
    rows = dict(entries["pruning with < instead of ≤"]["rows"])
    assert entries["pruning with < instead of ≤"]["tree"] and rows["correct"] != rows["with the mistake"]


@pytest.mark.parametrize("number", range(1, 8))
def test_a_lesson_in_the_teaching_guide_has_90_minutes(number):
    guide = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
    lesson = re.search(rf"^#+ {number}\. .*?\n(.*?)(?=^#|\Z)", guide, re.M | re.S)[1]
    assert sum(map(int, re.findall(r"^\| *(\d+) *\|", lesson, re.M))) == 90
