"""The command: what it writes, that nothing is lost when it is killed, and that a cluster comes to the same."""

import csv
import io
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unicodedata
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest

from course_lib.check.question import questions_of
from grading_command.classes import (
    POINTS,
    WRONG,
    command,
    everything,
    hand_in,
    notes,
    page,
    questions_in,
    rows,
    stored,
    students_of,
    totals,
)
from grading_command.hostile import NOTEBOOK, QUESTIONS, VALUE, honest, instead, notebook
from instructor.__main__ import main
from instructor.grade.command import grade
from instructor.grade.executors import Pool, show_progress
from instructor.grade.gradebook import canvas_csv, grades_csv, page_names
from instructor.grade.state import STATE
from instructor.grade.submissions import collect
from instructor.grade.webpages import feedback_page

WORTH = {question.identifier: question.points for question in questions_of(NOTEBOOK)}
PESSIMIST = """
def my_minimax_value(game, state):
    if game.is_terminal(state):
        return game.utility(state, MAX)
    return min(my_minimax_value(game, game.result(state, a)) for a in game.actions(state))
"""


@pytest.fixture(scope="module")
def small_class(tmp_path_factory):
    students = {"ada": honest("ada"), "bob": instead(WRONG)("bob"), "eve <b>": instead(PESSIMIST)("eve <b>"),
                "fay": notebook(["nonsense("]), "=cmd": honest("=cmd")}  # fmt: skip
    return hand_in(tmp_path_factory.mktemp("small") / "class", students)


@pytest.fixture(scope="module")
def graded(bubblewrap, small_class, tmp_path_factory):
    out = tmp_path_factory.mktemp("graded")
    assert grade(small_class, out, secret_seed=1, jobs=2) == 5
    return out


def test_the_table(graded):
    table = rows(graded)
    assert list(table["ada"]) == ["student", *QUESTIONS, "total"]
    assert table["ada"] == {"student": "ada", **{name: str(worth) for name, worth in WORTH.items()},
                            "total": str(POINTS)}  # fmt: skip
    assert table["bob"][VALUE] == "0"
    assert totals(graded) == {"'=cmd": POINTS, "ada": POINTS, "bob": POINTS - WORTH[VALUE],
                              "eve <b>": POINTS - WORTH[VALUE], "fay": 0}  # fmt: skip


@pytest.mark.parametrize("name", ["=cmd", " =cmd", "\t+1", "-1", "@x", "\uff1d1", "\r=1", "=1\r"])
def test_no_name_is_a_formula_in_a_spreadsheet(name):
    record = {name: {"total": 0, "submissions": [], "number": ""}}
    (row,) = csv.DictReader(io.StringIO(grades_csv(record, [NOTEBOOK])))
    assert row["student"] == "'" + name.replace("\r", " ").rstrip()


def test_no_name_moves_the_cursor_of_a_terminal():
    table = grades_csv({"a\x1b[2Jb\x07\u202e\tc": {"total": 0, "submissions": [], "number": ""}}, [NOTEBOOK])
    assert table.splitlines()[1].startswith("a[2Jb\tc,")
    assert "<h1>Feedback for a[2Jb\tc</h1>" in feedback_page("a\x1b[2Jb\x07\u202e\tc", [])


def test_names_that_look_alike_have_rows_that_do_not():
    records = {name: {"total": 0, "submissions": [], "number": "", "page": page}
               for name, page in page_names(["Ada", "Ada\u200b", "Ada\x7f", "\u2066", "\u2060"]).items()}  # fmt: skip
    for table in (grades_csv(records, [NOTEBOOK]), canvas_csv(records, [NOTEBOOK])):
        first, *others = [row.split(",")[0] for row in table.splitlines()[1:]]
        assert first == "Ada" and len({first, *others, ""}) == 6


@pytest.mark.parametrize("name", ["x;=1+1", "x; \t+1", "x,@SUM(1)", 'x";"=1+1', "x|-1", "x;y;\uff1d1", "x;\ufe661"])
def test_no_name_is_a_formula_where_cells_are_separated_otherwise(name):
    """A spreadsheet set to another country cuts lines at semicolons, tabs or bars, whatever is quoted."""
    record = {name: {"total": 0, "submissions": [], "number": ""}}
    for table in (grades_csv(record, [NOTEBOOK]), canvas_csv(record, [NOTEBOOK])):
        line = table.splitlines()[1]
        for separator in ";|\t":
            cells = [unicodedata.normalize("NFKC", cell).lstrip(' \t"') for cell in line.split(separator)]
            assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@")]


def test_the_table_for_canvas(graded):
    table = list(csv.DictReader((graded / "canvas.csv").open()))
    assert list(table[0]) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", NOTEBOOK]
    assert {row["SIS Login ID"]: row[NOTEBOOK] for row in table}["ada"] == str(POINTS)


def test_the_record(graded):
    record = everything(graded)["grades.json"]
    assert record["secret_seed"] == 1 and record["python"] and record["course_lib"]
    assert record["points"] == {NOTEBOOK: WORTH}
    assert students_of(graded)["fay"]["submissions"][0]["notes"][0].startswith("code cell 1: SyntaxError")
    assert {mark["kind"] for mark in questions_in(graded, "fay").values()} == {"not answered"}
    assert questions_in(graded, "eve <b>")[VALUE]["kind"] not in ("", "wrong answer", "an error")


def test_the_feedback(graded):
    text = page(graded, students_of(graded)["eve <b>"]["page"].removesuffix(".html"))
    assert "eve &lt;b&gt;" in text and "eve <b>" not in text
    assert "<img" in text and "data:image/png;base64," in text
    assert "http" not in text and "<script" not in text
    for identifier, points in ((VALUE, 0), (QUESTIONS[-1], WORTH[QUESTIONS[-1]])):
        assert re.search(rf'{re.escape(identifier)}</span></h3>\s*<span class="of">{points} of', text)


def test_the_marks_of_the_class(graded):
    text = (graded / "marks.html").read_text()
    assert all(question in text for question in QUESTIONS)
    assert "not answered" in text and "<dt>students</dt><dd>5</dd>" in text
    assert re.search(r'<a href="feedback/fay.html">fay</a>: code cell 1: SyntaxError', text)


def test_grading_again_does_nothing_and_elsewhere_the_same(graded, small_class, tmp_path):
    before = everything(graded)
    assert grade(small_class, graded, secret_seed=1, jobs=1) == 0
    assert everything(graded) == before
    assert grade(small_class, tmp_path, secret_seed=1, jobs=1) == 5
    assert everything(tmp_path) == before


def test_what_has_changed_is_graded_again(bubblewrap, tmp_path):
    folder = hand_in(tmp_path / "class", {"ada": instead(WRONG)("ada"), "bob": honest("bob")})
    assert grade(folder, tmp_path / "out", jobs=1) == 2
    hand_in(folder, {"ada": honest("ada")})
    assert grade(folder, tmp_path / "out", jobs=1) == 1  # with the seed of the first run, which it kept
    assert totals(tmp_path / "out") == {"ada": POINTS, "bob": POINTS}


MANY = pytest.param(40, 60, marks=pytest.mark.slow)


@pytest.mark.parametrize(("kills", "count"), [(2, 6), MANY])
def test_killed_at_any_moment_and_resumed(bubblewrap, tmp_path, kills, count):
    """From the first import to the last page: all that is there is whole, and nothing is graded twice."""
    luck = random.Random(kills)
    students = {f"s{n:02}": honest(f"s{n:02}") if n % 3 else instead(WRONG)(f"s{n:02}") for n in range(count)}
    folder, out, known = hand_in(tmp_path / "class", students), tmp_path / "out", {}
    for kill in range(kills):
        process = command(folder, out, "--secret-seed", 3, "-j", 2)
        pause = luck.uniform(0, 8) if kill % 2 and kills > 3 else 0
        wanted = len(known) + (0 if pause else luck.randint(1, 3))
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
    while process.poll() is None and not any(places.iterdir()):
        time.sleep(0.01)
    process.terminate()
    assert process.wait() == 1 and not any(places.iterdir())


def test_only_one_run_at_a_time_writes_results(tmp_path):
    folder, out = hand_in(tmp_path / "class", {"ada": honest("ada")}), tmp_path / "out"
    out.mkdir()
    other = "import sys\nfrom pathlib import Path\nfrom instructor.grade.state import only_one\n"
    other += "held = only_one(Path(sys.argv[1]))\nprint(1, flush=True), sys.stdin.read()"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", other, str(out)], **pipes) as holds:
        assert holds.stdout.readline() == b"1\n"
        with pytest.raises(ValueError, match="another run is writing"):
            grade(folder, out, secret_seed=3, jobs=1, sandboxed=False)
        holds.stdin.close()


def dying_mark(content, *options):
    """The first to be called ends its worker, or raises an error of the system."""
    from instructor.grade.marking import mark

    try:
        Path(os.environ["FLAG"]).touch(exist_ok=False)
    except FileExistsError:
        return mark(content, *options)
    if "ERROR" in os.environ:
        raise OSError(os.environ["ERROR"])
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("error", ["", "the sandbox did not start"])
def test_a_worker_that_dies_costs_nothing(graded, small_class, tmp_path, monkeypatch, error):
    """Nor a sandbox that does not start, once: it is tried again with no other submission beside it."""
    monkeypatch.setenv("FLAG", str(tmp_path / "flag"))
    if error:
        monkeypatch.setenv("ERROR", error)
    monkeypatch.setattr("instructor.grade.command.mark", dying_mark)
    grade(small_class, tmp_path / "out", secret_seed=1, jobs=2)
    assert (tmp_path / "flag").exists()
    assert everything(tmp_path / "out") == everything(graded)


def always_dying_mark(content, *options):
    os._exit(1)


def test_a_submission_whose_worker_always_dies_is_reported(bubblewrap, tmp_path, monkeypatch):
    monkeypatch.setattr("instructor.grade.command.mark", always_dying_mark)
    assert grade(hand_in(tmp_path / "class", {"ada": honest("ada")}), tmp_path / "out", jobs=1) == 1
    assert {mark["kind"] for mark in questions_in(tmp_path / "out", "ada").values()} == {"not graded"}
    assert "your instructor will look at it" in page(tmp_path / "out", "ada")


def test_a_submission_that_the_grader_failed_on_is_marked_by_the_next_run(bubblewrap, tmp_path, monkeypatch):
    folder = hand_in(tmp_path / "class", {"ada": honest("ada")})
    with monkeypatch.context() as patched:
        patched.setattr("instructor.grade.command.mark", always_dying_mark)
        assert grade(folder, tmp_path / "out", jobs=1) == 1
    assert grade(folder, tmp_path / "out", jobs=1) == 1
    assert totals(tmp_path / "out") == {"ada": POINTS}


@pytest.mark.parametrize("left", [b"", None])
def test_a_file_that_cannot_be_read_any_more_keeps_its_marks(bubblewrap, tmp_path, monkeypatch, left):
    folder, out = hand_in(tmp_path / "class", {"ada": honest("ada")}), tmp_path / "out"
    file = folder / "ada" / f"{NOTEBOOK}.ipynb"
    content = file.read_bytes()
    assert grade(folder, out, jobs=1) == 1

    def gone(*arguments):
        found = collect(*arguments)
        file.unlink()
        return found

    with monkeypatch.context() as patched:
        if left is None:
            patched.setattr("instructor.grade.command.collect", gone)
        else:
            file.write_bytes(left)
        assert grade(folder, out, jobs=1) == 0
    assert totals(out) == {"ada": POINTS} and "kept from an earlier run" in notes(out)["ada"]
    file.write_bytes(content)
    assert grade(folder, out, jobs=1) == 0 and not notes(out)["ada"]


def test_a_class_that_goes_away_stops_the_run(bubblewrap, tmp_path, monkeypatch):
    folder = hand_in(tmp_path / "class", {"ada": honest("ada")})

    def gone(*arguments):
        found = collect(*arguments)
        shutil.rmtree(folder)
        return found

    monkeypatch.setattr("instructor.grade.command.collect", gone)
    with pytest.raises(OSError, match=r"class is gone\. What was marked is kept"):
        grade(folder, tmp_path / "out", jobs=1)


@pytest.mark.parametrize("closed", [None, "/dev/full"])
def test_a_bar_that_nobody_can_read_stops_nothing(monkeypatch, closed):
    with open(closed, "w", buffering=1) if closed else nullcontext() as stderr:
        monkeypatch.setattr("sys.stderr", stderr)
        show_progress(1, 2, 0, 1)
        show_progress(2, 2, 0, 2)
        monkeypatch.undo()
        with suppress(OSError):
            stderr and stderr.close()


def test_the_pool_works_on_after_a_death():
    pool = Pool(1)
    try:
        with pytest.raises(Exception, match="terminated"):
            pool.submit(os._exit, 1).result()
        assert pool.submit(abs, -3).result() == 3
    finally:
        pool.end()


@pytest.mark.slow
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
    assert everything(tmp_path / "out") == everything(graded)


SCHEDULER = """
from distributed import LocalCluster
import sys, time
with LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
    print(cluster.scheduler_address, flush=True)
    time.sleep(600)
"""


@pytest.mark.slow
def test_a_scheduler_that_dies_is_told_and_what_was_marked_is_kept(bubblewrap, tmp_path):
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    folder, out = hand_in(tmp_path / "class", {f"s{n}": honest(f"s{n}") for n in range(20)}), tmp_path / "out"
    cluster = subprocess.Popen([sys.executable, "-c", SCHEDULER], stdout=subprocess.PIPE, text=True)
    try:
        process = command(folder, out, "--scheduler", cluster.stdout.readline().strip())
        while process.poll() is None and len(stored(out)) < 2:
            time.sleep(0.05)
        cluster.send_signal(signal.SIGKILL)
        _, said = process.communicate(timeout=120)
    finally:
        cluster.kill()
        cluster.wait()
    assert process.returncode == 1
    assert re.search(r"error: the Dask scheduler at \S+ is gone.*is kept.*same command", said), said
    kept = len(stored(out))
    assert 2 <= kept < 20
    assert grade(folder, out, jobs=2) == 20 - kept
    assert set(totals(out).values()) == {POINTS}


def test_marks_that_are_in_pieces_are_made_again(graded, small_class, tmp_path):
    shutil.copytree(graded, tmp_path / "out")
    (tmp_path / "out" / STATE / next(iter(stored(graded)))).write_bytes(b"")
    assert grade(small_class, tmp_path / "out", secret_seed=1, jobs=1) == 1
    assert everything(tmp_path / "out") == everything(graded)


def test_nothing_handed_in_is_said_and_leaves_results_alone(tmp_path):
    (tmp_path / "class").mkdir()
    (tmp_path / "roster.csv").write_text("student\nada")
    for options in ([], ["--roster", str(tmp_path / "roster.csv")]):
        with pytest.raises(SystemExit, match="has no notebooks"):
            main(["grade", str(tmp_path / "class"), "--out", str(tmp_path / "out"), *options])
    assert not (tmp_path / "out").exists()


def test_without_bubblewrap_it_says_so_and_goes_on_if_told_to(small_class, tmp_path, monkeypatch, graded):
    monkeypatch.setattr("instructor.grade.command.why_no_sandbox", lambda: "bubblewrap is missing: `apt install it`")
    arguments = ["grade", str(small_class), "--out", str(tmp_path / "out"), "--secret-seed", "1", "-j", "2"]
    with pytest.raises(SystemExit, match=r"bubblewrap is missing.*--no-sandbox"):
        main(arguments)
    main([*arguments, "--no-sandbox"])
    assert rows(tmp_path / "out") == rows(graded)


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
def test_what_cannot_be_done_is_said(small_class, tmp_path, monkeypatch, options, error):
    monkeypatch.setattr("instructor.grade.executors.ANSWER", 0.5)
    with pytest.raises(SystemExit, match=error):
        main(["grade", str(small_class), "--out", str(tmp_path), *options])
