"""The command: what it writes, that nothing is lost when it is killed, and that a cluster comes to the same."""

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
import unicodedata
from pathlib import Path

import pytest

from course_lib.__main__ import main
from course_lib.check.question import questions_of
from course_lib.grade.batch import grade
from course_lib.grade.gradebook import canvas_csv, grades_csv
from course_lib.grade.pool import Pool
from course_lib.grade.state import STATE
from grading_command.hostile import NOTEBOOK, QUESTIONS, VALUE, honest, instead, notebook

POINTS = {question.identifier: question.points for question in questions_of(NOTEBOOK)}
WRONG = "def my_minimax_value(game, state):\n    return 7"
PESSIMIST = """
def my_minimax_value(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    return min(my_minimax_value(game, game.result(state, a)) for a in game.actions(state))
"""


def class_of(folder, students):
    for student, content in students.items():
        (folder / student).mkdir(parents=True)
        (folder / student / f"{NOTEBOOK}.ipynb").write_bytes(content)
    return folder


def results_without_times(out):
    """All that was written but the state, as text by name, without the times."""
    texts = {path.relative_to(out).as_posix(): path.read_text() for path in out.rglob("*") if path.is_file()}
    record = json.loads(texts["grades.json"])
    del record["times"]
    return {name: text for name, text in texts.items() if STATE not in name} | {"grades.json": record}


@pytest.fixture(scope="module")
def small_class(tmp_path_factory):
    students = {"ada": honest("ada"), "bob": instead(WRONG)("bob"), "eve <b>": instead(PESSIMIST)("eve <b>"),
                "fay": notebook(["nonsense("]), "=cmd": honest("=cmd")}  # fmt: skip
    return class_of(tmp_path_factory.mktemp("small") / "class", students)


@pytest.fixture(scope="module")
def graded(bubblewrap, small_class, tmp_path_factory):
    out = tmp_path_factory.mktemp("graded")
    assert grade(small_class, out, secret_seed=1, jobs=2) == 5
    return out


def test_the_table(graded):
    rows = {row["student"]: row for row in csv.DictReader((graded / "grades.csv").open())}
    assert list(rows["ada"]) == ["student", *QUESTIONS, "total"]
    assert rows["ada"] == {name: str(points) for name, points in POINTS.items()} | {
        "student": "ada", "total": str(sum(POINTS.values()))}  # fmt: skip
    assert rows["bob"][VALUE] == "0" and rows["bob"]["total"] == str(sum(POINTS.values()) - POINTS[VALUE])
    assert rows["fay"]["total"] == "0"
    assert "'=cmd" in rows


@pytest.mark.parametrize("name", ["=cmd", " =cmd", "\t+1", "-1", "@x", "\uff1d1", "\r=1", "=1\r"])
def test_no_name_is_a_formula_in_a_spreadsheet(name):
    record = {name: {"total": 0, "submissions": [], "number": ""}}
    (row,) = csv.DictReader(io.StringIO(grades_csv(record, [NOTEBOOK])))
    assert row["student"] == "'" + name.replace("\r", " ").rstrip()


@pytest.mark.parametrize("name", ["x;=1+1", "x; \t+1", "x,@SUM(1)", 'x";"=1+1', "x|-1", "x;y;\uff1d1"])
def test_no_name_is_a_formula_where_cells_are_separated_otherwise(name):
    """A spreadsheet set to another country cuts lines at semicolons, tabs or bars, whatever is quoted."""
    record = {name: {"total": 0, "submissions": [], "number": ""}}
    for table in (grades_csv(record, [NOTEBOOK]), canvas_csv(record, [NOTEBOOK])):
        line = table.splitlines()[1]
        for separator in ";|\t":
            cells = [unicodedata.normalize("NFKC", cell).lstrip(' \t"') for cell in line.split(separator)]
            assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@")]


def test_the_table_for_canvas(graded):
    rows = list(csv.DictReader((graded / "canvas.csv").open()))
    assert list(rows[0]) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", NOTEBOOK]
    assert {row["SIS Login ID"]: row[NOTEBOOK] for row in rows}["ada"] == str(sum(POINTS.values()))


def test_the_record(graded):
    record = json.loads((graded / "grades.json").read_text())
    assert record["secret_seed"] == 1 and record["python"] and record["course_lib"]
    assert record["points"] == {NOTEBOOK: POINTS}
    (submission,) = record["students"]["fay"]["submissions"]
    assert submission["notes"][0].startswith("code cell 1: SyntaxError")
    assert {mark["kind"] for mark in submission["questions"].values()} == {"not answered"}


def test_the_feedback(graded):
    (page,) = (graded / "feedback").glob("eve*.html")
    text = page.read_text()
    assert "eve &lt;b&gt;" in text and "eve <b>" not in text
    assert "<img" in text and "data:image/png;base64," in text
    assert "http" not in text and "<script" not in text
    for identifier, points in ((VALUE, 0), (QUESTIONS[-1], POINTS[QUESTIONS[-1]])):
        assert re.search(rf'{re.escape(identifier)}</span></h3>\s*<span class="of">{points} of', text)
    named = json.loads((graded / "grades.json").read_text())["students"]["eve <b>"]["submissions"][0]["questions"][
        VALUE
    ]
    assert named["kind"] not in ("", "wrong answer", "an error")


def test_the_plots(graded):
    text = (graded / "marks.html").read_text()
    assert all(question in text for question in QUESTIONS)
    assert "not answered" in text and "<dt>students</dt><dd>5</dd>" in text
    assert re.search(r'<a href="feedback/fay.html">fay</a>: code cell 1: SyntaxError', text)


def test_grading_again_does_nothing_and_elsewhere_the_same(graded, small_class, tmp_path):
    before = results_without_times(graded)
    assert grade(small_class, graded, secret_seed=1, jobs=1) == 0
    assert results_without_times(graded) == before
    assert grade(small_class, tmp_path, secret_seed=1, jobs=1) == 5
    assert results_without_times(tmp_path) == before


def test_what_has_changed_is_graded_again(bubblewrap, tmp_path):
    folder = class_of(tmp_path / "class", {"ada": instead(WRONG)("ada"), "bob": honest("bob")})
    assert grade(folder, tmp_path / "out", jobs=1) == 2
    (folder / "ada" / f"{NOTEBOOK}.ipynb").write_bytes(honest("ada"))
    assert grade(folder, tmp_path / "out", jobs=1) == 1  # with the seed of the first run, which it kept
    totals = {row["total"] for row in csv.DictReader((tmp_path / "out" / "grades.csv").open())}
    assert totals == {str(sum(POINTS.values()))}


def command(folder, out, *options):
    arguments = [sys.executable, "-m", "course_lib", "grade", folder, "--out", out, "--secret-seed", "3", "-j", "2"]
    return subprocess.Popen([*map(str, arguments), *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            start_new_session=True)  # fmt: skip


def marked(out):
    """When each submission was marked, by the file of its marks; each of them must be whole."""
    files = [path for path in (out / STATE).glob("*.json") if path.name != "seed.json"]
    heads, feedback = zip(*(path.read_text().splitlines() for path in files)) if files else ((), ())
    assert all(json.loads(head)["fingerprint"] for head in heads) and all(map(json.loads, feedback))
    return {path.name: path.stat().st_mtime_ns for path in files}


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_killed_and_resumed(bubblewrap, tmp_path, sign):
    luck = random.Random(sign)
    students = {f"s{n:02}": honest(f"s{n:02}") if n % 2 else instead(WRONG)(f"s{n:02}") for n in range(12)}
    folder, out = class_of(tmp_path / "class", students), tmp_path / "out"
    known = {}
    for moment in sorted(luck.sample(range(1, 12), 3)):
        process = command(folder, out)
        while process.poll() is None and len(marked(out)) < moment:
            time.sleep(luck.random() / 50)
        os.kill(process.pid, sign)
        process.wait()
        now = marked(out)
        assert now.items() >= known.items(), "a submission was graded twice, or lost"
        known = now
    process = command(folder, out)
    assert process.wait() == 0
    assert marked(out).items() >= known.items()
    grade(folder, tmp_path / "at one go", secret_seed=3, jobs=2)
    assert results_without_times(out) == results_without_times(tmp_path / "at one go")


def die_once(flag):
    """The first to be called ends its worker."""
    try:
        Path(flag).touch(exist_ok=False)
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def dying_mark(content, *options):
    from course_lib.grade.marking import mark

    die_once(os.environ["FLAG"])
    return mark(content, *options)


def test_a_worker_that_dies_costs_nothing(graded, small_class, tmp_path, monkeypatch):
    monkeypatch.setenv("FLAG", str(tmp_path / "flag"))
    monkeypatch.setattr("course_lib.grade.batch.mark", dying_mark)
    out = tmp_path / "out"
    grade(small_class, out, secret_seed=1, jobs=2)
    assert (tmp_path / "flag").exists()
    assert results_without_times(out) == results_without_times(graded)


def test_the_pool_works_on_after_a_death():
    pool = Pool(1, lambda: None)
    try:
        with pytest.raises(Exception, match="terminated"):
            pool.submit(os.kill, os.getpid(), 0).result(), pool.submit(os.abort).result()
        pool.renew()
        assert pool.submit(abs, -3).result() == 3
    finally:
        pool.end()


def test_a_cluster_comes_to_the_same_even_if_a_worker_is_killed(graded, small_class, tmp_path, bubblewrap):
    distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        pids = client.run(os.getpid)
        killer = subprocess.Popen(["sh", "-c", f"sleep 3; kill -9 {next(iter(pids.values()))}"])
        grade(small_class, tmp_path / "out", secret_seed=1, scheduler=cluster.scheduler_address)
        killer.wait()
    assert results_without_times(tmp_path / "out") == results_without_times(graded)


def test_marks_that_are_in_pieces_are_made_again(graded, small_class, tmp_path):
    shutil.copytree(graded, tmp_path / "out")
    broken = next(path for path in (tmp_path / "out" / STATE).glob("*.json") if path.name != "seed.json")
    broken.write_bytes(b"")
    assert grade(small_class, tmp_path / "out", secret_seed=1, jobs=1) == 1
    assert results_without_times(tmp_path / "out") == results_without_times(graded)


def test_nothing_handed_in_is_said_and_leaves_results_alone(graded, tmp_path):
    (tmp_path / "class").mkdir()
    with pytest.raises(SystemExit, match="has no notebooks"):
        main(["grade", str(tmp_path / "class"), "--out", str(tmp_path / "out")])
    assert not (tmp_path / "out").exists()


def test_without_bubblewrap_it_says_so_and_goes_on_if_told_to(small_class, tmp_path, monkeypatch, graded):
    monkeypatch.setattr("course_lib.grade.batch.why_no_sandbox", lambda: "bubblewrap is missing: `apt install it`")
    arguments = ["grade", str(small_class), "--out", str(tmp_path / "out"), "--secret-seed", "1", "-j", "2"]
    with pytest.raises(SystemExit, match=r"bubblewrap is missing.*--no-sandbox"):
        main(arguments)
    main([*arguments, "--no-sandbox"])
    assert (tmp_path / "out" / "grades.csv").read_text() == (graded / "grades.csv").read_text()


def test_the_guide_names_the_options_that_there_are(capsys):
    guide = (Path(__file__).parents[2] / "GRADING.md").read_text()
    with pytest.raises(SystemExit):
        main(["grade", "--help"])
    told = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", capsys.readouterr().out)) - {"--help", "--out"}
    table = guide.split("## Grade\n")[1].split("Stop it")[0]
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", table)) - {"--out"} == told


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--only", "2_minimax"], "2_minimax is no exercise; they are 01_game_formalism"),
        (["--scheduler", "tcp://127.0.0.1:1"], "no Dask scheduler answers"),
        (["--roster", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_what_cannot_be_done_is_said(small_class, tmp_path, options, error):
    with pytest.raises(SystemExit, match=error):
        main(["grade", str(small_class), "--out", str(tmp_path), *options])
