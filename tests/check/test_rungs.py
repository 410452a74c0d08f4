"""The ladder for who is stuck: it is there after three attempts, and what passes is decided by running it."""

from collections import Counter
from contextlib import suppress

import pytest

from course_lib.check import check, hint
from course_lib.check.question import NOTEBOOKS, find_question, questions_of
from course_lib.check.rungs import STUCK, Lines, has_lines, lines_of, right_case

WRITE = [question for notebook in NOTEBOOKS for question in questions_of(notebook) if question.kind == "write"]
WITH_LINES = [question for question in WRITE if has_lines(question)]


def by_name(question):
    return question.identifier


def verdict(shown):
    shown.check()
    return shown.verdict.value.removeprefix('<div role="status">').removesuffix("</div>")


def solve(shown):
    """Put the lines into the order of the right answer, and fill in its gaps."""
    right = lines_of(shown.question)[0]
    shown.order, shown.out = list(range(len(shown.lines))), {len(right), len(right) + 1}
    for mark, field in shown.gaps.items():
        (number,) = (number for number, line in enumerate(shown.lines) if mark in line)
        before, after = shown.lines[number].split(mark)
        field.value = right[number][len(before) : len(right[number]) - len(after)]


@pytest.mark.parametrize("question", WITH_LINES, ids=by_name)
def test_the_right_order_passes_and_without_lines_or_with_a_wrong_gap_it_does_not(in_haste, question):
    right = lines_of(question)[0]
    for gaps in (False, True):
        shown = Lines(question, gaps)
        assert len(set(shown.lines[len(right) :]) - set(right)) == 2
        assert len(shown.gaps) >= gaps
        solve(shown)
        assert verdict(shown).startswith("Right")
        shown.out = set(range(len(shown.lines)))
        assert verdict(shown).startswith("Not yet. A function was expected, not None")
    if shown.gaps:
        solve(shown)
        shown.gaps["①"].value = "None None"
        assert verdict(shown).startswith("Not yet. SyntaxError")


def test_any_order_that_passes_is_right():
    shown = Lines(find_question("minimax.value"))
    solve(shown)
    right = lines_of(shown.question)[0]
    mover, v = (next(n for n, line in enumerate(right) if line.startswith(f"    {name} =")) for name in ("player", "v"))
    shown.order.insert(0, shown.order.pop(mover))
    assert verdict(shown).startswith("Not yet. IndentationError")
    shown.order.insert(1, shown.order.pop(0))  # the mover is asked before the game is known to go on
    assert shown.order[1] == mover < v and verdict(shown).startswith("Right")


def test_lines_that_never_end_are_stopped():
    shown = Lines(find_question("mcts_ucb1.simulate"))
    solve(shown)
    body = next(n for n, line in enumerate(shown.lines) if "game.result" in line)
    shown.lines[body] = "        pass"
    assert verdict(shown) == "Not yet. It was stopped: either a loop or a recursion never ends."


def test_lines_are_moved_left_out_and_taken_back_by_buttons():
    shown = Lines(find_question("minimax.value"))
    up, down, leave_out, _ = shown.children[2].children
    first, second, *others = shown.order
    down.click()
    assert shown.order == [second, first, *others] and shown.list.value == first
    up.click(), up.click()
    assert shown.order == [first, second, *others]
    leave_out.click()
    assert shown.list.options[0][0].startswith("✗\xa0") and shown.lines[first] not in shown.text().splitlines()
    leave_out.click()
    assert shown.text().splitlines() == [shown.lines[number] for number in shown.order]
    indents = {len(label) - len(label.lstrip("\xa0")) for label, _ in shown.list.options}
    assert indents == {0, 4, 8, 12}


def wrong(game, state):
    return 7


def test_the_ladder_is_there_after_three_attempts_rung_by_rung(capsys, monkeypatch):
    for counter in ("_tried", "_shown"):
        monkeypatch.setattr(f"course_lib.check.rungs.{counter}", Counter())
    for attempt in range(1, 4):
        with pytest.raises(AssertionError):
            check("minimax.value", wrong)
        assert (STUCK in capsys.readouterr().out) == (attempt == 3)
        if attempt < 3:
            assert "after 3 failed attempts" in repr(hint())
    first, second, third, again = hint(), hint(), hint(), hint()
    assert ("answer", "-1") in first.rows and [caption for caption, _ in first.pictures] == ["the values at its nodes"]
    assert [type(rung) for rung in (second, third, again)] == [Lines] * 3
    assert not second.gaps and third.gaps and again.gaps
    with suppress(AssertionError):
        check("minimax.search", wrong)
    assert STUCK not in capsys.readouterr().out
    assert "after 3 failed attempts" in repr(hint())


@pytest.mark.parametrize("question", WRITE, ids=by_name)
def test_the_first_rung_is_shown_for_each_question(question):
    case = (tuple(question.small()) or question.drawn(1, 1))[0]
    note = right_case(question, case, question.expected(case))
    assert "This is right" in note.html() and question.show(question.expected(case)) in dict(note.rows).values()
