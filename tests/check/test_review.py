"""`review`: each question has one right answer, by other code too; what was wrong comes again, and nothing is lost."""

import json
import re
import threading
from datetime import date, timedelta
from fractions import Fraction
from itertools import product
from math import log, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ipywidgets.widgets import widget as kernel_side

import oracle
from course_lib.check import review as offered
from course_lib.check import warm_up
from course_lib.check.memory import AFTER, APART, FILE, Memory, next_kind
from course_lib.check.recall import KINDS
from course_lib.check.review import Review
from course_lib.explore.answers import read_number
from course_lib.games import Chance, TreeGame

LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]
FUNCTIONS = {
    "2u + 10": lambda u: 2 * u + 10,
    "u / 10 − 3": lambda u: Fraction(u) / 10 - 3,
    "u³": lambda u: u * u * u,
    "√u (−√−u below 0)": lambda u: sqrt(u) if u >= 0 else -sqrt(-u),
    "−u": lambda u: -u,
    "(u − 5)²": lambda u: u * u - 10 * u + 25,
}


# What is right, from what the reader sees, by definitions: a set of options, or a number.


def numbers(text):
    return [int(number) for number in re.findall(r"\d+", text)]


def exact(tree, change=lambda u: u):
    """The nested lists with fractions for probabilities."""
    if isinstance(tree, Chance):
        return Chance([(Fraction(str(p)), exact(subtree, change)) for p, subtree in tree.outcomes])
    return [exact(subtree, change) for subtree in tree] if isinstance(tree, list) else change(tree)


def tree_of(asked):
    game = eval(dict(asked.rows)["tree"], {"TreeGame": TreeGame, "Chance": Chance})
    return exact(game.tree), game.first


def value(asked):
    return oracle.value(*tree_of(asked))


def action(asked):
    return set(map(str, oracle.best_actions(*tree_of(asked))))


def endings(asked):
    def count(cells, mark):
        if any(
            len({cells[int(i)] for i in line} - {"."}) == 1 and "." not in [cells[int(i)] for i in line]
            for line in LINES
        ):
            return 1
        after = [cells[:i] + mark + cells[i + 1 :] for i in range(9) if cells[i] == "."]
        return sum(count(each, "O" if mark == "X" else "X") for each in after) or 1

    return count(dict(asked.rows)["rows"].replace(" / ", ""), "X")


def take(asked):
    most, *heaps = numbers(asked.text)[1:]

    def after(heaps):
        return {(h, n): [*heaps[:h], heaps[h] - n, *heaps[h + 1 :]] for h in range(len(heaps))
                for n in range(1, min(most, heaps[h]) + 1)}  # fmt: skip

    def lost(heaps):
        return all(not lost(left) for left in after(heaps).values())

    return {f"take {n} of {heaps[h]}" for (h, n), left in after(heaps).items() if lost(left)}


def size(asked):
    b, m = numbers(asked.rows[0][1])
    return {line for line in asked.options if eval(line, {"b": b, "m": m}) == len(list(product(range(b), repeat=m)))}


def formula(asked):
    u, n, parent = numbers(asked.rows[0][1])[:3]
    names = {"U": u, "N": n, "parent": parent, "C": 1.4, "sqrt": sqrt, "log": log}
    return {line for line in asked.options if abs(eval(line, names) - ucb1(u, n, parent)) < 1e-9}


def ucb1(u, n, parent, c=1.4):
    return u / n + c * (log(parent) / n) ** 0.5


def matters(asked):
    (leaf,) = re.findall(r"leaf (\d+)", asked.text)
    tree, first = tree_of(asked)
    assert str(tree).replace("[", " ").replace("]", " ").replace(",", " ").split().count(leaf) == 1
    values = {
        oracle.value(exact(tree, lambda u, new=new: new if u == int(leaf) else u), first) for new in range(-20, 30)
    }
    return {str(len(values) > 1)}


def looked_at(asked):
    return len(oracle.leaves_looked_at(*tree_of(asked)))


def same_action(asked):
    (name,) = re.findall("becomes (.*), Max", asked.text)
    tree, first = tree_of(asked)
    best = [oracle.best_actions(each, first) for each in (tree, exact(tree, FUNCTIONS[name]))]
    assert [len(each) for each in best] == [1, 1], asked
    return {str(best[0] == best[1])}


def error(asked):
    wins, games = numbers(asked.text)[:2]
    far = (Fraction(wins, games) - Fraction(1, 2)) ** 2
    by_share = far > 4 * Fraction(wins * (games - wins), games**3)
    assert by_share == (far > Fraction(1, games)), "the two usual standard errors disagree"
    return {str(by_share)}


def counts_of(asked):
    pairs = re.findall(r"([a-c ]+): (\d+)/(\d+)", dict(asked.rows)["U/N"])
    return {tuple(path.split()): (int(u), int(n)) for path, u, n in pairs}


def most(scores):
    best, second = sorted(scores.values())[-1:-3:-1]
    assert best - second > 0.04
    return {action for action, score in scores.items() if score == best}


def child(asked):
    counts = counts_of(asked)
    parent = sum(n for _, n in counts.values())
    return most({path[0]: ucb1(u, n, parent) for path, (u, n) in counts.items()})


def backed_up(asked):
    mover, end = re.findall(r"^(\w+) moves.* there (\w+) wins", asked.text)[0]
    path = tuple(re.findall(r"U/N of (.*) now", asked.text)[0].split())
    into = mover if len(path) == 1 else {"Max": "Min", "Min": "Max"}[mover]
    u, n = counts_of(asked)[path]
    return {f"{u + (1 if end == into else 0.5 if end == 'nobody' else 0):g}/{n + 1}"}


def puct(asked):
    (parent,) = numbers(asked.text.split(".")[0])
    rows = {action: [float(x) for x in re.findall(r"-?[\d.]+", text)] for action, text in asked.rows}
    return most({action: q + 1.5 * p * parent**0.5 / (n + 1) for action, (n, q, p) in rows.items()})


RIGHT = dict(zip(KINDS, (endings, take, size, value, action, matters, looked_at, same_action, error, value, action,
                         same_action, child, backed_up, formula, puct), strict=True))  # fmt: skip


def verify(kind, seed):
    asked = KINDS[kind][1](Random(f"{kind} {seed}"))
    right = RIGHT[kind](asked)
    if asked.options:
        assert right == {asked.answer} and len(set(asked.options)) == len(asked.options) > 1, asked
        assert asked.answer in asked.options
    else:
        assert float(right) == read_number(asked.answer), asked
    return asked


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_has_one_right_answer(kind):
    answers = {verify(kind, seed).answer for seed in range(25)}
    assert len(answers) > 1 or "formula" in kind or "size" in kind


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_20000_questions_have_one_right_answer(kind):
    for seed in range(20_000 // len(KINDS) + 1):
        verify(kind, seed)


def test_each_notebook_from_2_on_has_questions_enough_on_earlier_ones():
    assert [sum(taught < notebook for taught, _ in KINDS.values()) for notebook in range(2, 8)] == [3, 5, 7, 9, 12, 15]


# The memory.

DAY = date(2030, 1, 31)


def memory(folder, day=DAY, **options):
    return Memory(file=folder / FILE, today=lambda: day, **options)


@given(st.lists(st.tuples(st.integers(0, 12), st.booleans()), max_size=12))
def test_what_is_wrong_comes_again_after_a_day_three_days_and_a_week(tmp_path_factory, answers):
    """Against a model: the answers are given `gap` days apart."""
    folder, day, waits = tmp_path_factory.mktemp("reader"), DAY, None  # (stage, due)
    for gap, right in answers:
        day += timedelta(gap)
        assert memory(folder, day).due() == (["a"] if waits and waits[1] <= day else [])
        memory(folder, day).note("a", right)
        if not right:
            waits = 0, day + timedelta(1)
        elif waits and waits[1] <= day:
            stage = waits[0] + 1
            waits = (stage, day + timedelta(AFTER[stage])) if stage < 3 else None
    last = waits[1] - timedelta(1) if waits else DAY + timedelta(9999)
    assert memory(folder, last).due() == []


@given(st.integers(4, 9), st.lists(st.booleans(), max_size=40), st.sets(st.integers(0, 9)), st.randoms())
def test_in_a_sitting_what_was_wrong_waits_for_three_others_and_then_comes_first(many, rights, due, luck):
    kinds, answered = list(range(many)), []
    for right in rights:
        kind = next_kind(kinds, answered, sorted(due), luck)
        assert kind in kinds
        before = [at for at, (other, _) in enumerate(answered) if other == kind]
        if before and not answered[before[-1]][1]:
            assert len(answered) - before[-1] > APART
        last = {other: (at, was_right) for at, (other, was_right) in enumerate(answered)}
        ripe = {o for o, (at, was_right) in last.items() if not was_right and len(answered) - at > APART}
        waiting = {o for o in due if o in kinds and o not in last}
        assert kind in (ripe or waiting or kinds)
        answered.append((kind, right))
    if len(answered) >= many and all(rights):
        assert {kind for kind, _ in answered[:many]} == set(kinds)


def drawn(memory):
    return [memory.luck(number).random() for number in range(3)]


def test_questions_differ_by_reader_day_and_answer_and_by_nothing_else(tmp_path):
    others = memory(tmp_path), memory(tmp_path, seed=2), memory(tmp_path, DAY + timedelta(1), seed=1)
    named = memory(tmp_path, reader="ada", seed=3)
    first = memory(tmp_path, seed=1)
    assert drawn(first) == drawn(memory(tmp_path, seed=1)) and drawn(named) == drawn(memory(tmp_path, reader="ada"))
    assert len({tuple(drawn(each)) for each in (first, named, *others)}) == 5
    before = drawn(first)
    first.note("a", True)
    assert drawn(first) != before and drawn(first) == drawn(memory(tmp_path))  # the file's seed
    assert memory(tmp_path, reader="ada").due() == []


def test_two_notebooks_at_once_lose_no_answer(tmp_path):
    sittings = [memory(tmp_path, seed=seed) for seed in range(2)]
    threads = [threading.Thread(target=lambda s=s, n=n: [s.note(f"{n} {i}", False) for i in range(40)])
               for n, s in enumerate(sittings)]  # fmt: skip
    [thread.start() for thread in threads], [thread.join() for thread in threads]
    assert len(memory(tmp_path, DAY + timedelta(1)).due()) == 80
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


@pytest.mark.parametrize(
    "text", ["", "[1]", '{"seed": 1}', '{"seed": 1, "readers": {"": {"answers": 1, "due": {"a": [9, "x"]}}}}', "\xff"]
)
def test_a_damaged_file_is_kept_aside_and_named(tmp_path, text):
    (tmp_path / FILE).write_text(text, encoding="latin-1")
    mine = memory(tmp_path)
    mine.note("a", False)
    aside = tmp_path / ".course_review.damaged-1.json"
    assert aside.read_text(encoding="latin-1") == text and aside.name in mine.notice
    assert memory(tmp_path, DAY + timedelta(1)).due() == ["a"]


def test_a_folder_that_cannot_be_written_to_is_told(tmp_path):
    gone = memory(tmp_path / "gone")
    gone.note("a", False)
    assert "could not be kept: No such file" in gone.notice
    (tmp_path / f"{FILE}.lock").mkdir()  # left behind by a kernel that was killed


# The widget.


def answer(shown, right):
    """Answer the question, by typing a number or by picking an option."""
    options, question = shown.asked.options, shown.question
    if options:
        picked = next(n for n, option in enumerate(options) if (option == shown.asked.answer) == right)
        question.tried = [*question.tried, picked]
    else:
        question.given.value = shown.asked.answer if right else "−77"
        question.check.click()


def test_four_questions_then_how_it_went(tmp_path):
    shown = Review(6, memory(tmp_path, seed=1), 4)
    for right in (True, False, True, False):
        assert shown.next.disabled
        answer(shown, right)
        if not shown.asked.options:
            assert f"<b>{'Right' if right else 'Not quite'}." in shown.question.verdict.value
        answer(shown, True)  # only the first answer counts
        shown.next.click()
    assert "2 of 4 right" in shown.box.children[0].value and shown.next.disabled
    wrong = {kind for kind, right in shown.answered if not right}
    kept = json.loads((tmp_path / FILE).read_text())
    assert kept["readers"][""]["answers"] == 4 and kept["readers"][""]["due"].keys() == wrong
    later = Review(6, memory(tmp_path, DAY + timedelta(1)), 4)
    assert later.kind in wrong and FILE in later.kept.value


def test_what_is_no_number_is_no_answer(tmp_path):
    shown = Review(2, memory(tmp_path, seed=1))
    while shown.asked.options:
        answer(shown, True)
        shown.next.click()
    shown.question.given.value = "<b>"
    shown.question.check.click()
    assert "&lt;b&gt; is no number" in shown.question.verdict.value and shown.next.disabled


def test_an_hour_of_review_leaves_no_widgets_behind(tmp_path):
    shown, alive = Review(7, memory(tmp_path, seed=1)), []
    for _ in range(48):
        answer(shown, True)
        shown.next.click()
        alive.append(len(kernel_side._instances))
    assert max(alive[24:]) <= max(alive[:24])


def test_what_is_stored_in_a_notebook_says_nothing_of_the_day(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = "4 questions on earlier notebooks, drawn for you and for today: run this cell to answer them."
    stored = warm_up(5)._repr_mimebundle_()
    assert stored["text/plain"] == words and stored["text/html"] == f"<p>{words}</p>"
    assert {KINDS[kind][0] for kind in warm_up(5).kinds} == {1, 2}  # one may go there from notebook 2
    assert repr(offered()).startswith("Questions on earlier notebooks")
    assert list(tmp_path.iterdir()) == []
    for wrong in (1, 8, "02_minimax"):
        with pytest.raises(ValueError, match="notebook must be a whole number from 2 to 7"):
            warm_up(wrong)


def test_the_reader_is_who_student_says(tmp_path, monkeypatch):
    from course_lib.check import student

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("course_lib.check.notebook._student_id", "")
    assert offered().memory.reader == ""
    student(" Ada  Lovelace")
    assert offered().memory.reader == "ada lovelace"
