"""What the browser's main thread does for the explorer: script, style, layout, all of it; and frames while it plays.

Run `python tests/benchmarks/bench_explorer_page.py`; it needs the `test` extra and Chromium. The explorers stand in
plain pages, without JupyterLab. Times are CPU time of the thread, so that a busy machine matters less than in
bench_explorer.py; frames are counted on the clock, beside those of the same page at rest.
"""

import random
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
from course_lib.explore import explore, watch
from course_lib.games import TreeGame
from course_lib.search import minimax_search
from js.page import page
from lab import CHROMIUM_FLAGS, find_chromium


def wide(depth, luck):
    """A tree of random leaves in which each inner node has four children."""
    return luck.randint(-99, 99) if depth == 0 else [wide(depth - 1, luck) for _ in range(4)]


def large():
    """A tree of 2,047 nodes."""
    luck = random.Random(1)
    return TreeGame([wide(4, luck) for _ in range(6)])


ROUNDS, STEPS = 5, 60
DRAWN = "async () => { await window.ready; await new Promise(requestAnimationFrame); await new Promise(setTimeout); }"
STEP = """async steps => {
    const svg = document.querySelector(".main > svg");
    for (let k = 0; k < steps; k++) {
        svg.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
        await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    }
}"""
PLAY = """() => {
    const speed = document.querySelector(".bar select");
    speed.value = "fastest";
    speed.dispatchEvent(new Event("change"));
    document.querySelector("[aria-label='play or pause']").click();
}"""
FRAMES = """async () => {
    let last = await new Promise(requestAnimationFrame), late = 0;
    for (let frame = 0; frame < 180; frame++) {
        const now = await new Promise(requestAnimationFrame);
        late += now - last > 25;
        last = now;
    }
    return late;
}"""


def measured(thread, act):
    """CPU milliseconds of the page's main thread while this is done: script, style, layout, and all of it."""

    def read():
        known = {metric["name"]: metric["value"] for metric in thread.send("Performance.getMetrics")["metrics"]}
        return [1e3 * known[f"{part}Duration"] for part in ("Script", "RecalcStyle", "Layout", "Task")]

    before = read()
    act()
    return [after - was for was, after in zip(before, read())]


def show(what, times):
    script, style, layout, whole = times
    print(f"{what:28} script {script:5.1f}  style {style:5.1f}  layout {layout:5.1f}  all {whole:6.1f} ms")


def main():
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as web:
        browser = web.chromium.launch(executable_path=find_chromium(web), args=CHROMIUM_FLAGS)
        luck = random.Random(1)
        small = TreeGame([wide(3, luck) for _ in range(6)])
        for game in (large(), small):
            watched = watch(minimax_search, game)
            file = Path(folder) / "explorer.html"
            file.write_text(page(explore(watched, open_depth=9).tree), encoding="utf-8")
            for _ in range(ROUNDS):
                tab = browser.new_page(viewport={"width": 900, "height": 800})
                thread = tab.context.new_cdp_session(tab)
                thread.send("Performance.enable", {"timeDomain": "threadTicks"})
                tab.goto("about:blank")
                drawn = measured(thread, lambda tab=tab, file=file: (tab.goto(file.as_uri()), tab.evaluate(DRAWN)))
                tab.wait_for_timeout(1_000)
                steps = measured(thread, lambda tab=tab: tab.evaluate(STEP, STEPS))
                show(f"{watched.count:,} nodes, page and tree", drawn)
                show("   a step", [time / STEPS for time in steps])
                rest = tab.evaluate(FRAMES)
                tab.evaluate(PLAY)
                print(f"   late frames of 180: {rest} at rest, {tab.evaluate(FRAMES)} while it plays at the fastest")
                tab.close()
        browser.close()


if __name__ == "__main__":
    main()
