"""The pages of an exam on paper: a sheet for each student, the keys, and one table of all answers."""

import argparse
import csv
import io
import json
import secrets
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from textwrap import wrap
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from course_lib.explore.picture import worksheet_picture
from course_lib.language import N_, gettext
from instructor.course import face, png
from instructor.exam import Blank, Question, named, path_text, sheet
from instructor.grade.executors import warn
from instructor.grade.rosters import read_students
from instructor.grade.state import write

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SEED = ".seed.json"
"""The file in the exam's folder that keeps its seed."""
WIDTH, HEIGHT, MARGIN, LINE, COLUMNS, HEAD = 8.27, 11.69, 0.7, 0.2, 100, 70
"""A4 in inches, its margin, the height of a line of text, its number of letters, and that of a line of the head."""
USUAL_FONT = "DejaVu Sans"
"""Matplotlib's own font."""
TO_FILL_IN = N_(
    "Number: __________________     Signature: ______________________________     Points: ______ of {points:g}"
)


class Style(NamedTuple):
    """What an exam looks like: its title, the points of a question by level, and a PNG file for the corner, if any.

    `shown` says how students are named on paper, if not by the names that draw their questions.
    """

    title: str
    points: list[float]
    logo: str = ""
    shown: Mapping[str, str] = MappingProxyType({})


def print_pdf(path: Path, style: Style, sheets: dict[str, list[Question]], key: bool = False) -> None:
    """Write the sheets of all students, or their keys.

    Each student has an even number of pages, so that sheets printed on both sides come apart.
    """
    from matplotlib.backends.backend_pdf import PdfPages  # takes half a second
    from matplotlib.figure import Figure

    with PdfPages(path, metadata={"CreationDate": None, "Title": style.title}) as pdf:
        for student, questions in sheets.items():
            printed = list(pages(student, questions, style, key))
            for number, page in enumerate(printed, 1):
                words = gettext("page {number} of {count}", number=number, count=len(printed))
                page.text(0.5, 0.03, words, fontsize=8, ha="center")
                pdf.savefig(page)
            if len(printed) % 2:
                pdf.savefig(Figure(figsize=(WIDTH, HEIGHT)))


def pages(student: str, questions: list[Question], style: Style, key: bool) -> Iterator["Figure"]:
    """The pages of a student. A question that does not fit below the others begins a page."""
    from matplotlib.figure import Figure

    page, top = None, 0.0
    head = f"{style.title} · {style.shown.get(student, student) or gettext('Name: ____________________')}"
    head = gettext("Key: {head}", head=head) if key else head
    all_points = [style.points[question.level - 1] for question in questions]
    for number, (question, points) in enumerate(zip(questions, all_points), 1):
        worth = gettext("1 point") if points == 1 else gettext("{points:g} points", points=points)
        above = wrap(f"{number}. ({worth}) {question.task}", COLUMNS)
        below = [line for blank in question.blanks for line in _lines(blank, key)]
        tree = worksheet_picture(question.game, question.answers if key else {}, question.given)
        width, height = tree.get_size_inches()
        if width > WIDTH - 2 * MARGIN:
            width, height = WIDTH - 2 * MARGIN, height * (WIDTH - 2 * MARGIN) / width
        if top - LINE * (len(above) + 1 + 1.5 * len(below)) - height < MARGIN:
            if page is not None:
                yield page
            is_first, page, top = page is None, Figure(figsize=(WIDTH, HEIGHT)), HEIGHT - MARGIN
            _put_head(page, head, top, WIDTH - 2 * MARGIN - (1.1 if style.logo else 0))
            if is_first and style.logo:
                _put_picture(page, png(style.logo), WIDTH - MARGIN - 1, top - 0.1, 1, 0.5)
            if is_first and not key:
                top -= 2 * LINE
                _put(page, gettext(TO_FILL_IN, points=sum(all_points)), top)
            top -= 2 * LINE
        for line in above:
            _put(page, line, top)
            top -= LINE
        _put_picture(page, tree.png(200), (WIDTH - width) / 2, top + LINE / 2 - height, width, height)
        top -= height
        for line in below:
            _put(page, line, top - LINE / 2)
            top -= 1.5 * LINE
        top -= LINE
    yield page


def _put(page: "Figure", line: str, top: float, fontsize: float = 9) -> None:
    """Write a line that begins at the left margin, `top` inches above the lower edge."""
    page.text(MARGIN / WIDTH, top / HEIGHT, line, fontsize=fontsize)


def _put_head(page: "Figure", head: str, top: float, room: float) -> None:
    """Write the head of a page, no wider than the `room` in inches: on two lines and cut, if it is long."""
    head = "\n".join(wrap(head, HEAD, max_lines=2, placeholder=" …"))
    fonts = [USUAL_FONT, font_with(head) or USUAL_FONT]
    text = page.text(MARGIN / WIDTH, top / HEIGHT, head, fontsize=100, fontfamily=fonts)  # it is measured best large
    text.set_fontsize(min(11, 100 * room * page.dpi / text.get_window_extent().width))


@cache
def font_with(text: str) -> str | None:
    """An installed font that has all letters of the text, the usual one if it has them; None if there is none."""
    from matplotlib.font_manager import fontManager, get_font

    for font in sorted(fontManager.ttflist, key=lambda font: font.name != USUAL_FONT):
        if set(map(ord, text)) <= get_font(font.fname).get_charmap().keys() and "Last Resort" not in font.name:
            return font.name
    return None


def _put_picture(page: "Figure", content: bytes, left: float, low: float, width: float, height: float) -> None:
    """Draw a PNG file in this box, in inches from the lower left corner, as large as fits."""
    from matplotlib.image import imread

    axes = page.add_axes((left / WIDTH, low / HEIGHT, width / WIDTH, height / HEIGHT), anchor="E")
    axes.imshow(imread(io.BytesIO(content)), interpolation="lanczos")
    axes.set_axis_off()


def _lines(blank: Blank, key: bool) -> list[str]:
    """What is printed of a blank: its name, then the answer, or lines to write on."""
    if not key:
        return [named(blank.name, "_" * (80 - len(blank.name))), *["_" * 80] * (blank.lines - 1)]
    if blank.lines > 1:
        return [named(blank.name, ""), *(line for answer in blank.answer for line in wrap(answer, COLUMNS))]
    return wrap(named(blank.name, blank.answer[0]), COLUMNS)


def answers(question: Question) -> list[str]:
    """The lines of a question's key: its blanks, and what is to be written into the tree, by node."""
    written = [named(blank.name, ", ".join(blank.answer)) for blank in question.blanks]
    return written + [named(path_text(path), gettext(answer)) for path, answer in sorted(question.answers.items())]


def table(sheets: dict[str, list[Question]]) -> str:
    """The answers of all students as CSV: student × question."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["student", *(f"question {number}" for number in range(1, len(next(iter(sheets.values()))) + 1))])
    writer.writerows([student, *("; ".join(answers(question)) for question in sheets[student])] for student in sheets)
    return text.getvalue()


def seed_of(folder: Path) -> str:
    """The secret seed of the exam in this folder, which keeps it: so long that nobody can try all."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / SEED
    if not kept.exists():
        write(kept, json.dumps(secrets.token_hex(16)))
    return json.loads(kept.read_text())


def shown_names(roster: str) -> dict[str, str]:
    """Student → what the sheets show: the name, or the number in the roster if no installed font can print the name.

    Students of the same name are numbered. What else is in their row follows, as it does after a number.
    """
    rows = [row for _, row in read_students(roster)]
    names = [row["student"] for row in rows]
    shown = {}
    for at, (name, row) in enumerate(zip(names, rows)):
        student = f"{name} ({names[:at].count(name) + 1})" if names.count(name) > 1 else name
        head = student if font_with(name) else f"student {at + 1}"
        others = [text for column, text in row.items() if column != "student" and text and font_with(text)]
        shown[student] = " · ".join([head, *(others if head != name else [])])
    if namesakes := ", ".join(name for name, times in Counter(names).items() if times > 1):
        warn(f"several students are called {namesakes}: their sheets are numbered, in the order of {roster}")
    if unprinted := ", ".join(f"{name} ({text})" for name, text in shown.items() if not font_with(name)):
        warn(f"no installed font has all letters of these names, so the sheets show the words in brackets: "
             f"{unprinted}; install a font that has them, such as Noto Sans CJK")  # fmt: skip
    return shown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add, course = parser.add_argument, face()
    title = " · ".join(filter(None, (course.institution, gettext(course.exam_title))))
    add("--notebook", type=int, nargs="+", required=True, metavar="N", help="notebooks, which take turns, such as 2 3")
    add("--questions", type=int, default=5, metavar="N", help="the number of questions on a sheet (default: 5)")
    add("--students", metavar="FILE", help="a CSV with a column `student`: each gets a sheet (default: one sheet)")
    add("--level", type=int, choices=(1, 2, 3), help="the level of all questions (default: they become harder)")
    add("--title", default=title, help="the title on each page (default, as in course.toml: %(default)s)")
    add("--out", default="exam", metavar="FOLDER", help="the folder to write (default: exam)")


def run(options: argparse.Namespace) -> None:
    """Write the sheets, the keys and the table of answers."""
    folder, count = Path(options.out), options.questions
    shown = shown_names(options.students) if options.students else {"": ""}
    seed = seed_of(folder)
    sheets = {name: sheet(name, options.notebook, count, seed, options.level) for name in shown}
    course = face()
    style = Style(options.title, course.exam_points, course.logo, shown)
    print_pdf(folder / "sheets.pdf", style, sheets)
    print_pdf(folder / "key.pdf", style, sheets, key=True)
    write(folder / "answers.csv", table(sheets))
    print(f"{folder}: sheets and keys of {len(sheets)} students, {count} questions each")
    print(f"{folder / SEED} keeps the seed: run again with this folder for the same exam, and show it to nobody")
