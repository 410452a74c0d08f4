"""A failed case as text, as HTML and in pictures: expected beside actual, and where a search first goes wrong."""

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from course_lib.check.comparing import NO_RETURN, ODD_ANSWER, Wrong, differing, is_number, shown, value_part
from course_lib.check.examine import Failure
from course_lib.check.failures import Verdict, capital
from course_lib.check.judges.listed import EXCHANGED
from course_lib.check.tables import Table
from course_lib.check.views import first_wrong_node, path_text, traced_search
from course_lib.explore import picture
from course_lib.games import Game, TreeGame
from course_lib.games.texts import number_text
from course_lib.watch.mcts_record import MCTSTrace

PRINTS = "The function prints its answer and returns None: pass the answer to `return` instead."
NOT_CHANGED = "You have not changed the code yet: it answers as it did when it was handed out."


class Note:
    """Some words to be read, below them `rows` of (label, text), then remarks, and `pictures` of (caption, figure)."""

    pictures: list = []

    def __init__(self, words: str, rows: Iterable = (), remarks: Iterable = ()):
        self.words, self.rows, self.remarks = words, list(rows), list(remarks)

    def html(self) -> str:
        """A fragment of HTML that needs nothing else. The template escapes what it is given."""
        return _template().render(words=self.words, rows=self.rows, remarks=self.remarks, pictures=self.pictures)

    def _repr_mimebundle_(self, **_):
        return {"text/plain": repr(self), "text/html": self.html()}

    def __repr__(self):
        return "\n".join([self.words, *map(": ".join, self.rows), *self.remarks])


class Report(Note):
    """A `Failure` to be read. With the student's function, if it is at hand, its search is watched and drawn too.

    It begins with what goes wrong first, as far as that is known.
    """

    def __init__(self, failure: Failure, function: Callable | None = None):
        self.failure, self.table, self.row = failure, failure.table, failure.row
        self.trace = traced_search(failure, function)
        is_at_root = failure.mistake is not None and failure.mistake.name == "the root without the minus"
        node = "" if is_at_root or failure.mistake == EXCHANGED else first_wrong_node(failure, self.trace)
        words = "" if node and failure.wrong.about and not failure.wrong.words else self._words()
        changes = self.trace.captions[-1] if isinstance(self.trace, MCTSTrace) else ""
        unchanged = failure.error is None and failure.verdict is Verdict.UNANSWERED
        name = "" if unchanged else self._name()
        first, *others = filter(None, [NOT_CHANGED * unchanged, node, words, changes, name])
        super().__init__(first, self._rows(), others)
        self.headline = self._headline()

    @cached_property
    def pictures(self) -> list:  # type: ignore[override]  # a cached property can be set
        """The case, and the student's search or values: (caption, figure) pairs. None without Matplotlib."""
        case, trace, given = self.row.case, self.trace, self.failure.given
        if not find_spec("matplotlib"):  # a browser may not have it
            return []
        if isinstance(trace, MCTSTrace):
            before = ("the tree before your code", picture(trace, 0))
            return [before, ("after it", picture(trace))] if trace.iterations[0].changed else [before]
        if not (case and isinstance(case[0], Game)):
            return []
        if self.table.view:
            return [("the game", picture(case[0]))]
        by_hand = isinstance(given, dict)
        values = given if by_hand else self.row.values if self.table.reveals and trace is not None else {}
        known = {path: number_text(value) for path, value in values.items()
                 if path in getattr(case[0], "nodes", ()) and is_number(value_part(value))}  # fmt: skip
        caption = "your values" if by_hand else "expected" if known else "the case"
        drawn = [(caption, picture(case[0], state=case[1] if len(case) > 1 else None, answers=known or None))]
        return [*drawn, ("your search", picture(trace))] if trace is not None and trace.events else drawn

    def _headline(self):
        """What is wrong, in one line."""
        failure = self.failure
        if failure.mistake:
            return failure.mistake.name
        if failure.error is not None or self.table.in_words or NO_RETURN in failure.wrong.words:
            return re.split(r"(?<=\.) ", failure.wrong.words)[0]
        return "expected {}, got {}".format(*self._both()) if self.table.reveals else "not correct yet"

    def _words(self):
        """What is wrong, for a headline."""
        wrong, right, given = self.failure.wrong, self.row.right[0], self.failure.given
        if not wrong.about or not self.table.reveals:
            return capital(wrong.words)
        if wrong.about == "value":
            words = "Expected the value {} here, got {}.".format(*differing(value_part(right), value_part(given)))
        else:
            words = "Expected {}, got {}.".format(*self._both())
        return f"{words} {wrong.words}".rstrip()

    def _rows(self) -> Iterator[tuple[str, str]]:
        """(label, text) pairs: the case, expected beside actual."""
        error = self.failure.error
        if error is not None and error.line:
            yield "where", error.line
        if self.table.reveals:
            yield "case", case_text(self.table, self.row.case)
        if self.table.reveals and not self.table.in_words:
            yield from zip(("expected", "your answer"), self._both()[: 2 if error is None else 1])

    def _both(self):
        """The expected answer and the student's as texts, which show where they differ."""
        right, given = self.row.right[0], self.failure.given
        with suppress(*ODD_ANSWER):
            if isinstance(self.trace, MCTSTrace) and isinstance(given, list):
                return [path_text(*self.row.case, path) for path in (right, given)]
        if self.failure.error is not None or "leaves" in self.table.content:
            return [answer_text(self.table, answer) for answer in (right, given)]
        return differing(right, given, 150)

    def _name(self):
        mistake = self.failure.mistake
        if mistake is None or mistake.sentence.lower() == self.failure.wrong.words.lower():
            return ""
        return f"This looks like a known mistake: “{mistake.name}”. {capital(mistake.sentence)}"


def report_of(failure: Failure | None, answer: Any, printed: int) -> Report | None:
    """The `Report` of a failure, or None if there is none, or no answer; the code has `printed` some characters."""
    if failure is None or (failure.error is not None and failure.verdict is Verdict.UNANSWERED):
        return None
    is_none = failure.error is None and failure.given is None and failure.row.right[0] is not None
    if printed and (is_none or NO_RETURN in failure.wrong.words):
        failure = failure._replace(wrong=Wrong(PRINTS))
    return Report(failure, answer)


@lru_cache
def _template():
    from jinja2 import Environment, FileSystemLoader  # late: a notebook whose checks pass does without

    environment = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True)
    environment.filters |= {"by_backticks": partial(re.split, "`([^`]+)`"), "png": _png}
    return environment.get_template("report.html")


def _png(figure):
    """The size of a figure as drawn, and the picture as the source of an `<img>`."""
    return {**figure.png_size(), "source": f"data:image/png;base64,{b64encode(figure.png()).decode()}"}


def case_text(table: Table, case: tuple) -> str:
    """A case as text: the call of the student's function, or what the table's `case` says of it.

    A function among the arguments has the name of its parameter in the call, and its table after it.
    """
    if not case:
        return table.name
    if table.case:
        text = table.case.format(*(_brief(argument) if isinstance(argument, Game) else argument for argument in case))
        return re.sub(r"s (\d+) to \1$", r" \1", text)  # seeds
    names = table.parameters or [""] * len(case)
    tables = {name: shown(dict(given), 300) for name, given in zip(names, case) if callable(given)}
    others = [_brief(argument) for argument in case if not callable(argument)]
    where = " and ".join(f"{name} gives {given}" for name, given in tables.items())
    return f"{table.name}({', '.join([*others, *tables])})" + (f", where {where}" if where else "")


def _brief(value):
    """A value as text that is short: a tree that would fill the screen by its size, since it is drawn as well."""
    nodes = len(value.nodes) if isinstance(value, TreeGame) else 0
    return f"TreeGame(… {nodes} nodes)" if nodes and len(repr(value)) > 300 else shown(value, 300)


def answer_text(table: Table, answer: Any) -> str:
    """An answer as text; some are [the returned answer, the leaves visited]."""
    with suppress(*ODD_ANSWER):
        if "leaves" in table.content:
            returned, leaves = answer
            return shown(returned) + (f", after the leaves {' '.join(map(str, map(tuple, leaves)))}" if leaves else "")
    return shown(answer, 150)
