"""The pages to read of a whole site: every tree stepped to its end in Chromium, with no Python anywhere."""

import re
import time

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from lab import REPOSITORY

pytestmark = pytest.mark.slow
STEP = re.compile(r"\b([\d,]+) of ([\d,]+)\b")
MOST_ANSWERS = 400


def drawn(live):
    """Scroll to a live element; returns the seconds until it was drawn."""
    start = time.perf_counter()
    live.evaluate("""el => {
        el.scrollIntoView({ block: "center" });
        return new Promise(done => {
            const look = () => "drawn" in el.dataset ? done() : requestAnimationFrame(look);
            look();
        });
    }""")
    return time.perf_counter() - start


def at_the_end(live):
    at, steps = STEP.search(live.locator(".caption").inner_text()).groups()
    return at == steps


def step_to_the_end(live):
    """Press End; where the tree asks first, see what it asked for. Returns how often that was."""
    tree, show = live.get_by_role("tree"), live.get_by_role("button", name="Show me")
    for answers in range(MOST_ANSWERS):
        tree.press("End")
        if at_the_end(live):
            return answers
        show.evaluate("button => button.click()")
    raise AssertionError(f"never at the end: {live.inner_text()}")


def open_all_that_is_there(live):
    """Go down the first branch of a game's own tree, until the page says that there is no more of it, or it ends."""
    tree = live.get_by_role("tree")
    tree.press("Home")
    for key in ["Enter", "ArrowDown"] * 12:
        tree.press(key)
    if live.get_by_text("This page has no Python").count():
        expect(live.get_by_role("link", name="Run this notebook")).to_be_visible()


def answer(question):
    for option in question.locator("input").all():
        option.check()
        question.get_by_role("button", name="Check").click()
    expect(question.get_by_role("status")).not_to_be_empty()


@pytest.mark.parametrize("name", [path.stem for path in sorted((REPOSITORY / "notebooks").glob("*.ipynb"))])
def test_all_trees_of_a_page_are_stepped_to_their_end_without_python(visit, name):
    page = visit.new_page()
    page.goto(f"/read/{name}.html")
    loaded = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd / 1000")
    page.evaluate("document.querySelectorAll('.folded').forEach(part => part.open = true)")
    trees = page.locator(".course-live:not([data-widget='predict'], [data-widget='board'])")
    seconds, asked, stepped = [], 0, 0
    for live in trees.all():
        seconds.append(drawn(live))
        if live.get_by_label("step forward").count():
            asked += step_to_the_end(live)
            stepped += 1
        else:
            open_all_that_is_there(live)
    questions = page.locator(".course-live[data-widget='predict']").all()
    for question in questions:
        drawn(question)
        answer(question)
    page.set_viewport_size({"width": 360, "height": 800})
    found = Axe().run(page, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    assert stepped and (visit.errors, visit.outside) == ([], [])
    print(f"\n{name}: loaded in {loaded:.2f} s, first tree drawn in {seconds[0]:.2f} s; {len(seconds)} trees, "
          f"{stepped} of them stepped, {asked} answers shown, {len(questions)} questions, no violation")  # fmt: skip


def test_a_page_as_slides_turns_by_keyboard_unless_a_tree_has_the_focus(visit):
    page = visit.new_page()
    page.goto("/read/03_alpha_beta.html")
    page.get_by_role("button", name="Slides").click()
    place, tree = page.locator(".slides-bar [role=status]"), page.locator("[role=tree]:visible")
    expect(place).to_have_text(re.compile(r"^1 / \d\d$"))
    found = Axe().run(page, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    while not tree.count():
        page.keyboard.press("ArrowRight")
    there = place.inner_text()
    tree.first.press("ArrowRight")
    expect(place).to_have_text(there)
    page.keyboard.press("PageUp")
    expect(place).not_to_have_text(there)
    page.keyboard.press("PageDown")
    tree.first.press("Escape")
    expect(place).to_have_text(there)
    page.keyboard.press("Escape")
    expect(place).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    assert (visit.errors, visit.outside) == ([], [])


SLIDE = """() => {
    const scrolls = (el) => el && el.scrollHeight > el.clientHeight + 2;
    const seen = [...document.querySelectorAll("main *")].filter((el) => el.checkVisibility());
    const whole = seen.filter((el) => !el.closest("svg") && !scrolls(el.parentElement.closest(".output_area, table")));
    const texts = seen.filter((el) => el.closest(".course-live") && el.childNodes[0]?.nodeType === Node.TEXT_NODE);
    const scale = (el) => (el.closest("svg") ? el.getScreenCTM().a : el.currentCSSZoom);
    return {
        bottom: Math.max(...whole.map((el) => el.getBoundingClientRect().bottom)),
        right: Math.max(...whole.map((el) => el.getBoundingClientRect().right)),
        room: document.querySelector(".slides-bar").getBoundingClientRect().top,
        smallest: Math.min(...texts.map((el) => parseFloat(getComputedStyle(el).fontSize) * scale(el))),
        questions: seen.filter((el) => el.matches(".beside .course-predict")).length,
    };
}"""
"""What a slide needs and has, and the smallest text of its widgets, in pixels."""


@pytest.mark.parametrize("name", ["03_alpha_beta", "06_mcts_ucb1"])
def test_no_slide_is_cut_off_in_a_hall(visit, name):
    page = visit.new_page()
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"/read/{name}.html")
    page.get_by_role("button", name="Slides").click()
    place = page.locator(".slides-bar [role=status]")
    expect(place).to_have_text(re.compile(r"^1 / \d\d$"))
    slides, beside = int(place.inner_text().split()[-1]), 0
    for number in range(1, slides + 1):
        slide = page.evaluate(SLIDE)
        assert slide["bottom"] <= slide["room"] and slide["right"] <= 1280, f"slide {number} is cut off: {slide}"
        assert slide["smallest"] is None or slide["smallest"] > 19.9, f"slide {number} has small texts: {slide}"
        beside += slide["questions"]
        while number < slides and place.inner_text().startswith(f"{number} "):
            page.keyboard.press("PageDown")  # what scrolls comes first
    assert beside >= 2 and (visit.errors, visit.outside) == ([], [])


FOCUS = """() => {
    const { activeElement: at, body } = document;
    const { top, bottom, width } = at.getBoundingClientRect();
    const isSeen = width > 0 && bottom > 0 && top < innerHeight && getComputedStyle(at).outlineStyle != "none";
    return at == body ? "left" : isSeen ? "seen" : at.outerHTML.slice(0, 80);
}"""
KINDS = "index", "read/sources", "read/01_game_formalism", "read/exercises_02_minimax"


@pytest.mark.parametrize("path", KINDS)
def test_each_kind_of_page_is_accessible_and_walked_by_keyboard(visit, path):
    page, stops = visit.new_page(), ["seen"]
    page.goto(f"/{path}.html")
    page.wait_for_load_state("networkidle")
    found = Axe().run(page, options={"resultTypes": ["violations"]})
    assert found.violations_count == 0, found.generate_report()
    while stops[-1] == "seen" and len(stops) < 400:
        page.keyboard.press("Tab")
        stops.append(page.evaluate(FOCUS))
    assert stops[-1] == "left" and len(stops) > 2
    assert (visit.errors, visit.outside) == ([], [])
