"""Exams on paper: trees to work through by hand, different for each student, and their keys.

The questions are those of `practice`. `LEVELS` defines their difficulty.
"""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from course_lib.explore.practice import PUCT_C, UCB1_C, Counts, random_exercise
from course_lib.games import CHANCE, MAX, MIN, TreeGame
from course_lib.games.texts import number_text
from course_lib.games.walking import inner_paths, leaf_paths
from course_lib.language import N_, gettext
from course_lib.search import expectiminimax_search
from course_lib.watch.record import CUT, EXIT
from instructor.questions import ROOT


class Blank(NamedTuple):
    """Something to write down: its name, the answer in one or more lines, and the number of lines to write on."""

    name: str
    answer: list[str]
    lines: int = 1


class Question(NamedTuple):
    """A question of a sheet, whose `difficulty` is the number of leaves to look at, of cuts, and of ties.

    `answers` go into the tree of `game`, in which `given` is printed already; they are numbers, actions, or "cut".
    """

    kind: str
    level: int
    task: str
    difficulty: tuple[int, int, int]
    blanks: list[Blank]
    game: TreeGame
    answers: dict[tuple, str]
    given: dict[tuple, str]


NONE, ANY = (0, 0), (0, 99)
LEVELS: dict[str, list[tuple[tuple[int, int], tuple[int, int], tuple[int, int]]]] = {
    "minimax": [((4, 9), NONE, NONE), ((8, 14), NONE, (0, 1)), ((16, 20), NONE, (1, 9))],
    "alpha-beta": [((4, 9), (1, 2), NONE), ((8, 14), (2, 4), NONE), ((16, 20), (3, 9), (1, 9))],
    "expectiminimax": [((4, 9), NONE, NONE), ((8, 14), NONE, NONE), ((16, 20), NONE, ANY)],
    "ucb1": [((3, 3), NONE, NONE), ((4, 9), NONE, NONE), ((10, 14), NONE, NONE)],
    "mcts": [((3, 3), NONE, NONE), ((4, 9), NONE, NONE), ((10, 14), NONE, NONE)],
    "puct": [((3, 3), NONE, NONE), ((4, 7), NONE, NONE), ((8, 10), NONE, NONE)],
}
"""Kind → for the levels 1 to 3 the least and the largest number of leaves, of cuts and of ties.

Leaves are those of the tree, with MCTS and PUCT those of the search tree. A cut is a node that stops before its last
child. A tie is a node with several best children; for alpha-beta it is a cut with v = α or v = β.
"""
NOTEBOOKS = {2: ["minimax"], 3: ["alpha-beta"], 5: ["expectiminimax"], 6: ["mcts", "ucb1"], 7: ["puct"]}
"""Notebook → its kinds of questions."""


def with_trees() -> list[int]:
    """The notebooks of the course, as it is now, that have questions."""
    return sorted(NOTEBOOKS.keys() & {int(path.name[:2]) for path in ROOT.glob("solutions/*.ipynb")})


def sheet(student: str, numbers: list[int], count: int, seed: str, level: int | None = None) -> list[Question]:
    """A student's questions: of each notebook in turn, each kind in turn, the easiest first unless a level is given.

    `ValueError` if the course has no such notebook (any more), or it has no trees.
    """
    for number in numbers:
        if number not in with_trees():
            expected = f"notebooks of the course that have trees to draw ({', '.join(map(str, with_trees()))})"
            raise ValueError(f"expected {expected}, got {number}")
    questions: list[Question] = []
    asked = Counter[int]()
    for n in range(count):
        number = numbers[n % len(numbers)]
        kinds = NOTEBOOKS[number]
        kind = kinds[asked[number] % len(kinds)]
        questions.append(draw(Random(f"{seed} {student} {n}"), kind, level or 1 + 3 * n // count))
        asked[number] += 1
    return questions


def draw(rng: Random, kind: str, level: int) -> Question:
    """A question of this kind, whose difficulty is that of the level."""
    while True:
        question = _drawn(kind, level, rng.randrange(10**9))
        if all(low <= n <= high for n, (low, high) in zip(question.difficulty, LEVELS[kind][level - 1])):
            return question


ABOVE = N_("U/N is printed above each node; U counts for the player who moved into it, and a draw counts ½.")
TASKS = {
    "minimax": N_("At each inner node, write its minimax value for Max. Triangles that point up are Max’s nodes."),
    "expectiminimax": N_("At each inner node, write its value for Max. Round nodes are chance nodes."),
    "alpha-beta": N_("Alpha-beta searches this tree from left to right; a node stops at v ≤ α or v ≥ β. Cross out each "
                     "branch that it prunes."),
    "ucb1": N_("{above} At each inner node, write the child that UCB1 selects, with C = {c:g} and the natural "
               "logarithm."),
    "ucb1 by eye": N_("{above} Selection goes down from the root. Most blanks need a look at the numbers, and no "
                      "calculator. Write a path as its letters."),
    "puct": N_("P and W/N are printed above each node; W counts for the player who moved into it. At each inner node, "
               "write the child that PUCT selects, with C = {c:g}."),
    "mcts": N_("One iteration of MCTS with C = {c:g} begins at the root. {above} A node without U/N is not in the tree "
               "yet. The playout ends at the leaf: 1 if Max wins, −1 if Min wins, 0 for a draw. At each node that "
               "changes, write the new U/N."),
}  # fmt: skip


def path_text(path: tuple) -> str:
    """A path as it is written on paper: "root", or its actions."""
    return " ".join(map(str, path)) or gettext("root")


def named(name: str, text: str) -> str:
    """A text with a name before it, as "root: 3"."""
    return gettext("{name}: {text}", name=name, text=text)


def told(task: str, kind: str, given: dict[tuple, str]) -> str:
    """The text of a task, with the statistics of the root, if any: no edge leads to it, beside which others stand."""
    text = gettext(task, above=gettext(ABOVE), c=PUCT_C if kind == "puct" else UCB1_C)
    return f"{text} {gettext('The root has {given}.', given=given[()])}" if given else text


def printed(counts: dict[tuple, Counts]) -> dict[tuple, str]:
    """The statistics as they stand above the nodes: "5/9", or "0.4 2/7" with a prior."""
    return {path: str(count).replace("P ", "").replace(" · ", " ") for path, count in counts.items()}


def _drawn(kind: str, level: int, seed: int) -> Question:
    """The question of this seed, whatever its difficulty."""
    game, steps, trace, counts = random_exercise(kind, level, seed)
    task = kind
    answers = {step.path: step.answer for step in steps if step.answer}
    given = printed(counts)
    if kind == "alpha-beta":
        visited = [number_text(game.utility(path, MAX)) for path in leaf_paths(game) if path not in answers]
        left = [node for event, node, _ in trace.events if event == EXIT]
        nodes = [node for node in left if any(child.status == CUT for child in node.children.values())]
        reasons = {step.path: step.reason for step in steps if step.answer}
        cuts = [named(path_text(node.path), _reason(reasons, node.path)) for node in nodes]
        bounds = [node.arguments["alpha" if game.to_move(node.path) == MIN else "beta"] for node in nodes]
        ties = sum(node.value == bound for node, bound in zip(nodes, bounds))
        difficulty = len(leaf_paths(game)), len(nodes), ties
        reason = Blank(gettext("Each node with a cut, and the two numbers that are its reason"), cuts, 5)
        blanks = [Blank(gettext("The leaves that it visits, in order"), [" ".join(visited)]), reason]
    elif counts:
        difficulty = sum((*path, "a") not in counts for path in counts), 0, 0
        if kind == "mcts":
            blanks = [Blank(gettext("The node at which selection ends"), [path_text(max(answers, key=len)[:-1])])]
        elif kind == "ucb1" and level == 3:
            task, difficulty, blanks, answers = "ucb1 by eye", *_by_eye(counts, answers), {}
        else:
            words = N_("{rule} of each child of {node}")
            blanks = [Blank(gettext(words, rule=kind.upper(), node=path_text(step.path)),
                            [step.reason.partition(":")[0].rstrip()]) for step in steps]  # fmt: skip
    else:
        difficulty, blanks = _values_to_find(game)
    return Question(kind, level, told(TASKS[task], kind, given), difficulty, blanks, game, answers, given)


def _by_eye(counts: dict[tuple, Counts], selected: dict[tuple, str]) -> tuple[tuple[int, int, int], list[Blank]]:
    """What can be read from U/N without computing UCB1, and one path by UCB1; `selected` is its choice at each node.

    The ties are the nodes on a path at which two children have the same mean or the same number of visits.
    """
    mean = {path: of.total / of.visits for path, of in counts.items()}
    visits = {path: of.visits for path, of in counts.items()}
    below = {path: [child for child in counts if child and child[:-1] == path] for path in selected}

    def path_by(choose: Callable[[tuple], tuple]) -> tuple:
        path: tuple = ()
        while path in below:
            path = choose(path)
        return path

    greedy = path_by(lambda path: max(below[path], key=mean.__getitem__))
    curious = path_by(lambda path: min(below[path], key=visits.__getitem__))
    clear = [path for path, children in below.items() if any(
        all(mean[a] >= mean[b] and visits[a] <= visits[b] for b in children) for a in children)]  # fmt: skip
    ties = 0
    for of, path in ((mean, greedy), (visits, curious)):
        for plies in range(len(path)):
            children = below[path[:plies]]
            ties += len({of[child] for child in children}) < len(children)
    blanks = [
        Blank(gettext("The path with C = 0"), [path_text(greedy)]),
        Blank(gettext("The path with a very large C"), [path_text(curious)]),
        Blank(gettext("The path with C = {c:g}", c=UCB1_C), [path_text(path_by(lambda path: (*path, selected[path])))]),
        Blank(gettext("The move that is played if the search stops now"), [max(below[()], key=visits.__getitem__)[0]]),
        Blank(
            gettext("All nodes of which one child is selected with every C > 0"),
            [", ".join(map(path_text, sorted(clear))) or gettext("none")],
            2,
        ),
    ]
    return (sum(path not in below for path in counts), 0, ties), blanks


def _reason(reasons: dict[tuple, str], node: tuple) -> str:
    """The reason of the cut at this node: that of the last leaf below it that is pruned."""
    return [reason for path, reason in reasons.items() if path[: len(node)] == node][-1]


def _values_to_find(game: TreeGame) -> tuple[tuple[int, int, int], list[Blank]]:
    """The difficulty of a tree of values, with its ties; and the best actions at the root to write down."""
    best = {}
    for path in inner_paths(game):
        if game.to_move(path) != CHANCE:
            value = expectiminimax_search(game, path)[0]
            values = {a: expectiminimax_search(game, game.result(path, a))[0] for a in game.actions(path)}
            best[path] = [str(a) for a in values if abs(values[a] - value) < 1e-9]
    ties = sum(len(actions) > 1 for actions in best.values())
    return (len(leaf_paths(game)), 0, ties), [Blank(gettext("All best actions at the root"), [" ".join(best[()])])]
