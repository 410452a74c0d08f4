"""Known mistakes as changes to the text of a right answer."""

import inspect

import pytest

from course_lib.check.mistakes import mistakes
from course_lib.check.question import NOTEBOOKS, questions_of

FACTOR = 3


class Shop:
    def price(self, apples):
        return FACTOR * apples


def double(n):
    return n + n


def thrice(n):
    return n + n + n


def price(apples):
    return Shop().price(double(apples))


def changed(right, changes):
    (bug,) = mistakes(right, ("a name", "a sentence", changes))
    assert (bug.name, bug.sentence) == ("a name", "a sentence")
    return bug.wrong


def count_down(n):
    return 1 + count_down(n - 1) if n > 0 else 0


@pytest.mark.parametrize(
    ("right", "changes", "n", "answer"),
    [
        (double, {"n + n": "n * n"}, 5, 25),
        ((Shop, double, price), {"n + n": "n", "FACTOR * ": ""}, 5, 5),
        (thrice, {("+ n", 2): "- n"}, 5, -5),
        (double, {"n + n": "factorial(n)"}, 5, 120),
        ((Shop, double, price), {"n + n": "FACTOR * n", "FACTOR * apples": "apples"}, 5, 15),  # they change places
        (count_down, {"n - 1": "n - 2"}, 7, 4),  # recursion stays in the changed text
    ],
)
def test_what_would_have_been_typed_otherwise(right, changes, n, answer):
    wrong = changed(right, changes)
    assert "function" not in vars(wrong)  # nothing is compiled before it is looked for
    assert wrong(n) == answer
    assert (price(5), double(5), count_down(7)) == (30, 10, 7)


@pytest.mark.parametrize("changes", [{"n - n": "0"}, {"n": "m"}, {("n + n", 2): "0"}, {"price": "n"}])
def test_a_text_must_stand_there_as_often_as_said(changes):
    with pytest.raises(ValueError, match=r"must stand \d times in double, not \d"):
        changed(double, changes)(1)


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_the_changes_of_every_known_mistake_can_be_made(notebook):
    """No two mistakes of a question are the same text, and none is the right one."""
    for question in questions_of(notebook):
        texts = [bug.wrong.text() for bug in question.bugs if hasattr(bug.wrong, "text")]
        assert len(set(texts)) == len(texts)
        for bug in question.bugs:
            if hasattr(bug.wrong, "text"):
                compile(bug.wrong.text(), "mistake", "exec")
                assert bug.wrong.text() != "\n\n".join(map(inspect.getsource, bug.wrong.parts))
