"""Who wrote a notebook: the names in it, which choose its personal trees, and answers that several students share."""

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import permutations

from course_lib.check.failures import PLACEHOLDER
from course_lib.check.tables import as_compared, words_of
from course_lib.language import N_, gettext, in_all_languages
from instructor.grade.marking import MAX_FAULTS, tables_of
from instructor.grade.rosters import key_of
from instructor.grade.submissions import Note, Submission, code_cells
from instructor.questions import ROOT

CLAIM = re.compile(r"""^student\(\s*(["'])(.{1,200}?)\1""", re.M)
"""A call that names the student of a notebook."""
SHARED = 3
"""How many equal functions and classes are worth a note; fewer if they are all that was written."""
LONGEST = 50_000
"""Characters of a cell that is parsed, and three times as many of a notebook: each takes about a kilobyte of a tree."""


def claims(cells: list[str]) -> list[str]:
    """Whom a notebook names as its student; there may be several names."""
    found = (claim for source in cells for _, claim in CLAIM.findall(source))
    return list(dict.fromkeys(claim.encode("utf-8", "replace").decode() for claim in found))


def own_name(submission: Submission, claims: list[str], roster: dict[str, str]) -> str:
    """The name that determines the personal trees: one in the notebook if it may be the student's, or the expected one.

    It may be one of the roster's, the platform's in the file's name, or with Moodle a group's before a hyphen in that.
    Nobody knows the names of anonymous students, even if their codes are on the roster.
    """
    place, no_names = submission.place, in_all_languages(PLACEHOLDER)
    own = as_compared(place.name)
    for claim in claims:
        name = as_compared(claim)
        in_group = place.form.number == "work" and (own.startswith(f"{name}-") or own.endswith(f"-{name}"))
        is_known = name == own or in_group or roster.get(key_of(claim)) == submission.student
        if is_known or (submission.anonymous and claim not in no_names):
            return claim
    return submission.student


def notes_on_names(names: list[str], student: str, anonymous: bool = False) -> list[Note]:
    """Those of the `names` in a notebook that are not the name of the `student`, which determines the trees."""
    notes, placeholders = [], in_all_languages(PLACEHOLDER)
    names = [name for name in names if name not in placeholders] or names
    for name in [name for name in names if words_of(name) != words_of(student)][:MAX_FAULTS]:
        kind = N_("notebooks with another name")
        text = f"the notebook names {name!r}, not {student!r}, whose personal tree was expected"
        words = N_("The notebook names another student, but the name {own} determines the tree.")
        own = gettext("the name or number that you use in this course") if anonymous else repr(student)
        if name in placeholders:
            kind = N_("notebooks without a name")
            text = "the name was forgotten: student(…) has the words that were handed out, with which no tree is right"
            words = N_("The notebook has no name: replace {name} by {own}, which determines the tree.")
        elif anonymous:
            text = "the notebook has several names, of which the first determines the personal trees"
        for_student = gettext(words, name=repr(name), own=own)
        notes.append(Note(kind, text, for_student))
    return notes


def of_trees(names: dict[Submission, str], roster: dict[str, str]) -> Iterator[tuple[Submission, Note]]:
    """Notes on anonymous students with the same personal tree, or with the name of another student on the roster.

    The `names` in their notebooks determine the trees; no note contains one.
    """
    sharing = defaultdict(list)
    for each, name in names.items():
        if each.anonymous:
            personal = [table for table in tables_of(each.notebook).values() if table.personal]
            sharing[each.notebook, *(table.own_row(name).number for table in personal)].append(each)
            if each.student in roster.values() and roster.get(key_of(name), each.student) != each.student:
                text = "the name in the notebook is that of another student on the roster"
                yield each, Note("anonymous notebooks with another's name", text)
    for one, other in (pair for students in sharing.values() for pair in permutations(students, 2)):
        why = "the same name" if words_of(names[one]) == words_of(names[other]) else "another name, perhaps by chance"
        text = f"the same personal tree as {other.display_name}, because of {why}"
        yield one, Note("anonymous notebooks with the same tree", text)


def some_of(names: Collection[str]) -> str:
    """The first names in a warning, and how many more there are."""
    first, more = sorted(names)[:5], len(names) - 5
    return ", ".join(first) + (f" and {more} more" if more > 0 else "")


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
