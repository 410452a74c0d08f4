"""A failed case as text, as HTML and in pictures: expected beside actual, and where a search first goes wrong."""

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from course_lib.check.comparing import ODD_ANSWER, Wrong, apart, differing, is_no_return, is_number, shown, value_part
from course_lib.check.examine import Failure
from course_lib.check.failures import Verdict, capital
from course_lib.check.judges.listed import EXCHANGED
from course_lib.check.tables import Table
from course_lib.check.views import first_wrong_node, traced_search
from course_lib.explore import picture
from course_lib.games import Game, TreeGame
from course_lib.games.texts import number_text
from course_lib.language import N_, gettext, ngettext
from course_lib.watch.mcts import MCTSTrace

PRINTS = N_("The function prints its answer and returns None: pass the answer to `return` instead.")
NOT_CHANGED = N_("You have not changed the code yet: it answers as it did when it was handed out.")


class Note:
    """Some words to be read, below them `rows` of (label, text), then remarks, and `pictures` of (caption, figure).

    Words, labels and remarks are shown in the language of the course.
    """

    pictures: list = []

    def __init__(self, words: str, rows: Iterable = (), remarks: Iterable = ()):
        self.words, self.remarks = gettext(words), list(map(gettext, remarks))
        self.rows = [(gettext(label), text) for label, text in rows]

    def html(self) -> str:
        """A fragment of HTML that needs nothing else. The template escapes what it is given."""
        return _template().render(words=self.words, rows=self.rows, remarks=self.remarks, pictures=self.pictures)

    def _repr_mimebundle_(self, **_):
        return {"text/plain": repr(self), "text/html": self.html()}

    def __repr__(self):
        rows = (gettext("{name}: {text}", name=label, text=text) for label, text in self.rows)
        return "\n".join([self.words, *rows, *self.remarks])


class Report(Note):
    """A `Failure` to be read. With the student's function, if it is at hand, its search is watched and drawn too.

    It begins with what goes wrong first, as far as that is known.
    """

    def __init__(self, failure: Failure, function: Callable | None = None):
        self.failure, self.table, self.row = failure, failure.table, failure.row
        self.expected, self.given = self._both()
        self.trace = traced_search(failure, function)
        is_at_root = failure.mistake is not None and failure.mistake.name == "the root without the minus"
        node = "" if is_at_root or failure.mistake == EXCHANGED else first_wrong_node(failure, self.trace)
        words = "" if node and failure.wrong.about and not failure.wrong.words else self._words()
        changes = self.trace.captions[-1] if isinstance(self.trace, MCTSTrace) else ""
        unchanged = failure.error is None and failure.verdict is Verdict.UNANSWERED
        name = "" if unchanged else self._name()
        ask = "" if node else gettext(failure.wrong.ask)
        ask = "" if failure.mistake or unchanged else ask or self._about_stored_values()
        first, *others = filter(None, [NOT_CHANGED * unchanged, node, words, changes, name, ask])
        self.headline = self._headline()
        super().__init__(first, self._rows(), others)

    @cached_property
    def pictures(self) -> list:  # type: ignore[override]  # a cached property can be set
        """The case, and the student's search or values: (caption, figure) pairs. None without Matplotlib."""
        case, trace, given = self.row.case, self.trace, self.failure.given
        if not find_spec("matplotlib"):  # a browser may not have it
            return []
        if isinstance(trace, MCTSTrace):
            before = (gettext("the tree before your code"), picture(trace, 0))
            return [before, (gettext("after it"), picture(trace))] if trace.iterations[0].changed else [before]
        if not (case and isinstance(case[0], Game)):
            return []
        if self.table.view:
            return [(gettext("the game"), picture(case[0]))]
        by_hand = isinstance(given, dict)
        values = given if by_hand else self.row.values if self.table.reveals and trace is not None else {}
        known = {path: number_text(value) for path, value in values.items()
                 if path in getattr(case[0], "nodes", ()) and is_number(value_part(value))}  # fmt: skip
        caption = N_("your values") if by_hand else N_("expected") if known else N_("the case")
        drawn = [(gettext(caption), picture(case[0], state=case[1] if len(case) > 1 else None, answers=known or None))]
        return [*drawn, (gettext("your search"), picture(trace))] if trace is not None and trace.events else drawn

    def _headline(self):
        """What is wrong, in one line."""
        failure = self.failure
        if failure.mistake:
            return failure.mistake.shown_name
        if failure.error is not None or self.table.in_words or is_no_return(failure.wrong.words):
            return re.split(r"(?<=\.) (?=[^\W\d_])", gettext(failure.wrong.words))[0]
        if not self.table.reveals:
            return gettext("not correct yet")
        return gettext("expected {expected}, got {given}", expected=self.expected, given=self.given)

    def _words(self):
        """What is wrong, for a headline."""
        wrong, right, given = self.failure.wrong, self.row.right[0], self.failure.given
        if not wrong.about or not self.table.reveals:
            return capital(gettext(wrong.words))
        words, both = N_("Expected {kind}, got {given}."), (self.expected, self.given)
        if wrong.about == "value":
            words = N_("Expected the value {kind} here, got {given}.")
            both = differing(*map(value_part, (right, given)))
        return f"{gettext(words, kind=both[0], given=both[1])} {gettext(wrong.words)}".rstrip()

    def _about_stored_values(self):
        """What to ask of a search whose mistake has no name, if the same state is reached by several paths."""
        case, is_search = self.row.case, {"values", "leaves"} & self.table.content.keys()
        if self.failure.error or not is_search or not getattr(case[0], "transposes", isinstance(case[0], Game)):
            return ""
        return N_(
            "If your function stores values of states: does it use one again that is only a bound, or that belongs to "
            "another depth?"
        )

    def _rows(self) -> Iterator[tuple[str, str]]:
        """(label, text) pairs: the case, expected beside actual."""
        error = self.failure.error
        if error is not None and error.line:
            yield N_("where"), error.line
        if self.table.reveals:
            yield N_("case"), case_text(self.table, self.row.case)
        if self.table.reveals and not self.table.in_words:
            yield N_("expected"), self.expected
            if error is None:
                yield N_("your answer"), self.given

    def _both(self):
        """The expected answer and the student's as texts, which show where they differ."""
        right, given = self.row.right[0], self.failure.given
        if self.failure.error is not None or "leaves" in self.table.content:
            return apart(*(answer_text(self.table, answer) for answer in (right, given)), 150)
        return differing(right, given, 150)

    def _name(self):
        mistake = self.failure.mistake
        if mistake is None or mistake.sentence.lower() == self.failure.wrong.words.lower():
            return ""
        words = N_("This looks like a known mistake: “{name}”. {sentence}")
        return gettext(words, name=mistake.shown_name, sentence=capital(mistake.shown_sentence))


def report_of(failure: Failure | None, answer: Any, printed: int) -> Report | None:
    """The `Report` of a failure, or None if there is none, or no answer; the code has `printed` some characters."""
    if failure is None or (failure.error is not None and failure.verdict is Verdict.UNANSWERED):
        return None
    is_none = failure.error is None and failure.given is None and failure.row.right[0] is not None
    if printed and (is_none or is_no_return(failure.wrong.words)):
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
        parts = (_brief(argument) if isinstance(argument, Game) else argument for argument in case)
        words = re.sub(r"(from|de) (\d+) (to|à) \2\b", r"= \2", gettext(table.case).format(*parts))
        return re.sub(r"s (\d+) (to|à) \1$", r" \1", words)  # seeds
    names = table.parameters or [""] * len(case)
    tables = {name: shown(dict(given), 300) for name, given in zip(names, case) if callable(given)}
    others = [_brief(argument) for argument in case if not callable(argument)]
    where = gettext(" and ").join(
        gettext("{name} gives {given}", name=name, given=given) for name, given in tables.items()
    )
    call = f"{table.name}({', '.join([*others, *tables])})"
    return gettext("{call}, where {where}", call=call, where=where) if where else call


def _brief(value):
    """A value as text that is short: a tree that would fill the screen by its size, since it is drawn as well."""
    nodes = len(value.nodes) if isinstance(value, TreeGame) else 0
    if nodes and len(repr(value)) > 300:
        return f"TreeGame(… {ngettext('1 node', '{count} nodes', nodes)})"
    return shown(value, 300)


def answer_text(table: Table, answer: Any) -> str:
    """An answer as text; some are [the returned answer, the leaves visited]."""
    with suppress(*ODD_ANSWER):
        if "leaves" in table.content:
            returned, leaves = shown(answer[0]), " ".join(map(str, map(tuple, answer[1])))
            words = N_("{returned}, after the leaves {leaves}")
            return gettext(words, returned=returned, leaves=leaves) if leaves else returned
    return shown(answer, 150)
