"""Prints how large the project is: `pytest -m slow -s tests/project/test_size.py`. The goals are in no test."""

import io
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNCOUNTED = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING,
             tokenize.ENDMARKER}  # fmt: skip
FOLDERS = {
    "course_lib": ["course_lib"],
    "games, search, alphazero": ["course_lib/games", "course_lib/search", "course_lib/alphazero"],
    "check": ["course_lib/check"],
    "instructor": ["instructor"],
    "solutions": ["solutions"],
    "tests": ["tests"],
}


def size(folders, endings):
    """(lines, texts) of the files below these folders."""
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in endings]
    texts = [path.read_text(encoding="utf-8") for path in files]
    return sum(text.count("\n") for text in texts), texts


def tokens(texts):
    """How many tokens of Python these texts have, without comments and newlines."""
    parts = (part for text in texts for part in tokenize.generate_tokens(io.StringIO(text).readline))
    return sum(part.type not in UNCOUNTED for part in parts)


@pytest.mark.slow
def test_print_the_size(capsys):
    with capsys.disabled():
        print()
        for name, folders in FOLDERS.items():
            lines, texts = size(folders, {".py"})
            print(f"{name:26} {lines:7,} lines {tokens(texts):8,} tokens")
        print(f"{'scripts and styles':26} {size(['course_lib/explore/js'], {'.js', '.css'})[0]:7,} lines")
        tables = [path.stat().st_size for path in (ROOT / "exercises").glob("*.cases.gz")]
        print(f"{'tables in exercises/':26} {sum(tables) / 1e6:7.2f} MB")
    assert tables
