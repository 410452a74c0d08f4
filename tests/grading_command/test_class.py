"""One class and its results: late work, namesakes, long names, what students are told, and nothing lost on the way."""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from course_lib.check.question import Failure, find_question, questions_of
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
    totals,
)
from grading_command.hostile import NOTEBOOK, QUESTIONS, VALUE, extra, honest, instead, notebook, value
from instructor.__main__ import main
from instructor.grade.command import grade
from instructor.grade.gradebook import page_names
from instructor.grade.marking import feedback, mark, public_cases, secret_cases, secret_words
from instructor.grade.state import STATE
from instructor.grade.submissions import collect
from instructor.grade.webpages import NOT_TRIED, bars, believed

FIRST = "01_game_formalism"


@pytest.fixture
def whole(bubblewrap, tmp_path):
    """The results of a class of four, one of them right."""
    students = {"ada": honest("ada"), "bob": EMPTY, "eve": EMPTY, "fay": EMPTY}
    assert grade(hand_in(tmp_path / "class", students), tmp_path / "out", secret_seed=1, jobs=2) == 4
    return tmp_path


def test_late_work_of_one_student_keeps_all_others(whole):
    out = whole / "out"
    before, of_ada = rows(out), page(out, "ada")
    assert grade(hand_in(whole / "late", {"bob": honest("bob")}), out, jobs=1) == 1
    assert totals(out) == {"ada": POINTS, "bob": POINTS, "eve": 0, "fay": 0}
    assert {**rows(out), "bob": before["bob"]} == before
    assert pages(out) == {"ada.html", "bob.html", "eve.html", "fay.html"}
    assert page(out, "ada") == of_ada
    assert "earlier run" in notes(out)["ada"] and "earlier run" not in notes(out)["bob"]


def test_a_student_who_is_no_longer_there_is_kept_and_named(whole):
    shutil.rmtree(whole / "class" / "eve")
    assert grade(whole / "class", whole / "out", jobs=1) == 0
    assert list(rows(whole / "out")) == ["ada", "bob", "eve", "fay"]
    assert [name for name, said in notes(whole / "out").items() if "earlier run" in said] == ["eve"]
    assert "earlier run" in (whole / "out" / "marks.html").read_text()
    assert "earlier run" not in page(whole / "out", "eve")


def test_only_one_notebook_keeps_the_other_columns(whole):
    hand_in(whole / "class", {"ada": EMPTY, "bob": EMPTY}, FIRST)
    assert grade(whole / "class", whole / "out", jobs=2) == 2
    hand_in(whole / "class", {"bob": honest("bob")})
    assert grade(whole / "class", whole / "out", jobs=1, only=[NOTEBOOK]) == 1
    table = rows(whole / "out")
    assert totals(whole / "out")["bob"] == POINTS
    assert table["bob"][questions_of(FIRST)[0].identifier] == "0"
    assert table["eve"][questions_of(FIRST)[0].identifier] == ""
    assert not any(notes(whole / "out").values())


def test_replace_begins_anew(whole):
    late, out = hand_in(whole / "late", {"zoe": honest("zoe"), "eve": EMPTY}), whole / "out"
    assert grade(late, out, secret_seed=1, jobs=1, replace=True) == 2
    assert list(rows(out)) == ["eve", "zoe"]
    assert pages(out) == {"eve.html", "zoe.html"}
    assert grade(late, out, jobs=1) == 0
    main(["grade", str(whole / "class"), "--out", str(out), "--secret-seed", "1", "-j", "2", "--replace"])
    assert list(rows(out)) == ["ada", "bob", "eve", "fay"]


def test_a_replacement_that_is_stopped_goes_on_and_until_then_the_old_results_stand(whole, monkeypatch):
    out, before = whole / "out", rows(whole / "out")
    late = hand_in(whole / "late", {"zoe": honest("zoe"), "eve": EMPTY})
    monkeypatch.setattr("instructor.grade.command.write_results", stopped)
    with pytest.raises(KeyboardInterrupt):
        grade(late, out, jobs=1, replace=True)
    monkeypatch.undo()
    assert rows(out) == before and len(pages(out)) == 4
    assert grade(late, out, jobs=1, replace=True) == 0
    assert list(rows(out)) == ["eve", "zoe"]
    assert grade(late, out, jobs=1) == 0


def stopped(*arguments):
    raise KeyboardInterrupt


@pytest.mark.parametrize(("source", "out"), [("class", "class"), ("class", "class/results"), ("all/class", "all")])
def test_results_inside_the_submissions_are_refused_and_the_reverse(tmp_path, source, out):
    hand_in(tmp_path / source, {"ada": EMPTY})
    (tmp_path / "link").symlink_to(tmp_path / out)
    for results in (tmp_path / out, tmp_path / "link"):
        with pytest.raises(SystemExit, match=r"error: .* lie inside"):
            main(["grade", str(tmp_path / source), "--out", str(results)])
    assert not list(tmp_path.rglob(STATE))


def test_marks_made_with_another_seed_are_named_where_they_are_kept(whole):
    grade(hand_in(whole / "late", {"bob": EMPTY}), whole / "out", secret_seed=2, jobs=1)
    assert "another secret seed" in notes(whole / "out")["ada"]


def moodle(folder, students):
    return hand_in(folder, {f"{name}_{number}_assignsubmission_file_": content for (name, number), content in students})


def test_namesakes_have_the_tree_of_the_name_that_they_were_told_to_write(bubblewrap, tmp_path):
    jan = honest("Jan Novák")
    folder = moodle(tmp_path / "class", [(("Jan Novák", 7), jan), (("Jan Novák", 8), jan), (("Ada", 9), honest("Ada"))])
    grade(folder, tmp_path / "out", secret_seed=1, jobs=2)
    said = notes(tmp_path / "out")
    assert totals(tmp_path / "out") == dict.fromkeys(["Ada", "Jan Novák (7)", "Jan Novák (8)"], POINTS)
    assert "2 students are called Jan Novák" in said["Jan Novák (7)"] and said["Ada"] == ""
    assert pages(tmp_path / "out") == {"Ada.html", "Jan Novák (7).html", "Jan Novák (8).html"}


def test_namesakes_who_are_in_the_roster_have_no_third_row_when_others_are_late(bubblewrap, tmp_path):
    (tmp_path / "roster.csv").write_text("student\nJan\nAda", encoding="utf-8")
    for folder, students in (("class", ["Jan_7", "Jan_8"]), ("late", ["Ada_9"])):
        files = {f"{student}_assignsubmission_file_": EMPTY for student in students}
        grade(hand_in(tmp_path / folder, files), tmp_path / "out", jobs=1, roster=tmp_path / "roster.csv")
    assert totals(tmp_path / "out") == {"Ada": 0, "Jan (7)": 0, "Jan (8)": 0}


def test_late_work_of_a_namesake_is_no_other_students(bubblewrap, tmp_path):
    grade(moodle(tmp_path / "class", [(("Jan Novák", 7), honest("Jan Novák"))]), tmp_path / "out", jobs=1)
    assert list(rows(tmp_path / "out")) == ["Jan Novák"]
    grade(moodle(tmp_path / "late", [(("Jan Novák", 8), EMPTY)]), tmp_path / "out", jobs=1)
    assert totals(tmp_path / "out") == {"Jan Novák (7)": POINTS, "Jan Novák (8)": 0}


def test_the_next_assignment_of_moodle_has_other_numbers_for_the_same_students(bubblewrap, tmp_path):
    grade(moodle(tmp_path / "a", [(("Ada", 7), EMPTY), (("Bob", 8), EMPTY)]), tmp_path / "out", jobs=1)
    second = {"Ada_107_assignsubmission_file_": EMPTY, "Bob_108_assignsubmission_file_": EMPTY}
    grade(hand_in(tmp_path / "b", second, FIRST), tmp_path / "out", jobs=1)
    assert list(rows(tmp_path / "out")) == ["Ada", "Bob"]
    (tmp_path / "b" / "Ada_107_assignsubmission_file_" / f"{FIRST}.ipynb").write_bytes(notebook(["x = 2"]))
    assert grade(tmp_path / "b", tmp_path / "out", jobs=1) == 1
    assert list(rows(tmp_path / "out")) == ["Ada", "Bob"]


def test_cases_are_drawn_by_the_workers_when_they_are_needed(bubblewrap, tmp_path):
    """The first mark would wait for the cases of all questions, if they were drawn before the work is shared out."""
    secret_cases.cache_clear()
    grade(hand_in(tmp_path / "class", {"ada": EMPTY}), tmp_path / "out", jobs=1)
    assert secret_cases.cache_info().misses == 0


LONG = "漢" * 85


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere such a folder cannot be made")
def test_a_long_name_does_not_stop_the_class(bubblewrap, tmp_path):
    others = [LONG[:-1] + "字", "Ada " * 30 + "Lovelace", "ada", "\x9b2J"]
    grade(hand_in(tmp_path / "class", dict.fromkeys([LONG, *others], EMPTY)), tmp_path / "out", jobs=1)
    assert set(rows(tmp_path / "out")) == {LONG, *others[:3], "2J"}
    names = pages(tmp_path / "out")
    assert len(names) == 5 and all(len(name.encode()) < 240 for name in names)
    assert sum(name.startswith("漢" * 30) for name in names) == 2 and "ada.html" in names
    text = (tmp_path / "out" / "grades.json").read_text()
    assert [letter for letter in text if not letter.isprintable() and letter != "\n"] == []


def test_no_name_is_that_of_another_students_page():
    (name,) = page_names(["O'Brien"]).values()
    for other in name.removesuffix(".html"), name.removesuffix(".html").upper():
        assert len({page.casefold() for page in page_names(["O'Brien", other]).values()}) == 2


def test_a_page_that_cannot_be_written_costs_that_page_and_a_note(whole):
    out = whole / "out"
    shutil.rmtree(out / "feedback")
    (out / "feedback" / "bob.html").mkdir(parents=True)
    hand_in(whole / "class", {"zoe": EMPTY})
    assert grade(whole / "class", out, jobs=1) == 1
    assert pages(out) == {"ada.html", "bob.html", "eve.html", "fay.html", "zoe.html"}
    assert "bob.html cannot be written" in notes(out)["bob"]
    assert "bob.html cannot be written" in (out / "marks.html").read_text()
    assert set(rows(out)) == {"ada", "bob", "eve", "fay", "zoe"}


def test_tables_are_there_before_the_pages(whole, monkeypatch):
    shutil.rmtree(whole / "out" / "feedback")
    for table in ("grades.csv", "canvas.csv", "grades.json"):
        (whole / "out" / table).unlink()
    (whole / "out" / "feedback").write_text("in the way")
    with pytest.raises(SystemExit, match="error: "):
        main(["grade", str(whole / "class"), "--out", str(whole / "out")])
    assert list(rows(whole / "out")) == ["ada", "bob", "eve", "fay"]


def test_who_handed_in_nothing_has_a_row_until_they_do(whole):
    names, out = whole / "roster.csv", whole / "out"
    names.write_text("student\nada\nbob\neve\nfay\ngil")
    grade(whole / "class", out, jobs=1, roster=names)
    assert rows(out)["gil"] == {"student": "gil", **dict.fromkeys(QUESTIONS, ""), "total": "0"}
    assert notes(out)["gil"] == "nothing was handed in" and "gil.html" in pages(out)
    grade(hand_in(whole / "late", {"gil": honest("gil")}), out, jobs=1, roster=names)
    assert totals(out)["gil"] == totals(out)["ada"] == POINTS
    assert "nothing" not in "".join(notes(out).values())


RAISING = """
name = type("Se" + "cretName", (Exception,), {})
def my_minimax_value(game, state):
    raise name("some" + "thing secret")
"""


def test_what_code_raised_is_for_the_instructor(bubblewrap, tmp_path):
    """Students see the kind and their own line; a message may hold whatever their code could read."""
    cells = ["raise ValueError('to' + 'ken' * 3)", "raise type('Tok' + 'en' * 3, (Exception,), {})('x')"]
    content = {"ada": instead(RAISING)("ada"), "bob": notebook(cells)}
    grade(hand_in(tmp_path / "class", content), tmp_path / "out", jobs=1)
    ada, bob = (page(tmp_path / "out", name) for name in ("ada", "bob"))
    assert "something secret" not in ada and "SecretName" not in ada
    assert "raise name(" in ada and "thing secret&#34;)" in ada
    assert "tokenkenken" not in bob and "Tokenenen" not in bob
    assert "ValueError" in bob and "&#39;to&#39; + &#39;ken&#39; * 3" in bob
    marks, record = ((tmp_path / "out" / name).read_text() for name in ("marks.html", "grades.json"))
    for said in ("something secret", "tokenkenken"):
        assert said in marks and said in record


SLIP = """
def my_depth_limited_search(game, state, depth, evaluate):
    return bets
"""


def test_a_misspelled_name_is_no_known_mistake(bubblewrap, tmp_path):
    """A known mistake may raise an error on the same cases: that does not explain a name that is not defined."""
    content = {"ada": instead(SLIP, "minimax.depth_limited")("ada")}
    grade(hand_in(tmp_path / "class", content), tmp_path / "out", secret_seed=3, jobs=1)
    assert questions_in(tmp_path / "out", "ada")["minimax.depth_limited"]["kind"] == "an error, NameError"


TOKEN = "sesame-of-the-instructor"
READS = """
import os
token = open(f"/proc/{os.getppid()}/environ").read().split("COURSE_TOKEN=")[1].split(chr(0))[0]
raise ValueError(token)
"""
RENAMES = "class Odd(Exception): pass\nOdd.__name__ = token\nraise Odd(token)"
FORGES = """
import gc
runner = next(thing for thing in gc.get_objects() if type(thing).__name__ == "Runner")
def forge(*parts):
    runner.describe = lambda error: parts
    raise ValueError
"""
FORGED_FRAMES = (
    'forge("ValueError", token, token)',
    'forge(token, token, f"cell 1, line {token}")',
    'forge("ValueError: " + token, token, f"cell 1, line 1: {token}")',
    'forge("NotPlain", token, "cell " + chr(0x661) + ", line 1")',
    'forge("Changed", token, "")',
    'forge("Undefined", token, token)',
)


@pytest.mark.skipif(sys.platform != "linux", reason="the token is read from /proc")
def test_what_a_program_could_read_is_not_on_its_page(tmp_path):
    """Without a sandbox a program does reach the token; the instructor is told what it raised, the student is not."""
    cells = [READS, "from course_lib.check import student\nstudent(token)", RENAMES]
    cells += ["raise type(token, (Exception,), {})(token)", FORGES, *FORGED_FRAMES]
    functions = [q.name for q in questions_of(NOTEBOOK) if q.cases is not None]
    answers = [f"def {name}(*arguments): {FORGED_FRAMES[n % 6]}" for n, name in enumerate(functions)]
    folder = hand_in(tmp_path / "class", {"ada": notebook([*cells[:5], *answers, *cells[5:]])})
    command(folder, tmp_path / "out", "--no-sandbox", env={**os.environ, "COURSE_TOKEN": TOKEN}).communicate()
    told = page(tmp_path / "out", "ada")
    assert TOKEN not in told and chr(0x661) not in told
    assert "ValueError (cell 1, line 4: raise ValueError(token))" in told
    assert "Your code raised ValueError" in told and "changes an argument" in told
    for name in ("grades.json", "marks.html"):
        assert f"ValueError: {TOKEN} (cell 1, line 4" in (tmp_path / "out" / name).read_text()


def test_no_path_of_the_instructors_is_on_a_page(bubblewrap, tmp_path, monkeypatch):
    """The system's error names the file that cannot be read, with all its folders."""
    folder = hand_in(tmp_path / "class", {"ada": EMPTY, "bob": EMPTY})

    def gone(*arguments):
        found = collect(*arguments)
        (folder / "ada" / f"{NOTEBOOK}.ipynb").unlink()
        return found

    monkeypatch.setattr("instructor.grade.command.collect", gone)
    grade(folder, tmp_path / "out", jobs=1)
    told = page(tmp_path / "out", "ada")
    assert "cannot be read: No such file" in told and str(tmp_path) not in told


@pytest.mark.parametrize(
    "answer", ["raise KeyError(17)", "return 17, 4", "return print", "time.sleep(9)", "return ..."]
)
def test_what_was_answered_in_a_secret_case_is_not_told(bubblewrap, monkeypatch, answer):
    """A program that knows the public cases could say by this what it has before it."""
    monkeypatch.setattr("instructor.grade.marking.first_cases", lambda question: ())
    marks = mark(value(answer)("ada"), NOTEBOOK, "ada", 7, limit=2)["questions"][VALUE]
    assert (marks["points"], marks["told"], marks["report"]) == (0, secret_words(None), "")
    assert marks["kind"] not in NOT_TRIED


def test_a_name_that_two_cells_define_has_a_note(bubblewrap, tmp_path):
    """All cells are run before a question is asked: a helper of a later question may spoil an answer before it."""
    folder = hand_in(
        tmp_path / "class", {"ada": honest("ada"), "bob": extra("def my_minimax_value(game): pass")("bob")}
    )
    grade(folder, tmp_path / "out", jobs=1)
    assert not notes(tmp_path / "out")["ada"]
    assert "my_minimax_value is defined in code cells" in notes(tmp_path / "out")["bob"]
    assert "so the last definition counts" in page(tmp_path / "out", "bob")


def test_a_known_mistake_that_secret_cases_show_is_told():
    bug = find_question(VALUE).bugs[0]
    assert bug.name in secret_words(bug) and bug.sentence[1:] in secret_words(bug)


def test_an_answer_of_a_million_letters_makes_no_large_page():
    question = find_question("game_formalism.strategy")
    case, words = question.small()[0], "x" * 10**6
    report = feedback(Failure(question, case, question.expected(case), [words], f"Not {words}."))["report"]
    assert len(re.sub('base64,[^"]*', "", report)) < 10_000


def test_nobody_is_shown_the_answer_of_another_that_begins_alike():
    question = find_question("alpha_beta.search")
    case, (value, leaves) = max(public_cases(question), key=lambda pair: len(pair[1][1]))
    answers = [("a" * 1000, leaves[:1]), ("a" * 1000, leaves[1:])]
    one, two = (feedback(Failure(question, case, (value, leaves), given, "No."))["report"] for given in answers)
    assert re.sub('base64,[^"]*', "", one) != re.sub('base64,[^"]*', "", two)


@pytest.mark.parametrize("held", ["cgroup", "limits for each process"])
def test_the_results_say_which_limits_held(bubblewrap, tmp_path, monkeypatch, held):
    monkeypatch.setattr("instructor.grade.command.limited_by", lambda: held)
    grade(hand_in(tmp_path / "class", {"ada": EMPTY}), tmp_path / "out", jobs=1)
    assert everything(tmp_path / "out")["grades.json"]["limited_by"] == held
    assert f"in the last run: {held}." in (tmp_path / "out" / "marks.html").read_text()


ONLY_MAX = dict(zip("abcdefgh", [WRONG] * 3 + ["def my_minimax_value(game, state):\n    return 0"] * 2))


@pytest.fixture(scope="module")
def many(bubblewrap, tmp_path_factory):
    """The results of ten students, five of whom missed one question."""
    folder = tmp_path_factory.mktemp("many")
    students = {name: instead(source)(name) for name, source in ONLY_MAX.items()}
    students |= {name: honest(name) for name in ("u", "v", "w")} | {"x": EMPTY, "y": notebook(["nonsense("])}
    out = folder / "out"
    grade(hand_in(folder / "class", students), out, secret_seed=1, jobs=2)
    return out, (out / "marks.html").read_text()


def test_marks_tell_mean_median_and_share_of_each_question(many):
    _, text = many
    row, *_ = re.findall(rf"<tr[^>]*>(?:(?!</tr>).)*{re.escape(VALUE)}<.*?</tr>", text, re.S)
    said = " ".join(re.sub(r"<[^>]+>", " ", row).split())
    points = next(question.points for question in questions_of(NOTEBOOK) if question.identifier == VALUE)
    assert f"{3 * points / 10:.1f} 0 30%" in said.replace(" %", "%")


def test_names_link_to_their_pages_and_the_histogram_has_no_empty_row(many):
    out, text = many
    for name in pages(out):
        assert f'href="feedback/{name}"' in text
    counts = re.findall(r'<td class="count">(\d+)</td>', text)
    assert counts and "0" not in counts and sum(map(int, counts)) == 10


def test_the_commonest_mistakes_are_those_of_two_and_more(many):
    _, text = many
    table = text.split("Commonest mistakes</h2>")[1].split("</table>")[0]
    assert VALUE in table
    assert all(int(count) >= 2 for count in re.findall(r'<td class="number">(\d+)</td>', table))


def failed(kind, *said):
    return [{"kind": kind, "said": words, "points": 0, "of": 2} for words in said]


ALIKE = failed("wrong answer", "Min chooses among 3, 5.", "Min chooses among 18, −2, 4.", "Max chooses among 7.")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([], ""),
        (failed("not answered", "") + failed("", ""), ""),
        (ALIKE, "2 of 3: Min chooses among …"),
        (failed("wrong answer", "a", "b"), "2 failed, no two of them alike"),
        (failed("out of time", "No answer.", "No answer."), "2 of 2: out of time – No answer."),
        (failed("an error, KeyError", "KeyError: 1", "KeyError: 2"), "2 of 2: an error, KeyError"),
        (failed("an error, NameError", "no b", "no b") + ALIKE[:1], "2 of 3: no b"),
    ],
)
def test_the_commonest_mistake_of_a_question_in_one_line(given, told):
    assert believed(given) == told


def test_bars_of_a_histogram_end_where_the_totals_do():
    assert [bar[:3] for bar in bars([0, 1, 18, 18, 9])] == [(0, 1, 2), (8, 9, 1), (18, 18, 2)]
    assert bars([]) == []


def test_notes_are_grouped_by_kind_with_counts(many):
    _, text = many
    (group,) = re.findall(r"<summary>[^<]*cells? that failed.*?</summary>", text, re.S)
    assert re.search(r"\b1\b", group)


def test_pages_work_without_scripts_and_without_other_files(many):
    out, text = many
    assert "<script" in text and text.count("<script") == 1
    assert not re.search(r"(src|href)=\"?(http|//)", text)
    assert all("<script" not in path.read_text() for path in (out / "feedback").iterdir())


def test_templates_are_shipped():
    """Whoever installs the course has the pages' templates."""
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert '"instructor.grade" = ["pages/*", "site/pages/*"]' in project
