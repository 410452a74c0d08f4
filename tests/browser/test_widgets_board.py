"""The board and the prompts in a real JupyterLab, by mouse and by keyboard alone."""

import re

import pytest
from playwright.sync_api import expect

from lab import output, run_code


@pytest.fixture
def show(page, shown):
    """A function that runs these cells and returns what each of them shows."""

    def run(*sources):
        shown(*sources)
        return [output(page, index + 1) for index in range(len(sources))]

    return run


def cell(board, row, column):
    return board.get_by_role("button", name=re.compile(f"^row {row}, column {column}, "))


def status(board):
    return board.locator(".status")


def button(board, name):
    return board.get_by_role("button", name=name, exact=True)


def test_tic_tac_toe_to_its_end_by_clicking(page, show):
    (board,) = show("shown = board(TicTacToe(), lambda game, state: game.actions(state)[0])\nshown")
    expect(status(board)).to_have_text("Max (X) to move: your turn.")
    cell(board, 2, 2).click()
    expect(cell(board, 2, 2)).to_have_accessible_name("row 2, column 2, X")
    expect(cell(board, 1, 1)).to_have_accessible_name("row 1, column 1, O, last move")
    cell(board, 1, 1).click(force=True)
    expect(board.locator(".message")).to_have_text("There is no legal move there.")

    cell(board, 2, 1).click()
    expect(cell(board, 1, 2)).to_have_accessible_name("row 1, column 2, O, last move")
    button(board, "Undo").click()
    expect(cell(board, 1, 2)).to_have_accessible_name("row 1, column 2, empty, move 1")
    expect(cell(board, 1, 1)).to_have_accessible_name("row 1, column 1, O, last move")

    cell(board, 2, 1).click()
    expect(cell(board, 1, 2)).to_have_accessible_name("row 1, column 2, O, last move")  # a click before it is dropped
    cell(board, 2, 3).click()
    expect(status(board)).to_have_text("You win, as Max (X).")
    assert run_code(page, "print(shown.actions)") == "[4, 0, 3, 1, 5]\n"

    button(board, "New game").click()
    expect(board.locator(".grid svg")).to_have_count(0)


def test_values_of_the_moves(page, show):
    (board,) = show("""
game = TicTacToe()
shown = board(game, minimax_agent(), human=1, state=game.parse("X........"))
shown""")
    button(board, "Show values").press("Enter")
    expect(button(board, "Show values")).to_have_attribute("aria-pressed", "true")
    expect(cell(board, 2, 2).locator(".value")).to_have_text("0")
    expect(cell(board, 3, 3).locator(".value")).to_have_text("1")
    expect(board.locator(".best")).to_have_count(1)
    expect(cell(board, 2, 2)).to_have_accessible_name("row 2, column 2, empty, move 4, worth 0 to Max, best")
    expect(board.locator(".caption")).to_contain_text("the value of a move for Max, with best play to the end")


def test_connect_four_and_nim(page, show):
    four, nim = show(
        "board(ConnectFour(), lambda game, state: game.actions(state)[0])", "board(Nim((3, 4, 5)), minimax_agent())"
    )
    cell(four, 1, 4).hover()
    expect(four.locator(".hint")).to_have_accessible_name("row 6, column 4, empty, move 3")
    cell(four, 1, 4).click()
    expect(cell(four, 5, 4)).to_have_accessible_name(re.compile("move 3$"))
    expect(cell(four, 6, 4)).to_have_accessible_name("row 6, column 4, filled disc")
    expect(cell(four, 6, 1)).to_have_accessible_name("row 6, column 1, ring, last move")
    for row in (5, 4, 3):
        cell(four, 2, 4).click()
        expect(cell(four, row, 4)).to_have_accessible_name(re.compile("filled disc"))
        expect(four.locator(".grid svg")).to_have_count(2 * (7 - row) - (row == 3))  # the opponent has answered, too
    expect(status(four)).to_have_text("You win, as Max (X, the filled discs).")

    cell(nim, 1, 2).focus()
    expect(nim.locator(".hint")).to_have_count(2)
    page.keyboard.press("Enter")
    expect(cell(nim, 1, 2)).to_have_accessible_name(re.compile("^row 1, column 2, empty"))
    expect(status(nim)).to_have_text("Max to move: your turn.")
    expect(nim.locator(".grid svg")).to_have_count(9)
    button(nim, "Show values").click()
    expect(nim.locator(".grid .value:visible")).to_have_count(9)
