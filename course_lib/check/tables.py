"""The public cases of a question as data: each with all its right answers, and with those of known mistakes.

`python -m instructor exercises` writes those of a notebook to `exercises/02_minimax.cases.gz`: lines of JSON, packed
with gzip. The first is a header with the data of each question, and the games; then comes a line for each question.
"""

import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, partial
from hashlib import sha256
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import combining, normalize

import course_lib
from course_lib.check.failures import NotPossible
from course_lib.check.graded import Lookup
from course_lib.games import Chance, ConnectFour, DiceDuel, Nim, Pig, TicTacToe, TreeGame, Turn
from course_lib.games.pig import PigState
from course_lib.games.tree import Same
from course_lib.games.walking import depth_first
from course_lib.language import gettext

PLACES = ".", "exercises", "..", "../exercises", "../../exercises"
"""Folders in which a notebook looks for its table, seen from its own; then come those beside and in course_lib."""


@dataclass(frozen=True)
class Raised:
    """In place of an answer: the reason of the `StudentError`."""

    reason: str


class Mistake(NamedTuple):
    """A known mistake: its name, a sentence to the student, and for each row the number of its answer in `Row.answers`.

    0 is the first right answer of the row, 1 the first of its wrong ones, and so on. A file has letters for them: "0"
    for 0, and those that follow.
    """

    name: str
    sentence: str
    column: tuple[int, ...] = ()

    @property
    def shown_name(self) -> str:
        """The name in the language of the course; that of one of several mistakes is joined by " or "."""
        return gettext(" or ").join(map(gettext, self.name.split(" or ")))

    @property
    def shown_sentence(self) -> str:
        """The sentence, or sentences joined by " Or: ", in the language of the course."""
        return gettext(" Or: ").join(map(gettext, self.sentence.split(" Or: ")))

    def answer(self, row: "Row") -> Any:
        """What this mistake answers to a row of its table."""
        return row.answers[self.column[row.number]]


class Row(NamedTuple):
    """A case with all its right answers, the `answers` of known mistakes, and the true values of its nodes.

    The first of the `answers` is the first right one, and the others are wrong: the mistakes' columns refer to them.
    `values` maps the path of a node to its true value, for Max or of all players, unless a search need not find it.
    `number` is the row's place in its table, negative for a secret case. Without the sign it is the seed of random
    numbers for this case: each has its own, and nobody can guess that of a secret one.
    """

    case: tuple
    right: list
    answers: list
    values: dict
    number: int = -1


@dataclass(eq=False)
class Table:
    """A question with its rows, smallest first; `drawn` is the number of the first row that was drawn at random.

    - `name` is the function or variable that is checked, and `parameters` are the names of the function's parameters.
    - `options` are the keyword parameters of the ask and of the judge, which are found by their names.
    - A `personal` table has a row for each group of students.
    - A failed check may show the right answer if it `reveals`: not if finding that answer is the whole task. With
      `in_words` it shows only the judge's words, not the two answers.
    - `case` is a format for a case as text, if it is not the call of the function.
    - `part` of an answer decides about the name of a mistake: see `examine.PARTS_TO_NAME`.
    - `view` is "selection" if the tree of MCTS before and after the student's function is shown: `views.one_iteration`.
    - `seconds` is the CPU time of a check, if it is not the usual one.
    - `handed_out` is the name of the mistake with which code to be fixed is handed out.
    - `of_kinds` is the number of rows, the last ones, that no graded run may lack.
    """

    identifier: str
    title: str
    points: int
    name: str
    asked_by: str
    judged_by: str
    options: dict[str, Any]
    drawn: int
    personal: bool = False
    reveals: bool = True
    in_words: bool = False
    parameters: list[str] = field(default_factory=list)
    case: str = ""
    part: str = ""
    view: str = ""
    seconds: float = 0
    handed_out: str = ""
    of_kinds: int = 0
    source: str = field(repr=False, default="{}")
    games: list = field(repr=False, default_factory=list)

    @cached_property
    def ask(self) -> Callable:
        """The function of (student, name, case) that returns what the judge gets."""
        return self._with_options(named_function(self.asked_by))

    @cached_property
    def judge(self) -> Callable:
        """The function of (row, given) that returns None for a right answer, or else a sentence or a `Wrong`."""
        return self._with_options(named_function(self.judged_by))

    def _with_options(self, function: Callable) -> Callable:
        return partial(function, **{name: self.options[name] for name in parameters(function) if name in self.options})

    @cached_property
    def content(self) -> dict:
        """The rows, column by column, as JSON."""
        return json.loads(self.source)

    def __len__(self) -> int:
        return len(self.content["cases"])

    @cached_property
    def mistakes(self) -> list[Mistake]:
        mistakes = self.content["mistakes"]
        return [Mistake(name, words, tuple(ord(a) - ord("0") for a in letters)) for name, words, letters in mistakes]

    @cache  # noqa: B019 (tables live as long as the program)
    def row(self, number: int) -> Row:
        game, *rest = self.content["cases"][number]
        case = (*([] if game is None else [_game(json.dumps(self.games[game]))]), *map(from_json, rest))
        right, wrong = (from_json(self.content[key][number]) for key in ("right", "wrong"))
        if "leaves" in self.content:  # all correct answers visit the same leaves
            leaves = from_json(self.content["leaves"][number])
            right = [[answer, leaves] for answer in right]
        values = self.content["values"][number] if "values" in self.content else None
        known = zip(depth_first(case[0], ()), values) if values else ()
        true = {path: from_json(value) for path, value in known if value is not None}
        return Row(case, right, [right[0], *wrong], true, number)

    def own_row(self, student: str) -> Row:
        """The row of this student: the same in every notebook and when it is graded."""
        return self.row(int(sha256(f"{self.identifier}|{words_of(student)}".encode()).hexdigest(), 16) % len(self))


def named_function(name: str) -> Callable:
    """The ask or judge of this name, such as "tracing.entries": that function in `course_lib.check.judges`."""
    module, _, function = name.partition(".")
    return getattr(import_module(f"course_lib.check.judges.{module}"), function)


def parameters(function: Callable) -> dict[str, Parameter]:
    """The options of an ask or a judge: its keyword-only parameters."""
    return {name: p for name, p in signature(function).parameters.items() if p.kind is Parameter.KEYWORD_ONLY}


@cache
def _game(text: str) -> Any:
    return from_json(json.loads(text))


def as_compared(student: str) -> str:
    """An identifier normalised for comparison: capitals, blanks, and the encoding of letters."""
    return " ".join(normalize("NFKC", normalize("NFKC", str(student)).casefold()).split())


def words_of(student: str) -> str:
    """A name as it chooses a personal tree: without capitals, accents and marks, and its words in one order.

    "Jean-Noël PETIT" and "petit jean noel" are the same, since forms ask for names in either order.
    """
    letters = "".join(letter for letter in normalize("NFKD", as_compared(student)) if not combining(letter))
    return " ".join(sorted(re.findall(r"\w+", letters))) or letters


PARTS = {
    "()": lambda *items: items,
    "{}": lambda *pairs: dict(pairs),
    "set": lambda *items: set(items),
}
KINDS = Chance, ConnectFour, DiceDuel, Lookup, Nim, Pig, PigState, Raised, Same, TicTacToe, TreeGame, Turn
PARTS |= {kind.__name__: kind for kind in KINDS}


def from_json(data: Any) -> Any:
    """The value that was encoded: {"Nim": [heaps, most]} is Nim(heaps, most), {"()": items} a tuple, a list a list."""
    if isinstance(data, dict):
        ((kind, parts),) = data.items()
        return PARTS[kind](*map(from_json, parts))
    return list(map(from_json, data)) if isinstance(data, list) else data


def find_table(identifier: str) -> Table:
    """The table of a question such as "minimax.value". Raises `NotPossible`, a `ValueError`, if there is none."""
    if not isinstance(identifier, str):
        raise NotPossible(f"there is no question {identifier!r}: pass a name, such as 'minimax.value', first")
    try:
        tables = tables_of(identifier.partition(".")[0])
        if table := tables.get(identifier):
            table.ask, table.judge, table.mistakes, table.row(0)  # now, before a check's clock starts
            return table
    except NotPossible:
        raise
    except (OSError, EOFError, zlib.error, AttributeError, KeyError, TypeError, ValueError) as error:
        raise NotPossible(f"the file of cases with {identifier} is damaged or from another version: "
                          f"copy exercises/ and course_lib again") from error  # fmt: skip
    raise NotPossible(f"there is no question {identifier!r}; those of this notebook are {', '.join(tables)}")


def tables_of(notebook: str | int) -> dict[str, Table]:
    """Identifier → table of each question of a notebook, given as "02_minimax", "minimax" or 2."""
    wanted = str(notebook)
    pattern = f"{int(wanted):02}_*" if wanted.isdigit() else wanted if wanted[:2].isdigit() else f"*_{wanted}"
    for path in find_files(f"{pattern}.cases.gz"):
        return load(path)
    raise NotPossible(
        f"the cases of notebook {notebook!r} were not found. If the name is correct, such as 2 or 'minimax', this "
        f"installation lacks them: install the course from its zip or its repository, or put the file "
        f"{pattern}.cases.gz, from the folder exercises/ of the course, beside this notebook"
    )


def find_files(pattern: str) -> Iterator[Path]:
    package = Path(course_lib.__file__).parent
    for folder in (*map(Path, PLACES), package.parent / "exercises", package / "cases"):
        yield from sorted(folder.glob(pattern))


def header(path: Path) -> dict:
    """The first line of a file: "warm_up" questions, "games", and "questions"."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.loads(file.readline())


def load(path: Path) -> dict[str, Table]:
    """Identifier → `Table` of the questions in a file, in their order; their rows are decoded when they are needed."""
    return _load(path.resolve(), path.stat().st_mtime)


@lru_cache(maxsize=16)
def _load(path: Path, changed: float) -> dict[str, Table]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        first, *lines = file
    head = json.loads(first)
    tables = (Table(**about, source=line, games=head["games"]) for about, line in zip(head["questions"], lines))
    return {table.identifier: table for table in tables}
