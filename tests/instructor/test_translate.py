"""The course in another language: which texts are translated, what is said of changes, and what never changes."""

import ast
import json
import re
import shutil
from pathlib import Path
from random import Random

import nbformat
import pytest
from babel.messages.pofile import write_po

from course_lib import language
from course_lib.explore import bundle, explore
from course_lib.games import TreeGame, texts
from instructor import exam, sheets
from instructor.execute import execute
from instructor.grade import results
from instructor.grade.authorship import claims, notes_on_names
from instructor.grade.gradebook import Student
from instructor.grade.marking import mark
from instructor.grade.submissions import Submission
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


def test_words_in_code_may_be_translated_and_code_may_not():
    assert kept("in place of `your name`, `f(x)`") == kept("à la place de `votre nom`, `f(x)`")
    assert kept("in place of `your name`, `f(x)`") != kept("à la place de `votre nom`, `f(y)`")


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


@pytest.mark.parametrize("long", ["", 'with \\"quotes\\", a\\b ' * 20])
def test_the_earlier_english_is_known_also_later_and_not_longer_than_needed(course, long):
    before, after = (f"A paragraph of {count} lines {long}." for count in ("two", "three"))
    write(course, [before])
    translate_all(course)
    write(course, [after])
    for _ in range(3):
        [catalogue] = translate(course, "fr", ["notebooks"])
        assert catalogue.missing == [f"changed, was “{before}”: {after}"]
    catalogue.path.write_text(catalogue.path.read_text().replace("#, fuzzy\n", ""))
    [catalogue] = translate(course, "fr", ["notebooks"])
    assert not catalogue.missing and "#|" not in catalogue.path.read_text()


def test_messages_in_the_language_of_the_course(course, monkeypatch):
    translate_all(course)
    assert language.gettext("{n} moves", n=3) == "3 moves"
    monkeypatch.setattr(language, "LOCALE", course / "course_lib" / "locale")
    monkeypatch.chdir(course / "fr" / "notebooks")
    for function in (language._catalogue, language._language_of, language._marks, language._patterns):
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
    for function in (language._catalogue, language._language_of, language._marks, language._patterns):
        function.cache_clear()


def test_numbers_in_messages(monkeypatch):
    monkeypatch.setenv("COURSE_LANGUAGE", "fr")
    words = "Alpha-beta looks at {share:.0%} of the states that it sees from left to right, not at most {mark:.0%}. "
    words += "Are moves that win at once first, and then columns near the middle?"
    assert "50\u00a0% de ce" in language.gettext(words, share=0.5, mark=0.25)
    assert language.gettext("{count:,} nodes", count=12_345) == "12\u202f345 nœuds"
    assert language.gettext("not one: {x:.2f} {y} {z:>4}", x=0.5, y=0.5, z="1.5") == "not one: 0,50 0,5  1.5"
    assert texts.number_text((1, 0.5, -2)) == "(1\u202f; 0,5\u202f; −2)" and texts.number_text((1, 2)) == "(1, 2)"
    assert language.numbers_in(language.numbers_in("(0, 1): 1.625/3 + 0.5.")) == "(0, 1): 1,625/3 + 0,5."
    wins = "Your policy wins 55.9% of the games, computed exactly; 50% are needed."
    assert "gagne 55,9\u00a0% des parties" in language.translated(wins)


def test_a_text_of_many_pieces_is_not_tried_in_every_way(monkeypatch):
    """With patterns that try again this takes longer than a life."""
    monkeypatch.setenv("COURSE_LANGUAGE", "fr")
    assert language.translated("? B has won; z for each player who is to move: " * 8)


ENGLISH = re.compile(r"\b(?:the|of|each|write|node|root|you|your|right|wrong|answer|answered|cell|line|not|and|with)\b")
"""Words of templates and tasks."""


@pytest.mark.parametrize("kind", exam.LEVELS)
def test_an_exam_in_french(monkeypatch, kind):
    printed = []
    for name in ("en", "fr"):
        monkeypatch.setenv("COURSE_LANGUAGE", name)
        question = exam.draw(Random(3), kind, 3)
        lines = [line for blank in question.blanks for key in (False, True) for line in sheets._lines(blank, key)]
        printed.append((question, "\n".join([question.task, *lines, *sheets.answers(question), sheets.TO_FILL_IN])))
    (english, text), (french, other) = printed
    assert len(set(ENGLISH.findall(text))) > 3 and not ENGLISH.findall(other.replace(sheets.TO_FILL_IN, ""))
    answers = [answer.replace(",", ".") for answer in french.answers.values()]
    assert (french.difficulty, answers) == (english.difficulty, [*english.answers.values()])
    assert french.game.tree == english.game.tree or kind == "mcts"  # names of children


def test_feedback_in_french_has_the_same_points(monkeypatch):
    solved = {"my_minimax_value": "max(game.utility(s, MAX) for s in [(0,), (1,)])", "my_minimax_search": "1 / 0"}
    cells = [f"from course_lib.games import MAX\ndef {name}(game, state):\n    return {answer}"
             for name, answer in solved.items()] + ["memory = 'b'", "memory = 'b'", "opponent = 17"]  # fmt: skip
    cells[:0] = ["from course_lib.check import student\nstudent('votre nom ou votre numéro')", "for"]
    pages, points = [], []
    for name in ("en", "fr"):
        monkeypatch.setenv("COURSE_LANGUAGE", name)
        place = Submission("Ada", "Ada", "02_minimax", "Ada/02_minimax.ipynb")
        place.add(**mark(cells, "02_minimax", "Ada", 1, sandboxed=False))
        place.notes += notes_on_names(claims(cells), "Ada")
        points.append({name: mark["points"] for name, mark in place.questions.items()})
        page = results.feedback_page(Student("Ada", "ada.html", [place]))
        pages.append(re.sub(r"<[^>]+>|data:[^\"]+", " ", page.partition("<body>")[2]))
        marks = results.marks_page([Student("Ada", "ada.html", [place])], ["02_minimax"])
        assert f'<html lang="{name}">' in page and f'<html lang="{name}">' in marks
    assert points[0] == points[1] and sum(points[0].values()) == 1
    assert len(set(ENGLISH.findall(pages[0]))) > 5 and "1 sur 18" in pages[1]
    assert not ENGLISH.findall(pages[1]), pages[1]


def test_scripts_in_the_language_of_the_course(monkeypatch):
    english = json.loads(bundle._text("messages.en.json"))
    monkeypatch.setenv("COURSE_LANGUAGE", "fr")
    french = json.loads(bundle._text("messages.en.json"))
    assert french.keys() == english.keys() and french["node.max"] == "nœud Max"
    assert "nœud Max" in explore(TreeGame([1, 2])).tree._esm


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


def test_a_text_gains_or_loses_its_plural(course):
    translate_all(course)
    (course / "course_lib" / "module.py").write_text('gettext("1 node"), ngettext("{n} moves", "{count} moves", 5)')
    texts = read(next(translate(course, "fr")).path, "fr")
    assert all(isinstance(text.string, tuple) == text.pluralizable for text in texts if text.id)


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
            formulas = [re.sub(r"\\text\{[^}]*\}|\s", "", formula).replace("{,}", ".")
                        for formula in FORMULA.findall(cell.source)]  # fmt: skip
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
