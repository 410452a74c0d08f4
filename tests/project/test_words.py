"""The project's language: no words of its former private vocabulary, and none of the phrases that sound translated."""

import ast
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORDS = {"luck", "worth", "worths", "mend", "mended", "told", "rungs", "twin", "squashed", "unbeatable", "forgiving"}
"""Words that are no part of a name in code; `is worth 3` is good English, but a name says value, utility or reward."""
PARAMETERS = {"most", "penalty", "averaging", "remembered", "proven", "noisy"}
"""Names that no parameter has."""
NAMES = {"Recipe", "RECIPES", "follow", "table_search", "board_of"}
MODULES = {"door", "still", "twin", "rungs", "recall", "memory", "told", "wire", "later", "freeze"}
PHRASES = re.compile(
    r"""\b(?: luck(?!y) | (?:the|its|their|whose)\ worth | worths | mend(?:s|ed|ing)? | told | anew | rungs? | rooms
    | so\ (?:many|few|long)(?!\ that) | by\ the\ clock | by\ lot | commits?\ yourself | twin | squash(?:ed|es)?
    | hand(?:s|ed|ing)?\ (?:over|down|on) | hands\ (?:it|them|out|each|its|the) | one\ cannot | to\ be\ had
    | stands?\ (?:above|below|there|under|at|beside|between) | stands\ in | looked\ at | cell\ of\ (?:your|one's)\ own
    | likeliest | commonest | surer | seldomer | (?:simulations|iterations|playouts|nodes|calls)\ an?\ (?:move|second)
    | where\ (?:Max|Min|chance|nobody|nothing|the\ game\ is\ over|it\ is\ (?:Max|Min)) | whoever\ has
    | (?<!there\ )(?<!re\ )(?:is|are)\ no\ (?!longer|proof|guarantee|problem|(?:more|less|better|larger|fewer)\b)
    )\b | (?:^|[.:;]\s)Where\ [^.?,;]*, """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
CODE_SPAN = re.compile(r"`[^`\n]*`")
JS_TEXT = re.compile(r"//.*|/\*.*?\*/|'[^'\n]*'|\"[^\"\n]*\"|`[^`]*`", re.DOTALL)
NOT_A_CONDITION = re.compile(r"Where is …|Where Is|where nothing is (?:installed|stored)", re.IGNORECASE)


def names_in(source):
    """(line, name) of each forbidden name that Python code defines or uses."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.arg | ast.keyword) and node.arg in PARAMETERS:
            yield node.lineno, node.arg
        name = next((getattr(node, field) for field in ("id", "name", "attr", "arg") if hasattr(node, field)), None)
        if isinstance(name, str) and (name in NAMES or WORDS & set(re.sub("([A-Z])", r"_\1", name).lower().split("_"))):
            yield getattr(node, "lineno", 1), name


def phrases_in(text):
    text = NOT_A_CONDITION.sub("", re.sub(" (?=\n)|(?<=\n)[ #>]+", " ", text))
    return [(text.count("\n", 0, found.start()) + 1, found[0]) for found in PHRASES.finditer(text)]


def found_in(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = [("".join(cell["source"]), cell["cell_type"] == "code") for cell in json.loads(text)["cells"]]
        return [(f"cell {number}, line {line}", word) for number, (source, code) in enumerate(cells)
                for line, word in [*phrases_in(source), *(names_in(source) if code else ())]]  # fmt: skip
    if path.suffix == ".js":
        names = [(text.count("\n", 0, at.start()) + 1, at[0]) for at in re.finditer(r"[A-Za-z]+", JS_TEXT.sub("", text))
                 if WORDS & set(re.sub("([A-Z])", r" \1", at[0]).lower().split())]  # fmt: skip
        return phrases_in(text) + names
    if path.name == "CHANGELOG.md":
        text = CODE_SPAN.sub("", text)  # former names
    return phrases_in(text) + ([*names_in(text)] if path.suffix == ".py" else [])


FOLDERS = "course_lib/**/*.py course_lib/**/*.js course_lib/**/messages.en.json instructor/**/*.py instructor/**/*.js "
PATTERNS = f"{FOLDERS} solutions/*.py solutions/*.ipynb notebooks/*.ipynb *.md docs/**/*.md tests/answers/*.md".split()
FILES = sorted({path for pattern in PATTERNS for path in ROOT.glob(pattern) if path.name != "LICENSE.md"})


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_file_has_none_of_the_words(path):
    assert path.stem not in MODULES or path.suffix != ".py"
    assert found_in(path) == []


def test_no_test_has_them_in_its_name():
    names = {name for path in ROOT.glob("tests/**/*.py") for _, name in names_in(path.read_text(encoding="utf-8"))
             if name.startswith("test_")}  # fmt: skip
    assert names == set()
