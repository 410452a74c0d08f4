"""Hostile and broken submissions graded as one class: each gets what it deserves, and nobody else suffers."""

import hashlib
import json
from pathlib import Path

import pytest

from grading_command.classes import hand_in
from grading_command.hostile import ASKED, ATTACKS, NOTEBOOK, QUESTIONS, VALUE, honest, solution_cells
from instructor.grade.command import grade
from instructor.grade.marking import secret_cases

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
SEED, LIMIT, JOBS = 5, 1, 4
HONEST = "honest", "zoe", "another one"


def files_in_reach():
    return {path: hashlib.sha256(path.read_bytes()).digest() for path in (ROOT / "course_lib" / "games").rglob("*.py")}


def graded(folder, out):
    grade(folder, out, secret_seed=SEED, jobs=JOBS, time_limit=LIMIT)
    return json.loads((out / "grades.json").read_text())["students"]


@pytest.fixture(scope="module")
def attackers(request):
    """The numbers of the attacks that this run asks for."""
    asked = {
        item.callspec.params["number"]
        for item in request.session.items
        if getattr(item, "originalname", "") == test_an_attack_gets_what_it_deserves.__name__
    }
    return sorted(asked)


@pytest.fixture(scope="module")
def results(bubblewrap, tmp_path_factory, attackers):
    """The results of a class of attackers, each named by its number, with honest students among them."""
    folder, before = tmp_path_factory.mktemp("class"), files_in_reach()
    for name in ASKED:  # once, and not in each worker
        secret_cases(NOTEBOOK, name, SEED)
    hand_in(folder, {f"attacker {number}": ATTACKS[number].content(f"attacker {number}") for number in attackers})
    hand_in(folder, {student: honest(student) for student in HONEST})
    out = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as shorter:
        shorter.setattr("instructor.grade.remote.WALL", 4)  # for those that sleep
        students = graded(folder, out)
    assert files_in_reach() == before
    return out, students


@pytest.mark.parametrize("number", [pytest.param(number, id=attack.name) for number, attack in enumerate(ATTACKS)])
def test_an_attack_gets_what_it_deserves(results, number):
    out, students = results
    attack, (submission,) = ATTACKS[number], students[f"attacker {number}"]["submissions"]
    marks = submission["questions"]
    lost = {name for name, mark in marks.items() if mark["points"] < mark["of"]}
    callers = {name for name, source in solution_cells() if name != VALUE and "my_minimax_value(" in source}
    assert lost - callers == set(attack.lost)
    said = [*submission["notes"], *(mark["verdict"] for mark in marks.values())]
    assert all("\n" not in line for line in said)
    assert attack.says in "\n".join(said)
    assert set(marks) == set(QUESTIONS)
    page = (out / "feedback" / f"attacker {number}.html").read_text()
    assert "<script" not in page and "onerror" not in page


def test_the_honest_get_what_they_get_without_the_others(results, tmp_path):
    hand_in(tmp_path / "class", {student: honest(student) for student in HONEST})
    alone = graded(tmp_path / "class", tmp_path / "results")
    _, students = results
    for submission in [student["submissions"][0] for student in (*students.values(), *alone.values())]:
        submission["notes"] = [note for note in submission["notes"] if "are equal, but for" not in note]
    assert {student: students[student] for student in HONEST} == alone
    assert all(mark["points"] == mark["of"] for mark in alone["zoe"]["submissions"][0]["questions"].values())


def test_every_submission_has_a_row(results, attackers):
    out, students = results
    rows = (out / "grades.csv").read_text().splitlines()
    assert len(rows) == 1 + len(attackers) + len(HONEST) == 1 + len(students)
    assert rows[0].split(",") == ["student", *QUESTIONS, "total"]
