"""What a question is: defined once, and asked of a notebook's reader and of three hundred submissions alike."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from inspect import signature
from itertools import chain, islice, zip_longest
from random import Random
from typing import Any, NamedTuple

from course_lib.check import failures
from course_lib.check.compare import ODD_ANSWER, Bug, as_call, shown
from course_lib.check.failures import NotPossible, StudentError, place
from course_lib.check.mistakes import mistakes
from course_lib.check.personal import Numbers
from course_lib.check.plain import plain
from course_lib.games import Game, TreeGame

NOTEBOOKS = ("01_game_formalism", "02_minimax", "03_alpha_beta", "04_evaluation_functions", "05_expectimax",
             "06_mcts_ucb1", "07_alphazero_lite")  # fmt: skip
"""The notebooks, in order; the questions of 02_minimax are in `questions/minimax.py` and are named `minimax.…`."""
KINDS = "write", "mend", "trace", "beat", "explain"
PUBLIC_SEED = 1
"""The seed of the cases that a notebook's check draws; an instructor's is another one, and secret."""
VISIBLE, GRADED = 100, 25
"""How many cases are drawn for a notebook's check, and from an instructor's seed for a graded run."""


class Failure(NamedTuple):
    """A case that was not answered as expected. `error` is the `StudentError` if no answer came, else None."""

    question: "Question"
    case: tuple
    expected: Any
    given: Any
    words: str
    error: StudentError | None = None
    bug: Bug | None = None

    @property
    def unanswered(self):
        return self.error is not None and self.error.kind == StudentError.UNANSWERED

    @property
    def untouched(self):
        """Whether what was to be mended answers as it did when it was handed out."""
        return self.question.kind == "mend" and self.bug is not None and self.bug.name == self.question.handed_out


class Recorded(Game):
    """A game that keeps `leaves`, the states whose utility was asked, in order (twice running counts once).

    The grader hands student code a proxy of it, whose functions are answered by this very object.
    """

    def __init__(self, game):
        self._game, self.leaves, self.players = game, [], game.players
        for name in ("initial_state", "to_move", "actions", "result", "is_terminal", "chances", "render", "grid"):
            setattr(self, name, getattr(game, name))

    def utility(self, state, player):
        worth = self._game.utility(state, player)
        if not self.leaves or self.leaves[-1] != state:
            self.leaves.append(state)
        return worth

    def __repr__(self):
        return repr(self._game)


def recorded(argument):
    """A tree wrapped up to record its leaves; any other argument as it is."""
    return Recorded(argument) if isinstance(argument, TreeGame) else argument


def call(student, name, case):
    """Ask: what the student's function returns for the arguments that the case holds."""
    return student.call(name, *map(recorded, case))


def call_and_leaves(student, name, case):
    """Ask: what the student's function returns, and the leaves of the case's tree, in the order it looked at them."""
    tree, *others = map(recorded, case)
    return student.call(name, tree, *others), tuple(tree.leaves)


def read(student, name, case):
    """Ask: the value of the student's variable."""
    return student.read(name)


@dataclass(frozen=True, eq=False, kw_only=True)
class Question:
    """One question. A case is a tuple: by default the arguments of the student's function.

    Every question has these five, and a `title` of a few words, its `points`, and a `kind`, one of `KINDS`:
    - `identifier`: "minimax.value", the name of the module in `questions/` and one of its own.
    - `name`: the function that the student defines; for `ask=read` it is a variable. By default that of `reference`.
    - `cases(luck)`: draws a case with a `random.Random`. `small()` returns cases to try before, smallest first.
      `personal(numbers)` stands in place of both: it returns the one case of a student, made from their own `Numbers`.
      A question with none of the three has one case, `()`.
    - `reference`: gives right answers. It has the student's signature; for `ask=read` it takes the parts of the case.
    - `compare(case, expected, given)`: returns None if the answer is right, else a sentence that says what is wrong,
      or a `Bug`. `given` is plain data of any kind.

    Mistakes:
    - `bugs`: known mistakes. A mistake is named when its answers are the student's on all cases tried. Each is a row
      for `mistakes`, changes to the text of the reference and of the `parts` that it calls, or a `Bug`.
    - `gist(answer)`: the part of an answer in which student and mistake must agree.
    - `handed_out`: where a function is to be mended, the name of the bug with which it is handed out.

    Asking:
    - `ask(student, name, case)`: gets the answer. `student.call(name, *arguments)` and `student.read(name)` return
      plain data (see `plain`) or raise `StudentError`. Reference and mistakes are asked in the same way.
    - `visible`, `graded`: how many cases are drawn for a notebook's check, and for a graded run.
    - `seconds`: after so many seconds of work a notebook's check ends code that does not end by itself.

    Showing:
    - `show(answer)`: an answer as text. `tell(case)`: a case as text; by default the call of the student's function,
      with the tables of those arguments that are functions.
    - `draw(case, given)`: (caption, matplotlib figure) pairs; by default the reference's search and the student's.
    - `searched(case)`: the (game, state, *arguments) on which the student's function is watched, or None.
      By default that is a case which begins with a game; None where there is `explored`.
    - `value_of(case, node)`: the true value at a node of the watched search, or None where it may be anything.
    - `explored(function, failure)`: what `explore_my_code` shows of a function that is no recursive search, or None.
    """

    identifier: str
    title: str
    kind: str
    points: int
    name: str = ""
    reference: Callable
    compare: Callable
    cases: Callable | None = None
    small: Callable[[], Sequence] = tuple
    personal: Callable | None = None
    ask: Callable = call
    bugs: Sequence = ()
    parts: tuple = ()
    handed_out: str = "not mended yet"
    gist: Callable = lambda answer: answer
    show: Callable = shown
    tell: Callable | None = None
    searched: Callable = lambda case: case if case and isinstance(case[0], Game) else None
    value_of: Callable | None = None
    explored: Callable | None = None
    draw: Callable | None = None
    graded: int = GRADED
    visible: int = VISIBLE
    seconds: float = 3

    def __post_init__(self):
        if self.kind not in KINDS:
            raise ValueError(f"the kind of {self.identifier} is one of {KINDS}, not {self.kind!r}")
        object.__setattr__(self, "name", self.name or self.reference.__name__)
        right = (*self.parts, self.reference)
        known = ((bug,) if isinstance(bug, Bug) else mistakes(right, bug) for bug in self.bugs)
        object.__setattr__(self, "bugs", tuple(chain.from_iterable(known)))
        if self.explored:
            object.__setattr__(self, "searched", lambda case: None)

    @property
    def reveals(self):
        """Whether a failed check shows the expected answer: not where the answer is all there is to find."""
        return self.kind not in ("trace", "explain")

    def drawn(self, seed, count):
        """So many cases of this seed, always the same; where none are drawn, the small ones."""
        if self.cases is None:
            return tuple(self.small()) or ((),)
        return tuple(self.drawn_at(seed, number) for number in range(count))

    def drawn_at(self, seed, number):
        return self.cases(Random(f"{seed} {number}"))

    def own_case(self, student_id):
        """The one case of this student, for a question with a tree of one's own."""
        return self.personal(Numbers(self.identifier, student_id))

    def graded_cases(self, seed, student_id):
        """The cases of a graded run, each with its expected answer; but for one's own, the same for all students."""
        return graded_solved(self, seed) if self.personal is None else solved(self, [self.own_case(student_id)])

    def expected(self, case):
        """The right answer: the reference asked in the student's place."""
        return self.answer_of(self.reference, case)

    def answer_of(self, function, case):
        """What this function answers in the student's place; one that fails raises `StudentError`."""
        return self.ask(Direct(function, case), self.name, case)

    def prepare(self):
        """Draw the cases of a notebook's check, and solve them: afterwards only the student's code takes time."""
        if self.personal is None:
            small_solved(self), drawn_solved(self, PUBLIC_SEED)

    def as_text(self, case):
        """A case as text: the call of the student's function, or for a case without arguments its name."""
        return self.tell(case) if self.tell and case else as_call(self.name, case, signature(self.reference).parameters)

    def judge(self, student, case, expected):
        """The `Failure` of this student on this case, or None."""
        student.about = case
        try:
            given = self.ask(student, self.name, case)
        except StudentError as error:
            return Failure(self, case, expected, None, error.words, error)
        try:
            wrong = self.compare(case, expected, given)
        except ODD_ANSWER:
            wrong = "That is not the kind of answer that was asked for."
        if isinstance(wrong, Bug):
            return Failure(self, case, expected, given, wrong.sentence, bug=wrong)
        return None if wrong is None else Failure(self, case, expected, given, wrong)


def heading(kind, identifier, title, points):
    """The first parts of a `Question`. What is traced or explained stands in a variable, which is read."""
    about = {"kind": kind, "identifier": identifier, "title": title, "points": points}
    return about | ({"ask": read} if kind in ("trace", "explain") else {})


class Direct:
    """A student whose code is at hand: `answer` is their function or their value.

    A reference or a known mistake is such a student too; to be read, it is called with the parts of the `case`.
    """

    def __init__(self, answer, case=None):
        self.answer, self.case = answer, case
        self.about, self.arguments = (), ()  # the case that is asked, and the arguments of the last call

    def call(self, name, *arguments):
        if not callable(self.answer):
            raise failures.no_function(name, shown(self.answer))
        self.arguments = arguments
        given = [deepcopy(argument) if isinstance(argument, list | dict | set) else argument for argument in arguments]
        try:
            answer = _checked(lambda: self.answer(*given))
        except StudentError as error:
            if isinstance(error.__cause__, TypeError) and not _takes(self.answer, given):
                raise failures.other_arguments(name, len(given), str(error.__cause__)) from error
            raise
        for before, after in zip(arguments, given):
            if isinstance(before, list | dict | set) and before != after:
                raise failures.changed(f"{before!r} has become {after!r}")
        return answer

    def read(self, name):
        return _checked(lambda: self.answer if self.case is None else self.answer(*self.case))


def _takes(function, arguments):
    """Whether a function can be called with so many arguments."""
    try:
        signature(function).bind(*arguments)
    except TypeError:
        return False
    return True


def _checked(get):
    """What `get()` returns, as plain data; every way in which that fails is a `StudentError`."""
    try:
        answer = get()
    except NotImplementedError as error:
        raise failures.unanswered() from error
    except RecursionError as error:
        raise failures.too_deep(place(error)) from error
    except failures.NotThere as error:
        raise failures.not_there(place(error)) from error
    except (Exception, SystemExit) as error:
        raise failures.raised(f"{type(error).__name__}: {error}", place(error)) from error
    try:
        return plain(answer)
    except NotImplementedError as error:
        raise failures.unanswered() from error
    except (ValueError, TypeError) as error:
        raise failures.not_plain(error) from error


@lru_cache
def small_solved(question):
    """The question's small cases, the smallest first, each with its expected answer."""
    return solved(question, question.small())


@lru_cache
def drawn_solved(question, seed):
    """The cases that are drawn with this seed for a notebook's check, each with its expected answer."""
    return solved(question, question.drawn(seed, question.visible))


def solved(question, cases):
    return tuple((case, question.expected(case)) for case in cases)


@lru_cache
def graded_solved(question, seed):
    """The cases of a graded run with this seed, each with its expected answer: first those that expose known mistakes.

    A question that draws none has the same cases for every seed, and all of them are asked.
    They come by turns: one for each mistake, then a second for each, until two thirds of a graded run are chosen. The
    third and the fourth for a mistake are the smallest cases that expose it, so that rare mistakes have two at least.
    """
    drawn = solved(question, question.drawn(seed, 2 * question.graded))
    if question.cases is None:
        return drawn
    by_mistake = (_exposing(question, bug.wrong, drawn) for bug in question.bugs if bug.wrong is not None)
    telling = _once(pair for turn in zip_longest(*by_mistake) for pair in turn if pair is not None)
    return _once((*telling[: 2 * question.graded // 3], *drawn))[: question.graded]


def _exposing(question, wrong, drawn):
    """The pairs that show this function to be wrong: two drawn ones, two small ones, and the other drawn ones."""
    found = [pair for pair in drawn if _is_wrong(question, wrong, *pair)]
    return [*found[:2], *small_exposing(question, wrong), *found[2:]]


@lru_cache(maxsize=1024)
def small_exposing(question, wrong):
    """The first two small cases, with their answers, that show this function to be wrong; they depend on no seed."""
    return tuple(islice((pair for pair in small_solved(question) if _is_wrong(question, wrong, *pair)), 2))


def _is_wrong(question, function, case, expected):
    return question.judge(Direct(function, case), case, expected) is not None


def _once(pairs):
    """The pairs, each case once."""
    return tuple({id(case): (case, expected) for case, expected in pairs}.values())


def choice(identifier, title, right, reasons, points=1):
    """An *explain* question: pick a letter. `reasons` says for each of the other letters why it is not the answer.

    The student's variable has the second name of the identifier. A capital, or blanks around a letter, make no
    difference.
    """
    name = identifier.partition(".")[2]
    letters = ", ".join(sorted([right, *reasons]))

    def compare(case, expected, given):
        letter = given.strip().lower() if isinstance(given, str) else None
        if letter == right:
            return None
        otherwise = f"The answer is one of the letters {letters}, as text, not {shown(given)}."
        return reasons.get(letter, otherwise)

    return Question(
        **heading("explain", identifier, title, points), name=name, reference=lambda: right, compare=compare
    )


def questions_of(notebook):
    """The questions of a notebook ("02_minimax"), in its order."""
    if notebook not in NOTEBOOKS:
        raise ValueError(f"a notebook is one of {', '.join(NOTEBOOKS)}, not {notebook!r}")
    return import_module(f"course_lib.check.questions.{notebook[3:]}").QUESTIONS


def find_question(identifier):
    """The question of this identifier, such as "minimax.value". Raises `NotPossible`, a `ValueError`, for another."""
    notebook = next((name for name in NOTEBOOKS if str(identifier).startswith(name[3:] + ".")), None)
    if notebook is None:
        raise NotPossible(f"there is no question {identifier!r}; they are named like 'minimax.value'")
    known = {question.identifier: question for question in questions_of(notebook)}
    if identifier not in known:
        raise NotPossible(f"there is no question {identifier!r}; those of {notebook} are {', '.join(known)}")
    return known[identifier]
