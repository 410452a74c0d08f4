"""Prints the size of the project: `python tests/benchmarks/size.py`. Tokens are without comments and newlines."""

import io
import tokenize
from pathlib import Path

ROOT = Path(__file__).parents[2]
UNCOUNTED = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING,
             tokenize.ENDMARKER}  # fmt: skip
FOLDERS = {
    "course_lib": ["course_lib"],
    "games, search, alphazero": ["course_lib/games", "course_lib/search", "course_lib/alphazero"],
    "watch, explore": ["course_lib/watch", "course_lib/explore"],
    "check": ["course_lib/check"],
    "instructor": ["instructor"],
    "solutions": ["solutions"],
    "tests": ["tests"],
}


def texts_of(folders, *endings):
    """The texts of the files below these folders."""
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in endings]
    return [path.read_text(encoding="utf-8") for path in files]


def lines(texts):
    return sum(text.count("\n") for text in texts)


def tokens(text):
    """The number of tokens of Python."""
    return sum(part.type not in UNCOUNTED for part in tokenize.generate_tokens(io.StringIO(text).readline))


for name, folders in FOLDERS.items():
    texts = texts_of(folders, ".py")
    print(f"{name:26} {lines(texts):7,} lines {sum(map(tokens, texts)):8,} tokens")
scripts = texts_of(["course_lib/explore/js"], ".js", ".css")
print(f"{'scripts and styles':26} {lines(scripts):7,} lines")
tables = [path.stat().st_size for path in (ROOT / "exercises").glob("*.cases.gz")]
print(f"{'tables in exercises/':26} {sum(tables) / 1e6:7.2f} MB")
