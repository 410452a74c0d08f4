"""The pages of an exam on paper: a sheet for each student, the keys, and one table of all answers."""

import argparse
import csv
import io
import json
import secrets
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from jinja2 import Environment, FileSystemLoader

from course_lib.explore.picture import worksheet_picture
from instructor.exam import Blank, Question, path_text, sheet
from instructor.grade.executors import warn
from instructor.grade.state import write
from instructor.grade.submissions import read_students

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGES = Path(__file__).parent / "exam_pages"
SEED = ".seed.json"
"""The file in the exam's folder that keeps its seed."""
FEWEST_DIGITS = 12
"""Digits of a seed: with fewer, a student who has the course's code can try all of them."""


class Tree(NamedTuple):
    """The drawn tree of a question: a PNG file, its size in pixels at 100 dots per inch, and its description."""

    png: bytes
    width: int
    height: int
    alt: str


class Style(NamedTuple):
    """What an exam looks like: its title, the points of each question, and a picture in the upper corner, if any."""

    title: str
    points: list[float]
    logo: str | None = None


def drawing(question: Question, key: bool) -> Tree | None:
    """The tree of a question, if it has one; with `key` the answers are in it."""
    if question.game is None:
        return None
    shown = question.shown | question.answers if key else question.shown
    figure = worksheet_picture(question.game, shown, question.given)
    return Tree(figure.png(200), **figure.png_size(), alt=figure.alt)


def picture_source(png: bytes) -> str:
    """The source of an `<img>`."""
    return f"data:image/png;base64,{b64encode(png).decode()}"


def environment() -> Environment:
    """The templates of the pages, with two filters."""
    templates = Environment(loader=FileSystemLoader(PAGES), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    templates.filters |= {"source": picture_source, "points": points_text}
    return templates


def write_pages(folder: Path, style: Style, sheets: dict[str, list[Question]], key: bool) -> None:
    """Write the sheets of all students, or their keys, as a PDF and as a page of HTML.

    Each student has an even number of pages, so that sheets printed on both sides come apart.
    """
    from matplotlib.backends.backend_pdf import PdfPages  # takes half a second
    from matplotlib.figure import Figure

    name = "key" if key else "sheets"
    drawn = {student: [drawing(question, key) for question in sheets[student]] for student in sheets}
    with PdfPages(folder / f"{name}.pdf", metadata={"CreationDate": None, "Title": style.title}) as pdf:
        for student, questions in sheets.items():
            printed = list(pages(student, questions, drawn[student], style, key))
            for number, page in enumerate(printed, 1):
                page.text(0.5, 0.03, f"page {number} of {len(printed)}", fontsize=8, ha="center")
                pdf.savefig(page)
            if len(printed) % 2:
                pdf.savefig(Figure(figsize=(WIDTH, HEIGHT)))
    parts = [(student, list(zip(sheets[student], drawn[student], style.points))) for student in sheets]
    table = {student: [answers(question) for question in sheets[student]] for student in sheets}
    logo = Path(style.logo).read_bytes() if style.logo else None
    template = environment().get_template("exam.html")
    html = template.render(title=style.title, points=style.points, parts=parts, key=key, table=table, logo=logo)
    write(folder / f"{name}.html", html)


def answers(question: Question) -> list[str]:
    """The lines of a question's key: its blanks, and what is to be written into the tree, by node."""
    written = [f"{blank.name}: {', '.join(blank.answer) or 'none'}" for blank in question.blanks]
    return written + [f"{path_text(path)}: {answer}" for path, answer in sorted(question.answers.items())]


def write_table(folder: Path, sheets: dict[str, list[Question]]) -> None:
    """Write `answers.csv`: student × question."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["student", *(f"question {number}" for number in range(1, len(next(iter(sheets.values()))) + 1))])
    writer.writerows([student, *("; ".join(answers(question)) for question in sheets[student])] for student in sheets)
    write(folder / "answers.csv", text.getvalue())


WIDTH, HEIGHT, MARGIN, LINE, COLUMNS = 8.27, 11.69, 0.7, 0.2, 100
"""A4 in inches, its margin, the height of a line of text, and its number of letters."""
TO_FILL_IN = "Number: __________________     Signature: ______________________________"


def pages(
    student: str, questions: list[Question], drawn: list[Tree | None], style: Style, key: bool
) -> Iterator["Figure"]:
    """The pages of a student as figures. A question that does not fit below the others begins a page."""
    from matplotlib.figure import Figure
    from matplotlib.image import imread

    page, top = None, HEIGHT
    head = f"{'Key: ' if key else ''}{style.title} · {student or 'Name: ____________________'}"
    for number, (question, tree, points) in enumerate(zip(questions, drawn, style.points), 1):
        words = wrap(f"{number}. ({points_text(points)}) {question.task}", COLUMNS)
        text = question.text.splitlines()
        width = min(tree.width / 100, WIDTH - 2 * MARGIN) if tree else 0
        height = tree.height * width / tree.width if tree else 0
        below = [line for blank in question.blanks for line in _lines(blank, key)]
        needed = LINE * (len(words) + len(text) + 1) + height + 1.5 * LINE * len(below)
        if page is None or top - needed < MARGIN:
            first = page is None
            if page is not None:
                yield page
            page, top = Figure(figsize=(WIDTH, HEIGHT)), HEIGHT - MARGIN
            put = partial(_put, page)
            put(head, top, fontsize=11)
            if first and style.logo:
                axes = page.add_axes(
                    (1 - (MARGIN + 1) / WIDTH, (top - 0.1) / HEIGHT, 1 / WIDTH, 0.5 / HEIGHT), anchor="E"
                )
                axes.imshow(imread(style.logo))
                axes.set_axis_off()
            if first and not key:
                top -= 2 * LINE
                put(f"{TO_FILL_IN}     Points: ______ of {sum(style.points):g}", top)
            top -= 2 * LINE
        for line in [*words, *text]:
            put(line, top, family="monospace" if line in text else None)
            top -= LINE
        if tree:
            box = (WIDTH - width) / 2 / WIDTH, (top + LINE / 2 - height) / HEIGHT, width / WIDTH, height / HEIGHT
            axes = page.add_axes(box)
            axes.imshow(imread(io.BytesIO(tree.png)), aspect="auto", interpolation="lanczos")
            axes.set_axis_off()
            top -= height
        for line in below:
            top -= LINE / 2
            put(line, top)
            top -= LINE
        top -= LINE
    if page is not None:
        yield page


def _put(page: "Figure", line: str, top: float, **style: Any) -> None:
    """Write a line that begins at the left margin, `top` inches above the lower edge."""
    page.text(MARGIN / WIDTH, top / HEIGHT, line, **{"fontsize": 9} | style)


def points_text(points: float) -> str:
    """ "1 point" or "2.5 points"."""
    return f"{points:g} {'point' if points == 1 else 'points'}"


def _lines(blank: Blank, key: bool) -> list[str]:
    """What is printed of a blank: its name, then the answer, or lines to write on."""
    if not key:
        return [f"{blank.name}: {'_' * (80 - len(blank.name))}", *["_" * 80] * (blank.lines - 1)]
    name, found = f"{blank.name}: ", blank.answer or ["none"]
    if blank.lines > 1:
        return [name, *(line for answer in found for line in wrap(answer, COLUMNS))]
    return wrap(name + found[0], COLUMNS)


def seed_of(folder: Path, seed: str | None) -> str:
    """The seed of the exam in this folder, which keeps it: the given one, else the last one, else a new one."""
    if seed is not None and len(seed) < FEWEST_DIGITS:
        raise ValueError(
            f"expected a seed of at least {FEWEST_DIGITS} digits or letters, since shorter ones can be tried out, got "
            f"{seed!r}; without --seed the exam draws one, and keeps it in {folder / SEED}"
        )
    kept = folder / SEED
    if seed is None:
        seed = json.loads(kept.read_text()) if kept.exists() else secrets.token_hex(16)
    write(kept, json.dumps(seed))
    return seed


def exam(
    numbers: list[int],
    count: int,
    out: str,
    students: str | None = None,
    level: int | None = None,
    seed: str | None = None,
    title: str = "Exam",
    points: list[float] | None = None,
    logo: str | None = None,
) -> dict[str, list[Question]]:
    """Write the sheets, the keys and the table of answers into the folder `out`; return each student's questions.

    `points` are those of each question; by default a question has as many as its level.
    """  # fmt: skip
    if points and len(points) != count:
        raise ValueError(f"expected the points of {count} questions, got {len(points)} numbers")
    names = _names(students) if students else [""]
    if logo:
        Path(logo).open("rb").close()  # nothing is written if it is not there
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    seed = seed_of(folder, seed)
    sheets = {student: sheet(student, numbers, count, seed, level) for student in names}
    style = Style(title, points or [question.level for question in sheets[names[0]]], logo)
    for key in (False, True):
        write_pages(folder, style, sheets, key)
    write_table(folder, sheets)
    return sheets


def _names(students: str) -> list[str]:
    """The students of a roster; those of the same name are numbered, in the order of the file."""
    names = [row["student"] for _, row in read_students(students)]
    of_name = Counter(names)
    for name in (name for name, times in of_name.items() if times > 1):
        warn(f"{of_name[name]} students are called {name}: their sheets are numbered, in the order of {students}")
    return [f"{name} ({names[:n].count(name) + 1})" if of_name[name] > 1 else name for n, name in enumerate(names)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--notebook", type=int, nargs="+", required=True, metavar="N", help="notebooks, which take turns, such as 2 3")
    add("--questions", type=int, default=5, metavar="N", help="the number of questions on a sheet (default: 5)")
    add("--students", metavar="FILE", help="a CSV with a column `student`: each gets a sheet (default: one sheet)")
    add("--level", type=int, choices=(1, 2, 3), help="the level of all questions (default: they become harder)")
    add("--points", type=float, nargs="+", metavar="P", help="the points of each question (default: its level)")
    add("--title", default="Exam", help="the title on each page (default: Exam)")
    add("--logo", metavar="FILE", help="a picture for the first page, as PNG")
    add("--seed", metavar="TEXT", help="at least 12 digits, to be kept secret (default: drawn, and kept in the folder)")
    add("--out", default="exam", metavar="FOLDER", help="the folder to write (default: exam)")


def run(options: argparse.Namespace) -> None:
    what = options.notebook, options.questions, options.out, options.students, options.level
    sheets = exam(*what, options.seed, options.title, options.points, options.logo)
    print(f"{options.out}: sheets and keys of {len(sheets)} students, {options.questions} questions each")
    print(f"{options.out}/{SEED} keeps the seed: run again with this folder for the same exam, and show it to nobody")
