"""The harness itself: a test that cannot see an error is worth nothing."""

import pytest
from playwright.sync_api import expect

from course_lib.grade.freeze import freeze
from lab import (
    cell_errors,
    cells,
    open_notebook,
    output,
    reset_settings,
    run_all,
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


def test_cells_run_to_their_end_and_widgets_are_live(page, scratch_notebook):
    open_notebook(page, scratch_notebook(["import time\ntime.sleep(0.5)\n6 * 7", SLIDER, "'last'"]))
    run_all(page)
    assert cell_errors(page) == []
    assert (text(page, 0), text(page, 2)) == ("42", "'last'")
    scroll_through(page)
    output(page, 1).locator(".noUi-handle").press("ArrowRight")
    expect(output(page, 1).locator(".widget-readout")).to_have_text("4")
    assert run_code(page, "print(slider.value)") == "4\n"


def test_what_goes_wrong_in_a_cell_is_seen(page, scratch_notebook):
    open_notebook(page, scratch_notebook(["1 / 0", "'after'"]))
    run_all(page)
    assert cell_errors(page) == [(0, "ZeroDivisionError", "division by zero")]
    run_cell(page, 1)
    assert text(page, 1) == "'after'"
    with pytest.raises(AssertionError, match="NameError"):
        run_code(page, "no_such_name")


def test_what_goes_wrong_in_the_browser_is_seen(page, scratch_notebook):
    open_notebook(page, scratch_notebook([SAY_AND_THROW]))
    run_all(page)
    page.locator("body#thrown").wait_for(state="attached")
    assert sorted(page.console_errors) == ["said", "thrown"]
    page.console_errors.clear()


def test_dark_and_light(page, lab, scratch_notebook):
    path = scratch_notebook([])
    light, dark = ("document.body.dataset.jpThemeLight === 'true'", "document.body.dataset.jpThemeLight === 'false'")
    open_notebook(page, path)
    assert page.evaluate(light)
    set_theme(page, dark=True)
    assert page.evaluate(dark)
    reset_settings(lab)
    open_notebook(page, path)
    assert page.evaluate(light)


def test_without_a_kernel_a_frozen_notebook_shows_what_it_stores(page, lab, scratch_notebook):
    path = scratch_notebook([SLIDER])
    freeze(lab.root / path)
    open_notebook(page, path, kernel=False)
    expect(output(page, 0)).to_contain_text("IntSlider(value=3)")
    assert page.evaluate("() => [...window.jupyterapp.serviceManager.sessions.running()].length") == 0
