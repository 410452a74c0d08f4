"""`python -m course_lib check` gives the verdicts and the messages of the notebook."""

import nbformat
import pytest

from benchmarks.bench_answers import CORPORA, ROOT, ask, load
from course_lib.__main__ import main
from course_lib.check.terminal import check_notebook

EXERCISE = "02_minimax"
SAME = {"passed": "passed", "rejected": "failed", "not answered": "not answered"}


def answered(folder, answers, name=EXERCISE):
    """The exercise notebook with these answers, by question, in a folder without the course."""
    notebook = nbformat.read(ROOT / "exercises" / f"{name}.ipynb", as_version=4)
    for cell in notebook.cells:
        question = cell.metadata.get("nbgrader", {}).get("grade_id", "").replace("-", ".", 1)
        cell.source = answers.get(question, cell.source.replace("your name or number", "corpus"))
    path = folder / f"{name}.ipynb"
    nbformat.write(notebook, path)
    folder.joinpath(f"{name}.cases.gz").write_bytes((ROOT / "exercises" / f"{name}.cases.gz").read_bytes())
    return path


def test_verdicts_and_words_are_those_of_the_notebook(tmp_path, capsys):
    recorded = [entry for entry in load(CORPORA[-2:]).values() if entry["exercise"] == EXERCISE]
    answers = {entry["question"]: entry["code"] for entry in recorded if entry["kind"] == "wrong"}
    answers["minimax.value"] = next(
        e["code"] for e in recorded if e["question"] == "minimax.value" and e["kind"] == "right"
    )
    assert len(answers) > 3
    checked = {each.identifier: each for each in check_notebook(answered(tmp_path, answers))}
    for identifier, code in answers.items():
        expected = ask(ROOT / "solutions", EXERCISE, identifier, code)
        assert checked[identifier].verdict == SAME[expected["verdict"]]
        assert expected["mistake"] in checked[identifier].output
    assert "in all" in capsys.readouterr().out


def test_magics_errors_and_stubs_do_not_stop_the_rest(tmp_path, capsys):
    answers = {"minimax.value": "%matplotlib inline\n1 / 0", "minimax.memory": "memory = 'b'"}
    path = answered(tmp_path, answers)
    verdicts = {each.identifier: each.verdict for each in check_notebook(path)}
    assert verdicts["minimax.value"] == "error" and verdicts["minimax.memory"] == "passed"
    assert verdicts["minimax.search"] == verdicts["minimax.trace"] == "not answered"
    assert "cell 5: ZeroDivisionError: division by zero" in capsys.readouterr().out


def test_the_exit_code_is_for_a_hook(tmp_path, capsys):
    path = str(answered(tmp_path, {"minimax.memory": "memory = 'b'", "minimax.opponent": "opponent = 'a'"}))
    wrong = "1 did not: minimax.opponent (failed)"
    for question, code in (("minimax.memory", 0), ("minimax.trace", 0), ("minimax.opponent", wrong)):
        with pytest.raises(SystemExit) as ended:
            main(["check", path, "--unanswered-ok", "--only", question])
        assert ended.value.code == code
    with pytest.raises(SystemExit, match="expected a notebook with a cell check"):
        main(["check", path, "--only", "minimax.nothing"])
    tmp_path.joinpath("other.ipynb").write_text('{"cells": 1}')
    with pytest.raises(SystemExit, match="expected a notebook, got other"):
        main(["check", str(tmp_path / "other.ipynb")])
