"""A failed case as text, as HTML and in pictures: expected beside actual, and where a search first goes wrong."""

import re
from base64 import b64encode
from contextlib import suppress
from functools import cached_property, lru_cache, partial
from importlib.util import find_spec
from pathlib import Path

from course_lib.check.compare import (
    EXCHANGED_PAIR,
    NOT_EXPECTED,
    NOT_VALUE,
    ODD_ANSWER,
    is_number,
    same,
    shown,
    value_part,
)
from course_lib.check.failures import StudentError, capital
from course_lib.explore import last_watched, picture, watch
from course_lib.games import MIN, Game
from course_lib.watch.paths import kind_of
from course_lib.watch.record import EXIT
from course_lib.watch.texts import number_text

CELL, MARGIN = 34, 6
"""Of a board in a picture, in pixels."""


class Note:
    """Some words to be read, below them `rows` of (label, text), then remarks, and `pictures` of (caption, figure)."""

    pictures = ()

    def __init__(self, words, rows, remarks=()):
        self.words, self.rows, self.remarks = words, list(rows), list(remarks)

    def html(self):
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

    def __init__(self, failure, function=None):
        self.failure = failure
        self.watched = watched_search(failure, function)
        parted = "" if failure.bug == EXCHANGED_PAIR else parting(failure, self.watched)
        only_differ = failure.words in (NOT_EXPECTED, NOT_VALUE)
        first, *others = [parted] if parted and only_differ else filter(None, (parted, self._words()))
        super().__init__(first, self._rows(), filter(None, (*others, self._name())))

    @cached_property
    def pictures(self):
        """The reference's search and the student's, or the game: (caption, figure) pairs. None without Matplotlib."""
        question, case, watched = self.failure.question, self.failure.case, self.watched
        if not find_spec("matplotlib"):  # a browser may not have it
            return []
        if question.draw is not None:
            with suppress(*ODD_ANSWER):
                return list(question.draw(case, self.failure.given))
            return []
        if question.searched(case) is None or not isinstance(case[0], Game):
            return []
        if watched is None or not watched.events or not question.reveals:
            game, state, *_ = question.searched(case)
            return [("the case", picture(game, state=state))]
        right = watch(question.reference, *question.searched(case))
        return [("expected", picture(right)), ("your search", picture(watched))]

    @property
    def headline(self):
        """In one line."""
        failure = self.failure
        if failure.bug:
            return failure.bug.name
        if failure.error is not None or failure.question.kind == "beat":
            return re.split(r"(?<=\.) ", failure.words)[0]
        if not failure.question.reveals:
            return "not right yet"
        return f"expected {failure.question.show(failure.expected)}, not {self._answer()}"

    def _words(self):
        """What is wrong, for a headline."""
        failure = self.failure
        if not failure.words.startswith((NOT_EXPECTED, NOT_VALUE)) or not failure.question.reveals:
            return capital(failure.words)
        right, given = shown(value_part(failure.expected)), shown(value_part(failure.given))
        _, words, more = failure.words.rpartition(NOT_VALUE)
        if words:
            return f"The value is {right} here, and yours is {given}.{more}"
        return f"{failure.question.show(failure.expected)} was expected, and your answer is {self._answer()}."

    def _rows(self):
        """(label, text) pairs: the case, expected beside actual."""
        question, case, expected, _, _, error, _ = self.failure
        if error is not None and error.line:
            yield "where", error.line
        if question.reveals:
            yield "case", question.as_text(case)
            yield "expected", question.show(expected)
            if error is None:
                yield "your answer", self._answer()

    def _answer(self):
        try:
            return self.failure.question.show(self.failure.given)
        except ODD_ANSWER:
            return shown(self.failure.given)

    def _name(self):
        bug = self.failure.bug
        known = bug is not None and bug.sentence.lower() != self.failure.words.lower()
        return f"This looks like a known mistake: “{bug.name}”. {capital(bug.sentence)}" if known else ""


@lru_cache
def _template():
    from jinja2 import Environment, FileSystemLoader  # late: a notebook whose checks pass does without

    environment = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True)
    environment.filters |= {"by_backticks": partial(re.split, "`([^`]+)`"), "png": _png}
    return environment.get_template("report.html")


def _png(figure):
    """The size of a figure as drawn, and the picture as the source of an `<img>`."""
    return {**figure.png_size(), "source": f"data:image/png;base64,{b64encode(figure.png()).decode()}"}


def watched_search(failure, function):
    """What this function does on the case, up to its error if it has one; None if that cannot be shown."""
    question, case = failure.question, failure.case
    if not callable(function) or question.searched(case) is None:
        return None
    if failure.error is not None and failure.error.kind == StudentError.NOT_PLAIN:
        return None
    return watched_so_far(function, *question.searched(case))


def watched_so_far(function, *arguments):
    """The `Watched` call of a student's function, up to its error if it has one; None if it cannot be watched."""
    try:
        return watch(function, *arguments)
    except Exception:  # whatever the student's code raised: what was seen until then
        watched = last_watched()
        return watched if watched.error is not None else None


def parting(failure, watched):
    """The first node, in the order in which the search returns from them, whose value is not the true one."""
    value_of = failure.question.value_of
    if watched is None or value_of is None or failure.error is not None:
        return ""
    if not any(same(watched.root.value, part) for part in (failure.given, value_part(failure.given))):
        return ""  # what is called again and again returns something else than the answer
    values = [(node, value, true) for event, node, value in watched.events if event == EXIT and value is not None
              and (true := value_of(failure.case, node)) is not None
              and is_number(true) == is_number(value)]  # fmt: skip
    movers = [(node, value, _for_mover(watched.game, node, true)) for node, value, true in values]
    view, whose = max((values, ""), (movers, " to the player to move"), key=lambda way: _right_inside(way[0]))
    wrong = ((node, value, true) for node, value, true in view if not same(true, value))
    return next((_parting_words(watched.game, *first, whose) for first in wrong), "")


def _for_mover(game, node, true):
    """What a value for Max is to the player to move: the view that negamax takes."""
    return -true if game.players == 2 and is_number(true) and game.to_move(node.state) == MIN else true


def _right_inside(values):
    return sum(bool(node.children) and same(true, value) for node, value, true in values)


def _parting_words(game, node, value, true, whose):
    below = [number_text(child.value) for child in node.children.values() if child.value is not None]
    kind = kind_of_node(game, node.state)
    where = f"{kind} with the path {tuple(node.path)}" if node.path else f"root, a {kind}"
    children = f" Its children came out as {', '.join(below)}." if below else ""
    whose = " to Max" if not whose and is_number(value) and same(value, -true) else whose
    values = f"worth {number_text(true)}{whose}, and you have {number_text(value)}."
    return f"Your search first goes wrong at the {where}: {values}{children}"


def kind_of_node(game, state):
    kind = kind_of(game, state)
    if kind == "leaf" or game.players == 2:
        return kind if kind == "leaf" else f"{kind if kind == 'chance' else kind.capitalize()} node"
    return "chance node" if kind == "chance" else f"node of player {game.to_move(state)}"


def board_picture(rows, discs=False):
    """A `Picture` of a board."""
    from course_lib.explore.board_drawing import draw_board  # late: Matplotlib, which a browser may not have
    from course_lib.explore.drawing import DPI, Picture

    wide, high = len(rows[0]) * CELL, len(rows) * CELL
    figure = Picture(figsize=[(side + 2 * MARGIN) / DPI for side in (wide, high)], dpi=DPI, facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1), xlim=(-MARGIN, wide + MARGIN), ylim=(high + MARGIN, -MARGIN))
    axes.set_axis_off()
    draw_board(axes, rows, 0, 0, max(wide, high), discs)
    return figure
