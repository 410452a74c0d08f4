"""The tree explorer in a real JupyterLab."""

import contextlib
import itertools
import re

import pytest
from playwright.sync_api import expect

from lab import fill_and_run, output, run_code, set_theme

MINIMAX = "e = explore(watch(minimax_search, tree)); e"
LABELS = """node => [...node.querySelectorAll('.main > svg > g text')].filter(t => t.textContent)
    .map(t => [t.textContent, t.getBoundingClientRect()]).map(([t, r]) => [t, r.left, r.top, r.right, r.bottom])"""


def node(explorer, number):
    return explorer.locator(f"[data-node='{number}']")


def tree(explorer):
    return explorer.get_by_role("tree")


def press(explorer, key, times=1):
    for _ in range(times):
        tree(explorer).press(key)


def eventually(condition, tries=20):
    """What the browser does reaches the kernel a little later."""
    assert any(condition() for _ in range(tries))


def overlaps(boxes):
    clear = 0.5  # a pixel's share that two boxes may have in common
    return [
        (a[0], b[0])
        for i, a in enumerate(boxes)
        for b in boxes[i + 1 :]
        if a[1] + clear < b[3] and b[1] + clear < a[3] and a[2] + clear < b[4] and b[2] + clear < a[4]
    ]


def test_stepping_by_keyboard_buttons_and_slider(page, shown):
    explorer = shown(MINIMAX)
    caption, value = explorer.locator(".caption"), node(explorer, 1).locator(".value")
    expect(caption).to_have_text("Step 0 of 26. Nothing has been visited yet.")
    expect(node(explorer, 0)).to_have_class("node max new")
    press(explorer, "ArrowRight", 2)
    expect(caption).to_have_text("Step 2 of 26. The search enters the Min node 0.")
    expect(node(explorer, 1)).to_have_class("node min stack current")
    expect(explorer.locator(".stack li")).to_have_text(["0 · waiting: 0 1 2", "root · waiting: 1 2"])
    press(explorer, "ArrowRight", 7)
    expect(caption).to_have_text("Step 9 of 26. The Min node 0 returns 3, by action 0.")
    expect(value).to_have_text("3")
    press(explorer, "ArrowLeft")
    expect(value).to_have_text("")
    press(explorer, "End")
    expect(node(explorer, 0)).to_have_class("node max done current")
    expect(node(explorer, 0)).to_have_attribute("aria-label", "Max node (root), visited, value 3")
    press(explorer, "Home")
    expect(caption).to_contain_text("Step 0")
    explorer.get_by_role("button", name="step forward").click()
    explorer.get_by_role("slider", name="step").press("ArrowRight")
    expect(caption).to_contain_text("Step 2")
    eventually(lambda: run_code(page, "print(e.tree.step)").strip() == "2")
    run_code(page, "e.tree.step = 9")
    expect(caption).to_contain_text("Step 9")


def test_a_click_closes_and_opens_a_node_and_tells_about_it(page, shown):
    explorer = shown("explore(watch(alpha_beta_search, tree), step=10)")
    expect(explorer.locator("[data-node]")).to_have_count(13)
    node(explorer, 1).click()
    expect(explorer.locator("[data-node]")).to_have_count(10)
    expect(node(explorer, 1)).to_have_attribute("aria-expanded", "false")
    expect(explorer.locator(".details")).to_contain_text("Min node 0")
    expect(explorer.locator(".details")).to_contain_text("visited; value 3; by action 0; [α, β] = [−∞, 3]")
    node(explorer, 1).click()
    expect(explorer.locator("[data-node]")).to_have_count(13)


def test_what_a_screen_reader_is_told(page, shown):
    explorer = shown("e = explore(watch(minimax_search, tree, max_nodes=8)); e")
    for name in ("play or pause", "stop, back to step 0"):
        expect(explorer.get_by_role("button", name=name)).to_have_count(1)
    expect(explorer.get_by_role("slider", name="step")).to_have_count(1)
    for number, place, size in ((0, "1", "1"), (4, "3", "3"), (5, "2", "2")):
        expect(node(explorer, number)).to_have_attribute("aria-posinset", place)
        expect(node(explorer, number)).to_have_attribute("aria-setsize", size)
    expect(node(explorer, 0)).to_contain_text("…")
    expect(explorer.locator(".details")).to_contain_text("not all recorded")
    help = explorer.get_by_label("keys")
    help.press("Enter")
    expect(explorer.locator(".help p")).to_contain_text("Home and End jump")
    expect(help).to_be_focused()


def test_by_keyboard_alone(page, shown):
    explorer = shown(MINIMAX)
    tree(explorer).focus()
    press(explorer, "ArrowDown")
    expect(explorer.locator(".details h4")).to_have_text("Min node 0")
    press(explorer, "Shift+ArrowRight")
    expect(explorer.locator(".details h4")).to_have_text("Min node 1")
    press(explorer, "Enter")
    expect(explorer.locator("[data-node]")).to_have_count(10)
    press(explorer, "Enter")
    press(explorer, "ArrowDown")
    expect(explorer.locator(".details h4")).to_have_text("leaf 1 0")
    chosen = tree(explorer).get_attribute("aria-activedescendant")
    assert page.locator(f"[id='{chosen}']").get_attribute("aria-label") == "leaf 1 0, not visited yet, value 2"
    outline = tree(explorer).evaluate("svg => getComputedStyle(svg).outlineStyle")
    assert outline == "solid", "the focus can be seen"
    find = explorer.get_by_label("find a node by its path")
    find.fill("2 1")
    find.press("Enter")
    expect(explorer.locator(".details h4")).to_have_text("leaf 2 1")
    find.fill("2 7")
    find.press("Enter")
    expect(explorer.locator(".caption")).to_contain_text("No node has the path 2 7")


def test_letters_typed_on_the_tree_leave_the_notebook_alone(page, shown):
    explorer = shown("explore(watch(alpha_beta_search, tree), predict='next')")
    cells = page.locator(".jp-Cell").count()
    tree(explorer).focus()
    for key in ("a", "b", "d", "d", "x"):
        page.keyboard.press(key)
    press(explorer, "ArrowRight", 2)
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    expect(explorer.locator(".verdict")).to_contain_text("Right.")
    page.keyboard.press("d")
    page.keyboard.press("d")
    assert page.locator(".jp-Cell").count() == cells


def test_predicting_values_where_quick_answers_all_count(page, shown):
    explorer = shown("e = explore(watch(minimax_search, tree), predict='value'); e")
    press(explorer, "End")
    expect(explorer.locator(".question")).to_contain_text("What will the Min node 0 return?")
    expect(explorer.locator(".caption")).to_contain_text("Step 8")
    answer = explorer.locator("input[name=answer]")
    answer.fill("much")
    answer.press("Enter")
    expect(explorer.locator(".verdict")).to_contain_text("is no number")
    answer.evaluate(
        "input => { for (const text of ['12', '8', '3']) { input.value = text; input.form.requestSubmit(); } }"
    )
    expect(explorer.locator(".verdict")).to_contain_text("(1 of 3 right)")
    expect(node(explorer, 1).locator(".value")).to_have_text("3")
    eventually(lambda: run_code(page, "print(e.tree.score)").strip() == "[1, 3]")
    press(explorer, "End")
    expect(explorer.locator(".question")).to_contain_text("Min node 1")
    explorer.get_by_role("button", name="Show me").click()
    expect(node(explorer, 5).locator(".value")).to_have_text("2")


def test_predicting_the_next_leaf_by_clicking(page, shown):
    explorer = shown("explore(watch(alpha_beta_search, tree), predict='next leaf')")
    press(explorer, "ArrowRight")
    for number in (2, 3, 4, 6):
        expect(explorer.locator(".question")).to_contain_text("Which leaf comes next?")
        node(explorer, number).click()
        expect(explorer.locator(".verdict")).to_contain_text("Right.")
        press(explorer, "ArrowRight")
    node(explorer, 7).click()
    expect(explorer.locator(".verdict")).to_contain_text("Not yet.")
    press(explorer, "End")
    expect(explorer.locator(".question")).to_contain_text("Which leaf comes next?")
    node(explorer, 10).click()
    expect(explorer.locator(".verdict")).to_contain_text("(5 of 6 right)")


def test_a_bare_game_opens_as_it_is_walked(page, shown):
    explorer = shown("explore(TicTacToe())")
    expect(explorer.locator("[data-node]")).to_have_count(10)
    expect(node(explorer, 5)).to_contain_text("55,505nodes")  # one below the other
    expect(explorer.locator(".details")).to_contain_text("549,946 nodes")
    node(explorer, 5).click()
    expect(explorer.locator("[data-node]")).to_have_count(18)
    expect(explorer.locator(".details")).to_contain_text("55,505 nodes")
    expect(explorer.locator("[data-node] .board")).to_have_count(18)
    find = explorer.get_by_label("find a node by its path")
    find.fill("0 1 2")
    find.press("Enter")
    expect(explorer.locator(".details h4")).to_have_text("Min node 0 1 2")


def test_a_deep_search_is_followed(page, shown):
    explorer = shown("explore(watch(minimax_search, TicTacToe(), TicTacToe().after(0, 1, 2)))")
    press(explorer, "ArrowRight", 9)
    expect(explorer.locator(".node.current")).to_be_visible()
    expect(explorer.locator(".stack li")).to_have_count(7)
    press(explorer, "End")
    expect(explorer.locator(".node.current")).to_have_attribute("data-node", "0")


def test_of_a_large_tree_only_what_is_in_view_is_on_the_page(page, shown):
    explorer = shown("""def wide(depth): return depth if depth == 0 else [wide(depth - 1) for _ in range(4)]
explore(watch(minimax_search, TreeGame(wide(5))), open_depth=9)""")
    expect(node(explorer, 0).locator(".shape")).to_have_count(1)
    assert explorer.locator("[data-node]").count() < 100  # of 1,365
    press(explorer, "End")
    expect(explorer.locator(".node.done")).to_have_count(explorer.locator("[data-node]").count())
    find = explorer.get_by_label("find a node by its path")
    find.fill("3 3 3 3 3")  # far away: the view goes there, and what is there looks as at this step
    find.press("Enter")
    expect(node(explorer, 1364)).to_have_class("node leaf done selected")
    expect(node(explorer, 0)).to_have_count(0)
    order = "nodes => nodes.map(node => +node.dataset.node)"
    numbers = explorer.locator("[data-node]").evaluate_all(order)
    assert numbers == sorted(numbers) and {0, 1}.isdisjoint(numbers)  # a node stands behind those above it


REORDER = "e = explore(watch(alpha_beta_search, TreeGame([[4, 6], [7, 9], [1, 2]])), reorder=True); e"


def stands(explorer, actions):
    """Wait until the root's actions stand in this order."""
    for number, action in zip((1, 4, 7), actions):
        expect(node(explorer, number).locator(".edge")).to_have_text(action)


def test_moves_are_reordered_by_dragging_by_keyboard_and_by_buttons(page, shown):
    explorer = shown(REORDER)
    leaves, caption = explorer.locator(".widget-html b").first, explorer.locator(".caption")
    expect(leaves).to_have_text("5")
    explorer.get_by_role("button", name="best first").click()
    expect(leaves).to_have_text("4")
    explorer.get_by_role("button", name="as given").click()
    expect(leaves).to_have_text("5")
    expect(caption).to_contain_text("Step 23 of 23")
    last, first = node(explorer, 7).bounding_box(), node(explorer, 1).bounding_box()
    page.mouse.move(last["x"] + last["width"] / 2, last["y"] + 30)
    page.mouse.down()
    page.mouse.move(first["x"] - 5, last["y"] + 30, steps=5)
    page.mouse.up()
    expect(leaves).to_have_text("6")
    stands(explorer, "201")
    expect(caption).to_contain_text("Step 26 of 26")
    press(explorer, "ArrowDown")
    press(explorer, "Alt+ArrowRight")
    stands(explorer, "021")


@pytest.mark.parametrize("first", ["step", "tree"])
def test_a_tree_and_its_step_come_together_in_either_order(page, shown, first):
    explorer = shown("small = TreeGame([1, 2])\ne = explore(watch(minimax_search, small), step=6); e")
    expect(explorer.locator(".caption")).to_contain_text("Step 6 of 6")
    other = "tree" if first == "step" else "step"
    run_code(
        page,
        f"""from course_lib.explore.tree import wire
again = watch(minimax_search, tree)
comm, e.tree.comm = e.tree.comm, None  # what is set now is sent below
e.tree.tree, e.tree.step = wire(again.columns()), again.steps
e.tree.comm = comm
e.tree.send_state(({first!r}, {other!r}))""",
    )
    expect(explorer.locator(".caption")).to_contain_text("Step 26 of 26")
    assert run_code(page, "print(e.tree.step)").strip() == "26"


def test_moves_overtake_neither_each_other_nor_a_drag(page, shown):
    explorer = shown(REORDER)
    press(explorer, "ArrowDown")
    tree(explorer).evaluate("""svg => ["ArrowRight", "ArrowRight"].forEach(
        key => svg.dispatchEvent(new KeyboardEvent("keydown", { key, altKey: true, bubbles: true })))""")
    stands(explorer, "120")
    expect(node(explorer, 7)).to_have_class(re.compile(r"\bselected\b"))

    held, first = node(explorer, 7).bounding_box(), node(explorer, 1).bounding_box()
    page.mouse.move(held["x"] + held["width"] / 2, held["y"] + 30)
    page.mouse.down()
    page.mouse.move(held["x"], held["y"] + 30, steps=2)
    run_code(page, "e.children[0].reorder(None)  # while a node is held, another tree comes: 0 1 2")
    page.mouse.move(first["x"] - 5, held["y"] + 30, steps=5)
    page.mouse.up()
    stands(explorer, "012")
    assert run_code(page, "print(e.tree.tree['run'])").strip() == "3"


def test_the_slider_reaches_every_step_of_a_reordered_tree(page, shown):
    explorer = shown(REORDER)
    slider, caption = explorer.get_by_role("slider", name="step"), explorer.locator(".caption")
    for name, steps in (("worst first", 29), ("best first", 20), ("worst first", 29)):
        explorer.get_by_role("button", name=name).click()
        expect(caption).to_contain_text(f"Step {steps} of {steps}")
        slider.press("Home")
        expect(caption).to_contain_text(f"Step 0 of {steps}")
        whole = slider.bounding_box()
        middle = whole["y"] + whole["height"] / 2
        page.mouse.move(whole["x"] + 8, middle)  # the handle, at the left end
        page.mouse.down()
        page.mouse.move(whole["x"] + whole["width"] + 20, middle, steps=3)
        page.mouse.up()
        expect(caption).to_contain_text(f"Step {steps} of {steps}")
        # What the slider says must be with the kernel before it is asked for another tree.
        eventually(lambda steps=steps: run_code(page, "print(e.tree.step)").strip() == str(steps))


@pytest.mark.parametrize(("width", "themes"), [(850, (False, True)), (1400, (False,))])
def test_no_two_labels_overlap(page, shown, width, themes):
    page.set_viewport_size({"width": width, "height": 900})
    explorer = shown(
        "end = TicTacToe().after(0, 1, 2, 3, 4, 6)",
        "import ipywidgets\n"
        "three = TreeGame([[(1, 2, 3), (4, 5, 6)], [(7, 8, 9), (0, 0, 0)]], players=3)\n"
        "luck = TreeGame([Chance([(0.5, [1, 2]), (0.25, 3), (0.25, -4)]), {'stop': 2, 'go': [4, 5]}])\n"
        "watched = watch(alpha_beta_search, tree), watch(minimax_search, TicTacToe(), end)\n"
        "watched += (watch(max_n_search, three),)\n"
        "shown = [explore(search, step=min(20, len(search.events))) for search in watched]\n"
        "ipywidgets.VBox([*shown, explore(luck, open_depth=3)])",
    )
    trees = explorer.locator(".game-tree")
    expect(trees).to_have_count(4)
    for dark, index in itertools.product(themes, range(4)):
        set_theme(page, dark)
        node(trees.nth(index), 0).click()
        node(trees.nth(index), 0).click()
        boxes = trees.nth(index).evaluate(LABELS)
        assert len(boxes) > 1
        assert overlaps(boxes) == []
        frame = trees.nth(index).locator(".main").bounding_box()
        assert all(frame["x"] <= box[1] and box[3] <= frame["x"] + frame["width"] for box in boxes), "cut off"


BUSY = """import time
from pathlib import Path
from course_lib.explore import practice
def busy_practice(kind):
    sheet = practice(kind, 1, seed=4)
    sheet.tree.observe(wait, "selected")
    return sheet
def wait(_):
    while Path("busy").exists():
        time.sleep(0.01)"""
"""Practice in a kernel that, while there is a file of that name, is busy with the first node that is selected: it hears
of a click on a button before it hears of the answers."""


@contextlib.contextmanager
def busy(lab):
    flag = lab.root / "scratch" / "busy"
    flag.touch()
    try:
        yield
    finally:
        flag.unlink()


def test_practice_by_typing_and_by_clicking(page, lab):
    fill_and_run(page, [BUSY, "busy_practice('minimax')", "busy_practice('alpha-beta')"])
    values, cuts = output(page, 1), output(page, 2)
    with busy(lab):
        node(values, 1).click()
        for answer in ("2", "5"):
            page.keyboard.type(answer)
            page.keyboard.press("Enter")
        values.get_by_role("button", name="Check").click()
    expect(values).to_contain_text("Your first mistake is the Min node 1")
    expect(node(values, 2).first).to_have_class(re.compile(r"\bwrong\b"))
    values.get_by_role("button", name="Solution").click()
    expect(values).to_contain_text("This is the solution")
    cuts.get_by_role("button", name="Solution").click()
    crossed = cuts.locator(".crossed")
    expect(crossed.first).to_be_visible()
    marked = crossed.count()
    with busy(lab):
        cuts.locator(".node.leaf.target").filter(has=page.locator(".crossed")).first.click()
        expect(crossed).to_have_count(marked - 1)
        cuts.get_by_role("button", name="Check").click()
    expect(cuts).to_contain_text("you did not mark it, but alpha-beta cuts it. M")


def test_a_dragged_probability_flips_the_decision(shown):
    shown = shown("what_if(TreeGame([Chance([(0.5, 20), (0.5, 30)]), Chance([(0.9, 10), (0.1, 150)])]))")
    decision = shown.get_by_role("status").first
    expect(decision).to_have_text("As the sliders stand: Max plays 0, worth 25.")
    expect(shown.locator(".game-tree").first.locator(".chosen")).to_have_count(1)
    for _ in range(3):
        shown.locator(".noUi-handle").nth(3).press("ArrowRight")
    expect(decision).to_contain_text("Max plays 1")
    expect(decision).to_contain_text("The decision has flipped.")


def test_practice_shows_every_node(page):
    kinds = "minimax", "alpha-beta", "window", "expectiminimax", "ucb1"
    shows = [f"sheet = practice({kind!r}, 3, seed=0); print(len(sheet._paths)); sheet" for kind in kinds]
    fill_and_run(page, ["from course_lib.explore import practice", *shows])
    for index in range(1, len(kinds) + 1):
        shown = output(page, index)
        shown.scroll_into_view_if_needed()
        expect(shown.locator("[data-node]").first).to_be_visible()
        assert shown.locator("[data-node]").count() == int(shown.locator("pre").first.inner_text())
