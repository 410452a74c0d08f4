"""Questions on earlier notebooks, and the ladder for who is stuck, in a real JupyterLab."""

import json

from playwright.sync_api import expect

from lab import SHEET, fill_and_run, output, run_code


def test_review_is_answered_and_kept_beside_the_notebook(page, lab):
    (lab.root / SHEET).with_name(".course_review.json").unlink(missing_ok=True)
    fill_and_run(page, ["from course_lib.check import review\nr = review(); r"])
    shown, seen = output(page, 0), set()
    for number in range(1, 9):
        expect(shown).to_contain_text(f"Question {number}, from notebook")
        answer, typed, kind = (
            run_code(page, "print(r.asked.answer, not r.asked.options, r.kind, sep='|')").strip().split("|")
        )
        if typed == "True":
            shown.locator("input[type='text']").first.fill(answer)
        else:
            shown.get_by_role("radio", name=answer, exact=True).check()
        shown.get_by_role("button", name="Check", exact=True).press("Enter")
        expect(shown.locator(".course-ui [role='status']").filter(has_text="Right.")).to_be_visible()
        seen.add(kind)
        go_on = shown.get_by_role("button", name="Next question")
        expect(go_on).to_be_enabled()  # when the kernel has heard
        go_on.press("Enter")
    assert len(seen) == 8
    kept = json.loads((lab.root / SHEET).with_name(".course_review.json").read_text())
    assert kept["readers"][""] == {"answers": 8, "due": {}}


TRY = """from course_lib.check import check, hint
try: check("mcts_ucb1.simulate", lambda game, state, policy: 7)
except AssertionError: pass"""
ONE_TO_MOVE = """right = range(len(lines.lines))
lines.order = [1, 0, *right[2:]]
lines.move(0)"""


def test_the_ladder_is_climbed_by_keyboard(page):
    fill_and_run(page, [TRY, TRY, TRY, "hint()", "lines = hint(); lines", "hint()"])
    assert ["Stuck?" in output(page, index).inner_text() for index in range(3)] == [False, False, True]
    expect(output(page, 3)).to_contain_text("This is right")
    expect(output(page, 5).get_by_text("①", exact=True)).to_be_visible()
    run_code(page, ONE_TO_MOVE)
    shown = output(page, 4)
    lines, count = shown.locator("option"), int(run_code(page, "print(len(lines.lines))"))
    texts = lines.all_inner_texts()
    shown.locator("select").select_option(index=1)
    shown.get_by_role("button", name="Up", exact=True).press("Enter")
    expect(lines.nth(0)).to_have_text(texts[1])
    for at in (count - 2, count - 1):
        shown.locator("select").select_option(index=at)
        shown.get_by_role("button", name="Leave out").press("Enter")
        expect(lines.nth(at)).to_contain_text("✗")
    shown.get_by_role("button", name="Check", exact=True).press("Enter")
    expect(shown.get_by_role("status")).to_contain_text("Right: this passes.")
