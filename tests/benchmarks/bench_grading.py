"""Grading against nbgrader, submission by submission: submissions of mixed quality are graded by `python -m instructor
grade`, and the same notebooks by `nbgrader autograde`, which works on one at a time. It needs bubblewrap and the extra
`grade`."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
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
    command = [sys.executable, "-m", "instructor", "grade", str(folder), "--out", str(out), "--secret-seed", "1"]
    began = time.perf_counter()
    subprocess.run(command, capture_output=True, check=True, cwd=ROOT)
    return time.perf_counter() - began


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
            ours.append(seconds_of_ours(submissions, folder / "out") / (10 * count))
    what = f"grading a notebook, elapsed time, {os.cpu_count()} cores"
    return [Row(what, "nbgrader autograde", ours, theirs, lambda seconds: f"{seconds:.2f} s")]
