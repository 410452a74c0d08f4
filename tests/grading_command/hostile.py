"""Hostile and broken submissions of notebook 2, each with the questions it deserves to lose, all others being right.

An attack is told as notebook cells, or as the file's bytes. Those that go for one question put their code in its cell.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from course_lib.games import TreeGame
from instructor.grade.marking import tables_of
from instructor.questions import plain_source
from needs import skip_module_without

ROOT = Path(__file__).parents[2]
NOTEBOOK = "02_minimax"
skip_module_without(NOTEBOOK)
TABLES = tables_of(NOTEBOOK)
QUESTIONS = tuple(TABLES)
VALUE = "minimax.value"


class Attack(NamedTuple):
    """`content(student)` is the file, `lost` the questions that it deserves to lose, `says` a word of its report."""

    name: str
    content: object
    lost: tuple = ()
    says: str = ""


@cache
def solution_cells():
    """The code cells of the solved notebook, (question or None, source) pairs, in order."""
    cells = json.loads((ROOT / "solutions" / f"{NOTEBOOK}.ipynb").read_text())["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    pairs = [(cell["metadata"].get("nbgrader", {}).get("grade_id", ""), "".join(cell["source"])) for cell in code]
    return tuple((name.replace("-", "."), plain_source(source)) for name, source in pairs)


def solved(student):
    """The cells of this student's notebook with every question right, by question where there is one."""
    cells = []
    for number, (name, source) in enumerate(solution_cells()):
        if name in QUESTIONS and TABLES[name].personal:
            source = f"{TABLES[name].name} = {TABLES[name].own_row(student).right[0]!r}"
        source = re.sub(r'^student\(".*"\)$', f"student({student!r})", source, flags=re.M)
        cells.append((name or number, source))
    return cells


def notebook(sources, **fields):
    cells = [
        {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
        for source in sources
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4, **fields}).encode()


def honest(student):
    return notebook([source for _, source in solved(student)])


def extra(source, first=False):
    """The solved notebook with one more cell, at the end or at the beginning."""

    def content(student):
        sources = [source_ for _, source_ in solved(student)]
        return notebook([source, *sources] if first else [*sources, source])

    return content


def instead(source, identifier=VALUE):
    """The solved notebook with other code in the cell of one question."""
    return lambda student: notebook([source if name == identifier else own for name, own in solved(student)])


def changed(change):
    """The solved notebook with its list of sources changed."""
    return lambda student: notebook(change([source for _, source in solved(student)]))


def value(body, before=""):
    """Another answer to the first question, a function with this body; `right(game, state)` is a right one."""
    right = dict(solution_cells())[VALUE].replace("my_minimax_value", "right")
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return instead(f"import os, sys, time\n{right}\n{before}\ndef my_minimax_value(game, state):\n{lines}")


def raw(content):
    return lambda student: content


def file_of(change):
    """The solved notebook's bytes, changed."""
    return lambda student: change(honest(student))


def with_odd_cells(student):
    cells = json.loads(honest(student))["cells"]
    odd = [None, 7, [], {}, {"cell_type": "code"}, {"cell_type": "code", "source": 5}, {"cell_type": ["code"]},
           {"cell_type": "code", "source": [1, None, "x = 1\n"]}, {"cell_type": "raw", "source": "boom("}]  # fmt: skip
    return json.dumps({"cells": odd + cells, "nbformat": 4, "metadata": []}).encode()


def looked_up(student):
    """The right answers to every public case, by the tree's leaves; 0 for any other."""
    table = {}
    for (game, *_), (expected, *_), *_ in map(TABLES[VALUE].row, range(len(TABLES[VALUE]))):
        if isinstance(game, TreeGame):
            true_values = [game.utility(path, 0) for path, node in game.nodes.items() if not node.actions]
            table[repr(sorted(true_values))] = expected
    leaves = "def leaves(game, s):\n    if game.is_terminal(s): return [game.utility(s, 0)]\n"
    leaves += "    return [v for a in game.actions(s) for v in leaves(game, game.result(s, a))]"
    return value("return TABLE.get(repr(sorted(leaves(game, ()))), 0)", f"TABLE = {table!r}\n{leaves}")(student)


ALL = QUESTIONS
ASKED = tuple(name for name, table in TABLES.items() if table.asked_by == "listed.call")
"""The questions that call a function: they share a program, and one that breaks it for good loses them all."""
LOST = {"nothing": (), "value": (VALUE,), "all functions": ASKED, "everything": ALL}


def told_attacks():
    """The attacks of `attacks.txt`: "== name | kind | loses … | what the report says", and the code.

    The kind "cell" is a last cell, "first cell" a first one, "value" the body of the answer to `VALUE`, after what
    stands above a line "----".
    """
    text = (Path(__file__).parent / "attacks.txt").read_text().replace("{COURSE}", str(ROOT))
    for section in re.split(r"^== ", text, flags=re.M)[1:]:
        head, code = section.split("\n", 1)
        name, kind, loses, *says = head.split(" | ")
        before, _, body = code.strip("\n").rpartition("\n----\n")
        content = value(body, before) if kind == "value" else extra(body, first=kind == "first cell")
        yield Attack(name, content, LOST[loses.removeprefix("loses ")], *says)


def latin_1(content):
    return content.decode().replace("is", "ïs").encode("latin-1")


def tampered_checks(student):
    cells = instead("def my_minimax_value(game, state):\n    return 0\ndef check(*a): print('passed')")(student)
    return cells.replace(b"check(", b"assert True or (", 1)


def tree_of_another(student):
    """The right values, but of the tree of a student who is named in the notebook and not the one who hands it in."""
    return notebook([source for _, source in solved("honest")])


RUNNER = """import sys
frame = sys._getframe()
while frame:
    runner = next((local for local in frame.f_locals.values() if type(local).__name__ == "Runner"), None)
    if runner is not None:
        break
    frame = frame.f_back
"""
"""A cell that finds the program in which it runs."""


def second_guess(student):
    """The trace is wrong when it is first asked for, and right when it is asked for again."""
    name = TABLES["minimax.trace"].name
    guess = f"""
class Guess(dict):
    def items(self):
        with open("/tmp/asked", "a+") as file:
            again = file.tell()
            file.write("x")
        return dict.items(self) if again else [(path, value + 1) for path, value in dict.items(self)]

{name} = Guess({name})"""
    return extra(guess)(student)


def another_question(student):
    """The answer to one question replaces that to another, which is wrong."""
    wrong = "def my_max_n(game, state):\n    return 7"
    right = dict(solution_cells())["minimax.max_n"].replace("my_max_n", "other")
    call = "globals()['my_max_n'] = other\nreturn right(game, state)"
    sources = json.loads(value(call, right)(student))["cells"]
    return notebook([*(cell["source"] for cell in sources), wrong])


BROKEN_FILES = [
    Attack("a second guess", second_guess, ("minimax.trace",)),
    Attack("another question's answer replaced", another_question, ("minimax.max_n",)),
    Attack("answers that are no lists", extra(f"{RUNNER}runner.call_each = lambda *_: [{{'x': 1}}] * 200", first=True)),
    Attack("empty file", raw(b""), ALL, "empty"),
    Attack("truncated", file_of(lambda content: content[: len(content) // 2]), ALL, "cut short"),
    Attack("not UTF-8", file_of(latin_1), ALL, "utf-8"),
    Attack("huge", file_of(lambda content: content + b" " * (9 << 20)), ALL, "more than"),
    Attack("nested JSON", raw(b"[" * 200_000), ALL, "recursion"),
    Attack("a list, not a notebook", raw(b"[1, 2]"), ALL, "not a notebook"),
    Attack("cells that are not a list", raw(b'{"cells": {"0": 1}}'), ALL, "not a notebook"),
    Attack("odd cells", with_odd_cells),
    Attack("byte order mark", file_of(lambda content: b"\xef\xbb\xbf" + content)),
    Attack("cells duplicated", changed(lambda sources: sources + sources)),
    Attack("checks tampered with", tampered_checks, (VALUE,)),
    Attack("nothing answered", lambda student: notebook(["x = 1"]), ALL, "not answered"),
    Attack("os._exit in every cell", changed(lambda own: ["import os\nos._exit(0)"] * 30 + own), ALL, "not run"),
    Attack("precomputed answers for public cases", looked_up, (VALUE,)),
    Attack("another's tree", tree_of_another, ("minimax.trace",), "honest"),
]
ATTACKS = [*told_attacks(), *BROKEN_FILES]
