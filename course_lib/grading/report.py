"""A failed check as text and as HTML: the case, expected beside actual, where a search goes wrong, and why."""

from base64 import b64encode
from html import escape

from course_lib.explore import picture, watch
from course_lib.explore.watch import EXIT
from course_lib.games import Game
from course_lib.grading.compare import same, shown


def searched(case):
    """The (game, state, *arguments) of a case that begins with a game and a state; None of any other."""
    return case if len(case) > 1 and isinstance(case[0], Game) else None


def watched_search(question, case, answer):
    """The watched search of this function on the case."""
    return watch(answer, *question.searched(case))


class Report:
    """A `Failure` to be read; with the student's function, what it did is shown too."""

    def __init__(self, failure, answer=None):
        self.failure, self.question = failure, failure.question
        self.headline = failure.bug.name if failure.bug else failure.words
        self.lines = list(self._lines())
        self.pictures = []

    def _lines(self):
        failure, question = self.failure, self.question
        yield failure.words
        yield f"case: {shown(failure.case, 400)}"
        if failure.error is None:
            yield f"expected: {question.show(failure.case, failure.expected)}"
            yield f"your answer: {question.show(failure.case, failure.given)}"
        if failure.bug:
            yield f"{failure.bug.name}: {failure.bug.sentence}"

    def __repr__(self):
        return "\n".join(self.lines)
