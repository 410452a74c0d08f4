"""Practice by hand: the trees, the answers, and the first difference."""

from array import array
from collections import Counter

import pytest
from matplotlib.text import Text

from course_lib.explore import practice
from course_lib.explore.picture import worksheet_picture
from course_lib.explore.practice import KINDS, random_exercise
from course_lib.games import CHANCE

EVERY = [(kind, level) for kind in KINDS for level in (1, 2, 3)]


def answered(exercise, given):
    """What is said when these answers, path → text, are checked."""
    exercise.tree.answers = {str(exercise._number[path]): text for path, text in given.items()}
    exercise.check()
    return exercise._verdict.value


@pytest.mark.parametrize("seed", range(4))
def test_the_numbers_of_ucb1_are_above_the_nodes_of_every_drawing(seed):
    exercise = practice("ucb1", 2, seed=seed)
    counts = random_exercise("ucb1", 2, seed).counts
    columns, texts = exercise.tree.tree["columns"], exercise.tree.tree["texts"]
    above = [texts[number] for number in array("i", columns["edge"])]
    assert above[1:] == [f"{path[-1]} {counts[path][0]}/{counts[path][1]}" for path in exercise._paths[1:]]
    drawn = [text.get_text() for text in worksheet_picture(exercise.game, {}, exercise.given).findobj(Text)]
    assert set(above[1:]) <= set(drawn)


@pytest.mark.parametrize(("kind", "level"), EVERY)
def test_right_answers_pass_and_the_first_difference_is_shown(kind, level):
    exercise = practice(kind, level, seed=5)
    wrong_step = exercise.steps[len(exercise.steps) // 2]
    wrong = exercise.answers() | {wrong_step.path: "cut" if exercise.mark else "77/78"}
    if wrong_step.answer == "cut":
        del wrong[wrong_step.path]
    name = " ".join(map(str, wrong_step.path)) or "(root)"
    if not exercise.mark:
        said = answered(exercise, exercise.answers() | {wrong_step.path: "79/80"})
        assert said.endswith(f"{name}: you wrote 79/80. Try again.</div>")
        assert said == answered(exercise, exercise.answers() | {wrong_step.path: "79/80"}), "the same answer"
    assert f"{name}: you " in answered(exercise, wrong) and wrong_step.reason in exercise._verdict.value
    judged = [step for step in exercise.steps if step.answer or step is wrong_step]
    assert Counter(exercise.tree.marks.values()) == Counter(right=judged.index(wrong_step), wrong=1)
    assert "All correct" in answered(exercise, exercise.answers())


@pytest.mark.parametrize(("kind", "level"), EVERY)
def test_an_empty_sheet_is_not_an_answer(kind, level):
    exercise = practice(kind, level, seed=5)
    assert "nothing to check yet" in answered(exercise, {})
    assert not exercise.tree.marks


@pytest.mark.parametrize("kind", ["minimax", "expectiminimax"])
def test_answers_are_judged_up_to_the_first_that_is_missing(kind):
    exercise = practice(kind, 2, seed=5)
    first, *_, last = exercise.steps
    said = answered(exercise, {first.path: first.answer, last.path: "77/78"})
    assert f"Right so far. Still empty: {len(exercise.steps) - 2} of {len(exercise.steps)}." in said
    assert exercise.tree.marks == {str(exercise._number[first.path]): "right"}


def test_leaves_without_a_mark_count_only_where_they_are_cut():
    exercise = practice("alpha-beta", 2, seed=5)
    seen = [step.path for step in exercise.steps if not step.answer]
    said = answered(exercise, {seen[0]: "cut"})
    assert "you marked it as cut, but alpha-beta visits it. It can still change the result" in said
    first, *others = exercise.answers()
    said = answered(exercise, dict.fromkeys(others, "cut"))
    assert f"{' '.join(map(str, first))}: you did not mark it, but alpha-beta cuts it" in said and others


@pytest.mark.parametrize("kind, least", [("ucb1", 0), ("puct", -1)])
def test_the_rewards_of_a_child_are_the_other_players(kind, least):
    """A node has those of its children, and of one playout of its own, but for the root of UCB1."""
    for seed in range(5):
        counts = random_exercise(kind, 2, seed).counts
        for path, (total, visits, _) in counts.items():
            below = [counts[*path, letter] for letter in "abc" if (*path, letter) in counts]
            own = visits - sum(child.visits for child in below)
            given = sum(-child.total if least else child.visits - child.total for child in below)
            assert least * own <= total - given <= own
            assert not below or own == (1 if path or least else 0)
            assert not below or not least or sum(child.prior for child in below) == pytest.approx(1)


def test_each_tree_for_alpha_beta_has_a_cut():
    assert all(any(step.answer for step in random_exercise("alpha-beta", 1, seed).steps) for seed in range(20))


def test_the_mean_of_a_chance_node_is_explained():
    exercise = practice("expectiminimax", 1, seed=0)
    (step, *_) = (step for step in exercise.steps if exercise.game.to_move(step.path) == CHANCE)
    assert "the chance node 0 you wrote abc, which cannot be read." in answered(exercise, {step.path: "abc"})
    assert "the chance node 0: you wrote 76. Try again." in answered(exercise, {step.path: "76"})
    assert step.reason in answered(exercise, {step.path: "77"})
    left, mean = step.reason.removeprefix("Chance gives the mean: ").removesuffix(".").replace("−", "-").split(" = ")
    terms = [term.split(" × ") for term in left.split(" + ")]
    assert sum(float(p) * float(v) for p, v in terms) == pytest.approx(float(mean))
    assert sum(float(p) for p, _ in terms) == pytest.approx(1)


def test_nobody_moved_into_the_root():
    exercise = practice("mcts", 1, seed=4)
    reasons = [step.reason for step in exercise.steps if step.answer]
    assert [reason.partition(" ")[0] for reason in reasons] == ["If", *["Min", "Max"][: len(reasons) - 1]]
