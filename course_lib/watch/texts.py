"""The texts and columns of nodes, which every trace has."""

from array import array
from math import nan
from numbers import Real
from typing import Any

from course_lib.games import MAX, Game
from course_lib.games.game import State
from course_lib.games.texts import action_text, number_text
from course_lib.games.walking import kind_of, moves_of
from course_lib.language import translated

KINDS = {"leaf": 0, "max": 1, "min": 2, "chance": 3}


def leaf_text(game: Game, state: State) -> str:
    """The utility of a terminal state, and "" for other states.

    With one or two players it is Max's utility; with more players it is a vector, such as (1, 2, 3).
    """
    if not game.is_terminal(state):
        return ""
    if game.players <= 2:
        return number_text(game.utility(state, MAX))
    return number_text(tuple(game.utility(state, player) for player in range(game.players)))


def kind_number(game: Game, state: State) -> int:
    """The number of a node's kind in the explorer; players from the third on come after chance."""
    kind = kind_of(game, state)
    return KINDS[kind] if kind in KINDS else 2 + int(kind.removeprefix("player "))


class Identity:
    """What stands for a state that is not hashable: the object itself, whatever is in it."""

    def __init__(self, state: State) -> None:
        self.state = state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.state is other.state

    def __hash__(self) -> int:
        return id(self.state)


def key_of(state: State) -> Any:
    """What tells a state from others: the state, or its `Identity` if it is not hashable."""
    try:
        hash(state)
    except TypeError:
        return Identity(state)
    return state


class TextTable(dict):
    """Text → its index, in the order in which the texts are first looked up; `numbers` are those that texts show."""

    def __init__(self) -> None:
        self.numbers: dict[int, float] = {}

    def __missing__(self, text: str) -> int:
        self[text] = len(self)
        return self[text]

    def of_value(self, value: Any) -> int:
        """The index of the text of a value; a number is kept beside its text."""
        index = self[number_text(value)]
        if isinstance(value, Real) and not isinstance(value, bool):
            self.numbers[index] = float(value)
        return index

    def column(self) -> array:
        """The number that each text shows, or nan."""
        return array("d", [self.numbers.get(index, nan) for index in range(len(self))])


def node_columns(game: Game, parents: list[int], states: list, actions: list, texts: TextTable) -> dict:
    """The columns that every trace has, by the number of a node; the labels of edges are one in games of chance."""
    keys = list(map(key_of, states))
    distinct = dict(zip(keys, states))
    kind = {key: kind_number(game, state) for key, state in distinct.items()}
    leaf = {key: texts[leaf_text(game, state)] for key, state in distinct.items()}
    named = {action: texts[action_text(action)] for action in dict.fromkeys(actions)}
    columns = {
        "parent": array("i", parents),
        "kind": bytes(map(kind.__getitem__, keys)),
        "action": array("i", map(named.__getitem__, actions)),
        "leaf": array("i", map(leaf.__getitem__, keys)),
    }
    if KINDS["chance"] in columns["kind"]:
        moves = [{} if above < 0 else dict(moves_of(game, states[above])) for above in parents]
        chances = [probabilities.get(action) for probabilities, action in zip(moves, actions)]
        columns["edge"] = array("i", [texts[action_text(*edge)] for edge in zip(actions, chances)])
        columns["probability"] = array("i", [-1 if p is None else texts[number_text(p)] for p in chances])
    has_other_form = hasattr(game, "nodes") or game.grid(states[0]) is not None  # a tree, or a board
    if not has_other_form:
        written = {key: texts[translated(game.render(state))] for key, state in distinct.items()}
        columns["state"] = array("i", map(written.__getitem__, keys))
    return columns
