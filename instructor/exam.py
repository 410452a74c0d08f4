"""Exams on paper: sheets with trees, boards and tables to work through by hand, different for each student, and keys.

The questions are those of `practice`, and the questions by hand of `solutions/`. `LEVELS` defines their difficulty.
"""

from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from itertools import product
from random import Random
from typing import Any, NamedTuple

from course_lib.explore.practice import PUCT_C, UCB1_C, Counts, random_exercise
from course_lib.games import CHANCE, MAX, MIN, Game, TicTacToe, TreeGame
from course_lib.games.game import State
from course_lib.games.texts import number_text
from course_lib.games.tic_tac_toe import LINE_BITS
from course_lib.games.walking import inner_paths, leaf_paths
from course_lib.search import expectiminimax_search
from course_lib.watch.record import CUT, EXIT
from instructor.questions import notebooks


class Difficulty(NamedTuple):
    """The number of leaves to look at, of cuts, and of ties."""

    leaves: int
    cuts: int = 0
    ties: int = 0


class Blank(NamedTuple):
    """Something to write down: its name, the answer in one or more lines, and the number of lines to write on."""

    name: str
    answer: list[str]
    lines: int = 1


class Question(NamedTuple):
    """A question of a sheet. `answers` go into the tree of `game`, in which `given` and `shown` are printed already."""

    task: str
    difficulty: Difficulty
    blanks: list[Blank]
    game: Game | None = None
    answers: dict[tuple, str] = {}
    given: dict[tuple, str] = {}
    shown: dict[tuple, str] = {}
    text: str = ""
    kind: str = ""
    level: int = 0


NONE, ANY = (0, 0), (0, 99)
LEVELS: dict[str, dict[int, tuple[tuple[int, int], tuple[int, int], tuple[int, int]]]] = {
    "game_formalism.trace": {1: ((8, 8), NONE, NONE), 2: ((9, 10), NONE, NONE), 3: ((11, 12), NONE, NONE)},
    "minimax": {1: ((4, 9), NONE, NONE), 2: ((8, 14), NONE, (0, 1)), 3: ((16, 20), NONE, (1, 9))},
    "minimax.trace": {2: ((8, 12), NONE, NONE)},
    "alpha-beta": {1: ((4, 9), (1, 2), NONE), 2: ((8, 14), (2, 4), NONE), 3: ((16, 20), (3, 9), (1, 9))},
    "alpha_beta.trace": {2: ((8, 14), (2, 4), NONE)},
    "evaluation_functions.trace": {1: ((5, 5), NONE, ANY), 2: ((6, 6), NONE, ANY), 3: ((20, 20), NONE, ANY)},
    "expectiminimax": {1: ((4, 9), NONE, NONE), 2: ((8, 14), NONE, NONE), 3: ((16, 20), NONE, ANY)},
    "expectimax.trace": {2: ((8, 8), NONE, NONE)},
    "ucb1": {1: ((3, 3), NONE, NONE), 2: ((4, 9), NONE, NONE), 3: ((10, 14), NONE, NONE)},
    "mcts": {1: ((3, 3), NONE, NONE), 2: ((4, 9), NONE, NONE), 3: ((10, 14), NONE, NONE)},
    "mcts_ucb1.trace": {2: ((6, 6), NONE, NONE)},
    "puct": {1: ((3, 3), NONE, NONE), 2: ((4, 7), NONE, NONE), 3: ((8, 10), NONE, NONE)},
    "alphazero_lite.trace": {2: ((3, 3), NONE, NONE)},
}
"""Kind → level → the least and the largest number of leaves, of cuts and of ties.

Leaves are the leaves of the tree, with MCTS and PUCT those of the search tree, and the positions to evaluate on a
board. A cut is a node that stops before its last child. A tie is a node with several best children; for alpha-beta it
is a cut with v = α or v = β.
"""
NOTEBOOKS = {
    1: ["game_formalism.trace"],
    2: ["minimax", "minimax.trace"],
    3: ["alpha-beta", "alpha_beta.trace"],
    4: ["evaluation_functions.trace"],
    5: ["expectiminimax", "expectimax.trace"],
    6: ["mcts", "ucb1", "mcts_ucb1.trace"],
    7: ["puct", "alphazero_lite.trace"],
}
"""Notebook → its kinds of questions."""


def sheet(student: str, numbers: list[int], count: int, seed: str, level: int | None = None) -> list[Question]:
    """A student's questions: of each notebook in turn, each kind in turn, the easiest first unless a level is given.

    `ValueError` if the course has no such notebook (any more), or the notebook has no question of the level.
    """
    present = {int(name[:2]) for name in notebooks()} & NOTEBOOKS.keys()
    for number in numbers:
        if number not in present:
            raise ValueError(f"expected notebooks of the course ({', '.join(map(str, sorted(present)))}), got {number}")
    questions: list[Question] = []
    asked = Counter[int]()
    for n in range(count):
        wanted, number = level or 1 + 3 * n // count, numbers[n % len(numbers)]
        kinds = [kind for kind in NOTEBOOKS[number] if wanted in LEVELS[kind] and ("." not in kind or _row(kind))]
        if not kinds:
            raise ValueError(f"notebook {number} has no questions of level {wanted}: leave it out")
        questions.append(draw(Random(f"{seed} {student} {n}"), kinds[asked[number] % len(kinds)], wanted))
        asked[number] += 1
    return questions


def draw(rng: Random, kind: str, level: int) -> Question:
    """A question of this kind, whose difficulty is that of the level."""
    make = MAKERS.get(kind) or partial(_from_practice, kind)
    while True:
        question = make(rng, level)._replace(kind=kind, level=level)
        if all(low <= n <= high for n, (low, high) in zip(question.difficulty, LEVELS[kind][level])):
            return question


# Trees of `practice`.

ABOVE = "U/N is printed above each node; U counts for the player who moved into it, and a draw counts ½."
TASKS = {
    "minimax": "At each inner node, write its minimax value for Max. Triangles that point up are Max’s nodes.",
    "expectiminimax": "At each inner node, write its value for Max. Round nodes are chance nodes.",
    "alpha-beta": "Alpha-beta searches this tree from left to right; a node stops at v ≤ α or v ≥ β. Cross out each "
    "branch that it prunes.",
    "ucb1": f"{ABOVE} At each inner node, write the child that UCB1 selects, with C = {UCB1_C} and the natural "
    "logarithm.",
    "ucb1 by eye": f"{ABOVE} Selection goes down from the root. Most blanks need a "
    "look at the numbers, and no calculator. Write a path as its letters.",
    "puct": "P and W/N are printed above each node; W counts for the player who moved into it. At each inner node, "
    f"write the child that PUCT selects, with C = {PUCT_C}.",
    "mcts": f"One iteration of MCTS with C = {UCB1_C} begins at the root. {ABOVE} A node without U/N is not in the "
    "tree yet. The playout ends at the leaf: 1 if Max wins, −1 if Min wins, 0 for a draw. At each node that changes, "
    "write the new U/N.",
}


def printed(counts: dict[tuple, Counts]) -> dict[tuple, str]:
    """The statistics as they stand above the nodes: "5/9", or "0.4 2/7" with a prior."""
    return {path: str(count).replace("P ", "").replace(" · ", " ") for path, count in counts.items()}


def _from_practice(kind: str, rng: Random, level: int) -> Question:
    game, steps, trace, counts = random_exercise(kind, level, rng.randrange(10**9))
    task = kind
    answers = {step.path: step.answer for step in steps if step.answer}
    given = printed(counts)
    if kind == "alpha-beta":
        visited = [number_text(game.utility(path, MAX)) for path in leaf_paths(game) if path not in answers]
        left = [node for event, node, _ in trace.events if event == EXIT]
        nodes = [node for node in left if any(child.status == CUT for child in node.children.values())]
        reasons = {step.path: step.reason for step in steps if step.answer}
        cuts = [f"{path_text(node.path)}: {_reason(reasons, node.path)}" for node in nodes]
        bounds = [node.arguments["alpha" if game.to_move(node.path) == MIN else "beta"] for node in nodes]
        ties = sum(node.value == bound for node, bound in zip(nodes, bounds))
        difficulty = Difficulty(len(leaf_paths(game)), len(nodes), ties)
        reason = Blank("Each node with a cut, and the two numbers that are its reason", cuts, 5)
        blanks = [Blank("The leaves that it visits, in order", [" ".join(visited)]), reason]
    elif counts:
        difficulty = Difficulty(sum((*path, "a") not in counts for path in counts))
        if kind == "mcts":
            blanks = [Blank("The node at which selection ends", [path_text(max(answers, key=len)[:-1])])]
        elif kind == "ucb1" and level == 3:
            task, difficulty, blanks, answers = "ucb1 by eye", *_by_eye(counts, answers), {}
        else:
            rule, scores = kind.upper(), [(step.path, step.reason.partition(":")[0]) for step in steps]
            blanks = [Blank(f"{rule} of each child of {path_text(path)}", [text]) for path, text in scores]
    else:
        difficulty, blanks = _values_to_find(game)
    root = f" The root has {given[()]}." if given else ""  # no edge leads to it
    return Question(TASKS[task] + root, difficulty, blanks, game, answers, given)


def _by_eye(counts: dict[tuple, Counts], selected: dict[tuple, str]) -> tuple[Difficulty, list[Blank]]:
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
    clear = [
        path
        for path, children in below.items()
        if any(all(mean[a] >= mean[b] and visits[a] <= visits[b] for b in children) for a in children)
    ]
    looked_at = [
        (of, below[path[:plies]]) for of, path in ((mean, greedy), (visits, curious)) for plies in range(len(path))
    ]
    ties = sum(len({of[child] for child in children}) < len(children) for of, children in looked_at)
    blanks = [
        Blank("The path with C = 0", [path_text(greedy)]),
        Blank("The path with a very large C", [path_text(curious)]),
        Blank(f"The path with C = {UCB1_C}", [path_text(path_by(lambda path: (*path, selected[path])))]),
        Blank("The move that is played if the search stops now", [max(below[()], key=visits.__getitem__)[0]]),
        Blank("All nodes of which one child is selected with every C > 0", [_paths(clear)], 2),
    ]
    return Difficulty(sum(path not in below for path in counts), 0, ties), blanks


def _reason(reasons: dict[tuple, str], node: tuple) -> str:
    """The reason of the cut at this node: that of the last leaf below it that is pruned."""
    return [reason for path, reason in reasons.items() if path[: len(node)] == node][-1]


def _values_to_find(game: TreeGame) -> tuple[Difficulty, list[Blank]]:
    """The difficulty of a tree of values, with its ties; and the best actions at the root to write down."""
    best = {}
    for path in inner_paths(game):
        if game.to_move(path) != CHANCE:
            value = expectiminimax_search(game, path)[0]
            values = {a: expectiminimax_search(game, game.result(path, a))[0] for a in game.actions(path)}
            best[path] = [str(a) for a in values if abs(values[a] - value) < 1e-9]
    ties = sum(len(actions) > 1 for actions in best.values())
    return Difficulty(len(leaf_paths(game)), 0, ties), [Blank("All best actions at the root", [" ".join(best[()])])]


# Questions by hand of `solutions/`.


@cache
def _row(identifier: str) -> Any:
    """The row of a question; None if the course has no such question any more."""
    questions = [question for notebook in notebooks().values() for question in notebook.questions]
    return next((question.asks for question in questions if question.identifier == identifier), None)


def _by_hand(identifier: str, rng: Random) -> tuple[Any, Any]:
    """The case of a student, and its answer."""
    row = _row(identifier)
    case = row.draw(rng)
    return case[0], row.right(None, case, None)[0]


def path_text(path: tuple) -> str:
    """A path as it is written on paper: "root", or its actions."""
    return " ".join(map(str, path)) or "root"


def _paths(paths: Any) -> str:
    return ", ".join(path_text(path) for path in sorted(paths)) or "none"


NAMED = "A node is named by the actions that lead to it, such as 0 1."


def _tree_to_read(rng: Random, level: int) -> Question:
    tree, right = _by_hand("game_formalism.trace", rng)
    names = {"nodes": "The number of nodes", "leaves": "The number of leaves", "plies": "Plies of the longest game",
             "best for Max": "The actions that lead to the leaf with the highest utility for Max",
             "what Min gets there": "Min’s utility there", "Min's turn": "All Min nodes"}  # fmt: skip
    texts = right | {"best for Max": path_text(right["best for Max"]), "Min's turn": _paths(right["Min's turn"])}
    blanks = [Blank(name, [str(texts[key]).replace("-", "−")]) for key, name in names.items()]
    task = f"Read this game tree. The game is zero-sum, and the numbers are Max’s utilities. {NAMED}"
    return Question(task, Difficulty(len(leaf_paths(tree))), blanks, tree)


def _tree_of_values(identifier: str, task: str, rng: Random, level: int) -> Question:
    tree, right = _by_hand(identifier, rng)
    answers = {path: number_text(value) for path, value in right.items()}
    return Question(TASKS[task], *_values_to_find(tree), tree, answers)


def _cuts_to_list(rng: Random, level: int) -> Question:
    tree, right = _by_hand("alpha_beta.trace", rng)
    visited, alpha, beta = right["leaves"], right["alpha cuts"], right["beta cuts"]
    cut = {path: "cut" for path in leaf_paths(tree) if tree.utility(path, MAX) not in visited}
    blanks = [
        Blank("The leaves that it visits, in order", [" ".join(map(str, visited))]),
        Blank("The nodes with an α-cut", [_paths(alpha)]),
        Blank("The nodes with a β-cut", [_paths(beta)]),
    ]
    difficulty = Difficulty(len(leaf_paths(tree)), len(alpha) + len(beta))
    return Question(f"{TASKS['alpha-beta']} {NAMED}", difficulty, blanks, tree, cut)


def _open_lines(state: State) -> int:
    """The lines of tic-tac-toe that are still open to X minus those still open to O."""
    player, *sides = state[:3]
    x, o = sides if player == MAX else reversed(sides)
    return sum(not line & o for line in LINE_BITS) - sum(not line & x for line in LINE_BITS)


def _board(rng: Random, level: int) -> Question:
    """A position of tic-tac-toe: X looks one ply ahead, or two at the levels 2 and 3."""
    game, plies = TicTacToe(), 1 if level == 1 else 2
    while True:
        state, values = _by_hand("evaluation_functions.trace", rng)  # four marks
        if level == 2:  # six marks
            state = game.result(state, rng.choice(game.actions(state)))
            state = game.result(state, rng.choice(game.actions(state)))
        if level == 1:
            break
        after = [game.result(state, cell) for cell in ([] if game.is_terminal(state) else game.actions(state))]
        if after and not any(map(game.is_terminal, after)):
            ends = [[game.result(reply, cell) for cell in game.actions(reply)] for reply in after]
            values = [min(map(_open_lines, below)) for below in ends]
            if not any(game.is_terminal(end) for below in ends for end in below):
                break
    cells = game.actions(state)
    best = [str(cell) for cell, value in zip(cells, values) if value == max(values)]
    blanks = [Blank(f"The value of X’s move to cell {cell}", [number_text(v)]) for cell, v in zip(cells, values)]
    task = (
        f"X is to move and searches {plies} {'ply' if plies == 1 else 'plies'} deep. The evaluation is the number "
        "of open lines: the lines without an O, minus the lines without an X. Free cells have a number."
    )
    difficulty = Difficulty(len(cells) * (1 if plies == 1 else len(cells) - 1), 0, int(len(best) > 1))
    blanks.append(Blank("All best cells", [" ".join(best)]))
    marks = [str(cell) if mark == "." else mark for cell, mark in enumerate("".join(game.grid(state)))]
    text = "\n".join("   ".join(marks[first : first + 3]) for first in (0, 3, 6))
    return Question(task, difficulty, blanks, text=text)


def _table_of_counts(rng: Random, level: int) -> Question:
    counts, right = _by_hand("mcts_ucb1.trace", rng)
    tree = TreeGame([[[0, 0]] * 2] * 3)
    shown = {path: "–" for path in product(range(3), range(2), range(2))}
    shown |= {path: f"{u}/{n}" for path, (u, n) in counts.items()}
    task = (
        f"U/N is printed in each node; a dash marks a node that is not in the tree yet. One iteration of MCTS "
        f"begins, with C = {UCB1_C}. Max moves at the root. The node at which selection ends is expanded, and Max "
        f"wins the playout. {NAMED}"
    )
    after = [f"{path_text(path)}: {u}/{n}" for path, (u, n) in right["after"].items()]
    blanks = [
        Blank("UCB1 of the children of the root", ["  ".join(f"{score:.2f}" for score in right["ucb1"])]),
        Blank("The node at which selection ends", [path_text(right["selected"])]),
        Blank("The new U/N of each node from the root to this one", after, 3),
    ]
    return Question(task, Difficulty(6), blanks, tree, shown=shown)


def _table_of_numbers(rng: Random, level: int) -> Question:
    mine, right = _by_hand("alphazero_lite.trace", rng)
    rows = [f"action        {'0':>6}{'1':>6}{'2':>6}"]
    rows += [f"{key:14}" + "".join(f"{value:>6}" for value in mine[key]) for key in "NWP"]
    text = "\n".join([*rows, "", f"N of the parent {mine['N_parent']}", f"values          {mine['values']}"])
    task = (
        f"A new node gets the three values below in turn. Another node has three actions with the N, W and P below. "
        f"C is {PUCT_C}, and the Q of an action without a visit is 0. Round to two decimals."
    )
    names = {
        "Q": "Q of the new node after each value",
        "puct": "PUCT of each action",
        "choice": "The action that PUCT selects",
        "pi": "The policy π for the visits N with τ = ½",
    }
    texts = right | {key: "  ".join(f"{x:.2f}" for x in right[key]) for key in ("Q", "puct", "pi")}
    blanks = [Blank(name, [str(texts[key]).replace("-", "−")]) for key, name in names.items()]
    return Question(task, Difficulty(3), blanks, text=text.replace("-", "−"))


MAKERS: dict[str, Callable[[Random, int], Question]] = {
    "game_formalism.trace": _tree_to_read,
    "minimax.trace": partial(_tree_of_values, "minimax.trace", "minimax"),
    "alpha_beta.trace": _cuts_to_list,
    "evaluation_functions.trace": _board,
    "expectimax.trace": partial(_tree_of_values, "expectimax.trace", "expectiminimax"),
    "mcts_ucb1.trace": _table_of_counts,
    "alphazero_lite.trace": _table_of_numbers,
}
"""Kind → a function of a random generator and a level that draws a question; other kinds are those of `practice`."""
