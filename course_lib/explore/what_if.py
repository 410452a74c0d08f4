"""What if? The reader changes a probability or a utility of a small tree, and sees whether the decision changes."""

import math
from functools import partial

import ipywidgets as widgets

from course_lib.explore.picture import picture
from course_lib.explore.rerun import close_on_rerun
from course_lib.explore.still import with_still
from course_lib.explore.tree import Tree, button_row, dropdown, set_traits, wire
from course_lib.games import CHANCE, MAX, TreeGame, player_name
from course_lib.search import expectiminimax_search
from course_lib.watch.calls import watch
from course_lib.watch.paths import inner_paths, leaf_paths
from course_lib.watch.texts import number_text

TRANSFORMS = {
    "u": lambda u: u,
    "2u + 10": lambda u: 2 * u + 10,
    "u / 10 − 3": lambda u: u / 10 - 3,
    "u³": lambda u: u**3,
    "√u (−√−u below 0)": lambda u: abs(u) ** 0.5 * (1 if u >= 0 else -1),
}
"""Increasing functions of the utility: the first three are affine, the others only monotone."""
MOST_SLIDERS = 24


def what_if(game, transform="u³"):
    """A `WhatIf` widget: sliders for the probabilities and utilities of a small `TreeGame` of one player or two.

    The tree is solved by expectiminimax as you drag, and the decision at the root is told, with a word when it flips.
    The other probabilities of a chance node follow the one that is dragged, so that they sum to 1.
    Beside it stands the same tree with every utility u replaced by `transform`, one of `TRANSFORMS`.
    """
    if not isinstance(game, TreeGame) or game.players > 2:
        raise ValueError(f"what_if takes a TreeGame of one or two players, not {game!r}")
    if transform not in TRANSFORMS:
        raise ValueError(f"transform is one of {', '.join(map(repr, TRANSFORMS))}, not {transform!r}")
    return WhatIf(game, transform)


class WhatIf(widgets.VBox):
    """What `what_if` returns: the tree as given with its sliders, and the tree of transformed utilities."""

    def __init__(self, game, transform):
        self.game = game
        numbers = dict(_numbers(game))
        if len(numbers) > MOST_SLIDERS:
            raise ValueError(f"what_if is for small trees: {MOST_SLIDERS} sliders fit, and this tree has "
                             f"{len(numbers)} probabilities and utilities")  # fmt: skip
        self.sliders = {key: _slider(*number) for key, number in numbers.items()}
        self._first, self._moving = None, False
        self._given = {key: given for key, (_, given, *_) in numbers.items()}
        self._values = dict(self._given)  # as they are searched; a slider shows the nearest multiple of its step
        for key, slider in self.sliders.items():
            slider.observe(lambda change, key=key: self._drag(key, change), "value")
        self.transform = dropdown("in the other tree u becomes", dict(zip(TRANSFORMS, TRANSFORMS)), transform, "350px")
        self.transform.observe(lambda _: self.solve(), "value")
        self.decisions = [widgets.HTML(layout={"min_height": "58px"}) for _ in range(2)]
        self.trees = [Tree(height=290, plain=True, **traits) for traits in self._solved()]
        half = {"flex": "1 1 322px", "min_width": "322px"}  # the least that a tree is fitted into
        panes = [widgets.VBox([decision, tree], layout=half) for decision, tree in zip(self.decisions, self.trees)]
        grid = widgets.HBox(list(self.sliders.values()), layout={"flex_flow": "row wrap"})
        trees = widgets.HBox(panes, layout={"flex_flow": "row wrap"})
        below = widgets.HBox([self.transform, *button_row({"as given": self.reset})], layout={"flex_flow": "row wrap"})
        super().__init__([trees, grid, below])
        self.add_class("course-ui")
        close_on_rerun(self)

    def reset(self):
        """Put every slider back to the tree as it was given."""
        self._move(self._given)

    def _drag(self, key, change):
        """The reader has moved the slider of `key`: the other outcomes of its chance node share what is left."""
        slider, (kind, path) = self.sliders[key], key
        rounded = change.old == self._values[key] and abs(change.new - change.old) <= 0.501 * slider.step
        if self._moving or rounded:  # by the browser, which shows multiples of the step only
            return
        twins = [k for k in self.sliders if k[0] == kind == "p" and k[1][:-1] == path[:-1] and k != key]
        if kind == "p" and not twins:
            return self._move({key: 1})  # the only outcome is certain
        total, left = sum(self._values[k] for k in twins), 1 - change.new
        shares = {k: left * (self._values[k] / total if total else 1 / len(twins)) for k in twins}
        self._move({key: change.new} | shares)

    def _move(self, values):
        """Put sliders to these values, and solve."""
        self._values |= values
        self._moving = True
        for key, value in values.items():
            self.sliders[key].value = value
        self._moving = False
        self.solve()

    def solve(self):
        """Search both trees as the sliders stand, draw them, and tell the decisions."""
        for tree, traits in zip(self.trees, self._solved()):
            set_traits(tree, traits)

    def _solved(self):
        """What each tree shows as the sliders stand, as traits; the decisions are told."""
        name = self.transform.value
        sides = ("As the sliders stand", TRANSFORMS["u"]), (f"With u → {name}", TRANSFORMS[name])
        for decision, (title, change) in zip(self.decisions, sides):
            watched = watch(expectiminimax_search, self._changed(change))
            value, move = watched.result
            if self._first is None:
                self._first = move
            who = player_name(self.game.to_move(()))
            plays = f"{who} plays <b>{move}</b>" if move is not None else "chance moves first"
            flips = "" if move == self._first else " <b>The decision has flipped.</b>"
            worth = number_text(round(float(value), 3))
            decision.value = f'<div role="status">{title}: {plays}, worth {worth}.{flips}</div>'
            yield {"name": title, "tree": wire(watched.columns()), "step": watched.steps}

    def _changed(self, change):
        """The game with the sliders' numbers in it; probabilities are scaled to sum to 1 exactly."""
        return TreeGame.of_nodes([self._moved(node, change) for node in self.game.nodes()], self.game.players)

    def _moved(self, node, change):
        if node.utilities:
            worth = change(self._values["u", node.path])
            return node._replace(utilities=(worth, -worth)[: self.game.players])
        weights = [self._values["p", (*node.path, outcome)] for outcome in node.actions if node.probabilities]
        total = sum(weights)
        return node._replace(probabilities=[weight / total if total else 1 / len(weights) for weight in weights])

    def __repr__(self):
        return f"WhatIf({self.game!r})"

    def _repr_mimebundle_(self, **options):
        draw = partial(picture, watch(expectiminimax_search, self.game))
        return with_still(self, super()._repr_mimebundle_(**options), draw)


def _numbers(game):
    """The arguments of `_slider` for each probability, ("p", path), and for each leaf's utility to Max, ("u", path)."""
    utilities = {path: game.utility(path, MAX) for path in leaf_paths(game)}
    margin = max(1, max(utilities.values()) - min(utilities.values()))
    step = 10 ** math.floor(math.log10(margin / 50))  # from a round number, so that round utilities are met
    low, high = math.floor(min(utilities.values()) - margin), math.ceil(max(utilities.values()) + margin)
    for above in inner_paths(game):
        for action, probability in game.chances(above) if game.to_move(above) == CHANCE else ():
            path = (*above, action)
            yield ("p", path), (f"p of {_words(path)}", float(probability), 0, 1, 0.01)
    for path, utility in utilities.items():
        yield ("u", path), (f"u at {_words(path)}", float(utility), low, high, step)


def _slider(name, value, low, high, step):
    return widgets.FloatSlider(value=value, min=low, max=high, step=step, description=name, readout_format=".3g",
                               style={"description_width": "110px"}, layout={"width": "340px"})  # fmt: skip


def _words(path):
    return " ".join(map(str, path)) or "the root"
