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


def test_what_would_have_been_typed_otherwise():
    assert changed(double, {"n + n": "n * n"})(5) == 25
    assert changed((Shop, double, price), {"n + n": "n", "FACTOR * ": ""})(5) == 5
    assert changed(thrice, {("+ n", 2): "- n"})(5) == -5
    assert changed(double, {"n + n": "factorial(n)"})(5) == 120
    assert price(5) == 30 and double(5) == 10


def test_two_texts_change_places():
    assert changed((Shop, double, price), {"n + n": "FACTOR * n", "FACTOR * apples": "apples"})(5) == 15


def test_recursion_stays_in_the_changed_text():
    assert changed(count_down, {"n - 1": "n - 2"})(7) == 4
    assert count_down(7) == 7


def count_down(n):
    return 1 + count_down(n - 1) if n > 0 else 0


@pytest.mark.parametrize("changes", [{"n - n": "0"}, {"n": "m"}, {("n + n", 2): "0"}, {"price": "n"}])
def test_a_text_must_stand_there_as_often_as_said(changes):
    with pytest.raises(ValueError, match=r"must stand \d times in double, not \d"):
        changed(double, changes)(1)


def test_nothing_is_compiled_before_a_mistake_is_looked_for():
    assert "function" not in vars(changed(double, {"n + n": "n"}))


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
