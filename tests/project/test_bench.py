"""The benchmarks: each comparison runs, and where the table goes; no test asks how fast things are."""

import re
import shutil
import sys
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from course_lib.alphazero import RECIPES, network_agent, train, unbeatable
from course_lib.games import TicTacToe
from instructor.__main__ import main
from needs import skip_for_want_of
from project.test_numbers import cells_of

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
PAGE = "# Course\n<!-- bench -->\nan old table\n<!-- end of bench -->\nThe end.\n"
NUMBER = r"[\d,.]+"
ROW = rf"\| [^|]+ \| {NUMBER} [^|]+ \| [^|]+: {NUMBER} [^|]+ \| {NUMBER} times \({NUMBER} to {NUMBER}\) \|"


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A folder with the benchmarks and a page of its own."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "benchmarks").symlink_to(BENCHMARKS)
    (tmp_path / "CONTRIBUTING.md").write_text(PAGE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(BENCHMARKS)
    return tmp_path


@pytest.fixture
def without_grading(monkeypatch, checkout):
    import side_by_side

    monkeypatch.setattr(side_by_side, "COMPARISONS", side_by_side.COMPARISONS[:-1])


@pytest.mark.slow
def test_every_comparison_gives_rows_of_one_table_in_the_page(checkout, without_grading, capsys):
    pytest.importorskip("pyspiel")
    main(["bench", "--rounds", "1"])
    page = (checkout / "CONTRIBUTING.md").read_text()
    before, table, after = re.split(r"<!-- (?:end of )?bench -->\n", page)
    assert (before, after) == ("# Course\n", "The end.\n")
    lines = table.splitlines()
    assert lines[1] == "|---|---|---|---|"
    rows = [line for line in lines[2:] if line.startswith("|")]
    assert all(re.fullmatch(ROW, row) for row in rows)
    assert [row.split(",")[0] for row in rows] == ["| minimax", *["| alpha-beta"] * 3, *["| MCTS"] * 2, "| AlphaZero"]
    assert re.fullmatch(r"Measured with CPython [\d.]+, open_spiel [\d.]+, easyAI .*, on \d+ cores of .+\.", lines[-1])
    assert capsys.readouterr().out.splitlines() == lines[: 2 + len(rows)]


@pytest.mark.slow
def test_both_sides_of_a_race_come_to_the_same_value(checkout):
    import bench_alpha_beta

    pytest.importorskip("pyspiel")
    for _, game, ours, theirs in bench_alpha_beta.races():
        assert ours(game)[0] == theirs()[0]


@pytest.mark.slow
def test_grading_is_compared_by_the_seconds_of_a_submission(checkout, monkeypatch):
    if not shutil.which("bwrap"):
        skip_for_want_of("bubblewrap", "bubblewrap")
    import bench_grading

    # nbgrader's own run takes ten seconds; that it runs is tested with the exercises.
    monkeypatch.setattr(bench_grading, "seconds_of_nbgrader", lambda folder, count: 4.0 * count)
    (row,) = bench_grading.rows(1)
    assert row.theirs == [4.0]
    assert row.ours[0] > 0


def test_a_row_of_the_parts_of_alphazero_is_what_training_again_gives(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    import bench_alphazero

    little = replace(RECIPES["tic_tac_toe"], width=4, iterations=2, games=8, simulations=4, steps=2)
    for name, changes in bench_alphazero.PARTS.items():
        assert replace(little, **changes) != little or name == "the recipe"
    lost = []
    for seed in range(2):
        *_, last = train(replace(little, noise=0.0), seed)
        lost.append(len(unbeatable(network_agent(last.network), TicTacToe())))
    row = bench_alphazero.part_row("a part", replace(little, noise=0.0), range(2))
    assert row.startswith(f"| a part | {lost[0]}, {lost[1]} | {sum(lost) / 2:.1f} | ")


def test_the_table_of_parts_in_notebook_7_has_rows_that_the_script_prints_with_six_seeds_at_least(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    import bench_alphazero

    text = "\n".join(cell.source for cell in cells_of("07_alphazero_lite") if cell.cell_type == "markdown")
    assert "bench_alphazero.py parts" in text
    told = re.findall(r"^\| ([^|]+) \| \d+(?:, \d+){5,} \|", text, re.M)
    assert len(told) >= 7 and set(told) <= set(bench_alphazero.PARTS)


def test_a_grader_that_fails_gives_no_time(checkout, tmp_path):
    import bench_grading

    with pytest.raises(ValueError, match=r"grade` failed: error: .*nobody"):
        bench_grading.seconds_of_ours(tmp_path / "nobody", tmp_path / "out")


def test_a_page_without_a_place_for_the_table_is_told_before_anything_is_measured(checkout):
    (checkout / "CONTRIBUTING.md").write_text("# Course\n")
    with pytest.raises(SystemExit, match=r"CONTRIBUTING.md has no place for the table: a line <!-- bench -->"):
        main(["bench"])
    assert (checkout / "CONTRIBUTING.md").read_text() == "# Course\n"


@pytest.mark.parametrize("name", ["open_spiel", "easyAI", "nbgrader"])
def test_what_is_not_installed_is_told_before_anything_is_measured(checkout, monkeypatch, capsys, name):
    import side_by_side

    def version(package):
        if package == name:
            raise PackageNotFoundError(package)
        return "1"

    monkeypatch.setattr(side_by_side, "version", version)
    extra = "grade" if name == "nbgrader" else "bench"
    with pytest.raises(SystemExit, match=rf'{name} is not installed; run `pip install -e "\.\[{extra}\]"`'):
        main(["bench"])
    assert capsys.readouterr().out == ""


def test_a_copy_without_what_is_the_instructor_s_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "instructor.release", None)
    with pytest.raises(SystemExit, match=r"is the students', without instructor.release"):
        main(["release", "course.zip"])


def test_away_from_a_checkout_bench_says_where_it_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="bench runs in a checkout of the course"):
        main(["bench"])
