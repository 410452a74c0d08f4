"""Answers that several students share, and published answers: notes for the instructor, who decides."""

import ast
from collections import defaultdict
from functools import lru_cache
from itertools import permutations

from instructor.grade.submissions import Note, Submission, code_cells
from instructor.questions import ROOT

SHARED = 3
"""How many equal functions and classes are worth a note; fewer if they are all that was written."""
LONGEST = 50_000
"""Characters of a cell that is parsed, and three times as many of a notebook: each takes about a kilobyte of a tree."""


def similar(cells: dict[Submission, list[str]]) -> dict[Submission, Note]:
    """Notes on submissions that share all functions and classes that the exercise does not have, or many of them.

    With the published solution, it is more than half of them.
    """
    own = {each: definitions(sources) - _definitions("exercises", each.notebook) for each, sources in cells.items()}
    others = defaultdict(list)
    for one, other in permutations(own, 2):
        shared = len(own[one] & own[other]) if one.notebook == other.notebook else 0
        if shared >= SHARED or (shared and own[one] == own[other]):
            others[one].append((-shared, other.display_name))
    for one, theirs in own.items():
        shared = len(theirs & _definitions("solutions", one.notebook))
        if shared >= SHARED and 2 * shared > len(theirs):
            others[one].append((-shared, "the published solution"))
    notes = {}
    for one, equal in others.items():
        names = ", ".join(f"{name} ({-count} of {len(own[one])})" for count, name in sorted(equal))
        notes[one] = Note("equal answers", f"functions and classes are equal, but for spaces and comments: {names}")
    return notes


@lru_cache
def _definitions(folder: str, notebook: str) -> set[str]:
    return definitions(code_cells(ROOT / folder / f"{notebook}.ipynb"))


def definitions(sources: list[str]) -> set[str]:
    """Each function and class that cells define, without spaces and comments."""
    found, left = set(), 3 * LONGEST
    for source in (source for source in sources if len(source) <= LONGEST):
        left -= len(source)
        if left < 0:
            break
        try:
            lines = ast.parse(source).body
            found |= {ast.dump(line) for line in lines if isinstance(line, ast.FunctionDef | ast.ClassDef)}
        except (SyntaxError, ValueError, RecursionError, MemoryError):  # a magic command, or an attack
            continue
    return found
