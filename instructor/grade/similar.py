"""Answers that several students share, but for spaces and comments: a note for the instructor, who decides."""

import ast
from collections import Counter, defaultdict
from functools import lru_cache
from itertools import combinations

from instructor.grade.submissions import Note, Submission, code_cells
from instructor.questions import ROOT

SHARED = 3
"""How many equal answers are worth a note."""
NAMED = 5
"""How many other students a note names."""


def similar(cells: dict[Submission, list[str]]) -> dict[Submission, list[Note]]:
    """The notes on submissions that are equal in all definitions, or in three or more."""
    own = {submission: _definitions(sources) - _handed_out(submission.notebook)
           for submission, sources in cells.items()}  # fmt: skip
    by_definition = defaultdict(list)
    for submission, definitions in own.items():
        for definition in definitions:
            by_definition[submission.notebook, definition].append(submission)
    shared = Counter(pair for theirs in by_definition.values() for pair in combinations(theirs, 2))
    others = defaultdict(lambda: defaultdict(list))
    for (one, other), count in shared.items():
        if own[one] == own[other] or count >= SHARED:
            kind = "submissions that are equal but for names" if own[one] == own[other] else "equal answers"
            others[one][kind].append(f"{other.display_name} ({count})")
            others[other][kind].append(f"{one.display_name} ({count})")
    return {submission: [Note(kind, _text(names)) for kind, names in kinds.items()]
            for submission, kinds in others.items()}  # fmt: skip


def _text(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"the same definitions, but for spaces and comments, as (how many) {', '.join(sorted(names)[:NAMED])}{more}"


@lru_cache
def _handed_out(notebook: str) -> set[str]:
    """What the exercise itself defines."""
    path = ROOT / "exercises" / f"{notebook}.ipynb"
    return _definitions(code_cells(path)) if path.exists() else set()


def _definitions(sources: list[str]) -> set[str]:
    """Each function and class that the cells define, without spaces and comments."""
    found = set()
    for source in sources:
        try:
            lines = ast.parse(source).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):  # a magic command, or an attack
            continue
        found |= {ast.dump(line) for line in lines if isinstance(line, ast.FunctionDef | ast.ClassDef)}
    return found
