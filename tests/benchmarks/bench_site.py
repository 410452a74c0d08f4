"""How soon a reader of the site sees an explorer: in `run/`, first in a new profile of Chromium (cold), then in the
same one again (warm); and in `read/`.

Run `python tests/benchmarks/bench_site.py FOLDER` on what `python -m instructor site FOLDER` has made; it needs the
`test` extra and Chromium. Seconds of the clock, since the reader waits, from a server on this machine; the load average
stands beside them. In `run/`, notebook 1 is opened and the cells are run that its first explorer needs.
"""

import os
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import nbformat
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
from course_lib.check.question import NOTEBOOKS

from lab import CHROMIUM_FLAGS, find_chromium, output, run_cell, serving, wait_until_open
from live import called, source, with_what_they_need

PATH = "notebooks/01_game_formalism.ipynb"
PATIENCE = 600_000
FIRST_TREE = """async () => {
    const live = document.querySelector(".course-live:not([data-widget='predict'])"), start = performance.now();
    live.scrollIntoView({ block: "center" });
    while (!("drawn" in live.dataset)) await new Promise(requestAnimationFrame);
    const { loadEventEnd } = performance.getEntriesByType("navigation")[0];
    return [loadEventEnd / 1000, (performance.now() - start) / 1000];
}"""


def first_explorer(cells):
    """The indices of the first cell that explores, last, and before it those that it needs."""
    explorer = next(index for index, cell in enumerate(cells) if "explore" in called(source(cell)))
    return with_what_they_need(cells, [explorer])


def run_seconds(page, needed):
    """Seconds from opening the page until the notebook stands there, Python is ready, the first cell has run, and the
    explorer is drawn."""
    start, times = perf_counter(), []

    def passed():
        times.append(perf_counter() - start)

    page.goto(f"run/notebooks/index.html?path={PATH}", wait_until="commit")
    wait_until_open(page, PATH, kernel=False)
    passed()
    wait_until_open(page, PATH)
    passed()
    for index in needed:
        run_cell(page, index)
        if index == needed[0]:
            passed()
    output(page, needed[-1]).locator("[data-node='0']").wait_for()
    passed()
    return times


def load():
    return f"load {os.getloadavg()[0]:.1f}"


def main(folder):
    cells = nbformat.read(Path(folder, "run", "files", PATH), as_version=4).cells
    needed = first_explorer(cells)
    with serving(folder) as address, sync_playwright() as web, tempfile.TemporaryDirectory() as profile:
        for what in ("cold", "warm", "warm"):
            chromium = web.chromium.launch_persistent_context(
                profile, executable_path=find_chromium(web), args=CHROMIUM_FLAGS, base_url=f"{address}/"
            )
            chromium.set_default_timeout(PATIENCE)
            shown, python, imported, drawn = run_seconds(chromium.new_page(), needed)
            print(f"run, {what}: {drawn:.1f} s until the first explorer is drawn (notebook {shown:.1f}, "
                  f"Python {python:.1f}, first cell {imported:.1f}); {load()}", flush=True)  # fmt: skip
            chromium.close()
        chromium = web.chromium.launch(executable_path=find_chromium(web), args=CHROMIUM_FLAGS)
        for name in NOTEBOOKS:
            page = chromium.new_page(base_url=f"{address}/")
            page.goto(f"read/{name}.html")
            loaded, drawn = page.evaluate(FIRST_TREE)
            print(f"read, {name}: loaded in {loaded:.2f} s, first tree drawn in {drawn:.2f} s; "
                  f"{load()}", flush=True)  # fmt: skip
            page.close()
        chromium.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
