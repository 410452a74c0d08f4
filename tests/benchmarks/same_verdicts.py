"""Whether notebook and grader agree: `python tests/benchmarks/same_verdicts.py 100 3` tries 100 mutants with 3 seeds.

Mutants are those of `tests/answers/mutants.json`, drawn at random; those that only one of the two accepts are printed.
A third number is the first seed. With 0 mutants, all other recorded answers are tried.
"""

import json
import re
import sys
from contextlib import closing
from random import Random

from bench_answers import CORPORA, ROOT, load, tried

from instructor.grade.marking import fails_in_secret, public_cases, public_outcome, secret_cases, tables_of
from instructor.grade.remote import RemoteStudent

LIMIT = 10


def cells_with(entry):
    """The code cells of the solutions before the question's check, with the recorded answer in its place."""
    own, sources = entry["question"].replace(".", "-"), []
    for cell in json.loads((ROOT / "solutions" / f"{entry['exercise']}.ipynb").read_text(encoding="utf-8"))["cells"]:
        made, source = cell["metadata"].get("nbgrader", {}), "".join(cell["source"])
        if made.get("grade_id") == f"{own}-check":
            return [*sources, entry["code"]]  # again, for an adapter's cell does not replace the answer
        if made.get("grade_id") == own:
            sources += [re.split(r"^(?:def |class |###)", source, maxsplit=1, flags=re.M)[0], entry["code"]]
        elif cell["cell_type"] == "code" and not (made.get("grade") or made.get("grade_id", "").startswith(f"{own}-")):
            sources.append(source)
    raise ValueError(f"{entry['exercise']} has no check of {entry['question']}")


def rejected_by_grader(entry, seeds):
    """For each seed whether the grader rejects the answer."""
    notebook, table = entry["exercise"], tables_of(entry["exercise"])[entry["question"]]
    with closing(RemoteStudent(cells_with(entry), LIMIT, public=public_cases(notebook))) as remote:
        if public_outcome(table, remote, "corpus", LIMIT, seeds[0]).failure:
            return [True] * len(seeds)
        return [fails_in_secret(table, remote, secret_cases(notebook, table.identifier, seed), LIMIT) for seed in seeds]


if __name__ == "__main__":
    count, seeds, first = (*map(int, sys.argv[1:]), 1)[:3]
    answers = load([path for path in CORPORA if (path.stem == "mutants") == (count > 0)])
    names, differ = Random(1).sample(sorted(answers), min(count or len(answers), len(answers))), 0
    for name in names:
        entry = answers[name]
        notebook, grader = tried(entry)["verdict"] != "passed", rejected_by_grader(entry, range(first, first + seeds))
        if {notebook} != set(grader):
            differ += 1
            print(f"{name}: rejected by the notebook: {notebook}, by the grader: {grader}", flush=True)
    print(f"{len(names)} answers, {seeds} seeds: {differ} differ")
