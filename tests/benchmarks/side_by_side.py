"""The comparisons with other libraries, each contender once in every round, as the table that CONTRIBUTING.md shows.

`PYTHONPATH=. python tests/benchmarks/side_by_side.py` runs them; it needs the extra `bench`, and bubblewrap.
"""

import argparse
import importlib
import os
import platform
import re
from importlib.metadata import version
from pathlib import Path
from statistics import median

COMPARISONS = ("searches", "alphazero", "grading")
PACKAGES = ("open_spiel", "easyAI", "nbgrader", "numpy")
HEAD = ("| task | course_lib | other library | speed ratio |", "|---|---|---|---|")
PLACE = re.compile(r"(?<=<!-- bench -->\n).*?(?=<!-- end of bench -->)", re.S)


def compare(rounds, page):
    """Run them all, print each row when it is there, and write the table into a page that has a place for it."""
    if not PLACE.search(page.read_text()):
        raise ValueError(f"{page} has no place for the table: a line <!-- bench --> and one <!-- end of bench -->")
    measured = measured_with()  # what is not installed is told before minutes are spent
    lines = [*HEAD]
    print(*HEAD, sep="\n")
    for name in COMPARISONS:
        for row in importlib.import_module(f"bench_{name}").rows(rounds):
            lines.append(line(row))
            print(lines[-1], flush=True)
    text = "\n".join([*lines, "", measured, ""])
    page.write_text(PLACE.sub(lambda _: text, page.read_text()))


def line(row):
    """A row of the table. A ratio is taken in each round: what slows the machine down slows both."""
    ratios = [theirs / ours for ours, theirs in zip(row.ours, row.theirs)]
    as_fast = f"{times(median(ratios))} times ({times(min(ratios))} to {times(max(ratios))})"
    return f"| {row.what} | {row.show(median(row.ours))} | {row.other}: {row.show(median(row.theirs))} | {as_fast} |"


def times(ratio):
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"


def measured_with():
    named = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    return f"Measured with CPython {platform.python_version()}, {named}, on {processor()}."


def processor():
    """The model of the processor and its cores; nothing that tells whose machine it is."""
    try:
        model = re.search(r"^model name\s*: (.+)", Path("/proc/cpuinfo").read_text(), re.M)[1]
    except (OSError, TypeError):
        model = platform.processor() or platform.machine()
    return f"{os.cpu_count()} cores of {model}"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="(default: 15, about five minutes)")
    compare(parser.parse_args(arguments).rounds, Path("CONTRIBUTING.md"))


if __name__ == "__main__":
    main()
