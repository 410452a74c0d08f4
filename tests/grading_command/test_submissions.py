"""Whose file is whose, in all the forms in which a class hands in; and files that nobody should open."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from instructor.grade.submissions import (
    BAD,
    EMPTY,
    LARGEST,
    NOTHING,
    Unreadable,
    code_cells,
    collect,
    read_roster,
    told_apart,
)

NAME = "02_minimax.ipynb"


def folder_of(tmp_path, *paths):
    for path in paths:
        (tmp_path / "class" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "class" / path).write_bytes(path.encode())
    return tmp_path / "class"


def zipped(entries, system=3):
    """The bytes of a zip with these entries by name, made on Unix or, with 0, on Windows."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            info = zipfile.ZipInfo(name)
            info.compress_type, info.create_system = zipfile.ZIP_DEFLATED, system
            archive.writestr(info, content)
    return file.getvalue()


def zip_of(tmp_path, entries, system=3):
    (tmp_path / "class.zip").write_bytes(zipped(entries, system))
    return tmp_path / "class.zip"


def whose(source, **options):
    """(student, notebook, problem or what the file holds) of each submission."""
    return [(s.student, s.notebook, s.problem or s.read().decode()) for s in collect(source, **options)]


FORMS = {
    f"ada/{NAME}": "ada",
    f"submitted/ada/ps2/{NAME}": "ada",
    f"Ada Lovelace_1234_assignsubmission_file_/{NAME}": "Ada Lovelace",
    f"Ada Lovelace_1234_assignsubmission_file_{NAME}": "Ada Lovelace",
    f"lovelaceada_98_7654_{NAME}": "lovelaceada",
    "lovelaceada_LATE_98_7654_02_minimax-2.ipynb": "lovelaceada",
    f"ada_{NAME}": "ada",
    "ada/deep/er/02_minimax (1).ipynb": "ada",
    "ada/02_MINIMAX.IPYNB": "ada",
    "ada/02_minimax\n=cmd.ipynb": "ada",
    "ada/./02_minimax.ipynb": "ada",
    f"Gödel, Kurt_12_assignsubmission_file_/{NAME}": "Gödel, Kurt",
}


@pytest.mark.parametrize("path", FORMS)
def test_forms_in_a_folder_and_in_a_zip(tmp_path, path):
    expected = [(FORMS[path], "02_minimax", path)]
    assert whose(folder_of(tmp_path, path)) == expected
    assert whose(zip_of(tmp_path, {path: path})) == expected
    assert whose(zip_of(tmp_path, {f"class/{path}": path})) == expected if "/" in path else True


@pytest.mark.parametrize(
    "name", ["ada/work.zip", "lovelaceada_98_7654_work.zip", "ada_9_assignsubmission_file_work.zip"]
)
def test_zips_that_students_handed_in(tmp_path, name):
    inner = zipped({f"my work/{NAME}": "inside", "notes.txt": "x", f"__MACOSX/._{NAME}": "x"})
    folder = tmp_path / "class"
    (folder / name).parent.mkdir(parents=True)
    (folder / name).write_bytes(inner)
    student = name.split("/")[0].split("_")[0]
    assert whose(folder) == whose(zip_of(tmp_path, {name: inner})) == [(student, "02_minimax", "inside")]


@pytest.mark.skipif(os.name != "posix", reason="Windows does not list the open files")
def test_zips_are_neither_kept_open_nor_in_memory(tmp_path):
    """A class of a thousand zips would need more files than a process may open."""
    inner = zipped({NAME: "inside", "noise.bin": os.urandom(1 << 17)})
    for number in range(12):
        (tmp_path / "class" / f"s{number}").mkdir(parents=True)
        (tmp_path / "class" / f"s{number}" / "work.zip").write_bytes(zipped({"inner.zip": inner}))
    before = len(os.listdir("/dev/fd"))
    tracemalloc.start()
    try:
        found = collect(tmp_path / "class")
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(os.listdir("/dev/fd")) == before
    assert kept < 3 * len(inner)
    assert [s.read() for s in found] == [b"inside"] * 12


@pytest.mark.parametrize("also", [("Jan (7)", ""), ("Jan (7)", "9"), ("Jan (7) (7)", ""), ("Jan", "")])
def test_no_two_students_are_called_the_same(also):
    students = [("Jan", "7"), ("Jan", "8"), ("Jan (7)", ""), ("Jan (7)", "5"), also]
    called = told_apart(students)
    assert called["Jan", "8"] == "Jan (8)" and called["Jan (7)", ""] == "Jan (7)"
    assert len(set(called.values())) == len(set(students))


def test_a_student_called_submitted_hides_nobody(tmp_path):
    folder = folder_of(tmp_path, f"submitted/{NAME}", f"ada/{NAME}", "bob/essay.txt")
    assert [s.student for s in collect(folder)] == ["ada", "bob", "submitted"]
    course = folder_of(tmp_path / "nbgrader", f"submitted/ada/ps/{NAME}", f"source/ps/{NAME}", "gradebook.db")
    assert [s.student for s in collect(course)] == ["ada"]


def test_several_notebooks_students_and_copies(tmp_path):
    of_a = "01_game_formalism.ipynb", NAME, "02_minimax-1.ipynb", "x.ipynb", "readme.txt", f".ipynb_checkpoints/{NAME}"
    folder = folder_of(tmp_path, f"b/{NAME}", *(f"a/{name}" for name in of_a))
    found = collect(folder)
    assert [(s.student, s.notebook, s.file.split("/")[-1]) for s in found] == [
        ("a", None, "x.ipynb"),
        ("a", "01_game_formalism", "01_game_formalism.ipynb"),
        ("a", "02_minimax", "02_minimax-1.ipynb"),
        ("b", "02_minimax", NAME),
    ]
    assert "none of the exercises" in found[0].problem
    assert "2 files" in found[2].notes[0].text == found[2].notes[0].told


def test_two_students_of_one_name_are_two(tmp_path):
    folder = folder_of(tmp_path, *(f"Jan Novák_{n}_assignsubmission_file_/{NAME}" for n in (7, 8)))
    assert [(s.student, s.number, s.known_by) for s in collect(folder)] == [
        ("Jan Novák", "7", "Moodle"), ("Jan Novák", "8", "Moodle")]  # fmt: skip
    roster = tmp_path / "roster.csv"
    roster.write_text("student,number,name\njn1,7,\njn2,8,\nada,,Ada Lovelace\n")
    found = collect(folder, roster=read_roster(roster))
    assert [(s.student, s.problem) for s in found] == [("ada", NOTHING), ("jn1", ""), ("jn2", "")]


def test_one_student_of_the_roster_under_two_numbers(tmp_path):
    folder = folder_of(tmp_path, *(f"Jan Novák_{n}_assignsubmission_file_/0{n}.ipynb" for n in (7, 8)), "eve/x.ipynb")
    (tmp_path / "roster.csv").write_text("student,a,b\njn1,7,8\n")
    found = collect(folder, roster=read_roster(tmp_path / "roster.csv"))
    assert {(s.student, s.number) for s in found} == {("eve", ""), ("jn1", "7")}


HIDDEN = [f".ada/{NAME}", f"bob/.work/{NAME}", f".ipynb_checkpoints/{NAME}", f"bob/.ipynb_checkpoints/{NAME}",
          f"bob/{NAME}", f".git/{NAME}", ".eve/notes.txt", f"bob/._{NAME}"]  # fmt: skip


@pytest.mark.parametrize("as_zip", [False, True])
def test_a_folder_that_begins_with_a_dot_has_a_note(tmp_path, as_zip):
    source = zip_of(tmp_path, {path: path for path in HIDDEN}) if as_zip else folder_of(tmp_path, *HIDDEN)
    found = [(s.student, s.file, s.problem[:38]) for s in collect(source)]
    words = "a folder whose name begins with a dot "
    assert found == [(".ada", HIDDEN[0], words), ("bob", HIDDEN[1], words), ("bob", HIDDEN[4], "")]


def test_who_is_not_in_the_roster_is_noted(tmp_path):
    roster = tmp_path / "roster.csv"
    roster.write_text("student,e-mail\nada,ada@example.org\n")
    found = collect(folder_of(tmp_path, f"ADA/{NAME}", f"eve/{NAME}"), roster=read_roster(roster))
    assert [(s.student, [note.text for note in s.notes]) for s in found] == [
        ("ada", []), ("eve", ["eve is not in the roster"])]  # fmt: skip
    for text in ("e-mail,student\nada@example.org\n", "student,e-mail\n,ada@example.org\n"):
        roster.write_text(text)
        with pytest.raises(ValueError, match=r"a row has no student: ada@example\.org"):
            read_roster(roster)
    roster.write_text("student,e-mail\nada,x\nbob,x\n")
    with pytest.raises(ValueError, match="two students"):
        read_roster(roster)


@pytest.mark.parametrize("entry", [f"../../{NAME}", f"/etc/{NAME}", f"a/../../{NAME}", f"..\\{NAME}", f"C:\\{NAME}"])
def test_paths_that_climb_out_are_refused_with_a_row(tmp_path, entry):
    good = {f"zoe/{NAME}": "fine"}
    climbing = [s for s in collect(zip_of(tmp_path, {entry: "x", **good}, 0)) if s.student != "zoe"]
    assert [s.problem[:15] for s in climbing] == ["a path that cli"]
    folder = tmp_path / "class"
    (folder / "eve").mkdir(parents=True)
    (folder / "eve" / "work.zip").write_bytes(zipped({entry: "x"}))
    (one,) = collect(folder)
    assert (one.student, one.problem[:15]) == ("eve", "a path that cli")


def test_a_zip_bomb_is_refused_with_a_row(tmp_path):
    bomb = zipped({NAME: bytes(LARGEST + 1)})
    assert len(bomb) < 100_000
    found = collect(zip_of(tmp_path, {"eve/work.zip": bomb, f"zoe/{NAME}": "fine", f"eva/{NAME}": bytes(LARGEST + 1)}))
    assert [(s.student, s.problem[-17:]) for s in found] == [
        ("eva", "8,388,608 are the most"[-17:]), ("eve", "8,388,608 are the most"[-17:]), ("zoe", "")]  # fmt: skip


def test_many_zips_in_a_zip_and_long_names_stay_small(tmp_path):
    """Each name stands in the results several times: half a megabyte made 750 of them."""
    many = zipped({f"{n}.zip": zipped({f"{m}.ipynb": "" for m in range(200)}) for n in range(3)})
    long = zipped({f"{'x' * 60_000}.ipynb": "", f"{'x/' * 20_000}{NAME}": "", NAME: "good"})
    folder = folder_of(tmp_path, "eve/work.zip", "ida/work.zip", f"zoe/{NAME}")
    (folder / "eve" / "work.zip").write_bytes(many)
    (folder / "ida" / "work.zip").write_bytes(long)
    found = collect(folder)
    problems = {who: [s.problem for s in found if s.student == who] for who in ("eve", "ida", "zoe")}
    assert len(problems["eve"]) == 301 and sum("more than 300 files" in problem for problem in problems["eve"]) == 1
    assert sorted(problems["ida"])[0] == problems["zoe"][0] == ""
    assert sum("letters" in problem for problem in problems["ida"]) == 2
    assert max(len(s.file) for s in found) < 1200


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_that_unpacks_without_bound_is_not_unpacked(tmp_path, method):
    """Of these methods zipfile unpacks all at once, however little is asked for: a kilobyte takes gigabytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr(NAME, bytes(1000))
    (one,) = collect(zip_of(tmp_path, {"eve/work.zip": file.getvalue()}))
    assert one.problem == "packed in a way that no system uses by itself; zip it again"


def test_zips_that_are_long_to_list_are_not_listed(tmp_path):
    """All entries are read at once, by the length that the zip says: 300 zips in a zip of 40 kB took half an hour."""
    inner = zipped({NAME: "x"})
    many = zipped({f"{n}.zip": inner for n in range(11)})
    long = zipped({f"{n:060}": "" for n in range(5_000)})
    found = collect(zip_of(tmp_path, {"eve/work.zip": long, "zoe/ok.zip": inner}))
    assert [(s.student, s.problem[:60]) for s in found] == [
        ("eve", "a zip that cannot be read (its list of files is too long)"), ("zoe", "")]  # fmt: skip
    folder = folder_of(tmp_path, "eve/long.zip", "ida/many.zip")
    (folder / "eve" / "long.zip").write_bytes(long)
    (folder / "ida" / "many.zip").write_bytes(many)
    assert [(s.student, s.problem) for s in collect(folder)] == [
        ("eve", found[0].problem), ("ida", "a zip of 11 zips; 10 are the most")]  # fmt: skip


def test_zips_of_one_student_crowd_nobody_out(tmp_path):
    """Together they hold more files than a class may have; a letter after theirs stands who is read last."""
    junk = zipped({f"{n}.ipynb": "" for n in range(300)})
    entries = {f"eve_LATE_98_{n}_work.zip": junk for n in range(170)}
    found = collect(zip_of(tmp_path, {**entries, f"zoe_99_7_{NAME}": "fine"}))
    assert [(s.student, s.problem) for s in found if s.student != "eve"] == [("zoe", "")]
    assert len(found) == 302 and sum("more than 300 files" in s.problem for s in found) == 1


@pytest.mark.parametrize(
    ("of_eve", "of_zoe"),
    [("Eve_12_assignsubmission_file_x_13_assignsubmission_file_\\", "Zoe_13_assignsubmission_file_/"),
     ("eve_98_1_x_\\zoe_99_2_", "zoe_99_2_")],
)  # fmt: skip
def test_a_backslash_in_a_students_name_of_a_file_is_no_folder(tmp_path, of_eve, of_zoe):
    found = collect(zip_of(tmp_path, {f"{of_eve}02_minimax (999).ipynb": "eve's", f"{of_zoe}{NAME}": "zoe's"}))
    assert [(s.student.lower(), s.read()) for s in found] == [("eve", b"eve's"), ("zoe", b"zoe's")]


def test_a_folder_that_may_not_be_read_costs_its_student_only(tmp_path, monkeypatch):
    folder, listed = folder_of(tmp_path, f"ada/{NAME}", f"eve/{NAME}"), Path.iterdir

    def iterdir(path):
        if path.name == "eve":
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    assert [(s.student, s.problem) for s in collect(folder)] == [
        ("ada", ""), ("eve", "a folder that cannot be read (Permission denied)")]  # fmt: skip


def test_a_folder_of_which_only_the_names_may_be_read_costs_its_student_only(tmp_path, monkeypatch):
    folder, told = folder_of(tmp_path, f"ada/{NAME}", f"eve/{NAME}"), Path.lstat

    def lstat(path):
        if path.parent.name == "eve":
            raise PermissionError(13, "Permission denied", str(path))
        return told(path)

    monkeypatch.setattr(Path, "lstat", lstat)
    assert [(s.student, s.problem[:22]) for s in collect(folder)] == [("ada", ""), ("eve", "a file that cannot be ")]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere such folders cannot be made")
@pytest.mark.parametrize(
    ("top", "name", "levels"),
    [("eve", "d" * 250, 17), (".eve", "d" * 250, 17), (".eve", "d", 1200)],
    ids=["too long", "hidden and too long", "hidden and deep"],
)
def test_a_path_that_is_too_long_costs_its_student_only(tmp_path, monkeypatch, top, name, levels):
    folder = folder_of(tmp_path, f"ada/{NAME}", f"{top}/{NAME}")
    monkeypatch.chdir(folder / top)
    for _ in range(levels):
        os.mkdir(name)
        os.chdir(name)
    Path(NAME).touch()
    found = collect(folder)
    subprocess.run(["rm", "-rf", folder / top], check=True)  # too deep for what clears temporary folders
    assert {s.student for s in found if not s.problem} == {"ada", "eve"} - {top[1:]}
    assert {s.student for s in found} == {"ada", top}


def test_a_name_that_looks_like_a_folder_of_moodles_is_nobody_elses(tmp_path):
    """The platform makes the end of a folder's name, and the student that of a file's."""
    odd = "Ada_5_assignsubmission_file_x"
    folder = folder_of(tmp_path, f"{odd}_99_assignsubmission_file_/{NAME}", f"{odd}_99_assignsubmission_file_{NAME}")
    assert [(s.student, s.number) for s in collect(folder)] == [("Ada", "5"), (odd, "99")]


def test_a_canvas_file_that_looks_like_moodles_is_nobody_elses(tmp_path):
    """Canvas begins a file's name, and the student's own may have a Moodle number of another student in it."""
    (tmp_path / "roster.csv").write_text("student,canvas\nada,98\nkurt,99\n")
    folder = folder_of(tmp_path, "lovelaceada_98_7654_x_99_assignsubmission_file_02_minimax-9.ipynb",
                       f"godelkurt_99_7655_{NAME}")  # fmt: skip
    found = collect(folder, read_roster(tmp_path / "roster.csv"))
    assert [(s.student, s.notebook, s.notes) for s in found] == [("ada", "02_minimax", ()), ("kurt", "02_minimax", ())]


@pytest.mark.parametrize("as_zip", [False, True])
def test_who_hands_in_nothing_that_is_read_has_a_row(tmp_path, as_zip):
    nothing = {"ann/.02_minimax.ipynb": b"", "cid/work.zip": zipped({}), "dan/a.zip": zipped({f"__MACOSX/{NAME}": ""}),
               "eve/.ipynb_checkpoints/02_minimax-checkpoint.ipynb": b"", "lovelaceada_98_7654_a.zip": zipped({}),
               f"fay/._{NAME}": b"", f"hal/{NAME}": b"x", "hal/.git/x": b""}  # fmt: skip
    folders = "bob/", f"gus/{NAME}/", "Ira_77_assignsubmission_file_/", "hal/data/"
    if as_zip:
        source = zip_of(tmp_path, nothing | dict.fromkeys((*folders, "class/"), b""))
    else:
        source = folder_of(tmp_path, *nothing)
        for name, content in nothing.items():
            (source / name).write_bytes(content)
        for name in folders:
            (source / name).mkdir(parents=True)
    found = {s.student: s.problem for s in collect(source)}
    assert found == dict.fromkeys(("ann", "bob", "cid", "dan", "eve", "fay", "gus", "Ira", "lovelaceada"), EMPTY) | {
        "hal": ""
    }


@pytest.mark.parametrize("as_zip", [False, True])
@pytest.mark.parametrize("form", ["{}_12_assignsubmission_file_/{}", "{}_98_7654_{}"])
def test_one_folder_around_those_of_the_platform_has_a_note(tmp_path, as_zip, form):
    """It cannot be told from one student, who chose such names; and theirs shall not pass for others' work."""
    paths = [f"Submissions/{form.format(name, NAME)}" for name in ("Ada", "Kurt")]
    (found,) = collect(zip_of(tmp_path, dict.fromkeys(paths, b"x")) if as_zip else folder_of(tmp_path, *paths))
    assert found.student == "Submissions" and "give it itself" in str(found.notes)
    inside = folder_of(tmp_path, *paths) / "Submissions"
    assert [(s.student, s.notes) for s in collect(inside)] == [("Ada", ()), ("Kurt", ())]


def test_names_in_a_zip_of_linuxs_are_in_utf_8_without_the_flag(tmp_path):
    content = zipped({f"Gödel/{NAME}": b"x", f"Erdős/{NAME}": b"x"})
    source = tmp_path / "class.zip"
    for mark, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        parts = content.split(mark)
        content = mark.join([parts[0], *(p[: place - 4] + b"\0\0" + p[place - 2 :] for p in parts[1:])])
    source.write_bytes(content)
    assert [s.student for s in collect(source)] == ["Erdős", "Gödel"]


def test_a_zip_that_lies_about_its_size_is_not_read_to_its_end(tmp_path):
    content = bytearray(zipped({f"eve/{NAME}": bytes(LARGEST + 1)}))
    real, said = (LARGEST + 1).to_bytes(4, "little"), (100).to_bytes(4, "little")
    (tmp_path / "class.zip").write_bytes(content.replace(real, said))
    (one,) = collect(tmp_path / "class.zip")
    with contextlib.suppress(zipfile.BadZipFile):
        assert len(one.read()) <= 100


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"PK no zip", "a zip that cannot be read"),
        (zipped({str(n): "" for n in range(301)}), "a zip of 301 files"),
        (zipped({"a.zip": zipped({"b.zip": zipped({NAME: "x"})})}), "a zip in a zip in a zip"),
        (zipped({NAME: "x"})[:-30], "a zip that cannot be read"),
    ],
    ids=["no zip", "many files", "three deep", "cut off"],  # not the bytes, which hold the time: workers would differ
)
def test_bad_zips_of_students(tmp_path, content, problem):
    folder = folder_of(tmp_path, f"zoe/{NAME}")
    (folder / "eve").mkdir()
    (folder / "eve" / "work.zip").write_bytes(content)
    (eve, zoe) = collect(folder)
    assert (eve.student, zoe.student, zoe.problem) == ("eve", "zoe", "")
    assert problem in eve.problem


def test_a_name_in_letters_and_accents_is_one_name_and_capitals_are_another(tmp_path):
    folder = folder_of(tmp_path, f"Jose\u0301/{NAME}", f"ada/{NAME}", f"Ada/{NAME}")
    assert [s.student for s in collect(folder)] == ["Ada", "Jos\xe9", "ada"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere all names are in Unicode")
def test_names_that_are_in_no_utf_8(tmp_path):
    folder = os.fsencode(folder_of(tmp_path, f"zoe/{NAME}")) + b"/Kurt G\xf6del"
    os.mkdir(folder)
    with open(folder + b"/02_minimax.ipynb", "w") as file:
        file.write("his")
    assert whose(tmp_path / "class")[0] == ("Kurt Gödel", "02_minimax", "his")


def test_who_hands_in_no_notebook_has_a_row(tmp_path):
    folder = folder_of(tmp_path, "ada/essay.docx", "ada/02_minimax.py", f"bob/{NAME}", "bob/essay.docx", "roster.csv")
    ada, bob = collect(folder)
    assert (ada.student, ada.notebook, bob.student, bob.problem) == ("ada", None, "bob", "")
    assert ada.problem == "no notebook was handed in, but 02_minimax.py"


def spoiled(places, number):
    """A zip of one notebook in which a byte of its entry is changed, in both places where it is described."""
    content = bytearray(zipped({NAME: "x"}))
    for signature, place in zip((b"PK\3\4", b"PK\1\2"), places):
        content[content.find(signature) + place] = number
    return bytes(content)


@pytest.mark.parametrize("content", [spoiled((6, 8), 1), spoiled((8, 10), 97)], ids=["encrypted", "unknown method"])
def test_entries_that_cannot_be_read(tmp_path, content):
    folder = folder_of(tmp_path, f"zoe/{NAME}")
    (folder / "eve").mkdir()
    (folder / "eve" / "work.zip").write_bytes(content)
    eve, zoe = collect(folder)
    assert (eve.student, zoe.student, zoe.problem) == ("eve", "zoe", "")
    if not eve.problem:
        with pytest.raises(BAD):
            eve.read()


@pytest.mark.skipif(os.name != "posix", reason="Windows has neither")
def test_links_and_pipes_are_not_followed(tmp_path):
    folder = folder_of(tmp_path, f"zoe/{NAME}")
    (folder / "eve").mkdir()
    (folder / "eve" / NAME).symlink_to(folder / "zoe" / NAME)
    (folder / "eve" / "01_game_formalism.ipynb").symlink_to("/etc/passwd")
    (folder / "all").symlink_to(folder / "zoe")
    (folder / "fay").mkdir()
    os.mkfifo(folder / "fay" / NAME)
    assert [(s.student, s.problem) for s in collect(folder) if s.student != "(unknown)"] == [
        ("eve", "a symbolic link, which is not followed"),
        ("eve", "a symbolic link, which is not followed"),
        ("fay", "no ordinary file"),
        ("zoe", ""),
    ]


def test_what_is_no_class_is_an_error(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="no folder and no zip"):
        collect(tmp_path / "nothing")
    (tmp_path / "x.zip").write_text("no zip")
    with pytest.raises(ValueError, match="no zip that can be read"):
        collect(tmp_path / "x.zip")
    monkeypatch.setattr("instructor.grade.submissions.MOST_FILES", 2)
    with zipfile.ZipFile(tmp_path / "y.zip", "w") as archive:
        for name in "abc":
            archive.writestr(f"ada/{name}.txt", "")
    with pytest.raises(ValueError, match="3 files, and 2 are the most"):
        collect(tmp_path / "y.zip")


def test_cells_are_read_whatever_their_form():
    cells = b'{"cells": [{"cell_type": "code", "source": ["a\\n", "b"]}, {"cell_type": "markdown", "source": "x"}]}'
    assert code_cells(cells) == ["a\nb"]
    both = {"worksheets": [{"cells": [{"cell_type": "code", "input": "3"}]}], **json.loads(cells)}
    shown = {form: code_cells(json.dumps({**both, "nbformat": form}).encode()) for form in (3, 4)}
    assert shown == {3: ["3"], 4: ["a\nb"]}  # what Jupyter would show
    with pytest.raises(Unreadable, match="empty"):
        code_cells(b" \n")


def damaged():
    """A zip whose compressed data begin with two bytes that no compression makes."""
    content = bytearray(zipped({NAME: "x" * 500}))
    at = 30 + len(NAME)
    content[at : at + 2] = b"\xff\xff"
    return bytes(content)


def test_what_is_wrong_with_one_zip_costs_its_student_only(tmp_path):
    folder = folder_of(tmp_path, f"ada/{NAME}")
    nul, long = (
        zipped({"Qx": "", NAME: "eve"}).replace(b"Qx", b"\0x"),
        zipped({f"02_minimax-{'1' * 900}.ipynb": "max"}),
    )
    for name, content in {"bob/work.zip": damaged(), "eve/work.zip": nul, "max/work.zip": long}.items():
        (folder / name).parent.mkdir()
        (folder / name).write_bytes(content)
    read = {}
    for submission in collect(folder):
        try:
            read[submission.student] = submission.problem or submission.read().decode()
        except Exception as error:
            read[submission.student] = type(error).__name__
    assert read["ada"] == f"ada/{NAME}" and read["max"] == "max" and set(read) >= {"bob", "eve"}
