"""Grading against nbgrader, submission by submission in one run: `python tests/benchmarks/bench_grading.py [N] [M]`.

N copies (300) of submissions of mixed quality are graded by `python -m instructor grade`, and M of the same notebooks
(10) by `nbgrader autograde`, which works on one at a time. Printed are seconds a submission, their ratio, the peak
memory of the grader and its workers, when the first mark came, also in a second run of which one mark was left to do,
and the machine's load average. With N from 100 on, a tenth of the class comes first, to see that the time grows in
proportion. It needs bubblewrap and the extra `grade`.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from interleave import Row

ROOT = Path(__file__).parents[2]
NOTEBOOK = "02_minimax"
SPOIL = {
    "right": {},
    "pessimist": {"max(values) if game.to_move(state) == MAX else min(values)": "min(values)"},
    "off by one": {"depth == 0": "depth == 1"},
    "half": {'memory = "b"': "memory = ...", 'opponent = "c"': 'opponent = "a"'},
    "raises": {"better = best is None": "better = bets is None"},
}
"""Kinds of submissions: what is replaced in the solutions."""
MIX = ("right", "pessimist", "off by one", "half", "right", "raises", "pessimist", "half", "right", "off by one")


def submission(kind, student):
    """A notebook in nbgrader's format, as this student handed it in."""
    notebook = json.loads((ROOT / "solutions" / f"{NOTEBOOK}.ipynb").read_text())
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        for old, new in SPOIL[kind].items():
            source = source.replace(old, new) if cell["metadata"].get("nbgrader", {}).get("solution") else source
        cell["source"] = re.sub(r'^student\(".*"\)', f"student({student!r})", source, flags=re.M)
    return json.dumps(notebook)


def hand_in(folder, count, assignment=""):
    for n in range(count):
        place = folder / f"s{n:04}" / assignment
        place.mkdir(parents=True)
        (place / f"{NOTEBOOK}.ipynb").write_text(submission(MIX[n % len(MIX)], f"s{n:04}"))
    return folder


def seconds_of_ours(folder, out):
    """Seconds until all is graded and until the first mark, and the peak memory of grader and workers, in megabytes."""
    command = [sys.executable, "-m", "instructor", "grade", folder, "--out", out, "--secret-seed", "1"]
    began = time.perf_counter()
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    before, firsts, peak, over = marks_in(out), [], [0], threading.Event()

    def watch():
        while not over.wait(0.02 if not firsts else 0.2):
            if not firsts and marks_in(out) > before:
                firsts.append(time.perf_counter() - began)
            peak[0] = max(peak[0], memory_below(process.pid)) if firsts else 0

    threading.Thread(target=watch, daemon=True).start()
    _, said = process.communicate()
    seconds = time.perf_counter() - began
    over.set()
    if process.returncode:
        raise ValueError(f"`python -m instructor grade` failed: {said}")
    return seconds, firsts[0] if firsts else seconds, peak[0]


def marks_in(out):
    return sum(path.name != "seed.json" for path in (out / ".grading").glob("*.json"))


def seconds_of_one_more(folder, out):
    """Seconds until the mark of a submission that was taken back, all others being there."""
    next(path for path in (out / ".grading").glob("*.json") if path.name != "seed.json").unlink()
    return seconds_of_ours(folder, out)[1]


def memory_below(pid):
    """Megabytes of this process and its Python workers, in proportion where they share them; not of the sandboxes."""
    total = 0
    for of in [pid, *children(pid)]:
        try:
            pages = Path(f"/proc/{of}/smaps_rollup").read_text()
            total += int(re.search(r"^Pss:\s+(\d+)", pages, re.M)[1])
        except (OSError, TypeError):
            continue
    return total / 1024


def children(pid):
    try:
        return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []


def seconds_of_nbgrader(folder, count):
    """Seconds that `nbgrader autograde` takes for so many submissions."""
    source = folder / "source" / "ps"
    source.mkdir(parents=True)
    shutil.copy(ROOT / "solutions" / f"{NOTEBOOK}.ipynb", source)
    hand_in(folder / "submitted", count, "ps")
    nbgrader = [sys.executable, "-m", "nbgrader"]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # it runs `alembic`
    quiet = {
        "cwd": folder,
        "env": {**os.environ, "PATH": path},
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "check": True,
    }
    subprocess.run([*nbgrader, "generate_assignment", "ps", "--force"], **quiet)
    began = time.perf_counter()
    subprocess.run([*nbgrader, "autograde", "ps", "--force"], **quiet)
    return time.perf_counter() - began


def rows(rounds):
    """Seconds of the clock, for we use all cores; nbgrader's rounds are of 10 submissions, ours of 100."""
    count, ours, theirs = min(rounds, 10), [], []
    for _ in range(max(1, rounds // 5)):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            theirs.append(seconds_of_nbgrader(folder / "nbgrader", count) / count)
            submissions = hand_in(folder / "submissions", 10 * count)
            ours.append(seconds_of_ours(submissions, folder / "out")[0] / (10 * count))
    what = f"grading a notebook, elapsed time, {os.cpu_count()} cores"
    return [Row(what, "nbgrader autograde", ours, theirs, lambda seconds: f"{seconds:.2f} s")]


def main(count=300, of_nbgrader=10):
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        theirs = seconds_of_nbgrader(folder / "nbgrader", of_nbgrader) / of_nbgrader
        print(f"nbgrader: {theirs:.2f} s a submission ({of_nbgrader} of them)", flush=True)
        sizes = (count // 10, count) if count >= 100 else (count,)
        for size in sizes:
            submissions, out = hand_in(folder / str(size), size), folder / f"out {size}"
            ours, first, memory = seconds_of_ours(submissions, out)
            rows = len((out / "grades.csv").read_text().splitlines()) - 1
            print(f"ours: {size} submissions, {rows} graded, {ours:.1f} s, {ours / size:.3f} s a submission, "
                  f"{memory:.0f} MB; {theirs * size / ours:.0f} times as fast; first mark after {first:.1f} s, resumed "
                  f"{seconds_of_one_more(submissions, out):.1f} s; load average {os.getloadavg()[0]:.1f}",
                  flush=True)  # fmt: skip


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
