"""The project's language: none of its former private words, and none of the phrases that sound translated."""

import ast
import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORDS = {"luck", "worth", "worths", "mend", "mended", "told", "rungs", "twin", "squashed", "unbeatable", "forgiving"}
"""No name in code contains one of these; in a sentence, `is worth 3 to Max` is good English."""
PARAMETERS = {"most", "penalty", "averaging", "remembered", "proven", "noisy"}
MODULES = {"door", "still", "twin", "rungs", "recall", "memory", "told", "wire", "later", "freeze"}
PHRASES = re.compile(
    r"""\b(?: luck | (?:the|its|their|whose)\ worth | worths | mend(?:s|ed|ing)? | told(?!\ apart) | anew | rungs?
    | rooms | so\ (?:many|few|long)(?!\ that) | by\ the\ clock | by\ lot | commits?\ yourself | twin
    | squash(?:ed|es)? | hand(?:s|ed|ing)?\ (?:over|down|on) | hands\ (?:it|them|out|each|its|the)
    | one\ cannot | to\ be\ had | stands?\ (?:above|below|there|under|at|beside|between) | stands\ in
    | recipes? | table_search | board_of | looked\ at | cell\ of\ (?:your|one's)\ own
    | likeliest | commonest | surer | seldomer | (?:simulations|iterations|playouts|nodes|calls)\ an?\ (?:move|second)
    | where\ (?:Max|Min|chance|nobody|nothing|the\ game\ is\ over|it\ is\ (?:Max|Min))
    | (?<!there\ )(?:is|are)\ no\ (?!longer|proof|guarantee|problem|(?:more|less|better|larger|fewer|lower|higher)\b)
    )\b | (?:^|[.:;]\s)(?-i:Where)\ [^.?,;]*, """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
JS_TEXT = re.compile(r"//.*|/\*.*?\*/|'[^'\n]*'|\"[^\"\n]*\"|`[^`]*`", re.DOTALL)
FILES = [path for folder in ("course_lib", "instructor", "solutions", "notebooks", "docs", "tests/answers", ".")
         for path in sorted((ROOT / folder).glob("*" if folder == "." else "**/*"))
         if path.suffix in {".py", ".js", ".ipynb", ".md"} or path.name == "messages.en.json"]  # fmt: skip


def has_word(name):
    return not WORDS.isdisjoint(re.sub("([A-Z])", r"_\1", name).lower().split("_"))


def names_in(source):
    """(line, name) of each forbidden name in Python code."""
    for node in ast.walk(ast.parse(source)):
        for name in (getattr(node, field, None) for field in ("id", "name", "attr", "arg")):
            parameter = isinstance(node, ast.arg | ast.keyword) and name in PARAMETERS
            if isinstance(name, str) and (parameter or has_word(name)):
                yield getattr(node, "lineno", 1), name


def found_in(text, kind):
    """(line, word) of each forbidden word in a file's or a cell's text."""
    lines = re.sub(r"(?<=\n)[ #>]+", "", text)
    yield from ((lines.count("\n", 0, found.start()) + 1, found[0].strip()) for found in PHRASES.finditer(lines))
    if kind == ".py":
        yield from names_in(text)
    if kind == ".js":
        yield from (("?", name) for name in re.findall("[A-Za-z]+", JS_TEXT.sub("", text)) if has_word(name))


def cells_of(path):
    """(text, kind) of each cell of a notebook; a file of another kind is one cell."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        return [("".join(cell["source"]), ".md" if cell["cell_type"] == "markdown" else ".py") for cell in cells]
    return [(re.sub("`[^`\n]*`", "", text) if path.name == "CHANGELOG.md" else text, path.suffix)]


def test_no_file_and_no_name_of_a_test_has_one_of_the_words():
    found = [f"{path.relative_to(ROOT)}, cell {number}, line {line}: {word}" for path in FILES
             for number, cell in enumerate(cells_of(path)) for line, word in found_in(*cell)]  # fmt: skip
    found += [f"{path.relative_to(ROOT)}: module" for path in FILES if path.stem in MODULES and path.suffix == ".py"]
    for path in ROOT.glob("tests/**/*.py"):
        names = re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        found += [f"{path.relative_to(ROOT)}: {name}" for name in names if PHRASES.search(name.replace("_", " "))]
    assert not found, "\n".join(found)
