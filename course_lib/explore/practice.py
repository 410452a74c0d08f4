"""Practice by hand: random trees, the reader's answers, and the first step at which they are wrong."""

import random
import re
from collections.abc import Callable
from functools import partial
from html import escape
from math import isnan, sqrt
from typing import Any, NamedTuple

import ipywidgets as widgets

from course_lib.explore.bundle import StillWidget
from course_lib.explore.explorer import Tree, encode_columns
from course_lib.explore.picture import GameTree, worksheet_picture
from course_lib.games import CHANCE, MAX, MIN, Chance, Search, TreeGame, player_name
from course_lib.games.randomness import Seed, random_source
from course_lib.games.texts import number_text
from course_lib.games.walking import depth_first, inner_paths, leaf_paths, moves_of
from course_lib.language import N_, gettext
from course_lib.search import alpha_beta_search, expectiminimax_search, minimax_search
from course_lib.search.mcts import ucb1
from course_lib.watch.calls import watch
from course_lib.watch.mcts import fraction
from course_lib.watch.record import CUT, ENTER, EXIT, SearchTrace


class Step(NamedTuple):
    """The answer at one path of an exercise, and its reason."""

    path: tuple
    answer: str
    reason: str


class Counts(NamedTuple):
    """The statistics above a node of a search tree: U/N, or P and W/N."""

    total: float
    visits: int
    prior: float | None = None

    def __str__(self) -> str:
        return f"P {self.prior} · " * (self.prior is not None) + fraction(self.total, self.visits)


class Exercise(NamedTuple):
    """A tree with the answers in the order of the search, the trace of the search, if any, and the `Counts` by path."""

    game: TreeGame
    steps: list[Step]
    trace: SearchTrace | None = None
    counts: dict[tuple, Counts] = {}


UCB1_C, PUCT_C = 1.4, 1.5
"""C in the exercises on UCB1 and PUCT."""
SHAPES = {1: ((2, 3), (2, 3)), 2: ((2, 3), (2, 3), (2, 3)), 3: ((2, 3), (2,), (2, 3), (2,))}
"""Level → for each ply, the possible numbers of children."""
WITH_CHANCE = {1: ((2, 3), "chance"), 2: ((2, 3), "chance", (2,)), 3: ((2,), "chance", (2,), "chance")}
"""Level → the shapes of trees with chance nodes."""
SEARCH_TREE_SHAPES = {1: ((3,),), 2: ((2, 3), (2, 3)), 3: ((2, 3), (2, 3), (2,))}
"""Level → the shapes of search trees, smaller because each choice takes several logarithms and roots."""
TENTHS = ((1, 9), (2, 8), (3, 7), (4, 6), (5, 5), (1, 4, 5), (2, 3, 5), (2, 2, 6))
"""Probabilities in tenths, so that means have few decimals; level 1 has only those of two outcomes."""


def practice(kind: str = "minimax", level: int = 1, seed: Seed = None) -> "Practice":
    """A series of exercises to do by hand: a `Practice` widget.

    `kind` is one of:
    - "minimax": type the value of each node.
    - "expectiminimax": the same in a tree with chance nodes, whose probabilities are tenths.
    - "alpha-beta": click the leaves that alpha-beta cuts.
    - "ucb1": type the child that Monte Carlo tree search selects. U/N is above each node.
    - "puct": the same with PUCT. P and W/N are above each node.
    - "mcts": type the new U/N of each node that one iteration of Monte Carlo tree search changes.

    `level` is 1, 2 or 3. The same `seed` gives the same trees on every machine; without it they are new each time.
    """
    if kind not in list(KINDS):
        raise ValueError(f"kind must be one of {', '.join(map(repr, KINDS))}, not {kind!r}")
    if level not in list(SHAPES):
        raise ValueError(f"level must be 1, 2 or 3, not {level!r}")
    return Practice(kind, level, seed if isinstance(seed, int) else random_source(seed).randrange(10_000))


def random_exercise(kind: str, level: int, seed: int) -> Exercise:
    """The exercise of this kind, level and seed."""
    return KINDS[kind][1](random.Random(f"{kind} {level} {seed}"), level)


def random_tree(rng: random.Random, level: int, shapes: dict[int, tuple]) -> TreeGame:
    """A random tree of one of these shapes."""
    lowest, shape = 0 if level == 1 else -9, shapes[level]

    def tree(depth):
        if depth == len(shape):
            return rng.randint(lowest, 9)
        if shape[depth] == "chance":
            tenths = rng.choice(TENTHS[:5] if level == 1 else TENTHS)
            return Chance([(n / 10, tree(depth + 1)) for n in rng.sample(tenths, len(tenths))])
        return [tree(depth + 1) for _ in range(rng.choice(shape[depth]))]

    return TreeGame(tree(0), first=MAX if level == 1 else rng.choice((MAX, MIN)))


# Values and cuts, from the trace of a search.


def value_exercise(search: Search, shapes: dict[int, tuple], rng: random.Random, level: int) -> Exercise:
    """The value of each inner node, in the order in which the search returns them."""
    while True:
        game = random_tree(rng, level, shapes)
        trace = watch(search, game)
        if all(node.value == 0 or abs(node.value) > 1e-9 for node in trace.nodes()):  # no rounding errors such as 4e−16
            break
    inner = [node for event, node, _ in trace.events if event == EXIT and node.children]
    steps = [Step(node.path, number_text(node.value), _value_reason(game, node)) for node in inner]
    return Exercise(game, steps, trace)


def _value_reason(game, node):
    seen = [number_text(child.value) for child in node.children.values()]
    if game.to_move(node.path) == CHANCE:
        terms = [f"{number_text(p)} × {value}" for (_, p), value in zip(game.chances(node.path), seen)]
        words = N_("Chance gives the mean: {sum} = {value}.")
        return gettext(words, sum=" + ".join(terms), value=number_text(node.value))
    is_max = game.to_move(node.path) == MAX
    words = N_("Max takes the largest of {values}.") if is_max else N_("Min takes the smallest of {values}.")
    return gettext(words, values=", ".join(seen))


def cut_exercise(rng: random.Random, level: int) -> Exercise:
    """Each leaf in the order of the search: cut or visited."""
    steps = []
    while not any(step.answer for step in steps):  # a tree with at least one cut
        game = random_tree(rng, level, SHAPES)
        trace, steps = watch(alpha_beta_search, game), []
        for event, node, _ in trace.events:
            if event == ENTER and not node.children:
                steps.append(Step(node.path, "", gettext("It can still change the result.")))
            if event == EXIT:
                cut = [child.path for child in node.children.values() if child.status == CUT]
                below = [path for above in cut for path in depth_first(game, above) if game.is_terminal(path)]
                steps += [Step(path, N_("cut"), _cut_reason(game, node)) for path in below]
    return Exercise(game, steps, trace)


def _cut_reason(game, node):
    value, alpha, beta = (number_text(x) for x in (node.value, node.arguments["alpha"], node.arguments["beta"]))
    if game.to_move(node.path) == MIN:
        words = N_("Min already has {value} here, Max has {alpha} elsewhere, and {value} ≤ α = {alpha}.")
    else:
        words = N_("Max already has {value} here, Min has {beta} elsewhere, and {value} ≥ β = {beta}.")
    return gettext(words, value=value, alpha=alpha, beta=beta)


# Selection and whole iterations, from the statistics of a search tree.


def selection_exercise(puct: bool, rng: random.Random, level: int) -> Exercise:
    """The child that UCB1 or PUCT chooses at each inner node."""
    game, counts = search_tree(rng, level, lambda of: round(of.total / of.visits, 2), puct)
    steps = []
    for path in inner_paths(game):
        scores = _scores(counts, path)
        reason = gettext("{scores}: the largest counts.", scores=_scores_text(scores))
        steps.append(Step(path, max(scores, key=scores.get), reason))
    return Exercise(game, steps, counts=counts)


def iteration_exercise(rng: random.Random, level: int) -> Exercise:
    """The new U/N of each node that one iteration changes; no answer at the others.

    Below each leaf of the search tree is the new child, and below it the end of the playout.
    """
    new, playout = gettext("new"), gettext("playout")
    game, counts = search_tree(rng, level, lambda of: {new: {playout: rng.choice((-1, 0, 1))}})
    selected: tuple[str, ...] = ()
    steps, choices = [], []
    while scores := _scores(counts, selected):
        selected = (*selected, max(scores, key=scores.get))
        words = N_("{scores}: selection goes to {child}.")
        choices.append(gettext(words, scores=_scores_text(scores), child=selected[-1]))
    selected = (*selected, new)
    for path in sorted(inner_paths(game), key=len):
        plies = next((plies for plies, action in enumerate(path) if action != selected[plies]), len(path))
        if plies < len(path):
            steps.append(Step(path, "", choices[plies]))
            continue
        player, old = 1 - game.to_move(path), counts.get(path, Counts(0, 0))
        reward, name = (game.utility((*selected, playout), player) + 1) / 2, player_name(player)
        words = N_("{player} moved into it, and {player}’s reward is {reward}: U grows by it, and N by 1.")
        if not path:
            words = N_("If anybody moved into the root, it was {player}, whose reward is {reward}: U grows by it.")
        reason = gettext(words, player=name, reward=number_text(reward))
        steps.append(Step(path, fraction(old.total + reward, old.visits + 1), reason))
    return Exercise(game, steps, counts=counts)


def search_tree(
    rng: random.Random, level: int, below_a_leaf: Callable[[Counts], Any], puct: bool = False
) -> tuple[TreeGame, dict[tuple, Counts]]:
    """A search tree with clear choices; of several, at least one is not the child with the largest mean.

    The statistics of a node are the sum of one playout (or evaluation) of its own, except at the root with UCB1, and of
    the statistics of its children, whose rewards are the other player's.
    """
    counts: dict[tuple, Counts] = {}

    def random_tree(shape, path=()):
        below = [(*path, letter) for letter in "abc"[: rng.choice(shape[0])]] if shape else []
        tree = {child[-1]: random_tree(shape[1:], child) for child in below}
        own = (1 if path or puct else 0) if below else rng.randint(2, 15)
        total, visits = rng.randint(-own if puct else 0, own), own  # rewards are from −1 in PUCT, from 0 in UCB1
        tenths = rng.choice([tenths for tenths in TENTHS if len(tenths) == len(below)] or [()])
        for child, prior in zip(below, rng.sample(tenths, len(tenths))):
            of_child = counts[child]
            total += -of_child.total if puct else of_child.visits - of_child.total
            visits += of_child.visits
            counts[child] = of_child._replace(prior=prior / 10 if puct else None)
        counts[path] = Counts(total, visits)
        return tree or below_a_leaf(counts[path])

    while True:
        counts.clear()
        tree = random_tree(SEARCH_TREE_SHAPES[level])
        clear, greedy = [], []
        for path in (path for path in counts if (*path, "a") in counts):
            scores = _scores(counts, path)
            *_, second, best = sorted(scores, key=scores.get)
            clear.append(scores[best] - scores[second] > 0.05)
            means = {letter: counts[*path, letter].total / counts[*path, letter].visits for letter in scores}
            greedy.append(means[best] == max(means.values()))
        if all(clear) and not (all(greedy) and len(greedy) > 1):
            return TreeGame(tree, first=rng.choice((MAX, MIN))), counts


def _scores(counts, path):
    """Letter → UCB1 or PUCT of each child in the search tree."""
    children = {letter: counts[*path, letter] for letter in "abc" if (*path, letter) in counts}
    above = counts[path].visits
    return {
        letter: ucb1(total, visits, above, UCB1_C)
        if prior is None
        else total / visits + PUCT_C * prior * sqrt(above) / (1 + visits)
        for letter, (total, visits, prior) in children.items()
    }


def _scores_text(scores):
    shown = (gettext("{score:.2f} for {child}", score=score, child=letter) for letter, score in scores.items())
    return ", ".join(shown).replace("-", "−")


KINDS: dict[str, tuple[str, Callable[[random.Random, int], Exercise]]] = {
    "minimax": (N_("Type the value of each node."), partial(value_exercise, minimax_search, SHAPES)),
    "alpha-beta": (N_("Click the leaves that alpha-beta will cut (click again to undo)."), cut_exercise),
    "expectiminimax": (N_("Type the value of each node; at a chance node (round) it is the weighted mean of its "
                          "children."),
                       partial(value_exercise, expectiminimax_search, WITH_CHANCE)),
    "ucb1": (N_("At each node, type the letter of the child that UCB1 chooses, with C = 1.4. Above a node is its U/N. "
                "Children of the leaves are left out."), partial(selection_exercise, False)),
    "puct": (N_("At each node, type the letter of the child that PUCT chooses, with C = 1.5. Above a node are its P "
                "and its W/N. Children of the leaves are left out."), partial(selection_exercise, True)),
    "mcts": (N_("One iteration with C = 1.4: type the new U/N, such as 3/5, of each node that it changes, including "
             "the new child and the root. Leave the others empty. Above a node is its old U/N; a node without U/N "
             "is not in the tree yet; other children of its parent are left out. The playout ends at the leaf: 1 if "
             "Max wins, −1 if Min wins, 0 for a draw."),
             iteration_exercise),
}  # fmt: skip
"""Kind → the task, and a function of a random generator and a level that makes an exercise."""


class Practice(StillWidget, widgets.VBox):
    """What `practice` returns: the tree to fill in, buttons, and what is said of the first mistake."""

    def __init__(self, kind: str, level: int, seed: int) -> None:
        self.kind, self.level, self.seed = kind, level, seed
        self.mark = "cut" if kind == "alpha-beta" else ""  # the answer that a click gives; others are typed
        self._title, self._verdict = widgets.HTML(), widgets.HTML()
        self.tree = Tree(height=420, mark=self.mark, **self._shown_tree())
        # A click on a button can arrive before the last answer: request the answers, then check them.
        self.tree.on_msg(self._receive)
        request = {"type": "answers"}
        actions = {gettext("Check"): lambda: self.tree.send(request), gettext("Solution"): self.solution}
        actions[gettext("New tree")] = self.new_tree
        row = [widgets.Button(description=name, layout={"width": "auto"}) for name in actions]
        for button in row:
            button.on_click(lambda button: actions[button.description]())
        buttons = widgets.HBox(row, layout={"flex_flow": "row wrap"})
        super().__init__([self._title, self.tree, buttons, self._verdict])
        self.add_class("course-ui")

    def _receive(self, _, message, __):
        if "answers" in message:
            self.check(message["answers"])

    def new_tree(self) -> None:
        """Show the next tree of the same kind and level."""
        self.seed += 1
        with self.tree.hold_sync():
            for name, value in self._shown_tree().items():
                setattr(self.tree, name, value)
        self._show_message("")

    def _shown_tree(self):
        """Make the exercise of this seed; return the traits of the tree."""
        self.game, self.steps, _, counts = random_exercise(self.kind, self.level, self.seed)
        self.given = {path: str(count) for path, count in counts.items()}
        whole = GameTree(self.game, ())
        self._paths = whole.states
        self._number = {path: str(index) for index, path in enumerate(self._paths)}
        self._tried: dict[tuple, str] = {}  # path → the first wrong answer there
        self.task = gettext(KINDS[self.kind][0])
        if self.given:
            self.task += " " + gettext("The root has {counts}.", counts=self.given[()])
        words = N_("{kind}, level {level}, tree {number}")
        name = gettext(words, kind=self.kind, level=self.level, number=self.seed)
        self._title.value = f"<b>{name}.</b> {self.task}"
        targets = leaf_paths(self.game) if self.mark else inner_paths(self.game)
        numbers = [int(self._number[path]) for path in targets]
        tree = encode_columns(whole.columns(given=self.given))
        return {"name": name, "tree": tree, "targets": numbers, "answers": {}, "marks": {}}

    def check(self, answers: dict[str, str] | None = None) -> None:
        """Check the answers in the order of the search, up to the first that is wrong or missing."""
        self.tree.answers = self.tree.answers if answers is None else answers
        given = {self._paths[int(number)]: text for number, text in self.tree.answers.items()}
        if not given:
            return self._show_message(f"{gettext('There is nothing to check yet.')} {self.task}")
        self.tree.marks = {}  # so that the browser shows the same marks again
        marks, missing = {}, [path for path in self.answers() if path not in given]
        for step in self.steps:
            text = given.get(step.path, "")
            if step.answer and not text and not self.mark:
                break
            if not same_answer(text, step.answer):
                self.tree.marks = marks | {self._number[step.path]: "wrong"}
                return self._explain(step, text)
            if text:
                marks[self._number[step.path]] = "right"
        self.tree.marks = marks
        words = N_("Right so far. Still empty: {count} of {total}.") if missing else N_("All correct.")
        self._show_message(gettext(words, count=len(missing), total=len(self.answers())))

    def _explain(self, step, given):
        """Point at a wrong answer; for the second one at a node, give the answer and the reason."""
        words, player = N_("the leaf {path}"), ""
        if not self.game.is_terminal(step.path):
            words, player = N_("the {player} node {path}"), gettext(player_name(self.game.to_move(step.path)))
        path = " ".join(map(str, step.path)) or gettext("(root)")
        node, answer = gettext(words, player=player, path=path), step.answer or gettext("nothing")
        if self.mark and given:
            words = N_("Your first mistake is at {node}: you marked it as cut, but {search} visits it. {reason}")
        elif self.mark:
            words = N_("Your first mistake is at {node}: you did not mark it, but {search} cuts it. {reason}")
        elif read_number(given) is None and given.strip().lower() not in dict(moves_of(self.game, step.path)):
            words = N_("At {node} you wrote {given}, which cannot be read. {task}")
        elif self._tried.setdefault(step.path, given) == given:
            words = N_("Your first mistake is at {node}: you wrote {given}. Try again.")
        else:
            words = N_("Your first mistake is at {node}: you wrote {given}, but the search has {answer}. {reason}")
        parts = {"node": node, "given": escape(given), "answer": answer, "reason": step.reason}
        self._show_message(gettext(words, search=self.kind, task=self.task, **parts))

    def solution(self) -> None:
        """Fill in every answer."""
        self.tree.answers = {self._number[path]: answer for path, answer in self.answers().items()}
        self.tree.marks = {}
        self._show_message(gettext("This is the solution."))

    def answers(self) -> dict[tuple, str]:
        """The correct answers: path → text, without the leaves that are not cut."""
        return {step.path: step.answer for step in self.steps if step.answer}

    def _show_message(self, words):
        self._verdict.value = f'<div role="status">{words}</div>'

    def __repr__(self) -> str:
        return f"Practice({self.kind!r}, level {self.level}, tree {self.seed})"

    def _picture(self):
        return worksheet_picture(self.game, {}, self.given)


def read_number(text: str) -> float | None:
    """The number that this text stands for, or None: "−3", "–3", "0,5", "1/2", "1e5" and "∞" are numbers.

    tests/explore/numbers.json lists examples; the explorers in the browser parse numbers in the same way.
    """
    plain = re.sub("[−–]", "-", text).lower().replace(",", ".")
    top, slash, bottom = re.sub("∞|oo", "inf", plain).partition("/")
    try:
        number = float(top) / float(bottom if slash else 1)
    except (ValueError, ZeroDivisionError):
        return None
    return None if isnan(number) else number


def same_answer(given: str, answer: str) -> bool:
    """True if two answers are equal: as numbers, or as words in lower or upper case.

    An answer such as 3/5 is a sum and a count, so 6/10 is a different answer.
    """
    if "/" in answer:
        return [read_number(part) for part in given.split("/")] == [read_number(part) for part in answer.split("/")]
    correct = read_number(answer)
    return given.strip().lower() == answer.lower() if correct is None else read_number(given) == correct
