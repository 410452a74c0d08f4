"""How soon an explorer stands in JupyterLab, and how long a step takes to reach the screen.

Run `python tests/benchmarks/bench_explorer.py`, or `… mcts` for Monte-Carlo tree searches; it needs the `test` extra
and Chromium. "drawn" counts from the start of the cell that explores (and watches, but for the 200,000 nodes) to the
frame in which the tree is seen; "step" from the key to the end of the frame that shows it. Wall clock, since the reader
waits.
"""

import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
from lab import CHROMIUM_FLAGS, cell_errors, find_chromium, open_notebook, run_cell, running_lab, write_notebook

IMPORTS = "from course_lib.explore import *\nfrom course_lib.games import *\nfrom course_lib.search import *"
BIG = """import random
luck = random.Random(1)
def tree(depth): return luck.randint(-99, 99) if depth == 0 else [tree(depth - 1) for _ in range(4)]
big = TreeGame([tree(4) for _ in range(6)])
watched = watch(minimax_search, TicTacToe(), max_nodes=200_000)
explore(watch(minimax_search, TreeGame([1, 2])))  # the modules of the widgets are fetched here"""
GROWN = "explore(watch_mcts(monte_carlo_tree_search, {}, iterations={}, seed=1), step={})"
CASES = {
    "calls": [BIG, "explore(watch(minimax_search, big), open_depth=9)", "explore(watched)"],
    "mcts": [
        GROWN.format("Nim((1, 2))", 5, 0),
        GROWN.format("TicTacToe()", 1000, 0),
        GROWN.format("TicTacToe()", 1000, 3600),
        GROWN.format("ConnectFour()", 5000, 16000),
    ],
}
"""The cells of each kind; the first makes ready for the others."""
DRAWN = """async i => {
    const notebook = window.jupyterapp.shell.currentWidget.content, frame = () => new Promise(requestAnimationFrame);
    notebook.activeCellIndex = i;
    notebook.deselectAll();
    const start = performance.now();
    window.jupyterapp.commands.execute("notebook:run-cell");
    while (!notebook.widgets[i].node.querySelector("[data-node]")) await frame();
    await frame();
    return [performance.now() - start, notebook.widgets[i].node.querySelectorAll("[data-node]").length];
}"""
STEPS = """async i => {
    const svg = window.jupyterapp.shell.currentWidget.content.widgets[i].node.querySelector(".main > svg"), times = [];
    for (let k = 0; k < 60; k++) {
        const start = performance.now();
        svg.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
        times.push(performance.now() - start);
    }
    return times;
}"""


def main(kind="calls"):
    cells = [IMPORTS, *CASES[kind]]
    with (
        tempfile.TemporaryDirectory() as root,
        tempfile.TemporaryDirectory() as home,
        running_lab(Path(root), Path(home)) as lab,
        sync_playwright() as web,
    ):
        browser = web.chromium.launch(executable_path=find_chromium(web), args=CHROMIUM_FLAGS)
        page = browser.new_page(base_url=lab.url, viewport={"width": 1280, "height": 900})
        page.request.get(f"/api/status?token={lab.token}")
        write_notebook(lab.root / "bench.ipynb", cells)
        open_notebook(page, "bench.ipynb")
        for cell in (0, 1):
            run_cell(page, cell)
        for cell in range(2, len(cells)):
            milliseconds, drawn = page.evaluate(DRAWN, cell)
            page.wait_for_timeout(1_000)
            steps = page.evaluate(STEPS, cell)
            print(f"{cells[cell]}: {drawn} nodes in view, drawn after {milliseconds:.0f} ms, "
                  f"a step in {statistics.median(steps):.0f} ms (slowest of 60: {max(steps):.0f} ms)")  # fmt: skip
        assert not cell_errors(page), cell_errors(page)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
