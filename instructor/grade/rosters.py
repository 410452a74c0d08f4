"""The tables that lecturers write: rosters, and any other CSV, as any spreadsheet saves them."""

import csv
import io
import re
from collections import Counter
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from unicodedata import category, normalize

from course_lib.check.tables import as_compared

ANON = "anon_"
"""What precedes the code of a student in the anonymous files of Canvas, and any name in a roster that may be one."""
CODE = re.compile("[1-9A-Za-z]{5}")
"""The code of an anonymous student in Canvas, in which capitals count."""
HANDED_IN = "handed_in"
"""The column of a roster that has times, not names."""
MOODLE_TIMES = "%d %B %Y, %I:%M %p", "%B %d, %Y, %I:%M %p", "%d %B %Y, %H:%M"
"""How Moodle writes times in English and French, after the day of the week."""
FRENCH_MONTHS = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")
"""The beginning of a cell that a spreadsheet takes for a formula."""


def key_of(name: str) -> str:
    """A name as it is looked up in the roster: capitals count in the codes of Canvas only, such as "anon_Xy3fQ"."""
    return name if name.startswith(ANON) else as_compared(name.replace("_", " "))


def read_roster(path: str) -> dict[str, str]:
    """The student, as named in the column `student` of a CSV, by each of their names in its columns.

    A column that has the number 1 counts the rows, or something else, and not the students of a platform.
    """
    roster: dict[str, str] = {}
    rows: dict[str, dict] = {}
    unclear = set()
    read = read_students(path)
    numbering = {column for _, row in read for column in row if row[column] == "1"} - {"student"}
    for line, row in read:
        student = row["student"]
        if rows.setdefault(student, row) != row:
            raise ValueError(f"{path}, line {line}: {student!r} is in an earlier row, too: give each student a name of "
                             f"their own in the column `student`, such as a username")  # fmt: skip
        names = [name for column, name in row.items() if name and column not in {HANDED_IN, *numbering}]
        for name in names:
            known = [roster.setdefault(key, student) for key in (key_of(name), ANON + name.removeprefix(ANON))]
            if known[1] == student != known[0] and CODE.fullmatch(name):
                unclear.add(key_of(name))
            elif {*known} != {student}:
                raise ValueError(f"{path}, line {line}: {name!r} is a name of two students; remove columns, such as "
                                 f"groups, that are not names or numbers of one student")  # fmt: skip
    return {key: student for key, student in roster.items() if key not in unclear}


def read_late(path: str, deadline: datetime) -> dict[str, bool]:
    """Whether each student with a time in the roster's column `handed_in` was after the deadline."""
    late = {}
    for line, row in read_students(path):
        try:
            if row.get(HANDED_IN, "").strip("-"):
                late[row["student"]] = _time(row[HANDED_IN]) > deadline
        except (ValueError, TypeError):
            raise ValueError(f"{path}, line {line}: expected a time such as 2026-11-30 23:59, without a time zone, or "
                             f"as Moodle writes it in English or French, in the column `{HANDED_IN}`, got "
                             f"{row[HANDED_IN]!r}") from None  # fmt: skip
    return late


def _time(text: str) -> datetime:
    """A time in ISO 8601, or as Moodle's grading worksheet has it, such as "Monday, 30 November 2026, 11:59 PM"."""
    words = re.sub(r"^[^\W\d]+,? ", "", as_compared(text))
    for number, french in enumerate(FRENCH_MONTHS.split(), 1):
        words = re.sub(rf"\b{french}\b", datetime(2000, number, 1).strftime("%B"), words)
    for form in MOODLE_TIMES:
        with suppress(ValueError):
            return datetime.strptime(words, form)
    return datetime.fromisoformat(text)


def read_students(path: str) -> list[tuple[int, dict[str, str]]]:
    """The rows of a CSV with a column `student`, each with its line."""
    columns, rows = read_csv(path)
    if "student" not in columns or not rows:
        raise ValueError(f"{path}, line 1: expected a CSV with a column `student`, filled in each row, and others with "
                         f"more names, got the columns {', '.join(columns) or '(none)'}, and {len(rows)} rows"
                        )  # fmt: skip
    for line, row in rows:
        if not row["student"]:
            raise ValueError(f"{path}, line {line}: expected a column `student`, filled in each row; this one is empty")
    return rows


def read_csv(path: str | Path) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    """The columns and the rows, each with its line, of a CSV as any spreadsheet writes it; empty rows are left out."""
    text = decoded(Path(path).read_bytes())
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ValueError(f"{path}, line {line}: not a text; save the table as CSV, in UTF-8")
    excel = re.match(r"sep=(.)\r?\n", text, re.I)
    delimiter = excel[1] if excel else max(",;\t", key=text.lstrip().partition("\n")[0].count)
    reader, found = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), []
    try:
        rows = ([*map(_cell, row)] for row in reader if any(map(str.strip, row)))
        columns = next(rows, [])
        columns = [name.casefold() for name in (next(rows, []) if excel else columns)]
        if several := [name for name, times in Counter(filter(None, columns)).items() if times > 1]:
            raise ValueError(f"{path}, line {reader.line_num}: several columns are called {several[0]!r}; rename or "
                             f"remove all but one")  # fmt: skip
        for cells in rows:
            if any(cells[len(columns) :]):
                raise ValueError(f"{path}, line {reader.line_num}: {len(cells)} cells for {len(columns)} columns; put "
                                 f"quotes around a text that contains the separator")  # fmt: skip
            found.append((reader.line_num, dict(zip(columns, cells + [""] * len(columns)))))
    except csv.Error as error:
        raise ValueError(f"{path}, line {reader.line_num}: {error}; is a quotation mark missing?") from None
    return columns, found


def _cell(text: str) -> str:
    """The text of a cell, without the apostrophe that `grades.csv` puts before a name that looks like a formula."""
    text = normalize("NFC", text).strip()
    return text[1:] if text.startswith("'") and FORMULA.match(text[1:]) else text


ODD = re.compile(r"[a-zà-ÿ](?=[À-ÞŠŽŒ])|[^\W\d_](?<![\u3000-\uffef])(?=[\u3000-\uffef])|[\u3000-\uffef](?=[a-zà-ÿ])"
                 r"|[\x80-\u02ff](?=[\\^`{|}~@])")  # fmt: skip
"""What no name has: a capital with an accent after a small letter, or Chinese letters beside Latin ones."""


def decoded(content: bytes) -> str:
    """A text in an unknown encoding: in UTF-8 or UTF-16, or else in the one of Windows in which it reads best."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    texts = []
    for encoding in ("utf-8-sig", "cp1252", "cp932", "cp850"):
        with suppress(UnicodeDecodeError):
            texts.append(content.decode(encoding))
            if encoding == "utf-8-sig":
                break
    return min(texts, key=lambda text: len(ODD.findall(text)) + sum(map(_is_sign, text)))


def _is_sign(letter: str) -> bool:
    return letter > "\x7f" and letter not in "’–" and category(letter) not in ("Ll", "Lu", "Lo", "Lm", "Mn", "Nd")
