"""The author of each file, in all the forms in which a class hands in; and files that nobody should open."""

import io
import json
import os
import tracemalloc
import zipfile
from pathlib import Path, PurePosixPath

import pytest

from instructor.grade import downloads
from instructor.grade.authorship import own_name
from instructor.grade.downloads import ANYWHERE, FORMS, place_of
from instructor.grade.rosters import read_csv, read_roster
from instructor.grade.submissions import LARGEST, NOTHING, code_cells, collect, collect_players, read_bounded
from instructor.questions import ROOT

NAME = "02_minimax.ipynb"
FIRST = "01_game_formalism.ipynb"
EXERCISE = ROOT / "exercises" / NAME


@pytest.fixture(autouse=True)
def names(monkeypatch):
    monkeypatch.setattr("instructor.grade.submissions.NOTEBOOKS", ("01_game_formalism", "02_minimax", "03_alpha_beta"))


def folder_of(tmp_path, *paths, **contents):
    for path in paths:
        (tmp_path / "class" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "class" / path).write_bytes(contents.get("content", path.encode()))
    return tmp_path / "class"


def zipped(entries):
    """The bytes of a zip with these entries by name."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return file.getvalue()


@pytest.fixture
def found(tmp_path):
    """A function that collects a class from a folder, or from a zip with these entries."""

    def collected(source, **options):
        if isinstance(source, dict):
            (tmp_path / "class.zip").write_bytes(zipped(source))
            source = tmp_path / "class.zip"
        (tmp_path / "scratch").mkdir(exist_ok=True)
        return collect(source, tmp_path / "scratch", **options)

    return collected


def authors(submissions):
    """(student, notebook, problem or content of the file) of each submission."""
    return [(s.display_name, s.notebook, s.problem or read_bounded(s.path).decode()) for s in submissions]


AUTHORS = {
    f"ada/{NAME}": "ada",
    f"submitted/ada/ps2/{NAME}": "ada",
    f"Ada Lovelace_1234_assignsubmission_file_/{NAME}": "Ada Lovelace",
    f"Ada Lovelace_1234_assignsubmission_file_{NAME}": "Ada Lovelace",
    f"-Ada Lovelace_1234_assignsubmission_file_/{NAME}": "Ada Lovelace",
    f"lovelaceada_98_7654_{NAME}": "lovelaceada",
    "lovelaceada_LATE_98_7654_02_minimax-2.ipynb": "lovelaceada",
    "ada/deep/er/02_minimax (1).ipynb": "ada",
    "ada/02_MINIMAX.IPYNB": "ada",
    "ada/02_minimax.ipynb.json": "ada",
    "ada/02_minimax.ipynb.txt": "ada",
    f"Gödel, Kurt_12_assignsubmission_file_/{NAME}": "Gödel, Kurt",
    f"Participant_101_assignsubmission_file_/{NAME}": "Participant 101",
    f"Teilnehmerin_101_assignsubmission_file_{NAME}": "Teilnehmerin 101",
    f"Team 1-参与者_9_assignsubmission_file_/{NAME}": "参与者 9",
    f"anon_Xy3fQ_7655_{NAME}": "anon_Xy3fQ",
    f"anon_12345_7656_{NAME}": "anon_12345",
    "anon_Xy3fQ_LATE_7655_02_minimax-1.ipynb": "anon_Xy3fQ",
    f"Exercise_2_ada_attempt_2026-11-28-13-05-09_{NAME}": "2_ada",
    f"12-34 - Ada Lovelace- 28 November, 2026 1205 PM - {NAME}": "Ada Lovelace",
    f"Lovelace, Ada(ada)_Submission attachment(s)_{NAME}": "Lovelace, Ada",
    f"Submitted files/Ada Lovelace/Exercise 2/Version 2/{NAME}": "Ada Lovelace",
    f"ada+ps2+2026-11-28 13:05:09 UTC+x1/{NAME}": "ada",
    f"submission_98765/{NAME}": "submission 98765",
    NAME: "(unknown)",
}


@pytest.mark.parametrize("form", [*FORMS, ANYWHERE], ids=lambda form: form.platform)
def test_the_example_of_a_form_has_this_form_only(found, form):
    place = place_of(form.example)
    assert place.form is form and form.example == place.prefix + place.file
    (work,) = found({form.example: ""})
    assert work.notebook == "02_minimax"
    assert work.late == ("LATE" in form.example)
    if work.notebook and form is not ANYWHERE:
        around = found({"D/": "", f"D/{form.example}": ""}, roster={"zoe": "zoe"})
        assert work.student in {each.student for each in around}
        (hers,) = found({"zoe/": "", f"zoe/{form.example}": ""})
        assert hers.student == "zoe"


@pytest.mark.parametrize("path", AUTHORS)
def test_forms_in_a_folder_and_in_a_zip(tmp_path, found, path):
    expected = [(AUTHORS[path], "02_minimax", path)]
    assert authors(found(folder_of(tmp_path, path))) == expected
    assert authors(found({path: path})) == expected
    if "/" in path:
        assert authors(found({f"class/{path}": path})) == expected


@pytest.mark.parametrize(
    "name", ["ada/work.zip", "lovelaceada_98_7654_work.zip", "ada_9_assignsubmission_file_work.zip"]
)
def test_zips_that_students_handed_in(tmp_path, found, name):
    inner = zipped({f"my work/{NAME}": "inside", "notes.txt": "x", f"__MACOSX/._{NAME}": "x"})
    folder = folder_of(tmp_path, name, content=inner)
    student = name.split("/")[0].split("_")[0]
    assert authors(found(folder)) == authors(found({name: inner})) == [(student, "02_minimax", "inside")]


def test_a_student_called_submitted_hides_nobody(tmp_path, found):
    folder = folder_of(tmp_path, f"submitted/{NAME}", f"ada/{NAME}", "bob/essay.txt")
    assert [s.student for s in found(folder)] == ["ada", "bob", "submitted"]
    course = folder_of(tmp_path / "nbgrader", f"submitted/ada/ps/{NAME}", f"source/ps/{NAME}", "gradebook.db")
    assert [s.student for s in found(course)] == ["ada"]


def test_several_notebooks_students_and_copies(tmp_path, found):
    of_a = "01_game_formalism.ipynb", NAME, "02_minimax-1.ipynb", "x.ipynb", "readme.txt", f".ipynb_checkpoints/{NAME}"
    folder = folder_of(tmp_path, f"b/{NAME}", *(f"a/{name}" for name in of_a))
    submissions = found(folder)
    assert [(s.student, s.notebook, s.file.split("/")[-1]) for s in submissions] == [
        ("a", None, "x.ipynb"),
        ("a", "01_game_formalism", "01_game_formalism.ipynb"),
        ("a", "02_minimax", "02_minimax-1.ipynb"),
        ("b", "02_minimax", NAME),
    ]
    assert "expected a name such as" in submissions[0].problem
    (odd,) = found(folder_of(tmp_path / "odd", "ada/Minimax final (2).ipynb"))
    assert "a name such as 02_minimax.ipynb" in odd.problem
    _, game = found(folder_of(tmp_path / "game", f"ada/{NAME}", "bob/my game.ipynb"))
    assert "a name such as 02_minimax.ipynb" in game.problem
    assert "2 files" in submissions[2].notes[0].text == submissions[2].notes[0].for_student


MOODLE = "{}_{}_assignsubmission_file_/{}"
CLASSES = {
    "blind marking": ([MOODLE.format("Participant", 101, NAME), MOODLE.format("Participant", 102, FIRST)],
                      ["Participant 101", "Participant 102"]),
    "blind, in a language that nobody thought of": (
        [MOODLE.format("Xyz", n, name) for n, name in enumerate([FIRST, NAME, "03_alpha_beta.ipynb"])],
        ["Xyz 0", "Xyz 1", "Xyz 2"]),
    "blind, with groups": ([MOODLE.format("A-Participant", 7, NAME), MOODLE.format("B-Participant", 8, NAME)],
                           ["Participant 7", "Participant 8"]),
    "anonymous in Canvas": ([f"anon_{code}_7{n}_{NAME}" for n, code in enumerate(["Ab1", "Ab2", "77777"])],
                            ["anon_77777", "anon_Ab1", "anon_Ab2"]),
    "nobody's": (["02_minimax (1).ipynb", "02_minimax (2).ipynb"],
                 ["(unknown) (02_minimax (1).ipynb)", "(unknown) (02_minimax (2).ipynb)"]),
    "a folder around": ([f"hw2/ada/{NAME}", f"hw2/bob/{NAME}", "hw2/grades.csv"], ["ada", "bob"]),
    "a notebook beside a folder": ([f"hw2/ada/{NAME}", f"hw2/bob/{NAME}", NAME], ["(unknown)", "hw2"]),
    "another folder": ([f"hw2/ada/{NAME}", f"hw2/bob/{NAME}", "zoe/answers.pdf"], ["hw2", "zoe"]),
    "one student": ([MOODLE.format("Ada", 1, f"{name}_9_1_{NAME}") for name in ("bobby", "evefay")], ["Ada"]),
    "a folder around a download": ([f"hw2/lovelaceada_9_1_{NAME}", f"hw2/bobby_8_2_{NAME}"], ["bobby", "lovelaceada"]),
    "Sakai": ([f"2/{name}({name})/Submission attachment(s)/{NAME}" for name in ("ada", "bob")], ["ada", "bob"]),
    "two downloads": ([f"{n}/" + MOODLE.format(name, n, NAME) for n in (1, 2) for name in ("Ada", "Bob")], ["1", "2"]),
    "a text beside a notebook": ([f"ada_9_1_{NAME}", "bob_LATE_8_text.html", "eve_7_link.html"], ["ada", "bob", "eve"]),
    "a namesake's text": (["Jan_7_assignsubmission_onlinetext_/onlinetext.html", MOODLE.format("Jan", 8, NAME)],
                          ["Jan (7)", "Jan (8)"]),
    "hidden": ([f".ada/{NAME}", f"bob/.ipynb_checkpoints/{NAME}", f"bob/{NAME}", f"bob/.git/{NAME}"], [".ada", "bob"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CLASSES)
def test_each_student_has_a_row_of_their_own(tmp_path, found, name):
    paths, students = CLASSES[name]
    assert [work.display_name for work in found(folder_of(tmp_path, *paths))] == students
    assert [work.display_name for work in found(dict.fromkeys(paths, ""))] == students
    folders = {f"{parent}/": "" for path in paths for parent in PurePosixPath(path).parents if parent.name}
    assert [work.display_name for work in found(folders | dict.fromkeys(paths, ""))] == students


def test_what_is_not_read_is_said(tmp_path, found):
    two = found(folder_of(tmp_path / "two", *CLASSES["two downloads"][0]))
    assert {work.problem for work in two} == {"the work of several students: move it up, beside that of the others"}
    ada, bob, _ = found(folder_of(tmp_path / "text", *CLASSES["a text beside a notebook"][0]))
    assert not ada.problem and "no notebook was handed in, but text.html" in bob.problem and bob.late
    hidden, _ = found(folder_of(tmp_path / "hidden", *CLASSES["hidden"][0]))
    assert ["is hidden" in note.text for note in hidden.notes] == [True]


GROUPS = {
    MOODLE.format("Team 1-Ada Lovelace", 201, NAME): "ada",
    MOODLE.format("Team-B-Jean-Noël Roux", 202, NAME): "jnr",
    MOODLE.format("Noël Roux", 203, NAME): "noel",
    MOODLE.format("Team 1-Participant", 204, NAME): "bob",
    f"anon_Xy3fQ_7655_{NAME}": "eve",
    f"anon_Zz3fQ_7656_{NAME}": "anon_Zz3fQ",
}


def test_groups_and_numbers_are_found_in_the_roster(tmp_path, found):
    rows = "student,name,number\nada,Ada Lovelace,\njnr,Jean-Noël Roux,\nnoel,Noël Roux,\nbob,,204\neve,Xy3fQ,\nfay,,\n"
    (tmp_path / "roster.csv").write_text(rows)
    roster = read_roster(tmp_path / "roster.csv")
    submissions = found(folder_of(tmp_path, *GROUPS), roster=roster)
    assert {work.file: work.student for work in submissions} == GROUPS  # fay may be anonymous
    hidden = [work for work in submissions if work.anonymous]
    assert [work.student for work in hidden] == ["anon_Zz3fQ", "bob", "eve"]
    assert {own_name(work, ["your name or number", "Fay"], roster) for work in hidden} == {"Fay"}
    (tmp_path / "roster.csv").write_text("student,no,row,code\nada,2,1,Participant 3\nbo,3,2,Participant 2\n")
    paths = [MOODLE.format(*who, NAME) for who in [("Participant", 2), ("Participant", 3), ("Mal", 1)]]
    numbered = found(dict.fromkeys(paths, ""), roster=read_roster(tmp_path / "roster.csv"))
    assert {work.file: work.student for work in numbered} == dict(zip(paths, ["bo", "ada", "Mal"]))
    (alone,) = found(folder_of(tmp_path / "alone", next(iter(GROUPS))))
    assert own_name(alone, ["Bob", "ada lovelace"], {}) == "ada lovelace"
    assert own_name(alone, ["Bob", "team 1"], {}) == "team 1"
    assert own_name(alone, ["lace", "Team", "Bob"], {}) == "Team 1-Ada Lovelace"


def test_a_notebook_may_give_the_platform_s_own_name(tmp_path, found):
    roster = {"98": "s01"}
    (ada,) = found(folder_of(tmp_path, f"lovelaceada_98_7654_{NAME}"), roster=roster)
    assert own_name(ada, ["Lovelaceada"], roster) == "Lovelaceada"
    assert own_name(ada, ["lovelace"], roster) == "s01"


CODES = {
    "Participant 101": MOODLE.format("Participant", 101, NAME),
    "102": MOODLE.format("Participant", 102, NAME),
    "Participant_103": MOODLE.format("Team 1-Participant", 103, NAME),
    "anon_Xy3fQ": f"anon_Xy3fQ_7655_{NAME}",
    "anon_xy3fq": f"anon_xy3fq_7656_{NAME}",
}


def test_the_code_of_an_anonymous_student_may_be_on_the_roster(tmp_path, found):
    rows = ["student,code", *CODES, "anon_zz1AB", "zoe,ABCDE", "kim,abcDE", "lia,FGHJK"]
    (tmp_path / "roster.csv").write_text("\n".join(rows))
    others = [f"anon_{code}_1_{NAME}" for code in ("XY3FQ", "ZZ1ab", "abcde", "fghjk")]
    roster = read_roster(tmp_path / "roster.csv")
    submissions = found(folder_of(tmp_path, *CODES.values(), *others), roster=roster)
    assert {work.display_name: work.file for work in submissions} == CODES | {file[:10]: file for file in others}
    assert {own_name(work, ["Ada"], roster) for work in submissions} == {"Ada"}
    told = {work.display_name for work in submissions if "is not on the roster" in str(work.notes)}
    assert told == {file[:10] for file in others} and "abcde" not in roster  # whose is it?
    listed = found(folder_of(tmp_path / "listed", *CODES.values()), roster=roster)
    missing = [work.student for work in listed if work.problem == NOTHING]
    assert missing == ["anon_zz1AB", "kim", "lia", "zoe"]


@pytest.mark.parametrize("own", [*(form.example for form in FORMS), f"Ada(ada)_Submission attachment(s)_{NAME}"])
def test_no_name_of_a_file_is_that_of_another_student(own):
    """Whatever the rest of a path looks like: another platform's name, or the same one's."""
    place = place_of(own)
    for other in (*FORMS, ANYWHERE):
        name = other.example if place.prefix.endswith("/") else other.example.replace("/", "_")
        for trick in (name, f"x_{name}", f"x_98_assignsubmission_file_{name}", f"x.zip/{other.example}"):
            assert place_of(place.prefix + trick)[:3] == place[:3]


def test_nobody_is_graded_as_another_student(found):
    own, other = "Mallory_12_assignsubmission_file_", "Ada Lovelace_98_assignsubmission_file_"
    tricks = {f"{own}x_98_assignsubmission_file_02_minimax-999.ipynb": "", f"{own}{other}{NAME}": "",
              f"{own}x.zip": zipped({f"../../{other}{NAME}": "", f"ada/{NAME}": ""}), f"{other}{NAME}": ""}  # fmt: skip
    for roster in ({}, {"98": "ada", "ada lovelace": "ada", "mallory": "mallory"}):
        ada, mallory = found(tricks, roster=roster)
        assert (ada.file, mallory.student.lower()) == (f"{other}{NAME}", "mallory")
    (alone,) = found({f"{own}/{other}{NAME}": ""})
    assert alone.student == "Mallory"
    works = found({"mallory.zip": zipped({f"{name}_98_1_{NAME}": "" for name in ("adalovelace", "bobby")})})
    assert {work.student for work in works} == {"mallory"}


ADA = f"Ada Lovelace_98_assignsubmission_file_/{NAME}"
IMPOSTORS = [[f"mallory/{ADA}"], [f"mallory/{ADA}", f"mallory/{ADA.replace('Ada', 'Bob')}"],
             [ADA, "98-1 - Ada Lovelace - Nov 28, 2026 105 PM - x_12_assignsubmission_file_/02_minimax-9.ipynb"],
             [ADA, f"X-Ada Lovelace_12_assignsubmission_file_/{FIRST}"]]  # fmt: skip


@pytest.mark.parametrize("with_numbers", [True, False])
@pytest.mark.parametrize("paths", IMPOSTORS, ids=len)
def test_nothing_is_another_students_without_a_note_by_the_name_that_a_student_chose(found, paths, with_numbers):
    roster = {"mallory": "mallory", "ada lovelace": "ada"} | ({"98": "ada", "12": "mallory"} if with_numbers else {})
    submissions = found(dict.fromkeys(paths, ""), roster=roster)
    assert {work.file for work in submissions if work.student == "ada" and not work.notes} <= {ADA, ""} & {*paths, ""}
    shown = {work.display_name for work in submissions if work.file}
    assert not with_numbers or len(shown) == len({path.partition("/")[0] for path in paths})


def raw_zip(names, encoding):
    """A zip with these names in an encoding, without the mark of UTF-8."""
    content = zipped({f"{number:04}".ljust(len(name.encode(encoding)), "x"): "" for number, name in enumerate(names)})
    for number, name in enumerate(names):
        content = content.replace(f"{number:04}".ljust(len(name.encode(encoding)), "x").encode(), name.encode(encoding))
    return content


@pytest.mark.parametrize(("encoding", "names"), [
    ("cp1252", ["Jürgen Müller", "Amélie Groß", "Hélène D’Aubigné"]), ("cp850", ["Jürgen", "Hélène Ñandú"]),
    ("cp932", ["山田太郎", "表ソ能", "ヤマダ タロウ"]), ("utf-8", ["Jürgen", "山田太郎"]),
])  # fmt: skip
@pytest.mark.parametrize("separator", "/\\")
def test_zips_of_windows(tmp_path, found, encoding, names, separator):
    (tmp_path / "w.zip").write_bytes(raw_zip([f"{name}{separator}{NAME}" for name in names], encoding))
    assert [work.student for work in found(tmp_path / "w.zip")] == sorted(names)


BLANK, DONE = '{"cells": []}', '{"cells": [{"cell_type": "code", "source": "answer = 1"}]}'
COPIES = [  # the last one is graded
    [(NAME, BLANK), ("02_minimax-Copy1.ipynb", DONE)],
    [("02_minimax-Copy1.ipynb", BLANK), (NAME, DONE)],
    [(f"old/{NAME}", BLANK), (NAME, DONE)],
    [(f"old/{NAME}", DONE), (NAME, DONE)],
    [("z/02_minimax-9.ipynb", DONE), (NAME, DONE)],
    [(NAME, BLANK), (f"work.zip/{NAME}", DONE)],
    [(NAME, BLANK), ("02_minimax copy.ipynb", "cut short")],
    [(NAME, DONE), ("02_minimax copy.ipynb", DONE), ("02_minimax copy 2.ipynb", DONE), ("02_minimax-10.ipynb", DONE)],
    [(NAME, DONE), ("02_minimax 2.ipynb", DONE), ("02_minimax (3).ipynb", DONE), ("02_minimax-Copy4.ipynb", DONE)],
    [(NAME, DONE), ("Copy of 02_minimax.ipynb", DONE)],
    [(f"Version 2/{NAME}", DONE), (f"Version 10/{NAME}", DONE)],
    [(f"work.zip/{NAME}", DONE), (f"work-1.zip/{NAME}", DONE)],
]


@pytest.mark.parametrize("copies", COPIES, ids=lambda copies: copies[-1][0])
def test_the_copy_that_is_graded(found, copies):
    files = {}
    for name, content in copies:
        archive, _, inner = name.rpartition(".zip/")
        files |= {f"ada/{archive}.zip": zipped({inner: content})} if archive else {f"ada/{name}": content}
    work, _ = found({**files, f"zoe/{NAME}": DONE})
    assert work.file == f"ada/{copies[-1][0]}" and f"{len(copies)} files" in work.notes[0].text


def test_a_name_in_the_first_cell_is_no_answer(found):
    cells = [{"cell_type": "code", "source": source} for source in code_cells(EXERCISE)]
    named = [cells[0] | {"source": cells[0]["source"].replace("your name or number", "ada")}, *cells[1:]]
    (work,) = found({f"ada/{NAME}": DONE, "ada/02_minimax-1.ipynb": json.dumps({"cells": named})})
    assert work.file == f"ada/{NAME}"


def test_two_students_of_one_name_are_told_apart_by_their_numbers(tmp_path, found):
    folder = folder_of(tmp_path, *(f"Jan Novák_{n}_assignsubmission_file_/{NAME}" for n in (7, 8)))
    assert [(s.student, s.display_name) for s in found(folder)] == [
        ("Jan Novák", "Jan Novák (7)"), ("Jan Novák", "Jan Novák (8)")]  # fmt: skip
    canvas = folder_of(tmp_path / "canvas", f"novakjan_7_1_{NAME}", "novakjan_8_2_01_game_formalism.ipynb")
    assert [s.display_name for s in found(canvas)] == ["novakjan (7)", "novakjan (8)"]
    (tmp_path / "roster.csv").write_text("student,number,name\njn1,7,\njn2,8,\nada,,Ada Lovelace\n")
    submissions = found(folder, roster=read_roster(tmp_path / "roster.csv"))
    assert [(s.student, s.problem) for s in submissions] == [("ada", NOTHING), ("jn1", ""), ("jn2", "")]
    for group in ("", "TD-2-"):
        theirs = [MOODLE.format(group + "Jan Novák", n, name) for n, name in [(7, NAME), (8, NAME), (9, FIRST)]]
        roster = {"jan novák": "jan", "7": "jan", "8": "jn2"}
        works = found(dict.fromkeys([*theirs, MOODLE.format("Ada", 6, NAME)], ""), roster=roster)
        assert {w.file: w.display_name for w in works if w.student != "Ada"} == dict(zip(theirs, ["jan", "jn2", "jan"]))
        assert [w.student for w in works if "odd names" in str(w.notes)] == ([] if group else ["jn2"])
    by_name = found(folder, roster={"jan novák": "jan"})
    assert [(s.student, s.display_name) for s in by_name] == [("jan", "jan (7)"), ("jan", "jan (8)")]


def test_a_student_of_two_groups_has_a_note(found):
    ada, again, bob = found({MOODLE.format(name, n, NAME): "" for name, n in [("A-Ada", 7), ("B-Ada", 7), ("Bob", 8)]})
    assert ["the number 7 came under another name" in str(work.notes) for work in (ada, again, bob)] == [1, 1, 0]


def test_a_student_has_another_number_in_moodle_s_next_assignment(tmp_path, found):
    folder = folder_of(tmp_path, f"Ada_7_assignsubmission_file_/{NAME}",
                       "Ada_107_assignsubmission_file_/03_alpha_beta.ipynb")  # fmt: skip
    assert [(s.display_name, s.notebook) for s in found(folder)] == [("Ada", "02_minimax"), ("Ada", "03_alpha_beta")]


def test_rosters(tmp_path, found):
    roster = tmp_path / "roster.csv"
    roster.write_text("student,e-mail\nada,ada@example.org\n")
    submissions = found(folder_of(tmp_path, f"ADA/{NAME}", f"eve/{NAME}"), roster=read_roster(roster))
    assert [(s.student, [note.text for note in s.notes]) for s in submissions] == [
        ("ada", []), ("eve", ["eve is not on the roster"])]  # fmt: skip


@pytest.mark.parametrize(("text", "told"), [
    ("name\nada\n", "line 1: expected a CSV with a column `student`"),
    ("student,e-mail\n\n,ada@example.org\n", "line 3: expected a column `student`, filled in each row"),
    ("student,e-mail\nada,x\n\nbob,x\n", "line 4: 'x' is a name of two students"),
    ("student,number\nJan,7\nJan,8\n", "line 3: 'Jan' is in an earlier row"),
    ("student,name\nada,Lovelace, Ada\n", "line 2: 3 cells for 2 columns"),
    (f"student\nada{'x' * 200_000}\n", "line 2: field larger than"),
    ('student,name\nada,"Ada\nbob,Bob\n', "line 3: unexpected end of data; is a quotation mark missing"),
    ("Student,student\nada,Ada\n", "line 1: several columns are called 'student'; rename"),
    ("student\nada\0\n", "line 2: not a text; save the table as CSV"),
])  # fmt: skip
def test_what_is_wrong_with_a_roster_is_said_with_its_line(tmp_path, text, told):
    (tmp_path / "roster.csv").write_text(text)
    with pytest.raises(ValueError, match=rf"roster\.csv, {told}"):
        read_roster(tmp_path / "roster.csv")


@pytest.mark.parametrize("content", [
    "student,name\njm,Jürgen Müller\n".encode(),
    "\ufeffstudent;name\r\njm;Jürgen Müller\r\n".encode(),
    "sep=;\r\nStudent;Name\r\n;;\r\njm;Jürgen Müller;\r\n".encode("cp1252"),
    "Student\tname\njm\tJürgen Müller\n\t\n".encode("utf-16"),
    "student,name\njm,Ju\u0308rgen Mu\u0308ller\n,\n".encode(),
], ids=["plain", "BOM", "Excel", "UTF-16", "decomposed"])  # fmt: skip
def test_rosters_of_any_spreadsheet(tmp_path, found, content):
    (tmp_path / "roster.csv").write_bytes(content)
    roster = read_roster(tmp_path / "roster.csv")
    assert [
        work.student for work in found(folder_of(tmp_path, f"Ju\u0308rgen Mu\u0308ller/{NAME}"), roster=roster)
    ] == ["jm"]


def test_late_work_by_mail_is_the_same_students_according_to_the_roster(found):
    files = {f"lovelaceada_98_7_{NAME}": "", f"Ada/{FIRST}": ""}
    roster = {"98": "al", "ada": "al"}
    assert [work.display_name for work in found(files, roster=roster)] == ["al", "al"]
    in_moodle = {MOODLE.format("Ada", 9, NAME): "", f"al/{FIRST}": ""}
    assert [work.display_name for work in found(in_moodle, roster={"ada": "al", "al": "al"})] == ["al", "al"]


def test_an_apostrophe_before_a_formula_is_not_part_of_a_name(tmp_path):
    (tmp_path / "names.csv").write_text("student\n'-2 Ada\n'quoted'\n")
    assert [row["student"] for _, row in read_csv(tmp_path / "names.csv")[1]] == ["-2 Ada", "'quoted'"]


@pytest.mark.parametrize("entry", [f"../../{NAME}", f"/etc/{NAME}", f"a/../../{NAME}"])
def test_paths_in_a_zip_stay_in_its_folder(tmp_path, found, entry):
    folder = folder_of(tmp_path, "eve/work.zip", content=zipped({entry: "hers"}))
    assert authors(found(folder)) == [("eve", "02_minimax", "hers")]
    assert all(path.is_relative_to(tmp_path / "scratch") or path.is_relative_to(folder)
               for path in tmp_path.rglob(NAME))  # fmt: skip


def quine(depth):
    return zipped({NAME: "x"}) if depth == 0 else zipped({"inner.zip": quine(depth - 1)})


def damaged():
    """A zip whose compressed data begin with two bytes that no compression makes."""
    content = bytearray(zipped({NAME: "x" * 500}))
    at = 30 + len(NAME)
    content[at : at + 2] = b"\xff\xff"
    return bytes(content)


BAD_ZIPS = {
    "bomb": (zipped({f"{n}.ipynb": bytes(LARGEST) for n in range(33)}), "too large"),
    "many": (zipped({f"{n}.ipynb": "" for n in range(301)}), "301 files"),
    "nested": (quine(3), "no notebook"),
    "damaged": (damaged(), "cannot be unpacked"),
    "truncated": (zipped({NAME: "x"})[:40], "cannot be read"),
    "long": (zipped({f"{'x' * 600}.ipynb": ""}), "expected a name such as"),
    "nothing": (zipped({}), "no file"),
}


@pytest.mark.parametrize("kind", BAD_ZIPS)
def test_a_bad_zip_costs_its_student_only(found, kind):
    content, problem = BAD_ZIPS[kind]
    eve, *others = found({"eve/work.zip": content, f"zoe/{NAME}": "fine"})
    assert eve.student == "eve" and problem in eve.problem
    assert authors(others) == [("zoe", "02_minimax", "fine")]


def test_all_zips_of_a_student_fill_no_more_than_the_limit(tmp_path, found, monkeypatch):
    monkeypatch.setattr(downloads, "MAX_UNPACKED", 3000)
    small = zipped({NAME: "x" * 1000, "other.bin": "y" * 9000})
    folder = folder_of(tmp_path, *(f"eve_9_{n}_work-{n}.zip" for n in range(9)), "zoe_8_1_work.zip", content=small)
    *bad, eve, zoe = found(folder)
    assert [work.problem[:40] for work in bad] == ["a zip that cannot be read (too large: 4 "] * 0 + [
        f"a zip that cannot be read (too large: {n} " for n in range(4, 10)]  # fmt: skip
    assert (eve.student, zoe.student) == ("eve", "zoe") and not eve.problem + zoe.problem
    assert sum(path.stat().st_size for path in (tmp_path / "scratch").iterdir()) == 4000


def test_a_zip_with_a_password_is_named(found):
    content = bytearray(zipped({NAME: "x"}))
    for mark in (b"PK\x03\x04", b"PK\x01\x02"):
        content[content.index(mark) + (6 if mark == b"PK\x03\x04" else 8)] |= 1
    (work,) = found({"eve/work.zip": bytes(content)})
    assert work.problem == "cannot be unpacked (it has a password)"


def test_a_zip_takes_no_memory_for_what_is_not_wanted(tmp_path, found):
    (many,) = found({"eve/work.zip": b"PK\1\2" * (downloads.MAX_ENTRIES + 1)})
    assert many.problem == "a zip that cannot be read (it has more than 50,000 entries)"
    for number, names in enumerate((["a/b/", *(f"a/{n}.txt" for n in range(99))], ["a/", "a/b/"])):
        (tmp_path / f"{number}.zip").write_bytes(zipped({"eve/work.zip": zipped(dict.fromkeys(names, ""))}))
        (file,) = downloads.Download(tmp_path).files(tmp_path / f"{number}.zip")
        assert file.parts[:2] == ("eve", "work.zip")


@pytest.mark.parametrize("name", [b"J\xfcrgen", b"\xff\xfe\xd8", b"\x81\x8d"])
def test_a_folder_in_another_encoding_has_a_row(tmp_path, found, name):
    folder = os.fsencode(folder_of(tmp_path, f"zoe/{NAME}")) + b"/" + name
    os.mkdir(folder)
    Path(os.fsdecode(folder), NAME).write_text(DONE)
    students = {work.student for work in found(tmp_path / "class")}
    assert len(students) == 2 and all(student.encode() for student in students)
    assert name != b"J\xfcrgen" or "J\u00fcrgen" in students


def test_odd_files_have_a_row(tmp_path, found, monkeypatch):
    folder = folder_of(tmp_path, f"zoe/{NAME}", "fay/x")
    (folder / "eve").mkdir()
    (folder / "eve" / NAME).symlink_to(folder / "zoe" / NAME)
    os.mkfifo(folder / "fay" / NAME)
    (folder / "gil").mkdir()
    (folder / "ida").mkdir()
    scan = os.scandir

    def scandir(path):
        if str(path).endswith("ida"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert {s.student: s.problem for s in found(folder)} == {
        "eve": "not an ordinary file",
        "fay": "not an ordinary file",
        "gil": "no file",
        "ida": "a folder that cannot be read (Permission denied)",
        "zoe": "",
    }


def test_what_is_not_a_class_is_an_error(tmp_path, found):
    with pytest.raises(ValueError, match="not a folder or a zip"):
        found(tmp_path / "nothing")
    (tmp_path / "x.zip").write_text("not a zip")
    with pytest.raises(ValueError, match=r"x\.zip: a zip that cannot be read"):
        found(tmp_path / "x.zip")


def test_cells_are_read_whatever_their_form(tmp_path):
    path = tmp_path / NAME
    path.write_text(
        '{"cells": [{"cell_type": "code", "source": ["a\\n", "b"]}, {"cell_type": "markdown", "source": "x"}]}'
    )
    assert code_cells(path) == ["a\nb"]
    path.write_text(" \n")
    with pytest.raises(ValueError, match="empty"):
        code_cells(path)


OUTPUT = {"text": ['a "quoted" [bracket]} \\\n', "\\" * 99] * 9, "data": {"outputs": [[{}]], "x": "]"}}


@pytest.mark.parametrize("indent", [None, 1])
def test_outputs_of_any_size_are_skipped(tmp_path, indent):
    code = {
        "cell_type": "code",
        "metadata": {"outputs": []},
        "outputs": [OUTPUT] * 99,
        "source": 'x = "outputs": [',
    }
    notes = {"cell_type": "markdown", "attachments": {"a.png": {"image/png": "x" * LARGEST}}, "source": "$"}
    path = tmp_path / NAME
    path.write_text(json.dumps({"metadata": {"widgets": OUTPUT}, "cells": [code, notes, code]}, indent=indent))
    assert path.stat().st_size > LARGEST
    tracemalloc.start()
    assert code_cells(path) == [code["source"]] * 2
    assert tracemalloc.get_traced_memory()[1] < LARGEST / 4
    tracemalloc.stop()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_notebooks_in_other_encodings_are_read(tmp_path, encoding):
    (tmp_path / NAME).write_text(DONE, encoding=encoding)
    assert code_cells(tmp_path / NAME) == ["answer = 1"]


def test_players_are_files_of_their_own(tmp_path, capsys):
    folder_of(tmp_path, "ada/my_player.py", "bob/my_player-1.py", "bob/my_player.py", "bob/old/my_player-9.py",
              f"eve/{NAME}", "fay_98_7_my_player.py")  # fmt: skip
    (tmp_path / "class/gil").mkdir()
    (tmp_path / "class/gil/my_player.py").write_bytes(b" " * (LARGEST + 1))
    names = {"ada": "ada/my_player.py", "bob": "bob/my_player-1.py", "fay": "fay_98_7_my_player.py"}
    assert dict(collect_players(tmp_path / "class", tmp_path)) == names
    assert "gil does not play: gil/my_player.py cannot be read (more than" in capsys.readouterr().err
