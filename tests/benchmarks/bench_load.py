"""Grading on a busy machine: `PYTHONPATH=. python tests/benchmarks/bench_load.py [N] [ROUNDS]`.

N submissions (100) of notebooks 2 and 6 are graded on a quiet machine, and then ROUNDS times (3) beside eight busy
loops: solutions, exercises without answers, and solutions with a syntax error, a known mistake or an endless loop.
Printed are the points of the solutions, and the marks that differ from those of the quiet run. It needs bubblewrap and
the extra `grade`.
"""

import csv
import json
import multiprocessing
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from instructor.grade.marking import tables_of
from instructor.questions import _changed, notebooks

ROOT = Path(__file__).parents[2]
NOTEBOOKS = "02_minimax", "06_mcts_ucb1"
MOST = ("right", "blank", "right", "broken", "right", "mistake", "right", "right", "mistake")
KINDS = (*MOST, "right", *MOST, "endless")
LOOPS = 8


def submission(notebook, kind, student):
    """A notebook with answers of this kind."""
    if kind == "blank":
        return (ROOT / "exercises" / f"{notebook}.ipynb").read_text()
    question = next(q for q in notebooks()[notebook].questions if any(known.changes for known in q.known))
    known = next(known for known in question.known if known.changes)
    content = json.loads((ROOT / "solutions" / f"{notebook}.ipynb").read_text())
    code = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
    if kind == "mistake":
        for number, lines in known.changes.items():
            content["cells"][number]["source"] = _changed("".join(content["cells"][number]["source"]), lines)
    tables = tables_of(notebook)
    added = [f"{table.name} = {table.own_row(student).right[0]!r}" for table in tables.values() if table.personal]
    added += {"broken": ["def my_function(:"], "endless": [f"def {tables[question.identifier].name}(*_):",
                                                           "    while True: pass"]}.get(kind, [])  # fmt: skip
    code[-1]["source"] = "\n".join(added)
    return json.dumps(content)


def graded(folder, out):
    """The points of each student and question, and the seconds that it took."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "instructor", "grade", folder, "--out", out, "--secret-seed", "1"]
    subprocess.run(list(map(str, command)), check=True, capture_output=True, cwd=ROOT)
    rows = csv.DictReader((out / "grades.csv").open(encoding="utf-8"))
    return {row.pop("student"): row for row in rows}, time.perf_counter() - began


def loop():
    while True:
        pass


def main(count=100, rounds=3):
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "class"
        kinds = {f"s{number:03} {KINDS[number % len(KINDS)]}": KINDS[number % len(KINDS)] for number in range(count)}
        for number, (student, kind) in enumerate(kinds.items()):
            name = NOTEBOOKS[number // len(KINDS) % 2]
            (folder / student).mkdir(parents=True)
            (folder / student / f"{name}.ipynb").write_text(submission(name, kind, student))
        quiet, seconds = graded(folder, Path(temporary) / "quiet")
        right = {quiet[student]["total"] for student, kind in kinds.items() if kind == "right"}
        print(f"quiet: {len(quiet)} submissions in {seconds:.0f} s; points of solutions: {sorted(right)}", flush=True)
        loops = [multiprocessing.Process(target=loop, daemon=True) for _ in range(LOOPS)]
        for process in loops:
            process.start()
        for number in range(rounds):
            busy, seconds = graded(folder, Path(temporary) / f"busy {number}")
            other = {student: row for student, row in busy.items() if row != quiet[student]}
            print(f"beside {LOOPS} busy loops: {len(busy)} in {seconds:.0f} s; marks that differ: {other}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
