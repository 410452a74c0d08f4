"""`python -m course_lib check` gives the verdicts and the messages of the notebook."""

import nbformat
import pytest

from benchmarks.bench_answers import CORPORA, ROOT, ask, load
from course_lib.__main__ import main

SAME = {"passed": "passed", "rejected": "failed", "not answered": "not answered"}


def answered(folder, answers):
    """Exercise 2 with these answers, by question, in a folder without the course."""
    notebook = nbformat.read(ROOT / "exercises" / "02_minimax.ipynb", as_version=4)
    for cell in notebook.cells:
        question = cell.metadata.get("nbgrader", {}).get("grade_id", "").replace("-", ".", 1)
        cell.source = answers.get(question, cell.source.replace("your name or number", "corpus"))
    nbformat.write(notebook, folder / "02_minimax.ipynb")
    (folder / "02_minimax.cases.gz").write_bytes((ROOT / "exercises" / "02_minimax.cases.gz").read_bytes())
    return folder / "02_minimax.ipynb"


@pytest.mark.slow
def test_verdicts_and_words_are_the_notebooks_and_an_error_does_not_stop_the_rest(tmp_path, capsys):
    wrong = [
        each for each in load(CORPORA[-2:]).values() if (each["exercise"], each["kind"]) == ("02_minimax", "wrong")
    ]
    answers = {each["question"]: each["code"] for each in wrong} | {"minimax.memory": "memory = 'b'"}
    broken = {"minimax.value": "%matplotlib inline\n1 / 0"}
    with pytest.raises(SystemExit) as ended:
        main(["check", str(answered(tmp_path, answers | broken))])
    shown = capsys.readouterr().out
    assert "minimax.value (error)" in ended.value.code and len(answers) > 4
    for identifier in answers.keys() - broken.keys():
        expected = ask(ROOT / "solutions", "02_minimax", identifier, answers[identifier])
        verdict = SAME[expected["verdict"]]
        assert (f"{identifier} ({verdict})" in ended.value.code) == (verdict != "passed")
        assert expected["mistake"] in shown
    assert "ZeroDivisionError" in shown and "in total" in shown


def test_the_exit_code_is_for_a_hook_and_the_words_are_those_of_the_course(tmp_path, monkeypatch, capsys):
    path = str(answered(tmp_path, {"minimax.memory": "memory = 'b'", "minimax.opponent": "opponent = 'a'"}))
    wrong = "1 did not: minimax.opponent (failed)", "Non réussies (1)\u00a0: minimax.opponent (échouée)"
    for language, question, code in (
        ("en", "minimax.memory", 0), ("en", "minimax.opponent", wrong[0]), ("fr", "minimax.opponent", wrong[1])
    ):  # fmt: skip
        monkeypatch.setenv("COURSE_LANGUAGE", language)
        with pytest.raises(SystemExit) as ended:
            main(["check", path, "--unanswered-ok", "--only", question])
        assert ended.value.code == code
    assert "Vérifications réussies\u00a0: 0 sur 1." in capsys.readouterr().out


def test_a_question_that_the_notebook_lacks_is_no_success(tmp_path):
    with pytest.raises(SystemExit) as ended:
        main(["check", str(answered(tmp_path, {})), "--unanswered-ok", "--only", "minimax.nothing"])
    assert ended.value.code
