"""The benchmarks: each comparison runs, and where the table goes; no test asks how fast things are."""

import re
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
PAGE = "# Course\n<!-- bench -->\nan old table\n<!-- end of bench -->\nThe end.\n"
NUMBER = r"[\d,.]+"
ROW = rf"\| [^|]+ \| {NUMBER} [^|]+ \| [^|]+: {NUMBER} [^|]+ \| {NUMBER} times \({NUMBER} to {NUMBER}\) \|"
pytestmark = pytest.mark.slow


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A folder with a page of its own, and the benchmarks to import."""
    (tmp_path / "CONTRIBUTING.md").write_text(PAGE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(BENCHMARKS)
    return tmp_path


def test_every_comparison_gives_rows_of_one_table_in_the_page(checkout, monkeypatch, capsys):
    pytest.importorskip("pyspiel")
    import side_by_side

    monkeypatch.setattr(side_by_side, "COMPARISONS", side_by_side.COMPARISONS[:-1])
    side_by_side.main(["--rounds", "1"])
    page = (checkout / "CONTRIBUTING.md").read_text()
    before, table, after = re.split(r"<!-- (?:end of )?bench -->\n", page)
    assert (before, after) == ("# Course\n", "The end.\n")
    lines = table.splitlines()
    rows = [line for line in lines[2:] if line.startswith("|")]
    assert all(re.fullmatch(ROW, row) for row in rows)
    assert [row.split(",")[0] for row in rows] == ["| minimax", *["| alpha-beta"] * 3, *["| MCTS"] * 2, "| AlphaZero"]
    assert re.fullmatch(r"Measured with CPython [\d.]+, open_spiel [\d.]+, easyAI .*, on \d+ cores of .+\.", lines[-1])
    assert capsys.readouterr().out.splitlines() == lines[: 2 + len(rows)]
