"""Changing probabilities and utilities, and watching the decision."""

import pytest
from ipywidgets.widgets import widget as kernel_side

from course_lib.explore import board, practice, what_if
from course_lib.explore.what_if import TRANSFORMS
from course_lib.games import MAX, MIN, Chance, TicTacToe, TreeGame, Turn
from course_lib.search import expectiminimax_search
from course_lib.watch.texts import number_text

LOTTERY = TreeGame([Chance([(0.5, 20), (0.5, 30)]), Chance([(0.9, 10), (0.1, 150)])])
TREES = [
    LOTTERY,
    TreeGame([3, [1, Chance([(0.25, 0), (0.75, 8)])]]),
    TreeGame({"safe": 1, "risk": Chance([(0.5, Turn(0, [4, -2])), (0.5, -3)])}, players=1),
    TreeGame([1, 2], first=1),
]


@pytest.mark.parametrize("game", TREES)
@pytest.mark.parametrize("transform", TRANSFORMS)
def test_it_begins_with_the_tree_as_given_and_its_transform(game, transform):
    widget = what_if(game, transform)
    assert what_is_drawn(widget, 0) == pytest.approx(expectiminimax_search(game, ())[0])
    assert all(abs(slider.value - given) < 1e-9 for slider, given in zip(widget.sliders.values(), given_numbers(game)))
    if transform in ("2u + 10", "u / 10 − 3"):
        assert "flipped" not in widget.decisions[1].value, "an affine transformation keeps the decision"


def what_is_drawn(widget, side):
    tree = widget.trees[side].tree
    values, steps = tree["columns"]["value"], len(tree["columns"]["op"])
    last = int.from_bytes(values[-len(values) // steps :], "little")
    return float(tree["texts"][last].replace("−", "-"))


def given_numbers(game):
    widget = what_if(game)
    values = [slider.value for slider in widget.sliders.values()]
    widget.sliders[next(iter(widget.sliders))].value = 0.01
    widget.reset()
    assert [slider.value for slider in widget.sliders.values()] == values
    return values


def test_the_decision_flips_where_the_expectations_cross():
    widget = what_if(LOTTERY)
    assert "Max plays <b>0</b>, worth 25." in widget.decisions[0].value
    assert "flipped" in widget.decisions[1].value, "u³ prefers the long shot"
    widget.sliders["p", (1, 1)].value = 0.12
    assert widget.sliders["p", (1, 0)].value == pytest.approx(0.88)
    assert "Max plays <b>1</b>, worth 26.8. <b>The decision has flipped.</b>" in widget.decisions[0].value
    widget.sliders["u", (0, 0)].value = 24
    assert "Max plays <b>0</b>, worth 27." in widget.decisions[0].value


def test_the_other_probabilities_share_what_is_left():
    game = TreeGame([0, Chance([(0.2, 1), (0.6, 2), (0.2, Chance([(1, 3)]))])])
    widget = what_if(game)

    def shown():
        return [widget.sliders["p", (1, outcome)].value for outcome in range(3)]

    widget.sliders["p", (1, 0)].value = 0.6
    assert shown() == pytest.approx([0.6, 0.3, 0.1]), "the others keep their proportion"
    assert "worth 1.5." in widget.decisions[0].value
    widget.sliders["p", (1, 0)].value = 1
    assert shown() == pytest.approx([1, 0, 0])
    widget.sliders["p", (1, 0)].value = 0.5
    assert shown() == pytest.approx([0.5, 0.25, 0.25]), "from nothing, they share alike"
    widget.sliders["p", (1, 2, 0)].value = 0
    assert "worth 1.75." in widget.decisions[0].value, "the only outcome is certain"
    assert shown() == pytest.approx([0.5, 0.25, 0.25]), "other chance nodes stay as they are"
    widget.reset()
    assert shown() == [0.2, 0.6, 0.2]


@pytest.mark.parametrize("wrong", [TicTacToe(), TreeGame([(1, 2, 3)], players=3), [1, 2], TreeGame(list(range(30)))])
def test_other_games_and_large_trees_are_refused(wrong):
    before = len(kernel_side._instances)
    with pytest.raises(ValueError, match="what_if"):
        what_if(wrong)
    assert len(kernel_side._instances) == before, "no widgets are left behind"


def test_an_unknown_transform_is_refused():
    with pytest.raises(ValueError, match="u³"):
        what_if(LOTTERY, "log u")


@pytest.mark.parametrize("tree", [5, Chance([(0.25, 1), (0.75, 2)]), [1], [0, 0], [Chance([(0, 1), (1, 2)]), 1]])
@pytest.mark.parametrize("first", [MAX, MIN])
def test_the_smallest_trees(tree, first):
    widget = what_if(TreeGame(tree, first=first))
    value, _ = expectiminimax_search(TreeGame(tree, first=first), ())
    assert f"worth {number_text(value)}." in widget.decisions[0].value
    assert "image/png" in widget._repr_mimebundle_()[0]


@pytest.mark.parametrize(
    "game", [TreeGame([[0.31, 20], [0.34, 20]]), TreeGame([Chance([(1 / 3, 30), (2 / 3, 0)]), 9.95])]
)
def test_a_browser_that_rounds_to_steps_changes_nothing(game):
    widget = what_if(game)
    said = [decision.value for decision in widget.decisions]
    for slider in widget.sliders.values():
        slider.value = round(slider.value / slider.step) * slider.step
    assert [decision.value for decision in widget.decisions] == said
    slider = widget.sliders["u", (0, 0) if ("u", (0, 0)) in widget.sliders else (1,)]
    slider.value += 3 * slider.step
    assert [decision.value for decision in widget.decisions] != said
    widget.reset()
    assert [decision.value for decision in widget.decisions] == said


@pytest.mark.parametrize("show", [lambda: what_if(LOTTERY), practice, lambda: board(TicTacToe())])
def test_a_widget_is_made_with_what_it_shows_first(show, monkeypatch):
    made, really_open = [], kernel_side.Widget.open

    def listening(widget):
        really_open(widget)
        made.append(widget.get_state())

    monkeypatch.setattr(kernel_side.Widget, "open", listening)
    show()
    drawn = [state[name] for state in made for name in ("tree", "view") if name in state]
    assert drawn and all(drawn)
