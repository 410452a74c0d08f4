"""The moving picture of the README: alpha-beta, step by step, in the explorer.

`python tests/benchmarks/moving_picture.py` writes .github/explorer.gif; it needs the `test` extra and Chromium.
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))
from course_lib.explore import explore
from course_lib.games import TreeGame
from course_lib.search import alpha_beta_search
from course_lib.watch import watch
from lab import running_chromium

FILE = Path(__file__).parents[2] / ".github" / "explorer.gif"
TREE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
WIDTH, HEIGHT = 900, 380
A_STEP, A_CUT, AT_THE_END = 700, 2500, 4000
"""Milliseconds that a picture is seen."""


def pictures(page, steps):
    """The page at each step of the search: (picture, milliseconds)."""
    for step in range(steps + 1):
        said = page.get_by_text(f"Step {step} of {steps}.")
        said.wait_for()
        time = AT_THE_END if step == steps else A_CUT if "cut" in said.inner_text() else A_STEP
        yield Image.open(io.BytesIO(page.screenshot(animations="disabled"))), time
        page.keyboard.press("ArrowRight")


def main():
    trace = watch(alpha_beta_search, TreeGame(TREE))
    with tempfile.TemporaryDirectory() as folder, running_chromium() as browser:
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(Path(explore(trace, height=330).save(f"{folder}/tree.html")).as_uri())
        page.get_by_role("tree").focus()
        page.keyboard.press("Home")
        taken, times = zip(*pictures(page, trace.steps))
    first, *others = [picture.convert("RGB").quantize(64, dither=Image.Dither.NONE) for picture in taken]
    first.save(FILE, save_all=True, append_images=others, duration=times, loop=2, optimize=True)


if __name__ == "__main__":
    main()
