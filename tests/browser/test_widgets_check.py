"""A check in a real JupyterLab: no answer, a wrong one drawn, one's own search, and the mended answer."""

import re

from playwright.sync_api import expect

from lab import NOTEBOOK, cell_errors, cells, open_in_place, output, run_cell

STUB = "def my_minimax_value(game, state):"
WRONG = """def my_minimax_value(game, state, ply=0):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    values = [my_minimax_value(game, game.result(state, a), ply + 1) for a in game.actions(state)]
    return max(values) if ply % 2 == 0 else min(values)"""
RIGHT = WRONG.replace("ply % 2 == 0", "game.to_move(state) == MAX")


def cell(page, start):
    """The index of the first cell that begins so."""
    return next(index for index, cell in enumerate(cells(page)) if cell["source"].startswith(start))


def write(page, index, source):
    page.evaluate(
        f"([i, source]) => {NOTEBOOK}.content.widgets[i].model.sharedModel.setSource(source)", [index, source]
    )


def test_an_answer_that_is_missing_then_wrong_shown_explored_fixed_and_passes(page):
    open_in_place(page, "exercises/02_minimax.ipynb")
    code, check, points = (cell(page, start) for start in (STUB, 'check("minimax.value"', "score("))
    for index in (1, code, check, points):
        run_cell(page, index)
    expect(output(page, check)).to_have_text(re.compile(r"^minimax.value: not answered yet. Write your answer\s+above"))
    expect(output(page, points)).to_contain_text("0 of 18   in total")
    assert cell_errors(page) == []
    write(page, code, WRONG)
    run_cell(page, code)
    run_cell(page, check)
    shown = output(page, check)
    expect(shown).to_contain_text("Your search first goes wrong at the root, a Min node")
    expect(shown).to_contain_text("casemy_minimax_value(TreeGame([-1, 0], first=1), ())")
    expect(shown.get_by_role("img", name="expected")).to_be_visible()
    expect(shown.get_by_role("img", name="your search")).to_be_visible()
    expect(shown).to_contain_text("CheckFailed: minimax.value: turns assumed to alternate")
    expect(shown).not_to_contain_text("Traceback")
    write(page, check, "explore_my_code()")
    run_cell(page, check)
    expect(shown.get_by_role("tree")).to_be_visible()
    expect(shown.locator(".game-tree .node")).to_have_count(3)
    write(page, check, 'check("minimax.value", my_minimax_value)')
    write(page, code, RIGHT)
    run_cell(page, code)
    run_cell(page, check)
    expect(shown).to_contain_text("minimax.value: visible checks passed")
    expect(shown.get_by_role("img")).to_have_count(0)
