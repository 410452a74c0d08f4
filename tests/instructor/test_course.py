"""The course's own face: read from `course.toml`, and shown on pages, marks and exams, and in README."""

import argparse
import shutil

import pytest

from instructor import documents, sheets
from instructor.course import face
from instructor.grade import results
from instructor.questions import ROOT

OWN = """name = "Thinking: a course"
institution = "Université de R\\\\d"
logo = "own.png"
language = "fr"
contact = "ada@example.org"
exam_title = "Examen"
exam_points = [2, 3, 5]
"""


@pytest.fixture
def course(tmp_path):
    """A course with a face of its own, and without notebooks."""
    (tmp_path / "course.toml").write_text(OWN, encoding="utf-8")
    shutil.copy(ROOT / ".github" / "start.png", tmp_path / "own.png")
    for name in ("README.md", "CITATION.cff"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "solutions").mkdir()
    return tmp_path


def test_marks_and_feedback_show_it(course, monkeypatch):
    monkeypatch.setitem(results.TEMPLATES.globals, "course", face(course))
    monkeypatch.chdir(course)
    page = results.marks_page([], [])
    told = "<h1>Notes</h1>", "Université de R\\d · Thinking: a course · <a href=", 'src="data:image/png;base64,'
    assert '<html lang="fr">' in page and all(text in page for text in told)


def test_an_exam_has_its_title_logo_and_points(course, monkeypatch):
    monkeypatch.setattr(sheets, "face", lambda: face(course))
    sheets.add_arguments(parser := argparse.ArgumentParser())
    assert parser.get_default("title") == "Université de R\\d · Examen"
    options = parser.parse_args(["--notebook", "2", "--questions", "2", "--level", "2", "--out", str(course / "exam")])
    shown = []
    monkeypatch.setattr(sheets, "print_pdf", lambda path, style, *_, **__: shown.append(style))
    sheets.run(options)
    assert shown[0] == (parser.get_default("title"), [2, 3, 5], str(course / "own.png"), {"": ""})


def test_readme_and_citation_name_it_once(course):
    for _ in range(2):
        documents.agree(course)
    readme = (course / "README.md").read_text(encoding="utf-8")
    assert readme.startswith("# Thinking: a course\n\n*Université de R\\d · ada@example.org*\n\n")
    assert readme.count("ada@example.org") == 1
    assert '\ntitle: "Thinking: a course"\n' in (course / "CITATION.cff").read_text(encoding="utf-8")
    (course / "course.toml").write_text((ROOT / "course.toml").read_text(encoding="utf-8"), encoding="utf-8")
    documents.agree(course)
    heads = [(folder / "README.md").read_text(encoding="utf-8").splitlines()[:4] for folder in (course, ROOT)]
    assert heads[0] == heads[1]


@pytest.mark.parametrize(("line", "becomes", "told"), [
    ('language = "fr"\n', "", "expected the lines name, institution, .*'language'"),
    ("institution", "instituton", "expected the lines .*'instituton'"),
    ('= "fr"', "= fr", "expected the lines .*line 4"),
    ("[2, 3, 5]", "[1, 2]", r"expected exam_points = three numbers, .* got \[1, 2\]"),
    ("[2, 3, 5]", '["1", 2, 3]', "expected exam_points = three numbers"),
    ("ada@example.org", "help", "expected contact = an e-mail address, .* got 'help'"),
    ("own.png", "README.md", "expected a PNG file"),
    ('"Examen"', "3", "expected exam_title = a text in quotation marks; got 3"),
])  # fmt: skip
def test_a_wrong_line_is_named(course, line, becomes, told):
    (course / "course.toml").write_text(OWN.replace(line, becomes), encoding="utf-8")
    with pytest.raises(ValueError, match=rf"(course\.toml|README\.md): {told}"):
        face(course)
