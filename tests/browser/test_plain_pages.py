"""Widgets on a page of their own, as tests/js/page.py writes it: without Python and without JupyterLab."""

import pytest
from playwright.sync_api import expect

from course_lib.explore import explore, predict, watch
from course_lib.games import TreeGame
from course_lib.search import alpha_beta_search
from js.page import page as written

ASKING = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])


@pytest.fixture
def opened(browser, tmp_path):
    """Opens the page of a widget."""
    context = browser.new_context()

    def open_page(widget):
        (tmp_path / "widget.html").write_text(written(widget), encoding="utf-8")
        page = context.new_page()
        page.goto((tmp_path / "widget.html").as_uri())
        page.evaluate("window.ready")
        return page

    yield open_page
    context.close()


def test_a_prediction_is_judged_without_python(opened):
    page = opened(predict("Which?", ("this", "It is late."), "that", "none", right=2, because="It is."))
    verdict, check = page.get_by_role("status"), page.get_by_role("button", name="Check")
    page.get_by_role("radio", name="this").check()
    check.click()
    expect(verdict).to_have_text("Not quite. It is late. Choose again.")
    expect(page.locator("label.wrong")).to_have_text("thiswrong")
    expect(page.locator("label.right")).to_have_count(0)
    page.get_by_role("radio", name="none").check()
    check.click()
    expect(verdict).to_have_text("Not quite. The answer: that. It is.")
    page.get_by_role("radio", name="that").check()
    check.click()
    expect(verdict).to_have_text("Right. It is.")


def test_a_question_that_holds_a_step_up_says_so_and_there_is_one_box_for_paths(opened):
    page = opened(explore(watch(alpha_beta_search, ASKING), predict="next leaf", step=13).tree)
    tree, verdict = page.get_by_role("tree"), page.locator(".verdict")
    boxes = page.locator("input:not([type=checkbox], [type=range])")
    first = "Answer first, or press “Show me”."
    expect(boxes.filter(visible=True)).to_have_count(1)
    for act in (lambda: tree.press("ArrowRight"), lambda: tree.press("End")):
        act()
        expect(verdict).to_have_text(first)
    page.get_by_role("button", name="Check").click()  # the box is empty
    expect(verdict).to_have_text(first)
    page.get_by_label("Which leaf comes next?").fill("1 1")
    page.keyboard.press("Enter")
    expect(verdict).to_contain_text("The leaf 1 1 is not looked at (α-cut: Min already has 2 here, Max has 3 elsewhere")
    tree.press("ArrowRight")
    expect(verdict).to_contain_text("2 ≤ α = 3). (0 of 1 right) " + first)
    page.evaluate("window.host.set('predict', '')")
    expect(verdict).to_have_text("")
    expect(verdict).to_have_class("verdict")
    expect(page.locator(".bar input:not([type=checkbox], [type=range]):visible")).to_have_count(1)
