from fractions import Fraction
from itertools import product

import pytest

from course_lib.games import DiceDuel
from course_lib.search import expectiminimax_search


@pytest.mark.parametrize(
    "dice", [{"steady": (3, 4, 4), "wild": (1, 6, 6)}, {"a": (2, 4, 9), "b": (1, 6, 8), "c": (5,)}]
)
def test_search_finds_the_best_die(dice):
    def mean(true_values):
        true_values = list(true_values)
        return Fraction(sum(true_values), len(true_values))

    def sign(ours, theirs):
        return (ours > theirs) - (ours < theirs)

    true_value = {
        name: mean(min(mean(sign(ours, theirs) for theirs in reply) for reply in dice.values()) for ours in faces)
        for name, faces in dice.items()
    }
    value, action = expectiminimax_search(DiceDuel(dice), ())
    assert value == pytest.approx(float(max(true_value.values())))
    assert action == max(true_value, key=true_value.get)
    for name, roll in product(dice, (1, 4, 5)):
        if roll in dice[name]:
            value, _ = expectiminimax_search(DiceDuel(dice), (name, roll))
            assert value == pytest.approx(float(min(mean(sign(roll, t) for t in reply) for reply in dice.values())))


def test_a_game_keeps_its_dice():
    faces = [1, 2]
    game = DiceDuel({"a": faces})
    faces.append(6)
    assert game.chances(("a",)) == DiceDuel({"a": [1, 2]}).chances(("a",))
