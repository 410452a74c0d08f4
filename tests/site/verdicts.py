"""The verdicts on recorded answers to one notebook: `python verdicts.py NOTEBOOK`, in any Python."""

import sys
from collections import Counter
from json import dumps
from pathlib import Path

TESTS = Path(__file__).parents[1]
EACH = 2
"""How many right and how many wrong answers to a question are tried."""


def verdicts(name):
    """Print a line for each answer: its question, whether it is right, and the verdict, as JSON."""
    from benchmarks.bench_answers import load, tried

    tries = Counter()
    for entry in load([TESTS / "answers" / "recorded.json"]).values():
        question, kind = entry["question"], entry["kind"]
        tries[question, kind] += entry["exercise"] == name
        if entry["exercise"] == name and tries[question, kind] <= EACH:
            print(dumps([question, kind, tried(entry)["verdict"]]))


if __name__ == "__main__":
    sys.path.insert(0, str(TESTS))
    verdicts(sys.argv[1])
