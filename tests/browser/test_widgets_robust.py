"""What readers do to widgets without meaning any harm, in a real JupyterLab: restart, look twice, hurry."""

import pytest
from playwright.sync_api import expect

from browser.test_widgets_explorer import eventually
from lab import (
    NOTEBOOK,
    cell_errors,
    output,
    run_all,
    run_cell,
    run_code,
)

LIVE = ".game-tree, .course-board, .course-predict"


@pytest.fixture
def opened(page, shown):
    """A function that runs these cells in a window in which all is in view: else it is taken out of the page."""
    page.set_viewport_size({"width": 1280, "height": 6000})
    return shown


@pytest.mark.slow
def test_a_new_kernel(page, opened):
    """What is on the page goes on without its kernel as far as the browser can; run again, all is live."""
    opened(
        "e = explore(watch(minimax_search, tree)); e",
        "explore(TicTacToe())",
        "b = board(TicTacToe()); b",
        "practice('minimax', 1, seed=4)",
    )
    page.evaluate(f"() => {NOTEBOOK}.sessionContext.session.kernel.restart()")
    page.evaluate(f"async () => {{ await {NOTEBOOK}.sessionContext.session.kernel.info; }}")
    explorer = output(page, 1)
    explorer.get_by_role("tree").press("End")
    expect(explorer.locator(".caption")).to_contain_text("Step 26 of 26")
    gone = "Python does not respond. After a restart, run the cells above (Run → Run All Above Selected Cell), "
    gone += "then this one again."
    output(page, 2).locator("[data-node='5']").click()
    expect(output(page, 2).get_by_role("status")).to_have_text(gone)
    output(page, 3).locator(".grid button").first.click()
    expect(output(page, 3).locator(".message")).to_have_text(gone)
    output(page, 4).get_by_role("button", name="Check").click()
    expect(output(page, 4).locator(".verdict")).to_have_text(gone)
    page.console_errors.remove("Cannot send")  # by the button of ipywidgets
    run_cell(page, 2)
    expect(output(page, 2)).to_contain_text("Run that cell first, or all: Run → Run All Above Selected Cell.")
    run_all(page)
    assert cell_errors(page) == []
    expect(page.locator(LIVE)).to_have_count(4)
    expect(explorer.locator(".caption")).to_contain_text("Step 0 of 26")
    explorer.get_by_role("tree").press("End")
    eventually(lambda: run_code(page, "print(e.tree.step)").strip() == "26")
    output(page, 3).locator(".grid button").first.click()
    expect(output(page, 3).locator(".grid svg")).to_have_count(1)


BOARD = """boards = globals().get("boards", []) + [board(ConnectFour(), lambda game, state: game.actions(state)[0])]
boards[-1]"""
CONTROLS = {
    BOARD: (".grid button:nth-child(4)",),
    "predict('Which?', 'this', 'that', right=2, because='It is.')": ("label", ".check"),
    "explore(watch(alpha_beta_search, tree), predict='value')": ("[aria-label='step forward']", "[role=tree] .node"),
    "explore(watch(minimax_search, tree))": ("[type=range]",),
}
"""Cells with a widget, and what is clicked there, in this order."""


def test_shift_enter_runs_the_cell_of_a_widget_and_goes_on(page, opened):
    opened(*CONTROLS, "1")
    executed = f"() => {NOTEBOOK}.content.widgets.map(cell => cell.model.executionCount)"
    for index, parts in enumerate(CONTROLS.values(), start=1):
        shown, before = output(page, index), page.evaluate(executed)
        for part in parts:
            shown.locator(part).first.click()
        page.keyboard.press("Shift+Enter")
        arg = [index, before[index]]
        page.wait_for_function(f"([index, before]) => ({executed})()[index] > before", arg=arg)
        assert page.evaluate(f"() => {NOTEBOOK}.content.activeCellIndex") == index + 1
    assert run_code(page, "print([len(played.actions) for played in boards])") == "[2, 0]\n"
