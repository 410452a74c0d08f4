"""Makes the table of each question: public cases, all right answers to each, and those of known mistakes.

The solution and the mistakes are run as a student's answer is, on the cases as the client will build them.
"""

import gzip
import json
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from functools import cache
from inspect import Parameter, signature
from pathlib import Path
from random import Random
from typing import Any

from course_lib.check.comparing import same
from course_lib.check.examine import Direct, answer, answer_or_error, judged
from course_lib.check.graded import Lookup
from course_lib.check.judges import listed
from course_lib.check.tables import Raised, Row, Table, from_json, parameters
from course_lib.games import Chance, ConnectFour, DiceDuel, Game, Nim, Pig, TicTacToe, TreeGame, Turn
from course_lib.games.pig import PigState
from course_lib.games.tree import Same
from course_lib.games.walking import depth_first
from instructor.questions import Notebook, Question

PUBLIC_SEED = 1
"""The seed of the cases in the tables; an instructor's is another one, and secret."""
MANY = 2000
"""How many cases are drawn for the smallest that shows each mistake."""
OF_EACH_KIND = 4
"""How many cases of each of a question's `kinds` are drawn."""
WARM_UPS = 50
"""How many warm-up questions of each kind are drawn."""

PARTS_OF: dict[type, Callable] = {
    TreeGame: lambda game: (game.tree, game.players, game.first),
    Nim: lambda game: (list(game.heaps), game.max_take),
    DiceDuel: lambda game: (game.dice,),
    Pig: lambda game: (game.target,),
    Lookup: lambda table: (list(map(list, table.items())), table.other),
    Raised: lambda raised: (raised.reason,),
    **dict.fromkeys((Turn, Chance, PigState, Same), tuple),
    **dict.fromkeys((ConnectFour, TicTacToe), lambda game: ()),
}
"""The arguments with which a value of this kind is made again."""


def to_json(value: Any) -> Any:
    """The JSON from which `from_json` makes the same value again."""
    if type(value) in PARTS_OF:
        return {type(value).__name__: list(map(to_json, PARTS_OF[type(value)](value)))}
    if isinstance(value, dict):
        return {"{}": list(map(to_json, value.items()))}
    if isinstance(value, set):
        return {"set": sorted(map(to_json, value), key=repr)}
    if isinstance(value, tuple):
        return {"()": list(map(to_json, value))}
    return list(map(to_json, value)) if isinstance(value, list) else value


def _lists(value: Any) -> Any:
    """An answer with lists for its tuples, which mean the same in answers and are shorter. Keys and sets stay."""
    return list(map(_lists, value)) if isinstance(value, list | tuple) else value


def rebuilt(case: tuple) -> tuple:
    """The case as a client gets it."""
    return from_json(json.loads(json.dumps(to_json(case))))


def head(question: Question) -> Table:
    """The question's table without rows. `ValueError` if its ask or its judge lacks an option, or neither knows it."""
    row, kind = question.asks, question.kind
    options, known = dict(row.options), parameters(row.ask) | parameters(row.judge)
    if "sentences" in known:  # the judge names mistakes itself
        options["sentences"] = {mistake.name: mistake.sentence for mistake in question.known}
    needed = {name for name in known if known[name].default is Parameter.empty}
    wrong = [f"{name!r} is not known" for name in options.keys() - known]
    wrong += [f"{name!r} is missing" for name in needed - options.keys()]
    if wrong:
        raise ValueError(f"{question.identifier}: expected the options {', '.join(known) or '(none)'}; {wrong[0]}")
    is_function = callable(question.solution) and row.ask is not listed.read
    return Table(
        question.identifier,
        question.title,
        question.points,
        question.name,
        _name_of(row.ask),
        _name_of(row.judge),
        options,
        len(question.small),
        personal=kind == "trace",
        reveals=kind not in ("trace", "explain"),
        parameters=list(signature(question.solution).parameters) if is_function else [],
        handed_out=question.handed_out,
        of_kinds=OF_EACH_KIND * len(row.kinds),
        **row.shown,
    )


def _name_of(function: Callable) -> str:
    """The name by which `named_function` finds an ask or a judge."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


def about(table: Table) -> dict:
    """What the file's first line has of a question, as JSON."""
    return json.loads(_text({field.name: getattr(table, field.name) for field in fields(table)[:-2]}))


def drawn_case(question: Question, seed: int | str, number: int) -> tuple:
    """A case of this seed; always the same."""
    return rebuilt(question.asks.draw(Random(f"{seed} {number}")))


def cases_by_kind(question: Question, seed: int | str) -> list[tuple]:
    """Cases of this seed, of each of the question's kinds; always the same."""
    return [rebuilt(draw(Random(f"{seed} {kind} {number}"))) for kind, draw in enumerate(question.asks.kinds)
            for number in range(OF_EACH_KIND)]  # fmt: skip


def solved(question: Question, table: Table, case: tuple) -> Row:
    """The row of a case, with all right answers."""
    row, function = question.asks, question.solution
    if question.kind == "trace":
        right = row.right(function, case, None)
        return Row(case, right, right[:1], {})
    given = answer(table, Direct(function), case)
    right = [given]
    if row.right:
        returned, *leaves = given if row.ask is listed.call_and_leaves else (given,)
        right = [[one, *leaves] if leaves else one for one in row.right(function, case, returned)]
        right = [given, *(one for one in right if not same(one, given))]
    has_values = row.values and isinstance(case[0], TreeGame) and not case[0].transposes
    return Row(case, right, [given], row.values(*case) if has_values else {})


def secret_rows(question: Question, table: Table, seed: str, count: int) -> list[Row]:
    """The rows of cases that are drawn with an instructor's seed, beside those of each kind; none without `draw`."""
    if question.asks.draw is None or question.kind == "trace":
        return []
    cases = [*cases_by_kind(question, seed), *(drawn_case(question, seed, number) for number in range(count))]
    return [solved(question, table, case) for case in cases]


def make(question: Question, games: dict[str, int]) -> dict:
    """The question's part of the file. Games that are new are added to `games`, text → number."""
    table = head(question)
    mistakes = [] if "sentences" in table.options else question.known
    students = [Direct(question.answer(known)) for known in mistakes]
    by_kind = sorted(cases_by_kind(question, PUBLIC_SEED), key=_size)
    cases = [*map(rebuilt, question.small), *_drawn(question, table, students), *by_kind]
    rows = [solved(question, table, case) for case in cases]
    columns = []
    for mistake, student in zip(mistakes, students):
        column = []
        for row in rows:
            given = _lists(answer_or_error(table, student, row))
            number = next((n for n, known in enumerate(row.answers) if same(known, given)), None)
            if number is None:
                number = len(row.answers)
                row.answers.append(given)
            column.append(number)
        if not any(column):
            wanted = f"expected a case on which the known mistake {mistake.name!r} fails, got none"
            raise ValueError(f"{question.identifier}: {wanted}: add such a case to its row, or remove the mark")
        columns.append([mistake.name, mistake.sentence, "".join(chr(ord("0") + number) for number in column)])
    return _packed_rows(question, rows, columns, games)


def _drawn(question: Question, table: Table, students: list[Direct]) -> list[tuple]:
    """Random cases, smallest first: those of the seed, and of many more the smallest that shows each mistake."""
    row = question.asks
    if row.draw is None:
        return []
    cases = [drawn_case(question, PUBLIC_SEED, number) for number in range(row.count)]
    if question.kind == "trace":
        return cases
    many = sorted((drawn_case(question, PUBLIC_SEED, number) for number in range(MANY)), key=_size) if students else []
    right = cache(lambda number: solved(question, table, many[number]))

    def exposes(number: int, student: Direct) -> bool:
        given = answer_or_error(table, student, Row(many[number], [], [], {}))
        return isinstance(given, Raised) or judged(table, right(number), given) is not None

    telling = {next((n for n in range(len(many)) if exposes(n, student)), None) for student in students}
    return sorted([*(many[number] for number in telling - {None}), *cases], key=_size)


def _size(case: tuple) -> tuple[int, str]:
    text = repr(case)
    return len(text), text


def _packed_rows(question: Question, rows: list[Row], columns: list, games: dict[str, int]) -> dict:
    content: dict = {"cases": [_numbered(row.case, games) for row in rows]}
    right = [row.right for row in rows]
    if question.asks.ask is listed.call_and_leaves:
        content["leaves"] = [to_json(_lists(answers[0][1])) for answers in right]
        right = [[answer for answer, _ in answers] for answers in right]
    content["right"] = [to_json(answers) for answers in right]
    content["wrong"] = [to_json(row.answers[1:]) for row in rows]
    if any(row.values for row in rows):
        content["values"] = [[to_json(row.values.get(path)) for path in depth_first(row.case[0], ())]
                             if row.values else None for row in rows]  # fmt: skip
    return content | {"mistakes": columns}


def _numbered(case: tuple, games: dict[str, int]) -> list:
    """The case with the number of its game among all games of the file, or None if it does not begin with a game."""
    if not case or not isinstance(case[0], Game):
        return [None, *map(to_json, case)]
    return [games.setdefault(_text(to_json(case[0])), len(games)), *map(to_json, case[1:])]


def _text(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def text_of(notebook: Notebook) -> str:
    """The file of a notebook's tables, not packed yet."""
    games: dict[str, int] = {}
    lines = [_text(make(question, games)) for question in notebook.questions]
    kinds = notebook.shared("warm_up", "KINDS").get(notebook.name.partition("_")[2], ())
    warm_up = [[list(kind(Random(f"{PUBLIC_SEED} {number}"))) for number in range(WARM_UPS)] for kind in kinds]
    start = {"warm_up": to_json(warm_up), "questions": [about(head(question)) for question in notebook.questions]}
    return "\n".join([f'{_text(start)[:-1]},"games":[{",".join(games)}]}}', *lines])


def is_current(text: str, target: Path) -> bool:
    """Whether the file holds this text but for the rounding of numbers; a missing or damaged one does not."""
    with suppress(OSError, EOFError, zlib.error, ValueError), gzip.open(target, "rt", encoding="utf-8") as file:
        return same(*(list(map(json.loads, lines)) for lines in (text.split("\n"), file)))
    return False


def write(notebook: Notebook, target: Path) -> None:
    """Make the tables of a notebook, and write them to the path `target` unless the file holds them already."""
    text = text_of(notebook)
    if not is_current(text, target):
        target.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
