"""The verdicts on recorded answers to one notebook: `python verdicts.py NOTEBOOK`, in any Python."""

import sys
from collections import Counter
from json import dumps
from pathlib import Path

TESTS = Path(__file__).parents[1]
EACH = 3
"""How many answers to a question are tried."""


def verdicts(name):
    """Print a line for each answer: its question, whether it is right, and the verdict, as JSON."""
    from benchmarks.bench_answers import load, tried

    tries = Counter()
    for entry in load([TESTS / "answers" / "recorded.json"]).values():
        tries[entry["question"]] += entry["exercise"] == name
        if entry["exercise"] == name and tries[entry["question"]] <= EACH:
            print(dumps([entry["question"], entry["kind"], tried(entry)["verdict"]]))


if __name__ == "__main__":
    sys.path.insert(0, str(TESTS))
    verdicts(sys.argv[1])
