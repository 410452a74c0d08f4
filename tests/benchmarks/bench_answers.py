"""What checks say of recorded answers.

A corpus is a list of {"exercise", "question", "kind", "code", "truth"}: "02_minimax", a question's identifier, "wrong"
or "right", what is in the answer's cell, and what is wrong with it. It is run in that cell of the solution notebook.
"""

import ast
import contextlib
import io
import json
import re
import time
from functools import cache
from pathlib import Path

from course_lib.check import student

ROOT = Path(__file__).parents[2]
CORPORA = sorted((ROOT / "tests" / "answers").glob("[!v]*.json"))  # all but verdicts.json
VERDICTS = {"NoneType": "passed", "CheckFailed": "rejected", "NotAnswered": "not answered"}


def load(paths):
    corpora = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}
    return {f"{one['question']} {corpus} {at}": one for corpus, all in corpora.items() for at, one in enumerate(all)}


def run(source, names):
    """Run what a cell defines, in this namespace. As in a notebook, the next cells can be run even if it fails."""
    names["In"].append(source)
    with contextlib.suppress(Exception):
        lines = [line for line in ast.parse(source).body if not isinstance(line, ast.Expr)]
        exec(compile(ast.Module(lines, []), f"<cell {len(names['In'])}>", "exec"), names)


def namespace(folder, exercise, question, code):
    """(names, check cell): the notebook just before the question's check, with `code` (or a stub) as its answer."""
    own, names, answer = question.replace(".", "-"), {"__name__": "__main__", "In": [""]}, {}
    cells = json.loads((folder / f"{exercise}.ipynb").read_text(encoding="utf-8"))["cells"]
    cells = [("".join(c["source"]), c["metadata"].get("nbgrader", {})) for c in cells if c["cell_type"] == "code"]
    end = next(at for at, (_, made) in enumerate(cells) if made.get("grade_id") == f"{own}-check")
    checked = re.search(r"(\w+)\)\s*$", cells[end][0])[1]
    for source, made in cells[:end]:
        cell = made.get("grade_id", "")
        if cell == own:
            before = names.get(checked)
            run(re.split(r"^(?:def |class |###)", source, maxsplit=1, flags=re.M)[0], names)  # game = ConnectFour()
            run(code or f"def {checked}(*arguments):\n    raise NotImplementedError", names)
            answer = {} if names.get(checked) is before else {checked: names[checked]}
        elif not (made.get("grade") or (made.get("solution") and cell.startswith(f"{own}-"))):
            run(source, names)
            names.update(answer)  # an adapter's cell does not replace what the answer has defined
    return names, cells[end][0]


@cache
def ask(folder, exercise, question, code=None):
    """What the notebook's check says of an answer; without code, of one that is not there yet."""
    student("corpus")
    names, check = namespace(folder, exercise, question, code)
    error, began = None, time.process_time()
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        try:
            exec(check, names)
        except Exception as raised:
            error = raised
    seconds, shown = round(time.process_time() - began, 3), f"{shown.getvalue()}{error or ''}"
    verdict = VERDICTS.get(type(error).__name__, f"error: {error!r}")
    mistake, case = getattr(error, "mistake", ""), getattr(error, "counterexample", "")
    return {"verdict": verdict, "mistake": mistake, "case": repr(case)[:300], "seconds": seconds, "shown": shown}


def tried(entry, folder=ROOT / "solutions"):
    """The entry of a corpus, and what the check says of it; the time to load the question's cases does not count."""
    ask(folder, entry["exercise"], entry["question"])
    return entry | ask(folder, entry["exercise"], entry["question"], entry["code"])


def names_agree(old, new):
    """Whether the mistake is named as before, or was not; of several names that fit, one is enough."""
    return not old or not set(old.split(" or ")).isdisjoint(new.split(" or "))
