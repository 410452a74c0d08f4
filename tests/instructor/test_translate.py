"""The course in another language: which texts are translated, what is said of changes, and what never changes."""

import ast
import json
import re
import shutil
from pathlib import Path

import nbformat
import pytest
from babel.messages.pofile import write_po

from course_lib import language
from course_lib.explore import bundle
from instructor.execute import execute
from instructor.translate import FORMULA, code, kept, markdown, read, translate

ROOT = Path(__file__).parents[2]
PARAGRAPHS = ["# Title", "A paragraph of\ntwo lines.", "- an item with `code` and 1,234.5", "The end."]


def shouted(text: str, context: str | None = None) -> str:
    """A translation: capitals, and what a translation must repeat as it is."""
    return re.sub(r"(\{[^}]*\}|`[^`]*`|\([^)]*\.\w+\)|\\n)|\w+", lambda found: found[1] or found[0].upper(), text)


@pytest.fixture
def course(tmp_path):
    for folder in ("notebooks", "solutions", "course_lib/explore/js", "instructor"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "course_lib" / "module.py").write_text(
        'gettext("{n} moves", n=3), ngettext("1 node", "{count} nodes", 5)'
    )
    (tmp_path / "course_lib" / "explore" / "js" / "messages.en.json").write_text(
        '{"leaf": "a leaf", "root": "the root"}'
    )
    for name in ("README.md", "SOURCES.md", "LICENSE"):
        (tmp_path / name).write_text("See [sources](SOURCES.md) and [the licence](LICENSE).\n")
    write(tmp_path, PARAGRAPHS)
    return tmp_path


def write(course: Path, paragraphs: list[str]) -> None:
    text = nbformat.v4.new_markdown_cell("\n\n".join(paragraphs), id="text")
    said = nbformat.v4.new_code_cell("count = 3\nprint(f'{count} nodes')  # so many", id="code")
    nbformat.write(nbformat.v4.new_notebook(cells=[text, said]), course / "notebooks" / "01_toy.ipynb")


def translate_all(course: Path) -> None:
    """Give each text a translation in capitals."""
    for catalogue in list(translate(course, "fr")):
        texts = read(catalogue.path, "fr")
        for message in texts:
            if message.id:
                message.string = tuple(map(shouted, message.id)) if message.pluralizable else shouted(message.id)
        with open(catalogue.path, "wb") as file:
            write_po(file, texts)
    assert not [line for catalogue in translate(course, "fr") for line in catalogue.missing]


def french(course: Path) -> str:
    return nbformat.read(course / "fr" / "notebooks" / "01_toy.ipynb", as_version=4).cells[0].source


def test_what_changed_is_named_and_shown_in_english(course):
    translate_all(course)
    assert french(course) == "# TITLE\n\nA PARAGRAPH OF TWO LINES.\n\n- AN ITEM WITH `code` AND 1,234.5\n\nTHE END."
    title, paragraph, item, end = PARAGRAPHS
    write(course, [title, paragraph.replace("two", "three"), "This is new, and unlike the others.", end])
    [catalogue] = translate(course, "fr", ["notebooks"])
    assert catalogue.missing == [
        "changed, was “A paragraph of two lines.”: A paragraph of three lines.",
        "new: This is new, and unlike the others.",
    ]
    assert catalogue.removed == [f"removed: {item[2:]}"]
    assert (
        french(course) == "# TITLE\n\nA paragraph of\nthree lines.\n\nThis is new, and unlike the others.\n\nTHE END."
    )
    execute(catalogue.written)
    assert nbformat.read(catalogue.written, as_version=4).cells[1].outputs[0].text == "3 NODES\n"


def test_a_wrapped_or_moved_text_keeps_its_translation(course):
    translate_all(course)
    write(course, [paragraph.replace("\n", " ") for paragraph in reversed(PARAGRAPHS)])
    [catalogue] = translate(course, "fr", ["notebooks"])
    assert (catalogue.missing, catalogue.removed) == ([], [])


def test_links_lead_to_translated_documents_or_out_of_the_folder(course):
    translate_all(course)
    assert (course / "fr" / "README.md").read_text() == "SEE [SOURCES](SOURCES.md) AND [THE LICENCE](../LICENSE).\n"


@pytest.mark.parametrize("wrong", ["AN ITEM WITH `code` AND 1,234.6", "AN ITEM WITH `CODE` AND 1,234.5", "AN ITEM"])
def test_a_translation_that_loses_a_number_or_code_is_not_shown(course, wrong):
    translate_all(course)
    path = course / "locale" / "fr" / "notebooks" / "01_toy.po"
    path.write_text(path.read_text().replace("AN ITEM WITH `code` AND 1,234.5", wrong))
    [catalogue] = translate(course, "fr", ["notebooks"])
    assert [line.partition(":")[0] for line in catalogue.missing] == ["not as in English"]
    assert "- an item with" in french(course)


def test_numbers_may_be_written_as_in_french(course):
    translate_all(course)
    path = course / "locale" / "fr" / "notebooks" / "01_toy.po"
    path.write_text(path.read_text().replace("AND 1,234.5", "ET 1\u202f234,5"))
    [catalogue] = translate(course, "fr", ["notebooks"])
    assert not catalogue.missing


@pytest.mark.parametrize("number", ["0.632", "0.001", "1,234.5", "21,202,259"])
def test_a_number_in_french(number):
    french = number.translate({ord(","): "\u202f", ord("."): ","})
    assert kept(f"so {number}.") == kept(f"donc {french}.") == kept(f"so {number}")


def test_a_word_that_may_be_a_key_is_not_translated_as_elsewhere(course):
    write(course, [*PARAGRAPHS, "leaves"])
    translate_all(course)
    said = nbformat.v4.new_code_cell("counts['leaves'] = 3", id="key")
    nbformat.write(nbformat.v4.new_notebook(cells=[said]), course / "notebooks" / "02_toy.ipynb")
    [catalogue] = translate(course, "fr", ["02_toy"])
    assert nbformat.read(catalogue.written, as_version=4).cells[0].source == "counts['leaves'] = 3"


def test_the_earlier_english_is_known_also_later(course):
    translate_all(course)
    write(course, [PARAGRAPHS[0], PARAGRAPHS[1].replace("two", "three")])
    for _ in range(3):
        [catalogue] = translate(course, "fr", ["notebooks"])
        assert catalogue.missing == ["changed, was “A paragraph of two lines.”: A paragraph of three lines."]


def test_messages_in_the_language_of_the_course(course, monkeypatch):
    translate_all(course)
    assert language.gettext("{n} moves", n=3) == "3 moves"
    monkeypatch.setattr(language, "LOCALE", course / "course_lib" / "locale")
    monkeypatch.chdir(course / "fr" / "notebooks")
    for function in (language._catalogue, language._language_of, language._patterns):
        function.cache_clear()
    assert language.language() == "fr"
    assert language.gettext("{n} moves", n=3) == "3 MOVES"
    assert [language.translated(text) for text in ("3 moves", "3 nodes. The 3 moves")] == [
        "3 MOVES",
        "3 nodes. The 3 moves",
    ]
    assert [language.ngettext("1 node", "{count} nodes", count) for count in (0, 1, 2)] == ["1 NODE"] * 2 + ["2 NODES"]
    assert language.gettext("unknown") == "unknown"
    monkeypatch.setenv("COURSE_LANGUAGE", "tlh")
    with pytest.raises(ValueError, match="en or fr, not 'tlh': change COURSE_LANGUAGE"):
        language.language()
    for function in (language._catalogue, language._language_of, language._patterns):
        function.cache_clear()


def test_scripts_in_the_language_of_the_course(monkeypatch):
    english = json.loads(bundle._text("messages.en.json"))
    monkeypatch.setenv("COURSE_LANGUAGE", "fr")
    french = json.loads(bundle._text.__wrapped__("messages.en.json"))
    assert french.keys() == english.keys() and french["node.max"] == "nœud Max"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('check("minimax.value", f)', 'check("minimax.value", f)'),
        ('print("so is", f"{x:,} of {d[\'e\']}", end="")', 'print("SO IS", f"{x:,} OF {d[\'e\']}", end="")'),
        ('axes.plot(x, color="dark blue", label="β-cuts")', 'axes.plot(x, color="dark blue", label="Β-CUTS")'),
        (
            'predict("Why?", "no", ("so",\n  "or "\n  "if"), right=1)',
            'predict("WHY?", "NO", ("SO",\n  "OR IF"), right=1)',
        ),
        ('game.parse("XO. .X. ...")  # α: a board', 'game.parse("XO. .X. ...")  # Α: A BOARD'),
        ('def f():\n    """One\n    two."""', 'def f():\n    """ONE\n    TWO."""'),
        ('moves = ["take one", "take"]  # ½', 'moves = ["TAKE ONE", "TAKE"]  # ½'),
        (r'steps = ["4. so\n(s, z)"]', r'steps = ["4. SO\n(S, Z)"]'),
    ],
)
def test_texts_of_code(source, expected):
    assert code(source, shouted) == expected


def test_a_key_is_a_word_that_may_be_a_name():
    texts = []
    code('print("yes", words["no"], word == "maybe")', lambda text, context: texts.append((text, context)))
    assert texts == [("yes", None), ("no", "word"), ("maybe", "word")]


def test_a_text_in_a_part():
    texts = []
    code("print(f\"{'so it is': 18} {d['so']}\")", lambda text, context: texts.append((text, context)))
    assert texts == [("{'so it is': 18} {d['so']}", None)]


def test_a_translation_may_contain_the_quotation_marks_of_the_source():
    said = code("print('so it is', f\"{x} so\")", lambda text, context: text.replace("so", "l'un \"ou\" l'autre"))
    assert ast.literal_eval(re.search(r"'(?:\\.|[^'])*'", said)[0]) == "l'un \"ou\" l'autre it is"
    ast.parse(said)


def test_texts_of_markdown():
    table, code_block = "| a | bc |\n|---|---|\n| 1 | 2 |", "```text\nkept\n```\n\n    kept"
    source = f"{table}\n\n1. An\n   item\n2. two\n\n$$x \\text{{ is odd}}$$\n\n{code_block}\n"
    texts = []
    assert markdown(source, lambda text, context: texts.append(text)) == source
    assert texts == ["a | bc |", "An    item", "two", "$$x \\text{ is odd}$$"]


def structure(path: Path) -> list[tuple]:
    """What the languages have in common: cells, code apart from texts, formulas and the marks of lines."""
    found = []
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            tree = ast.parse(cell.source)
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    node.value = ""
            shape = re.sub(r"(, )?Constant\(value=''\)", "", ast.dump(tree)).replace("[, ", "[")
        else:
            formulas = [re.sub(r"\\text\{[^}]*\}|\s", "", formula) for formula in FORMULA.findall(cell.source)]
            shape = sorted(formulas), re.findall(r"^ *(?:#+|[-*]|\d+\.|\|) |^```.*", cell.source, flags=re.MULTILINE)
        found.append((cell.id, cell.cell_type, cell.metadata.get("tags"), shape))
    return found


def test_both_languages_have_the_same_structure(tmp_path):
    copy = tmp_path / "course"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "fr", "tests", "build", "*.egg-info"))
    shutil.copytree(ROOT / "locale", copy / "locale", dirs_exist_ok=True)
    for catalogue in translate(copy, "fr"):
        assert not [line for line in catalogue.missing if not line.startswith(("new", "changed"))]
        if catalogue.written and catalogue.written.suffix == ".ipynb":
            english = ROOT / catalogue.written.relative_to(copy / "fr")
            assert structure(catalogue.written) == structure(english)


@pytest.mark.slow
def test_french_notebooks_run(tmp_path):
    shutil.copytree(ROOT, tmp_path / "course", ignore=shutil.ignore_patterns(".*", "tests", "build", "*.egg-info"))
    for catalogue in list(translate(tmp_path / "course", "fr", [".ipynb"])):
        if len(catalogue.missing) < len(catalogue.texts) / 2:
            execute(catalogue.written)
