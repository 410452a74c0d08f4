"""Numbers mean the same wherever a reader types them; the scripts of the explorers are held to these tables too."""

import json
from pathlib import Path

import pytest

from course_lib.explore.practice import read_number, same_answer

HERE = Path(__file__).parent
NUMBERS = json.loads((HERE / "numbers.json").read_text(encoding="utf-8"))


def number(entry):
    return None if entry is None else float(entry)


@pytest.mark.parametrize(("text", "meant"), NUMBERS)
def test_a_text_is_the_number_in_the_table(text, meant):
    assert read_number(text) == number(meant)


@pytest.mark.parametrize(
    ("given", "answer", "equal"),
    [(" -2 ", "−2", True), ("2,5", "2.5", True), ("25", "2.5", False), ("B", "b", True), ("Cut", "cut", True),
     ("–1/2", "−0.5", True), ("3 / 5", "3/5", True), (".5/1", "0.5/1", True), ("6/10", "3/5", False),
     ("a", "b", False), ("", "", True), ("3", "", False), ("", "cut", False), ("", "3", False), ("three", "3", False)],
)  # fmt: skip
def test_answers_may_be_written_in_several_ways(given, answer, equal):
    assert same_answer(given, answer) == equal
