import pytest

from course_lib.games import MAX, MIN, Pig
from course_lib.games.pig import PigState

PIG = Pig(20)


def test_a_turn():
    state = PIG.after("roll", 6, "roll", 2)
    assert state == PigState(MAX, (0, 0), 8)
    assert PIG.result(state, "hold") == PigState(MIN, (8, 0))
    assert PIG.result(PIG.result(state, "roll"), 1) == PigState(MIN, (0, 0))
    assert PIG.after("roll", 6, "hold", "roll", 5, "hold") == PigState(MAX, (6, 5))
    assert PIG.after("hold") == PigState(MIN, (0, 0))
    assert PIG.actions(PigState(MIN, (0, 15), 5)) == ("hold",)  # which wins
    assert PIG.actions(PigState(MIN, (15, 0), 5)) == ("roll", "hold")
    for roll in 0, 7:
        with pytest.raises(ValueError, match=f"cannot play {roll}"):
            PIG.after("roll", roll)
    assert PIG.render(PIG.after("hold", "roll")) == "Max 0, Min 0 of 20\nMin has 0 in this turn and rolls"
