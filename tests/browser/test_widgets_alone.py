"""The widgets in plain pages, without JupyterLab: what hands, fingers and narrow windows meet."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from course_lib.explore import explore, watch, watch_mcts
from course_lib.games import TicTacToe, TreeGame
from course_lib.search import alpha_beta_search, minimax_search, monte_carlo_tree_search
from js.page import WIDGETS, page

CONTROLS = ".bar :is(button, select, input)"
ROWS = f"""() => [...new Set([...document.querySelectorAll("{CONTROLS}")].filter(part => part.checkVisibility())
    .map(part => Math.round(part.getBoundingClientRect().top)))].length"""


@pytest.fixture(scope="module")
def tab(browser):
    """The tab of this file: to make one takes longer than a test. In `errors` is what fails or asks the network."""
    tab = browser.new_context(offline=True).new_page()
    tab.errors = []
    tab.on("pageerror", lambda error: tab.errors.append(error))
    tab.on("console", lambda message: tab.errors.append(message.text) if message.type == "error" else None)
    tab.on("request", lambda asked: tab.errors.append(asked.url) if asked.url.startswith("http") else None)
    yield tab
    tab.context.close()


@pytest.fixture
def opened(tab, tmp_path):
    """Open a saved page, or that of one of `WIDGETS`, in a window of this width, in the place of the one before."""

    def show(widget, width=1000):
        file = widget if isinstance(widget, Path) else tmp_path / "widget.html"
        if file != widget:
            file.write_text(page(WIDGETS[widget]()), encoding="utf-8")
        tab.set_viewport_size({"width": width, "height": 900})
        tab.goto(file.as_uri())
        tab.evaluate("() => window.ready")
        return tab

    yield show
    errors, tab.errors = tab.errors, []
    assert errors == []


TRACES = {
    "boards": lambda: watch(minimax_search, TicTacToe(), TicTacToe().after(0, 1, 2, 4, 3)),
    "mcts": lambda: watch_mcts(monte_carlo_tree_search, TicTacToe(), iterations=40, seed=1),
}


@pytest.mark.parametrize("name", TRACES)
def test_a_saved_explorer_is_stepped_to_its_end(opened, tmp_path, name):
    trace = TRACES[name]()
    tab = opened(explore(trace, boards=True).save(tmp_path / "tree.html"))
    tab.get_by_role("tree").press("End")
    expect(tab.locator(".caption")).to_contain_text(f"{trace.steps} of {trace.steps}" if name != "mcts" else "40 of 40")


def test_a_saved_search_runs_again_with_another_leaf(opened, tmp_path):
    """As in a hall: "What if the 8 were 1?" Then Max moves elsewhere, and the second branch is no longer pruned."""
    trace = watch(alpha_beta_search, TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))
    other = watch(alpha_beta_search, TreeGame([[3, 12, 1], [2, 4, 6], [14, 5, 2]]))
    tab = opened(explore(trace, step=trace.steps).save(tmp_path / "tree.html"))
    expect(tab.locator(".node.cut")).to_have_count(2)
    tab.get_by_role("treeitem", name="leaf 0 2").dblclick()
    field = tab.get_by_label("What if the leaf 0 2 were")
    expect(field).to_have_value("8")
    field.fill("1")
    field.press("Enter")
    expect(tab.locator(".caption")).to_contain_text(f"Step 0 of {other.steps}")
    tab.get_by_role("tree").press("End")
    expect(tab.locator(".node.cut")).to_have_count(0)
    expect(tab.get_by_role("treeitem", name="Max node (root), visited, value 2")).to_be_visible()
    tab.get_by_role("treeitem", name="Min node 1").click()
    expect(field).to_be_hidden()


def test_one_row_of_controls_and_nothing_wider_than_the_window(opened):
    """An output of JupyterLab's is 784 pixels wide in a window of 900."""
    for name in WIDGETS:
        tab = opened(name, 784)
        assert tab.evaluate(ROWS) == (name not in ("board", "choice")), name
        for width in (1600, 360):
            tab.set_viewport_size({"width": width, "height": 900})
            assert tab.evaluate("document.documentElement.scrollWidth") <= width, name


def test_the_slider_comes_back_to_the_c_of_the_search(opened):
    tab = opened("mcts")
    slider, readout = tab.get_by_role("slider", name="C"), tab.locator("output")
    place = slider.bounding_box()
    steps = ("ArrowRight", "1.45"), ("ArrowLeft", "1.41, as in the search"), ("ArrowLeft", "1.35")
    for key, told in (*steps, ("ArrowRight", "1.41, as in the search")):
        slider.press(key)
        expect(readout).to_have_text(told)
        assert slider.bounding_box() == place
    assert tab.evaluate("window.host.get('c') === Math.SQRT2")


def test_playing_waits_for_the_answer_and_goes_on_to_the_end(opened):
    tab = opened("predict")
    play = tab.get_by_role("button", name="play or pause")
    play.click()
    for _ in range(4):
        expect(play).to_have_attribute("aria-pressed", "true")
        tab.get_by_role("button", name="Show me").click()
    expect(tab.locator(".caption")).to_contain_text("Step 26 of 26")
    expect(play).to_have_attribute("aria-pressed", "false")


def test_the_line_of_play_from_where_the_reader_points(opened, tmp_path):
    """Above: O to move in X.X OO. .X.; where the reader points is the first move, and the program's are after it."""
    trace = watch(minimax_search, TicTacToe(), TicTacToe().after(0, 3, 2, 4, 7))
    tab = opened(explore(trace, step=trace.steps).save(tmp_path / "tree.html"))
    line, numbers = tab.locator("path.ahead"), tab.locator(".panel .ply")
    tab.get_by_role("treeitem", name="Max node 8,").hover()
    expect(line).to_have_count(2)
    expect(numbers).to_have_text(["1", "2"])
    tab.locator(".caption").hover()
    expect(line).to_have_count(0)
    tab.locator(".panel .board .cell").nth(8).hover()
    expect(line).to_have_count(2)
    expect(tab.locator(".panel .faint > .mark-o")).to_have_count(1)
    tab.mouse.move(0, 0)
    tab.get_by_role("tree").press("ArrowDown")  # by keyboard: from the selected node on
    expect(line).to_have_count(4)
    expect(numbers).to_have_text(["1", "2", "3"])
    tab.get_by_role("tree").press("Home")  # where nothing has been chosen yet
    expect(line).to_have_count(1)


def test_the_tree_as_text_follows_the_steps(opened):
    tab = opened("alpha-beta")
    tab.get_by_text("The tree as text").click()
    text, tree = tab.get_by_role("region", name="The tree as text"), tab.get_by_role("tree")
    expect(text).to_contain_text("    leaf 1 1: cut: not visited; value 4; α-cut: Min already has 2 here")
    expect(text).to_contain_text("leaf 2 0: visited; value 14 ← here")
    tree.press("End")
    expect(text).to_contain_text(
        "Max node (root): visited; value 3; by action 0; [α, β] = [3, +∞] ← here\n  Min node 0"
    )
    for _ in range(2):  # select it, then close it
        tab.locator("[data-node='1']").click()
    expect(text).to_contain_text("[α, β] = [−∞, 3] (+3 closed)")
