"""Questions on earlier notebooks, in a real JupyterLab."""

from playwright.sync_api import expect

from lab import fill_and_run, output, run_code


def test_a_warm_up_is_answered_and_counts_first_answers(page):
    fill_and_run(page, ["from course_lib.check import warm_up\nw = warm_up(7); w"])
    shown = output(page, 0)
    expect(shown.locator("fieldset")).to_have_count(3)
    for number in range(3):
        right = int(run_code(page, f"print(w.predictions[{number}].right)"))
        form = shown.locator("form").nth(number)
        form.get_by_role("radio").nth(right).check()
        form.get_by_role("button", name="Check", exact=True).press("Enter")
        expect(form.get_by_role("status")).to_contain_text("Right")
    expect(shown).to_contain_text("3 of 3 first answers were right.")
