"""The harness itself: a test that cannot see an error is worth nothing."""

import pytest
from playwright.sync_api import expect

from lab import (
    cell_errors,
    cells,
    fill_and_run,
    output,
    run_cell,
    run_code,
    scroll_through,
    set_theme,
)

SLIDER = "import ipywidgets\nslider = ipywidgets.IntSlider(value=3)\nslider"
SAY_AND_THROW = """from IPython.display import Javascript
Javascript("console.error('said'); setTimeout(() => { document.body.id = 'thrown'; throw new Error('thrown') })")"""


def text(page, index):
    return cells(page)[index]["outputs"][0]["data"]["text/plain"]


def test_cells_run_to_their_end_and_widgets_are_live(page):
    fill_and_run(page, ["import time\ntime.sleep(0.5)\n6 * 7", SLIDER, "'last'"])
    assert (text(page, 0), text(page, 2)) == ("42", "'last'")
    scroll_through(page)
    output(page, 1).locator(".noUi-handle").press("ArrowRight")
    expect(output(page, 1).locator(".widget-readout")).to_have_text("4")
    assert run_code(page, "print(slider.value)") == "4\n"
    fill_and_run(page, ["'slider' in globals()"])
    assert text(page, 0) == "False"


def test_what_goes_wrong_in_a_cell_is_seen(page):
    with pytest.raises(AssertionError):
        fill_and_run(page, ["1 / 0", "'after'"])
    assert cell_errors(page) == [(0, "ZeroDivisionError", "division by zero")]
    run_cell(page, 1)
    assert text(page, 1) == "'after'"
    with pytest.raises(AssertionError, match="NameError"):
        run_code(page, "no_such_name")


def test_what_goes_wrong_in_the_browser_is_seen(page):
    fill_and_run(page, [SAY_AND_THROW])
    page.locator("body#thrown").wait_for(state="attached")
    assert sorted(page.console_errors) == ["said", "thrown"]
    page.console_errors.clear()
    page.evaluate("document.body.removeAttribute('id')")


def test_dark_and_light(page):
    light = "document.body.dataset.jpThemeLight"
    for dark in (True, False):
        set_theme(page, dark)
        assert page.evaluate(light) == str(not dark).lower()
