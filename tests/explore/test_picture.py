"""Pictures and columns of game trees, without a browser."""

import re
from fractions import Fraction
from math import inf

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from course_lib.explore import chart, explore, game_tree, picture, side_by_side, watch
from course_lib.explore.drawing import Picture
from course_lib.games import MAX, MIN, Chance, ConnectFour, Nim, TicTacToe, TreeGame
from course_lib.search import alpha_beta_search, max_n_search, minimax_search
from course_lib.watch.texts import number_text

WORKED = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
TREES = {
    "worked": WORKED,
    "uneven": TreeGame([[1, [2, [3, 4, 5, 6]]], 7, [[8, 9], 1], 5]),
    "one leaf": TreeGame(-17),
    "wide": TreeGame([[-100 * a + b for b in range(4)] for a in range(5)]),
    "long names": TreeGame(
        {"develop the knight": {"accept": 0.125, "decline": -2.5}, "castle": {"attack": 1, "wait": 0}}
    ),
    "chance": TreeGame([Chance([(0.5, [1, 2]), (0.25, 3), (0.25, -4)]), {"stop": 2, "go": [4, 5]}]),
    "three players": TreeGame([[(1, 2, 3), (4, 5, 6)], [(7, 8, 9), (-10, 0, 0)]], players=3),
}


def text_boxes(figure):
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    texts = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
    return [(text.get_text(), text.get_window_extent(canvas.get_renderer())) for text in texts]


FIGURES = {f"the game {name}": lambda game=game: picture(game) for name, game in TREES.items()}
FIGURES |= {
    f"alpha-beta, step {step}": lambda step=step: picture(watch(alpha_beta_search, WORKED), step)
    for step in (0, 9, 14, None)
}
FIGURES |= {
    "max^n": lambda: picture(watch(max_n_search, TREES["three players"])),
    "boards": lambda: picture(watch(minimax_search, TicTacToe(), TicTacToe().after(0, 1, 2, 3, 4, 6))),
    "tic-tac-toe": lambda: picture(TicTacToe()),
    "take-away": lambda: picture(watch(minimax_search, Nim(5, most=3))),
}


@pytest.mark.parametrize("name", FIGURES)
def test_no_two_labels_overlap_and_none_is_cut_off(name):
    figure = FIGURES[name]()
    boxes = text_boxes(figure)
    width, height = figure.get_size_inches() * figure.dpi
    for text, box in boxes:
        assert box.x0 >= 0 and box.x1 <= width and box.y0 >= 0 and box.y1 <= height, f"{text!r} is cut off in {name}"
    for index, (text, box) in enumerate(boxes):
        for other, other_box in boxes[index + 1 :]:
            assert not box.overlaps(other_box), f"{text!r} and {other!r} overlap in {name}"


def test_a_picture_is_readable_at_850_pixels():
    """Shrunk to 850 pixels, the smallest text of the widest picture is still 7 pixels high."""
    widest = picture(TreeGame([[[v, -v] for v in range(12)] for _ in range(9)]))
    width = widest.png_size()["width"]
    smallest = min(text.get_fontsize() for text in widest.findobj(Text) if text.get_text())
    assert smallest * 100 / 72 * min(1, 850 / width) >= 7


def test_levels_that_do_not_fit_are_counted():
    drawn = [text for text, _ in text_boxes(picture(TicTacToe()))]
    assert drawn.count("+8") == 9


def test_a_picture_shows_the_tree_of_its_step():
    watched = watch(alpha_beta_search, WORKED)
    texts = [[text for text, _ in text_boxes(picture(watched, step))] for step in (0, None)]
    assert "[3, +∞]" not in texts[0] and "[3, +∞]" in texts[1]
    assert [text for text, _ in text_boxes(picture(watched, watched.steps))] == texts[1], "all steps: the finished tree"


def test_a_picture_is_a_figure_that_shows_itself():
    figure = picture(WORKED)
    assert isinstance(figure, Picture) and repr(figure) == "Picture"
    bundle, metadata = figure._repr_mimebundle_()
    assert bundle["image/png"].startswith(b"\x89PNG") and metadata["image/png"]["width"] > 100


SEARCHED = watch(minimax_search, WORKED)
"""26 steps."""


@pytest.mark.parametrize("show", [explore, picture])
@pytest.mark.parametrize(("given", "options", "message"), [
    *((wrong, {}, "takes what watch() returned, or a game") for wrong in (None, 3, "tree", minimax_search)),
    *((game, {}, f"not a class: give {game.__name__}(), with parentheses") for game in (TicTacToe, TreeGame)),
    *((game, {"state": state}, f"{state!r} is not a state of {game!r}: ")
      for game in (TicTacToe(), Nim(), ConnectFour(), WORKED) for state in (4, "x", (9,))),
    (SEARCHED, {"state": ()}, "state: only for a game, and this is a recorded search"),
    (SEARCHED, {"step": 27}, "step must be a whole number from 0 to 26, not 27"),
    (WORKED, {"step": 3}, "step: only for a recorded search"),
])  # fmt: skip
def test_what_cannot_be_shown_is_refused(show, given, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        show(given, **options)


NO_TEXTS = "answers must be a dictionary from paths to texts, such as {(0,): '3'}, not "


@pytest.mark.parametrize(("show", "given", "options", "message"), [
    (picture, WORKED, {"answers": {(0,): 3}}, NO_TEXTS + "{(0,): 3}"),
    (picture, WORKED, {"answers": [3]}, NO_TEXTS + "[3]"),
    (picture, WORKED, {"answers": {(0,): "3", (9,): "3"}}, f"(9,) is not a state of {WORKED!r}: (9,) is no path"),
    (picture, SEARCHED, {"answers": {}}, "answers: only for a game, and this is a recorded search"),
    (picture, WORKED, {"step": 0}, "step: only for a recorded search"),
    *((picture, SEARCHED, {"step": step}, f"step must be a whole number from 0 to 26, not {step!r}")
      for step in (2.5, "3", -1)),
    *((explore, SEARCHED, {name: value}, f"{name} must be True or False, not {value!r}")
      for name, value in (("reorder", "yes"), ("reorder", 1), ("boards", "yes"), ("boards", 0))),
    (explore, SEARCHED, {"predict": "everything"}, "predict must be 'value', 'next' or 'next leaf'"),
    (explore, WORKED, {"predict": "next"}, "predict: only for a recorded search"),
    (explore, WORKED, {"reorder": True}, "reorder: only for a recorded search"),
])  # fmt: skip
def test_an_option_that_means_nothing_is_refused(show, given, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        show(given, **options)


def test_the_last_step_is_shown():
    assert explore(SEARCHED, step=26).tree.step == 26
    assert picture(SEARCHED, np.int64(26)).alt == picture(SEARCHED).alt


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (-1, "−1"),
        (0.25, "0.25"),
        (-1 / 3, "−1/3"),
        (Fraction(-1, 9), "−1/9"),
        (0.1 + 0.2, "0.3"),
        (-0.530593, "−0.5306"),
        (inf, "+∞"),
        (-inf, "−∞"),
        ((1, -2), "(1, −2)"),
        (None, "None"),
    ],
)
def test_numbers_are_written_as_in_the_text(value, text):
    assert number_text(value) == text


def test_the_columns_hold_the_recorded_tree():
    watched = watch(alpha_beta_search, WORKED)
    tree, nodes = watched.columns(), list(watched.nodes())
    texts, columns = list(tree["texts"]), tree["columns"]
    assert [nodes[i].path for i in range(3)] == [(), (0,), (0, 0)]
    assert all(parent < index for index, parent in enumerate(columns["parent"]))
    assert [texts[i] for i in columns["leaf"]][2:5] == ["3", "12", "8"]
    assert sum(status == 2 for status in columns["status"]) == 2, "the leaves 4 and 6 are cut"
    assert len(columns["op"]) == len(columns["at"]) == len(columns["alpha"]) == len(watched.events)
    returned = [(nodes[at].path, texts[value]) for at, value in zip(columns["at"], columns["value"]) if value >= 0]
    assert returned[-1] == ((), "3") and ((1,), "2") in returned


def test_an_explorer_has_a_picture_beside_its_live_view():
    explorer = explore(watch(minimax_search, WORKED))
    bundle, metadata = explorer._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "image/png", "application/vnd.jupyter.widget-view+json"}
    assert bundle["text/plain"] == f"Explorer(minimax_search on {WORKED!r})"
    assert "Game tree" in metadata["image/png"]["alt"]


@pytest.mark.parametrize(
    "game", [TicTacToe(), ConnectFour(4, 4), Nim(), WORKED, TREES["chance"], TREES["three players"]]
)
def test_a_bare_game_gives_its_children_on_demand(game):
    explorer = explore(game, open_depth=0)
    sent = []
    explorer.tree.send = sent.append
    explorer.tree._handle_custom_msg({"type": "children", "node": 0}, [])
    explorer.tree._handle_custom_msg({"type": "boards", "nodes": [0, 1], "run": 0}, [])
    children, boards = sent
    first = game.initial_state()
    assert [child["action"] for child in children["children"]] == [number_text(a) for a in game.actions(first)]
    assert len(boards["boards"]) == 2


def test_subtree_sizes_are_counted_where_they_can_be(monkeypatch):
    monkeypatch.setattr(game_tree, "COUNT_LIMIT", 500)
    assert "33 nodes" in explore(Nim([2, 2])).tree.tree["texts"]  # tic-tac-toe's 549,946 are counted in the browser
    assert not any("nodes" in text for text in explore(ConnectFour()).tree.tree["texts"])


class BrokenAt(Nim):
    """Nim with a mistake in the rules, which shows where so many objects are left."""

    def __init__(self, left, *piles):
        super().__init__(*piles)
        self.left = left

    def actions(self, state):
        if sum(state[1]) == self.left:
            raise KeyError("a mistake of the student's")
        return super().actions(state)


def test_a_mistake_of_the_game_far_below_leaves_the_first_levels_to_walk():
    explorer = explore(BrokenAt(3, [9, 8]))
    columns, texts = explorer.tree.tree["columns"], explorer.tree.tree["texts"]
    assert len(columns["kind"]) == 18 and not any("nodes" in text for text in texts)
    assert "image/png" in explorer._repr_mimebundle_()[0]
    with pytest.raises(KeyError, match="a mistake of the student's"):
        explore(BrokenAt(16, [9, 8]))


def test_a_search_that_returns_other_things_is_still_drawn():
    """Values of NumPy's types, or none at all, are the student's business; the tree is drawn all the same."""

    def searches(game, state, kind):
        if game.is_terminal(state):
            return kind(game.utility(state, MAX))
        return kind(max(searches(game, game.result(state, action), kind) or 0 for action in game.actions(state)))

    for kind in (np.float64, np.int32, str, lambda value: None):
        watched = watch(lambda game, state, kind=kind: searches(game, state, kind), TreeGame([1, [2, 3]], first=MIN))
        explore(watched)
        picture(watched)


def test_nodes_whose_children_were_not_all_recorded_are_marked():
    watched = watch(minimax_search, WORKED, max_nodes=6)
    assert [node.path for node in watched.nodes() if node in watched.partial] == [(), (1,)]
    sent, nodes = watched.columns(), list(watched.nodes())
    marked = [node.path for node, size in zip(nodes, sent["columns"]["size"]) if list(sent["texts"])[size]]
    assert marked == [(), (1,)]
    assert [text.get_text() for text in picture(watched).findobj(Text)].count("…") == 2
    assert not watch(minimax_search, WORKED).partial


def test_a_chart_and_boards_say_in_words_what_they_show():
    figure, axes = chart("two lines", 8, 3, panels=2)
    assert (figure.alt, *figure.get_size_inches(), len(axes)) == ("two lines", 8, 3, 2)
    game = TicTacToe()
    boards = side_by_side(game, {"before": game.parse("... .X. ..."), "after": game.parse("O.. .X. ...")})
    assert boards.alt == "before: ... / .X. / ...; after: O.. / .X. / ..."
    assert [axes.get_title() for axes in boards.axes] == ["before", "after"]
    connect_four = ConnectFour()
    (axes,) = side_by_side(connect_four, {"start": connect_four.initial_state()}).axes
    assert [label.get_text() for label in axes.get_xticklabels()] == list("0123456")
