"""Writes the course in another language, from English sources and the catalogues in `locale/`: docs/translating.md.

A text is shown in English if its catalogue has no translation, if the English has changed since ("fuzzy"), or if the
translation does not repeat a number, formula, link or `{part}`: then `--missing` names it.
"""

import argparse
import ast
import io
import json
import re
import tokenize
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from babel.messages import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import denormalize, read_po, write_po

from course_lib.saving import write_whole
from instructor.execute import execute
from instructor.questions import notebooks

SOURCES = "README.md", "SOURCES.md", "course_lib/explore/js/messages.en.json"
"""What is translated beside notebooks and exercises."""
SHOWN, LABELS = ("print", "predict"), ("because", "label", "title", "xlabel", "ylabel")
"""Functions, and keyword parameters, whose texts a reader sees; a text for another keyword is a setting."""
MARKS = "gettext", "N_", "Note", "Broken", "OutOfTime", "NotPossible"
"""Functions and classes whose first argument is a message; those of errors in `course_lib` contain messages."""
HEADER = "# Written by `python -m instructor translate`, except the translations: see docs/translating.md."
UNTRANSLATED = "course_lib/games/*.py", "course_lib/check/graded.py", "solutions/warm_up.py"
"""Modules that write in English, without catalogues, what is translated when it is shown."""
OUTSIDE = re.compile(r"\]\((?=docs/|\.github/|(?!SOURCES|README)[A-Z])")
"""A link in a document to a file of the course that is not translated."""
WORD = "word"  # the context of a string that may be a name: not counted, since most are not to be translated
MARK = r" *(?:#{1,6} |[-*+] |\d+\. |\| ?)"
UNIT = re.compile(
    r"^ *```.*?^ *```|^ {4}[^\n]*"  # code stays
    rf"|^(?P<mark>{MARK}| *)(?P<text>[^\n]+(?:\n(?!{MARK}| *```| *$)[^\n]+)*)",
    re.MULTILINE | re.DOTALL,
)
LITERAL = re.compile(r"(?P<quote>\"\"\"|'''|\"|')(?P<body>(?:\\.|(?!(?P=quote)).)*)(?P=quote)", re.DOTALL)
SENTENCE = re.compile(r"(?:^|\s|\\n)[\"'(“]*[^\W\d_][a-zà-ÿ’'-]+[”)\"'.,:;!?]*(?=\s|\\n|$)")
NAME = re.compile(r"[^\W\d_][^\W\d_-]+")
FORMULA = re.compile(r"\$\$?[^$]+\$\$?")
IN_FORMULA = re.compile(r"\\text\{([^}]*)\}")
PART = re.compile(r"\{[^{}]*\}")
IN_PART = re.compile(r"'([^']* [^']*)'")  # a text, not a key of one word
KEPT = re.compile(r"`[^`]+`|\]\([^)#]+|(?<![\w$])\d[\d\u202f\u00a0,.]*")  # code, links, numbers
WORDS = re.compile(r"`[a-zà-ÿ]+( [a-zà-ÿ]+)+`")  # a text in code, such as `your name or number`
Say = Callable[[str, str | None], str | None]  # from a text and its context to what replaces it, or None


def markdown(source: str, say: Say) -> str:
    """The source, with `say(text, None)` in place of each heading, paragraph, list item and row of a table."""

    def replaced(found: re.Match) -> str:
        text = " ".join((found["text"] or "").split("\n"))
        said = _has_words(text) and say(text, None)
        return found["mark"] + said if said else found[0]

    return UNIT.sub(replaced, source)


def code(source: str, say: Say) -> str:
    """The Python source, with what `say` returns in place of texts, and of words that may be names."""
    lines = source.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        text, (row, column) = token.string.lstrip("# "), token.start
        if token.type == tokenize.COMMENT and _has_words(text) and (said := say(text, None)):
            lines[row - 1] = f"{lines[row - 1][:column]}# {said}"
    encoded = "\n".join(lines).encode()  # ast counts columns in bytes
    starts = list(accumulate((len(line.encode()) + 1 for line in lines), initial=0))
    changes = []
    for node, shown in _strings(ast.parse(encoded)):
        start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        literals = list(LITERAL.finditer(encoded[start:end].decode()))
        text = "".join(literal["body"] for literal in literals)
        is_format = isinstance(node, ast.JoinedStr)
        plain = PART.sub(lambda part: " ".join(IN_PART.findall(part[0])), text) if is_format else text
        is_text = _has_words(plain) if shown else " " in plain and SENTENCE.search(plain)
        if said := say(text, None) if is_text else NAME.fullmatch(text) and say(text, WORD):
            quote = literals[0]["quote"]
            said = re.sub(rf"(?<!\\){quote}", rf"\\{quote}", said)
            changes.append((start, end, f"{'f' * is_format}{quote}{said}{quote}".encode()))
    for start, end, said in sorted(changes, reverse=True):
        encoded = encoded[:start] + said + encoded[end:]
    return encoded.decode()


def _strings(node: ast.AST, shown: bool = False) -> Iterator[tuple[ast.expr, bool]]:
    """Each string below a node, and whether a reader certainly sees it."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.JoinedStr() | ast.Constant(value=str()):
                yield child, shown or isinstance(node, ast.Expr)
            case ast.Call(func=ast.Name(name) | ast.Attribute(attr=name)):
                yield from _strings(child, name in SHOWN)
            case ast.keyword() if child.arg in LABELS or not isinstance(child.value, ast.Constant):
                yield from _strings(child, child.arg in LABELS)
            case ast.keyword():
                pass
            case _:
                yield from _strings(child, shown and not isinstance(child, ast.Subscript | ast.Compare))


def _has_words(text: str) -> bool:
    text = FORMULA.sub(lambda found: " ".join(IN_FORMULA.findall(found[0])), text)
    return bool(re.search(r"[^\W\d_]{2}", re.sub(r"`[^`]+`|\]\([^)]+\)|<[^>]+>", "", text)))


def translated(source: Path, say: Say) -> str:
    """The content of a notebook, document or table of messages, with what `say` returns in place of its texts."""
    content = source.read_text(encoding="utf-8")
    if source.suffix == ".md":
        return OUTSIDE.sub("](../", markdown(content, say))
    if source.suffix == ".json":
        table = {name: said for name, text in json.loads(content).items() if (said := say(text, name))}
        return json.dumps(table, ensure_ascii=False, indent=2) + "\n"
    notebook = nbformat.reads(content, as_version=4)
    for cell in notebook.cells:
        cell.source = (code if cell.cell_type == "code" else markdown)(cell.source, say)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        cell.metadata.get("nbgrader", {}).pop("checksum", None)  # it is that of the English text
    return nbformat.writes(notebook).rstrip("\n") + "\n"


class Catalogue(NamedTuple):
    """The texts of one source; those shown in English are empty, and named in `missing`. `written` is what it made."""

    path: Path
    texts: Catalog
    missing: list[str]
    removed: list[str]
    written: Path = Path()

    def say(self, text: str, context: str | None = None) -> str | None:
        """The translation of this text, or nothing if it is to be shown in English."""
        message = self.texts.get(text, context)
        return message.string if message else None


def problem(message: Message) -> str:
    """Why this translation is not shown, or an empty text."""
    if not message.string or not all(message.string):
        return "new"
    if message.fuzzy:
        return f"changed, was “{'”, “'.join(message.previous_id)}”"
    english, said = (Counter() if message.pluralizable else kept(text) for text in (message.id, message.string))
    less = [part for part in english | said if english[part] > said[part] or (part[0] == "{" and part not in english)]
    return f"not as in English: {' '.join(less)}" if less else ""


def kept(text: str) -> Counter[str]:
    """What a translation must repeat: formulas, {parts}, code, links, and numbers (1 234,5 is 1,234.5)."""
    formulas = [IN_FORMULA.sub("", found).replace("{,}", ".") for found in FORMULA.findall(text)]
    text = FORMULA.sub(" ", text)
    parts = [re.sub(r"'[^']*'", "''", found) for found in PART.findall(text)]
    found = [part for part in KEPT.findall(PART.sub(" ", text)) if not WORDS.fullmatch(part)]
    others = [part.rstrip(",.\u202f\u00a0") for part in found]
    plain = [re.sub(r"(?<=\d)(?<!^0)[,\u202f\u00a0](?=\d{3})", "", other).replace(",", ".") for other in others]
    return Counter([*formulas, *parts, *plain])


def read(path: Path, language: str) -> Catalog:
    """The catalogue in this file, or an empty one."""
    if not path.exists():
        empty = Catalog(language, project="course_lib", version="1", fuzzy=False, header_comment=HEADER)
        empty.mime_headers = [("Plural-Forms", "nplurals=2; plural=(n > 1);")]  # Babel has a third, from a million on
        return empty
    with open(path, "rb") as file:
        texts = read_po(file, locale=language)
    for message in texts:  # Babel takes the earlier English for comments, whose lines it has broken anywhere
        earlier = " ".join(line[2:] for line in message.user_comments if line[:2] == "| ")
        message.previous_id = [denormalize("\n".join(re.findall(r'"(?:\\.|[^"\\])*"', earlier)))] * message.fuzzy
    return texts


def update(path: Path, language: str, messages: Iterable[Message], memory: dict[str, str]) -> Catalogue:
    """Bring the catalogue in this file up to date with the texts of its source, and return it.

    A new text takes its translation from `memory`. If it resembles one that is gone, it takes that one's, as "fuzzy".
    """
    old, new = read(path, language), read(Path("none"), language)
    new.header_comment, new.mime_headers = old.header_comment, old.mime_headers
    texts = {(text.id, text.context): text for text in messages}
    gone = {str(message.id): message for message in old if message.id and (message.id, message.context) not in texts}
    for text in texts.values():
        if (before := old.get(text.id, text.context)) and before.id == text.id:  # not with another plural
            text.string, text.flags, text.previous_id = before.string, before.flags, before.previous_id
        elif text.id in memory and text.context is None:  # a word may be a key
            text.string = memory[text.id]
        elif near := get_close_matches(str(text.id), gone, 1):
            before = gone.pop(near[0])
            if before.string and not before.pluralizable:
                text.string, text.flags, text.previous_id = before.string, {"fuzzy"}, before.previous_id or [before.id]
        new[text.id] = text
    write_po(content := io.BytesIO(), new, width=100, include_previous=True)
    _write(path, content.getvalue())
    missing = []
    for text in texts.values():
        if why := problem(text):
            text.string = ""
            missing += [f"{why}: {text.id}"] if text.context != WORD else []
    return Catalogue(path, new, missing, [f"removed: {text}" for text in gone])


def _write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content)


def translate(course: Path, language: str, names: Iterable[str] = ()) -> Iterator[Catalogue]:
    """Bring the catalogues up to date, and write the course in this language into the folder of this name.

    Yield each catalogue. `names` are parts of the paths of sources, without which all are translated.
    """
    locale, target = course / "locale" / language, course / language
    known = [message for path in sorted(locale.rglob("*.po")) for message in read(path, language)]
    memory = {each.id: each.string for each in known if each.string and not each.fuzzy and not each.context}
    settings = (course / "course.toml").read_text(encoding="utf-8") if (course / "course.toml").exists() else ""
    _write(target / "course.toml", f'language = "{language}"\n' + re.sub(r"(?m)^language *=.*\n", "", settings))
    paths = [*sorted(course.glob("notebooks/*.ipynb")), *sorted(course.glob("exercises/*.ipynb"))]
    for source in (*paths, *(course / name for name in SOURCES)):
        own = source.relative_to(course)
        if names and not any(name in str(own) for name in names):
            continue
        path, written = locale / own.with_suffix(".po"), target / own
        if source.suffix == ".json":
            path, written = locale / "scripts.po", source.with_name(f"messages.{language}.json")
        texts: list[Message] = []
        translated(source, lambda text, context, texts=texts: texts.append(Message(text, context=context)))
        catalogue = update(path, language, texts, memory)
        _write(written, translated(source, catalogue.say))
        yield catalogue._replace(written=written)
    if not names:
        yield (catalogue := update(locale / "messages.po", language, map(Message, _messages(course)), memory))
        write_mo(content := io.BytesIO(), catalogue.texts)
        _write(course / "course_lib" / "locale" / language / "LC_MESSAGES" / "course_lib.mo", content.getvalue())


def _messages(course: Path) -> Iterator[str | tuple[str, str]]:
    """The messages of settings, templates and Python, and the titles, sentences and known mistakes of questions."""
    for path in (*course.glob("course.toml"), *course.glob("instructor/*.toml")):
        text = re.sub(r'"(?:\w+\.\w+|\d\d): ', '"', path.read_text(encoding="utf-8"))  # without names of questions
        yield from re.findall(r'(?m)^(?:exam_title|concept) *= *"(.+)"', text)
        yield from _sentences(tomllib.loads(text))
    for folder in (course / "course_lib", course / "instructor"):
        yield from (found[2] for found in extract_from_dir(folder, [("**.html", "jinja2")]))
        for path in sorted(folder.rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                match node:
                    case ast.Call(ast.Name(name), [ast.Constant(text), *_]) if name in MARKS:
                        yield text
                    case ast.Call(ast.Name(name), [ast.JoinedStr(), *_]) if name in MARKS:
                        yield from _messages_of(node)
                    case ast.Call(ast.Name(name)) if name.endswith("Error") and folder.name == "course_lib":
                        yield from _messages_of(node)
                    case ast.Call(ast.Name("ngettext"), [ast.Constant(one), ast.Constant(many), *_]):
                        yield one, many
    for path in (path for pattern in UNTRANSLATED for path in sorted(course.glob(pattern))):
        yield from _messages_of(ast.parse(path.read_text(encoding="utf-8")))
    for question in (each for notebook in notebooks(course / "solutions").values() for each in notebook.questions):
        yield question.title
        yield from _sentences({**question.asks.options, "ways": question.asks.shown["case"]})  # known mistakes
        yield from (text for known in question.known for text in (known.sentence, known.name) if len(text) > 1)


def _messages_of(code: ast.AST) -> Iterator[str]:
    """The sentences in Python, other than docstrings; those of f-strings as messages with named parts."""
    for node, is_docstring in _strings(code):
        text, names = "", {}
        for piece in node.values if isinstance(node, ast.JoinedStr) else [node]:
            if isinstance(piece, ast.Constant):
                text += piece.value if piece is node else piece.value.replace("{", "{{").replace("}", "}}")
            else:
                value = ast.unparse(piece.value)
                name = re.findall(r"[A-Za-z]\w*", value)[-1]
                names.setdefault(value, f"{name}{len(names)}" if name in names.values() else name)
                text += f"{{{names[value]}}}"
        yield from () if is_docstring else _sentences(text)


def _sentences(data: Any) -> Iterator[str]:
    """The texts of at least two words in dictionaries and lists."""
    if isinstance(data, str) and " " in data and SENTENCE.search(data):
        yield data
    for item in [*data, *data.values()] if isinstance(data, dict) else data if isinstance(data, list | tuple) else ():
        yield from _sentences(item)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("language", metavar="LANGUAGE", help="such as fr")
    add("names", nargs="*", metavar="NAME", help="a part of the path of a source, such as notebooks/03 (default: all)")
    add("--missing", action="store_true", help="print what is to be translated")
    add("--execute", action="store_true", help="run the notebooks and store their outputs")


def run(options: argparse.Namespace) -> None:
    for catalogue in translate(Path(), options.language, options.names):
        print(f"{catalogue.path}: {len(catalogue.missing)} of {len(catalogue.texts)} texts to translate")
        for line in (*catalogue.removed, *(catalogue.missing if options.missing else ())):
            print(f"  {line}")
        if options.execute and catalogue.written and catalogue.written.suffix == ".ipynb":
            execute(catalogue.written)
