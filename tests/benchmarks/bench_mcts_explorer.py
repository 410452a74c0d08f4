"""How soon the explorer of a Monte-Carlo tree search stands in JupyterLab, and how long a step takes.

Run `python tests/benchmarks/bench_mcts_explorer.py`; it needs the `test` extra and Chromium. 1,000 iterations of
tic-tac-toe and 5,000 of Connect Four, watched and explored in one cell; "drawn" and "step" are as in bench_explorer.py,
for steps of an iteration, the tree being followed.
"""

import statistics
import tempfile
from pathlib import Path

from bench_explorer import DRAWN, STEPS  # it finds the modules of the tests as well
from playwright.sync_api import sync_playwright

from lab import CHROMIUM_FLAGS, cell_errors, find_chromium, open_notebook, run_cell, running_lab, write_notebook

EXPLORE = "explore(watch_mcts(monte_carlo_tree_search, {}, iterations={}, seed=1), step={})"
CASES = [("TicTacToe()", 1000, 0), ("TicTacToe()", 1000, 3600), ("ConnectFour()", 5000, 16000)]
CELLS = [
    "from course_lib.explore import *\nfrom course_lib.games import *\nfrom course_lib.search import *",
    EXPLORE.format("Nim((1, 2))", 5, 0) + "  # the modules of the widgets are fetched here",
    *(EXPLORE.format(*case) for case in CASES),
]


def main():
    with (
        tempfile.TemporaryDirectory() as root,
        tempfile.TemporaryDirectory() as home,
        running_lab(Path(root), Path(home)) as lab,
        sync_playwright() as web,
    ):
        browser = web.chromium.launch(executable_path=find_chromium(web), args=CHROMIUM_FLAGS)
        page = browser.new_page(base_url=lab.url, viewport={"width": 1280, "height": 900})
        page.request.get(f"/api/status?token={lab.token}")
        write_notebook(lab.root / "bench.ipynb", CELLS)
        open_notebook(page, "bench.ipynb")
        for cell in (0, 1):
            run_cell(page, cell)
        for cell, (game, iterations, step) in enumerate(CASES, 2):
            milliseconds, drawn = page.evaluate(DRAWN, cell)
            page.wait_for_timeout(1_000)
            steps = page.evaluate(STEPS, cell)
            print(f"{game}, {iterations:,} iterations, from step {step:,}, {drawn} nodes open: drawn after "
                  f"{milliseconds:.0f} ms, a step in {statistics.median(steps):.0f} ms "
                  f"(slowest of 60: {max(steps):.0f} ms)")  # fmt: skip
        assert not cell_errors(page), cell_errors(page)
        browser.close()


if __name__ == "__main__":
    main()
