"""Numbers mean the same wherever a reader types them; the scripts of the explorers are held to these tables too."""

import json
from pathlib import Path

import pytest

from course_lib.explore.answers import read_number, read_numbers, same

HERE = Path(__file__).parent
NUMBERS = json.loads((HERE / "numbers.json").read_text(encoding="utf-8"))
LISTS = json.loads((HERE / "number_lists.json").read_text(encoding="utf-8"))


def number(entry):
    return None if entry is None else float(entry)


@pytest.mark.parametrize(("text", "meant"), NUMBERS)
def test_a_text_is_the_number_in_the_table(text, meant):
    assert read_number(text) == number(meant)


@pytest.mark.parametrize(("text", "meant"), LISTS)
def test_a_text_is_the_list_of_numbers_in_the_table(text, meant):
    assert read_numbers(text) == (None if meant is None else [number(entry) for entry in meant])


@pytest.mark.parametrize(
    ("given", "answer", "equal"),
    [("3", "3", True), (" -2 ", "−2", True), ("3 inf", "[3, +∞]", True), ("[-oo, 4.0]", "[−∞, 4]", True),
     ("2,5", "2.5", True), ("-0,25", "−0.25", True), ("25", "2.5", False), ("B", "b", True), ("Cut", "cut", True),
     ("–2", "−2", True), ("1/2", "0.5", True), ("–1/2", "−0.5", True), ("5e-1", "0.5", True), ("-∞ 3", "[−∞, 3]", True),
     ("[-infty, +Infinity]", "[−∞, +∞]", True), ("[-\\infty, INF]", "[−∞, +∞]", True), ("[–oo, +oo]", "[−∞, +∞]", True),
     ("a", "b", False), ("1/0", "1", False), ("1/", "1", False), ("/2", "0.5", False), ("1/2/2", "0.25", False),
     ("3 ∞", "[3, −∞]", False), ("", "", True), ("3", "", False), ("", "cut", False),
     ("4", "3", False), ("", "3", False), ("3, 4", "[4, 3]", False), ("three", "3", False)],
)  # fmt: skip
def test_answers_may_be_written_in_several_ways(given, answer, equal):
    assert same(given, answer) == equal
