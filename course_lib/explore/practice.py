"""Practice by hand: random trees without end, the reader's answers, and the first step where the two part ways."""

import random
from collections.abc import Iterable
from functools import partial
from html import escape
from typing import Any, NamedTuple

import ipywidgets as widgets

from course_lib.explore.answers import same
from course_lib.explore.explorer import explore
from course_lib.explore.picture import sheet
from course_lib.explore.rerun import close_on_rerun, replace_children
from course_lib.explore.rows import columns_of_rows, game_rows
from course_lib.explore.still import with_still
from course_lib.explore.tree import Tree, button_row, set_traits, wire
from course_lib.games import CHANCE, MAX, MIN, Chance, TreeGame, player_name
from course_lib.games.checks import is_whole
from course_lib.search import alpha_beta_search, expectiminimax_search, minimax_search, monte_carlo_tree_search
from course_lib.watch.calls import watch
from course_lib.watch.mcts import mcts_tree, watch_mcts
from course_lib.watch.mcts_record import WatchedMCTS, fraction, reward
from course_lib.watch.paths import depth_first, inner_paths, leaf_paths
from course_lib.watch.record import CUT, ENTER, EXIT, Watched
from course_lib.watch.texts import number_text


class Step(NamedTuple):
    """One answer of an exercise: at this path it is `answer`, as the search knows after `step` events, and why."""

    path: tuple
    answer: str
    step: int
    why: str


UCB1_C = 1.4
"""C in the exercises on UCB1."""
PUCT_C = 1.5
"""The same of those on PUCT."""
FEWER = {1: ((3,),), 2: ((2, 3), (2, 3)), 3: ((2, 3), (2, 3), (2,))}
"""Shapes for them: each choice takes several logarithms and roots."""
SHAPES = {1: ((2, 3), (2, 3)), 2: ((2, 3), (2, 3), (2, 3)), 3: ((2, 3), (2,), (2, 3), (2,))}
"""Level → the numbers of children to choose from, ply by ply."""
WITH_CHANCE = {1: ((2, 3), "chance"), 2: ((2, 3), "chance", (2,)), 3: ((2,), "chance", (2,), "chance")}
"""Level → the shapes of trees that have plies of chance nodes."""
TENTHS = ((1, 9), (2, 8), (3, 7), (4, 6), (5, 5), (1, 4, 5), (2, 3, 5), (2, 2, 6))
"""Tenths, so that means have few decimals; on level 1 only those of two outcomes."""


class Kind(NamedTuple):
    """A kind of exercise. `steps(watched)` lists the answers in the order of the search; another kind is another row.

    `task` tells the reader what to do, `search` is the algorithm, and `shapes` are the trees. `mark` is the word that a
    click puts on a leaf; without it an answer is typed at each inner node.
    A kind with a search tree has `make(rng, shape)`: the game, the search watched on it, and (U, N) by path.
    """

    task: str
    steps: Any
    search: Any = None
    shapes: dict = SHAPES
    make: Any = None
    mark: str = ""


def practice(kind: str = "minimax", level: int = 1, seed: int | None = None) -> "Practice":
    """An exercise to do by hand, and another, and another: a `Practice` widget.

    `kind` says what you do:
    - "minimax": type the value of each node.
    - "expectiminimax": the same in a tree with chance nodes, whose probabilities are tenths.
    - "alpha-beta": click the leaves that alpha-beta cuts.
    - "ucb1": type the child that Monte-Carlo tree search selects. Above the nodes stand their U/N.
    - "puct": the same with PUCT. Above the nodes stand P and W/N.
    - "mcts": type the new U/N of each node that one iteration of Monte-Carlo tree search changes.

    `level` is 1, 2 or 3. The same `seed` gives the same trees on every machine; without it they are new each time.
    `worksheet(file)` of what is returned writes the tree and its key as a PDF.
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(map(repr, KINDS))}, not {kind!r}")
    if level not in SHAPES:
        raise ValueError(f"level must be 1, 2 or 3, not {level!r}")
    if seed is not None and not is_whole(seed):
        raise ValueError(f"seed must be a whole number (that of the first tree) or None, not {seed!r}")
    return Practice(kind, level, random.randrange(10_000) if seed is None else seed)


def value_steps(watched: Watched) -> list[Step]:
    """The value of each inner node, when the search returns it."""
    steps = []
    for number, (event, node, value) in enumerate(watched.events, 1):
        if event == EXIT and node.children:
            steps.append(Step(node.path, number_text(value), number, _why_value(watched.game, node)))
    return steps


def _why_value(game, node):
    seen = [number_text(child.value) for child in node.children.values()]
    if game.to_move(node.path) == CHANCE:
        terms = [f"{number_text(p)} × {value}" for (_, p), value in zip(game.chances(node.path), seen)]
        return f"Chance gives the mean: {' + '.join(terms)} = {number_text(node.value)}."
    picks = "Max takes the largest" if game.to_move(node.path) == MAX else "Min takes the smallest"
    return f"{picks} of {', '.join(seen)}."


def cut_steps(watched: Watched) -> list[Step]:
    """Each leaf, in the order of the search: cut, or looked at."""
    steps, game = [], watched.game
    for number, (event, node, _) in enumerate(watched.events, 1):
        if event == ENTER and not node.children:
            steps.append(Step(node.path, "", number, "It can still change the result."))
        if event == EXIT:
            cut = [child.path for child in node.children.values() if child.status == CUT]
            below = [path for above in cut for path in depth_first(game, above) if game.is_terminal(path)]
            steps += [Step(path, "cut", number, _why_cut(game, node)) for path in below]
    return steps


def _why_cut(game, node):
    value, alpha, beta = (number_text(x) for x in (node.value, node.arguments["alpha"], node.arguments["beta"]))
    if game.to_move(node.path) == MIN:
        return f"Min already has {value} here, Max has {alpha} elsewhere, and {value} ≤ α = {alpha}."
    return f"Max already has {value} here, Min has {beta} elsewhere, and {value} ≥ β = {beta}."


def selection_steps(watched: WatchedMCTS) -> list[Step]:
    """The child that UCB1 or PUCT chooses at each inner node, before the search goes on."""
    steps = []
    for path in inner_paths(watched.game):
        chosen, scores, _ = _selected(watched, path)
        steps.append(Step(path, chosen, 0, f"{watched.formula.upper()} is {_in_words(scores)}: the largest counts."))
    return steps


def iteration_steps(watched: WatchedMCTS) -> list[Step]:
    """The U/N of each node that the first iteration changes, after it; nothing at the others.

    The rule of selection is that of `watched`: UCB1 or PUCT.
    """
    steps, seen = [], watched.iterations[0]
    for path in sorted(inner_paths(watched.game), key=len):
        number = _number_of(watched, path)
        if number in seen.changed:
            new, player = seen.changed[number], watched.nodes[number].player
            why = (f"{player_name(player)} moved into it, and {player_name(player)}’s reward is "
                   f"{number_text(reward(seen.rewards, player))}: U grows by that much, and N by 1.")  # fmt: skip
            steps.append(Step(path, fraction(new.utility, new.visits), watched.steps, why))
        else:
            steps.append(Step(path, "", 1, _why_not_selected(watched, path)))
    return steps


def _why_not_selected(watched, path):
    """The choice by which selection left the way to this path."""
    choices = (_selected(watched, path[:plies]) for plies in range(len(path)))
    chosen, scores, _ = next(choice for choice, action in zip(choices, path) if choice[0] != action)
    return f"{watched.formula.upper()} is {_in_words(scores)}: selection goes to {chosen}."


def _selected(watched, path):
    """The action that selection chooses at a node before the first iteration; action → score, and action → mean."""
    numbers, number = watched.numbers(0), _number_of(watched, path)
    below = {watched.nodes[child].action: child for child in watched.children[number]}
    scores = {action: watched.score(child, numbers) for action, child in below.items()}
    means = {action: numbers[child].mean for action, child in below.items()}
    return watched.nodes[watched.chosen(number, numbers)].action, scores, means


def is_clear(values: Iterable[float], gap: float = 0.001) -> bool:
    """Whether the largest of these values is so far ahead of all others."""
    *_, second, best = sorted(values)
    return best - second > gap


def _in_words(scores):
    return ", ".join(f"{score:.2f} for {action}" for action, score in scores.items()).replace("-", "−")


def _number_of(watched, path):
    """The number of a node by its path; None if the tree never has it."""
    return next((number for number, node in enumerate(watched.nodes) if node.state == path), None)


def _random_iteration(rng, shape):
    """The same, with below each leaf of the search tree one child that is new, and below that the playout's end."""
    return _random_selection(rng, shape, lambda u, n: {"new": {"playout": rng.choice((-1, 0, 1))}})


def _watch_ucb1(game, counts, rng):
    return watch_mcts(monte_carlo_tree_search, game, iterations=1, c=UCB1_C, root=mcts_tree(game, counts), seed=0)


def _watch_puct(game, counts, rng):
    """One simulation of PUCT: rewards from 0 to 1 become values from −1 to 1, and `counts` (W, N, P) with drawn P."""
    from course_lib.alphazero.puct import Node, puct_search  # the networks beside it take long to import

    nodes = {(): Node((), 1 - game.first)}
    for path in sorted(filter(None, counts), key=len):
        nodes[path] = Node(path, game.to_move(path[:-1]), path[-1])
        nodes[path[:-1]].children.append(nodes[path])
    for path, node in nodes.items():
        u, n = counts[path]
        node.W, node.N = 2 * u - n, n + (not path)  # the root has an evaluation of its own
        tenths = rng.choice([t for t in TENTHS if len(t) == len(node.children)] or [()])
        for child, prior in zip(node.children, rng.sample(tenths, len(tenths))):
            child.P = prior / 10
    counts |= {path: (node.W, node.N, node.P) for path, node in nodes.items()}
    return watch_mcts(puct_search, game, iterations=1, c=PUCT_C, root=nodes[()], formula="puct", evaluate=None,
                      proven=False)  # fmt: skip


def _random_selection(rng, shape, below=lambda u, n: round(u / n, 2), grow=_watch_ucb1):
    """A search tree in which each choice is clear, and one at least is not the largest mean where there are several."""
    while True:
        tree, counts = _random_counts(rng, shape, below)
        game = TreeGame(tree, first=rng.choice((MAX, MIN)))
        first = [counts[path] for path in counts if len(path) == 1]
        visits = sum(n for _, n in first)  # the root has no playout of its own
        counts[()] = visits - sum(u for u, _ in first), visits
        watched = grow(game, counts, rng)
        choices = [_selected(watched, path) for path in inner_paths(game) if (*path, "a") in counts]
        clear = all(is_clear(scores.values(), gap=0.05) for _, scores, _ in choices)
        greedy = all(means[chosen] == max(means.values()) for chosen, _, means in choices)
        if clear and not (greedy and len(choices) > 1):
            return game, watched, counts


def _random_counts(rng, shape, below_a_leaf):
    """A tree, and (U, N) of each of its nodes by path.

    They count one playout of the node's own, and those of its children, whose rewards are the other player's.
    """
    if not shape:
        n = rng.randint(2, 15)
        u = rng.randint(0, n)
        return below_a_leaf(u, n), {(): (u, n)}
    below = {letter: _random_counts(rng, shape[1:], below_a_leaf) for letter in "abc"[: rng.choice(shape[0])]}
    children = [counts[()] for _, counts in below.values()]
    mine = rng.randint(0, 1) + sum(n - u for u, n in children), 1 + sum(n for _, n in children)
    counts = {(letter, *path): pair for letter, (_, under) in below.items() for path, pair in under.items()}
    return {letter: tree for letter, (tree, _) in below.items()}, {(): mine} | counts


KINDS = {
    "minimax": Kind("Type the value of each node.", value_steps, minimax_search),
    "alpha-beta": Kind("Click the leaves that alpha-beta will cut (again to take it back).", cut_steps,
                       alpha_beta_search, mark="cut"),
    "expectiminimax": Kind("Type the value of each node; at a chance node (round) it is the mean of what may follow.",
                           value_steps, expectiminimax_search, WITH_CHANCE),
    "ucb1": Kind(f"Type at each node the letter of the child that UCB1 chooses, with C = {UCB1_C}. Above a node is its "
                 "U/N.", selection_steps, shapes=FEWER, make=_random_selection),
    "puct": Kind(f"Type at each node the letter of the child that PUCT chooses, with C = {PUCT_C}. Above a node are "
                 "its P and its W/N.", selection_steps, shapes=FEWER,
                 make=partial(_random_selection, below=lambda u, n: round((2 * u - n) / n, 2), grow=_watch_puct)),
    "mcts": Kind(f"One iteration, with C = {UCB1_C}: type the new U/N, such as 3/5, of each node that it changes, also "
                 "of the new child and the root. Leave the others empty. Above a node is its U/N before; a node "
                 "without U/N is not in the tree yet. The playout ends at the leaf: 1 if Max wins, −1 if Min wins, 0 "
                 "for a draw.", iteration_steps, shapes=FEWER, make=_random_iteration),
}  # fmt: skip


class Practice(widgets.VBox):
    """What `practice` returns: the tree to fill in, the buttons, and the explorer of the first mistake."""

    def __init__(self, kind: str, level: int, seed: int) -> None:
        self.seed = seed
        self._title, self._verdict, self._mistake = widgets.HTML(), widgets.HTML(), widgets.VBox()
        self._kind = _dropdown("practise", {name: name for name in KINDS}, kind, "220px")
        self._level = _dropdown("level", {str(level): level for level in SHAPES}, level, "120px")
        for control in (self._kind, self._level):
            control.observe(lambda _: self.new_tree(0), "value")
        self.tree = Tree(height=420, **self._next_tree(0))
        # A click on a button can overtake what the tree has still to tell: the answers are asked for, and then checked.
        self.tree.on_msg(lambda _, message, __: self._check_these(message["answers"]))
        ask = {"type": "answers"}
        actions = {"Check": lambda: self.tree.send(ask), "Solution": self.solution, "New tree": self.new_tree}
        buttons = button_row(actions | {"Worksheet": self.worksheet})
        row = widgets.HBox([*buttons, self._kind, self._level], layout={"flex_flow": "row wrap"})
        super().__init__([self._title, self.tree, row, self._verdict, self._mistake])
        self.add_class("course-ui")
        close_on_rerun(self)

    def new_tree(self, further: int = 1) -> None:
        """The next tree, of the kind and level that are chosen."""
        set_traits(self.tree, self._next_tree(further))
        self._say("")

    def _next_tree(self, further):
        """What the next tree shows, as traits."""
        self.kind, self.level, self.seed = self._kind.value, self._level.value, self.seed + further
        self._exercise = KINDS[self.kind]
        self.game, self.watched, counts = random_exercise(self.kind, self.level, self.seed)
        self._given = {path: _given(path, *numbers) for path, numbers in counts.items()}
        rows, self._paths = game_rows(self.game, ())
        for row, path in zip(rows, self._paths):
            row["edge"] += f" {self._given[path]}" if path in self._given else ""
        self._number = {path: str(index) for index, path in enumerate(self._paths)}
        self._steps = self._exercise.steps(self.watched)
        root = f" The root has {self._given[()]}." if () in self._given else ""
        self._title.value = f"<b>{self._heading()}.</b> {self._exercise.task}{root}"
        targets = leaf_paths(self.game) if self._exercise.mark else inner_paths(self.game)
        return {
            "name": self._heading(),
            "tree": wire(columns_of_rows(rows)),
            "targets": [int(self._number[path]) for path in targets],
            "mark": self._exercise.mark,
            "answers": {},
            "marks": {},
        }

    def _heading(self):
        return f"{self.kind}, level {self.level}, tree {self.seed}"

    def _check_these(self, answers):
        self.tree.answers = answers
        self.check()

    def check(self) -> None:
        """Compare the reader's answers with the search's, in its order, up to the first that differs.

        What was left empty is not judged, and its answer is not told. A leaf without a mark is one that is looked at.
        """
        given = {self._paths[int(number)]: text for number, text in self.tree.answers.items()}
        if not given:
            return self._say(f"There is nothing to check yet. {self._exercise.task}")
        judged = [step for step in self._steps if step.path in given or (self._exercise.mark and step.answer)]
        right = {step.path: same(given.get(step.path, ""), step.answer) for step in judged}
        wrong = next((step for step in judged if not right[step.path]), None)
        good = judged if wrong is None else judged[: judged.index(wrong)]
        marks = {self._number[step.path]: "right" for step in good}
        self.tree.marks = {}  # so that the page is told of marks that it has taken away since
        self.tree.marks = marks | ({} if wrong is None else {self._number[wrong.path]: "wrong"})
        empty = [step for step in self._steps if step.answer and step.path not in right]
        if wrong is not None:
            before = self._steps[: self._steps.index(wrong)]
            self._explain(wrong, given.get(wrong.path, ""), any(step in before for step in empty))
        elif empty:
            self._say(f"Right so far. Still empty: {len(empty)} of {len(self.answers())}.")
        else:
            self._say("All right.")

    def _explain(self, step, given, too_early):
        """Say what is wrong with an answer. Where the search knows what the reader left empty, it is not shown yet."""
        said, search = f"you wrote {escape(given)}", f"the search has {step.answer or 'nothing'}"
        if self._exercise.mark:
            said = "you marked it as cut" if given else "you did not mark it"
            search = f"{self.kind} {'cuts it' if step.answer else 'looks at it'}"
        kind = "leaf" if self.game.is_terminal(step.path) else f"{player_name(self.game.to_move(step.path))} node"
        mistake = f"Your first mistake is the {kind} {' '.join(map(str, step.path)) or '(root)'}: {said}"
        if too_early:
            return self._say(f"{mistake}. Some nodes that the search looks at before are still empty: fill them in, "
                             "and it will be explained.")  # fmt: skip
        self._say(f"{mistake}, but {search}. {step.why} Fix it and go on; below is the search at that step.", step.step)

    def solution(self) -> None:
        """Fill in every answer, and show the whole search."""
        self.tree.answers = {self._number[path]: answer for path, answer in self.answers().items()}
        self.tree.marks = {}
        self._say("This is the solution; below is the search, to step through.", self.watched.steps)

    def worksheet(self, file: str | None = None) -> str:
        """Write the tree to print, and its key on a second page, as a PDF; return the file's name."""
        from matplotlib.backends.backend_pdf import PdfPages  # half a second, for the few who print

        file = file or f"worksheet-{self.kind}-{self.level}-{self.seed}.pdf"
        with PdfPages(file, metadata={"CreationDate": None}) as pages:
            for title, answers in (("Name: ____________________", {}), ("Key", self.answers())):
                figure = sheet(self.game, answers, self._given)
                figure.frame(self._heading(), title, self._exercise.task)
                pages.savefig(figure)
        self._say(f"The worksheet and its key are in {file}.")
        return file

    def answers(self) -> dict[tuple, str]:
        """The right answers: path → text, without those of leaves that are looked at."""
        return {step.path: step.answer for step in self._steps if step.answer}

    def _say(self, words, step=None):
        replace_children(self._mistake, [] if step is None else [explore(self.watched, step=step, height=320)])
        self._verdict.value = f'<div role="status">{words}</div>'

    def __repr__(self) -> str:
        return f"Practice({self.kind!r}, level {self.level}, tree {self.seed})"

    def _repr_mimebundle_(self, **options):
        return with_still(self, super()._repr_mimebundle_(**options), lambda: sheet(self.game, {}, self._given))


def _dropdown(name, options, value, width):
    """A choice among `options` (text → value) with its name in front."""
    return widgets.Dropdown(options=list(options.items()), value=value, description=name, tooltip=name,
                            style={"description_width": "initial"},
                            layout={"width": width, "max_width": "98%"})  # fmt: skip


def _given(path, total, visits, prior=None):
    """What stands above a node of a search tree: U/N; or P and W/N, of the root W/N alone."""
    return f"P {prior} · " * (prior is not None and path != ()) + f"{number_text(total)}/{visits}"


def random_exercise(kind: str, level: int, seed: int) -> tuple[TreeGame, Watched | WatchedMCTS, dict]:
    """The tree of this kind, level and seed; its recorded search; and of a search tree (U, N) or (W, N, P) by path."""
    rng = random.Random(f"{kind} {level} {seed}")
    lowest, shape = 0 if level == 1 else -9, KINDS[kind].shapes[level]
    if KINDS[kind].make:
        return KINDS[kind].make(rng, shape)

    def tree(depth):
        if depth == len(shape):
            return rng.randint(lowest, 9)
        if shape[depth] == "chance":
            tenths = rng.choice(TENTHS[:5] if level == 1 else TENTHS)
            return Chance([(n / 10, tree(depth + 1)) for n in rng.sample(tenths, len(tenths))])
        return [tree(depth + 1) for _ in range(rng.choice(shape[depth]))]

    while True:
        game = TreeGame(tree(0), first=MAX if level == 1 else rng.choice((MAX, MIN)))
        watched = watch(KINDS[kind].search, game)
        if _teaches(kind, watched):
            return game, watched, {}


def _teaches(kind, watched):
    """Trees without a cut teach no cutting; and a mean of 0 should not come out as 4e−16."""
    if kind == "alpha-beta":
        return any(node.status == CUT for node in watched.nodes())
    return all(node.value == 0 or abs(node.value) > 1e-9 for node in watched.nodes())
