"""What the instructor corrects or looks into: points that are overridden, late work, and answers that are equal."""

import csv
import re
from datetime import datetime
from html import unescape
from pathlib import Path
from zipfile import ZipFile

import pytest

from course_lib.check.failures import PLACEHOLDER, Verdict
from grading_command.classes import EMPTY, POINTS, hand_in, notes, page, questions_in, rows, totals
from grading_command.hostile import NOTEBOOK, TABLES, VALUE, honest, instead, notebook, solved
from instructor.__main__ import main
from instructor.grade.authorship import LONGEST, definitions, similar
from instructor.grade.command import grade, notebook_called, time_of
from instructor.grade.gradebook import Student, canvas_csv, grades_csv, override, read_overrides
from instructor.grade.marking import mark, partial_points, whole
from instructor.grade.rosters import read_late
from instructor.grade.submissions import MISNAMED, Submission
from instructor.questions import MARK, notebooks
from sections import sections

ROW = f"student,question,points,comment\nada,{VALUE},1.5,<b>almost</b>\n"


def test_points_that_the_instructor_sets_are_applied_at_each_run(bubblewrap, tmp_path, capsys):
    folder, out = hand_in(tmp_path / "class", {"ada": EMPTY, "bob": EMPTY}), tmp_path / "out"
    (tmp_path / "overrides.csv").write_text(ROW)
    for marked in (2, 0):
        assert grade(folder, out, jobs=1) == marked
        assert (rows(out)["ada"]["total"], rows(out)["bob"]["total"]) == ("1.5", "0")
        assert "set these points: &lt;b&gt;almost" in page(out, "ada") and "set these" not in page(out, "bob")
        assert f"{VALUE}: 1.5 points, not 0: <b>almost</b>" in notes(out)["ada"]
    assert questions_in(out, "ada")[VALUE]["comment"] == "<b>almost</b>"
    capsys.readouterr()
    (tmp_path / "overrides.csv").unlink()
    grade(folder, out, jobs=1)
    assert totals(out)["ada"] == 0
    assert f"of an earlier run that are not applied any more: ada ({VALUE})" in capsys.readouterr().err


MAXIMISES = sections(Path(__file__).with_name("programs.txt"))["everybody maximises"]


def test_a_rule_is_for_all_who_made_a_mistake_and_late_work_loses_points(tmp_path, capsys):
    students = {name: instead(MAXIMISES)(name) for name in ("ada", "bob", "eve")} | {"fay": honest("fay")}
    folder, out = hand_in(tmp_path / "class", students), tmp_path / "out"
    times = "ada,2026-11-30 23:59\nbob,\neve,2026-12-01\nfay,2026-12-01\ngil,\n"
    (tmp_path / "roster.csv").write_text(f"student,handed_in\n{times}")
    (tmp_path / "overrides.csv").write_text(
        f"student,question,points,mistake\n*,{VALUE},1,“Everybody maximises”\neve,{VALUE},1.5,\n"
        f"*,{VALUE},1,no such\n*,{VALUE},1,everybody maximizes\n"
    )
    grade(folder, out, secret_seed=1, jobs=2, sandboxed=False, roster=tmp_path / "roster.csv",
          deadline=datetime(2026, 11, 30, 23, 59), late_penalty=50)  # fmt: skip
    points = {name: row["total"] for name, row in rows(out).items()}
    half, less = f"{POINTS / 2:g}", f"{(POINTS - 0.5) / 2:g}"
    assert points == {"ada": str(POINTS - 1), "bob": str(POINTS - 1), "eve": less, "fay": half, "gil": "0"}
    warnings = capsys.readouterr().err
    nearest = f"everybody maximizes in {VALUE}: did you mean everybody maximises?"
    assert f"overrides for a mistake that nobody made: * ({nearest}), * (no such in {VALUE})" in warnings
    assert "nobody knows whether this is late, so nothing is taken off: bob; with" in warnings
    assert "50 % of the points are taken off" in page(out, "fay") and rows(out)["fay"]["late"] == NOTEBOOK
    head, *table = (out / "moodle.csv").read_text().splitlines()
    assert head == f"student,name,{NOTEBOOK},total" and table[-2:] == [f"fay,fay,{half},{half}", "gil,gil,0,0"]


def test_two_rules_for_one_mistake_are_named_with_their_lines(tmp_path):
    (ada,) = handed_in("ada", f"ada/{NOTEBOOK}.ipynb").submissions
    ada.questions = {VALUE: {"points": 0, "of": 2, "verdict": Verdict.WRONG, "mistake": "max for min or min for max"}}
    (tmp_path / "overrides.csv").write_text(
        f"student,question,points,mistake\n*,{VALUE},1,max for min\n*,{VALUE},0.5,min for max\n"
    )
    warnings = override([ada], read_overrides(tmp_path / "overrides.csv", [ada]), tmp_path)
    assert warnings == ["two overrides for one mistake, of which the one in brackets counts: line 2 (line 3)"]
    assert ada.questions[VALUE]["points"] == 0.5


def test_what_is_known_of_the_times_and_names_of_anonymous_students(tmp_path, capsys):
    names = {101: ["ada", "Eve"], 102: ["Ada"], 103: ["Fay"], 104: [PLACEHOLDER], 105: ["118"]}
    sources = {n: "from course_lib.check import student" for n in names if n != 103}
    cells = {n: [sources.get(n, ""), *(f"student({name!r})" for name in written)] for n, written in names.items()}
    files = {f"Participant_{n}_assignsubmission_file_": notebook(cells[n]) for n in names}
    folder, out = hand_in(tmp_path / "class", files), tmp_path / "out"
    (tmp_path / "roster.csv").write_text("student,number,handed_in\nbo,103,2026-12-02\nfay,,2026-12-03\n")
    (tmp_path / "overrides.csv").write_text(f"student,question,points\nbo,{VALUE},1.5\n")
    grade(folder, out, jobs=1, sandboxed=False, roster=tmp_path / "roster.csv", deadline=datetime(2026, 12, 1),
          late_penalty=20)  # fmt: skip
    assert rows(out)["bo"]["total"] == "1.2"
    assert "taken off: Participant 101, Participant 102, Participant 104, Participant 105;" in capsys.readouterr().err
    pairs = {name: re.findall("tree as (.*), .* (.*) name", text) for name, text in notes(out).items()}
    assert pairs == {"Participant 101": [("Participant 102", "same")], "Participant 102": [("Participant 101", "same")],
                     "Participant 105": [("bo", "another")], "bo": [("Participant 105", "another")],
                     "Participant 104": []}  # fmt: skip
    assert "that of another student on the roster" in notes(out)["bo"]
    assert "by the name or number that you use in this course, which determines" in page(out, "Participant 104")
    assert "(line 1: student(…))" in notes(out)["bo"]
    assert "the name was forgotten" in notes(out)["Participant 104"]
    shown = "".join(path.read_text() for path in (out / "marks.html", out / "grades.json", *out.glob("feedback/*")))
    assert not re.search(r"['\"](ada|eve|fay)\\?['\"]", unescape(shown), re.I)


def test_a_student_without_a_notebook_may_get_points(tmp_path, capsys):
    folder, out = hand_in(tmp_path / "class", {"ada": EMPTY}), tmp_path / "out"
    (folder / "bob_LATE_9_text.html").touch()
    (folder / f"eve_8_7_{NOTEBOOK}.ipynb").write_bytes(EMPTY)
    (tmp_path / "overrides.csv").write_text(f"student,question,points,comment\nbob,{VALUE},1.5,on paper\n")
    for _ in range(2):
        grade(folder, out, jobs=1, sandboxed=False, late_penalty=50)
    assert notes(out)["bob"].splitlines().count("handed in late") == 1
    assert "no zip can return the pages of ada, bob: in Canvas, attach them to" in capsys.readouterr().err
    filled = {name: text for name, text in rows(out)["bob"].items() if text}
    assert filled == {"student": "bob", VALUE: "0.75", "total": "0.75", "late": NOTEBOOK}
    assert "<li>Marked by hand.</li>" in page(out, "bob") and "set these points: on paper" in page(out, "bob")
    assert not re.search("unanswered|not graded|not answered", page(out, "bob"))
    hand_in(folder, {"bob": EMPTY})
    (folder / "bob_LATE_9_text.html").unlink()
    grade(folder, out, jobs=1, sandboxed=False)
    assert rows(out)["bob"]["total"] == "1.5"


def test_points_are_shown_as_people_write_them():
    (work,) = handed_in("ada", "ada/02_minimax.ipynb").submissions
    names, points = list(TABLES)[:2], (0.1, 0.2)
    work.questions = {name: {"points": part, "of": 9, "verdict": Verdict.RIGHT} for name, part in zip(names, points)}
    ada = Student("ada", "", [work])
    assert str(ada.total()) == str(ada.points(NOTEBOOK)) == "0.3" != str(sum(points))
    assert str(whole(2.004)) == "2"


def test_a_deadline_that_is_a_day_is_its_end_and_without_one_nobody_is_late(tmp_path, capsys):
    assert str(time_of("2026-11-30")) == "2026-11-30 23:59:59" and str(time_of("2026-11-30T12:00")).endswith("12:00:00")
    (tmp_path / "roster.csv").write_text("student,handed_in\nada,2026-11-30\n")
    folder = hand_in(tmp_path / "class", {"ada": EMPTY})
    grade(folder, tmp_path / "out", jobs=1, sandboxed=False, roster=tmp_path / "roster.csv", late_penalty=9)
    assert "nothing is taken off: ada; give the --deadline, too\n" in capsys.readouterr().err


def test_no_two_students_have_the_same_name_in_what_moodle_imports(tmp_path, capsys):
    folder = hand_in(tmp_path / "class", {f"Jan_{n}_assignsubmission_file_": EMPTY for n in (7, 8)})
    (tmp_path / "roster.csv").write_text("student,name\njn1,Jan\n")
    grade(folder, tmp_path / "out", jobs=1, sandboxed=False, roster=tmp_path / "roster.csv")
    table = (tmp_path / "out" / "moodle.csv").read_text().splitlines()[1:]
    assert [row.partition(",")[0] for row in table] == ["jn1 (7)", "jn1 (8)"]
    assert "several rows for one name: jn1 (7), jn1 (8); give a --roster" in capsys.readouterr().err


@pytest.mark.parametrize(("option", "given", "expected"), [
    ("--deadline", "30.11.", "a time such as 2026-11-30T23:59, without a time zone"),
    ("--deadline", "2026-11-30T23:59+01:00", "a time such as 2026-11-30T23:59, without a time zone"),
    ("--late-penalty", "101", "a number above 0 and at most 100"), ("--late-penalty", "x", "a number above 0 and at"),
])  # fmt: skip
def test_an_option_says_what_it_expects(tmp_path, capsys, option, given, expected):
    with pytest.raises(SystemExit):
        main(["grade", str(tmp_path), "--out", "out", option, given])
    told = capsys.readouterr().err
    assert f"{option}: must be {expected}" in told and told.endswith(f", not {given}\n")


@pytest.mark.parametrize(("time", "is_late"), [
    ("2026-11-30 23:59", False), ("Monday, 30 November 2026, 11:59 PM", False),
    ("Tuesday, 1 December 2026, 12:00 AM", True),
    ("Tuesday, December 1, 2026, 12:00 AM", True), ("lundi 30 novembre 2026, 23:59", False),
    ("mardi 1 décembre 2026, 00:00", True), ("jeudi 6 août 2026, 08:05", False), ("dimanche 7 mars 2027, 8:05", True),
    ("-", None), ("", None),
])  # fmt: skip
def test_times_may_be_those_of_moodle(tmp_path, time, is_late):
    (tmp_path / "roster.csv").write_text(f"student;handed_in\nada;{time}\n")
    late = read_late(tmp_path / "roster.csv", datetime(2026, 11, 30, 23, 59))
    assert late.get("ada") is is_late


@pytest.mark.parametrize("time", ["30.11.", "30/11/2026 23:59", "Monday, 30 November 2026, 11:59 PM CET"])
def test_a_time_that_cannot_be_read_is_named_with_its_line(tmp_path, time):
    (tmp_path / "roster.csv").write_text(f"student;handed_in\nada;{time}\n")
    with pytest.raises(ValueError, match=r"roster\.csv, line 2: expected a time such as 2026-11-30 23:59, without a"):
        read_late(tmp_path / "roster.csv", datetime(2026, 12, 1))


@pytest.mark.parametrize(("name", "content"), [
    (".grading/seed.json", "{"), ("grades.json", '{"students": [1]}'), ("grades.json", "{"),
])  # fmt: skip
def test_damaged_results_are_named_with_what_to_do(tmp_path, name, content):
    (tmp_path / "out" / ".grading").mkdir(parents=True)
    (tmp_path / "out" / name).write_text(content)
    with pytest.raises(ValueError, match=rf"{name} is damaged: (give --secret-seed|remove it)"):
        grade(hand_in(tmp_path / "class", {"ada": EMPTY}), tmp_path / "out", jobs=1, sandboxed=False)


def test_a_known_mistake_may_have_points_in_the_solutions(monkeypatch):
    question = next(q for q in notebooks()[NOTEBOOK].questions if q.identifier == VALUE)
    monkeypatch.setattr("instructor.grade.marking._question", lambda notebook, identifier: question)
    for known in question.known:
        monkeypatch.setattr(known, "points", 1.5 if known.name == "everybody maximises" else 0)
    cells = ["from course_lib.games import MAX", MAXIMISES]
    found = mark(cells, NOTEBOOK, "ada", 1, sandboxed=False)["questions"]
    assert (found[VALUE]["points"], found[VALUE]["mistake"]) == (1.5, "everybody maximises")
    assert partial_points(question, "everybody maximises or another") == 0
    assert MARK.match("#~ x  ## off by one (1.5 points): why").groupdict() == {
        "kind": "", "code": "x", "name": "off by one", "points": "1.5", "sentence": "why"}  # fmt: skip


def test_a_mistake_worth_the_whole_question_ends_the_run_before_anything_is_marked(tmp_path, monkeypatch):
    questions = notebooks()
    marked = next(q for q in questions[NOTEBOOK].questions if q.identifier == VALUE)
    cell = questions[NOTEBOOK].cells[marked.solution_cells[0]]
    cell["source"] = re.sub(
        "## (turns assumed to alternate)$", r"## \1 (9 points)", cell["source"], count=1, flags=re.M
    )
    monkeypatch.setattr("instructor.grade.command.course", lambda: questions)
    with pytest.raises(ValueError, match=rf"{NOTEBOOK}\.ipynb, {VALUE}: expected less than .* got 9: change one"):
        grade(hand_in(tmp_path / "class", {"ada": EMPTY}), tmp_path / "out", jobs=1, sandboxed=False)


def test_an_override_of_work_that_is_not_marked_yet_is_named(bubblewrap, tmp_path, capsys):
    folder = hand_in(tmp_path / "class", {"ada": EMPTY})
    (tmp_path / "overrides.csv").write_text(ROW)
    grade(folder, tmp_path / "out", jobs=1, only=[notebook_called("1")])
    assert f"not marked yet: ada ({VALUE})" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (f"eve,{VALUE},1,", "line 2: expected a student of these submissions and a question of the course, got 'eve'"),
        ("ada,minimax.valeu,1,", "got 'ada' and 'minimax.valeu'"),
        (f"ada,{VALUE},1,\nada,{VALUE},2,", "line 3: line 2 has points for this, too"),
        (f"*,{VALUE},1,", "line 2: expected the name of a mistake if the student is"),
        *((f"ada,{VALUE},{points},", f"line 2: expected 0 to 2 points, got '{points}'") for points in ("one", -1, 2.5)),
    ],
)
def test_an_override_of_nothing_is_an_error(tmp_path, row, told):
    folder, own = hand_in(tmp_path / "class", {"ada": EMPTY}), tmp_path / "own.csv"
    own.write_text(f"student,question,points,comment\n{row}\n")
    with pytest.raises(ValueError, match=told):
        grade(folder, tmp_path / "out", jobs=1, overrides=own)
    own.write_text("name,points\n")
    with pytest.raises(ValueError, match=r"line 1: expected the columns .*, got name, points"):
        grade(folder, tmp_path / "out", jobs=1, overrides=own)


@pytest.mark.parametrize(("student", "row"), [
    ("-2 Ada", f"student,question,points\n'-2 Ada,{VALUE},1.5\n"),
    ("Ju\u0308rgen", f"Student;Question;Points;Comment\r\n;;;\r\nJu\u0308rgen;{VALUE};1,5;gut\r\n"),
    ("a\x07 b", f"student\tquestion\tpoints\na b\t{VALUE}\t1.5\n"),
])  # fmt: skip
def test_overrides_name_students_as_the_tables_show_them(bubblewrap, tmp_path, student, row):
    folder, out = hand_in(tmp_path / "class", {student: EMPTY}), tmp_path / "out"
    (tmp_path / "overrides.csv").write_text(row, encoding="utf-8")
    grade(folder, out, jobs=1)
    assert [row["total"] for row in rows(out).values()] == ["1.5"]


def test_a_table_that_was_changed_by_hand_is_not_overwritten(bubblewrap, tmp_path):
    folder, out = hand_in(tmp_path / "class", {"ada": EMPTY, "bob": EMPTY}), tmp_path / "out"
    grade(folder, out, jobs=1)
    table = out / "grades.csv"
    table.write_bytes(table.read_bytes().replace(b"\n", b"\r\n"))  # as a spreadsheet saves it
    grade(folder, out, jobs=1)
    changed = table.read_text().replace("bob,0", "bob,3")
    table.write_text(changed)
    with pytest.raises(ValueError, match=r"changed by hand: put the points into overrides.csv"):
        grade(folder, out, jobs=1)
    assert table.read_text() == changed
    table.unlink()
    grade(folder, out, jobs=1)
    assert totals(out) == {"ada": 0, "bob": 0}


def handed_in(student, file, notebook=NOTEBOOK, problem=""):
    return Student(student, "", [Submission(student, student, notebook, file, problem=problem)])


def test_late_work_has_a_column_and_what_cannot_be_marked_no_total():
    late = handed_in("ada", f"ada_LATE_9_8_{NOTEBOOK}.ipynb")
    odd = handed_in("bob", "bob_7_6_x.ipynb", None, MISNAMED)
    head, *table = csv.reader(grades_csv([late, odd], [NOTEBOOK]).splitlines())
    assert head[-2:] == ["total", "late"]
    assert [row[-2:] for row in table] == [["0", NOTEBOOK], ["", ""]]
    assert "handed in late" in late.submissions[0].all_notes()[0].text
    assert canvas_csv([odd], [NOTEBOOK]).endswith("bob,7,,,,\n") and "late" not in grades_csv([odd], [NOTEBOOK])


def test_answers_that_are_equal_but_for_spaces_and_comments_are_noted():
    def work(name, *others):
        return [f'student("{name}")', *(f"def f{n}(x):\n    return x + {n}{other}" for n, other in enumerate(others))]

    submissions = {name: Submission(name, name, NOTEBOOK, "") for name in ("ada", "bob", "eve", "fay", "gil")}
    found = similar({
        submissions["ada"]: work("ada", "", "", "", ""),
        submissions["bob"]: work("bob", "  # mine", "", " ", "\n"),
        submissions["eve"]: work("eve", "", "", "", " - 1"),
        submissions["fay"]: work("fay", "", "", " - 1", " - 2"),
        submissions["gil"]: work("gil"),
    })  # fmt: skip
    assert {s.student: note.text.rpartition("comments: ")[2] for s, note in found.items()} == {
        "ada": "bob (4 of 4), eve (3 of 4)", "bob": "ada (4 of 4), eve (3 of 4)", "eve": "ada (3 of 4), bob (3 of 4)"
    }  # fmt: skip
    assert definitions(["def f():\n    pass\n" + "a;" * LONGEST]) == set()  # longer ones could fill the memory


def test_the_published_solution_is_noted():
    cells = [source for _, source in solved("ada")]
    ada, bob = (Submission(name, name, NOTEBOOK, "") for name in ("ada", "bob"))
    found = similar({ada: cells, bob: cells[:5]})
    assert "the published solution (" in found[ada].text and "published" not in str(found.get(bob))


def test_results_go_back_under_the_names_that_the_platform_gave(bubblewrap, tmp_path, capsys):
    """Anonymous students have the trees of the names in their notebooks."""
    files = {f"Team 1-Participant_101_assignsubmission_file/{NOTEBOOK}.ipynb": honest("ada"),
             f"Team 1-Participant_102_assignsubmission_file_{NOTEBOOK}.ipynb": honest("bob"),
             f"anon_LATE_Xy3fQ_7_{NOTEBOOK}.ipynb": honest("eve"), "anon_Zz_text.html": b"my answer",
             f"Team 2-Fay Roux_9_assignsubmission_file_/{NOTEBOOK}.ipynb": honest("Fay Roux"),
             f"gil/{NOTEBOOK}.ipynb": EMPTY}  # fmt: skip
    for name, content in files.items():
        (tmp_path / "class" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "class" / name).write_bytes(content)
    out = tmp_path / "out"
    grade(tmp_path / "class", out, jobs=2)
    assert {name: row["total"] for name, row in rows(out).items()} == {
        "Participant 101": str(POINTS), "Participant 102": str(POINTS), "Team 2-Fay Roux": str(POINTS),
        "anon_Xy3fQ": str(POINTS), "anon_Zz": "", "gil": "0"}  # fmt: skip
    packed = [ZipFile(out / f"feedback_{platform}.zip") for platform in ("moodle", "canvas")]
    assert [archive.namelist() for archive in packed] == [
        ["Team 1-Participant_101_assignsubmission_file_/feedback.html",
         "Team 1-Participant_102_assignsubmission_file_feedback.html",
         "Team 2-Fay Roux_9_assignsubmission_file_/feedback.html"], ["anon_LATE_Xy3fQ_7_feedback.html"]]  # fmt: skip
    assert "Feedback for Team 2-Fay Roux" in packed[0].read(packed[0].namelist()[-1]).decode()
    assert "no zip can return the pages of anon_Zz, gil: in Canvas, attach" in capsys.readouterr().err
    assert not (out / "canvas.csv").exists()
    (tmp_path / "class" / f"evefay_LATE_9_3_{NOTEBOOK}.ipynb").write_bytes(EMPTY)
    grade(tmp_path / "class", out, jobs=1)
    assert (out / "canvas.csv").read_text().splitlines()[1:] == ["evefay,9,,,,0"]
    assert "canvas.csv leaves out who has no known ID in Canvas: Participant 101, Part" in capsys.readouterr().err


def test_a_notebook_may_give_any_name_in_the_roster(bubblewrap, tmp_path):
    folder = hand_in(tmp_path / "class", {"ada": honest("Ada Lovelace"), "bob": honest(PLACEHOLDER)})
    (tmp_path / "roster.csv").write_text("student,name\nada,Ada Lovelace\nbob,Bob\n")
    grade(folder, tmp_path / "out", jobs=2, roster=tmp_path / "roster.csv")
    assert totals(tmp_path / "out")["ada"] == POINTS and "is by" not in notes(tmp_path / "out")["ada"]
    assert "The notebook has no name: replace &#39;your name or number&#39; by" in page(tmp_path / "out", "bob")
