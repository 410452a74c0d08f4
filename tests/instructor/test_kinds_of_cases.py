"""Wrong answers to which few random cases object: each kind of case is in every graded run, so every seed does."""

import re
from pathlib import Path

import pytest

from benchmarks.bench_answers import namespace
from course_lib.check.examine import Direct, first_failure
from instructor import tables
from instructor.questions import ROOT, notebooks

pytestmark = pytest.mark.slow
pytest.importorskip("numpy")
QUESTIONS = {question.identifier: question for notebook in notebooks().values() for question in notebook.questions}
TEXT = Path(__file__).with_name("kinds_of_cases.txt").read_text(encoding="utf-8")
ANSWERS = re.findall(r"^=== (wrong|right) (\S+)\n(.*?)(?=^===|\Z)", TEXT, re.M | re.S)


def is_refused(identifier, code, seed):
    """Whether one of the cases that are drawn by kind refuses the answer."""
    if identifier not in QUESTIONS:
        pytest.skip(f"{identifier} is not in the course any more")
    question = QUESTIONS[identifier]
    names, _ = namespace(ROOT / "solutions", question.notebook.name, identifier, code)
    table, student = tables.head(question), Direct(names[question.name])
    return first_failure(table, student, tables.secret_rows(question, table, str(seed), 0)).failure is not None


@pytest.mark.parametrize(("kind", "identifier", "code"), ANSWERS, ids=lambda text: text[:30].partition("\n")[0])
def test_every_seed_refuses_a_wrong_answer_and_none_a_right_one(kind, identifier, code):
    assert {is_refused(identifier, code, seed) for seed in range(4)} == {kind == "wrong"}
