"""Naming a known mistake: one whose stored answers equal the student's in every row that was tried."""

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any

from course_lib.check.comparing import ODD_ANSWER, same
from course_lib.check.judging import PARTS_TO_NAME, Failure, judged
from course_lib.check.tables import Mistake, Raised, Table

FEW = 8
"""How many answers there must be for a mistake to be named by them, unless the table has fewer rows."""


def named(failure: Failure, answers: list[tuple[int, Any]]) -> Failure:
    """The failure with the mistake that explains these answers, (row's number, answer or `Raised`), or with none.

    A mistake that the judge names from the failed row alone is kept only if it explains every wrong answer.
    """
    table = failure.table
    found = _from_columns(table, answers) or _from_judge(table, answers, failure)
    return failure._replace(mistake=found)


@lru_cache
def telling_rows(table: Table) -> list[int]:
    """Rows, small ones first, that tell known mistakes apart, and each of them from a right answer."""
    columns = ["0" * len(table), *(mistake.column for mistake in table.mistakes)]
    groups, rows = [""] * len(columns), []
    for number, letters in enumerate(zip(*columns)):
        if len(set(groups)) == len(set(columns)):
            break
        if len(set(zip(groups, letters))) > len(set(groups)):
            groups, rows = [*map("".join, zip(groups, letters))], [*rows, number]
    return rows


def letter(number: int) -> str:
    """The letter that stands for an answer of this number in a mistake's column."""
    return chr(ord("0") + number)


def _from_columns(table: Table, answers: list) -> Mistake | None:
    """The mistakes that answer as the student did: in all of each answer, or else in the part that matters."""
    if len(answers) < min(FEW, len(table)):  # slow code answers few rows in the time, which fit many a mistake
        return None
    part = PARTS_TO_NAME.get(table.options.get("part", ""))
    for compared in (lambda answer: answer, part) if part else (lambda answer: answer,):
        left, shows = table.mistakes, set()
        for number, given in answers:
            row = table.row(number)
            fits = {letter(at) for at, answer in enumerate(row.answers) if _agree(compared, answer, given)}
            left = [mistake for mistake in left if mistake.column[number] in fits]
            if "0" not in fits:
                shows |= {mistake[:2] for mistake in left}
        found = [Mistake(*mistake[:2]) for mistake in left if mistake[:2] in shows]
        if found:
            return _joined(list(dict.fromkeys(found)))
    return None


def _agree(part: Callable, known: Any, given: Any) -> bool:
    with suppress(*ODD_ANSWER):
        return same(known, given) or same(part(known), part(given))
    return False


def _joined(mistakes: list[Mistake]) -> Mistake:
    """These mistakes, which no row tells apart, as one."""
    names, sentences = (dict.fromkeys(texts) for texts in zip(*(mistake[:2] for mistake in mistakes)))
    return Mistake(" or ".join(names), " Or: ".join(sentences))


def _from_judge(table: Table, answers: list, failure: Failure) -> Mistake | None:
    """The mistake that the judge finds in every wrong answer, or None."""
    returned = ((number, given) for number, given in answers if not isinstance(given, Raised))
    wrong = [failure.wrong, *(judged(table, table.row(number), given) for number, given in returned)]
    mistakes = {found.mistake and found.mistake.name for found in wrong if found is not None}
    return failure.wrong.mistake if len(mistakes) == 1 else None
