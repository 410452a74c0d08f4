"""The widgets in plain pages, without JupyterLab: what hands, fingers and narrow windows meet."""

import pytest
from playwright.sync_api import expect

from course_lib.explore import explore, predict, watch
from course_lib.games import TreeGame
from course_lib.search import alpha_beta_search
from js.page import WIDGETS, page

CONTROLS = ".bar :is(button, select, label.toggle, summary, input[type='text'], input[type='range'])"
ROWS = f"""() => [...new Set([...document.querySelectorAll("{CONTROLS}")].filter(part => part.checkVisibility())
    .map(part => Math.round(part.getBoundingClientRect().top)))].length"""
SIZES = """() => [...document.querySelectorAll("button, select, label.toggle, summary, input:not(.toggle *)")]
    .filter(part => part.checkVisibility())
    .map(part => [part.outerHTML.slice(0, 80), part.getBoundingClientRect().height])
    .filter(([, height]) => height < 44)"""
SCALE = "() => +/scale\\((.*)\\)/.exec(document.querySelector('.main > svg > g').getAttribute('transform'))[1]"
LEAVES = "() => [...document.querySelectorAll('.node.leaf:not([display])')].map(node => +node.dataset.node)"
TREE = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
PLACE = "node => [node.getBoundingClientRect().x, node.getBoundingClientRect().y]"


@pytest.fixture(scope="module")
def tabs(browser):
    """The tabs of this file by their options: to make one takes longer than a test. Each has a list `errors`."""
    tabs = {}
    yield tabs
    for tab in tabs.values():
        tab.context.close()


@pytest.fixture
def opened(browser, tabs, tmp_path):
    """Open the page of a widget, or of one of `WIDGETS`, in a window of this width, in the place of the one before.

    No script may fail there, and nothing may be asked of the network.
    """

    def new_tab(**options):
        tab = browser.new_context(**options).new_page()
        tab.errors = []
        tab.on("pageerror", lambda error: tab.errors.append(error))
        tab.on("console", lambda message: tab.errors.append(message.text) if message.type == "error" else None)
        tab.on("request", lambda asked: tab.errors.append(asked.url) if asked.url.startswith("http") else None)
        return tab

    def show(widget, width=1000, **options):
        file = tmp_path / "widget.html"
        file.write_text(page(WIDGETS[widget]() if isinstance(widget, str) else widget), encoding="utf-8")
        tab = tabs[str(options)] = tabs.get(str(options)) or new_tab(**options)
        tab.set_viewport_size({"width": width, "height": 900})
        tab.emulate_media(media="null")
        tab.goto(file.as_uri())
        tab.evaluate("() => window.ready")
        return tab

    yield show
    errors = [error for tab in tabs.values() for error in tab.errors]
    for tab in tabs.values():
        tab.errors.clear()
    assert errors == []


def test_one_row_of_controls_and_nothing_wider_than_the_window(opened):
    """An output of JupyterLab's is 784 pixels wide in a window of 900."""
    for name in WIDGETS.keys() - {"large", "mcts-large"}:  # their controls are those of smaller trees
        tab = opened(name, 784)
        assert tab.evaluate(ROWS) == (name not in ("board", "choice")), name
        for width in (1600, 360):
            tab.set_viewport_size({"width": width, "height": 900})
            assert tab.evaluate("document.documentElement.scrollWidth") <= width, name


def test_in_a_narrow_window_the_question_stands_above_the_tree(opened):
    tab = opened("predict", 360)
    question, tree = tab.locator(".question"), tab.get_by_role("tree")
    assert question.bounding_box()["y"] < tree.bounding_box()["y"]
    tab.set_viewport_size({"width": 1000, "height": 900})
    assert question.bounding_box()["x"] > tree.bounding_box()["x"] + tree.bounding_box()["width"]


def test_practice_shows_no_inner_node_as_visited(opened):
    tab = opened("practice-cuts")
    expect(tab.locator(".node.leaf.done")).to_have_count(8)
    expect(tab.locator(".node.done:not(.leaf)")).to_have_count(0)


def test_the_slider_comes_back_to_the_c_of_the_search(opened):
    tab = opened("mcts")
    slider, readout = tab.get_by_role("slider", name="C"), tab.locator("output")
    steps = ("ArrowRight", "1.45"), ("ArrowLeft", "1.41, as in the search"), ("ArrowLeft", "1.35")
    for key, told in (*steps, ("ArrowRight", "1.41, as in the search")):
        slider.press(key)
        expect(readout).to_have_text(told)
    assert tab.evaluate("window.host.get('c') === Math.SQRT2")


def test_playing_waits_for_the_answer_and_goes_on_to_the_end(opened):
    tab = opened("predict")
    tab.get_by_label("speed").select_option("very fast")
    play = tab.get_by_role("button", name="play or pause")
    play.click()
    for _ in range(4):
        expect(play).to_have_attribute("aria-pressed", "true")
        tab.get_by_role("button", name="Show me").click()
    expect(tab.locator(".caption")).to_contain_text("Step 26 of 26")
    expect(play).to_have_attribute("aria-pressed", "false")
    play.click()  # once more from the beginning
    expect(tab.locator(".caption")).to_contain_text("Step 26 of 26")


def test_two_fingers_move_and_enlarge_the_tree(opened):
    tab = opened("alpha-beta", 700, has_touch=True)
    frame, node = tab.get_by_role("tree").bounding_box(), tab.locator("[data-node='2'] .shape")
    x, y = frame["x"] + frame["width"] / 2, frame["y"] + 60
    touch, scale, (from_x, from_y) = tab.context.new_cdp_session(tab), tab.evaluate(SCALE), node.evaluate(PLACE)

    def fingers(kind, *points):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
            {"x": at, "y": height, "id": number} for number, (at, height) in enumerate(points)]})  # fmt: skip

    fingers("touchStart", (x - 40, y))
    fingers("touchStart", (x - 40, y), (x + 40, y))
    for wide in (50, 60, 80):
        fingers("touchMove", (x - wide, y), (x + wide, y))
    fingers("touchEnd")
    assert tab.evaluate(SCALE) == pytest.approx(2 * scale)
    after_x, after_y = node.evaluate(PLACE)  # twice as far from the middle between the fingers
    assert (after_x - x, after_y - y) == pytest.approx((2 * (from_x - x), 2 * (from_y - y)), abs=2)
    expect(tab.locator(".node.selected")).to_have_count(0)


def test_fingers_find_large_targets(opened):
    for name in ("predict", "mcts", "board"):
        assert opened(name, 390, has_touch=True, is_mobile=True).evaluate(SIZES) == []


def test_the_overview_of_a_large_tree_shows_and_moves_the_view(opened):
    expect(opened("alpha-beta").locator(".overview")).to_be_hidden()
    tab = opened("large")
    overview, root = tab.locator(".overview"), tab.locator("[data-node='0']")
    expect(root).to_be_visible()
    box = overview.bounding_box()
    tab.mouse.click(box["x"] + box["width"] - 5, box["y"] + box["height"] / 2)
    expect(root).to_be_hidden()
    assert min(tab.evaluate(LEAVES)) > 1_900  # of 2,047 nodes
    assert overview.locator(".view").bounding_box()["x"] > box["x"] + 0.9 * box["width"]
    tab.get_by_role("button", name="fit").click()
    expect(root).to_be_visible()


def test_the_tree_as_text_follows_the_steps_and_is_copied(opened):
    tab = opened("alpha-beta")
    tab.get_by_text("The tree as text").click()
    text, tree = tab.get_by_role("region", name="The tree as text"), tab.get_by_role("tree")
    expect(text).to_contain_text("    leaf 1 1: cut: never looked at; value 4; α-cut: Min already has 2 here")
    expect(text).to_contain_text("leaf 2 0: visited; value 14 ← here")
    tree.press("End")
    expect(text).to_contain_text(
        "Max node (root): visited; value 3; by action 0; [α, β] = [3, +∞] ← here\n  Min node 0"
    )
    tab.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }")
    tab.get_by_role("button", name="Copy").click()
    expect(tab.get_by_text("Copied.")).to_be_visible()
    assert tab.evaluate("window.copied") == text.text_content()
    tab.locator("[data-node='1']").click()
    expect(text).to_contain_text("[α, β] = [−∞, 3] (+3 closed)")


def test_the_principal_variation_is_the_broadest_line_at_the_end(opened):
    tab = opened("alpha-beta")
    expect(tab.locator("path.principal")).to_have_count(0)
    tab.get_by_role("tree").press("End")
    cut = tab.locator(".node.cut")
    assert cut.evaluate_all("nodes => nodes.map(node => node.dataset.node)") == ["7", "8"]
    expect(tab.locator(".main > svg path.cut:not(.node *)")).to_have_count(2)
    expect(cut.first.locator("title")).to_have_text("α-cut: Min already has 2 here, Max has 3 elsewhere: 2 ≤ α = 3")
    expect(tab.locator("path.principal")).to_have_count(2)
    width = "path => parseFloat(getComputedStyle(path).strokeWidth)"
    lines = tab.locator(".main > svg path.seen:not(.principal)").all()
    assert tab.locator("path.principal").first.evaluate(width) > 2 * max(line.evaluate(width) for line in lines)


def test_on_paper_there_are_no_controls(opened):
    tab = opened("predict")
    tab.emulate_media(media="print")
    for part in (".bar", ".question", ".twin"):
        expect(tab.locator(part)).to_be_hidden()
    expect(tab.get_by_role("tree")).to_be_visible()


def test_a_prediction_is_judged_without_python(opened):
    tab = opened(predict("Which?", ("this", "It is late."), "that", "none", right=2, because="It is."))
    verdict, check = tab.get_by_role("status"), tab.get_by_role("button", name="Check")
    tab.get_by_role("radio", name="this").check()
    check.click()
    expect(verdict).to_have_text("Not quite. It is late. Choose again.")
    expect(tab.locator("label.wrong")).to_have_text("thiswrong")
    expect(tab.locator("label.right")).to_have_count(0)
    tab.get_by_role("radio", name="none").check()
    check.click()
    expect(verdict).to_have_text("Not quite. The answer: that. It is.")
    tab.get_by_role("radio", name="that").check()
    check.click()
    expect(verdict).to_have_text("Right. It is.")


def test_a_question_that_holds_a_step_up_says_so_and_there_is_one_box_for_paths(opened):
    tab = opened(explore(watch(alpha_beta_search, TREE), predict="next leaf", step=13).tree)
    tree, verdict = tab.get_by_role("tree"), tab.locator(".verdict")
    boxes = tab.locator("input:not([type=checkbox], [type=range])")
    first = "Answer first, or press “Show me”."
    expect(boxes.filter(visible=True)).to_have_count(1)
    for act in (lambda: tree.press("ArrowRight"), lambda: tree.press("End")):
        act()
        expect(verdict).to_have_text(first)
    tab.get_by_role("button", name="Check").click()  # the box is empty
    expect(verdict).to_have_text(first)
    tab.get_by_label("Which leaf comes next?").fill("1 1")
    tab.keyboard.press("Enter")
    expect(verdict).to_contain_text("The leaf 1 1 is not looked at (α-cut: Min already has 2 here, Max has 3 elsewhere")
    tree.press("ArrowRight")
    expect(verdict).to_contain_text("2 ≤ α = 3). (0 of 1 right) " + first)
    tab.evaluate("window.host.set('predict', '')")
    expect(verdict).to_have_text("")
    expect(verdict).to_have_class("verdict")
    expect(tab.locator(".bar input:not([type=checkbox], [type=range]):visible")).to_have_count(1)
