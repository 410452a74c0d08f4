"""Pictures and columns of game trees, without a browser."""

import re
import sys

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from course_lib.explore import explore, picture, watch, watch_mcts
from course_lib.explore.drawing import snapshot
from course_lib.explore.explorer import Explorer
from course_lib.games import Chance, ConnectFour, Nim, TicTacToe, TreeGame
from course_lib.games.texts import number_text
from course_lib.search import alpha_beta_search, max_n_search, minimax_search, monte_carlo_tree_search
from course_lib.watch.record import CUT, VISITED

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


PIECES = {f"the game {name}": lambda game=game: picture(game) for name, game in TREES.items()}
PIECES |= {
    f"alpha-beta, step {step}": lambda step=step: picture(watch(alpha_beta_search, WORKED), step)
    for step in (0, 9, 14, None)
}
PIECES |= {
    "max^n": lambda: picture(watch(max_n_search, TREES["three players"])),
    "boards": lambda: picture(watch(minimax_search, TicTacToe(), TicTacToe().after(0, 1, 2, 3, 4, 6))),
    "tic-tac-toe": lambda: picture(TicTacToe()),
    "take-away": lambda: picture(watch(minimax_search, Nim(5, max_take=3))),
}


def test_a_picture_shows_the_step():
    columns = watch(alpha_beta_search, WORKED).columns()
    steps = [snapshot(columns, step) for step in range(len(columns["columns"]["op"]) + 1)]
    chosen = [[node.number for node in now if node.chosen] for now in steps]
    assert chosen[-1] == [1, 2, 6, 12] and not any(1 in now for now in chosen[:-1]), "when the root has returned"
    assert [node.status for node in steps[0]] == 13 * ["new"]
    cut = [[node.number for node in now if node.status == CUT] for now in steps]
    assert cut[-1] == [7, 8] and all(now in ([], [7, 8]) for now in cut)
    assert [now[5].status for now in steps].index(VISITED) == cut.index([7, 8]), "when their parent has returned"


def test_a_picture_shows_the_tree_of_its_kind():
    deep = snapshot(watch(alpha_beta_search, TreeGame([[3, 12], [2, [7, 8]]])).columns())
    assert [node.status for node in deep[-3:]] == [CUT] * 3, "below a cut, too"
    three = snapshot(watch(max_n_search, TreeGame([[[(1, 2, 3), (4, 5, 6)]]], players=3)).columns())
    assert [node.kind for node in three] == ["max", "min", "player 2", "leaf", "leaf"]
    columns = watch_mcts(monte_carlo_tree_search, TicTacToe(), iterations=9, seed=1).columns()
    assert [len(snapshot(columns, step)[0].children) for step in (1, 2, 5, 6)] == [0, 1, 1, 2]
    rank, numbers = columns["columns"]["rank"], [child.number for child in snapshot(columns)[0].children]
    assert [rank[number] for number in numbers] == list(range(9)) and numbers != sorted(numbers)


@pytest.mark.parametrize("name", PIECES)
def test_no_two_labels_overlap_and_none_is_cut_off(name):
    figure = PIECES[name]()
    boxes = text_boxes(figure)
    width, height = figure.get_size_inches() * figure.dpi
    for text, box in boxes:
        assert box.x0 >= 0 and box.x1 <= width and box.y0 >= 0 and box.y1 <= height, f"{text!r} is cut off in {name}"
    for index, (text, box) in enumerate(boxes):
        for other, other_box in boxes[index + 1 :]:
            assert not box.overlaps(other_box), f"{text!r} and {other!r} overlap in {name}"


def test_levels_that_do_not_fit_are_counted():
    drawn = [text for text, _ in text_boxes(picture(TicTacToe()))]
    assert drawn.count("+8") == 9


def test_a_picture_shows_the_tree_of_its_step():
    trace = watch(alpha_beta_search, WORKED)
    texts = [[text for text, _ in text_boxes(picture(trace, step))] for step in (0, None)]
    assert "[3, +∞]" not in texts[0] and "[3, +∞]" in texts[1]
    assert [text for text, _ in text_boxes(picture(trace, trace.steps))] == texts[1], "all steps: the finished tree"


SEARCHED = watch(minimax_search, WORKED)
"""26 steps."""


@pytest.mark.parametrize("show", [explore, picture])
@pytest.mark.parametrize(("given", "options", "message"), [
    (minimax_search, {}, "is a function: pass watch("),
    (TicTacToe, {}, "pass TicTacToe(), with parentheses"),
    *((game, {"state": state}, f"Expected a state of {game!r}, such as ")
      for game in (TicTacToe(), WORKED) for state in ("x", (9,))),
    (SEARCHED, {"step": 27}, "step must be a whole number from 0 to 26, not 27"),
])  # fmt: skip
def test_what_cannot_be_shown_is_refused(show, given, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        show(given, **options)


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


class BrokenAt(Nim):
    """Nim with a mistake in the rules, which shows where so many objects are left."""

    def __init__(self, left, *piles):
        super().__init__(*piles)
        self.left = left

    def actions(self, state):
        if sum(state[1]) == self.left:
            raise KeyError("a mistake of the student's")
        return super().actions(state)


def test_a_mistake_of_the_game_below_the_root_is_a_leaf():
    for left in (3, 16):
        explorer = explore(BrokenAt(left, [9, 8]))
        columns, texts = explorer.tree.tree["columns"], explorer.tree.tree["texts"]
        assert len(columns["kind"]) == 18 and any("nodes" in text for text in texts) == ("?" in texts)
        assert ("?" in texts) == (left == 16) and "image/png" in explorer._repr_mimebundle_()[0]
    with pytest.raises(KeyError, match="a mistake of the student's"):
        explore(BrokenAt(17, [9, 8]))


def test_answers_are_written_into_the_tree():
    drawn = [text for text, _ in text_boxes(picture(WORKED, answers={(): "3", (0,): "[1, 2]", (1, 0): "cut"}))]
    assert "[1, 2]" in drawn and drawn.count("3") == 2 and "cut" not in drawn


def test_without_matplotlib_a_picture_is_an_explorer(monkeypatch):
    monkeypatch.setattr(sys.modules["course_lib.explore.picture"], "find_spec", lambda name: None)
    assert isinstance(picture(WORKED, state=(1,)), Explorer)
    trace = watch(minimax_search, WORKED)
    assert picture(trace, 5).tree.step == 5
