"""The author of each file, in all the forms in which a class hands in; and files that nobody should open."""

import io
import os
import zipfile

import pytest

from instructor.grade.submissions import (
    LARGEST,
    NOTHING,
    code_cells,
    collect,
    collect_players,
    read_bounded,
    read_roster,
)

NAME = "02_minimax.ipynb"


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


FORMS = {
    f"ada/{NAME}": "ada",
    f"submitted/ada/ps2/{NAME}": "ada",
    f"Ada Lovelace_1234_assignsubmission_file_/{NAME}": "Ada Lovelace",
    f"Ada Lovelace_1234_assignsubmission_file_{NAME}": "Ada Lovelace",
    f"lovelaceada_98_7654_{NAME}": "lovelaceada",
    "lovelaceada_LATE_98_7654_02_minimax-2.ipynb": "lovelaceada",
    "ada/deep/er/02_minimax (1).ipynb": "ada",
    "ada/02_MINIMAX.IPYNB": "ada",
    f"Gödel, Kurt_12_assignsubmission_file_/{NAME}": "Gödel, Kurt",
}


@pytest.mark.parametrize("path", FORMS)
def test_forms_in_a_folder_and_in_a_zip(tmp_path, found, path):
    expected = [(FORMS[path], "02_minimax", path)]
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
    assert "2 files" in submissions[2].notes[0].text == submissions[2].notes[0].for_student


def test_two_students_of_one_name_are_told_apart_by_their_numbers(tmp_path, found):
    folder = folder_of(tmp_path, *(f"Jan Novák_{n}_assignsubmission_file_/{NAME}" for n in (7, 8)))
    assert [(s.student, s.display_name) for s in found(folder)] == [
        ("Jan Novák", "Jan Novák (7)"), ("Jan Novák", "Jan Novák (8)")]  # fmt: skip
    canvas = folder_of(tmp_path / "canvas", f"novakjan_7_1_{NAME}", "novakjan_8_2_01_game_formalism.ipynb")
    assert [s.display_name for s in found(canvas)] == ["novakjan (7)", "novakjan (8)"]
    (tmp_path / "roster.csv").write_text("student,number,name\njn1,7,\njn2,8,\nada,,Ada Lovelace\n")
    submissions = found(folder, roster=read_roster(tmp_path / "roster.csv"))
    assert [(s.student, s.problem) for s in submissions] == [("ada", NOTHING), ("jn1", ""), ("jn2", "")]
    by_name = found(folder, roster={"jan novák": "jan"})
    assert [(s.student, s.display_name) for s in by_name] == [("jan", "jan (7)"), ("jan", "jan (8)")]


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
    for text in ("name\nada\n", "student,e-mail\n,ada@example.org\n"):
        roster.write_text(text)
        with pytest.raises(ValueError, match="a column `student`, filled in each row"):
            read_roster(roster)
    roster.write_text("student,e-mail\nada,x\nbob,x\n")
    with pytest.raises(ValueError, match="two students"):
        read_roster(roster)


@pytest.mark.parametrize("entry", [f"../../{NAME}", f"/etc/{NAME}", f"a/../../{NAME}"])
def test_paths_in_a_zip_stay_in_its_folder(tmp_path, found, entry):
    folder = folder_of(tmp_path, "eve/work.zip", content=zipped({entry: "hers"}))
    assert authors(found(folder)) == [("eve", "02_minimax", "hers")]
    assert all(path.is_relative_to(tmp_path / "scratch") or path.is_relative_to(folder)
               for path in tmp_path.rglob(NAME))  # fmt: skip


def test_of_two_entries_of_one_name_the_last_counts_as_for_unpacking(tmp_path, found):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive, pytest.warns(UserWarning, match="Duplicate"):
        for content in ("first", "last"):
            archive.writestr(NAME, content)
    folder = folder_of(tmp_path, "eve/work.zip", content=file.getvalue())
    told = ("eve", None, "2 entries of this name; the last was taken")
    assert authors(found(folder)) == [told, ("eve", "02_minimax", "last")]


def quine(depth):
    return zipped({NAME: "x"}) if depth == 0 else zipped({"inner.zip": quine(depth - 1)})


def damaged():
    """A zip whose compressed data begin with two bytes that no compression makes."""
    content = bytearray(zipped({NAME: "x" * 500}))
    at = 30 + len(NAME)
    content[at : at + 2] = b"\xff\xff"
    return bytes(content)


BAD_ZIPS = {
    "bomb": (zipped({f"{n}.ipynb": bytes(LARGEST) for n in range(9)}), "cannot be read"),
    "many": (zipped({f"{n}.ipynb": "" for n in range(301)}), "301 files"),
    "nested": (quine(3), "no notebook"),
    "damaged": (damaged(), "cannot be unpacked"),
    "truncated": (zipped({NAME: "x"})[:40], "cannot be read"),
    "long": (zipped({f"{'x' * 600}.ipynb": ""}), "cannot be unpacked"),
    "nothing": (zipped({}), "no file"),
}


@pytest.mark.parametrize("kind", BAD_ZIPS)
def test_a_bad_zip_costs_its_student_only(found, kind):
    content, problem = BAD_ZIPS[kind]
    eve, *others = found({"eve/work.zip": content, f"zoe/{NAME}": "fine"})
    assert eve.student == "eve" and problem in eve.problem
    assert authors(others) == [("zoe", "02_minimax", "fine")]


def test_of_many_zips_in_a_zip_only_some_are_opened(tmp_path, found):
    inner = {f"{number}.zip": zipped({f"{number}.txt": "x"}) for number in range(5)}
    problems = [work.problem for work in found(folder_of(tmp_path, "eve/work.zip", content=zipped(inner)))]
    assert problems == ["not opened: more than 3 zips in a zip"] * 2


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


def test_players_are_files_of_their_own(tmp_path):
    folder_of(tmp_path, "ada/my_player.py", "bob/my_player-1.py", f"eve/{NAME}", "fay_98_7_my_player.py")
    names = {"ada": "ada/my_player.py", "bob": "bob/my_player-1.py", "fay": "fay_98_7_my_player.py"}
    assert dict(collect_players(tmp_path / "class", tmp_path)) == names
