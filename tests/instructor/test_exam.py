"""Exam sheets: every key is computed again from what is printed, without the course's searches, and levels are held."""

import re
from itertools import product
from math import log, sqrt

import pytest

import oracle
from course_lib.games import MAX, MIN, Chance
from instructor import exam
from instructor.__main__ import main

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def nodes(tree, player, path=()):
    """(path, subtree, player to move) of each node; chance takes no turn."""
    if isinstance(tree, Chance):
        below, after = [(action, subtree) for action, (_, subtree) in enumerate(tree.outcomes)], player
    elif isinstance(tree, list | dict):
        below, after = oracle.items(tree), 1 - player
    else:
        below, after = [], player
    yield path, tree, player
    for action, subtree in below:
        yield from nodes(subtree, after, (*path, action))


def is_leaf(tree):
    return not isinstance(tree, Chance | list | dict)


def all_leaves(question):
    return [path for path, tree, _ in nodes(question.game.tree, question.game.first) if is_leaf(tree)]


def number(text):
    return float(text.replace("−", "-"))


def answer(question, beginning):
    return min(
        (blank for blank in question.blanks if blank.name.startswith(beginning)), key=lambda b: len(b.name)
    ).answer


def values(question):
    """The value of each inner node, the best actions at the root, and the ties."""
    inner = [node for node in nodes(question.game.tree, question.game.first) if not is_leaf(node[1])]
    assert question.answers.keys() == {path for path, *_ in inner}
    for path, tree, player in inner:
        assert abs(number(question.answers[path]) - oracle.value(tree, player)) < 1e-6
    best = {path: best_actions(tree, player) for path, tree, player in inner if not isinstance(tree, Chance)}
    assert answer(question, "All best actions") == [" ".join(map(str, best[()]))]
    return len(all_leaves(question)), 0, sum(len(actions) > 1 for actions in best.values())


def best_actions(tree, player):
    value = oracle.value(tree, player)
    return [action for action, subtree in oracle.items(tree) if abs(oracle.value(subtree, 1 - player) - value) < 1e-9]


def windows(tree, player, path=(), alpha=float("-inf"), beta=float("inf")):
    """Path → (α, β, player) of each node that alpha-beta enters: the values of elder siblings (Baudet, 1978)."""
    found, elders = {path: (alpha, beta, player)}, []
    for action, subtree in oracle.items(tree) if isinstance(tree, list) else []:
        a, b = (max([alpha, *elders]), beta) if player == MAX else (alpha, min([beta, *elders]))
        if a < b:
            found |= windows(subtree, 1 - player, (*path, action), a, b)
        elders.append(oracle.value(subtree, 1 - player))
    return found


def cuts(question):
    tree, first, names = question.game.tree, question.game.first, {}
    entered, leaves = windows(tree, first), all_leaves(question)
    visited = [path for path in leaves if path in entered]
    assert visited == oracle.leaves_looked_at(tree, first)
    assert question.answers == {path: "cut" for path in leaves if path not in entered}
    subtrees = {path: (subtree, player) for path, subtree, player in nodes(tree, first)}
    seen = " ".join(f"{subtrees[path][0]:g}".replace("-", "−") for path in visited)
    assert answer(question, "The leaves that it visits") == [seen]
    cut = [path for path in entered if path not in leaves and (*path, len(subtrees[path][0]) - 1) not in entered]
    names = {MIN: [path for path in cut if entered[path][2] == MIN], MAX: [p for p in cut if entered[p][2] == MAX]}
    if question.kind == "alpha_beta.trace":
        for player, name in ((MIN, "The nodes with an α-cut"), (MAX, "The nodes with a β-cut")):
            assert answer(question, name) == [", ".join(map(exam.path_text, sorted(names[player])))]
        return len(leaves), len(cut), 0
    reasons, ties = dict(line.split(": ", 1) for line in answer(question, "Each node with a cut")), 0
    assert reasons.keys() == set(map(exam.path_text, cut))
    for path in cut:
        alpha, beta, player = entered[path]
        v, bound = map(
            number, re.search(r"has (\S+) here, \w+ has (\S+) elsewhere", reasons[exam.path_text(path)]).groups()
        )
        value = oracle.value(*subtrees[path])
        assert (value <= v <= bound == alpha) if player == MIN else (value >= v >= bound == beta)
        ties += v == bound
    return len(leaves), len(cut), ties


def statistics(question):
    """Path → (P or 1, sum, visits) of each node of the search tree, as printed."""
    root = re.search(r"The root has (\S+)\.$", question.task)[1]
    given = {(): root} | {path: text for path, text in question.given.items() if path}
    found = {}
    for path, text in given.items():
        *prior, fraction = text.split()
        total, visits = map(number, fraction.split("/"))
        found[path] = number(prior[0]) if prior else 1, total, visits
    return found


def scores(question, counts, path):
    children = [child for child in counts if child[:-1] == path and child]
    above = counts[path][2]
    if question.kind == "puct":
        return {
            child: w / n + 1.5 * p * sqrt(above) / (1 + n) for child, (p, w, n) in counts.items() if child in children
        }
    return {child: u / n + 1.4 * sqrt(log(above) / n) for child, (_, u, n) in counts.items() if child in children}


def selection(question):
    counts = statistics(question)
    inner = {path for path in counts if scores(question, counts, path)}
    assert question.answers.keys() == inner
    for path in inner:
        found = scores(question, counts, path)
        assert question.answers[path] == max(found, key=found.get)[-1]
        line = ", ".join(f"{score:.2f} for {child[-1]}" for child, score in found.items()).replace("-", "−")
        assert answer(question, f"The children of {exam.path_text(path)}") == [line]
    return len(counts) - len(inner), 0, 0


def iteration(question):
    counts, path = statistics(question), ()
    while found := scores(question, counts, path):
        path = max(found, key=found.get)
    assert answer(question, "The node at which") == [exam.path_text(path)]
    tree = question.game.tree
    for action in (*path, "new", "playout"):
        tree = tree[action]
    expected = {}
    for plies in range(len(path) + 2):
        node = (*path, "new")[:plies]
        mover = 1 - (question.game.first + plies) % 2  # the player who moved into the node
        _, u, n = counts.get(node, (1, 0, 0))
        expected[node] = f"{u + ((tree if mover == MAX else -tree) + 1) / 2:g}/{n + 1:g}"
    assert question.answers == expected
    return len(counts) - sum(any(child[:-1] == p for child in counts if child) for p in counts), 0, 0


def board(question):
    cells, plies = question.text.split(), int(re.search(r"(\d) pl", question.task)[1])

    def lines(marks):
        return sum(all(marks[c] != "O" for c in line) - all(marks[c] != "X" for c in line) for line in LINES)

    def after(marks, mark):
        return [[*marks[:c], mark, *marks[c + 1 :]] for c in range(9) if marks[c] not in "XO"]

    free = [cell for cell in cells if cell not in "XO"]
    found = [lines(x) if plies == 1 else min(map(lines, after(x, "O"))) for x in after(cells, "X")]
    assert [number(answer(question, f"The value of X’s move to cell {cell}")[0]) for cell in free] == found
    best = [cell for cell, value in zip(free, found) if value == max(found)]
    assert answer(question, "All best") == [" ".join(best)]
    return len(free) * (1 if plies == 1 else len(free) - 1), 0, int(len(best) > 1)


def read(question):
    walked = list(nodes(question.game.tree, question.game.first))
    leaves = {path: tree for path, tree, _ in walked if is_leaf(tree)}
    best = max(leaves, key=leaves.get)
    turns = [path for path, tree, player in walked if player == MIN and path not in leaves]
    expected = [len(walked), len(leaves), max(map(len, leaves)), exam.path_text(best), -leaves[best]]
    texts = [*map(str, expected), ", ".join(map(exam.path_text, sorted(turns)))]
    assert [blank.answer for blank in question.blanks] == [[text.replace("-", "−")] for text in texts]
    return len(leaves), 0, 0


def table(question):
    counts = {path: tuple(map(int, text.split("/"))) for path, text in question.shown.items() if "/" in text}

    def ucb1(path):
        return counts[path][0] / counts[path][1] + 1.4 * sqrt(log(counts[path[:-1]][1]) / counts[path][1])

    first = max(((a,) for a in range(3)), key=ucb1)
    second = max(((*first, b) for b in range(2)), key=ucb1)
    gains = {(): 0, first: 1, second: 0}  # Max moves into the first node only
    after = [f"{exam.path_text(p)}: {counts[p][0] + gain}/{counts[p][1] + 1}" for p, gain in gains.items()]
    shown = "  ".join(f"{ucb1((a,)):.2f}" for a in range(3))
    assert [blank.answer for blank in question.blanks] == [[shown], [exam.path_text(second)], after]
    assert all(question.shown[path] == "–" for path in product(range(3), range(2), range(2)))
    return 6, 0, 0


def numbers(question):
    text = question.text.replace("−", "-")
    N, W, P = ([float(x) for x in re.search(rf"^{key} (.*)", text, re.M)[1].split()] for key in "NWP")
    parent, *given = map(float, re.findall(r"-?[\d.]+", text.partition("parent")[2]))
    q = [sum(given[:n]) / n for n in (1, 2, 3)]
    puct = [(w / n if n else 0) + 1.5 * p * sqrt(parent) / (1 + n) for n, w, p in zip(N, W, P)]
    pi = [n**2 / sum(m**2 for m in N) for n in N]
    for blank, expected in zip(question.blanks, (q, puct, [puct.index(max(puct))], pi)):
        assert [number(x) for x in blank.answer[0].split()] == pytest.approx(expected, abs=0.00501)
    return 3, 0, 0


CHECKS = {
    "minimax": values, "minimax.trace": values, "expectiminimax": values, "expectimax.trace": values,
    "alpha-beta": cuts, "alpha_beta.trace": cuts, "ucb1": selection, "puct": selection, "mcts": iteration,
    "evaluation": board, "game_formalism.trace": read, "mcts_ucb1.trace": table, "alphazero_lite.trace": numbers,
}  # fmt: skip


def check(question):
    """The key is right, and the question is within the definition of its level."""
    found = CHECKS[question.kind](question)
    assert found == question.difficulty
    assert all(low <= n <= high for n, (low, high) in zip(found, exam.LEVELS[question.kind][question.level]))


@pytest.mark.parametrize("notebook", exam.NOTEBOOKS)
def test_keys_are_right_and_levels_are_held(notebook):
    questions = [question for level in (1, 2, 3) for question in exam.sheet("ada", [notebook], 3, 7, level)]
    assert {question.kind for question in questions} == set(exam.NOTEBOOKS[notebook])
    for question in [*questions, *exam.sheet("grace", [notebook], 3, 7)]:
        check(question)


@pytest.mark.slow
def test_the_keys_of_a_thousand_sheets_are_right():
    for student in range(1000):
        for question in exam.sheet(str(student), [1 + student % 7], 5, 2024):
            check(question)


def test_each_student_has_a_sheet_of_their_own_and_the_same_seed_gives_it_again():
    first, second, again = (exam.sheet(name, [2, 3], 6, 1) for name in ("ada", "grace", "ada"))
    assert [q.blanks for q in first] == [q.blanks for q in again]
    assert all(a.game != b.game for a, b in zip(first, second))
    assert [q.level for q in first] == [1, 1, 2, 2, 3, 3]


def test_the_command_writes_sheets_without_answers_and_keys_with_them(tmp_path, capsys):
    roster = tmp_path / "roster.csv"
    roster.write_text("student,number\nÉmile,1\nAda,2\n", encoding="utf-8")
    main(["exam", "--notebook", "3", "--questions", "2", "--seed", "4", "--level", "1", "--students", str(roster),
          "--out", str(tmp_path / "out")])  # fmt: skip
    sheets, key = (tmp_path.joinpath("out", f"{name}.html").read_text("utf-8") for name in ("sheets", "key"))
    for name in ("sheets.pdf", "key.pdf"):
        assert tmp_path.joinpath("out", name).read_bytes().startswith(b"%PDF")
    for student in ("Émile", "Ada"):
        assert student in sheets and student in key
        for question in exam.sheet(student, [3], 2, 4, 1):
            for blank in question.blanks:
                for line in blank.answer:
                    assert f"<dd>{line}</dd>" in key and line not in sheets


@pytest.mark.parametrize("kind", ["puct", "mcts", "alpha-beta"])
def test_the_picture_of_the_largest_tree_is_whole(kind):
    from random import Random

    question = exam.draw(Random(3), kind, 3)
    assert f"Game tree of {len(question.game.nodes)} nodes" in exam.drawing(question, key=True)[2]


def test_an_unknown_notebook_is_refused(tmp_path):
    with pytest.raises(SystemExit, match="expected a notebook from 1 to 7, got 9"):
        main(["exam", "--notebook", "9", "--seed", "1", "--out", str(tmp_path)])
