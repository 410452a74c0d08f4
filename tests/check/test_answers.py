"""Wrong answers are rejected, on a case as small as the smallest that exposes them, and right ones accepted."""

from importlib import import_module
from math import inf
from pathlib import Path

import pytest

from answers import leaves
from course_lib.check.examine import examine
from course_lib.check.question import NOTEBOOKS, Direct, StudentError, find_question, questions_of
from instructor.grade.marking import first_cases, is_secret

ANSWERS = {path.stem: import_module(f"check.wrong_answers.{path.stem}")
           for path in sorted(Path(__file__).with_name("wrong_answers").glob("*.py"))}  # fmt: skip
STUDENT = "s1234567"
SECRET_SEEDS = 4711, 815


@pytest.fixture(autouse=True)
def all_the_time(monkeypatch):
    """Every case is tried, however busy the machine is; what was found is not asked about for long."""
    monkeypatch.setattr("course_lib.check.examine.TRY", inf)
    monkeypatch.setattr("course_lib.check.examine.NAME", 0.1)
    monkeypatch.setattr("course_lib.check.examine.PATIENCE", inf)


def size_of(identifier):
    return getattr(ANSWERS[identifier.partition(".")[0]], "size", leaves)


def given(name):
    """(identifier, answer) pairs of all modules, with names for pytest."""
    return [
        pytest.param(identifier, answer, id=f"{identifier}-{number}")
        for module in ANSWERS.values()
        for identifier, answers in getattr(module, name).items()
        for number, answer in enumerate(answers)
    ]


def questions():
    return [question for notebook in NOTEBOOKS if notebook[3:] in ANSWERS for question in questions_of(notebook)]


def graded(question, student, seed):
    """Whether the student's answers pass in a graded run."""
    first = first_cases(question) if is_secret(question) else ()
    cases = (*first, *question.graded_cases(seed, STUDENT))
    return all(question.judge(student, case, expected) is None for case, expected in cases)


@pytest.mark.parametrize(("identifier", "wrong"), given("WRONG"))
def test_a_wrong_answer_is_rejected_on_a_smallest_case(identifier, wrong):
    question, student = find_question(identifier), Direct(wrong.answer)
    failure = examine(question, student, STUDENT).failure
    assert failure is not None
    assert size_of(identifier)(failure.case) <= wrong.size
    assert wrong.bug is None or is_named(failure, wrong.bug)


def is_named(failure, name):
    """Whether a mistake is named, alone or with others that no case tells from it."""
    return failure.bug is not None and name in failure.bug.name.split(" or ")


@pytest.mark.parametrize(("identifier", "wrong"), given("WRONG"))
def test_a_wrong_answer_gets_no_points(identifier, wrong):
    for seed in SECRET_SEEDS:
        assert not graded(find_question(identifier), Direct(wrong.answer), seed)


@pytest.mark.parametrize(("identifier", "right"), given("RIGHT"))
def test_a_right_answer_is_accepted(identifier, right):
    question = find_question(identifier)
    outcome = examine(question, Direct(right), STUDENT)
    assert outcome.failure is None
    for seed in SECRET_SEEDS:
        assert graded(question, Direct(right), seed)


KNOWN = [pytest.param(question, bug, id=f"{question.identifier}-{bug.name}")
         for question in questions() for bug in question.bugs if bug.wrong is not None]  # fmt: skip


@pytest.mark.parametrize(("question", "bug"), KNOWN)
def test_a_known_mistake_is_rejected_and_named(question, bug):
    student = Direct(bug.wrong)
    assert is_named(examine(question, student).failure, bug.name)
    assert not any(graded(question, student, seed) for seed in SECRET_SEEDS)
    for case, _ in question.graded_cases(SECRET_SEEDS[0], STUDENT)[:10]:
        assert not failed_by_itself(question, bug, case)


def failed_by_itself(question, bug, case):
    """Whether a mistake's own text is at fault: it cannot be compiled, or uses a name that is not there."""
    try:
        question.answer_of(bug.wrong, case)
    except StudentError as error:
        return isinstance(error.__cause__, SyntaxError | NameError)
    return False


@pytest.mark.parametrize("question", questions(), ids=lambda question: question.identifier)
def test_there_are_enough_answers(question):
    """A question that is programmed has right answers that are not its reference, and mistakes made in one of them."""
    module = ANSWERS[question.identifier.partition(".")[0]]
    assert question.identifier in module.WRONG
    if question.kind in ("write", "mend"):
        assert len(module.WRONG[question.identifier]) >= 4
        assert any(wrong.bug for wrong in module.WRONG[question.identifier])
        assert len(module.RIGHT[question.identifier]) >= 3
