"""The command: what it writes, and that nothing is lost when it is killed."""

import csv
import io
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from course_lib.check.examine import Outcome
from course_lib.check.failures import Verdict
from grading_command.classes import (
    EMPTY,
    POINTS,
    WRONG,
    command,
    everything,
    hand_in,
    notes,
    page,
    pages,
    questions_in,
    rows,
    stored,
    students_of,
    totals,
)
from grading_command.hostile import NOTEBOOK, QUESTIONS, TABLES, VALUE, extra, honest, instead, notebook, value
from instructor.__main__ import main
from instructor.grade.command import grade
from instructor.grade.executors import progress
from instructor.grade.gradebook import Student, canvas_csv, grades_csv, page_names
from instructor.grade.marking import SECRET_WORDS, mark
from instructor.grade.results import _row_of_question, feedback_page
from instructor.grade.submissions import Submission
from sections import sections

FIRST = "03_alpha_beta"
PROGRAMS = sections(Path(__file__).with_name("programs.txt"))
WORTH = {name: table.points for name, table in TABLES.items()}
RAISES = "def my_minimax_value(game, state):\n    raise KeyError(len(game.actions(state)))"


@pytest.fixture(scope="module")
def small_class(tmp_path_factory):
    optimist = PROGRAMS["everybody maximises"]
    students = {"ada": honest("ada"), "bob": instead(WRONG)("bob"), "eve <b>": instead(optimist)("eve <b>"),
                "fay": notebook(["nonsense("]), "=cmd": honest("=cmd"),
                "gil": extra(RAISES)("gil")}  # fmt: skip
    return hand_in(tmp_path_factory.mktemp("small") / "class", students)


@pytest.fixture(scope="module")
def graded(bubblewrap, small_class, tmp_path_factory):
    out = tmp_path_factory.mktemp("graded")
    assert grade(small_class, out, secret_seed=1, jobs=2) == 6
    return out


def test_the_table(graded):
    table = rows(graded)
    assert list(table["ada"]) == ["student", *QUESTIONS, "total"]
    assert table["ada"] == {"student": "ada", **{name: str(true_value) for name, true_value in WORTH.items()},
                            "total": str(POINTS)}  # fmt: skip
    missed = POINTS - WORTH[VALUE]
    assert totals(graded) == {"'=cmd": POINTS, "ada": POINTS, "bob": missed, "eve <b>": missed, "fay": 0, "gil": missed}
    assert not (graded / "canvas.csv").exists()


def student_called(name):
    return Student(name, "page.html", [Submission(name, name, None, "")])


@pytest.mark.parametrize("name", ["=cmd", " =cmd", "\t+1", "-1", "@x", "\uff1d1", "\r=1"])
def test_no_name_is_a_formula_in_a_spreadsheet(name):
    students = [student_called(name)]
    for table in (grades_csv(students, [NOTEBOOK]), canvas_csv(students, [NOTEBOOK])):
        (row,) = csv.reader(io.StringIO(table.split("\n", 1)[1]))
        assert row[0] == "'" + name.strip()


def test_no_name_moves_the_cursor_of_a_terminal():
    table = grades_csv([student_called("a\x1b[2Jb\x07\u202ec")], [NOTEBOOK])
    assert table.splitlines()[1].startswith("a[2Jbc,")
    assert "<h1>Feedback for a[2Jb\tc</h1>" in feedback_page(student_called("a\x1b[2Jb\x07\u202e\tc"))


def test_the_record(graded):
    record = json.loads(everything(graded)["grades.json"])
    assert record["secret_seed"] == 1 and record["python"] and record["course_lib"]
    assert record["points"] == {NOTEBOOK: WORTH}
    assert students_of(graded)["fay"]["submissions"][0]["notes"][0].startswith("code cell 1: SyntaxError")
    assert {mark["verdict"] for mark in questions_in(graded, "fay").values()} == {Verdict.UNANSWERED}
    marks = {name: questions_in(graded, name)[VALUE] for name in ("bob", "eve <b>", "gil")}
    assert {name: mark["verdict"] for name, mark in marks.items()} == {
        "bob": Verdict.WRONG, "eve <b>": Verdict.WRONG, "gil": Verdict.RAISED}  # fmt: skip
    assert marks["eve <b>"]["mistake"] == "everybody maximises" and not marks["gil"]["mistake"]


def test_the_feedback(graded):
    text = page(graded, students_of(graded)["eve <b>"]["page"].removesuffix(".html"))
    assert "eve &lt;b&gt;" in text and "eve <b>" not in text
    assert "data:image/png;base64," in text
    assert "http" not in text and "<script" not in text
    for identifier, points in ((VALUE, 0), (QUESTIONS[-1], WORTH[QUESTIONS[-1]])):
        assert re.search(rf'{re.escape(identifier)}</span></h3>\s*<span class="of">{points} of', text)
    assert "raise KeyError(len(game.actions(state)))" in page(graded, "gil")
    assert "my_minimax_value is defined in code cells" in page(graded, "gil")


def test_the_marks_of_the_class(graded):
    text = (graded / "marks.html").read_text()
    assert all(question in text for question in QUESTIONS)
    assert "<dt>students</dt><dd>6</dd>" in text
    assert re.search(r'<a href="feedback/fay.html">fay</a>: code cell 1: SyntaxError', text)
    assert re.search(r"<summary>1 × cells that failed.*?</summary>", text, re.S)
    row, *_ = re.findall(rf"<tr[^>]*>(?:(?!</tr>).)*{re.escape(VALUE)}<.*?</tr>", text, re.S)
    words = " ".join(re.sub(r"<[^>]+>", " ", row).split())
    assert f"{WORTH[VALUE] / 3:.1f} 0 33% 2 ✓ 3 ✗ 1 –" in words
    for name in pages(graded):
        assert f'href="feedback/{name}"' in text
    assert text.count("<script") == 1 and not re.search(r"(src|href)=\"?(http|//)", text)


def test_the_most_common_mistakes_of_a_question():
    made = [("wrong answer", "rare"), *[("wrong answer", "max for min")] * 2, ("an error", ""), ("not answered", "")]
    given = [{"verdict": verdict, "mistake": name, "points": 0, "of": 2} for verdict, name in made]
    assert _row_of_question(TABLES[VALUE], given)["mistakes"] == [("max for min", 2), ("rare", 1)]


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_pages_are_accessible_and_sort(graded, browser, colours):
    context = browser.new_context(color_scheme=colours, viewport={"width": 360, "height": 800})
    page = context.new_page()
    for path in ("marks.html", "feedback/gil.html"):
        page.goto((graded / path).as_uri())
        found = Axe().run(page, options={"resultTypes": ["violations"]})
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.goto((graded / "marks.html").as_uri())
    students = page.get_by_role("table", name="Students")
    students.get_by_role("button", name="total").click()
    assert students.locator("tbody tr").first.inner_text().split()[-1] == "0"
    context.close()


def test_no_name_is_that_of_another_students_page():
    names = page_names(["O'Brien", "ada", "Ada", "漢" * 85, "漢" * 84 + "字", "Ada " * 30, "..", "x/../y"])
    assert len({page.casefold() for page in names.values()}) == 8
    assert all(len(page.encode()) < 240 and "/" not in page for page in names.values())
    (name,) = page_names(["O'Brien"]).values()
    assert len({*page_names(["O'Brien", name.removesuffix(".html").upper()]).values()}) == 2


def test_the_results_mirror_the_folder(bubblewrap, tmp_path):
    """What is new or has changed is graded with the seed of the first run; nobody with marks is dropped."""
    folder, out = hand_in(tmp_path / "class", {"ada": instead(WRONG)("ada"), "bob": honest("bob")}), tmp_path / "out"
    assert grade(folder, out, jobs=1) == 2
    hand_in(folder, {"ada": honest("ada"), "late": EMPTY})
    hand_in(folder, {"bob": EMPTY}, FIRST)
    (tmp_path / "roster.csv").write_text("student\nada\nbob\nlate\nnobody")
    assert grade(folder, out, jobs=1, only=[NOTEBOOK], roster=tmp_path / "roster.csv") == 2
    assert totals(out) == {"ada": POINTS, "bob": POINTS, "late": 0, "nobody": 0}
    assert notes(out)["nobody"] == "nothing was handed in" and "nobody.html" in pages(out)
    assert not any(name.startswith("alpha_beta") for name in rows(out)["bob"])
    assert grade(folder, out, jobs=1) == 1
    assert rows(out)["bob"]["alpha_beta.search"] == "0" and "nobody.html" not in pages(out)
    before = everything(out)
    shutil.rmtree(folder / "ada")
    (folder / "bob" / f"{FIRST}.ipynb").unlink()
    with pytest.raises(ValueError, match=rf"out has marks of ada \({NOTEBOOK}\), bob \({FIRST}\), whose work is not"):
        grade(folder, out, jobs=1)
    assert everything(out) == before


def test_what_is_not_a_class_is_an_error(tmp_path):
    folder = hand_in(tmp_path / "class", {"ada": EMPTY})
    with pytest.raises(ValueError, match="results must not lie inside the submissions"):
        grade(folder, folder / "out")
    (tmp_path / "nothing").mkdir()
    with pytest.raises(SystemExit, match="has no notebooks that were handed in"):
        main(["grade", str(tmp_path / "nothing"), "--out", str(tmp_path / "out")])


@pytest.mark.slow
def test_killed_at_any_moment_and_resumed(bubblewrap, tmp_path):
    """From the first import to the last page: all that is there is whole, and nothing is graded twice."""
    kills, count, rng = 20, 30, random.Random(20)
    students = {f"s{n:02}": honest(f"s{n:02}") if n % 3 else instead(WRONG)(f"s{n:02}") for n in range(count)}
    folder, out, known = hand_in(tmp_path / "class", students), tmp_path / "out", {}
    for kill in range(kills):
        process = command(folder, out, "--secret-seed", 3, "-j", 2)
        pause = rng.uniform(0, 8) if kill % 2 else 0
        wanted = len(known) + (0 if pause else rng.randint(1, 3))
        began = time.monotonic()
        while process.poll() is None and (time.monotonic() - began < pause or len(stored(out)) < wanted):
            time.sleep(0.01)
        process.send_signal({1: signal.SIGINT, 4: signal.SIGTERM}.get(kill % 6, signal.SIGKILL))
        process.wait()
        now = stored(out)
        assert now.items() >= known.items(), "a submission was graded twice, or lost"
        known = now
        for path in [path for path in out.glob("*.*") if path.is_file() and path.suffix not in (".new", "")]:
            assert path.read_text().endswith("\n")
    assert command(folder, out, "--secret-seed", 3, "-j", 2).wait() == 0
    assert stored(out).items() >= known.items() and len(stored(out)) == count
    grade(folder, tmp_path / "at one go", secret_seed=3, jobs=2)
    assert everything(out) == everything(tmp_path / "at one go")


def test_a_shutdown_leaves_no_temporary_files(bubblewrap, tmp_path, monkeypatch):
    places = tmp_path / "temporary"
    places.mkdir()
    monkeypatch.setenv("TMPDIR", str(places))
    process = command(hand_in(tmp_path / "class", {"ada": honest("ada")}), tmp_path / "out")
    while process.poll() is None and not (tmp_path / "out").exists():  # not while the temporary folder is made
        time.sleep(0.01)
    assert any(places.iterdir())
    process.terminate()
    assert process.wait() == 1 and not any(places.iterdir())


def test_a_shutdown_during_an_import_is_one_too(tmp_path):
    (tmp_path / "ended.py").write_text(PROGRAMS["ended in exec"])
    ended = subprocess.run([sys.executable, "-m", "ended"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.getcwd()})
    assert ended.returncode == 1


def test_only_one_run_at_a_time_writes_results(tmp_path):
    folder, out = hand_in(tmp_path / "class", {"ada": honest("ada")}), tmp_path / "out"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", PROGRAMS["holds the results"], str(out)], **pipes) as holds:
        assert holds.stdout.readline() == b"1\n"
        with pytest.raises(ValueError, match="another run is writing"):
            grade(folder, out, secret_seed=3, jobs=1, sandboxed=False)
        holds.stdin.close()


def dying_mark(content, *options):
    os._exit(1)


def failing_mark(*arguments):
    raise RuntimeError("a fault of the grader's")


@pytest.mark.slow
def test_a_worker_that_dies_stops_the_run_and_what_was_marked_is_kept(bubblewrap, tmp_path, monkeypatch):
    folder, out = hand_in(tmp_path / "class", {"ada": honest("ada")}), tmp_path / "out"
    grade(folder, out, jobs=1)
    hand_in(folder, {"bob": honest("bob")})
    with monkeypatch.context() as patched:
        patched.setattr("instructor.grade.command.mark", dying_mark)
        with pytest.raises(OSError, match="the same command continues from there"):
            grade(folder, out, jobs=1)
    assert grade(folder, out, jobs=1) == 1
    assert totals(out) == {"ada": POINTS, "bob": POINTS}


def test_a_submission_that_the_grader_failed_on_is_reported_and_marked_by_the_next_run(
    bubblewrap, tmp_path, monkeypatch
):
    folder, out = hand_in(tmp_path / "class", {"ada": honest("ada")}), tmp_path / "out"
    with monkeypatch.context() as patched:
        patched.setattr("instructor.grade.marking._marks", failing_mark)
        assert grade(folder, out, jobs=1) == 1
        assert {mark["verdict"] for mark in questions_in(out, "ada").values()} == {Verdict.NOT_GRADED}
        assert "your instructor will look at it" in page(out, "ada") and "a fault of" in notes(out)["ada"]
    assert grade(folder, out, jobs=1) == 1
    assert totals(out) == {"ada": POINTS}


def test_a_file_that_cannot_be_read_has_a_note_without_a_path(bubblewrap, tmp_path):
    folder = hand_in(tmp_path / "class", {"ada": EMPTY, "bob": b"x" * (9 << 20)})
    grade(folder, tmp_path / "out", jobs=1)
    assert "cannot be read: more than" in page(tmp_path / "out", "bob")
    assert str(tmp_path) not in page(tmp_path / "out", "bob")
    assert rows(tmp_path / "out")["bob"] == {"student": "bob", **dict.fromkeys(QUESTIONS, ""), "total": ""}
    assert "not marked" in page(tmp_path / "out", "bob") and students_of(tmp_path / "out")["bob"]["total"] is None


@pytest.mark.parametrize("closed", [None, "/dev/full"])
def test_a_bar_that_nobody_can_read_stops_nothing(monkeypatch, closed):
    stderr = closed and open(closed, "w", buffering=1)  # noqa: SIM115
    monkeypatch.setattr("sys.stderr", stderr)
    progress(1, 2), progress(2, 2)


TELLS = "told.append(leaves(game, state))\nfrom course_lib.check import student\nstudent(repr(told[-1]))\n"


@pytest.mark.parametrize(
    "answer", ["raise KeyError(17)", "return 17, 4", "return print", "time.sleep(99)", "return ...", TELLS]
)
def test_nothing_of_a_secret_case_is_revealed(bubblewrap, monkeypatch, answer):
    """A program that knows the public cases could say by its answer, or the kind of its error, what it is asked."""
    monkeypatch.setattr("instructor.grade.marking.public_outcome", lambda *arguments: Outcome(None, 0))
    monkeypatch.setattr("instructor.grade.remote.WALL", 3)
    cells = json.loads(value(answer, f"told = []\n{PROGRAMS['leaves']}")("ada"))["cells"]
    marks = mark([cell["source"] for cell in cells], NOTEBOOK, "ada", 7, limit=2)
    of_value = marks["questions"][VALUE]
    assert (of_value["points"], of_value["verdict"], of_value["report"]) == (0, Verdict.WRONG, "")
    assert (of_value["message"], of_value["mistake"]) == (SECRET_WORDS, "")
    assert marks["notes"] == []


def test_the_command_works_where_the_system_knows_no_letters_but_those_of_ascii(bubblewrap, tmp_path):
    name = "Kurt Gödel 漢"
    (tmp_path / "roster.csv").write_text(f"student,moodle\n{name},{name}\n", encoding="utf-8")
    folder, out = hand_in(tmp_path / "class", {name: honest(name)}), tmp_path / "results"
    around = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    process = command(folder, out, "--roster", tmp_path / "roster.csv", env=around)
    assert process.wait() == 0, process.stderr.read()
    assert totals(out) == {name: POINTS}
