"""What a drawing shows of a tree: the texts at each node, and in which order the nodes are opened. Nothing is drawn."""

from collections.abc import Hashable
from dataclasses import dataclass
from math import inf

from course_lib.games import Game
from course_lib.watch.paths import kind_of, moves_of
from course_lib.watch.texts import action_text, leaf_text


@dataclass
class Label:
    """What stands at a node: in it its `value`, above it the `edge`, below it the `window`.

    `kind` is as in `kind_of`. `status` is "new", "made", "stack", "done" or "cut", or "blank" on a sheet to fill in.
    `chosen` is True if the search goes to this node from the one above.
    """

    kind: str
    edge: str = ""
    value: str = ""
    status: str = "done"
    window: str = ""
    chosen: bool = False


class View:
    """A tree to be drawn. A node of it is named by its *place*, which is what the subclass says.

    A subclass has the `game`, the place of the `root`, and three functions: `label(place)` is a `Label`, `below(place)`
    lists the places of the children, and `state(place)` is the state there. At most `most` nodes are drawn, and
    `caption` is written below them.
    """

    most, caption = inf, ""

    def next_to_open(self, waiting: list) -> list:
        """Which of these drawn nodes, each with its `place`, are opened next: here all, a whole level."""
        return waiting


class GameView(View):
    """A game's own tree below a state. A place in it is (the state above, the action, the state)."""

    def __init__(self, game: Game, state: Hashable) -> None:
        self.game, self.root = game, (None, None, state)

    def label(self, place: tuple) -> Label:
        above, action, state = place
        return Label(kind_of(self.game, state), edge_text(self.game, above, action), leaf_text(self.game, state))

    def below(self, place: tuple) -> list[tuple]:
        state = place[2]
        return [(state, action, self.game.result(state, action)) for action, _ in moves_of(self.game, state)]

    def state(self, place: tuple) -> Hashable:
        return place[2]


class SheetView(GameView):
    """The tree of a `TreeGame` to fill in by hand, with some `answers` filled in: path → text.

    `given` (path → text) is written above the nodes, beside their actions.
    """

    def __init__(self, game: Game, state: Hashable, answers: dict, given: dict | None = None) -> None:
        super().__init__(game, state)
        self.answers, self.given = answers, given or {}

    def label(self, place: tuple) -> Label:
        label, path = super().label(place), self.state(place)
        answer, given = self.answers.get(path, ""), self.given.get(path)
        label.edge += f" {given}" if given else ""
        label.status = "cut" if answer == "cut" else "blank"
        if answer.startswith("["):
            label.window = answer
        elif answer != "cut":
            label.value = answer or label.value
        return label


def edge_text(game: Game, above: Hashable, action: Hashable) -> str:
    """What is written on the edge from the state `above`: the action, and its probability if chance chooses it."""
    return "" if above is None else action_text(action, dict(moves_of(game, above)).get(action))
