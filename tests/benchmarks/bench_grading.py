"""Grading against nbgrader, submission by submission in one run: `python tests/benchmarks/bench_grading.py [N] [M]`.

N copies (300) of submissions of mixed quality are graded by `python -m course_lib grade`, and M of the same notebooks
(10) by `nbgrader autograde`, which works on one at a time. Printed are seconds a submission, their ratio, the peak
memory of the grader and its workers, and, with N above 100, the time of a tenth of the class, to see that it grows in
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
    """Seconds that grading takes, and the peak of the memory of the grader and its workers, in megabytes."""
    command = [sys.executable, "-m", "course_lib", "grade", folder, "--out", out, "--secret-seed", "1"]
    began = time.perf_counter()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    peak, over = [0], threading.Event()

    def watch():
        while not over.wait(0.2):
            peak[0] = max(peak[0], memory_below(process.pid))

    threading.Thread(target=watch, daemon=True).start()
    _, said = process.communicate()
    seconds = time.perf_counter() - began
    over.set()
    if process.returncode:
        raise ValueError(f"`python -m course_lib grade` failed: {said}")
    return seconds, peak[0]


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
    what = f"grading a notebook, by the clock, {os.cpu_count()} cores"
    return [Row(what, "nbgrader autograde", ours, theirs, lambda seconds: f"{seconds:.2f} s")]


def main(count=300, of_nbgrader=10):
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        theirs = seconds_of_nbgrader(folder / "nbgrader", of_nbgrader) / of_nbgrader
        print(f"nbgrader: {theirs:.2f} s a submission ({of_nbgrader} of them)", flush=True)
        sizes = (count // 10, count) if count >= 100 else (count,)
        for size in sizes:
            ours, memory = seconds_of_ours(hand_in(folder / str(size), size), folder / f"out {size}")
            rows = len((folder / f"out {size}" / "grades.csv").read_text().splitlines()) - 1
            print(f"ours: {size} submissions, {rows} graded, {ours:.1f} s, {ours / size:.3f} s a submission, "
                  f"{memory:.0f} MB; {theirs * size / ours:.0f} times as fast", flush=True)  # fmt: skip


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
