"""How numbers, actions and nodes are written: the same in the explorer, in pictures and in feedback."""

import math
from array import array
from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from functools import lru_cache
from numbers import Rational
from typing import Any

from course_lib.games import MAX, Game, TreeGame
from course_lib.watch.paths import kind_of, moves_of

KINDS = {"leaf": 0, "max": 1, "min": 2, "chance": 3}
MOST_STATES = 20_000
"""Of records with more nodes the explorer does not get the states as text, and `watch` itself makes the columns."""


def number_text(value: Any) -> str:
    """A value as the course writes it: −1, 0.25, −1/9, +∞, (1, 2, 3)."""
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
    """ "-1/9" for a float that is this fraction up to rounding, of a denominator below 100; else None."""
    near = Fraction(value).limit_denominator(99)
    return str(near) if abs(near - value) < 1e-9 and near.denominator > 1 else None


def action_text(action: Hashable, probability: float | None = None) -> str:
    """An action as it is written on an edge, with its probability if chance chooses it."""
    text = number_text(action)
    return text if probability is None else f"{text}: {number_text(probability)}"


def edge_text(game: Game, above: Hashable, action: Hashable) -> str:
    """What is written on the edge from the state `above`: the action, and its probability if chance chooses it."""
    return "" if above is None else action_text(action, dict(moves_of(game, above)).get(action))


def leaf_text(game: Game, state: Hashable) -> str:
    """The utility of a terminal state, and "" for other states.

    With one or two players it is Max's utility; with more players it is a vector, such as (1, 2, 3).
    """
    if not game.is_terminal(state):
        return ""
    if game.players <= 2:
        return number_text(game.utility(state, MAX))
    return number_text(tuple(game.utility(state, player) for player in range(game.players)))


def writer(game: Game, root: Hashable) -> Callable[[Hashable], str]:
    """A function from states to texts: `render`, or "" for all where there is a board, or a `TreeGame` with paths."""
    return (lambda state: "") if isinstance(game, TreeGame) or game.grid(root) is not None else game.render


def kind_number(game: Game, state: Hashable) -> int:
    """The number by which the explorer knows how to draw a node; players from the third on come after chance."""
    kind = kind_of(game, state)
    return KINDS[kind] if kind in KINDS else 2 + int(kind.removeprefix("player "))


class Texts(dict):
    """Numbers for texts, given out in the order in which the texts first come up."""

    def __missing__(self, text):
        self[text] = len(self)
        return self[text]


def node_columns(game: Game, parents: list[int], states: list, actions: list, texts: Texts) -> dict:
    """What every record tells of its nodes, by the number of a node. The text of a state or an action is made once."""
    each, says = dict.fromkeys(states), writer(game, states[0])
    kind = {state: kind_number(game, state) for state in each}
    leaf = {state: texts[leaf_text(game, state)] for state in each}
    named = {action: texts[action_text(action)] for action in dict.fromkeys(actions)}
    columns = {
        "parent": array("i", parents),
        "kind": bytes(map(kind.__getitem__, states)),
        "action": narrow(map(named.__getitem__, actions)),
        "leaf": narrow(map(leaf.__getitem__, states)),
    }
    written = {state: says(state) for state in each} if len(states) <= MOST_STATES else {}
    if any(written.values()):
        columns["state"] = narrow(texts[written[state]] for state in states)
    return columns


def narrow(numbers: Iterable[int]) -> array:
    """Whole numbers from −1 on as an array of one, two or four bytes for each: as few as the largest needs."""
    numbers = list(numbers)
    largest = max(numbers, default=0)
    return array("b" if largest < 1 << 7 else "h" if largest < 1 << 15 else "i", numbers)
