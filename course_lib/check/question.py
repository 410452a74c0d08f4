"""What a question is: defined once, and asked of a notebook's reader and of three hundred submissions alike."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from itertools import chain, islice, zip_longest
from typing import Any, NamedTuple

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis.strategies import SearchStrategy

from course_lib.check.compare import shown
from course_lib.check.personal import Numbers
from course_lib.check.place import place
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


ODD_ANSWER = TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError
"""What a question's functions may raise that are handed an answer of another kind than was asked for."""


class StudentError(Exception):
    """No answer came. `kind` is one of the constants below, `words` tells the student what happened.

    `line` says where in their code, and is empty if that is not known.
    """

    UNANSWERED, RAISED, TIME, NOT_PLAIN, CHANGED = "unanswered", "raised", "time", "not plain", "changed"

    def __init__(self, kind, words, line=""):
        super().__init__(words)
        self.kind, self.words, self.line = kind, words, line


class Bug(NamedTuple):
    """A known mistake: its name, a sentence to the student, and an answer that makes it (None: told by `compare`).

    `wrong` has the signature of the question's `reference`.
    """

    name: str
    sentence: str
    wrong: Callable | None = None


def mistakes(base, *rows):
    """A `Bug` for each row: a name, a sentence, and the parameters with which `base` makes the mistake."""
    return tuple(Bug(name, sentence, partial(base, **parts)) for name, sentence, parts in rows)


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
    """One question. A case is a tuple, by default the arguments of the student's function.

    - `identifier`: "minimax.value", the name of the module in `questions/` and one of its own; `kind` is one of
      `KINDS`; `title` is a few words.
    - `name`: the function, or for `ask=read` the variable, that the student defines.
    - `cases`: a Hypothesis strategy of cases; `small()`: cases to try before those, the smallest first;
      `personal(numbers)`: instead of both, the one case of a student, made from `Numbers` of their own.
      With none of the three there is one case, `()`.
    - `reference`: right answers, with the student's signature; for `ask=read`, a function of the case's parts.
    - `ask(student, name, case)`: how the answer is got. `student.call(name, *arguments)` and `student.read(name)` give
      plain data (see `plain`) or raise `StudentError`; library code that needs the student's function calls it so.
      The reference and the wrong answers of `bugs` are asked in the same way.
    - `compare(case, expected, given)`: None if the answer is right, else a sentence that says what is wrong with it,
      or a `Bug`. `given` is plain data, but may be any such data.
    - `bugs`: known mistakes. One is named when its answers agree with the student's on all cases tried.
    - `handed_out`: where a function is to be mended, the name of the bug that it has when it is handed out.
    - `gist(answer)`: the part of an answer by which the student's and a known mistake's are held to agree.
    - `show(answer)`: an answer as text; `tell(case)`: the case as text, by default the call of the student's function.
    - `searched(case)`: the (game, state, *arguments) on which the student's function can be watched, or None; by
      default all of a case that begins with a game. `value_of(case, node)`: the true value at a node of the watched
      search, or None where it may be anything.
    - `explored(function, failure)`: what `explore_my_code` shows of a student's function that is no recursive search,
      or None if there is nothing to show.
    - `draw(case, given)`: what to draw in place of the two searches, (caption, matplotlib figure) pairs.
    """

    identifier: str
    title: str
    kind: str
    points: int
    name: str
    reference: Callable
    compare: Callable
    cases: SearchStrategy | None = None
    small: Callable[[], Sequence] = tuple
    personal: Callable | None = None
    ask: Callable = call
    bugs: tuple = ()
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

    def __post_init__(self):
        if self.kind not in KINDS:
            raise ValueError(f"the kind of {self.identifier} is one of {KINDS}, not {self.kind!r}")

    @property
    def reveals(self):
        """Whether a failed check shows the expected answer: not where the answer is all there is to find."""
        return self.kind not in ("trace", "explain")

    def drawn(self, seed, count):
        """So many cases of this seed, always the same."""
        if self.cases is not None:
            return drawn(self.cases, seed, count)
        return tuple(self.small()) or ((),)

    def own_case(self, student_id):
        """The one case of this student, for a question with a tree of one's own."""
        return self.personal(Numbers(self.identifier, student_id))

    def graded_cases(self, seed, student_id):
        """The cases of a graded run, each with its expected answer; drawn once, and the same for all students.

        Two in three are chosen, among those drawn, because known mistakes show in them.
        """
        if self.personal is not None:
            case = self.own_case(student_id)
            return ((case, self.expected(case)),)
        return solved(self, ("graded", seed))

    def expected(self, case):
        """The right answer: the reference asked in the student's place."""
        return self.answer_of(self.reference, case)

    def answer_of(self, function, case):
        """What this function answers in the student's place; one that fails raises `StudentError`."""
        return self.ask(Direct(function, case), self.name, case)

    def judge(self, student, case, expected):
        """The `Failure` of this student on this case, or None."""
        try:
            given = self.ask(student, self.name, case)
        except StudentError as error:
            return Failure(self, case, expected, None, error.words, error)
        try:
            wrong = self.compare(case, expected, given)
        except ODD_ANSWER:
            wrong = "That is not the kind of answer that was asked for."
        if wrong is None:
            return None
        bug = wrong if isinstance(wrong, Bug) else None
        return Failure(self, case, expected, given, bug.sentence if bug else wrong, bug=bug)


class Direct:
    """A student whose code is at hand: `answer` is their function or their value.

    A reference or a known mistake is such a student too; to be read, it is called with the parts of the `case`.
    """

    def __init__(self, answer, case=None):
        self.answer, self.case = answer, case
        self.arguments = ()  # of the last call

    def call(self, name, *arguments):
        if not callable(self.answer):
            words = f"A function was expected, not {shown(self.answer)}: hand over {name} itself, without parentheses."
            raise StudentError(StudentError.NOT_PLAIN, words)
        self.arguments = arguments
        given = [deepcopy(argument) if isinstance(argument, list | dict | set) else argument for argument in arguments]
        answer = _checked(lambda: self.answer(*given))
        for before, after in zip(arguments, given):
            if isinstance(before, list | dict | set) and before != after:
                words = f"The function changes an argument that it was given: {before!r} has become {after!r}."
                raise StudentError(StudentError.CHANGED, f"{words} Work on a copy of it.")
        return answer

    def read(self, name):
        return _checked(lambda: self.answer if self.case is None else self.answer(*self.case))


def _checked(get):
    """What `get()` returns, as plain data; every way in which that fails is a `StudentError`."""
    try:
        answer = get()
    except NotImplementedError as error:
        raise StudentError(StudentError.UNANSWERED, "not answered yet") from error
    except RecursionError as error:
        words = "The function calls itself ever deeper. Does it stop where the game is over, and go on from result()?"
        raise StudentError(StudentError.RAISED, words, place(error)) from error
    except (Exception, SystemExit) as error:
        words = f"Your code raised {type(error).__name__}: {error}".rstrip(": ")
        raise StudentError(StudentError.RAISED, words, place(error)) from error
    try:
        return plain(answer)
    except NotImplementedError as error:
        raise StudentError(StudentError.UNANSWERED, "not answered yet") from error
    except (ValueError, TypeError) as error:
        raise StudentError(StudentError.NOT_PLAIN, f"The answer cannot be compared: {error}.") from error


AT_ONCE = 10
"""Hypothesis begins a run with the simplest case, and after so many more it likes to repeat parts of earlier ones."""


@lru_cache
def drawn(strategy, seed, count):
    """`count` cases that Hypothesis draws with this seed, in short runs, each without its first."""
    runs = (_run(strategy, f"{seed} {number}") for number in range(-(-count // AT_ONCE)))
    return tuple(chain.from_iterable(runs))[:count]


def _run(strategy, seed):
    cases = []

    @hypothesis.seed(seed)
    @settings(max_examples=AT_ONCE + 1, database=None, phases=[Phase.generate], deadline=None,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @hypothesis.given(strategy)
    def collect(case):
        cases.append(case)

    collect()
    return cases[1:] or cases


@lru_cache
def solved(question, source):
    """(case, expected answer) pairs: of the question's small cases, of those drawn with a seed, or chosen from them."""
    if source == "small":
        cases = question.small()
    elif source[0] == "graded":
        cases = _telling(question, question.drawn(source[1], 2 * question.graded))[: question.graded]
    else:
        cases = question.drawn(source[1], question.visible)
    return tuple((case, question.expected(case)) for case in cases)


def _telling(question, cases):
    """The cases in another order: first some that tell known mistakes from right answers, for each mistake by turns.

    Where hardly any of them does, the smallest cases that do come in.
    """
    rounds = zip_longest(*(_told_by(question, bug.wrong, cases) for bug in question.bugs if bug.wrong is not None))
    telling = list({id(case): case for told in rounds for case in told if case is not None}.values())
    return list({id(case): case for case in (*telling[: 2 * question.graded // 3], *cases)}.values())


def _told_by(question, wrong, cases, least=2):
    """Those of the cases that this function answers wrongly, and so many small ones."""
    small = (case for case, _ in solved(question, "small") if _is_wrong(question, wrong, case))
    telling = [case for case in cases if _is_wrong(question, wrong, case)]
    return [*telling[:least], *islice(small, least), *telling[least:]]


def _is_wrong(question, function, case):
    return question.judge(Direct(function, case), case, question.expected(case)) is not None


def choice(identifier, title, name, right, reasons, points=1):
    """An *explain* question: pick a letter. `reasons` says for each of the other letters why it is not the answer.

    A capital, or blanks around a letter, make no difference.
    """
    letters = ", ".join(sorted([right, *reasons]))

    def compare(case, expected, given):
        letter = given.strip().lower() if isinstance(given, str) else None
        if letter == right:
            return None
        otherwise = f"The answer is one of the letters {letters}, as text, not {shown(given)}."
        return reasons.get(letter, otherwise)

    return Question(identifier=identifier, title=title, kind="explain", points=points, name=name, ask=read,
                    reference=lambda: right, compare=compare)  # fmt: skip


def questions_of(notebook):
    """The questions of a notebook ("02_minimax"), in its order."""
    if notebook not in NOTEBOOKS:
        raise ValueError(f"a notebook is one of {', '.join(NOTEBOOKS)}, not {notebook!r}")
    return import_module(f"course_lib.check.questions.{notebook[3:]}").QUESTIONS


def find_question(identifier):
    """The question of this identifier, such as "minimax.value"."""
    for notebook in NOTEBOOKS:
        if str(identifier).startswith(notebook[3:] + "."):
            questions = {question.identifier: question for question in questions_of(notebook)}
            if identifier in questions:
                return questions[identifier]
            raise ValueError(f"there is no question {identifier!r}; those of {notebook} are {', '.join(questions)}")
    raise ValueError(f"there is no question {identifier!r}; they are named like 'minimax.value'")
