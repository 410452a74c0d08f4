"""One picture of every widget, at three widths, light and dark, to be looked at.

Run `python tests/benchmarks/sheet_of_widgets.py FILE.png`; it needs the `test` extra and Chromium. The widgets stand in
plain pages, without JupyterLab, and so without those that are made of ipywidgets (predict, what_if).
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
from js.page import WIDGETS
from js.page import main as write_pages
from lab import CHROMIUM_FLAGS, find_chromium

WIDTHS = 360, 850, 1280
SCALE = 0.5
"""Of the pictures on the sheet."""
SHEET = """<!doctype html><style>body {{ font: 14px sans-serif; margin: 8px }} td {{ vertical-align: top }}
img {{ border: 1px solid #999; width: calc(var(--wide) * 1px) }}</style><table>{rows}</table>"""
CELL = '<td><img src="{file}" style="--wide: {wide}"></td>'


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


def main(sheet):
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as web:
        folder = Path(folder)
        write_pages(folder)
        browser = web.chromium.launch(executable_path=find_chromium(web), args=CHROMIUM_FLAGS)
        rows = [
            f"<tr><th>{name}" + "".join(CELL.format(file=file, wide=wide) for file, wide in files)
            for name, files in photograph(browser, folder).items()
        ]
        (folder / "sheet.html").write_text(SHEET.format(rows="".join(rows)), encoding="utf-8")
        page = browser.new_page(viewport={"width": round(2 * SCALE * sum(WIDTHS)) + 250, "height": 900})
        page.goto((folder / "sheet.html").as_uri())
        page.screenshot(path=sheet, full_page=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
