"""One picture of every widget, at three widths, light and dark, to be looked at.

Run `python tests/benchmarks/sheet_of_widgets.py FILE.png`; it needs the `test` extra and Chromium. The widgets stand in
plain pages; those that are made of ipywidgets stand in Notebook 7.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
from js.page import WIDGETS
from js.page import main as write_pages
from lab import CHROMIUM_FLAGS, find_chromium, open_notebook, output, run_cell, running_lab, set_theme, write_notebook

WIDTHS = 360, 850, 1280
SCALE = 0.5
"""Of the pictures on the sheet."""
SHEET = """<!doctype html><style>body {{ font: 14px sans-serif; margin: 8px }} td {{ vertical-align: top }}
img {{ border: 1px solid #999; width: calc(var(--wide) * 1px) }}</style><table>{rows}</table>"""
CELL = '<td><img src="{file}" style="--wide: {wide}"></td>'
IMPORTS = "from course_lib.explore import *\nfrom course_lib.games import *\nfrom course_lib.search import *"
CELLS = {
    "question": "predict('Which move?', ('the first', 'It loses.'), 'the second', right=2, because='It wins.')",
    "reorder": "explore(watch(alpha_beta_search, TreeGame([[4, 6], [7, 9], [1, 2]])), reorder=True, step=9)",
    "practice with its controls": "shown = practice('alpha-beta', 2, seed=4); shown",
}
"""Widgets with controls of ipywidgets, or with outputs around them."""
WIDER = "element => element.scrollWidth > element.clientWidth + 1"


def photograph(browser, folder):
    """Take a picture of each widget at each width, light and dark; returns the files by widget, and the widths."""
    files = {name: [] for name in WIDGETS}
    for width in WIDTHS:
        for dark in ("", "-dark"):
            page = browser.new_page(viewport={"width": width, "height": 300})
            for name, taken in files.items():
                page.goto((folder / f"{name}{dark}.html").as_uri())
                page.evaluate("async () => { await window.ready; await new Promise(requestAnimationFrame); }")
                assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} is wider than {width}"
                file = f"{name}{dark}-{width}.png"
                page.screenshot(path=folder / file, full_page=True)
                taken.append((file, SCALE * width))
            page.close()
    return files


def photograph_cells(browser, folder):
    """The same of what cells show in Notebook 7, in windows of these widths."""
    files = {name: [] for name in CELLS}
    write_notebook(folder / "notebooks" / "sheet.ipynb", [IMPORTS, *CELLS.values()])
    with running_lab(folder / "notebooks", folder / "home", "notebook") as lab:
        page = browser.new_page(base_url=lab.url, viewport={"width": 1280, "height": 3_000})
        page.request.get(f"/api/status?token={lab.token}")
        open_notebook(page, "sheet.ipynb", at="notebooks")
        for cell in range(len(CELLS) + 1):
            run_cell(page, cell)
        for width in WIDTHS:
            for dark in (False, True):
                page.set_viewport_size({"width": width, "height": 3_000})
                set_theme(page, dark)
                for cell, (name, taken) in enumerate(files.items(), 1):
                    shown = output(page, cell)
                    if shown.evaluate(WIDER):
                        print(f"{name} is wider than its place at {width} pixels")
                    file = f"{name}-{dark}-{width}.png"
                    shown.screenshot(path=folder / file)
                    taken.append((file, SCALE * shown.bounding_box()["width"]))
    return files


def main(sheet):
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as web:
        folder = Path(folder)
        (folder / "home").mkdir()
        write_pages(folder)
        browser = web.chromium.launch(executable_path=find_chromium(web), args=CHROMIUM_FLAGS)
        files = photograph(browser, folder) | photograph_cells(browser, folder)
        rows = [
            f"<tr><th>{name}" + "".join(CELL.format(file=file, wide=wide) for file, wide in taken)
            for name, taken in files.items()
        ]
        (folder / "sheet.html").write_text(SHEET.format(rows="".join(rows)), encoding="utf-8")
        page = browser.new_page(viewport={"width": round(2 * SCALE * sum(WIDTHS)) + 250, "height": 900})
        page.goto((folder / "sheet.html").as_uri())
        page.screenshot(path=sheet, full_page=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
