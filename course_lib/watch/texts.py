"""The texts of numbers, actions and nodes: the same in the explorer, in pictures and in feedback."""

import math
from array import array
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from numbers import Rational
from typing import Any

from course_lib.games import MAX, Game, TreeGame
from course_lib.games.game import Action, State
from course_lib.watch.paths import kind_of, moves_of

KINDS = {"leaf": 0, "max": 1, "min": 2, "chance": 3}
MAX_TEXT_STATES = 20_000
"""Traces with more nodes have no states as text in the explorer."""


def number_text(value: Any) -> str:
    """A value as text: −1, 0.25, −1/9, +∞, (1, 2, 3)."""
    if isinstance(value, Rational):
        text = str(value).replace("-", "−")
    elif isinstance(value, float):
        text = f"{value:.0f}" if 1e4 <= abs(value) < 1e9 else f"{value:.4g}"
        if abs(value) < 100 and abs(float(text) - value) > 1e-9:
            text = _ratio(value) or text
        text = ("+∞" if value > 0 else "−∞") if math.isinf(value) else text.replace("-", "−")
    elif isinstance(value, tuple):
        text = f"({', '.join(map(number_text, value))})"
    else:
        text = str(value)
    return text if len(text) <= 24 else text[:23] + "…"


@lru_cache(10_000)
def _ratio(value):
    """ "-1/9" for a float that equals this fraction up to rounding, with a denominator below 100; else None."""
    near = Fraction(value).limit_denominator(99)
    return str(near) if abs(near - value) < 1e-9 and near.denominator > 1 else None


def action_text(action: Action, probability: float | None = None) -> str:
    """The label of an edge: an action, with its probability if it is an outcome of chance."""
    text = number_text(action)
    return text if probability is None else f"{text}: {number_text(probability)}"


def edge_text(game: Game, above: State, action: Action) -> str:
    """The label of the edge from the state `above`: the action, with its probability if it is an outcome of chance."""
    return "" if above is None else action_text(action, dict(moves_of(game, above)).get(action))


def leaf_text(game: Game, state: State) -> str:
    """The utility of a terminal state, and "" for other states.

    With one or two players it is Max's utility; with more players it is a vector, such as (1, 2, 3).
    """
    if not game.is_terminal(state):
        return ""
    if game.players <= 2:
        return number_text(game.utility(state, MAX))
    return number_text(tuple(game.utility(state, player) for player in range(game.players)))


def state_renderer(game: Game, root: State) -> Callable[[State], str]:
    """The function from states to texts: `render`, or always "" for a game with a grid and for a `TreeGame`."""
    return (lambda state: "") if isinstance(game, TreeGame) or game.grid(root) is not None else game.render


def kind_number(game: Game, state: State) -> int:
    """The number of a node's kind in the explorer; players from the third on come after chance."""
    kind = kind_of(game, state)
    return KINDS[kind] if kind in KINDS else 2 + int(kind.removeprefix("player "))


class TextTable(dict):
    """Text → number, in the order in which the texts are first looked up."""

    def __missing__(self, text: str) -> int:
        self[text] = len(self)
        return self[text]


def node_columns(game: Game, parents: list[int], states: list, actions: list, texts: TextTable) -> dict:
    """The columns that every trace has, by the number of a node."""
    distinct, render = dict.fromkeys(states), state_renderer(game, states[0])
    kind = {state: kind_number(game, state) for state in distinct}
    leaf = {state: texts[leaf_text(game, state)] for state in distinct}
    named = {action: texts[action_text(action)] for action in dict.fromkeys(actions)}
    columns = {
        "parent": array("i", parents),
        "kind": bytes(map(kind.__getitem__, states)),
        "action": compact_array(map(named.__getitem__, actions)),
        "leaf": compact_array(map(leaf.__getitem__, states)),
    }
    written = {state: render(state) for state in distinct} if len(states) <= MAX_TEXT_STATES else {}
    if any(written.values()):
        columns["state"] = compact_array(texts[written[state]] for state in states)
    return columns


def compact_array(numbers: Iterable[int]) -> array:
    """Integers of at least −1 as an array of one, two or four bytes each, whichever is large enough."""
    numbers = list(numbers)
    largest = max(numbers, default=0)
    return array("b" if largest < 1 << 7 else "h" if largest < 1 << 15 else "i", numbers)
