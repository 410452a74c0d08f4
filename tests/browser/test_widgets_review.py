"""Questions on earlier notebooks, and the ladder for who is stuck, in a real JupyterLab."""

import json

from playwright.sync_api import expect

from lab import cell_errors, open_notebook, output, run_all, run_code


def test_review_is_answered_and_kept_beside_the_notebook(page, lab, scratch_notebook):
    path = scratch_notebook(["from course_lib.check import review\nr = review(); r"])
    open_notebook(page, path)
    run_all(page)
    assert cell_errors(page) == []
    shown, seen = output(page, 0), set()
    for number in range(1, 9):
        expect(shown).to_contain_text(f"Question {number}, from notebook")
        answer, typed, kind = (
            run_code(page, "print(r.asked.answer, not r.asked.options, r.kind, sep='|')").strip().split("|")
        )
        if typed == "True":
            shown.locator("input[type='text']").first.fill(answer)
        else:
            shown.get_by_role("button", name=answer, exact=True).first.press("Enter")
        shown.get_by_role("button", name="Check", exact=True).press("Enter")
        expect(shown.locator(".course-predict [role='status']")).to_contain_text("Right.")
        seen.add(kind)
        shown.get_by_role("button", name="Next question").press("Enter")
    assert len(seen) == 8
    kept = json.loads((lab.root / path).with_name(".course_review.json").read_text())
    assert kept["readers"][""] == {"answers": 8, "due": {}}
