"""Operates the live widgets of an open notebook, as a reader does who tries everything once.

What is quick to do in the page is done there: a real click takes the browser some ten times as long.
"""

import re

from course_lib.saving import WIDGET_VIEW
from lab import NOTEBOOK, cells, output

PREPARE = f"""() => {{
    const {{ kernel }} = {NOTEBOOK}.sessionContext.session, unanswered = new Set();
    const closed = new Set(), late = new Set();   // comms that the kernel has closed; what was sent to one after that
    kernel.anyMessage.connect((_, {{ msg, direction }}) => {{
        if (direction !== "send" || msg.header.msg_type !== "comm_msg") return;
        unanswered.add(msg.header.msg_id);
        if (closed.has(msg.content.comm_id)) late.add(msg.header.msg_id);
    }});
    const hasCrossed = ({{ text }}, {{ msg_id }}) => /^(No such comm: .*)?\\s*$/.test(text) && !late.has(msg_id);
    kernel.iopubMessage.connect((_, {{ header, content, parent_header }}) => {{   // in the order in which it is handled
        if (header.msg_type === "comm_close") closed.add(content.comm_id);
        if (content.execution_state === "idle") unanswered.delete(parent_header.msg_id);
        if (header.msg_type === "error") console.error(`in the kernel: ${{content.ename}}: ${{content.evalue}}`);
        if (content.name !== "stderr" || hasCrossed(content, parent_header)) return;
        console.error(`in the kernel: ${{content.text}}`);
    }});
    window.until = async happened => {{
        const late = Date.now() + 120_000;
        do await new Promise(awake => setTimeout(awake, 5));
        while (!happened() && Date.now() < late);
        if (!happened()) throw new Error(`never: ${{happened}}`);
    }};
    window.settle = () => window.until(() => unanswered.size === 0 && !window.loadingWidgets());
}}"""
"""Tells of errors in the kernel on the console; `settle` waits until the kernel has done what widgets told it (it does
so beside its cells), and the page has loaded what came of it. (Of a widget that is closed before it has loaded,
anywidget says on the console, 2 s later, that it could not be initialized.) A message that was sent before the page
heard that the kernel had closed the widget is no error: the two have crossed."""
CLICK = "async parts => { for (const part of parts) { part.click(); await window.settle(); } }"
CHOOSE = """async lists => {
    for (const list of lists) {
        for (const index of [...[...list.options].keys(), list.selectedIndex]) {
            list.selectedIndex = index;
            list.dispatchEvent(new Event("change", { bubbles: true }));
        }
        await window.settle();
    }
}"""
CHECK = """async question => {
    const verdicts = [], check = question.querySelector("button");
    for (const option of question.querySelectorAll("input")) {
        option.click();
        await window.until(() => check.ariaDisabled === "false");
        check.click();
        await window.until(() => check.ariaDisabled === "true");
        verdicts.push(question.querySelector('[role="status"]').textContent);
    }
    return verdicts;
}"""
PRESS = """(parts, keys) => {
    for (const part of parts) for (const key of keys)
        part.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    return window.settle();
}"""
SLIDE = """ranges => {
    for (const range of ranges) { range.stepUp(); range.dispatchEvent(new Event("input")); }
    return window.settle();
}"""
KEYS = ["Enter", "ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Home", "End", "+", "-", "f"]
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
    for finder in tree.locator(".bar input[type='text']:visible").all():
        finder.fill("root")
        finder.evaluate_all(PRESS, ["Enter"])
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
            board.get_by_role("button", name=name, exact=True).evaluate("button => button.click()")
            board.evaluate("() => window.settle()")

    def move():
        board.locator(".grid [aria-disabled='false'], .moves button").first.click()
        board.evaluate("() => window.settle()")

    move()
    press("Show values")
    move()
    press("Show values")
    press("Undo", "New game")
    goes_on(board, move)


def goes_on(part, act):
    """See that doing this changes this part of a widget."""
    before = part.inner_html()
    act()
    part.evaluate("(part, before) => window.until(() => part.innerHTML !== before)", before)
