"""The tree explorer in a real JupyterLab."""

import re

from playwright.sync_api import expect

from lab import fill_and_run, output, run_code

MINIMAX = "e = explore(watch(minimax_search, tree)); e"


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


def test_stepping_by_keyboard_buttons_and_slider(page, shown):
    explorer = shown(MINIMAX)
    caption, value = explorer.locator(".caption"), node(explorer, 1).locator(".value")
    expect(caption).to_have_text("Step 0 of 26. Nothing has been visited yet.")
    expect(node(explorer, 0)).to_have_class("node max new")
    press(explorer, "ArrowRight", 2)
    expect(caption).to_have_text("Step 2 of 26. The search enters the Min node 0.")
    expect(node(explorer, 1)).to_have_class("node min stack current")
    expect(explorer.locator(".stack li")).to_have_text(["0", "root"])
    press(explorer, "ArrowRight", 7)
    expect(caption).to_have_text("Step 9 of 26. The Min node 0 returns 3, by action 0.")
    expect(value).to_have_text("3")
    press(explorer, "ArrowLeft")
    expect(value).to_have_text("")
    press(explorer, "End")
    expect(node(explorer, 0)).to_have_class("node max visited current")
    expect(node(explorer, 0)).to_have_attribute("aria-label", "Max node (root), visited, value 3")
    press(explorer, "Home")
    expect(caption).to_contain_text("Step 0")
    explorer.get_by_role("button", name="step forward").click()
    explorer.get_by_role("slider", name="step").press("ArrowRight")
    expect(caption).to_contain_text("Step 2")
    eventually(lambda: run_code(page, "print(e.tree.step)").strip() == "2")
    run_code(page, "e.tree.step = 9")
    expect(caption).to_contain_text("Step 9")


def test_predicting_the_next_leaf_by_clicking(page, shown):
    explorer = shown("explore(watch(alpha_beta_search, tree), predict='next leaf')")
    press(explorer, "ArrowRight")
    for number in (2, 3, 4, 6):
        expect(explorer.locator(".question")).to_contain_text("Which leaf comes next?")
        node(explorer, number).click()
        expect(explorer.locator(".verdict")).to_contain_text("Right.")
        press(explorer, "ArrowRight")
    node(explorer, 7).dblclick()  # as to ask "what if?": one answer
    expect(explorer.locator(".verdict")).to_contain_text("Not yet.")
    press(explorer, "End")
    expect(explorer.locator(".question")).to_contain_text("Which leaf comes next?")
    node(explorer, 10).click()
    expect(explorer.locator(".verdict")).to_contain_text("(5 of 6 answers right)")


def test_a_bare_game_opens_as_it_is_walked(page, shown):
    explorer = shown("explore(TicTacToe())")
    expect(explorer.locator("[data-node]")).to_have_count(10)
    expect(node(explorer, 5)).to_contain_text("55,505nodes")  # one below the other
    expect(explorer.locator(".details")).to_contain_text("549,946 nodes")
    node(explorer, 5).click()
    expect(explorer.locator("[data-node]")).to_have_count(18)
    expect(explorer.locator(".details")).to_contain_text("55,505 nodes")
    expect(explorer.locator("[data-node] .board")).to_have_count(18)


def test_practice_by_typing_and_by_clicking(page):
    fill_and_run(page, ["from course_lib.explore import practice", "practice('minimax', 1, seed=4)",
                        "practice('alpha-beta', 1, seed=4)"])  # fmt: skip
    values, cuts = output(page, 1), output(page, 2)
    node(values, 1).click()
    for answer in ("2", "5"):
        page.keyboard.type(answer)
        page.keyboard.press("Enter")
    values.get_by_role("button", name="Check").click()
    expect(values).to_contain_text("Your first mistake is at the Min node 1")
    expect(node(values, 2).first).to_have_class(re.compile(r"\bwrong\b"))
    values.get_by_role("button", name="Solution").click()
    expect(values).to_contain_text("This is the solution")
    cuts.get_by_role("button", name="Solution").click()
    crossed = cuts.locator(".crossed")
    expect(crossed.first).to_be_visible()
    cuts.locator(".node.leaf.target").filter(has=page.locator(".crossed")).first.click()
    cuts.get_by_role("button", name="Check").click()
    expect(cuts).to_contain_text("you did not mark it, but alpha-beta cuts it. M")
