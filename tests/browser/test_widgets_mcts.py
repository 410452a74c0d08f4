"""The explorer for Monte-Carlo tree search in a real JupyterLab."""

import json
import re

import pytest
from playwright.sync_api import expect

from browser.test_widgets_explorer import LABELS, eventually, node, overlaps, press, tree
from lab import run_code, set_theme

EXAMPLE = """game = TreeGame([[[[[1]]]], 0, 0])
counts = {(): (37, 100), (0,): (60, 79), (1,): (1, 10), (2,): (2, 11), (0, 0): (16, 53), (0, 0, 0): (27, 35)}
grown = watch_mcts(monte_carlo_tree_search, game, iterations=1, c=1.4, root=mcts_tree(game, counts))
e = explore(grown)
e"""
GROWING = (
    "grown = watch_mcts(monte_carlo_tree_search, TicTacToe(), iterations=60, c=1.4, seed=1)\ne = explore(grown)\ne"
)
CORNER = """from course_lib.alphazero import puct_search
def corner(state):
    weights = {a: 8 if a == 2 else 1 for a in TicTacToe().actions(state)}
    return {a: w / sum(weights.values()) for a, w in weights.items()}, 0.0
trap = TicTacToe().parse("X.. .O. ..X")
grown = watch_mcts(puct_search, TicTacToe(), trap, iterations=60, formula="puct", evaluate=corner)
e = explore(grown, boards=True)
e"""
TEXTS = """node => Object.fromEntries([...node.querySelectorAll("[data-node]")].map(g =>
    [g.dataset.node, g.querySelector(".value").textContent]))"""


def by_phase(explorer):
    """Choose to step by phase, and wait until the tree has been told: the choice goes by the kernel."""
    explorer.get_by_label("step by").select_option("phase")
    press(explorer, "Home")
    caption = explorer.locator(".caption")
    for _ in range(50):
        press(explorer, "ArrowRight")
        if "Selection" in caption.text_content():
            return press(explorer, "Home")
        press(explorer, "Home")
    raise AssertionError("the steps are still iterations")


def is_drawn(page, explorer, step):
    """The drawn nodes are among those of the record at this step, and have its numbers."""
    texts = explorer.evaluate(TEXTS)
    numbers = f"{{n: f'{{now.utility:g}}/{{now.visits}}' for n, now in grown.numbers({step}).items()}}"
    record = json.loads(run_code(page, f"import json; print(json.dumps({numbers}))"))
    assert texts.items() <= record.items()
    return texts


def test_another_c_chooses_another_child(page, shown):
    explorer = shown(EXAMPLE)
    slider = explorer.get_by_role("slider", name="C")
    expect(node(explorer, 1)).to_have_class("node min done choice")
    node(explorer, 1).click()
    worked, chosen = explorer.locator(".worked"), explorer.locator(".details tr.chosen")
    expect(worked).to_have_text(
        "UCB1 = U/N + C √(ln N(parent) / N) = 60/79 + 1.4 √(ln 100 / 79) = 0.7595 + 0.3380 = 1.0975"
    )
    node(explorer, 0).click()
    expect(chosen).to_have_text("→ 0790.7590.3381.098")
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    expect(node(explorer, 3)).to_have_class("node leaf done choice")
    expect(node(explorer, 1)).not_to_have_class("choice")
    assert [node(explorer, k).locator(".score").text_content() for k in (1, 2, 3)] == [
        "UCB1 1.122",
        "UCB1 1.118",
        "UCB1 1.152",
    ]
    expect(chosen).to_have_text("→ 2110.1820.9711.152")
    expect(explorer.locator("path.arrow").first).to_be_visible()
    expect(explorer.locator("svg path.chosen")).to_have_count(4)  # one in the legend, and one below each of three
    eventually(lambda: run_code(page, "print(e.tree.c)").strip() == "1.5")
    slider.press("ArrowLeft")
    slider.press("ArrowLeft")
    expect(node(explorer, 1)).to_have_class("node min done choice")
    expect(explorer.locator("output")).to_have_text("1.40, as in the search")


STEP_BY_STEP = """async explorer => {
    const tree = explorer.querySelector("[role=tree]"), caption = explorer.querySelector(".caption"), outside = [];
    const current = part => explorer.querySelector(`.node.current ${part}`), late = Date.now() + 30_000;
    for (let done = 1; done <= 40; done++) {
        tree.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
        do await new Promise(requestAnimationFrame);
        while (!(caption.textContent.includes(`Iteration ${done} of`) && current(".board")) && Date.now() < late);
        const part = current("").getBoundingClientRect(), frame = tree.getBoundingClientRect();
        if (!current(".board")?.checkVisibility() || part.top < frame.top || part.bottom > frame.bottom)
            outside.push(done);
    }
    return outside;
}"""
"""The first 40 iterations whose present node is not in view with its board, which comes from the kernel."""


WINNING = GROWING.replace("TicTacToe(),", "TicTacToe(), TicTacToe().parse('XX. OO. ...'),").replace(
    "(grown)", "(grown, boards=True)"
)


@pytest.mark.parametrize("cell", [WINNING, CORNER], ids=["ucb1", "puct"])
def test_the_present_node_is_in_view_with_its_board(page, shown, cell):
    explorer = shown(cell)
    assert explorer.evaluate(STEP_BY_STEP) == []


def test_the_phases_of_the_worked_example_forwards_and_backwards(page, shown):
    explorer = shown(EXAMPLE)
    by_phase(explorer)
    caption, new, dotted = explorer.locator(".caption"), node(explorer, 6), explorer.locator(".main path.playout")
    expect(explorer.locator("[data-node]")).to_have_count(6)
    press(explorer, "ArrowRight")
    expect(caption).to_have_text(
        "Iteration 1 of 1. Selection goes down to the Min node 0 0 0, which has actions not tried yet."
    )
    for number in (0, 1, 4, 5):
        expect(node(explorer, number).locator(".halo")).to_have_count(1)
    expect(node(explorer, 3).locator(".halo")).to_have_count(0)
    press(explorer, "ArrowRight")
    expect(caption).to_contain_text("Expansion: action 0 gets a node without visits.")
    expect(new.locator(".value")).to_have_text("0/0")
    expect(new.locator(".score")).to_have_text("UCB1 ∞")
    expect(dotted).to_have_count(1)  # in the legend
    press(explorer, "ArrowRight")
    expect(caption).to_contain_text("Simulation: the playout 0 ends with Max 1, Min 0.")
    expect(dotted).to_have_count(2)
    expect(explorer.locator(".played .value")).to_have_text("Min: 0")
    expect(node(explorer, 5).locator(".value")).to_have_text("27/35")
    press(explorer, "ArrowRight")
    expect(dotted).to_have_count(1)
    after = {"0": "37/101", "1": "61/80", "2": "1/10", "3": "2/11", "4": "16/54", "5": "28/36", "6": "0/1"}
    assert explorer.evaluate(TEXTS) == after
    press(explorer, "ArrowLeft", 4)
    expect(new).to_have_count(0)
    assert is_drawn(page, explorer, 0) == {
        "0": "37/100",
        "1": "60/79",
        "2": "1/10",
        "3": "2/11",
        "4": "16/53",
        "5": "27/35",
    }


def test_the_tree_grows_by_iterations_with_the_numbers_of_the_record(page, shown):
    explorer = shown(GROWING)
    expect(explorer.locator("[data-node]")).to_have_count(1)
    press(explorer, "ArrowRight", 9)
    assert len(is_drawn(page, explorer, 36)) == 10
    press(explorer, "End")
    expect(explorer.locator(".caption")).to_contain_text("Iteration 60 of 60.")
    assert len(is_drawn(page, explorer, 240)) >= 10
    press(explorer, "ArrowLeft", 20)
    assert len(is_drawn(page, explorer, 160)) >= 10
    eventually(lambda: run_code(page, "print(e.tree.step)").strip() == "160")
    run_code(page, "e.tree.step = 13")
    expect(explorer.locator(".caption")).to_contain_text("Iteration 4 of 60. Selection")
    assert len(is_drawn(page, explorer, 13)) == 4
    press(explorer, "ArrowRight")
    expect(explorer.locator(".caption")).to_contain_text("Iteration 4 of 60. Selected")
    explorer.get_by_role("slider", name="step").press("ArrowRight")
    expect(explorer.locator(".caption")).to_contain_text("Iteration 5 of 60.")
    eventually(lambda: run_code(page, "print(e.tree.step)").strip() == "20")
    explorer.get_by_label("speed").select_option("very fast")
    explorer.get_by_role("button", name="play or pause").click()
    expect(explorer.locator(".caption")).to_contain_text("Iteration 60 of 60")


def test_by_keyboard_with_names_for_screen_readers(page, shown):
    explorer = shown(GROWING)
    tree(explorer).focus()
    press(explorer, "End")
    press(explorer, "ArrowUp", 9)
    expect(explorer.locator(".details h4")).to_have_text("Max node (root)")
    press(explorer, "ArrowDown")
    expect(explorer.locator(".details h4")).to_have_text("Min node 0")
    first = json.loads(run_code(page, "import json; print(json.dumps(grown.numbers()[grown.children[0][0]][:2]))"))
    chosen = tree(explorer).get_attribute("aria-activedescendant")
    name = page.locator(f"[id='{chosen}']").get_attribute("aria-label")
    assert name.startswith(f"Min node 0, N {first[0]}, U {first[1]:g} for Max, U/N {first[1] / first[0]:.3f}, UCB1 ")
    was_open = page.locator(f"[id='{chosen}']").get_attribute("aria-expanded")
    press(explorer, "Enter")
    expect(page.locator(f"[id='{chosen}']")).to_have_attribute(
        "aria-expanded", "false" if was_open == "true" else "true"
    )
    figure = explorer.locator("figure svg")
    expect(figure).to_have_attribute("aria-label", starts("U/N of the root’s moves after 60 iterations: move "))
    explorer.get_by_label("The root’s moves:").select_option("n")
    expect(figure).to_have_attribute("aria-label", starts("N of the root’s moves after 60 iterations: move "))
    press(explorer, "Home")
    expect(figure).to_have_attribute("aria-label", "N of the root’s moves after 0 iterations: none yet")


def starts(start):
    return re.compile("^" + re.escape(start))


def test_all_first_moves_are_in_view_in_a_narrow_window(page, shown):
    page.set_viewport_size({"width": 850, "height": 900})
    explorer = shown(
        "import ipywidgets\n"
        "grown = watch_mcts(monte_carlo_tree_search, ConnectFour(), iterations=40, seed=1)\n"
        "ipywidgets.VBox([explore(TicTacToe()), explore(grown, step=160)])"
    )
    for one, moves in zip(explorer.locator(".game-tree").all(), (9, 7), strict=True):
        expect(one.locator("[aria-level='2']")).to_have_count(moves)
        frame = one.locator(".main").bounding_box()
        boxes = [child.bounding_box() for child in one.locator("[aria-level='2']").all()]
        assert all(frame["x"] <= box["x"] < box["x"] + box["width"] <= frame["x"] + frame["width"] for box in boxes)


@pytest.mark.parametrize(("width", "dark"), [(850, True), (1400, False)])
def test_no_two_labels_overlap(page, shown, width, dark):
    page.set_viewport_size({"width": width, "height": 900})
    explorer = shown(
        "game = TreeGame([Chance([(0.5, [1, -1]), (0.5, [0, [1, 0]])]), [0, 1]])\n"
        "three = TreeGame([[(1, 0, 0), (0, 1, 0)], [(0, 0, 1), (0.5, 0.5, 0)]], players=3)\n"
        "import ipywidgets\n"
        "ipywidgets.VBox([explore(watch_mcts(monte_carlo_tree_search, game, iterations=40, seed=1), step=99),\n"
        "    explore(watch_mcts(monte_carlo_tree_search, three, iterations=20, seed=1), step=80),\n"
        "    explore(watch_mcts(mcts_solver, TicTacToe(), iterations=90, seed=1), step=360, boards=True)])"
    )
    set_theme(page, dark=dark)
    trees = explorer.locator(".game-tree")
    expect(trees).to_have_count(3)
    for index in range(3):
        one = trees.nth(index)
        tree(one).focus()
        tree(one).press("f")
        boxes = one.evaluate(LABELS)
        assert len(boxes) > 10
        assert overlaps(boxes) == []
