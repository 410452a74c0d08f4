"""Questions, known mistakes and tables are read from the cells of a notebook in `solutions/`."""

import gzip
import json

import nbformat
import pytest

import toy_course
from course_lib.check import tables as client
from course_lib.check.examine import Direct, examine
from course_lib.check.failures import Verdict
from instructor import tables
from instructor.exercises import agree, build
from instructor.questions import ROOT, Notebook, notebooks


@pytest.fixture
def toy(tmp_path):
    return Notebook(toy_course.write(tmp_path))


@pytest.fixture
def made(toy):
    """Identifier → table, as a client reads them."""
    target = toy.path.parents[1] / "01_toy.cases.gz"
    tables.write(toy, target)
    return client.load(target)


def by_name(toy, identifier):
    question = next(question for question in toy.questions if question.identifier == identifier)
    return {(known.name, known.sentence): question.answer(known) for known in question.known}


def test_questions_have_the_titles_points_and_levels_of_their_cells(toy):
    assert [(q.identifier, q.name, q.title, q.points, q.level, q.kind) for q in toy.questions] == [
        ("toy.hand", "by_hand", "By hand", 1, "core", "trace"),
        ("toy.double", "double", "Twice", 3, "core", "write"),
        ("toy.fix", "fixed", "Fix it", 2, "stretch", "fix"),
        ("toy.why", "why", "Why", 1, "core", "explain"),
    ]


def test_known_mistakes_are_lines_in_place_of_others(toy):
    known = by_name(toy, "toy.double")
    values = [[name, *map(function, (-2, 3))] for (name, _), function in known.items()]
    assert values == [
        ["one too many", -2, 8],
        ["two more", 0, 10],
        ["signs", 4, 6],
        ["not doubled", 2, 3],
        ["the square", 4, 9],
    ]
    assert dict(known)["one too many", "take n itself."](0) == 2
    assert toy.questions[1].solution(-2) == -4


def test_a_mark_below_begin_solution_is_the_code_that_is_handed_out(toy):
    known = by_name(toy, "toy.fix")
    assert [(name, function(1)) for (name, _), function in known.items()] == [
        ("not fixed yet", 1),
        ("the wrong way", 0),
    ]
    assert toy.questions[2].handed_out == "not fixed yet"


def test_a_mistake_without_a_sentence_is_an_error(toy):
    toy.cells[6]["source"] = toy.cells[6]["source"].replace(": take it twice.", "")
    with pytest.raises(ValueError, match=r"01_toy\.ipynb, toy\.double: the mistake 'not doubled' needs a sentence"):
        toy.questions[1].known  # noqa: B018


def test_a_copied_grade_id_is_an_error_that_names_both_cells(toy):
    toy.cells.append(toy.cells[6] | {"id": "copied"})
    ids = rf"cell 6 \(id {toy.cells[6]['id']}\) and cell {len(toy.cells) - 1} \(id copied\)"
    with pytest.raises(ValueError, match=rf"01_toy\.ipynb: the grade_id 'toy-double' is used by two cells, {ids}"):
        tables.text_of(toy)


def test_a_question_that_is_checked_twice_is_an_error(toy):
    copy = toy.questions[1].check_cell
    del toy.questions
    toy.cells.append(toy.cells[copy] | {"id": "copied", "metadata": {"nbgrader": {"grade": True, "points": 1}}})
    with pytest.raises(ValueError, match=r"01_toy\.ipynb: 'toy\.double' is checked in two cells; .* \(id copied\)"):
        toy.questions  # noqa: B018


CHECK = 'check("toy.more", more)'


@pytest.mark.parametrize(
    ("metadata", "error"),
    [({}, r"\(id new\): expected a check's metadata"),
     ({"nbgrader": {"grade": True, "points": 1}}, "expected check.* below a heading"),
     ({"nbgrader": {"grade": True, "points": 1}, "level": "Core"}, "toy.more: expected a level .core, .* got 'Core'")],
)  # fmt: skip
def test_a_check_without_metadata_a_heading_of_its_own_or_a_known_level_is_an_error(toy, metadata, error):
    if "level" in metadata:
        toy.cells.append(nbformat.v4.new_markdown_cell("## More (1 point)"))
    toy.cells.append(nbformat.v4.new_code_cell(CHECK, id="new", metadata=metadata))
    with pytest.raises(ValueError, match=error):
        agree(toy)


def test_a_table_tells_right_answers_from_mistakes_and_names_them(toy, made):
    table, question = made["toy.double"], toy.questions[1]
    assert examine(table, Direct(question.solution)).failure is None
    for known in question.known:
        failure = examine(table, Direct(question.answer(known))).failure
        assert known.name in failure.mistake.name.split(" or ")
    assert examine(made["toy.why"], Direct("A ")).failure.wrong.words == "That is too small."
    assert examine(made["toy.why"], Direct("b")).failure is None
    assert examine(made["toy.fix"], Direct(lambda n: n)).failure.verdict is Verdict.UNANSWERED


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"hints": {}, "hnits": {}}, r"toy\.hand: expected the options hints, slips; 'hnits' is not known"),
        ({}, r"toy\.hand: expected the options hints, slips; 'hints' is missing"),
    ],
)
def test_an_option_that_is_misspelt_or_missing_is_an_error(toy, options, error):
    toy.questions[0].asks.options = options
    with pytest.raises(ValueError, match=error):
        tables.head(toy.questions[0])


def test_each_student_has_one_row_of_a_question_by_hand(made):
    table = made["toy.hand"]
    assert table.own_row("Ada  Lovelace") is table.own_row("ada lovelace")
    assert len({table.own_row(str(n)).case for n in range(50)}) > 20
    row = table.own_row("ada")
    assert examine(table, Direct({"half": row.case[0] / 2}), "ada").failure is None
    assert examine(table, Direct({"half": row.case[0]}), "ada").failure is not None or row.case == (0,)


def test_tables_are_written_again_when_an_answer_has_changed(toy, made):
    target = toy.path.parents[1] / "01_toy.cases.gz"
    written = target.stat().st_mtime_ns
    toy.cells[6]["source"] += "\n# a comment"
    tables.write(toy, target)
    assert target.stat().st_mtime_ns == written
    toy.cells[6]["source"] = toy.cells[6]["source"].replace("return 2 *", "return 3 *")
    del toy.questions
    tables.write(toy, target)
    assert client.load(target)["toy.double"].row(6).right == [9]


def test_secret_rows_depend_on_the_seed(toy):
    question = toy.questions[1]
    a, again, b = (tables.secret_rows(question, tables.head(question), seed, 5) for seed in ("1", "1", "2"))
    assert [row.case for row in a] == [row.case for row in again] != [row.case for row in b]
    assert all(row.right == [2 * row.case[0]] for row in a)


def test_texts_agree_with_the_cells(toy):
    agree(toy)
    cells = json.loads(toy.path.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    assert "Four questions, 7 points. Run" in texts[0]
    assert "- **Core**, for everybody: questions 1, 2 and 4.\n- **Stretch**, for most: question 3.\n" in texts[0]
    assert [text.splitlines()[0] for text in texts[1:]] == [
        "## 1. By hand (1 point)", "## 2. Twice (3 points)", "## 3. Fix it (2 points)", "## 4. Why (1 point)",
        "## Your score"]  # fmt: skip


@pytest.mark.slow
def test_exercises_hold_no_solution_and_no_mistake_and_follow_the_folder(tmp_path):
    path = toy_course.write(tmp_path)
    other = path.read_text(encoding="utf-8").replace("toy.", "two.").replace("01_toy", "02_two")
    path.with_name("02_two.ipynb").write_text(other.replace('"toy-', '"two-'), encoding="utf-8")
    path.with_name("02_two.py").write_text(toy_course.MODULE.replace("toy.", "two."), encoding="utf-8")
    build(tmp_path)
    text = (tmp_path / "exercises" / "01_toy.ipynb").read_text(encoding="utf-8")
    for secret in ("#~", "total =", "n * n", "n + 1", "BEGIN SOLUTION", "That is too small"):
        assert secret not in text
    packed = gzip.decompress((tmp_path / "exercises" / "01_toy.cases.gz").read_bytes()).decode()
    assert "total =" not in packed
    path.unlink()
    assert build(tmp_path, ["02_two"]) == [tmp_path / "exercises" / "02_two.ipynb"]
    assert {file.name for file in (tmp_path / "exercises").iterdir()} == {"02_two.ipynb", "02_two.cases.gz"}


@pytest.mark.parametrize("notebook", notebooks().values(), ids=lambda notebook: notebook.name)
def test_points_titles_and_options_in_exercises_are_current(notebook):
    made = client.load(ROOT / "exercises" / f"{notebook.name}.cases.gz").values()
    assert [tables.about(tables.head(question)) for question in notebook.questions] == list(map(tables.about, made)), (
        "run `python -m instructor exercises`"
    )


@pytest.mark.slow
@pytest.mark.parametrize("notebook", notebooks().values(), ids=lambda notebook: notebook.name)
def test_the_tables_in_exercises_are_current(notebook):
    target = ROOT / "exercises" / f"{notebook.name}.cases.gz"
    assert tables.is_current(tables.text_of(notebook), target), "run `python -m instructor exercises`"
