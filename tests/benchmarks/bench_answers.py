"""What checks say of recorded answers: `python bench_answers.py [corpus.json …] [--out FILE]`, or `--compare OLD NEW`.

A corpus is a list of {"exercise", "question", "kind", "code", "truth"}: the exercise ("02_minimax"), the question's
identifier, "wrong" or "right", the code in the answer's cells, and what is wrong with it in words; by default, all of
`tests/answers`. The code replaces the answer in the solution notebook, whose cells are run up to the question's check.
"""

import argparse
import ast
import contextlib
import io
import json
import re
import time
from collections import Counter
from functools import cache
from pathlib import Path
from statistics import median

from course_lib.check import student

ROOT = Path(__file__).parents[2]
STUDENT = "corpus"


def entries(paths=None):
    """{"minimax.value 3 of recorded": entry} for all answers of these corpora."""
    found = {}
    for path in paths or sorted((ROOT / "tests" / "answers").glob("[!v]*.json")):  # not verdicts.json
        numbers = Counter()
        for entry in json.loads(path.read_text(encoding="utf-8")):
            numbers[entry["question"]] += 1
            found[f"{entry['question']} {numbers[entry['question']]} of {path.stem}"] = entry
    return found


@cache
def cells_of(folder, exercise):
    """The code cells of a solution notebook: (source, metadata of nbgrader)."""
    cells = json.loads((folder / f"{exercise}.ipynb").read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    return [("".join(cell["source"]), cell["metadata"].get("nbgrader", {})) for cell in code]


def checked_name(cells, question):
    call = re.compile(rf'check\("{re.escape(question)}", (\w+)\)')
    return next(match[1] for source, _ in cells if (match := call.search(source)))


def namespace(folder, exercise, question, code):
    """(names, checked name): the notebook's names before the question's check, with this code in the answer's place.

    Cells between the answer and the check, such as an adapter, do not replace the checked name if the code defines it.
    """
    cells, own = cells_of(folder, exercise), question.replace(".", "-")
    checked = checked_name(cells, question)
    names, answered = {"__name__": "__main__", "In": [""]}, {}
    for source, made in cells:
        cell = made.get("grade_id", "")
        if cell == f"{own}-check":
            return names, checked
        if cell == own:
            before = names.get(checked)
            run(re.split(r"^(?:def |class |@|###)", source, maxsplit=1, flags=re.M)[0], names)  # game = ConnectFour()
            run(code, names, whole=True)
            answered = {} if names.get(checked) is before else {checked: names[checked]}
        elif not (made.get("grade") or (made.get("solution") and cell.startswith(f"{own}-"))):
            run(source, names)
            names.update(answered)


def run(source, names, whole=False):
    """Run a cell in this namespace: only its definitions and assignments, unless `whole`."""
    names["In"].append(source)
    with contextlib.suppress(Exception):  # as in a notebook, the other cells can still be run
        tree = ast.parse(source)
        tree.body = [line for line in tree.body if whole or not isinstance(line, ast.Expr)]
        exec(compile(tree, f"<cell {len(names['In'])}>", "exec"), names)


def ask(folder, exercise, question, code):
    """The check of one answer, as a notebook runs it."""
    shown, error = io.StringIO(), None
    with contextlib.redirect_stdout(shown):
        student(STUDENT)
        names, checked = namespace(folder, exercise, question, code)
        shown.truncate(0)
        began = time.process_time()
        try:
            names["In"].append(f'check("{question}", {checked})')
            exec(names["In"][-1], names)
        except Exception as raised:
            error = raised
        seconds = time.process_time() - began
    kinds = {"NoneType": "passed", "CheckFailed": "rejected", "NotAnswered": "not answered"}
    verdict = kinds.get(type(error).__name__, f"error: {error!r}")
    mistake, case = mistake_of(error)
    return {"verdict": verdict, "mistake": mistake, "case": case, "seconds": round(seconds, 3),
            "shown": f"{shown.getvalue()}{error or ''}"}  # fmt: skip


def mistake_of(error):
    """(name of the known mistake or "", counterexample): the error's own, or those that version 0.2 keeps elsewhere."""
    if hasattr(error, "mistake"):
        return error.mistake or "", repr(error.counterexample)[:300]
    with contextlib.suppress(ImportError):
        from course_lib.check import notebook

        last = getattr(notebook, "_last", None)
        if error is not None and last is not None:
            return last[0].bug.name if last[0].bug else "", repr(last[0].case)[:300]
    return "", ""


@cache
def prepare(folder, exercise, question):
    """Load the question's cases: the time that takes is not the answer's."""
    name = checked_name(cells_of(folder, exercise), question)
    ask(folder, exercise, question, f"def {name}(*arguments):\n    raise NotImplementedError")


def tried(entry, folder=ROOT / "solutions"):
    question = entry["exercise"], entry["question"]
    prepare(folder, *question)
    return ask(folder, *question, entry["code"]) | {key: entry[key] for key in ("question", "kind", "truth", "code")}


def names_agree(old, new):
    """Whether a mistake is named as before, or now has a name; of several names that fit, one is enough."""
    return not old or bool(set(old.split(" or ")) & set(new.split(" or ")))


def compare(old, new):
    """Print what has changed between two results, of the answers that are in both."""
    both = [name for name in old if name in new]
    changes = {
        "wrong, rejected before, pass now": [],
        "right, passed before, refused now": [],
        "other verdicts": [],
        "names lost": [],
        "names changed": [],
        "names won": [],
    }
    for name in both:
        was, now = old[name], new[name]
        change = f"{name}: {was['verdict']} {was['mistake']!r} → {now['verdict']} {now['mistake']!r}  ({now['truth']})"
        if was["verdict"] != now["verdict"]:
            passed = now["kind"] == "wrong" and now["verdict"] == "passed"
            refused = now["kind"] == "right" and was["verdict"] == "passed"
            changes[list(changes)[0 if passed else 1 if refused else 2]].append(change)
        if not names_agree(was["mistake"], now["mistake"]):
            changes["names changed" if now["mistake"] else "names lost"].append(change)
        elif now["mistake"] and not was["mistake"]:
            changes["names won"].append(change)
    print(
        f"{len(both)} answers in both, {len(old) - len(both)} in the first only, {len(new) - len(both)} in the second"
    )
    for title, lines in changes.items():
        print(f"\n{title}: {len(lines)}", *lines, sep="\n  ")
    for title, results in (("before", old), ("after", new)):
        seconds = sorted(results[name]["seconds"] for name in both)
        print(f"\nCPU seconds {title}: median {median(seconds):.3f}, all {sum(seconds):.0f}, worst {seconds[-5:]}")


def table(results):
    print(f"{'':36} wrong rejected named   right refused   CPU median  worst")
    for question in [*dict.fromkeys(one["question"] for one in results), "all"]:
        chosen = [one for one in results if question in (one["question"], "all")]
        wrong, right = ([one for one in chosen if one["kind"] == kind] for kind in ("wrong", "right"))
        rejected = [one for one in wrong if one["verdict"] != "passed"]
        refused = sum(one["verdict"] != "passed" for one in right)
        seconds = [one["seconds"] for one in chosen]
        print(f"{question:36} {len(wrong):5} {len(rejected):8} {sum(bool(one['mistake']) for one in rejected):5}   "
              f"{len(right):5} {refused:7}   {median(seconds):10.3f} {max(seconds):6.2f}")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpora", nargs="*", type=Path)
    parser.add_argument("--only", default="", help="the beginning of a question's identifier")
    parser.add_argument("--solutions", type=Path, default=ROOT / "solutions", help="folder of the solution notebooks")
    parser.add_argument("--out", type=Path, help="write what each answer got, as JSON")
    parser.add_argument("--compare", type=Path, nargs=2, metavar=("OLD", "NEW"), help="two such files")
    options = parser.parse_args()
    if options.compare:
        return compare(*(json.loads(path.read_text(encoding="utf-8")) for path in options.compare))
    results = {}
    for name, entry in entries(options.corpora).items():
        if entry["question"].startswith(options.only):
            results[name] = tried(entry, options.solutions)
    if options.out:
        options.out.write_text(json.dumps(results, ensure_ascii=False, indent=0), encoding="utf-8")
    table(list(results.values()))


if __name__ == "__main__":
    main()
