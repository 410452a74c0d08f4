"""Saved explorers, opened from disk in a browser: live, without Python, and without a request to anywhere."""

import pytest

from course_lib.explore import explore, watch, watch_mcts
from course_lib.games import TicTacToe, TreeGame
from course_lib.search import alpha_beta_search, minimax_search, monte_carlo_tree_search

TREE_VIEW = "[role=tree]"
TREE = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
EXPLORERS = {
    "alpha-beta": lambda: explore(watch(alpha_beta_search, TREE)),
    "boards": lambda: explore(watch(minimax_search, TicTacToe(), TicTacToe().after(0, 1, 2, 4, 3)), boards=True),
    "mcts": lambda: explore(watch_mcts(monte_carlo_tree_search, TicTacToe(), iterations=40, seed=1)),
}


@pytest.fixture
def open_page(browser, tmp_path):
    """A function: the page of an explorer, opened from disk; every error and every request of it fails the test."""
    context = browser.new_context(viewport={"width": 1000, "height": 800}, offline=True)
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("request", lambda request: wrong.append(request.url) if request.url.startswith("http") else None)

    def opened(explorer):
        page.goto(explorer.save(tmp_path / "tree.html").as_uri())
        page.locator("[data-drawn] svg").first.wait_for()
        return page

    yield opened
    context.close()
    assert not wrong


@pytest.mark.parametrize("name", EXPLORERS)
def test_a_saved_explorer_is_stepped_to_its_end(open_page, name):
    explorer = EXPLORERS[name]()
    page = open_page(explorer)
    page.locator(TREE_VIEW).focus()
    page.keyboard.press("ArrowRight")
    first = page.locator(".course-live").inner_text()
    page.keyboard.press("End")
    page.wait_for_timeout(200)
    assert page.locator(".course-live").inner_text() != first


def test_a_prediction_is_asked_and_judged(open_page):
    page = open_page(explore(watch(alpha_beta_search, TREE), predict="next leaf"))
    page.locator(TREE_VIEW).focus()
    page.keyboard.press("ArrowRight")
    assert "leaf" in page.locator(".course-live").inner_text()
