"""The board and the prompts in a real JupyterLab, by mouse and by keyboard alone."""

import re

import pytest
from playwright.sync_api import TimeoutError, expect

from browser.test_accessible import stand_out
from lab import command, output, run_code, set_theme


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
    expect(board.locator(".story")).to_have_text("There is no legal move there.")

    cell(board, 2, 1).click()
    expect(cell(board, 1, 2)).to_have_accessible_name("row 1, column 2, O, last move")
    button(board, "Undo").click()
    expect(cell(board, 1, 2)).to_have_accessible_name("row 1, column 2, empty, move 1")
    expect(cell(board, 1, 1)).to_have_accessible_name("row 1, column 1, O, last move")

    cell(board, 2, 1).click()
    expect(cell(board, 1, 2)).to_have_accessible_name("row 1, column 2, O, last move")  # a click before it is dropped
    cell(board, 2, 3).click()
    expect(status(board)).to_have_text("You win, as Max (X).")
    expect(board.locator(".grid .won")).to_have_count(3)
    assert run_code(page, "print(shown.actions)") == "[4, 0, 3, 1, 5]\n"

    button(board, "New game").click()
    expect(board.locator(".grid svg")).to_have_count(0)
    button(board, "Swap sides").click()
    expect(status(board)).to_have_text("Min (O) to move: your turn.")
    expect(cell(board, 1, 1)).to_have_accessible_name("row 1, column 1, X, last move")


def test_tic_tac_toe_to_its_end_by_keyboard(page, show):
    (board,) = show("shown = board(TicTacToe(), lambda game, state: game.actions(state)[0])\nshown")
    cell(board, 1, 1).focus()
    active_cell = "window.jupyterapp.shell.currentWidget.content.activeCellIndex"
    before = page.evaluate(active_cell)
    for keys, marks in (("ArrowDown ArrowRight Enter", 2), ("ArrowLeft Space", 4), ("ArrowRight ArrowRight Enter", 5)):
        for key in keys.split():
            page.keyboard.press(key)
        expect(board.locator(".grid svg")).to_have_count(marks)
    expect(status(board)).to_have_text("You win, as Max (X).")
    expect(cell(board, 2, 3)).to_be_focused()
    assert page.evaluate(active_cell) == before
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"

    page.keyboard.press("ArrowRight")
    expect(cell(board, 2, 3)).to_be_focused()
    page.keyboard.press("Tab")
    expect(button(board, "Undo")).to_be_focused()
    page.keyboard.press("Enter")
    expect(board.locator(".grid svg")).to_have_count(4)
    expect(button(board, "Undo")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(cell(board, 2, 3)).to_be_focused()


def test_values_and_why_not_my_move(page, show):
    (board,) = show("""
game = TicTacToe()
shown = board(game, minimax_agent(), human=1, state=game.parse("X........"))
shown""")
    button(board, "Show values").press("Enter")
    expect(button(board, "Show values")).to_have_attribute("aria-pressed", "true")
    expect(cell(board, 2, 2).locator(".value")).to_have_text("0")
    expect(cell(board, 3, 3).locator(".value")).to_have_text("1")
    expect(board.locator(".best")).to_have_count(1)
    expect(board.locator(".caption")).to_contain_text("worth to Max, with best play to the end")

    button(board, "Why not my move?").press("Enter")
    expect(status(board)).to_have_text("At the start, Min (O) to move: which move would you have liked?")
    cell(board, 3, 3).click()
    expect(board.locator(".story")).to_contain_text("4 would keep the draw; 8 loses: Max answers ")
    steps = int(re.search(r"of (\d+)", status(board).inner_text())[1])
    button(board, "Next").focus()
    for step in range(2, steps + 1):
        page.keyboard.press("Enter")
        expect(status(board)).to_contain_text(f"What if, {step} of {steps}: ")
    expect(status(board)).to_contain_text("Max (X) wins.")
    expect(board.locator(".grid .won")).not_to_have_count(0)
    button(board, "Back").click()
    expect(status(board)).to_contain_text(f"What if, {steps - 1} of {steps}: ")
    button(board, "Why not my move?").click()
    expect(status(board)).to_have_text("Min (O) to move: your turn.")
    expect(board.locator(".grid svg")).to_have_count(1)


def test_letters_typed_on_the_board_leave_the_notebook_alone(page, show):
    grid, moves = show("board(TicTacToe())", "board(TreeGame([[1, 2], [3, 4]]))")
    cells = page.locator(".jp-Cell").count()
    for part in (cell(grid, 2, 2), button(grid, "Undo"), moves.locator(".moves button").first):
        part.focus()
        for key in ("a", "b", "d", "d", "x"):
            page.keyboard.press(key)
        expect(part).to_be_focused()
    assert page.locator(".jp-Cell").count() == cells


def test_connect_four_and_nim(page, show):
    four, nim = show(
        "board(ConnectFour(), lambda game, state: game.actions(state)[0])", "board(Nim((3, 4, 5)), minimax_agent())"
    )
    cell(four, 1, 4).hover()
    expect(four.locator(".hint")).to_have_accessible_name("row 6, column 4, empty, move 3")
    cell(four, 1, 4).click()
    expect(cell(four, 6, 4)).to_have_accessible_name("row 6, column 4, filled disc")
    expect(cell(four, 6, 1)).to_have_accessible_name("row 6, column 1, ring, last move")
    for row in (5, 4, 3):
        cell(four, 2, 4).click()
        expect(cell(four, row, 4)).to_have_accessible_name(re.compile("filled disc"))
        expect(four.locator(".grid svg")).to_have_count(2 * (7 - row) - (row == 3))  # the opponent has answered, too
    expect(status(four)).to_have_text("You win, as Max (X, the filled discs).")
    expect(four.locator(".grid .won")).to_have_count(4)

    cell(nim, 1, 2).focus()
    expect(nim.locator(".hint")).to_have_count(2)
    page.keyboard.press("Enter")
    expect(cell(nim, 1, 2)).to_have_accessible_name(re.compile("^row 1, column 2, empty"))
    expect(status(nim)).to_have_text("Max to move: your turn.")
    expect(nim.locator(".grid svg")).to_have_count(9)
    button(nim, "Show values").click()
    expect(nim.locator(".grid .value:visible")).to_have_count(9)


def test_a_game_without_a_grid_keeps_the_focus_on_its_moves(page, show):
    (board,) = show("board(TreeGame([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]), minimax_agent(), values=True)")
    expect(board.locator(".grid")).to_be_hidden()
    expect(board.locator(".moves button").nth(1)).to_have_accessible_name("action 1, worth 6 to Max, best")
    board.locator(".moves button").nth(1).focus()
    page.keyboard.press("Enter")
    expect(board.locator(".text")).to_have_text("path 1 0: Max to move, actions 0, 1")
    expect(board.locator(".moves button").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(status(board)).to_have_text("The end: 5 for Max, −5 for Min.")


def test_pacman_takes_a_step_where_a_reader_clicks(page, show):
    layout = "######\\n#Po.A#\\n#.##.#\\n#o..B#\\n######"
    (board,) = show(f"board(Pacman('{layout}'), lambda game, state: game.actions(state)[0])")
    expect(board.locator(".grid .ghost")).to_have_count(2)
    board.get_by_role("button", name="row 2, column 3, pellet, move right").click()
    expect(cell(board, 2, 3)).to_have_accessible_name(re.compile("Pac-Man"))
    expect(board.locator(".text")).to_have_text("Pac-Man to move, 9 points, 87 plies left")
    expect(board.locator(".grid .pellet")).to_have_count(1)


def test_an_opponent_that_thinks_for_ever_can_be_interrupted(page, show):
    (board,) = show("def forever(game, state):\n    while True:\n        pass\n\nboard(TicTacToe(), forever)")
    cell(board, 1, 1).click()
    expect(status(board)).to_have_text("Min (O) is thinking …")
    expect(cell(board, 1, 1)).to_have_accessible_name(re.compile("row 1, column 1, X"))
    command(page, "notebook:interrupt-kernel")
    expect(board.locator(".story")).to_contain_text("The opponent failed with KeyboardInterrupt")
    button(board, "Undo").click()
    expect(board.locator(".grid svg")).to_have_count(0)


def test_predict_by_keyboard(page, show):
    question, source = show(
        'predict("Which?", ("the first", "It is not."), "the second, which is right", right=2, because="It says so.")',
        "show_source(minimax_value)",
    )
    expect(button(question, "Check")).to_be_disabled()
    for dark in (True, False):
        set_theme(page, dark)
        stand_out(page, ".course-predict button:disabled", "color", 4.5)  # of which axe asks nothing
    question.get_by_role("radio", name="the first").press("Space")
    expect(button(question, "Check")).to_be_enabled()
    button(question, "Check").press("Enter")
    expect(question.get_by_role("status")).to_have_text("Not quite. It is not. Choose again.")
    expect(button(question, "Check")).to_be_disabled()
    question.get_by_role("radio", name="the first").press("ArrowDown")
    expect(question.get_by_role("radio", checked=True)).to_have_accessible_name("the second, which is right")
    page.keyboard.press("Enter")
    expect(question.get_by_role("status")).to_have_text("Right. It says so.")
    expect(source.locator("pre")).to_contain_text("def minimax_value(game, state):")


FAULTS = """board => {
    const rect = part => part.getBoundingClientRect(), frame = board.querySelector(".course-board"), faults = [];
    const within = (a, b) => b.left <= a.left && a.right <= b.right;
    const check = (query, fits, fault) => [...frame.querySelectorAll(query)]
        .filter(part => part.checkVisibility() && !fits(part))
        .forEach(part => faults.push(`${fault}: ${part.textContent}`));
    check("button, p, .caption", part => within(rect(part), rect(frame)), "outside");
    check(".grid :is(.value, .name)", label => label.scrollWidth <= label.clientWidth, "cut off");
    const below = value => rect(value).top >= rect(value.parentNode.querySelector(".mark")).bottom - 1;
    if (frame.matches(".objects")) check(".grid .value", below, "overlaps");
    return within(rect(frame), rect(board)) ? faults : [...faults, "the board is cut off"];
}"""


@pytest.mark.parametrize("font", ["'DejaVu Sans Mono', monospace", pytest.param("system-ui", marks=pytest.mark.slow)])
def test_nothing_is_cut_off_in_a_narrow_window(page, show, font):
    style = page.add_style_tag(content=f".course-board {{ --jp-ui-font-family: {font}; letter-spacing: 0.5px; }}")
    thinks = "from course_lib.alphazero import load\nshown = board(ConnectFour(), load('connect_four', 20))\n"
    boards = show(
        f"{thinks}shown.show_thoughts()\nshown",
        "board(TicTacToe(), minimax_agent(), values=True)",
        "board(ConnectFour(), values=True, search=lambda game, state: (-0.12345, None))",
        "board(Nim(), minimax_agent(), values=True)",
        "board(Nim(12, most=3), minimax_agent(), values=True)",
        "board(Nim(21), minimax_agent(), values=True)",
    )
    page.set_viewport_size({"width": 850, "height": 1600})
    for dark in (False, True):
        set_theme(page, dark)
        for board in boards:
            board.scroll_into_view_if_needed()  # what is out of view is not laid out
            try:  # the window's new size is laid out in its own time
                page.wait_for_function(f"board => !({FAULTS})(board).length", arg=board.element_handle())
            except TimeoutError:
                assert board.evaluate(FAULTS) == []
            sizes = board.locator(".grid .value:visible").evaluate_all(
                "all => all.map(e => getComputedStyle(e).fontSize)"
            )
            assert all(float(size.removesuffix("px")) >= 6 for size in sizes)
    expect(boards[5].locator(".grid .name").first).to_have_text("21")
    expect(boards[3].locator(".grid .name").first).to_have_text("take 3")
    style.evaluate("style => style.remove()")
