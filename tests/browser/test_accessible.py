"""Every widget, as axe and a keyboard meet it."""

import os
import re
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from lab import fill_and_run, output, set_theme

KINDS = [
    """from course_lib.explore import *
from course_lib.games import *
from course_lib.alphazero import load
from course_lib.check import check
from course_lib.search import *
tree = TreeGame([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
luck = TreeGame([Chance([(0.5, 20), (0.5, 30)]), Chance([(0.9, 10), (0.1, 150)])])
three = TreeGame([[(1, 2, 3), (4, 5, 6)], [(7, 8, 9), (0, 0, 0)]], players=3)""",
    "explore(watch(minimax_search, tree), predict='value', step=8)",
    "explore(watch(alpha_beta_search, tree), step=18)",
    "explore(watch(expectiminimax_search, luck), step=9)",
    "explore(watch(max_n_search, three), step=7)",
    "explore(TicTacToe())",
    "explore(watch_mcts(monte_carlo_tree_search, TicTacToe(), iterations=40, seed=1), step=160, boards=True)",
    "practice('alpha-beta', 1, seed=4)",
    "shown = board(TicTacToe(), minimax_agent())\nshown.show_values()\nshown",
    "board(ConnectFour(), state=ConnectFour().after(3, 3, 2))",
    "thinks = board(ConnectFour(), load('connect_four', 20))\nthinks.show_values()\nthinks",
    "heaps = board(Nim((3, 4, 5)))\nheaps.show_values()\nheaps",
    "board(Pacman())",
    "board(TreeGame([[1, 2], [3, 4]]))",
    "predict('Which?', 'the first', 'the second', right=2, because='It says so.')",
    "try: check('minimax.value', lambda game, state: 7)\nexcept AssertionError: pass",
    "picture(watch(minimax_search, tree))",
]
SHOWN = {"include": [[".jp-OutputArea-output:not(.jp-RenderedImage)"]]}
CONTROLS = ", ".join(f".jp-OutputArea-output {part}" for part in (
    "button:enabled", "input", "select", "summary", "a[href]", "[tabindex='0']"
))  # fmt: skip


WRITTEN = ".game-tree .main text"
EDGES = ".game-tree .main > svg path:is(.new, .cut, .seen):not(.node *)"
FORCED = [
    (EDGES, "stroke"),
    (".game-tree .main .pointer", "fill"),
    (".course-board svg :is(.maze .object, .mark-x.disc)", "fill"),
    (".course-board.heaps .object", "stroke"),
]


@pytest.fixture(scope="session")
def axe():
    """The script of axe-core (MPL-2.0), as the package axe-playwright-python brings it."""
    if os.environ.get("CI") != "true":
        pytest.importorskip("axe_playwright_python", reason="for axe, `pip install axe-playwright-python`")
    return resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


@pytest.mark.slow
def test_every_kind_of_widget(page, axe):
    """Axe finds nothing in either theme, the focus can be seen on every control."""
    page.set_viewport_size({"width": 1280, "height": 9_000})  # what is out of view is taken out of the page
    fill_and_run(page, KINDS)
    page.wait_for_function("() => document.querySelectorAll('.game-tree .node').length > 60")
    for _ in range(4):
        page.locator(".game-tree.mcts svg[tabindex]").press("ArrowUp")  # up to the root, whose children have a table
    expect(page.locator(".game-tree.mcts .details table tbody tr")).to_have_count(9)
    page.evaluate(axe)
    page.evaluate(Path(__file__).with_name("accessible.js").read_text(encoding="utf-8"))
    for dark in (False, True):
        set_theme(page, dark)
        # JupyterLab gives a picture no text, whatever the output's metadata say: that is for nbconvert and others.
        assert (
            page.evaluate("asked => accessible.violations(asked)", [SHOWN, ["color-contrast"] if dark else None]) == []
        )
        inverted = page.locator("img.jp-needs-light-background").evaluate("part => getComputedStyle(part).filter")
        assert (inverted != "none") == dark
        stand_out(page, WRITTEN, "fill", 4.5)  # axe does not look at what is drawn
        stand_out(page, EDGES, "stroke", 3)
        page.locator(".game-tree svg[tabindex]").first.press("Tab")  # the keyboard is used: the focus is to be seen
        seen = page.evaluate("query => accessible.focus(query)", CONTROLS)
        assert len(seen) > 100
        assert [part for visible, part in seen if not visible] == []
    for scheme in ("light", "dark"):  # the reader's own colours, whatever JupyterLab's are
        page.emulate_media(forced_colors="active", color_scheme=scheme)
        for query, attribute in FORCED:
            stand_out(page, query, attribute, 3)


def stand_out(page, query, attribute, least):
    """What this query finds has at least this contrast, by this attribute, with what it is drawn on."""
    drawn = [part.split(";") for part in page.evaluate("asked => accessible.drawn(asked)", [query, attribute])]
    assert drawn
    for colour, opacity, paper in drawn:
        assert contrast(over(colour, paper, float(opacity)), over(paper, paper)) >= least, (query, colour, paper)


def test_by_keyboard_alone(page):
    """A search, a prediction in it, a question, a tree of practice and a board, from the first key to the last."""
    page.set_viewport_size({"width": 1280, "height": 5_000})
    fill_and_run(page, [
        KINDS[0],
        "explore(watch(alpha_beta_search, tree), predict='value')",
        "predict('Which?', 'the first', 'the second', right=2, because='It says so.')",
        "practice('minimax', 1, seed=4)",
        "board(TicTacToe())",
    ])  # fmt: skip
    search, question, sheet, board = (output(page, index) for index in range(1, 5))
    press = page.keyboard.press

    search.get_by_role("button", name="stop").focus()  # from here on there are only keys
    tab_to(page, search.get_by_role("button", name="step forward"))
    press("Enter")
    expect(search.locator(".caption")).to_contain_text("Step 1 of 28. The search enters")
    tab_to(page, search.get_by_role("tree"))
    press("End")
    expect(search.locator(".question")).to_contain_text("What will the Min node 0 return?")
    tab_to(page, search.locator("input[name=answer]"))
    page.keyboard.type("3")
    press("Enter")
    expect(search.locator(".verdict")).to_contain_text("Right.")
    press("ArrowDown")
    expect(search.locator(".details")).to_contain_text("leaf 0 0")
    tab_to(page, search.get_by_text("The tree as text"))
    press("Enter")
    tab_to(page, search.get_by_role("region", name="The tree as text"))

    tab_to(page, question.get_by_role("radio").first)
    press("Space")
    if not question.get_by_role("radio", name="the second").is_checked():
        press("ArrowDown")
    tab_to(page, question.get_by_role("button", name="Check"))
    press("Enter")
    expect(question.get_by_role("status")).to_contain_text("Right.")

    tab_to(page, sheet.get_by_role("tree"))
    press("ArrowDown")
    press("Enter")
    page.keyboard.type("2")
    press("Enter")
    page.keyboard.type("5")  # without Enter: leaving the field stores it, too
    tab_to(page, sheet.get_by_role("button", name="Check"))
    press("Enter")
    expect(sheet).to_contain_text("Your first mistake is at the Min node 1")

    tab_to(page, board.locator(".grid button").first)
    press("ArrowRight")
    press("Enter")
    expect(board.locator(".grid button").nth(1)).to_have_attribute("aria-label", re.compile("X"))


def tab_to(page, part, most=60):
    """Press Tab until this has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if part.evaluate("part => part === document.activeElement"):
            return
    raise AssertionError(f"{part} is not reached by {most} times Tab")


XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colour):
    colour = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (0, 2, 4)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """The contrast ratio as WCAG 2 defines it."""
    low, high = sorted(XYZ[1] @ linear(colour) + 0.05 for colour in (one, other))
    return high / low


def over(colour, paper, opacity=1.0):
    """A colour as a browser tells it, "rgba(0, 0, 0, 0.5)", laid on an opaque one; as "#rrggbb"."""
    (*channels, alpha), (*below, _) = ([*map(float, re.findall(r"[\d.]+", text)), 1.0][:4] for text in (colour, paper))
    share = alpha * opacity
    return "#" + "".join(f"{round(share * x + (1 - share) * y):02x}" for x, y in zip(channels, below))
