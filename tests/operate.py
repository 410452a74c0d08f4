"""Operates the live widgets of an open notebook, as a reader does who tries everything once.

What is quick to do in the page is done there: a real click takes the browser some ten times as long.
"""

import re
from pathlib import Path

from course_lib.saving import WIDGET_VIEW
from lab import NOTEBOOK, cells, output

PREPARE = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
CLICK, CHOOSE, CHECK, SLIDE = (f"part => window.operate.{name}(part)" for name in ("click", "choose", "check", "slide"))
PRESS = "(parts, keys) => window.operate.press(parts, keys)"
KEYS = ["Enter", "Enter", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Home", "End", "+", "-", "f"]
TROUBLE = re.compile(
    r"Traceback|failed with|No values|No analysis|does not respond|Error displaying|model not found|Loading widget"
)
"""What widgets say where something went wrong that did not stop them."""


def operate(page):
    """Operate each widget of the notebook, and see that it still answers.

    What a callback raises, or writes to stderr, goes to the browser's console: the page's test fails at its end.
    """
    page.evaluate(PREPARE)
    for index, cell in enumerate(cells(page)):
        if shows_a_widget(cell):
            page.evaluate(f"index => {NOTEBOOK}.content.scrollToItem(index)", index)
            operate_output(output(page, index))


def shows_a_widget(cell):
    return any(WIDGET_VIEW in shown.get("data", {}) for shown in cell.get("outputs", []))


def operate_output(shown):
    """Operate what one cell shows: its boards, questions, buttons, lists, sliders, boxes and trees."""
    for board in shown.locator(".course-board").all():
        operate_board(board)
    for question in shown.locator(".course-predict").all():
        right = [verdict.startswith("Right.") for verdict in question.evaluate(CHECK)]
        assert right.count(True) == 1, right
    shown.locator(".jupyter-button:enabled:visible").evaluate_all(CLICK)
    shown.locator("select:visible").evaluate_all(CHOOSE)
    shown.locator(".noUi-handle").evaluate_all(PRESS, ["End", "ArrowLeft"])
    shown.locator("input[type='range']").evaluate_all(SLIDE)
    shown.get_by_role("button", name="Solution", exact=True).evaluate_all(CLICK)  # practice: another tree, to step
    for tree in shown.locator(".game-tree").all():
        operate_tree(tree)
    assert not TROUBLE.search(shown.inner_text()), shown.inner_text()


def operate_tree(tree):
    """Click a node and each button of a tree, press each key, answer its question, and see that it goes on."""
    drawing = tree.get_by_role("tree")
    tree.locator(".bar button:visible").evaluate_all(CLICK)
    tree.locator("[data-node='0']").click()
    drawing.evaluate_all(PRESS, KEYS)
    tree.get_by_role("button", name="Show me").evaluate_all(CLICK)
    tree.get_by_label("stop, back to step 0").evaluate_all(CLICK)  # a tree that still plays would go on by itself
    drawing.press("Home")
    if tree.get_by_label("step forward").count():
        goes_on(tree.locator(".caption"), lambda: drawing.press("ArrowRight"))
    else:  # a game's own tree: from the root to its first child
        goes_on(tree.locator(".details h4"), lambda: drawing.press("ArrowDown"))


def operate_board(board):
    """Play, ask for values, take back, and begin again."""

    def press(*names):
        for name in names:
            board.get_by_role("button", name=re.compile(f"^({name})$")).evaluate("button => button.click()")
            board.evaluate("() => window.settle()")

    def move():
        board.locator(".grid [aria-disabled='false'], .moves button").first.click()
        board.evaluate("() => window.settle()")

    move()
    press("Show values|Show analysis")
    move()
    press("Show values|Show analysis")
    press("Undo", "New game")
    goes_on(board, move)


def goes_on(part, act):
    """See that doing this changes this part of a widget."""
    before = part.inner_html()
    act()
    part.evaluate("(part, before) => window.until(() => part.innerHTML !== before)", before)
