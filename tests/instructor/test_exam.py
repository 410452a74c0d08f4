"""Exam sheets: every key is computed again from what is printed, without the course's searches, and levels are held."""

import csv
import json
import re
import warnings
from math import inf, log, sqrt
from random import Random

import pytest
from matplotlib.figure import Figure

import oracle
from course_lib.explore.picture import worksheet_picture
from course_lib.games import MAX, MIN, Chance
from instructor import exam, sheets
from instructor.__main__ import main

IN_ANOTHER_FONT, IN_NO_FONT = "\u1d81", "\U0010fffd"
"""A letter that not the usual font of Matplotlib's has, but another one of its own; and one for private use."""


@pytest.fixture(autouse=True)
def whole_course(monkeypatch):
    """The course with all notebooks, whatever a lecturer has removed."""
    monkeypatch.setattr(exam, "with_trees", lambda: [*exam.NOTEBOOKS])


def nodes(tree, player, path=(), alpha=-inf, beta=inf):
    """Path → (subtree, player to move, α, β) of each node; alpha-beta enters it if α < β (Baudet, 1978)."""
    found, elders, chance = {path: (tree, player, alpha, beta)}, [], isinstance(tree, Chance)
    pairs = enumerate(subtree for _, subtree in tree.outcomes) if chance else is_leaf(tree) or oracle.items(tree)
    for action, subtree in [] if is_leaf(tree) else pairs:
        a, b = (max([alpha, *elders]), beta) if player == MAX else (alpha, min([beta, *elders]))
        found |= nodes(subtree, player if chance else 1 - player, (*path, action), a, b)
        elders.append(oracle.value(subtree, 1 - player))
    return found


def is_leaf(tree):
    return not isinstance(tree, Chance | list | dict)


def number(text):
    return float(text.replace("−", "-"))


def answers(question):
    """The first words of a blank → its answer."""
    return {blank.name.partition(",")[0]: blank.answer for blank in question.blanks}


def best(tree, player):
    value = oracle.value(tree, player)
    return [action for action, subtree in oracle.items(tree) if abs(oracle.value(subtree, 1 - player) - value) < 1e-9]


def values(question):
    """A tree with the value of each inner node."""
    walked = nodes(question.game.tree, question.game.first)
    inner = {path: (tree, player) for path, (tree, player, *_) in walked.items() if not is_leaf(tree)}
    assert question.answers.keys() == inner.keys()
    for path, node in inner.items():
        assert abs(number(question.answers[path]) - oracle.value(*node)) < 1e-6
    assert answers(question)["All best actions at the root"] == [" ".join(map(str, best(*inner[()])))]
    ties = sum(len(best(*node)) > 1 for node in inner.values() if not isinstance(node[0], Chance))
    return len(walked) - len(inner), 0, ties


def cuts(question):
    """A tree with the leaves that are cut, and the nodes with a cut, with the reasons."""
    walked = nodes(question.game.tree, question.game.first)
    leaves, entered = [p for p in walked if is_leaf(walked[p][0])], {p for p in walked if walked[p][2] < walked[p][3]}
    assert question.answers == {path: "cut" for path in leaves if path not in entered}
    found, ties = answers(question), 0
    assert [[number(leaf) for leaf in found["The leaves that it visits"][0].split()]] == [
        [walked[path][0] for path in leaves if path in entered]
    ]
    cut = [path for path in entered - {*leaves} if (*path, len(walked[path][0]) - 1) not in entered]
    reasons = dict(line.split(": ", 1) for line in found["Each node with a cut"])
    assert reasons.keys() == set(map(exam.path_text, cut))
    for path in cut:
        (tree, player, *window), reason = walked[path], reasons[exam.path_text(path)]
        v, bound = map(number, re.search(r"has (\S+) here, \w+ has (\S+) elsewhere", reason).groups())
        sign, bound_there = (1, window[0]) if player == MIN else (-1, window[1])
        assert bound == bound_there and sign * oracle.value(tree, player) <= sign * v <= sign * bound
        ties += v == bound
    return len(leaves), len(cut), ties


def statistics(question):
    """Path → (P or 1, sum, visits) of each node of the search tree, as printed."""
    given = question.given | {(): re.search(r"The root has (\S+)\.$", question.task)[1]}
    parts = {path: [*map(number, re.split("[ /]", text))] for path, text in given.items()}
    return {path: (1, *numbers)[-3:] for path, numbers in parts.items()}


def scores(question, counts, path):
    """The last action → PUCT or UCB1 of each child."""
    puct, above = question.kind == "puct", counts[path][2]
    return {child[-1]: total / n + (1.5 * p * sqrt(above) / (1 + n) if puct else 1.4 * sqrt(log(above) / n))
            for child, (p, total, n) in counts.items() if child and child[:-1] == path}  # fmt: skip


def selection(question):
    counts, written = statistics(question), answers(question)
    found = {path: scores(question, counts, path) for path in counts}
    if "Most blanks need a look at the numbers" in question.task:
        return len(counts) - by_eye(counts, found, written), 0, 0
    assert question.answers == {path: max(below, key=below.get) for path, below in found.items() if below}
    for path in question.answers:
        *_, second, best = sorted(found[path].values())
        assert best > second + 0.05, "no rounding decides"
        line = ", ".join(f"{score:.2f} for {action}" for action, score in found[path].items()).replace("-", "−")
        assert written[f"{question.kind.upper()} of each child of {exam.path_text(path)}"] == [line]
    return len(counts) - len(question.answers), 0, 0


def by_eye(counts, by_ucb1, written):
    """UCB1 with any C is a line, whose slope falls with the visits; return the number of inner nodes."""
    below = {path: [child for child in counts if child[:-1] == path and child] for path in counts if by_ucb1[path]}

    def walk(key):
        path = ()
        while path in below:
            path = max(below[path], key=lambda child: key(*counts[child][1:]))
        return [exam.path_text(path)]

    def best(path, c):
        values = [u / n + c * sqrt(log(counts[path][2]) / n) for _, u, n in (counts[child] for child in below[path])]
        return values.index(max(values))

    path = ()
    while path in below:
        path = (*path, max(by_ucb1[path], key=by_ucb1[path].get))
    always = [path for path in below if len({best(path, c) for c in (1e-9, 1e9)}) == 1]
    assert list(written.values()) == [
        walk(lambda u, n: u / n), walk(lambda u, n: -n), [exam.path_text(path)],
        [max(below[()], key=lambda child: counts[child][2])[0]],
        [", ".join(map(exam.path_text, sorted(always))) or "none"],
    ]  # fmt: skip
    return len(below)


def iteration(question):
    counts, path = statistics(question), ()
    while found := scores(question, counts, path):
        path = (*path, max(found, key=found.get))
    assert answers(question) == {"The node at which selection ends": [exam.path_text(path)]}
    tree, expected = question.game.tree, {}
    for action in (*path, "new", "playout"):
        tree = tree[action]
    for plies in range(len(path) + 2):
        _, u, n = counts.get(node := (*path, "new")[:plies], (1, 0, 0))
        mover = 1 - (question.game.first + plies) % 2  # the player who moved into the node
        expected[node] = f"{u + ((tree if mover == MAX else -tree) + 1) / 2:g}/{n + 1:g}"
    assert question.answers == expected
    return sum(not scores(question, counts, node) for node in counts), 0, 0


CHECKS = {
    "minimax": values, "alpha-beta": cuts, "expectiminimax": values, "ucb1": selection, "puct": selection,
    "mcts": iteration,
}  # fmt: skip


def check(question):
    """The key is right, and the question is within the definition of its level."""
    found = CHECKS[question.kind](question)
    assert found == question.difficulty
    assert all(low <= n <= high for n, (low, high) in zip(found, exam.LEVELS[question.kind][question.level - 1]))


@pytest.mark.parametrize("notebook", exam.NOTEBOOKS)
def test_keys_are_right_and_levels_are_held(notebook):
    questions = [question for level in (1, 2, 3) for question in exam.sheet("ada", [notebook], 3, 7, level)]
    assert {question.kind for question in questions} == set(exam.NOTEBOOKS[notebook])
    for question in questions:
        check(question)


@pytest.mark.slow
def test_the_keys_of_a_thousand_sheets_are_right():
    for student in range(1000):
        for question in exam.sheet(str(student), [[*exam.NOTEBOOKS][student % 5]], 5, "2024"):
            check(question)


def test_each_student_has_a_sheet_of_their_own_and_the_same_seed_gives_it_again():
    first, second, again = (exam.sheet(name, [2, 3], 6, 1) for name in ("ada", "grace", "ada"))
    assert [q.blanks for q in first] == [q.blanks for q in again]
    assert all(a.game != b.game for a, b in zip(first, second))
    assert [q.level for q in first] == [1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize(("numbers", "count", "level", "kinds"), [
    ([2, 3, 5, 6, 7], 5, None, "minimax, alpha-beta, expectiminimax, mcts, puct"),
    ([2, 3], 3, None, "minimax, alpha-beta, minimax"),
    ([6, 2, 6], 4, 1, "mcts, minimax, ucb1, mcts"),
])  # fmt: skip
def test_the_notebooks_take_turns_and_the_kinds_of_each(numbers, count, level, kinds):
    assert [question.kind for question in exam.sheet("ada", numbers, count, "1", level)] == kinds.split(", ")


def write_exam(folder, options=""):
    (folder / "roster.csv").write_text("student;number\nJan;1\nÉmile;2\nJan;3\n", encoding="utf-8")
    main(f"exam --notebook 3 --questions 2 --level 1 --students {folder}/roster.csv --out {folder} {options}".split())
    return (folder / "answers.csv").read_text("utf-8")


def test_each_student_has_an_even_number_of_pages_and_the_seed_is_kept_and_not_printed(tmp_path, capsys):
    first = write_exam(tmp_path, options := "--questions 1 --title Games")
    assert "several students are called Jan:" in capsys.readouterr().err
    seed = json.loads((tmp_path / sheets.SEED).read_text())
    assert len(seed) == 32 and write_exam(tmp_path, options) == first
    for name in ("sheets", "key"):
        pdf = (tmp_path / f"{name}.pdf").read_bytes()
        assert pdf.startswith(b"%PDF") and len(re.findall(rb"/Type /Page\b", pdf)) == 6  # each with its empty back
        assert seed.encode() not in pdf
    for row in csv.DictReader(first.splitlines()):
        [question] = exam.sheet(row["student"], [3], 1, seed, 1)
        assert row["question 1"] == "; ".join(sheets.answers(question))
    (tmp_path / sheets.SEED).unlink()
    assert write_exam(tmp_path, options) != first


def texts(student, style, key):
    """The lines of text of a sheet of two questions."""
    questions = exam.sheet(student, [3], 2, "a", 1)
    return [text.get_text() for page in sheets.pages(student, questions, style, key) for text in page.texts]


def test_points_and_title_are_on_sheets_without_answers_and_keys_with_them():
    style = sheets.Style("Games", [0.5, 2, 3])
    sheet, key = (texts("Ada", style, key) for key in (False, True))
    assert sheet[0] == "Games · Ada" and key[0] == "Key: Games · Ada" and sheet[1].endswith("of 1")
    assert [line[:3] for line in sheet if "Alpha-beta" in line] == ["1. ", "2. "] and "(0.5 points)" in " ".join(sheet)
    for question in exam.sheet("Ada", [3], 2, "a", 1):
        lines = [line for blank in question.blanks for line in blank.answer]
        assert all(any(line in shown for shown in key) and not any(line in shown for shown in sheet) for line in lines)


def test_a_name_is_printed_in_a_font_that_has_its_letters_and_beside_the_logo(tmp_path):
    Figure().savefig(tmp_path / "logo.png")
    questions, style = exam.sheet("Ada", [2], 1, "a", 1), sheets.Style("Games", [1], str(tmp_path / "logo.png"))
    for name in (f"A{IN_ANOTHER_FONT}", "WWWW MMMM " * 8):
        (page,) = sheets.pages(name, questions, style, key=False)
        with warnings.catch_warnings(action="error"):
            head = page.texts[0].get_window_extent()
        assert name.strip() in page.texts[0].get_text().replace("\n", " ") and page.texts[0].get_fontsize() > 7
        assert head.x1 / page.dpi < sheets.WIDTH - sheets.MARGIN - 1


def test_what_tells_namesakes_apart_is_on_their_sheets(tmp_path):
    (tmp_path / "roster.csv").write_text("student,e-mail\nBob,b@example.org\nAda,a@example.org\nBob,c@example.org\n")
    shown = sheets.shown_names(tmp_path / "roster.csv")
    assert shown == {"Bob (1)": "Bob (1) · b@example.org", "Ada": "Ada", "Bob (2)": "Bob (2) · c@example.org"}


def test_a_name_that_no_font_has_is_shown_by_a_number_and_named_in_one_warning(tmp_path, capsys):
    (tmp_path / "roster.csv").write_text(f"student,number\nAda,7\n{IN_NO_FONT},8\n{IN_NO_FONT}2,\n", encoding="utf-8")
    shown = sheets.shown_names(tmp_path / "roster.csv")
    assert shown == {"Ada": "Ada", IN_NO_FONT: "student 2 · 8", f"{IN_NO_FONT}2": "student 3"}
    warning = capsys.readouterr().err
    assert f"{IN_NO_FONT} (student 2 · 8), {IN_NO_FONT}2 (student 3); install a font" in warning
    assert texts(IN_NO_FONT, sheets.Style("Games", [1, 1], "", shown), False)[0] == "Games · student 2 · 8"


def test_a_sheet_has_no_answer_in_its_tree(monkeypatch):
    shown = []

    def noted(game, answers, given):
        shown.append(answers)
        return worksheet_picture(game, answers, given)

    monkeypatch.setattr(sheets, "worksheet_picture", noted)
    for key in (False, True):
        texts("Ada", sheets.Style("Games", [1, 1]), key)
    assert shown[:2] == [{}, {}] and all(shown[2:])


@pytest.mark.parametrize(("options", "message"), [
    ("--notebook 2 8", "expected notebooks of the course that have trees to draw (2, 3, 5, 6, 7), got 8"),
    ("--students README.md", "README.md"),
])  # fmt: skip
def test_what_cannot_be_is_refused_before_a_sheet_is_written(tmp_path, options, message):
    with pytest.raises(SystemExit, match=re.escape(message)):
        write_exam(tmp_path, options)
    assert not list(tmp_path.glob("*.pdf"))


def test_a_notebook_that_was_removed_is_refused(monkeypatch, tmp_path, capsys):
    monkeypatch.undo()
    (tmp_path / "solutions").mkdir()
    for number in (1, 2, 6):
        (tmp_path / "solutions" / f"0{number}_of_the_course.ipynb").touch()
    monkeypatch.setattr(exam, "ROOT", tmp_path)
    with pytest.raises(ValueError, match=r"trees to draw \(2, 6\), got 5"):
        exam.sheet("ada", [5], 1, "a")
    with pytest.raises(SystemExit):
        main(["moodle", "--notebook", "5"])
    assert "choose from 2, 6" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["puct", "mcts", "alpha-beta"])
def test_the_picture_of_the_largest_tree_is_whole(kind):
    question = exam.draw(Random(3), kind, 3)
    assert f"Game tree of {len(question.game.nodes)} nodes" in worksheet_picture(question.game, {}).alt
